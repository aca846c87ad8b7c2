"""What a press may have meant, by the tree of its step: nested elements, smallest first.

The rule for the proposed target, in order:

1. the smallest element under the point that takes touches and is smaller than the screen;
2. where none takes touches, the smallest that shows something;
3. where the smallest thing under the point is opaque (a web view, a game), none, unless what takes
   the touch is small itself;
4. never one as large as the screen: only a person chooses that.

How sure that is has three levels, each with its reason in words. High needs a fresh tree. It knows
nothing of pixels: what is not in the tree is left to segmenters and people.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from annotator.gold_actions import current_gold
from episodes.actions import Action, DoubleTap, LongPress, Tap, TypeText, place
from episodes.annotations import Author, Provenance, Region, RegionSource, Status
from episodes.geometry import Box, Size
from episodes.screens import TreeFit
from episodes.steps import Step
from episodes.trees.hits import label, nodes_at
from episodes.trees.step_trees import NoTree, tree_of_step
from episodes.trees.values import Node, Tree, TreeWindow

SCREEN_SHARE = 0.8
"""From this share of the frame on a box is as large as the screen."""
LARGE_SHARE = 0.1
"""Above this share of the frame an element is likely more than what was meant."""
ALIKE = 0.8
"""From this IoU on a picture cannot tell which of two boxes it shows."""
MAX_LABEL = 80


class Level(StrEnum):
    """How sure a proposed target is."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An element under the point, as a region.

    Attributes:
        element: last part of its class, as a person would read it ("Button").
        takes_touch: whether the element itself reacts to touches.
        off: it would take touches, but is disabled.
        opaque: the tree does not describe what is inside.
        editable: text can be typed into it.
        held_only: it takes long presses, and a tap on it does nothing according to the tree.
        share: of the frame, 0..1.
    """

    region: Region
    element: str
    takes_touch: bool
    off: bool
    opaque: bool
    editable: bool
    held_only: bool
    share: float

    @property
    def screen_sized(self) -> bool:
        """Whether only a person may choose it."""
        return self.share >= SCREEN_SHARE

    @property
    def name(self) -> str:
        """Its label in quotes, or its class."""
        own = self.region.label
        return f"“{own}”" if own and own != self.element else f"the {self.element}"


@dataclass(frozen=True, slots=True)
class Candidates:
    """All elements a press may have meant.

    Attributes:
        found: from smallest to largest.
        proposed: place of the one the rule takes; None if it takes none.
        level, reason: how sure that is, and why, in a sentence.
        opaque: the area under the point whose content is not in the tree.
        fitting, why: level and reason if the tree is of this very screen: what is left of them
            once something else than its time has shown that.
        uppermost: whether all that speaks against the proposed one are elements that lie under it:
            their boxes are others, they neither hold it in the tree nor lie in it, and it is drawn
            after them.
    """

    found: tuple[Candidate, ...]
    proposed: int | None
    level: Level
    reason: str
    opaque: Box | None = None
    fitting: Level = Level.LOW
    why: str = ""
    uppermost: bool = False

    def larger(self, at: int | None) -> int | None:
        """Returns the place of the next larger one; from None, the rule's. The largest stays."""
        if at is None:
            return self._first()
        return min(at + 1, len(self.found) - 1)

    def _first(self) -> int | None:
        if self.proposed is not None:
            return self.proposed
        return 0 if self.found else None


def needs_target(action: Action) -> bool:
    """Returns whether an action means an element: presses, and text with a known field."""
    match action:
        case Tap() | DoubleTap() | LongPress():
            return True
        case TypeText(target=target):
            return target is not None
        case _:
            return False


def find_candidates(step: Step, episode: str) -> Candidates | None:
    """Returns what the action in force on a step may have meant; None if it needs no target.

    Args:
        episode: uuid of the step's episode, which the regions' uuids are made from: proposed
            twice, or in two libraries, the same element is the same region.
    """
    action = current_gold(step).action
    if not needs_target(action):
        return None
    point = place(action)
    if point is None:
        return _nothing("The action names an element and no place on the screen.")
    if step.frame is None:
        return _nothing("The step has no frame to measure on.")
    size = step.frame.size
    tree = tree_of_step(step)
    if isinstance(tree, NoTree):
        if tree.outdated is None:
            return _nothing(tree.reason)
        why_low, tree = tree.reason, tree.outdated
    else:
        why_low = ""
    if not (0 <= point.x < size.width and 0 <= point.y < size.height):
        return _nothing("The point is outside the frame.")
    nodes = list(nodes_at(tree, point))
    found = tuple(_candidates(tree, nodes, size, episode))
    if not found:
        return _nothing("The tree shows nothing at this place.")
    assert step.tree is not None
    tapped = isinstance(action, Tap | DoubleTap)
    taking = [(node.path, node.box) for _, node in nodes if node.interactive]
    choice = _by_rule(found, taking, tapped)
    if not tree.order_known:
        choice = _of_unordered_windows(choice)
    return _judged(found, choice, step.tree.fit, why_low)


def make_drawn_region(box: Box, author: Author, words: str = "") -> Region:
    """Returns the region a person drew."""
    provenance = Provenance(RegionSource.PERSON)
    return Region(box, provenance, words, author=author, uuid=str(uuid.uuid4()))


def node_ref(tree: Tree, window: TreeWindow, node: Node) -> str:
    """Returns a node as `Provenance.node` names it: its window's place and its path, "0/2.1"."""
    number = next(at for at, one in enumerate(tree.windows) if one is window)
    return f"{number}/{'.'.join(map(str, node.path))}"


def node_ref_numbers(ref: str) -> tuple[int, ...]:
    """Returns the numbers that `node_ref` wrote: the window's, then those of the path."""
    number, _, path = ref.partition("/")
    return (int(number), *map(int, path.split("."))) if path else (int(number),)


def describe_node(node: Node) -> str:
    """Returns what a person would call a node: its text or description, else its id, else class.

    The text of a password field is never taken.
    """
    if any(inside.password for inside in node.walk()):
        words = node.description or node.hint
    else:
        words = label(node)
    words = " ".join(words.split()) or _spoken(node.resource_id)
    words = words or _class(node)
    return words if len(words) <= MAX_LABEL else words[: MAX_LABEL - 1].rstrip() + "…"


class _Choice(NamedTuple):
    place: int | None
    level: Level
    reason: str
    uppermost: bool = False


_Placed = tuple[tuple[int, ...], Box]
"""Path and box of a node."""


def _nothing(reason: str) -> Candidates:
    return Candidates((), None, Level.LOW, reason, why=reason)


def _candidates(
    tree: Tree, nodes: list[tuple[TreeWindow, Node]], size: Size, episode: str
) -> list[Candidate]:
    """The sensible nodes, one for each box, from smallest to largest."""
    screen = Box(0, 0, size.width, size.height)
    best: dict[Box, tuple[bool, int, Candidate]] = {}
    opaque = {node.box.intersection(screen) for _, node in nodes if node.opaque}
    for window, node in nodes:
        box = node.box.intersection(screen)
        rank = (node.interactive, len(node.path))
        if not _sensible(node) or (box in best and best[box][:2] >= rank):
            continue
        ref = node_ref(tree, window, node)
        edges = f"{box.left},{box.top},{box.right},{box.bottom}"
        region = Region(
            box,
            Provenance(RegionSource.TREE, node=ref),
            describe_node(node),
            status=Status.PROPOSED,
            uuid=str(uuid.uuid5(uuid.NAMESPACE_URL, f"taptrail:tree/{episode}/{ref}/{edges}")),
        )
        found = Candidate(
            region,
            _class(node),
            takes_touch=node.interactive,
            off=_off(node),
            opaque=box in opaque,
            editable=node.editable,
            held_only=node.long_clickable
            and not (node.clickable or node.checkable or node.editable),
            share=box.area / screen.area,
        )
        best[box] = (*rank, found)
    in_order = sorted(best.items(), key=lambda item: (item[0].area, -item[1][1]))
    return [found for _, (_, _, found) in in_order]


def _sensible(node: Node) -> bool:
    return bool(
        node.interactive
        or _off(node)
        or node.opaque
        or node.text
        or node.description
        or node.hint
        or not node.children
    )


def _off(node: Node) -> bool:
    return not node.enabled and (node.clickable or node.long_clickable or node.checkable)


def _unrelated(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether neither of two nodes holds the other in the tree."""
    return one[: len(other)] != other and other[: len(one)] != one


def _uppermost(own: Region, taking: list[_Placed]) -> bool:
    box, at = own.box, node_ref_numbers(own.provenance.node)[1:]
    assert box is not None
    others = [(path, other) for path, other in taking if _unrelated(at, path)]
    return bool(others) and all(path < at and other.overlap(box) < ALIKE for path, other in others)


def _of_unordered_windows(choice: _Choice) -> _Choice:
    """Returns a choice among windows whose order is unknown; the level is never high."""
    if choice.level is not Level.HIGH:
        return choice._replace(uppermost=False)
    reason = "The tree does not say which of its windows is in front; the smaller one is assumed."
    return _Choice(choice.place, Level.MEDIUM, reason)


def _judged(
    found: tuple[Candidate, ...], choice: _Choice, fit: TreeFit, outdated: str
) -> Candidates:
    """Lowers the level of the rule's choice by the time of the tree.

    Args:
        outdated: why the tree is of another moment; "" if it is not.
    """
    fitting = choice
    smallest = found[0]
    opaque = smallest.region.box if smallest.opaque else None
    if outdated:
        choice = _Choice(choice.place, Level.LOW, outdated)
    elif fit is not TreeFit.FRESH and choice.level is Level.HIGH:
        reason = "The data set does not say when its tree was taken."
        choice = _Choice(choice.place, Level.MEDIUM, reason)
    return Candidates(
        found,
        choice.place,
        choice.level,
        choice.reason,
        opaque,
        fitting.level,
        fitting.reason,
        fitting.uppermost,
    )


def _by_rule(found: tuple[Candidate, ...], taking: list[_Placed], tapped: bool) -> _Choice:
    smallest = found[0]
    touchable = [at for at, one in enumerate(found) if one.takes_touch]
    touched = next((at for at in touchable if not found[at].screen_sized), None)
    if smallest.opaque and (touched is None or found[touched].share > LARGE_SHARE):
        reason = f"The tree knows nothing of what is inside {smallest.name}."
        return _Choice(None, Level.LOW, reason)
    if touched is not None:
        return _touched(found, touched, taking, tapped)
    shown = next((at for at, one in enumerate(found) if not one.screen_sized), None)
    if shown is None:
        return _Choice(None, Level.LOW, "Only the whole screen is under the press.")
    name = found[shown].name
    if found[shown].off:
        return _Choice(shown, Level.MEDIUM, f"{_capital(name)} is switched off.")
    if touchable:
        reason = f"Only the whole screen takes touches; {name} is the smallest thing shown."
        return _Choice(shown, Level.LOW, reason)
    if found[shown].share > LARGE_SHARE:
        return _Choice(shown, Level.LOW, _too_large(found[shown]))
    reason = f"No element there accepts touches; {name} is the smallest one."
    return _Choice(shown, Level.MEDIUM, reason)


def _touched(found: tuple[Candidate, ...], at: int, taking: list[_Placed], tapped: bool) -> _Choice:
    one = found[at]
    off = next((other for other in found[:at] if other.off), None)
    if off is not None:
        reason = f"{_capital(off.name)} is switched off, and smaller than what takes the touch."
        return _Choice(at, Level.LOW, reason)
    if one.share > LARGE_SHARE:
        if one.editable:
            share = f"{one.share:.0%}".replace("%", " %")
            reason = f"{_capital(one.name)} is a field of {share} of the screen."
            return _Choice(at, Level.MEDIUM, reason)
        return _Choice(at, Level.LOW, _too_large(one))
    if found[0].opaque:
        reason = f"{_capital(one.name)} takes the touch; the tree knows nothing of its inside."
        return _Choice(at, Level.MEDIUM, reason)
    if tapped and one.held_only:
        reason = f"A tap on {one.name} does nothing by the tree; it may have meant a part of it."
        return _Choice(at, Level.MEDIUM, reason)
    if any(_unrelated(first, second) for first, _ in taking for second, _ in taking):
        reason = f"Elements overlap here; {one.name} is the smallest."
        return _Choice(at, Level.MEDIUM, reason, _uppermost(one.region, taking))
    return _Choice(at, Level.HIGH, f"The tree is fresh, and {one.name} takes the touch.")


def _too_large(one: Candidate) -> str:
    return f"The tree knows only {one.name}, {one.share:.0%} of the screen.".replace("%", " %")


def _capital(name: str) -> str:
    return name[0].upper() + name[1:]


def _class(node: Node) -> str:
    return node.class_name.rpartition(".")[2] or "element"


def _spoken(resource_id: str) -> str:
    return " ".join(resource_id.rpartition("/")[2].replace("_", " ").split())
