"""A step is called by the element it met, and only by a tree that fits its frame."""

import pytest

from episodes import actions as a
from episodes.annotations import Provenance, Region, RegionSource
from episodes.geometry import Box, Point, Size
from episodes.screens import Basis, Frame, StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.steps import Step
from taptrail.usecases.elements import LONGEST_NAME, target_name

DUMP = """<?xml version='1.0' encoding='UTF-8'?>
<hierarchy rotation="0">
<node index="0" text="" class="android.widget.FrameLayout" package="com.example" content-desc=""
 clickable="false" enabled="true" bounds="[0,0][1080,2400]">
<node index="0" text="" class="android.widget.Button" package="com.example" content-desc=""
 clickable="true" enabled="true" bounds="[600,2100][1020,2300]">
<node index="0" text="{words}" class="android.widget.TextView" package="com.example"
 content-desc="" clickable="false" enabled="true" bounds="[650,2150][1000,2250]"/>
</node></node></hierarchy>"""


TAP = a.Tap(Point(810, 2200))
SIZE = Size(1080, 2400)


def step(
    action: a.Action = TAP,
    fit: TreeFit = TreeFit.FRESH,
    *,
    words: str = "New contact",
    data: bytes | None = None,
    size: Size = SIZE,
    regions: tuple[Region, ...] = (),
) -> Step:
    told = DUMP.format(words=words).encode() if data is None else data
    record = TreeRecord("uiautomator", told, "test", TreeStatus.OK, size=SIZE)
    return Step(0, action, Frame(size, Basis.PAINTED), tree=StepTree(record, fit), regions=regions)


@pytest.mark.parametrize(
    "action",
    [
        a.Tap(Point(810, 2200)),
        a.DoubleTap(Point(601, 2101)),
        a.LongPress(Box(700, 2150, 900, 2250)),
        a.TypeText("Mara", Point(810, 2200)),
    ],
)
def test_the_button_under_the_finger_gives_its_words(action: a.Action) -> None:
    assert target_name(step(action)) == "New contact"


def test_a_smaller_video_has_smaller_boxes() -> None:
    assert target_name(step(a.Tap(Point(405, 1100)), size=Size(540, 1200))) == "New contact"


@pytest.mark.parametrize("fit", [TreeFit.LATE, TreeFit.STALE, TreeFit.FAILED, TreeFit.MISSING])
def test_a_tree_that_does_not_fit_names_nothing(fit: TreeFit) -> None:
    assert target_name(step(fit=fit)) == ""


@pytest.mark.parametrize(
    "action",
    [a.Swipe(Point(810, 2200), Point(810, 900)), a.PressKey(a.Key.BACK), a.TypeText("Mara")],
)
def test_what_meets_no_element_has_no_name(action: a.Action) -> None:
    assert target_name(step(action)) == ""


def test_a_chosen_target_comes_first() -> None:
    region = Region(Box(0, 0, 9, 9), Provenance(RegionSource.PERSON), "Add", chosen=True)
    assert target_name(step(regions=(region,))) == "Add"


def test_a_tree_that_cannot_be_read_names_nothing() -> None:
    assert target_name(step(data=b"<hierarchy><node")) == ""


def test_long_words_are_cut() -> None:
    name = target_name(step(words="word " * 40))
    assert len(name) == LONGEST_NAME
    assert name.endswith("…")
