"""JSON damaged by what it means: types, members, numbers, texts, doubled names, depth."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

from tests.fuzz.mutators import hostile
from tests.fuzz.mutators.hostile import Raw

MAX_SIZE = 4_000_000


class Doubled(dict):  # type: ignore[type-arg]
    """An object that is written with each of its members twice."""


def mutated(data: bytes, rng: Random) -> bytes | None:
    """Returns a JSON text or JSON lines with a few values changed; None if it is no JSON."""
    try:
        return as_bytes(changed(json.loads(data), rng), rng)
    except (ValueError, RecursionError):
        pass
    lines = data.splitlines()
    try:
        values = [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        return None
    if not values:
        return None
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randrange(len(values))
        values[at] = changed(values[at], rng)
    if rng.random() < 0.15:
        at = rng.randrange(len(values))
        values.insert(rng.randrange(len(values)), copy.deepcopy(values[at]))
    if rng.random() < 0.1:
        rng.shuffle(values)
    return b"\n".join(as_bytes(value, rng) for value in values) + b"\n"


def changed(value: Any, rng: Random) -> Any:
    """Returns a JSON value with one to four places changed."""
    box = [copy.deepcopy(value)]
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        places = list(_places(box))
        holder, key = rng.choice(places)
        _change(holder, key, rng)
    return box[0]


def as_bytes(value: Any, rng: Random) -> bytes:
    """Returns the value as JSON, with what JSON does not allow where it holds such."""
    parts: list[str] = []
    _write(value, parts, escaped=rng.random() < 0.7)
    return "".join(parts).encode("utf-8", "surrogatepass")


def _places(held: Any) -> Any:
    """Yields (holder, key) of all values in it; without a recursion."""
    waiting = [held]
    while waiting:
        holder = waiting.pop()
        for key in list(holder) if isinstance(holder, dict) else range(len(holder)):
            yield holder, key
            if isinstance(holder[key], list | dict):
                waiting.append(holder[key])


def _change(holder: Any, key: Any, rng: Random) -> None:
    old = holder[key]
    roll = rng.random()
    if isinstance(old, str) and old[:1] in "[{" and roll < 0.4:
        inner = mutated(old.encode("utf-8", "surrogatepass"), rng)
        if inner is not None:
            holder[key] = inner.decode("utf-8", "surrogatepass")
            return
    if roll < 0.3:
        holder[key] = _of_like_kind(old, rng)
    elif roll < 0.5:
        holder[key] = hostile.value(rng)
    elif roll < 0.6 and isinstance(holder, dict):
        del holder[key]
    elif roll < 0.68 and isinstance(holder, dict):
        holder[rng.choice((hostile.text(rng), "kind", "uuid", "episode", "step", "extra"))] = (
            hostile.value(rng)
        )
    elif roll < 0.74 and isinstance(holder, dict):
        holder[hostile.text(rng)] = holder.pop(key)
    elif roll < 0.82 and isinstance(holder, list):
        count = rng.choice((1, 2, 50, 2_000))
        if len(holder) < 5_000 and _small(old, count):
            holder[key:key] = [old] * count
    elif roll < 0.86 and isinstance(old, dict):
        holder[key] = Doubled(old)
    elif roll < 0.93:
        holder[key] = rng.choice(([old], {"a": old}, [old, old], str(old)[:2000], [[[old]]]))
    else:
        holder[key] = hostile.nested(rng)


def _small(value: Any, count: int) -> bool:
    return count * len(json.dumps(value, default=str)) < MAX_SIZE


def _of_like_kind(old: Any, rng: Random) -> Any:
    if isinstance(old, bool):
        return not old
    if isinstance(old, int) and abs(old) > 1 << 64:
        return hostile.number(rng)
    if isinstance(old, int | float):
        return rng.choice((hostile.number(rng), -old, old + 1, old * 1000, old / 1000, float(old)))
    if isinstance(old, str):
        return rng.choice((hostile.text(rng), spoilt(old, rng), spoilt(old, rng), old.upper()))
    if isinstance(old, list):
        return rng.choice(
            (old[:-1], old[::-1], [*old, *old], [], old[:1], [*old, hostile.value(rng)])
        )
    if isinstance(old, dict):
        return rng.choice((Doubled(old), {}, {k: None for k in old}, list(old.items())))
    return hostile.value(rng)


def spoilt(text: str, rng: Random) -> str:
    """Returns a text with a piece of it cut out, doubled, moved or replaced."""
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(text) + 1)
        end = min(len(text), at + rng.choice((1, 1, 2, 5, 20)))
        text = rng.choice(
            (
                text[:at] + text[end:],
                text[:end] + text[at:],
                text[:at] + hostile.text(rng) + text[end:],
                text[:at] + str(hostile.number(rng))[:400] + text[end:],
                text[:at] + rng.choice("()[]{}<>'\"\\,:=|#\n\0é☂２ ") + text[end:],
                text[:at],
                text[at:],
                _numbers_changed(text, rng),
                _numbers_changed(text, rng),
            )
        )
        if len(text) > MAX_SIZE:
            break
    return text


def _numbers_changed(text: str, rng: Random) -> str:
    """Returns the text with one of its runs of digits replaced by a hostile number."""
    runs = [
        at for at, sign in enumerate(text) if sign.isdigit() and not text[at - 1 : at].isdigit()
    ]
    if not runs:
        return text
    at = rng.choice(runs)
    end = at
    while end < len(text) and text[end].isdigit():
        end += 1
    return text[:at] + str(hostile.number(rng))[:400] + text[end:]


def _write(value: Any, parts: list[str], *, escaped: bool) -> None:
    if isinstance(value, Raw):
        parts.append(value)
    elif isinstance(value, dict):
        parts.append("{")
        twice = isinstance(value, Doubled)
        for number, (key, held) in enumerate([*value.items(), *(value.items() if twice else ())]):
            parts.append(("," if number else "") + json.dumps(str(key), ensure_ascii=escaped) + ":")
            _write(held, parts, escaped=escaped)
        parts.append("}")
    elif isinstance(value, list | tuple):
        parts.append("[")
        for number, held in enumerate(value):
            parts.append("," if number else "")
            _write(held, parts, escaped=escaped)
        parts.append("]")
    elif isinstance(value, int) and not isinstance(value, bool) and abs(value) > 1 << 64:
        parts.append(f"{value:d}" if abs(value) < 10**4000 else "9" * 5000)
    else:
        parts.append(json.dumps(value, ensure_ascii=escaped))
