"""What dialects of models have in common: files, spaces, conventions, hostile texts."""

from __future__ import annotations

import json
import random
import re
import time
from pathlib import Path

import pytest

from episodes import actions as a
from episodes.codec import action_to_json
from episodes.errors import KnownError
from episodes.geometry import Point, Size
from episodes.runs import Unreadable
from replay.coordinates import RESIZE_RULES, ResizeRule, extent, smart_resize
from replay.dialect import Declared, Dialect, Limits, Row
from replay.dialects import DIALECTS, dialect
from replay.joining import join, prediction_of
from tests.conformance.__main__ import answer
from tests.pages import read_pages
from tests.replay.made import PHONE, clicks
from tests.replay.said import kept, said

ROOT = Path(__file__).resolve().parents[2]
PAGE = read_pages("formats")
EXAMPLES = re.findall(r"^<!-- dialect: (.+?) -->\n```json\n(.*?)^```", PAGE, flags=re.M | re.S)
OF_MODELS = [name for name in DIALECTS if name not in ("guiodyssey", "taptrail")]
VECTORS = [
    case
    for line in (ROOT / "tests/vectors/androidcontrol.jsonl").read_text().splitlines()
    if (case := json.loads(line))["protocol"] == "import"
]


def texts_of(name: str, tmp_path: Path) -> list[Row]:
    path = tmp_path / "page.json"
    path.write_text(dict(EXAMPLES)[name], encoding="utf-8")
    found = list(DIALECTS[name].rows(path, Limits()))
    together = DIALECTS[name].together
    return found if together is None else together(found)


def test_every_recorded_reading_of_a_released_reader_is_answered_as_it_was():
    assert len(VECTORS) == 58
    expected = {case["id"]: case["expected"] for case in VECTORS}
    assert {case["id"]: answer(case).get("got") for case in VECTORS} == expected


def test_every_dialect_has_an_example_and_a_line_in_the_table():
    assert sorted(name for name, _ in EXAMPLES) == sorted(OF_MODELS)
    table = re.findall(r"^\| `(\S+)` \| (\S+) \| (finger|content) \|$", PAGE, flags=re.M)
    assert table == [
        (name, DIALECTS[name].coordinates[0], DIALECTS[name].scrolls[0]) for name in OF_MODELS
    ]


@pytest.mark.parametrize("name", OF_MODELS)
def test_the_example_on_the_page_is_read_to_the_last_row(name, tmp_path):
    found = DIALECTS[name]
    declared = found.declared(Declared())
    rows = texts_of(name, tmp_path)
    assert rows
    for row in rows:
        assert (row.episode, row.problem) == ("0042000000000009", "")
        assert not isinstance(found.action(row, PHONE, declared), Unreadable | a.Other)
        assert found.native(row, declared) is not None


@pytest.mark.parametrize("name", OF_MODELS)
def test_bare_texts_are_read_in_the_words_of_any_dialect(name, tmp_path):
    texts = [row.raw for row in texts_of(name, tmp_path)]
    path = tmp_path / "raw.jsonl"
    path.write_text(
        "".join(
            json.dumps({"episode": "e", "step": step, "raw": text}) + "\n"
            for step, text in enumerate(texts)
        )
    )
    raw = dialect("raw", of_text=name)
    rows = list(raw.rows(path, Limits()))
    assert [row.raw for row in rows] == texts
    declared = raw.declared(Declared())
    assert not any(isinstance(raw.action(row, PHONE, declared), Unreadable) for row in rows)


def test_an_unknown_dialect_of_texts_is_an_error_that_lists_the_existing_ones():
    with pytest.raises(KnownError, match=r"Use one of guiodyssey, taptrail, agentcpm, .*mimo"):
        dialect("raw", of_text="klingon")


@pytest.mark.parametrize(
    ("row", "place"),
    [
        ({"episode": "e", "step": 3}, ("e", 3)),
        ({"episode_id": 140, "step_id": "3"}, ("140", 3)),
        ({"episode": "e", "step": 3.0}, ("e", 3)),
        ({"image": "/data/ac/episode_140_screenshot_0.png"}, ("140", 0)),
        ({"image_path": "a/GENERAL-12_4.jpeg"}, ("GENERAL-12", 4)),
        ({"image": "7249/screenshot_7.png"}, ("7249", 7)),
        ({"episode_id": 1, "step": 2, "image": "9/screenshot_7.png"}, ("1", 2)),
        ({"image": "screenshot.png"}, "it names no episode"),
        ({"episode": "", "step": 1}, "it names no episode"),
        ({"episode": "e" * 201, "step": 1}, "it names no episode"),
        ({"episode": True, "step": 1}, "it names no episode"),
        ({"episode": "e", "step": -1}, "it has no step's number"),
        ({"episode": "e", "step": 1.5}, "it has no step's number"),
        ({"episode": "e", "step": "²"}, "it has no step's number"),
        ({"episode": "e"}, "it has no step's number"),
    ],
)
@pytest.mark.parametrize("many", [False, True])
def test_a_row_is_joined_by_the_names_of_its_step(tmp_path, row, place, many):
    path = tmp_path / "run.json"
    told = {**row, "raw": "Action: wait()"}
    path.write_text(json.dumps([told] if many else told))
    (found,) = dialect("ui-tars-1.0").rows(path, Limits())
    if isinstance(place, str):
        assert (found.problem, found.raw) == (place, "Action: wait()")
    else:
        assert (found.episode, found.step, found.value) == (*place, "Action: wait()")


def test_files_and_rows_that_are_too_large_or_no_list_are_refused(tmp_path):
    path = tmp_path / "run.json"
    with pytest.raises(KnownError, match="No such file"):
        list(dialect("mimo").rows(path, Limits()))
    path.write_text("[1, 2 3]")
    with pytest.raises(KnownError, match="it stops being JSON in line 1"):
        list(dialect("mimo").rows(path, Limits()))
    path.write_text("[" * 100_000)
    with pytest.raises(KnownError, match="it is nested too deeply"):
        list(dialect("mimo").rows(path, Limits()))
    path.write_text(json.dumps([{"episode": "e", "step": 0, "raw": "x" * 500}, {}]))
    with pytest.raises(KnownError, match="more than 1 rows"):
        list(dialect("mimo").rows(path, Limits(rows=1)))
    with pytest.raises(KnownError, match="larger than 10 bytes"):
        list(dialect("mimo").rows(path, Limits(file_bytes=10)))
    long, empty = dialect("mimo").rows(path, Limits(row_bytes=400))
    assert (long.line, long.problem) == (1, "the element is longer than 400 bytes")
    assert (empty.line, empty.problem) == (2, "it names no episode")


@pytest.mark.parametrize(
    ("space", "point"),
    [
        ("0-1", (0.5, 0.5)),
        ("0-999", (499.5, 499.5)),
        ("0-1000", (500, 500)),
        ("pixels", (540, 1200)),
        ("resized:540x1200", (270, 600)),
        ("resized:qwen2.5-vl", (546, 1204)),
        ("resized:28:3136:12845056", (546, 1204)),
        ("resized:ui-venus-1.0", (322, 714)),
    ],
)
def test_a_declared_space_defines_the_numbers(space, point):
    told = json.dumps({"action_type": "click", "x": point[0], "y": point[1]})
    assert said("androidcontrol", told, coordinates=space) == a.Tap(Point(540, 1200))
    tap = a.Tap(Point(float(point[0]), float(point[1])))
    native = kept("androidcontrol", told, coordinates=space)
    assert (native.space, native.value) == (space, action_to_json(tap))


@pytest.mark.parametrize(
    "space", ["resized:elephant", "resized:28:9:3", "resized:0:1:2", "resized:28:3136"]
)
def test_an_unknown_rule_is_an_error_that_lists_the_existing_ones(space):
    with pytest.raises(KnownError, match=r"resized: and a rule: qwen2\.5-vl, "):
        extent(space, PHONE)


def test_a_picture_whose_shape_no_rule_allows_is_refused():
    with pytest.raises(KnownError, match="more than 200 to 1"):
        extent("resized:qwen2.5-vl", Size(10, 2001))
    assert smart_resize(Size(10, 2000), RESIZE_RULES["qwen2.5-vl"]) == Size(28, 1988)


@pytest.mark.parametrize(
    ("size", "rule", "picture"),
    [
        (Size(1080, 2400), "qwen2.5-vl", Size(1092, 2408)),
        (Size(2208, 1840), "infigui-r1", Size(2212, 1848)),
        (Size(2560, 3840), "infigui-r1", Size(1820, 2716)),
        (Size(20, 30), "qwen2.5-vl", Size(56, 84)),
        (Size(1080, 2400), "ui-venus-1.0", Size(644, 1428)),
    ],
)
def test_a_picture_has_multiples_of_28_within_the_rule_s_limits(size, rule, picture):
    assert smart_resize(size, RESIZE_RULES[rule]) == picture


def test_every_rule_s_picture_keeps_its_limits():
    rng = random.Random(7)
    for _ in range(2_000):
        size = Size(rng.randint(200, 4_000), rng.randint(200, 4_000))
        low = rng.randint(1_000, 500_000)
        rule = ResizeRule(rng.choice([28, 32]), low, low * rng.randint(4, 40))
        picture = smart_resize(size, rule)
        assert (picture.width % rule.factor, picture.height % rule.factor) == (0, 0)
        assert picture.width * picture.height <= rule.max_pixels or rule.factor in (
            picture.width,
            picture.height,
        )


def test_without_a_frame_a_point_has_no_pixels_and_texts_are_read_nevertheless():
    tap, wait = "Action: click(start_box='(1,2)')", "Action: wait()"
    problem = "the step's frame has no size to put the point in"
    assert said("ui-tars-1.0", tap, size=None) == Unreadable(problem, "tap")
    assert said("ui-tars-1.0", wait, size=None) == a.Wait()


def test_the_first_action_of_an_answer_is_used_and_further_ones_are_reported():
    row = Row("e", 0, "", "Action: click(start_box='(1,2)')\n\nwait()\n\nwait()")
    found = DIALECTS["ui-tars-1.0"]
    joined = join([row], [clicks("e", 1)], found, Declared())
    assert isinstance(joined.predictions[0].parsed, a.Tap)
    assert joined.disagreements.first == [
        ", row 0: the answer has 3 actions, and the first is taken"
    ]


def test_a_row_with_a_problem_is_an_unreadable_prediction():
    found = DIALECTS["mimo"]
    row = Row("e", 0, "x", problem="the line is not JSON")
    prediction = prediction_of(row, None, found, found.declared(Declared()))
    assert (prediction.parsed, prediction.native) == (Unreadable("the line is not JSON"), None)


HOSTILE = [
    "[" * 50_000,
    "{" * 50_000,
    '{"a":' * 20_000,
    "a(" * 50_000,
    "a('" * 30_000,
    "a(b='" * 20_000,
    "type(content='" + "' " * 45_000,
    "type(content='" + "'," * 45_000,
    "click(" + "(" * 90_000,
    "<tool_call>{" + '"' * 90_000,
    "<point>" * 14_000,
    "Action:" * 14_000,
    "\\" * 90_000,
    "'" * 90_000,
    "word" * 25_000,
    " " * 90_000,
    "actions:\nTYPE [" + "\n" * 90_000,
    "9" * 90_000,
    '{"POINT":[' + "9" * 5_000 + ",1]}",
    '{"action_type":"click","x":1e999,"y":NaN}',
    "{'action': 'CLICK', 'position': [1e400, -1e400]}",
    "x" * 200_000,
    "\ud800 click(start_box='\\ud83d')",
    "\x00",
]


@pytest.mark.parametrize("name", OF_MODELS)
def test_hostile_texts_are_read_or_refused_in_a_moment(name):
    for text in HOSTILE:
        begun = time.process_time()
        _is_sound(DIALECTS[name], text)
        assert time.process_time() - begun < 2, text[:40]


@pytest.mark.parametrize("name", OF_MODELS)
def test_mutated_answers_are_read_or_refused(name, tmp_path):
    rng = random.Random(name)
    texts = [row.raw for row in texts_of(name, tmp_path)]
    signs = "{}[]()'\"\\,:=<>|\n \x00é😀0-.eN"
    for _ in range(200):
        text = list(rng.choice(texts))
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(len(text) + 1)
            cut = rng.choice([0, 1, 1, 5])
            text[at : at + cut] = rng.choice([rng.choice(signs), "", rng.choice(texts)[:20]])
        _is_sound(DIALECTS[name], "".join(text))


@pytest.mark.parametrize("name", OF_MODELS)
@pytest.mark.parametrize("value", [None, 5, 1.5, True, [], {}, [[]], {"action": []}, {"a": {}}])
def test_values_that_are_not_answers_are_refused(name, value):
    assert isinstance(said(name, value), Unreadable)


def _is_sound(found: Dialect, text: str) -> None:
    declared = found.declared(Declared())
    row = Row("e", 0, text, text)
    action = found.action(row, PHONE, declared)
    if not isinstance(action, Unreadable):
        place = a.place(action)
        assert place is None or (abs(place.x) < 1e13 and abs(place.y) < 1e13)
        json.dumps(action_to_json(action), allow_nan=False)
    native = found.native(row, declared)
    assert native is not None
    assert isinstance(native.text, str)


def test_a_truncated_line_is_reported_with_what_is_missing(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text('{"episode": "e", "step": 0, "raw": "Action: wai\n')
    (found,) = dialect("ui-tars-1.0").rows(path, Limits())
    assert found.problem.startswith("the line is not JSON: Unterminated string")
