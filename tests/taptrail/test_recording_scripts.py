"""Scripts that name what they act on."""

from __future__ import annotations

from pathlib import Path

import pytest

from episodes.actions import ElementRef, Key, PressKey, Tap
from episodes.episodes import Actor, EpisodeState, Task
from episodes.errors import KnownError
from episodes.geometry import Box, Size
from episodes.store.library import Library
from recorder.device.adb import Adb
from taptrail.usecases import recording
from taptrail.usecases.recording import record_script
from tests.demophone.phones import StartPhone, adb_server, demo_phone

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
        adb=Adb(port=phone.adb_port),
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
    adb = Adb(port=phone.adb_port)
    actions = [PressKey(Key.HOME), Tap(ElementRef(text="Nowhere"))]
    with pytest.raises(KnownError) as raised:
        record_script(phone.serial, Task("look for it"), tmp_path / "library", actions, adb=adb)
    with Library.read(tmp_path / "library") as library:
        (line,) = library.episodes()
        episode = library.episode(line.uuid)
    assert (line.state, line.step_count) == (EpisodeState.INCOMPLETE, 1)
    assert raised.value.found == (
        "there is no “Nowhere” on its screen; e-0001 is left incomplete, with 1 step"
    )
    assert episode.actor == Actor("agent", agent="script")
