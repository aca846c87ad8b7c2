"""The drawn phone behind the wire: what is seen, tapped and logged belongs together."""

from __future__ import annotations

import re

import numpy as np

from tests.demophone.mirror import mirroring
from tests.demophone.phones import StartPhone


def test_the_mirror_shows_what_a_screenshot_shows(demo_phone: StartPhone) -> None:
    phone = demo_phone("--size", "540x1200", "--density", "210", "--deterministic")
    with mirroring(phone) as mirror:
        mirror.read(1 + 64 + 12)
        _, seen = mirror.frame()
        shot = np.asarray(phone.device.screenshot())[:, :, ::-1]
        assert seen.shape == (1200, 544, 3)  # 540 is no multiple of 8
        assert shot.shape == (1200, 540, 3)
        # Colours survive the way through H.264: the mean of every tenth of the screen agrees.
        for there, here in zip(np.array_split(shot, 10), np.array_split(seen, 10), strict=True):
            assert np.abs(there.mean((0, 1)) - here.mean((0, 1))).max() < 2.5


def test_a_tap_on_what_the_tree_shows_opens_it_and_is_in_the_truth(demo_phone: StartPhone) -> None:
    phone = demo_phone("--size", "536x1200", "--density", "210", "--deterministic")
    tree = phone.device.dump_hierarchy()
    found = re.search(r'text="Contacts"[^>]*bounds="\[(\d+),(\d+)\]\[(\d+),(\d+)\]"', tree)
    assert found is not None
    left, top, right, bottom = map(int, found.groups())
    with mirroring(phone) as mirror:
        mirror.read(1 + 64 + 12)
        first, _ = mirror.frame()
        x, y = (left + right) // 2, (top + bottom) // 2
        mirror.touch(0, x, y, (536, 1200))
        mirror.touch(1, x, y, (536, 1200))
        shown = phone.wait_for("foreground", lambda line: line["package"].endswith(".contacts"))
        while True:
            packet, _ = mirror.frame()
            frame = phone.wait_for("frame", pts_us=packet.pts_us)
            if frame["screen"] > shown["screen"]:
                break
    assert phone.device.app_current().package.endswith(".contacts")
    screens = phone.truth("screen")
    assert frame["screen"] in {one["screen"] for one in screens}
    assert first.pts_us is not None
    assert packet.pts_us is not None
    assert first.pts_us < shown["t_us"] <= packet.pts_us


def test_the_same_seed_gives_the_same_picture(demo_phone: StartPhone) -> None:
    arguments = ("--size", "360x640", "--density", "160", "--seed", "7", "--deterministic")
    pictures = [demo_phone(*arguments).adb("exec-out", "screencap -p").stdout for _ in range(2)]
    assert pictures[0] == pictures[1]


def test_animations_can_be_off_from_the_start(demo_phone: StartPhone) -> None:
    phone = demo_phone("--size", "360x640", "--density", "160", "--no-animations")
    for name in ("window_animation_scale", "transition_animation_scale"):
        assert float(phone.shell(f"settings get global {name}")) == 0
