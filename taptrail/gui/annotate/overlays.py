"""Overlays of the frame: the tolerance, and the screen after the step in its place.

Nothing can be drawn or accepted while the screen after the step is shown.
"""

from __future__ import annotations

from PySide6.QtCore import QObject

from episodes.errors import KnownError
from episodes.store.library import Library
from replay.tolerance import Tolerance
from taptrail.gui.annotate.state import AnnotateState
from taptrail.gui.annotate.view import AnnotateView
from taptrail.gui.review.head import protocol_words
from taptrail.gui.work import WorkThread
from taptrail.usecases import reviewing
from taptrail.words import tr

PROTOCOL = "guiodyssey@2"


class Overlays(QObject):
    """The two toggles, and the data that other threads load for them."""

    def __init__(
        self, state: AnnotateState, parts: AnnotateView, reader: WorkThread[Library]
    ) -> None:
        super().__init__()
        self._state, self._parts, self._reader = state, parts, reader
        self._protocol = PROTOCOL
        self._asked: tuple[str, int, str, int] | None = None
        tools = parts.tools
        tools.tolerance.clicked.connect(lambda on: self.show_tolerance(on=on))
        tools.after.clicked.connect(lambda on: self.show_after(on=on))
        self._name_tolerance()

    def use_protocol(self, protocol: str) -> None:
        """Sets the protocol of the tolerance: the one selected in Review."""
        if protocol != self._protocol:
            self._protocol, self._asked = protocol, None
            self._name_tolerance()
            self.follow()

    def toggle_tolerance(self) -> None:
        """Shows or hides the tolerance."""
        self.show_tolerance(on=not self._parts.tools.tolerance.isChecked())

    def show_tolerance(self, *, on: bool) -> None:
        """Shows or hides the region in which the protocol accepts a touch."""
        self._parts.tools.tolerance.setChecked(on)
        self.follow()

    def toggle_after(self) -> None:
        """Toggles between the screen of the step and the screen after it."""
        self.show_after(on=not self._parts.screens.after)

    def show_after(self, *, on: bool) -> None:
        """Shows the screen after the step, or the screen of the step."""
        parts = self._parts
        opened, whole = self._state.opened(), self._state.whole
        on = on and opened is not None
        parts.tools.after.setChecked(on)
        if on != parts.screens.after and opened is not None and whole is not None:
            parts.screens.show_after(whole.episode if on else None, self._state.row())
            parts.screens.show_frame_of(opened.step, whole.episode.device)
        parts.show_focus()

    def after_step(self) -> None:
        """Shows the screen and the tolerance of the new step."""
        self._parts.screens.show_after(None, -1)
        self._parts.tools.after.setChecked(False)
        self._parts.painting.tolerance = None
        self.follow()

    def follow(self) -> None:
        """Computes the tolerance of the current step if it is shown."""
        whole, opened, painting = self._state.whole, self._state.opened(), self._parts.painting
        if not self._parts.tools.tolerance.isChecked() or whole is None or opened is None:
            self._asked = painting.tolerance = None
            self._parts.show_marks()
            return
        episode, step, protocol = whole.episode, opened.step, self._protocol
        asked = (episode.uuid, step.index, protocol, id(step))
        if asked == self._asked:
            return
        self._asked = asked

        def done(found: Tolerance | None) -> None:
            if asked == self._asked:
                painting.tolerance = found
                self._say_tolerance(found)
                self._parts.show_marks()

        def failed(error: KnownError) -> None:
            self._parts.decision.error.tell(error)

        self._reader.run(
            lambda _: reviewing.tolerance(episode, step, protocol),
            owner=self,
            done=done,
            failed=failed,
            next_up=True,
        )

    def _name_tolerance(self) -> None:
        self._parts.tools.tolerance.set_words(
            tr("Tolerance of {protocol}", protocol=protocol_words(self._protocol))
        )

    def _say_tolerance(self, found: Tolerance | None) -> None:
        words = tr("Tolerance of {protocol}", protocol=protocol_words(self._protocol))
        if found is None:
            words = tr("{what}: these rules have none for this step", what=words)
        self._parts.tools.tolerance.set_words(words)
