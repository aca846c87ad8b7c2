"""Traces the modules a value passes through: each call and return that carries it.

Left out are the methods of the value itself, and what happens after it has reached its end.
"""

from __future__ import annotations

import dataclasses
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, FunctionType
from typing import Any

from episodes.geometry import Point

ROOMS = ("annotator", "episodes", "recorder", "replay", "scoring", "taptrail", "tasks")
MAX_DEPTH = 5


def room_module(frame: FrameType | None) -> str:
    """The module of a frame of ours; "" for others. The store is one module: it commits."""
    name = str(frame.f_globals.get("__name__", "")) if frame is not None else ""
    if name.split(".", 1)[0] not in ROOMS:
        return ""
    return "episodes.store" if name.startswith("episodes.store.") else name


def carried(value: object, at: Point | str, depth: int = 0) -> object | None:
    """The outermost value of ours in an argument that holds the point or the text, if any."""
    if depth > MAX_DEPTH:
        return None
    if isinstance(value, FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or () if _is_full(cell)]
        return next((found for cell in cells if (found := carried(cell, at, depth + 1))), None)
    if isinstance(value, tuple | list):
        return next((found for one in value[:9] if (found := carried(one, at, depth + 1))), None)
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        return None
    return value if _holds(value, at, depth) else None


def _holds(value: object, at: Point | str, depth: int) -> bool:
    if isinstance(value, Point | str) and value == at:
        return True
    if isinstance(value, tuple | list):
        return depth < MAX_DEPTH and any(_holds(one, at, depth + 1) for one in value[:9])
    if not dataclasses.is_dataclass(value) or depth >= MAX_DEPTH:
        return False
    fields = (getattr(value, field.name, None) for field in dataclasses.fields(value))
    return any(_holds(field, at, depth + 1) for field in fields)


def _is_full(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


class Trace:
    """What was handed from module to module.

    Args:
        at: the point or the text by which the value is known.
        end: the module in which it ends.

    Attributes:
        edges: pairs of modules between which the value went, by call or return.
        shapes: names of the classes that carried it, by pair of modules.
    """

    def __init__(self, at: Point | str, end: str) -> None:
        self._at, self._end = at, end
        self._ended = False
        self.edges: set[tuple[str, str]] = set()
        self.shapes: dict[tuple[str, str], set[str]] = {}

    def profile(self, frame: FrameType, event: str, returned: object) -> None:
        """A profile function for `sys.setprofile`."""
        if event not in ("call", "return") or not (here := room_module(frame)):
            return
        if self._ended or frame.f_code.co_filename == "<string>":  # the latter: a dataclass
            return
        there = room_module(frame.f_back)
        if not there or there == here:
            return
        if event == "call":
            values = list(frame.f_locals.values())
            pair = (there, here)
        else:
            values, pair = [returned], (here, there)
        for value in values:
            found = carried(value, self._at)
            if found is None or isinstance(found, Point):
                continue
            shape = type(found).__name__
            if not frame.f_code.co_qualname.startswith(f"{shape}."):
                self.edges.add(pair)
                self.shapes.setdefault(pair, set()).add(shape)
                self._ended = here == self._end

    def way(self, begin: str, end: str) -> set[str]:
        """All modules on some way of the value from one module to another."""
        backwards = {(b, a) for a, b in self.edges}
        return reached(begin, self.edges) & reached(end, backwards)


def reached(begin: str, edges: set[tuple[str, str]]) -> set[str]:
    found, new = {begin}, {begin}
    while new:
        new = {b for a, b in edges if a in new} - found
        found |= new
    return found


@contextmanager
def tracing(at: Point | str, end: str) -> Iterator[Trace]:
    """Traces values that hold this point or text on this thread and on all that begin meanwhile."""
    trace = Trace(at, end)
    hook: Callable[[FrameType, str, object], None] = trace.profile
    threading.setprofile(hook)
    sys.setprofile(hook)
    try:
        yield trace
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
