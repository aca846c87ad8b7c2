"""A tree used by many protocols is parsed once."""

from __future__ import annotations

import pytest

from episodes.errors import KnownError
from episodes.trees import readers
from episodes.trees.uiautomator import read_uiautomator
from episodes.trees.values import Tree

_TREE = (
    b'<hierarchy rotation="0"><node index="0" text="%s" class="a" package="p" '
    b'bounds="[0,0][10,10]" /></hierarchy>'
)


def test_the_same_bytes_are_taken_apart_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = []

    def counting(data: bytes) -> Tree:
        read.append(data)
        return read_uiautomator(data)

    monkeypatch.setitem(readers.READERS, "uiautomator", counting)
    one, other = _TREE % b"one", _TREE % b"other"
    trees = [readers.read_tree("uiautomator", data) for data in (one, other, one, other)]
    assert read == [one, other]
    assert trees[0] == trees[2] == read_uiautomator(one)
    assert trees[1] == read_uiautomator(other)


def test_bytes_that_are_not_a_tree_are_refused_each_time_and_parsed_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[bytes] = []

    def counting(data: bytes) -> Tree:
        read.append(data)
        return read_uiautomator(data)

    monkeypatch.setitem(readers.READERS, "uiautomator", counting)
    for _ in range(2):
        with pytest.raises(KnownError, match="Cannot read a tree of uiautomator: line 1: syntax"):
            readers.read_tree("uiautomator", b"no tree")
    assert read == [b"no tree"]
