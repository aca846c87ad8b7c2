"""SAM 2 on the steps of a library: asked with what was pressed or pointed at, kept as candidates.

Asking takes seconds and needs no lock; keeping takes milliseconds and is one line of the journal.
Nothing here makes a region a target unless it is told from which level on.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import CancelledError

from annotator.mask_regions import press_prompt, regions_of, scaled, usable
from annotator.sam2.client import Sam2
from annotator.sam2.geometry import places_of, whole_view
from annotator.sam2.values import Frame, ModelId, Prompt, Proposals
from episodes.annotations import Author, Region, RegionSource
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.geometry import Box
from episodes.steps import Step
from episodes.store.library import Library
from episodes.store.stills import StillFiles

PROGRAM = Author("taptrail:sam2", "SAM 2", "program")
"""Who proposes what nobody asked for by hand."""
LOOK_SECONDS = 0.05
"""How often somebody who waits for an answer looks whether it is still wanted."""


class Stopped(Exception):
    """An answer is not wanted any more; what was kept stays."""


def prompt_step(
    segmenter: Sam2,
    library: Library,
    episode: Episode,
    step: Step,
    prompt: Prompt,
    author: Author,
    wanted: Callable[[], bool] = lambda: True,
) -> list[Region]:
    """Asks SAM 2 what a person points at, keeps the masks as candidates and returns them.

    It goes before all that waits, and looks at the part of the frame that the step's masks so far
    were made of, whose embedding is at hand. A window asks with `ask`, on the thread that may wait,
    and keeps with `keep`, on the one that writes.

    Raises:
        KnownError: the step has no picture, SAM 2 does not answer, or the library refuses.
        Stopped: it was not wanted any more.
    """
    regions = ask(segmenter, library.stills, episode, step, prompt, author=author, wanted=wanted)
    keep(library, episode, step, regions, author)
    return regions


def ask(
    segmenter: Sam2,
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
    picture = Frame(still.sha256, stills.path(still.sha256, still.media_type))
    asked = scaled(prompt, frame.size, still.size)
    view = None
    if author is not None and frame.size == still.size:
        view = _view_so_far(step, segmenter.model, asked)
    soon = author is not None
    found = _answer(segmenter, picture, asked, view, soon, wanted)
    regions = regions_of(found, prompt, episode.uuid, frame.size, still.size, author)
    whole = whole_view(still.size)
    if found.view != whole and not any(usable(one, asked, still.size) for one in found.masks):
        found = _answer(segmenter, picture, asked, whole, soon, wanted)
        regions += regions_of(found, prompt, episode.uuid, frame.size, still.size, author)
    return regions


def keep(
    library: Library, episode: Episode, step: Step, regions: list[Region], author: Author
) -> int:
    """Keeps regions as candidates of a step, as one edit; returns how many are new."""
    known = {region.uuid for region in step.regions}
    library.editor(author).propose_regions(episode.uuid, step.index, regions)
    return sum(region.uuid not in known for region in regions)


def _answer(
    segmenter: Sam2,
    picture: Frame,
    prompt: Prompt,
    view: Box | None,
    soon: bool,
    wanted: Callable[[], bool],
) -> Proposals:
    if not wanted():
        raise Stopped
    job = segmenter.submit(picture, prompt, view, soon=soon)
    try:
        while True:
            try:
                return job.answer.result(LOOK_SECONDS)
            except TimeoutError:
                if not wanted():
                    raise Stopped from None
            except CancelledError:
                raise Stopped from None
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
        if view is not None and all(one in view for one in places_of(prompt)):
            return view
    return None


def _view_of(region: Region) -> Box | None:
    try:
        told = json.loads(region.provenance.prompts)
        return Box(*map(float, told["view"]))
    except (ValueError, TypeError, KeyError):
        return None


__all__ = ["PROGRAM", "Stopped", "ask", "keep", "press_prompt", "prompt_step"]
