"""Checks of a task: what the file says, and what the phone is asked.

Every kind is one entry of `CHECKS`: a reader that turns the file's words into a function of the
situation. Combinations hold further checks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from episodes.errors import KnownError
from tasks import evidence
from tasks.answers import read_answer
from tasks.compared import compared, result
from tasks.conditions import Condition, read_condition, text_with_holes
from tasks.databases import read_query
from tasks.evidence import Evidence, Truth
from tasks.located import Located
from tasks.parameters import Values, fill
from tasks.screens import read_foreground, read_tree
from tasks.situations import CommandFailed, Situation

Look = Callable[[Situation, str], Evidence]
"""Makes a check now; its second argument is the check's place, for the evidence."""


@dataclass(frozen=True, slots=True)
class Check:
    """A check of a task.

    Attributes:
        place: where it stands in the file, e.g. "all[1].setting".
        kind: one of `CHECKS`.
        settings: the settings it reads, as (namespace, key): they are put back afterwards.
    """

    place: str
    kind: str
    look: Look
    settings: tuple[tuple[str, str], ...] = ()

    def make(self, situation: Situation) -> Evidence:
        """Makes the check. Whatever goes wrong makes it unknown."""
        try:
            return self.look(situation, self.place)
        except CommandFailed as failed:
            said = failed.said
            return Evidence(
                self.place,
                Truth.UNKNOWN,
                failed.found,
                None,
                said.command,
                said.code,
                said.head,
            )
        except KnownError as error:
            return evidence.unknown(self.place, str(error))
        except (ValueError, LookupError, ArithmeticError) as error:
            return evidence.unknown(self.place, f"{type(error).__name__}: {error}")


def read_check(told: Located, parameters: frozenset[str], place: str = "") -> Check:
    """Returns the check a mapping with one key describes.

    Raises:
        KnownError: there is no such check, or its words are wrong; with the line.
    """
    kind, words = told.only()
    if kind not in CHECKS:
        words.refuse(f"“{kind}” is no check; known are {', '.join(CHECKS)}")
    here = f"{place}.{kind}" if place else kind
    return CHECKS[kind](words, parameters, here)


Reader = Callable[[Located, frozenset[str], str], Check]


def _combination(kind: str, combine: Callable[[str, list[Evidence]], Evidence]) -> Reader:
    def read(told: Located, parameters: frozenset[str], place: str) -> Check:
        members = [
            read_check(one, parameters, f"{place}[{number}]")
            for number, one in enumerate(told.items())
        ]
        if not members:
            told.refuse(f"“{kind}” has no checks")
        settings = tuple(name for member in members for name in member.settings)

        def look(situation: Situation, here: str) -> Evidence:
            return combine(here, [member.make(situation) for member in members])

        return Check(place, kind, look, settings)

    return read


def _not(told: Located, parameters: frozenset[str], place: str) -> Check:
    member = read_check(told, parameters, place)
    return Check(
        place,
        "not",
        lambda situation, here: evidence.opposite(here, member.make(situation)),
        member.settings,
    )


def _setting(told: Located, parameters: frozenset[str], place: str) -> Check:
    members = told.mapping("namespace", "key", "is")
    namespace = required(told, members, "namespace").text()
    if namespace not in ("system", "secure", "global"):
        members["namespace"].refuse(f"“{namespace}” is none of system, secure, global")
    key = required(told, members, "key").text()
    condition = read_condition(required(told, members, "is"), parameters)

    def look(situation: Situation, here: str) -> Evidence:
        said = situation.say("settings", "get", namespace, key)
        return compared(here, f"{namespace} {key}", said.text, condition, situation, said)

    return Check(place, "setting", look, ((namespace, key),))


def _file(told: Located, parameters: frozenset[str], place: str) -> Check:
    members = told.mapping("path", "exists", "text")
    path = text_with_holes(required(told, members, "path"), parameters)
    wanted = members["exists"].truth() if "exists" in members else True
    condition = read_condition(members["text"], parameters) if "text" in members else None
    if condition is not None and not wanted:
        told.refuse("a file that must not exist has no text")

    def look(situation: Situation, here: str) -> Evidence:
        full = fill(path, situation.values)
        # `ls` of the folder tells "not there" apart from "could not look".
        folder, _, name = full.rpartition("/")
        said = situation.say("ls", "-a", folder or "/")
        there = name in said.text.split("\n")
        if condition is None or not there:
            word = "is there" if there else "is not there"
            holds = there == wanted and (condition is None or there)
            return result(here, holds, f"{full} {word}", said.command, said.code, said.head)
        read = situation.say("cat", full)
        return compared(here, full, read.text, condition, situation, read)

    return Check(place, "file", look)


def _content(told: Located, parameters: frozenset[str], place: str) -> Check:
    members = told.mapping("uri", "where", "row", "count")
    uri = text_with_holes(required(told, members, "uri"), parameters)
    where = text_with_holes(members["where"], parameters) if "where" in members else ""
    row = {
        name: read_condition(one, parameters)
        for name, one in (members["row"].mapping() if "row" in members else {}).items()
    }
    count = read_condition(members["count"], parameters) if "count" in members else None

    def look(situation: Situation, here: str) -> Evidence:
        words = ["content", "query", "--uri", fill(uri, situation.values)]
        words += ["--where", fill(where, situation.values)] if where else []
        said = situation.say(*words)
        rows = content_rows(said.text)
        found = [one for one in rows if row_fits(one, row, situation.values)]
        if count is not None:
            return compared(here, "matching rows", str(len(found)), count, situation, said)
        reason = f"{len(found)} of {len(rows)} rows match"
        return result(here, bool(found), reason, said.command, said.code, said.head)

    return Check(place, "content", look)


def content_rows(text: str) -> list[dict[str, str]]:
    """Returns the rows `content query` printed.

    Raises:
        ValueError: the text is no such answer.
    """
    if text.startswith("No result found"):
        return []
    rows: list[dict[str, str]] = []
    for line in text.split("\n"):
        head, _, rest = line.partition(" ")
        number, _, columns = rest.partition(" ")
        if head == "Row:" and number.isdigit():
            rows.append({})
        elif rows:  # a value with a line feed goes on
            columns = line
        else:
            raise ValueError(f"the content provider answered “{text[:80]}”")
        for part in columns.split(", "):
            name, equals, value = part.partition("=")
            if equals:
                rows[-1][name.strip()] = value
    return rows


def row_fits(row: Mapping[str, str], wanted: Mapping[str, Condition], values: Values) -> bool:
    """Returns whether a row's columns meet their conditions; a column that is absent does not."""
    return all(name in row and one.holds(row[name], values) for name, one in wanted.items())


def _clipboard(told: Located, parameters: frozenset[str], place: str) -> Check:
    condition = read_condition(told, parameters)

    def look(situation: Situation, here: str) -> Evidence:
        text = situation.phone.clipboard()
        return compared(here, "the clipboard", text, condition, situation)

    return Check(place, "clipboard", look)


def _looking(kind: str, read: Callable[[Located, frozenset[str]], Look]) -> Reader:
    return lambda told, parameters, place: Check(place, kind, read(told, parameters))


def required(told: Located, members: Mapping[str, Located], name: str) -> Located:
    """Returns a member that must be there."""
    if name not in members:
        told.refuse(f"“{name}” is missing")
    return members[name]


CHECKS: dict[str, Reader] = {
    "all": _combination("all", evidence.all_of),
    "any": _combination("any", evidence.any_of),
    "mean": _combination("mean", evidence.mean_of),
    "not": _not,
    "setting": _setting,
    "query": _looking("query", read_query),
    "file": _file,
    "content": _content,
    "foreground": _looking("foreground", read_foreground),
    "clipboard": _clipboard,
    "tree": _looking("tree", read_tree),
    "answer": _looking("answer", read_answer),
}
"""Kinds of checks."""
