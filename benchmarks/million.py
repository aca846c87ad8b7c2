"""Compares each protocol's rule with its transcription, and both with the rule over columns.

    python benchmarks/million.py [--protocol NAME ...] [--count N] [--seed S] [--only WHAT]

The cases are those of `tests/oracles`: at least a fifth of them lie on a threshold or one unit in
the last place beside it. The transcription was written from the description alone; where it had to
guess, what the released code does is settled as in `tests/scoring/*_transcription.py`. Prints one
line a protocol, and ends with 1 when something differs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import groupby, islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from episodes.step_columns import columns_of  # noqa: E402
from episodes.verdicts import Outcome  # noqa: E402
from scoring.bulk.auto_gui import carried  # noqa: E402
from scoring.bulk.marks import Marks, mark_of  # noqa: E402
from scoring.bulk.table import judge_batch  # noqa: E402
from scoring.protocols import PROTOCOLS  # noqa: E402
from tests.oracles import (  # noqa: E402
    aitw_cases,
    aitz_agentcpm_cases,
    aitz_cases,
    auto_gui_cases,
    guiodyssey_cases,
    odyssey_others_cases,
    strict_cases,
)
from tests.oracles import androidcontrol_cases as ac_cases  # noqa: E402
from tests.scoring import androidcontrol_sides as ac_sides  # noqa: E402
from tests.scoring import test_against_transcription as odyssey  # noqa: E402
from tests.scoring import test_aitw_transcription as aitw  # noqa: E402
from tests.scoring import test_aitz_agentcpm_transcription as aitz_agentcpm  # noqa: E402
from tests.scoring import test_aitz_transcription as aitz  # noqa: E402
from tests.scoring import test_androidcontrol_transcriptions as androidcontrol  # noqa: E402
from tests.scoring import test_auto_gui_transcription as auto_gui  # noqa: E402
from tests.scoring import test_odyssey_others_transcription as others  # noqa: E402
from tests.scoring import test_strict_transcription as strict  # noqa: E402
from tests.scoring.bulk_rows import PAIRS, Row, rows  # noqa: E402

AT_ONCE = 20_000
OTHERS = ("columns", "transcription")  # what leaves out the first, and the second comparison
Case = dict[str, Any]
Compared = Iterator[tuple[Case, bool]]
"""Cases with whether the rule and the transcription agree."""


def _aitw(seed: int, count: int) -> Compared:
    for case in aitw_cases.cases(seed, count):
        settled = aitw.settled(case)
        expected = aitw.theirs(case) if settled is None else settled
        yield case, (aitw.ours(case).outcome is Outcome.MATCH) == expected


def _odyssey(seed: int, count: int, *, version: int) -> Compared:
    for case in guiodyssey_cases.cases(seed, count):
        if case["kind"] not in guiodyssey_cases.SILENT:
            expected = odyssey.settled(case, version) or odyssey.theirs(case, version)
            yield case, odyssey.ours(case, version) == expected


def _aitz(seed: int, count: int) -> Compared:
    for case in aitz_cases.cases(seed, count):
        if case["kind"] not in aitz_cases.SILENT:
            yield case, aitz.ours(case) == aitz.theirs(case)


def _auto_gui(seed: int, count: int, *, version: int) -> Compared:
    for run in auto_gui_cases.runs(seed, count):
        yield from auto_gui.compared(run, version)


def _aitz_agentcpm(seed: int, count: int) -> Compared:
    for case in aitz_agentcpm_cases.cases(seed, count):
        if case["kind"] not in aitz_agentcpm_cases.SILENT:
            yield case, aitz_agentcpm.agree(case)


def _strict(seed: int, count: int) -> Compared:
    for case in strict_cases.cases(seed, count):
        if case["kind"] not in strict_cases.SILENT:
            yield case, strict.agree(case)


def _others(seed: int, count: int, *, protocol: str) -> Compared:
    for case in odyssey_others_cases.cases(seed, count):
        if case["protocol"] == protocol and case["kind"] not in odyssey_others_cases.SILENT:
            settled = others.settled(case)
            expected = others.theirs(case) if settled is None else settled
            yield case, others.ours(case) == expected


def _androidcontrol(seed: int, count: int, *, evaluator: str) -> Compared:
    for case in ac_cases.cases(evaluator, seed, count):
        if not ac_cases.is_silent(evaluator, case):
            theirs = ac_cases.judge(evaluator, case)[0]
            same = ac_sides.ours(evaluator, case) is theirs
            yield case, same or bool(androidcontrol.settled(evaluator, case, theirs))


TRANSCRIBED: dict[str, Callable[[int, int], Compared]] = {
    "aitw@1": _aitw,
    "guiodyssey@1": partial(_odyssey, version=1),
    "guiodyssey@2": partial(_odyssey, version=2),
    "aitw/auto-gui@2": partial(_auto_gui, version=2),
    "aitw/auto-gui@1": partial(_auto_gui, version=1),
    "aitz@2": _aitz,
    "aitz@1": _aitz,
    "aitz/lift@2": _aitz,
    "aitz/lift@1": _aitz,
    "aitz/agentcpm@2": _aitz_agentcpm,
    "aitz/agentcpm@1": _aitz_agentcpm,
    "taptrail-strict@1": _strict,
    "guiodyssey/os-atlas@2": partial(_others, protocol=odyssey_others_cases.OS_ATLAS),
    "guiodyssey/os-atlas@1": partial(_others, protocol=odyssey_others_cases.OS_ATLAS),
    "guiodyssey/agentcpm@1": partial(_others, protocol=odyssey_others_cases.AGENTCPM),
    "guiodyssey/gui-r1@2": partial(_others, protocol=odyssey_others_cases.GUI_R1),
    "guiodyssey/gui-r1@1": partial(_others, protocol=odyssey_others_cases.GUI_R1),
    "androidcontrol/gui-r1@2": partial(_androidcontrol, evaluator="gui-r1"),
    **{
        f"androidcontrol/{name}@1": partial(_androidcontrol, evaluator=name)
        for name in ac_cases.EVALUATORS
    },
}


def transcribed(protocol: str, seed: int, count: int) -> tuple[int, list[Case]]:
    """Returns how many cases were compared with the transcription, and those that differ."""
    compared, differing = 0, []
    if protocol in TRANSCRIBED:
        for case, same in islice(TRANSCRIBED[protocol](seed, 10 * count), count):
            compared += 1
            if not same:
                differing.append(case)
    return compared, differing


def in_columns(protocol: str, seed: int, count: int) -> tuple[int, list[Row]]:
    """Returns how many rows were judged both ways, and those that differ."""
    rules, compared, differing = PROTOCOLS[protocol], 0, []
    carry = rules.carry() if rules.carry is not None else None
    batches = list_batches(rows(PAIRS[protocol], count, seed))
    for told, batch in with_rows(batches, lambda given: carried(rules, given)):
        marks = Marks()
        codes = judge_batch(rules, batch, marks).tolist()
        for code, (episode, step, said, doubled) in zip(codes, told, strict=True):
            judged = carry(said, step) if carry is not None and not doubled else said
            expected = mark_of(rules.verdict(judged, step, episode))
            mark = marks.told[code]
            same = (mark.outcome, dict(mark.parts)) == (expected.outcome, dict(expected.parts))
            compared += 1
            if not same:
                differing.append((episode, step, said, doubled))
    return compared, differing


def list_batches(made: Iterator[Row]) -> Iterator[list[Row]]:
    """Yields rows of whole episodes, about `AT_ONCE` at a time."""
    episodes = (list(group) for _, group in groupby(made, key=lambda row: row[0].uuid))
    while batch := [row for episode in islice(episodes, AT_ONCE // 5) for row in episode]:
        yield batch


def with_rows(batches: Iterator[list[Row]], through: Callable[..., Any]) -> Iterator[Any]:
    """Yields each batch's rows with its columns, as `through` leaves them."""
    told: list[list[Row]] = []

    def given() -> Iterator[Any]:
        for batch in batches:
            told.append(batch)
            yield columns_of(batch)

    for columns in through(given()):
        yield told.pop(0), columns


def main() -> int:
    """Compares and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--protocol", action="append", choices=list(PROTOCOLS))
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=20_270_101)
    parser.add_argument("--only", choices=["transcription", "columns"])
    parser.add_argument("--tiny", action="store_true", help="only see that it runs, in seconds")
    options = parser.parse_args()
    if options.tiny:
        options.count = 40
    failed = False
    print("| protocol | to the transcription | differ | over columns | differ | time |")
    print("| --- | --- | --- | --- | --- | --- |", flush=True)
    for protocol in options.protocol or PROTOCOLS:
        began = time.perf_counter()
        first, second = (options.count if options.only != other else 0 for other in OTHERS)
        compared, wrong = transcribed(protocol, options.seed, first)
        judged, wrong_rows = in_columns(protocol, options.seed, second)
        seconds = time.perf_counter() - began
        told = f"{compared:,} | {len(wrong)}" if protocol in TRANSCRIBED else "none | "
        print(f"| {protocol} | {told} | {judged:,} | {len(wrong_rows)} | {seconds:.0f} s |")
        for one in [*wrong[:3], *wrong_rows[:3]]:
            print(f"    {one}", file=sys.stderr)
        sys.stdout.flush()
        failed = failed or bool(wrong or wrong_rows)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
