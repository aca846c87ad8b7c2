"""Keys and text become control messages."""

import pytest

from episodes.actions import Key
from recorder.device.scrcpy import messages
from recorder.device.scrcpy.encoding import (
    CODES,
    key_code,
    paste_messages,
    press_messages,
    text_messages,
)


def test_every_named_key_but_other_has_a_code() -> None:
    assert set(CODES) == set(Key) - {Key.OTHER}
    assert key_code(Key.OTHER, "KEYCODE_ESCAPE") == 111


@pytest.mark.parametrize("name", [None, "KEYCODE_NOPE"])
def test_an_unknown_key_is_refused(name: str | None) -> None:
    with pytest.raises(ValueError, match="is not known"):
        key_code(Key.OTHER, name)


def test_held_keys_come_before_the_name_of_a_key() -> None:
    assert [
        press_messages(Key.OTHER, "META_CTRL_ON+KEYCODE_A"),
        press_messages(Key.OTHER, "META_CTRL_ON+META_SHIFT_ON+KEYCODE_DPAD_LEFT"),
    ] == [messages.press(29, 0x1000), messages.press(21, 0x1001)]
    with pytest.raises(ValueError, match="META_NOPE is not known"):
        press_messages(Key.OTHER, "META_NOPE+KEYCODE_A")


def test_copy_and_cut_ask_for_what_was_copied() -> None:
    assert [press_messages(Key.OTHER, name) for name in ("KEYCODE_COPY", "KEYCODE_CUT")] == [
        (messages.get_clipboard(messages.CopyKey.COPY),),
        (messages.get_clipboard(messages.CopyKey.CUT),),
    ]


def test_a_pasted_text_goes_as_one() -> None:
    assert paste_messages("one\ntwo") == [messages.set_clipboard("one\ntwo", paste=True)]
    assert paste_messages("") == []


def test_text_the_key_map_knows_is_typed_and_the_rest_is_pasted() -> None:
    assert text_messages("Hi über\nok") == [
        messages.text("Hi "),
        messages.set_clipboard("ü", paste=True),
        messages.text("ber"),
        *press_messages(Key.ENTER),
        messages.text("ok"),
    ]


def test_long_text_is_typed_in_pieces_without_losing_any() -> None:
    sent = text_messages("x" * 700)
    assert [len(message) - 5 for message in sent] == [300, 300, 100]
