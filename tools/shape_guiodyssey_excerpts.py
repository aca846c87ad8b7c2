"""Brings published excerpts of GUIOdyssey into annotation files, so that they can be imported.

    python tools/shape_guiodyssey_excerpts.py SAMPLES OUT

SAMPLES is a folder of JSON files, each one excerpt or a list of excerpts: an object with
`episode_id` and `steps`, or with `decoded_steps`, where each step is the decoded answer as the
paper prints it ("CLICK: (525, 912)"). Other files are passed over. OUT becomes a folder with
`annotations/`.

Nothing is made up. An answer that names its points becomes `info`; one that does not (a SCROLL of
which only the direction is known, a touch of which the kind is not) stays without, and the import
refuses that step and says so. An excerpt without an episode_id takes its file's name and place.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

KEYS = {"PRESS_HOME": "KEY_HOME", "PRESS_BACK": "KEY_BACK", "PRESS_RECENT": "KEY_APPSELECT"}
ENDINGS = {"COMPLETE": "COMPLETE", "IMPOSSIBLE": "INCOMPLETE", "INCOMPLETE": "INCOMPLETE"}
NUMBER = r"(-?\d+(?:\.\d+)?)"
PAIR = rf"\(\s*{NUMBER}\s*,\s*{NUMBER}\s*\)"
KEPT = ("step", "screenshot", "action", "info", "ps", "low_level_instruction", "description",
        "intention", "context", "sam2_bbox")  # fmt: skip


def shape(excerpt: dict[str, Any], name: str) -> dict[str, Any]:
    """Returns an annotation of what the excerpt says, with a step for each of its steps."""
    if "decoded_steps" in excerpt:
        steps = [decoded(answer, at) for at, answer in enumerate(excerpt["decoded_steps"])]
    else:
        steps = [
            {key: step[key] for key in KEPT if key in step} for step in excerpt.get("steps", [])
        ]
    kept = {
        key: excerpt[key] for key in ("device_info", "task_info", "step_length") if key in excerpt
    }
    return {"episode_id": str(excerpt.get("episode_id", name))} | kept | {"steps": steps}


def decoded(answer: str, number: int) -> dict[str, Any]:
    """Returns the step a decoded answer stands for; without `info` where it does not tell."""
    kind, _, rest = answer.partition(":")
    kind, rest = kind.strip(), rest.strip()
    if kind in KEYS:
        return {"step": number, "action": "CLICK", "info": KEYS[kind]}
    if kind in ENDINGS:
        return {"step": number, "action": ENDINGS[kind], "info": ""}
    if kind == "TYPE":
        return {"step": number, "action": "TEXT", "info": rest}
    if kind in ("CLICK", "LONG_PRESS") and (found := re.fullmatch(PAIR, rest)):
        point = [_number(found[1]), _number(found[2])]
        return {"step": number, "action": kind, "info": [point, point]}
    if found := re.fullmatch(rf"SCROLL from {PAIR} to {PAIR}", answer.strip()):
        ends = [_number(text) for text in found.groups()]
        return {"step": number, "action": "SCROLL", "info": [ends[:2], ends[2:]]}
    word = re.match(r"[A-Z_]+", kind)
    return {"step": number, "action": word[0] if word else kind}


def _number(text: str) -> int | float:
    return float(text) if "." in text else int(text)


def excerpts(folder: Path) -> list[tuple[str, dict[str, Any]]]:
    """Returns (name, excerpt) of every excerpt in a folder's JSON files, by file name."""
    found = []
    for file in sorted(folder.glob("*.json")):
        value = json.loads(file.read_text(encoding="utf-8"))
        for number, item in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(item, dict) and ("steps" in item or "decoded_steps" in item):
                found.append((f"{file.stem}-{number}", item))
    return found


def main(words: list[str] | None = None) -> int:
    """Writes the annotations and says how many there are."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("samples", type=Path, help="folder of the excerpts")
    parser.add_argument("out", type=Path, help="folder to make")
    options = parser.parse_args(words)
    annotations = options.out / "annotations"
    annotations.mkdir(parents=True, exist_ok=True)
    found = excerpts(options.samples)
    if not found:
        print(f"There is no excerpt in {options.samples}.", file=sys.stderr)
        return 1
    steps = lacking = 0
    for name, excerpt in found:
        value = shape(excerpt, name)
        file = annotations / f"{value['episode_id']}.json"
        if file.exists():
            print(f"{file} is there already; the excerpt {name} is left out.", file=sys.stderr)
            return 1
        file.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")
        steps += len(value["steps"])
        lacking += sum("info" not in step for step in value["steps"])
    print(f"{len(found)} excerpts with {steps} steps, {lacking} of them without coordinates.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
