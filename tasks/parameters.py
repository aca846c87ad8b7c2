"""Parameters of a task: drawn from a seed, and put into texts."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from tasks.located import Located

Values = Mapping[str, str]
"""The drawn parameters of an instance; every value is a text."""

_HOLE = re.compile(r"\{\{|\}\}|\{([a-z][a-z0-9_]{0,40})\}")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}")

Draw = Callable[[random.Random, Values], str]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: its name, its kind, and how a value is drawn."""

    name: str
    kind: str
    draw: Draw


def fill(template: str, values: Values) -> str:
    """Returns a text with the values in its {holes}; {{ and }} stand for braces.

    Raises:
        KeyError: a hole names no parameter.
    """

    def value(found: re.Match[str]) -> str:
        return values[found[1]] if found[1] else found[0][0]

    return _HOLE.sub(value, template)


def holes(template: str) -> frozenset[str]:
    """Returns the names in the holes of a text."""
    return frozenset(found[1] for found in _HOLE.finditer(template) if found[1])


def read_parameters(told: Located) -> tuple[Parameter, ...]:
    """Returns the parameters of a task file, in its order."""
    found = []
    for name, value in told.mapping().items():
        if not _NAME.fullmatch(name):
            value.refuse(f"“{name}” is no name of a parameter: small letters, digits and _")
        kind, words = value.only()
        if kind not in PARAMETERS:
            words.refuse(f"“{kind}” is no kind of parameter; known are {', '.join(PARAMETERS)}")
        found.append(Parameter(name, kind, PARAMETERS[kind](words)))
    return tuple(found)


def draw(parameters: tuple[Parameter, ...], seed: int | None) -> dict[str, str]:
    """Returns the values of all parameters; the same for a seed.

    Without a seed they are drawn anew each time.
    """
    chance = random.Random(seed)  # noqa: S311  repeatable on purpose
    values: dict[str, str] = {}
    for parameter in parameters:
        values[parameter.name] = parameter.draw(chance, values)
    return values


def _choice(told: Located) -> Draw:
    options = [one.text() for one in told.items()]
    if not options:
        told.refuse("there is nothing to choose from")
    return lambda chance, values: chance.choice(options)


def _integer(told: Located) -> Draw:
    members = told.mapping("from", "to", "step")
    low = _member(told, members, "from").whole(-(10**12), 10**12)
    high = _member(told, members, "to").whole(low, 10**12)
    step = members["step"].whole(1, 10**12) if "step" in members else 1
    return lambda chance, values: str(chance.randrange(low, high + 1, step))


def _digits(told: Located) -> Draw:
    count = told.whole(1, 40)
    return lambda chance, values: "".join(chance.choice("0123456789") for _ in range(count))


def _date(told: Located) -> Draw:
    members = told.mapping("from", "to", "as")
    first = _day(_member(told, members, "from"))
    last = _day(_member(told, members, "to"))
    if last < first:
        told.refuse("the last day is before the first")
    form = members["as"].text() if "as" in members else "%Y-%m-%d"

    def drawn(chance: random.Random, values: Values) -> str:
        day = first + timedelta(days=chance.randrange((last - first).days + 1))
        return day.strftime(form)

    return drawn


def _sample(told: Located) -> Draw:
    members = told.mapping("of", "count", "between")
    options = [one.text() for one in _member(told, members, "of").items()]
    count = _member(told, members, "count").whole(1, max(1, len(options)))
    between = members["between"].text() if "between" in members else ", "
    return lambda chance, values: between.join(chance.sample(options, count))


def _template(told: Located) -> Draw:
    template = told.text()

    def drawn(chance: random.Random, values: Values) -> str:
        try:
            return fill(template, values)
        except KeyError as error:
            told.refuse(f"{{{error.args[0]}}} is no parameter above this one")

    return drawn


def _member(told: Located, members: Mapping[str, Located], name: str) -> Located:
    if name not in members:
        told.refuse(f"“{name}” is missing")
    return members[name]


def _day(told: Located) -> date:
    try:
        return date.fromisoformat(told.text())
    except ValueError:
        told.refuse(f"“{told.text()[:40]}” is no day like 2026-05-16")


PARAMETERS: dict[str, Callable[[Located], Draw]] = {
    "choice": _choice,
    "integer": _integer,
    "digits": _digits,
    "date": _date,
    "sample": _sample,
    "template": _template,
}
"""Kinds of parameters: how a file's words become a draw."""
