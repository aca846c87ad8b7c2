"""The promise of `tests/e2e/test_all_apps.py`, for two hundred actions over every app."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.demophone.phones import StartPhone, adb_server, demo_phone
from tests.e2e.all_apps import SCENES
from tests.e2e.test_all_apps import check_walk

__all__ = ["adb_server", "demo_phone"]

APPS = [
    *("calendar", "clock", "contacts", "launcher", "messages", "notes", "phone", "reader"),
    *("settings", "shop", "vault"),
]


def test_two_hundred_actions_over_all_apps_agree_with_the_phone_or_say_that_they_may_not(
    qtbot: QtBot, demo_phone: StartPhone, tmp_path: Path
) -> None:
    steps = check_walk(qtbot, demo_phone, tmp_path, SCENES)
    assert len(steps) >= 200
    apps = {step.foreground.package.rpartition(".")[2] for step in steps if step.foreground}
    assert sorted(apps) == APPS
