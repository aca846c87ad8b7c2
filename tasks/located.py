"""YAML read safely, with the line of every value.

The file is bounded in size, depth, aliases and number of values. Only plain values come out of it:
mappings with text keys, lists, texts, numbers, truth values, nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import yaml

from episodes.errors import KnownError
from episodes.formats.input_files import file_bytes

MAX_BYTES = 1 << 20
MAX_DEPTH = 24
MAX_ALIASES = 100
MAX_VALUES = 50_000
_REMEDY = "See “Task files” in docs/tasks.md."
_OPENING = (yaml.MappingStartEvent, yaml.SequenceStartEvent)
_CLOSING = (yaml.MappingEndEvent, yaml.SequenceEndEvent)


@dataclass(frozen=True, slots=True)
class Located:
    """A value of a file and the place it stands at.

    Attributes:
        value: a plain value; a mapping's and a list's members are `Located` again.
        line: from 1.
        name: what it is called above, for messages.
    """

    value: Any
    file: str
    line: int
    name: str = ""

    def refuse(self, found: str) -> NoReturn:
        """Raises KnownError about this place."""
        raise KnownError(f"read the task file {self.file}", f"line {self.line}: {found}", _REMEDY)

    def mapping(self, *known: str) -> Mapping[str, Located]:
        """Returns the members of a mapping; other keys than the known ones are refused."""
        if not isinstance(self.value, dict):
            self.refuse(f"{self._called} is no mapping")
        if known:
            for key, member in self.value.items():
                if key not in known:
                    member.refuse(f"“{key}” is not known here; known are {', '.join(known)}")
        return self.value

    def items(self) -> tuple[Located, ...]:
        """Returns the members of a list."""
        if not isinstance(self.value, list):
            self.refuse(f"{self._called} is no list")
        return tuple(self.value)

    def text(self) -> str:
        """Returns a text; a number counts as the text it is written as."""
        if isinstance(self.value, bool) or not isinstance(self.value, str | int | float):
            self.refuse(f"{self._called} is no text")
        return str(self.value)

    def whole(self, least: int, most: int) -> int:
        """Returns a whole number between two bounds."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            self.refuse(f"{self._called} is no whole number")
        if not least <= self.value <= most:
            self.refuse(f"{self._called} is {self.value}, and {least} to {most} are possible")
        return self.value

    def number(self) -> float:
        """Returns a number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            self.refuse(f"{self._called} is no number")
        return float(self.value)

    def truth(self) -> bool:
        """Returns true or false."""
        if not isinstance(self.value, bool):
            self.refuse(f"{self._called} is neither true nor false")
        return self.value

    def only(self) -> tuple[str, Located]:
        """Returns the one member of a mapping that has one."""
        members = self.mapping()
        if len(members) != 1:
            self.refuse(f"{self._called} has {len(members)} keys, and one is expected")
        return next(iter(members.items()))

    def plain(self) -> Any:
        """Returns the value without places."""
        if isinstance(self.value, dict):
            return {key: member.plain() for key, member in self.value.items()}
        if isinstance(self.value, list):
            return [member.plain() for member in self.value]
        return self.value

    @property
    def _called(self) -> str:
        return f"“{self.name}”" if self.name else "the value"


def read_yaml(path: Path) -> Located:
    """Returns the value of a YAML file.

    Raises:
        KnownError: it cannot be read, exceeds a bound, or holds more than plain values.
    """
    doing = f"read the task file {path.name}"
    data = file_bytes(path, doing)
    if len(data) > MAX_BYTES:
        raise KnownError(doing, f"it has {len(data)} bytes, at most {MAX_BYTES} are read", _REMEDY)
    try:
        text = data.decode()
        _check_bounds(text, doing)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except UnicodeDecodeError as error:
        raise KnownError(doing, f"it is not UTF-8: {error.reason}", _REMEDY) from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}: " if mark else ""
        raise KnownError(doing, f"{place}{error.problem or 'it is no YAML'}", _REMEDY) from error
    except yaml.YAMLError as error:
        raise KnownError(doing, str(error).splitlines()[0], _REMEDY) from error
    if node is None:
        raise KnownError(doing, "it is empty", _REMEDY)
    return _Reader(path.name).read(node)


def _check_bounds(text: str, doing: str) -> None:
    """Walks the events, which needs no recursion, before anything is built of them."""
    depth = aliases = 0
    for values, event in enumerate(yaml.parse(text, Loader=yaml.SafeLoader)):
        if isinstance(event, _OPENING):
            depth += 1
        elif isinstance(event, _CLOSING):
            depth -= 1
        elif isinstance(event, yaml.AliasEvent):
            aliases += 1
        if depth > MAX_DEPTH or aliases > MAX_ALIASES or values > MAX_VALUES:
            what = (
                f"it is more than {MAX_DEPTH} levels deep"
                if depth > MAX_DEPTH
                else f"it has more than {MAX_ALIASES} aliases"
                if aliases > MAX_ALIASES
                else f"it has more than {MAX_VALUES} values"
            )
            line = event.start_mark.line + 1
            raise KnownError(doing, f"line {line}: {what}", _REMEDY)


class _Reader:
    def __init__(self, file: str) -> None:
        self._file = file
        self._values = 0
        self._plain = yaml.SafeLoader("")

    def read(self, node: yaml.Node, name: str = "", depth: int = 0) -> Located:
        line = node.start_mark.line + 1
        self._values += 1
        if self._values > MAX_VALUES or depth > MAX_DEPTH:  # aliases can make either
            Located(None, self._file, line).refuse("its aliases make it too large or too deep")
        if not isinstance(node, yaml.ScalarNode) and node.tag not in _COLLECTIONS:
            Located(None, self._file, line).refuse(f"the tag {node.tag[:60]} is not read")
        value: Any
        if isinstance(node, yaml.MappingNode):
            value = dict(self._members(node, depth))
        elif isinstance(node, yaml.SequenceNode):
            value = [self.read(one, name, depth + 1) for one in node.value]
        else:
            value = self._scalar(node, line)
        return Located(value, self._file, line, name)

    def _members(self, node: yaml.MappingNode, depth: int) -> Iterator[tuple[str, Located]]:
        seen = set()
        for key, value in node.value:
            place = Located(None, self._file, key.start_mark.line + 1)
            if not isinstance(key, yaml.ScalarNode) or key.tag == "tag:yaml.org,2002:merge":
                place.refuse("a key is no plain word")
            if key.value in seen:
                place.refuse(f"“{key.value}” stands there twice")
            seen.add(key.value)
            yield key.value, self.read(value, key.value, depth + 1)

    def _scalar(self, node: yaml.Node, line: int) -> Any:
        read = _SCALARS.get(node.tag)
        if read is None:
            Located(None, self._file, line).refuse(f"the tag {node.tag[:60]} is not read")
        if len(node.value) > MAX_BYTES or (node.tag.endswith("int") and len(node.value) > 400):
            Located(None, self._file, line).refuse("a number is too long")
        try:
            return read(self._plain, node)
        except (ValueError, yaml.YAMLError):
            Located(None, self._file, line).refuse(f"“{node.value[:40]}” cannot be read")


_COLLECTIONS = ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")
_SCALARS: dict[str, Callable[[yaml.SafeLoader, Any], Any]] = {
    "tag:yaml.org,2002:str": lambda loader, node: node.value,
    # A date stays the text it is written as.
    "tag:yaml.org,2002:timestamp": lambda loader, node: node.value,
    "tag:yaml.org,2002:int": lambda loader, node: loader.construct_yaml_int(node),
    "tag:yaml.org,2002:float": lambda loader, node: loader.construct_yaml_float(node),
    "tag:yaml.org,2002:bool": lambda loader, node: loader.construct_yaml_bool(node),
    "tag:yaml.org,2002:null": lambda loader, node: None,
}
