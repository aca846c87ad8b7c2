"""SAM 2 on the steps of a library: asked with what was pressed or pointed at, kept as candidates.

Asking takes seconds and needs no lock; keeping takes milliseconds and is one line of the journal.
Nothing here makes a region a target unless it is told from which level on.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from annotator.candidates import Level
from annotator.choice import choose_target
from annotator.gold_actions import current_gold
from annotator.mask_regions import is_usable, make_regions, press_prompt, scale_prompt
from annotator.sam2.client import Job
from annotator.sam2.geometry import prompt_points, whole_view
from annotator.sam2.values import ModelId, PictureFile, Prompt, Proposals
from annotator.segmenters import Segmenter
from episodes.annotations import Author, Region, RegionSource
from episodes.density import pixels_per_dp
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.geometry import Box
from episodes.steps import Step
from episodes.store.library import Library
from episodes.store.stills import StillFiles

PROGRAM = Author("taptrail:sam2", "SAM 2", "program")
"""Who proposes what nobody asked for by hand."""
ENOUGH: dict[Level | None, tuple[Level, ...]] = {
    None: (),
    Level.HIGH: (Level.HIGH,),
    Level.MEDIUM: (Level.HIGH, Level.MEDIUM),
}
"""Levels that are accepted when a person has said from which on. Low is in none."""
LOOK_SECONDS = 0.05
"""How often somebody who waits for an answer looks whether it is still wanted."""


class SegmentingStopped(Exception):
    """An answer is not wanted any more; what was kept stays."""


@dataclass(frozen=True, slots=True)
class SegmentedStep:
    """What came of one press.

    Attributes:
        regions: how many candidates are new; 0 where no mask could be used.
        level, reason: how sure the rules are of a target now, and why.
        accepted: whether the rules' choice has become the target.
    """

    episode: str
    step: int
    regions: int
    level: Level
    reason: str
    accepted: bool


def ask_press(
    segmenter: Segmenter,
    stills: StillFiles,
    episode: Episode,
    step: Step,
    wanted: Callable[[], bool] = lambda: True,
) -> list[Region]:
    """Returns the masks that the press in force may mean; see `ask`."""
    action = current_gold(step).action
    prompt = press_prompt(action, step.frame.size) if step.frame is not None else None
    if prompt is None:
        raise KnownError(
            f"segment step {step.index} of {episode.name}",
            "it is no press on its picture",
            "Mark it by hand, or leave it.",
        )
    return ask(segmenter, stills, episode, step, prompt, wanted=wanted)


def keep_press(
    library: Library,
    episode: Episode,
    step: Step,
    regions: list[Region],
    author: Author,
    accept_from: Level | None = None,
) -> SegmentedStep:
    """Keeps what `ask_press` gave, and accepts the rules' choice where it is sure enough."""
    new = keep(library, episode, step, regions, PROGRAM)
    per_dp = None if step.frame is None else pixels_per_dp(episode.device, step.frame.size)
    chosen = choose_target(step, episode.uuid, per_dp, regions)
    assert chosen is not None, "a press needs a target"
    accepted = (
        chosen.region is not None
        and chosen.level in ENOUGH[accept_from]
        and _has_no_target(library, episode, step)
    )
    if accepted and chosen.region is not None:
        library.editor(author).accept_region(episode.uuid, step.index, chosen.region)
    return SegmentedStep(
        episode.name, step.index, new, chosen.level, chosen.reason, accepted=accepted
    )


def _has_no_target(library: Library, episode: Episode, step: Step) -> bool:
    """Looks anew: a person may have chosen while SAM 2 was at it."""
    now = library.episode(episode.uuid).steps
    return any(one.index == step.index and one.target is None for one in now)


def ask(
    segmenter: Segmenter,
    stills: StillFiles,
    episode: Episode,
    step: Step,
    prompt: Prompt,
    *,
    author: Author | None = None,
    wanted: Callable[[], bool] = lambda: True,
) -> list[Region]:
    """Returns the masks that a prompt may mean as regions that are not kept yet. Waits.

    Args:
        prompt: in pixels of the step's frame.
        author: the person who points; None for a program, which waits for its turn.

    Raises:
        KnownError: the step has no picture, or SAM 2 does not answer.
        Stopped: it was not wanted any more.
    """
    frame = step.frame
    if frame is None or frame.still is None:
        raise KnownError(
            f"segment step {step.index} of {episode.name}",
            "the step has no picture",
            "Mark it with a box, or choose an element of its tree.",
        )
    still = frame.still
    picture = PictureFile(still.sha256, stills.path(still.sha256, still.media_type))
    asked = scale_prompt(prompt, frame.size, still.size)
    view = None
    if author is not None and frame.size == still.size:
        view = _view_so_far(step, segmenter.model, asked)
    soon = author is not None
    found = _answer(segmenter, picture, asked, view, soon, wanted)
    regions = make_regions(found, prompt, episode.uuid, frame.size, still.size, author)
    whole = whole_view(still.size)
    if found.view != whole and not any(is_usable(one, asked, still.size) for one in found.masks):
        found = _answer(segmenter, picture, asked, whole, soon, wanted)
        regions += make_regions(found, prompt, episode.uuid, frame.size, still.size, author)
    return regions


def keep(
    library: Library, episode: Episode, step: Step, regions: list[Region], author: Author
) -> int:
    """Keeps regions as candidates of a step, as one edit; returns how many are new."""
    known = {region.uuid for region in step.regions}
    library.editor(author).propose_regions(episode.uuid, step.index, regions)
    return sum(region.uuid not in known for region in regions)


def warm_press(
    segmenter: Segmenter, stills: StillFiles, step: Step, wanted: Callable[[], bool] = lambda: True
) -> bool:
    """Has the embedding ready that a press will need; False where it is no press on a picture.

    Nothing is kept in a library, so it can be done while somebody else writes to it.

    Raises:
        KnownError: SAM 2 does not answer.
        Stopped: it was not wanted any more.
    """
    frame = step.frame
    prompt = press_prompt(current_gold(step).action, frame.size) if frame is not None else None
    if prompt is None or frame is None or frame.still is None or frame.protected:
        return False
    still = frame.still
    picture = PictureFile(still.sha256, stills.path(still.sha256, still.media_type))
    asked = scale_prompt(prompt, frame.size, still.size)
    _waited(segmenter, lambda: segmenter.warm(picture, asked), wanted, by_person=False)
    return True


def _answer(
    segmenter: Segmenter,
    picture: PictureFile,
    prompt: Prompt,
    view: Box | None,
    soon: bool,
    wanted: Callable[[], bool],
) -> Proposals:
    def submit() -> Job:
        return segmenter.submit(picture, prompt, view, soon=soon)

    return _waited(segmenter, submit, wanted, by_person=soon)


_by_programs: WeakKeyDictionary[Segmenter, Job] = WeakKeyDictionary()
"""What each model is asked by a program now: it gives way to a person."""


def _waited(
    segmenter: Segmenter, submit: Callable[[], Job], wanted: Callable[[], bool], *, by_person: bool
) -> Proposals:
    """Waits for an answer; what a program asked is given up for a person, and asked again."""
    while True:
        if not wanted():
            raise SegmentingStopped
        job = submit()
        if not by_person:
            _by_programs[segmenter] = job
        elif (other := _by_programs.get(segmenter)) is not None and not other.answer.done():
            segmenter.cancel(other)
        try:
            while True:
                try:
                    return job.answer.result(LOOK_SECONDS)
                except TimeoutError:
                    if not wanted():
                        raise SegmentingStopped from None
        except CancelledError:
            if by_person:
                raise SegmentingStopped from None
        except BaseException:
            segmenter.cancel(job)
            raise


def _view_so_far(step: Step, model: ModelId, prompt: Prompt) -> Box | None:
    """What the newest masks of this model were looked for in, if the prompt's places lie in it."""
    for region in reversed(step.regions):
        made = region.provenance
        if (made.source, made.model, made.version) != (
            RegionSource.SAM2,
            model.name,
            model.version,
        ):
            continue
        view = _view_of(region)
        if view is not None and all(one in view for one in prompt_points(prompt)):
            return view
    return None


def _view_of(region: Region) -> Box | None:
    try:
        told = json.loads(region.provenance.prompts)
        return Box(*map(float, told["view"]))
    except (ValueError, TypeError, KeyError):
        return None
