"""A place in the window is the place of the picture that is painted there, at any size."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF

from episodes.geometry import Box, Point, Size
from taptrail.gui.fit import Fit, letterbox, placed


def test_a_frame_twice_as_large_as_its_room_is_halved() -> None:
    fit = letterbox(Size(400, 800), QRectF(0, 0, 300, 400), 1.0)
    assert fit.rect == QRectF(50, 0, 200, 400)
    assert fit.to_frame(QPointF(50, 0)) == Point(0, 0)
    assert fit.to_frame(QPointF(149.5, 100)) == Point(199, 200)
    assert fit.to_frame(QPointF(49.9, 100)) is None
    assert fit.to_frame(QPointF(250, 100)) is None
    assert fit.to_frame(QPointF(100, 400)) is None


def test_a_drag_that_leaves_the_frame_stays_on_its_last_pixel() -> None:
    fit = Fit(Size(1080, 2400), QRectF(10, 10, 270, 600))
    assert fit.nearest(QPointF(-500, 9000)) == Point(0, 2399)
    assert fit.nearest(QPointF(9000, -1)) == Point(1079, 0)


def test_a_box_is_where_its_corners_are() -> None:
    fit = Fit(Size(100, 200), QRectF(5, 7, 50, 100))
    assert fit.box_to_window(Box(20, 40, 60, 120)) == QRectF(15, 27, 20, 40)


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0])
@pytest.mark.parametrize(("width", "height"), [(301, 697), (333, 500), (1001, 77), (640, 480)])
@pytest.mark.parametrize("size", [Size(1080, 2400), Size(1079, 2399), Size(2400, 1080)], ids=str)
def test_the_picture_lies_on_whole_device_pixels_with_its_own_proportions(
    size: Size, width: int, height: int, ratio: float
) -> None:
    fit = letterbox(size, QRectF(0, 0, width, height), ratio)
    edges = [
        value * ratio
        for value in (fit.rect.left(), fit.rect.top(), fit.rect.right(), fit.rect.bottom())
    ]
    assert edges == pytest.approx([round(edge) for edge in edges], abs=1e-6)
    across, down = fit.rect.width() / size.width, fit.rect.height() / size.height
    assert abs(across - down) * max(size.width, size.height) * ratio <= 2
    assert fit.rect.width() <= width + 1 / ratio
    assert fit.rect.height() <= height + 1 / ratio


@given(
    width=st.integers(1, 4000),
    height=st.integers(1, 4000),
    room=st.tuples(st.integers(20, 2000), st.integers(20, 2000)),
    ratio=st.sampled_from([1.0, 1.25, 1.5, 1.75, 2.0, 3.0]),
    at=st.tuples(st.floats(0, 1), st.floats(0, 1)),
)
def test_there_and_back_is_the_same_place(
    width: int, height: int, room: tuple[int, int], ratio: float, at: tuple[float, float]
) -> None:
    size = Size(width, height)
    fit = letterbox(size, QRectF(3, 5, *room), ratio)
    point = Point(at[0] * (width - 1), at[1] * (height - 1))
    back = fit.nearest(fit.to_window(point))
    assert (back.x, back.y) == pytest.approx((point.x, point.y), abs=1e-6)


def test_every_device_pixel_of_a_whole_scale_is_one_pixel_of_the_frame() -> None:
    """At 200 % a frame shown one to one has each of its pixels under one device pixel."""
    size = Size(31, 17)
    fit = placed(size, QPointF(20, 20), 0.5, 2.0)
    seen = set()
    for x, y in itertools.product(range(size.width), range(size.height)):
        at = QPointF(fit.rect.left() + (x + 0.5) / 2, fit.rect.top() + (y + 0.5) / 2)
        found = fit.to_frame(at)
        assert found is not None
        seen.add((int(found.x), int(found.y)))
    assert len(seen) == 31 * 17
