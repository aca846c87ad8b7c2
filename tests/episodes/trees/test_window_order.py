"""Which window lies in front: the declared order, else the smaller window first."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.candidates import Level, find_candidates
from annotator.choice import choose_target
from episodes import actions as a
from episodes.annotations import Provenance, Region, RegionSource
from episodes.geometry import Box, Point, Size
from episodes.screens import Basis, Frame, StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.steps import Step
from episodes.trees.forest import forest_bytes, read_forest
from episodes.trees.hits import label, target_at
from episodes.trees.uiautomator import read_uiautomator

CASES = Path(__file__).resolve().parents[2] / "cases" / "trees"
WINDOWS = (CASES / "u2_windows.xml").read_bytes()
PHONE = Size(1080, 2400)
BACK, ROW = Point(880, 2330), Point(720, 2330)

BAR = '<node class="a.Bar" clickable="true" text="bar" bounds="[0,0][100,20]"/>'
APP = '<node class="a.App" clickable="true" text="app" bounds="[0,0][100,200]"/>'
DIALOG = '<node class="a.Dialog" clickable="true" text="dialog" bounds="[0,0][100,100]"/>'


def hit(data: str, at: Point) -> str:
    found = target_at(read_uiautomator(data.encode()), at)
    return "" if found is None else label(found[1])


def step(at: Point, fit: TreeFit = TreeFit.FRESH, data: bytes = WINDOWS) -> Step:
    record = TreeRecord("uiautomator", data, "uiautomator2", TreeStatus.OK, size=PHONE)
    return Step(0, a.Tap(at), Frame(PHONE, Basis.PAINTED), tree=StepTree(record, fit))


def test_a_tap_on_back_is_back_though_the_app_comes_later_in_the_dump() -> None:
    tree = read_uiautomator(WINDOWS)
    found = target_at(tree, BACK)
    assert found is not None
    assert found[1].description == "Back"


@pytest.mark.parametrize("roots", [(BAR, APP, DIALOG), (APP, DIALOG, BAR), (DIALOG, BAR, APP)])
def test_without_layers_the_smallest_window_is_in_front_in_any_order(roots: tuple[str]) -> None:
    data = f"<hierarchy>{''.join(roots)}</hierarchy>"
    assert [hit(data, Point(50, y)) for y in (10, 50, 150)] == ["bar", "dialog", "app"]


@pytest.mark.parametrize("turned", [False, True])
def test_declared_layers_decide_also_against_the_size(turned: bool) -> None:
    windows = [f'<window layer="1">{BAR}</window>', f'<window layer="2">{APP}</window>']
    data = f"<hierarchy>{''.join(windows[::-1] if turned else windows)}</hierarchy>"
    assert hit(data, Point(50, 10)) == "app"


def test_windows_on_one_layer_have_no_declared_order() -> None:
    data = (
        f'<hierarchy><window layer="0">{BAR}</window><window layer="0">{APP}</window></hierarchy>'
    )
    assert not read_uiautomator(data.encode()).order_known
    assert hit(data, Point(50, 10)) == "bar"


@pytest.mark.parametrize(
    "data",
    [
        f'<displays><display id="0"><window layer="1">{APP}</window></display>'
        f'<display id="2"><window layer="9">{BAR}</window></display></displays>',
        f"<hierarchy>{APP}{BAR.replace('<node', '<node display-id=' + chr(34) + '2' + chr(34))}"
        "</hierarchy>",
    ],
    ids=["of the display", "of the root"],
)
def test_a_window_of_another_display_accepts_no_touch_of_the_first(data: str) -> None:
    assert hit(data, Point(50, 10)) == "app"


@pytest.mark.parametrize("fit", [TreeFit.FRESH, TreeFit.IMPORTED])
@pytest.mark.parametrize("at", [BACK, ROW, Point(500, 1000)])
def test_no_target_is_sure_if_the_order_of_windows_is_not_known(at: Point, fit: TreeFit) -> None:
    made = step(at, fit)
    alone = find_candidates(made, "u")
    assert alone is not None
    assert alone.level is not Level.HIGH
    assert alone.fitting is not Level.HIGH
    if alone.proposed is None:
        return
    box = alone.found[alone.proposed].region.box
    seen = Region(box, Provenance(RegionSource.SAM2, score=0.99, stability=0.99))
    chosen = choose_target(made, "u", more=[seen])
    assert chosen is not None
    assert chosen.level is not Level.HIGH


def test_the_target_of_a_tap_on_back_is_back_with_the_reason_for_the_level() -> None:
    found = find_candidates(step(BACK), "u")
    assert found is not None
    assert found.proposed is not None
    assert found.found[found.proposed].region.label == "Back"
    assert (found.level, found.reason) == (
        Level.MEDIUM,
        "The tree does not say which of its windows is in front; the smaller one is assumed.",
    )


def test_one_window_is_as_sure_as_before() -> None:
    data = (
        b'<hierarchy><node class="a.Page" bounds="[0,0][1080,2400]"><node class="a.Button" '
        b'text="OK" clickable="true" bounds="[0,0][200,200]"/></node></hierarchy>'
    )
    found = find_candidates(step(Point(50, 50), data=data), "u")
    assert found is not None
    assert found.level is Level.HIGH


def test_a_forest_gets_layers_in_the_assumed_order() -> None:
    again = read_forest(forest_bytes(read_uiautomator(WINDOWS)))
    assert again.order_known
    found = target_at(again, BACK)
    assert found is not None
    assert found[1].description == "Back"
    assert found[0].box == Box(0, 2260, 1080, 2400)
