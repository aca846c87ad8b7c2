"""Scripts that name what they act on."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from episodes.actions import (
    ElementRef,
    Ending,
    Finish,
    Key,
    OpenApp,
    PressKey,
    Scroll,
    Tap,
    kind,
)
from episodes.episodes import Actor, Episode, EpisodeState, Task
from episodes.errors import KnownError
from episodes.geometry import Box, Direction, Point, Size
from episodes.steps import Step
from episodes.store.library import Library
from recorder.device.adb.device import AdbDevice
from recorder.devices import open_devices
from taptrail.usecases import recording
from taptrail.usecases.recording import read_script, record_script
from tests.demophone.phones import RunningPhone, StartPhone, adb_server, demo_phone

__all__ = ["adb_server", "demo_phone"]


def test_a_named_element_is_hit_in_its_middle_where_the_video_has_other_pixels(
    demo_phone: StartPhone, tmp_path: Path
) -> None:
    phone = demo_phone("--deterministic", "--size", "540x1172", "--density", "210")
    screen = phone.wait_for("screen")
    icon = max(
        (one for one in screen["elements"] if one["id"].startswith("launcher/home/icon-")),
        key=lambda one: (one["box"][2], one["box"][3]),
    )
    done = record_script(
        phone.serial,
        Task("open the app in the corner"),
        tmp_path / "library",
        [Tap(ElementRef(text=icon["text"] or icon["desc"]))],
        devices=open_devices(port=phone.adb_port),
    )
    with Library.read(tmp_path / "library") as library:
        (step,) = library.episode(done.uuid).steps
    assert step.frame is not None
    assert step.frame.size == Size(544, 1168)
    middle = Box(*icon["box"]).centre
    pressed = phone.wait_for("input", action="down")
    assert pressed["element"]["id"] == icon["id"]
    assert (pressed["x"], pressed["y"]) == pytest.approx((middle.x, middle.y), abs=1)


def test_an_element_that_is_not_there_ends_the_script_and_its_episode_is_named(
    demo_phone: StartPhone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "FIND_SECONDS", 0.5)
    phone = demo_phone("--deterministic", "--size", "540x1172", "--density", "210")
    adb = open_devices(port=phone.adb_port)
    actions = [PressKey(Key.HOME), Tap(ElementRef(text="Nowhere"))]
    with pytest.raises(KnownError) as raised:
        record_script(phone.serial, Task("look for it"), tmp_path / "library", actions, devices=adb)
    with Library.read(tmp_path / "library") as library:
        (line,) = library.episodes()
        episode = library.episode(line.uuid)
    assert (line.state, line.step_count) == (EpisodeState.INCOMPLETE, 1)
    assert raised.value.found == (
        "there is no “Nowhere” on its screen; e-0001 is left incomplete, with 1 step"
    )
    assert episode.actor == Actor("agent", agent="script")


SMALL = ("--deterministic", "--size", "540x1172", "--density", "210")
SCRIPTS = Path(__file__).resolve().parents[1] / "samples" / "scripts"


def only_episode(folder: Path) -> Episode:
    with Library.read(folder) as library:
        (line,) = library.episodes()
        return library.episode(line.uuid)


def test_two_texts_are_two_steps(demo_phone: StartPhone, tmp_path: Path) -> None:
    phone = demo_phone(*SMALL)
    actions = read_script(SCRIPTS / "two.json")
    done = record_script(
        phone.serial,
        Task("type"),
        tmp_path / "library",
        actions,
        devices=open_devices(port=phone.adb_port),
    )
    assert done.finished
    steps = only_episode(tmp_path / "library").steps
    assert [step.action for step in steps] == list(actions)


def test_two_scrolls_and_two_taps_at_one_place_are_steps_of_their_own(
    demo_phone: StartPhone, tmp_path: Path
) -> None:
    phone = demo_phone(*SMALL)
    place = Point(270, 600)
    actions = [
        *[Scroll(Direction.UP, place)] * 2,
        *[Tap(place)] * 2,
        Finish(Ending.COMPLETE),
    ]
    record_script(
        phone.serial,
        Task("twice"),
        tmp_path / "library",
        actions,
        devices=open_devices(port=phone.adb_port),
    )
    steps = only_episode(tmp_path / "library").steps
    assert [kind(step.action) for step in steps] == ["scroll", "scroll", "tap", "tap", "finish"]


@pytest.mark.parametrize("name", ["Contacts", " contacts ", "com.taptrail.demo.contacts"])
def test_an_app_is_opened_by_the_name_the_phone_tells(
    demo_phone: StartPhone, tmp_path: Path, name: str
) -> None:
    phone = demo_phone(*SMALL)
    actions = [OpenApp(name), PressKey(Key.HOME), Finish(Ending.COMPLETE)]
    done = record_script(
        phone.serial,
        Task("open"),
        tmp_path / "library",
        actions,
        devices=open_devices(port=phone.adb_port),
    )
    assert (done.finished, done.problems) == (True, ())
    steps = only_episode(tmp_path / "library").steps
    assert steps[0].action == OpenApp("Contacts")
    assert steps[1].foreground is not None
    assert steps[1].foreground.package == "com.taptrail.demo.contacts"


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Kontakte", r"none of the phone's \d+ apps has this name or package"),
        ("Contact", "similar ones are “Contacts”"),
    ],
)
def test_an_app_the_phone_does_not_have_is_refused(
    demo_phone: StartPhone, tmp_path: Path, name: str, found: str
) -> None:
    phone = demo_phone(*SMALL)
    actions = [PressKey(Key.HOME), OpenApp(name), Finish(Ending.COMPLETE)]
    with pytest.raises(KnownError, match=found):
        record_script(
            phone.serial,
            Task("open"),
            tmp_path / "library",
            actions,
            devices=open_devices(port=phone.adb_port),
        )
    episode = only_episode(tmp_path / "library")
    assert episode.state is EpisodeState.INCOMPLETE
    assert [step.action for step in episode.steps] == [PressKey(Key.HOME)]


def test_an_app_that_does_not_come_to_the_front_is_no_step(
    demo_phone: StartPhone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "FRONT_SECONDS", 0.5)
    phone = demo_phone(*SMALL)
    adb = open_devices(port=phone.adb_port)
    found: list[str] = []

    def other_app(self: AdbDevice, name: str) -> str:
        found.append(name)
        return "org.example.gone"  # as a package that is disabled

    monkeypatch.setattr(AdbDevice, "find_app", other_app)
    actions = [PressKey(Key.HOME), OpenApp("Gone"), Finish(Ending.COMPLETE)]
    with pytest.raises(KnownError, match=r"did not come to the front within 0\.5 seconds; “"):
        record_script(phone.serial, Task("open"), tmp_path / "library", actions, devices=adb)
    episode = only_episode(tmp_path / "library")
    assert (episode.state, len(episode.steps)) == (EpisodeState.INCOMPLETE, 1)


def test_a_phone_that_dies_leaves_the_episode_incomplete_with_the_reason(
    demo_phone: StartPhone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "AWAY_SECONDS", 1.0)
    phone = demo_phone(*SMALL)

    def die(step: Step) -> None:
        if step.index == 3:
            phone.process.kill()

    # It dies between two actions, or in the middle of one.
    gone = r"(does not answer any more|the phone is away).* is left incomplete, with "
    with pytest.raises(KnownError, match=gone):
        record_script(
            phone.serial,
            Task("tap"),
            tmp_path / "library",
            read_script(SCRIPTS / "fin.json"),
            devices=open_devices(port=phone.adb_port),
            on_step=die,
        )
    episode = only_episode(tmp_path / "library")
    assert (episode.state, episode.finish) == (EpisodeState.INCOMPLETE, None)
    assert 4 <= len(episode.steps) < 14
    assert [gap.reason for gap in episode.gaps if gap.reason != "foreign"] == ["unplugged"]


def test_a_dead_phone_is_not_reported_as_a_missing_element(
    demo_phone: StartPhone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "AWAY_SECONDS", 1.0)
    phone = demo_phone(*SMALL)
    actions = [PressKey(Key.HOME), Tap(ElementRef(text="Nowhere"))]
    with pytest.raises(KnownError, match="the phone does not answer any more"):
        record_script(
            phone.serial,
            Task("look for it"),
            tmp_path / "library",
            actions,
            devices=open_devices(port=phone.adb_port),
            on_step=lambda step: phone.process.kill(),
        )


def test_a_script_waits_for_a_phone_that_comes_back(demo_phone: StartPhone, tmp_path: Path) -> None:
    phone = demo_phone(*SMALL)
    actions = [PressKey(key) for key in (Key.HOME, Key.RECENTS) * 3] + [Finish(Ending.COMPLETE)]

    def unplug(step: Step) -> None:
        if step.index == 1:
            phone.server.run("disconnect", phone.serial)
            threading.Timer(1.5, phone.connect).start()

    done = record_script(
        phone.serial,
        Task("go on"),
        tmp_path / "library",
        actions,
        devices=open_devices(port=phone.adb_port),
        on_step=unplug,
    )
    episode = only_episode(tmp_path / "library")
    assert done.finished
    assert [step.action for step in episode.steps] == actions
    assert ("unplugged", True) in [(gap.reason, gap.ended is not None) for gap in episode.gaps]
    assert any(problem.startswith("The phone was away") for problem in done.problems)


FULL = """
import resource, signal, sys
from taptrail.cli.main import run
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
sys.exit(run(sys.argv[2:]))
"""


def command(phone: RunningPhone, script: Path, library: Path) -> list[str]:
    return [
        *("record", "--serial", phone.serial, "--task", "tap", "--script", str(script)),
        *("--library", str(library)),
    ]


@pytest.mark.parametrize("kilobytes", [450, 1200])  # first the video is too large, then the log
def test_a_full_disk_leaves_the_episode_incomplete_with_the_reason(
    demo_phone: StartPhone, tmp_path: Path, home: Path, kilobytes: int
) -> None:
    phone = demo_phone("--size", "540x1172", "--density", "210")
    library = tmp_path / "library"
    Library.open(library).close()
    limit = str(kilobytes << 10)
    done = subprocess.run(
        [sys.executable, "-c", FULL, limit, *command(phone, SCRIPTS / "fin.json", library)],
        capture_output=True,
        text=True,
        env=phone.env,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, ""), done
    assert "e-0001 is left incomplete, with" in done.stderr
    assert "Traceback" not in done.stderr
    assert only_episode(library).state is EpisodeState.INCOMPLETE


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_recording_that_is_ended_by_a_signal_is_incomplete(
    demo_phone: StartPhone, tmp_path: Path, home: Path, number: signal.Signals
) -> None:
    phone = demo_phone(*SMALL)
    library = tmp_path / "library"
    process = subprocess.Popen(
        [sys.executable, "-m", "taptrail", *command(phone, SCRIPTS / "fin.json", library)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=phone.env,
    )
    phone.wait_for("input", kind="key")
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.strip()) == (130, "", "Stopped.")
    assert only_episode(library).state is EpisodeState.INCOMPLETE
