"""Commands about settings: settings, ime, device_config; and the provider of settings."""

from __future__ import annotations

import re

from demophone.shell.process import Handler, HandlerFailed, Process

NAMESPACES = ("system", "secure", "global")
IME = "com.android.inputmethod.latin/.LatinIME"
# What every phone answers, where the phone itself has no say.
DEFAULTS = {
    ("system", "screen_brightness"): "128",
    ("system", "screen_brightness_mode"): "0",
    ("system", "screen_off_timeout"): "60000",
    ("system", "accelerometer_rotation"): "0",
    ("system", "font_scale"): "1.0",
    ("global", "airplane_mode_on"): "0",
    ("global", "adb_enabled"): "1",
    ("global", "bluetooth_on"): "0",
    ("global", "wifi_on"): "1",
    ("global", "window_animation_scale"): "1.0",
    ("global", "transition_animation_scale"): "1.0",
    ("global", "animator_duration_scale"): "1.0",
    ("global", "development_settings_enabled"): "1",
    ("secure", "default_input_method"): IME,
    ("secure", "enabled_input_methods"): IME,
    ("secure", "android_id"): "d3m0d3m0d3m0d3m0",
    ("secure", "ui_night_mode"): "1",
}


def setting(process: Process, namespace: str, key: str) -> str | None:
    """A setting: the phone's own value, or what every phone has."""
    value = process.system.device.setting(namespace, key)
    return value if value is not None else DEFAULTS.get((namespace, key))


async def _settings(process: Process) -> int:
    words = list(process.args)
    if "--user" in words:
        at = words.index("--user")
        del words[at : at + 2]
    device = process.system.device
    match words:
        case ["get", namespace, key] if namespace in NAMESPACES:
            await process.say(setting(process, namespace, key) or "null")
        case ["put", namespace, key, value, *_] if namespace in NAMESPACES:
            device.put_setting(namespace, key, value)
        case ["delete", namespace, key] if namespace in NAMESPACES:
            existed = device.setting(namespace, key) is not None
            device.put_setting(namespace, key, DEFAULTS.get((namespace, key), ""))
            await process.say(f"Deleted {int(existed)} rows")
        case ["list", namespace] if namespace in NAMESPACES:
            for (place, key), value in sorted(DEFAULTS.items()):
                if place == namespace:
                    await process.say(f"{key}={setting(process, namespace, key) or value}")
        case _:
            raise HandlerFailed(
                "Settings provider (settings) commands:\n"
                "  get|put|delete|list [--user USER] NAMESPACE [KEY [VALUE]]\n"
                "  NAMESPACE is one of {system, secure, global}",
                255,
            )
    return 0


async def _ime(process: Process) -> int:
    match [word for word in process.args if word not in ("-a", "-s")]:
        case ["list"]:
            if "-s" in process.args:
                await process.say(IME)
            else:
                await process.say(f"{IME}:\n  mId={IME} mSettingsActivityName=null mIsVrOnly=false")
        case ["enable", name]:
            if name != IME:
                raise HandlerFailed(f"Unknown input method {name} cannot be enabled for user #0", 0)
            await process.say(f"Input method {name}: already enabled for user #0")
        case ["set", name]:
            if name != IME:
                raise HandlerFailed(f"Unknown input method {name} cannot be selected", 0)
            await process.say(f"Input method {name} selected for user #0")
        case ["reset"]:
            await process.say(
                f"Reset current and enabled IMEs for user #0\n  Newly selected: {IME}"
            )
        case _:
            raise HandlerFailed("ime <command>: list [-a] [-s], enable, set, reset", 255)
    return 0


async def query_settings(process: Process, verb: str, uri: str) -> int:
    """`content query` and `content insert` of settings."""
    found = re.fullmatch(r"content://settings/(system|secure|global)(?:/(\w+))?", uri)
    if verb == "insert" and found is not None:
        bound = dict(
            word.partition(":")[::2]
            for word in process.args
            if word.startswith(("name:", "value:"))
        )
        values = {name: told.partition(":")[2] for name, told in bound.items()}
        process.system.device.put_setting(found[1], values.get("name", ""), values.get("value", ""))
        return 0
    if verb != "query" or found is None:
        raise HandlerFailed(f"[ERROR] Could not find provider: {uri[10:].partition('/')[0]}", 1)
    keys = [found[2]] if found[2] else [key for place, key in DEFAULTS if place == found[1]]
    rows = [(key, setting(process, found[1], key)) for key in keys]
    shown = [(key, value) for key, value in rows if value is not None]
    for number, (key, value) in enumerate(shown):
        await process.say(f"Row: {number} _id={number + 1}, name={key}, value={value}")
    if not shown:
        await process.say("No result found.")
    return 0


async def _device_config(process: Process) -> int:
    if process.args[:1] == ["get"]:
        await process.say("null")
    return 0


COMMANDS: dict[str, Handler] = {
    "device_config": _device_config,
    "ime": _ime,
    "settings": _settings,
}
