"""How long the recording has lasted, without its pauses; the timeline's track is its own."""

from __future__ import annotations

from taptrail.gui import phrases
from taptrail.gui.record.timeline import RecordingTrack
from taptrail.words import tr


class RunningTime:
    """A recording's time by the host's clock, in nanoseconds as it is told, out in microseconds."""

    def __init__(self) -> None:
        self.track = RecordingTrack()
        self._paused_ns = self._pause_began = 0

    def restart(self) -> RecordingTrack:
        """Begins anew, with nothing on the track, and returns it."""
        self.track = RecordingTrack()
        self._paused_ns = self._pause_began = 0
        return self.track

    def begin(self, now_ns: int) -> None:
        """Counts from now on, where it did not yet."""
        if not self.track.began_ns:
            self.track.began_ns = self.track.now_ns = now_ns

    def pause(self, now_ns: int) -> None:
        """Counts no more until `go_on`."""
        if not self._pause_began:
            self._pause_began = self.track.paused_since_ns = now_ns

    def go_on(self, now_ns: int) -> None:
        """Counts again after a pause, and puts the pause on the track."""
        if not self._pause_began:
            return
        took = now_ns - self._pause_began
        self._paused_ns += took
        words = tr("Paused {time}", time=phrases.seconds(took // 1000))
        self.track.pauses.append((self._pause_began, now_ns, words))
        self._pause_began = self.track.paused_since_ns = 0

    def look(self, now_ns: int) -> int:
        """Moves the track to now, and returns how long has been recorded, in microseconds."""
        away = now_ns - self._pause_began if self._pause_began else 0
        self.track.now_ns = now_ns
        self.track.paused_since_ns = self._pause_began
        return (now_ns - self.track.began_ns - self._paused_ns - away) // 1000

    def thinking_us(self, now_ns: int) -> int:
        """Returns the time since the last step, or since the beginning, without pauses."""
        steps, began = self.track.steps, self.track.began_ns
        last = (steps[-1].ended.host_ns if steps else began) or began
        return max(0, now_ns - last - self.track.paused_ns(last, now_ns)) // 1000
