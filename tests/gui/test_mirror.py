"""Input on the mirror, and the frame it belongs to."""

from time import monotonic_ns

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QInputMethodEvent, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from episodes.actions import Key, Phase
from episodes.geometry import Point, Size
from recorder.device.scrcpy.encoding import press_messages
from recorder.frames import LiveFrame
from recorder.inputs import KeyPress, Touch, TypedText, WheelTurn
from taptrail.gui.mirror import MAX_PASTED, MirrorView

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


SIZE = Size(108, 240)


def live(colour: tuple[int, int, int] = (30, 60, 90), pad: int = 4) -> LiveFrame:
    """A frame of one colour (red, green, blue), with rows longer than the picture."""
    rows = np.zeros((SIZE.height, SIZE.width + pad, 4), np.uint8)
    rows[:, :, :3] = colour[::-1]
    rows[:, :, 3] = 255
    pixels = rows[:, : SIZE.width]
    return LiveFrame(pixels, SIZE, 1_000, monotonic_ns(), monotonic_ns(), b"", 0)


@pytest.fixture
def mirror(qtbot: QtBot) -> MirrorView:
    view = MirrorView()
    qtbot.addWidget(view)
    view.resize(347, 611)
    view.show()
    view.show_frame(live())
    qtbot.waitUntil(lambda: view.painted() is not None)
    return view


def heard(mirror: MirrorView, kind: type) -> list:
    """The inputs of one kind, as they are entered."""
    values: list = []
    mirror.entered.connect(lambda one: values.append(one) if isinstance(one, kind) else None)
    return values


def window_place(view: MirrorView, x: float, y: float) -> QPoint:
    fit = view.fit()
    assert fit is not None
    return fit.to_window(Point(x, y)).toPoint()


def frame_place(view: MirrorView, at: QPoint) -> Point:
    fit = view.fit()
    assert fit is not None
    return fit.nearest(QPointF(at))


def test_the_frame_is_painted_from_its_own_memory(qtbot: QtBot, mirror: MirrorView) -> None:
    fit = mirror.fit()
    assert fit is not None
    middle = fit.rect.center().toPoint()
    assert mirror.grab().toImage().pixelColor(middle) == QColor(30, 60, 90)
    assert fit.rect.height() / fit.rect.width() == pytest.approx(240 / 108, rel=0.01)


def test_a_press_carries_the_painted_frame_and_not_the_newest(
    qtbot: QtBot, mirror: MirrorView
) -> None:
    touches = heard(mirror, Touch)
    painted = mirror.painted()
    assert painted is not None
    mirror.setUpdatesEnabled(False)
    mirror.show_frame(live(colour=(200, 0, 0)))
    at, to = window_place(mirror, 40, 100), window_place(mirror, 60, 160)
    before = monotonic_ns()
    qtbot.mousePress(mirror, LEFT, pos=at)
    mirror.setUpdatesEnabled(True)
    mirror.grab()
    assert mirror.painted() is not painted
    qtbot.mouseMove(mirror, to)
    qtbot.mouseRelease(mirror, LEFT, pos=to)
    assert [(t.contact.phase, t.contact.at, t.contact.pointer) for t in touches] == [
        (Phase.DOWN, frame_place(mirror, at), 0),
        (Phase.MOVE, frame_place(mirror, to), 0),
        (Phase.UP, frame_place(mirror, to), 0),
    ]
    assert all(t.shown is painted for t in touches)
    assert all(t.painted_ns < before <= t.host_ns for t in touches)


def test_the_next_press_carries_the_new_frame(qtbot: QtBot, mirror: MirrorView) -> None:
    touches = heard(mirror, Touch)
    newer = live(colour=(200, 0, 0))
    mirror.show_frame(newer)
    qtbot.waitUntil(lambda: mirror.painted() is newer)
    qtbot.mouseClick(mirror, LEFT, pos=window_place(mirror, 50, 50))
    assert [t.shown for t in touches] == [newer, newer]


def test_a_drag_that_leaves_the_phone_ends_at_its_edge(qtbot: QtBot, mirror: MirrorView) -> None:
    touches: list[Touch] = heard(mirror, Touch)
    qtbot.mousePress(mirror, LEFT, pos=window_place(mirror, 50, 50))
    qtbot.mouseMove(mirror, QPoint(346, 60))
    qtbot.mouseRelease(mirror, LEFT, pos=QPoint(346, 60))
    assert [t.contact.at.x for t in touches[1:]] == [107.0, 107.0]


def test_a_press_beside_the_phone_is_none(qtbot: QtBot, mirror: MirrorView) -> None:
    touches = heard(mirror, Touch)
    qtbot.mouseClick(mirror, LEFT, pos=QPoint(2, 2))
    assert touches == []


def test_control_and_drag_are_two_fingers_about_the_middle(
    qtbot: QtBot, mirror: MirrorView
) -> None:
    touches: list[Touch] = heard(mirror, Touch)
    control = Qt.KeyboardModifier.ControlModifier
    at, to = window_place(mirror, 70, 140), window_place(mirror, 90, 180)
    qtbot.mousePress(mirror, LEFT, control, pos=at)
    qtbot.mouseMove(mirror, to)
    qtbot.mouseRelease(mirror, LEFT, control, pos=to)
    assert [(t.contact.phase, t.contact.pointer) for t in touches] == [
        (Phase.DOWN, 0),
        (Phase.DOWN, 1),
        (Phase.MOVE, 0),
        (Phase.MOVE, 1),
        (Phase.UP, 0),
        (Phase.UP, 1),
    ]
    for one, other in zip(touches[::2], touches[1::2], strict=True):
        one_at, other_at = one.contact.at, other.contact.at
        assert (one_at.x + other_at.x, one_at.y + other_at.y) == pytest.approx((108, 240))


def test_buttons_and_keys_reach_the_phone(qtbot: QtBot, mirror: MirrorView) -> None:
    keys, texts = heard(mirror, KeyPress), heard(mirror, TypedText)
    alt = Qt.KeyboardModifier.AltModifier
    qtbot.mouseClick(mirror, RIGHT, pos=window_place(mirror, 50, 50))
    qtbot.mouseClick(mirror, Qt.MouseButton.MiddleButton, pos=window_place(mirror, 50, 50))
    for key in (Qt.Key.Key_H, Qt.Key.Key_B, Qt.Key.Key_S):
        qtbot.keyClick(mirror, key, alt)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Backspace, Qt.Key.Key_Tab, Qt.Key.Key_Escape):
        qtbot.keyClick(mirror, key)
    qtbot.keyClicks(mirror, "Mara Q")
    QApplication.sendEvent(mirror, _committed("né"))
    assert [press.key for press in keys] == [
        Key.BACK,
        Key.HOME,
        Key.HOME,
        Key.BACK,
        Key.RECENTS,
        Key.ENTER,
        Key.DELETE,
        Key.TAB,
        Key.BACK,
    ]
    assert "".join(typed.text for typed in texts) == "Mara Qné"
    assert all(press.shown is mirror.painted() for press in [*keys, *texts])


def test_keys_that_write_nothing_reach_the_phone_by_their_names(
    qtbot: QtBot, mirror: MirrorView
) -> None:
    keys, texts = heard(mirror, KeyPress), heard(mirror, TypedText)
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    none = Qt.KeyboardModifier.NoModifier
    for key, held in (
        (Qt.Key.Key_Left, none),
        (Qt.Key.Key_Down, shift),
        (Qt.Key.Key_Delete, none),
        (Qt.Key.Key_Home, none),
        (Qt.Key.Key_End, control | shift),
        (Qt.Key.Key_A, control),
        (Qt.Key.Key_C, control),
        (Qt.Key.Key_X, control),
    ):
        qtbot.keyClick(mirror, key, held)
    assert [(press.key, press.name) for press in keys] == [
        (Key.OTHER, name)
        for name in (
            "KEYCODE_DPAD_LEFT",
            "META_SHIFT_ON+KEYCODE_DPAD_DOWN",
            "KEYCODE_FORWARD_DEL",
            "KEYCODE_MOVE_HOME",
            "META_CTRL_ON+META_SHIFT_ON+KEYCODE_MOVE_END",
            "META_CTRL_ON+KEYCODE_A",
            "KEYCODE_COPY",
            "KEYCODE_CUT",
        )
    ]
    assert texts == []
    assert all(press_messages(press.key, press.name) for press in keys)


def test_control_and_v_pastes_the_clipboard_of_this_computer_as_one(
    qtbot: QtBot, mirror: MirrorView
) -> None:
    pasted, keys = heard(mirror, TypedText), heard(mirror, KeyPress)
    control = Qt.KeyboardModifier.ControlModifier
    for text in ("Mara\nQuill", "", "x" * (MAX_PASTED + 1)):
        QApplication.clipboard().setText(text)
        qtbot.keyClick(mirror, Qt.Key.Key_V, control)
    assert [(one.text, one.shown, one.pasted) for one in pasted] == [
        ("Mara\nQuill", mirror.painted(), True)
    ]
    assert keys == []


def test_the_window_keeps_the_function_keys_and_the_modifier(mirror: MirrorView) -> None:
    none, alt = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.AltModifier
    control = Qt.KeyboardModifier.ControlModifier
    taken = [
        _override(mirror, key, modifiers)
        for key, modifiers in (
            (Qt.Key.Key_F, control),
            (Qt.Key.Key_Left, none),
            (Qt.Key.Key_F9, none),
            (Qt.Key.Key_1, alt),
            (Qt.Key.Key_H, alt),
        )
    ]
    assert taken == [True, True, False, False, True]


def test_the_wheel_scrolls_the_phone(qtbot: QtBot, mirror: MirrorView) -> None:
    wheels = heard(mirror, WheelTurn)
    at = QPointF(window_place(mirror, 50, 100))
    event = QWheelEvent(
        at, mirror.mapToGlobal(at), QPoint(), QPoint(0, -240), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(mirror, event)
    (wheel,) = wheels
    assert (wheel.across, wheel.down, wheel.shown) == (0.0, -2.0, mirror.painted())
    assert wheel.at == frame_place(mirror, at.toPoint())


def test_a_phone_that_is_gone_leaves_its_last_frame_dimmed(
    qtbot: QtBot, mirror: MirrorView
) -> None:
    fit = mirror.fit()
    assert fit is not None
    corner = (fit.rect.topLeft() + QPointF(30, 30)).toPoint()
    bright = mirror.grab().toImage().pixelColor(corner)
    mirror.show_away("Wren 6 is gone. The recording waits.")
    dim = mirror.grab().toImage().pixelColor(corner)
    assert dim.lightness() < bright.lightness()
    assert mirror.accessibleDescription() == "Wren 6 is gone. The recording waits."
    mirror.show_away("")
    assert mirror.grab().toImage().pixelColor(corner) == bright


def _committed(text: str) -> QInputMethodEvent:
    event = QInputMethodEvent("", [])
    event.setCommitString(text)
    return event


def _override(view: MirrorView, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> bool:
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifiers)
    event.ignore()
    QApplication.sendEvent(view, event)
    return event.isAccepted()
