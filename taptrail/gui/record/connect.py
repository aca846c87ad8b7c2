"""What Record shows while no phone is connected: ways to connect one, the demo phone first."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from recorder.device.adb import ListedPhone
from taptrail.gui import theme
from taptrail.gui.commands import key
from taptrail.gui.components.button import MAIN, Button
from taptrail.gui.components.messages import Bar, ErrorBand
from taptrail.gui.components.panel import Icon, Row
from taptrail.gui.components.words import ElidedLabel, label
from taptrail.gui.fonts import BODY, FACTS, LARGE, font
from taptrail.words import tr


class ConnectPage(QWidget):
    """Signals:
    demo: a person wants the demo phone.
    serial: a person wants this phone, by serial or address.
    again: a person wants the list read anew.
    """

    demo = Signal()
    serial = Signal(str)
    again = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("ground", "stage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._title = label(tr("Connect a phone"), LARGE, 600)
        self._more = label(
            tr("Or start with the demo phone. It runs on this computer and needs no cable."),
            BODY,
            tone="2",
            wrap=True,
        )
        self.error = ErrorBand()
        self._start = Button(tr("Start"), kind=MAIN, size="l", key=key("start-demo"))
        self._start.clicked.connect(self.demo)
        self._demo = _Way(
            "play",
            tr("Demo phone"),
            tr("Messages, Contacts and a launcher"),
            self._start,
            main=True,
        )
        self._busy = Bar(2, tr("Connecting"))
        self._busy.hide()
        self._phones = QVBoxLayout()
        self._phones.setSpacing(8)
        self._ways: list[_Way] = []
        look = Button(tr("Look again"), size="l", key=key("look-again"), cap=False)
        look.clicked.connect(self.again)
        self._none = _Way("usb", tr("Phone on USB"), tr("None is plugged in"), look)
        self._address = QLineEdit()
        self._address.setFont(font(BODY))
        self._address.setPlaceholderText("192.168.0.7:5555")
        self._address.setAccessibleName(tr("Address of the phone"))
        self._address.setFixedWidth(150)
        self._address.returnPressed.connect(self._send_address)
        go = Button(tr("Connect"), size="l")
        go.clicked.connect(self._send_address)
        wifi = _Way(
            "wifi",
            tr("Phone over Wi-Fi"),
            tr("With wireless debugging on"),
            Row(self._address, go),
        )
        inner = QWidget()
        inner.setFixedWidth(520)
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for part in (self._title, self._more, self.error, self._busy):
            column.addWidget(part)
        column.addSpacing(8)
        column.addWidget(self._demo)
        column.addLayout(self._phones)
        column.addWidget(self._none)
        column.addWidget(wifi)
        outer = QVBoxLayout(self)
        outer.addStretch(2)
        outer.addWidget(inner, 0, Qt.AlignmentFlag.AlignHCenter)
        outer.addStretch(3)

    def show_phones(self, phones: tuple[ListedPhone, ...]) -> None:
        """Shows the phones adb knows, those that wait with what to do."""
        for way in self._ways:
            self._phones.removeWidget(way)
            way.deleteLater()
        self._ways = []
        for phone in phones:
            button = Button(tr("Connect"), size="l")
            button.setEnabled(phone.ready)
            button.clicked.connect(lambda _=False, s=phone.serial: self.serial.emit(s))
            name = phone.model.replace("_", " ") or phone.serial
            said = phone.serial if phone.ready else f"{phone.meaning}. {phone.remedy}"
            way = _Way("cellphone-link", name, said, button, warn=not phone.ready)
            self._phones.addWidget(way)
            self._ways.append(way)
        self._none.setVisible(not phones)

    def set_busy(self, words: str) -> None:
        """Says what is being waited for; "" when nothing is."""
        for way in (self._demo, *self._ways):
            way.setEnabled(not words)
        self._title.setText(words or tr("Connect a phone"))
        if words:
            self._busy.set_unknown()
            self.error.hide()
        self._busy.setVisible(bool(words))

    def _send_address(self) -> None:
        address = self._address.text().strip()
        if address:
            self.serial.emit(address if ":" in address else f"{address}:5555")


class _Way(QWidget):
    def __init__(
        self,
        icon: str,
        title: str,
        text: str,
        action: QWidget,
        *,
        main: bool = False,
        warn: bool = False,
    ) -> None:
        super().__init__()
        self._main = main
        self.setFixedHeight(76)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"{title}. {text}")
        words = QWidget()
        column = QVBoxLayout(words)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addStretch(1)
        column.addWidget(ElidedLabel(title, BODY, 600))
        column.addWidget(ElidedLabel(text, FACTS, ink="mismatch" if warn else "text2"))
        column.addStretch(1)
        badge = _Badge(icon, main=main)
        row = Row(badge, words, action, gap=12, margins=(16, 0, 16, 0))
        row.row.setStretch(1, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(row)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.colour("accent" if self._main else "line2"))
        painter.setBrush(theme.colour("accent_tint" if self._main else "panel"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)


class _Badge(QWidget):
    def __init__(self, icon: str, *, main: bool) -> None:
        super().__init__()
        self.setFixedSize(40, 40)
        self._main = main
        mark = Icon(icon, 22, "on_accent" if main else "text2")
        mark.setParent(self)
        mark.move(9, 9)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("accent_fill" if self._main else "raised"))
        painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
