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
from taptrail.usecases.linting import Told
from taptrail.usecases.queueing import waiting_levels


class AnnotateState:
    """Questions about what is open; the place changes it.

    Attributes:
        whole: the open episode; None for none.
        index: of the step, as the library counts; -1 for none.
        focus: place of the candidate in focus.
        target_shown: the target when the step was shown last.
        ahead: indices of steps whose target is being saved.
        labels: words that were typed for a region that is not the target yet.
        trees: what was read, by index, with the step it was read of.
        node: the row that was chosen in the tree, with its reference.
        read_only: why nothing can be changed; "" where it can.
        round: name of the blind round one is in; "" for none.
        by_level: whether one goes on by level, low first, or in the steps' order.
        findings: what is likely wrong with the episode.
        points: places a person has pointed at, by the step's index, each with whether it is inside
            of what was meant.
        corners: of the outline that is being drawn.
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
        self.findings: tuple[Told, ...] = ()
        self.points: dict[int, list[tuple[Point, bool]]] = {}
        self.corners: list[Point] = []
        self._shown = 0.0

    def uuid(self) -> str:
        """Returns the uuid of the open episode; "" for none."""
        return self.whole.episode.uuid if self.whole is not None else ""

    def steps(self) -> tuple[Step, ...]:
        """Returns all steps of the open episode."""
        return self.whole.episode.steps if self.whole is not None else ()

    def row(self) -> int:
        """Returns the place of the step among all steps; -1 for none."""
        return self.row_of(self.index)

    def row_of(self, index: int) -> int:
        """Returns the place of the step with this index; -1 where there is none."""
        indices = [step.index for step in self.steps()]
        return indices.index(index) if index in indices else -1

    def opened(self) -> OpenStep | None:
        """Returns the step with its choices."""
        return self.whole.opened.get(self.index) if self.whole is not None else None

    def step_state(self, index: int) -> StepState:
        """Returns what is to be done about a step, counting what is being saved as done."""
        if index in self.ahead:
            return StepState.ACCEPTED
        return self.whole.opened[index].state if self.whole is not None else StepState.NONE

    def seen(self) -> Tree | None:
        """Returns the tree of the step, once it is read."""
        kept, opened = self.trees.get(self.index), self.opened()
        return kept[1].tree if kept and opened is not None and kept[0] == opened.step else None

    def rows_after(self, by: int) -> Iterator[int]:
        """Yields the other rows from the next one on, or from the one before back, all round."""
        count, here = len(self.steps()), self.row()
        for far in range(1, count):
            yield (here + by * far) % count

    def note_shown(self) -> None:
        """Notes that the step is shown from now on."""
        self._shown = time.monotonic()

    def seconds(self) -> float:
        """Returns how long the step has been shown, in seconds."""
        return round(time.monotonic() - self._shown, 3)

    # --- what is left --------------------------------------------------------------------------

    def levels(self) -> dict[int, Level]:
        """Returns the levels of the steps that wait for a person, by index."""
        if self.whole is None:
            return {}
        waiting = waiting_levels(dict(self.whole.opened))
        return {index: level for index, level in waiting if index not in self.ahead}

    def to_look_at(self) -> list[int]:
        """Returns the indices of the steps that a person should look at, in the order of it."""
        levels = self.levels()
        if not self.by_level:
            return sorted(levels)
        if self.whole is not None and self.whole.letters:  # a round is settled: no sample
            order = (Level.LOW, Level.MEDIUM, Level.HIGH)
            return sorted(levels, key=lambda index: (order.index(levels[index]), index))
        return order_for_review(self.uuid(), levels.items())

    def next_open(self) -> int | None:
        """Returns the row of the next step to look at; None where there is none."""
        wanted = [index for index in self.to_look_at() if index != self.index]
        if not wanted:
            return None
        if self.by_level:
            return self.row_of(wanted[0])
        return self.row_of(next((index for index in wanted if index > self.index), wanted[0]))

    def next_unreviewed(self, by: int) -> int | None:
        """Returns the row of the next step without a target, or the one before, of any level."""
        levels = self.levels()
        steps = self.steps()
        return next((row for row in self.rows_after(by) if steps[row].index in levels), None)

    def findings_of(self, index: int) -> tuple[Told, ...]:
        """Returns what is likely wrong with a step, open ones first."""
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
        """Returns the region that is the step's target now."""
        opened = self.opened()
        if opened is None or opened.target is None:
            return None
        return opened.choices[opened.target].region

    def first_focus(self) -> int | None:
        """Returns the place of the target, else of the one the rule takes."""
        opened = self.opened()
        if opened is None:
            return None
        return opened.target if opened.target is not None else opened.proposed

    def who(self) -> list[Who]:
        """Returns who took each candidate, while a round is settled; else nothing."""
        whole = self.whole
        if whole is None or self.index not in whole.letters:
            return []
        at = self.index
        return [
            Who(*one)
            for one in zip(whole.letters[at], whole.sides[at], whole.took[at], strict=True)
        ]

    def focus_beside(self, by: int) -> int | None:
        """Returns the place of the next larger candidate, or the next smaller one."""
        opened = self.opened()
        if opened is None or not opened.choices:
            return None
        if self.focus is None or self.focus >= len(opened.choices):
            return opened.proposed or 0
        return min(max(self.focus + by, 0), len(opened.choices) - 1)

    def choice_of(self, ref: str, node: Node) -> int | None:
        """Returns the place of the candidate that a node of the tree is."""
        opened = self.opened()
        for at, one in enumerate(opened.choices if opened is not None else ()):
            if one.region.provenance.node == ref or one.region.box == node.box:
                return at
        return None

    def node_alone(self) -> Node | None:
        """Returns the row that was chosen in the tree, where it is none of the candidates."""
        if self.node is None or self.choice_of(*self.node) is not None:
            return None
        return self.node[1]

    def first_box(self) -> Box | None:
        """Returns what the arrows begin with: the row, the candidate in focus, or the press."""
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

    # --- words of a region ---------------------------------------------------------------------

    def label_key(self, *, drawing: bool) -> tuple[int, str]:
        """Returns under which key words for the region in focus are kept until it is accepted."""
        choice = self.chosen()
        if drawing or choice is None:
            return self.index, "box"
        return self.index, choice.region.uuid or str(choice.region.box)

    def label_shown(self, *, drawing: bool) -> str:
        """Returns the words that stand in the field of the label."""
        typed = self.labels.get(self.label_key(drawing=drawing))
        choice = self.chosen()
        if typed is not None:
            return typed
        return choice.region.label if choice is not None and not drawing else ""

    def forget_labels(self, index: int) -> None:
        """Drops the labels typed for a step."""
        self.labels = {at: said for at, said in self.labels.items() if at[0] != index}
