"""The list of a recording shows the problem of a tree that may not belong to its step."""

import pytest
import shiboken6
from PySide6.QtCore import Qt

from episodes import actions as a
from episodes.clocks import Moment
from episodes.geometry import Point
from episodes.screens import StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.steps import Step
from taptrail.gui.record.running_time import RunningTime
from taptrail.gui.record.steps import StepsList, StepsModel, tree_advice
from taptrail.gui.services import WindowServices

S = 1_000_000_000


@pytest.mark.parametrize(
    ("fit", "found", "remedy"),
    [
        (TreeFit.STALE, "The screen changed between the tree and the action", "Wait until"),
        (TreeFit.LATE, "The tree came after the action had begun", "Wait a moment"),
        (TreeFit.FAILED, "There is no tree for this step", "Draw the target's box"),
    ],
)
def test_a_doubtful_tree_is_explained(fit: TreeFit, found: str, remedy: str) -> None:
    record = TreeRecord("uiautomator", b"", "uiautomator dump", TreeStatus.OK)
    model = StepsModel()
    model.add(Step(0, a.Tap(Point(1, 1)), tree=StepTree(record, fit)))
    said = model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert said.startswith(found)
    assert remedy in said


def test_a_fresh_tree_needs_no_words() -> None:
    record = TreeRecord("uiautomator", b"", "uiautomator dump", TreeStatus.OK)
    assert tree_advice(Step(0, a.Tap(Point(1, 1)), tree=StepTree(record, TreeFit.FRESH))) == ""


def test_thinking_time_leaves_out_pauses() -> None:
    model, time = StepsModel(), RunningTime()
    model.begin(time.restart())
    time.begin(10 * S)
    times = [(12, 13), (18, 19), (40, 41)]
    for index, (began, ended) in enumerate(times):
        moments = (Moment(host_ns=began * S), Moment(host_ns=ended * S))
        model.add(Step(index, a.Tap(Point(1, 1)), began=moments[0], ended=moments[1]))
        time.track.steps = list(model.steps)
    time.pause(20 * S)
    time.go_on(35 * S)
    assert [model.thinking_us(row) for row in range(3)] == [None, 5_000_000, 6_000_000]
    assert time.thinking_us(44 * S) == 3_000_000
    time.pause(45 * S)
    assert time.thinking_us(60 * S) == 4_000_000


def test_a_picture_that_comes_when_the_list_is_gone_is_no_fault(parts: WindowServices) -> None:
    made = StepsList(StepsModel(), parts.small)
    shiboken6.delete(made)
    parts.small.ready.emit("a" * 64)  # a fault in a slot fails the test
