"""`taptrail attempts`: times and steps that people need for a task, and an agent's budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taptrail.cli.attempt_steps import steps
from taptrail.cli.author import author
from taptrail.cli.budget_scores import rule_options, scores
from taptrail.cli.output import json_option, library_option, print_json, say, table
from taptrail.words import tr

if TYPE_CHECKING:
    from taptrail.usecases.attempts import PersonsAttempt, Reference, TaskLine
    from taptrail.usecases.reference_times import Budget, Spread


_OUTCOMES = ("complete", "impossible", "failed", "given up")
_CLAIMED = "as claimed"


@click.group(
    invoke_without_command=True,
    help=tr("Compare people's attempts at a task, and show the budget that follows."),
)
@click.option("--task", help=tr("The task's instruction."))
@click.option("--episode", help=tr("The task of this episode, by name or uuid."))
@rule_options
@library_option
@json_option
@click.pass_context
def attempts(
    context: click.Context,
    task: str | None,
    episode: str | None,
    factor: str,
    aggregate: str,
    floor: int,
    without_finish: bool,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail attempts`"""
    if context.invoked_subcommand is not None:
        return
    from episodes.store.library import Library
    from taptrail.usecases.attempts import reference, references, tasks
    from taptrail.usecases.reference_times import Aggregate

    if task is not None and episode is not None:
        raise click.UsageError(tr("Give --task or --episode, not both."))
    with Library.read(library) as kept:
        if task is None and episode is None:
            told = references(kept, with_finish=not without_finish)
            given = {
                words: one.budget(factor, Aggregate(aggregate), floor)
                for words, one in told.items()
            }
            _list_tasks(tasks(kept), given, as_json)
            return
        words = task if task is not None else kept.episode(episode or "").task.instruction
        found = reference(kept, words, with_finish=not without_finish)
    allowed = found.budget(factor, Aggregate(aggregate), floor)
    if as_json:
        print_json(
            _json(found)
            | {
                "budget": {
                    "steps": allowed.steps,
                    "seconds": allowed.seconds,
                    "factor": float(factor),
                    "aggregate": aggregate,
                    "floor": floor,
                    "rule": allowed.rule,
                }
            }
        )
    else:
        _say(found, allowed)


attempts.add_command(steps)
attempts.add_command(scores)


@attempts.command("leave-out", help=tr("Exclude an attempt from the numbers."))
@click.argument("episode")
@click.option("--reason", required=True, help=tr("Why."))
@library_option
@json_option
def leave_out(episode: str, reason: str, library: Path, as_json: bool) -> None:
    """`taptrail attempts leave-out EPISODE`"""
    _decide("leave_out", episode, library, as_json, reason)


@attempts.command(
    "take-in", help=tr("Include an attempt in the numbers, whatever the rules decide.")
)
@click.argument("episode")
@click.option("--reason", required=True, help=tr("Why."))
@library_option
@json_option
def take_in(episode: str, reason: str, library: Path, as_json: bool) -> None:
    """`taptrail attempts take-in EPISODE`"""
    _decide("take_in", episode, library, as_json, reason)


@attempts.command("by-rule", help=tr("Let the rules decide again whether an attempt counts."))
@click.argument("episode")
@library_option
@json_option
def by_rule(episode: str, library: Path, as_json: bool) -> None:
    """`taptrail attempts by-rule EPISODE`"""
    _decide("by_rule", episode, library, as_json)


@attempts.command(help=tr("Set how an attempt ended, or use its actor's claim again."))
@click.argument("episode")
@click.argument("outcome", type=click.Choice((*_OUTCOMES, _CLAIMED)))
@library_option
@json_option
def judge(episode: str, outcome: str, library: Path, as_json: bool) -> None:
    """`taptrail attempts judge EPISODE OUTCOME`"""
    _decide("judge", episode, library, as_json, "" if outcome == _CLAIMED else outcome)


def _decide(what: str, name: str, library: Path, as_json: bool, *words: str) -> None:
    from episodes.store.library import Library
    from taptrail.usecases import attempts as usecase

    me = author()
    with Library.open(library, create=False) as kept:
        episode = kept.episode(name)
        edit = getattr(usecase, what)(kept, episode, me, *words)
        found = usecase.reference_for(kept, episode)
    one = next((one for one in found.attempts if one.uuid == episode.uuid), None)
    if as_json:
        print_json(None if one is None else _attempt(one) | {"changed": edit is not None})
    elif one is not None:
        counts = tr("counts") if one.counts else tr("does not count")
        already = f" {tr('Nothing changed: it was set already.')}" if edit is None else ""
        say(f"{one.name}: {counts}{f' ({one.why})' if one.why else ''}.{already}")


def _list_tasks(found: Sequence[TaskLine], given: Mapping[str, Budget], as_json: bool) -> None:
    """Lists tasks. A task whose only episodes are still being recorded has no budget."""
    rows = []
    values = []
    for one in found:
        allowed = given.get(one.task)
        steps = allowed.steps if allowed is not None else None
        seconds = allowed.seconds if allowed is not None else None
        values.append(
            {
                "task": one.task,
                "attempts": one.attempts,
                "apps": list(one.apps),
                "budget": {
                    "steps": steps,
                    "seconds": seconds,
                    "rule": allowed.rule if allowed is not None else "",
                },
            }
        )
        rows.append(
            (
                str(one.attempts),
                tr("none") if steps is None else str(steps),
                "" if seconds is None else _clock(seconds * 1_000_000),
                ", ".join(one.apps),
                one.task,
            )
        )
    if as_json:
        print_json({"tasks": values})
        return
    columns = (tr("attempts"), tr("step budget"), tr("time budget"), tr("apps"), tr("task"))
    table("", columns, rows)


def _say(found: Reference, allowed: Budget) -> None:
    say(found.task)
    table(
        "",
        (
            *(tr("attempt"), tr("person"), tr("steps"), tr("time"), tr("thinking"), tr("acting")),
            *(tr("paused"), tr("outcome"), tr("counts"), tr("why")),
        ),
        [
            (
                one.name,
                f"{one.person}, {one.number}",
                str(one.steps),
                _clock(one.times.wall),
                _clock(one.times.thinking),
                _clock(one.times.acting),
                _clock(one.times.paused) if one.times.paused else "",
                one.outcome,
                tr("yes") if one.counts else tr("no"),
                one.why,
            )
            for one in found.attempts
        ],
    )
    counted = sum(one.counts for one in found.attempts)
    people = tr("{n} person", "{n} people", n=found.people)
    ended = tr(
        "{hits} of {n} attempt by {people} ended complete",
        "{hits} of {n} attempts by {people} ended complete",
        n=len(found.attempts),
        hits=found.succeeded,
        people=people,
    )
    say(f"{ended}; {tr('{n} counts.', '{n} count.', n=counted)}")
    if found.agents:
        say(
            tr(
                "{n} attempt of an agent or script is not included.",
                "{n} attempts of agents or scripts are not included.",
                n=len(found.agents),
            )
        )
    if found.steps is not None:
        steps = found.steps
        say(
            tr(
                "Steps: median {median:g}, quartiles {first:g} to {third:g}.",
                median=steps.median,
                first=steps.first_quartile,
                third=steps.third_quartile,
            )
        )
    if found.wall is not None:
        say(
            tr(
                "Time: median {median}, quartiles {first} to {third}, pauses left out.",
                median=_clock(found.wall.median),
                first=_clock(found.wall.first_quartile),
                third=_clock(found.wall.third_quartile),
            )
        )
    if allowed.steps is None:
        say(tr("No budget: {rule}.", rule=allowed.rule))
        return
    seconds = allowed.seconds
    time = "" if seconds is None else tr(" and {time}", time=_clock(seconds * 1_000_000))
    say(
        tr(
            "Budget: {steps} steps{time} ({rule}).",
            steps=allowed.steps,
            time=time,
            rule=allowed.rule,
        )
    )


def _clock(us: float | None) -> str:
    from episodes.durations import format_duration

    return tr("unknown") if us is None else format_duration(us)


def _json(found: Reference) -> dict[str, Any]:
    return {
        "task": found.task,
        "people": found.people,
        "success": {"hits": found.succeeded, "total": len(found.attempts)},
        "counted": sum(one.counts for one in found.attempts),
        "counts_finish": found.with_finish,
        "attempts": [_attempt(one) for one in found.attempts],
        "agents": [
            {"episode": a.name, "agent": a.agent, "steps": a.steps, "outcome": a.outcome}
            for a in found.agents
        ],
        "steps": _spread(found.steps),
        "wall_us": _spread(found.wall),
        "thinking_us": _spread(found.thinking),
        "acting_us": _spread(found.acting),
        "fences": {
            "rule": "Tukey: 1.5 quartile distances outside the quartiles, from 4 attempts on",
            "wall_us": list(found.time_fences) if found.time_fences else None,
            "steps": list(found.step_fences) if found.step_fences else None,
        },
    }


def _attempt(one: PersonsAttempt) -> dict[str, Any]:
    return {
        "episode": one.name,
        "uuid": one.uuid,
        "person": one.person,
        "number": one.number,
        "steps": one.steps,
        "wall_us": one.times.wall,
        "thinking_us": one.times.thinking,
        "acting_us": one.times.acting,
        "paused_us": one.times.paused,
        "uncaptured_us": one.times.uncaptured,
        "outcome": one.outcome,
        "counts": one.counts,
        "why": one.why,
        "outlier": list(one.outlier),
    }


def _spread(found: Spread | None) -> dict[str, float] | None:
    if found is None:
        return None
    return {
        "count": found.count,
        "least": found.least,
        "first_quartile": found.first_quartile,
        "median": found.median,
        "third_quartile": found.third_quartile,
        "most": found.most,
        "mean": found.mean,
    }
