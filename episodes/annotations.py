"""What people and models say about steps: regions, further golds, and the journal of edits."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from episodes.actions import Action
from episodes.geometry import Box, Native


@dataclass(frozen=True, slots=True)
class Author:
    """An author. Merging identifies authors by `uuid`; `kind` is "person" or "program"."""

    uuid: str
    name: str
    kind: str = "person"


class Status(StrEnum):
    """What has become of an annotation."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"


class RegionSource(StrEnum):
    """Who drew a region."""

    TREE = "tree"
    SAM2 = "sam2"
    SUGGESTION = "suggestion"  # found without weights
    PERSON = "person"
    IMPORT = "import"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a region comes from, so that it can be made again.

    Attributes:
        model, version: of a program that drew it.
        prompts: JSON text of the points and boxes it was given.
        score: how good the program thinks it is, 0..1.
        node: the tree node's window number and path, as "window/0.2.1".
        stability: how little a mask changes with its threshold, 0..1.
    """

    source: RegionSource
    model: str = ""
    version: str = ""
    prompts: str = ""
    score: float | None = None
    node: str = ""
    stability: float | None = None


@dataclass(frozen=True, slots=True)
class Mask:
    """A region's shape: `png` is an 8-bit picture of the box's size, 255 inside."""

    box: Box
    png: bytes


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a step's frame that may be the target of its action. All candidates are stored.

    Attributes:
        box: in pixels of the step's frame; None if the data set says there is none.
        native: the data set's own numbers, also when they make no box (`[]`, null).
        chosen: whether it is the step's target.
    """

    box: Box | None
    provenance: Provenance
    label: str = ""
    mask: Mask | None = None
    native: Native | None = None
    status: Status = Status.PROPOSED
    chosen: bool = False
    author: Author | None = None
    uuid: str = ""


@dataclass(frozen=True, slots=True)
class Gold:
    """A right action for a step. Number 0 is what was recorded and never changes.

    Attributes:
        number: 1, 2, ... for alternatives and corrections.
        role: "alternative" (also right) or "correction" (right instead of number 0).
    """

    number: int
    action: Action
    role: str
    reason: str
    status: Status
    author: Author | None = None
    native: Native | None = None


@dataclass(frozen=True, slots=True)
class PrivateBox:
    """A part of a step's screen that is not for others: it is drawn over in every export."""

    box: Box
    reason: str = ""
    author: Author | None = None
    uuid: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """A line of the journal, the basis of undo and of the gold revision.

    Attributes:
        number: grows over the whole library.
        operation: e.g. "region.choose", "step.delete", "instruction.change".
        before, after: JSON text of what changed.
        made_utc: ISO 8601.
        undone_by: number of the edit that took this one back.
        turns: of "undo" and "redo", number of the edit they take back or make again; None in
            journals that were written before it was kept.
    """

    number: int
    episode: str
    step: int | None
    operation: str
    before: str
    after: str
    author: Author
    made_utc: str
    undone_by: int | None = None
    turns: int | None = None


@dataclass(frozen=True, slots=True)
class AcceptedFinding:
    """A finding that a person accepted.

    Attributes:
        step: index of the step; None for the whole episode.
        rule: the rule's name, e.g. "press-without-effect".
    """

    step: int | None
    rule: str
    reason: str
    author: Author


class Decision(StrEnum):
    """A person's decision on an episode."""

    ACCEPTED = "accepted"
    SENT_BACK = "sent back"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class EpisodeReview:
    """The decision in force on an episode."""

    decision: Decision
    reason: str
    author: Author


class Objection(StrEnum):
    """What a person says against a step, or against the verdict on an answer to it."""

    GOLD = "gold is wrong"
    VERDICT = "verdict is wrong"


@dataclass(frozen=True, slots=True)
class StepJudgement:
    """A person's objection to a step. It changes no gold and no verdict.

    Attributes:
        step: index of the step.
        run, protocol: whose verdict by which rules; "" if it is about the gold.
    """

    step: int
    objection: Objection
    run: str
    protocol: str
    reason: str
    author: Author


@dataclass(frozen=True, slots=True)
class BlindChoice:
    """What one person took for a step's target without seeing what others took.

    Attributes:
        box: in pixels of the step's frame; None if the person says that there is none.
        source: who had drawn the box that was taken.
        seconds: from the step's being shown to the choice; None if not measured.
    """

    round: str
    step: int
    author: Author
    box: Box | None
    source: RegionSource
    label: str = ""
    seconds: float | None = None
