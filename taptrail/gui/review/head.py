"""Head of the Review page: compared runs, protocol, layout of the frames, overlays."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu

from taptrail.gui import icons
from taptrail.gui.components.button import QUIET, Button, SegmentedControl
from taptrail.gui.components.chip import Letter
from taptrail.gui.components.panel import WidgetRow
from taptrail.gui.components.tips import menu_text, tip
from taptrail.usecases import reviewing
from taptrail.words import tr

LETTERS = "ABCD"


class RunChoice(WidgetRow):
    """Menu buttons of the compared runs with their letters, and one to add a run.

    Signals:
        chosen: the names of the selected runs, A first.
    """

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__(gap=4)
        self._all: list[str] = []
        self._runs: list[str] = []
        self._more: Button | None = None

    def show_runs(self, all_runs: list[str], runs: list[str]) -> None:
        """Shows the compared runs and offers the others."""
        if (all_runs, runs) == (self._all, self._runs):
            return
        self._all, self._runs = list(all_runs), list(runs)
        while (item := self.row.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        self._more = None
        for letter, name in zip(LETTERS, runs, strict=False):
            button = Button(_cut(name), kind=QUIET, menu=True, tip=tr("Run {who}", who=letter))
            button.clicked.connect(lambda _=False, b=button, n=name: self._show_menu(b, n))
            self.row.addWidget(Letter(letter, name))
            self.row.addWidget(button)
        if len(runs) < min(len(LETTERS), len(all_runs)):
            more = Button(tr("Run"), "plus", kind=QUIET)
            more.clicked.connect(lambda: self._show_menu(more, ""))
            self.row.addWidget(more)
            self._more = more

    def can_offer(self) -> bool:
        """Returns whether another run can be added."""
        return self._more is not None

    def offer(self) -> None:
        """Opens the menu of the runs that are not compared yet."""
        if self._more is not None:
            self._show_menu(self._more, "")

    def _show_menu(self, button: Button, name: str) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for other in self._all:
            if other not in self._runs:
                action = menu.addAction(icons.icon("robot-outline"), menu_text(other))
                action.triggered.connect(lambda _=False, o=other: self._put(name, o))
        if name:
            menu.addSeparator()
            away = menu.addAction(icons.icon("close"), tr("Take {name} away", name=menu_text(name)))
            away.triggered.connect(
                lambda: self.chosen.emit([run for run in self._runs if run != name])
            )
        menu.popup(button.mapToGlobal(QPoint(0, button.height() + 4)))

    def _put(self, name: str, other: str) -> None:
        if name:
            self.chosen.emit([other if run == name else run for run in self._runs])
        else:
            self.chosen.emit([*self._runs, other])


class ProtocolButton(Button):
    """The current protocol, with a menu of all protocols.

    Signals:
        chosen: the key of the selected protocol.
    """

    chosen = Signal(str)

    def __init__(self, key: str) -> None:
        super().__init__("", "scale-balance", menu=True)
        self._protocol = key
        self.show_protocol(key)
        self.clicked.connect(self._show_menu)

    def show_protocol(self, key: str) -> None:
        """Shows a protocol."""
        self._protocol = key
        self.set_words(protocol_words(key))
        self.set_tip(protocol_tip(key))

    def _show_menu(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for key, title in reviewing.protocols_there_are():
            icon = icons.icon("check" if key == self._protocol else "scale-balance")
            action = menu.addAction(icon, f"{protocol_words(key)}  {title}")
            action.setToolTip(tip(protocol_tip(key)))
            action.triggered.connect(lambda _=False, k=key: self.chosen.emit(k))
        menu.setToolTipsVisible(True)
        menu.popup(self.mapToGlobal(QPoint(0, self.height() + 4)))


class ModeChoice(SegmentedControl):
    """Layout of the frames; only icons in a narrow window."""

    def __init__(self) -> None:
        self._words = (tr("Split"), tr("Overlay"), tr("Before, after"))
        glyphs = ("view-column-outline", "layers-outline", "compare")
        super().__init__(
            list(zip(glyphs, self._words, strict=True)), tr("Arrangement of the frames")
        )

    def set_narrow(self, narrow: bool) -> None:
        """Shows only icons, or icons and text."""
        for number, words in enumerate(self._words):
            part = self.part(number)
            part.setText("" if narrow else words)
            part.setToolTip(tip(words))
            part.setAccessibleName(words)
            part.updateGeometry()


class OverlayToggles(WidgetRow):
    """Toggles for what is drawn on the frames besides the marks.

    Signals:
        changed: whether to draw target, candidates and tolerance.
    """

    changed = Signal(bool, bool, bool)

    def __init__(self) -> None:
        self.toggles = {
            "target": Button(tr("Target"), kind=QUIET),
            "candidates": Button(tr("Boxes"), kind=QUIET),
            "tolerance": Button(tr("Tolerance"), kind=QUIET),
        }
        super().__init__(*self.toggles.values(), gap=0)
        for toggle in self.toggles.values():
            toggle.setCheckable(True)
            toggle.toggled.connect(self._tell)

    def _tell(self) -> None:
        self.changed.emit(*(toggle.isChecked() for toggle in self.toggles.values()))


def protocol_words(key: str) -> str:
    """Returns a protocol's key as text: "guiodyssey v2"."""
    return key.replace("@", " v")


def protocol_tip(key: str) -> str:
    """Returns a protocol's title and the peculiarities of its rules, one per line."""
    title, quirks = reviewing.about_protocol(key)
    return "\n".join((title, *quirks))


def _cut(name: str) -> str:
    return name if len(name) <= 18 else f"{name[:8]}…{name[-8:]}"
