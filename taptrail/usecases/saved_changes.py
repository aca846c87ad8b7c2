"""Changes a window makes to a library, each saved at once, and what takes them back.

Each function opens the library itself, makes lines of the journal, and tells what undo and redo
would do next. Changes made together are taken back together as long as `together` is kept.
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
    """What undo and redo would do, in words; "" for nothing."""

    undo: str = ""
    redo: str = ""


@dataclass(frozen=True, slots=True)
class SavedChange:
    """What was done.

    Attributes:
        words: as the journal says it; "" where there was nothing to do.
        numbers: of the lines of the journal that were made.
        episodes: uuids of those it was done to.
    """

    words: str
    numbers: tuple[int, ...]
    episodes: tuple[str, ...]
    pending: PendingEdits


def pending(library: Library) -> PendingEdits:
    """Returns what undo and redo would do."""
    lines = history(library)
    return _pending(lines)


def delete_episodes(folder: Path, uuids: Sequence[str], author: Author) -> SavedChange:
    """Puts episodes into the bin.

    Raises:
        KnownError: as all here: there is no such episode, or another process writes.
    """
    return _each(folder, uuids, lambda library, uuid: library.delete_episode(uuid, author))


def restore_episodes(folder: Path, uuids: Sequence[str], author: Author) -> SavedChange:
    """Takes episodes out of the bin."""
    return _each(folder, uuids, lambda library, uuid: library.restore_episode(uuid, author))


def change_instruction(folder: Path, uuid: str, instruction: str, author: Author) -> SavedChange:
    """Gives an episode other words for its task."""
    words = " ".join(instruction.split())
    return _each(folder, (uuid,), lambda library, one: _instruct(library, one, words, author))


def decide_attempt(
    folder: Path, uuid: str, how: str, counting: CountingDecision, reason: str, author: Author
) -> SavedChange:
    """Says how an attempt ended and whether it counts; see `attempts.decide`."""
    return _each(
        folder,
        (uuid,),
        lambda library, one: decide(library, library.episode(one), author, how, counting, reason),
    )


def change_episode(
    folder: Path, uuid: str, make: Callable[[Library, Episode], Edit | None]
) -> SavedChange:
    """Makes one change of an episode as `make` wants it; nothing where it returns None."""
    return _each(folder, (uuid,), lambda library, one: make(library, library.episode(one)))


def undo(folder: Path, author: Author, together: Mapping[int, int]) -> SavedChange:
    """Takes back the newest change.

    Args:
        together: how many lines belong together, by the number of the newest of them.
    """
    return _turn(folder, next_undo, lambda library: library.undo(author), together)


def redo(folder: Path, author: Author, together: Mapping[int, int]) -> SavedChange:
    """Makes again what was taken back last; `together` goes by the lines of the undo."""
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
