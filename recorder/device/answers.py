"""Parses what phones print: pure functions from text to values.

Each function takes the text of one command in the forms that Android versions and makers print,
and returns None (or an empty value) if the text does not hold the value. A number that no phone can
mean, such as one of thousands of digits, counts as not said. Nothing here talks to a phone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from episodes.geometry import Size
from episodes.screens import Foreground

_COMPONENT = re.compile(r"(?P<package>[A-Za-z][\w.]*)/(?P<activity>[\w.$]+)")
_PACKAGE = r"(?:[A-Za-z]\w*(?:\.\w+)+|android)"
_FLAG_SECURE = 0x2000
_MAX_SIDE = 32_768
_WINDOW_LINE = re.compile(
    r"\bDisplay: mDisplayId=(?P<display>\d{1,9})\b"
    r"|^\s*Window #\d+ Window\{(?P<window>\w+)"
    r"|^\s*mDisplayId=(?P<owner>\d{1,9})\b"
    r"|\bmCurrentFocus=(?P<focus>.*)"
    r"|\bmFocusedApp=(?P<app>.*)"
)


@dataclass(slots=True)
class _Focus:
    """What has the focus on one display; `display` is None if the text does not say which."""

    display: int | None
    window: str = ""
    app: str = ""


def foreground(text: str, display: int = 0) -> Foreground | None:
    """Parses `dumpsys window`: the app with the focus, or the app behind a shade or popup.

    Each display has a focused window. One that is known to be on another display does not count;
    of several unknown ones the last with a window does, as the main display is printed last.
    """
    found = _focuses(text)
    ours = [one for one in found if one.display == display]
    unknown = [one for one in found if one.display is None]
    shown = [one for one in unknown if not one.window.startswith("null")]
    for focus in reversed(ours or shown or unknown):
        component = _COMPONENT.search(focus.window) or _COMPONENT.search(focus.app)
        if component:
            package, activity = component["package"], component["activity"]
            return Foreground(package, package + activity if activity[0] == "." else activity)
    return None


def _focuses(text: str) -> list[_Focus]:
    """Returns each focus in the text; the list of windows says which display a window is on."""
    found: list[_Focus] = []
    displays: dict[str, int] = {}
    section: int | None = None
    window = ""
    for line in text.splitlines():
        match = _WINDOW_LINE.search(line)
        if match is None:
            continue
        if match["display"]:
            section, window = int(match["display"]), ""
        elif match["window"]:
            section, window = None, match["window"]
        elif match["owner"]:
            displays.setdefault(window, int(match["owner"]))
        elif match["focus"] is not None:
            window = ""
            found.append(_Focus(section, match["focus"]))
        elif found and not found[-1].app:
            found[-1].app = match["app"]
        else:
            found.append(_Focus(section, app=match["app"]))
    for focus in found:
        token = re.match(r"Window\{(\w+)", focus.window)
        if focus.display is None and token:
            focus.display = displays.get(token[1])
    return found


def protected(text: str, display: int = 0) -> bool:
    """Reads out of `dumpsys window` whether a window that shows forbids pictures (FLAG_SECURE).

    Flags are words since Android 9, and a number before. A window that does not say whether it
    shows counts if it has the focus.
    """
    focused = tuple(re.findall(r"\bmCurrentFocus=Window\{(\w+ )", text))
    for window in re.split(r"^ *Window #\d+ Window\{", text, flags=re.M)[1:]:
        flags = re.search(r"\bfl=(?:#(?P<number>[0-9a-fA-F]{1,16})\b|(?P<words>[^\n]*))", window)
        owner = re.search(r"^\s*mDisplayId=(\d{1,9})\b", window, re.M)
        if flags is None or (owner is not None and int(owner[1]) != display):
            continue
        number = int(flags["number"] or "0", 16)
        if not number & _FLAG_SECURE and "SECURE" not in (flags["words"] or "").split():
            continue
        shows = re.search(r"\bisVisible=(true|false)", window)
        if shows[1] == "true" if shows else window.startswith(focused):
            return True
    return False


def rotation(text: str) -> int | None:
    """Reads quarter turns out of `dumpsys input`, `dumpsys display` or `dumpsys window`."""
    for pattern in (
        r"\bSurfaceOrientation: ([0-3])\b",
        r"\bmCurrentOrientation=([0-3])\b",
        r"DisplayViewport\{type=INTERNAL,[^}]*?\borientation=([0-3])\b",
        r"\bViewport INTERNAL:[^\n]*?\borientation=([0-3])\b",
        r"\bmRotation=(?:ROTATION_)?(0|90|180|270|[1-3])\b",
        r"\borientation=([0-3])\b",
    ):
        found = re.search(pattern, text)
        if found:
            turns = int(found[1])
            return turns // 90 if turns > 3 else turns
    return None


def screen_size(text: str) -> Size | None:
    """Reads `wm size`; an override counts."""
    sizes = dict(re.findall(r"(Physical|Override) size: ([0-9]{1,5}x[0-9]{1,5})\b", text))
    chosen = sizes.get("Override") or sizes.get("Physical")
    if chosen is None:
        return None
    width, height = (int(part) for part in chosen.split("x"))
    return Size(width, height) if 0 < width <= _MAX_SIDE and 0 < height <= _MAX_SIDE else None


def density(text: str) -> int | None:
    """Reads `wm density`; an override counts."""
    found = dict(re.findall(r"(Physical|Override) density: ([0-9]{1,4})\b", text))
    chosen = found.get("Override") or found.get("Physical")
    return int(chosen) if chosen else None


def sdk(text: str) -> int | None:
    """Parses `ro.build.version.sdk`, e.g. "34"."""
    return int(text) if re.fullmatch(r"[0-9]{1,4}", text.strip()) else None


def properties(text: str) -> dict[str, str]:
    """Reads `getprop` without arguments: name -> value, also values of several lines."""
    return dict(re.findall(r"^\[([^\]\n]+)\]: \[(.*?)\]\s*$", text, re.M | re.S))


def scale(text: str) -> float | None:
    """Reads one animation scale of `settings get global ...`; unset is Android's 1.0."""
    told = text.strip()
    if told in ("", "null"):
        return 1.0
    try:
        value = float(told)
    except ValueError:
        return None
    return value if 0 <= value <= 100 else None


def setting(text: str) -> str:
    """Reads `settings get`: one line, "" where it is not set."""
    told = text.strip()
    return "" if told == "null" or "\n" in told else told


def version_name(text: str) -> str:
    """Reads an app's version out of `dumpsys package`; "" for none."""
    found = re.search(r"\bversionName=(\S+)", text)
    return found[1] if found else ""


def is_package(name: str) -> bool:
    """Returns whether a name has the form of a package, e.g. "org.example.mail"."""
    return re.fullmatch(_PACKAGE, name) is not None


def scrcpy_sessions(text: str) -> frozenset[str]:
    """Parses `ps -o ARGS`: the session ids of scrcpy servers; "" for one without an id."""
    lines = [line for line in text.splitlines() if "com.genymobile.scrcpy.Server" in line]
    running = [line for line in lines if "app_process" in line and "list_apps=" not in line]
    found = (re.search(r"\bscid=([0-9a-f]{1,8})\b", line) for line in running)
    return frozenset("" if one is None else one[1] for one in found)


def app_names(text: str) -> dict[str, str]:
    """Parses the scrcpy server's list of apps: package -> name in the phone's language.

    An entry is "- NAME    PACKAGE"; the package of a long name is on a line of its own.
    """
    names: dict[str, str] = {}
    long_name = ""
    for line in text.splitlines():
        entry = re.match(r"\s*(?:\[server\] INFO:)?\s*[-*] (?P<rest>.*\S)\s*$", line)
        alone = re.fullmatch(rf"\s+({_PACKAGE})\s*", line)
        if alone and long_name:
            names[alone[1]] = long_name
            long_name = ""
        elif entry:
            short = re.fullmatch(rf"\s*(\S.*?)\s+({_PACKAGE})", entry["rest"])
            long_name = "" if short else entry["rest"].strip()
            if short:
                names[short[2]] = short[1]
        else:
            long_name = ""
    return names


def uptime_us(text: str) -> int | None:
    """Reads `/proc/uptime` in microseconds, cut to hundredths; time asleep counts in it."""
    found = re.match(r"\s*(\d{1,10})\.(\d{2})\b", text, re.ASCII)
    return int(found[1]) * 1_000_000 + int(found[2]) * 10_000 if found else None


def asleep_us(text: str) -> int | None:
    """Reads how long the phone has slept out of `dumpsys alarm`: elapsed minus uptime."""
    told = dict(re.findall(r"Runtime uptime \((elapsed|uptime)\): \+?(\S+)", text))
    if told.keys() != {"elapsed", "uptime"}:
        return None
    spans = [_span_ms(told[name]) for name in ("elapsed", "uptime")]
    if spans[0] is None or spans[1] is None:
        return None
    return max(0, spans[0] - spans[1]) * 1000


def locked(text: str) -> bool | None:
    """Parses whether the lock screen shows out of `dumpsys window`.

    Returns None if the phone does not say, or says different things for several displays. Android
    8 to 10 print `showing=` or `mIsShowing=`, later ones a name with "Keyguard".
    """
    names = ("isKeyguardShowing", "mKeyguardShowing", "mShowingLockscreen", "mIsShowing", "showing")
    for name in names:
        found = set(re.findall(rf"(?:^|\s){name}=(true|false)\b", text))
        if found:
            return None if len(found) > 1 else "true" in found
    return None


def _span_ms(text: str) -> int | None:
    """Reads Android's spans, e.g. "2d3h4m5s678ms"."""
    units = "".join(rf"(?:(\d{{1,7}}){unit})?" for unit in ("d", "h", "m", "s", "ms"))
    found = re.fullmatch(units, text, re.ASCII)
    if found is None or not text:
        return None
    days, hours, minutes, seconds, rest = (int(part or 0) for part in found.groups())
    return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + rest
