from dataclasses import replace

import cv2
import numpy as np
import pytest

from annotator.candidates import Level
from episodes.annotations import RegionSource
from episodes.geometry import Box, Size
from episodes.media.pictures import encode_png
from episodes.screens import Still, StillSource
from episodes.store.library import Library
from taptrail.usecases import annotating, suggestions
from taptrail.usecases.annotating import ProposalCounts, StepState
from tests.taptrail.annotated import MARY, shopping

BUTTON, LINK = Box(800, 220, 960, 360), Box(400, 950, 600, 1050)


def shop(scale=1.0):
    """The shop's screen: a button in a row, and a button in the web view."""
    pixels = np.full((2000, 1000, 3), 250, np.uint8)
    cv2.line(pixels, (0, 200), (1000, 200), (200, 200, 200), 3)
    cv2.line(pixels, (0, 380), (1000, 380), (200, 200, 200), 3)
    for box in (BUTTON, LINK):
        corners = (int(box.left), int(box.top)), (int(box.right) - 1, int(box.bottom) - 1)
        cv2.rectangle(pixels, *corners, (40, 90, 180), -1)
        middle = int(box.centre.x) - 45, int(box.centre.y) + 14
        cv2.putText(pixels, "Add", middle, cv2.FONT_HERSHEY_SIMPLEX, 1.4, (255, 255, 255), 3)
    return cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_NEAREST)


def filled(library, scale=1.0, missing=False):
    """A library whose presses have a picture, but for the last one."""
    with Library.open(library) as kept:
        pixels = shop(scale)
        data = encode_png(pixels)
        size = Size(pixels.shape[1], pixels.shape[0])
        sha256 = "0" * 64 if missing else kept.stills.write(data, "image/png")
        still = Still(sha256, "image/png", size, len(data), StillSource.STREAM, True)
        made = shopping()
        steps = tuple(
            replace(step, frame=replace(step.frame, still=still)) if step.index < 4 else step
            for step in made.steps
        )
        kept.save_episodes([replace(made, steps=steps)])
    return library


def opened(kept, index):
    return annotating.open_step(*annotating.find_step(kept, "e-0001", index))


@pytest.mark.parametrize("scale", [1.0, 0.5], ids=["as large as the frame", "made small"])
def test_what_the_tree_does_not_know_is_seen_in_the_picture(library, scale):
    with Library.open(filled(library, scale)) as kept:
        before = opened(kept, 3)
        assert (before.state, before.proposed) == (StepState.LOW, None)
        done = annotating.propose(kept, MARY, suggest=True)
        assert (done.steps, done.accepted, done.unseen) == (3, 0, 1)
        found = opened(kept, 3)
        proposed = found.choices[found.proposed]
        assert proposed.region.provenance.source is RegionSource.SUGGESTION
        assert proposed.region.box.overlap(LINK) > 0.9
        assert (found.candidates.level, found.state) == (Level.MEDIUM, StepState.WAITING)
        assert found.candidates.reason == (
            "The tree knows nothing of what is inside the WebView. "
            "A suggestion fits the picture well."
        )


def test_where_tree_and_picture_agree_the_trees_box_is_accepted(library):
    with Library.open(filled(library)) as kept:
        done = annotating.propose(kept, MARY, accept_from=Level.HIGH, suggest=True)
        assert (done.accepted, done.levels["high"]) == (1, 1)
        target = kept.episode("e-0001").steps[0].target
        assert (target.box, target.provenance.source) == (BUTTON, RegionSource.TREE)
        found = opened(kept, 0)
        assert found.chosen.evidence.support > 0.9
        sources = [choice.region.provenance.source for choice in found.choices]
        assert sources[:2] == [RegionSource.TREE] * 2
        assert set(sources[2:]) == {RegionSource.SUGGESTION}


def test_stopped_work_goes_on_where_it_was(library):
    class Stopped(Exception):
        pass

    def stop(done, total):
        raise Stopped

    with Library.open(filled(library)) as kept:
        with pytest.raises(Stopped):
            annotating.propose(kept, MARY, suggest=True, on_progress=stop)
        half = kept.episode("e-0001").steps
        assert half[0].regions
        assert not half[3].regions
        annotating.propose(kept, MARY, suggest=True)
        whole = kept.episode("e-0001").steps
        assert whole[0].regions == half[0].regions
        assert whole[3].regions
        again = annotating.propose(kept, MARY, suggest=True)
        assert (again.regions, kept.episode("e-0001").steps) == (0, whole)
        assert not any(suggestions.can_be_suggested(step) for step in whole)


def test_a_lost_picture_is_counted_and_the_tree_still_proposes(library):
    with Library.open(filled(library, missing=True)) as kept:
        done = annotating.propose(kept, MARY, suggest=True)
        assert done == ProposalCounts(3, 4, 0, {"high": 1, "low": 2}, unseen=3)


def test_the_command_looks_at_the_pictures_when_asked(taptrail, library):
    words = ("regions", "propose", "--suggest", "--library", filled(library))
    done = taptrail(*words, "--json").json
    assert (done["steps"], done["unseen"]) == (3, 1)
    said = taptrail(*words)
    assert said.out == (
        "3 steps need a target; 0 candidates are new, 0 are accepted.\n"
        "1 step has no picture to look at.\n"
        "A person must decide 1 step.\n"
    )


def test_steps_that_have_their_target_are_told_apart(taptrail, library):
    words = ("regions", "propose", "--accept", "medium", "--library", filled(library))
    first = taptrail(*words)
    assert first.out.startswith("3 steps need a target; ")
    done = taptrail(*words, "--json").json
    assert (done["steps"], done["settled"], done["accepted"]) == (3, 1, 0)
    assert taptrail(*words).out == (
        "2 steps need a target (1 more has one); 0 candidates are new, 0 are accepted.\n"
        "A person must decide 2 steps.\n"
    )
    with Library.open(library) as kept:
        for episode in list(kept.iterate()):
            for step in episode.steps:
                if step.target is None and annotating.judged(episode, step) is not None:
                    box = Box(1, 1, 9, 9)
                    annotating.accept_own_box(kept, episode, step, box, MARY, "")
        assert annotating.propose(kept, MARY).settled == 3
    assert taptrail(*words).out == (
        "All 3 steps that need a target have one; nothing is proposed.\n"
    )
