"""The list of a recording tells what to do about a tree that may not belong to its step."""

import pytest
import shiboken6
from PySide6.QtCore import Qt

from episodes import actions as a
from episodes.geometry import Point
from episodes.screens import StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.steps import Step
from taptrail.gui.record.steps import StepsList, StepsModel, tree_advice
from taptrail.gui.services import WindowServices


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


def test_a_picture_that_comes_when_the_list_is_gone_is_no_fault(parts: WindowServices) -> None:
    made = StepsList(StepsModel(), parts.small)
    shiboken6.delete(made)
    parts.small.ready.emit("a" * 64)  # a fault in a slot fails the test
