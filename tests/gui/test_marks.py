"""Marks are seen on white, black and colour, and stand exactly on what was done."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from episodes import actions as a
from episodes.geometry import Box, Direction, Point, Size
from taptrail.gui import marks, theme
from taptrail.gui.fit import Fit
from tests.gui.test_theme import luminance

SIZE = Size(360, 400)
FIT = Fit(SIZE, QRectF(0, 0, 360, 400))
GROUNDS = ("#ffffff", "#000000", "#6fa35a")
AT = Point(150, 200)
ACTIONS: dict[str, a.Action] = {
    "tap": a.Tap(AT),
    "tap of a box": a.Tap(Box(140, 190, 160, 210)),
    "double tap": a.DoubleTap(AT),
    "long press": a.LongPress(AT, 800_000),
    "swipe": a.Swipe(AT, Point(250, 90), 400_000),
    "scroll": a.Scroll(Direction.LEFT, AT),
    "pinch": a.Pinch(AT, 2.0),
    "text": a.TypeText("Mara", AT),
    "text without a field": a.TypeText("Mara"),
    "key": a.PressKey(a.Key.BACK),
    "app": a.OpenApp("Notes"),
    "wait": a.Wait(2_000_000),
    "answer": a.Answer("at noon"),
    "finish": a.Finish(a.Ending.IMPOSSIBLE),
    "other": a.Other("shake"),
    "element": a.Tap(a.ElementRef(text="Save")),
    "outside": a.Tap(Point(900, 200)),
}


def painted(action: a.Action, who: str, ground: str) -> QImage:
    image = QImage(SIZE.width, SIZE.height, QImage.Format.Format_RGB32)
    image.fill(QColor(ground))
    painter = QPainter(image)
    marks.draw(painter, action, who, marks.MarkScale(FIT, 1.0))
    painter.end()
    return image


def told_apart(image: QImage, ground: str) -> int:
    """Returns how many pixels have a contrast of 2 or more with the ground (WCAG 2.1)."""
    bits = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)
    shares = bits[:, :, 2::-1] / 255
    linear = np.where(shares <= 0.03928, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    found = linear @ np.array([0.2126, 0.7152, 0.0722])
    plain = luminance(ground)
    contrast = (np.maximum(found, plain) + 0.05) / (np.minimum(found, plain) + 0.05)
    return int((contrast >= 2).sum())


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("who", ["G", "A", "B", "C", "D"])
@pytest.mark.parametrize("name", ACTIONS)
def test_a_mark_is_seen_on_any_ground(name: str, who: str, ground: str) -> None:
    assert told_apart(painted(ACTIONS[name], who, ground), ground) >= 150


def test_a_tap_has_its_dot_on_the_exact_point() -> None:
    for who, token in (("G", "person"), ("A", "name1")):
        pixel = painted(a.Tap(AT), who, "#ffffff").pixelColor(150, 200)
        assert pixel == theme.on_frames(token)


def test_a_person_is_round_and_a_run_is_square() -> None:
    """At the corner of its square only the run's mark has a line."""
    corner = (150 + 12, 200 + 12)
    assert painted(a.Tap(AT), "G", "#ffffff").pixelColor(*corner) == QColor("#ffffff")
    assert painted(a.Tap(AT), "A", "#ffffff").pixelColor(*corner) != QColor("#ffffff")


def test_marks_keep_four_fifths_of_their_size_on_a_small_frame() -> None:
    small = marks.MarkScale(Fit(SIZE, QRectF(0, 0, 90, 100)), 1.0)
    whole = marks.MarkScale(FIT, 1.0)
    large = marks.MarkScale(FIT, 2.5)
    assert (small.unit, whole.unit, large.unit) == (0.8, 1.0, 2.5)


def test_a_thumbnail_has_one_dot_and_no_letter() -> None:
    image = QImage(64, 80, QImage.Format.Format_RGB32)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    marks.draw_small(painter, a.Tap(Point(180, 200)), Fit(SIZE, QRectF(0, 0, 64, 80)))
    painter.end()
    changed = [
        (x, y) for x in range(64) for y in range(80) if image.pixelColor(x, y) != QColor("#ffffff")
    ]
    assert min(x for x, _ in changed) >= 32 - 6
    assert max(x for x, _ in changed) <= 32 + 6
    assert len({y for _, y in changed}) <= 11


def test_a_mark_may_stand_beside_its_point_on_a_leader() -> None:
    image = QImage(SIZE.width, SIZE.height, QImage.Format.Format_RGB32)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    scale = marks.MarkScale(FIT, 1.0)
    marks.draw(painter, a.Tap(AT), "A", scale, off=QPointF(60, 0))
    painter.end()
    blue = theme.on_frames("name1")
    assert image.pixelColor(150, 200) == blue
    assert image.pixelColor(150 + 60 + 13, 200) == blue
