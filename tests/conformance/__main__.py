"""`python -m tests.conformance FILE.jsonl`: what Taptrail says of a file of cases.

One case a line, as in `tests/vectors/`. Of each it reads what a case gives (id, protocol, gold,
prediction, context, steps, ...), never what is expected of it. It prints one line a case:
{"id", "got"}, {"id", "error"} where the original ends with an error of its own kind, or
{"id", "unsupported"} with the reason.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from episodes.errors import KnownError
from scoring.protocols import lookup
from tests.conformance import aitw, androidcontrol, benches, evaluators, guiodyssey, imports
from tests.conformance.table import origin_table, run_table, vector_table

_READ = (
    "id",
    "protocol",
    "variant",
    "bench",
    "kind",
    "gold",
    "prediction",
    "context",
    "input",
    "steps",
    "datasets",
)
# A case's version counts what its file says of the code at the pinned commit. Where a version here
# missed that code, the next version has it, and answers.
_ANSWERS = {
    "guiodyssey-official-v2": guiodyssey.step_answer("guiodyssey@2"),
    "guiodyssey@2": guiodyssey.step_answer("guiodyssey@2"),
    "guiodyssey-official-v1": guiodyssey.step_answer("guiodyssey@1"),
    "guiodyssey@1": guiodyssey.step_answer("guiodyssey@1"),
    "guiodyssey-official-v2/aggregate": guiodyssey.aggregate_answer("guiodyssey@2"),
    "guiodyssey@2/aggregate": guiodyssey.aggregate_answer("guiodyssey@2"),
    "guiodyssey-official-v1/aggregate": guiodyssey.aggregate_answer("guiodyssey@1"),
    "guiodyssey@1/aggregate": guiodyssey.aggregate_answer("guiodyssey@1"),
    "aitw-official": aitw.step_answer("aitw@1"),
    "aitw/aggregate": aitw.aggregate_answer,
    **{name: evaluators.one_answer(name) for name in (*evaluators.ODYSSEY, *evaluators.WILD)},
    **{
        name: answer(lookup(protocol).key)
        for answer, protocols in (
            (aitw.step_answer, ("aitw", "aitw/auto-gui", "aitz", "aitz/lift", "aitz/agentcpm")),
            (
                guiodyssey.step_answer,
                ("guiodyssey/os-atlas", "guiodyssey/agentcpm", "guiodyssey/gui-r1"),
            ),
        )
        for protocol in protocols
        for name in (protocol, f"{protocol}@1", lookup(protocol).key)
    },
}


def answers(path: Path) -> Iterator[dict[str, Any]]:
    """Yields the answer to each case of a file, one for each line that is not blank."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                case = json.loads(line)
            except (ValueError, RecursionError) as error:
                yield {"id": None, "error": f"line {number} is not JSON: {error}"}
                continue
            if isinstance(case, dict):
                yield answer(case)
            else:
                yield {"id": None, "error": f"line {number} is no JSON object"}


def answer(case: dict[str, Any]) -> dict[str, Any]:
    """Returns the answer to one case; what it gives in a wrong form is an error of its own."""
    given = {name: case[name] for name in _READ if name in case}
    protocol = given.get("protocol")
    if isinstance(protocol, str) and protocol in evaluators.NOT_HERE:
        return {"id": given.get("id"), "unsupported": evaluators.NOT_HERE[protocol]}
    found = _ANSWERS.get(protocol) if isinstance(protocol, str) else None
    if androidcontrol.knows(given):
        found = androidcontrol.answer
    if imports.knows(given):
        found = imports.answer
    if benches.knows(given):
        found = benches.answer
    if found is None and protocol is None and isinstance(given.get("gold"), dict):
        found = evaluators.answer
    if found is None:
        return {"id": given.get("id"), "unsupported": f"there is no protocol “{protocol}” here"}
    try:
        return {"id": given.get("id"), **found(given)}
    except _FAILURES as error:
        return {"id": given.get("id"), "error": f"{type(error).__name__}: {error}"}


# A case written by hand can be wrong in any way; the next one still gets its answer.
_FAILURES = (
    KnownError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    MemoryError,
)


def main() -> int:
    """Answers the files named on the command line; `--table` counts the vectors instead."""
    arguments = sys.argv[1:]
    if arguments == ["--table"]:
        print(run_table(), origin_table(), vector_table(), sep="\n\n")
        return 0
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("usage: python -m tests.conformance FILE.jsonl | --table", file=sys.stderr)
        return 2
    try:
        for told in answers(Path(arguments[0])):
            sys.stdout.buffer.write(_line(told))
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        print(f"Cannot read {arguments[0]}: {error.strerror or error}.", file=sys.stderr)
        return 1
    return 0


def _line(told: dict[str, Any]) -> bytes:
    told = _as_json(told)
    text = json.dumps(told, ensure_ascii=False)
    try:
        return text.encode() + b"\n"
    except UnicodeEncodeError:  # half a surrogate pair, in an id say, goes out as it came
        return json.dumps(told).encode() + b"\n"


def _as_json(told: Any) -> Any:
    """Returns a value with the text "NaN" for the number that JSON has not."""
    if isinstance(told, dict):
        return {key: _as_json(value) for key, value in told.items()}
    if isinstance(told, list | tuple):
        return [_as_json(value) for value in told]
    return "NaN" if isinstance(told, float) and math.isnan(told) else told


if __name__ == "__main__":
    sys.exit(main())
