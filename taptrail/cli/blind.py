"""`taptrail regions blind rounds|start|choose|agreement|adjudicate`: blind rounds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taptrail.cli.author import author
from taptrail.cli.output import dataset_option, json_option, library_option, print_json, say, table
from taptrail.words import tr

if TYPE_CHECKING:
    from annotator.agreement import Agreement
    from taptrail.usecases.adjudicating import DisputedStep
    from taptrail.usecases.annotating import Choice

_box = click.option(
    "--box", type=float, nargs=4, help=tr("LEFT TOP RIGHT BOTTOM in pixels of the frame.")
)
_none = click.option("--none", "none", is_flag=True, help=tr("The step has no target."))
_label = click.option("--label", help=tr("Its label."))
_seconds = click.option(
    "--seconds", type=click.FloatRange(min=0), help=tr("How long it took, if measured.")
)


@click.group(help=tr("Mark steps without seeing what others chose; compare; settle."))
def blind() -> None:
    """`taptrail regions blind`"""


@blind.command(help=tr("List the blind rounds."))
@library_option
@json_option
def rounds(library: Path, as_json: bool) -> None:
    """`taptrail regions blind rounds`"""
    from episodes.store.library import Library
    from taptrail.usecases import blind as use

    with Library.read(library) as kept:
        found = use.rounds(kept)
    if as_json:
        told = [{"round": o.name, "choices": o.choices, "people": o.authors} for o in found]
        print_json({"rounds": told})
        return
    rows = [(one.name, str(one.choices), str(one.authors)) for one in found]
    table(tr("Blind rounds"), (tr("round"), tr("choices"), tr("people")), rows)


@blind.command(help=tr("Show the candidates of a round, without other people's choices."))
@click.argument("round_name", metavar="ROUND")
@click.argument("name")
@dataset_option
@library_option
@json_option
def start(round_name: str, name: str, dataset: str | None, library: Path, as_json: bool) -> None:
    """`taptrail regions blind start ROUND NAME`"""
    from episodes.store.library import Library
    from taptrail.usecases import blind as use

    me = author()
    with Library.read(library) as kept:
        episode = kept.episode(name, dataset)
        opened = use.open_round(kept, episode, round_name, me)
    asked = {index: one for index, one in opened.items() if one.candidates is not None}
    left = [index for index, one in asked.items() if one.target is None]
    if as_json:
        steps = [
            {
                "step": index,
                "chosen": one.target,
                "candidates": [
                    _choice(at, choice) | {"proposed": choice.proposed}
                    for at, choice in enumerate(one.choices)
                ],
            }
            for index, one in asked.items()
        ]
        told = {"round": use.checked_round(round_name), "episode": episode.name}
        print_json(told | {"author": me.name, "left": len(left), "steps": steps})
        return
    rows = []
    for index, one in asked.items():
        rows.append((str(index), tr("chosen") if one.target is not None else tr("open"), "", ""))
        rows += [("", "", str(at), _words(choice)) for at, choice in enumerate(one.choices)]
    table(episode.name, (tr("step"), "", "#", tr("what")), rows)
    say(tr("{n} step is left.", "{n} steps are left.", n=len(left)))


@blind.command(help=tr("Choose a step's target in a round; a later choice replaces it."))
@click.argument("round_name", metavar="ROUND")
@click.argument("name")
@click.argument("step", type=int)
@click.option("--candidate", type=int, help=tr("Its number in `start`."))
@_box
@_none
@_label
@_seconds
@dataset_option
@library_option
@json_option
def choose(
    round_name: str,
    name: str,
    step: int,
    candidate: int | None,
    box: tuple[float, float, float, float] | None,
    none: bool,
    label: str | None,
    seconds: float | None,
    dataset: str | None,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail regions blind choose ROUND NAME STEP`"""
    from episodes.errors import KnownError
    from episodes.geometry import Box
    from episodes.store.library import Library
    from taptrail.usecases import annotating
    from taptrail.usecases import blind as use

    if (candidate is not None) + (box is not None) + none != 1:
        raise click.UsageError(tr("Give one of --candidate, --box and --none."))
    me = author()
    with Library.open(library, create=False) as kept:
        episode, found = annotating.find_step(kept, name, step, dataset)
        region = None
        if box is not None:
            region = annotating.drawn_box(found, Box(*box), me, label or "")
        elif candidate is not None:
            opened = use.open_blind(episode, found, me)
            if not 0 <= candidate < len(opened.choices):
                raise KnownError(
                    tr("choose in step {step}", step=step),
                    tr("it has {n} candidate", "it has {n} candidates", n=len(opened.choices)),
                    tr(
                        "Numbers start at 0. See them with: taptrail regions blind start ROUND NAME"
                    ),
                )
            region = opened.choices[candidate].region
        edit = use.choose(kept, episode, found, round_name, region, me, label, seconds)
    if as_json:
        print_json(
            {"round": round_name, "episode": episode.name, "step": step, "edit": edit.number}
        )
        return
    say(tr("Chosen for step {step} in {round}.", step=step, round=round_name))


@blind.command(help=tr("Show the agreement of a round: kappa and IoU, by kind of element."))
@click.argument("round_name", metavar="ROUND")
@click.argument("names", nargs=-1)
@library_option
@json_option
def agreement(round_name: str, names: tuple[str, ...], library: Path, as_json: bool) -> None:
    """`taptrail regions blind agreement ROUND [NAME...]`"""
    from episodes.store.library import Library
    from taptrail.usecases.agreement import round_agreement

    with Library.read(library) as kept:
        found = round_agreement(kept, round_name, names)
    if as_json:
        print_json(
            {
                "round": found.round,
                "episodes": found.episodes,
                "steps": found.steps,
                "alone": found.alone,
                "pairs": [
                    {
                        "people": [one.first.name, one.second.name],
                        "all": _agreement(one.all),
                        "kinds": {kind: _agreement(part) for kind, part in one.kinds.items()},
                    }
                    for one in found.pairs
                ],
            }
        )
        return
    head = (tr("kind"), tr("steps"), tr("same region"), tr("IoU mean"), tr("median"))
    for one in found.pairs:
        rows = [_line(tr("all"), one.all), *(_line(k, part) for k, part in one.kinds.items())]
        table(f"{one.first.name} · {one.second.name}", (*head, tr("kappa")), rows)
        target = _two(one.all.kappa_target)
        say(tr("Kappa over whether there is a target: {kappa}", kappa=target))
    if not found.pairs:
        say(tr("No two people have chosen at the same step."))
    if found.alone:
        words = "{n} step has only one choice and counts in no pair."
        say(tr(words, "{n} steps have only one choice and count in no pair.", n=found.alone))


@blind.command(help=tr("Show where a round differs; with STEP, make one choice the target."))
@click.argument("round_name", metavar="ROUND")
@click.argument("name")
@click.argument("step", type=int, required=False)
@click.option("--take", metavar="LETTER", help=tr("The person whose choice is right."))
@_box
@_none
@_label
@_seconds
@dataset_option
@library_option
@json_option
def adjudicate(
    round_name: str,
    name: str,
    step: int | None,
    take: str | None,
    box: tuple[float, float, float, float] | None,
    none: bool,
    label: str | None,
    seconds: float | None,
    dataset: str | None,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail regions blind adjudicate ROUND NAME [STEP]`"""
    from episodes.errors import KnownError
    from episodes.geometry import Box
    from episodes.store.library import Library
    from taptrail.usecases import adjudicating, annotating

    given = (take is not None) + (box is not None) + none
    if given != (step is not None):
        raise click.UsageError(tr("With STEP give one of --take, --box and --none; else none."))
    if step is None:
        with Library.read(library) as kept:
            episode = kept.episode(name, dataset)
            found = adjudicating.disputed_steps(kept, episode, round_name)
        _show_disputed(round_name, episode.name, found, as_json)
        return
    with Library.open(library, create=False) as kept:
        episode, one = annotating.find_step(kept, name, step, dataset)
        here = adjudicating.disputed_steps(kept, episode, round_name)[step]
        region: Any = Box(*box) if box is not None else None
        if take is not None:
            at = next((at for at, who in enumerate(here.letters) if take.upper() in who), None)
            if at is None or not take:
                letters = ", ".join(filter(None, here.letters))
                raise KnownError(
                    tr("settle step {step} of {name}", step=step, name=episode.name),
                    tr("no choice has the letter {letter}", letter=take),
                    tr("Use one of: {letters}.", letters=letters or tr("none")),
                )
            region = here.opened.choices[at].region
        adjudicating.settle(kept, episode, one, round_name, region, author(), label, seconds)
        settled = kept.episode(episode.uuid)
    target = next(s.target for s in settled.steps if s.index == step)
    if as_json:
        edges = None if target is None else _edges(target.box)
        print_json({"round": round_name, "episode": episode.name, "step": step, "target": edges})
    elif target is None:
        say(tr("Step {step} has no target now.", step=step))
    else:
        say(tr("Step {step} is settled.", step=step))


def _show_disputed(
    round_name: str, name: str, found: dict[int, DisputedStep], as_json: bool
) -> None:
    told = {index: one for index, one in found.items() if one.letters}
    if as_json:
        steps = [
            {
                "step": index,
                "state": one.opened.state.value,
                "reason": one.opened.candidates.reason if one.opened.candidates else "",
                "choices": [
                    _choice(at, choice) | {"letters": letters, "people": list(people)}
                    for at, (choice, letters, people) in enumerate(
                        zip(one.opened.choices, one.letters, one.sides, strict=True)
                    )
                ],
            }
            for index, one in told.items()
        ]
        print_json({"round": round_name, "episode": name, "steps": steps})
        return
    rows = []
    for index, one in told.items():
        reason = one.opened.candidates.reason if one.opened.candidates else ""
        rows.append((str(index), one.opened.state.value, "", reason))
        rows += [
            ("", "", letters, f"{', '.join(people)} · {_words(choice)}")
            for choice, letters, people in zip(
                one.opened.choices, one.letters, one.sides, strict=True
            )
        ]
    table(name, (tr("step"), tr("state"), tr("who"), tr("what")), rows)


def _agreement(one: Agreement) -> dict[str, Any]:
    return {
        "steps": one.steps,
        "same_region": one.same,
        "both_marked": one.both,
        "iou": {"mean": one.mean_iou, "median": one.median_iou},
        "kappa": one.kappa,
        "kappa_target": one.kappa_target,
    }


def _line(name: str, one: Agreement) -> tuple[str, ...]:
    same = tr("{n} of {all}", n=one.same, all=one.steps)
    numbers = (one.mean_iou, one.median_iou, one.kappa)
    return (name, str(one.steps), same, *map(_two, numbers))


def _two(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _choice(number: int, choice: Choice) -> dict[str, Any]:
    return {
        "candidate": number,
        "box": _edges(choice.region.box),
        "source": choice.region.provenance.source.value,
        "element": choice.candidate.element if choice.candidate is not None else None,
        "label": choice.region.label,
    }


def _words(choice: Choice) -> str:
    region = choice.region
    if region.box is None:
        return tr("no target")
    size = f"{region.box.width:.0f} × {region.box.height:.0f}"
    element = choice.candidate.element if choice.candidate is not None else ""
    parts = (region.provenance.source.value, element, region.label, size)
    return " · ".join(part for part in parts if part)


def _edges(box: Any) -> list[float] | None:
    return None if box is None else [box.left, box.top, box.right, box.bottom]
