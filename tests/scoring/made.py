"""Steps and predictions for tests of protocols, made by hand."""

from __future__ import annotations

from typing import Any

from episodes import actions as a
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Native, Point, Size
from episodes.runs import Prediction, Unreadable
from episodes.screens import (
    Basis,
    Frame,
    StepTree,
    TreeFit,
    TreeRecord,
    TreeStatus,
)
from episodes.steps import Step

SIZE = Size(1000, 2000)
FRAME = Frame(SIZE, Basis.IMPORTED)
EPISODE = Episode("u", "e", Origin("recorded"), Task("do it"), EpisodeState.FINISHED, ())


def imported(space: str, **told: Any) -> Step:
    """A step of a data set with its own numbers, on a screen of 1000x2000."""
    return Step(0, a.Other("annotated"), frame=FRAME, native=Native.of(space, told))


def recorded(action: a.Action, *nodes: str) -> Step:
    """A recorded step; `nodes` are elements of its tree, none for a step without a tree."""
    tree = None
    if nodes:
        xml = f'<hierarchy rotation="0">{node("[0,0][1000,2000]", "".join(nodes))}</hierarchy>'
        record = TreeRecord("uiautomator", xml.encode(), "test", TreeStatus.OK)
        tree = StepTree(record, TreeFit.FRESH)
    return Step(0, action, frame=FRAME, tree=tree)


def node(bounds: str, inner: str = "", *, text: str = "", clickable: bool = False) -> str:
    """One element of a tree as uiautomator prints it."""
    return (
        f'<node index="0" text="{text}" resource-id="" class="android.view.View" package="p" '
        f'content-desc="" checkable="false" checked="false" clickable="{str(clickable).lower()}" '
        'enabled="true" focusable="false" focused="false" scrollable="false" '
        'long-clickable="false" password="false" selected="false" '
        f'bounds="{bounds}">{inner}</node>'
    )


def said(raw: str) -> Prediction:
    """A text no dialect has read."""
    return Prediction("e", 0, raw, Unreadable("no dialect has read it"))


def did(action: a.Action, native: Native | None = None) -> Prediction:
    """An action some dialect has read, in pixels of a screen of 1000x2000."""
    return Prediction("e", 0, "some words", action, native=native)


def tap(x: float, y: float) -> Prediction:
    """A tap at a pixel."""
    return did(a.Tap(Point(x, y)))
