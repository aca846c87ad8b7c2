"""Reads trees as they arrive, from a phone or from a file: one reader for both.

A tree is parsed when it arrives. What cannot be parsed has the status "unreadable" from then on.
Characters and references that XML forbids, which apps put into their texts, are replaced, and the
detail of the answer reports how many.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from episodes.errors import KnownError
from episodes.screens import TreeStatus
from episodes.trees import uiautomator
from episodes.trees.readers import READERS, read_tree

MAX_DETAIL = 300

_TRAILER = b"UI hierchary dumped to:"  # spelled so by Android
_ENDS = (b"</hierarchy>", b"</displays>")
_STARTS = (b"<?xml", b"<hierarchy", b"<displays")
_FAILURES = (
    ("could not get idle state", TreeStatus.NOT_IDLE),
    ("null root node", TreeStatus.NO_ROOT),
    ("Killed", TreeStatus.KILLED),
)

_ENCODING = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.-]{1,40})["']""")
_AMPERSAND = re.compile(
    r"&(?:#(?P<decimal>\d{1,10});|#[xX](?P<hex>[0-9a-fA-F]{1,8});|(?P<name>\w{1,40});)?"
)
_NAMES = ("amp", "apos", "gt", "lt", "quot")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_SURROGATE = re.compile("[\ud800-\udbff][\udc00-\udfff]|(?P<alone>[\ud800-\udfff])")
_REPLACEMENT = "\ufffd"


@dataclass(frozen=True, slots=True)
class ReceivedTree:
    """What arrived: a status, the bytes that readers can parse, and details for a person.

    Attributes:
        data: b"" if no tree came; unchanged if they cannot be parsed.
        detail: the words of the source if it failed, else what was repaired.
    """

    status: TreeStatus
    data: bytes = b""
    detail: str = ""


def receive_tree(format_name: str, data: bytes) -> ReceivedTree:
    """Returns a tree of a file; formats that have no reader are taken as they are."""
    if format_name not in READERS:
        return ReceivedTree(TreeStatus.OK, data)
    if format_name != uiautomator.FORMAT:
        return _parsed(format_name, data)
    whole = _parsed(format_name, data)
    if whole.status is TreeStatus.OK and not whole.detail:
        return whole
    received = receive_dump(data)
    return whole if received.status is TreeStatus.FAILED else received


def receive_dump(output: bytes) -> ReceivedTree:
    """Returns the tree in what `uiautomator dump /dev/tty` printed, in the words Android uses.

    Lines before and behind the document are left out.
    """
    begin = min((at for start in _STARTS if (at := output.find(start)) >= 0), default=-1)
    if begin < 0:
        return _failure(output.decode(errors="replace").strip())
    end = max(at + len(tag) if (at := output.rfind(tag)) >= 0 else -1 for tag in _ENDS)
    if end > begin:
        return _parsed(uiautomator.FORMAT, output[begin:end])
    rest = output[begin:].split(_TRAILER)[0].strip()
    if rest.endswith(b"/>"):
        return _parsed(uiautomator.FORMAT, rest)
    return ReceivedTree(TreeStatus.UNREADABLE, output, "the dump is cut off")


def repair_xml(data: bytes) -> tuple[bytes, str]:
    """Returns a dump as UTF-8 without characters and references that XML forbids, and a report.

    Two references or bytes that together are one character become it. Others become U+FFFD, an
    ampersand that begins no reference becomes one. The report is "" if nothing was replaced.
    """
    declared = _ENCODING.match(data)
    if declared is not None and declared[1].lower() not in (b"utf-8", b"utf8", b"us-ascii"):
        return data, ""
    try:
        text = data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
    repair = _Repair(text)
    if not repair.characters and not repair.references:
        return data, ""
    return repair.text.encode(), repair.report


class _Repair:
    def __init__(self, text: str) -> None:
        self.characters = text.count(_REPLACEMENT)
        self.references = 0
        text = _AMPERSAND.sub(self._reference, text)
        text = _SURROGATE.sub(self._surrogate, text)
        self.text = _FORBIDDEN.sub(self._character, text)

    @property
    def report(self) -> str:
        """What was replaced, in words."""
        parts = (
            (self.characters, "character", "characters"),
            (self.references, "reference", "references"),
        )
        told = [f"{n} {one if n == 1 else many}" for n, one, many in parts if n]
        return f"{' and '.join(told)} that XML forbids replaced"

    def _reference(self, found: re.Match[str]) -> str:
        if found["name"] in _NAMES:
            return found[0]
        digits, base = (found["decimal"], 10) if found["decimal"] else (found["hex"], 16)
        if digits is None:
            self.references += 1
            return f"&amp;{found[0][1:]}"
        code = int(digits, base)
        if 0xD800 <= code <= 0xDFFF:
            self.references += 1
            return chr(code)
        if code > 0x10FFFF or _FORBIDDEN.match(chr(code)):
            self.references += 1
            return _REPLACEMENT
        return found[0]

    def _surrogate(self, found: re.Match[str]) -> str:
        self.characters += 1
        if found["alone"]:
            return _REPLACEMENT
        return found[0].encode("utf-16", "surrogatepass").decode("utf-16")

    def _character(self, _: re.Match[str]) -> str:
        self.characters += 1
        return _REPLACEMENT


def _parsed(format_name: str, data: bytes) -> ReceivedTree:
    report = ""
    try:
        tree = read_tree(format_name, data)
    except KnownError as error:
        if format_name != uiautomator.FORMAT:
            return _unreadable(data, error)
        if len(data) > uiautomator.MAX_BYTES:
            return _unreadable(data, error)
        repaired, report = repair_xml(data)
        if not report:
            return _unreadable(data, error)
        try:
            tree = read_tree(format_name, repaired)
        except KnownError as still:
            return _unreadable(data, still)
        data = repaired
    if format_name == uiautomator.FORMAT and next(tree.walk(), None) is None:
        return ReceivedTree(TreeStatus.EMPTY, data, report or "the hierarchy has no node")
    return ReceivedTree(TreeStatus.OK, data, report)


def _unreadable(data: bytes, error: KnownError) -> ReceivedTree:
    return ReceivedTree(TreeStatus.UNREADABLE, data, error.found[:MAX_DETAIL])


def _failure(said: str) -> ReceivedTree:
    for words, status in _FAILURES:
        if words in said:
            return ReceivedTree(status, detail=said[:MAX_DETAIL])
    if not said or _TRAILER.decode() in said:
        detail = said[:MAX_DETAIL] or "the phone printed nothing"
        return ReceivedTree(TreeStatus.EMPTY, detail=detail)
    return ReceivedTree(TreeStatus.FAILED, detail=said[:MAX_DETAIL])
