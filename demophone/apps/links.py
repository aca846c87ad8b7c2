"""Telephone numbers and dates in a text, and where links lead.

A link is an address: `tel:`, `sms:` and `contact:` with a number, `event:` with a day or a time
(ISO), `plant:` and `article:` with a name. Whichever app knows it opens it.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass

from demophone.apps.app import Activity

_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_PHONE = re.compile(r"(?<![\d#])\+?\d{3}[ -]\d{4}(?!\d)")
_DATE = re.compile(
    rf"(?:(?:{'|'.join(_DAYS)}),? )?\b(\d{{1,2}}) ({'|'.join(_MONTHS)})\b"
    r"(?:(?:,| at|,? from) (\d{1,2}:\d{2}))?"
)
_WEEKDAY = re.compile(rf"\b({'|'.join(_DAYS)}) (?:at )?(noon|\d{{1,2}}:\d{{2}})\b")


@dataclass(frozen=True, slots=True)
class Link:
    """A part of a text that leads somewhere: its first character, the one after its last."""

    start: int
    end: int
    uri: str


def found(text: str, written: datetime.datetime) -> list[Link]:
    """Numbers and dates of a text that was written then, in their order; none overlap."""
    links = [Link(m.start(), m.end(), f"tel:{m.group()}") for m in _PHONE.finditer(text)]
    for match in _DATE.finditer(text):
        day = _day(int(match[1]), _MONTHS.index(match[2]) + 1, written.date())
        if day is not None:
            uri = f"event:{day.isoformat()}" + (f"T{_clock(match[3])}" if match[3] else "")
            links.append(Link(match.start(), match.end(), uri))
    for match in _WEEKDAY.finditer(text):
        ahead = (_DAYS.index(match[1]) - written.weekday()) % 7
        day = written.date() + datetime.timedelta(days=ahead)
        uri = f"event:{day.isoformat()}T{_clock(match[2])}"
        links.append(Link(match.start(), match.end(), uri))
    kept: list[Link] = []
    for link in sorted(links, key=lambda one: (one.start, -one.end)):
        if not kept or link.start >= kept[-1].end:
            kept.append(link)
    return kept


def first_date(text: str, written: datetime.datetime) -> str:
    """Returns a link to the first date in a text; without a time, the hour of the message."""
    dates = [link.uri for link in found(text, written) if link.uri.startswith("event:")]
    return dates[0] if dates else f"event:{written:%Y-%m-%d}"


def follow(activity: Activity, uri: str) -> bool:
    """Opens what a link leads to. Returns whether an app knows it."""
    for app in activity.host.apps:
        target = app.opening(uri)
        if target is not None:
            activity.host.open(target)
            return True
    return False


def _clock(words: str) -> str:
    if words == "noon":
        return "12:00"
    hour, _, minute = words.partition(":")
    return f"{min(23, int(hour)):02d}:{min(59, int(minute)):02d}"


def _day(day: int, month: int, today: datetime.date) -> datetime.date | None:
    """The day in this year, in the next one when it has long gone; None: there is no such day."""
    for year in (today.year, today.year + 1):
        try:
            made = datetime.date(year, month, day)
        except ValueError:
            continue
        if (today - made).days < 60:
            return made
    return None
