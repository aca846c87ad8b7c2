"""The video socket: pictures of the phone, encoded when they change, with their own times.

A picture is sent when it differs from the one before, at most `max_fps` times a second; its time
is when it was drawn, or when the session began to show it, whichever is later. After
the last change the encoder repeats it, ten times, 100 ms apart, with made-up times, as Android
does for a still screen; then nothing comes until something changes. A turn of the phone starts a
new encoder session: new config, new key frame, no new codec meta. Since 4.0 each session begins
with its size.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from demophone.encoder import Encoder
from demophone.faults import fault_value
from demophone.scrcpy import wire
from demophone.scrcpy.options import Options
from demophone.streams import Pipe
from demophone.system import System

REPEATS = 10
REPEAT_US = 100_000
KEY_INTERVAL_S = 10.0
DEFAULT_FPS = 60.0


class VideoStream:
    """Sends the screen over one socket until cancelled.

    Args:
        tell: prints a debug line on the server's output.
    """

    def __init__(
        self, system: System, options: Options, pipe: Pipe, tell: Callable[[str], None]
    ) -> None:
        self._device = system.device
        self._options = options
        self._pipe = pipe
        self._tell = tell
        self._changed = asyncio.Event()
        self._reset = False
        self._last_pts = -1
        self._sent = 0
        fps = options.max_fps or DEFAULT_FPS
        self._frame_rate = min(max(fps, 1.0), 240.0)
        stall = fault_value(system.faults, "stall-video", "30")
        self._stall_after = int(stall) if stall is not None else None

    def reset(self) -> None:
        """Ends the encoder session; the next one begins with a key frame."""
        self._reset = True
        self._changed.set()

    async def run(self) -> None:
        """Serves the socket until it fails or this is cancelled.

        Raises:
            BrokenPipeError: the client closed it.
        """
        stop = self._device.on_damage(self._changed.set)
        worker = ThreadPoolExecutor(1, thread_name_prefix="encoder")
        try:
            if self._options.send_codec_meta:
                size = self._options.size_of_video(*self._device.size)
                await self._pipe.write(wire.video_header(wire.H264, *size, self._options.version))
            while True:
                await self._session(worker)
        finally:
            stop()
            worker.shutdown(wait=False, cancel_futures=True)

    async def _session(self, worker: ThreadPoolExecutor) -> None:
        loop = asyncio.get_running_loop()
        self._reset = False
        self._changed.clear()
        began_us = self._device.now_us()
        picture = self._device.picture()
        height, width = picture.pixels.shape[:2]
        size = self._options.size_of_video(width, height)
        encoder = await loop.run_in_executor(
            worker, Encoder, *size, self._options.video_bit_rate, self._frame_rate
        )
        self._tell(f"Using video encoder: 'c2.demo.avc.encoder' at {size[0]}x{size[1]}")
        await self._stall()
        if self._options.send_codec_meta:
            await self._pipe.write(wire.session_header(*size, self._options.version))
        await self._send(encoder.config, None, key=False)
        interval = self._options.codec_option("i-frame-interval") or KEY_INTERVAL_S
        last_key: float | None = None
        repeats = 0
        planes = np.empty((0, 0), np.uint8)
        repeat = False
        while True:
            started = loop.time()
            if not repeat:
                # Whoever draws leaves the pixels alone as long as somebody holds them.
                planes = await loop.run_in_executor(worker, encoder.planes, picture.pixels)
                pts = max(picture.time_us, began_us, self._last_pts + 1)
            else:
                pts = self._last_pts + REPEAT_US
            key = last_key is None or started - last_key >= interval
            data, is_key = await loop.run_in_executor(worker, encoder.encode, planes, pts, key)
            last_key = started if is_key else last_key
            self._last_pts = pts
            await self._stall()
            self._device.log(
                "frame",
                pts_us=pts,
                screen=picture.screen,
                repeat=repeat,
                width=size[0],
                height=size[1],
            )
            await self._send(data, pts, is_key)
            await asyncio.sleep(max(0.0, started + 1 / self._frame_rate - loop.time()))
            repeat = not await self._next_change(repeats)
            repeats = repeats + 1 if repeat else 0
            if self._reset:
                return
            if not repeat:
                self._changed.clear()
                newest = self._device.picture()
                if newest.pixels.shape != picture.pixels.shape:
                    return
                picture = newest

    async def _next_change(self, repeats: int) -> bool:
        """Waits for a change, or for the time of the next repetition. Returns whether changed."""
        if repeats >= REPEATS:
            await self._changed.wait()
            return True
        # Not before the made-up time has come, so that it never runs ahead of a real one.
        missing = (self._last_pts + REPEAT_US - self._device.now_us()) / 1e6
        try:
            await asyncio.wait_for(self._changed.wait(), max(0.001, missing))
        except TimeoutError:
            return False
        return True

    async def _stall(self) -> None:
        """Blocks forever once the fault stops the packets."""
        if self._stall_after is not None and self._sent >= self._stall_after:
            await asyncio.Event().wait()

    async def _send(self, data: bytes, pts_us: int | None, key: bool) -> None:
        self._sent += 1
        if self._options.send_frame_meta:
            data = wire.frame_header(len(data), pts_us, key, self._options.version) + data
        await self._pipe.write(data)
