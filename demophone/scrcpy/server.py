"""The scrcpy server: version check, lists, sockets, and the life of one session.

It serves clients of scrcpy 2.0 to 4.x, each as the server of its own version would.

Source: Server.java, DesktopConnection.java, LogUtils.java of scrcpy 2.7, 3.3.4 and 4.1.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

from demophone.faults import fault_value
from demophone.packages import is_system
from demophone.scrcpy import wire
from demophone.scrcpy.controller import Controller
from demophone.scrcpy.options import BadOption, Options, parse_options
from demophone.scrcpy.video import VideoStream
from demophone.shell.process import Process
from demophone.sockets import SocketError
from demophone.streams import Pipe
from demophone.system import MANUFACTURER, MODEL, RELEASE

ENCODER = "c2.demo.avc.encoder"
PLUGGED_ANYWHERE = 7  # the mains, USB and wireless charging of BatteryManager
SERVER_CLASS = "com.genymobile.scrcpy.Server"
REFUSED_INPUT = (
    "java.lang.reflect.InvocationTargetException",
    "\tat java.lang.reflect.Method.invoke(Native Method)",
    "Caused by: java.lang.SecurityException: Injecting input events requires the caller (or the "
    "source of the instrumentation, if any) to have the INJECT_EVENTS permission.",
)
LEVELS = ("verbose", "debug", "info", "warn", "error")


async def run_server(process: Process) -> int:
    """`app_process / com.genymobile.scrcpy.Server VERSION key=value ...`."""
    server = Server(process)
    printing = asyncio.create_task(server.print_lines())
    try:
        return await server.run(process.argv[3:])
    finally:
        await server.flush(printing)


class Server:
    """One run of the server."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._system = process.system
        self._options = Options()
        self._lines: asyncio.Queue[tuple[str, str]] = asyncio.Queue()

    # --- printing ------------------------------------------------------------------------------
    def tell(self, level: str, text: str) -> None:
        """Prints a line as the server does; never waits."""
        if LEVELS.index(level) >= LEVELS.index(self._options.log_level):
            self._lines.put_nowait((level, f"[server] {level.upper()}: {text}"))

    async def print_lines(self) -> None:
        """Prints the messages of `tell`, until cancelled."""
        while True:
            level, line = await self._lines.get()
            await self._print(level, line)

    async def _print(self, level: str, line: str) -> None:
        if level in ("warn", "error"):
            await self._process.complain(line)
        else:
            await self._process.say(line)

    async def flush(self, printing: asyncio.Task[None]) -> None:
        """Prints what is left and ends the printing."""
        printing.cancel()
        while not self._lines.empty():
            await self._print(*self._lines.get_nowait())

    def _fail(self, kind: str, message: str) -> int:
        self.tell("error", message)
        self._lines.put_nowait(("error", f"java.{kind}: {message}"))
        self._lines.put_nowait(("error", f"\tat {SERVER_CLASS}.main(Server.java)"))
        return 1

    def _refuse_input(self) -> None:
        """Prints what a phone prints that takes no input from its shell user."""
        self.tell("error", "Could not invoke method")
        for line in REFUSED_INPUT:
            self._lines.put_nowait(("error", line))

    # --- the run -------------------------------------------------------------------------------
    async def run(self, arguments: list[str]) -> int:
        """Runs the server with its arguments and returns its exit status."""
        mismatch = fault_value(self._system.faults, "version-mismatch") is not None
        if not arguments:
            return self._fail("lang.IllegalArgumentException", "Missing client version")
        asked = arguments[0]
        version = wire.served_version(asked)
        if mismatch or version is None:
            own = "4.1" if mismatch and asked != "4.1" else "3.3.4"
            text = f"The server version ({own}) does not match the client ({asked})"
            return self._fail("lang.IllegalArgumentException", text)
        try:
            self._options = parse_options(arguments[1:], version)
        except BadOption as error:
            return self._fail("lang.IllegalArgumentException", str(error))
        if self._options.log_level not in LEVELS:
            self._options = replace(self._options, log_level="debug")
        for warning in self._options.warnings:
            self.tell("warn", warning)
        about = f"Device: [{MANUFACTURER}] {MANUFACTURER} {MODEL} (Android {RELEASE})"
        self.tell("info", about)
        if self._options.cleanup:
            self._remove_jar()
        if self._options.lists:
            self._print_lists()
            return 0
        if self._options.power_on:
            self._system.device.wake(True)
        before = self._change_settings()
        try:
            return await self._connect_and_serve()
        finally:
            for (table, name), value in before.items():
                self._system.device.put_setting(table, name, value)

    async def _connect_and_serve(self) -> int:
        try:
            pipes = await self._connect()
        except SocketError as error:
            return self._fail("io.IOException", str(error))
        try:
            await self._serve(pipes)
        finally:
            for pipe in pipes.values():
                pipe.close()
            if self._options.power_off_on_close:
                self._system.device.wake(False)
        return 0

    def _change_settings(self) -> dict[tuple[str, str], str]:
        """Changes the settings the client asks for. Returns what to restore at the end."""
        options, device = self._options, self._system.device
        if options.show_touches:  # the screen of this phone has no such dots
            self.tell("error", 'Could not change "show_touches"')
        wanted: dict[tuple[str, str], str] = {}
        if options.stay_awake:
            wanted["global", "stay_on_while_plugged_in"] = str(PLUGGED_ANYWHERE)
        if options.screen_off_timeout >= 0:
            wanted["system", "screen_off_timeout"] = str(options.screen_off_timeout)
        before = {place: device.setting(*place) or "0" for place in wanted}
        for place, value in wanted.items():
            device.put_setting(*place, value)
        return before if options.cleanup else {}

    def _refusal(self) -> str | None:
        """Returns why this phone cannot make the wanted video, in the server's words."""
        options = self._options
        if options.video_source != "display":
            return "No matching camera found\nList of cameras:\n    (none)"
        if options.video_encoder not in ("", ENCODER):
            return f"Video encoder '{options.video_encoder}' for h264 not found\n{_encoder_list()}"
        if options.new_display is not None or options.flex_display:
            return (
                "Could not create display\njava.lang.SecurityException: Requires "
                "ADD_TRUSTED_DISPLAY permission to create a trusted virtual display."
            )
        if options.display_id != 0:
            return f"Display {options.display_id} not found\n{self._display_list()}"
        if options.is_filtered:
            return (
                "Capture/encoding error: com.genymobile.scrcpy.opengl.OpenGLException: "
                "Unable to get EGL14 display"
            )
        return None

    def _display_list(self) -> str:
        width, height = self._system.device.size
        return f"List of displays:\n    --display-id=0    ({width}x{height})"

    def _remove_jar(self) -> None:
        for place in self._process.env.get("CLASSPATH", "").split(":"):
            try:
                self._system.files.remove(place)
            except OSError:
                self.tell("error", f"Could not unlink server: {place}")

    def _print_lists(self) -> None:
        options, device = self._options, self._system.device
        if options.list_encoders:
            self.tell(
                "info",
                f"{_encoder_list()}\nList of audio encoders:",
            )
        if options.list_displays:
            self.tell("info", self._display_list())
        if options.list_cameras or options.list_camera_sizes:
            self.tell("info", "List of cameras:\n    (none)")
        if options.list_apps:
            long = " (parental controls), 电话" * ("long-names" in self._system.habits.names)
            apps = [(is_system(one), device.app_label(one) + long, one) for one in device.packages]
            lines = [
                f" {'*' if system else '-'} "
                + (f"{label:<30} {package}" if len(label) < 30 else f"{label}\n{'':34}{package}")
                for system, label, package in sorted(apps, key=lambda app: (not app[0], app[1]))
            ]
            self.tell("info", "List of apps:\n" + "\n".join(lines))

    # --- sockets -------------------------------------------------------------------------------
    async def _connect(self) -> dict[str, Pipe]:
        """The enabled sockets, in order; waits until all of them are there."""
        names = [name for name in ("video", "audio", "control") if getattr(self._options, name)]
        sockets = self._system.sockets
        pipes: dict[str, Pipe] = {}
        try:
            if not self._options.tunnel_forward:
                for name in names:
                    pipes[name] = await sockets.connect(self._options.socket)
                return pipes
            waiting: asyncio.Queue[Pipe] = asyncio.Queue()
            stop = sockets.listen(self._options.socket, waiting.put_nowait)
            try:
                for name in names:
                    pipe = pipes[name] = await waiting.get()
                    if len(pipes) == 1 and self._options.send_dummy_byte:
                        await pipe.write(b"\0")
            finally:
                stop()
                while not waiting.empty():
                    waiting.get_nowait().close()
        except BaseException:
            for pipe in pipes.values():
                pipe.close()
            raise
        return pipes

    async def _serve(self, pipes: dict[str, Pipe]) -> None:
        """Serves the sockets until the first that matters ends."""
        options = self._options
        if options.send_device_meta and pipes:
            await next(iter(pipes.values())).write(wire.device_meta(MODEL))
        refusal = self._refusal() if options.video else None
        if refusal is not None:
            self.tell("error", refusal)
            return
        jobs: list[Coroutine[Any, Any, None]] = []
        video = None
        if "video" in pipes:
            video = VideoStream(
                self._system, options, pipes["video"], lambda text: self.tell("debug", text)
            )
            jobs += [video.run(), _until_end(pipes["video"])]
        if "audio" in pipes:
            # This phone cannot capture audio; the client is told to go on without it.
            self.tell("warn", "Audio disabled: it is not supported by this phone")
            await pipes["audio"].write(wire.DISABLED)
        if "control" in pipes:
            if fault_value(self._system.faults, "refuse-control") is not None:
                pipes["control"].close()
            controller = Controller(
                self._system.device,
                options,
                pipes["control"],
                lambda text: self.tell("warn", text),
                video.reset if video is not None else lambda: None,
                self._refuse_input if "refuse-injection" in self._system.habits.names else None,
            )
            jobs += [controller.receive(), controller.send()]
        tasks = [asyncio.create_task(job) for job in jobs]
        try:
            if tasks:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                self._report(done)
        finally:
            for task in tasks:
                task.cancel()
            if tasks:
                await asyncio.wait(tasks)

    def _report(self, done: set[asyncio.Task[None]]) -> None:
        for task in done:
            error = task.exception()
            if isinstance(error, wire.BadControlMessage):
                self.tell("error", f"Controller error: {error}")
            elif error is not None and not isinstance(error, BrokenPipeError):
                raise error
            self.tell("debug", "A socket was closed, the server ends")


def _encoder_list() -> str:
    return f"List of video encoders:\n    --video-codec=h264 --video-encoder={ENCODER}    (sw)"


async def _until_end(pipe: Pipe) -> None:
    while await pipe.read():
        pass
