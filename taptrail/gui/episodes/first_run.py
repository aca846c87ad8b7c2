"""First page of an empty library: four ways to start."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from taptrail.gui.components.button import MAIN, Button
from taptrail.gui.components.labels import label
from taptrail.gui.components.start_cards import Dashed, PhonePicture, StartCard, show_centred
from taptrail.gui.fonts import BODY, LARGE
from taptrail.words import tr

_PICTURE_FROM = 860


class FirstRun(QWidget):
    """Signals:
    sample, demo, cable, wifi, imported: the user chose this way to start.
    """

    sample = Signal()
    demo = Signal()
    cable = Signal()
    wifi = Signal()
    imported = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("ground", "stage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = label(tr("No episodes yet"), LARGE, 600)
        more = label(
            tr("Explore the sample, or record your own episode."),
            BODY,
            tone="2",
            wrap=True,
        )
        self.open = Button(tr("Open"), kind=MAIN, size="l")
        self.open.clicked.connect(self.sample)
        self.buttons = {
            name: Button(words, size="l")
            for name, words in (
                ("demo", tr("Start")),
                ("cable", tr("Show how")),
                ("wifi", tr("Pair…")),
                ("imported", tr("Choose…")),
            )
        }
        for name, button in self.buttons.items():
            button.clicked.connect(getattr(self, name))
        self.picture = PhonePicture()
        inner = QWidget()
        inner.setMinimumWidth(320)
        inner.setMaximumWidth(520)
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 16, 0, 16)
        column.setSpacing(8)
        column.addWidget(self.title)
        column.addWidget(more)
        column.addSpacing(8)
        for part in (
            StartCard(
                "database-outline",
                tr("Sample library"),
                tr("Seven episodes of four people, and two runs to compare"),
                self.open,
                main=True,
            ),
            StartCard(
                "play",
                tr("Demo phone"),
                tr("Record on a simulated phone on this computer"),
                self.buttons["demo"],
            ),
            StartCard(
                "usb",
                tr("Phone on USB"),
                tr("What to allow on the phone, in five steps"),
                self.buttons["cable"],
            ),
            StartCard(
                "wifi",
                tr("Phone over Wi-Fi"),
                tr("Pair once with a code, then connect"),
                self.buttons["wifi"],
            ),
            Dashed(tr("Or drop a data set here"), self.buttons["imported"]),
        ):
            column.addWidget(part)
        show_centred(self, self.picture, inner, 1000)

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self.picture.setVisible(self.width() >= _PICTURE_FROM)
