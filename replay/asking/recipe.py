"""A recipe: everything that decides what a model is asked, in one TOML file and its templates.

A recipe holds no address, key, library or split: those belong to a run. Two labs that use the same
recipe on the same steps send the same requests. `canonical` is the form that is hashed: sorted JSON
in which templates stand with their text, so that a renamed file changes nothing.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from episodes.errors import KnownError
from replay.dialect import Declared, Dialect
from replay.dialects import DIALECTS

FORMAT = 1
MAX_RECIPE_BYTES = 256 * 1024
MAX_TEMPLATE_BYTES = 64 * 1024
LISTING = "taptrail-1"

Resample = Literal["bicubic", "bilinear", "lanczos", "area"]


class _Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a recipe; members it does not know are errors."""


class Model(_Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which model is asked. Only `name` is sent; the rest is declared for the record."""

    name: str = ""
    weights: str = ""
    revision: str = ""
    quantisation: str = ""
    engine: str = ""


class Answers(_Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How answers are written.

    Attributes:
        dialect, coordinates, scroll: as in `taptrail predictions import`; "" for the dialect's own.
        reasoning: "apart" ignores reasoning that a server returns apart from the answer; "before"
            puts it in front of the text, for dialects that read thoughts.
        stop: texts at which the server stops.
    """

    dialect: str
    coordinates: str = ""
    scroll: Literal["", "finger", "content"] = ""
    reasoning: Literal["apart", "before"] = "apart"
    stop: tuple[str, ...] = ()


class Shows(_Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the model is shown with the picture.

    Attributes:
        level: "high" for the task, "low" for the step's instruction, "both" for both.
        tree: "list" gives templates the elements of the tree, "xml" the tree's own text.
        elements: the name and version of the rule that lists elements.
        marks: "set-of-marks" draws the listed elements' boxes and numbers on the step's picture.
        app: whether templates get the app in front.
        ends: whether steps that only end the episode are asked.
        skip: kinds of recorded actions that are not asked.
    """

    level: Literal["high", "low", "both"] = "high"
    tree: Literal["none", "list", "xml"] = "none"
    elements: str = LISTING
    marks: Literal["none", "set-of-marks"] = "none"
    app: bool = False
    ends: bool = True
    skip: tuple[str, ...] = ()

    @property
    def numbers(self) -> bool:
        """Whether the model is shown numbers of elements, in a list or as marks."""
        return self.tree == "list" or self.marks != "none"


class Picture(_Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the screenshot is sent.

    Attributes:
        rule: "as it is", the name of a resize rule, "smart:FACTOR:MIN:MAX", "longest:N" or "WxH".
        resample: the filter of a resize; "bicubic" is what processors use.
        format: of the bytes that are sent; "as it is" keeps the library's file where it can.
        sized_by: "client" promises that a second resize by the server changes nothing; checked.
        detail: the `detail` of the picture part; "" to leave it out.
    """

    rule: str = "as it is"
    resample: Resample = "bicubic"
    format: Literal["as it is", "png", "jpeg"] = "as it is"
    quality: int = 90
    sized_by: Literal["client", "server"] = "server"
    detail: Literal["", "low", "high", "auto"] = ""


class History(_Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the model is shown of earlier steps.

    Attributes:
        form: "answers" in the dialect's words, "sentences" in plain English, "instructions" of the
            steps, "turns" as earlier messages of the conversation.
        source: whose actions: "gold", the model's "own" answers, or "own-if-right".
        last: how many; 0 for none, -1 for all.
        pictures: how many earlier screenshots; only with the form "turns".
        first_number: the number of the first step.
    """

    form: Literal["none", "answers", "sentences", "instructions", "turns"] = "none"
    source: Literal["gold", "own", "own-if-right"] = "gold"
    last: int = -1
    pictures: int = 0
    first_number: int = 1


class Message(_Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One message, or with the role "history" the place for earlier turns.

    Attributes:
        order: the parts of a user's message.
        template: a file in the recipe's folder; or `text` gives the template itself.
        sha256: the digest that the template's file must have; "" for any.
        constant: where the file is Python, the name of the string in it that is the text. The file
            is never run.
        values: for the string's places such as "{instruction}", a Jinja expression for each.
        open: of the last message, by the assistant: the beginning of the answer.
    """

    role: Literal["system", "user", "assistant", "history"]
    order: tuple[Literal["picture", "text"], ...] = ("picture", "text")
    template: str = ""
    text: str = ""
    sha256: str = ""
    constant: str = ""
    values: dict[str, str] = {}
    open: bool = False


class Failures(_Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When a request is given up.

    Attributes:
        attempts: the maximum number for one step.
        timeout_s: for one attempt.
        stop_after: this number of failed steps in a row ends the run.
    """

    attempts: int = 5
    timeout_s: float = 120.0
    stop_after: int = 20


class Recipe(_Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole recipe. `messages` hold their templates' text."""

    recipe: int
    name: str
    answers: Answers
    messages: tuple[Message, ...]
    notes: str = ""
    source: str = ""
    model: Model = Model()
    shows: Shows = Shows()
    picture: Picture = Picture()
    history: History = History()
    sampling: dict[str, bool | int | float | str | list[Any] | dict[str, Any]] = {}
    server: dict[str, Any] = {}
    failures: Failures = Failures()

    @property
    def dialect(self) -> Dialect:
        """The dialect its answers are in."""
        return DIALECTS[self.answers.dialect]

    def declared(self, picture_space: str = "") -> Declared:
        """Returns what an import of its answers declares, with nothing left out.

        Args:
            picture_space: what the coordinates “picture” mean: pixels of the sent picture.

        Raises:
            KnownError: the declaration contradicts the dialect.
        """
        space = self.answers.coordinates
        space = picture_space if space == "picture" else space
        elements = self.shows.elements if self.shows.numbers else ""
        said = Declared(space, self.answers.scroll, self.shows.level, elements)
        return self.dialect.declared(said)

    @property
    def canonical(self) -> str:
        """The recipe as sorted JSON, templates by their text and comments left out."""
        return json.dumps(msgspec.to_builtins(self), sort_keys=True, ensure_ascii=False)

    @property
    def sha256(self) -> str:
        """The hash of `canonical`."""
        return hashlib.sha256(self.canonical.encode()).hexdigest()


def settings_of(recipe_text: str) -> dict[str, str]:
    """Returns each setting of a canonical recipe by its path, as JSON: "history.last": "4".

    Returns nothing for a text that is not JSON.
    """
    try:
        return dict(_leaves(json.loads(recipe_text)))
    except (ValueError, RecursionError):
        return {}


def _leaves(value: Any, at: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict | list) and value:
        items = value.items() if isinstance(value, dict) else enumerate(value, 1)
        for key, inner in items:
            yield from _leaves(inner, f"{at}.{key}" if at else str(key))
    else:
        yield at, json.dumps(value, ensure_ascii=False)


# Belong to a run, to its environment or to the request; a recipe that sets them is refused.
_NOT_HERE = {
    "endpoint": "--endpoint",
    "url": "--endpoint",
    "base_url": "--endpoint",
    "api_key": "TAPTRAIL_API_KEY",
    "key": "TAPTRAIL_API_KEY",
    "library": "--library",
    "split": "--split",
    "run": "--name",
}
_RESERVED = frozenset({"model", "messages", "stream", "stop", "n"})
_UNKNOWN = re.compile(r"Object contains unknown field `(.*?)`(?: - at `\$(.*?)`)?")


def load_recipe(file: Path) -> Recipe:
    """Returns the recipe in a TOML file, with the texts of its templates.

    Raises:
        KnownError: the file cannot be read, a key or value is wrong, or a template is missing,
            too long or outside the recipe's folder.
    """
    doing = f"read the recipe {file}"
    try:
        data = file.read_bytes()
    except OSError as error:
        raise KnownError(doing, error.strerror or str(error), "Check the path.") from error
    if len(data) > MAX_RECIPE_BYTES:
        raise KnownError(
            doing, f"it has {len(data)} bytes", f"A recipe has at most {MAX_RECIPE_BYTES}."
        )
    try:
        table = tomllib.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise KnownError(doing, str(error), "Correct the TOML.") from error
    return recipe_from_table(table, doing, file.parent)


def recipe_from_table(table: dict[str, Any], doing: str, folder: Path | None = None) -> Recipe:
    """Returns the recipe of a decoded TOML file or of the JSON of `canonical`.

    Args:
        folder: where templates are read; None if the recipe must hold their text itself.

    Raises:
        KnownError: as `load_recipe`.
    """
    for key in table:
        if key in _NOT_HERE:
            raise KnownError(
                doing,
                f"it sets “{key}”, which belongs to a run",
                f"Remove the line and use {_NOT_HERE[key]}.",
            )
    try:
        recipe = msgspec.convert(table, Recipe)
    except msgspec.ValidationError as error:
        raise KnownError(doing, *_explain(str(error))) from error
    _check(recipe, doing)
    if folder is None:
        return recipe
    filled = tuple(_with_text(message, folder, doing) for message in recipe.messages)
    return msgspec.structs.replace(recipe, messages=filled)


def _explain(said: str) -> tuple[str, str]:
    """Returns the error, and the remedy with the known keys."""
    unknown = _UNKNOWN.match(said)
    if unknown is None:
        return said[0].lower() + said[1:], "Correct the value."
    section = (unknown[2] or "").strip(".").partition("[")[0]
    kind = _SECTIONS.get(section, Recipe)
    known = ", ".join(field.name for field in msgspec.structs.fields(kind))
    where = f"[{section}]" if section else "the top of the file"
    return f"{where} has no key “{unknown[1]}”", f"Known are: {known}."


_SECTIONS: dict[str, type[_Section]] = {
    "model": Model,
    "answers": Answers,
    "shows": Shows,
    "picture": Picture,
    "history": History,
    "messages": Message,
    "failures": Failures,
}


def _check(recipe: Recipe, doing: str) -> None:
    def refuse(found: str, remedy: str) -> KnownError:
        return KnownError(doing, found, remedy)

    if recipe.recipe != FORMAT:
        raise refuse(f"it is written for version {recipe.recipe}", f"This program reads {FORMAT}.")
    if recipe.answers.dialect not in DIALECTS:
        raise refuse(
            f"there is no dialect “{recipe.answers.dialect}”", f"Use one of: {', '.join(DIALECTS)}."
        )
    recipe.declared()
    for name in (*recipe.sampling, *recipe.server):
        if name in _RESERVED:
            raise refuse(
                f"it sets “{name}” of the request", "That part of the request is made here."
            )
    if "max_pixels" in recipe.server or "min_pixels" in recipe.server:
        raise refuse(
            "[server] sets pixel limits, which most servers ignore in a request",
            "Set them where the server starts, or resize here with [picture].",
        )
    messages = recipe.messages
    turns = [message for message in messages if message.role == "history"]
    if recipe.history.form == "turns" and len(turns) != 1:
        raise refuse(
            f"[history] has the form “turns”, and {len(turns)} messages have the role “history”",
            "Write exactly one.",
        )
    if turns and recipe.history.form != "turns":
        raise refuse("a message has the role “history”", 'Set form = "turns" in [history].')
    if recipe.history.pictures and recipe.history.form != "turns":
        raise refuse("[history] asks for earlier pictures", 'They need form = "turns".')
    if not any(message.role == "user" for message in messages):
        raise refuse("no message has the role “user”", "Write one; it carries the picture.")
    for number, message in enumerate(messages):
        last = number == len(messages) - 1
        if message.open and (message.role != "assistant" or not last):
            raise refuse(
                f"message {number + 1} is open", "Only a last message of the assistant can be."
            )
        if message.role == "assistant" and last and not message.open:
            raise refuse("the last message is the assistant's", "Set open = true for it.")
        if message.role != "history" and bool(message.template) == bool(message.text):
            raise refuse(f"message {number + 1} has no single text", "Give template or text.")
    if not 1 <= recipe.picture.quality <= 100:
        raise refuse(f"the quality is {recipe.picture.quality}", "Use 1 to 100.")
    limits = recipe.failures
    if limits.attempts < 1 or limits.stop_after < 1 or not 0 < limits.timeout_s <= 86_400:
        raise refuse("[failures] has a number that is too small or too large", "Correct it.")


def _with_text(message: Message, folder: Path, doing: str) -> Message:
    if not message.template:
        return message
    file = folder / message.template
    if not file.resolve().is_relative_to(folder.resolve()):
        raise KnownError(
            doing, f"the template “{message.template}” is outside the folder", "Copy it there."
        )
    try:
        data = file.read_bytes()
        text = data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        found = error.strerror or "" if isinstance(error, OSError) else str(error)
        raise KnownError(doing, f"{file}: {found}", "Bring the template, as UTF-8.") from error
    if len(data) > MAX_TEMPLATE_BYTES:
        raise KnownError(
            doing,
            f"{file} has {len(data)} bytes",
            f"A template has at most {MAX_TEMPLATE_BYTES}.",
        )
    digest = hashlib.sha256(data).hexdigest()
    if message.sha256 and digest != message.sha256:
        raise KnownError(
            doing,
            f"{file} has the SHA-256 {digest}, and the recipe names {message.sha256}",
            "Bring the file that the recipe's source names.",
        )
    if message.constant:
        text = _constant(text, message, f"{doing}, the file {file.name}")
    return msgspec.structs.replace(
        message, template="", text=text, sha256="", constant="", values={}
    )


def _constant(source: str, message: Message, doing: str) -> str:
    """Returns a string constant of a Python file as a template; parses and does not run it."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise KnownError(doing, f"it is no Python: {error}", "Bring the right file.") from error
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(
            isinstance(one, ast.Name) and one.id == message.constant for one in node.targets
        ):
            text = _string(node.value)
            if text is not None:
                return _as_template(text, message.values)
    raise KnownError(
        doing, f"it has no string “{message.constant}”", "Correct the constant's name."
    )


def _string(value: ast.expr) -> str | None:
    """Returns the text of a string, or of a string with `.strip()`; None for anything else."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value
    if (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr == "strip"
        and not value.args
    ):
        inner = _string(value.func.value)
        return None if inner is None else inner.strip()
    return None


def _as_template(text: str, values: dict[str, str]) -> str:
    """Replaces places such as "{task}" by expressions, and keeps all else from being Jinja."""
    places = "|".join(re.escape(f"{{{name}}}") for name in values)
    parts = re.split(f"({places})", text) if places else [text]
    template = ""
    for part in filter(None, parts):
        name = part[1:-1] if part[:1] == "{" and part[-1:] == "}" else ""
        if name in values:
            template += f"{{{{ {values[name]} }}}}"
        else:
            template += f"{{{{ {json.dumps(part, ensure_ascii=False)} }}}}"
    return template
