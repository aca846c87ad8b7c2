"""Form that corrects an action (kind, place, text, direction) or adds an alternative."""

from __future__ import annotations

import re

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu

from annotator.corrections import CORRECTABLE_KINDS, ActionChange
from episodes import actions as a
from episodes.geometry import Direction, Point
from taptrail.gui import icons
from taptrail.gui.components.button import MAIN, QUIET, Button, SegmentedControl
from taptrail.gui.components.fields import FormField, named
from taptrail.gui.components.labels import label
from taptrail.gui.components.panel import Section, WidgetRow, section_head
from taptrail.gui.fonts import CAPTION
from taptrail.words import tr

_HOLDS = {
    "tap": ("at",),
    "double_tap": ("at",),
    "long_press": ("at",),
    "swipe": ("at", "end"),
    "scroll": ("direction", "at"),
    "type_text": ("text", "at"),
    "press_key": ("key",),
    "open_app": ("app",),
    "wait": (),
    "answer": ("text",),
    "finish": ("ending", "text"),
}
_KINDS = {
    "tap": "Tap",
    "double_tap": "Double tap",
    "long_press": "Long press",
    "swipe": "Swipe",
    "scroll": "Scroll",
    "type_text": "Type text",
    "press_key": "Press a key",
    "open_app": "Open an app",
    "wait": "Wait",
    "answer": "Answer",
    "finish": "Finish",
}
_DIRECTIONS = tuple(Direction)
_ENDINGS = tuple(a.Ending)
_PLACE = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*[,; ]\s*(-?\d+(?:\.\d+)?)\s*")


class ActionForm(Section):
    """Signals:
    wanted: the Change to make, its reason, and whether it is an alternative.
    recorded: the reason for making the recorded action the gold again.
    closed: the user cancelled the form.
    placed: the Point on the frame after each change, or None.
    """

    wanted = Signal(object, str, bool)
    recorded = Signal(str)
    closed = Signal()
    placed = Signal(object)

    def __init__(self) -> None:
        self._kind_name = "tap"
        self._kind = Button(tr("Tap"), "gesture-tap", menu=True)
        self._kind.clicked.connect(self._show_kinds)
        place = tr("x, y in pixels")
        self.at, self.end = FormField(tr("Place"), place), FormField(tr("End"), place)
        self.text, self.app = FormField(tr("Text")), FormField(tr("App"))
        self.key = FormField(tr("Key"), tr("back, home, enter, or KEYCODE_…"))
        self._direction = SegmentedControl(
            [("", tr(d.value.capitalize())) for d in _DIRECTIONS],
            tr("Direction"),
        )
        self._ending = SegmentedControl(
            [("", tr("Complete")), ("", tr("Impossible"))], tr("How it ended")
        )
        self.reason = FormField(tr("Reason"), tr("reason, shown in the history"))
        self._wrong = label("", CAPTION, tone="record", wrap=True)
        self._wrong.hide()
        self.change = Button(tr("Change the action"), "check", kind=MAIN, size="l")
        self.also = Button(tr("Also right"), "plus-circle-outline", size="l")
        self.back = Button(tr("As recorded"), "undo-variant", kind=QUIET, size="s")
        close = Button(tr("Cancel"), kind=QUIET, size="s")
        self._rows: dict[str, WidgetRow] = {
            "at": named(tr("Place"), self.at),
            "end": named(tr("End"), self.end),
            "direction": named(tr("Direction"), WidgetRow(self._direction, None)),
            "text": named(tr("Text"), self.text),
            "key": named(tr("Key"), self.key),
            "app": named(tr("App"), self.app),
            "ending": named(tr("Ending"), WidgetRow(self._ending, None)),
        }
        self._hint = label(
            tr("Click on the frame to set the place; arrows move it."),
            CAPTION,
            tone="3",
            wrap=True,
        )
        super().__init__(
            section_head(tr("What was done?"), None, self.back, close),
            named(tr("Kind"), WidgetRow(self._kind, None)),
            *self._rows.values(),
            self._hint,
            named(tr("Reason"), self.reason),
            self._wrong,
            WidgetRow(self.change, self.also, None),
        )
        self._action: a.Action = a.Wait()
        self._into = self.at
        for line in (self.at, self.end, self.text, self.app, self.key, self.reason):
            line.done.connect(lambda: self._send(also=False))
            line.left.connect(self.closed)
        for line in (self.at, self.end):
            line.textEdited.connect(lambda _: self._tell_place())
        self.at.selectionChanged.connect(lambda: self._aim(self.at))
        self.end.selectionChanged.connect(lambda: self._aim(self.end))
        self.change.clicked.connect(lambda: self._send(also=False))
        self.also.clicked.connect(lambda: self._send(also=True))
        self.back.clicked.connect(lambda: self.recorded.emit(self.reason.text().strip()))
        close.clicked.connect(self.closed)
        self.hide()

    def open_with(self, action: a.Action, *, corrected: bool) -> None:
        """Fills the form with the current action."""
        self._action = action
        at, end = a.place(action), action.end if isinstance(action, a.Swipe) else None
        self.at.setText(_words(at))
        self.end.setText(_words(end))
        self.text.setText(_text(action))
        self.app.setText(action.app if isinstance(action, a.OpenApp) else "")
        self.key.setText(
            (action.name or action.key.value) if isinstance(action, a.PressKey) else ""
        )
        self.reason.setText("")
        direction = getattr(action, "direction", None)
        if isinstance(direction, Direction):
            self._direction.set_choice(_DIRECTIONS.index(direction))
        if isinstance(action, a.Finish):
            self._ending.set_choice(_ENDINGS.index(action.ending))
        self.back.setVisible(corrected)
        self._into = self.at
        kind = a.kind(action)
        self.choose_kind(kind if kind in CORRECTABLE_KINDS else "tap")
        self.say_wrong("")
        self.show()
        self._begin()

    def choose_kind(self, name: str) -> None:
        """Shows the fields of another kind of action."""
        self._kind_name = name
        self._kind.set_words(tr(_KINDS[name]), icons.of_kind(name))
        self._kind.set_tip(tr("Kind of action: {kind}", kind=tr(_KINDS[name])))
        for part, row in self._rows.items():
            row.setVisible(part in _HOLDS[name])
        self._hint.setVisible(self.takes_place())
        if self._into is self.end and "end" not in _HOLDS[name]:
            self._into = self.at
        if self.isVisible():
            self._begin()
        self._tell_place()

    def takes_place(self) -> bool:
        """Returns whether the kind has a place on the frame."""
        return "at" in _HOLDS[self._kind_name]

    def put_place(self, point: Point) -> None:
        """Sets the place to the point the user clicked."""
        self._into.setText(_words(Point(round(point.x), round(point.y))))
        self._tell_place()

    def move_place(self, x: int, y: int) -> None:
        """Moves the place by pixels."""
        point = _read(self._into.text())
        if point is not None:
            self.put_place(Point(max(0.0, point.x + x), max(0.0, point.y + y)))

    def say_wrong(self, words: str) -> None:
        """Shows why the values are not accepted; "" hides the message."""
        self._wrong.setText(words)
        self._wrong.setVisible(bool(words))

    def place(self) -> Point | None:
        """Returns the place entered in the form."""
        return _read(self._into.text()) if self.takes_place() else None

    def send(self) -> None:
        """Sends the change of the action described by the form."""
        self._send(also=False)

    def _begin(self) -> None:
        """Moves the keyboard focus to the first field, after all rows are laid out."""
        self.column.activate()
        first = next((w for w in (self.text, self.app, self.key, self.at) if w.isVisible()), None)
        (first or self.reason).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _aim(self, line: FormField) -> None:
        if line.hasFocus():
            self._into = line
            self._tell_place()

    def _tell_place(self) -> None:
        self.placed.emit(self.place())

    def _show_kinds(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for name in CORRECTABLE_KINDS:
            action = menu.addAction(icons.icon(icons.of_kind(name)), tr(_KINDS[name]))
            action.triggered.connect(lambda _=False, n=name: self.choose_kind(n))
        menu.popup(self._kind.mapToGlobal(QPoint(0, self._kind.height() + 4)))

    def _send(self, *, also: bool) -> None:
        change = self._change()
        if change is not None:
            self.wanted.emit(change, self.reason.text().strip(), also)

    def _change(self) -> ActionChange | None:
        """Returns the differences from the action; None if a place is not valid."""
        holds = _HOLDS[self._kind_name]
        old, kind = self._action, self._kind_name
        points: dict[str, Point | None] = {"at": None, "end": None}
        for name, line in (("at", self.at), ("end", self.end)):
            wrong = False
            if name in holds and line.text().strip():
                points[name] = _read(line.text())
                wrong = points[name] is None
            line.say_wrong(wrong=wrong)
            if wrong:
                self.say_wrong(tr("Write a place as 120, 840."))
                return None
        at = points["at"] if _words(points["at"]) != _words(a.place(old)) else None
        end = points["end"]
        if isinstance(old, a.Swipe) and _words(end) == _words(old.end):
            end = None
        direction = _DIRECTIONS[self._direction.choice()] if "direction" in holds else None
        ending = _ENDINGS[self._ending.choice()] if "ending" in holds else None
        text = self.text.text() if "text" in holds and self.text.text() != _text(old) else None
        return ActionChange(
            kind=kind if kind != a.kind(old) else None,
            text=text,
            at=at,
            end=end,
            direction=direction,
            key=self.key.text().strip() or None if "key" in holds else None,
            app=self.app.text().strip() or None if "app" in holds else None,
            ending=ending,
        )


def _text(action: a.Action) -> str:
    match action:
        case a.TypeText(text) | a.Answer(text):
            return text
        case a.Finish(reason=reason):
            return reason or ""
        case _:
            return ""


def _words(point: Point | None) -> str:
    return f"{point.x:g}, {point.y:g}" if point is not None else ""


def _read(text: str) -> Point | None:
    found = _PLACE.fullmatch(text)
    return Point(float(found[1]), float(found[2])) if found is not None else None
