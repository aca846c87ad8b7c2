"""Start page of Record while no phone is connected: ways to connect one, the demo phone first."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from recorder.device.interface import ListedPhone
from taptrail.gui.commands import key
from taptrail.gui.components.button import MAIN, Button
from taptrail.gui.components.labels import label
from taptrail.gui.components.messages import Bar, ErrorBand
from taptrail.gui.components.panel import WidgetRow
from taptrail.gui.components.start_cards import NumberedSteps, PhonePicture, StartCard, show_centred
from taptrail.gui.fonts import BODY, FACTS, LARGE, font
from taptrail.words import tr

_PICTURE_FROM = 860


class ConnectPage(QWidget):
    """Signals:
    demo: the user asked for the demo phone.
    serial: the user chose this phone, by serial or address.
    paired: (address, code) to pair this computer with a phone.
    again: the user asked to reload the list.
    doctor: the user asked for the Doctor page.
    """

    demo = Signal()
    serial = Signal(str)
    paired = Signal(str, str)
    again = Signal()
    doctor = Signal()

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
        self.said = label("", FACTS, tone="2", wrap=True)
        self.said.hide()
        self._start = Button(tr("Start"), kind=MAIN, size="l", key=key("start-demo"))
        self._start.clicked.connect(self.demo)
        self._demo = StartCard(
            "play",
            tr("Demo phone"),
            tr("Messages, Contacts, a shop and seven apps more"),
            self._start,
            main=True,
        )
        self._busy = Bar(2, tr("Connecting"))
        self._busy.hide()
        self._phones = QVBoxLayout()
        self._phones.setSpacing(8)
        self._ways: list[StartCard] = []
        self._listed: tuple[ListedPhone, ...] | None = None
        self._cable_steps, self._pairing = _cable_steps(), _pairing_steps()
        self.cable, self.wifi = self._cable(), self._wifi()
        self.picture = PhonePicture()
        inner = QWidget()
        inner.setFixedWidth(520)
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 16, 0, 16)
        column.setSpacing(8)
        for part in (self._title, self._more, self.error, self.said, self._busy):
            column.addWidget(part)
        column.addSpacing(8)
        column.addWidget(self._demo)
        column.addLayout(self._phones)
        column.addWidget(self.cable)
        column.addWidget(self.wifi)
        doctor = Button(tr("What is missing?"), "stethoscope")
        doctor.clicked.connect(self.doctor)
        column.addWidget(WidgetRow(None, doctor))
        show_centred(self, self.picture, inner)

    def _cable(self) -> StartCard:
        self._how = Button(tr("Show how"), size="l")
        self._how.clicked.connect(lambda: self.show_cable(not self._cable_steps.isVisibleTo(self)))
        look = Button(tr("Look again"), size="l", key=key("look-again"), cap=False)
        look.clicked.connect(self.again)
        way = StartCard(
            "usb",
            tr("Phone on USB"),
            tr("Found automatically after you allow it"),
            WidgetRow(self._how, look),
        )
        self._cable_steps.hide()
        way.put_below(self._cable_steps)
        return way

    def _wifi(self) -> StartCard:
        self._address = _field(tr("Address of the phone"), "192.168.0.7:5555", 150)
        self._address.returnPressed.connect(self._send_address)
        go = Button(tr("Connect"), size="l")
        go.clicked.connect(self._send_address)
        self._pair = Button(tr("Pair…"), size="l")
        self._pair.clicked.connect(lambda: self.show_pairing(not self._pairing.isVisibleTo(self)))
        way = StartCard(
            "wifi",
            tr("Phone over Wi-Fi"),
            tr("Pair once with a code"),
            WidgetRow(self._pair, self._address, go),
        )
        self._pair_at = _field(tr("Address for pairing"), "192.168.0.7:37105", 150)
        self._code = _field(tr("Pairing code"), "123456", 80)
        self._code.returnPressed.connect(self._send_code)
        pair = Button(tr("Pair"), size="l")
        pair.clicked.connect(self._send_code)
        self._pairing.column.insertWidget(
            3, WidgetRow(self._pair_at, self._code, pair, None, margins=(22, 0, 0, 0))
        )
        self._pairing.hide()
        way.put_below(self._pairing)
        return way

    def show_cable(self, shown: bool = True) -> None:
        """Shows or hides how to connect a phone by cable."""
        self._cable_steps.setVisible(shown)
        self._how.set_words(tr("Hide") if shown else tr("Show how"))
        if shown:
            self._how.setFocus()

    def show_pairing(self, shown: bool = True) -> None:
        """Shows or hides how to connect a phone over Wi-Fi."""
        self._pairing.setVisible(shown)
        if shown:
            self._pair_at.setFocus()

    def show_phones(self, phones: tuple[ListedPhone, ...]) -> None:
        """Shows the phones that adb lists; unusable ones with what to do."""
        if phones == self._listed:
            return  # the list is reloaded every few seconds; the focus must not move
        self._listed = phones
        for way in self._ways:
            self._phones.removeWidget(way)
            way.deleteLater()
        self._ways = []
        for phone in phones:
            button = Button(tr("Connect"), size="l")
            button.setEnabled(phone.ready)
            button.clicked.connect(lambda _=False, s=phone.names[0]: self.serial.emit(s))
            name = phone.model.replace("_", " ") or phone.serial
            said = _connections(phone) if phone.ready else _why_not(phone)
            way = StartCard("cellphone-link", name, said, button, warn=not phone.ready)
            self._phones.addWidget(way)
            self._ways.append(way)

    def set_busy(self, words: str) -> None:
        """Shows what the page waits for; "" hides it."""
        for way in (self._demo, *self._ways):
            way.setEnabled(not words)
        self._title.setText(words or tr("Connect a phone"))
        if words:
            self._busy.set_unknown()
            self.error.hide()
            self.said.hide()
        self._busy.setVisible(bool(words))

    def say(self, words: str) -> None:
        """Shows a result until the next attempt."""
        self.said.setText(words)
        self.said.setVisible(bool(words))

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self.picture.setVisible(self.width() >= _PICTURE_FROM)

    def _send_address(self) -> None:
        address = self._address.text().strip()
        if address:
            self.serial.emit(address if ":" in address else f"{address}:5555")

    def _send_code(self) -> None:
        address, code = self._pair_at.text().strip(), "".join(self._code.text().split())
        if not address or ":" not in address:
            self._pair_at.setFocus()
        elif not code:
            self._code.setFocus()
        else:
            self.paired.emit(address, code)


def _cable_steps() -> NumberedSteps:
    return NumberedSteps(
        tr("How to connect a phone by cable"),
        (
            tr(
                "On the phone: Settings, About phone. Tap Build number seven times; that "
                "turns on Developer options. (Xiaomi: tap OS version.)"
            ),
            tr("In Settings, System, Developer options: turn on USB debugging."),
            tr(
                "Xiaomi, Redmi, Poco: turn on USB debugging (Security settings) and Install "
                "via USB there, too. Without them the picture is shown, but touches do not work."
            ),
            tr("Unlock the phone, and plug it in with a cable that carries data."),
            tr(
                "The phone asks “Allow USB debugging?”. Tick Always allow, and tap Allow. No "
                "question? Unplug it and plug it in again."
            ),
        ),
    )


def _pairing_steps() -> NumberedSteps:
    return NumberedSteps(
        tr("How to connect a phone over Wi-Fi"),
        (
            tr("Phone and computer are in the same network."),
            tr("On the phone: Developer options, Wireless debugging, on."),
            tr(
                "Tap “Pair device with pairing code” there, and write the address and the "
                "code it shows here:"
            ),
            tr(
                "Then write the other address, the one under “IP address & Port”, above and "
                "press Connect. From then on connecting is enough."
            ),
        ),
    )


def _connections(phone: ListedPhone) -> str:
    """Returns how a phone is connected, and its name."""
    words = {"USB": tr("USB"), "Wi-Fi": tr("Wi-Fi"), "this computer": tr("On this computer")}
    first = words.get(phone.connection)
    said = phone.names[0] if first is None else f"{first} · {phone.names[0]}"
    if not phone.also:
        return said
    return tr("{connection}, also as {names}", connection=said, names=", ".join(phone.also))


def _why_not(phone: ListedPhone) -> str:
    """Returns why a phone cannot be used, and what to do."""
    said = phone.meaning[:1].upper() + phone.meaning[1:]
    return f"{phone.names[0]}: {said}. {phone.remedy}".strip()


def _field(name: str, example: str, width: int) -> QLineEdit:
    field = QLineEdit()
    field.setFont(font(BODY))
    field.setPlaceholderText(example)
    field.setAccessibleName(name)
    field.setFixedWidth(width)
    field.setMaxLength(200)
    return field
