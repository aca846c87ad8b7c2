"""The `input` command: taps, swipes, keys and text.

Source: services/core/java/com/android/server/input/InputShellCommand.java of AOSP.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from demophone.device import TouchAction
from demophone.keycodes import keycode, typeable
from demophone.shell.process import Handler, HandlerFailed, Process

SOURCES = (
    "keyboard",
    "dpad",
    "gamepad",
    "touchscreen",
    "mouse",
    "stylus",
    "trackball",
    "touchpad",
    "touchnavigation",
    "joystick",
    "rotaryencoder",
)
STEP_S = 0.008
LONG_PRESS_S = 0.5
MAX_DURATION_MS = 600_000
USAGE = """Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]

The sources are:
      touchnavigation
      touchscreen
      keyboard
      mouse

The commands and default sources are:
      text <string> (Default: keyboard)
      keyevent [--longpress|--doubletap|--async|--delay <ms>] <key code number or name> ...
      tap <x> <y> (Default: touchscreen)
      swipe <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
      draganddrop <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
      press (Default: trackball)
      roll <dx> <dy> (Default: trackball)
      motionevent <DOWN|UP|MOVE|CANCEL> <x> <y> (Default: touchscreen)
      keycombination [-t duration(ms)] <key code 1> <key code 2> ..."""


def _bad(command: str) -> HandlerFailed:
    return HandlerFailed(f"Error: Invalid arguments for command: {command}\n{USAGE}", 255)


def _numbers(command: str, words: list[str]) -> list[float]:
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        raise _bad(command) from None
    if not all(-1e6 < number < 1e6 for number in numbers):
        raise _bad(command)
    return numbers


def _touch(process: Process, action: TouchAction, x: float, y: float) -> None:
    pressure = 0.0 if action is TouchAction.UP else 1.0
    process.system.device.touch(action, 0, x, y, pressure, "shell")


async def _tap(process: Process, words: list[str]) -> None:
    if len(words) != 2:
        raise _bad("tap")
    x, y = _numbers("tap", words)
    _touch(process, TouchAction.DOWN, x, y)
    _touch(process, TouchAction.UP, x, y)


async def _swipe(process: Process, words: list[str]) -> None:
    await _stroke(process, "swipe", words, hold_s=0.0)


async def _drag(process: Process, words: list[str]) -> None:
    await _stroke(process, "draganddrop", words, hold_s=LONG_PRESS_S)


async def _stroke(process: Process, command: str, words: list[str], hold_s: float) -> None:
    if len(words) not in (4, 5):
        raise _bad(command)
    x1, y1, x2, y2, *rest = _numbers(command, words)
    duration = rest[0] / 1000 if rest and 0 <= rest[0] <= MAX_DURATION_MS else 0.3
    loop = asyncio.get_running_loop()
    _touch(process, TouchAction.DOWN, x1, y1)
    x, y = x1, y1
    try:
        if hold_s:
            await asyncio.sleep(hold_s)
        start = loop.time()
        while (passed := loop.time() - start) < duration:
            x = x1 + (x2 - x1) * passed / duration
            y = y1 + (y2 - y1) * passed / duration
            _touch(process, TouchAction.MOVE, x, y)
            await asyncio.sleep(STEP_S)
        x, y = x2, y2
        _touch(process, TouchAction.MOVE, x, y)
    finally:  # a finger never stays down, even when the command is killed
        _touch(process, TouchAction.UP, x, y)


async def _motion(process: Process, words: list[str]) -> None:
    names = {action.name: action for action in TouchAction}
    if len(words) != 3 or words[0].upper() not in names:
        raise _bad("motionevent")
    x, y = _numbers("motionevent", words[1:])
    _touch(process, names[words[0].upper()], x, y)


async def _text(process: Process, words: list[str]) -> None:
    if not words:
        raise _bad("text")
    text = " ".join(words).replace("%s", " ")
    if not all(typeable(char) for char in text):
        # What the key map cannot type ends the command with this, as on a phone.
        raise HandlerFailed(
            "Exception occurred while executing 'text':\n"
            "java.lang.NullPointerException: Attempt to get length of null array\n"
            "\tat com.android.server.input.InputShellCommand.sendText(InputShellCommand.java)",
            255,
        )
    process.system.device.text(text, "shell")


def _codes(command: str, words: list[str]) -> list[int]:
    codes = []
    for word in words:
        code = keycode(word)
        if code is None:
            raise HandlerFailed(f"Error: Unknown keycode: {word}\n{USAGE}", 255)
        codes.append(code)
    if not codes:
        raise _bad(command)
    return codes


async def _key(process: Process, words: list[str]) -> None:
    words = list(words)
    longpress = twice = False
    delay = 0.0
    while words and words[0].startswith("--"):
        flag = words.pop(0)
        longpress = longpress or flag == "--longpress"
        twice = twice or flag == "--doubletap"
        if flag == "--delay":
            delay = _numbers("keyevent", words[:1] or ["?"])[0] / 1000
            words = words[1:]
    device = process.system.device
    for code in _codes("keyevent", words):
        for _ in range(2 if twice else 1):
            device.key(code, True, 0, "shell")
            if longpress:
                await asyncio.sleep(LONG_PRESS_S)
            device.key(code, False, 0, "shell")
        if delay > 0:
            await asyncio.sleep(min(delay, 10))


async def _combination(process: Process, words: list[str]) -> None:
    words = list(words)
    hold = 0.0
    if words[:1] == ["-t"]:
        hold = _numbers("keycombination", words[1:2] or ["?"])[0] / 1000
        words = words[2:]
    codes = _codes("keycombination", words)
    if len(codes) < 2:
        raise _bad("keycombination")
    meta = sum(_META.get(code, 0) for code in codes)
    for code in codes:
        process.system.device.key(code, True, meta, "shell")
    if hold > 0:
        await asyncio.sleep(min(hold, 10))
    for code in reversed(codes):
        process.system.device.key(code, False, meta, "shell")


# Left and right shift, alt, control, meta: their key codes and META_* bits.
_META = {59: 0x41, 60: 0x81, 57: 0x12, 58: 0x22, 113: 0x3000, 114: 0x5000, 117: 0x30000}

_VERBS: dict[str, Callable[[Process, list[str]], Awaitable[None]]] = {
    "draganddrop": _drag,
    "keycombination": _combination,
    "keyevent": _key,
    "motionevent": _motion,
    "swipe": _swipe,
    "tap": _tap,
    "text": _text,
}


async def _input(process: Process) -> int:
    words = list(process.args)
    if words and words[0] in SOURCES:
        words.pop(0)
    if words[:1] == ["-d"]:
        words = words[2:]
    verb = _VERBS.get(words[0]) if words else None
    if verb is None:
        known = f"Error: Unknown command: {words[0]}\n" if words else ""
        raise HandlerFailed(known + USAGE, 255)
    await verb(process, words[1:])
    return 0


COMMANDS: dict[str, Handler] = {"input": _input}
