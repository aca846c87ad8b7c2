"""A step of an episode: the screen, the action on it, and annotations."""

from __future__ import annotations

from dataclasses import dataclass

from episodes.actions import Action
from episodes.annotations import Gold, PrivateBox, Region
from episodes.clocks import Moment
from episodes.geometry import Native
from episodes.screens import Foreground, Frame, StepTree, Still


@dataclass(frozen=True, slots=True)
class StepTexts:
    """Texts of a step; "" for missing ones."""

    instruction: str = ""
    description: str = ""
    intention: str = ""
    context: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """What was on the screen, and what was then done.

    Attributes:
        index: 0, 1, 2, ... within the episode; a data set's own numbers are kept even when they
            leave holes.
        action: the recorded action, gold number 0, immutable.
        native: the action as the data set wrote it; None for recorded steps.
        source: who acted where: "mirror", "keyboard", "button", "glass", "command" for a person or
            script; "agent", "import".
        began, ended: first contact or key, and last.
        frame: the screen the action was made on; None for a step without a picture or size.
        after: the settled screen that followed.
        golds: further right actions, numbers 1, 2, ...
        private: whether the whole step is left out of every export.
        extra: further facts of the data set about this step, as JSON text; "" for nothing.
        private_boxes: parts of its screen that are drawn over in every export.
    """

    index: int
    action: Action
    frame: Frame | None = None
    native: Native | None = None
    source: str = "import"
    began: Moment = Moment()
    ended: Moment = Moment()
    after: Frame | None = None
    tree: StepTree | None = None
    foreground: Foreground | None = None
    texts: StepTexts = StepTexts()
    regions: tuple[Region, ...] = ()
    golds: tuple[Gold, ...] = ()
    private: bool = False
    extra: str = ""
    private_boxes: tuple[PrivateBox, ...] = ()

    @property
    def still(self) -> Still | None:
        """The picture of the frame; None without a frame, or without a picture of it."""
        return self.frame.still if self.frame is not None else None

    @property
    def target(self) -> Region | None:
        """The target region; None if none is chosen."""
        return next((region for region in self.regions if region.chosen), None)
