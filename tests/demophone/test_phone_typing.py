"""Typing: soft keyboard, hard keys, clipboard, and what Back and Tab do to a form."""

from __future__ import annotations

import pytest

from demophone.views.fields import Field
from demophone.views.keycodes import CONTROL, SHIFT, character
from tests.demophone import drawn as hands
from tests.demophone.drawn import Drawn, MakeDrawn

make_drawn = hands.make_drawn


@pytest.fixture
def form(make_drawn: MakeDrawn) -> Drawn:
    """The empty form of a new contact, with the keyboard up."""
    drawn = make_drawn()
    drawn.tap("icon-contacts")
    drawn.tap("new-contact")
    assert drawn.phone.keyboard_shown
    return drawn


def _value(drawn: Drawn, field: str) -> str:
    return str(drawn.element(f"contacts/editor/{field}")["text"])


def test_the_soft_keyboard_writes_letters_signs_and_capitals(form: Drawn) -> None:
    form.write("Mara")
    form.tap("keyboard/signs")
    form.tap("keyboard/key-2")
    form.tap("keyboard/other-signs")
    form.tap("keyboard/key-√")
    form.tap("keyboard/signs")
    form.tap("keyboard/space")
    form.tap("keyboard/key-q")
    assert _value(form, "first-name") == "Mara2√ Q"
    form.tap("keyboard/backspace")
    form.hold("keyboard/backspace")
    assert _value(form, "first-name") == ""


def test_a_long_press_on_the_upper_row_writes_a_digit(form: Drawn) -> None:
    form.hold("keyboard/key-e")
    assert _value(form, "first-name") == "3"


def test_a_suggestion_takes_the_place_of_the_unfinished_word(form: Drawn) -> None:
    form.write("Dan")
    assert form.element("keyboard/word-2")["text"] == "Dana"
    form.tap("keyboard/word-2")
    assert _value(form, "first-name") == "Dana "


def test_the_action_key_goes_from_field_to_field_and_then_hides_the_keyboard(form: Drawn) -> None:
    focused = []
    for _ in range(4):
        focused.append(form.phone.typing.field.name if form.phone.typing.field else "")
        form.tap("keyboard/action")
    assert focused == ["first_name", "last_name", "phone", "email"]
    assert not form.phone.keyboard_shown


def test_hard_keys_write_move_and_delete(form: Drawn) -> None:
    form.press(41, SHIFT)
    for code in (29, 46, 29):
        form.press(code)
    form.press(21)
    form.press(67)
    form.press(123)
    form.press(8)
    assert _value(form, "first-name") == "Maa1"
    form.press(61)
    form.press(45)
    assert _value(form, "last-name") == "q"
    form.press(61, SHIFT)
    form.press(29, CONTROL)
    form.press(52, CONTROL)
    assert _value(form, "first-name") == ""
    assert form.phone.clipboard == "Maa1"
    form.press(20)
    form.press(279)
    assert _value(form, "last-name") == "qMaa1"
    form.press(66)
    assert form.phone.typing.field is not None
    assert form.phone.typing.field.name == "phone"


def test_text_goes_into_the_focused_field_and_nowhere_else(form: Drawn) -> None:
    form.phone.text("Zoë Ünal", "shell")
    assert _value(form, "first-name") == "Zoë Ünal"
    line = form.log("input")[-1]
    assert (line["kind"], line["text"], line["accepted"]) == ("text", "Zoë Ünal", True)
    assert line["element"]["id"] == "contacts/editor/first-name"
    form.press(3)
    form.phone.text("lost", "shell")
    assert form.log("input")[-1]["accepted"] is False


def test_a_paste_from_outside_is_not_told_back(form: Drawn) -> None:
    heard: list[str] = []
    end = form.phone.on_clipboard(heard.append)
    form.phone.set_clipboard("Robin", paste=True)
    assert _value(form, "first-name") == "Robin"
    assert heard == []
    form.phone.typing.chosen()
    form.phone.typing.copied()
    assert heard == ["Robin"]
    end()
    form.phone.copy("later")
    assert heard == ["Robin"]


def test_a_double_tap_chooses_a_word_that_the_next_letter_replaces(form: Drawn) -> None:
    form.phone.text("Ann Bo", "scrcpy")
    left, top, _, bottom = form.element("contacts/editor/first-name")["box"]
    x, y = left + 30, (top + bottom) / 2
    for _ in range(2):
        form.touch(hands.TouchAction.DOWN, x, y)
        form.loop.advance(0.05)
        form.touch(hands.TouchAction.UP, x, y)
        form.loop.advance(0.1)
    assert form.log("gesture")[-1]["kind"] == "double_tap"
    assert {"cut", "copy", "select-all"} <= {
        key.split("/")[-1] for key in form.elements() if "/actions/" in key
    }
    form.phone.text("Ida", "scrcpy")
    assert _value(form, "first-name") == "Ida Bo"


def test_back_hides_the_keyboard_then_asks_then_leaves(form: Drawn) -> None:
    form.write("Mara")
    form.press(4)
    assert not form.phone.keyboard_shown
    assert form.phone.foreground[1] == ".ContactEditorActivity"
    form.press(4)
    form.tap("dialog/button-keep-editing")
    assert _value(form, "first-name") == "Mara"
    form.press(4)
    form.tap("dialog/button-discard")
    assert form.phone.foreground[1] == ".ContactListActivity"
    form.press(4)
    assert form.phone.foreground[1] == ".LauncherActivity"
    form.press(4)
    assert form.phone.foreground[1] == ".LauncherActivity"


def test_a_field_for_numbers_keeps_only_what_belongs_to_one() -> None:
    field = Field("phone", kind="phone")
    field.insert("My new number is 555 0142, please save it")
    assert field.text == "555 0142"
    assert not field.insert("x")
    field.insert("#")
    assert field.text == "555 0142#"


@pytest.mark.parametrize(
    ("keycode", "meta", "written"),
    [(29, 0, "a"), (29, SHIFT, "A"), (7, 0, "0"), (8, SHIFT, "!"), (62, 0, " "), (77, 0, "@"),
     (56, 0, "."), (69, SHIFT, "_"), (153, 0, "9"), (24, 0, "")],
)  # fmt: skip
def test_key_codes_write_what_android_writes(keycode: int, meta: int, written: str) -> None:
    assert character(keycode, meta) == written


def test_a_field_takes_neither_control_characters_nor_a_whole_book() -> None:
    field = Field("name", multiline=True)
    field.insert("a\x00b\udcffc\nd")
    assert field.text == "abc\nd"
    field.insert("x" * 10_000)
    assert len(field.text) == 4000


def test_text_that_is_no_unicode_reaches_log_and_field_without_harm(form: Drawn) -> None:
    form.phone.text("Ma\udcffra", "shell")
    assert _value(form, "first-name") == "Mara"
    assert form.log("input")[-1]["text"] == "Ma\udcffra"


def test_the_keyboard_slides_in_and_out(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn(deterministic=False)
    drawn.tap("icon-contacts")
    drawn.loop.advance(1.0)
    drawn.tap_at(*hands.middle(drawn.element("search-field")))
    drawn.loop.advance(1.0)
    up = drawn.phone.picture().pixels
    drawn.phone.key(4, True, 0, "scrcpy")
    moving = []
    for _ in range(6):
        drawn.loop.advance(0.03)
        moving.append(drawn.phone.picture().pixels[700:].tobytes())
    drawn.loop.advance(1.0)
    assert len(set(moving)) > 3
    assert up[700:].tobytes() not in moving
    assert drawn.log("screen")[-1]["settled"] is True


def test_the_menu_key_opens_the_menu(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-messages")
    drawn.press(82)
    assert any("/menu/" in key for key in drawn.elements())
    drawn.press(4)
    assert not any("/menu/" in key for key in drawn.elements())


def test_an_unknown_key_is_refused(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.press(999)
    assert [line["accepted"] for line in drawn.log("input")] == [False, False]
    assert drawn.log("gesture") == []
