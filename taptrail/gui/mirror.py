"""The mirror: shows the phone's screen and emits the user's input on it.

Each press carries the frame that was painted when it happened, not the newest one, because that is
what the user saw. The widget is independent of devices, episodes and files.
"""

from __future__ import annotations

from collections.abc import Iterable
from time import monotonic_ns

import numpy as np
from PySide6.QtCore import QEvent, QKeyCombination, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QImage,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from episodes.actions import Key, Phase
from episodes.geometry import Point
from recorder.frames import LiveFrame
from recorder.inputs import KeyPress, Touch, TypedText, WheelTurn
from taptrail.gui import icons, theme
from taptrail.gui.components.scaled import ScaledPicture
from taptrail.gui.fit import Fit, letterbox
from taptrail.gui.fonts import BODY, font
from taptrail.words import tr

BEZEL = 9
_MARGIN = 14
_CORNER = 15
_KEYS = {
    Qt.Key.Key_Return: Key.ENTER,
    Qt.Key.Key_Enter: Key.ENTER,
    Qt.Key.Key_Backspace: Key.DELETE,
    Qt.Key.Key_Tab: Key.TAB,
    Qt.Key.Key_Escape: Key.BACK,
}
_NAMED = {
    Qt.Key.Key_Up: "KEYCODE_DPAD_UP",
    Qt.Key.Key_Down: "KEYCODE_DPAD_DOWN",
    Qt.Key.Key_Left: "KEYCODE_DPAD_LEFT",
    Qt.Key.Key_Right: "KEYCODE_DPAD_RIGHT",
    Qt.Key.Key_Delete: "KEYCODE_FORWARD_DEL",
    Qt.Key.Key_Home: "KEYCODE_MOVE_HOME",
    Qt.Key.Key_End: "KEYCODE_MOVE_END",
    Qt.Key.Key_PageUp: "KEYCODE_PAGE_UP",
    Qt.Key.Key_PageDown: "KEYCODE_PAGE_DOWN",
}
_CLIPBOARD = {Qt.Key.Key_C: "KEYCODE_COPY", Qt.Key.Key_X: "KEYCODE_CUT"}
_CONTROL, _SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
MAX_PASTED = 100_000
"""Longer texts of the clipboard are not pasted: nobody types so much into a phone."""
_WITH_MODIFIER = {
    Qt.Key.Key_H: Key.HOME,
    Qt.Key.Key_B: Key.BACK,
    Qt.Key.Key_S: Key.RECENTS,
}
_MODIFIERS = {
    "alt": Qt.KeyboardModifier.AltModifier,
    "super": Qt.KeyboardModifier.MetaModifier,
}


class MirrorView(QWidget):
    """Shows the newest frame, letterboxed in a drawn phone.

    Signals:
        entered: an input for the phone; see `recorder.inputs`.
        laid: the phone moved or was resized; see `fit`.
        focused: whether the mirror has the keyboard focus.
        hovered: the pointer moved over the mirror, or left it; see `pointer`.
    """

    entered = Signal(object)
    laid = Signal()
    focused = Signal(bool)
    hovered = Signal()

    def __init__(self, modifier: str = "alt") -> None:
        super().__init__()
        self.setAccessibleName(tr("Phone screen"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty("ring", "own")
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(160, 200)
        self._modifier = _MODIFIERS[modifier]
        self._kept: frozenset[str] = frozenset()
        self._newest: LiveFrame | None = None
        self._painted: tuple[LiveFrame, Fit, int] | None = None
        self._held: tuple[LiveFrame, Fit, int] | None = None
        self._second_finger = False
        self._pointer: QPointF | None = None
        self.setMouseTracking(True)
        self._scaled = ScaledPicture()
        self._image: tuple[LiveFrame, QImage] | None = None
        self._away = ""

    def show_frame(self, frame: LiveFrame) -> None:
        """Paints this frame as soon as possible. GUI thread only."""
        self._newest = frame
        self.update()

    def show_away(self, reason: str) -> None:
        """Dims the last frame and shows why there are no new ones; "" ends this."""
        self._away = reason
        self.setAccessibleDescription(reason)
        self.update()

    def clear(self) -> None:
        """Removes the last frame."""
        self._newest = self._painted = self._held = self._image = None
        self._scaled.forget()
        self.update()

    def painted(self) -> LiveFrame | None:
        """Returns the frame that is painted now."""
        return self._painted[0] if self._painted else None

    def fit(self) -> Fit | None:
        """Returns the mapping of the painted frame in this widget."""
        return self._painted[1] if self._painted else None

    def pointer(self) -> Point | None:
        """Returns the place on the painted frame under the pointer, or None."""
        if self._painted is None or self._pointer is None:
            return None
        return self._painted[1].to_frame(self._pointer)

    def keep(self, keys: Iterable[str]) -> None:
        """Sets the keys that are left to the window, such as "Ctrl+R"."""
        self._kept = frozenset(_plain(QKeySequence(key)) for key in keys)

    def takes(self, key: str) -> bool:
        """Returns whether a key goes to the phone while the mirror has the focus."""
        pressed = QKeySequence(key)[0]  # type: ignore[index]  # the stubs do not know it
        return self._for_phone(pressed)

    def press(self, key: Key, name: str | None = None) -> None:
        """Presses a key of the phone on the painted frame, as the buttons beside it do."""
        if self._painted is not None:
            self.entered.emit(KeyPress(key, self._painted[0], monotonic_ns(), name))

    def paste(self) -> None:
        """Pastes this computer's clipboard into the phone."""
        text = QGuiApplication.clipboard().text()
        if self._painted is not None and 0 < len(text) <= MAX_PASTED:
            self.entered.emit(TypedText(text, self._painted[0], monotonic_ns(), pasted=True))

    def paintEvent(self, event: QPaintEvent) -> None:
        frame = self._newest
        if frame is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        around = _MARGIN + BEZEL
        room = QRectF(self.rect()).adjusted(around, around, -around, -around)
        fit = letterbox(frame.size, room, self.devicePixelRatioF())
        phone = fit.rect.adjusted(-BEZEL, -BEZEL, BEZEL, BEZEL)
        painter.setPen(QPen(theme.colour("line2"), 1))
        painter.setBrush(theme.on_frames("phone"))
        painter.drawRoundedRect(phone.adjusted(0.5, 0.5, -0.5, -0.5), 22, 22)
        if self.hasFocus():
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(phone.adjusted(-2, -2, 2, 2), 24, 24)
        outline = QPainterPath()
        outline.addRoundedRect(fit.rect, _CORNER, _CORNER)
        painter.setClipPath(outline)
        if self._away:
            painter.setOpacity(0.6)
        self._scaled.paint(painter, self._image_of(frame), fit)
        painter.setOpacity(1)
        if self._away:
            self._paint_away(painter, fit.rect)
        moved = self._painted is None or self._painted[1].rect != fit.rect
        self._painted = (frame, fit, monotonic_ns())
        if moved:
            self.laid.emit()

    def _image_of(self, frame: LiveFrame) -> QImage:
        """Returns an image that shares the frame's pixels; the frame is kept with it."""
        if self._image is None or self._image[0] is not frame:
            self._image = (frame, image_over(frame))
        return self._image[1]

    def _paint_away(self, painter: QPainter, rect: QRectF) -> None:
        plate = QRectF(rect.center().x() - 110, rect.center().y() - 44, 220, 88)
        painter.setPen(theme.colour("line2"))
        painter.setBrush(theme.colour("raised"))
        painter.drawRoundedRect(plate, 6, 6)
        icons.paint(painter, "power-plug-off-outline", plate.center() - QPointF(0, 18), 24, "text2")
        painter.setFont(font(BODY))
        painter.setPen(theme.colour("text1"))
        painter.drawText(
            plate.adjusted(12, 46, -12, -8),
            Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap,
            self._away,
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._painted is None:
            return
        shown, fit, _ = self._painted
        at = fit.to_frame(event.position())
        if event.button() is Qt.MouseButton.RightButton:
            self.press(Key.BACK)
        elif event.button() is Qt.MouseButton.MiddleButton:
            self.press(Key.HOME)
        elif event.button() is Qt.MouseButton.LeftButton and at is not None:
            self._held = self._painted
            self._touch(Phase.DOWN, at, 0)
            pinch = event.modifiers() == Qt.KeyboardModifier.ControlModifier
            self._second_finger = pinch
            if pinch:
                self._touch(Phase.DOWN, _mirrored(at, shown), 1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            self._fingers(Phase.MOVE, event.position())
        self._pointer = event.position()
        self.hovered.emit()

    def leaveEvent(self, event: QEvent) -> None:
        self._pointer = None
        self.hovered.emit()
        super().leaveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._held is not None and event.button() is Qt.MouseButton.LeftButton:
            self._fingers(Phase.UP, event.position())
            self._held, self._second_finger = None, False

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()
        if self._painted is None:
            return
        shown, fit, painted_ns = self._painted
        at = fit.to_frame(event.position())
        turned = event.angleDelta()
        if at is not None and not turned.isNull():
            across, down = turned.x() / 120, turned.y() / 120
            self.entered.emit(WheelTurn(at, across, down, shown, monotonic_ns(), painted_ns))

    def event(self, event: QEvent) -> bool:
        """Keeps keys for the phone from triggering the window's shortcuts."""
        override = event.type() is QEvent.Type.ShortcutOverride
        if override and isinstance(event, QKeyEvent) and self._for_phone(event.keyCombination()):
            event.accept()
            return True
        return super().event(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Sends Tab to the phone instead of moving the focus."""
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if self._painted is None or not self._for_phone(event.keyCombination()):
            event.ignore()
        elif event.modifiers() & self._modifier:
            self.press(_WITH_MODIFIER[key])
        elif event.modifiers() & _CONTROL and key == Qt.Key.Key_V:
            self.paste()
        elif (name := _name(key, event.modifiers())) is not None:
            self.press(Key.OTHER, name)
        elif key in _KEYS:
            self.press(_KEYS[key])
        elif event.text().isprintable() and event.text():
            self.entered.emit(TypedText(event.text(), self._painted[0], monotonic_ns()))

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        if event.commitString() and self._painted is not None:
            self.entered.emit(TypedText(event.commitString(), self._painted[0], monotonic_ns()))
        event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.update()
        self.focused.emit(True)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if self._held is not None:
            frame = self._held[0]
            self._touch(Phase.CANCEL, frame.size.at(0.5, 0.5), 0)
            if self._second_finger:
                self._touch(Phase.CANCEL, frame.size.at(0.5, 0.5), 1)
            self._held, self._second_finger = None, False
        self.update()
        self.focused.emit(False)
        super().focusOutEvent(event)

    def _for_phone(self, pressed: QKeyCombination) -> bool:
        key, held = pressed.key(), pressed.keyboardModifiers()
        if held & self._modifier:
            return key in _WITH_MODIFIER
        if Qt.Key.Key_F1 <= key <= Qt.Key.Key_F12:
            return False
        return _plain(QKeySequence(pressed)) not in self._kept

    def _fingers(self, phase: Phase, position: QPointF) -> None:
        if self._held is None:
            return
        shown, fit, _ = self._held
        at = fit.nearest(position)
        self._touch(phase, at, 0)
        if self._second_finger:
            self._touch(phase, _mirrored(at, shown), 1)

    def _touch(self, phase: Phase, at: Point, pointer: int) -> None:
        if self._held is not None:
            shown, _, painted_ns = self._held
            self.entered.emit(Touch.of(phase, at, shown, monotonic_ns(), painted_ns, pointer))


def _name(key: Qt.Key, modifiers: Qt.KeyboardModifier) -> str | None:
    """Returns Android's name of a non-text key with its modifiers; None if it has none."""
    control = bool(modifiers & _CONTROL)
    if control and key in _CLIPBOARD:
        return _CLIPBOARD[key]
    name = _NAMED.get(key)
    letter = Qt.Key.Key_A <= key <= Qt.Key.Key_Z or Qt.Key.Key_0 <= key <= Qt.Key.Key_9
    if name is None and control and letter:
        name = f"KEYCODE_{chr(key)}"
    if name is None:
        return None
    held = "META_CTRL_ON+" if control else ""
    return held + ("META_SHIFT_ON+" if modifiers & _SHIFT else "") + name


def _plain(keys: QKeySequence) -> str:
    return keys.toString(QKeySequence.SequenceFormat.PortableText)


def image_over(frame: LiveFrame) -> QImage:
    """Returns an image that shares the memory of a frame, including the padding of its rows.

    Nothing is copied, so the frame must live as long as the image.
    """
    step, width = frame.pixels.strides[0], frame.size.width
    # Qt needs one contiguous buffer; the padding of the last row may be missing.
    length = step * (frame.size.height - 1) + 4 * width
    memory = np.lib.stride_tricks.as_strided(
        frame.pixels, shape=(length,), strides=(1,), writeable=False
    )
    return QImage(memory.data, width, frame.size.height, step, QImage.Format.Format_RGB32)


def _mirrored(at: Point, shown: LiveFrame) -> Point:
    """Returns the second finger of a pinch: mirrored at the centre of the screen."""
    return Point(
        min(max(shown.size.width - at.x, 0.0), shown.size.width - 1.0),
        min(max(shown.size.height - at.y, 0.0), shown.size.height - 1.0),
    )
