"""Trees as phones really give them: nodes missing, rows too wide, other screens, opaque areas.

Shares follow what was measured on public dumps of real apps: a third of the screens has fewer than
three clickable nodes, and a fifth of the trees is of another moment than its picture.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.etree import ElementTree

import numpy as np

from episodes.actions import Tap
from episodes.geometry import Size
from episodes.screens import (
    Basis,
    Frame,
    StepTree,
    TreeFit,
    TreeRecord,
    TreeStatus,
)
from episodes.steps import Step
from tests.annotator.screens.values import Click, Screen

FAULTS = ("none", "foreign", "missing", "wide", "nested", "opaque", "sparse")
SHARES = (0.25, 0.1, 0.1, 0.08, 0.1, 0.05, 0.32)


@dataclass(frozen=True, eq=False, slots=True)
class Faulty:
    """A press, with the tree that its step has and what is wrong with it."""

    click: Click
    fault: str
    step: Step

    @property
    def foreign(self) -> bool:
        """Whether the tree is of another screen."""
        return self.fault == "foreign"


def faulty(clicks: list[Click], screens: list[Screen], seed: int) -> list[Faulty]:
    """Returns each press with a tree that one of the faults has gone through."""
    chance = np.random.default_rng(seed)
    made = []
    for at, click in enumerate(clicks):
        fault = str(chance.choice(FAULTS, p=SHARES))
        data = click.screen.tree
        if fault == "foreign":
            others = [one.tree for one in screens if one.tree != data]
            data = others[int(chance.integers(len(others)))]
        elif fault != "none":
            data = _with(data, fault, click, chance)
        made.append(Faulty(click, fault, joined(at, click, data)))
    return made


def _with(data: bytes, fault: str, click: Click, chance: np.random.Generator) -> bytes:
    root = ElementTree.fromstring(data)
    taking = [node for node in root.iter("node") if node.get("clickable") == "true"]
    if fault == "missing":
        for node in taking:
            if chance.random() < 0.3:
                _lost(root, node)
    elif fault == "wide":
        for node in taking:
            left, top, right, bottom = _bounds(node)
            width = click.screen.pixels.shape[1]
            if bottom - top < 90 and chance.random() < 0.5:
                node.set("bounds", f"[0,{top}][{width},{bottom}]")
    elif fault == "nested":
        for node in taking:
            inner = ElementTree.SubElement(node, "node", dict(node.attrib))
            inner.set("class", "android.view.ViewGroup")
            if chance.random() < 0.5:
                left, top, right, bottom = _bounds(node)
                inner.set("bounds", f"[{left + 2},{top + 2}][{right - 2},{bottom - 2}]")
    elif fault == "opaque":
        for node in list(root.iter("node")):
            if node.get("class") == "android.widget.FrameLayout" and len(node) > 3:
                node[:] = []
                node.set("class", "android.webkit.WebView")
    elif fault == "sparse":
        keep = set(chance.permutation(len(taking))[: int(chance.integers(0, 3))].tolist())
        for at, node in enumerate(taking):
            if at not in keep:
                node.set("clickable", "false")
                node.set("long-clickable", "false")
                node.set("checkable", "false")
                node.set("class", "android.view.View")
    return ElementTree.tostring(root)


def _lost(root: ElementTree.Element, node: ElementTree.Element) -> None:
    for parent in root.iter():
        if node in list(parent):
            parent.remove(node)


def _bounds(node: ElementTree.Element) -> tuple[int, int, int, int]:
    left, top, right, bottom = map(int, re.findall(r"-?\d+", node.get("bounds", "")))
    return left, top, right, bottom


def joined(index: int, click: Click, data: bytes) -> Step:
    """Returns the step of a press with a tree that was asked for at the right time."""
    height, width = click.screen.pixels.shape[:2]
    size = Size(width, height)
    record = TreeRecord("uiautomator", data, "uiautomator dump", TreeStatus.OK, size=size)
    tree = StepTree(record, TreeFit.FRESH)
    return Step(index, Tap(click.point), Frame(size, Basis.PAINTED), tree=tree)
