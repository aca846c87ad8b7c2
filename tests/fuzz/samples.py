"""Small valid files of every format, made by our own writers and by those of the tests' samples."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from episodes.geometry import Size
from episodes.store.library import Library
from episodes.trees.flat import flat_bytes
from replay.chat.rows import ChatForm
from replay.dialects import DIALECTS
from taptrail.usecases.exporting import export_episodes
from taptrail.usecases.importing import import_episodes
from tests.fuzz.mutators.of_pictures import drawn
from tests.fuzz.texts import TEXTS
from tests.samples import aitw, aitz, androidcontrol, guiodyssey

EPISODE = "0042000000000009"
STEPS = 9
WIDE, HIGH = 36, 80
XML = (
    '<?xml version="1.0" encoding="UTF-8"?><hierarchy rotation="0">'
    '<node class="android.widget.FrameLayout" bounds="[0,0][36,80]">'
    '<node text="Tea &amp; more" class="android.widget.Button" clickable="true" '
    'bounds="[2,4][30,20]"/>'
    '<node text="" content-desc="List" class="android.widget.EditText" bounds="[2,30][30,50]">'
    '<node text="☕" resource-id="a:id/b" class="android.widget.TextView" bounds="[3,31][9,40]"/>'
    "</node></node></hierarchy>"
)
TREES = {"uiautomator": "tree.xml", "a11y-forest": "tree.pb", "aitw-ocr": "tree.json"}


@dataclass(frozen=True, slots=True)
class Files:
    """A data set to be damaged.

    Attributes:
        format: as `import` takes it, with its version.
        at: what is given to `import`, inside of the folder.
    """

    format: str
    version: str
    folder: Path
    at: str = ""


def own_lines(folder: Path) -> Path:
    """Writes the richest data set that lines can hold, and returns its folder."""
    folder.mkdir(parents=True)
    for name, suffix in (("0.png", ".png"), ("1.jpg", ".jpg"), ("2.webp", ".webp")):
        (folder / name).write_bytes(drawn(suffix, WIDE, HIGH))
    (folder / "mask.png").write_bytes(drawn(".png", 28, 16))
    (folder / "tree.xml").write_text(XML, encoding="utf-8")
    (folder / "tree.pb").write_bytes(androidcontrol.forest())
    rows = [[0.05, 0.05, 0.2, 0.8], [0.4, 0.05, 0.25, 0.8]]
    flat = flat_bytes(Size(WIDE, HIGH), rows, ["Tea", ""], ["TEXT", "ICON_HEART"])
    (folder / "tree.json").write_bytes(flat)
    lines: list[dict[str, Any]] = []
    for name in (EPISODE, "tea-2"):
        lines.append(_episode(name))
        lines += [_step(name, step, action) for step, action in enumerate(_actions())]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (folder / "episodes.jsonl").write_text(text, encoding="utf-8")
    return folder


def everything(folder: Path) -> dict[str, Files]:
    """Writes small data sets of all formats, and returns them by name."""
    own = own_lines(folder / "taptrail")
    library = folder / "library"
    import_episodes("taptrail", own, library)
    found = {"taptrail": Files("taptrail", "", own)}
    native = {
        "aitw": aitw.write(folder / "aitw", aitw.general()),
        "androidcontrol": androidcontrol.write(
            folder / "androidcontrol", [androidcontrol.episode(7), androidcontrol.episode(20)]
        ),
        "aitz": aitz.write(folder / "aitz", aitz.kettle()),
        "guiodyssey": guiodyssey.version_2(folder / "guiodyssey"),
    }
    for name, written in native.items():
        found[name] = Files(name, "", written)
    found["guiodyssey-1"] = Files("guiodyssey", "1", guiodyssey.version_1(folder / "odyssey-1"))
    for name, format_name, version in (
        ("aitw-written", "aitw", ""),
        ("androidcontrol-written", "androidcontrol", ""),
        ("aitz-written", "aitz", ""),
        ("guiodyssey-written", "guiodyssey-tests", ""),
        ("parquet", "parquet", "bytes"),
        ("parquet-files", "parquet", "files"),
        ("coco", "coco", ""),
    ):
        export_episodes(format_name, folder / name, library, version=version)
        read = "guiodyssey" if format_name == "guiodyssey-tests" else format_name
        found[name] = Files(read, "", folder / name)
    for dialect in DIALECTS:
        found[f"chat-{dialect.replace('/', '-')}"] = _chat(dialect, folder, library)
    return found


def gold(folder: Path, found: dict[str, Files]) -> Path:
    """Returns a library with a data set of each kind, for predictions to answer."""
    library = folder / "gold"
    for name in ("taptrail", "aitw", "androidcontrol", "aitz", "guiodyssey"):
        import_episodes(found[name].format, found[name].folder, library)
    return library


def places(library: Path) -> dict[str, list[tuple[str, int]]]:
    """Returns the steps of a library's data sets, in order."""
    steps: dict[str, list[tuple[str, int]]] = {}
    with Library.read(library) as opened:
        for episode in opened.iterate():
            where = steps.setdefault(episode.origin.dataset, [])
            where += [(episode.name, step.index) for step in episode.steps]
    return steps


def _chat(dialect: str, folder: Path, library: Path) -> Files:
    name = f"chat-{dialect.replace('/', '-')}"
    if len(dialect) % 3:  # the others are as models write them
        style = "messages" if len(dialect) % 2 else "conversations"
        export_episodes(
            "chat", folder / name, library, version=dialect, form=ChatForm(dialect, style=style)
        )
        return Files("chat", "", folder / name)
    (folder / name).mkdir()
    (folder / name / "0.png").write_bytes(drawn(".png", WIDE, HIGH))
    rows = []
    for step, text in enumerate(TEXTS[dialect]):
        said = text if isinstance(text, str) else json.dumps(text)
        turns = [{"from": "human", "value": "<image>\nTask: Tea"}, {"from": "gpt", "value": said}]
        rows.append({"episode": EPISODE, "step": step, "image": "0.png", "conversations": turns})
    (folder / name / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return Files("chat", dialect, folder / name)


def _actions() -> tuple[dict[str, Any], ...]:
    return (
        {"kind": "tap", "at": {"point": [18.0, 40.5]}, "lift": [19, 41]},
        {"kind": "long_press", "at": {"box": [2, 4, 30, 20]}, "duration_us": 800000},
        {"kind": "swipe", "start": [18, 70], "end": [18, 10], "duration_us": 300000,
         "path": [["down", 18, 70, 0, 0, 1.0], ["up", 18, 10, 300000, 0, 0.0]]},
        {"kind": "type_text", "text": "tea ☕", "at": {"element": {"text": "List"}},
         "submit": True},
        {"kind": "press_key", "key": "home"},
        {"kind": "open_app", "app": "Notes"},
        {"kind": "scroll", "direction": "up", "at": {"point": [18, 40]}},
        {"kind": "other", "name": "DRAW", "arguments": "{\"shape\":\"line\"}"},
        {"kind": "finish", "ending": "complete"},
    )  # fmt: skip


def _episode(name: str) -> dict[str, Any]:
    return {
        "type": "episode", "episode": name, "uuid": f"00000000-0000-4000-8000-{len(name):012d}",
        "task": {"instruction": "Put tea on the list", "template": "Put {} on the list",
                 "filled": "Put tea on the list", "category": "General_Tool", "apps": ["Notes"]},
        "state": "finished", "actor": {"kind": "agent", "agent": "my-agent-3"},
        "device": {"model": "Small Phone", "size": {"width": WIDE, "height": HIGH}, "density": 320,
                   "animation_scales": [1.0, 1.0, 0.5], "app_versions": [["notes", "3"]],
                   "native": "{\"product\": \"drawn\"}"},
        "started_utc": "2026-05-14T10:24:00Z", "declared_steps": STEPS,
        "splits": [["random", "test"]], "final": {"picture": "0.png"},
        "gaps": [{"reason": "call", "started": {"device_us": 5}, "ended": {"host_ns": 9}}],
        "clock_samples": [{"host_before_ns": 1, "host_after_ns": 2, "device_us": 3, "method": "x"}],
        "extra": "{\"note\": \"drawn\"}",
    }  # fmt: skip


def _step(name: str, step: int, action: dict[str, Any]) -> dict[str, Any]:
    picture = ("0.png", "1.jpg", "2.webp")[step % 3]
    kind = ("uiautomator", "a11y-forest", "aitw-ocr")[step % 3]
    line: dict[str, Any] = {
        "type": "step", "episode": name, "step": step, "action": action,
        "frame": {"picture": picture, "size": [WIDE, HIGH], "basis": "painted", "pts_us": 1000},
        "tree": {"format": kind, "file": TREES[kind], "fit": "fresh", "size": [WIDE, HIGH]},
        "foreground": {"package": "com.example.notes", "label": "Notes", "fit": "fresh"},
        "texts": {"instruction": "Tap it", "intention": "It is the list", "context": "none"},
        "began": {"device_us": 1000 * step, "host_ns": 2000 * step}, "extra": "{\"n\": 1}",
    }  # fmt: skip
    if step % 2 == 0:
        line["regions"] = [
            {"box": [2, 4, 30, 20], "chosen": True, "status": "accepted", "label": "List",
             "uuid": f"00000000-0000-4000-9000-{len(name):06d}{step:06d}",
             "mask": {"box": [2, 4, 30, 20], "file": "mask.png"},
             "provenance": {"source": "tree", "score": 0.5, "node": "0.1"}}
        ]  # fmt: skip
        line["golds"] = [
            {"number": 1, "action": {"kind": "press_key", "key": "back"}, "reason": "as well"}
        ]
    return line
