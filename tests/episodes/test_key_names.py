"""Keys of a phone in words."""

import pytest

from episodes.key_names import format_key


@pytest.mark.parametrize(
    ("native", "words"),
    [
        ("KEYCODE_DPAD_UP", "Dpad up"),
        ("META_CTRL_ON+KEYCODE_4", "Ctrl+4"),
        ("META_CTRL_ON+META_SHIFT_ON+KEYCODE_MOVE_HOME", "Ctrl+Shift+Move home"),
        ("KEY_WITHOUT_PREFIX", "Key without prefix"),
        ("", ""),
        (None, ""),
    ],
)
def test_a_key_is_called_as_people_call_it(native: str | None, words: str) -> None:
    assert format_key(native) == words
