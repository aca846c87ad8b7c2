"""A demonstration: one instruction, the steps that followed it, and who made them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from episodes.actions import Finish
from episodes.annotations import Author
from episodes.clocks import ClockSample
from episodes.recordings import DeviceFacts, Gap, Segment
from episodes.screens import Frame
from episodes.steps import Step


class EpisodeState(StrEnum):
    """How whole an episode is."""

    RECORDING = "recording"  # being made now, or cut off before anyone could say so
    FINISHED = "finished"  # a person, an agent or a data set ended it
    INCOMPLETE = "incomplete"  # cut off; what was committed is there
    DELETED = "deleted"  # in the library's bin


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acted: a person by author, or an agent by the name of its run."""

    kind: str = "person"
    author: Author | None = None
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """The task of an episode, in the author's words.

    Attributes:
        instruction: the one shown to the person or model.
        template, filled: the sentence with blanks, and with them filled.
        goal_id: a benchmark's id of the task, as text.
    """

    instruction: str
    template: str = ""
    filled: str = ""
    category: str = ""
    apps: tuple[str, ...] = ()
    goal_id: str = ""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try of a person or an agent at a task.

    Attributes:
        number: 1, 2, ... among this actor's tries at the same instruction.
        outcome: "complete", "impossible", "failed", "given up", or "" while unknown.
        left_out: a person's reason for excluding it from the statistics.
        taken_in: why a person says that it counts, whatever the rules for outliers say; both are
            "" if there is no decision.
    """

    number: int
    outcome: str = ""
    left_out: str = ""
    taken_in: str = ""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an episode comes from.

    Attributes:
        dataset: "recorded", "guiodyssey", "androidcontrol", ...
        version: of the data set, e.g. "2".
        file: the name of the file it was read from, without folders.
        sha256: of that file's bytes.
    """

    dataset: str
    version: str = ""
    file: str = ""
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Episode:
    """A demonstration with its steps, recordings and annotations.

    Attributes:
        uuid: identifies the episode when libraries are merged.
        name: the benchmark's id, or a short one of ours ("e-0012"); text, it may begin with
            zeros; unique together with `origin.dataset` and `origin.version`.
        declared_steps: the length the data set states, which need not be `len(steps)`.
        started_utc: wall clock, ISO 8601, once.
        finish: the claim the actor ended with; recorded episodes also keep it as their last step.
        final: the screen at the end.
        splits: (split, part) pairs, e.g. ("random", "test").
        extra: what else the data set said, as JSON text; "" for nothing.
    """

    uuid: str
    name: str
    origin: Origin
    task: Task
    state: EpisodeState
    steps: tuple[Step, ...]
    actor: Actor = Actor()
    attempt: Attempt | None = None
    device: DeviceFacts = DeviceFacts()
    started_utc: str = ""
    ended_utc: str = ""
    finish: Finish | None = None
    final: Frame | None = None
    segments: tuple[Segment, ...] = ()
    gaps: tuple[Gap, ...] = ()
    clock_samples: tuple[ClockSample, ...] = ()
    declared_steps: int | None = None
    splits: tuple[tuple[str, str], ...] = ()
    private: bool = False
    extra: str = ""
