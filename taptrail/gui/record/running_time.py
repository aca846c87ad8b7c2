"""Clock of a recording, without its pauses; it owns the track of the timeline."""

from __future__ import annotations

from taptrail.gui import phrases
from taptrail.gui.record.timeline import RecordingTrack
from taptrail.words import tr


class RunningTime:
    """Clock of a recording. Takes host times in nanoseconds, returns durations in microseconds."""

    def __init__(self) -> None:
        self.track = RecordingTrack()
        self._paused_ns = self._pause_began = 0

    def restart(self) -> RecordingTrack:
        """Restarts with an empty track, and returns the track."""
        self.track = RecordingTrack()
        self._paused_ns = self._pause_began = 0
        return self.track

    def begin(self, now_ns: int) -> None:
        """Starts the clock, if it is not running yet."""
        if not self.track.began_ns:
            self.track.began_ns = self.track.now_ns = now_ns

    def pause(self, now_ns: int) -> None:
        """Stops the clock until `go_on`."""
        if not self._pause_began:
            self._pause_began = self.track.paused_since_ns = now_ns

    def go_on(self, now_ns: int) -> None:
        """Continues after a pause, and adds the pause to the track."""
        if not self._pause_began:
            return
        took = now_ns - self._pause_began
        self._paused_ns += took
        words = tr("Paused {time}", time=phrases.seconds(took // 1000))
        self.track.pauses.append((self._pause_began, now_ns, words))
        self._pause_began = self.track.paused_since_ns = 0

    def look(self, now_ns: int) -> int:
        """Extends the track to now. Returns the recorded time in microseconds."""
        away = now_ns - self._pause_began if self._pause_began else 0
        self.track.now_ns = now_ns
        self.track.paused_since_ns = self._pause_began
        return (now_ns - self.track.began_ns - self._paused_ns - away) // 1000

    def thinking_us(self, now_ns: int) -> int:
        """Returns the time since the last step or the start, without pauses."""
        steps, began = self.track.steps, self.track.began_ns
        last = (steps[-1].ended.host_ns if steps else began) or began
        return max(0, now_ns - last - self.track.paused_ns(last, now_ns)) // 1000
