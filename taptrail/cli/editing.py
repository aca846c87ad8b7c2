"""`taptrail episodes edit|delete-step|merge-steps|split-step|private|undo|redo|history`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taptrail.cli.author import author
from taptrail.cli.output import dataset_option, json_option, library_option, print_json, say, table
from taptrail.words import tr

if TYPE_CHECKING:
    from episodes.annotations import Author
    from episodes.episodes import Episode
    from episodes.store.library import Library

KINDS = (
    *("tap", "double_tap", "long_press", "swipe", "scroll", "type_text", "press_key"),
    *("open_app", "wait", "answer", "finish"),
)
TEXTS = ("instruction", "description", "intention", "context", "note")


@dataclass(frozen=True, slots=True)
class Edited:
    """Common arguments of editing commands: the episode, its library and the output form."""

    name: str
    reason: str
    dataset: str | None
    library: Path
    as_json: bool

    @contextmanager
    def open(self) -> Iterator[tuple[Library, Episode, Author]]:
        """Opens the library for edits of the episode; prints the new edits at the end."""
        from episodes.store.library import Library

        me = author()
        with Library.open(self.library, create=False) as kept:
            episode, before = kept.episode(self.name, self.dataset), len(kept.edits())
            yield kept, episode, me
            _told(kept, episode.uuid, before, self.as_json)


def _editing(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options that every editing command has, passed as one `Edited`."""

    @functools.wraps(command)
    def editing(**given: Any) -> None:
        command(Edited(**{each: given.pop(each) for each in Edited.__slots__}), **given)

    reason = click.option("--reason", default="", help=tr("Why, for the journal."))
    return reason(dataset_option(library_option(json_option(editing))))


def _action_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--action", "kind", type=click.Choice(KINDS), help=tr("Its kind.")),
        click.option("--text", help=tr("The typed or answered text.")),
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


@click.command(help=tr("Change an episode's instruction, or a step's action or texts."))
@click.argument("name")
@click.option("--step", type=int, help=tr("The step; without it the episode's instruction."))
@_action_options
@click.option("--alternative", is_flag=True, help=tr("The action is also right."))
@click.option(
    "--recorded", is_flag=True, help=tr("Make the recorded action the gold action again.")
)
@click.option("--instruction", help=tr("Instruction of the task, or of the step."))
@click.option("--description", help=tr("What the screen shows."))
@click.option("--intention", help=tr("Why the action is done."))
@click.option("--context", help=tr("What happened before."))
@click.option("--note", help=tr("Anything else."))
@_editing
def edit(
    edited: Edited,
    step: int | None,
    alternative: bool,
    recorded: bool,
    **given: Any,
) -> None:
    """`taptrail episodes edit NAME`"""
    from taptrail.usecases import editing
    from taptrail.usecases.annotating import step_of

    texts = {word: given.pop(word) for word in TEXTS if given[word] is not None}
    for word in TEXTS:
        given.pop(word, None)
    change = _change(given)
    if step is None and (change is not None or recorded or set(texts) != {"instruction"}):
        raise click.UsageError(tr("Without --step only --instruction can be changed."))
    if step is not None and change is None and not recorded and not texts:
        raise click.UsageError(tr("Say what to change."))
    with edited.open() as (kept, episode, me):
        if step is None:
            kept.editor(me).change_instruction(episode.uuid, texts["instruction"])
            return
        found = step_of(episode, step)
        if texts:
            kept.editor(me).change_texts(episode.uuid, step, **texts)
        if recorded:
            editing.return_to_recorded(kept, episode, found, me, edited.reason)
        if change is not None and alternative:
            editing.add_alternative(kept, episode, found, change, me, edited.reason)
        elif change is not None:
            editing.change_action(kept, episode, found, change, me, edited.reason)


@click.command("delete-step", help=tr("Delete a step; the journal keeps it."))
@click.argument("name")
@click.argument("step", type=int)
@click.option("--restore", is_flag=True, help=tr("Restore it."))
@_editing
def delete_step(edited: Edited, step: int, restore: bool) -> None:
    """`taptrail episodes delete-step NAME STEP`"""
    with edited.open() as (kept, episode, me):
        editor = kept.editor(me)
        if restore:
            editor.restore_step(episode.uuid, step)
        else:
            editor.delete_step(episode.uuid, step, edited.reason)


@click.command("merge-steps", help=tr("Merge neighbouring steps; the journal keeps them."))
@click.argument("name")
@click.argument("steps", type=int, nargs=-1, required=True)
@_action_options
@_editing
def merge_steps(edited: Edited, steps: tuple[int, ...], **given: Any) -> None:
    """`taptrail episodes merge-steps NAME STEP STEP...`"""
    from annotator.corrections import correct_action
    from annotator.gold_actions import current_gold
    from taptrail.usecases import editing
    from taptrail.usecases.annotating import step_of

    change = _change(given)
    with edited.open() as (kept, episode, me):
        first = step_of(episode, steps[0])
        action = None if change is None else correct_action(current_gold(first).action, change)
        editing.merge_steps(kept, episode, steps, me, edited.reason, action)


@click.command("split-step", help=tr("Split a step: a typed text, or a double tap."))
@click.argument("name")
@click.argument("step", type=int)
@click.option("--at", type=int, help=tr("Cut the text before this character."))
@_editing
def split_step(edited: Edited, step: int, at: int | None) -> None:
    """`taptrail episodes split-step NAME STEP`"""
    from taptrail.usecases import editing
    from taptrail.usecases.annotating import step_of

    with edited.open() as (kept, episode, me):
        editing.split_step(kept, episode, step_of(episode, step), me, at, edited.reason)


@click.command(help=tr("Mark an episode, a step or a box as private: no export contains it."))
@click.argument("name")
@click.option("--step", type=int, help=tr("Only this step."))
@click.option("--box", type=float, nargs=4, help=tr("LEFT TOP RIGHT BOTTOM on the step's frame."))
@click.option("--off", is_flag=True, help=tr("Remove the mark; of a step, also from its boxes."))
@_editing
def private(
    edited: Edited, step: int | None, box: tuple[float, float, float, float] | None, off: bool
) -> None:
    """`taptrail episodes private NAME`"""
    from episodes.geometry import Box
    from taptrail.usecases import editing
    from taptrail.usecases.annotating import step_of

    if box is not None and (step is None or off):
        raise click.UsageError(tr("--box goes with --step, and not with --off."))
    with edited.open() as (kept, episode, me):
        found = None if step is None else step_of(episode, step)
        if not off:
            edges = Box(*box) if box is not None else None
            editing.mark_private(kept, episode, me, found, edges, edited.reason)
            return
        for at in reversed(range(len(found.private_boxes) if found is not None else 0)):
            editing.mark_public(kept, episode, me, found, at)
        if found is None or found.private or not found.private_boxes:
            editing.mark_public(kept, episode, me, found)


@click.command(help=tr("Undo the newest edit, of one episode or of all."))
@click.argument("name", required=False)
@dataset_option
@library_option
@json_option
def undo(name: str | None, dataset: str | None, library: Path, as_json: bool) -> None:
    """`taptrail episodes undo [NAME]`"""
    _turn("undo", tr("There is nothing to undo."), name, dataset, library, as_json)


@click.command(help=tr("Redo the edit that was undone last."))
@click.argument("name", required=False)
@dataset_option
@library_option
@json_option
def redo(name: str | None, dataset: str | None, library: Path, as_json: bool) -> None:
    """`taptrail episodes redo [NAME]`"""
    _turn("redo", tr("There is nothing to redo."), name, dataset, library, as_json)


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
@dataset_option
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
    """Returns the change of an action that the options describe; None if they describe none."""
    from annotator.corrections import ActionChange
    from episodes.actions import Ending
    from episodes.geometry import Direction, Point

    change = ActionChange(
        kind=given["kind"],
        text=given["text"],
        at=Point(*given["point"]) if given["point"] else None,
        end=Point(*given["end"]) if given["end"] else None,
        direction=Direction(given["direction"]) if given["direction"] else None,
        key=given["key"],
        app=given["app"],
        ending=Ending(given["ending"]) if given["ending"] else None,
    )
    return None if change == ActionChange() else change


def _told(library: Any, uuid: str, before: int, as_json: bool) -> None:
    """Prints the edits after the first `before` ones."""
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
        say(tr("Nothing changed."))


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
