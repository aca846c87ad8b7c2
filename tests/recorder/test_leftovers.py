"""What stays on a phone: nothing, after an orderly end or after the start that follows a kill."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from episodes.actions import Ending
from tests.demophone.phones import RunningPhone, StartPhone
from tests.e2e.test_kill_nine import record_and_kill
from tests.recorder.conftest import ARGUMENTS, Recorder, until

SETTING = "settings get global stay_on_while_plugged_in"


def things(phone: RunningPhone) -> dict[str, object]:
    """Returns the files, processes, settings and port rules of a phone."""
    rules = [phone.adb(kind, "--list").stdout.strip() for kind in ("forward", "reverse")]
    return {
        "files": sorted(phone.shell("ls /data/local/tmp").split()),
        "servers": phone.shell("ps -A -o ARGS | grep app_process; true").strip(),
        "setting": phone.shell(SETTING).strip() in ("0", "null"),
        "rules": rules,
    }


def test_nothing_stays_on_a_phone_after_an_end_or_after_the_start_that_follows_a_kill(
    demo_phone: StartPhone, record: Callable[..., Recorder], tmp_path: Path
) -> None:
    phone = demo_phone(*ARGUMENTS)
    before = things(phone)
    assert before["setting"]
    record_and_kill(phone, tmp_path / "killed", 1, 1, 0.1)
    # Killed between copying its server and starting it, a program leaves the file.
    phone.shell("echo x > /data/local/tmp/taptrail-scrcpy-0badcafe.jar")
    phone.shell("echo x > /data/local/tmp/somebody-elses.jar")
    recorder = record(phone, trees=lambda device: device.tree_source())
    recorder.begin()
    assert phone.shell(SETTING).strip() == "7"
    assert "taptrail-scrcpy-0badcafe.jar" not in phone.shell("ls /data/local/tmp")
    recorder.session.finish(Ending.COMPLETE)
    assert recorder.session.ended.wait(30)
    recorder.mirror.stop()
    phone.shell("rm /data/local/tmp/somebody-elses.jar")
    until(lambda: things(phone) == before, "the phone is as it was", 10)
