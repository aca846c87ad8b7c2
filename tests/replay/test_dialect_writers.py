"""Actions in the words of each dialect, and read back by it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from episodes import actions as a
from episodes.geometry import Direction, Point
from replay.chat.answers import FormattedAnswer, answer_of
from replay.dialect import Declared, Row
from replay.dialects import DIALECTS
from tests.replay.made import PHONE

POINTS = st.builds(Point, st.integers(0, 1079), st.integers(0, 2399))
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8),
    st.text("ab \"'\\,()=[]{}<>/:;\n\t#`|", max_size=12),
)
KEYS = st.sampled_from([a.Key.HOME, a.Key.BACK, a.Key.RECENTS, a.Key.ENTER])
REASONS = st.one_of(st.none(), TEXTS.filter(bool))
ACTIONS = st.one_of(
    st.builds(a.Tap, POINTS),
    st.builds(a.LongPress, POINTS),
    st.builds(a.DoubleTap, POINTS),
    st.builds(a.Swipe, POINTS, POINTS),
    st.builds(a.Scroll, st.sampled_from(Direction)),
    st.builds(a.TypeText, TEXTS, clear=st.booleans(), submit=st.booleans()),
    st.builds(a.OpenApp, TEXTS),
    st.builds(a.Answer, TEXTS),
    st.builds(a.PressKey, KEYS),
    st.builds(a.Wait),
    st.builds(a.Finish, st.sampled_from(a.Ending), REASONS),
)
MIDDLE = Point(540, 1200)
SAMPLES: dict[str, tuple[a.Action, ...]] = {
    "tap": (a.Tap(MIDDLE),),
    "double": (a.DoubleTap(MIDDLE),),
    "long": (a.LongPress(MIDDLE),),
    "swipe": (a.Swipe(Point(540, 1800), Point(540, 600)),),
    "scroll": tuple(a.Scroll(direction) for direction in Direction),
    "text": (a.TypeText("two words"),),
    "enter-text": (a.TypeText("tea", submit=True),),
    "new-text": (a.TypeText("tea", clear=True),),
    "new-enter-text": (a.TypeText("tea", clear=True, submit=True),),
    "home": (a.PressKey(a.Key.HOME),),
    "back": (a.PressKey(a.Key.BACK),),
    "recents": (a.PressKey(a.Key.RECENTS),),
    "enter": (a.PressKey(a.Key.ENTER),),
    "app": (a.OpenApp("Clock"),),
    "wait": (a.Wait(),),
    "answer": (a.Answer("three of them"),),
    "done": (a.Finish(a.Ending.COMPLETE),),
    "impossible": (a.Finish(a.Ending.IMPOSSIBLE),),
}
_TARS = (
    "tap double long swipe scroll text enter-text home back recents enter app wait done impossible"
)
_TOOL = "tap long swipe text home back recents enter app wait answer done impossible"
_VENUS = "tap long swipe scroll text home back recents enter app wait answer done"
FORMS = {
    "guiodyssey": "tap long scroll text home back recents done impossible",
    "taptrail": " ".join(SAMPLES),
    "agentcpm": "tap long scroll text home back enter wait done impossible",
    "ui-tars-1.0": _TARS,
    "ui-tars-1.5": _TARS,
    "seed": _TARS,
    "seed-xml": _TARS.replace("recents ", ""),
    "os-atlas": "tap long scroll text home back recents enter app wait done impossible",
    "qwen25vl": _TOOL,
    "qwen3vl": _TOOL,
    "infigui-r1": _TOOL,
    "gui-owl": _TOOL,
    "gui-owl-1.5": _TOOL,
    "mai-ui": "tap double long swipe scroll text home back recents enter app wait answer done "
    "impossible",
    "aguvis": "tap double long swipe scroll text home back enter app wait answer done impossible",
    "gui-r1": "tap double long scroll text home back recents enter app wait done impossible",
    "ui-venus-1.0": _VENUS,
    "ui-venus-1.5": _VENUS,
    "uground": "tap double long scroll text home back enter app wait answer done impossible",
    "aitz": "tap scroll text home back recents enter done impossible",
    "aitw": "tap swipe text home back enter done impossible",
    "androidcontrol": "tap double long scroll text home back enter app wait answer done impossible",
    "androidworld": "tap double long swipe scroll enter-text new-enter-text home back enter app "
    "wait answer done impossible",
    "androidlab": "tap long scroll new-enter-text home back enter app wait done",
    "showui": "tap long swipe scroll text home back recents enter wait answer done impossible",
    "mimo": "tap double long swipe scroll text home back recents enter app wait done impossible",
    "autoglm": "tap double long swipe new-text home back app wait answer done",
    "gelab": "tap double long swipe text home back recents enter app wait answer done impossible",
    "glm-v": "tap long scroll enter-text new-enter-text home back enter app wait answer done "
    "impossible",
    "kimi": "tap double long swipe scroll text home back enter app wait done impossible",
    "agentcpm/ui-tars": "tap scroll text home back app wait done",
    "agentcpm/os-atlas": "tap long scroll text home back recents wait done",
    "agentcpm/aguvis": "tap long scroll text home back app wait done impossible",
}
"""The actions that each dialect writes without a loss."""


def written(name: str, action: a.Action) -> FormattedAnswer | None:
    return answer_of(action, PHONE, PHONE, name, DIALECTS[name].declared(Declared()))


def read(name: str, text: str) -> Any:
    dialect = DIALECTS[name]
    return dialect.action(Row("", 0, text, text), PHONE, dialect.declared(Declared()))


def test_every_dialect_is_in_the_table():
    assert list(FORMS) == list(DIALECTS)


@pytest.mark.parametrize("name", FORMS)
def test_a_dialect_writes_these_actions_without_a_loss(name):
    exact = [
        form
        for form, actions in SAMPLES.items()
        if all((made := written(name, action)) and made.exact for action in actions)
    ]
    assert exact == [form for form in SAMPLES if form in FORMS[name].split()]


@pytest.mark.parametrize("name", FORMS)
@given(action=ACTIONS)
@settings(max_examples=40, deadline=None)
def test_a_dialect_reads_its_own_output_as_the_same_action(name, action):
    made = written(name, action)
    if made is None:
        return
    found = read(name, made.text)
    if not made.exact:
        assert_only_a_part_is_lost(action, found)
        return
    assert a.kind(found) == a.kind(action)
    assert_near(a.place(action), a.place(found))
    match action:
        case a.Swipe():
            assert_near(action.end, found.end)
        case a.Scroll():
            assert found.direction is action.direction
        case a.TypeText() | a.OpenApp() | a.PressKey() | a.Answer() | a.Finish():
            assert found == action


def assert_near(one: Point | None, other: Point | None) -> None:
    """A point may be rounded to the dialect's numbers."""
    if one is not None and other is not None:
        assert abs(one.x - other.x) <= 0.6 * 1080 / 1000 + 0.5
        assert abs(one.y - other.y) <= 0.6 * 2400 / 1000 + 0.5


def assert_only_a_part_is_lost(action: a.Action, found: Any) -> None:
    """A stroke may lose its path, a text its flags or signs, an end its reason."""
    match action:
        case a.Swipe() | a.Scroll():
            assert isinstance(found, a.Swipe | a.Scroll)
            if not isinstance(action, a.Swipe) or action.start != action.end:
                assert found.direction is action.direction
        case a.TypeText() | a.OpenApp() | a.Answer():
            assert a.kind(found) == a.kind(action)
        case a.Finish(ending, reason):
            assert isinstance(found, a.Finish)
            assert found.ending is ending
            assert reason
        case _:
            raise AssertionError(f"{action} was written as an answer that reads {found}")
