"""Trees without the words in their password fields, for what leaves the library.

Each byte of such a word becomes a star in the unchanged bytes, so that all else, and every
length in them, stays. Phones tell dots where they hide a password themselves; those are left.
"""

from __future__ import annotations

import re
from xml.parsers import expat

from episodes.errors import KnownError
from episodes.trees.forest import FORMAT as FOREST
from episodes.trees.forest import password_words
from episodes.trees.readers import READERS, read_tree
from episodes.trees.uiautomator import FORMAT as XML
from episodes.trees.values import Node

_DOTS = frozenset("•●∙·⁎*. ")
_SAID = {
    XML: re.compile(rb"""password\s*=\s*["']true"""),
    FOREST: re.compile(rb"\xa0\x01[^\x00]"),  # the flag's field as it is written
}
_ATTRIBUTE = re.compile(rb"""\s+([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_NAME = re.compile(rb"<[\w:.$-]+")
_WORDS = (b"text", b"content-desc")


def without_passwords(format_name: str, data: bytes) -> bytes | None:
    """Returns the bytes of a tree without words in password fields, the same ones if it has none.

    Returns None if the bytes say that there is such a field and cannot be read: nothing can be
    hidden in them.
    """
    said = _SAID.get(format_name)
    if said is None or said.search(data) is None:
        return data
    if format_name not in READERS:
        return None
    try:
        if not _shows(format_name, data):
            return data
        hidden = bytearray(data)
        if format_name == XML:
            _hide_in_xml(data, hidden)
        else:
            for words in password_words(memoryview(hidden)):
                words[:] = b"*" * len(words)
        made = bytes(hidden)
        return None if _shows(format_name, made) else made
    except KnownError:
        return None


def _shows(format_name: str, data: bytes) -> bool:
    """Returns whether a password field of a tree, or something in one, has words."""
    return any(
        _tells(inside.text) or _tells(inside.description)
        for node in read_tree(format_name, data).walk()
        if node.password
        for inside in Node.walk(node)
    )


def _tells(text: str) -> bool:
    return not _DOTS.issuperset(text)


def _hide_in_xml(data: bytes, hidden: bytearray) -> None:
    parser = expat.ParserCreate()
    inside: list[bool] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        inside.append(attributes.get("password") == "true" or bool(inside and inside[-1]))
        if inside[-1]:
            _hide_in_tag(data, parser.CurrentByteIndex, hidden)

    def end(name: str) -> None:
        inside.pop()

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.Parse(data, True)


def _hide_in_tag(data: bytes, at: int, hidden: bytearray) -> None:
    name = _NAME.match(data, at)
    at = name.end() if name is not None else len(data)
    while (found := _ATTRIBUTE.match(data, at)) is not None:
        at = found.end()
        if found[1] in _WORDS:
            start, stop = found.span(2 if found[2] is not None else 3)
            hidden[start:stop] = b"*" * (stop - start)
