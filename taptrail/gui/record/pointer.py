"""Looks up the element under the pointer during a recording, and shows it."""

from __future__ import annotations

from time import monotonic_ns

from PySide6.QtCore import QObject, QTimer, Signal

from episodes.errors import KnownError
from episodes.geometry import Box, Point, Size
from episodes.recordings import DeviceFacts
from episodes.screens import TreeFit, TreeStatus
from taptrail.gui.components.labels import label
from taptrail.gui.components.panel import Facts, Section, section_head
from taptrail.gui.fonts import CAPTION
from taptrail.gui.mirror import MirrorView
from taptrail.gui.record.trees import tree_words
from taptrail.gui.work import WorkThread
from taptrail.usecases.elements import ElementDetails, ElementUnderPointer, in_dp, pointed_at
from taptrail.usecases.live import Desk
from taptrail.words import tr

_SOON_MS, _AGAIN_MS = 60, 500
ACROSS = 58
"""How wide the names of facts at the left of Record are; the values have little room."""


class PointerLookup(QObject):
    """Looks up the element under the pointer when it moves, and twice a second while it rests.

    One lookup at a time, on its own thread; sends nothing to the phone.

    Signals:
        found: the newest Pointed, or None if there is none.
    """

    found = Signal(object)

    def __init__(self, mirror: MirrorView, desk: Desk, thread: WorkThread[None]) -> None:
        super().__init__(mirror)
        self._mirror, self._desk, self._thread = mirror, desk, thread
        self._on = self._asking = False
        self._next = QTimer(self)
        self._next.setSingleShot(True)
        self._next.timeout.connect(self._ask)
        mirror.hovered.connect(self.look)

    def set_recording(self, *, recording: bool) -> None:
        """Starts or stops the lookups: trees exist only during a recording."""
        if recording != self._on:
            self._on = recording
            self.look()

    def look(self) -> None:
        """Schedules a lookup, because the pointer moved or the tree changed."""
        if not self._on or self._mirror.pointer() is None:
            self._next.stop()
            self.found.emit(None)
        elif not self._asking and not (
            self._next.isActive() and self._next.remainingTime() <= _SOON_MS
        ):
            self._next.start(_SOON_MS)

    def stop(self) -> None:
        """Stops the lookups."""
        self._on = False
        self._next.stop()

    def _ask(self) -> None:
        at, shown, desk = self._mirror.pointer(), self._mirror.painted(), self._desk
        if at is None or shown is None or not self._on:
            return
        self._asking = True

        def look(_: None) -> ElementUnderPointer | None:
            around = desk.surroundings(shown)
            return None if around is None else pointed_at(around, at, shown.size, monotonic_ns())

        self._thread.run(
            look, owner=self, done=lambda found: self._tell(at, found), failed=self._broken
        )

    def _tell(self, at: Point, found: ElementUnderPointer | None) -> None:
        self._asking = False
        now = self._mirror.pointer()
        if self._on and now is not None:
            self.found.emit(found)
            self._next.start(_SOON_MS if now != at else _AGAIN_MS)

    def _broken(self, error: KnownError) -> None:
        """A lookup raises no known errors: a bad tree is a valid result."""
        self._asking = False
        raise error


class PointerPanel(Section):
    """Panel with the element under the pointer, and the age of its tree."""

    def __init__(self) -> None:
        self._facts = Facts(ACROSS)
        self._hint = label("", CAPTION, tone="3", wrap=True)
        head = section_head(tr("Under the pointer"), None, icon="crosshairs-gps")
        super().__init__(head, self._facts, self._hint)
        # Fixed height, so that nothing below moves when the element changes.
        self.show_element(
            ElementUnderPointer(_ROOM, False, TreeFit.FRESH, TreeStatus.OK, 0), Size(1, 1)
        )
        self.setMinimumHeight(self.sizeHint().height())
        self.show_element(None)

    def show_element(
        self,
        found: ElementUnderPointer | None,
        frame: Size | None = None,
        facts: DeviceFacts | None = None,
    ) -> None:
        """Shows the element under the pointer; None if the pointer is not over the phone."""
        put = self._facts.put
        element = found.element if found is not None else None
        self._hint.setText(_hint(found))
        self._hint.setVisible(bool(self._hint.text()))
        if found is not None and found.protected:
            put(tr("Element"), tr("Protected"), icon="lock-outline", ink="text2")
        else:
            # Remove the icon of the previous row.
            put(tr("Element"), "")
            words = (element.name or tr("No words")) if element is not None else ""
            put(tr("Element"), words, weight=500)
        put(tr("Class"), element.class_name if element is not None else "", mono=True)
        put(tr("Id"), element.resource_id if element is not None else "", mono=True)
        put(tr("Can"), ", ".join(map(tr, element.can)) if element is not None else "")
        shown = element is not None and frame is not None
        put(tr("Box"), _box_words(element.box, frame, facts) if element and frame and shown else "")
        words, icon, ink = tree_words(found) if found is not None else ("", "", "text2")
        put(tr("Tree"), words, icon=icon, ink=ink)

    def fact(self, name: str) -> str:
        """Returns the value of a name; "" if there is none."""
        return self._facts.value(name)

    def hint(self) -> str:
        """Returns the text shown instead of an element; "" if there is none."""
        return self._hint.text()


_ROOM = ElementDetails("–", "–", "–", ("–",), Box(0, 0, 1, 1))


def _hint(found: ElementUnderPointer | None) -> str:
    if found is None:
        return tr("Point at something on the phone.")
    if found.protected:
        return tr("Its content is not shown, here or in the lists of the recording.")
    if found.element is None and found.fit in (TreeFit.FRESH, TreeFit.LATE, TreeFit.STALE):
        return tr("The tree has nothing there.")
    return ""


def _box_words(box: Box, frame: Size, facts: DeviceFacts | None) -> str:
    dp = in_dp(box, frame, facts) if facts is not None else None
    shown, unit = (dp, "dp") if dp is not None else (box, "px")
    return f"{shown.left:.0f}, {shown.top:.0f} · {shown.width:.0f} × {shown.height:.0f}\u2009{unit}"
