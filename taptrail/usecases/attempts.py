"""Attempts of people and agents at a task, and the step budget that follows from them.

Attempts with the same instruction belong to one task; episodes without an instruction belong to
none. Failed attempts and outliers are marked with a reason and excluded from the numbers. A person
can exclude or include any attempt.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from episodes.actions import Ending
from episodes.annotations import Author, Edit
from episodes.durations import EpisodeTimes
from episodes.episodes import Attempt, Episode, EpisodeState
from episodes.errors import KnownError
from episodes.store.episode_outlines import EpisodeOutline
from episodes.store.library import Library
from taptrail.usecases.reference_times import (
    FACTOR,
    FLOOR,
    Aggregate,
    Budget,
    Spread,
    budget,
    fences,
    spread,
    step_count,
    times,
)

OUTCOMES = ("complete", "impossible", "failed", "given up")
_BY_INDEX = 4
_BY_DEVICE = {"success": "complete", "partial": "failed", "failed": "failed"}


class CountingDecision(StrEnum):
    """Who decided whether an attempt counts."""

    RULE = "by the rule"
    LEFT_OUT = "left out"
    TAKEN_IN = "taken in"


@dataclass(frozen=True, slots=True)
class PersonsAttempt:
    """One person's attempt at a task.

    Attributes:
        person: name; `number` counts 1, 2, ... among this person's attempts at this task.
        outcome: one of OUTCOMES, or "" if unknown.
        counts: whether the numbers include it.
        why: why it is excluded, or why a person included it; "" for an ordinary attempt.
        outlier: what is outside the fences: "time", "steps".
        judged: whether a person judged the outcome; otherwise the actor claimed it.
        counting: who decided whether it counts.
    """

    uuid: str
    name: str
    person: str
    number: int
    steps: int
    times: EpisodeTimes
    outcome: str
    counts: bool
    why: str
    outlier: tuple[str, ...] = ()
    judged: bool = False
    counting: CountingDecision = CountingDecision.RULE


@dataclass(frozen=True, slots=True)
class AgentsAttempt:
    """One agent's attempt at the task, shown beside those of people."""

    uuid: str
    name: str
    agent: str
    steps: int
    outcome: str


@dataclass(frozen=True, slots=True)
class Reference:
    """What people need for a task.

    Attributes:
        attempts: of people, in the order they were stored.
        people: number of different people.
        succeeded: number of attempts that ended complete, of `len(attempts)`.
        steps, wall, thinking, acting: statistics of the attempts that count; times in
        microseconds.
        time_fences, step_fences: limits for outliers; None for fewer than four attempts.
    """

    task: str
    attempts: tuple[PersonsAttempt, ...]
    agents: tuple[AgentsAttempt, ...]
    people: int
    succeeded: int
    steps: Spread | None
    wall: Spread | None
    thinking: Spread | None
    acting: Spread | None
    time_fences: tuple[float, float] | None
    step_fences: tuple[float, float] | None
    with_finish: bool

    def budget(
        self,
        factor: str = FACTOR,
        aggregate: Aggregate = Aggregate.MEAN,
        floor: int = FLOOR,
    ) -> Budget:
        """Returns the budget of an agent; the defaults follow AndroidWorld."""
        counted = [one for one in self.attempts if one.counts]
        wall = [one.times.wall for one in counted if one.times.wall is not None]
        return budget(
            [one.steps for one in counted], wall, factor=factor, aggregate=aggregate, floor=floor
        )


@dataclass(frozen=True, slots=True)
class TaskLine:
    """A task of a list, with its number of attempts; apps and category of the first attempt."""

    task: str
    attempts: int
    apps: tuple[str, ...]
    category: str = ""


def tasks(library: Library, search: str = "") -> tuple[TaskLine, ...]:
    """Returns all tasks, or those matching all search words, most attempts first."""
    found: dict[str, TaskLine] = {}
    wanted = search.casefold().split()
    for asked in library.asked_tasks():
        words = same_task(asked.instruction)
        if not words or (wanted and not all(word in words.casefold() for word in wanted)):
            continue
        known = found.get(words, TaskLine(words, 0, asked.apps, asked.category))
        found[words] = replace(known, attempts=known.attempts + asked.episodes)
    return tuple(sorted(found.values(), key=lambda line: -line.attempts))


def references(
    library: Library, tasks: Iterable[str] | None = None, *, with_finish: bool = True
) -> dict[str, Reference]:
    """Returns what people need for the given tasks, or for all, by instruction.

    Tasks whose only attempt is still being recorded are left out. No screen is read.
    """
    wanted = None if tasks is None else {same_task(words) for words in tasks} - {""}
    texts = None
    if wanted is not None:
        # The index is fast for one task, one pass for many.
        looks = wanted if len(wanted) <= _BY_INDEX else ("",)
        near = {text for words in looks for text in library.instructions_with(words)}
        texts = [text for text in near if same_task(text) in wanted]
    found: dict[str, list[EpisodeOutline]] = defaultdict(list)
    for one in library.outlines(texts):
        words = same_task(one.instruction)
        if words and one.state is not EpisodeState.RECORDING:
            found[words].append(one)
    return {words: _reference(ones, with_finish) for words, ones in found.items()}


def reference(library: Library, task: str, *, with_finish: bool = True) -> Reference:
    """Returns the attempts of the task with this instruction, and their statistics.

    Raises:
        KnownError: no episode has that task.
    """
    wanted = same_task(task)
    if not wanted:
        raise KnownError(
            "find attempts of a task",
            "the episode has no instruction",
            "Give it one in Episodes; equal instructions are one task.",
        )
    found = references(library, [wanted], with_finish=with_finish)
    if wanted not in found:
        raise KnownError(
            f"find attempts of “{wanted[:60]}”",
            "no episode has that task",
            "See all tasks with: taptrail attempts.",
        )
    return found[wanted]


def reference_for(library: Library, episode: Episode) -> Reference:
    """Returns the attempts of an episode's task; without an instruction, only the episode."""
    if not same_task(episode.task.instruction):
        return reference_of([library.episode(episode.uuid)])
    return reference(library, episode.task.instruction)


def reference_of(
    episodes: Iterable[Episode | EpisodeOutline], *, with_finish: bool = True
) -> Reference:
    """As `reference`, of given episodes of one task."""
    found = [one if isinstance(one, EpisodeOutline) else _outline(one) for one in episodes]
    return _reference(found, with_finish)


@dataclass(frozen=True, slots=True)
class AttemptOutcomes:
    """How an attempt ended, by three opinions; "" where one says nothing.

    Attributes:
        claimed: by its actor.
        judged: by a person who reviewed it.
        device: by the device or the benchmark's own code, if it knows.
    """

    claimed: str
    judged: str
    device: str = ""

    @property
    def differ(self) -> bool:
        """Whether the person's judgement contradicts the claim."""
        return bool(self.claimed and self.judged) and self.claimed != self.judged


def endings(episode: Episode | EpisodeOutline) -> AttemptOutcomes:
    """Returns the claimed and the judged outcome of an attempt."""
    claimed = ""
    if episode.finish is not None:
        claimed = "complete" if episode.finish.ending is Ending.COMPLETE else "impossible"
    judged = episode.attempt.outcome if episode.attempt is not None else ""
    told = episode.device if isinstance(episode, EpisodeOutline) else ""
    return AttemptOutcomes(claimed, judged, _BY_DEVICE.get(told, ""))


def outcome(episode: Episode | EpisodeOutline) -> str:
    """Returns how an attempt ended: what a person judged, else what the device says, else what its
    actor claimed."""
    ended = endings(episode)
    left = "given up" if episode.state is EpisodeState.INCOMPLETE else ""
    return ended.judged or ended.device or ended.claimed or left


def leave_out(library: Library, episode: Episode, author: Author, reason: str) -> Edit | None:
    """Excludes an attempt from the numbers; returns None if it was excluded already.

    Raises:
        KnownError: there is no reason.
    """
    return _decide(library, episode, author, left_out=_needed(reason), taken_in="")


def take_in(library: Library, episode: Episode, author: Author, reason: str) -> Edit | None:
    """Includes an attempt in the numbers, whatever the rules decide.

    Returns None if it was included already, for that reason.

    Raises:
        KnownError: there is no reason.
    """
    return _decide(library, episode, author, left_out="", taken_in=_needed(reason))


def by_rule(library: Library, episode: Episode, author: Author) -> Edit | None:
    """Lets the rules decide whether an attempt counts; returns None if they do already."""
    return _decide(library, episode, author, left_out="", taken_in="")


def judge(library: Library, episode: Episode, author: Author, how: str) -> Edit | None:
    """Stores how an attempt ended: one of OUTCOMES, or "" for its actor's claim.

    Returns None if that is stored already.

    Raises:
        KnownError: `how` is none of them.
    """
    return _decide(library, episode, author, outcome=_known(episode, how))


def decide(
    library: Library,
    episode: Episode,
    author: Author,
    how: str,
    counting: CountingDecision,
    reason: str,
) -> Edit | None:
    """Stores an attempt's outcome and whether it counts, in one edit; None if nothing changes.

    Args:
        how: as in `judge`.
        reason: for excluding or including it.

    Raises:
        KnownError: there is no such outcome, or no reason.
    """
    told = "" if counting is CountingDecision.RULE else _needed(reason)
    decided = {
        "outcome": _known(episode, how),
        "left_out": told if counting is CountingDecision.LEFT_OUT else "",
        "taken_in": told if counting is CountingDecision.TAKEN_IN else "",
    }
    return _decide(library, episode, author, **decided)


def same_task(words: str) -> str:
    """Returns an instruction with normalized spaces; equal instructions are one task."""
    return " ".join(words.split())


def _reference(found: list[EpisodeOutline], with_finish: bool) -> Reference:
    found = sorted(found, key=lambda one: (one.started_utc, one.name))
    people = [one for one in found if one.actor.kind != "agent"]
    attempts = _numbered(people, with_finish)
    time_fences, step_fences = _fences(attempts)
    attempts = [_marked(one, time_fences, step_fences) for one in attempts]
    counted = [one for one in attempts if one.counts]
    return Reference(
        task=same_task(found[0].instruction) if found else "",
        attempts=tuple(attempts),
        agents=tuple(
            AgentsAttempt(
                one.uuid, one.name, one.actor.agent, _steps(one, with_finish), outcome(one)
            )
            for one in found
            if one.actor.kind == "agent"
        ),
        people=len({_person(one) for one in people}),
        succeeded=sum(one.outcome == "complete" for one in attempts),
        steps=spread([one.steps for one in counted]),
        wall=spread([t for one in counted if (t := one.times.wall) is not None]),
        thinking=spread([t for one in counted if (t := one.times.thinking) is not None]),
        acting=spread([t for one in counted if (t := one.times.acting) is not None]),
        time_fences=time_fences,
        step_fences=step_fences,
        with_finish=with_finish,
    )


def _outline(episode: Episode) -> EpisodeOutline:
    steps = step_count(episode)
    return EpisodeOutline(
        uuid=episode.uuid,
        name=episode.name,
        instruction=episode.task.instruction,
        goal_id=episode.task.goal_id,
        device="",
        state=episode.state,
        started_utc=episode.started_utc,
        actor=episode.actor,
        attempt=episode.attempt,
        finish=episode.finish,
        steps=steps,
        finishes=steps - step_count(episode, with_finish=False),
        times=times(episode),
    )


def _steps(one: EpisodeOutline, with_finish: bool) -> int:
    return one.steps if with_finish else one.steps - one.finishes


def _decide(library: Library, episode: Episode, author: Author, **decided: str) -> Edit | None:
    """Stores a decision; returns None without an edit if nothing changes."""
    known = episode.attempt
    said = known or Attempt(0)
    if all(getattr(said, name) == value for name, value in decided.items()):
        return None
    if known is None:
        known = Attempt(_number_of(library, episode))
    attempt = replace(known, **decided)  # type: ignore[arg-type]
    return library.editor(author).set_attempt(episode.uuid, attempt)


def _number_of(library: Library, episode: Episode) -> int:
    found = reference_for(library, episode).attempts
    return next((one.number for one in found if one.uuid == episode.uuid), 1)


def _known(episode: Episode, how: str) -> str:
    if how and how not in OUTCOMES:
        raise KnownError(
            f"judge {episode.name}", f"“{how}” is no outcome", f"Use one of: {', '.join(OUTCOMES)}."
        )
    return how


def _needed(reason: str) -> str:
    if not reason.strip():
        raise KnownError("decide about an attempt", "there is no reason", "Say why.")
    return reason.strip()


def _numbered(found: list[EpisodeOutline], with_finish: bool) -> list[PersonsAttempt]:
    counts: dict[str, int] = defaultdict(int)
    attempts = []
    for one in found:
        who = _person(one)
        counts[who] += 1
        ended = outcome(one)
        counts_, why = _by_outcome(one.attempt, ended)
        attempts.append(
            PersonsAttempt(
                one.uuid,
                one.name,
                one.actor.author.name if one.actor.author is not None else "",
                one.attempt.number if one.attempt is not None else counts[who],
                _steps(one, with_finish),
                one.times,
                ended,
                counts_,
                why,
                judged=one.attempt is not None and bool(one.attempt.outcome),
                counting=_counting(one.attempt),
            )
        )
    return attempts


def _counting(attempt: Attempt | None) -> CountingDecision:
    if attempt is not None and attempt.left_out:
        return CountingDecision.LEFT_OUT
    if attempt is not None and attempt.taken_in:
        return CountingDecision.TAKEN_IN
    return CountingDecision.RULE


def _by_outcome(attempt: Attempt | None, ended: str) -> tuple[bool, str]:
    if attempt is not None and attempt.left_out:
        return False, attempt.left_out
    if attempt is not None and attempt.taken_in:
        return True, attempt.taken_in
    if ended == "complete":
        return True, ""
    return False, f"it ended “{ended}”" if ended else "its outcome is unknown"


def _fences(
    attempts: list[PersonsAttempt],
) -> tuple[tuple[float, float] | None, tuple[float, float] | None]:
    counted = [one for one in attempts if one.counts]
    wall = [one.times.wall for one in counted if one.times.wall is not None]
    return fences(wall), fences([one.steps for one in counted])


def _marked(
    one: PersonsAttempt,
    time_fences: tuple[float, float] | None,
    step_fences: tuple[float, float] | None,
) -> PersonsAttempt:
    """Marks an attempt outside the fences, and excludes it unless a person included it."""
    if not one.counts:
        return one
    found = []
    reasons = []
    if time_fences is not None and one.times.wall is not None:
        low, high = time_fences
        if not low <= one.times.wall <= high:
            found.append("time")
            reasons.append(_outside(one.times.wall / 1e6, low / 1e6, high / 1e6, " s"))
    if step_fences is not None and not step_fences[0] <= one.steps <= step_fences[1]:
        found.append("steps")
        reasons.append(_outside(one.steps, *step_fences, " steps"))
    if not found:
        return one
    taken_in = bool(one.why)
    why = one.why if taken_in else f"outlier: {' and '.join(reasons)}"
    return replace(one, outlier=tuple(found), counts=taken_in, why=why)


def _outside(value: float, low: float, high: float, unit: str) -> str:
    return f"{value:.4g}{unit} lie outside {max(0.0, low):.4g} to {high:.4g}{unit}"


def _person(one: EpisodeOutline) -> str:
    author = one.actor.author
    return "" if author is None else author.uuid or author.name
