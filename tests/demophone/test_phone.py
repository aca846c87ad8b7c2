"""The phone as a whole: screens, touches, keys, rotation, sleep."""

from __future__ import annotations

import numpy as np

from demophone.device import DemoDevice, TouchAction
from tests.demophone import drawn as hands
from tests.demophone.drawn import MakeDrawn

CONTACTS = "com.taptrail.demo.contacts"
LAUNCHER = "com.taptrail.demo.launcher"
make_drawn = hands.make_drawn


def test_a_phone_is_a_device(make_drawn: MakeDrawn) -> None:
    device: DemoDevice = make_drawn().phone
    picture = device.picture()
    assert picture.pixels.shape == (1200, 540, 4)
    assert picture.pixels.dtype == np.uint8
    assert not picture.pixels.flags.writeable
    assert (picture.pixels[..., 3] == 255).all()
    assert picture.screen == 1
    assert device.foreground == (LAUNCHER, ".LauncherActivity")


def test_an_idle_phone_draws_nothing_and_waits_for_nothing(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.loop.advance(0.1)
    first = drawn.phone.picture()
    drawn.loop.advance(30.0)
    assert drawn.phone.picture() is first
    assert drawn.loop.timers == 0
    assert drawn.phone.idle_for_us() >= 30_000_000


def test_a_tap_opens_an_app_and_the_log_names_what_was_hit(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-contacts")
    assert drawn.phone.foreground == (CONTACTS, ".ContactListActivity")
    down = next(line for line in drawn.log("input") if line["action"] == "down")
    assert down["element"]["id"] == "launcher/home/icon-contacts"
    assert down["accepted"] is True
    shown = next(line for line in drawn.log("screen") if line["screen"] == down["screen"])
    assert down["element"] in shown["elements"]
    assert [line["package"] for line in drawn.log("foreground")] == [LAUNCHER, CONTACTS]
    assert [line["kind"] for line in drawn.log("gesture")] == ["tap"]


def test_rotation_lays_everything_out_anew(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-contacts")
    drawn.phone.rotate()
    assert drawn.phone.size == (1200, 540)
    assert drawn.phone.picture().pixels.shape == (540, 1200, 4)
    for element in drawn.elements().values():
        left, top, right, bottom = element["box"]
        assert 0 <= left < right <= 1200, element
        assert 0 <= top < bottom <= 540, element
    assert drawn.log("rotation")[-1]["rotation"] == 1
    drawn.phone.rotate()
    assert drawn.phone.size == (540, 1200)


def test_a_sleeping_phone_is_black_and_takes_no_touch(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.press(26)
    assert not drawn.phone.awake
    assert (drawn.phone.picture().pixels[..., :3] == 0).all()
    drawn.touch(TouchAction.DOWN, 100, 100)
    assert drawn.log("input")[-1]["accepted"] is False
    drawn.press(26)
    assert drawn.phone.picture().pixels[..., :3].any()
    assert [line["on"] for line in drawn.log("wake")] == [False, True]
