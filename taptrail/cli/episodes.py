"""`taptrail episodes list|show|delete`; `editing` and `keeping` add to the group."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taptrail.cli import desk, editing, judging, keeping
from taptrail.cli.output import json_option, library_option, print_json, progress, say, table
from taptrail.words import tr

if TYPE_CHECKING:
    from episodes.screens import Foreground
    from episodes.steps import Step
    from episodes.store.queries import EpisodeSummary
    from taptrail.usecases.episode_list import ShownEpisode

STATES = ("recording", "finished", "incomplete", "deleted")
JUDGED = ("complete", "impossible", "failed", "given up", "unjudged")
REVIEWS = ("accepted", "sent-back", "rejected", "undecided")


@click.group(help=tr("List, show, edit, check, merge and delete the library's episodes."))
def episodes() -> None:
    """`taptrail episodes`"""


@episodes.command("list", help=tr("List episodes."))
@click.option("--text", default="", help=tr("Words of the instruction, or the start of a name."))
@click.option("--dataset", default="", help=tr("Only episodes of this data set."))
@click.option("--app", default="", help=tr("Only episodes in this app."))
@click.option("--category", default="", help=tr("Only episodes of this category."))
@click.option("--state", type=click.Choice(STATES), help=tr("Only episodes in this state."))
@click.option("--review", type=click.Choice(REVIEWS), help=tr("Only episodes with this decision."))
@click.option(
    "--finding",
    default="",
    metavar="RULE",
    help=tr("Only episodes in which this rule of `taptrail lint` found something; any, or none."),
)
@click.option(
    "--judged", type=click.Choice(JUDGED), help=tr("Only attempts that a person judged so.")
)
@click.option(
    "--verdict",
    nargs=3,
    metavar="RUN PROTOCOL OUTCOME",
    help=tr("Only episodes with a step of that outcome: match, mismatch or unscored."),
)
@click.option("--limit", type=click.IntRange(min=0), help=tr("The maximum number of episodes."))
@library_option
@json_option
def list_(
    text: str,
    dataset: str,
    app: str,
    category: str,
    state: str | None,
    review: str | None,
    finding: str,
    judged: str | None,
    verdict: tuple[str, str, str] | None,
    limit: int | None,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail episodes list`"""
    from episodes.annotations import Decision
    from episodes.episodes import EpisodeState
    from episodes.store.queries import UNDECIDED, EpisodeQuery
    from taptrail.usecases.episode_list import list_episodes

    reviews: dict[str | None, Any] = {
        None: "",
        "accepted": Decision.ACCEPTED,
        "sent-back": Decision.SENT_BACK,
        "rejected": Decision.REJECTED,
        "undecided": UNDECIDED,
    }
    query = EpisodeQuery(
        verdict=_judged(library, *verdict) if verdict else None,
        text=text,
        dataset=dataset,
        app=app,
        category=category,
        state=EpisodeState(state) if state else None,
        review=reviews[review],
        finding=finding,
        judged=judged or "",
    )
    page = list_episodes(library, query, limit=-1 if limit is None else limit)
    if as_json:
        print_json({"total": page.total, "episodes": [_summary(one) for one in page.episodes]})
        return
    table(
        "",
        (tr("name"), tr("data set"), tr("steps"), tr("state"), tr("apps"), tr("instruction")),
        [
            (
                one.name,
                f"{one.dataset}@{one.version}" if one.version else one.dataset,
                str(one.step_count),
                one.state.value,
                ", ".join(one.apps),
                one.instruction,
            )
            for one in page.episodes
        ],
    )
    shown = len(page.episodes)
    say(tr("{shown} of {n} episode.", "{shown} of {n} episodes.", n=page.total, shown=shown))


def _summary(one: EpisodeSummary) -> dict[str, Any]:
    return {
        "name": one.name,
        "uuid": one.uuid,
        "dataset": one.dataset,
        "version": one.version,
        "instruction": one.instruction,
        "category": one.category,
        "apps": list(one.apps),
        "steps": one.step_count,
        "declared_steps": one.declared_steps,
        "targets": one.target_count,
        "duration_us": one.duration_us,
        "state": one.state.value,
        "started_utc": one.started_utc,
        "actor": one.actor,
        "review": one.review.value if one.review is not None else None,
        "findings": None
        if one.errors is None
        else {"error": one.errors, "look": one.looks, "note": one.notes},
    }


@episodes.command(help=tr("Show one episode with its steps."))
@click.argument("name")
@click.option(
    "--dataset", default=None, help=tr("Its data set, if several have an episode of that name.")
)
@library_option
@json_option
def show(name: str, dataset: str | None, library: Path, as_json: bool) -> None:
    """`taptrail episodes show NAME`"""
    from episodes.actions import kind
    from taptrail.usecases.episode_list import show_episode

    found = show_episode(library, name, dataset)
    if as_json:
        print_json(_whole(found))
        return
    episode = found.episode
    origin = episode.origin
    say(f"{episode.name} · {origin.dataset} {origin.version} · {episode.state.value}")
    say(episode.task.instruction)
    rows = []
    for step in episode.steps:
        picture = found.pictures.get(step.index)
        front = step.foreground
        rows.append(
            (
                str(step.index),
                kind(step.action),
                _words(step),
                _app(front) if front else "",
                _picture(step, picture),
            )
        )
    table("", (tr("step, from 0"), tr("action"), tr("what"), tr("app"), tr("picture")), rows)


def _app(front: Foreground) -> str:
    sure = front.fit.value in ("fresh", "unknown")
    name = front.label or front.package
    return name if sure else f"{name} ({tr(front.fit.value)})"


def _picture(step: Step, picture: Path | None) -> str:
    if picture is None:
        return tr("no picture")
    if step.frame is not None and step.frame.protected:
        return tr("{picture} (black: protected by the app)", picture=picture)
    return str(picture)


def _words(step: Step) -> str:
    from episodes import actions as a

    match step.action:
        case a.TypeText(text) | a.Answer(text):
            return f"“{text}”"
        case a.PressKey(key, name):
            return name or key.value
        case a.Swipe(start, end):
            way = f"({start.x:.0f}, {start.y:.0f}) → ({end.x:.0f}, {end.y:.0f})"
            return f"{step.action.direction.value} {way}"
        case a.Scroll(direction):
            return direction.value
        case a.OpenApp(app):
            return app
        case a.Finish(ending, reason):
            return f"{ending.value}: {reason}" if reason else ending.value
        case a.Other(name, arguments):
            return f"{name} {arguments}"
    at = a.place(step.action)
    return f"({at.x:.0f}, {at.y:.0f})" if at is not None else ""


def _whole(found: ShownEpisode) -> dict[str, Any]:
    from episodes.codec import action_to_json
    from episodes.formats import taptrail_values as values

    episode = found.episode
    steps = []
    for step in episode.steps:
        picture = found.pictures.get(step.index)
        steps.append(
            {
                "step": step.index,
                "action": action_to_json(step.action),
                "frame": values.frame_to_json(step.frame, str(picture) if picture else None)
                if step.frame is not None
                else None,
                "tree": step.tree.fit.value if step.tree is not None else "missing",
                "foreground": values.plain(step.foreground) if step.foreground else None,
                "texts": values.plain(step.texts),
                "regions": [values.region_to_json(region, None) for region in step.regions],
                "golds": [values.gold_to_json(gold) for gold in step.golds],
                "native": values.plain(step.native) if step.native is not None else None,
                "source": step.source,
            }
        )
    return {
        "name": episode.name,
        "uuid": episode.uuid,
        "origin": values.plain(episode.origin),
        "task": values.plain(episode.task),
        "state": episode.state.value,
        "device": values.plain(episode.device),
        "started_utc": episode.started_utc,
        "ended_utc": episode.ended_utc,
        "finish": action_to_json(episode.finish) if episode.finish is not None else None,
        "declared_steps": episode.declared_steps,
        "splits": [list(pair) for pair in episode.splits],
        "segments": len(episode.segments),
        "gaps": values.plain(episode.gaps),
        "steps": steps,
    }


@episodes.command(help=tr("Move an episode to the library's bin, or restore it."))
@click.argument("name")
@click.option(
    "--dataset", default=None, help=tr("Its data set, if several have an episode of that name.")
)
@click.option("--restore", is_flag=True, help=tr("Restore it from the bin."))
@library_option
@json_option
def delete(name: str, dataset: str | None, restore: bool, library: Path, as_json: bool) -> None:
    """`taptrail episodes delete NAME`"""
    from taptrail.usecases.episode_list import delete_episode, restore_episode

    done = (restore_episode if restore else delete_episode)(library, name, dataset)
    if as_json:
        print_json({"episode": done, "deleted": not restore})
    elif restore:
        say(tr("{name} is restored.", name=done))
    else:
        say(
            tr(
                "{name} is in the bin. Restore it with: taptrail episodes delete --restore {name}",
                name=done,
            )
        )


def _judged(library: Path, run: str, protocol: str, outcome: str) -> tuple[str, str, str]:
    """Stores the run's verdicts if they are missing, and returns the filter for them."""
    from episodes.verdicts import Outcome
    from scoring.protocols import lookup
    from taptrail.usecases.episode_list import keep_verdicts

    if outcome not in {one.value for one in Outcome}:
        known = ", ".join(one.value for one in Outcome)
        raise click.UsageError(tr("“{text}” is none of: {known}.", text=outcome, known=known))
    with progress(tr("Scoring {run}", run=run)) as on_progress:
        keep_verdicts(library, run, protocol, on_progress)
    return run, lookup(protocol).key, outcome


for _command in (*editing.COMMANDS, desk.review, *judging.COMMANDS, *keeping.COMMANDS):
    episodes.add_command(_command)
