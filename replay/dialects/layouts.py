"""Reads rows of predictions from files of any layout: step, answer and stated gold.

Which step a row answers is read in `places`; `documents` reads the files. The answer stands under
the first of a few names, in the body of a batch's response, or in the last turn of a chat.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from replay.dialect import Limits, Row
from replay.dialects.documents import values_in
from replay.dialects.lines import broken, clean
from replay.dialects.places import identity_of, place_of, place_of_picture, word_of

__all__ = [
    "last_turn",
    "place_of",
    "place_of_picture",
    "read_objects",
    "row_of",
    "rows",
    "with_answers",
]

ANSWERS = ("raw", "raw_pred", "llm_output", "generated_text", "response", "pred", "output")
_MORE_ANSWERS = (
    *("predict", "prediction", "predicted_answer", "model_output", "model_response", "completion"),
    *("generated", "generation", "outputs", "choices", "responses", "resps", "predicted_action"),
    *("pred_action", "prediction_text", "filtered_resps", "output_text"),
)
_EITHER = ("answer", "action", "content", "text")
"""Names under which some writers keep the answer, others the gold: taken last."""
GOLD = (
    *("gt", "gold", "label", "labels", "answer", "groundtruth", "gts", "target", "reference"),
    *("solution", "expected", "gtaction", "gtbbox", "gtinputtext", "gtbox", "gtpoint", "gttext"),
    *("goldaction", "bbox", "sam2bbox", "goldbbox", "gtanswer"),
)
_IN_ANSWER = ("text", "content", "message", "generated_text", "output_text", "response", "raw")
_OF_SERVERS = {"choices", "body", "message", "finish_reason", "status_code", "role", "usage"}
_MOST_DEPTH = 8
_MOST_GOLD = 4_000


def rows(path: Path, limits: Limits, answers: tuple[str, ...] = ANSWERS) -> Iterator[Row]:
    """Yields the rows of a file of answers, a list's elements numbered from 1.

    Raises:
        KnownError: it cannot be read, or is larger than is read.
    """
    for number, told in read_objects(path, limits):
        if isinstance(told, Row):
            yield told
        else:
            yield row_of(told, path, number, answers)


def with_answers(*names: str) -> Any:
    """Returns `rows` for files whose answers stand under these names, before the usual ones."""
    return partial(rows, answers=(*names, *ANSWERS))


def read_objects(path: Path, limits: Limits) -> Iterator[tuple[int, dict[str, Any] | Row]]:
    """Yields the objects of a file, or a row with a problem; a bare text is an answer.

    Raises:
        KnownError: the file cannot be read, or is larger than is read.
    """
    for number, value in values_in(path, limits):
        if isinstance(value, str):
            yield number, {"raw": value}
        elif isinstance(value, dict | Row):
            yield number, value
        else:
            text = json.dumps(value, ensure_ascii=False)[:1000]
            yield number, broken(text, "the element is not an object", path, number)


def row_of(decoded: dict[str, Any], path: Path, number: int, answers: tuple[str, ...]) -> Row:
    """Returns the row of one object, whose answer is the first of these that it has."""
    name, value = _answer(decoded, answers)
    raw = clean(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    if not name:
        raw = clean(json.dumps(decoded, ensure_ascii=False)[:1000])
    found = identity_of(decoded)
    problem = ""
    if not found.episode:
        problem = "it names no episode"
    elif found.step < 0:
        problem = "it has no step's number"
    elif not name:
        problem = f"it has no answer: none of {', '.join(answers)}"
    elif isinstance(value, str):
        value = raw
    return Row(
        found.episode,
        found.step,
        raw,
        value if name else None,  # a row without a step may be joined by its position
        stated=_stated(decoded, name),
        problem=problem,
        file=path.name,
        line=number,
        number=found.number,
    )


def last_turn(decoded: dict[str, Any]) -> tuple[str, str] | None:
    """Returns the key of a chat and the model's last turn in it; None if there is none."""
    for name, who, says in (("conversations", "from", "value"), ("messages", "role", "content")):
        turns = decoded.get(name)
        for turn in reversed(turns) if isinstance(turns, list) else ():
            if isinstance(turn, dict) and turn.get(who) in ("gpt", "assistant"):
                said = turn.get(says)
                return (name, said) if isinstance(said, str) else None
    return None


def _answer(decoded: dict[str, Any], answers: tuple[str, ...]) -> tuple[str, Any]:
    """Returns an answer's key and value; "" and None if there is none."""
    names = (*answers, *_inferred(decoded), *_MORE_ANSWERS)
    for name in names:
        if decoded.get(name) is not None and not isinstance(decoded[name], bool):
            return name, _inner(decoded[name], 0)
    if turn := last_turn(decoded):
        return turn
    for name in _EITHER:
        if decoded.get(name) is not None:
            return name, _inner(decoded[name], 0)
    return next((name for name in (*names, *_EITHER) if name in decoded), ""), None


def _inferred(decoded: dict[str, Any]) -> list[str]:
    """ClawGUI writes an answer under its model's name, `qwen3vl_infer`."""
    return [name for name in decoded if name.endswith("_infer")][:1]


def _inner(value: Any, depth: int) -> Any:
    """Returns the model's text in a response of a server, the value itself where it is none."""
    if depth > _MOST_DEPTH:
        return value
    if isinstance(value, list) and value:
        parts = [one.get("text") for one in value if isinstance(one, dict)]
        if len(parts) == len(value) and all(isinstance(part, str) for part in parts):
            return "".join(map(str, parts))
        if len(value) == 1 and isinstance(value[0], str | list):
            return _inner(value[0], depth + 1)
        if isinstance(value[0], dict) and value[0].keys() & {"message", "text", "content"}:
            return _inner(value[0], depth + 1)
    if isinstance(value, dict) and (len(value) == 1 or value.keys() & _OF_SERVERS):
        for name in ("body", "choices", "outputs", "output", *_IN_ANSWER):
            if value.get(name) is not None:
                return _inner(value[name], depth + 1)
        return None if value.keys() & _OF_SERVERS else value
    return value


def _stated(decoded: dict[str, Any], answer: str) -> dict[str, Any] | None:
    """Returns the gold stated in a row, by its own keys; None if there is none."""
    found = {
        name: value
        for name, value in decoded.items()
        if name != answer and word_of(name) in GOLD and value not in (None, "", [])
    }
    if not found or len(json.dumps(found, ensure_ascii=False)) > _MOST_GOLD:
        return None
    return found
