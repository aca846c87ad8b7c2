"""Lines of the truth log."""

from __future__ import annotations

import io
import json

from demophone.truth import TruthLog, elements
from demophone.views.fields import Field
from demophone.views.geometry import Rect
from demophone.views.view import View
from tests.demophone import drawn as hands
from tests.demophone.drawn import MakeDrawn

make_drawn = hands.make_drawn


class _Counted(io.StringIO):
    flushes = 0

    def flush(self) -> None:
        self.flushes += 1
        super().flush()


def test_a_line_is_json_with_event_time_and_screen_and_is_flushed() -> None:
    stream = _Counted()
    truth = TruthLog(stream)
    truth.log("wake", 17, 3, on=True, note="ü\n")
    truth.log("clipboard", 18, 3, text="")
    assert [json.loads(line) for line in stream.getvalue().splitlines()] == [
        {"event": "wake", "t_us": 17, "screen": 3, "on": True, "note": "ü\n"},
        {"event": "clipboard", "t_us": 18, "screen": 3, "text": ""},
    ]
    assert stream.flushes == 2


def test_without_a_stream_nothing_is_kept() -> None:
    truth = TruthLog(None)
    truth.log("wake", 1, 1, on=False)
    assert not truth.kept


def test_an_element_says_what_it_is_and_where() -> None:
    field = Field("name", text="Mara")
    root = View(
        Rect(0, 0, 100, 200),
        children=[
            View(Rect(10, 10, 50, 20), "android.widget.EditText", key="name", res="name",
                 field=field),
            View(Rect(80, 190, 40, 40), "android.widget.Button", key="go", text="Go",
                 tap=field.choose_all),
            View(Rect(0, 300, 10, 10), key="outside"),
            View(Rect(0, 0, 10, 10)),
        ],
    )  # fmt: skip
    assert elements(root, root.box, 2.0, "app", "a/b", "org.a") == [
        {
            "id": "a/b/name",
            "class": "android.widget.EditText",
            "text": "Mara",
            "desc": "",
            "resource_id": "org.a:id/name",
            "box": [20, 20, 120, 60],
            "clickable": True,
            "long_clickable": True,
            "editable": True,
            "scrollable": False,
            "password": False,
            "node": True,
            "window": "app",
        },
        {
            "id": "a/b/go",
            "class": "android.widget.Button",
            "text": "Go",
            "desc": "",
            "resource_id": "",
            "box": [160, 380, 200, 400],
            "clickable": True,
            "long_clickable": False,
            "editable": False,
            "scrollable": False,
            "password": False,
            "node": True,
            "window": "app",
        },
    ]


def test_a_screen_line_describes_the_screen(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-contacts")
    drawn.tap("search-field")
    drawn.phone.picture()
    line = drawn.log("screen")[-1]
    facts = {key: line[key] for key in ("package", "activity", "rotation", "width", "height",
                                        "keyboard", "settled", "awake")}  # fmt: skip
    assert facts == {
        "package": "com.taptrail.demo.contacts",
        "activity": ".ContactListActivity",
        "rotation": 0,
        "width": 540,
        "height": 1200,
        "keyboard": True,
        "settled": True,
        "awake": True,
    }
    assert {element["window"] for element in line["elements"]} == {"app", "keyboard", "system"}
    names = [element["id"] for element in line["elements"]]
    assert len(names) == len(set(names))


def test_a_dialog_hides_what_it_covers_from_the_log(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-settings")
    drawn.tap("text-size")
    assert {e["window"] for e in drawn.elements().values()} == {"dialog", "system"}
    drawn.tap("dialog/option-large")
    assert drawn.phone.setting("system", "font_scale") == "1.15"


def test_moves_and_refusals_are_logged(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.swipe(100, 600, 300, 600, steps=3)
    drawn.touch(hands.TouchAction.DOWN, 900, 100)
    lines = drawn.log("input")
    assert [line["action"] for line in lines] == ["down", "move", "move", "move", "up", "down"]
    assert [line["accepted"] for line in lines] == [True] * 5 + [False]
    assert {line["source"] for line in lines} == {"scrcpy"}
    swipe = drawn.log("gesture")[-1]
    assert (swipe["kind"], swipe["x"], swipe["x2"]) == ("swipe", 100, 300)
