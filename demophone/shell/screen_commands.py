"""Commands about the screen: screencap, wm, uiautomator, screenrecord."""

from __future__ import annotations

import asyncio
import posixpath
import re

import cv2
import numpy as np

from demophone.device import DrawnScreen
from demophone.faults import fault_value
from demophone.filesystem import reason
from demophone.shell.process import Handler, HandlerFailed, Process
from demophone.system import UiAutomationTaken

IDLE_S = 1.0
FAST_IDLE_S = 0.1
IDLE_TIMEOUT_S = 10.0
POLL_S = 0.02


def png(picture: DrawnScreen) -> bytes:
    """The picture as a PNG file."""
    ok, data = cv2.imencode(".png", picture.pixels[:, :, :3], [cv2.IMWRITE_PNG_COMPRESSION, 1])
    if not ok:
        raise AssertionError("OpenCV could not write a PNG")
    return bytes(np.asarray(data).tobytes())


async def _screencap(process: Process) -> int:
    words = [word for word in process.args if not word.startswith("-")]
    if "-d" in process.args:
        words = words[1:]
    picture = process.system.device.picture()
    as_png = "-p" in process.args or bool(words and words[0].endswith(".png"))
    if as_png:
        data = await asyncio.to_thread(png, picture)
    else:
        height, width = picture.pixels.shape[:2]
        header = b"".join(value.to_bytes(4, "little") for value in (width, height, 1, 1))
        data = header + picture.pixels[:, :, [2, 1, 0, 3]].tobytes()
    if not words:
        await process.stdout.write(data)
        return 0
    try:
        process.system.files.write(words[0], data, process.cwd)
    except OSError as error:
        raise HandlerFailed(f"Error opening file: {words[0]} ({reason(error)})") from error
    return 0


async def _wm(process: Process) -> int:
    device, built_size = process.system.device, process.system.built_size
    match process.args:
        case ["size"]:
            built, now = ("x".join(map(str, size)) for size in (built_size, device.natural_size))
            await process.say(f"Physical size: {built}")
            if now != built:
                await process.say(f"Override size: {now}")
        case ["density"]:
            await process.say(f"Physical density: {device.density}")
        case ["size", "reset"]:
            device.resize(built_size)
        case ["density", "reset"]:
            return 0
        case ["size", size] if "resizable" in process.system.habits.names:
            found = re.fullmatch(r"([1-9]\d{2,3})x([1-9]\d{2,3})", size)
            if found is None or int(found[1]) % 2 or int(found[2]) % 2:
                raise HandlerFailed(f"Error: bad size {size}", 255)
            device.resize((int(found[1]), int(found[2])))
        case ["size" | "density" as what, _]:
            raise HandlerFailed(f"Error: the {what} of this phone is fixed", 255)
        case ["user-rotation"]:
            locked = device.setting("system", "accelerometer_rotation") == "0"
            await process.say(f"lock {device.rotation}" if locked else "free")
        case ["user-rotation", "lock", turn] if turn in ("0", "1", "2", "3"):
            device.put_setting("system", "accelerometer_rotation", "0")
            device.set_rotation(int(turn))
        case ["user-rotation", "free"]:
            device.put_setting("system", "accelerometer_rotation", "1")
        case _:
            raise HandlerFailed("Window manager (window) commands: size density user-rotation", 255)
    return 0


async def _uiautomator(process: Process) -> int:
    try:
        with process.system.ui_automation():
            return await _dump(process)
    except UiAutomationTaken as error:
        raise HandlerFailed(f"{error}\nKilled ", 137) from error


async def _dump(process: Process) -> int:
    if process.args[:1] != ["dump"]:
        await process.say("Usage: uiautomator <subcommand> [options]\n\nAvailable subcommands:\n")
        await process.say("dump: creates an XML dump of current UI hierarchy\n")
        return 1
    flags = [word for word in process.args[1:] if word.startswith("--")]
    paths = [word for word in process.args[1:] if not word.startswith("--")]
    path = paths[0] if paths else "/sdcard/window_dump.xml"
    system = process.system
    device = system.device
    fault = fault_value(system.faults, "dump-fails", "idle")
    slow = fault_value(system.faults, "dump-slow", "8000")
    latency = system.habits.latency.get("dump-latency")
    if latency is not None:
        await asyncio.sleep(latency.seconds(device.random("dump latency")))
        if latency.fails(device.random("dump failure")):
            raise HandlerFailed("ERROR: null root node returned by UiTestAutomationBridge.", 0)
    elif slow is not None:
        await asyncio.sleep(int(slow) / 1000)
    elif not system.deterministic:
        await asyncio.sleep(0.3 + 2.7 * device.random("uiautomator dump"))
    if "vendor-noise" in system.habits.names:
        await process.say(VENDOR_NOISE)
    if fault == "killed":
        raise HandlerFailed("Killed ", 137)
    if fault == "root":
        raise HandlerFailed("ERROR: null root node returned by UiTestAutomationBridge.", 0)
    if fault == "idle" or not await _becomes_idle(process):
        raise HandlerFailed("ERROR: could not get idle state.", 0)
    xml = device.hierarchy("--compressed" in flags).encode()
    if path == "/dev/tty":
        await process.stdout.write(xml)
    else:
        try:
            system.files.writable(posixpath.dirname(path), process.cwd).mkdir(
                parents=True, exist_ok=True
            )
            system.files.write(path, xml, process.cwd)
        except OSError as error:
            text = f"ERROR: could not write {path}: {reason(error)}"
            raise HandlerFailed(text, 0) from error
    await process.say(f"UI hierchary dumped to: {path}")
    return 0


VENDOR_NOISE = (
    "java.io.FileNotFoundException: /data/system/theme_config/theme_compatibility.xml: "
    "open failed: ENOENT (No such file or directory)\n"
    "\tat vendor.content.res.ThemeCompatibility.<clinit>(ThemeCompatibility.java:31)"
)


async def _becomes_idle(process: Process) -> bool:
    wanted = FAST_IDLE_S if process.system.deterministic else IDLE_S
    loop = asyncio.get_running_loop()
    deadline = loop.time() + IDLE_TIMEOUT_S
    while process.system.device.idle_for_us() < wanted * 1e6:
        if loop.time() > deadline:
            return False
        await asyncio.sleep(POLL_S)
    return True


async def _screenrecord(process: Process) -> int:
    if any(re.fullmatch(r"--(help|version)", word) for word in process.args):
        await process.say("Usage: screenrecord [options] <filename>")
        return 0
    raise HandlerFailed("ERROR: this phone has no encoder for screenrecord, mirror it with scrcpy")


COMMANDS: dict[str, Handler] = {
    "screencap": _screencap,
    "screenrecord": _screenrecord,
    "uiautomator": _uiautomator,
    "wm": _wm,
}
