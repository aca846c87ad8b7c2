"""An episode as it was recorded, with a tree for each press: some clear, some not.

Drawn like the other story; the trees tell what the pictures show.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from episodes import actions as a
from episodes.clocks import Moment
from episodes.episodes import Episode
from episodes.geometry import Point
from episodes.screens import Basis, Foreground, Frame, StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.steps import Step
from episodes.store.library import Library
from episodes.store.stills import StillFiles
from tests.gui import story
from tests.gui.built_once import built_once

UUID = "0c8d3c1e-1111-4111-8111-000000000420"
NAME = "e-0420"
SIZE = story.SIZE


def node(kind: str, box: tuple[int, int, int, int], inside: str = "", **told: object) -> str:
    """Returns one element of a tree as uiautomator writes it."""
    left, top, right, bottom = box
    words = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in told.items())
    return (
        f'<node class="android.widget.{kind}" bounds="[{left},{top}][{right},{bottom}]"{words}>'
        f"{inside}</node>"
    )


def tree(inside: str) -> bytes:
    """Returns a whole tree with a screen round it."""
    screen = node("FrameLayout", (0, 0, SIZE.width, SIZE.height), inside)
    return f'<?xml version="1.0"?><hierarchy rotation="0">{screen}</hierarchy>'.encode()


def contacts_tree() -> bytes:
    rows = "".join(
        node(
            "LinearLayout",
            (0, 200 + row * 110, 540, 300 + row * 110),
            node("ImageView", (40, 220 + row * 110, 104, 284 + row * 110))
            + node("TextView", (132, 230 + row * 110, 400, 276 + row * 110), text=name),
            clickable="true",
        )
        for row, name in enumerate(story.NAMES)
    )
    button = node(
        "Button",
        (300, 1030, 510, 1110),
        node("TextView", (320, 1050, 490, 1090), text="New contact"),
        clickable="true",
        resource_id="com.example.contacts:id/new",
    )
    title = node("TextView", (40, 80, 220, 120), text="Contacts")
    return tree(title + node("RecyclerView", (0, 180, 540, 1000), rows) + button)


def form_tree() -> bytes:
    fields = "".join(
        node("EditText", (90, 260 + row * 130, 500, 356 + row * 130), hint=name, clickable="true")
        for row, name in enumerate(("First name", "Last name", "Phone"))
    )
    save = node("Button", (400, 70, 510, 130), text="Save", clickable="true")
    return tree(node("TextView", (40, 80, 300, 120), text="New contact") + fields + save)


def reader_tree() -> bytes:
    card = node(
        "LinearLayout",
        (30, 180, 510, 460),
        node("TextView", (40, 190, 300, 230), text="The dredger"),
        clickable="true",
    )
    page = '<node class="android.webkit.WebView" bounds="[0,480][540,1160]"></node>'
    return tree(node("TextView", (40, 80, 300, 120), text="Reader") + card + page)


def steps(files: StillFiles) -> tuple[Step, ...]:
    """Nine steps: high, high, text, medium, low, low, and three without a target."""
    list_, page = story.still(files, story.contacts()), story.still(files, story.reader())
    empty, first = story.still(files, story.form()), story.still(files, story.form("Mara"))
    told = (
        (a.OpenApp("Contacts"), page, None, TreeFit.MISSING),
        (a.Tap(Point(405, 1070)), list_, contacts_tree(), TreeFit.FRESH),
        (a.Tap(Point(300, 308)), empty, form_tree(), TreeFit.FRESH),
        (a.TypeText("Mara"), empty, form_tree(), TreeFit.FRESH),
        (a.Tap(Point(455, 100)), first, form_tree(), TreeFit.IMPORTED),
        (a.Tap(Point(250, 700)), page, reader_tree(), TreeFit.FRESH),
        (a.Tap(Point(72, 252)), list_, contacts_tree(), TreeFit.STALE),
        (a.Swipe(Point(270, 900), Point(262, 420), 400_000), list_, None, TreeFit.MISSING),
        (a.Finish(a.Ending.COMPLETE), list_, None, TreeFit.MISSING),
    )
    made = []
    for index, (action, picture, data, fit) in enumerate(told):
        began = 1_000_000_000 + index * 2_400_000_000
        record = TreeRecord(
            "uiautomator",
            data or b"",
            "uiautomator2",
            TreeStatus.OK if data else TreeStatus.FAILED,
            requested=Moment(host_ns=began - 90_000_000),
            answered=Moment(host_ns=began - 40_000_000),
            size=SIZE,
        )
        made.append(
            Step(
                index,
                action,
                Frame(SIZE, Basis.PAINTED, picture),
                source="mirror",
                began=Moment(host_ns=began),
                ended=Moment(host_ns=began + 120_000_000),
                tree=StepTree(record, fit) if data else None,
                foreground=Foreground("com.example.contacts", label="Contacts"),
            )
        )
    return tuple(made)


def recorded(files: StillFiles) -> Episode:
    """The episode to annotate."""
    return replace(story.recorded(files), uuid=UUID, name=NAME, steps=steps(files))


@built_once
def build(folder: Path) -> None:
    """Makes a library that holds this episode and a shorter one before it."""
    files = StillFiles(folder)
    with Library.open(folder) as library:
        report = library.save_episodes([recorded(files), story.reading(files)])
        assert not report.refused
