"""Rules that end an agent's attempt. Each has a word that is stored with the episode."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from episodes import actions as a
from episodes.media.signature import Luma, blocks_differ

STATUS_BAR_SHARE = 0.04
"""Of the screen's height. The clock there changes by itself."""


class StopWord(StrEnum):
    """Why an attempt ended."""

    COMPLETE = "said complete"
    IMPOSSIBLE = "said impossible"
    ANSWERED = "answered"
    TURNS = "turns"
    TIME = "time"
    MONEY = "money"
    SAME_ACT = "same act"
    NO_CHANGE = "no change"
    LEFT_APPS = "left the apps"
    PROTECTED = "protected"
    PHONE_LOST = "phone lost"
    MODEL_AWAY = "model away"
    UNREADABLE = "unreadable"
    STOPPED = "stopped"
    TAKEN_OVER = "taken over"


HARNESS_FAULTS = frozenset({StopWord.PHONE_LOST, StopWord.MODEL_AWAY})
"""Ends that say nothing about the model: such an attempt is made again."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long an attempt may take.

    Attributes:
        turns: answers of the model, readable or not.
        same_act: the same action is proposed so often on the same screen; the last is not done.
        no_change: so many actions in a row change nothing.
        unreadable: so many answers in a row cannot be read.
    """

    turns: int = 30
    seconds: float | None = None
    same_act: int = 3
    no_change: int = 5
    unreadable: int = 3


@dataclass(slots=True)
class StopRules:
    """Counts what happened in one attempt and says when it ends."""

    limits: Limits
    turns: int = 0
    _unreadable: int = 0
    _unchanged: int = 0
    _proposed: list[tuple[object, Luma]] = field(default_factory=list)

    def before_turn(self, seconds: float, is_spent: bool) -> StopWord | None:
        """Returns why no further turn begins; counts the turn otherwise."""
        if self.turns >= self.limits.turns:
            return StopWord.TURNS
        if self.limits.seconds is not None and seconds >= self.limits.seconds:
            return StopWord.TIME
        if is_spent:
            return StopWord.MONEY
        self.turns += 1
        return None

    def after_unreadable(self) -> StopWord | None:
        """Counts an answer that cannot be read."""
        self._unreadable += 1
        return StopWord.UNREADABLE if self._unreadable >= self.limits.unreadable else None

    def before_act(self, action: a.Action, screen: Luma) -> StopWord | None:
        """Counts a readable action that is proposed on this screen (small brightness)."""
        self._unreadable = 0
        if isinstance(action, a.Wait):  # a download may take many; the turns are limited
            return None
        act = _rounded(action)
        self._proposed.append((act, screen))
        same = sum(
            one == act and not screens_differ(shown, screen) for one, shown in self._proposed
        )
        return StopWord.SAME_ACT if same >= self.limits.same_act else None

    def after_act(self, before: Luma, after: Luma, is_wait: bool) -> StopWord | None:
        """Counts an action by the screens before and after it."""
        if is_wait:
            return None
        self._unchanged = 0 if screens_differ(before, after) else self._unchanged + 1
        return StopWord.NO_CHANGE if self._unchanged >= self.limits.no_change else None


def screens_differ(one: Luma, other: Luma) -> bool:
    """Returns whether two screens differ below their status bar."""
    bar = round(one.shape[0] * STATUS_BAR_SHARE)
    return one.shape != other.shape or blocks_differ(one[bar:], other[bar:])


def _rounded(action: a.Action) -> object:
    """Returns an action that is equal for touches of nearly the same place."""
    point = a.place(action)
    if point is None:
        return action
    kind = (a.kind(action), round(point.x / 16), round(point.y / 16))
    match action:
        case a.Swipe(end=end):
            return (*kind, round(end.x / 16), round(end.y / 16))
        case a.Scroll(direction=direction):
            return (*kind, direction)
        case a.TypeText(text=text):
            return (*kind, text)
        case _:
            return kind
