"""Controller of playback: runs the player and its projector, with signals on the GUI thread.

It has no widgets. The projector's thread is started by the first playback.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QImage
from shiboken6 import isValid

from episodes.media.playback import Picture, Player
from episodes.media.playback_thread import PlaybackThread, ShownPicture
from episodes.store.library import Library
from taptrail.gui.work import NewestValue, Relay, WorkThread
from taptrail.usecases.playback import EpisodePlayback, open_film

_BEAT_MS = 33


@dataclass(frozen=True)
class DecodedPicture:
    """A picture to show now; `image` is None for the screenshot of a step."""

    picture: Picture
    at_us: float
    image: QImage | None


class PlaybackController(QObject):
    """Signals:
    loaded: the Film of the open episode is loaded.
    projected: the newest Projected frame.
    moved: the position in microseconds, during playback and after each command.
    failed: a KnownError about the video.
    """

    loaded = Signal(object)
    projected = Signal(object)
    moved = Signal(float)
    failed = Signal(object)
    _came = Signal()

    def __init__(self, reader: WorkThread[Library], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reader = reader
        self._film: EpisodePlayback | None = None
        self._uuid = ""
        self._player: Player | None = None
        self._projector: PlaybackThread | None = None
        self._newest: NewestValue[ShownPicture] = NewestValue()
        self._room = (1 << 15, 1 << 15)
        self._speed = 1.0
        self._loop = False
        self._going = 0
        self._unseen = 0
        self._dropped = 0
        self._came.connect(self._take, Qt.ConnectionType.QueuedConnection)
        self._errors = Relay(self)
        self._errors.came.connect(self.failed)
        self._beat = QTimer(self)
        self._beat.setInterval(_BEAT_MS)
        self._beat.timeout.connect(self._tick)

    def open(self, uuid: str) -> None:
        """Opens an episode; `loaded` follows. Opening the same episode again keeps the position."""
        if uuid == self._uuid:
            return
        self.close()
        self._uuid = uuid

        def done(film: EpisodePlayback) -> None:
            if uuid == self._uuid:
                self._film = film
                self._player = Player(film.track)
                self._player.set_speed(self._speed)
                self.loaded.emit(film)

        self._reader.run(
            lambda library: open_film(library, uuid), owner=self, done=done, failed=self.failed.emit
        )

    def film(self) -> EpisodePlayback | None:
        """Returns the film; None before `loaded`."""
        return self._film

    def play(self, direction: int = 1) -> None:
        """Plays forwards (1) or backwards (-1) from the current position."""
        if self._player is not None and self._player.track.pictures:
            self._unseen = self._dropped = 0
            self._going = direction
            self._player.play(direction)
            self._changed()
            self._beat.start()

    def pause(self) -> None:
        """Stops at the current position."""
        self._going = 0
        if self._player is not None and self._player.direction():
            self._player.pause()
            self._changed()

    def toggle(self) -> None:
        """Toggles between play and pause."""
        if self.direction():
            self.pause()
        else:
            self.play()

    def step(self, pictures: int) -> None:
        """Stops and moves by a number of frames."""
        self._going = 0
        if self._player is not None:
            self._player.step(pictures)
            self._changed()

    def seek(self, at_us: float, *, shown: bool = True) -> None:
        """Seeks to a time.

        Args:
            shown: whether to decode its picture; False if the caller already shows one.
        """
        if self._player is not None:
            self._player.seek(at_us)
            if shown:
                self._changed()

    def set_speed(self, speed: float) -> None:
        """Sets the speed for this and later episodes; 1 is the original speed."""
        self._speed = speed
        if self._player is not None:
            self._player.set_speed(speed)
            if self._projector is not None:
                self._projector.changed()

    def set_loop(self, on: bool) -> None:
        """Sets whether this and later episodes repeat or stop at the end."""
        self._loop = on

    def set_room(self, width: int, height: int) -> None:
        """Sets the maximum size of decoded pictures in device pixels."""
        self._room = (width, height)
        if self._projector is not None:
            self._projector.set_room(width, height)

    def direction(self) -> int:
        """Returns 1 while playing forwards, -1 while playing backwards, else 0."""
        return self._player.direction() if self._player is not None else 0

    def at_us(self) -> float:
        """Returns the current position in microseconds."""
        return self._player.at_us() if self._player is not None else 0.0

    def dropped(self) -> int:
        """Returns the number of frames dropped since playback started."""
        return self._dropped + self._unseen

    def close(self) -> None:
        """Stops the projector and closes the episode."""
        self._beat.stop()
        self._end()
        self._film = self._player = None
        self._uuid = ""
        self._going = 0
        self._unseen = self._dropped = 0
        self._newest.take()

    def _changed(self) -> None:
        if self._film is None or self._player is None:
            return
        if self._projector is None:
            self._projector = PlaybackThread(
                self._player, self._film.files, self._put, self._errors.send, self._room
            )
        self._projector.changed()
        self.moved.emit(self._player.at_us())

    def _put(self, showing: ShownPicture) -> None:
        """Emits the newest picture; older ones that were not shown count as dropped."""
        if self._newest.put(showing):
            if isValid(self):
                self._came.emit()
        elif self.direction():
            self._unseen += 1

    def _take(self) -> None:
        showing = self._newest.take()
        if showing is None or self._player is None:
            return
        self._dropped = showing.dropped
        image = None
        if showing.pixels is not None:
            height, width, _ = showing.pixels.shape
            image = QImage(
                showing.pixels.data, width, height, width * 4, QImage.Format.Format_RGB32
            ).copy()
        self.projected.emit(DecodedPicture(showing.picture, showing.at_us, image))

    def _tick(self) -> None:
        if not self.direction():
            if self._loop and self._going and self._player is not None:
                self._player.seek(0 if self._going > 0 else self._player.track.length_us)
                self.play(self._going)
                return
            self._going = 0
            self._beat.stop()
        self.moved.emit(self.at_us())

    def _end(self) -> None:
        if self._projector is not None:
            self._projector.stop()
        self._projector = None
