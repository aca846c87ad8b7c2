"""What can go wrong on purpose: the names `--faults` takes and what each of them does.

A fault is `name` or `name=value`. Who runs into one asks `fault_value`.
"""

from __future__ import annotations

from collections.abc import Iterable

FAULTS: dict[str, str] = {
    "unauthorized": "adb asks for a key that nobody ever allows, so adb shows 'unauthorized'.",
    "offline": "the phone takes the connection and never answers, so adb shows 'offline'.",
    "locked": "the phone says that its lock screen is in front.",
    "screen-off": "the phone's screen is off until somebody turns it on.",
    "drop-after": "=N: the adb connection is cut after N packets from the computer.",
    "slow": "=MS: every packet to the computer waits MS milliseconds first (30 without a value).",
    "no-scrcpy": "the scrcpy server cannot be started on this phone.",
    "version-mismatch": "the scrcpy server is of another version than any client asks for.",
    "refuse-control": "the scrcpy server drops its control socket right after the start.",
    "stall-video": "=N: after N video packets (30 without a value) no more come; sockets stay.",
    "dump-fails": "=idle|root|killed: `uiautomator dump` fails as a busy, an empty or a starved"
    " phone does.",
    "dump-slow": "=MS: `uiautomator dump` takes MS milliseconds (8000 without a value).",
}


def fault_value(faults: Iterable[str], name: str, default: str = "") -> str | None:
    """The value `name` was given in `faults`: `default` without one, None if it is not set."""
    for fault in faults:
        found, _, value = fault.partition("=")
        if found == name:
            return value or default
    return None


def parse_faults(text: str) -> frozenset[str]:
    """The faults of a comma separated list.

    Raises:
        ValueError: a name that is not in `FAULTS`, or a number that is none.
    """
    faults = frozenset(part.strip() for part in text.split(",") if part.strip())
    for fault in faults:
        name, _, value = fault.partition("=")
        if name not in FAULTS:
            raise ValueError(f"there is no fault '{name}'; there are {', '.join(FAULTS)}")
        about = FAULTS[name]
        if name == "drop-after" and not value:
            raise ValueError("the fault 'drop-after' needs a number of packets, as drop-after=20")
        if value and about.startswith(("=N:", "=MS:")) and not value.isdecimal():
            raise ValueError(f"the fault '{name}' takes a whole number, not '{value}'")
        if name == "dump-fails" and value not in ("", "idle", "root", "killed"):
            raise ValueError(f"the fault 'dump-fails' takes idle, root or killed, not '{value}'")
    return faults
