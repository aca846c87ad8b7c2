"""What the element a step's action met is called, where that can be said with certainty."""

from __future__ import annotations

from episodes.actions import DoubleTap, LongPress, Tap, TypeText, place
from episodes.steps import Step
from episodes.trees.hits import label, target_at
from episodes.trees.step_trees import NoTree, tree_of_step

LONGEST = 60


def target_name(step: Step) -> str:
    """Returns the text of the element under an action; "" if it is not known.

    The chosen target's label comes first. A tree that does not hold names nothing.
    """
    chosen = step.target
    if chosen is not None and chosen.label:
        return chosen.label
    point = place(step.action)
    if not isinstance(step.action, Tap | DoubleTap | LongPress | TypeText) or point is None:
        return ""
    tree = tree_of_step(step)
    if isinstance(tree, NoTree):
        return ""  # the reason is shown where the tree is
    found = target_at(tree, point)
    words = " ".join(label(found[1]).split()) if found is not None else ""
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
