"""The files GUIOdyssey's evaluator reads, which its converter derives from annotations and splits.

`test_anno/{high,low}_<split>_split.json` is a list of steps, episode by episode, with the question,
the decoded answer, and all gold steps before it as Python writes lists; `his_index.json` says for a
picture which came before it. They hold whole paths of pictures, so they belong where they are made.

Source: data/format_converter.py of OpenGVLab/GUI-Odyssey at e12788f.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TextIO

from episodes.formats.guiodyssey import TEXTS
from episodes.formats.guiodyssey_folder import SPLIT
from episodes.formats.input_files import is_file_name
from episodes.formats.output_files import WriteReport

FOLDER = "test_anno"
INDEX = "his_index.json"
LEVELS = ("high", "low")
_KEYS = {"KEY_HOME": "PRESS_HOME", "KEY_BACK": "PRESS_BACK", "KEY_APPSELECT": "PRESS_RECENT"}
_WORDS = {"COMPLETE": "COMPLETE", "INCOMPLETE": "IMPOSSIBLE"}
_LOW = next(key for key, ours in TEXTS.items() if ours == "instruction")


def answer_of(action: Any, info: Any) -> str | None:
    """Returns a step's answer as the evaluator holds it; None for what the converter stops at."""
    match action, info:
        case (("CLICK" | "LONG_PRESS"), str()) if info in _KEYS:
            return _KEYS[info]
        case (("CLICK" | "LONG_PRESS"), [[x, y], *_]):
            return f"{action}: ({x!r}, {y!r})"
        case "SCROLL", [[x1, y1], [x2, y2], *_]:
            across, down = x2 - x1, y2 - y1
            if abs(across) > abs(down):
                return f"SCROLL: {'LEFT' if across < 0 else 'RIGHT'}"
            return f"SCROLL: {'UP' if down < 0 else 'DOWN'}"
        case "TEXT", str():
            return f"TYPE: {info}"
        case (("COMPLETE" | "INCOMPLETE"), _):
            return _WORDS[action]
    return None


class EvaluatorFiles:
    """Writes the files as annotations come. Rows of a split keep the order of its list."""

    __test__ = False  # pytest would take it for tests

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._streams: dict[Path, TextIO] = {}
        self._counts: dict[Path, int] = {}

    def add(
        self, annotation: dict[str, Any], splits: tuple[tuple[str, str], ...], written: WriteReport
    ) -> None:
        """Writes the steps of an annotation that is in the test part of a split."""
        steps = self._steps(annotation, written)
        if splits:
            for step in steps:
                self._add(self._folder / INDEX, step["image"], step["before"])
        for split, part in dict.fromkeys(splits):
            if part != "test" or not is_file_name(f"high_{split}{SPLIT}"):
                continue
            for level in LEVELS:
                path = self._folder / FOLDER / f"{level}_{split}{SPLIT}"
                for step in steps:
                    self._add(path, None, self._row(annotation, step, level, split, path))

    def close(self) -> None:
        """Ends the files."""
        for path, stream in self._streams.items():
            stream.write("\n}" if path.name == INDEX else "\n]")
            stream.close()

    def abandon(self) -> None:
        """Lets go of the files; the folder takes them away."""
        for stream in self._streams.values():
            stream.close()

    def _steps(self, annotation: dict[str, Any], written: WriteReport) -> list[dict[str, Any]]:
        name = annotation["episode_id"]
        images: list[str] = []
        answers: list[str] = []
        found = []
        for step in annotation["steps"]:
            answer = answer_of(step.get("action"), step.get("info"))
            if answer is None:
                where = f"{name} step {step['step']}"
                written.count_loss(
                    "of the test files, a step that GUIOdyssey's converter stops at", where
                )
                continue
            file = step.get("screenshot") or f"{name}_{step['step']}.png"
            image = str((self._folder / "screenshots" / file).resolve())
            found.append(
                {
                    "image": image,
                    "answer": answer,
                    "before": list(images),
                    "said": list(answers),
                    "low": step.get(_LOW, ""),
                    "box": step.get("sam2_bbox"),
                }
            )
            images.append(image)
            answers.append(answer)
        return found

    def _row(
        self, annotation: dict[str, Any], step: dict[str, Any], level: str, split: str, path: Path
    ) -> dict[str, Any]:
        task = annotation["task_info"]
        return {
            "id": f"GUIOdyssey_{split}_split_{self._counts.get(path, 0)}",
            "image": step["image"],
            "question": task["instruction"] if level == "high" else step["low"],
            "answer": step["answer"],
            "category": task["category"],
            "step_length": annotation["step_length"],
            "history_action": str(step["said"]),
            "history_screenshot": str(step["before"]),
            "sam2_bbox": step["box"],
        }

    def _add(self, path: Path, key: str | None, value: Any) -> None:
        first = path not in self._streams
        if first:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._streams[path] = path.open("w", encoding="utf-8", errors="replace")
            self._streams[path].write("[\n" if key is None else "{\n")
        stream = self._streams[path]
        told = json.dumps(value, ensure_ascii=False)
        named = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}: "
        stream.write(f"{'' if first else ',' + chr(10)}{named}{told}")
        self._counts[path] = self._counts.get(path, 0) + 1
