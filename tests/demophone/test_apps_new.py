"""What the newer apps do, and what they keep in their files and databases."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from demophone.apps import agenda, alarms, bookmarks, greenhouse, notebook
from demophone.apps.agenda import Agenda
from demophone.apps.notebook import Notebook
from demophone.phone import BOOT_TIME
from tests.demophone import drawn as hands
from tests.demophone.drawn import Drawn, Files, MakeDrawn, middle

make_drawn = hands.make_drawn

CALENDAR = "com.taptrail.demo.calendar"


def _notes(drawn: Drawn) -> dict[str, str]:
    folder = drawn.folder / notebook.FOLDER.lstrip("/")
    return {path.stem: path.read_text() for path in folder.iterdir()}


def _ids(drawn: Drawn) -> str:
    """All ids of what shows, as one text."""
    return " ".join(drawn.elements())


# --- calendar --------------------------------------------------------------------------------
def test_an_event_is_moved_with_the_pickers(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-calendar")
    drawn.tap("event-5")
    drawn.tap("edit")
    drawn.tap("start-date")
    drawn.tap("date-picker/day-2026-05-15")
    assert drawn.element("date-picker/chosen")["text"] == "Fri, 15 May"
    drawn.tap("ok")
    drawn.tap("start-time")
    drawn.tap("hour-12")
    drawn.tap("minute-0")
    drawn.tap("ok")
    assert drawn.element("end-time")["text"] == "13:00"
    drawn.tap("save")
    row = "SELECT title, starts_at, ends_at FROM events WHERE id = 5"
    moved = [("Lunch with Dana", "2026-05-15 12:00", "2026-05-15 13:00")]
    assert drawn.rows(agenda.PATH, row) == moved
    drawn.press(4)
    assert drawn.element("day-2026-05-15")["desc"] == "Friday, 15 May, 1 event"


def test_an_event_cannot_end_before_it_starts(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-calendar")
    drawn.tap("event-4")
    drawn.tap("edit")
    drawn.tap("end-time")
    drawn.tap("hour-8")
    drawn.tap("ok")
    drawn.tap("save")
    assert drawn.element("dialog/message")["text"] == "The end is before the start."
    drawn.tap("button-ok")
    drawn.tap("all-day")
    drawn.tap("save")
    row = "SELECT starts_at, ends_at, all_day FROM events WHERE id = 4"
    assert drawn.rows(agenda.PATH, row) == [("2026-05-14 00:00", "2026-05-15 00:00", 1)]


def test_days_and_months_are_turned_by_swipes_and_buttons(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-calendar")
    drawn.swipe(430, 300, 130, 300)
    assert drawn.element("month/title")["text"] == "June"
    drawn.swipe(130, 300, 430, 300)
    drawn.tap("more")
    drawn.tap("menu/previous-month")
    assert drawn.element("month/title")["text"] == "April"
    drawn.tap("today")
    drawn.tap("day-2026-05-16")
    assert drawn.element("day-title")["text"] == "Saturday 16"
    drawn.tap("day-2026-05-16")
    assert drawn.element("calendar/day/title")["text"] == "Sat, 16 May"
    drawn.swipe(130, 700, 430, 700)
    drawn.swipe(130, 700, 430, 700)
    assert drawn.element("calendar/day/title")["text"] == "Thu, 14 May"
    drawn.tap("hour-16")
    assert drawn.element("start-time")["text"] == "16:00"


def test_rows_that_others_wrote_are_left_out_where_they_are_none(tmp_path: Path) -> None:
    made = Agenda(Files(tmp_path))
    count = len(made.all())
    made._database.run("UPDATE events SET starts_at = 'soon' WHERE id = 1")
    assert len(made.all()) == count - 1


# --- notes -----------------------------------------------------------------------------------
def test_a_note_is_a_file_and_a_file_is_a_note(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-notes")
    drawn.tap("new-note")
    drawn.write("Dredger")
    drawn.tap("keyboard/action")
    drawn.write("Page two")
    drawn.tap("keyboard/action")
    drawn.write("a lamp")
    drawn.press(4)
    drawn.press(4)
    assert _notes(drawn)["Dredger"] == "Page two\na lamp"
    folder = drawn.folder / notebook.FOLDER.lstrip("/")
    (folder / "From outside.txt").write_bytes(b"line\xff one\r\n\x07two")
    drawn.press(3)
    drawn.tap("icon-notes")
    drawn.tap_at(*middle(drawn.with_text("From outside")))
    assert drawn.element("note-body")["text"] == "line\ufffd one\ntwo"


def test_a_note_with_a_new_title_is_a_file_with_a_new_name(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-notes")
    drawn.tap_at(*middle(drawn.with_text("Soup")))
    drawn.tap("note-title")
    drawn.phone.typing.chosen()
    drawn.phone.text("../Calls", "scrcpy")
    drawn.tap("notes/note/save")
    names = set(_notes(drawn))
    assert "Soup" not in names
    assert {"Calls", "Calls (2)"} <= names
    assert drawn.element("note-title")["text"] == "Calls (2)"
    drawn.tap("more")
    drawn.tap("menu/delete")
    drawn.tap("button-delete")
    assert "Calls (2)" not in _notes(drawn)
    assert "Calls" in _notes(drawn)


@pytest.mark.parametrize(
    ("title", "name"),
    [("a/b\\c", "a b c"), ("...", "Note"), ("x" * 500, "x" * 120), ("\x00\n", "Note"),
     ("字" * 90, "字" * 40), (" .hidden ", "hidden")],
)  # fmt: skip
def test_a_title_never_leaves_the_folder_of_the_notes(
    tmp_path: Path, title: str, name: str
) -> None:
    made = Notebook(Files(tmp_path))
    before = sum(len(files) for _, _, files in os.walk(tmp_path))
    assert made.put("", title, "text", BOOT_TIME) == name
    folder = tmp_path / notebook.FOLDER.lstrip("/")
    assert (folder / f"{name}.txt").read_text() == "text"
    assert sum(len(files) for _, _, files in os.walk(tmp_path)) == before + 1


def test_a_long_note_keeps_the_cursor_above_the_keyboard(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-notes")
    drawn.tap("new-note")
    drawn.tap("note-body")
    drawn.phone.text("\n".join(f"line {i}" for i in range(60)), "scrcpy")
    board = drawn.element("keyboard/board")["box"]
    field = drawn.phone.typing.field
    assert field is not None
    assert field.layout is not None
    row = len(field.layout.lines)
    bottom = (field.layout.top + row * field.layout.line_height) * 210 / 160
    assert board[1] - 80 < bottom <= board[1]


# --- shop ------------------------------------------------------------------------------------
def test_plants_go_from_the_shelf_over_the_basket_to_an_order(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-fernway")
    drawn.tap("kind-shade")
    drawn.tap("product-sword-fern/add")
    drawn.tap("product-sedge")
    drawn.tap("quantity/more")
    drawn.tap("shop/product/add")
    drawn.tap("open-basket")
    rows = "SELECT product, count FROM basket ORDER BY rowid"
    assert drawn.rows(greenhouse.PATH, rows) == [("sword-fern", 1), ("sedge", 2)]
    assert drawn.element("store/total")["text"] == "27.30"
    drawn.tap("line-sword-fern/less")
    drawn.tap("line-sedge/more")
    assert drawn.element("store/total")["text"] == "19.20"
    drawn.tap("check-out")
    drawn.tap("recipient-name")
    drawn.write("Ana")
    drawn.tap("keyboard/action")
    drawn.write("Mill Lane")
    drawn.press(4)
    drawn.tap("delivery-pick-up")
    drawn.tap("place-order")
    drawn.tap("button-cancel")
    drawn.tap("place-order")
    drawn.tap("button-order")
    assert drawn.element("order-number")["text"] == "Order 0001 is on its way"
    orders = "SELECT items, delivery, address, total_cents FROM orders"
    assert drawn.rows(greenhouse.PATH, orders) == [("3 × Sedge", "Pick up", "Ana, Mill Lane", 1920)]
    assert drawn.rows(greenhouse.PATH, rows) == []


def test_the_button_on_a_card_has_no_node_of_its_own(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-fernway")
    button = drawn.element("product-agave/add")
    assert (button["node"], button["clickable"]) == (False, True)
    assert drawn.element("product-agave")["node"] is True
    xml = drawn.phone.hierarchy()
    assert 'content-desc="Agave"' in xml
    assert "17.20" not in xml
    assert 'text="Add"' not in xml
    assert ":id/canvas" in drawn.phone.hierarchy(compressed=True)


def test_the_shelves_load_for_a_moment_with_a_light_that_moves(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn(deterministic=False, size=(270, 600), density=105)
    drawn.tap("icon-fernway")
    assert "product-agave" not in _ids(drawn)
    assert drawn.phone.idle_for_us() == 0
    drawn.loop.advance(2.0)
    assert drawn.element("product-agave")["clickable"]
    drawn.loop.advance(3.0)
    assert drawn.phone.idle_for_us() > 1_000_000


def test_a_flung_list_goes_on_after_the_finger_left(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn(deterministic=False, size=(270, 600), density=105)
    drawn.tap("icon-fernway")
    drawn.loop.advance(2.0)
    drawn.swipe(135, 500, 135, 380, seconds=0.06, steps=4)
    first = drawn.phone.picture().pixels.tobytes()
    drawn.loop.advance(0.2)
    second = drawn.phone.picture().pixels.tobytes()
    drawn.loop.advance(3.0)
    assert first != second != drawn.phone.picture().pixels.tobytes()


# --- reader ----------------------------------------------------------------------------------
def test_a_page_is_one_node_and_the_truth_knows_what_is_in_it(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-reader")
    drawn.tap("article-dredger")
    inside = [e for e in drawn.elements().values() if "/article/web/" in e["id"]]
    assert len(inside) > 6
    assert {e["node"] for e in inside} == {False}
    web = drawn.element("reader/article/web")
    assert (web["node"], web["class"], web["scrollable"]) == (
        True,
        "android.webkit.WebView",
        True,
    )
    xml = drawn.phone.hierarchy()
    assert 'class="android.webkit.WebView"' in xml
    assert "Nobody waves" not in xml
    for _ in range(2):
        drawn.swipe(270, 1000, 270, 300)
    drawn.tap("web/useful")
    assert drawn.log("gesture")[-1]["element"]["text"] == "Was it useful?"


def test_a_bookmark_keeps_the_page_and_the_type_its_size(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-reader")
    drawn.tap("article-night-trains")
    drawn.swipe(270, 1000, 270, 300)
    page = drawn.element("article/page")["text"]
    assert page in ("Page 2 of 3", "Page 3 of 3")
    drawn.tap("reader/article/bookmark")
    drawn.tap("type-size")
    drawn.tap("option-largest")
    rows = drawn.rows(bookmarks.PATH, "SELECT article, page FROM bookmarks")
    assert rows == [("night-trains", int(page.split()[1]))]
    size = "SELECT value FROM settings WHERE name = 'type_size'"
    assert drawn.rows(bookmarks.PATH, size) == [("Largest",)]
    drawn.press(4)
    drawn.tap("filter-bookmarks")
    listed = [key for key in drawn.elements() if key.endswith("/title") and "article-" in key]
    assert listed == ["reader/list/article-night-trains/title"]


# --- clock -----------------------------------------------------------------------------------
def test_a_running_stopwatch_is_never_idle(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn(deterministic=False, size=(270, 600), density=105)
    drawn.tap("icon-clock")
    drawn.loop.advance(3.0)
    assert drawn.phone.idle_for_us() > 1_000_000
    drawn.tap("tab-stopwatch")
    drawn.tap("main/start")
    before = drawn.phone.picture()
    drawn.loop.advance(12.0)
    assert drawn.phone.idle_for_us() == 0
    after = drawn.phone.picture()
    assert 60 <= after.screen - before.screen <= 125
    assert drawn.element("main/taken")["text"].startswith("00:12.")
    assert drawn.log("screen")[-1]["settled"] is False
    drawn.tap("main/lap")
    drawn.tap("main/start")
    drawn.loop.advance(3.0)
    assert drawn.phone.idle_for_us() > 1_000_000
    assert drawn.element("lap-1/time")["text"].startswith("00:12.")


def test_the_hands_stand_while_another_app_is_in_front_or_the_screen_is_off(
    make_drawn: MakeDrawn,
) -> None:
    drawn = make_drawn(deterministic=False, size=(270, 600), density=105)
    drawn.tap("icon-clock")
    drawn.tap("tab-clock")
    drawn.loop.advance(1.0)
    drawn.press(3)
    drawn.loop.advance(3.0)
    number = drawn.phone.picture().screen
    drawn.loop.advance(3.0)
    assert drawn.phone.picture().screen == number
    drawn.tap("icon-clock")
    drawn.loop.advance(2.0)
    assert drawn.phone.picture().screen > number + 15
    drawn.phone.wake(False)
    number = drawn.phone.picture().screen
    drawn.loop.advance(3.0)
    assert drawn.phone.picture().screen == number


def test_on_a_deterministic_phone_the_watch_stands_and_still_is_never_idle(
    make_drawn: MakeDrawn,
) -> None:
    drawn = make_drawn()
    drawn.tap("icon-clock")
    drawn.tap("tab-stopwatch")
    drawn.tap("main/start")
    picture = drawn.phone.picture()
    drawn.loop.advance(30.0)
    assert drawn.phone.idle_for_us() == 0
    assert drawn.phone.picture() is picture
    assert drawn.loop.timers == 0


def test_an_alarm_is_set_and_turned_off(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-clock")
    drawn.tap("new-alarm")
    drawn.tap("hour-21")
    drawn.tap("minute-40")
    drawn.tap("ok")
    rows = "SELECT hour, minute, enabled FROM alarms WHERE days = 'Once'"
    assert drawn.rows(alarms.PATH, rows) == [(21, 40, 1)]
    drawn.tap("alarm-4")
    assert drawn.rows(alarms.PATH, rows) == [(21, 40, 0)]


# --- vault, settings -------------------------------------------------------------------------
def test_a_protected_screen_is_black_but_for_the_tree_and_the_truth(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-vault")
    assert drawn.phone.picture().pixels[:, :, :3].any()
    assert drawn.log("screen")[-1]["secure"] is False
    drawn.tap("unlock")
    assert not drawn.phone.picture().pixels[:, :, :3].any()
    assert drawn.phone.secure
    line = drawn.log("screen")[-1]
    assert (line["secure"], line["activity"]) == (True, ".SecretsActivity")
    assert drawn.element("secret-2/name")["text"] == "Card PIN"
    code = drawn.element("secret-2/code")["text"]
    assert f'text="{code}"' in drawn.phone.hierarchy()
    drawn.tap("secret-2")
    assert drawn.phone.clipboard == code
    drawn.phone.expand("notifications")
    assert drawn.phone.picture().pixels[:, :, :3].any()
    drawn.phone.expand(None)
    drawn.press(187)
    assert {image for _, image in drawn.phone.recent()} == {None}
    assert drawn.phone.picture().pixels[:, :, :3].any()


def test_a_password_is_dots_in_picture_tree_and_truth_until_it_is_shown(
    make_drawn: MakeDrawn,
) -> None:
    drawn = make_drawn()
    drawn.tap("icon-settings")
    drawn.tap("settings/list/wifi")
    drawn.tap("network-lighthouse")
    drawn.write("secret")
    assert "word-1" not in _ids(drawn)
    field = drawn.element("password")
    assert (field["text"], field["password"]) == ("••••••", True)
    xml = drawn.phone.hierarchy()
    assert 'text="••••••"' in xml
    assert 'password="true"' in xml
    assert "secret" not in xml
    drawn.hold("password")
    assert "/actions/copy" not in _ids(drawn)
    drawn.press(31, 0x1000)
    assert drawn.phone.clipboard == ""
    drawn.tap("show-password")
    field = drawn.element("password")
    assert (field["text"], field["password"]) == ("secret", False)


def test_the_phone_joins_the_network_whose_password_the_note_has(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-settings")
    drawn.tap("settings/list/wifi")
    drawn.tap("network-lighthouse")
    assert not drawn.element("connect")["clickable"]
    drawn.phone.text("grey-heron-72", "scrcpy")
    drawn.tap("connect")
    assert drawn.element("wifi-password/note")["text"] == "Wrong password"
    drawn.phone.typing.chosen()
    drawn.phone.text("grey-heron-27", "scrcpy")
    drawn.press(66)
    assert drawn.phone.setting("global", "wifi_ssid") == "Lighthouse"
    assert drawn.element("network-lighthouse/summary")["text"] == "Connected"
    drawn.tap("use-wifi")
    assert drawn.phone.setting("global", "wifi_on") == "0"
    assert "network-lighthouse" not in _ids(drawn)


def test_an_app_is_silenced_and_emptied_in_the_settings(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-calendar")
    drawn.press(3)
    drawn.tap("icon-settings")
    drawn.tap("app-list")
    drawn.tap("app-fernway")
    drawn.tap("notifications")
    drawn.phone.expand("notifications")
    titles = {e["text"] for key, e in drawn.elements().items() if key.endswith("/title")}
    assert "Good in shade" not in titles
    assert "Mara Quill" in titles
    drawn.phone.expand(None)
    drawn.press(4)
    drawn.tap("app-calendar")
    drawn.rows_changed(agenda.PATH, "DELETE FROM events")
    drawn.tap("force-stop")
    drawn.tap("button-force-stop")
    assert (CALENDAR, ".MonthActivity") not in drawn.phone.tasks
    drawn.tap("clear-data")
    drawn.tap("button-clear")
    assert drawn.rows(agenda.PATH, "SELECT count(*) FROM events")[0][0] > 10


def test_brightness_follows_the_finger(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-settings")
    drawn.tap("settings/list/display")
    left, top, right, bottom = drawn.element("display/brightness")["box"]
    y = (top + bottom) / 2
    drawn.swipe((left + right) / 2, y, right - 2, y)
    assert int(drawn.phone.setting("system", "screen_brightness") or 0) > 230
    drawn.tap("darker")
    assert int(drawn.phone.setting("system", "screen_brightness") or 0) < 230
