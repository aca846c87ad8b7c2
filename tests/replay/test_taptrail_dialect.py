"""Our own prediction lines, in every coordinate space."""

from __future__ import annotations

import pytest

from episodes import actions as a
from episodes.codec import action_to_json
from episodes.errors import KnownError
from episodes.geometry import Box, Direction, Native, Point
from episodes.runs import Unreadable
from replay.coordinates import CoordinateCheck, in_pixels
from replay.dialect import Declared, Limits, Row
from replay.dialects import dialect
from replay.findings import RunFinding
from tests.replay.made import PHONE, lines_file

DIALECT = dialect("taptrail")
TAP = {"kind": "tap", "at": {"point": [540, 1200]}}


def rows(path, limits=Limits()):  # noqa: B008 - frozen
    return list(DIALECT.rows(path, limits))


def test_a_line_has_an_episode_a_step_and_an_action(tmp_path):
    path = lines_file(tmp_path, [{"episode": "e-0001", "step": 3, "raw": "tap", "action": TAP}])
    assert rows(path) == [Row("e-0001", 3, "tap", TAP, file="predictions.jsonl", line=1)]


def test_without_a_text_the_raw_answer_is_the_action(tmp_path):
    path = lines_file(tmp_path, [{"episode": "e", "step": 0, "action": {"kind": "wait"}}])
    assert rows(path)[0].raw == '{"kind": "wait"}'


def test_broken_lines_are_kept_with_their_problem_and_number(tmp_path):
    path = lines_file(
        tmp_path,
        [
            "{not json",
            "[1]",
            "",
            {"step": 1, "action": TAP},
            {"episode": "e", "step": -1, "action": TAP},
            {"episode": "e", "step": True, "action": TAP},
            {"episode": "e", "step": 1},
            {"episode": "e", "step": 2, "raw": 7, "action": TAP},
            {"episode": "e", "step": 3, "raw": "x" * 4000, "action": TAP},
            {"episode": "e", "step": 4, "action": TAP},
            "[" * 3000,
            {"episode": "e" * 500, "step": 4, "action": TAP},
        ],
    )
    assert [(r.line, r.step, r.problem.split(":")[0]) for r in rows(path, Limits(3500))] == [
        (1, -1, "the line is not JSON"),
        (2, -1, "the element is not an object"),
        (4, -1, "it names no episode"),
        (5, -1, "it has no step's number"),
        (6, -1, "it has no step's number"),
        (7, 1, "it has no “action”"),
        (8, 2, "“raw” is not a text"),
        (9, 3, "the line is longer than 3500 bytes"),
        (10, 4, ""),
        (11, -1, "the line is not JSON"),
        (12, -1, "it names no episode"),
    ]


def test_a_long_line_without_an_end_is_not_held_in_memory(tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_bytes(
        b"x" * 3_000_000 + b"\n" + b'{"episode":"e","step":0,"action":{"kind":"wait"}}'
    )
    assert [(row.line, bool(row.problem)) for row in rows(path)] == [(1, True), (2, False)]


def test_a_file_with_too_many_lines_is_a_known_error(tmp_path):
    path = lines_file(tmp_path, [{"episode": "e", "step": n, "action": TAP} for n in range(3)])
    with pytest.raises(KnownError, match="more than 2 rows"):
        rows(path, Limits(rows=2))


def read(value, said=Declared()):  # noqa: B008 - frozen
    row = Row("e", 0, "", value)
    declared = DIALECT.declared(said)
    return DIALECT.action(row, PHONE, declared), DIALECT.native(row, declared)


@pytest.mark.parametrize(
    ("space", "point"),
    [
        ("pixels", [540, 1200]),
        ("0-1", [0.5, 0.5]),
        ("0-1000", [500, 500]),
        ("0-999", [499.5, 499.5]),
        ("resized:270x600", [135, 300]),
    ],
)
def test_every_space_comes_to_pixels_of_the_frame(space, point):
    value = {"kind": "tap", "at": {"point": point}}
    action, native = read(value, Declared(space))
    assert action == a.Tap(Point(540, 1200))
    assert native == (None if space == "pixels" else Native.of(space, value))


@pytest.mark.parametrize("space", ["resized:0x5", "resized:", "0-100", "resized:1x2x3"])
def test_an_unknown_space_is_refused(space):
    with pytest.raises(KnownError):
        read(TAP, Declared(space))


def test_all_points_of_an_action_are_moved():
    contact = a.Contact(a.Phase.DOWN, Point(0.5, 0.5), 0)
    half, at = Point(0.5, 0.5), Point(540, 1200)
    box, moved = Box(0, 0, 0.5, 0.5), Box(0, 0, 540, 1200)
    path = (a.Contact(a.Phase.DOWN, at, 0),)
    pairs = [
        (a.Tap(half, half, (contact,)), a.Tap(at, at, path)),
        (a.DoubleTap(box, (contact,)), a.DoubleTap(moved, path)),
        (a.LongPress(half, 5, (contact,)), a.LongPress(at, 5, path)),
        (a.Swipe(half, half, 5, (contact,)), a.Swipe(at, at, 5, path)),
        (a.Scroll(Direction.UP, half), a.Scroll(Direction.UP, at)),
        (a.Pinch(half, 2.0, (contact,)), a.Pinch(at, 2.0, path)),
        (a.TypeText("x", half, True, True), a.TypeText("x", at, True, True)),
        (a.Tap(a.ElementRef(index=1)), a.Tap(a.ElementRef(index=1))),
        (a.PressKey(a.Key.BACK), a.PressKey(a.Key.BACK)),
    ]
    for told, expected in pairs:
        assert in_pixels(told, "0-1", PHONE) == expected
        assert in_pixels(told, "pixels", PHONE) == told


def test_scrolls_by_the_content_are_reversed_and_swipes_are_not():
    swipe = action_to_json(a.Swipe(Point(1, 9), Point(1, 2)))
    said = Declared(scroll="content")
    assert read({"kind": "scroll", "direction": "up"}, said)[0] == a.Scroll(Direction.DOWN)
    assert read({"kind": "scroll", "direction": "up"})[0] == a.Scroll(Direction.UP)
    assert read(swipe, said)[0] == a.Swipe(Point(1, 9), Point(1, 2))


@pytest.mark.parametrize("value", [None, 5, {}, {"kind": "fly"}, {"kind": "tap", "at": 3}])
def test_an_invalid_action_is_unreadable_with_a_reason(value):
    action, _ = read(value)
    assert isinstance(action, Unreadable)
    assert action.reason.startswith("the action cannot be read: ")


def test_points_that_leave_their_screens_raise_a_doubt_about_the_declaration():
    check = CoordinateCheck()
    for _ in range(10):
        check.add(a.Tap(Point(2000, 10)), PHONE)
        check.add(a.PressKey(a.Key.BACK), PHONE)
    assert (check.points, check.outside, check.tiny) == (10, 10, 0)
    assert check.findings() == [
        RunFinding(
            "points_outside",
            "10 of 10 points lie outside their screens; the declared coordinates may be too small "
            "a space.",
            10,
        )
    ]


def test_points_that_are_all_in_a_corner_give_a_finding_too():
    check = CoordinateCheck()
    for _ in range(10):
        check.add(a.Tap(Point(0.5, 0.7)), PHONE)
    assert [(one.code, one.count) for one in check.findings()] == [("points_in_the_corner", 10)]


def test_few_points_raise_no_doubt():
    check = CoordinateCheck()
    check.add(a.Tap(Point(-5, 0)), PHONE)
    assert check.findings() == []
