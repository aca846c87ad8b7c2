"""`taptrail episodes edit|delete-step|merge-steps|split-step|private|undo|redo|history`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from taptrail.cli.author import author
from taptrail.cli.output import json_option, library_option, print_json, say, table
from taptrail.words import tr

KINDS = (
    *("tap", "double_tap", "long_press", "swipe", "scroll", "type_text", "press_key"),
    *("open_app", "wait", "answer", "finish"),
)
TEXTS = ("instruction", "description", "intention", "context", "note")

_dataset = click.option(
    "--dataset", default=None, help=tr("The episode's data set, where several have that name.")
)
_reason = click.option("--reason", default="", help=tr("Why, for the journal."))


def _action_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--action", "kind", type=click.Choice(KINDS), help=tr("Its kind.")),
        click.option("--text", help=tr("What was typed or answered.")),
        click.option("--point", type=float, nargs=2, help=tr("X Y in pixels of the frame.")),
        click.option("--end", type=float, nargs=2, help=tr("X Y where a swipe ends.")),
        click.option(
            "--direction",
            type=click.Choice(("up", "down", "left", "right")),
            help=tr("Where the finger of a scroll goes."),
        ),
        click.option("--key", help=tr("back, home, recents, enter, ..., or Android's name.")),
        click.option("--app", help=tr("The app that is opened.")),
        click.option(
            "--ending", type=click.Choice(("complete", "impossible")), help=tr("Of a finish.")
        ),
    ):
        command = option(command)
    return command


@click.command(help=tr("Change the words of an episode, or the action or words of a step."))
@click.argument("name")
@click.option("--step", type=int, help=tr("The step; without it the episode's instruction."))
@_action_options
@click.option("--alternative", is_flag=True, help=tr("The action is also right."))
@click.option("--recorded", is_flag=True, help=tr("What was recorded is right again."))
@click.option("--instruction", help=tr("Words of the task, or of the step."))
@click.option("--description", help=tr("What the screen shows."))
@click.option("--intention", help=tr("Why it is done."))
@click.option("--context", help=tr("What went before."))
@click.option("--note", help=tr("Anything else."))
@_reason
@_dataset
@library_option
@json_option
def edit(
    name: str,
    step: int | None,
    alternative: bool,
    recorded: bool,
    reason: str,
    dataset: str | None,
    library: Path,
    as_json: bool,
    **given: Any,
) -> None:
    """`taptrail episodes edit NAME`"""
    from episodes.store.library import Library
    from taptrail.usecases import editing
    from taptrail.usecases.annotating import find_step

    texts = {word: given.pop(word) for word in TEXTS if given[word] is not None}
    for word in TEXTS:
        given.pop(word, None)
    change = _change(given)
    if step is None and (change is not None or recorded or set(texts) != {"instruction"}):
        raise click.UsageError(tr("Without --step only --instruction can be changed."))
    if step is not None and change is None and not recorded and not texts:
        raise click.UsageError(tr("Say what to change."))
    me = author()
    with Library.open(library, create=False) as kept:
        before = len(kept.edits())
        if step is None:
            episode = kept.episode(name, dataset)
            kept.editor(me).change_instruction(episode.uuid, texts["instruction"])
        else:
            episode, found = find_step(kept, name, step, dataset)
            if texts:
                kept.editor(me).change_texts(episode.uuid, step, **texts)
            if recorded:
                editing.return_to_recorded(kept, episode, found, me, reason)
            if change is not None and alternative:
                editing.add_alternative(kept, episode, found, change, me, reason)
            elif change is not None:
                editing.change_action(kept, episode, found, change, me, reason)
        _told(kept, episode.uuid, before, as_json)


@click.command("delete-step", help=tr("Take a step out; the journal keeps it."))
@click.argument("name")
@click.argument("step", type=int)
@click.option("--restore", is_flag=True, help=tr("Bring it back."))
@_reason
@_dataset
@library_option
@json_option
def delete_step(
    name: str,
    step: int,
    restore: bool,
    reason: str,
    dataset: str | None,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail episodes delete-step NAME STEP`"""
    from episodes.store.library import Library

    me = author()
    with Library.open(library, create=False) as kept:
        episode, before = kept.episode(name, dataset), len(kept.edits())
        editor = kept.editor(me)
        if restore:
            editor.restore_step(episode.uuid, step)
        else:
            editor.delete_step(episode.uuid, step, reason)
        _told(kept, episode.uuid, before, as_json)


@click.command("merge-steps", help=tr("Make neighbouring steps one; the journal keeps them."))
@click.argument("name")
@click.argument("steps", type=int, nargs=-1, required=True)
@_action_options
@_reason
@_dataset
@library_option
@json_option
def merge_steps(
    name: str,
    steps: tuple[int, ...],
    reason: str,
    dataset: str | None,
    library: Path,
    as_json: bool,
    **given: Any,
) -> None:
    """`taptrail episodes merge-steps NAME STEP STEP...`"""
    from annotator.corrections import corrected
    from annotator.golds import in_force
    from episodes.store.library import Library
    from taptrail.usecases import editing
    from taptrail.usecases.annotating import find_step

    change = _change(given)
    me = author()
    with Library.open(library, create=False) as kept:
        episode, first = find_step(kept, name, steps[0], dataset)
        before = len(kept.edits())
        action = None if change is None else corrected(in_force(first).action, change)
        editing.merge_steps(kept, episode, steps, me, reason, action)
        _told(kept, episode.uuid, before, as_json)


@click.command("split-step", help=tr("Make one step two: a text, or a double tap."))
@click.argument("name")
@click.argument("step", type=int)
@click.option("--at", type=int, help=tr("Cut the text before this character."))
@_reason
@_dataset
@library_option
@json_option
def split_step(
    name: str,
    step: int,
    at: int | None,
    reason: str,
    dataset: str | None,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail episodes split-step NAME STEP`"""
    from episodes.store.library import Library
    from taptrail.usecases import editing
    from taptrail.usecases.annotating import find_step

    me = author()
    with Library.open(library, create=False) as kept:
        episode, found = find_step(kept, name, step, dataset)
        before = len(kept.edits())
        editing.split_step(kept, episode, found, me, at, reason)
        _told(kept, episode.uuid, before, as_json)


@click.command(help=tr("Keep an episode, a step or a box out of every export."))
@click.argument("name")
@click.option("--step", type=int, help=tr("Only this step."))
@click.option("--box", type=float, nargs=4, help=tr("LEFT TOP RIGHT BOTTOM on the step's frame."))
@click.option("--off", is_flag=True, help=tr("Let it out again; of a step also all its boxes."))
@_reason
@_dataset
@library_option
@json_option
def private(
    name: str,
    step: int | None,
    box: tuple[float, float, float, float] | None,
    off: bool,
    reason: str,
    dataset: str | None,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail episodes private NAME`"""
    from episodes.geometry import Box
    from episodes.store.library import Library
    from taptrail.usecases import editing
    from taptrail.usecases.annotating import find_step

    if box is not None and (step is None or off):
        raise click.UsageError(tr("--box goes with --step, and not with --off."))
    me = author()
    with Library.open(library, create=False) as kept:
        episode, before = kept.episode(name, dataset), len(kept.edits())
        found = None if step is None else find_step(kept, name, step, dataset)[1]
        if not off:
            edges = Box(*box) if box is not None else None
            editing.mark_private(kept, episode, me, found, edges, reason)
        else:
            for at in reversed(range(len(found.private_boxes) if found is not None else 0)):
                editing.mark_public(kept, episode, me, found, at)
            if found is None or found.private or not found.private_boxes:
                editing.mark_public(kept, episode, me, found)
        _told(kept, episode.uuid, before, as_json)


@click.command(help=tr("Take the newest edit back, of one episode or of all."))
@click.argument("name", required=False)
@_dataset
@library_option
@json_option
def undo(name: str | None, dataset: str | None, library: Path, as_json: bool) -> None:
    """`taptrail episodes undo [NAME]`"""
    _turn("undo", tr("There is nothing to take back."), name, dataset, library, as_json)


@click.command(help=tr("Make the edit again that was taken back last."))
@click.argument("name", required=False)
@_dataset
@library_option
@json_option
def redo(name: str | None, dataset: str | None, library: Path, as_json: bool) -> None:
    """`taptrail episodes redo [NAME]`"""
    _turn("redo", tr("There is nothing to make again."), name, dataset, library, as_json)


def _turn(
    what: str, nothing: str, name: str | None, dataset: str | None, library: Path, as_json: bool
) -> None:
    from episodes.store.library import Library

    me = author()
    with Library.open(library, create=False) as kept:
        uuid = kept.episode(name, dataset).uuid if name is not None else None
        before = len(kept.edits())
        done = kept.undo(me, uuid) if what == "undo" else kept.redo(me, uuid)
        if done is not None:
            _told(kept, done.episode, before, as_json)
        elif as_json:
            print_json({"edits": []})
        else:
            say(nothing)


@click.command(help=tr("Show every edit of one episode or of all, with who made it."))
@click.argument("name", required=False)
@_dataset
@library_option
@json_option
def history(name: str | None, dataset: str | None, library: Path, as_json: bool) -> None:
    """`taptrail episodes history [NAME]`"""
    from episodes.store.library import Library
    from taptrail.usecases import editing

    with Library.read(library) as kept:
        uuid = kept.episode(name, dataset).uuid if name is not None else None
        lines = editing.history(kept, uuid)
        names = {one: kept.episode(one).name for one in {line.episode for line in lines}}
    if as_json:
        print_json({"edits": [_json(line, names) for line in lines]})
        return
    table(
        "",
        ("#", tr("when"), tr("who"), tr("episode"), tr("step"), tr("what"), tr("why"), ""),
        [
            (
                str(line.number),
                line.made_utc[:19].replace("T", " "),
                line.author,
                names[line.episode],
                "" if line.step is None else str(line.step),
                line.words,
                line.reason,
                "" if line.stands else tr("taken back"),
            )
            for line in lines
        ],
    )


def _change(given: dict[str, Any]) -> Any:
    """What the options of an action ask for; None where they ask for nothing."""
    from annotator.corrections import Change
    from episodes.actions import Ending
    from episodes.geometry import Direction, Point

    change = Change(
        kind=given["kind"],
        text=given["text"],
        at=Point(*given["point"]) if given["point"] else None,
        end=Point(*given["end"]) if given["end"] else None,
        direction=Direction(given["direction"]) if given["direction"] else None,
        key=given["key"],
        app=given["app"],
        ending=Ending(given["ending"]) if given["ending"] else None,
    )
    return None if change == Change() else change


def _told(library: Any, uuid: str, before: int, as_json: bool) -> None:
    """Tells the edits that are new since there were `before` of them."""
    from taptrail.usecases import editing

    count = len(library.edits()) - before
    lines = editing.history(library, uuid)[-count:] if count else ()
    names = {uuid: library.episode(uuid).name}
    if as_json:
        print_json({"edits": [_json(line, names) for line in lines]})
        return
    for line in lines:
        step = "" if line.step is None else tr(", step {step}", step=line.step)
        say(f"{names[uuid]}{step}: {line.words}.")
    if not lines:
        say(tr("Nothing had to be changed."))


def _json(line: Any, names: dict[str, str]) -> dict[str, Any]:
    return {
        "number": line.number,
        "made_utc": line.made_utc,
        "author": line.author,
        "episode": names[line.episode],
        "step": line.step,
        "operation": line.operation,
        "words": line.words,
        "reason": line.reason,
        "stands": line.stands,
    }


COMMANDS = (edit, delete_step, merge_steps, split_step, private, undo, redo, history)
