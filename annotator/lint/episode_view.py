"""An episode as lint rules read it: screens compared by signature, trees, actions and times.

No picture is opened. Whether a screen is dark, or two look the same, follows from the signatures
that were stored when the episode was recorded or imported. A tree is parsed once, when the first
rule asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np

from annotator.gold_actions import current_gold
from episodes.actions import Action, place
from episodes.density import likely_pixels_per_dp
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.geometry import Box, Point, Size
from episodes.media.pictures import decode
from episodes.media.signature import Luma, blocks_differ
from episodes.screens import Frame, Still
from episodes.steps import Step
from episodes.trees.step_trees import NoTree, tree_on_frame
from episodes.trees.values import Tree

RECORDED = "recorded"


@dataclass(frozen=True, slots=True)
class LibraryFacts:
    """What a rule needs to know about the library of an episode.

    Attributes:
        apps: display names of all apps that occur in the library.
    """

    apps: frozenset[str] = frozenset()


@dataclass(eq=False)
class StepView:
    """One step with its neighbours.

    Attributes:
        place: position in the episode, 0 for the first step, whatever its index is.
    """

    step: Step
    place: int
    episode: EpisodeView

    @cached_property
    def action(self) -> Action:
        """The action that counts: the newest correction, or the recorded one."""
        return current_gold(self.step).action

    @cached_property
    def point(self) -> Point | None:
        """Place of the action in pixels of the frame; None without a place or a frame."""
        return place(self.action) if self.step.frame is not None else None

    @property
    def size(self) -> Size | None:
        """Size of the frame."""
        return None if self.step.frame is None else self.step.frame.size

    @cached_property
    def tree(self) -> Tree | None:
        """The fresh or imported tree of the step, in pixels of its frame; None if there is none.

        Without a frame it is in pixels of the screen.
        """
        kept = self.step.tree
        found = tree_on_frame(kept, self.size or (kept.record.size if kept is not None else None))
        return None if isinstance(found, NoTree) else found

    @property
    def before(self) -> StepView | None:
        """The step before it."""
        return self.episode.steps[self.place - 1] if self.place else None

    @property
    def next(self) -> StepView | None:
        """The step after it."""
        steps = self.episode.steps
        return steps[self.place + 1] if self.place + 1 < len(steps) else None

    @property
    def outcome(self) -> Frame | None:
        """The screen that followed: the settled one, the next step's, or the episode's last."""
        if self.step.after is not None and self.step.after.still is not None:
            return self.step.after
        if self.next is not None:
            return self.next.step.frame
        return self.episode.episode.final

    @cached_property
    def changed(self) -> bool | None:
        """Whether the screen looks different after the step; None if signatures are missing."""
        return self.episode.differ(self.step.frame, self.outcome)

    def dp(self, pixels: float) -> float:
        """Returns a length on the frame in dp, a usual phone's if the density is not known."""
        assert self.size is not None
        return pixels / likely_pixels_per_dp(self.episode.episode.device, self.size)

    def share(self, box: Box) -> float:
        """Returns how much of the frame a box covers, 0..1."""
        assert self.size is not None
        return box.area / (self.size.width * self.size.height)


@dataclass(eq=False)
class EpisodeView:
    """An episode whose signatures are decoded once."""

    episode: Episode
    facts: LibraryFacts = LibraryFacts()
    steps: list[StepView] = field(default_factory=list)
    _lumas: dict[str, Luma | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.steps = [StepView(step, at, self) for at, step in enumerate(self.episode.steps)]

    def __iter__(self) -> Iterator[StepView]:
        return iter(self.steps)

    @property
    def recorded(self) -> bool:
        """Whether it was recorded by Taptrail, so that trees and times are expected."""
        return self.episode.origin.dataset == RECORDED

    @cached_property
    def has_trees(self) -> bool:
        """Whether any step has a tree."""
        return any(one.step.tree is not None and one.step.tree.record.data for one in self.steps)

    def luma(self, still: Still | None) -> Luma | None:
        """Returns the small grey picture of a still's signature; None without a sound one."""
        if still is None or still.signature is None:
            return None
        if still.sha256 not in self._lumas:
            self._lumas[still.sha256] = _luma(still.signature)
        return self._lumas[still.sha256]

    def differ(self, one: Frame | None, other: Frame | None) -> bool | None:
        """Returns whether two screens look different; None if one has no signature."""
        if one is None or other is None or one.still is None or other.still is None:
            return None
        if one.still.sha256 == other.still.sha256:
            return False
        if one.still.signature is not None and one.still.signature == other.still.signature:
            return False
        first, second = self.luma(one.still), self.luma(other.still)
        if first is None or second is None:
            return None
        return blocks_differ(first, second)


def _luma(signature: bytes) -> Luma | None:
    # Our own signatures are small grey PNGs, which OpenCV reads twice as fast. The bounded reader
    # takes anything else.
    if signature[:8] == b"\x89PNG\r\n\x1a\n" and len(signature) < 1 << 20:
        width, height = (int.from_bytes(signature[at : at + 4], "big") for at in (16, 20))
        if width * height <= 1 << 22 and signature[25:26] == b"\0":
            found = cv2.imdecode(np.frombuffer(signature, np.uint8), cv2.IMREAD_GRAYSCALE)
            if found is not None:
                return np.asarray(found, np.uint8)
    try:
        return np.asarray(decode(signature)[..., 0], np.uint8)
    except KnownError:
        return None
