"""Annotation modes: open, blind in a round, or settling a round.

A mode determines how the episode is read and what Accept does. Data that must stay hidden is not
even loaded. Called on worker threads; no widgets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from annotator.outlines import make_outlined_region
from episodes.annotations import Author, Region
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.geometry import Box, Point
from episodes.steps import Step
from episodes.store.library import Library
from taptrail.gui.annotate.open_episode import AnnotatedEpisode, read_whole, with_outlines
from taptrail.usecases import adjudicating, annotating, blind
from taptrail.usecases.agreement import round_agreement


@dataclass(frozen=True, slots=True)
class ChosenTarget:
    """The target that the user chose for a step.

    Attributes:
        region: a candidate, a drawn box, or the corners of a drawn outline; None for no target.
        label: replaces the region's label.
        seconds: time since the step was shown.
    """

    region: Region | Box | tuple[Point, ...] | None
    label: str | None = None
    seconds: float | None = None


class Mode(Protocol):
    """An annotation mode."""

    @property
    def round(self) -> str:
        """Name of the blind round; "" for none."""
        ...

    @property
    def free(self) -> bool:
        """Whether actions, texts and steps can be changed too."""
        ...

    def read(
        self, library: Library, uuid: str, author: Author, before: AnnotatedEpisode | None
    ) -> AnnotatedEpisode:
        """Reads the episode as this mode shows it."""
        ...

    def take(
        self, library: Library, author: Author, episode: Episode, step: Step, taken: ChosenTarget
    ) -> object:
        """Saves the user's choice."""
        ...

    def undo(self, library: Library, author: Author, uuid: str) -> int | None:
        """Undoes the last edit. Returns the index of its step."""
        ...

    def redo(self, library: Library, author: Author, uuid: str) -> int | None:
        """Redoes the last undone edit. Returns the index of its step."""
        ...


class _Open:
    """Base of the two open modes: any edit can be undone."""

    def undo(self, library: Library, author: Author, uuid: str) -> int | None:
        edit = library.undo(author, uuid)
        return None if edit is None else edit.step

    def redo(self, library: Library, author: Author, uuid: str) -> int | None:
        edit = library.redo(author, uuid)
        return None if edit is None else edit.step


@dataclass(frozen=True, slots=True)
class OpenMode(_Open):
    """Shows everything; the chosen region becomes the target."""

    round = ""
    free = True

    def read(
        self, library: Library, uuid: str, author: Author, before: AnnotatedEpisode | None
    ) -> AnnotatedEpisode:
        return read_whole(library, uuid, before)

    def take(
        self, library: Library, author: Author, episode: Episode, step: Step, taken: ChosenTarget
    ) -> object:
        region = _region(step, taken, author)
        if region is None:
            return library.editor(author).clear_target(episode.uuid, step.index)
        return annotating.accept(
            library, episode, step, region, author, taken.label, seconds=taken.seconds
        )


@dataclass(frozen=True, slots=True)
class BlindMode:
    """Hides the choices of others; the chosen region is the author's choice in the round."""

    round: str
    free = False

    def read(
        self, library: Library, uuid: str, author: Author, before: AnnotatedEpisode | None
    ) -> AnnotatedEpisode:
        whole = read_whole(library, uuid)
        opened = blind.open_round(library, whole.episode, self.round, author)
        episode = replace(whole.episode, steps=tuple(one.step for one in opened.values()))
        undo = whole.undo if whole.undo is not None and whole.undo_author == author.uuid else None
        redo = whole.redo if whole.redo is not None and whole.redo_author == author.uuid else None
        own = tuple(one for one in whole.times if one.author.uuid == author.uuid)
        return with_outlines(
            replace(
                whole,
                episode=episode,
                opened=opened,
                undo=undo if undo is not None and undo.operation in blind.OWN else None,
                redo=redo,
                said=(),
                times=tuple(one for one in own if one.round == self.round),
            )
        )

    def take(
        self, library: Library, author: Author, episode: Episode, step: Step, taken: ChosenTarget
    ) -> object:
        region = _region(step, taken, author)
        return blind.choose(
            library, episode, step, self.round, region, author, taken.label, taken.seconds
        )

    def undo(self, library: Library, author: Author, uuid: str) -> int | None:
        edit = blind.undo(library, uuid, self.round, author)
        return None if edit is None else edit.step

    def redo(self, library: Library, author: Author, uuid: str) -> int | None:
        edit = blind.redo(library, uuid, self.round, author)
        return None if edit is None else edit.step


@dataclass(frozen=True, slots=True)
class SettlingMode(_Open):
    """Shows the choice of each person in the round; the chosen region becomes the target."""

    round: str
    free = False

    def read(
        self, library: Library, uuid: str, author: Author, before: AnnotatedEpisode | None
    ) -> AnnotatedEpisode:
        whole = read_whole(library, uuid)
        found = adjudicating.disputed_steps(library, whole.episode, self.round)
        return with_outlines(
            replace(
                whole,
                opened={index: one.opened for index, one in found.items()},
                letters={index: one.letters for index, one in found.items()},
                sides={index: one.sides for index, one in found.items()},
                took={index: one.seconds for index, one in found.items()},
                agreement=round_agreement(library, self.round, (uuid,)),
            )
        )

    def take(
        self, library: Library, author: Author, episode: Episode, step: Step, taken: ChosenTarget
    ) -> object:
        region = _region(step, taken, author)
        return adjudicating.settle(
            library, episode, step, self.round, region, author, taken.label, taken.seconds
        )


def _region(step: Step, taken: ChosenTarget, author: Author) -> Region | None:
    if isinstance(taken.region, Box):
        return annotating.drawn_box(step, taken.region, author, taken.label or "")
    if isinstance(taken.region, tuple):
        if step.frame is None:
            raise KnownError(
                f"mark step {step.index}", "it has no frame", "Choose an element of its tree."
            )
        return make_outlined_region(taken.region, step.frame.size, author, taken.label or "")
    return taken.region
