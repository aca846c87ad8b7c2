"""Writes the rows of an episode's video: segments, packets, gaps and clock samples.

It belongs to the session's thread. The bytes are in their files before; only values go to the
library. The row of a segment waits for its first decoded frame (the size) and for the rotation the
phone reports, and no row that refers to it is written before. What a full disk refused is tried
again each second.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass

from episodes.clocks import Moment
from episodes.errors import KnownError
from episodes.recordings import Gap, Packet, Segment
from episodes.screens import Frame
from episodes.store.library import Library
from recorder.capture import EpisodeSink, SegmentBegan
from recorder.clock import ClockMap
from recorder.frames import FrameNote, LiveFrame
from recorder.library_thread import LibraryThread

FLUSH_NS = 1_000_000_000
ROTATION_PATIENCE_NS = 1_000_000_000
BACK_PRESSURE_NS = 1_000_000_000


@dataclass(slots=True)
class _Stretch:
    began: SegmentBegan
    first: FrameNote | None = None
    rotation: int | None = None
    rotation_known: bool = False
    saved: bool = False  # its row is on its way
    written: bool = False  # its row is in the library; set on the library's thread
    refused: KnownError | None = None
    ended: Moment | None = None


class VideoIndex:
    """The index of one episode's video.

    Args:
        failed: is given the future of each write, to look for errors.
    """

    def __init__(
        self,
        episode: str,
        library: LibraryThread,
        sink: EpisodeSink,
        clock: ClockMap,
        server: str,
        display: int,
        failed: Callable[[Future[None]], None],
    ) -> None:
        self._episode = episode
        self._library = library
        self._sink = sink
        self._clock = clock
        self._server = server
        self._display = display
        self._failed = failed
        self._stretches: dict[int, _Stretch] = {}
        self._waiting: dict[int, list[Packet]] = {}
        self._gap: Future[int] | None = None
        self._flushed_ns = 0

    @property
    def current(self) -> int:
        """The number of the newest segment; -1 before there is one."""
        return max(self._stretches, default=-1)

    def began(self, event: SegmentBegan) -> None:
        """Takes a new file; the one before has ended."""
        self.end_segment(event.received_ns)
        self._stretches[event.number] = _Stretch(event)

    def see(self, frame: FrameNote) -> bool:
        """Takes a frame; returns whether it is the first of its segment."""
        stretch = self._of(frame)
        if stretch is None or stretch.first is not None:
            return False
        stretch.first = frame
        return True

    def turned(self, number: int, rotation: int | None) -> None:
        """Takes the phone's word on a segment's rotation."""
        stretch = self._stretches.get(number)
        if stretch is not None:
            stretch.rotation, stretch.rotation_known = rotation, True

    def holds(self, frame: LiveFrame) -> bool:
        """Returns whether a row may point at the frame's packet."""
        stretch = self._of(frame)
        return stretch is not None and stretch.saved

    def awaits(self, frame: LiveFrame) -> bool:
        """Returns whether the row of the frame's segment is still to come."""
        stretch = self._of(frame)
        return stretch is not None and not stretch.saved and stretch.refused is None

    def take_index(self) -> dict[int, list[Packet]]:
        """Returns the packets whose rows can be written now."""
        for number, packets in self._sink.take_index().items():
            self._waiting.setdefault(number, []).extend(packets)
        taken: dict[int, list[Packet]] = {}
        for number in list(self._waiting):
            stretch = self._stretches.get(number)
            if stretch is not None and stretch.saved:
                taken[number] = self._waiting.pop(number)
        return taken

    def tick(self, now_ns: int) -> None:
        """Writes segments that are known, and once a second what packets and samples there are."""
        for stretch in self._stretches.values():
            late = now_ns - stretch.began.received_ns > ROTATION_PATIENCE_NS
            known = stretch.first is not None and (stretch.rotation_known or late)
            if known and stretch.refused is None:
                self._save(stretch)
        if now_ns - self._flushed_ns >= FLUSH_NS:
            self.flush(now_ns)

    def flush(self, now_ns: int) -> None:
        """Writes packets and clock samples that wait."""
        self._flushed_ns = now_ns
        episode = self._episode
        for stretch in self._stretches.values():
            if stretch.refused is not None:
                self._save(stretch)
        for number, packets in self.take_index().items():
            self._write_index(number, packets)
        samples = self._clock.take_unsaved()
        if samples:
            self._do(lambda lib: lib.add_clock_samples(episode, samples))

    def put_back(self, index: Mapping[int, list[Packet]]) -> None:
        """Takes packets back whose rows could not be written. Any thread."""
        self._sink.put_back(index)

    def ready(
        self, frame: Frame | None, packets: Mapping[int, list[Packet]] | None = None
    ) -> dict[int, list[Packet]]:
        """On the library's thread: returns the packets that must be written with a row.

        These are `packets`, and those that came back because they were refused before; a row that
        points at a frame's packet stands on them.

        Raises:
            KnownError: there is no row of the frame's segment, as it was refused.
        """
        found = {number: list(some) for number, some in (packets or {}).items()}
        for number, some in self._sink.take_index().items():
            found[number] = sorted([*found.get(number, []), *some], key=lambda one: one.number)
        stretch = None
        if frame is not None and frame.segment is not None:
            stretch = self._stretches.get(frame.segment)
        refused = None if stretch is None else stretch.refused
        for number in list(found):
            if refused is not None or not self._written(number):
                self._sink.put_back({number: found.pop(number)})
        if refused is not None:
            raise refused
        return found

    def _write_index(self, number: int, packets: list[Packet]) -> None:
        self._do(lambda library: self.add_packets(library, number, packets))

    def add_packets(self, library: Library, number: int, packets: list[Packet]) -> None:
        """On the library's thread: writes packets; what cannot be written yet goes back."""
        if not self._written(number):
            self._sink.put_back({number: packets})
            return
        try:
            library.add_packets(self._episode, number, packets)
        except KnownError:
            self._sink.put_back({number: packets})
            raise

    def end_segment(self, now_ns: int) -> None:
        """Ends the newest segment, if it has not ended."""
        stretch = self._stretches.get(self.current)
        if stretch is None or stretch.ended is not None:
            return
        self._sink.end_segment(stretch.began.number)
        self._save(stretch)
        stretch.ended = self._clock.to_device(now_ns)
        self.flush(now_ns)
        self._do(lambda lib: self._end(lib, stretch))

    def open_gap(self, reason: str, now_ns: int) -> None:
        """Begins a stretch without capture; one that is open stays."""
        if self._gap is None:
            gap = Gap(reason, self._clock.to_device(now_ns))
            self._gap = self._library.submit(lambda lib: lib.add_gap(self._episode, gap))

    def close_gap(self, now_ns: int) -> None:
        """Ends the stretch without capture, if one is open."""
        opened, self._gap = self._gap, None
        if opened is not None:
            ended = self._clock.to_device(now_ns)
            self._do(lambda lib: lib.end_gap(self._episode, opened.result(), ended))

    def mark(self, reason: str, began_ns: int, ended_ns: int) -> None:
        """Notes that something in this time could not be kept."""
        gap = Gap(reason, self._clock.to_device(began_ns), self._clock.to_device(ended_ns))

        def add(library: Library) -> None:
            library.add_gap(self._episode, gap)

        self._do(add)

    def _written(self, number: int) -> bool:
        stretch = self._stretches.get(number)
        return stretch is not None and stretch.written

    def _of(self, frame: FrameNote | LiveFrame) -> _Stretch | None:
        if frame.episode != self._episode or frame.segment is None:
            return None
        return self._stretches.get(frame.segment)

    def _save(self, stretch: _Stretch) -> None:
        """Sends a stretch's row on its way, unless it is, or its size is not known."""
        first, began = stretch.first, stretch.began
        if stretch.saved or first is None:
            return
        stretch.saved = True
        stretch.refused = None
        segment = Segment(
            number=began.number,
            file=began.file,
            codec=began.codec,
            size=first.size,
            config=began.config,
            rotation=stretch.rotation,
            display=self._display,
            server=self._server,
            started=Moment(device_us=first.pts_us, host_ns=began.received_ns),
        )

        def write(library: Library) -> None:
            try:
                library.add_segment(self._episode, segment)
            except KnownError as error:
                stretch.refused = error
                stretch.saved = False
                raise
            stretch.written = True
            if stretch.ended is not None:
                self._end(library, stretch)

        self._do(write)

    def _end(self, library: Library, stretch: _Stretch) -> None:
        """On the library's thread; a row that was refused is ended when it is written."""
        if stretch.written and stretch.ended is not None:
            library.end_segment(self._episode, stretch.began.number, stretch.ended)

    def _do(self, work: Callable[[Library], None]) -> None:
        begun = time.monotonic_ns()
        self._failed(self._library.submit(work))
        now = time.monotonic_ns()
        if now - begun > BACK_PRESSURE_NS:
            gap = Gap("library busy", self._clock.to_device(begun), self._clock.to_device(now))
            self._library.submit(lambda lib: lib.add_gap(self._episode, gap))
