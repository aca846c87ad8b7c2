"""Small episodes to fill libraries with."""

import uuid

from episodes import actions as a
from episodes.clocks import Moment
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Point, Size
from episodes.recordings import Packet, Segment
from episodes.screens import (
    Basis,
    Foreground,
    Frame,
    StepTree,
    Still,
    StillSource,
    TreeFit,
    TreeRecord,
    TreeStatus,
)
from episodes.steps import Step, StepTexts

SIZE = Size(1080, 2400)


def still(sha256):
    return Still(sha256, "image/png", SIZE, 1234, StillSource.STREAM, True)


def tap(index, x=540.5, y=820.25, picture=None, tree=b"<hierarchy/>", front="com.android.contacts"):
    """A step as the recorder makes it."""
    path = (
        a.Contact(a.Phase.DOWN, Point(x, y), 0),
        a.Contact(a.Phase.UP, Point(x + 1, y), 81_000, pressure=0.0),
    )
    began, ended = 1_000_000 * (index + 1), 1_000_000 * (index + 1) + 81_000
    return Step(
        index=index,
        action=a.Tap(Point(x, y), Point(x + 1, y), path),
        frame=Frame(SIZE, Basis.PAINTED, picture, pts_us=began - 5, segment=0, packet=index),
        source="mirror",
        began=Moment(began, began * 1000, 900),
        ended=Moment(ended, ended * 1000, 900),
        tree=StepTree(
            TreeRecord("uiautomator", tree, "uiautomator dump", TreeStatus.OK), TreeFit.FRESH
        ),
        foreground=Foreground(front, ".Main", "Contacts"),
        texts=StepTexts("Tap the name."),
    )


def recorded(name="e-0001", steps=(), state=EpisodeState.RECORDING, **fields):
    return Episode(
        uuid=str(uuid.uuid4()),
        name=name,
        origin=Origin("recorded"),
        task=Task("Call Ada Lovelace"),
        state=state,
        steps=tuple(steps),
        started_utc="2026-01-02T03:04:05+00:00",
        **fields,
    )


def imported(name, instruction="Open the mail", dataset="guiodyssey", version="2", **fields):
    defaults = {
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{dataset}/{version}/{name}")),
        "state": EpisodeState.FINISHED,
        "steps": (Step(0, a.OpenApp("Mail")), Step(1, a.Finish(a.Ending.COMPLETE))),
    }
    task = Task(
        instruction,
        category=fields.pop("category", ""),
        apps=fields.pop("apps", ()),
    )
    return Episode(name=name, origin=Origin(dataset, version), task=task, **(defaults | fields))


def segment(number=0, config=b"\0\0\0\1config"):
    return Segment(
        number=number,
        file=f"segment-{number:03d}.h264",
        codec="h264",
        size=SIZE,
        config=config,
        rotation=0,
        display=0,
        server="3.3.4",
        started=Moment(1_000_000, 5_000_000_000),
    )


def packets(first, count, length=100):
    return [
        Packet(number, number * 33_333, number % 10 == 0, 10 + number * length, length, number)
        for number in range(first, first + count)
    ]
