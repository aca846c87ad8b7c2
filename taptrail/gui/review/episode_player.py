"""Plays the open episode: connects playback controller, frames and playback bar.

While it plays, it emits the current step, so that the page can follow.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QAbstractButton, QApplication

from episodes.episodes import Episode
from episodes.media.playback import StillPicture, VideoPicture
from episodes.store.library import Library
from taptrail.gui.review import texts
from taptrail.gui.review.columns import Columns, PlayedPicture
from taptrail.gui.review.playback import Playback
from taptrail.gui.review.playback_controller import DecodedPicture, PlaybackController
from taptrail.gui.work import WorkThread
from taptrail.usecases.playback import EpisodePlayback


class EpisodePlayer(QObject):
    """Signals:
    turned: the row of the current or next step.
    """

    turned = Signal(int)

    def __init__(
        self,
        reader: WorkThread[Library],
        columns: Columns,
        playback: Playback,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.video = PlaybackController(reader, self)
        self._columns, self._playback = columns, playback
        self._episode: Episode | None = None
        self._row = 0
        self.is_on = False
        self.video.loaded.connect(self._loaded)
        self.video.projected.connect(self._project)
        self.video.moved.connect(self._moved)
        playback.toggled.connect(self.toggle)
        playback.sped.connect(self.video.set_speed)
        playback.looped.connect(self.video.set_loop)
        playback.bar.sought.connect(self.seek)

    def open(self, episode: Episode, row: int) -> None:
        """Opens an episode; it can be played after its film is loaded."""
        if self._episode is None or self._episode.uuid != episode.uuid:
            self.leave()
            self._playback.show_nothing()
        self._episode, self._row = episode, row
        self.video.open(episode.uuid)

    def show_step(self, row: int) -> None:
        """Moves the playhead to a step and shows the step's own picture."""
        self._row = row
        if self.is_on:
            return
        film = self.video.film()
        span = film.track.steps[row] if film is not None and film.track.steps else None
        if span is not None:
            self.video.seek(span.began_us, shown=False)
            self._playback.show_at(span.began_us, row, 0, 0)

    def leave(self) -> None:
        """Stops and shows the step's own picture again."""
        self.video.pause()
        self.is_on = False
        self._columns.show_played(None)

    def toggle(self) -> None:
        """Toggles between play and pause."""
        if self.video.direction():
            self.video.pause()
        else:
            self.play(1)

    def space(self) -> None:
        """Handles Space: presses the focused button, or calls `toggle`."""
        focused = QApplication.focusWidget()
        if isinstance(focused, QAbstractButton):
            focused.click()
        else:
            self.toggle()

    def play(self, direction: int) -> None:
        """Plays forwards (1) or backwards (-1)."""
        self._enter()
        self.video.play(direction)

    def step(self, pictures: int) -> None:
        """Moves by a number of frames."""
        self._enter()
        self.video.step(pictures)

    def seek(self, at_us: float) -> None:
        """Shows the frame at a time."""
        self._enter()
        self.video.seek(at_us)

    def commands(self) -> list[tuple[str, Callable[[], None]]]:
        """Returns the playback functions by command name."""
        return [
            ("play", self.space),
            ("play-back", lambda: self.play(-1)),
            ("stop", self.video.pause),
            ("play-on", lambda: self.play(1)),
            ("frame-before", lambda: self.step(-1)),
            ("frame-after", lambda: self.step(1)),
            ("loop", self._playback.loop.click),
        ]

    def _enter(self) -> None:
        self.is_on = True
        self.video.set_room(*self._columns.room())

    def _loaded(self, film: EpisodePlayback) -> None:
        if self._episode is not None:
            self._playback.show_track(film.track, self._episode)
            self.show_step(self._row)

    def _project(self, projected: DecodedPicture) -> None:
        film, episode = self.video.film(), self._episode
        if not self.is_on or film is None or episode is None:
            return
        picture = projected.picture
        if isinstance(picture, StillPicture):
            self._turn(picture.row)
        else:
            self._turn(film.track.row(projected.at_us))
        if isinstance(picture, VideoPicture) and projected.image is not None:
            size = next(s.size for s in episode.segments if s.number == picture.segment)
            action = texts.acted(episode, film.track, projected.at_us)
            self._columns.show_played(PlayedPicture(projected.image, size, action))
        self._moved(self.video.at_us())

    def _turn(self, row: int) -> None:
        if row >= 0 and row != self._row:
            self._row = row
            self.turned.emit(row)

    def _moved(self, at_us: float) -> None:
        if self.is_on:
            self._playback.show_at(at_us, self._row, self.video.direction(), self.video.dropped())
