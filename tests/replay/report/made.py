"""Reports of made-up episodes, pictures and runs; any text may be replaced by a hostile one."""

import io
from dataclasses import dataclass, replace
from html.parser import HTMLParser

import cv2
import numpy as np

from episodes import actions as a
from episodes.annotations import Provenance, Region, RegionSource
from episodes.geometry import Box, Native, Point, Size
from episodes.runs import Prediction, Run, RunFile, StepSet
from episodes.screens import Basis, Foreground, Frame, Still, StillSource
from episodes.steps import Step, StepTexts
from replay.comparison import Only, compare, spread
from replay.judging import Member, Side
from replay.report.cards import CardCounts, cards
from replay.report.contents import ReportOrigin, contents
from replay.report.page import write_page
from replay.sides import LETTERS, judge_sides
from scoring.protocols import PROTOCOLS
from taptrail.words import tr
from tests.replay.made import episode

SIZE = Size(108, 240)
V2 = PROTOCOLS["guiodyssey@2"]
ORIGIN = ReportOrigin(
    "lib", "lib-uuid", 7, "0.1", "2026-01-02T03:04:05+00:00", ("taptrail", "report")
)
VOID = {"meta", "br", "link", "img", "input", "hr"}


def png(colour=(40, 80, 120), size=SIZE):
    pixels = np.zeros((size.height, size.width, 3), np.uint8)
    pixels[:] = colour[::-1]
    return bytes(cv2.imencode(".png", pixels)[1])


def noise(seed, size):
    draw = np.random.default_rng(seed)
    return bytes(
        cv2.imencode(".png", draw.integers(0, 256, (size.height, size.width, 3), np.uint8))[1]
    )


def still(name, size=SIZE):
    return Still(name, "image/png", size, 1, StillSource.IMPORT, lossless=True)


def step(index, *, picture="", size=SIZE, **more):
    """A tap in the middle with a target around it."""
    frame = Frame(size, Basis.IMPORTED, still(picture, size) if picture else None)
    box = Box(size.width * 0.4, size.height * 0.45, size.width * 0.6, size.height * 0.55)
    region = Region(box, Provenance(RegionSource.TREE), label=more.pop("label", ""), chosen=True)
    values = {
        "action": a.Tap(Point(size.width / 2, size.height / 2)),
        "native": Native.of("guiodyssey", {"action": "CLICK", "info": [[500, 500], [500, 500]]}),
    }
    return Step(index, frame=frame, regions=(region,), **(values | more))


def tap(name, index, x, y, raw="", size=SIZE, **more):
    native = Native.of("guiodyssey", f"CLICK: ({x}, {y})")
    at = Point(x / 1000 * size.width, y / 1000 * size.height)
    return Prediction(name, index, raw or native.value, a.Tap(at), native, **more)


@dataclass
class Made:
    report: object
    page: str
    counted: CardCounts
    read: list


def report_of(
    runs,
    episodes,
    pictures=None,
    *,
    protocols=(V2,),
    only="",
    limit=40,
    private=True,
    origin=ORIGIN,
):
    """The report and its page; `runs` are (Run, {episode: [Prediction]})."""
    pairs = [(run, protocol) for run, _ in runs for protocol in protocols]
    sides = tuple(Side(x, *pair) for x, pair in zip(LETTERS, pairs, strict=False))
    said = {run.name: answers for run, answers in runs}
    letters = frozenset(side.letter for side in sides)
    judged = judge_sides(
        sides,
        [Member(e, letters) for e in episodes],
        lambda run, e: said[run].get(e.name, []),
        {},
        private=private,
    )
    comparison = compare(judged)
    only = Only(only or ("differ" if len(sides) > 1 else "mismatch"))
    report = contents(comparison, only, limit, origin)
    rows = spread(comparison.chosen(only), limit)
    by_uuid = {e.uuid: e for e in episodes}
    counted, read = CardCounts(), []

    def bytes_of(asked):
        read.append(asked.sha256)
        return pictures[asked.sha256]

    shown = cards(
        rows,
        sides,
        by_uuid.__getitem__,
        lambda run, e: {p.step: p for p in said[run].get(e.name, [])},
        bytes_of,
        tr,
        counted,
        count=len(rows),
    )
    stream = io.StringIO()
    write_page(report, shown, counted, tr, stream)
    return Made(report, stream.getvalue(), counted, read)


def hostile_report(text):
    """A report in which every text that comes from a file is the given one."""
    made = episode(
        text,
        [
            step(0, picture="p", label=text, texts=StepTexts(instruction=text)),
            step(1, picture="p", action=a.TypeText(text), foreground=Foreground(text, label=text)),
            step(2, picture="p", action=a.Other(text)),
        ],
        category=text,
        splits=((text, "test"), ("other", text)),
    )
    made = replace(made, task=replace(made.task, instruction=text, apps=(text, "Notes")))
    held = StepSet(text, 3, "0" * 64)
    files = (RunFile(text, "f" * 64, 3),)
    declared = dict.fromkeys(
        ("model", "coordinates", "scroll", "level", "history", "observation", "dataset"), text
    )
    runs = [
        (
            Run(text, text, step_set=held, files=files, **declared),
            {
                text: [
                    tap(text, 0, 900, 900, text, file=text, line=1),
                    Prediction(text, 1, text, a.TypeText(text), Native.of("x", text), text, 2),
                    Prediction(text, 2, text, a.OpenApp(text), Native.of("x", text), text, 3),
                ]
            },
        ),
        (Run("b" + text, text), {text: [tap(text, 0, 500, 500)]}),
    ]
    origin = replace(ORIGIN, library=text, command=("taptrail", "report", "--run", text))
    return report_of(runs, [made], {"p": png()}, only="all", origin=origin)


class Page(HTMLParser):
    """What a page is made of; `unclosed` and `astray` must stay empty."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.open, self.astray, self.attributes, self.tags = [], [], [], []
        self.words, self.style = [], ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.astray.append(tag)

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            self.style += data
        else:
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())

    def of(self, tag, name):
        return [value for t, n, value in self.attributes if (t, n) == (tag, name)]
