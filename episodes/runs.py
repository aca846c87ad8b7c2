"""Runs: a model's predictions with the facts needed to score them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from episodes.actions import Action
from episodes.geometry import Native


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A prediction no action could be read from.

    Attributes:
        reason: in words.
        guess: the kind of action the text seems to begin with; "" if it is unknown.
    """

    reason: str
    guess: str = ""


class Ended(StrEnum):
    """How a model ended its answer."""

    STOP = "stop"
    CUT = "cut"  # at the limit of tokens
    REFUSED = "refused"  # by the server's filter or the model
    EMPTY = "empty"
    REASONING_ONLY = "reasoning_only"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Answered:
    """How an answer came about that Taptrail asked for itself.

    Attributes:
        finish: the server's own word for the end.
        reasoning: what the server returned apart from the answer.
        tokens: (in, out), where the server counted them.
    """

    ended: Ended
    finish: str = ""
    reasoning: str = ""
    tokens: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Prediction:
    """One answer of a model to one step.

    Attributes:
        episode: name of the step's episode.
        step: index of the step.
        raw: the unchanged text; the originals judge text, so it is never changed.
        parsed: in pixels of the step's frame, or why it could not be read.
        native: the model's own numbers with the name of their space.
        file, line: where it was read, 1-based; for a JSON array the element's number.
        answered: how the answer came about; None for one that was read from somebody's file.
    """

    episode: str
    step: int
    raw: str
    parsed: Action | Unreadable
    native: Native | None = None
    file: str = ""
    line: int = 0
    answered: Answered | None = None


class OrphanReason(StrEnum):
    """Why a prediction was joined to no step."""

    NO_EPISODE = "no_episode"
    NO_STEP = "no_step"
    DOUBLED = "doubled"


@dataclass(frozen=True, slots=True)
class Orphan:
    """A prediction without a step: stored and counted, never dropped."""

    prediction: Prediction
    why: OrphanReason


@dataclass(frozen=True, slots=True)
class RunFile:
    """One file a run was read from."""

    name: str
    sha256: str
    lines: int


@dataclass(frozen=True, slots=True)
class StepSet:
    """The steps a run is measured on.

    Attributes:
        sha256: over the sorted lines "dataset/version/episode/step".
    """

    name: str
    count: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Run:
    """The manifest of a model's answers. Empty text means: not declared.

    Attributes:
        dialect: how the text was read.
        coordinates: the declared space: "0-1", "0-999", "0-1000", "pixels", "resized:RULE".
        scroll: "finger" or "content".
        level: instruction level: "high", "low", "both".
        history, observation: as declared, e.g. "4 actions, gold", "screenshot".
        dataset, dataset_version: whose episodes it answers; "" for any of that name.
        split: (split, part), when it answers only those; part "" for any part.
        only_answered: whether it is measured only on episodes that its files answer.
        asking: how `taptrail predict` asked for it, a JSON object: recipe, fingerprints, counts; ""
            for a run from somebody's file.
    """

    name: str
    dialect: str
    model: str = ""
    coordinates: str = ""
    scroll: str = ""
    level: str = ""
    history: str = ""
    observation: str = ""
    dataset: str = ""
    dataset_version: str = ""
    split: tuple[str, str] | None = None
    only_answered: bool = False
    step_set: StepSet | None = None
    files: tuple[RunFile, ...] = ()
    imported_utc: str = ""
    asking: str = ""
