"""The Settings page: each change is saved immediately; there is no Save button."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget

from episodes.errors import KnownError
from taptrail.gui.commands import key
from taptrail.gui.components.button import Button, SegmentedControl
from taptrail.gui.components.dialogs import file_dialog
from taptrail.gui.components.keycap import KeyHint
from taptrail.gui.components.labels import label
from taptrail.gui.components.messages import ErrorBand
from taptrail.gui.components.panel import Panel, Scrolled, Section, WidgetRow
from taptrail.gui.components.shell import Head, Page, StatusBar
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import BODY, CAPTION, font
from taptrail.gui.preferences import Preferences
from taptrail.gui.segmenting.checkpoints import Checkpoints
from taptrail.gui.work import WorkThread
from taptrail.settings import SCALES, SEGMENT_WHEN, THEMES, Settings
from taptrail.words import tr

_SCALES = (90, 100, 110, 125, 150)
_NAME, _FIELD = 160, 360


class SettingsPlace(Page):
    """The settings page.

    Signals:
        segmented: the user asked to run SAM 2 on all presses.
    """

    segmented = Signal()

    def __init__(self, preferences: Preferences, thread: WorkThread[None]) -> None:
        """Args:
        thread: downloads checkpoints, which takes long.
        """
        super().__init__("Settings")
        self._preferences = preferences
        settings = preferences.settings
        self.error = ErrorBand()
        words = {"system": tr("As the system"), "light": tr("Light"), "dark": tr("Dark")}
        self.theme = SegmentedControl([("", words[name]) for name in THEMES], tr("Theme"))
        self.theme.chosen.connect(lambda n: preferences.change(theme=THEMES[n]))
        scales = sorted({*_SCALES, settings.scale} & set(SCALES))
        self.scale = SegmentedControl([("", f"{scale} %") for scale in scales], tr("Text size"))
        self.scale.chosen.connect(lambda n: preferences.change(scale=scales[n]))
        self._scales = scales
        self.author = _field(tr("Your name"))
        self.author.editingFinished.connect(self._name)
        self.library = _field(tr("Folder of the library"))
        self.library.setReadOnly(True)
        choose = Button(tr("Choose…"))
        choose.clicked.connect(self._pick)
        self.port = _field(tr("Port of adb"), 96)
        self.port.setPlaceholderText("5037")
        self.port.editingFinished.connect(self._set_port)
        times = {
            "off": tr("Never"),
            "recorded": tr("After a recording"),
            "idle": tr("Whenever nothing is recorded"),
        }
        self.segment = SegmentedControl([("", times[when]) for when in SEGMENT_WHEN], tr("SAM 2"))
        self.segment.chosen.connect(lambda n: preferences.change(segment=SEGMENT_WHEN[n]))
        self.all = Button(tr("Segment all presses"), "vector-square", key=key("segment"))
        self.all.clicked.connect(self.segmented)
        self.checkpoints = Checkpoints(preferences, thread)
        self.checkpoints.failed.connect(lambda error: self.error.tell(error, about="checkpoint"))
        self.checkpoints.settled.connect(self._settle_checkpoint)
        page = Panel(tr("Settings"))
        page.add(
            self.error,
            _group(
                tr("Look"),
                _line(tr("Theme"), self.theme),
                _line(tr("Text size"), self.scale, tr("Takes effect at the next start.")),
            ),
            _group(
                tr("You"),
                _line(
                    tr("Name"),
                    self.author,
                    tr(
                        "Shown with everything you record and decide from now on. "
                        "Renaming keeps the same annotator."
                    ),
                ),
            ),
            _group(
                tr("Library"),
                _line(
                    tr("Folder"), WidgetRow(self.library, choose), tr("Opens at the next start.")
                ),
            ),
            _group(
                tr("Phone"),
                _line(
                    tr("Port of adb"),
                    self.port,
                    tr("Leave empty for adb's default. Takes effect with the next phone."),
                ),
            ),
            _group(
                tr("Targets"),
                _line(
                    tr("Run SAM 2 automatically"),
                    self.segment,
                    tr("Finds the target of each press, in the background."),
                ),
                _line(tr("All presses"), self.all),
                _line(tr("Checkpoint"), self.checkpoints, top=True),
            ),
            None,
        )
        hints: list[QWidget] = [KeyHint([key("keys")], tr("All keys"))]
        self.furnish(Head(tr("Settings")), Scrolled(page), StatusBar(hints))
        self.status.say(tr("All changes saved"))
        preferences.changed.connect(self._show)
        preferences.failed.connect(self._tell)
        self._show(settings)

    def entered(self) -> None:
        """Lists the checkpoints again."""
        self.checkpoints.look()

    def _settle_checkpoint(self, said: str) -> None:
        self.error.settle("checkpoint")
        self.status.say(said)

    def _show(self, settings: Settings) -> None:
        self.theme.set_choice(THEMES.index(settings.theme))
        self.segment.set_choice(SEGMENT_WHEN.index(settings.segment))
        self.scale.set_choice(self._scales.index(settings.scale))
        self.author.setText(settings.author)
        self.library.setText(str(settings.library))
        self.library.setToolTip(tip(str(settings.library)))
        self.port.setText("" if settings.adb_port is None else str(settings.adb_port))

    def _name(self) -> None:
        name = " ".join(self.author.text().split())
        if name:
            self._preferences.change(author=name)
        else:
            self.author.setText(self._preferences.settings.author)

    def _set_port(self) -> None:
        text = self.port.text().strip()
        if not text:
            self._preferences.change(adb_port=None)
        elif text.isascii() and text.isdigit() and 0 < int(text) < 65536:
            self._preferences.change(adb_port=int(text))
        else:
            self._tell(
                KnownError(
                    tr("use the port of adb"),
                    tr("“{text}” is no port", text=text),
                    tr("Write a number from 1 to 65535, or nothing."),
                )
            )
            return
        self.error.settle("port")

    def _tell(self, error: KnownError) -> None:
        self.error.tell(error, about="port")

    def _pick(self) -> None:
        file_dialog(
            self,
            tr("Folder of the library"),
            "library",
            self.choose_library,
            QFileDialog.FileMode.Directory,
        ).open()

    def choose_library(self, folder: str) -> None:
        """Sets the library folder for the next start."""
        self._preferences.change(library=type(self._preferences.settings.library)(folder))


def _field(words: str, width: int = _FIELD) -> QLineEdit:
    field = QLineEdit()
    field.setFont(font(BODY))
    field.setFixedWidth(width)
    field.setAccessibleName(words)
    field.setMaxLength(1000)
    return field


def _group(title: str, *lines: QWidget) -> Section:
    section = Section(label(title, BODY, 600), *lines)
    section.column.setContentsMargins(24, 16, 24, 17)
    section.column.setSpacing(12)
    return section


def _line(name: str, control: QWidget, note: str = "", *, top: bool = False) -> QWidget:
    said = label(name, BODY, tone="2")
    said.setFixedWidth(_NAME)
    row = WidgetRow(said, control, label(note, CAPTION, tone="3"), None, gap=12)
    if top:
        said.setFixedHeight(26)
        row.row.setAlignment(said, Qt.AlignmentFlag.AlignTop)
    return row
