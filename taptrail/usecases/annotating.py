"""Annotates targets: lists the candidates of a step and stores which one a person accepts.

All functions take an open library. Each change adds one line to the journal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from annotator.candidates import Candidate, Candidates, Level, make_drawn_region
from annotator.choice import TargetChoice, choose_target
from annotator.gold_actions import GoldAction, accepted_alternatives, current_gold
from episodes.annotations import Author, Edit, Region, RegionSource, Status
from episodes.density import pixels_per_dp
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.geometry import Box
from episodes.steps import Step
from episodes.store.journal_editor import Editor
from episodes.store.library import EVERYTHING, Library
from episodes.store.queries import EpisodeQuery
from taptrail.usecases import suggestions


class StepState(StrEnum):
    """State of a step's target."""

    ACCEPTED = "accepted"  # a person or data set has chosen
    LOW = "low"  # a person must decide
    WAITING = "waiting"  # there is a proposal to accept
    NONE = "no_target"  # its action means no element


@dataclass(frozen=True, slots=True)
class Choice:
    """One region a person can choose.

    Attributes:
        stored: its index in `Step.regions`; None while it is only a proposal.
        candidate: the tree's element; None for regions of other sources.
        proposed: whether the rules choose it.
    """

    region: Region
    stored: int | None
    candidate: Candidate | None
    proposed: bool

    @property
    def from_person(self) -> bool:
        """Whether a person drew it."""
        return self.region.provenance.source is RegionSource.PERSON


@dataclass(frozen=True, slots=True)
class OpenStep:
    """A step with the choices for its target.

    Attributes:
        choices: elements of the tree from smallest to largest, then all other stored regions.
        candidates: the tree's elements, with the confidence level of the rules' choice and its
            reason; None if the action needs no target.
        chosen: the rules' choice with the numbers behind it; None if the action needs no target.
        gold: the action in force; number 0 is the recorded action.
    """

    step: Step
    state: StepState
    choices: tuple[Choice, ...]
    candidates: Candidates | None
    gold: GoldAction
    alternatives: tuple[GoldAction, ...]
    chosen: TargetChoice | None = None

    @property
    def target(self) -> int | None:
        """Index of the target in `choices`."""
        return next((at for at, one in enumerate(self.choices) if one.region.chosen), None)

    @property
    def proposed(self) -> int | None:
        """Index of the rules' choice in `choices`."""
        return next((at for at, one in enumerate(self.choices) if one.proposed), None)


@dataclass(frozen=True, slots=True)
class ProposalCounts:
    """Counts of what `propose` did.

    Attributes:
        steps: how many need a target; `settled` of them have one already and stay unchanged.
        regions: number of new candidates.
        accepted: number of steps that got a target.
        levels: number of steps at each level, of those that had no target.
        unseen: number of steps without a readable picture, if pictures were asked for.
    """

    steps: int
    regions: int
    accepted: int
    levels: dict[str, int]
    unseen: int = 0
    settled: int = 0


def open_step(episode: Episode, step: Step) -> OpenStep:
    """Returns a step with its choices. Does not access the library."""
    chosen = judged(episode, step)
    found = None if chosen is None else chosen.candidates
    taken = None if chosen is None else chosen.region
    stored = {region.uuid: at for at, region in enumerate(step.regions) if region.uuid}
    choices = []
    for at, candidate in enumerate(found.found if found is not None else ()):
        assert found is not None
        place = stored.get(candidate.region.uuid)
        region = candidate.region if place is None else step.regions[place]
        choices.append(Choice(region, place, candidate, at == found.proposed))
    shown = {choice.stored for choice in choices}
    choices += [
        Choice(region, at, None, region is taken)
        for at, region in enumerate(step.regions)
        if at not in shown
    ]
    return OpenStep(
        step,
        _state(step, chosen),
        tuple(choices),
        found,
        current_gold(step),
        accepted_alternatives(step),
        chosen,
    )


def judged(episode: Episode, step: Step, more: Sequence[Region] = ()) -> TargetChoice | None:
    """Returns the rules' choice for a step; None if it needs no target.

    Args:
        more: regions that are not stored with the step.
    """
    per_dp = None if step.frame is None else pixels_per_dp(episode.device, step.frame.size)
    return choose_target(step, episode.uuid, per_dp, more)


def accept(
    library: Library,
    episode: Episode,
    step: Step,
    region: Region,
    author: Author,
    label: str | None = None,
    *,
    seconds: float | None = None,
) -> Edit:
    """Makes a region the step's target: a candidate, a stored region, or one from a segmenter.

    Args:
        label: replaces the region's label.
        seconds: time from showing the step to the choice.
    """
    return library.editor(author).accept_region(
        episode.uuid, step.index, region, label, seconds=seconds
    )


def accept_own_box(
    library: Library,
    episode: Episode,
    step: Step,
    box: Box,
    author: Author,
    label: str = "",
    *,
    seconds: float | None = None,
) -> Edit:
    """Makes a drawn box the step's target.

    Raises:
        KnownError: the box is empty, or lies outside the frame.
    """
    region = drawn_box(step, box, author, label)
    return library.editor(author).accept_region(episode.uuid, step.index, region, seconds=seconds)


def drawn_box(step: Step, box: Box, author: Author, label: str = "") -> Region:
    """Returns the region of a drawn box, clipped to the frame.

    Raises:
        KnownError: the box is empty, or lies outside the frame.
    """
    frame = step.frame
    inside = box if frame is None else box.intersection(Box(0, 0, *_edges(step)))
    if inside.area <= 0:
        raise KnownError(
            f"mark step {step.index}", "the box covers nothing of the frame", "Draw it again."
        )
    return make_drawn_region(inside, author, label)


def propose(
    library: Library,
    author: Author,
    query: EpisodeQuery = EVERYTHING,
    *,
    names: tuple[str, ...] = (),
    accept_from: Level | None = None,
    suggest: bool = False,
    on_progress: Callable[[int, int | None], None] | None = None,
) -> ProposalCounts:
    """Stores the tree's candidates for every step that needs a target and has none.

    Each step is saved on its own: after an interruption, finished steps stay and are skipped.

    Args:
        names: names or uuids of episodes; () for all that `query` finds.
        accept_from: accepts the rules' choice at this confidence level and above; None accepts
            nothing. LOW is never accepted without a person.
        suggest: also stores suggestions computed from the pictures without a model.
        on_progress: called with episodes done and total, with `suggest` after every step; an
            exception from it stops the work.

    Raises:
        KnownError: there is no such episode, or the library cannot be written.
    """
    editor = library.editor(author)
    program = library.editor(Author("taptrail:tree", "Taptrail's tree rule", "program"))
    shapes = library.editor(suggestions.PROGRAM)
    enough = {Level.HIGH: (Level.HIGH,), Level.MEDIUM: (Level.HIGH, Level.MEDIUM)}.get(
        accept_from or Level.LOW, ()
    )
    levels: Counter[str] = Counter()
    steps = regions = accepted = done = unseen = settled = 0
    total = len(names) or library.count(query)
    for episode in map(library.episode, names) if names else library.iterate(query):
        for step in episode.steps:
            found = judged(episode, step)
            if found is None:
                continue
            steps += 1
            if step.target is not None:
                settled += 1
                continue
            regions += _kept(program, episode, step, [one.region for one in found.tree.found])
            if suggest:
                seen = _seen(library, episode, step)
                unseen += seen is None
                regions += _kept(shapes, episode, step, seen or ())
                found = judged(episode, step, seen or ()) or found
                if on_progress is not None:
                    on_progress(done, total)
            levels[found.level.value] += 1
            if found.level in enough and found.region is not None:
                editor.accept_region(episode.uuid, step.index, found.region)
                accepted += 1
        done += 1
        if on_progress is not None:
            on_progress(done, total)
    return ProposalCounts(steps, regions, accepted, dict(levels), unseen, settled)


def _seen(library: Library, episode: Episode, step: Step) -> list[Region] | None:
    """Returns new suggestions from a step's picture; None if it has no readable picture."""
    if step.frame is None or step.frame.still is None or step.frame.protected:
        return None
    try:
        return suggestions.suggestions(library.stills, episode, step)
    except KnownError:
        return None


def _kept(editor: Editor, episode: Episode, step: Step, regions: Sequence[Region]) -> int:
    """Stores the regions that a step does not have yet, and returns their number."""
    known = {region.uuid for region in step.regions}
    new = [region for region in regions if region.uuid not in known]
    if new:
        editor.propose_regions(episode.uuid, step.index, new)
    return len(new)


def find_step(
    library: Library, name: str, index: int, dataset: str | None = None
) -> tuple[Episode, Step]:
    """Returns an episode and one of its steps.

    Raises:
        KnownError: there is no such episode, or it has no such step.
    """
    episode = library.episode(name, dataset)
    return episode, step_of(episode, index)


def step_of(episode: Episode, index: int) -> Step:
    """Returns a step of an episode.

    Raises:
        KnownError: it has no such step.
    """
    for step in episode.steps:
        if step.index == index:
            return step
    numbers = [step.index for step in episode.steps]
    has = f"its steps are {numbers[0]} to {numbers[-1]}" if numbers else "it has no step"
    raise KnownError(f"open step {index} of {episode.name}", has, "Name one of its steps.")


def _state(step: Step, found: TargetChoice | None) -> StepState:
    if step.target is not None and step.target.status is not Status.REJECTED:
        return StepState.ACCEPTED
    if found is None:
        return StepState.NONE
    return StepState.LOW if found.level is Level.LOW else StepState.WAITING


def _edges(step: Step) -> tuple[int, int]:
    assert step.frame is not None
    return step.frame.size.width, step.frame.size.height
