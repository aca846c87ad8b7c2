"""A library and the real SAM 2: each press is asked about once, in any number of goes."""

import os

import numpy as np
import pytest

from annotator.candidates import Level
from annotator.sam2.client import Sam2
from episodes.annotations import RegionSource
from episodes.errors import KnownError
from episodes.formats import FORMATS
from episodes.formats.coco import read_regions
from episodes.media import pictures
from episodes.store.library import Library
from episodes.store.queries import EpisodeNotFound, EpisodeQuery
from taptrail.usecases import segment_queue
from taptrail.usecases.annotating import accept_own_box
from taptrail.usecases.segment_queue import segment_library
from taptrail.usecases.segmenting import ask_press, keep_press
from tests.annotator.sam2 import micro
from tests.taptrail.segmenting.screens import MARY, PRESSED, box


def masks(library) -> dict[int, int]:
    """How many masks each step has."""
    with Library.read(library) as kept:
        return {
            step.index: sum(one.provenance.source is RegionSource.SAM2 for one in step.regions)
            for step in kept.episode("e-0001").steps
        }


def test_each_press_gets_its_masks_and_the_second_go_has_nothing_to_do(sam2: Sam2, library) -> None:
    moved = []
    told = segment_library(
        library, sam2, MARY, on_progress=lambda done, total: moved.append((done, total))
    )
    assert (told.waiting, told.done, told.left, told.accepted) == (4, 4, 0, 0)
    assert (told.model.name, told.model.version) == ("micro", micro.SHA256[:12])
    assert told.seconds is not None
    assert told.regions == sum(masks(library).values())
    assert all(masks(library)[at] for at in range(4))
    assert (masks(library)[4], masks(library)[5]) == (0, 0)
    assert moved == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]
    with Library.read(library) as kept:
        for step, name in zip(kept.episode("e-0001").steps, PRESSED, strict=False):
            found = [one for one in step.regions if one.provenance.source is RegionSource.SAM2]
            assert max(found, key=lambda one: one.provenance.score).box.overlap(box(name)) > 0.8
        edits = [(edit.operation, edit.step, edit.author.kind) for edit in kept.edits()]
    assert edits == [("region.propose", at, "program") for at in range(4)]
    again = segment_library(library, sam2, MARY)
    assert (again.waiting, again.done, again.regions) == (0, 0, 0)


def test_where_tree_and_mask_agree_the_target_is_accepted_if_a_person_says_so(
    sam2: Sam2, library
) -> None:
    told = segment_library(library, sam2, MARY, accept_from=Level.HIGH)
    assert (told.levels["high"], told.accepted) == (2, 2)
    with Library.read(library) as kept:
        steps = kept.episode("e-0001").steps
        assert [step.target and step.target.provenance.source for step in steps[:4]] == [
            RegionSource.TREE,
            RegionSource.TREE,
            None,
            None,
        ]
        authors = {(edit.operation, edit.author) for edit in kept.edits()}
        assert ("region.accept", MARY) in authors


def test_what_a_person_chose_meanwhile_stays(sam2: Sam2, library) -> None:
    with Library.open(library) as kept:
        before = kept.episode("e-0001")
        accept_own_box(kept, before, before.steps[0], box("send"), MARY)
        step = before.steps[0]
        regions = ask_press(sam2, kept.stills, before, step)
        done = keep_press(kept, before, step, regions, MARY, Level.HIGH)
        assert (done.level, done.accepted) == (Level.HIGH, False)
        target = kept.episode("e-0001").steps[0].target
        assert target.provenance.source is RegionSource.PERSON


def test_it_goes_on_where_a_limit_or_a_person_stopped_it(sam2: Sam2, library) -> None:
    first = segment_library(library, sam2, MARY, limit=1)
    assert (first.done, first.left, masks(library)[1]) == (1, 3, 0)
    seen = []
    second = segment_library(library, sam2, MARY, on_step=seen.append, wanted=lambda: len(seen) < 2)
    assert (second.waiting, second.done, second.left) == (3, 2, 1)
    third = segment_library(library, sam2, MARY)
    assert (third.waiting, third.done) == (1, 1)
    with Library.read(library) as kept:
        assert [edit.step for edit in kept.edits()] == [0, 1, 2, 3]


def test_what_was_taken_back_is_not_asked_again(sam2: Sam2, library) -> None:
    segment_library(library, sam2, MARY, limit=2)
    with Library.open(library) as kept:
        before = kept.episode("e-0001")
        kept.undo(MARY)
        assert [bool(step.regions) for step in kept.episode("e-0001").steps[:2]] == [True, False]
        assert [one.step for one in kept.unasked_presses("micro", micro.SHA256[:12])] == [2, 3]
        kept.redo(MARY)
        assert kept.episode("e-0001") == before


def test_a_worker_that_is_killed_in_the_middle_loses_nothing(sam2: Sam2, library) -> None:
    killed = []

    def kill(told) -> None:
        if told.done == 2:
            killed.append(sam2.pid)
            os.kill(sam2.pid, 9)

    told = segment_library(library, sam2, MARY, on_step=kill)
    assert (told.done, told.failed, len(killed)) == (4, [], 1)
    assert all(masks(library)[at] for at in range(4))
    assert sam2.pid not in (None, *killed)


def test_a_lost_picture_is_told_and_the_others_are_asked_about(sam2: Sam2, library) -> None:
    with Library.read(library) as kept:
        still = kept.episode("e-0001").steps[1].frame.still
        path = kept.stills.path(still.sha256, still.media_type)
    path.unlink()
    told = segment_library(library, sam2, MARY)
    assert (told.waiting, told.done, told.left) == (4, 3, 1)
    assert told.failed == [("e-0001 step 1", f"its picture {path.name} is not there")]


def test_only_what_was_named_or_asked_for_is_done(sam2: Sam2, library) -> None:
    with pytest.raises(KnownError, match="there is no such episode"):
        segment_library(library, sam2, MARY, query=EpisodeQuery(dataset="other"))
    with pytest.raises(EpisodeNotFound):
        segment_library(library, sam2, MARY, names=["e-0009"])


def test_who_writes_for_long_is_told_and_a_stop_does_not_wait_for_them(
    sam2: Sam2, library, monkeypatch
) -> None:
    tries = []
    opens = Library.open

    def opened(*words, **more):
        tries.append(words)
        return opens(*words, **more)

    with Library.open(library):
        monkeypatch.setattr(Library, "open", opened)
        told = segment_library(library, sam2, MARY, wanted=lambda: not tries)
        assert (told.done, told.left, len(tries)) == (0, 4, 1)
        monkeypatch.setattr(segment_queue, "BUSY_SECONDS", 0)
        with pytest.raises(KnownError, match="has it open"):
            segment_library(library, sam2, MARY)
    assert masks(library)[0] == 0


def test_masks_go_out_as_coco_and_come_in_as_they_were(sam2: Sam2, library, tmp_path) -> None:
    segment_library(library, sam2, MARY, limit=2)
    with Library.read(library) as kept:
        episode = kept.episode("e-0001")
        FORMATS["coco"].write([episode], tmp_path / "out", kept.stills, "1")
    made = {one.uuid: one for step in episode.steps for one in step.regions}
    found = [one for step in read_regions(tmp_path / "out") for one in step.regions]
    assert len(found) == len(made) == 6
    for region in found:
        before = made[region.uuid]
        assert (region.box, region.provenance) == (before.box, before.provenance)
        assert region.mask.box == before.mask.box
        shapes = [pictures.decode(one.mask.png) for one in (region, before)]
        assert np.array_equal(*shapes)
