"""Alignment by likeness: seeded pairs with known differences, on real screens of three phones.

`screens_of_three_phones.npz` holds signatures of the same 14 screens on three demo phones: light at
1080x2400, dark at 720x1560, light at 1440x3040 with a higher density. The generator draws a path
over them and makes a second one on another phone with another clock, noise, and touches a little
beside, then plants a difference.
"""

import random
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from episodes import actions as a
from episodes.geometry import Direction, Point, Size
from scoring.alignment import Meeting, SeenStep, align

PHONES = ("light", "dark_small", "large")
SCREENS = 14
LISTS = (1, 4, 7, 9, 11)  # screens whose content scrolls
KINDS = ("inserted", "missing", "swapped", "other text", "scrolled further")


@pytest.fixture(scope="module")
def pictures():
    with np.load(Path(__file__).with_name("screens_of_three_phones.npz")) as kept:
        return {name: kept[name] for name in kept.files}


class Pair:
    """A path, the same path on another phone, and what is planted in it."""

    def __init__(self, seed, pictures, names=True):
        self.random, self.pictures, self.names = random.Random(seed), pictures, names
        self.phones = self.random.sample(PHONES, 2)
        self.noise = np.random.default_rng(seed)
        self.path = []
        while len(self.path) < self.random.randint(8, 16):
            self.path.append(self.step(self.path[-1] if self.path else None))
        self.path.append((self.path[-1][0], a.Finish(a.Ending.COMPLETE), "", 0))

    def step(self, before, screen=None):
        """A screen with an action that differs from the one before."""
        draw = self.random
        while True:
            shown = draw.randrange(SCREENS) if screen is None else screen
            at = (draw.uniform(0.05, 0.95), draw.uniform(0.1, 0.95))
            action = draw.choice(
                [
                    a.Tap(Point(*at)),
                    a.Tap(Point(*at)),
                    a.LongPress(Point(*at)),
                    a.TypeText(f"words {draw.randrange(1000)}"),
                    a.PressKey(draw.choice([a.Key.BACK, a.Key.HOME])),
                    a.Scroll(draw.choice(list(Direction))),
                ]
            )
            name = f"element {chr(97 + draw.randrange(26))}{chr(97 + draw.randrange(26))}"
            found = (shown, action, name if self.names and draw.random() < 0.6 else "", 0)
            if before is None or not self.alike(found, before):
                return found

    @staticmethod
    def alike(one, other):
        """Whether two drawn steps may count as the same one."""
        if one[0] != other[0] or type(one[1]) is not type(other[1]):
            return False
        if isinstance(one[1], a.Tap | a.LongPress):
            return abs(one[1].at.x - other[1].at.x) < 0.2 and abs(one[1].at.y - other[1].at.y) < 0.2
        return one[1] == other[1]

    def plant(self, kind):
        """Returns the second path and where it first differs from the first."""
        draw, path = self.random, list(self.path)
        at = draw.randrange(1, len(path) - 3)
        if kind == "inserted":
            more = []
            for _ in range(draw.randint(1, 3)):
                while True:
                    found = self.step(more[-1] if more else path[at - 1])
                    if not self.alike(found, path[at]):
                        break
                more.append(found)
            return path[:at] + more + path[at:], at
        if kind == "missing":
            count = draw.randint(1, 2)
            if self.alike(path[at], path[at + count]):
                return self.plant(kind)
            return path[:at] + path[at + count :], at
        if kind == "swapped":
            if self.alike(path[at], path[at + 1]):
                return self.plant(kind)
            path[at], path[at + 1] = path[at + 1], path[at]
            return path, at
        if kind == "other text":
            self.path[at] = (path[at][0], a.TypeText("what was meant"), "", 0)
            path[at] = (path[at][0], a.TypeText("something else"), "", 0)
            return path, at
        screen = draw.choice(LISTS)
        self.path[at] = (screen, a.Scroll(Direction.UP), "", 0)
        here = (screen, a.Tap(Point(0.4, 0.6)), "", draw.choice([20, 40]))
        self.path[at + 1] = here
        path[at : at + 2] = [self.path[at], (screen, a.Scroll(Direction.UP), "", 20), here]
        return path, at + 1

    def seen(self, path, phone, shifts):
        clock = self.noise.integers(0, 255)
        return [self.seen_step(one, phone, clock, shifts) for one in path]

    def seen_step(self, one, phone, clock, shifts):
        screen, action, name, scrolled = one
        picture = self.pictures[f"{phone}_{screen:02d}"].astype(int)
        height, width = picture.shape
        bar = round(height * 0.04)
        if scrolled or (shifts and screen in LISTS and self.random.random() < 0.3):
            moved = scrolled or self.random.choice([4, 8])
            body = slice(round(height * 0.12), round(height * 0.9))
            picture[body] = np.roll(picture[body], -round(moved * width / 135), axis=0)
        picture[:bar] = clock
        picture[: bar // 2, 5:20] = 255 - clock
        picture = picture + self.noise.integers(-3, 4, picture.shape)
        size = Size(width * 8, height * 8)
        return SeenStep(
            self.placed(action, size),
            np.clip(picture, 0, 255).astype(np.uint8),
            name=name,
            size=size,
        )

    def placed(self, action, size):
        if not isinstance(action, a.Tap | a.LongPress):
            return action
        beside = [self.random.uniform(-0.012, 0.012) for _ in range(2)]
        at = Point((action.at.x + beside[0]) * size.width, (action.at.y + beside[1]) * size.height)
        return replace(action, at=at)

    def both(self, second):
        return self.seen(self.path, self.phones[0], False), self.seen(second, self.phones[1], True)


def first_divergence(found):
    if found.first_divergence is None:
        return None
    row = found.rows[found.first_divergence.row]
    return row.first, row.second


def test_the_first_divergence_is_found_on_another_phone(pictures):
    wrong = []
    for seed in range(30):
        pair = Pair(seed, pictures, names=seed % 2 == 0)
        kind = KINDS[seed % len(KINDS)]
        second, at = pair.plant(kind)
        found = first_divergence(align(*pair.both(second)))
        if found != (at, at):
            wrong.append((seed, kind, at, found))
    assert len(wrong) <= 2, wrong


def test_identical_paths_do_not_diverge(pictures):
    diverged = []
    for seed in range(100, 130):
        pair = Pair(seed, pictures, names=seed % 2 == 0)
        found = align(*pair.both(pair.path))
        if found.divergences:
            diverged.append((seed, first_divergence(found)))
    assert len(diverged) <= 1, diverged


def test_five_hundred_steps_take_less_than_a_second(pictures):
    pair = Pair(1, pictures)
    first, second = pair.both(pair.path * 60)
    began = time.process_time()
    align((first * 60)[:500], second[:500])
    assert time.process_time() - began < 1


def tap(x, y, name="", **more):
    return SeenStep(a.Tap(Point(x, y)), name=name, size=Size(100, 200), **more)


def test_a_detour_ends_where_both_meet_again():
    path = [tap(10, 10, "Mail"), tap(20, 100, "New"), tap(90, 10, "Send")]
    detour = [path[0], tap(50, 50, "Help"), SeenStep(a.PressKey(a.Key.BACK)), *path[1:]]
    found = align(path, detour)
    assert [row.meeting for row in found.rows] == [
        Meeting.SAME,
        Meeting.ONLY_SECOND,
        Meeting.ONLY_SECOND,
        Meeting.SAME,
        Meeting.SAME,
    ]
    assert (found.first_divergence.row, found.first_divergence.came_back) == (1, 3)
    left = align(path, path[:1])
    assert (left.first_divergence.row, left.first_divergence.came_back) == (1, None)


def test_screens_of_two_apps_do_not_meet_and_empty_episodes_align():
    one, other = tap(1, 1, app="mail"), tap(1, 1, app="shop")
    assert [row.meeting for row in align([one], [other]).rows] == [
        Meeting.ONLY_FIRST,
        Meeting.ONLY_SECOND,
    ]
    assert align([], []).rows == ()
    assert [row.meeting for row in align([], [other]).rows] == [Meeting.ONLY_SECOND]
