"""Trees valid for a step: same shape as the frame, right moment, and readable."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from episodes import actions as a
from episodes.geometry import Box, Point, Size
from episodes.screens import Basis, Frame, StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.steps import Step
from episodes.trees.step_trees import NoTree, TreeProblem, tree_of_step, tree_on_frame
from episodes.trees.values import Tree

PHONE = Size(1080, 2400)


def dump(bounds: str) -> bytes:
    return (
        f'<hierarchy rotation="0"><node class="a.Page" bounds="{bounds}">'
        f'<node class="a.Button" text="OK" clickable="true" bounds="{bounds}"/></node></hierarchy>'
    ).encode()


UPRIGHT, TURNED = dump("[0,0][1080,2400]"), dump("[0,0][2400,1080]")


def kept(
    data: bytes = UPRIGHT,
    fit: TreeFit = TreeFit.FRESH,
    size: Size | None = PHONE,
    status: TreeStatus = TreeStatus.OK,
    detail: str = "",
) -> StepTree:
    record = TreeRecord("uiautomator", data, "uiautomator dump", status, size=size, detail=detail)
    return StepTree(record, fit)


def problem(tree: StepTree | None, frame: Size | None = PHONE) -> TreeProblem | None:
    found = tree_on_frame(tree, frame)
    return found.problem if isinstance(found, NoTree) else None


@pytest.mark.parametrize("fit", [TreeFit.FRESH, TreeFit.IMPORTED])
def test_a_fresh_tree_holds_and_so_does_an_imported_one_without_times(fit: TreeFit) -> None:
    step = Step(0, a.Tap(Point(5, 5)), Frame(PHONE, Basis.PAINTED), tree=kept(fit=fit))
    found = tree_of_step(step)
    assert isinstance(found, Tree)
    assert found.windows[0].box == Box(0, 0, 1080, 2400)


@pytest.mark.parametrize("fit", list(TreeFit))
@pytest.mark.parametrize(
    ("data", "size", "frame"),
    [
        (TURNED, Size(2400, 1080), PHONE),
        (TURNED, Size(2400, 1080), Size(540, 1200)),
        (UPRIGHT, PHONE, Size(2400, 1080)),
        (TURNED, PHONE, PHONE),
        (TURNED, None, PHONE),
        (UPRIGHT, None, Size(2400, 1080)),
        (UPRIGHT, PHONE, Size(1800, 2200)),
    ],
    ids=[
        "turned",
        "turned and smaller",
        "upright on a wide frame",
        "turned, with the size of the frame",
        "turned, without a size",
        "upright on a wide frame, without a size",
        "folded",
    ],
)
def test_a_tree_of_another_shape_holds_at_no_time(
    fit: TreeFit, data: bytes, size: Size | None, frame: Size
) -> None:
    found = tree_on_frame(kept(data, fit, size), frame)
    assert isinstance(found, NoTree)
    assert found.outdated is None
    if fit not in (TreeFit.MISSING, TreeFit.FAILED):
        assert found.problem is TreeProblem.OTHER_SHAPE


@pytest.mark.parametrize(
    ("size", "frame", "right"),
    [
        (PHONE, Size(540, 1200), 540),
        (PHONE, Size(1088, 2400), 1088),
        (Size(1080, 2340), Size(1080, 2336), 1080),
        (Size(1080, 2400), Size(360, 800), 360),
        (None, Size(540, 1200), 540),
        (None, PHONE, 1080),
    ],
)
def test_a_frame_of_the_same_shape_gets_the_tree_in_its_own_pixels(
    size: Size | None, frame: Size, right: int
) -> None:
    found = tree_on_frame(kept(size=size), frame)
    assert isinstance(found, Tree)
    assert found.windows[0].box.right == right


def test_a_small_window_without_a_size_counts_the_frames_pixels() -> None:
    found = tree_on_frame(kept(dump("[100,500][900,1100]"), size=None), PHONE)
    assert isinstance(found, Tree)
    assert found.windows[0].box == Box(100, 500, 900, 1100)


@pytest.mark.parametrize(
    ("fit", "expected"), [(TreeFit.STALE, TreeProblem.STALE), (TreeFit.LATE, TreeProblem.LATE)]
)
def test_a_tree_of_another_moment_does_not_hold_but_can_be_shown(
    fit: TreeFit, expected: TreeProblem
) -> None:
    found = tree_on_frame(kept(fit=fit), Size(540, 1200))
    assert isinstance(found, NoTree)
    assert found.problem is expected
    assert found.outdated is not None
    assert found.outdated.windows[0].box == Box(0, 0, 540, 1200)


def test_each_other_reason_has_a_name_of_its_own() -> None:
    empty = kept(b"", TreeFit.FAILED, status=TreeStatus.NOT_IDLE, detail="no idle state")
    assert problem(None) is TreeProblem.NOT_REQUESTED
    assert problem(kept(fit=TreeFit.MISSING)) is TreeProblem.NOT_REQUESTED
    assert problem(empty) is TreeProblem.NO_ANSWER
    assert problem(kept(fit=TreeFit.FAILED)) is TreeProblem.NO_ANSWER
    assert problem(kept(fit=TreeFit.IMPORTED, status=TreeStatus.EMPTY)) is TreeProblem.NO_ANSWER
    assert problem(kept(b"<hier")) is TreeProblem.UNREADABLE
    assert problem(kept(status=TreeStatus.UNREADABLE)) is TreeProblem.UNREADABLE
    assert problem(kept(), None) is TreeProblem.NO_FRAME


LIVE = {"recorder/script_player.py", "recorder/trees.py", "taptrail/usecases/recording.py"}
"""They place the newest answer on the newest frame, before there is a step."""


def test_every_reader_of_a_steps_tree_asks_here() -> None:
    root = Path(__file__).resolve().parents[3]
    rooms = ("episodes", "scoring", "recorder", "annotator", "replay", "taptrail")
    found = {
        str(file.relative_to(root))
        for room in rooms
        for file in (root / room).rglob("*.py")
        if re.search(r"\bread_record\(", file.read_text(encoding="utf-8"))
    }
    assert found == LIVE | {"episodes/trees/readers.py", "episodes/trees/step_trees.py"}
