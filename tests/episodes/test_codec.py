import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes import actions as a
from episodes.codec import BadValue, action_from_json, action_to_json
from episodes.geometry import Box, Direction, Point

numbers = st.floats(allow_nan=False, allow_infinity=False, width=64)
points = st.builds(Point, numbers, numbers)
texts = st.text(max_size=40)
maybe_whole = st.none() | st.integers(0, 10**12)
targets = (
    points
    | st.builds(Box, numbers, numbers, numbers, numbers)
    | st.builds(a.ElementRef, maybe_whole, st.none() | texts, st.none() | texts).filter(
        lambda element: element != a.ElementRef()
    )
)
contacts = st.builds(
    a.Contact,
    st.sampled_from(a.Phase),
    points,
    st.integers(0, 10**9),
    st.integers(0, 9),
    st.floats(0, 1),
)
paths = st.lists(contacts, max_size=4).map(tuple)
any_action = st.one_of(
    st.builds(a.Tap, targets, st.none() | points, paths),
    st.builds(a.DoubleTap, targets, paths),
    st.builds(a.LongPress, targets, maybe_whole, paths),
    st.builds(a.Swipe, points, points, maybe_whole, paths),
    st.builds(a.Scroll, st.sampled_from(Direction), st.none() | targets),
    st.builds(a.Pinch, points, numbers, paths),
    st.builds(a.TypeText, texts, st.none() | targets, st.booleans(), st.booleans()),
    st.builds(a.PressKey, st.sampled_from(a.Key), st.none() | texts),
    st.builds(a.OpenApp, texts),
    st.builds(a.Wait, maybe_whole),
    st.builds(a.Answer, texts),
    st.builds(a.Finish, st.sampled_from(a.Ending), st.none() | texts),
    st.builds(a.Other, texts, texts),
)


@given(any_action)
def test_every_action_comes_back_equal(action):
    assert action_from_json(action_to_json(action)) == action


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ([], "an action is an object, not a list"),
        ({"kind": "poke"}, "kind: there is no action “poke”"),
        ({"kind": "tap"}, "at: is missing"),
        ({"kind": "tap", "at": {"point": [1]}}, "at: is not [x, y]"),
        ({"kind": "tap", "at": {"point": [1, "2"]}}, "at: is a text, not a number"),
        ({"kind": "tap", "at": {"point": [1, float("nan")]}}, "at: is not a finite number"),
        ({"kind": "tap", "at": {"point": [1, 10**400]}}, "at: is too large a number"),
        ({"kind": "tap", "at": [1, 2]}, "at: is none of a point, a box and an element"),
        ({"kind": "open_app", "app": "x", "b": 1}, "b: is not a field of this action"),
        ({"kind": "type_text", "text": 5}, "text: is a number, not a text"),
        ({"kind": "finish", "ending": "so"}, "ending: “so” is not one of the known words"),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_a_bad_value_is_named_by_its_field(value, complaint):
    with pytest.raises(BadValue) as caught:
        action_from_json(value)
    assert str(caught.value) == complaint
