"""Buttons: main, plain, quiet, destructive; with icon, text and keycap."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QShortcut,
)
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from episodes.visible_text import visible_text
from taptrail.gui import icons, theme
from taptrail.gui.components import cells, keycap
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import BODY, FACTS, font

MAIN, PLAIN, QUIET, DANGER, DANGER_FILL = "main", "plain", "quiet", "danger", "danger_fill"
_HEIGHTS = {"s": 24, "m": 28, "l": 32}


class Button(QAbstractButton):
    """A button. Its key works in the button's window while the button is visible.

    Args:
        kind: one of MAIN, PLAIN, QUIET, DANGER, DANGER_FILL; at most one filled button per view.
        size: "s" 24, "m" 28, "l" 32 px high.
        key: a key sequence such as "F9"; shown on a keycap; presses the button.
        tip: accessible name and tooltip, if the text alone is not enough.
        menu: whether to show a menu arrow.
        cap: whether the key is shown on the button or only in the tooltip.
        presses: whether the key presses the button; if not, another object handles the key.
    """

    def __init__(
        self,
        text: str = "",
        icon: str = "",
        *,
        kind: str = PLAIN,
        size: str = "m",
        key: str = "",
        tip: str = "",
        menu: bool = False,
        cap: bool = True,
        presses: bool = True,
    ) -> None:
        super().__init__()
        self.setText(text)
        self._icon, self._kind, self._size, self._menu = icon, kind, size, menu
        self._cap = keycap.words(key) if cap else ""
        self._tail = ""
        self._tip, self._key = tip, key
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        policy = QSizePolicy.Policy.Minimum if text else QSizePolicy.Policy.Fixed
        self.setSizePolicy(policy, QSizePolicy.Policy.Fixed)
        self._name()
        if key and presses:
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
            shortcut.activated.connect(self._pressed_by_key)

    def setText(self, text: str) -> None:
        """Sets the text as it is: "&" makes no shortcut, hidden characters show their codes."""
        super().setText(visible_text(text))
        self.setShortcut(QKeySequence())

    def set_words(self, text: str, icon: str = "", tail: str = "") -> None:
        """Sets the text, the icon and the quiet text after it."""
        self.setText(text)
        self._icon = icon or self._icon
        self._tail = tail
        self._name()
        self.updateGeometry()
        self.update()

    def set_kind(self, kind: str) -> None:
        """Sets the kind of button."""
        self._kind = kind
        self.update()

    def set_tip(self, tip: str) -> None:
        """Replaces the tooltip, for example with the reason why the button is off."""
        self._tip = tip
        self._name()

    def sizeHint(self) -> QSize:
        height = _HEIGHTS[self._size]
        if not self.text() and not self._menu:
            return QSize(height, height)
        return QSize(round(self._content_width() + 2 * self._padding()), height)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def changeEvent(self, event: QEvent) -> None:
        self.update()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground, edge, text, glyph = self._colours()
        if not self.isEnabled():
            painter.setOpacity(0.45 if self._filled() else 0.55)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        radius = 4 if self._size == "s" else 5
        painter.setPen(QPen(edge, 1) if edge is not None else Qt.PenStyle.NoPen)
        painter.setBrush(ground if ground is not None else Qt.BrushStyle.NoBrush)
        if ground is not None or edge is not None:
            painter.drawRoundedRect(box, radius, radius)
        self._paint_content(painter, text, glyph)

    def _paint_content(self, painter: QPainter, text: QColor, glyph: QColor) -> None:
        middle = self.height() / 2
        x = max(self._padding(), (self.width() - self._content_width()) / 2)
        if self._icon:
            px = self._icon_px()
            icons.paint(painter, self._icon, QPointF(x + px / 2, middle), px, glyph)
            x += px + self._gap()
        face = self._face()
        metrics = QFontMetricsF(face)
        if self.text():
            painter.setFont(face)
            painter.setPen(text)
            across = metrics.horizontalAdvance(self.text())
            room = QRectF(x, 0, across + 2, self.height())
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, self.text())
            x += across + self._gap()
        if self._tail:
            painter.setFont(font(BODY))
            painter.setPen(theme.colour("text3"))
            across = QFontMetricsF(font(BODY)).horizontalAdvance(self._tail)
            room = QRectF(x, 0, across + 2, self.height())
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, self._tail)
            x += across + self._gap()
        if self._cap:
            on_fill = text if self._filled() else None
            x += keycap.paint(painter, x, middle, self._cap, on_fill) + self._gap()
        if self._menu:
            icons.paint(painter, "chevron-down", QPointF(x + 7, middle), 16, glyph)

    def _colours(self) -> tuple[QColor | None, QColor | None, QColor, QColor]:
        """Returns background, edge, text and icon colours."""
        hover = self.isEnabled() and self.underMouse()
        if self._kind == MAIN:
            fill = theme.colour("accent_fill")
            shown = fill.lighter(108) if self.isDown() or hover else fill
            return shown, shown, theme.colour("on_accent"), theme.colour("on_accent")
        if self._kind == DANGER_FILL:
            fill = theme.colour("record_fill")
            shown = fill.lighter(108) if self.isDown() or hover else fill
            return shown, shown, theme.colour("on_accent"), theme.colour("on_accent")
        ground = theme.colour("hover") if hover or self.isDown() else None
        if self._kind == QUIET:
            on = self.isChecked()
            token = "accent" if on else "text2"
            plain = theme.colour("accent_tint") if on else ground
            words = theme.colour("text1" if self._menu and not on else token)
            return plain, None, words, theme.colour(token)
        text = theme.colour("record" if self._kind == DANGER else "text1")
        return ground or theme.colour("button"), theme.colour("line2"), text, text

    def _content_width(self) -> float:
        parts = []
        if self._icon:
            parts.append(float(self._icon_px()))
        if self.text():
            parts.append(QFontMetricsF(self._face()).horizontalAdvance(self.text()))
        if self._tail:
            parts.append(QFontMetricsF(font(BODY)).horizontalAdvance(self._tail))
        if self._cap:
            parts.append(keycap.width(self._cap))
        if self._menu:
            parts.append(14.0)
        return sum(parts) + self._gap() * (len(parts) - 1)

    def _face(self) -> QFont:
        return font(FACTS if self._size == "s" else BODY, 500)

    def _icon_px(self) -> int:
        if not self.text():
            return 16 if self._size == "s" else 18
        return 15 if self._size == "s" else 16

    def _padding(self) -> float:
        if not self.text():
            return 4
        return 8 if self._size == "s" else 10

    def _gap(self) -> float:
        return 6

    def _filled(self) -> bool:
        return self._kind in (MAIN, DANGER_FILL)

    def _name(self) -> None:
        name = self._tip or self.text()
        self.setAccessibleName(name)
        key = keycap.words(self._key)
        self.setToolTip(tip(f"{name}  {key}" if key else name))

    def _pressed_by_key(self) -> None:
        if self.isEnabled() and self.isVisible():
            self.click()


class SegmentedControl(QWidget):
    """A segmented control: one of a few choices is selected.

    Signals:
        chosen: the number of the choice the user selected.
    """

    chosen = Signal(int)

    def __init__(self, choices: list[tuple[str, str]], name: str) -> None:
        """`choices` are (icon, text) pairs; `name` is the accessible name of the group."""
        super().__init__()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(1, 0, 1, 0)
        row.setSpacing(0)
        self._parts = []
        for number, (icon, text) in enumerate(choices):
            part = _Part(icon, text)
            part.setChecked(number == 0)
            part.clicked.connect(lambda _=False, n=number: self._choose(n))
            row.addWidget(part)
            self._parts.append(part)

    def choice(self) -> int:
        """Returns the number of the selected choice."""
        return next(n for n, part in enumerate(self._parts) if part.isChecked())

    def set_choice(self, number: int) -> None:
        """Selects a choice without emitting a signal."""
        for n, part in enumerate(self._parts):
            part.setChecked(n == number)

    def part(self, number: int) -> QAbstractButton:
        """Returns the button of a choice, to set its key or tooltip."""
        return self._parts[number]

    def paintEvent(self, event: QPaintEvent) -> None:
        cells.field_ground(QPainter(self), QRectF(self.rect()))

    def _choose(self, number: int) -> None:
        self.set_choice(number)
        self.chosen.emit(number)


class _Part(QAbstractButton):
    def __init__(self, icon: str, text: str) -> None:
        super().__init__()
        self._icon = icon
        self.setText(text)
        self.setCheckable(True)
        self.setAccessibleName(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def sizeHint(self) -> QSize:
        text = QFontMetricsF(font(FACTS, 500)).horizontalAdvance(self.text())
        return QSize(round(text + 21 + (22 if self._icon else 0)), 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        on = self.isChecked()
        inner = self.rect().adjusted(0, 1, 0, -1)
        if on:
            painter.fillRect(inner, theme.colour("accent_tint"))
        elif self.underMouse():
            painter.fillRect(inner, theme.colour("hover"))
        token = "accent" if on else "text2"
        x = 10.0
        if self._icon:
            icons.paint(painter, self._icon, QPointF(x + 8, self.height() / 2), 16, token)
            x += 22
        painter.setFont(font(FACTS, 500))
        painter.setPen(theme.colour(token))
        room = QRectF(x, 0, self.width() - x, self.height())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, self.text())
        parent = self.parentWidget()
        if parent is not None and self.geometry().right() < parent.width() - 3:
            painter.fillRect(
                QRectF(self.width() - 1, 1, 1, self.height() - 2), theme.colour("line2")
            )
