"""Mirroring the demo phone: what works, what breaks, and what is said of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from episodes.actions import Key, Phase
from episodes.errors import KnownError
from episodes.geometry import Point, Size
from recorder.device.adb.device import AdbDevice
from recorder.device.adb.server import Adb
from recorder.device.interface import VideoOptions, VideoPacket
from recorder.device.scrcpy.server import ServerFile
from recorder.devices import open_devices
from recorder.events import Back, Health, Lost, MirrorEvent
from recorder.inputs import KeyPress, Touch
from recorder.mirror import MAX_UNDECODED, Mirror
from tests.demophone.phones import AdbServer, RunningPhone, StartPhone
from tests.recorder.conftest import ARGUMENTS, until

MakeMirror = Callable[..., Mirror]


@pytest.fixture
def mirror_of() -> Iterator[MakeMirror]:
    made: list[Mirror] = []

    def make(
        phone: RunningPhone, options: VideoOptions | None = None, server: ServerFile | None = None
    ) -> Mirror:
        mirror = Mirror(AdbDevice(phone.serial, Adb(port=phone.adb_port), server), options)
        made.append(mirror)
        return mirror

    yield make
    for mirror in made:
        mirror.stop()


def test_the_newest_frame_waits_in_one_place_and_is_announced_once(
    phone: RunningPhone, mirror_of: MakeMirror
) -> None:
    mirror = mirror_of(phone)
    announced = threading.Semaphore(0)
    mirror.on_frame(announced.release)
    mirror.start()
    assert announced.acquire(timeout=30)
    until(lambda: mirror.latest.count >= 3, "repeated frames come")
    assert not announced.acquire(blocking=False)  # nobody has taken the first one
    frame = mirror.latest.take()
    assert frame is not None
    assert (frame.size, frame.pixels.shape, frame.episode, frame.segment, frame.packet) == (
        Size(720, 1600),
        (1600, 720, 4),
        "",
        None,
        None,
    )
    assert mirror.latest.take() is None
    assert mirror.latest.peek() is frame
    mirror.send(KeyPress(Key.RECENTS, None, 0))
    assert announced.acquire(timeout=30)


def test_repeated_frames_are_not_new_content(phone: RunningPhone, mirror_of: MakeMirror) -> None:
    mirror = mirror_of(phone)
    contents: list[int] = []
    mirror.watch(lambda frame: contents.append(frame.content))
    mirror.start()
    until(lambda: len(contents) >= 5, "repeated frames come")
    assert set(contents) == {1}
    mirror.send(KeyPress(Key.RECENTS, None, 0))
    until(lambda: contents[-1] > 1, "another screen comes")


def test_touches_carry_the_size_of_the_frame_they_were_made_on(
    phone: RunningPhone, mirror_of: MakeMirror
) -> None:
    mirror = mirror_of(phone, options=VideoOptions(max_size=800))
    mirror.start()
    frame = mirror.latest.wait_beyond(0, 30)
    assert frame is not None
    assert frame.size == Size(360, 800)
    mirror.send(Touch.of(Phase.DOWN, Point(101, 203), frame, 0))
    mirror.send(Touch.of(Phase.UP, Point(101, 203), frame, 0))
    arrived = phone.wait_for("input", lambda line: line["x"] == 202.0, action="up")
    assert (arrived["x"], arrived["y"], arrived["accepted"]) == (202.0, 406.0, True)


def test_a_display_that_falls_behind_skips_to_a_key_frame_and_counts() -> None:
    mirror = Mirror(
        open_devices(1, "127.0.0.2").device("nobody")
    )  # nothing decodes: it was not started
    mirror.on_packet(VideoPacket(b"config", None), 0)
    for number in range(MAX_UNDECODED - 1):
        mirror.on_packet(VideoPacket(b"p", number), number)
    assert mirror.health().skipped == 0
    mirror.on_packet(VideoPacket(b"p", 998), 998)
    assert mirror.health().skipped == MAX_UNDECODED + 1
    mirror.on_packet(VideoPacket(b"p", 999), 999)
    assert mirror.health().skipped == MAX_UNDECODED + 2
    mirror.on_packet(VideoPacket(b"k", 1000, key=True), 1000)
    mirror.on_packet(VideoPacket(b"p", 1001), 1001)
    assert mirror.health().skipped == MAX_UNDECODED + 2
    assert mirror.health().packets == MAX_UNDECODED + 4


def test_health_reports_rate_packets_and_delay(phone: RunningPhone, mirror_of: MakeMirror) -> None:
    mirror = mirror_of(phone)
    told: list[MirrorEvent] = []
    mirror.on_event(told.append)
    mirror.start()
    until(lambda: any(isinstance(event, Health) for event in told), "health is told")
    health = mirror.health()
    assert (health.lost, health.skipped) == (0, 0)
    assert health.packets >= 2  # a configuration and a frame
    assert health.delay_ms is not None
    assert health.delay_ms >= 0


def test_the_phones_clock_is_known_within_its_error(
    phone: RunningPhone, mirror_of: MakeMirror
) -> None:
    mirror = mirror_of(phone)
    mirror.start()
    assert mirror.latest.wait_beyond(0, 30) is not None
    now = time.monotonic_ns()
    moment = mirror.clock.to_device(now)
    assert moment.device_us is not None
    assert moment.error_us is not None
    # The demo phone's monotonic clock is this computer's.
    assert abs(moment.device_us - now // 1000) <= moment.error_us + 2000
    assert moment.error_us < 1_000_000


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("no-scrcpy", "could not load the scrcpy server"),
        ("version-mismatch", "but was started as 3.3.4"),
    ],
)
def test_a_server_that_does_not_start_is_an_error_of_one_sentence(
    demo_phone: StartPhone, mirror_of: MakeMirror, fault: str, words: str
) -> None:
    mirror = mirror_of(demo_phone(*ARGUMENTS, "--faults", fault))
    with pytest.raises(KnownError, match=words):
        mirror.start()


def test_a_missing_phone_is_reported_and_stop_returns(
    adb_server: AdbServer,
) -> None:
    mirror = Mirror(open_devices(port=adb_server.port).device("nobody"))
    with pytest.raises(KnownError, match="nobody"):
        mirror.start()
    mirror.stop()
    mirror.stop()


def test_a_lost_phone_is_reported_once_and_the_mirror_comes_back(
    demo_phone: StartPhone, mirror_of: MakeMirror, adb_server: AdbServer
) -> None:
    phone = demo_phone(*ARGUMENTS)
    mirror = mirror_of(phone)
    told: list[MirrorEvent] = []
    mirror.on_event(told.append)
    mirror.start()
    assert mirror.latest.wait_beyond(0, 30) is not None
    adb_server.run("disconnect", phone.serial)
    until(lambda: any(isinstance(event, Lost) for event in told), "lost is told")
    assert not mirror.connected
    mirror.send(KeyPress(Key.HOME, None, 0))  # goes nowhere and does no harm
    count = mirror.latest.count
    phone.connect()
    assert mirror.latest.wait_beyond(count, 30) is not None
    until(lambda: any(isinstance(event, Back) for event in told), "back is told")
    assert [type(event) for event in told if not isinstance(event, Health)] == [Lost, Back]


def test_a_refused_control_socket_is_a_loss(demo_phone: StartPhone, mirror_of: MakeMirror) -> None:
    mirror = mirror_of(demo_phone(*ARGUMENTS, "--faults", "refuse-control"))
    told: list[MirrorEvent] = []
    mirror.on_event(told.append)
    mirror.start()
    until(lambda: any(isinstance(event, Lost) for event in told), "lost is told")


def test_phones_are_listed_with_what_to_do(demo_phone: StartPhone, adb_server: AdbServer) -> None:
    phone = demo_phone(*ARGUMENTS, "--faults", "unauthorized", connect=False)
    adb = open_devices(port=adb_server.port)
    with pytest.raises(KnownError):
        adb.connect(phone.serial)
    listed = {one.serial: one for one in adb.phones()}[phone.serial]
    assert (listed.ready, listed.meaning) == (False, "not allowed yet")
    with pytest.raises(KnownError, match="allow USB debugging"):
        adb.ready_device(phone.serial)


def test_the_phone_returns_its_facts_and_its_app(
    phone: RunningPhone, adb_server: AdbServer
) -> None:
    asked = open_devices(port=adb_server.port).ready_device(phone.serial)
    facts = asked.facts()
    assert (facts.manufacturer, facts.model, facts.android_release, facts.sdk) == (
        "Taptrail",
        "Demo Phone",
        "14",
        34,
    )
    assert (facts.size, facts.density, facts.animation_scales) == (
        Size(720, 1600),
        280,
        (0.0, 0.0, 0.0),
    )
    front = asked.front()
    assert not front.protected
    app = front.app
    assert app is not None
    assert (app.package, app.activity) == (
        "com.taptrail.demo.launcher",
        "com.taptrail.demo.launcher.LauncherActivity",
    )
    assert asked.rotation() == 0
    assert asked.app_version("com.taptrail.demo.contacts") != ""
    with pytest.raises(KnownError, match="not connected"):
        open_devices(port=adb_server.port).ready_device("nobody")
