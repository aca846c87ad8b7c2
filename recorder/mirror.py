"""Mirrors a phone's screen: packets go to the recording, the newest frame to the window.

Threads: the video reader gives each packet to the recording first and then to the decoder. The
decoder puts frames into `latest`, where the newest wins. The `mirror` thread reconnects after the
phone was away. Nothing here waits for a disk or a window.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeVar

from episodes.errors import KnownError
from recorder.clock import ClockMap
from recorder.decoder import Decoder, Undecodable
from recorder.device.byte_queue import ByteQueue
from recorder.device.interface import Device, DeviceStream, VideoOptions, VideoPacket
from recorder.events import Back, Copied, Health, Lost, MirrorEvent, Problem, Undelivered
from recorder.frames import Latest as Latest
from recorder.frames import LiveFrame as LiveFrame
from recorder.inputs import Input

MAX_UNDECODED = 240
MAX_UNDECODED_BYTES = 32 << 20
HEALTH_EVERY_S = 1.0
RETRY_S = 0.5
RESET_EVERY_S = 1.0
SAME_AGAIN_S = 10.0

_C = TypeVar("_C")


class _Encoded(NamedTuple):
    packet: VideoPacket
    codec: str
    received_ns: int
    episode: str
    place: Place | None


def _byte_count(encoded: _Encoded | None) -> int:
    return 0 if encoded is None else len(encoded.packet.data)


class Place(NamedTuple):
    """The place of a packet in a recording."""

    segment: int
    packet: int


class PacketSink(Protocol):
    """Records packets. Called on the video reader's thread only; must be quick."""

    @property
    def episode(self) -> str:
        """The uuid of the episode that is recorded."""

    @property
    def lost(self) -> int:
        """How many packets could not be written."""

    def append(self, packet: VideoPacket, received_ns: int) -> Place | None:
        """Writes a packet; a configuration begins a new segment.

        Returns its place; None for a configuration, and for packets that cannot be written.
        """


class Mirror:
    """One phone, mirrored until `stop()`, with reconnects whenever it goes away.

    Attributes:
        device: the phone it mirrors.
        latest: the newest frame; `take()` empties the place.
        options: of the video stream.
        clock: the mapping between this computer's clock and the phone's.
    """

    def __init__(self, device: Device, options: VideoOptions | None = None) -> None:
        self.device = device
        self.latest: Latest[LiveFrame] = Latest()
        self.clock = ClockMap()
        self.options = options or VideoOptions()
        self._asker = device.another()
        self._stream: DeviceStream | None = None
        self._starting: DeviceStream | None = None
        self._sink: PacketSink | None = None
        self._codec = self.options.codec
        self._packets = 0
        self._skipped = 0
        self._awaits_key = False
        self._undecoded: ByteQueue[_Encoded | None] = ByteQueue(
            MAX_UNDECODED, MAX_UNDECODED_BYTES, _byte_count
        )
        self._ended: queue.SimpleQueue[KnownError | None] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._announce: list[Callable[[], None]] = []
        self._watchers: list[Callable[[LiveFrame], None]] = []
        self._events: list[Callable[[MirrorEvent], None]] = []
        self._decoded_ns: deque[int] = deque(maxlen=240)
        self._threads: list[threading.Thread] = []
        self._last_reset = 0.0
        self._log_told: tuple[str, float] = ("", 0.0)

    # --- life --------------------------------------------------------------------------------
    def start(self, timeout: float = 10) -> None:
        """Starts mirroring; returns when the stream is open. Must not be called on the GUI thread.

        Raises:
            KnownError: the phone cannot be mirrored now, and why.
        """
        self._connect(timeout)
        for name, work in (("decoder", self._decode), ("mirror", self._supervise)):
            thread = threading.Thread(target=work, name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def stop(self) -> None:
        """Stops mirroring and waits for all threads. May be called twice."""
        self._stopping.set()
        self._ended.put(None)
        with self._lock:
            streams = [self._stream, self._starting]
            self._stream = self._starting = None
        self._asker.interrupt()
        for stream in streams:
            if stream is not None:
                stream.stop()
        self._to_decoder(None)
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join()
        self._threads.clear()

    @property
    def connected(self) -> bool:
        """Whether the phone is there."""
        return self._stream is not None

    @property
    def session(self) -> str:
        """The id of the running stream; "" while the phone is away."""
        stream = self._stream
        return "" if stream is None else stream.session

    # --- listeners ---------------------------------------------------------------------------
    def on_frame(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Calls back when `latest` gets a frame after it was empty; on the decoder's thread.

        Returns a function that unsubscribes.
        """
        return self._listen(self._announce, callback)

    def on_event(self, callback: Callable[[MirrorEvent], None]) -> Callable[[], None]:
        """Calls back with each MirrorEvent; on a thread of the mirror's."""
        return self._listen(self._events, callback)

    def watch(self, callback: Callable[[LiveFrame], None]) -> Callable[[], None]:
        """Calls back with each decoded frame; on the decoder's thread, so be quick."""
        return self._listen(self._watchers, callback)

    # --- recording ---------------------------------------------------------------------------
    def record_to(self, sink: PacketSink | None) -> None:
        """Sends packets to `sink` from the next configuration on, which is requested now.

        None stops recording. Packets that arrive during this call may still go to the old sink.
        """
        self._sink = sink
        if sink is not None:
            self._reset_video()

    # --- input -------------------------------------------------------------------------------
    def send(self, one: Input) -> bool:
        """Sends an input to the phone. Any thread; returns at once.

        Returns False, and sends nothing, while the phone is away.

        Raises:
            KnownError: the phone does not take messages any more.
        """
        stream = self._stream
        return stream is not None and stream.send(one)

    def rotate(self) -> bool:
        """Turns the phone by a quarter; returns as `send`."""
        stream = self._stream
        return stream is not None and stream.rotate()

    # --- health ------------------------------------------------------------------------------
    def health(self) -> Health:
        """Returns rates and counts of the mirror; any thread."""
        now = time.monotonic_ns()
        frame = self.latest.peek()
        sink = self._sink
        return Health(
            fps=float(sum(1 for at in self._decoded_ns.copy() if now - at < 1_000_000_000)),
            packets=self._packets,
            lost=sink.lost if sink is not None else 0,
            skipped=self._skipped,
            delay_ms=None if frame is None else self._delay_ms(frame),
        )

    def _delay_ms(self, frame: LiveFrame) -> float | None:
        low, high = self.clock.bounds(frame.received_ns)
        if low is None or high is None:
            return None
        return max(0.0, frame.decoded_ns / 1000 - frame.pts_us - (low + high) / 2) / 1000

    # --- listener of the stream ----------------------------------------------------------------
    def on_codec(self, codec: str) -> None:
        """Video reader's thread: sets the codec of the next packets."""
        self._codec = codec

    def on_packet(self, packet: VideoPacket, received_ns: int) -> None:
        """Video reader's thread: records the packet first, then queues it for the decoder."""
        self._packets += 1
        sink = self._sink
        place = None if sink is None else sink.append(packet, received_ns)
        episode = "" if sink is None or place is None else sink.episode
        if packet.pts_us is not None:
            self.clock.add_packet(received_ns, packet.pts_us)
        self._show_later(_Encoded(packet, self._codec, received_ns, episode, place))

    def on_clipboard(self, text: str) -> None:
        """Control reader's thread: reports the copied text."""
        self._tell(Copied(text))

    def on_problem(self, error: KnownError, is_undelivered: bool) -> None:
        """Log reader's thread: reports a problem; the same again only after a while."""
        if is_undelivered:
            self._tell(Undelivered(error))
        text, told_s = self._log_told
        now = time.monotonic()
        if str(error) != text or now - told_s > SAME_AGAIN_S:
            self._log_told = (str(error), now)
            self._tell(Problem(error))

    def on_end(self, reason: KnownError) -> None:
        """Any of the stream's threads."""
        self._ended.put(reason)

    # --- inside ------------------------------------------------------------------------------
    def _connect(self, timeout: float) -> None:
        stream = self.device.open_stream(self.options, self)
        with self._lock:
            self._starting = stream
        stream.start(timeout)
        with self._lock:
            too_late = self._stopping.is_set()
            if not too_late:
                self._stream = stream
        if too_late:
            stream.stop()
            return
        with self._lock:
            self._starting = None
        with contextlib.suppress(KnownError):  # the mirror lives without the phone's clock
            self._asker.sample_clock(self.clock)

    def _supervise(self) -> None:
        while not self._stopping.is_set():
            try:
                reason = self._ended.get(timeout=HEALTH_EVERY_S)
            except queue.Empty:
                self._tell(self.health())
                continue
            if reason is not None and not self._stopping.is_set():
                self._recover(reason)

    def _recover(self, reason: KnownError) -> None:
        with self._lock:
            stream, self._stream = self._stream, None
        if stream is not None:
            stream.stop()
        self.clock.forget()
        self._tell(Lost(str(reason)))
        while not self._stopping.wait(RETRY_S):
            try:
                self._connect(timeout=5)
            except KnownError:
                continue  # it is still away; Lost has been emitted
            if not self._stopping.is_set():
                self._tell(Back())
            return

    def _show_later(self, encoded: _Encoded) -> None:
        packet = encoded.packet
        if self._awaits_key and not (packet.key or packet.config):
            self._skipped += 1  # what it builds on was skipped
            return
        self._awaits_key = False
        self._to_decoder(encoded)

    def _to_decoder(self, encoded: _Encoded | None) -> None:
        try:
            self._undecoded.put(encoded)
            return
        except queue.Full:
            pass
        # The display fell behind. The queued packets are recorded; continue at the next key frame.
        while True:
            self._skipped += self._undecoded.clear()
            if encoded is not None and not encoded.packet.key and not encoded.packet.config:
                self._skipped += 1
                self._awaits_key = True
                break
            with contextlib.suppress(queue.Full):
                self._undecoded.put(encoded)
                break
        if encoded is not None:
            self._ask_key_frame()

    def _ask_key_frame(self) -> None:
        now = time.monotonic()
        if now - self._last_reset > RESET_EVERY_S and not self._stopping.is_set():
            self._last_reset = now
            self._reset_video()

    def _reset_video(self) -> None:
        stream = self._stream
        if stream is not None:
            stream.reset_video()

    def _decode(self) -> None:
        decoder = Decoder()
        while (encoded := self._undecoded.get()) is not None:
            packet, place = encoded.packet, encoded.place
            try:
                frames = decoder.decode(packet, encoded.codec)
            except Undecodable as bad:
                self._skipped += 1
                self._tell(Problem(bad))
                self._ask_key_frame()
                continue
            for picture in frames:
                self._show(
                    LiveFrame(
                        pixels=picture.pixels,
                        size=picture.size,
                        pts_us=packet.pts_us or 0,
                        received_ns=encoded.received_ns,
                        decoded_ns=time.monotonic_ns(),
                        blocks=picture.blocks,
                        content=picture.content,
                        episode=encoded.episode,
                        segment=None if place is None else place.segment,
                        packet=None if place is None else place.packet,
                        blink=picture.blink,
                        sharpens=picture.sharpens,
                    )
                )

    def _show(self, frame: LiveFrame) -> None:
        self._decoded_ns.append(frame.decoded_ns)
        was_empty = self.latest.put(frame)
        for watcher in self._listeners(self._watchers):
            watcher(frame)
        if was_empty:
            for announce in self._listeners(self._announce):
                announce()

    def _tell(self, event: MirrorEvent) -> None:
        for callback in self._listeners(self._events):
            callback(event)

    def _listen(self, listeners: list[_C], callback: _C) -> Callable[[], None]:
        with self._lock:
            listeners.append(callback)

        def end() -> None:
            with self._lock, contextlib.suppress(ValueError):
                listeners.remove(callback)

        return end

    def _listeners(self, listeners: list[_C]) -> list[_C]:
        with self._lock:
            return list(listeners)
