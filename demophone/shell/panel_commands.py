"""The touch panel as `getevent` shows it: one protocol-B device and two of keys.

Injected touches never reach the panel, so `getevent -l` stays silent while somebody uses the
mirror, as on a real phone.
"""

from __future__ import annotations

import asyncio

from demophone.shell.process import Handler, HandlerFailed, Process

PANEL = "/dev/input/event2"
DEVICES = (
    (1, "/dev/input/event2", "demo_ts"),
    (2, "/dev/input/event1", "gpio-keys"),
    (3, "/dev/input/event0", "qpnp_pon"),
)


def panel_size(width: int, height: int) -> tuple[int, int]:
    """The largest x and y of the panel: ten steps a pixel, in its natural orientation."""
    return width * 10 - 1, height * 10 - 1


def _capabilities(process: Process, path: str, labels: bool) -> list[str]:
    if path != PANEL:
        keys = "KEY_VOLUMEDOWN        KEY_VOLUMEUP" if path.endswith("1") else "KEY_POWER"
        codes = "0072  0073 " if path.endswith("1") else "0074 "
        return [f"    KEY (0001): {keys if labels else codes}", "  input props:", "    <none>"]
    across, down = panel_size(*process.system.device.natural_size)
    axes = (
        ("ABS_MT_SLOT", "002f", 9),
        ("ABS_MT_TOUCH_MAJOR", "0030", 255),
        ("ABS_MT_POSITION_X", "0035", across),
        ("ABS_MT_POSITION_Y", "0036", down),
        ("ABS_MT_TRACKING_ID", "0039", 65535),
        ("ABS_MT_PRESSURE", "003a", 255),
    )
    key = "BTN_TOOL_FINGER       BTN_TOUCH" if labels else "0145  014a "
    lines = [f"    KEY (0001): {key}"]
    for index, (name, code, most) in enumerate(axes):
        start = "    ABS (0003): " if index == 0 else " " * 16
        label = f"{name:<21}" if labels else code
        lines.append(f"{start}{label} : value 0, min 0, max {most}, fuzz 0, flat 0, resolution 0")
    prop = "INPUT_PROP_DIRECT" if labels else "0001"
    return [*lines, "  input props:", f"    {prop}"]


async def _getevent(process: Process) -> int:
    flags = "".join(word[1:] for word in process.args if word.startswith("-"))
    names = [word for word in process.args if word.startswith("/")]
    known = {path for _, path, _ in DEVICES}
    for name in names:
        if name not in known:
            raise HandlerFailed(f"could not open {name}, No such file or directory")
    for number, path, name in DEVICES:
        if names and path not in names:
            continue
        if "p" in flags or "i" in flags or not names:
            prefix = f"add device {number}: {path}"
            await process.say(f'{prefix}\n  name:     "{name}"')
        if "p" in flags or "i" in flags:
            await process.say("  events:")
            for line in _capabilities(process, path, "l" in flags):
                await process.say(line)
    if "p" in flags or "i" in flags:
        return 0
    await asyncio.Event().wait()
    return 0


async def _sendevent(process: Process) -> int:
    path = process.args[0] if process.args else ""
    raise HandlerFailed(f"sendevent: {path}: Permission denied")


COMMANDS: dict[str, Handler] = {"getevent": _getevent, "sendevent": _sendevent}
