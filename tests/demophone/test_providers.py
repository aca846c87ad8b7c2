"""Content providers, sqlite3, the userdebug build and a Pixel's packages, over real adb."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from taptrail.usecases.demo_phone import DemoPhone, running_demo_phone

SMS = "/data/data/com.android.providers.telephony/databases/mmssms.db"


@pytest.fixture(scope="module")
def pixel() -> Iterator[DemoPhone]:
    with running_demo_phone(deterministic=True, options=("--root", "--pixel-packages")) as phone:
        yield phone


def run(phone: DemoPhone, command: str) -> tuple[int | None, str]:
    done = phone.devices.device(phone.serial).run(command)
    return done.code, done.text + done.error.decode()


def test_contacts_and_messages_are_told_in_androids_columns(pixel: DemoPhone) -> None:
    words = "content query --uri content://contacts/phones/ --projection display_name:number"
    code, text = run(pixel, words)
    assert code == 0
    assert text.startswith("Row: 0 display_name=")
    assert ", number=555 01" in text
    code, text = run(pixel, "content query --uri content://sms/sent --where 'type = 2'")
    assert code == 0
    assert {"address=", "date=", "body="} <= {word.partition("=")[0] + "=" for word in text.split()}
    assert run(pixel, "content query --uri content://nobody/x")[0] == 1


def test_what_is_deleted_by_a_provider_is_gone_in_the_app(pixel: DemoPhone) -> None:
    assert run(pixel, f'sqlite3 {SMS} "DELETE FROM sms;"') == (0, "")
    assert run(pixel, "content query --uri content://sms")[1] == "No result found.\n"
    assert run(pixel, "pm clear com.android.providers.contacts") == (0, "Success\n")
    assert run(pixel, "content query --uri content://contacts/phones")[1] == "No result found.\n"
    assert run(pixel, "sqlite3 /sdcard/none.db 'SELECT 1'")[0] == 1
    assert run(pixel, f"sqlite3 {SMS} \"ATTACH '/etc/passwd' AS x\"")[0] == 1


def test_broadcasts_to_the_clipboard_s_helper_set_and_read_it(pixel: DemoPhone) -> None:
    assert run(pixel, "am start -W -n ca.zgrs.clipper/ca.zgrs.clipper.Main")[0] == 0
    assert "result=-1" in run(pixel, "am broadcast -a clipper.set -e text 'two words'")[1]
    told = run(pixel, "am broadcast -a clipper.get")[1]
    assert told.endswith('Broadcast completed: result=-1, data="two words"\n')
    assert run(pixel, "am broadcast -a another.one")[1].endswith("Broadcast completed: result=0\n")


def test_a_userdebug_build_is_root_and_its_clock_can_be_set(pixel: DemoPhone) -> None:
    assert run(pixel, "whoami") == (0, "root\n")
    assert run(pixel, "date 101515342023.00")[0] == 0
    assert run(pixel, "date +%Y-%m-%dT%H:%M")[1] == "2023-10-15T15:34\n"
    assert run(pixel, "date nonsense")[0] == 1
    code, text = run(pixel, "am start -W -n com.android.settings/.Settings")
    assert (code, "Error" in text) == (0, False)
    assert "topActivity=ComponentInfo{com.android.settings/" in run(pixel, "am stack list")[1]
    assert "com.google.android.deskclock" in run(pixel, "pm list packages")[1]


def test_a_production_build_is_no_root_and_keeps_its_clock() -> None:
    with running_demo_phone(deterministic=True) as phone:
        assert run(phone, "whoami") == (0, "shell\n")
        assert run(phone, "date 101515342023.00")[0] == 1
        assert "com.taptrail.demo.settings" in run(phone, "pm list packages")[1]
