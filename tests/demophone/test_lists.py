"""A list of the demo phone makes the rows that show, and no others."""

from __future__ import annotations

from demophone.views.geometry import Rect
from demophone.views.motion import ScrollPosition
from demophone.views.parts import Space, label, list_of
from demophone.views.theme import BLUE
from demophone.views.view import View

SPACE = Space(400, 800, 24, 776, BLUE[0], 1.0, 1.0, cursor=False)
AREA = Rect(0, 100, 400, 250)
ALL = tuple("abcdefghij")


def row(box: Rect, letter: str) -> View:
    return label(box, letter, 14, "#000000")


def listed(scroll: ScrollPosition, letters: tuple[str, ...] = ALL, to_edge: bool = False) -> View:
    nothing = ("magnify", "Nothing there")
    return list_of(SPACE, AREA, scroll, "letters", letters, 100, row, 20, nothing, to_edge)


def shown(view: View) -> list[tuple[str, float]]:
    return [(child.text, child.box.y) for child in view.children]


def test_only_rows_that_touch_the_list_are_made() -> None:
    scroll = ScrollPosition()
    assert shown(listed(scroll)) == [("a", 100), ("b", 200), ("c", 300)]
    scroll.offset = 150
    assert shown(listed(scroll)) == [("b", 50), ("c", 150), ("d", 250)]


def test_below_the_last_row_the_end_stays_free_and_the_strip_where_the_list_reaches_it() -> None:
    ends = []
    for to_edge in (False, True):
        scroll = ScrollPosition(offset=1e9)
        listed(scroll, to_edge=to_edge)
        ends.append(scroll.extent)
    assert ends == [10 * 100 + 20 - 250, 10 * 100 + 20 + 24 - 250]


def test_a_list_of_nothing_says_so() -> None:
    (said,) = listed(ScrollPosition(offset=40), ()).children
    assert [child.text for child in said.children] == ["", "Nothing there"]
