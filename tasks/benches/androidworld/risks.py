"""What each of AndroidWorld's tasks touches on a phone, decided before anything is run.

The table `risks.tsv` holds measured facts: the classes of adb commands that each unmodified task
ran. The worker's own guard is the net below it.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from episodes.errors import KnownError

HARMLESS = frozenset({"", "write"})
_WORDS = {
    "DB": "an app's database is replaced",
    "WIPE": "every file of the shared storage is deleted",
    "rm": "files are deleted",
    "dl-rows": "the list of downloads is emptied",
    "contacts": "all contacts are deleted",
    "pm clear": "an app's data is cleared",
    "radio": "airplane mode and notifications are changed",
    "root": "private files of an app are read or written as root",
    "emu": "the emulator's console is used",
    "Wi-Fi off": "Wi-Fi is turned off first",
    "clipper": "an app for the clipboard is needed",
    "UI": "the set-up taps on the screen",
}


def touches(task: str) -> frozenset[str]:
    """Returns the classes of commands a task runs; of an unknown task, that it is unknown."""
    return _table().get(task, frozenset({"unknown"}))


def check_task(task: str, serial: str, *, disposable: bool) -> None:
    """Refuses a task that may destroy something on a person's phone.

    Raises:
        KnownError: with what it would do.
    """
    if disposable:
        return
    wrong = sorted(touches(task) - HARMLESS)
    if wrong:
        words = "; ".join(_WORDS.get(one, "nobody has measured what it does") for one in wrong)
        raise KnownError(
            f"set up “{task}” on {serial}",
            words,
            "Use an emulator or the demo phone, or name the serial as disposable.",
        )


@cache
def _table() -> dict[str, frozenset[str]]:
    lines = files(__package__).joinpath("risks.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines[1:])
    return {row[0]: frozenset(word.strip() for word in row[1].split(",")) for row in rows}
