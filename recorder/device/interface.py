"""What a phone is to the recorder: shell, files, video, control, trees, clock and identity.

`recorder.device.adb` implements it for phones behind adb, with video and control over scrcpy.
Everything above works with any other implementation; `tests/recorder/drawn_device.py` is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from episodes.errors import KnownError
from episodes.geometry import Size
from episodes.recordings import DeviceFacts
from episodes.screens import Foreground
from episodes.trees.dumps import ReceivedTree
from recorder.clock import ClockMap
from recorder.inputs import Input

SLOW_TREES = "uiautomator dump"
"""Name of the tree source that every phone has and that takes seconds."""


class PhoneGone(KnownError):
    """The phone is not connected any more, or not yet."""


class CommandTimeout(KnownError):
    """A command on the phone did not end in time."""


@dataclass(frozen=True, slots=True)
class ListedPhone:
    """One phone in the list of those that are connected.

    Attributes:
        state: adb's own word, e.g. "unauthorized".
        meaning: the same for a person.
        remedy: what to do so that it can be used; "" if it can be.
        ready: whether it can be used.
        connection: "USB", "Wi-Fi", or "this computer" for emulators; "" if unknown.
        port: the USB port, as adb names it; "" without one.
        transport: adb's number of this connection; it changes with each connection.
        name: what `Devices.device` takes: the serial, or the port of one of several equal serials.
        also: names of further connections of the same phone.
    """

    serial: str
    state: str
    model: str
    meaning: str
    remedy: str
    ready: bool = False
    connection: str = ""
    port: str = ""
    transport: str = ""
    name: str = ""
    also: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All names by which the phone can be chosen."""
        return (self.name or self.serial, *self.also)


@dataclass(frozen=True, slots=True)
class CommandResult:
    """Result of a shell command. `code` is None if the phone does not report it."""

    output: bytes
    error: bytes
    code: int | None
    cut: bool = False

    @property
    def text(self) -> str:
        """The output as text, with the phone's line ends made plain."""
        return self.output.decode(errors="replace").replace("\r\n", "\n")


@dataclass(frozen=True, slots=True)
class Front:
    """The foreground app.

    Attributes:
        app: None if no app is in front.
        protected: whether a visible window forbids pictures of it.
    """

    app: Foreground | None
    protected: bool = False


@dataclass(frozen=True, slots=True)
class VideoOptions:
    """What the video stream is asked for.

    Attributes:
        max_size: longest side in pixels; 0 for the phone's own.
        key_interval_s: seconds between key frames; None leaves it to the phone (10 s).
        more: further options as the phone's server spells them.
    """

    max_size: int = 0
    max_fps: int = 30
    bit_rate: int = 8_000_000
    codec: str = "h264"
    display: int = 0
    key_interval_s: int | None = None
    stay_awake: bool = True
    more: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class VideoPacket:
    """One encoded frame, or the configuration (SPS, PPS) the following ones need.

    Attributes:
        pts_us: the phone's monotonic clock in microseconds; None for a configuration.
    """

    data: bytes
    pts_us: int | None
    key: bool = False

    @property
    def config(self) -> bool:
        """Whether it is the configuration of a new encoder session."""
        return self.pts_us is None


class StreamListener(Protocol):
    """Receives what a stream brings; each method is called on the thread that read it."""

    def on_codec(self, codec: str) -> None:
        """The codec of the packets that follow: h264, h265 or av1."""

    def on_packet(self, packet: VideoPacket, received_ns: int) -> None:
        """One packet, with the host clock of its arrival. Must be quick."""

    def on_clipboard(self, text: str) -> None:
        """The text on the phone's clipboard, after a key that copies."""

    def on_problem(self, error: KnownError, is_undelivered: bool) -> None:
        """The phone reports a problem while the stream runs, on a thread of the stream's.

        Args:
            is_undelivered: whether the newest input did not reach the phone's apps.
        """

    def on_end(self, reason: KnownError) -> None:
        """The stream broke off. At most once, not after `stop()`; on any thread."""


class DeviceStream(Protocol):
    """Video from a phone and input to it, until `stop()` or until it breaks off."""

    @property
    def session(self) -> str:
        """The id of this stream on the phone."""

    def start(self, timeout: float = 10) -> None:
        """Starts the stream; any thread, once.

        Raises:
            KnownError: the phone is away or cannot be mirrored, and why.
        """

    def send(self, one: Input) -> bool:
        """Queues an input; any thread, never waits for the phone.

        Returns False if the stream has ended.

        Raises:
            KnownError: the phone has not taken thousands of messages.
        """

    def reset_video(self) -> bool:
        """Asks for a new configuration and key frame; returns as `send`."""

    def rotate(self) -> bool:
        """Turns the phone by a quarter; returns as `send`."""

    def stop(self) -> None:
        """Ends the stream and waits for its threads; may be called twice, or from one of them."""


class TreeSource(Protocol):
    """A source of accessibility trees. All methods but `interrupt` belong to one thread.

    Attributes:
        name: stored with each tree; it may change when the source does.
        format: of its bytes, as `episodes.trees.readers` knows it.
        quiet_ns: how long the screen must have been still before a request is worth it.
        retry_ns: how long to wait after a failure.
    """

    @property
    def name(self) -> str:
        """See above."""

    @property
    def format(self) -> str:
        """See above."""

    @property
    def quiet_ns(self) -> int:
        """See above."""

    @property
    def retry_ns(self) -> int:
        """See above."""

    def prepare(self) -> KnownError | None:
        """Prepares all requests; returns a problem that the person should know."""

    def ask(self) -> ReceivedTree:
        """Returns the tree of the present screen; waits for it."""

    def interrupt(self) -> None:
        """Breaks off the request under way, and all later ones. Any thread."""

    def close(self) -> None:
        """Removes from the phone what the source put there."""


class Device(Protocol):
    """One phone. Calls wait for its answer, with a deadline: make them from worker threads.

    All but `interrupt` and `app_name` raise KnownError if the phone is away.
    """

    @property
    def serial(self) -> str:
        """The phone's serial, or its address in the network."""

    @property
    def stream_version(self) -> str:
        """Version of the program that captures its video, stored with each segment."""

    def another(self) -> Device:
        """Returns the same phone with a connection of its own, which can be interrupted alone."""

    def interrupt(self) -> None:
        """Breaks off the commands of this connection, and all later ones; streams go on."""

    # --- shell and files -----------------------------------------------------------------------
    def run(self, command: str, timeout: float = 10, limit: int = 4 << 20) -> CommandResult:
        """Runs a shell command and returns what it printed, at most `limit` bytes of each kind.

        A command that prints more is ended; then `cut` is set and there is no code.
        """

    def push(self, data: bytes, remote: str) -> None:
        """Writes a file on the phone."""

    # --- identity and state ----------------------------------------------------------------------
    def facts(self) -> DeviceFacts:
        """Returns model, build, screen, locale and the like; fields are empty if unknown."""

    def front(self) -> Front:
        """Returns the foreground app, with its name if that is known."""

    def rotation(self) -> int | None:
        """Returns the display's quarter turns; None if the phone does not report them."""

    def screen(self) -> tuple[Size | None, int | None]:
        """Returns the screen's size in its natural rotation, and its density; both can change."""

    def locked(self) -> bool | None:
        """Returns whether the lock screen shows; None if the phone does not report it."""

    def other_recorders(self, own: str) -> tuple[str, ...]:
        """Returns the sessions of other programs that mirror the phone, without `own`."""

    def sample_clock(self, clock: ClockMap, times: int = 9) -> int:
        """Adds samples of the phone's clock to `clock`; returns how many answers could be used."""

    # --- apps ------------------------------------------------------------------------------------
    def app_name(self, package: str) -> str:
        """Returns an app's name as the launcher shows it; "" if it is not known (yet)."""

    def apps(self) -> dict[str, str]:
        """Returns package -> name of all apps in the phone's language; asks the phone once."""

    def find_app(self, name: str) -> str:
        """Returns the package of an app, given its package or its name.

        Raises:
            KnownError: the phone has no such app, or several with this name.
        """

    def app_version(self, package: str) -> str:
        """Returns an app's version name; "" for none."""

    # --- screen and input ------------------------------------------------------------------------
    def open_stream(self, options: VideoOptions, listener: StreamListener) -> DeviceStream:
        """Returns a stream of video and input, not yet started."""

    def tree_source(self, name: str = "phone", refusals: Path | None = None) -> TreeSource:
        """Returns a source of trees; "phone" is the best one that runs on it.

        Args:
            refusals: file that remembers on which phones the best source does not run.
        """

    def clipboard(self) -> str:
        """Returns the text on the clipboard. An empty clipboard is an error: it gives no answer."""

    def set_clipboard(self, text: str) -> None:
        """Puts a text on the clipboard."""


class Devices(Protocol):
    """The phones that can be reached, e.g. those of one adb server. Any thread."""

    @property
    def port(self) -> int:
        """Port of the server that knows the phones."""

    def program(self) -> str:
        """Returns the path of the program that other tools can use to reach the same phones.

        Raises:
            KnownError: there is none for this computer.
        """

    def program_version(self) -> str:
        """Returns the version of that program; "" if it does not report it."""

    def version(self) -> int:
        """Returns the version of the running server's protocol.

        Raises:
            KnownError: the server does not answer.
        """

    def answers(self) -> bool:
        """Returns whether the server runs, without starting it."""

    def phones(self) -> list[ListedPhone]:
        """Returns each phone once, also those that cannot be used yet, with the reason."""

    def device(self, serial: str) -> Device:
        """Returns the phone with this name; asks nothing yet."""

    def ready_device(self, serial: str | None = None) -> Device:
        """Returns the phone with this serial, or the only one there is.

        Raises:
            KnownError: there is none, several, or it cannot be used yet, with what to do.
        """

    def connect(self, address: str, timeout: float = 10) -> str:
        """Connects a phone over the network and returns its serial.

        Raises:
            KnownError: nothing answers there, or the phone does not allow it.
        """

    def disconnect(self, address: str) -> None:
        """Drops a phone connected over the network; an unknown one is not an error."""

    def pair(self, address: str, code: str, timeout: float = 30) -> None:
        """Pairs this computer with a phone's wireless debugging.

        Args:
            address: host and port that the pairing dialog shows; `connect` uses another port.
            code: the six digits the phone shows.

        Raises:
            KnownError: nothing answers there, or the code is wrong.
        """

    def reconnect_offline(self) -> None:
        """Drops phones that are offline or not allowed, so that they are looked for again."""
