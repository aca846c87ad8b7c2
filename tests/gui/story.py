"""A small library with one story in it: invented people, drawn screens, two runs.

What the window's tests look at. Screens are drawn with Pillow: a list of contacts, a form, a
page to read; no picture of any real program.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from PIL import Image, ImageDraw

from episodes import actions as a
from episodes.annotations import Author, Provenance, Region, RegionSource, Status
from episodes.clocks import Moment
from episodes.episodes import Actor, Episode, EpisodeState, Origin, Task
from episodes.geometry import Box, Direction, Point, Size
from episodes.recordings import DeviceFacts
from episodes.runs import Prediction, Run, Unreadable
from episodes.screens import Basis, Foreground, Frame, Still, StillSource
from episodes.steps import Step
from episodes.store.library import Library
from episodes.store.stills import StillFiles
from tests.gui.built_once import built_once

SIZE = Size(540, 1200)
ANA = Author("7a1f6e0c-0000-4000-8000-000000000001", "Ana P.")
RUNS = ("tidewater-7b", "saltmarsh-3b")
NAMES = (
    "Dana Rook",
    "Dov Ashe",
    "Ivo Tamsin",
    "Kell Hart",
    "Kit Larkin",
    "Lise Amber",
    "Nia Brook",
)
GREEN, INK, PAPER = (31, 106, 84), (28, 27, 31), (250, 253, 248)


def contacts() -> Image.Image:
    """A list of people, with a button at the lower right."""
    image, pen = _page("Contacts")
    for row, name in enumerate(NAMES):
        y = 220 + row * 110
        pen.ellipse((40, y, 104, y + 64), fill=(168 - 14 * row, 80 + 9 * row, 64 + 12 * row))
        pen.text((72, y + 32), name[0], fill="white", font_size=28, anchor="mm")
        pen.text((132, y + 32), name, fill=INK, font_size=28, anchor="lm")
    pen.rounded_rectangle((300, 1030, 510, 1110), 20, fill=(190, 225, 190))
    pen.text((405, 1070), "New contact", fill=INK, font_size=26, anchor="mm")
    return image


def form(first: str = "", last: str = "") -> Image.Image:
    """A form of three fields."""
    image, pen = _page("New contact")
    for row, (name, value) in enumerate(
        (("First name", first), ("Last name", last), ("Phone", ""))
    ):
        y = 260 + row * 130
        pen.rounded_rectangle(
            (90, y, 500, y + 96), 8, outline=GREEN if value else (120, 124, 120), width=3
        )
        pen.text(
            (112, y + 48),
            value or name,
            fill=INK if value else (110, 114, 110),
            font_size=28,
            anchor="lm",
        )
    pen.rounded_rectangle((400, 70, 510, 130), 30, fill=GREEN)
    pen.text((455, 100), "Save", fill="white", font_size=26, anchor="mm")
    return image


def reader() -> Image.Image:
    """A page of text under a picture."""
    image, pen = _page("Reader")
    pen.rounded_rectangle((30, 180, 510, 460), 20, fill=(46, 60, 95))
    pen.ellipse((380, 220, 440, 280), fill=(238, 214, 170))
    for row in range(18):
        width = 440 - (row * 37) % 130
        pen.rounded_rectangle(
            (40, 510 + row * 34, 40 + width, 524 + row * 34), 4, fill=(90, 92, 96)
        )
    return image


def _page(title: str) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    image = Image.new("RGB", (SIZE.width, SIZE.height), PAPER)
    pen = ImageDraw.Draw(image)
    pen.text((40, 26), "10:24", fill=INK, font_size=22, anchor="lm")
    pen.text((40, 100), title, fill=INK, font_size=34, anchor="lm")
    pen.rounded_rectangle((180, 1180, 360, 1188), 4, fill=INK)
    return image, pen


def png(image: Image.Image) -> bytes:
    """Returns the picture's bytes."""
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def still(files: StillFiles, image: Image.Image) -> Still:
    """Keeps a picture in a library."""
    data = png(image)
    size = Size(*image.size)
    return Still(
        files.write(data, "image/png"), "image/png", size, len(data), StillSource.SCREENCAP, True
    )


def contact_steps(files: StillFiles) -> tuple[Step, ...]:
    """Eight steps: into the contacts, a new one, its names, and done."""
    list_ = still(files, contacts())
    empty, first, both = (still(files, form(*n)) for n in ((), ("Mara",), ("Mara", "Quill")))
    page = still(files, reader())
    told: tuple[tuple[a.Action, Still, Box | None, str], ...] = (
        (a.OpenApp("Contacts"), page, None, ""),
        (a.Swipe(Point(270, 900), Point(262, 420), 400_000), list_, None, ""),
        (a.Tap(Point(405, 1070)), list_, Box(300, 1030, 510, 1110), "New contact"),
        (a.Tap(Point(300, 308)), empty, Box(90, 260, 500, 356), "First name"),
        (a.TypeText("Mara", Point(300, 308)), empty, None, ""),
        (a.TypeText("Quill", Point(300, 438)), first, None, ""),
        (a.LongPress(Point(300, 568), 800_000), both, Box(90, 520, 500, 616), "Phone"),
        (a.Finish(a.Ending.COMPLETE), both, None, ""),
    )
    steps = []
    for index, (action, picture, box, name) in enumerate(told):
        began = 1_000_000_000 + index * 2_400_000_000
        region = Region(
            box, Provenance(RegionSource.TREE), name, status=Status.ACCEPTED, chosen=True
        )
        steps.append(
            Step(
                index,
                action,
                Frame(SIZE, Basis.PAINTED, picture),
                source="mirror",
                began=Moment(host_ns=began),
                ended=Moment(host_ns=began + 120_000_000),
                foreground=Foreground("com.example.contacts", label="Contacts"),
                regions=(region,) if box is not None else (),
            )
        )
    return tuple(steps)


def recorded(files: StillFiles) -> Episode:
    """The story itself."""
    return Episode(
        uuid="0c8d3c1e-1111-4111-8111-000000000412",
        name="e-0412",
        origin=Origin("recorded"),
        task=Task(
            "Copy the phone number from Mara’s message into a new contact named Mara Quill.",
            category="Productivity",
            apps=("Messages", "Contacts"),
        ),
        state=EpisodeState.FINISHED,
        steps=contact_steps(files),
        actor=Actor("person", ANA),
        device=DeviceFacts(model="Wren 6", android_release="15", size=SIZE, density=240),
        started_utc="2026-05-14T08:26:00+00:00",
        finish=a.Finish(a.Ending.COMPLETE),
    )


def reading(files: StillFiles) -> Episode:
    """A shorter one: two swipes and back."""
    page = still(files, reader())
    told: tuple[a.Action, ...] = (
        a.Swipe(Point(270, 900), Point(262, 420), 400_000),
        a.Swipe(Point(262, 420), Point(270, 900), 380_000),
        a.PressKey(a.Key.BACK),
    )
    steps = tuple(
        Step(number, action, Frame(SIZE, Basis.PAINTED, page)) for number, action in enumerate(told)
    )
    return replace(
        recorded(files),
        uuid="0c8d3c1e-1111-4111-8111-000000000410",
        name="e-0410",
        task=Task("Read the part about the dredger and go back", "", "", "Reading", ("Reader",)),
        steps=steps,
    )


def many(count: int) -> Iterator[Episode]:
    """Plain one-step episodes without pictures, as of a data set."""
    for number in range(count):
        name = f"{number:08d}"
        digest = hashlib.sha256(name.encode()).hexdigest()
        yield Episode(
            uuid=f"{digest[:8]}-{digest[8:12]}-4{digest[13:16]}-8{digest[17:20]}-{digest[20:32]}",
            name=name,
            origin=Origin("guiodyssey", "2"),
            task=Task(f"Find plant number {number} and put it in the basket", category="Shopping"),
            state=EpisodeState.FINISHED,
            steps=(Step(0, a.Tap(Point(100, 200)), Frame(SIZE, Basis.IMPORTED)),),
        )


def runs(episodes: list[Episode]) -> Iterator[tuple[Run, list[Prediction]]]:
    """Run A is right but once; run B turns swipes round, misses the button and is unreadable."""
    for name in RUNS:
        predictions = []
        for episode in episodes:
            for step in episode.steps:
                raw, parsed = _said(name, step)
                predictions.append(
                    Prediction(
                        episode.name,
                        step.index,
                        raw,
                        parsed,
                        file="answers.jsonl",
                        line=step.index + 1,
                    )
                )
        yield Run(name, "taptrail", dataset="recorded", coordinates="pixels"), predictions


def _said(run: str, step: Step) -> tuple[str, a.Action | Unreadable]:
    action = step.action
    if isinstance(action, a.Tap) and isinstance(action.at, Point):
        off = Point(action.at.x - 30, action.at.y + 8)
        if run == RUNS[1] and step.index == 2:
            off = Point(225, 100)
        return f"Thought: I will tap it.\nAction: click({off.x:.0f}, {off.y:.0f})", a.Tap(off)
    if isinstance(action, a.Swipe) and run == RUNS[1]:
        turned = a.Swipe(action.end, action.start)
        return f"Action: scroll({Direction(turned.direction).value})", turned
    if isinstance(action, a.TypeText) and run == RUNS[1] and action.text == "Quill":
        return "I cannot see the field.", Unreadable("no action was found in the text")
    if isinstance(action, a.LongPress):
        return "Action: click(300, 568)", a.Tap(Point(300, 568))
    return f"Action: {a.kind(action)}", action


@built_once
def build(folder: Path, more: int = 0) -> list[Episode]:
    """Makes the library and returns the episodes of the story."""
    files = StillFiles(folder)
    with Library.open(folder) as library:
        story = [reading(files), recorded(files)]
        report = library.save_episodes([*many(more), *story])
        assert not report.refused
        for run, predictions in runs(story):
            library.save_run(run, predictions)
    return story
