"""The Suggest button, the progress bar of suggestions, and their result."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from episodes.errors import KnownError
from taptrail.gui.annotate import texts
from taptrail.gui.annotate.state import AnnotateState
from taptrail.gui.annotate.suggestion_job import SuggestionJob, SuggestionResult
from taptrail.gui.annotate.view import AnnotateView


class SuggestionControls(QObject):
    """Signals:
    kept: the uuid of an episode with new candidates.
    said: a message about the result.
    """

    kept = Signal(str)
    said = Signal(str)

    def __init__(
        self, state: AnnotateState, parts: AnnotateView, suggesting: SuggestionJob
    ) -> None:
        super().__init__()
        self._state, self._parts, self._suggesting = state, parts, suggesting
        parts.suggest.clicked.connect(self.toggle)
        parts.jobs.cancelled.connect(suggesting.cancel)
        suggesting.began.connect(lambda: parts.show_suggesting(on=True))
        suggesting.moved.connect(parts.jobs.moved)
        suggesting.kept.connect(self.kept)
        suggesting.ended.connect(self._ended)
        suggesting.failed.connect(self._failed)

    def toggle(self) -> None:
        """Starts or stops suggesting targets for all presses without one."""
        if self._suggesting.running():
            self._suggesting.cancel()
        elif self._parts.suggest.isEnabled() and self._state.whole is not None:
            self._suggesting.begin(self._state.uuid())

    def show(self) -> None:
        """Shows whether suggestions are available."""
        if not self._suggesting.running():
            self._parts.show_suggesting(on=False)

    def _ended(self, made: SuggestionResult, stopped: bool) -> None:
        self._parts.show_suggesting(on=False)
        self.said.emit(texts.suggested_words(made.regions, made.unseen, stopped=stopped))

    def _failed(self, error: KnownError) -> None:
        self._parts.show_suggesting(on=False)
        self._parts.decision.error.tell(error)
