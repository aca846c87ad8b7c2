"""The files answers stand in: JSON lines or one JSON list, each row joined by episode and step.

A list may hold lists of rows, as traces are written.

The episode is "episode" or "episode_id", the step "step" or "step_id"; where a row has neither, its
picture's name says both: `<episode>_<step>.png`, `episode_<episode>_screenshot_<step>.png` or
`<episode>/screenshot_<step>.png`. The answer stands under the first of a few names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from episodes.errors import KnownError
from replay.dialect import NO_STEP, Limits, Row
from replay.dialects.lines import MAX_NAME, MAX_STEP, broken, clean, objects, respelled, too_many

ANSWERS = ("raw", "raw_pred", "llm_output", "generated_text", "response", "pred", "output")
_EPISODES = ("episode", "episode_id")
_STEPS = ("step", "step_id")
_PICTURES = ("image", "image_path", "img")
_PICTURE = re.compile(
    r"(?:.{0,2000}[/\\])?(?:"
    r"episode_(?P<a>[^/\\]{1,200})_screenshot_(?P<a_step>[0-9]{1,7})"
    r"|(?P<c>[^/\\]{1,200})_(?P<c_step>[0-9]{1,7})"
    r")\.[A-Za-z0-9]{1,5}",
    re.DOTALL,
)
_IN_FOLDER = re.compile(
    r"(?:.{0,2000}[/\\])?(?P<b>[^/\\]{1,200})[/\\]screenshot_(?P<b_step>[0-9]{1,7})\.[A-Za-z0-9]{1,5}",
    re.DOTALL,
)
_LIST = msgspec.json.Decoder(list[msgspec.Raw])


def rows(path: Path, limits: Limits, answers: tuple[str, ...] = ANSWERS) -> Iterator[Row]:
    """Yields the rows of a file of answers, a list's elements numbered from 1.

    Raises:
        KnownError: it cannot be read, is no JSON list, or is larger than is read.
    """
    for number, told in told_in(path, limits):
        if isinstance(told, Row):
            yield told
        else:
            yield row_of(told, path, number, answers)


def with_answers(*names: str) -> Any:
    """Returns `rows` for files whose answers stand under these names, before the usual ones."""
    return partial(rows, answers=(*names, *ANSWERS))


def told_in(path: Path, limits: Limits) -> Iterator[tuple[int, dict[str, Any] | Row]]:
    """Yields the objects of JSON lines or of a JSON list, or a row with what is wrong.

    Raises:
        KnownError: the file cannot be read, is no JSON list, or is larger than is read.
    """
    if _is_list(path):
        yield from _elements(path, limits)
    else:
        yield from objects(path, limits)


def row_of(told: dict[str, Any], path: Path, number: int, answers: tuple[str, ...]) -> Row:
    """Returns the row of one object, whose answer is the first of these that it has."""
    name = next((name for name in (*answers, *_inferred(told)) if name in told), None)
    value = told[name] if name is not None else None
    if name is None and (turn := last_turn(told)):
        name, value = turn
    raw = clean(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    if name is None:
        raw = clean(json.dumps(told, ensure_ascii=False)[:1000])
    where = place_of(told)
    if isinstance(where, str):
        if name is None:
            return broken(raw[:1000], where, path, number)
        kept = raw if isinstance(value, str) else value  # it may be joined by its position
        return Row("", NO_STEP, raw, kept, problem=where, file=path.name, line=number)
    if name is None:
        problem = f"it has no answer: none of {', '.join(answers)}"
        return Row(*where, raw, problem=problem, file=path.name, line=number)
    value = raw if isinstance(value, str) else value
    return Row(*where, raw, value, file=path.name, line=number)


def place_of(told: dict[str, Any]) -> tuple[str, int] | str:
    """Returns the episode and step an object speaks of, or what is wrong with them."""
    episode = next((told[name] for name in _EPISODES if name in told), None)
    step = next((told[name] for name in _STEPS if name in told), None)
    if episode is None or step is None:
        named = _of_picture(told)
        if named is not None:
            return named
    if isinstance(episode, int) and not isinstance(episode, bool):
        episode = str(episode)
    if not isinstance(episode, str) or not 0 < len(episode) <= MAX_NAME:
        return "it names no episode"
    if isinstance(step, str) and step.isdecimal() and len(step) <= 7:
        step = int(step)
    if isinstance(step, float) and step.is_integer():  # as pandas writes a column with holes
        step = int(step)
    if not isinstance(step, int) or isinstance(step, bool) or not 0 <= step <= MAX_STEP:
        return "it has no step's number"
    return clean(episode), step


def last_turn(told: dict[str, Any]) -> tuple[str, str] | None:
    """Returns the name of a chat and what the model says last in it; None where there is none."""
    for name, who, says in (("conversations", "from", "value"), ("messages", "role", "content")):
        turns = told.get(name)
        for turn in reversed(turns) if isinstance(turns, list) else ():
            if isinstance(turn, dict) and turn.get(who) in ("gpt", "assistant"):
                said = turn.get(says)
                return (name, said) if isinstance(said, str) else None
    return None


def _inferred(told: dict[str, Any]) -> list[str]:
    """ClawGUI writes an answer under its model's name, `qwen3vl_infer`."""
    return [name for name in told if name.endswith("_infer")][:1]


def _of_picture(told: dict[str, Any]) -> tuple[str, int] | None:
    picture = next((v for n in _PICTURES if isinstance(v := told.get(n), str)), "")
    return place_of_picture(picture)


def place_of_picture(picture: str) -> tuple[str, int] | None:
    """Returns the episode and step that a picture's name says; None where it says none."""
    if not 0 < len(picture) <= 2000:
        return None
    if found := _IN_FOLDER.fullmatch(picture):
        return clean(found["b"]), int(found["b_step"])
    if found := _PICTURE.fullmatch(picture):
        if found["a"] is not None:
            return clean(found["a"]), int(found["a_step"])
        return clean(found["c"]), int(found["c_step"])
    return None


def _flat(found: list[msgspec.Raw]) -> Iterator[bytes]:
    """Yields the elements of a list, and those of the lists in it: traces are lists of steps."""
    for element in found:
        raw = bytes(element)
        if not raw.startswith(b"["):
            yield raw
            continue
        try:
            inner = _LIST.decode(raw)
        except (msgspec.DecodeError, RecursionError):
            yield raw
        else:
            yield from map(bytes, inner)


def _is_list(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"[")
    except OSError as error:
        raise KnownError(
            f"read {path.name}", f"{error.strerror}", "Check the file's place and its rights."
        ) from error


def _elements(path: Path, limits: Limits) -> Iterator[tuple[int, dict[str, Any] | Row]]:
    if path.stat().st_size > limits.file_bytes:
        raise KnownError(
            f"read {path.name}",
            f"it is larger than {limits.file_bytes} bytes",
            "Split it into several files.",
        )
    data = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    try:
        try:
            found = _LIST.decode(data)
        except msgspec.DecodeError:
            found = _LIST.decode(respelled(data))
    except (ValueError, RecursionError) as error:
        raise KnownError(
            f"read {path.name}",
            f"it is no JSON list ({error})",
            "Give JSON lines or one JSON list.",
        ) from error
    for number, raw in enumerate(_flat(found), start=1):
        if number > limits.rows:
            raise too_many(path, limits)
        if len(raw) > limits.row_bytes:
            size = f"the element is longer than {limits.row_bytes} bytes"
            yield number, broken("", size, path, number)
            continue
        try:
            told = msgspec.json.decode(raw)
        except (msgspec.DecodeError, RecursionError) as error:
            yield number, broken(raw[:1000].decode("utf-8", "replace"), str(error), path, number)
            continue
        if isinstance(told, dict):
            yield number, told
        else:
            text = raw[:1000].decode("utf-8", "replace")
            yield number, broken(text, "the element is not an object", path, number)
