"""Measures scoring over columns against a loop that judges one step after another, side by side.

    python benchmarks/bulk.py [--steps N] [--only aitw|guiodyssey|files] [--loop-every K]

The loop is the plain transcription of the rule in `tests/oracles`. It and the columns take turns,
batch by batch, on the same rows of the same database; what is measured is CPU time of the process.
Both must give the same verdicts. With `--loop-every K` the loop takes only each K-th batch, and
its time is scaled by the steps. Prints Markdown rows for docs/benchmarks.md.

The steps are made here: 20,000 of them with answers, copied in the database under other names.
AITW: 28 boxes a step, 72 % touches, a fifth of those drags. GUIOdyssey: the random split's mix.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from episodes import actions as a  # noqa: E402
from episodes.annotations import Provenance, Region, RegionSource  # noqa: E402
from episodes.episodes import Episode, EpisodeState, Origin, Task  # noqa: E402
from episodes.geometry import Native, Size  # noqa: E402
from episodes.runs import Prediction, Run, Unreadable  # noqa: E402
from episodes.screens import Basis, Frame  # noqa: E402
from episodes.step_columns import StepColumns  # noqa: E402
from episodes.steps import Step  # noqa: E402
from episodes.store.library import Library  # noqa: E402
from episodes.store.places import DATABASE  # noqa: E402
from episodes.store.step_columns import step_columns  # noqa: E402
from replay import column_files  # noqa: E402
from scoring.bulk import aitw as bulk_aitw  # noqa: E402
from scoring.bulk.counts import together  # noqa: E402
from scoring.bulk.marks import Marks  # noqa: E402
from scoring.bulk.table import BULK, judge_batch, score_batch  # noqa: E402
from scoring.protocols import PROTOCOLS  # noqa: E402
from taptrail.usecases.columns import write_columns  # noqa: E402
from tests.oracles import aitw as aitw_oracle  # noqa: E402
from tests.oracles import guiodyssey as odyssey_oracle  # noqa: E402

BASE = 20_000
ALL_OF_AITW = 5_690_000
FRAME = Frame(Size(1080, 2400), Basis.IMPORTED)
NOTHING = Unreadable("not read: the benchmark judges the data set's own numbers")
WORDS = [
    "weather",
    "in",
    "paris",
    "tomorrow",
    "new",
    "york",
    "pizza",
    "near",
    "me",
    "running",
    "shoes",
    "cheap",
    "flights",
]
CATEGORIES = {
    "aitw": ("general", "google_apps", "install", "single", "web_shopping"),
    "guiodyssey": ("Multi_Apps", "Web_Shopping", "General_Tool", "Information_Management",
                   "Media_Entertainment", "Social_Sharing"),
}  # fmt: skip


# ------------------------------------------------------------------------------------ what is made


def f32(number: float) -> float:
    """Returns a float32 number as the data set's files have it."""
    return float(np.float32(number))


def aitw_step(rng: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns a step with 28 boxes and an answer, in the data set's own numbers."""
    y, x = rng.random(), rng.random()
    boxes = [
        [f32(n) for n in (rng.random(), rng.random(), rng.random() * 0.05, rng.random() * 0.3)]
        for _ in range(28)
    ]
    code = rng.choices([4, 3, 10, 5, 6, 7, 11], [72, 9, 12, 3, 2, 1, 1])[0]
    gold = _gesture(code, y, x, rng)
    near = rng.random() < 0.75
    spread = 0.03 if near else 0.3
    told = code if rng.random() < 0.85 else rng.choice([4, 3, 10, 5])
    said = _gesture(told, y + rng.gauss(0, spread), x + rng.gauss(0, spread), rng)
    return gold | {"boxes": boxes}, said


def _gesture(code: int, y: float, x: float, rng: random.Random) -> dict[str, Any]:
    touch = lift = [-1.0, -1.0]
    if code == 4:
        touch = lift = [f32(y), f32(x)]
        if rng.random() < 0.2:
            lift = [f32(y + rng.uniform(-0.5, 0.5)), f32(x + rng.uniform(-0.2, 0.2))]
    text = " ".join(rng.sample(WORDS, 3)) if code == 3 else ""
    return {"action_type": code, "touch": touch, "lift": lift, "text": text}


def odyssey_step(rng: random.Random) -> tuple[dict[str, Any], Any, str]:
    """Returns an annotation, its region's box and an answer."""
    x, y = rng.randint(20, 980), rng.randint(20, 980)
    kind = rng.choices(["CLICK", "KEY", "TEXT", "SCROLL", "COMPLETE", "LONG_PRESS"],
                       [63, 10, 10, 10, 6, 1])[0]  # fmt: skip
    words = " ".join(rng.sample(WORDS, 4))
    info: Any = [[x, y], [x, y]]
    box: Any = []
    if kind in ("CLICK", "LONG_PRESS"):
        box = [x - 20, y - 15, x + 25, y + 15]
        spread = 15 if rng.random() < 0.75 else 250
        answer = f"{kind}: ({x + round(rng.gauss(0, spread))}, {y + round(rng.gauss(0, spread))})"
    elif kind == "KEY":
        kind, info, answer = "CLICK", "KEY_HOME", "PRESS_HOME"
    elif kind == "TEXT":
        other = " ".join(rng.sample(WORDS, 4)) if rng.random() < 0.4 else words
        info, answer = words, f"TYPE: {other}"
    elif kind == "SCROLL":
        info, answer = [[x, y], [x, y - 300]], f"SCROLL: {rng.choice(['UP', 'UP', 'DOWN'])}"
    else:
        info, answer = "", "COMPLETE"
    if rng.random() < 0.1:
        answer = rng.choice(["SCROLL: UP", "PRESS_BACK", "COMPLETE", "CLICK: (500, 500)"])
    return {"action": kind, "info": info}, box, answer


def base(what: str, rng: random.Random, count: int) -> Iterator[tuple[Episode, list[Prediction]]]:
    """Yields episodes of 5 to 12 steps, with the run's predictions."""
    made = number = 0
    while made < count:
        name, steps, said = f"{number:012d}", [], []
        for index in range(rng.randint(5, 12)):
            region: tuple[Region, ...] = ()
            if what == "aitw":
                gold, answer = aitw_step(rng)
            else:
                gold, box, answer = odyssey_step(rng)
                native = Native.of(what, box)
                region = (Region(None, Provenance(RegionSource.IMPORT), native=native),)
            native = Native.of(what, gold)
            step = Step(index, a.Other("annotated"), frame=FRAME, native=native, regions=region)
            steps.append(step)
            raw = answer if isinstance(answer, str) else json.dumps(answer)
            said.append(Prediction(name, index, raw, NOTHING, Native.of(what, answer), line=1))
        task = Task("do it", category=CATEGORIES[what][number % len(CATEGORIES[what])])
        uuid = f"{what}-{name}"
        origin = Origin(what, "1")
        yield Episode(uuid, name, origin, task, EpisodeState.FINISHED, tuple(steps)), said
        made += len(steps)
        number += 1


def fill(folder: Path, what: str, steps: int) -> int:
    """Makes a library of about this many steps and a run that answers them; returns the number."""
    made = list(base(what, random.Random(7), min(BASE, steps)))
    with Library.open(folder) as library:
        library.save_episodes(episode for episode, _ in made)
        library.save_run(Run("run", what), (one for _, said in made for one in said))
    held = sum(len(episode.steps) for episode, _ in made)
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        for copy in range(1, max(1, round(steps / held))):
            with database:
                for table, keys, names in _COPIED:
                    _copy(database, table, keys, names, copy)
        (count,) = database.execute("SELECT count(*) FROM step").fetchone()
    return int(count)


# Table, columns that are keys of copied rows, columns that hold names.
_COPIED = (
    ("episode", ("id",), ("uuid", "name")),
    ("frame", ("id", "episode"), ()),
    ("step", ("id", "episode", "frame"), ()),
    ("region", ("id", "step"), ("uuid",)),
    ("prediction", ("id",), ("episode",)),
)
_STRIDE = 10**7


def _copy(conn: Any, table: str, keys: tuple[str, ...], names: tuple[str, ...], copy: int) -> None:
    columns = [row[1] for row in conn.execute(f"PRAGMA table_info({table})")]
    told = [
        f"{name} + {copy * _STRIDE}"
        if name in keys
        else f"{name} || '-{copy}'"
        if name in names or (table == "step" and name == "origin")
        else name
        for name in columns
    ]
    conn.execute(
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(told)} FROM {table} "
        f"WHERE id < {_STRIDE}"
    )


# ------------------------------------------------------------------------------------ what is timed


@dataclass
class Timings:
    """Seconds and steps of each thing that is timed."""

    seconds: dict[str, float] = field(default_factory=dict)
    steps: dict[str, int] = field(default_factory=dict)

    def time(self, what: str, steps: int, work: Callable[[], Any]) -> Any:
        """Does the work and adds its time."""
        began = time.process_time()
        found = work()
        self.seconds[what] = self.seconds.get(what, 0) + time.process_time() - began
        self.steps[what] = self.steps.get(what, 0) + steps
        return found

    def each(self, *names: str) -> float:
        """Returns microseconds a step of some things together."""
        return sum(self.seconds[name] / self.steps[name] for name in names) * 1e6


def aitw_loop(gold: list[Any], said: list[Any]) -> list[bool]:
    """Judges one step after another; a screen without boxes is wrong."""
    found = []
    for step, answer in zip(gold, said, strict=True):
        try:
            found.append(aitw_oracle.judge(step, answer, step["boxes"])[0])
        except aitw_oracle.NoBoxes:
            found.append(False)
    return found


def odyssey_loop(gold: list[Any], said: list[Any], boxes: list[Any]) -> list[bool]:
    """Judges one step after another."""
    decoded = odyssey_oracle.decode_action
    return [
        odyssey_oracle.judge(decoded(step["action"], step["info"]), answer, box, 2)[0]
        for step, answer, box in zip(gold, said, boxes, strict=True)
    ]


def parsed(texts: Iterable[str]) -> list[Any]:
    """Returns JSON texts as values, with the transcription's word for an action's code."""
    found = [json.loads(text) for text in texts]
    for value in found:
        if isinstance(value, dict) and "action_type" in value:
            value["type"] = value.pop("action_type")
    return found


def totals_of(columns: StepColumns, right: list[bool]) -> dict[str, list[int]]:
    """Adds verdicts up by episode, as a loop does."""
    found: dict[str, list[int]] = {}
    for place, one in zip(columns.episode.tolist(), right, strict=True):
        counts = found.setdefault(columns.episodes[place].uuid, [0, 0])
        counts[0] += one
        counts[1] += 1
    return found


def measure(what: str, steps: int, loop_every: int) -> None:
    """Prints the rows of one data set."""
    key = {"aitw": "aitw@1", "guiodyssey": "guiodyssey@2"}[what]
    rules, clock, partials = PROTOCOLS[key], Timings(), []
    with tempfile.TemporaryDirectory(dir="/var/tmp") as place, ExitStack() as stack:
        path = Path(place) / "library"
        count = fill(path, what, steps)
        with Library.read(path) as library:
            batches = step_columns(library, "run", lean=BULK[key].lean)
            plain = stack.enter_context(closing(sqlite3.connect(path / DATABASE))).execute(_PLAIN)
            number = 0
            while True:
                batch = clock.time("read", 0, lambda: next(batches, None))
                if batch is None:
                    break
                n = len(batch)
                clock.steps["read"] += n
                partials.append(clock.time("bulk", n, lambda b=batch: score_batch(rules, b)))
                if number % loop_every == 0:
                    texts = clock.time("read plain", n, lambda n=n: plain.fetchmany(n))
                    _against_loop(what, clock, rules, batch, texts)
                else:
                    plain.fetchmany(n)
                number += 1
            totals = BULK[key].totals
            metrics = clock.time("totals", count, lambda: totals(together(partials)))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    loop, read = clock.each("loop"), clock.each("read")
    both = clock.each("read plain", "parse", "loop", "add")
    ours = clock.each("read", "bulk", "totals")
    kernel = clock.each("kernel")
    looped = clock.steps["loop"]
    print(f"\n{key}, {count:,} steps, the loop on {looped:,} of them; peak memory {peak:.0f} MB")
    print("\n| | loop, µs a step | columns, µs a step | ratio |\n| --- | --- | --- | --- |")
    alone = f"{loop:.1f} | {kernel:.2f} | {loop / kernel:.0f} |"
    print(f"| the rule alone, on values that were read | {alone}")
    print(f"| from the database to the numbers | {both:.1f} | {ours:.1f} | {both / ours:.1f} |")
    print(f"| the same, to the loop's rule alone | {loop:.1f} | {ours:.1f} | {loop / ours:.1f} |")
    parts = ", ".join(f"{name} {clock.each(name):.2f}" for name in clock.seconds)
    print(f"\nµs a step by part: {parts} (read {read:.1f})")
    print(f"From the database: {ours * count / 1e6:.1f} s for {count:,} steps", end="")
    print(f", {ours * ALL_OF_AITW / 1e6:.0f} s for 5.69 million." if what == "aitw" else ".")
    first = next(iter(metrics.values.items()))
    print(f"{first[0]} {first[1].value}", flush=True)


_PLAIN = """
    SELECT step.native_text, prediction.native_text,
        (SELECT native_text FROM region WHERE region.step = step.id)
    FROM step INDEXED BY step_number CROSS JOIN episode ON episode.id = step.episode
    CROSS JOIN prediction
        ON run = 1 AND prediction.episode = episode.name AND prediction.step = step.number
    WHERE deleted = 0 ORDER BY step.episode, step.number
"""


def _against_loop(
    what: str, clock: Timings, rules: Any, batch: StepColumns, texts: list[tuple[str, str, str]]
) -> None:
    n = len(batch)
    golds, saids, regions = zip(*texts, strict=True)
    gold = clock.time("parse", n, lambda: parsed(golds))
    said = clock.time("parse", 0, lambda: parsed(saids))
    if what == "aitw":
        right = clock.time("loop", n, lambda: aitw_loop(gold, said))
        fit = bulk_aitw.fitting(batch)
        sides = (fit.gold, fit.said, fit.packed)
        clock.time("kernel", n, lambda: bulk_aitw.matches(*sides))
    else:
        from scoring.bulk.odyssey import own
        from scoring.bulk.odyssey_rows import rows_of

        boxes = clock.time("parse", 0, lambda: parsed(regions))
        right = clock.time("loop", n, lambda: odyssey_loop(gold, said, boxes))
        found = rows_of(batch)
        clock.time("kernel", n, lambda: own(found, Marks(), regions=True))
    clock.time("add", n, lambda: totals_of(batch, right))
    marks = Marks()
    codes = judge_batch(rules, batch, marks)
    told = [marks.told[code].outcome.value == "match" for code in codes.tolist()]
    assert told == right, "the columns and the loop do not agree"


def measure_files(steps: int) -> None:
    """Prints the rows of GUIOdyssey from files to numbers.

    The loop does what the released evaluator does with its prediction file, with the transcription
    as its rule: it loads the file, judges row by row, adds up AMS and SR over the categories, and
    writes the rows with their verdicts again. The columns were written once, when the run came in.
    """
    clock, rules = Timings(), PROTOCOLS["guiodyssey@2"]
    with tempfile.TemporaryDirectory(dir="/var/tmp") as place:
        folder = Path(place)
        count = fill(folder / "library", "guiodyssey", steps)
        write_columns("run", folder / "library", folder / "columns")
        _write_predictions(folder / "library", folder / "run.json")
        size = (folder / "run.json").stat().st_size
        _from_columns(folder / "columns", rules)  # loads what is loaded once
        for _ in range(3):
            metrics = clock.time("columns", count, lambda: _from_columns(folder / "columns", rules))
            told = clock.time("load", count, lambda: json.loads((folder / "run.json").read_text()))
            ams, sr = clock.time("judge", count, lambda rows=told: _judge_file(rows))
            clock.time("write", count, lambda rows=told: _write_result(rows, folder / "out.json"))
    values = metrics.values
    assert (values["AMS/category mean"].value, values["SR/category mean"].value) == (ams, sr)
    ours = clock.each("columns")
    whole, silent = clock.each("load", "judge", "write"), clock.each("load", "judge")
    print(f"\nguiodyssey@2, {count:,} steps in a file of {size / 1e6:.0f} MB: AMS {ams}, SR {sr}")
    print("\n| | loop, µs a step | columns, µs a step | ratio |\n| --- | --- | --- | --- |")
    print(
        f"| file to AMS and SR, verdicts written | {whole:.1f} | {ours:.1f} | {whole / ours:.1f} |"
    )
    print(f"| file to AMS and SR | {silent:.1f} | {ours:.1f} | {silent / ours:.1f} |", flush=True)


def _from_columns(folder: Path, rules: Any) -> Any:
    bulk, parts = BULK[rules.key], column_files.parts_of(folder)
    found = (score_batch(rules, column_files.read(part, bulk.lean)) for part in parts)
    return bulk.totals(together(found))


def _write_predictions(library: Path, path: Path) -> None:
    """Writes the run as the evaluator's inference does, with the prompt it was asked with."""
    told = []
    with Library.read(library) as opened:
        for batch in step_columns(opened, "run"):
            for row in range(len(batch)):
                episode = batch.episodes[int(batch.episode[row])]
                gold = json.loads(batch.native[row] or "")
                answer = odyssey_oracle.decode_action(gold["action"], gold["info"])
                picture = f"/data/GUIOdyssey/screenshots/{episode.name}_{batch.number[row]}.png"
                question = (
                    f"Picture 1: <img>{picture}</img>\nI'm looking for guidance on how to "
                    + " ".join(WORDS)
                    + ". The pictures are screens of a phone, the oldest first; answer with one "
                    + "action of CLICK, LONG_PRESS, SCROLL, TYPE, PRESS_BACK, PRESS_HOME, "
                    + "PRESS_RECENT, COMPLETE or IMPOSSIBLE, and with its argument behind a colon."
                    + f"\nPrevious screenshots: <img>image-history: {picture}</img>\n"
                    + "Previous Actions: 1. CLICK: (500, 500)\n2. TYPE: weather\n3. SCROLL: UP\n4. "
                    + "PRESS_BACK\n"
                )
                more = {"category": episode.category, "step_length": episode.declared}
                box = json.loads(batch.box[row] or "null")
                row_of = {"question": question, "pred": json.loads(batch.said_native[row] or "")}
                told.append(row_of | {"gt": answer, "more_info": more | {"sam2_bbox": box}})
    path.write_text(json.dumps(told))


def _judge_file(rows: list[Any]) -> tuple[float, float]:
    """Judges each row, and returns AMS and SR as means over the categories."""
    counts: dict[str, list[int]] = {}
    episodes: dict[str, list[Any]] = {}
    for row in rows:
        more = row["more_info"]
        right, label = odyssey_oracle.judge(row["gt"], row["pred"], more["sam2_bbox"], 2)
        row["correct"], row["info"] = "yes" if right else "no", label
        category = counts.setdefault(more["category"], [0, 0])
        category[0] += right
        category[1] += 1
        name = row["question"].split("<img>")[1].split("</img>")[0].rsplit("/", 1)[-1]
        episode = episodes.setdefault(name.rsplit("_", 1)[0], [0, 0, more])
        episode[0] += right
        episode[1] += 1
    whole: dict[str, list[int]] = {name: [0, 0] for name in counts}
    for right, seen, more in episodes.values():
        if seen == more["step_length"]:
            whole[more["category"]][0] += right == seen
            whole[more["category"]][1] += 1
    means = []
    for shares in (counts, whole):
        percents = [round(hits / total * 100, 2) for hits, total in shares.values()]
        means.append(float(np.round(np.mean(percents), 2)))
    return means[0], means[1]


def _write_result(rows: list[Any], path: Path) -> None:
    with path.open("w") as file:
        json.dump(rows, file, indent=4)


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=1_200_000)
    parser.add_argument("--only", choices=["aitw", "guiodyssey", "files"])
    parser.add_argument("--loop-every", type=int, default=1)
    parser.add_argument("--tiny", action="store_true", help="only see that it runs, in seconds")
    options = parser.parse_args()
    if options.tiny:
        options.steps = 200
    odyssey = min(options.steps, 125_000)
    for what in ("aitw", "guiodyssey"):
        if options.only in (None, what):
            measure(what, options.steps if what == "aitw" else odyssey, options.loop_every)
    if options.only in (None, "files"):
        measure_files(odyssey)
    return 0


if __name__ == "__main__":
    sys.exit(main())
