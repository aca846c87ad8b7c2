"""A scrcpy session: starts the server on a phone, reads its video and sends it input.

It has three streams and four threads and decodes no picture. The server listens on a local socket
of the phone; this end opens it through the adb server, so it uses no port of the computer. `stop()`
closes the sockets and then waits for the threads, so it always returns.
"""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
import time
from collections import deque
from collections.abc import Callable

from episodes.errors import KnownError
from recorder.device.adb.server import AdbRefused, PhoneLink, read_exactly
from recorder.device.byte_queue import ByteQueue
from recorder.device.interface import PhoneGone, StreamListener, VideoOptions, VideoPacket
from recorder.device.scrcpy import messages
from recorder.device.scrcpy import server as servers
from recorder.device.scrcpy.device_messages import (
    BadDeviceMessage,
    ClipboardText,
    DeviceMessage,
    DeviceMessageParser,
)
from recorder.device.scrcpy.encoding import messages_of
from recorder.device.scrcpy.server import ServerFile
from recorder.device.scrcpy.stream import BadStream, Item, VideoHeader, VideoParser
from recorder.inputs import Input

MAX_QUEUED = 4096
MAX_QUEUED_BYTES = 4 << 20
LOG_LINES = 500

_RETRY_S = 0.02
_CHUNK = 1 << 18


class ScrcpyClient:
    """One session, until `stop()` or until it breaks off."""

    def __init__(
        self,
        phone: PhoneLink,
        server: ServerFile,
        options: VideoOptions,
        listener: StreamListener,
        before_start: Callable[[], None] = lambda: None,
    ) -> None:
        self._before_start = before_start
        self._phone = phone
        self._server = server
        self._options = options
        self._listener = listener
        self._session = servers.new_session_id()
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._outgoing: ByteQueue[bytes | None] = ByteQueue(
            MAX_QUEUED, MAX_QUEUED_BYTES, lambda message: len(message or b"")
        )
        self._log: deque[str] = deque(maxlen=LOG_LINES)
        self._log_ended = threading.Event()
        self._ended = threading.Event()
        self._lock = threading.Lock()

    @property
    def session(self) -> str:
        """The id the server was started with, 8 hex digits."""
        return f"{self._session:08x}"

    @property
    def log(self) -> str:
        """The last lines of the server's log."""
        return "\n".join(self._log.copy())

    def start(self, timeout: float = 10) -> None:
        """Puts the server on the phone, starts it and opens the streams; any thread, once.

        Raises:
            KnownError: the phone is away, the server does not start or says why it cannot.
        """
        deadline = time.monotonic() + timeout
        try:
            self._before_start()
            self._phone.push(self._server.data, servers.remote_path(self._session))
            line = servers.command(self._server, self._session, self._options)
            log = self._keep(self._phone.open(f"shell:{line}"))
            log.settimeout(None)
            self._run("log", self._read_log, log)
            video = self._keep(self._connect(deadline))
            video.settimeout(max(0.1, deadline - time.monotonic()))
            self._dummy_byte(video)
            control = self._keep(self._connect(deadline))
            for stream in (video, control):
                stream.settimeout(None)
                stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._run("video", self._read_video, video)
            self._run("device", self._read_device, control)
            self._run("control", self._write_control, control)
        except BaseException:
            self.stop()
            raise

    def send(self, one: Input) -> bool:
        """Queues an input; any thread, never waits for the phone; returns as `send_message`."""
        return all(self.send_message(message) for message in messages_of(one))

    def reset_video(self) -> bool:
        """Asks for a new configuration and key frame; returns as `send_message`."""
        return self.send_message(messages.reset_video())

    def rotate(self) -> bool:
        """Turns the phone by a quarter; returns as `send_message`."""
        return self.send_message(messages.rotate_device())

    def send_message(self, message: bytes) -> bool:
        """Queues a control message; any thread, never waits for the phone.

        Returns False if the session has ended.

        Raises:
            KnownError: the phone has not taken thousands of messages.
        """
        if self._ended.is_set():
            return False
        try:
            self._outgoing.put(message)
            return True
        except queue.Full:
            raise KnownError(
                "send input to the phone",
                "too many messages are waiting and it takes none",
                "Look whether the phone hangs.",
            ) from None

    def stop(self) -> None:
        """Ends the session and waits for its threads; may be called twice, or from one of them."""
        self._ended.set()
        with self._lock:
            sockets, self._sockets = self._sockets, []
            threads, self._threads = self._threads, []
        for stream in sockets:
            _close(stream)
        self._wake_writer()
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join()

    def _keep(self, stream: socket.socket) -> socket.socket:
        with self._lock:
            if not self._ended.is_set():
                self._sockets.append(stream)
                return stream
        stream.close()
        raise _stopped()

    def _run(self, name: str, work: Callable[[socket.socket], None], stream: socket.socket) -> None:
        thread = threading.Thread(target=work, args=(stream,), name=f"scrcpy-{name}", daemon=True)
        with self._lock:
            if self._ended.is_set():
                return
            self._threads.append(thread)
            thread.start()

    def _connect(self, deadline: float) -> socket.socket:
        name = servers.socket_name(self._session)
        while True:
            try:
                return self._phone.open(f"localabstract:{name}", timeout=5)
            except AdbRefused as refused:
                if isinstance(refused, PhoneGone):
                    raise
                if self._ended.is_set():
                    raise _stopped() from refused
                said = servers.trouble(self.log)
                if self._log_ended.is_set():
                    raise said or self._silent() from refused
                if time.monotonic() > deadline:
                    raise said or KnownError(
                        "mirror the phone",
                        "the scrcpy server does not listen",
                        "Unlock the phone and try again.",
                    ) from refused
                self._log_ended.wait(_RETRY_S)

    def _dummy_byte(self, video: socket.socket) -> None:
        """Reads the first byte: it proves that the server itself, not only adb, has the socket."""
        try:
            read_exactly(video, 1)
        except OSError as error:
            self._log_ended.wait(1)
            raise servers.trouble(self.log) or self._silent() from error

    def _silent(self) -> KnownError:
        last = self._log[-1] if self._log else "nothing"
        return KnownError(
            "mirror the phone",
            f"the scrcpy server ended; its last words: {last[:200]}",
            "Try again; if it stays so, start the phone again.",
        )

    def _read_video(self, stream: socket.socket) -> None:
        parser = VideoParser(self._server.dialect)
        try:
            while data := stream.recv(_CHUNK):
                received_ns = time.monotonic_ns()
                for item in parser.feed(data):
                    self._hand_over(item, received_ns)
            self._end("the video ended")
        except OSError as error:
            self._end(f"the video broke off: {error}")
        except BadStream as bad:
            self._end(str(bad))

    def _hand_over(self, item: Item, received_ns: int) -> None:
        match item:
            case VideoPacket():
                self._listener.on_packet(item, received_ns)
            case VideoHeader(codec=codec):
                self._listener.on_codec(codec)
            case _:
                pass  # the phone's name, and sizes, which the decoded frames have too

    def on_message(self, message: DeviceMessage) -> None:
        """Handles one message of the phone, on the control reader's thread."""
        if isinstance(message, ClipboardText):
            self._listener.on_clipboard(message.text)

    def _read_device(self, stream: socket.socket) -> None:
        parser = DeviceMessageParser()
        try:
            while data := stream.recv(_CHUNK):
                for message in parser.feed(data):
                    self.on_message(message)
            self._end("the control stream ended")
        except OSError as error:
            self._end(f"the control stream broke off: {error}")
        except BadDeviceMessage as bad:
            self._end(str(bad))

    def _write_control(self, stream: socket.socket) -> None:
        try:
            while (message := self._outgoing.get()) is not None:
                stream.sendall(message)
        except OSError as error:
            self._end(f"the control stream broke off: {error}")

    def _report(self, line: str) -> None:
        undelivered = servers.undelivered_input(line)
        error = undelivered or servers.encoder_trouble(line)
        if error is not None:
            self._listener.on_problem(error, undelivered is not None)

    def _read_log(self, stream: socket.socket) -> None:
        pending = b""
        try:
            while data := stream.recv(_CHUNK):
                *lines, pending = (pending + data)[-65536:].split(b"\n")
                for line in lines:
                    text = line.decode(errors="replace").rstrip("\r")
                    self._log.append(text)
                    self._report(text)
        except OSError:
            pass  # closing the stream is how the server is ended
        finally:
            if pending:
                self._log.append(pending.decode(errors="replace"))
            self._log_ended.set()

    def _end(self, found: str) -> None:
        with self._lock:
            if self._ended.is_set():
                return
            self._ended.set()
        self._wake_writer()
        self._log_ended.wait(0.5)
        self._listener.on_end(
            servers.trouble(self.log)
            or PhoneGone(
                "mirror the phone", found, "Plug it in, or connect it again; then it goes on."
            )
        )

    def _wake_writer(self) -> None:
        while True:
            try:
                self._outgoing.put(None)
                return
            except queue.Full:
                self._outgoing.clear()


def _stopped() -> PhoneGone:
    return PhoneGone("mirror the phone", "it was stopped while starting", "Start it again.")


def _close(stream: socket.socket) -> None:
    with contextlib.suppress(OSError):  # the other end may have closed it before
        stream.shutdown(socket.SHUT_RDWR)
    stream.close()
