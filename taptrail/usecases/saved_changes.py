"""Changes that the window makes to a library, each saved at once, with undo and redo.

Each function opens the library, adds lines to the journal, and returns what undo and redo would do
next. Changes made together are undone together if the caller keeps `together`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from episodes.annotations import Author, Edit
from episodes.episodes import Episode
from episodes.store.library import Library
from taptrail.usecases.attempts import CountingDecision, decide
from taptrail.usecases.editing import HistoryLine, history, next_redo, next_undo


@dataclass(frozen=True, slots=True)
class PendingEdits:
    """Descriptions of the next undo and redo; "" for none."""

    undo: str = ""
    redo: str = ""


@dataclass(frozen=True, slots=True)
class SavedChange:
    """A saved change.

    Attributes:
        words: the journal's description; "" if nothing changed.
        numbers: of the new journal lines.
        episodes: uuids of the changed episodes.
    """

    words: str
    numbers: tuple[int, ...]
    episodes: tuple[str, ...]
    pending: PendingEdits


def pending(library: Library) -> PendingEdits:
    """Returns descriptions of the next undo and redo."""
    lines = history(library)
    return _pending(lines)


def delete_episodes(folder: Path, uuids: Sequence[str], author: Author) -> SavedChange:
    """Moves episodes to the bin.

    Raises:
        KnownError: like all functions here, if there is no such episode or another process writes.
    """
    return _each(folder, uuids, lambda library, uuid: library.delete_episode(uuid, author))


def restore_episodes(folder: Path, uuids: Sequence[str], author: Author) -> SavedChange:
    """Restores episodes from the bin."""
    return _each(folder, uuids, lambda library, uuid: library.restore_episode(uuid, author))


def change_instruction(folder: Path, uuid: str, instruction: str, author: Author) -> SavedChange:
    """Changes the instruction of an episode."""
    words = " ".join(instruction.split())
    return _each(folder, (uuid,), lambda library, one: _instruct(library, one, words, author))


def decide_attempt(
    folder: Path, uuid: str, how: str, counting: CountingDecision, reason: str, author: Author
) -> SavedChange:
    """Stores how an attempt ended and whether it counts; see `attempts.decide`."""
    return _each(
        folder,
        (uuid,),
        lambda library, one: decide(library, library.episode(one), author, how, counting, reason),
    )


def change_episode(
    folder: Path, uuid: str, make: Callable[[Library, Episode], Edit | None]
) -> SavedChange:
    """Calls `make` to change an episode; nothing is changed if it returns None."""
    return _each(folder, (uuid,), lambda library, one: make(library, library.episode(one)))


def undo(folder: Path, author: Author, together: Mapping[int, int]) -> SavedChange:
    """Undoes the newest change.

    Args:
        together: number of lines that belong together, by the number of their newest line.
    """
    return _turn(folder, next_undo, lambda library: library.undo(author), together)


def redo(folder: Path, author: Author, together: Mapping[int, int]) -> SavedChange:
    """Redoes what was undone last; the keys of `together` are numbers of undo lines."""
    return _turn(folder, next_redo, lambda library: library.redo(author), together)


def _instruct(library: Library, uuid: str, words: str, author: Author) -> Edit | None:
    if library.episode(uuid).task.instruction == words:
        return None
    return library.change_instruction(uuid, words, author)


def _each(
    folder: Path, uuids: Sequence[str], make: Callable[[Library, str], Edit | None]
) -> SavedChange:
    with Library.open(folder, create=False) as library:
        made = [edit for uuid in uuids if (edit := make(library, uuid)) is not None]
        return _change(library, made)


def _turn(
    folder: Path,
    following: Callable[[Sequence[HistoryLine]], HistoryLine | None],
    turn: Callable[[Library], Edit | None],
    together: Mapping[int, int],
) -> SavedChange:
    with Library.open(folder, create=False) as library:
        newest = following(history(library))
        times = together.get(newest.number, 1) if newest is not None else 0
        made = [edit for _ in range(times) if (edit := turn(library)) is not None]
        return _change(library, made)


def _change(library: Library, made: Sequence[Edit]) -> SavedChange:
    lines = history(library)
    words = {line.number: line.words for line in lines}
    return SavedChange(
        words[made[-1].number] if made else "",
        tuple(edit.number for edit in made),
        tuple(edit.episode for edit in made),
        _pending(lines),
    )


def _pending(lines: Sequence[HistoryLine]) -> PendingEdits:
    back, again = next_undo(lines), next_redo(lines)
    told = again.words.partition(": ")[2] if again is not None else ""
    return PendingEdits(back.words if back is not None else "", told[:1].upper() + told[1:])
