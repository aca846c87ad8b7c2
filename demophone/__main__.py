"""`python -m demophone`: starts the phone, prints its address, and runs until it is stopped."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from demophone.adb.daemon import Daemon, PortTaken
from demophone.device import DemoDevice
from demophone.faults import FAULTS, parse_faults
from demophone.filesystem import FileSystem
from demophone.habits import HABITS, parse_habits
from demophone.system import System

MakeDevice = Callable[
    [argparse.Namespace, FileSystem, TextIO | None, asyncio.AbstractEventLoop], DemoDevice
]
ANIMATION_SCALES = (
    "window_animation_scale",
    "transition_animation_scale",
    "animator_duration_scale",
)
# opencv-python points these at the Qt it brings along, as soon as it is imported.
QT_VARIABLES_OF_OPENCV = ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR")


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    """Returns the parsed command line; ends the program with one sentence if it is invalid."""
    parser = argparse.ArgumentParser(
        prog="python -m demophone",
        description="An Android phone that is not there: adb connects to it as to any other.",
        epilog="\n".join(
            [
                "faults:",
                *(f"  {name}  {about}" for name, about in FAULTS.items()),
                "habits:",
                *(f"  {name}{about}" for name, about in HABITS.items()),
            ]
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--port", type=int, default=0, help="port of adbd; a free one without it")
    parser.add_argument("--host", default="127.0.0.1", help="127.0.0.1 and nothing else")
    parser.add_argument("--size", default="1080x2400", help="screen, WIDTHxHEIGHT pixels")
    parser.add_argument("--density", type=int, default=420, help="dots per inch")
    parser.add_argument("--seed", type=int, default=1, help="what is in the apps, and all chance")
    parser.add_argument("--truth", type=Path, help="file to log all that really happened to")
    parser.add_argument("--data", type=Path, help="folder for the phone's files; kept at the end")
    parser.add_argument("--faults", default="", help="what goes wrong, as a,b=VALUE")
    parser.add_argument(
        "--habit", action="append", default=[], help="what the phone is like; may be repeated"
    )
    parser.add_argument("--deterministic", action="store_true", help="nothing waits for chance")
    parser.add_argument("--no-animations", action="store_true", help="animation scales at 0")
    parser.add_argument("--root", action="store_true", help="a userdebug build: the shell is root")
    parser.add_argument(
        "--pixel-packages", action="store_true", help="the apps have a Pixel's package names"
    )
    parser.add_argument(
        "--until-stdin-closes", action="store_true", help="end when stdin is closed"
    )
    found = parser.parse_args(words)
    width, _, height = found.size.partition("x")
    if found.host != "127.0.0.1":
        parser.error(f"the phone listens on 127.0.0.1 only, not on {found.host}")
    if not (width.isdecimal() and height.isdecimal()):
        parser.error(f"the size is WIDTHxHEIGHT in pixels, as 1080x2400, not {found.size}")
    found.size = (int(width), int(height))
    if any(side % 2 or not 240 <= side <= 4320 for side in found.size):
        parser.error("both sides of the screen are even and between 240 and 4320 pixels")
    if not 72 <= found.density <= 1000:
        parser.error("the density is between 72 and 1000 dots per inch")
    if not 0 <= found.port <= 65535:
        parser.error(f"{found.port} is no port")
    try:
        found.faults = parse_faults(found.faults)
        found.habit = parse_habits(found.habit)
    except ValueError as error:
        parser.error(str(error))
    return found


def drawn_phone(
    options: argparse.Namespace,
    files: FileSystem,
    truth: TextIO | None,
    loop: asyncio.AbstractEventLoop,
) -> DemoDevice:
    """The phone with its apps, drawn with Qt but without a display."""
    from demophone.phone import Phone

    return Phone(
        size=options.size,
        density=options.density,
        seed=options.seed,
        files=files,
        truth=truth,
        faults=options.faults,
        deterministic=options.deterministic,
        pixel_packages=options.pixel_packages,
        loop=loop,
    )


async def serve(
    options: argparse.Namespace, files: FileSystem, truth: TextIO | None, make: MakeDevice
) -> int:
    """Runs the phone until a signal or the end of stdin. Returns the exit status."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    if options.until_stdin_closes:
        _watch_stdin(loop, ended)
    phone = make(options, files, truth, loop)
    if options.no_animations:
        for name in ANIMATION_SCALES:
            phone.put_setting("global", name, "0")
    system = System(
        phone,
        files,
        deterministic=options.deterministic,
        habits=options.habit,
        root=options.root,
    )
    daemon = Daemon(system)
    try:
        port = await daemon.start(options.port)
    except PortTaken as error:
        print(f"The phone cannot start: {error}. Choose another --port.", file=sys.stderr)
        return 1
    system.mount()
    ready = {"serial": f"127.0.0.1:{port}", "port": port, "pid": os.getpid()}
    print(json.dumps(ready), flush=True)
    await ended.wait()
    await daemon.stop()
    return 0


def _watch_stdin(loop: asyncio.AbstractEventLoop, ended: asyncio.Event) -> None:
    def readable() -> None:
        if not os.read(0, 4096):
            loop.remove_reader(0)
            ended.set()

    try:
        loop.add_reader(0, readable)
    except (OSError, ValueError):  # a plain file or nothing at all: it is at its end already
        ended.set()


def run(make: MakeDevice) -> int:
    """Reads the command line and runs the phone that `make` makes. Returns the exit status."""
    options = arguments()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    with contextlib.ExitStack() as stack:
        try:
            root = options.data or Path(
                stack.enter_context(tempfile.TemporaryDirectory(prefix="demophone-"))
            )
            truth = None
            if options.truth is not None:
                truth = stack.enter_context(options.truth.open("w", encoding="utf-8"))
            files = FileSystem(root)
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            print(
                f"The phone cannot start: {place}{error.strerror or error}. "
                "Name other places with --data and --truth.",
                file=sys.stderr,
            )
            return 1
        return asyncio.run(serve(options, files, truth, make))


def main() -> int:
    """Starts Qt without a display, then the phone."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    for name in QT_VARIABLES_OF_OPENCV:
        os.environ.pop(name, None)
    from PySide6.QtGui import QGuiApplication

    application = QGuiApplication(["demophone"])
    try:
        return run(drawn_phone)
    finally:
        application.shutdown()


if __name__ == "__main__":
    sys.exit(main())
