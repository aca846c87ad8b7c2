"""Checks of what is on the screen: the app in front, and nodes of the tree."""

from __future__ import annotations

import re
from collections.abc import Callable

from episodes.trees.uiautomator import read_uiautomator
from episodes.trees.values import Node
from tasks.compared import compared, result
from tasks.conditions import Condition, read_condition
from tasks.evidence import Evidence
from tasks.located import Located
from tasks.situations import Situation, run

Look = Callable[[Situation, str], Evidence]

_FOCUS = re.compile(r"mCurrentFocus=Window\{\S+ \S+ ([\w.]+)/([\w.$]+)\}")
_TEXTS: dict[str, Callable[[Node], str]] = {
    "text": lambda node: node.text,
    "description": lambda node: node.description,
    "id": lambda node: node.resource_id.rpartition("/")[2],
    "class": lambda node: node.class_name.rpartition(".")[2],
    "package": lambda node: node.package,
}
_FLAGS: dict[str, Callable[[Node], bool]] = {
    "checked": lambda node: node.checked,
    "selected": lambda node: node.selected,
    "enabled": lambda node: node.enabled,
    "focused": lambda node: node.focused,
}


def read_foreground(told: Located, parameters: frozenset[str]) -> Look:
    """Returns a check of the app in front: {package: condition, activity: condition}."""
    members = told.mapping("package", "activity")
    wanted = {name: read_condition(one, parameters) for name, one in members.items()}
    if not wanted:
        told.refuse("package or activity is expected")

    def look(situation: Situation, place: str) -> Evidence:
        said = run(situation.phone, "dumpsys window | grep mCurrentFocus")
        found = _FOCUS.search(said.text)
        if found is None:
            raise ValueError("the phone names no window in front")
        front = {"package": found[1], "activity": found[2]}
        looked = [
            compared(place, f"the {name} in front", front[name], one, situation, said)
            for name, one in wanted.items()
        ]
        return next((one for one in looked if not one.score), looked[0])

    return look


def read_tree(told: Located, parameters: frozenset[str]) -> Look:
    """Returns a check for nodes: conditions on one node, and how many such nodes there are."""
    members = told.mapping(*_TEXTS, *_FLAGS, "count")
    texts = {name: read_condition(members[name], parameters) for name in _TEXTS if name in members}
    flags = {name: members[name].truth() for name in _FLAGS if name in members}
    if not texts and not flags:
        told.refuse(f"one of {', '.join((*_TEXTS, *_FLAGS))} is expected")
    count = read_condition(members["count"], parameters) if "count" in members else None

    def look(situation: Situation, place: str) -> Evidence:
        tree = read_uiautomator(situation.phone.tree())
        nodes = [node for window in tree.windows if window.root for node in window.root.walk()]
        found = [node for node in nodes if _fits(node, texts, flags, situation)]
        if count is not None:
            return compared(place, "the number of nodes", str(len(found)), count, situation)
        return result(place, bool(found), f"{len(found)} of {len(nodes)} nodes match")

    return look


def _fits(
    node: Node, texts: dict[str, Condition], flags: dict[str, bool], situation: Situation
) -> bool:
    return all(_FLAGS[name](node) == wanted for name, wanted in flags.items()) and all(
        one.holds(_TEXTS[name](node), situation.values) for name, one in texts.items()
    )
