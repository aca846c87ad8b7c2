"""`taptrail regions list|propose|accept|set`: targets of presses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taptrail.cli import blind, desk, regions_compare
from taptrail.cli.author import author
from taptrail.cli.output import (
    dataset_option,
    json_option,
    library_option,
    print_json,
    progress,
    say,
    table,
)
from taptrail.words import tr

if TYPE_CHECKING:
    from taptrail.usecases.annotating import Choice, OpenStep, ProposalCounts


@click.group(help=tr("Mark the targets of presses."))
def regions() -> None:
    """`taptrail regions`"""


@regions.command("list", help=tr("Show the candidates of an episode's steps, smallest first."))
@click.argument("name")
@click.option("--step", type=int, help=tr("Only this step."))
@dataset_option
@library_option
@json_option
def list_(name: str, step: int | None, dataset: str | None, library: Path, as_json: bool) -> None:
    """`taptrail regions list NAME`"""
    from episodes.store.library import Library
    from taptrail.usecases.annotating import find_step, open_step

    with Library.read(library) as kept:
        episode = kept.episode(name, dataset)
        steps = episode.steps if step is None else (find_step(kept, name, step, dataset)[1],)
        opened = [open_step(episode, one) for one in steps]
    if as_json:
        print_json({"episode": episode.name, "steps": [_step(one) for one in opened]})
        return
    rows = []
    for one in opened:
        found = one.candidates
        rows.append(
            (
                str(one.step.index),
                one.state.value.replace("_", " "),
                "",
                tr("Needs no target.") if found is None else found.reason,
                "",
            )
        )
        for number, choice in enumerate(one.choices):
            marks = [
                word
                for word, there in (
                    (tr("target"), choice.region.chosen),
                    (tr("proposed"), choice.proposed),
                )
                if there
            ]
            source = choice.region.provenance.source.value
            rows.append(("", "", f"{number}", f"{source} · {_named(choice)}", ", ".join(marks)))
    table(episode.name, (tr("step"), tr("state"), "#", tr("what"), ""), rows)


@regions.command(help=tr("Store the candidates of all steps without a target."))
@click.argument("names", nargs=-1)
@click.option(
    "--accept",
    "level",
    type=click.Choice(("high", "medium")),
    help=tr("Accept the rules' choice from this confidence on."),
)
@click.option(
    "--suggest",
    is_flag=True,
    help=tr("Also store suggestions from the pictures, computed without SAM 2."),
)
@library_option
@json_option
def propose(
    names: tuple[str, ...], level: str | None, suggest: bool, library: Path, as_json: bool
) -> None:
    """`taptrail regions propose [NAME...]`"""
    from annotator.candidates import Level
    from episodes.store.library import Library
    from taptrail.usecases import annotating

    with Library.open(library, create=False) as kept, progress(tr("Proposing")) as on_progress:
        done = annotating.propose(
            kept,
            author(),
            names=names,
            accept_from=Level(level) if level else None,
            suggest=suggest,
            on_progress=on_progress,
        )
    if as_json:
        print_json(
            {
                "steps": done.steps,
                "settled": done.settled,
                "regions": done.regions,
                "accepted": done.accepted,
                "levels": done.levels,
            }
            | ({"unseen": done.unseen} if suggest else {})
        )
        return
    _say_proposed(done)
    if done.unseen:
        say(
            tr(
                "{n} step has no picture to look at.",
                "{n} steps have no picture to look at.",
                n=done.unseen,
            )
        )
    if low := done.levels.get("low"):
        say(tr("A person must decide {n} step.", "A person must decide {n} steps.", n=low))


@regions.command(help=tr("Make a candidate the target of a step."))
@click.argument("name")
@click.argument("step", type=int)
@click.option(
    "--candidate", type=int, help=tr("Its number in `regions list`; the rule's choice without it.")
)
@click.option("--label", help=tr("Its label."))
@dataset_option
@library_option
@json_option
def accept(
    name: str,
    step: int,
    candidate: int | None,
    label: str | None,
    dataset: str | None,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail regions accept NAME STEP`"""
    from episodes.errors import KnownError
    from episodes.store.library import Library
    from taptrail.usecases import annotating

    with Library.open(library, create=False) as kept:
        episode, found = annotating.find_step(kept, name, step, dataset)
        opened = annotating.open_step(episode, found)
        at = opened.proposed if candidate is None else candidate
        if at is None or not 0 <= at < len(opened.choices):
            raise KnownError(
                tr("accept a region of step {step}", step=step),
                opened.candidates.reason
                if at is None and opened.candidates is not None
                else tr("it has {n} candidate", "it has {n} candidates", n=len(opened.choices)),
                tr(
                    "Numbers start at 0. See them with: taptrail regions list {name} --step {step}",
                    name=name,
                    step=step,
                ),
            )
        region = opened.choices[at].region
        annotating.accept(kept, episode, found, region, author(), label)
        _told(kept.episode(episode.uuid), step, as_json)


@regions.command("set", help=tr("Set a step's target to a box, or clear it."))
@click.argument("name")
@click.argument("step", type=int)
@click.option(
    "--box", type=float, nargs=4, help=tr("LEFT TOP RIGHT BOTTOM in pixels of the frame.")
)
@click.option("--clear", is_flag=True, help=tr("Remove the step's target."))
@click.option("--label", help=tr("Its label; alone, it renames the target."))
@dataset_option
@library_option
@json_option
def set_(
    name: str,
    step: int,
    box: tuple[float, float, float, float] | None,
    clear: bool,
    label: str | None,
    dataset: str | None,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail regions set NAME STEP`"""
    from episodes.errors import KnownError
    from episodes.geometry import Box
    from episodes.store.library import Library
    from taptrail.usecases import annotating

    if clear == (box is not None) and (clear or label is None):
        raise click.UsageError(tr("Give one of --box, --clear and --label."))
    with Library.open(library, create=False) as kept:
        episode, found = annotating.find_step(kept, name, step, dataset)
        editor = kept.editor(author())
        if box is not None:
            annotating.accept_own_box(kept, episode, found, Box(*box), author(), label or "")
        elif clear:
            editor.clear_target(episode.uuid, step)
        else:
            at = next((at for at, one in enumerate(found.regions) if one.chosen), None)
            if at is None:
                raise KnownError(
                    tr("name the target of step {step}", step=step),
                    tr("it has none"),
                    tr("Accept one with --label."),
                )
            editor.label_region(episode.uuid, step, at, label or "")
        _told(kept.episode(episode.uuid), step, as_json)


def _say_proposed(done: ProposalCounts) -> None:
    if done.settled == done.steps:
        say(
            tr("The step that needs a target has one; nothing is proposed.",
               "All {n} steps that need a target have one; nothing is proposed.", n=done.steps)
            if done.steps
            else tr("No step needs a target.")
        )  # fmt: skip
        return
    say(
        tr("{n} step needs a target", "{n} steps need a target", n=done.steps - done.settled)
        + (
            tr(" ({n} more has one)", " ({n} more have one)", n=done.settled)
            if done.settled
            else ""
        )
        + tr(
            "; {regions} candidates are new, {accepted} are accepted.",
            regions=f"{done.regions:,}",
            accepted=f"{done.accepted:,}",
        )
    )


def _told(episode: Any, index: int, as_json: bool) -> None:
    from taptrail.usecases.annotating import open_step

    step = next(one for one in episode.steps if one.index == index)
    if as_json:
        print_json({"episode": episode.name, **_step(open_step(episode, step))})
    elif step.target is None:
        say(tr("Step {step} has no target now.", step=index))
    else:
        words = step.target.label or step.target.provenance.source.value
        say(tr("The target of step {step} is “{words}”.", step=index, words=words))


def _named(choice: Choice) -> str:
    region = choice.region
    box = region.box
    size = f"{box.width:.0f} × {box.height:.0f}" if box is not None else tr("no box")
    element = choice.candidate.element if choice.candidate is not None else ""
    return " · ".join(part for part in (element, region.label, size) if part)


def _step(opened: OpenStep) -> dict[str, Any]:
    from episodes.codec import action_to_json
    from episodes.formats.taptrail_values import region_to_json

    found = opened.candidates
    opaque = found.opaque if found is not None else None
    return {
        "step": opened.step.index,
        "state": opened.state.value,
        "level": found.level.value if found is not None else None,
        "reason": found.reason if found is not None else "",
        "opaque": [opaque.left, opaque.top, opaque.right, opaque.bottom] if opaque else None,
        "gold": {"number": opened.gold.number, "action": action_to_json(opened.gold.action)},
        "target": opened.target,
        "proposed": opened.proposed,
        "candidates": [
            region_to_json(choice.region, None)
            | {
                "candidate": number,
                "stored": choice.stored is not None,
                "element": choice.candidate.element if choice.candidate is not None else None,
                "share": round(choice.candidate.share, 4) if choice.candidate else None,
            }
            for number, choice in enumerate(opened.choices)
        ],
    }


for _command in (desk.queue, desk.times, blind.blind, regions_compare.compare):
    regions.add_command(_command)
