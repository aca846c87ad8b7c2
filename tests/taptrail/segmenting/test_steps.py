"""One step and the real SAM 2: masks become candidates that say what they were made with."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from annotator.sam2.client import Sam2
from annotator.sam2.values import Prompt
from episodes.actions import Tap
from episodes.annotations import RegionSource, Status
from episodes.errors import KnownError
from episodes.geometry import Box, Point, Size
from episodes.media import pictures
from episodes.screens import Basis, Frame, Still, StillSource
from episodes.steps import Step
from episodes.store.library import Library
from taptrail.usecases.segmenting import SegmentingStopped, ask, ask_press, keep, warm_press
from tests.annotator.sam2 import micro
from tests.taptrail.segmenting.screens import MARY, box


def prompt_step(segmenter, library, episode, step, prompt, author, wanted=lambda: True):
    """Asks and stores, which the window does on two threads."""
    regions = ask(segmenter, library.stills, episode, step, prompt, author=author, wanted=wanted)
    keep(library, episode, step, regions, author)
    return regions


def test_a_prompt_becomes_candidates_with_all_they_were_made_with(sam2: Sam2, library) -> None:
    with Library.open(library) as kept:
        episode = kept.episode("e-0001")
        step = episode.steps[2]
        prompt = Prompt((box("left card").centre,))
        made = prompt_step(sam2, kept, episode, step, prompt, MARY)
        stored = kept.episode("e-0001").steps[2].regions
        assert stored == tuple(made)
        assert max(made, key=lambda one: one.provenance.score).box.overlap(box("left card")) > 0.8
        for number, region in enumerate(made, start=1):
            assert (region.status, region.chosen, region.author) == (Status.PROPOSED, False, MARY)
            told = region.provenance
            assert (told.source, told.model) == (RegionSource.SAM2, "micro")
            assert told.version == micro.SHA256[:12]
            assert json.loads(told.prompts) == {
                "points": [[prompt.points[0].x, prompt.points[0].y]],
                "view": [0, 0, 600, 600],
                "mask": number,
            }
            assert 0 <= told.score <= 1
            assert 0 <= told.stability <= 1
            shape = pictures.decode(region.mask.png)[:, :, 0]
            assert region.mask.box == region.box
            assert shape.shape == (region.box.height, region.box.width)
            assert set(shape.ravel().tolist()) <= {0, 255}


def test_the_same_prompt_comes_in_once_and_one_undo_takes_it_back(sam2: Sam2, library) -> None:
    with Library.open(library) as kept:
        before = kept.episode("e-0001")
        prompt = Prompt((box("send").centre,))
        first = prompt_step(sam2, kept, before, before.steps[0], prompt, MARY)
        again = kept.episode("e-0001")
        second = prompt_step(sam2, kept, again, again.steps[0], prompt, MARY)
        assert [one.uuid for one in second] == [one.uuid for one in first]
        assert [edit.operation for edit in kept.edits()] == ["region.propose"]
        kept.undo(MARY)
        assert kept.episode("e-0001") == before


def test_what_cannot_be_asked_is_said_and_what_is_not_wanted_is_left(sam2: Sam2, library) -> None:
    with Library.open(library) as kept:
        episode = kept.episode("e-0001")
        prompt = Prompt((box("send").centre,))
        with pytest.raises(KnownError, match="the step has no picture"):
            prompt_step(sam2, kept, episode, episode.steps[5], prompt, MARY)
        with pytest.raises(SegmentingStopped):
            prompt_step(sam2, kept, episode, episode.steps[1], prompt, MARY, wanted=lambda: False)
        assert kept.edits() == []


class Loading(Sam2):
    """The micro model, whose first answer a test can wait for until it loads; counts questions."""

    def __init__(self) -> None:
        self.asked: list[bool] = []
        self.loading = threading.Event()
        super().__init__(micro.weights(), threads=1, on_state=lambda _: self.loading.set())

    def submit(self, frame, prompt, view=None, *, soon=False):
        self.asked.append(soon)
        return super().submit(frame, prompt, view, soon=soon)


def test_what_a_program_asks_gives_way_to_a_person_and_is_asked_again(library) -> None:
    with Library.read(library) as kept, Loading() as sam2, ThreadPoolExecutor() as pool:
        episode, stills = kept.episode("e-0001"), kept.stills
        waiting = pool.submit(ask_press, sam2, stills, episode, episode.steps[0])
        sam2.loading.wait()
        prompt = Prompt((box("cancel").centre,))
        person = ask(sam2, stills, episode, episode.steps[1], prompt, author=MARY)
        program = waiting.result()
        assert sam2.asked == [False, True, False]
        for found, name in ((person, "cancel"), (program, "send")):
            assert max(found, key=lambda one: one.provenance.score).box.overlap(box(name)) > 0.8
        assert ({one.author for one in person}, {one.author for one in program}) == (
            {MARY},
            {None},
        )


def test_a_press_can_be_made_ready_without_a_library_to_write_to(sam2: Sam2, library) -> None:
    with Library.read(library) as kept:
        steps = kept.episode("e-0001").steps
        assert [warm_press(sam2, kept.stills, step) for step in steps] == [
            *[True] * 4,
            *[False] * 2,
        ]
        with pytest.raises(SegmentingStopped):
            warm_press(sam2, kept.stills, steps[0], wanted=lambda: False)


def tall(files, frame: Size) -> Step:
    """A press on “send” on the whole screen the model knows, measured on a frame of this size."""
    data = pictures.encode_png(micro.screen())
    sha256 = files.write(data, "image/png")
    still = Still(sha256, "image/png", micro.SIZE, len(data), StillSource.IMPORT, lossless=True)
    at = micro.ELEMENTS["send"][0].centre
    times = frame.width / micro.SIZE.width
    pressed = Tap(Point(at.x * times, at.y * times))
    return Step(0, pressed, Frame(frame, Basis.PAINTED, still))


def test_where_the_square_shows_nothing_usable_the_whole_screen_is_looked_at(
    sam2: Sam2, library
) -> None:
    with Library.read(library) as kept:
        step = tall(kept.stills, micro.SIZE)
        regions = ask_press(sam2, kept.stills, kept.episode("e-0001"), step)
    views = [json.loads(one.provenance.prompts)["view"] for one in regions]
    assert views == [[0, 603, 540, 1143]] * 3 + [[0, 0, 540, 1200]] * 3
    send = micro.ELEMENTS["send"][0]
    assert all(one.box.overlap(send) > 0.85 for one in regions[3:])
    assert len({one.uuid for one in regions}) == 6


def test_regions_are_in_pixels_of_the_frame_also_where_its_picture_is_smaller(
    sam2: Sam2, library
) -> None:
    size = Size(micro.SIZE.width * 2, micro.SIZE.height * 2)
    with Library.read(library) as kept:
        step = tall(kept.stills, size)
        regions = ask_press(sam2, kept.stills, kept.episode("e-0001"), step)
    send = micro.ELEMENTS["send"][0]
    twice = Box(send.left * 2, send.top * 2, send.right * 2, send.bottom * 2)
    for region in regions[3:]:
        assert region.box.overlap(twice) > 0.85
        assert json.loads(region.provenance.prompts)["view"] == [0, 0, *map(float, (1080, 2400))]
        shape = pictures.decode(region.mask.png)[:, :, 0]
        assert shape.shape == (region.box.height, region.box.width)
