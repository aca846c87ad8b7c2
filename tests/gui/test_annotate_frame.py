"""A box that is drawn on the frame has the very pixels that were pointed at, at any scale."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from episodes.annotations import RegionSource
from episodes.geometry import Box, Point, Size
from taptrail.gui.annotate.frame import AnnotateFrame, Tool
from taptrail.gui.annotate.regions import DrawnRegion, draw_regions, nearest
from taptrail.gui.fit import Fit
from taptrail.gui.marks import MarkScale

SIZE = Size(540, 1200)
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def frame(qtbot: QtBot) -> AnnotateFrame:
    made = AnnotateFrame()
    qtbot.addWidget(made)
    made.resize(700, 640)
    made.show_frame(SIZE, 1.5)
    image = QImage(SIZE.width, SIZE.height, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    made.show_image(image)
    made.show()
    made.set_tool(Tool.BOX)
    return made


def drag(frame: AnnotateFrame, start: Point, end: Point) -> None:
    """Drags with the left button from one place of the frame to another, over the middle."""
    fit = frame.fit()
    assert fit is not None
    way = (start, Point((start.x + end.x) / 2, (start.y + end.y) / 2), end)
    kinds = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove, QEvent.Type.MouseMove)
    for kind, place in zip(kinds, way, strict=True):
        _send(frame, kind, fit.to_window(place))
    _send(frame, QEvent.Type.MouseButtonRelease, fit.to_window(end))


def _send(frame: AnnotateFrame, kind: QEvent.Type, at: QPointF) -> None:
    """Sends an event at whole device pixels, as a mouse does."""
    ratio = frame.devicePixelRatioF()
    at = QPointF(round(at.x() * ratio) / ratio, round(at.y() * ratio) / ratio)
    down = LEFT if kind is not QEvent.Type.MouseButtonRelease else Qt.MouseButton.NoButton
    button = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseMove else LEFT
    event = QMouseEvent(kind, at, frame.mapToGlobal(at), button, down, Qt.KeyboardModifier(0))
    QApplication.sendEvent(frame, event)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        (Point(200, 600), Point(331, 687)),
        (Point(331, 687), Point(200, 600)),
        (Point(247, 611), Point(248, 612)),
        (Point(199, 633), Point(345, 601)),
    ],
)
def test_a_dragged_box_is_exact_at_200_percent(
    frame: AnnotateFrame, start: Point, end: Point
) -> None:
    frame.zoom_to(2.0, Point(270, 640))
    assert frame.percent() == 200
    drag(frame, start, end)
    lower, upper = (sorted(pair) for pair in ((start.x, end.x), (start.y, end.y)))
    assert frame.draft() == Box(lower[0], upper[0], lower[1], upper[1])


def test_the_same_holds_on_a_display_of_200_percent(tmp_path: Path) -> None:
    here = "test_a_dragged_box_is_exact_at_200_percent"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"{__file__}::{here}"],
        env=os.environ | {"QT_SCALE_FACTOR": "2", "HOME": str(tmp_path)},
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]


def test_a_box_ends_at_the_edge_of_the_frame(frame: AnnotateFrame) -> None:
    frame.zoom_to(2.0, Point(500, 1150))
    drag(frame, Point(500, 1100), Point(700, 1300))
    assert frame.draft() == Box(500, 1100, 540, 1200)


def test_a_handle_pulls_and_the_inside_moves(frame: AnnotateFrame) -> None:
    frame.zoom_to(2.0, Point(270, 640))
    frame.set_draft(Box(200, 600, 300, 660))
    drag(frame, Point(300, 660), Point(320, 690))
    assert frame.draft() == Box(200, 600, 320, 690)
    drag(frame, Point(200, 645), Point(180, 640))
    assert frame.draft() == Box(180, 600, 320, 690)
    drag(frame, Point(230, 630), Point(240, 625))
    assert frame.draft() == Box(190, 595, 330, 685)


def test_arrows_begin_with_the_seed_then_move_by_one_and_by_ten(
    qtbot: QtBot, frame: AnnotateFrame
) -> None:
    frame.set_seed(Box(100, 100, 150, 140))
    seen = []
    for key, held in (
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier),
        (Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier),
    ):
        qtbot.keyClick(frame, key, held)
        seen.append(frame.draft())
    assert seen == [
        Box(100, 100, 150, 140),
        Box(99, 100, 149, 140),
        Box(99, 110, 149, 150),
        Box(99, 110, 150, 150),
        Box(99, 110, 150, 149),
    ]


def test_never_more_than_five_candidates_and_always_the_one_in_focus() -> None:
    assert nearest(3, None) == [0, 1, 2]
    assert nearest(9, None) == [0, 1, 2, 3, 4]
    assert nearest(9, 4) == [2, 3, 4, 5, 6]
    assert nearest(9, 8) == [4, 5, 6, 7, 8]


@pytest.mark.parametrize("source", list(RegionSource))
@pytest.mark.parametrize("ground", ["white", "black", "#6aa55a"])
def test_each_source_can_be_seen_on_any_ground(
    qapp: QApplication, source: RegionSource, ground: str
) -> None:
    def picture(paint: Callable[[QImage], None]) -> QImage:
        made = QImage(360, 400, QImage.Format.Format_RGB32)
        made.fill(QColor(ground))
        paint(made)
        return made

    def draw(image: QImage) -> None:

        painter = QPainter(image)
        fit = Fit(Size(360, 400), QRectF(0, 0, 360, 400))
        whole = DrawnRegion(Box(60, 120, 300, 200), source, "1", "Tree · Button", whole=True)
        thin = DrawnRegion(Box(80, 140, 160, 180), source, "2")
        draw_regions(painter, [whole, thin], MarkScale(fit, 1.0))
        painter.end()

    drawn = picture(draw)
    plain = QColor(ground)

    def differs(x: int, y: int) -> bool:
        there = drawn.pixelColor(x, y)
        return abs(there.lightness() - plain.lightness()) + abs(there.hue() - plain.hue()) > 20

    for line in (120, 180):
        assert any(differs(105, y) for y in range(line - 4, line + 5))
    below = [drawn.pixelColor(x, 390) for x in range(0, 360, 20)]
    assert below == [plain] * len(below)


def test_a_label_keeps_off_what_the_frame_says_and_off_other_labels(qtbot: QtBot) -> None:
    """A card with its price row: the row's key stands beside no price, and not on the card's."""
    card, row, beside = Box(20, 600, 260, 900), Box(24, 820, 256, 890), Box(280, 820, 520, 890)
    over = Box(20, 560, 260, 596)
    scale = MarkScale(Fit(Size(540, 1200), QRectF(0, 0, 270, 600)), 1.5)
    drawn = [
        DrawnRegion(card, RegionSource.TREE, "2", "Tree · ViewGroup", True),
        DrawnRegion(row, RegionSource.TREE, "1"),
    ]

    def covered(worded: list[Box]) -> list[bool]:
        """Whether the neighbour's price and what stands over the card are drawn upon."""
        image = QImage(270, 600, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        draw_regions(painter, drawn, scale, worded)
        painter.end()
        white = QColor(Qt.GlobalColor.white)
        return [
            any(
                image.pixelColor(x, y) != white
                for x in range(int(box.left / 2) + 8, int(box.right / 2) - 8)
                for y in range(int(box.top / 2) + 3, int(box.bottom / 2) - 3)
            )
            for box in (beside, over)
        ]

    assert covered([])[1]
    assert covered([row, beside, over]) == [False, False]
