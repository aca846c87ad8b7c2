"""Recognizes actions in finger contacts, with a pure state machine for every source of touches.

Feed it contacts in order with `advance`, and the time with `settle`. Most gestures are known when
the last finger leaves. A tap is not: it may be the first half of a double tap, so it is read when
the time for a second one has passed (`due_us` says when), when another gesture begins elsewhere,
or when `flush` says that something else has been done.

A finger that was held and then moved is a swipe, with the hold in its path. Two fingers that
change their distance are a pinch; what two fingers do otherwise, and what more do, is `Other`
with the path in its arguments. A cancelled gesture is none.

Source: Android's ViewConfiguration and GestureDetector (times, slops, what counts as a double
tap), https://android.googlesource.com/platform/frameworks/base.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from episodes.actions import (
    Action,
    Contact,
    DoubleTap,
    LongPress,
    Other,
    Path,
    Phase,
    Pinch,
    Swipe,
    Tap,
)
from episodes.geometry import Point


@dataclass(frozen=True, slots=True)
class GestureLimits:
    """The limits that distinguish gestures. Distances are in dp; `per_dp` makes pixels of them.

    Attributes:
        per_dp: pixels per dp of the frame the contacts are on.
        double_tap_slop_dp: how far apart the presses of a double tap may be.
    """

    per_dp: float = 1.0
    touch_slop_dp: float = 8.0
    double_tap_slop_dp: float = 100.0
    double_tap_us: int = 300_000
    long_press_us: int = 500_000

    @property
    def touch_slop(self) -> float:
        """Pixels a finger may wander and still be at rest."""
        return self.touch_slop_dp * self.per_dp

    @property
    def double_tap_slop(self) -> float:
        """Pixels between the two presses of a double tap."""
        return self.double_tap_slop_dp * self.per_dp


@dataclass(frozen=True, slots=True)
class RecognizedAction:
    """An action that was read, with its first and last contact on the clock of the contacts."""

    action: Action
    began_us: int
    ended_us: int


RecognizedActions: TypeAlias = tuple[RecognizedAction, ...]


@dataclass(frozen=True, slots=True)
class GestureState:
    """Input of fingers that is not an action yet.

    Attributes:
        path: contacts since the first finger of this gesture came down.
        down: the fingers on the glass, each with where it came down.
        moved: whether a finger has left the place where it came down.
        fingers: how many different ones took part.
        tap: a tap that waits for a second one.
    """

    path: tuple[Contact, ...] = ()
    down: tuple[tuple[int, Point], ...] = ()
    moved: bool = False
    fingers: frozenset[int] = field(default_factory=frozenset)
    tap: tuple[Contact, ...] = ()

    @property
    def active(self) -> bool:
        """Whether a finger is on the glass."""
        return bool(self.down)


IDLE = GestureState()

_Result: TypeAlias = tuple[GestureState, RecognizedActions]


def advance(
    state: GestureState, contact: Contact, limits: GestureLimits = GestureLimits()
) -> _Result:
    """Takes the next contact and returns the new state with the actions that are known now.

    Args:
        contact: its `time_us` may be on any clock that only goes forward; the paths of the
            actions count from their own first contact.

    Contacts of a finger that is not down are ignored, except that it comes down; coming down
    twice counts as a move.
    """
    match contact.phase:
        case Phase.DOWN:
            return _down(state, contact, limits)
        case Phase.MOVE:
            return _move(state, contact, limits)
        case Phase.UP:
            return _up(state, contact, limits)
        case Phase.CANCEL:
            return cancel(state)


def cancel(state: GestureState) -> _Result:
    """Forgets the fingers on the glass; a finished tap before them stays one."""
    return IDLE, _tap_readings(state.tap)


def settle(state: GestureState, now_us: int, limits: GestureLimits = GestureLimits()) -> _Result:
    """Returns the waiting tap if the time for a second one has passed."""
    due = due_us(state, limits)
    if due is None or now_us < due:
        return state, ()
    return replace(state, tap=()), _tap_readings(state.tap)


def flush(state: GestureState) -> _Result:
    """Returns the waiting tap at once: something was done that cannot belong to a double tap."""
    return replace(state, tap=()), _tap_readings(state.tap)


def due_us(state: GestureState, limits: GestureLimits = GestureLimits()) -> int | None:
    """Returns when `settle` has something to say if no contact comes; None for never."""
    if not state.tap or state.active:
        return None
    return state.tap[-1].time_us + limits.double_tap_us + 1


def _down(state: GestureState, contact: Contact, limits: GestureLimits) -> _Result:
    if state.active:
        if contact.pointer in dict(state.down):
            return _move(state, replace(contact, phase=Phase.MOVE), limits)
        return (
            replace(
                state,
                path=(*state.path, contact),
                down=(*state.down, (contact.pointer, contact.at)),
                fingers=state.fingers | {contact.pointer},
            ),
            (),
        )
    begun = GestureState(
        path=(contact,),
        down=((contact.pointer, contact.at),),
        fingers=frozenset({contact.pointer}),
    )
    if not state.tap:
        return begun, ()
    again = (
        contact.time_us - state.tap[-1].time_us <= limits.double_tap_us
        and contact.at.distance_to(state.tap[0].at) <= limits.double_tap_slop
    )
    if again:
        return replace(begun, tap=state.tap), ()
    return begun, _tap_readings(state.tap)


def _move(state: GestureState, contact: Contact, limits: GestureLimits) -> _Result:
    start = dict(state.down).get(contact.pointer)
    if start is None:
        return state, ()
    moved = state.moved or contact.at.distance_to(start) > limits.touch_slop
    state = replace(state, path=(*state.path, contact), moved=moved)
    if not moved:
        return state, ()
    # What moves is no second tap, so the first one stands alone.
    return replace(state, tap=()), _tap_readings(state.tap)


def _up(state: GestureState, contact: Contact, limits: GestureLimits) -> _Result:
    start = dict(state.down).get(contact.pointer)
    if start is None:
        return state, ()
    state = replace(
        state,
        path=(*state.path, contact),
        down=tuple(item for item in state.down if item[0] != contact.pointer),
        moved=state.moved or contact.at.distance_to(start) > limits.touch_slop,
    )
    if state.active:
        return state, ()
    if len(state.fingers) > 1:
        return IDLE, (*_tap_readings(state.tap), _reading(_several(state, limits), state.path))
    held_us = contact.time_us - state.path[0].time_us
    if state.moved or held_us >= limits.long_press_us:
        return IDLE, (*_tap_readings(state.tap), _reading(_single(state), state.path))
    if state.tap:
        path = (*state.tap, *state.path)
        return IDLE, (_reading(DoubleTap(path[0].at, _from_zero(path)), path),)
    return GestureState(tap=state.path), ()


def _single(state: GestureState) -> Action:
    """One finger that moved or stayed long."""
    path = _from_zero(state.path)
    if state.moved:
        return Swipe(path[0].at, path[-1].at, path[-1].time_us, path)
    return LongPress(path[0].at, path[-1].time_us, path)


def _several(state: GestureState, limits: GestureLimits) -> Action:
    """Two fingers or more."""
    path = _from_zero(state.path)
    if len(state.fingers) == 2:
        first, second = dict.fromkeys(contact.pointer for contact in path)
        distances, centre = _distances(path, first, second)
        if distances and abs(distances[-1] - distances[0]) > limits.touch_slop and distances[0]:
            return Pinch(centre, distances[-1] / distances[0], path)
    arguments = [[c.phase.value, c.at.x, c.at.y, c.time_us, c.pointer] for c in path]
    return Other(
        "fingers", json.dumps({"count": len(state.fingers), "path": arguments}, ensure_ascii=False)
    )


def _distances(path: Path, first: int, second: int) -> tuple[list[float], Point]:
    """The fingers' distances while both are down, and the middle between them at first."""
    at: dict[int, Point] = {}
    found: list[float] = []
    centre = path[0].at
    for contact in path:
        at[contact.pointer] = contact.at
        if len(at) == 2:
            if not found:
                a, b = at[first], at[second]
                centre = Point((a.x + b.x) / 2, (a.y + b.y) / 2)
            found.append(at[first].distance_to(at[second]))
        if contact.phase is Phase.UP and len(at) == 2:
            break
    return found, centre


def _tap_readings(path: tuple[Contact, ...]) -> RecognizedActions:
    if not path:
        return ()
    return (_reading(Tap(path[0].at, path[-1].at, _from_zero(path)), path),)


def _reading(action: Action, path: tuple[Contact, ...]) -> RecognizedAction:
    return RecognizedAction(action, path[0].time_us, path[-1].time_us)


def _from_zero(path: tuple[Contact, ...]) -> Path:
    return tuple(replace(c, time_us=c.time_us - path[0].time_us) for c in path)
