"""State of the Annotate page: open episode, current step, candidate in focus. No widgets."""

from __future__ import annotations

import time
from collections.abc import Iterator

from annotator.candidates import Level
from annotator.review_queue import order_for_review
from episodes import actions as a
from episodes.annotations import Region
from episodes.density import likely_pixels_per_dp
from episodes.geometry import Box, Point
from episodes.steps import Step
from episodes.trees.values import Node, Tree
from taptrail.gui.annotate.frame import box_about, whole_pixels
from taptrail.gui.annotate.open_episode import AnnotatedEpisode, ParsedTree
from taptrail.gui.annotate.texts import Who
from taptrail.usecases.annotating import Choice, OpenStep, StepState
from taptrail.usecases.annotation_queue import waiting_levels
from taptrail.usecases.linting import ReportedFinding


class AnnotateState:
    """Queries on the open episode; the page changes the fields.

    Attributes:
        whole: the open episode, or None.
        index: of the current step in the library; -1 if there is none.
        focus: list position of the candidate in focus.
        target_shown: the target when the step was last shown.
        ahead: indices of steps whose target is being saved.
        labels: labels typed for regions that are not the target yet.
        trees: the loaded trees by index, each with its step.
        node: the row selected in the tree, with its reference.
        read_only: why nothing can be changed; "" if it can.
        round: name of the blind round; "" outside a round.
        by_level: whether the queue is sorted by level, low first, or by step.
        findings: lint findings of the episode.
        points: places a person has pointed at, by the step's index, each with whether it is a point
            inside the target.
        corners: corners of the outline being drawn.
    """

    def __init__(self) -> None:
        self.whole: AnnotatedEpisode | None = None
        self.index = -1
        self.focus: int | None = None
        self.target_shown: Region | None = None
        self.ahead: set[int] = set()
        self.labels: dict[tuple[int, str], str] = {}
        self.trees: dict[int, tuple[Step, ParsedTree]] = {}
        self.node: tuple[str, Node] | None = None
        self.read_only = ""
        self.round = ""
        self.by_level = True
        self.findings: tuple[ReportedFinding, ...] = ()
        self.points: dict[int, list[tuple[Point, bool]]] = {}
        self.corners: list[Point] = []
        self._shown = 0.0

    def uuid(self) -> str:
        """Returns the uuid of the open episode; "" if none is open."""
        return self.whole.episode.uuid if self.whole is not None else ""

    def steps(self) -> tuple[Step, ...]:
        """Returns all steps of the open episode."""
        return self.whole.episode.steps if self.whole is not None else ()

    def row(self) -> int:
        """Returns the row of the step among all steps; -1 if there is none."""
        return self.row_of(self.index)

    def row_of(self, index: int) -> int:
        """Returns the row of the step with this index; -1 if there is none."""
        indices = [step.index for step in self.steps()]
        return indices.index(index) if index in indices else -1

    def opened(self) -> OpenStep | None:
        """Returns the step with its candidates."""
        return self.whole.opened.get(self.index) if self.whole is not None else None

    def step_state(self, index: int) -> StepState:
        """Returns the state of a step; edits that are being saved count as done."""
        if index in self.ahead:
            return StepState.ACCEPTED
        return self.whole.opened[index].state if self.whole is not None else StepState.NONE

    def seen(self) -> Tree | None:
        """Returns the tree of the step if it is loaded."""
        kept, opened = self.trees.get(self.index), self.opened()
        return kept[1].tree if kept and opened is not None and kept[0] == opened.step else None

    def rows_after(self, by: int) -> Iterator[int]:
        """Yields the other rows forwards or backwards from the current one, wrapping around."""
        count, here = len(self.steps()), self.row()
        for far in range(1, count):
            yield (here + by * far) % count

    def note_shown(self) -> None:
        """Starts the clock of the shown step."""
        self._shown = time.monotonic()

    def seconds(self) -> float:
        """Returns how long the step has been shown, in seconds."""
        return round(time.monotonic() - self._shown, 3)

    # --- remaining work -------------------------------------------------------------------------

    def levels(self) -> dict[int, Level]:
        """Returns the levels of the steps that wait for a review, by index."""
        if self.whole is None:
            return {}
        waiting = waiting_levels(dict(self.whole.opened))
        return {index: level for index, level in waiting if index not in self.ahead}

    def to_look_at(self) -> list[int]:
        """Returns the indices of the steps to review, in queue order."""
        levels = self.levels()
        if not self.by_level:
            return sorted(levels)
        if self.whole is not None and self.whole.letters:  # settling a round: no sample
            order = (Level.LOW, Level.MEDIUM, Level.HIGH)
            return sorted(levels, key=lambda index: (order.index(levels[index]), index))
        return order_for_review(self.uuid(), levels.items())

    def next_open(self) -> int | None:
        """Returns the row of the next step to review; None if there is none."""
        wanted = [index for index in self.to_look_at() if index != self.index]
        if not wanted:
            return None
        if self.by_level:
            return self.row_of(wanted[0])
        return self.row_of(next((index for index in wanted if index > self.index), wanted[0]))

    def next_unreviewed(self, by: int) -> int | None:
        """Returns the row of the next or previous step without a target, of any level."""
        levels = self.levels()
        steps = self.steps()
        return next((row for row in self.rows_after(by) if steps[row].index in levels), None)

    def findings_of(self, index: int) -> tuple[ReportedFinding, ...]:
        """Returns the findings of a step, open ones first."""
        here = [one for one in self.findings if one.finding.step == index]
        return tuple(sorted(here, key=lambda one: one.accepted is not None))

    # --- candidates ----------------------------------------------------------------------------

    def chosen(self) -> Choice | None:
        """Returns the candidate in focus."""
        opened = self.opened()
        if opened is None or self.focus is None or self.focus >= len(opened.choices):
            return None
        return opened.choices[self.focus]

    def target(self) -> Region | None:
        """Returns the current target of the step."""
        opened = self.opened()
        if opened is None or opened.target is None:
            return None
        return opened.choices[opened.target].region

    def first_focus(self) -> int | None:
        """Returns the list position of the target, else of the proposed candidate."""
        opened = self.opened()
        if opened is None:
            return None
        return opened.target if opened.target is not None else opened.proposed

    def who(self) -> list[Who]:
        """Returns who chose each candidate, during the settling of a round; else nothing."""
        whole = self.whole
        if whole is None or self.index not in whole.letters:
            return []
        at = self.index
        return [
            Who(*one)
            for one in zip(whole.letters[at], whole.sides[at], whole.took[at], strict=True)
        ]

    def focus_beside(self, by: int) -> int | None:
        """Returns the list position of the next larger or smaller candidate."""
        opened = self.opened()
        if opened is None or not opened.choices:
            return None
        if self.focus is None or self.focus >= len(opened.choices):
            return opened.proposed or 0
        return min(max(self.focus + by, 0), len(opened.choices) - 1)

    def choice_of(self, ref: str, node: Node) -> int | None:
        """Returns the list position of the candidate that a tree node stands for."""
        opened = self.opened()
        for at, one in enumerate(opened.choices if opened is not None else ()):
            if one.region.provenance.node == ref or one.region.box == node.box:
                return at
        return None

    def node_alone(self) -> Node | None:
        """Returns the row selected in the tree, if it is not a candidate."""
        if self.node is None or self.choice_of(*self.node) is not None:
            return None
        return self.node[1]

    def first_box(self) -> Box | None:
        """Returns the box arrow keys start from: tree row, candidate in focus, or press."""
        opened, whole = self.opened(), self.whole
        if opened is None or whole is None or opened.step.frame is None:
            return None
        size = opened.step.frame.size
        node, choice = self.node_alone(), self.chosen()
        if node is not None:
            return whole_pixels(node.box, size)
        if choice is not None and choice.region.box is not None:
            return whole_pixels(choice.region.box, size)
        dp = likely_pixels_per_dp(whole.episode.device, size)
        return box_about(a.place(opened.gold.action) or size.at(0.5, 0.5), size, dp)

    # --- label of a region ---------------------------------------------------------------------

    def label_key(self, *, drawing: bool) -> tuple[int, str]:
        """Returns the key under which the unsaved label of the region in focus is kept."""
        choice = self.chosen()
        if drawing or choice is None:
            return self.index, "box"
        return self.index, choice.region.uuid or str(choice.region.box)

    def label_shown(self, *, drawing: bool) -> str:
        """Returns the text in the label field."""
        typed = self.labels.get(self.label_key(drawing=drawing))
        choice = self.chosen()
        if typed is not None:
            return typed
        return choice.region.label if choice is not None and not drawing else ""

    def forget_labels(self, index: int) -> None:
        """Drops the labels typed for a step."""
        self.labels = {at: said for at, said in self.labels.items() if at[0] != index}
