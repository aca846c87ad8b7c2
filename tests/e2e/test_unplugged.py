"""A phone that goes away, and a disk that is full, in the middle of a recording in the window."""

from __future__ import annotations

import hashlib
import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from episodes.actions import Key, PressKey
from episodes.episodes import Episode, EpisodeState
from episodes.geometry import Direction
from episodes.media.packets import SegmentReader
from episodes.steps import Step
from episodes.store.library import Library
from tests.demophone.phones import AdbServer, StartPhone, adb_server, demo_phone, start_phone
from tests.e2e import checks
from tests.e2e.bench import Bench, recording
from tests.e2e.truth import TruthLog
from tests.e2e.walk import Pace, Walker

__all__ = ["adb_server", "demo_phone"]

PHONE = ("--size", "540x1200", "--density", "210", "--faults", "dump-slow=50")
SMALL_DISK = 8 << 20
LONGEST_FILE = 1536 << 10


def saved(bench: Bench, count: int) -> None:
    """Waits until the window shows a number of steps."""
    bench.until(lambda: len(bench.shown) >= count)


def check_whole(folder: Path, uuid: str, shown: list[Step]) -> Episode:
    """Whether what was shown is there, each step with its picture or packet, and those whole."""
    with Library.read(folder) as library:
        episode = library.episode(uuid)
        kept = {step.index: step for step in episode.steps}
        assert [kept.get(step.index) for step in shown] == shown
        for step in episode.steps:
            assert step.frame is not None
            if step.frame.still is None:  # there was no room for it: its picture is in the video
                assert step.frame.packet is not None, step
                continue
            data = library.stills.read(step.frame.still.sha256, step.frame.still.media_type)
            assert hashlib.sha256(data).hexdigest() == step.frame.still.sha256
        for segment in episode.segments:
            packets = library.packets(uuid, segment.number)
            path = library.episode_folder(uuid) / segment.file
            with SegmentReader(path, packets, segment.codec) as reader:
                for number in range(len(packets)):
                    reader.frame(number)
            for frame in (step.frame for step in episode.steps):
                assert frame is not None
                if frame.segment == segment.number:
                    assert frame.packet is not None
                    assert packets[frame.packet].pts_us == frame.pts_us
    return episode


@pytest.mark.xdist_group("mirror")
def test_a_phone_that_adb_loses_is_waited_for_and_the_recording_goes_on(
    qtbot: QtBot, demo_phone: StartPhone, adb_server: AdbServer, tmp_path: Path
) -> None:
    phone = demo_phone(*PHONE)
    with recording(qtbot, phone, tmp_path / "library") as bench:
        hand = Walker(bench, TruthLog(phone.truth_path), seed=5)
        hand.tap("launcher/home/icon-contacts")
        hand.key(Key.HOME)
        saved(bench, 2)
        adb_server.run("disconnect", phone.serial)
        bench.until(lambda: bench.record.pill.word() == "Waiting for the phone")
        assert bench.view.accessibleDescription() != ""
        bench.click("Recents")  # goes nowhere, and is no step
        phone.connect()
        bench.wait_for_segment(1)
        bench.until(lambda: bench.view.accessibleDescription() == "")
        hand.tap("launcher/home/icon-messages")
        hand.key(Key.HOME)
        saved(bench, 4)
        uuid = bench.session.episode
        bench.finish()
        shown = bench.shown
    episode = check_whole(tmp_path / "library", uuid, shown)
    assert episode.state is EpisodeState.FINISHED
    assert [(gap.reason, gap.ended is not None) for gap in episode.gaps] == [("unplugged", True)]
    assert [step.frame and step.frame.segment for step in episode.steps] == [0, 0, 1, 1, 1]
    truth = hand.truth.read()
    assert checks.same_inputs(hand.done, truth) == []
    for one in checks.judged(episode.steps[:-1], hand.done, truth):
        assert [*checks.wrong_action(one), *checks.wrong_frame(one, truth)] == []


@pytest.mark.xdist_group("mirror")
def test_a_phone_that_dies_and_starts_anew_is_recorded_in_a_new_segment(
    qtbot: QtBot, demo_phone: StartPhone, adb_server: AdbServer, tmp_path: Path
) -> None:
    phone = demo_phone(*PHONE)
    with recording(qtbot, phone, tmp_path / "library") as bench:
        hand = Walker(bench, TruthLog(phone.truth_path), seed=6)
        hand.tap("launcher/home/icon-contacts")
        hand.key(Key.HOME)
        hand.tap("launcher/home/icon-settings")
        saved(bench, 3)
        phone.process.kill()
        phone.process.wait()
        bench.until(lambda: bench.record.pill.word() == "Waiting for the phone")
        before = bench.shown
        again = start_phone(adb_server, tmp_path / "again", *PHONE, "--port", str(phone.port))
        try:
            again.connect()
            bench.wait_for_segment(1)
            hand = Walker(bench, TruthLog(again.truth_path), seed=6)
            hand.tap("launcher/home/icon-messages")
            saved(bench, 4)
            uuid = bench.session.episode
            bench.finish()
            shown = bench.shown
        finally:
            again.stop()
    assert [step.action for step in shown[:3]] == [step.action for step in before]
    episode = check_whole(tmp_path / "library", uuid, shown)
    assert [(gap.reason, gap.ended is not None) for gap in episode.gaps] == [("unplugged", True)]
    assert [step.frame and step.frame.segment for step in episode.steps] == [0, 0, 0, 1, 1]
    assert episode.segments[0].ended is not None
    truth = hand.truth.read()
    (one,) = checks.judged(episode.steps[3:4], hand.done, truth)
    assert [*checks.wrong_action(one), *checks.wrong_frame(one, truth)] == []
    assert [*checks.wrong_app(one, truth)] == []


@contextmanager
def little_room(folder: Path) -> Iterator[None]:
    """Lets a folder hold a few megabytes: on a small disk, or where that may not be made, by a
    limit on the length of each file."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK}", "tmpfs", str(folder)]
    small = os.geteuid() == 0 and subprocess.run(mount, capture_output=True).returncode == 0
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    if not small:
        resource.setrlimit(resource.RLIMIT_FSIZE, (LONGEST_FILE, before[1]))
    try:
        yield
    finally:
        if small:
            subprocess.run(["umount", str(folder)], check=True)
        else:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.xdist_group("mirror")
def test_a_full_disk_is_said_in_a_sentence_and_no_shown_step_is_lost(
    qtbot: QtBot, demo_phone: StartPhone, tmp_path: Path
) -> None:
    phone = demo_phone(*PHONE)
    folder = tmp_path / "small"
    with little_room(folder):
        with recording(qtbot, phone, folder / "library") as bench:
            hand = Walker(bench, TruthLog(phone.truth_path), seed=8)
            uuid = bench.session.episode
            for number in range(120):
                hand.tap("launcher/home/icon-messages", Pace.NOW)
                hand.swipe(Direction.UP if number % 2 else Direction.DOWN, pace=Pace.NOW, share=0.6)
                hand.key(Key.HOME, Pace.NOW)
                if bench.trouble:
                    break
            said = bench.trouble
            bench.pause(1500)
            shown = bench.shown
        episode = check_whole(folder / "library", uuid, shown)
    assert said.startswith("Cannot ")
    assert "space" in said.lower() or "full" in said.lower() or "too large" in said.lower()
    assert "\n" not in said
    assert len(shown) >= 5
    assert any(step.action == PressKey(Key.HOME) for step in episode.steps)
    assert [step.index for step in episode.steps] == list(range(len(episode.steps)))
