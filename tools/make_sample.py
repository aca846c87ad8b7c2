"""Draws the sample data set that ships with Taptrail, and two runs with known mistakes.

    python tools/make_sample.py assets/sample

Six short tasks on a phone that was never made, one for each of GUIOdyssey's categories, in the
form of its version 2: annotations, screenshots, splits. All words and pictures are ours. Beside
them are two prediction files as its evaluator writes them, and `mistakes.json`, which says what
is wrong in each. The same call draws the same bytes.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from episodes.episodes import Episode  # noqa: E402
from episodes.formats import guiodyssey  # noqa: E402
from episodes.formats.picture_store import LibraryPictureStore  # noqa: E402
from episodes.store.stills import StillFiles  # noqa: E402
from taptrail.usecases.known_mistakes import MistakeKind, answers  # noqa: E402

WIDTH, HEIGHT = 360, 800
INK, QUIET, PAPER, LINE = "#1d2329", "#6a737d", "#f7f7f5", "#dadcdd"
Box = tuple[int, int, int, int]

RUNS = {
    "careful": (11, (MistakeKind.BESIDE, MistakeKind.WRONG_TEXT)),
    "hasty": (
        5,
        (
            MistakeKind.FAR,
            MistakeKind.FAR,
            MistakeKind.BESIDE,
            MistakeKind.WRONG_ACTION,
            MistakeKind.WRONG_TEXT,
            MistakeKind.EMPTY_TEXT,
            MistakeKind.UNREADABLE,
            MistakeKind.MISSING,
        ),
    ),
}


@dataclass
class DrawnSample:
    """A picture being drawn, and where its elements are."""

    tint: str = "#2f5d8a"
    boxes: dict[str, Box] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
        self.pen = ImageDraw.Draw(self.image)
        self.text((16, 8), "10:24", 12, QUIET)
        self.pen.rectangle((318, 10, 340, 20), outline=QUIET)
        self.pen.rectangle((320, 12, 334, 18), fill=QUIET)
        self.pen.rounded_rectangle((130, 788, 230, 792), 2, fill=QUIET)

    def text(self, at: tuple[float, float], words: str, size: int = 15, ink: str = INK) -> None:
        self.pen.text(at, words, font=ImageFont.load_default(size), fill=ink)

    def title(self, words: str) -> None:
        self.pen.rectangle((0, 32, WIDTH, 84), fill=self.tint)
        self.text((20, 46), words, 19, "white")

    def plate(self, name: str, box: Box, words: str, filled: bool = False) -> None:
        fill, ink = (self.tint, "white") if filled else ("white", INK)
        self.pen.rounded_rectangle(box, 10, fill=fill, outline=None if filled else LINE)
        self.text((box[0] + 14, (box[1] + box[3]) / 2 - 9), words, 15, ink)
        self.boxes[name] = box


def home(*apps: str) -> DrawnSample:
    screen = DrawnSample()
    screen.text((24, 90), "Thursday", 30)
    screen.text((25, 130), "14 May", 15, QUIET)
    tints = ("#2f5d8a", "#8a5a2f", "#3f7a4f", "#7a3f6a", "#50555c", "#8a2f3a")
    for at, app in enumerate(apps):
        left, top = 24 + at % 4 * 82, 560 + at // 4 * 100
        screen.pen.rounded_rectangle((left, top, left + 56, top + 56), 16, fill=tints[at % 6])
        screen.text((left + 18, top + 14), app[:1], 24, "white")
        screen.text((left + 2, top + 62), app, 12)
        screen.boxes[app] = (left, top, left + 56, top + 78)
    return screen


def rows(title: str, *words: str, tint: str = "#2f5d8a", search: str = "") -> DrawnSample:
    screen = DrawnSample(tint)
    screen.title(title)
    top = 96
    if search:
        screen.plate(search, (16, top, 344, top + 44), search)
        top += 56
    for at, word in enumerate(words):
        box = (0, top + at * 64, WIDTH, top + at * 64 + 63)
        screen.pen.ellipse((18, box[1] + 12, 58, box[1] + 52), fill=LINE)
        screen.text((31, box[1] + 22), word[:1], 16, QUIET)
        screen.text((74, box[1] + 14), word, 16)
        screen.text((74, box[1] + 36), "·" * (14 + at * 3 % 11), 12, QUIET)
        screen.pen.line((74, box[3], WIDTH, box[3]), fill=LINE)
        screen.boxes[word] = box
    return screen


def chat(person: str, *bubbles: str) -> DrawnSample:
    screen = DrawnSample("#3f7a4f")
    screen.title(person)
    for at, words in enumerate(bubbles):
        mine = at % 2 == 1
        width = int(ImageFont.load_default(15).getlength(words)) + 28
        left = WIDTH - 16 - width if mine else 16
        box = (left, 110 + at * 70, left + width, 154 + at * 70)
        fill, ink = (screen.tint, "white") if mine else ("white", INK)
        screen.pen.rounded_rectangle(box, 16, fill=fill, outline=None if mine else LINE)
        screen.text((left + 14, box[1] + 12), words, 15, ink)
        screen.boxes[words] = box
    screen.plate("Message", (16, 724, 280, 768), "Message")
    screen.plate("Send", (292, 724, 344, 768), ">", filled=True)
    return screen


def form(title: str, *fields: str, button: str, tint: str = "#8a5a2f") -> DrawnSample:
    screen = DrawnSample(tint)
    screen.title(title)
    for at, name in enumerate(fields):
        label, _, value = name.partition("=")
        top = 104 + at * 78
        screen.text((18, top), label, 12, QUIET)
        screen.plate(label, (16, top + 18, 344, top + 62), value)
    screen.plate(button, (236, 724, 344, 768), button, filled=True)
    return screen


def page(title: str, *lines: str, button: str = "", tint: str = "#7a3f6a") -> DrawnSample:
    screen = DrawnSample(tint)
    screen.title(title)
    screen.pen.rounded_rectangle((16, 100, 344, 300), 14, fill=LINE)
    screen.pen.polygon([(60, 280), (150, 150), (220, 240), (262, 200), (320, 280)], fill=tint)
    for at, words in enumerate(lines):
        screen.text((18, 322 + at * 30), words, 15 if at else 19)
    if button:
        screen.plate(button, (206, 724, 344, 768), button, filled=True)
    return screen


@dataclass(frozen=True)
class Act:
    """What is done on a screen; `on` names an element, `way` two points in pixels."""

    word: str
    say: str
    on: str = ""
    text: str = ""
    way: tuple[tuple[int, int], tuple[int, int]] | None = None


def tap(on: str) -> Act:
    return Act("CLICK", f"Tap {on}.", on)


def hold(on: str) -> Act:
    return Act("LONG_PRESS", f"Hold “{on}”.", on)


def key(name: str) -> Act:
    return Act("CLICK", f"Press {name.removeprefix('KEY_').lower()}.", text=name)


def write(text: str) -> Act:
    return Act("TEXT", f"Type “{text}”.", text=text)


def up() -> Act:
    return Act("SCROLL", "Scroll down the page.", way=((180, 640), (184, 260)))


def done() -> Act:
    return Act("COMPLETE", "The task is done.")


def give_up(why: str) -> Act:
    return Act("INCOMPLETE", "The task cannot be done.", text=why)


APPS = ("Messages", "Clock", "Shop", "Settings", "Notes", "Radio", "Pictures", "Maps")
TASKS: tuple[tuple[str, str, tuple[str, ...], str, str, list[tuple[DrawnSample, Act]]], ...] = (
    (
        "0042000000000001",
        "Multi_Apps",
        ("Messages", "Clock"),
        "Set an alarm for {} from a message",
        "See in Messages when the ferry leaves and set an alarm named after it.",
        [
            (home(*APPS), tap("Messages")),
            (rows("Messages", "Ivo", "Dana", "Library", tint="#3f7a4f"), tap("Ivo")),
            (
                chat("Ivo", "Ready?", "Almost.", "The ferry goes at nine!"),
                hold("The ferry goes at nine!"),
            ),
            (chat("Ivo", "Ready?", "Almost.", "The ferry goes at nine!"), key("KEY_HOME")),
            (home(*APPS), tap("Clock")),
            (rows("Alarms", "Weekdays, seven", "New alarm"), tap("New alarm")),
            (form("New alarm", "Time=8 40", "Name=", button="Save"), tap("Name")),
            (form("New alarm", "Time=8 40", "Name=", button="Save"), write("Ferry at nine")),
            (form("New alarm", "Time=8 40", "Name=Ferry at nine", button="Save"), tap("Save")),
            (rows("Alarms", "Ferry at nine", "Weekdays, seven", "New alarm"), done()),
        ],
    ),
    (
        "0042000000000002",
        "Web_Shopping",
        ("Shop",),
        "Put {} in the basket",
        "Find oat milk in the shop and put one carton in the basket.",
        [
            (
                rows("Shop", "Bread", "Fruit", "Milk", tint="#8a5a2f", search="Search the shop"),
                tap("Search the shop"),
            ),
            (
                rows("Shop", "Bread", "Fruit", "Milk", tint="#8a5a2f", search="Search the shop"),
                write("oat milk"),
            ),
            (
                rows(
                    "Shop", "Oat milk, 1 l", "Oat milk, 6 x 1 l", tint="#8a5a2f", search="oat milk"
                ),
                tap("Oat milk, 1 l"),
            ),
            (page("Oat milk, 1 l", "2.10", "From oats grown nearby.", tint="#8a5a2f"), up()),
            (page("Oat milk, 1 l", "2.10", "In stock", button="Add", tint="#8a5a2f"), tap("Add")),
            (page("Basket", "1 carton, 2.10", button="Pay", tint="#8a5a2f"), done()),
        ],
    ),
    (
        "0042000000000003",
        "General_Tool",
        ("Settings",),
        "Turn on the {} theme",
        "Make the phone's screens dark.",
        [
            (home(*APPS), tap("Settings")),
            (rows("Settings", "Network", "Sound", "Battery", "Storage", tint="#50555c"), up()),
            (rows("Settings", "Display", "Language", "About", tint="#50555c"), tap("Display")),
            (
                rows("Display", "Brightness", "Dark screens: off", tint="#50555c"),
                tap("Dark screens: off"),
            ),
            (rows("Display", "Brightness", "Dark screens: on", tint="#22262b"), key("KEY_BACK")),
            (rows("Settings", "Display", "Language", "About", tint="#22262b"), done()),
        ],
    ),
    (
        "0042000000000004",
        "Information_Management",
        ("Notes", "Maps"),
        "Write down when {} opens",
        "Look up when the library opens on Saturday and write it into a note.",
        [
            (home(*APPS), tap("Maps")),
            (rows("Maps", "Harbour", "Library", "Station", search="Search places"), tap("Library")),
            (page("Library", "Open on Saturday", "from ten to two"), key("KEY_APPSELECT")),
            (rows("Open apps", "Notes", "Maps", tint="#50555c"), tap("Notes")),
            (form("New note", "Title=", "Words=", button="Keep", tint="#2f5d8a"), tap("Words")),
            (
                form("New note", "Title=", "Words=", button="Keep", tint="#2f5d8a"),
                write("Library, Saturday ten to two"),
            ),
            (
                form(
                    "New note",
                    "Title=",
                    "Words=Library, Saturday ten to two",
                    button="Keep",
                    tint="#2f5d8a",
                ),
                tap("Keep"),
            ),
            (rows("Notes", "Library, Saturday ten to two", "Seeds"), done()),
        ],
    ),
    (
        "0042000000000005",
        "Media_Entertainment",
        ("Radio",),
        "Play the newest {} programme",
        "Play the newest programme about bees.",
        [
            (home(*APPS), tap("Radio")),
            (
                rows(
                    "Radio", "News", "Garden", "Night music", tint="#8a2f3a", search="Search radio"
                ),
                tap("Search radio"),
            ),
            (
                rows(
                    "Radio", "News", "Garden", "Night music", tint="#8a2f3a", search="Search radio"
                ),
                write("bees"),
            ),
            (
                rows("Radio", "Bees in May", "Bees in winter", tint="#8a2f3a", search="bees"),
                tap("Bees in May"),
            ),
            (
                page(
                    "Bees in May", "42 minutes", "First heard today", button="Play", tint="#8a2f3a"
                ),
                tap("Play"),
            ),
            (page("Bees in May", "0 of 42 minutes", button="Pause", tint="#8a2f3a"), done()),
        ],
    ),
    (
        "0042000000000006",
        "Social_Sharing",
        ("Pictures", "Messages"),
        "Send the picture of {} to a friend",
        "Send the picture of the heron to Dana.",
        [
            (home(*APPS), tap("Pictures")),
            (rows("Pictures", "Boats", "Garden", "Hill", tint="#7a3f6a"), up()),
            (
                rows("Pictures", "Snow", "Station", tint="#7a3f6a", search="Search pictures"),
                tap("Search pictures"),
            ),
            (
                rows("Pictures", "Snow", "Station", tint="#7a3f6a", search="Search pictures"),
                write("heron"),
            ),
            (rows("Pictures", tint="#7a3f6a", search="heron"), key("KEY_BACK")),
            (
                rows("Pictures", "Boats", "Garden", "Hill", tint="#7a3f6a"),
                give_up("There is no picture of a heron on this phone"),
            ),
        ],
    ),
)


def annotation(task: tuple[Any, ...], folder: Path) -> dict[str, Any]:
    """Writes a task's screenshots and returns its annotation."""
    name, category, apps, template, instruction, walk = task
    steps: list[dict[str, Any]] = []
    for number, (screen, act) in enumerate(walk):
        picture = f"{name}_{number}.png"
        screen.image.quantize(48, dither=Image.Dither.NONE).save(
            folder / "screenshots" / picture, optimize=True
        )
        before = f" after “{steps[-1]['low_level_instruction']}”" if steps else ""
        steps.append(
            {"step": number, "screenshot": picture}
            | _action(screen, act)
            | {
                "description": f"A screen of a drawn phone{before}.",
                "intention": f"To go on with: {instruction}",
                "context": f"{number} steps are done.",
                "low_level_instruction": act.say,
            }
        )
    return {
        "episode_id": name,
        "device_info": {
            "product": "drawn",
            "release_version": "14",
            "sdk_version": "34",
            "h": HEIGHT,
            "w": WIDTH,
            "device_name": "Drawn Phone",
        },
        "task_info": {
            "category": category,
            "app": list(apps),
            "meta_task": template,
            "task": instruction,
            "instruction": instruction,
        },
        "step_length": len(steps),
        "steps": steps,
    }


def _action(screen: DrawnSample, act: Act) -> dict[str, Any]:
    if act.on:
        left, top, right, bottom = screen.boxes[act.on]
        x, y = _thousandths((left + right) / 2, (top + bottom) / 2)
        box = [*_thousandths(left, top), *_thousandths(right - 1, bottom - 1)]
        info: Any = [[x, y], [x, y]]
        return {"action": act.word, "info": info, "ps": f"[({x}, {y})]", "sam2_bbox": box}
    if act.way is not None:
        info = [_thousandths(*point) for point in act.way]
        return {"action": act.word, "info": info, "ps": str(info), "sam2_bbox": []}
    if act.word == "INCOMPLETE":
        return {"action": act.word, "info": "", "ps": act.text, "sam2_bbox": []}
    return {"action": act.word, "info": act.text, "ps": "", "sam2_bbox": []}


def _thousandths(x: float, y: float) -> list[int]:
    return [round(x / WIDTH * 1000), round(y / HEIGHT * 1000)]


def main(words: list[str] | None = None) -> int:
    """Draws everything into a new folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="folder to make anew")
    out: Path = parser.parse_args(words).out
    if out.exists():
        shutil.rmtree(out)
    for part in ("annotations", "screenshots", "splits", "predictions"):
        (out / part).mkdir(parents=True)
    names = []
    for task in TASKS:
        value = annotation(task, out)
        names.append(f"{value['episode_id']}.json")
        _write(out / "annotations" / names[-1], value)
    _write(out / "splits" / "random_split.json", {"train": [], "test": names})
    _write(out / "mistakes.json", _runs(out))
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    print(f"{len(names)} episodes, {size / 1024:.0f} kB in {out}")
    return 0


def _runs(out: Path) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        picture_store = LibraryPictureStore(StillFiles(Path(folder)))
        episodes = [e for e in guiodyssey.read(out, picture_store) if isinstance(e, Episode)]
    told = {}
    for name, (seed, kinds) in RUNS.items():
        made = answers(episodes, kinds, seed)
        (out / "predictions" / f"{name}.json").write_text(made.text(), encoding="utf-8")
        told[name] = [
            {"episode": m.episode, "step": m.step, "mistake": m.kind.value} for m in made.mistakes
        ]
    return told


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
