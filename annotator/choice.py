"""Which candidate a press meant, by written rules over the tree and over what was seen.

Everything it reads is stored: the step's tree and its regions. So a choice and its level can be
had again at any time, without the picture and without a model. The rules, in order:

1. Without anything seen in the picture the tree decides alone (`annotator.candidates`).
2. A tree box that is supported by the picture is taken: the system takes touches in all of it,
   also where nothing is painted. Of several nested ones, that which fits a mask best; where none
   fits well, the smallest.
3. Without a tree, a mask is taken, else the best suggestion. If the picture shows nothing of the
   size of the tree's box, a mask is taken too; a suggestion only if the tree is stale or late.
   A fresh or imported tree outweighs suggestions that disagree with it: on real screens such a
   tree is right far more often than they are.
4. Nothing that came from pixels is taken where it would cover another element that takes touches,
   or a quarter of the frame. Nothing as large as the screen is taken at all.

Levels: high only where tree and picture agree, and on one element: of those that lie over each
other on that which is drawn last, and on none in whose box a stranger lies. Medium where one of
the two is good alone, low where they contradict one another or something is odd. A person looks
at all low ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from annotator.candidates import (
    LARGE_SHARE,
    Candidate,
    Candidates,
    Level,
    find_candidates,
    node_ref_numbers,
)
from annotator.evidence import (
    LARGEST_SHARE,
    USUAL_SHARE,
    RegionEvidence,
    best_scored,
    contained_share,
    count_edge_sides,
    frame_share,
    measure_evidence,
    overlap,
    parse_prompts,
    visual_regions,
)
from annotator.gold_actions import current_gold
from episodes.actions import place
from episodes.annotations import Region, RegionSource
from episodes.density import usual_pixels_per_dp
from episodes.geometry import Box, Point, Size
from episodes.screens import TreeFit
from episodes.steps import Step
from episodes.trees.hits import nodes_at
from episodes.trees.step_trees import NoTree, tree_of_step

SUPPORTED = 0.7
"""From this IoU with anything seen on, the picture shows what the tree tells of. The more boxes are
guessed the more fit by chance: at 0.65 a third of the trees of other screens would pass."""
AGREES = 0.5
"""From this IoU with the mask that is taken by itself on, tree and mask say the same."""
SUGGESTION_AGREES = 0.4
"""The same for the best suggestion, where moreover one of them must have the box's very size."""
VERY_SIZE = 0.8
CLOSE_SUGGESTIONS = 0.1
"""A suggestion of the box's very size that is no further behind the best one agrees as well:
scores are wrong by more than that, so that the ranking cannot tell the two apart and the tree
can."""
INSIDE = 0.9
"""From this share on a mask lies in a tree's box: ink on a button with room around it."""
NESTED_FIT = 0.3
"""Below this IoU with every mask, no nested element is better than the smallest."""
GLYPH_DP, USUAL_DP = 12, 24
"""A lower box is a letter or a dot; from the second height on a mask can be a control."""
GOOD_SCORE, GOOD_STABILITY = 0.8, 0.9
GOOD_SUGGESTION = 0.7
CLOSE_SCORES = 0.05
"""Masks whose scores differ by no more are told apart by their edges."""


@dataclass(frozen=True, slots=True)
class TargetChoice:
    """What a press likely meant.

    Attributes:
        region: the chosen region; None if no rule chooses one.
        level, reason: how sure that is, and why, in a sentence.
        evidence: the numbers behind it; None without a region.
        doubted: whether the picture shows nothing of the size that the tree tells of, so that the
            tree may be of another screen.
        tree: what the tree says alone.
        seen: the regions from pixels that were weighed.
    """

    region: Region | None
    level: Level
    reason: str
    evidence: RegionEvidence | None
    doubted: bool
    tree: Candidates
    seen: tuple[Region, ...] = ()

    @property
    def candidates(self) -> Candidates:
        """The tree's elements, with the place of what is taken among them, its level and reason."""
        at = next((at for at, one in enumerate(self.tree.found) if one.region is self.region), None)
        return replace(self.tree, proposed=at, level=self.level, reason=self.reason)


def choose_target(
    step: Step, episode: str, per_dp: float | None = None, more: Sequence[Region] = ()
) -> TargetChoice | None:
    """Returns what the action in force on a step likely meant; None if it needs no target.

    Args:
        episode: uuid of the step's episode.
        per_dp: pixels of the step's frame per dp; None takes a usual phone's.
        more: regions from masks or suggestions that are not stored with the step yet.
    """
    tree = find_candidates(step, episode)
    if tree is None:
        return None
    point = place(current_gold(step).action)
    seen = visual_regions((*step.regions, *more))
    if point is None or step.frame is None or not seen:
        region = None if tree.proposed is None else tree.found[tree.proposed].region
        known = None
        if region is not None and point is not None and step.frame is not None:
            known = measure_evidence(region, point, step.frame.size, ())
        return TargetChoice(region, tree.level, tree.reason, known, False, tree)
    fit = TreeFit.MISSING if step.tree is None else step.tree.fit
    size = step.frame.size
    per_dp = per_dp or usual_pixels_per_dp(size)
    view = _View(point, size, per_dp, fit, tree, tuple(seen), _elsewhere(step, point))
    return _weighed(view)


class _Placed(NamedTuple):
    """An element: the numbers of its window and path, and its box."""

    at: tuple[int, ...]
    box: Box


@dataclass(frozen=True, slots=True)
class _View:
    """All that is weighed. `elsewhere`: what takes touches and is not under the press."""

    point: Point
    size: Size
    per_dp: float
    fit: TreeFit
    tree: Candidates
    seen: tuple[Region, ...]
    elsewhere: tuple[_Placed, ...]

    def chosen(
        self, region: Region | None, level: Level, reason: str, doubted: bool = False
    ) -> TargetChoice:
        known = (
            None if region is None else measure_evidence(region, self.point, self.size, self.seen)
        )
        return TargetChoice(region, level, reason, known, doubted, self.tree, self.seen)

    def share(self, region: Region) -> float:
        assert region.box is not None
        return frame_share(region.box, self.size)

    def height_dp(self, region: Region) -> float:
        assert region.box is not None
        return region.box.height / self.per_dp

    def usable(self, region: Region) -> bool:
        """Whether it may be chosen without support from another source."""
        box = region.box
        assert box is not None
        return (
            self.point in box
            and self.share(region) <= LARGEST_SHARE
            and _sides(region, self.size) < 3
            and not any(_mostly_in(one.box, box) for one in self.elsewhere)
        )

    @property
    def masks(self) -> list[Region]:
        return [one for one in self.seen if _is_mask(one) and self.usable(one)]

    @property
    def suggestions(self) -> list[Region]:
        return [one for one in self.seen if not _is_mask(one) and self.usable(one)]


def _weighed(view: _View) -> TargetChoice:
    own = _tree_box(view)
    if own is None:
        return _seen_alone(view, view.tree.why, doubted=False)
    if _supported(view, own):
        return _both(view, own)
    name = own.name
    reason = f"The picture shows nothing of the size of {name}: the tree may be of another screen."
    if view.masks or view.fit in (TreeFit.STALE, TreeFit.LATE):
        return _seen_alone(view, reason, doubted=True)
    return view.chosen(own.region, Level.LOW, reason, doubted=True)


def _tree_box(view: _View) -> Candidate | None:
    """The element the tree is for: its rule's, or of nested ones the one that fits a mask."""
    tree = view.tree
    if tree.proposed is None:
        return None
    first = tree.found[tree.proposed]
    nested = [one for one in tree.found if one.takes_touch and not one.screen_sized]
    if not first.takes_touch or len(nested) < 2 or not view.masks:
        return first

    def fits(one: Candidate) -> float:
        box = one.region.box
        return max((overlap(box, mask) for mask in view.masks), default=0.0) if box else 0.0

    best = max(nested, key=fits)
    return best if fits(best) >= NESTED_FIT else first


def _supported(view: _View, own: Candidate) -> bool:
    box = own.region.box
    assert box is not None
    if max(overlap(box, one) for one in view.seen) >= SUPPORTED:
        return True
    alone = not any(contained_in(other.box, box) for other in view.elsewhere)
    return alone and any(contained_share(mask, box) >= INSIDE for mask in view.masks)


def _both(view: _View, own: Candidate) -> TargetChoice:
    """The tree's box, supported by the picture."""
    region, fitting = own.region, view.tree.fitting
    if view.fit is TreeFit.STALE or view.fit is TreeFit.LATE:
        reason = f"The picture shows {own.name}, but {_small(view.tree.reason)}"
        return view.chosen(region, Level.LOW, reason)
    if own.share > LARGE_SHARE or not (fitting is Level.HIGH or _uppermost(view, own)):
        return view.chosen(region, min(fitting, Level.MEDIUM, key=_sureness), view.tree.why)
    if _covers_others(view, own):
        reason = (
            f"{_capital(own.name)} takes the touch, but covers elements that are not part of it."
        )
        return view.chosen(region, Level.MEDIUM, reason)
    if _agree(view, own):
        reason = f"Tree and picture agree: {own.name} takes the touch."
        return view.chosen(region, Level.HIGH, reason)
    reason = f"{_capital(own.name)} takes the touch; the picture could also show something else."
    return view.chosen(region, Level.MEDIUM, reason)


def _agree(view: _View, own: Candidate) -> bool:
    box = own.region.box
    assert box is not None
    first = best_scored(view.masks) or best_scored(view.suggestions)
    if first is None:
        return False
    if _is_mask(first):
        inside = contained_share(first, box) >= INSIDE and own.share <= USUAL_SHARE
        return overlap(box, first) >= AGREES or inside
    fitting = best_scored([one for one in view.suggestions if overlap(box, one) >= VERY_SIZE])
    if fitting is None:
        return False
    behind = (first.provenance.score or 0.0) - (fitting.provenance.score or 0.0)
    return overlap(box, first) >= SUGGESTION_AGREES or behind <= CLOSE_SUGGESTIONS


def _uppermost(view: _View, own: Candidate) -> bool:
    """Whether it lies over the other elements here: the system gives the touch to what is drawn
    last, and what can be seen whole is not covered."""
    proposed = view.tree.proposed
    return view.tree.uppermost and proposed is not None and view.tree.found[proposed] is own


def _covers_others(view: _View, own: Candidate) -> bool:
    """Whether elements of the same window lie in its box that are not below it in the tree: then
    the tree's box is wider than the control, or the tree lacks something."""
    box, at = own.region.box, node_ref_numbers(own.region.provenance.node)
    assert box is not None
    return any(
        other.at[0] == at[0] and other.at[: len(at)] != at and _mostly_in(other.box, box)
        for other in view.elsewhere
    )


def _seen_alone(view: _View, why: str, doubted: bool) -> TargetChoice:
    """A mask, else a suggestion; `why` is what is wrong with the tree."""
    mask = _best_mask(view)
    if mask is not None:
        score, stability = mask.provenance.score or 0.0, mask.provenance.stability or 0.0
        good = (
            not doubted
            and score >= GOOD_SCORE
            and stability >= GOOD_STABILITY
            and view.height_dp(mask) >= USUAL_DP
            and view.share(mask) <= USUAL_SHARE
        )
        said = "SAM 2's mask has high confidence." if good else "SAM 2's mask is the best guess."
        return view.chosen(mask, Level.MEDIUM if good else Level.LOW, f"{why} {said}", doubted)
    suggestion = best_scored(view.suggestions)
    if suggestion is None:
        return view.chosen(None, Level.LOW, f"{why} The picture shows nothing to take.", doubted)
    score = suggestion.provenance.score or 0.0
    good = not doubted and score >= GOOD_SUGGESTION and view.share(suggestion) <= USUAL_SHARE
    said = "A suggestion fits the picture well." if good else "A suggestion is the best guess."
    return view.chosen(suggestion, Level.MEDIUM if good else Level.LOW, f"{why} {said}", doubted)


def _best_mask(view: _View) -> Region | None:
    fitting = [
        one
        for one in view.masks
        if view.height_dp(one) >= GLYPH_DP and view.share(one) <= LARGE_SHARE
    ]
    best = best_scored(fitting)
    if best is None:
        return None
    least = (best.provenance.score or 0.0) - CLOSE_SCORES
    close = [
        one
        for one in fitting
        if (one.provenance.score or 0.0) >= least and count_edge_sides(one, view.seen) >= 3
    ]
    return max((best, *close), key=view.share)


def contained_in(inner: Box, outer: Box) -> bool:
    """Returns whether one box is inside another, including edges."""
    return inner.area > 0 and inner.intersection(outer) == inner


def _mostly_in(inner: Box, outer: Box) -> bool:
    return inner.intersection(outer).area > inner.area / 2


def _elsewhere(step: Step, point: Point) -> tuple[_Placed, ...]:
    """What takes touches, is not under the press and is not hidden by the window that is."""
    tree = tree_of_step(step)
    if isinstance(tree, NoTree):
        return ()
    pressed = next((window for window, _ in nodes_at(tree, point)), None)
    hidden_by, found = None if pressed is None else pressed.box, []
    for window in reversed(tree.front_to_back):
        number = next(at for at, one in enumerate(tree.windows) if one is window)
        if window is pressed:
            hidden_by = None
        for node in window.root.walk() if window.root is not None else ():
            hidden = hidden_by is not None and _mostly_in(node.box, hidden_by)
            takes = node.visible and node.interactive and node.box.area > 0
            if takes and not hidden and point not in node.box:
                found.append(_Placed((number, *node.path), node.box))
    return tuple(found)


def _sides(region: Region, size: Size) -> int:
    """How many sides of what its program was shown a region touches; of the frame by default."""
    box, view = region.box, parse_prompts(region).get("view")
    assert box is not None
    left, top, right, bottom = 0.0, 0.0, float(size.width), float(size.height)
    if isinstance(view, list) and len(view) == 4 and all(isinstance(n, int | float) for n in view):
        left, top, right, bottom = map(float, view)
    return (box.left <= left) + (box.top <= top) + (box.right >= right) + (box.bottom >= bottom)


def _is_mask(region: Region) -> bool:
    return region.provenance.source is RegionSource.SAM2


def _sureness(level: Level) -> int:
    return (Level.LOW, Level.MEDIUM, Level.HIGH).index(level)


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]


def _small(words: str) -> str:
    return words[0].lower() + words[1:]
