"""A device without adb: a grey screen that each input changes, drawn in this process."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import numpy as np

from demophone.encoder import Encoder
from episodes.errors import KnownError
from episodes.geometry import Size
from episodes.recordings import DeviceFacts
from episodes.screens import Foreground, TreeStatus
from episodes.trees.dumps import ReceivedTree
from recorder.clock import ClockMap
from recorder.device import interface
from recorder.inputs import Input, Touch

SIZE = Size(160, 320)
APP = "org.example.drawn"
NODE = (
    '<node index="0" text="{0}" class="android.view.View" package="{1}" bounds="[0,0][160,320]"/>'
)
FRAME_S = 0.1


class DrawnStream(interface.DeviceStream):
    """Encodes the screen ten times a second, on a thread of its own."""

    session = "drawn"

    def __init__(self, device: DrawnDevice, listener: interface.StreamListener) -> None:
        self._device, self._listener = device, listener
        self._stopping, self._reset = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._draw, name="drawn", daemon=True)

    def start(self, timeout: float = 10) -> None:
        self._reset.set()
        self._thread.start()

    def send(self, one: Input) -> bool:
        self._device.inputs.append(one)
        return not self._stopping.is_set()

    def reset_video(self) -> bool:
        return self._reset.set() is None

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join()

    def _draw(self) -> None:
        while not self._stopping.wait(FRAME_S):
            key = self._reset.is_set()
            if key:
                self._reset.clear()
                encoder = Encoder(SIZE.width, SIZE.height, 1_000_000, 10)
                self._give(interface.VideoPacket(encoder.config, None))
            grey = 40 + 30 * self._device.changes % 200
            pixels = np.full((SIZE.height, SIZE.width, 4), grey, np.uint8)
            pts_us = time.monotonic_ns() // 1000
            data, key = encoder.encode(encoder.planes(pixels), pts_us, key)
            self._give(interface.VideoPacket(data, pts_us, key))

    def _give(self, packet: interface.VideoPacket) -> None:
        self._listener.on_packet(packet, time.monotonic_ns())


class DrawnTrees(interface.TreeSource):
    """One node that fills the screen; its text counts the inputs."""

    name, format = "drawn", "uiautomator"
    quiet_ns, retry_ns = 50_000_000, 50_000_000

    def __init__(self, device: DrawnDevice) -> None:
        self._device = device

    def interrupt(self) -> None: ...
    def ask(self) -> ReceivedTree:
        node = NODE.format(f"screen {self._device.changes}", APP)
        return ReceivedTree(TreeStatus.OK, f'<hierarchy rotation="0">{node}</hierarchy>'.encode())


class DrawnDevice(interface.Device):
    """Its grey grows with each input. Rotation and lock screen are unknown, as by default."""

    serial, stream_version = "drawn-1", "1"

    def __init__(self) -> None:
        self.inputs: list[Input] = []
        self._clipboard = ""

    @property
    def changes(self) -> int:
        return sum(not isinstance(i, Touch) or i.is_lift for i in self.inputs)

    def another(self) -> DrawnDevice:
        return self

    def run(self, command: str, timeout: float = 10, limit: int = 0) -> interface.CommandResult:
        return interface.CommandResult(b"", f"{command}: not found\n".encode(), 127)

    def push(self, data: bytes, remote: str) -> None:
        raise KnownError(f"copy a file to {remote}", "there is no storage", "Do without.")

    def facts(self) -> DeviceFacts:
        return DeviceFacts(serial=self.serial, model="Drawn device", size=SIZE, density=160)

    def screen(self) -> tuple[Size | None, int | None]:
        return SIZE, 160

    def front(self) -> interface.Front:
        return interface.Front(Foreground(APP, ".Main", self.app_name(APP)))

    def other_recorders(self, own: str) -> tuple[str, ...]:
        return ()

    def sample_clock(self, clock: ClockMap, times: int = 9) -> int:
        now = time.monotonic_ns()
        clock.add_asked(now, now, now // 1000)
        return 1

    def app_name(self, package: str) -> str:
        return self.apps().get(package, "")

    def apps(self) -> dict[str, str]:
        return {APP: "Drawn"}

    def find_app(self, name: str) -> str:
        return APP

    def app_version(self, package: str) -> str:
        return "1.0"

    def open_stream(
        self, options: interface.VideoOptions, listener: interface.StreamListener
    ) -> DrawnStream:
        return DrawnStream(self, listener)

    def tree_source(self, name: str = "phone", refusals: Path | None = None) -> DrawnTrees:
        return DrawnTrees(self)

    def clipboard(self) -> str:
        return self._clipboard

    def set_clipboard(self, text: str) -> None:
        self._clipboard = text
