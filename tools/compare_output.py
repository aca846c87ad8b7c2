"""Compares the JSON of the commands on the sample library between two versions of Taptrail.

    python tools/compare_output.py record OLD/.venv/bin/taptrail old.json
    python tools/compare_output.py record .venv/bin/taptrail new.json
    python tools/compare_output.py compare old.json new.json

`record` runs the commands below, each version on its own copy of the sample library, and stores
exit codes and JSON. `compare` lists what differs in keys, ids, numbers, outcomes, rule names and
exit codes. It counts sentences, which may differ, and with `--sentences` lists them, too.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROTOCOLS = (
    *("guiodyssey@1", "guiodyssey@2", "guiodyssey/os-atlas@1", "guiodyssey/agentcpm@1"),
    *("guiodyssey/gui-r1@1", "taptrail-strict@1", "aitw@1", "aitw/auto-gui@1"),
    *("aitz@1", "aitz/lift@1", "aitz/agentcpm@1"),
    *("androidcontrol/paper@1", "androidcontrol/uground@1", "androidcontrol/os-atlas@1"),
    *("androidcontrol/qwen25vl@1", "androidcontrol/agentcpm@1"),
    *("androidcontrol/agentcpm-no-flag@1", "androidcontrol/gui-r1@1"),
    *("androidcontrol/clawgui@1", "androidcontrol/mimo@1"),
)
BY = ["category", "app", "kind", "split", "device", "position", "length", "all"]
FORMATS = ["guiodyssey", "taptrail", "androidcontrol", "aitz", "aitw", "chat", "coco"]
THIRD = "--library third"
EPISODES = [f"s-000{number}" for number in range(1, 8)]

# Each command is run in the folder that holds `library`. Those that change something come last.
COMMANDS = [
    *("episodes list", "episodes list --finding any", "episodes list --state incomplete"),
    *(f"episodes show {name}" for name in EPISODES),
    *("episodes show none", "episodes check", "episodes history", "episodes objections"),
    *("lint", "lint --accepted --severity note", "lint rules", "lint --rule none"),
    *("attempts", "attempts --episode s-0001", "attempts --episode s-0001 --aggregate max"),
    *("attempts scores --run run-a --protocol guiodyssey@2", "attempts steps s-0001 s-0002"),
    *("regions compare", "regions compare --source person", "regions queue", "regions times"),
    *(f"regions list {name}" for name in EPISODES[:2]),
    *("runs", "protocols", "protocols --published", "splits list", "models list"),
    *(f"score --run {run} --protocol {one}" for one in PROTOCOLS for run in ("run-a", "run-b")),
    *(f"score --run run-a --protocol guiodyssey@2 --by {one}" for one in BY),
    *("score --run run-a --protocol aitz@1 --numbers-only", "score --run none --protocol aitz@1"),
    "score --run run-a --protocol none",
    *(
        f"compare --run run-a --run run-b --protocol {one} --only all"
        for one in ("guiodyssey@2", "taptrail-strict@1", "aitz@1")
    ),
    "compare --run run-a --protocol guiodyssey@1 --protocol guiodyssey@2 --only all",
    "compare --run run-a --run run-b --protocol guiodyssey@2 --only b-right",
    "compare --run run-a --run run-b --protocol guiodyssey@2 --budget people --published",
    "report --run run-a --run run-b --protocol guiodyssey@2 --out report.html",
    "columns write --run run-a --out columns",
    "columns score columns --protocol guiodyssey@2",
    *(f"export {one} out/{one}" for one in FORMATS),
    *(f"import {one} out/{one} --library second" for one in FORMATS[:5]),
    *("episodes list --library second", "import guiodyssey none --library second"),
    "import guiodyssey {sample} --library third",
    *(
        f"predictions {words} {{sample}}/predictions/{name}.json --dialect guiodyssey {THIRD}"
        for name in ("careful", "hasty")
        for words in (f"import --name {name}", "check")
    ),
    "predictions check {sample}/predictions/careful.json --dialect qwen25vl --library third",
    *(
        f"score --run {name} --protocol guiodyssey@2 --library third"
        for name in ("careful", "hasty")
    ),
    "compare --run careful --run hasty --protocol guiodyssey@2 --only all --library third",
    "lint --library third",
    "regions propose s-0001",
    "regions list s-0001",
    "regions set s-0001 0 --box 10 20 110 220",
    "episodes edit s-0001 --step 0 --note words",
    "episodes undo",
    "episodes redo",
    "episodes review s-0002 accept",
    "attempts judge s-0003 failed",
    "attempts leave-out s-0004 --reason words",
    "attempts --episode s-0001",
    "episodes private s-0005",
    "splits make --by episode --dataset guiodyssey --name half --library third",
    "episodes merge third",
    "episodes delete s-0006",
    "episodes list",
    "episodes history",
    "episodes check",
]
_MADE = (
    (re.compile(r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}"), "UUID"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)?"), "TIME"),
)


def record(program: str, out: Path) -> None:
    """Runs the commands with one version, and writes their exit codes and JSON to a file."""
    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for words in ["sample", *COMMANDS]:
            command = words.format(sample=_sample(program)).split()
            if "--library" not in command and command[0] not in ("protocols", "models"):
                command += ["--library", "library"]
            if command[:2] in (["lint", "rules"], ["columns", "score"]):
                command = command[: command.index("--library")]
            done = subprocess.run(
                [program, *command, "--json"], cwd=folder, capture_output=True, text=True
            )
            text = done.stdout.replace(str(folder), "FOLDER").replace(_sample(program), "SAMPLE")
            key = words if words not in found else f"{words} (again)"
            found[key] = {
                "code": done.returncode,
                "json": json.loads(text) if text.strip() else None,
                "error": done.stderr.replace(str(folder), "FOLDER").strip(),
            }
    out.write_text(json.dumps(found, indent=1, ensure_ascii=False))


def _sample(program: str) -> str:
    """Returns the folder of sample files that this version carries."""
    python = Path(program).with_name("python")
    script = "import assets; print(assets.__path__[0])"
    answer = subprocess.run(
        [python, "-P", "-c", script], capture_output=True, text=True, check=True
    )
    return f"{answer.stdout.strip()}/sample"


def differences(before: Any, after: Any, place: str = "") -> Iterator[tuple[str, str, Any, Any]]:
    """Yields (kind, place, before, after) of each difference; kind is `sentence` or `fact`."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            if key == "gold_revision":  # counts transactions, of which an import makes more or less
                continue
            if key not in after or key not in before:
                gone = (before.get(key, "missing"), after.get(key, "missing"))
                yield "fact", f"{place}.{key}", *gone
            else:
                yield from differences(before[key], after[key], f"{place}.{key}")
    elif (one := _by_name(before)) is not None and (other := _by_name(after)) is not None:
        yield from differences(one, other, place)
    elif isinstance(before, list) and isinstance(after, list):
        if len(before) != len(after):
            yield "fact", f"{place} (length)", len(before), len(after)
        for at, (one, other) in enumerate(zip(before, after, strict=False)):
            yield from differences(one, other, f"{place}[{at}]")
    elif _settled(before) != _settled(after):
        both = isinstance(before, str) and isinstance(after, str)
        yield (
            "sentence" if both and (" " in before or " " in after) else "fact",
            place,
            before,
            after,
        )


def _by_name(value: Any) -> dict[str, Any] | None:
    """Returns a list's entries by what names them, so that one in between moves no other."""
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        return None
    for names in (("episode", "step"), ("name", "version"), ("rule", "episode"), ("rule",)):
        found = {" ".join(str(one.get(name)) for name in names): one for one in value}
        if len(found) == len(value) > 0 and names[0] in value[0]:
            return {f"[{name}]": one for name, one in found.items()}
    return None


def _settled(value: Any) -> Any:
    """Returns a value without what is made anew in each run."""
    if isinstance(value, str):
        for pattern, name in _MADE:
            value = pattern.sub(name, value)
    return value


def compare(before: Path, after: Path, *, sentences: bool) -> int:
    """Prints the differences; returns how many are not sentences."""
    old, new = (json.loads(path.read_text()) for path in (before, after))
    facts, words = 0, set()
    for command in old:
        for kind, place, one, other in differences(old[command], new.get(command)):
            if kind == "sentence" or place == ".error":
                words.add((one, other))
                continue
            facts += 1
            print(f"{command}: {place}: {str(one)[:100]!r} -> {str(other)[:100]!r}")
    if sentences:
        for one, other in sorted(words):
            print(f"- {one}\n+ {other}\n")
    print(f"{len(old)} commands, {facts} differences, {len(words)} changed sentences")
    return facts


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["record", program, out]:
            record(str(Path(program).absolute()), Path(out))
        case ["compare", before, after, *rest]:
            sys.exit(min(1, compare(Path(before), Path(after), sentences=rest == ["--sentences"])))
        case _:
            sys.exit(__doc__)
