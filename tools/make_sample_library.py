"""Records the sample library that ships with Taptrail, and writes two runs with planted mistakes.

    python tools/make_sample_library.py assets/sample_library

Four short tasks on the demo phone, done for real over adb and scrcpy at the pace of four invented
people; the first task is tried by all four, and one of them fails. Targets are the trees' own. The
pictures are small and have few colours, so that the whole stays small. Names, persons and models
are invented. `planted.json` says which steps each run gets wrong, and why.

A new recording has new times, so what ships differs from it in these and in nothing else.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from episodes import actions as a  # noqa: E402
from episodes.annotations import Author  # noqa: E402
from episodes.codec import action_to_json  # noqa: E402
from episodes.episodes import Actor, Task  # noqa: E402
from episodes.geometry import Point  # noqa: E402
from episodes.steps import Step  # noqa: E402
from episodes.store.library import Library  # noqa: E402
from taptrail.usecases.annotating import accept, open_step  # noqa: E402
from taptrail.usecases.attempts import judge  # noqa: E402
from taptrail.usecases.demo_phone import running_demo_phone  # noqa: E402
from taptrail.usecases.exporting import export_episodes  # noqa: E402
from taptrail.usecases.recording import record_script  # noqa: E402
from taptrail.usecases.sample import HOME  # noqa: E402

SEED = 7
SIZE, DENSITY = "540x1200", 210
DATASET, VERSION = "sample", "1"
COLOURS = 48
PEOPLE = {
    name: Author(f"7a1f6e0c-0000-4000-8000-00000000000{number}", name)
    for number, name in enumerate(("Ana P.", "Ben K.", "Cem R.", "Dee L."), 1)
}


def _on(words: str) -> a.ElementRef:
    return a.ElementRef(text=words)


def _tap(words: str) -> a.Action:
    return a.Tap(_on(words))


NUMBER = "My new number is 555 0142"
DONE = a.Finish(a.Ending.COMPLETE)
_COPY: tuple[a.Action, ...] = (
    _tap("Messages"),
    _tap("Mara Quill"),
    a.LongPress(_on(NUMBER)),
    _tap("Copy"),
    a.PressKey(a.Key.HOME),
)
_SAVE: tuple[a.Action, ...] = (
    _tap("New contact"),
    _tap("First name"),
    a.TypeText("Mara"),
    _tap("Last name"),
    a.TypeText("Quill"),
    _tap("Phone"),
    a.TypeText("555 0142"),
    _tap("Save"),
    DONE,
)
COPY = Task(
    "Copy Mara's new number from her message into a new contact.",
    "Copy {}'s new number from her message into a new contact.",
    category="Multi_Apps",
    apps=("Messages", "Contacts"),
)


@dataclass(frozen=True)
class Visit:
    """One attempt: who does what, resting `pause_s` before each action.

    Attributes:
        outcome: what a person says about it afterwards; "" if its claim is right.
    """

    name: str
    person: str
    task: Task
    pause_s: float
    actions: tuple[a.Action, ...]
    outcome: str = ""


VISITS = (
    Visit("s-0001", "Ana P.", COPY, 0.2, (*_COPY, _tap("Contacts"), *_SAVE)),
    Visit(
        "s-0002",
        "Ben K.",
        COPY,
        0.9,
        (
            *_COPY,
            _tap("Contacts"),
            a.Swipe(Point(270, 950), Point(274, 450), 300_000),
            a.Swipe(Point(270, 450), Point(274, 950), 300_000),
            *_SAVE,
        ),
    ),
    Visit(
        "s-0003",
        "Cem R.",
        COPY,
        0.4,
        (
            *_COPY[:2],
            a.PressKey(a.Key.HOME),
            _tap("Contacts"),
            *_SAVE[:3],
            _tap("Save"),
            DONE,
        ),
        outcome="failed",
    ),
    Visit(
        "s-0004",
        "Dee L.",
        COPY,
        1.8,
        (
            _tap("Messages"),
            _tap("Ivo Tamsin"),
            a.PressKey(a.Key.BACK),
            *_COPY[1:],
            _tap("Phone"),
            a.PressKey(a.Key.HOME),
            _tap("Contacts"),
            *_SAVE[:-2],
            a.PressKey(a.Key.BACK),
            *_SAVE[-2:],
        ),
    ),
    Visit(
        "s-0005",
        "Ben K.",
        Task(
            "Put one sword fern into the Fernway basket.",
            "Put one {} into the Fernway basket.",
            category="Web_Shopping",
            apps=("Fernway",),
        ),
        0.4,
        (
            _tap("Fernway"),
            _tap("Shade"),
            _tap("Sword fern"),
            _tap("Add to basket"),
            _tap("Basket"),
            DONE,
        ),
    ),
    Visit(
        "s-0006",
        "Dee L.",
        Task(
            "Turn on the dark theme.",
            "Turn on the {} theme.",
            category="General_Tool",
            apps=("Settings",),
        ),
        0.4,
        (_tap("Settings"), _tap("Dark theme"), a.PressKey(a.Key.HOME), DONE),
    ),
    Visit(
        "s-0007",
        "Cem R.",
        Task(
            "Write a note called Shopping that says two cartons of oat milk.",
            "Write a note called {} that says {}.",
            category="Information_Management",
            apps=("Notes",),
        ),
        0.4,
        (
            _tap("Notes"),
            _tap("New note"),
            _tap("Title"),
            a.TypeText("Shopping"),
            _tap("Note"),
            a.TypeText("Two cartons of oat milk"),
            _tap("Save"),
            DONE,
        ),
    ),
)
ANSWERED = ("s-0001", "s-0005", "s-0006", "s-0007")
MODELS = {"run-a": "Tidewater 7B (invented)", "run-b": "Saltmarsh 3B (invented)"}


@dataclass(frozen=True)
class Wrong:
    """A step that a run gets wrong, with its answer; unreadable if the action is None."""

    thought: str
    action: a.Action | None


WRONG: dict[str, dict[tuple[str, int], Wrong]] = {
    "run-a": {
        ("s-0001", 2): Wrong("I tap the message.", a.Tap(Point(262, 573))),
        ("s-0001", 4): Wrong("I go back.", a.PressKey(a.Key.BACK)),
        ("s-0001", 5): Wrong("I open the calendar.", a.Tap(Point(87, 877))),
        ("s-0001", 12): Wrong("I type the name again.", a.TypeText("Mara Quill")),
        ("s-0005", 3): Wrong("I mark it as a favourite.", a.Tap(Point(440, 78))),
        ("s-0007", 4): Wrong("The text goes into the field below the title", None),
    },
    "run-b": {
        ("s-0001", 4): Wrong("I go back to the list.", a.PressKey(a.Key.BACK)),
        ("s-0001", 9): Wrong("The name is there, I save.", a.Tap(Point(469, 82))),
        ("s-0005", 1): Wrong("Ferns grow indoors.", a.Tap(Point(139, 145))),
        ("s-0007", 6): Wrong("Going back keeps the note.", a.PressKey(a.Key.BACK)),
    },
}


def record(library: Path) -> None:
    """Records all attempts on a new phone each, with the targets of their presses."""
    for visit in VISITS:
        with running_demo_phone(SEED, deterministic=True, size=SIZE, density=DENSITY) as phone:
            done = record_script(
                phone.serial,
                visit.task,
                library,
                tuple(_paced(visit)),
                devices=phone.devices,
                actor=Actor(author=PEOPLE[visit.person]),
            )
        print(f"{visit.name}: {done.steps} steps, {', '.join(done.problems) or 'no problems'}")
        with Library.open(library) as opened:
            _mark(opened, done.uuid, visit)


def _paced(visit: Visit) -> Iterator[a.Action]:
    for action in visit.actions:
        yield a.Wait(round(visit.pause_s * 1e6))
        yield action


def _mark(library: Library, uuid: str, visit: Visit) -> None:
    author = PEOPLE[visit.person]
    episode = library.episode(uuid)
    for step in episode.steps:
        found = open_step(episode, step)
        if found.proposed is not None:
            accept(library, episode, step, found.choices[found.proposed].region, author)
    if visit.outcome:
        judge(library, library.episode(uuid), author, visit.outcome)


def write(library: Path, out: Path) -> None:
    """Writes episodes, runs and what is planted into a new folder."""
    with tempfile.TemporaryDirectory() as place:
        exported = Path(place) / "exported"
        export_episodes("taptrail", exported, library)
        _shrink(exported, out)
    with Library.read(library) as opened:
        recorded = list(opened.iterate())
    (out / "runs").mkdir()
    for run in MODELS:
        lines = [
            json.dumps(_answer(visit.name, step, WRONG[run]), ensure_ascii=False)
            for visit, episode in zip(VISITS, recorded, strict=True)
            if visit.name in ANSWERED
            for step in episode.steps
        ]
        (out / "runs" / f"{run}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    planted = {
        run: {
            "model": MODELS[run],
            "wrong": [
                {"episode": name, "step": step, "said": wrong.thought}
                for (name, step), wrong in WRONG[run].items()
            ],
        }
        for run in MODELS
    }
    text = json.dumps(planted, ensure_ascii=False, indent=1) + "\n"
    (out / "planted.json").write_text(text, encoding="utf-8")


def _shrink(exported: Path, out: Path) -> None:
    """Copies the lines with small pictures, the sample's names, and no picture twice."""
    (out / "pictures").mkdir(parents=True)
    lines = []
    names = iter(VISITS)
    name = ""
    for line in (exported / "episodes.jsonl").read_text(encoding="utf-8").splitlines():
        value = json.loads(line)
        if value["type"] == "episode":
            name = next(names).name
            value["origin"] = {"dataset": DATASET, "version": VERSION, "file": "episodes.jsonl"}
            value["device"].pop("serial", None)
        value["episode"] = name
        value.pop("after", None)
        for frame in (value.get("frame"), value.get("final")):
            if frame is not None and "picture" in frame:
                frame["picture"] = _picture(exported / frame["picture"], out)
                frame["lossless"] = False
        if (tree := value.get("tree")) is not None and "file" in tree:
            (out / tree["file"]).parent.mkdir(exist_ok=True)
            shutil.copyfile(exported / tree["file"], out / tree["file"])
        if not lines[1:] and value["type"] == "step":
            shutil.copyfile(out / value["frame"]["picture"], out / HOME)
        lines.append(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    (out / "episodes.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _picture(path: Path, out: Path) -> str:
    stream = io.BytesIO()
    with Image.open(path) as image:
        few = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        few.save(stream, "PNG", optimize=True)
    name = f"pictures/{hashlib.sha256(stream.getvalue()).hexdigest()}.png"
    (out / name).write_bytes(stream.getvalue())
    return name


def _answer(episode: str, step: Step, wrong: dict[tuple[str, int], Wrong]) -> dict[str, Any]:
    found = wrong.get((episode, step.index))
    action = _right(step) if found is None else found.action
    thought = found.thought if found is not None else f"Step {step.index + 1} is clear."
    told = json.dumps(action_to_json(action)) if action is not None else "none"
    answer: dict[str, Any] = {
        "episode": episode,
        "step": step.index,
        "raw": f"Thought: {thought} Action: {told}",
    }
    return answer if action is None else answer | {"action": action_to_json(action)}


def _right(step: Step) -> a.Action:
    """Returns what was done, a little beside the place a person pressed."""
    match step.action:
        case a.Tap(Point() as at):
            return a.Tap(Point(round(at.x) + 3, round(at.y) - 2))
        case a.LongPress(Point() as at):
            return replace(step.action, at=Point(round(at.x) + 3, round(at.y) - 2))
    return step.action


def main(words: list[str] | None = None) -> int:
    """Records and writes everything into a new folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="folder to make anew")
    out: Path = parser.parse_args(words).out
    with tempfile.TemporaryDirectory() as place:
        library = Path(place) / "library"
        record(library)
        if out.exists():
            shutil.rmtree(out)
        write(library, out)
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    print(f"{len(VISITS)} episodes, {size / 1024:.0f} kB in {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
