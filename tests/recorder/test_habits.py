"""Recordings of demo phones with the habits of real ones: the library is right, or says so."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.lint.episode_view import LibraryFacts
from annotator.lint.rules import lint
from episodes.actions import ElementRef, Ending, Key, Tap
from episodes.episodes import Episode
from episodes.geometry import Point, Size
from episodes.screens import TreeFit
from recorder.device.interface import VideoOptions
from recorder.device.scrcpy.server import carried_server, encoder_trouble, undelivered_input
from recorder.devices import open_devices
from recorder.events import Problem, StepSaved
from recorder.inputs import KeyPress
from tests.demophone.phones import StartPhone
from tests.recorder.conftest import ARGUMENTS, Recorder, until

ODD = ("second-display", "vendor-noise", "long-names")
Record = Callable[..., Recorder]


def finish(recorder: Recorder) -> Episode:
    """Ends the episode and returns it as the library has it."""
    recorder.session.finish(Ending.COMPLETE)
    assert recorder.session.ended.wait(30)
    return recorder.episode()


def test_an_input_the_phone_refuses_is_marked_and_reported_once(
    demo_phone: StartPhone, record: Record
) -> None:
    phone = demo_phone(*ARGUMENTS, "--habit", "refuse-injection")
    recorder = record(phone)
    recorder.begin()
    recorder.hand.rest()
    recorder.hand.do(Tap(Point(360, 1500)))
    recorder.wait(StepSaved)
    until(lambda: bool(recorder.all_of(Problem)), "the refusal is told")
    episode = finish(recorder)
    told = {str(problem.error) for problem in recorder.all_of(Problem)}
    assert [text for text in told if "refuses touches and keys" in text] == [
        "Cannot send this to the phone: the phone refuses touches and keys from a computer. "
        "Turn on “USB debugging (Security settings)” in its developer options, and connect it "
        "again."
    ]
    assert len(recorder.all_of(Problem)) == 1
    assert phone.truth("input") == []
    assert [gap.reason for gap in episode.gaps] == ["undelivered"]
    facts = LibraryFacts()
    found = [one.step for one in lint(episode, facts, ("undelivered", "gap"))]
    assert found == [episode.steps[0].index]


def test_the_character_that_cannot_be_typed_is_named() -> None:
    told = undelivered_input("[server] WARN: Could not inject char u+8bf4")
    assert "its keyboard cannot type “说”, so this character is missing" in str(told)


def test_two_displays_vendor_noise_and_long_names_change_nothing_in_a_recording(
    demo_phone: StartPhone, record: Record
) -> None:
    habits = [word for name in ODD for word in ("--habit", name)]
    phone = demo_phone(*ARGUMENTS, *habits)
    recorder = record(phone)
    recorder.begin()
    recorder.mirror.device.apps()
    recorder.hand.rest()
    recorder.hand.do(Tap(ElementRef(text="Phone")))
    recorder.hand.rest()
    step = finish(recorder).steps[0]
    assert step.foreground is not None
    in_front = phone.truth("foreground")[0]
    assert step.foreground.package == in_front["package"]
    assert step.foreground.label == f"{in_front['label']} (parental controls), 电话"
    assert step.tree is not None
    assert step.tree.fit is TreeFit.FRESH


def test_a_phone_that_does_not_report_its_sleep_is_reported_and_its_trees_are_not_fresh(
    demo_phone: StartPhone, record: Record
) -> None:
    recorder = record(demo_phone(*ARGUMENTS, "--habit", "no-runtime-line"))
    recorder.begin()
    told = recorder.wait(Problem)
    assert "does not report how long it has slept" in str(told.error)
    recorder.hand.rest()
    recorder.hand.do(Tap(ElementRef(text="Phone")))
    (step, _) = finish(recorder).steps
    assert step.began.device_us is None
    assert step.tree is not None
    assert step.tree.fit is not TreeFit.FRESH


def test_a_server_of_version_4_chosen_by_the_user_records(
    demo_phone: StartPhone,
    record: Record,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    named = tmp_path / "scrcpy-server-v4.1"
    named.write_bytes(carried_server().data)
    monkeypatch.setenv("SCRCPY_SERVER_PATH", str(named))
    arguments = ["720x1604" if word == "720x1600" else word for word in ARGUMENTS]
    phone = demo_phone(*arguments)
    recorder = record(phone)
    recorder.begin()
    recorder.hand.rest()
    recorder.hand.do(Tap(ElementRef(text="Phone")))
    recorder.hand.rest()
    episode = finish(recorder)
    step, segment = episode.steps[0], episode.segments[0]
    assert phone.truth("foreground")[-1]["label"] == "Phone"
    assert step.tree is not None
    assert step.tree.fit is TreeFit.FRESH
    assert (segment.server, segment.size) == ("4.1", Size(720, 1604))  # 3.x would make it 1600


@pytest.mark.parametrize("faults", [(), ("--faults", "locked")])
def test_a_lock_screen_is_recognised_in_the_words_of_android_10(
    demo_phone: StartPhone, faults: tuple[str, ...]
) -> None:
    phone = demo_phone(*ARGUMENTS, "--habit", "old-lock", *faults)
    assert open_devices(port=phone.adb_port).device(phone.serial).locked() is bool(faults)


def test_only_lines_about_input_and_encoders_are_reported() -> None:
    assert undelivered_input("[server] ERROR: Could not invoke method") is None
    assert undelivered_input("[server] WARN: Could not inject char u+fffffff") is None
    assert encoder_trouble("[server] INFO: Retrying with -m1920...") is None
    failed = encoder_trouble("[server] ERROR: Capture/encoding error: CodecException: 0x80001001")
    assert "its video encoder failed (CodecException: 0x80001001)" in str(failed)


def test_trees_count_the_pixels_of_a_screen_that_changed_its_size_while_recording(
    demo_phone: StartPhone, record: Record
) -> None:
    phone = demo_phone(*ARGUMENTS, "--habit", "resizable")
    recorder = record(phone, options=VideoOptions(max_size=800))
    recorder.begin()
    recorder.hand.rest()
    recorder.hand.do(Tap(ElementRef(text="Phone")))
    recorder.wait(StepSaved)
    recorder.session.send(KeyPress(Key.HOME, recorder.hand.see(), time.monotonic_ns()))
    recorder.wait(StepSaved, 2)
    recorder.hand.rest()
    phone.shell("wm size 1200x1600")
    until(lambda: recorder.hand.see().size == Size(600, 800), "the new size is shown")
    recorder.hand.rest()
    recorder.until_seen(phone)
    recorder.hand.do(Tap(ElementRef(text="Phone")))
    recorder.wait(StepSaved, 3)
    recorder.hand.rest()
    first, _, last, *_ = finish(recorder).steps
    for step, size in ((first, Size(720, 1600)), (last, Size(1200, 1600))):
        assert step.tree is not None
        assert step.tree.record is not None
        assert (step.tree.fit, step.tree.record.size) == (TreeFit.FRESH, size)
    opened = [line["label"] for line in phone.truth("foreground")]
    assert opened.count("Phone") == 2
