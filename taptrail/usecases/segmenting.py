"""Segments steps of a library with SAM 2 and stores the masks as candidates.

A request takes seconds and needs no lock. Storing takes milliseconds and adds one line to the
journal. A region becomes a target only if the caller gives a confidence level from which to accept.
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
"""Author of proposals that no person asked for."""
ENOUGH: dict[Level | None, tuple[Level, ...]] = {
    None: (),
    Level.HIGH: (Level.HIGH,),
    Level.MEDIUM: (Level.HIGH, Level.MEDIUM),
}
"""Levels accepted for each `accept_from`. LOW is never accepted."""
LOOK_SECONDS = 0.05
"""Interval in seconds for checking whether a waiting request was cancelled."""


class SegmentingStopped(Exception):
    """The request was cancelled. Stored results are kept."""


@dataclass(frozen=True, slots=True)
class SegmentedStep:
    """Result of segmenting one press.

    Attributes:
        regions: number of new candidates; 0 if no mask was usable.
        level, reason: confidence of the rules in a target, and why.
        accepted: whether the rules' choice became the target.
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
    """Returns the masks for the press in force; see `ask`."""
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
    """Stores the regions of `ask_press`, and accepts the rules' choice from `accept_from` on."""
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
    """Reads the step again: a person may have chosen a target while SAM 2 was running."""
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
    """Returns the masks for a prompt as regions that are not stored. Blocks.

    Args:
        prompt: in pixels of the step's frame.
        author: the person who gave the prompt; None for a program, whose requests wait.

    Raises:
        KnownError: the step has no picture, or SAM 2 does not answer.
        SegmentingStopped: the request was cancelled.
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
    """Stores regions as candidates of a step in one edit; returns the number of new ones."""
    known = {region.uuid for region in step.regions}
    library.editor(author).propose_regions(episode.uuid, step.index, regions)
    return sum(region.uuid not in known for region in regions)


def warm_press(
    segmenter: Segmenter, stills: StillFiles, step: Step, wanted: Callable[[], bool] = lambda: True
) -> bool:
    """Computes the embedding that a press will need; returns False if it is no press on a picture.

    Writes nothing to the library, so it can run while another process writes to it.

    Raises:
        KnownError: SAM 2 does not answer.
        SegmentingStopped: the request was cancelled.
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
"""Requests of programs by model; a person's request interrupts them."""


def _waited(
    segmenter: Segmenter, submit: Callable[[], Job], wanted: Callable[[], bool], *, by_person: bool
) -> Proposals:
    """Waits for an answer. A program's request is interrupted by a person's, and sent again."""
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
    """Returns the view of the model's newest masks, if it contains all points of the prompt."""
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
