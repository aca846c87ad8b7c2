"""The tree that holds for a step: readable, of the shape of its frame, and of the right moment.

A tree is of the right moment if it is fresh, or if it was imported: data sets store no times, and
each of their trees belongs to the picture beside it. Every reader of a step's tree asks here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from episodes.errors import KnownError
from episodes.geometry import Size
from episodes.screens import StepTree, TreeFit, TreeStatus
from episodes.steps import Step
from episodes.trees.readers import OtherShapeError, read_record
from episodes.trees.values import Tree


class TreeProblem(StrEnum):
    """Why a step has no tree that holds."""

    NOT_REQUESTED = "not requested"
    NO_ANSWER = "no answer"
    UNREADABLE = "unreadable"
    NO_FRAME = "no frame"
    OTHER_SHAPE = "other shape"
    LATE = "late"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class NoTree:
    """A step has no tree that holds.

    Attributes:
        reason: a sentence.
        outdated: the tree of another moment, in pixels of the frame; only for late and stale trees.
    """

    problem: TreeProblem
    reason: str
    outdated: Tree | None = None

    @property
    def of_another_screen(self) -> bool:
        """Whether there is a tree, and it was taken of another screen or may have been."""
        return self.problem in (TreeProblem.LATE, TreeProblem.STALE, TreeProblem.OTHER_SHAPE)


TREE_OF_ANOTHER_SCREEN = "a tree that is late, stale or of another shape than its step's frame"
"""What writers leave out, in the words of their reports."""


def has_tree_of_another_screen(step: Step) -> bool:
    """Returns whether a step's tree is late, stale or of another shape than its frame."""
    found = tree_of_step(step)
    return isinstance(found, NoTree) and found.of_another_screen


def tree_of_step(step: Step) -> Tree | NoTree:
    """Returns the tree valid for a step, in pixels of its frame, or why there is none."""
    return tree_on_frame(step.tree, step.frame.size if step.frame is not None else None)


def tree_on_frame(kept: StepTree | None, size: Size | None) -> Tree | NoTree:
    """Returns the tree valid for a frame of this size, in its pixels, or why there is none."""
    if kept is None or kept.fit is TreeFit.MISSING:
        return NoTree(TreeProblem.NOT_REQUESTED, "The phone was not asked for a tree.")
    record = kept.record
    if record.status is TreeStatus.UNREADABLE:
        return _unreadable(record.detail or "its bytes are damaged")
    if kept.fit is TreeFit.FAILED or record.status is not TreeStatus.OK or not record.data:
        status = TreeStatus.EMPTY if record.status is TreeStatus.OK else record.status
        detail = f": {record.detail}" if record.detail else ""
        reason = f"The phone gave no tree ({status.value.replace('_', ' ')}{detail})."
        return NoTree(TreeProblem.NO_ANSWER, reason)
    if size is None:
        return NoTree(TreeProblem.NO_FRAME, "The step has no frame to place the tree on.")
    try:
        tree = read_record(record, size)
    except OtherShapeError:
        reason = "The tree was taken while the screen was turned otherwise."
        if record.size is not None and _is_wide(record.size) == _is_wide(size):
            reason = "The tree was taken while the screen had another shape."
        return NoTree(TreeProblem.OTHER_SHAPE, reason)
    except KnownError as error:
        return _unreadable(error.found)
    match kept.fit:
        case TreeFit.STALE:
            reason = "The screen changed after the tree was taken."
            return NoTree(TreeProblem.STALE, reason, tree)
        case TreeFit.LATE:
            reason = "The tree came after the press had begun."
            return NoTree(TreeProblem.LATE, reason, tree)
        case _:
            return tree


def _unreadable(found: str) -> NoTree:
    return NoTree(TreeProblem.UNREADABLE, f"The tree cannot be read: {found}.")


def _is_wide(size: Size) -> bool:
    return size.width > size.height
