"""The tolerance that is drawn is the one the protocol judges by, on a screen that is not square."""

from dataclasses import replace

import pytest

from episodes import actions as a
from episodes.annotations import Gold, Provenance, Region, RegionSource, Status
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Box, Native, Point, Size
from episodes.recordings import DeviceFacts
from episodes.runs import Prediction
from episodes.screens import Basis, Frame, StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.steps import Step
from episodes.verdicts import Outcome
from replay.tolerance import Ellipse, Tolerance, tolerance
from scoring.protocols import PROTOCOLS

SIZE = Size(1080, 2400)
AT = Point(700, 1500)
FAR_PX = 4.0  # benchmarks round a point in pixels to thousandths: up to 2.4 px on this screen

_NODE = (
    '<node index="0" text="{text}" resource-id="" class="android.widget.Button" '
    'package="com.example.shop" content-desc="" checkable="false" checked="false" '
    'clickable="true" enabled="true" focusable="true" focused="false" scrollable="false" '
    'long-clickable="false" password="false" selected="false" bounds="{bounds}"/>'
)
BOXES = {
    "Add to basket": Box(560, 1440, 900, 1560),
    "Basket": Box(40, 80, 240, 200),
    "Wall clock": Box(60, 1400, 500, 1700),
    "Prices": Box(0, 2200, 1080, 2400),
}
TREE = (
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">"
    + "".join(
        _NODE.format(text=text, bounds=f"[{b.left:.0f},{b.top:.0f}][{b.right:.0f},{b.bottom:.0f}]")
        for text, b in BOXES.items()
    )
    + "</hierarchy>"
).encode()
WITHOUT_SHAPE = {
    **dict.fromkeys(
        ("aitz@2", "aitz@1", "aitz/lift@2", "aitz/lift@1"),
        "a predicted box is held against the gold point",
    ),
    "androidcontrol/paper@1": "elements are compared",
    "androidcontrol/paper@2": "elements are compared",
    "androidcontrol/uground@1": "elements are compared",
    "androidcontrol/uground@2": "elements are compared",
}


def step(action=None, **more):
    record = TreeRecord("uiautomator", TREE, "uiautomator dump", TreeStatus.OK, size=SIZE)
    region = Region(
        Box(560, 1440, 900, 1560),
        Provenance(RegionSource.TREE),
        status=Status.ACCEPTED,
        chosen=True,
    )
    made = Step(
        3,
        action or a.Tap(AT),
        Frame(SIZE, Basis.PAINTED),
        tree=StepTree(record, TreeFit.FRESH),
        regions=(region,),
    )
    return replace(made, **more)


def episode(*steps):
    return Episode(
        "u",
        "e-0001",
        Origin("recorded"),
        Task("Put the wall clock into the basket"),
        EpisodeState.FINISHED,
        steps,
        device=DeviceFacts(size=SIZE, density=420),
    )


def disagreements(protocol, told, shape):
    """Returns sampled points where the judge and the drawn shape part, edges left out."""
    found = []
    whole = episode(told)
    kind = a.LongPress if isinstance(told.action, a.LongPress) else a.Tap
    inside = outside = 0
    for x in range(6, SIZE.width, 36):
        for y in range(6, SIZE.height, 60):
            point = Point(x, y)
            near = [Point(x + dx, y + dy) for dx in (-FAR_PX, FAR_PX) for dy in (-FAR_PX, FAR_PX)]
            drawn = {other in shape for other in near}
            if len(drawn) > 1:
                continue
            said = Prediction("e-0001", told.index, "", kind(point))
            right = protocol.verdict(said, told, whole).outcome is Outcome.MATCH
            inside, outside = inside + right, outside + (not right)
            if right is not (point in shape):
                found.append(point)
    assert inside >= 3
    assert outside > 100
    return found


@pytest.mark.parametrize("key", PROTOCOLS)
def test_the_drawn_area_is_the_judged_one(key):
    protocol = PROTOCOLS[key]
    told = step()
    shape = tolerance(protocol, told, episode(told))
    if shape is None:
        assert key in WITHOUT_SHAPE
        return
    assert key not in WITHOUT_SHAPE
    assert disagreements(protocol, told, shape) == []


def test_fourteen_percent_of_a_tall_screen_is_a_tall_ellipse():
    protocol = PROTOCOLS["guiodyssey@1"]
    told = step(regions=())
    shape = tolerance(protocol, told, episode(told))
    (ellipse,) = shape.ellipses
    assert (ellipse.across, ellipse.down) == pytest.approx((151.2, 336))
    assert ellipse.centre.distance_to(AT) < 2
    assert Point(AT.x, AT.y + 330) in shape
    assert Point(AT.x + 160, AT.y) not in shape


def test_boxes_of_android_in_the_wild_are_drawn_2_4_times_as_large():
    told = step()
    shape = tolerance(PROTOCOLS["aitw@1"], told, episode(told))
    box, _wall_clock = shape.boxes
    own = BOXES["Add to basket"]
    assert (box.width, box.height) == pytest.approx((own.width * 2.4, own.height * 2.4), rel=1e-4)
    assert box.centre.distance_to(own.centre) < 0.01


def test_a_data_set_s_own_numbers_are_drawn_in_their_places():
    protocol = PROTOCOLS["guiodyssey@2"]
    native = Native.of("guiodyssey", {"action": "CLICK", "info": [[648, 625]]})
    region = Region(
        None, Provenance(RegionSource.TREE), native=Native.of("guiodyssey", [100, 40, 300, 90])
    )
    told = step(native=native, regions=(region,))
    shape = tolerance(protocol, told, episode(told))
    assert shape == Tolerance(
        (Ellipse(Point(699.84, 1500), 0.14 * 1080, 0.14 * 2400),), (Box(108, 96, 324, 216),)
    )
    assert disagreements(protocol, told, shape) == []
    empty = replace(region, native=Native.of("guiodyssey", []))
    nothing_right = step(native=native, regions=(empty,))
    assert tolerance(protocol, nothing_right, episode(nothing_right)) is None


def test_every_right_action_has_its_circle_under_the_strict_reading():
    protocol = PROTOCOLS["taptrail-strict@1"]
    golds = (Gold(1, a.Tap(Point(140, 140)), "alternative", "", Status.ACCEPTED),)
    told = step(golds=golds)
    shape = tolerance(protocol, told, episode(told))
    reach = 24 * 420 / 160
    assert shape.ellipses == (Ellipse(AT, reach, reach), Ellipse(Point(140, 140), reach, reach))
    assert shape.boxes == (Box(560, 1440, 900, 1560),)
    assert disagreements(protocol, told, shape) == []


@pytest.mark.parametrize("key", PROTOCOLS)
def test_an_action_that_is_not_a_touch_has_no_tolerance(key):
    for action in (a.Swipe(Point(5, 5), Point(5, 900)), a.TypeText("milk"), a.PressKey(a.Key.BACK)):
        told = step(action)
        assert tolerance(PROTOCOLS[key], told, episode(told)) is None
