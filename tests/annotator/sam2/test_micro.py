"""The real SAM 2, weights of our own: each press finds its element, and no fault goes unseen."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from annotator.sam2 import cache
from annotator.sam2 import mask_predictor as module
from annotator.sam2.cache import EmbeddingCache
from annotator.sam2.geometry import to_model_points, whole_view
from annotator.sam2.mask_predictor import MaskPredictor
from annotator.sam2.masks import make_proposal, mask_pixels
from annotator.sam2.session import EmbeddingCancelled, ImageSession
from annotator.sam2.values import PictureFile, Prompt
from episodes.geometry import Box, Point
from tests.annotator.sam2 import micro
from tests.annotator.sam2.conftest import frame_of

VIEW = whole_view(micro.SIZE)
PRESSES = micro.clicks(each=4, seed=5)
WORST = 0.85


def overlaps(answering: MaskPredictor, frame: PictureFile) -> list[float]:
    """Of each press, how well the box of the best-scored mask fits what was meant."""
    found = []
    for box, point in PRESSES:
        masks = answering.propose(frame, Prompt((point,)), VIEW).masks
        best = max(masks, key=lambda mask: mask.score, default=None)
        found.append(best.box.overlap(box) if best else 0.0)
    return found


def test_each_of_forty_presses_finds_the_box_of_its_element(
    answering: MaskPredictor, frame: PictureFile
) -> None:
    found = overlaps(answering, frame)
    assert len(found) == 40
    assert min(found) >= WORST


def swap_point(monkeypatch: pytest.MonkeyPatch) -> None:
    def swapped(*told: Any) -> Any:
        places, labels = to_model_points(*told)
        return [(y, x) for x, y in places], labels

    monkeypatch.setattr(module, "to_model_points", swapped)


def scale_both_by_the_width(monkeypatch: pytest.MonkeyPatch) -> None:
    def scaled(prompt: Prompt, view: Box, side: int) -> Any:
        return to_model_points(prompt, Box(0, 0, view.width, view.width), side)

    monkeypatch.setattr(module, "to_model_points", scaled)


def give_blue_first(monkeypatch: pytest.MonkeyPatch) -> None:
    embed = ImageSession.embed
    monkeypatch.setattr(
        ImageSession, "embed", lambda self, pixels, wanted: embed(self, pixels[..., ::-1], wanted)
    )


def swap_box(monkeypatch: pytest.MonkeyPatch) -> None:
    def swapped(*told: Any) -> Any:
        mask = make_proposal(*told)
        if isinstance(mask, str):
            return mask
        box = mask.box
        turned = Box(box.top, box.left, box.bottom, box.right)
        return type(mask)(
            turned, mask.runs, mask.polygons, mask.score, mask.stability, mask.area, mask.sides
        )

    monkeypatch.setattr(module, "make_proposal", swapped)


def be_a_status_bar_off(monkeypatch: pytest.MonkeyPatch) -> None:
    def moved(prompt: Prompt, view: Box, side: int) -> Any:
        points = tuple(Point(one.x, one.y + 24) for one in prompt.points)
        return to_model_points(Prompt(points), view, side)

    monkeypatch.setattr(module, "to_model_points", moved)


def file_all_frames_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "embedding_key", lambda *told: "0" * 64)


@pytest.mark.parametrize(
    "fault",
    [
        swap_point,
        scale_both_by_the_width,
        give_blue_first,
        swap_box,
        be_a_status_bar_off,
        file_all_frames_alike,
    ],
)
def test_each_fault_of_wiring_is_seen_in_the_worst_press(
    fault: Callable[[pytest.MonkeyPatch], None],
    answering: MaskPredictor,
    frame: PictureFile,
    tmp_path: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fault(monkeypatch)
    other = frame_of(tmp_path, np.ascontiguousarray(micro.screen()[::-1]))
    answering.propose(other, Prompt((Point(270, 600),)), VIEW)
    assert min(overlaps(answering, frame)) < WORST


def test_a_mask_comes_with_shape_score_stability_and_area(
    answering: MaskPredictor, frame: PictureFile
) -> None:
    box, point = PRESSES[8]
    found = answering.propose(frame, Prompt((point,)), VIEW)
    assert (found.frame, found.view, found.prompt) == (frame.sha256, VIEW, Prompt((point,)))
    assert found.refused == ()
    assert len(found.masks) == 3
    for mask in found.masks:
        pixels = mask_pixels(mask)
        assert pixels.shape == (mask.box.height, mask.box.width)
        assert mask.area == pixels.sum()
        assert mask.area >= 0.8 * box.area
        assert 0.8 < mask.score <= 1
        assert 0.8 < mask.stability <= 1
        assert mask.sides == 0
        xs = [one.x for one in mask.polygons[0]]
        ys = [one.y for one in mask.polygons[0]]
        assert (min(xs), min(ys)) == (mask.box.left, mask.box.top)
        assert (max(xs), max(ys)) == (mask.box.right - 1, mask.box.bottom - 1)


def test_a_view_is_answered_like_a_picture_of_that_part(
    answering: MaskPredictor, frame: PictureFile, tmp_path: Any
) -> None:
    view = Box(0, 405, 540, 945)
    part = frame_of(tmp_path, np.ascontiguousarray(micro.screen()[405:945]))
    for _, point in [one for one in PRESSES if one[1] in view][::5]:
        there = answering.propose(frame, Prompt((point,)), view).masks
        here = answering.propose(part, Prompt((Point(point.x, point.y - 405),))).masks
        assert [mask.runs for mask in there] == [mask.runs for mask in here]
        assert [mask.box for mask in there] == [
            Box(m.box.left, m.box.top + 405, m.box.right, m.box.bottom + 405) for m in here
        ]


def test_an_answer_is_the_same_whether_the_embedding_was_there_or_not(
    micro_session: ImageSession, frame: PictureFile, tmp_path: Any
) -> None:
    def ask() -> Any:
        answering = MaskPredictor(
            micro_session, micro.weights().model, EmbeddingCache(tmp_path / "kept")
        )
        found = [answering.propose(frame, Prompt((point,)), VIEW) for _, point in PRESSES[::8]]
        return [one.masks for one in found], [one.warm for one in found]

    cold, warm_after_the_first = ask()
    from_the_disk, all_warm = ask()
    assert from_the_disk == cold
    assert (warm_after_the_first, all_warm) == ([False] + [True] * 4, [True] * 5)


def test_the_last_two_screens_are_ready_for_one_more_press(
    micro_session: ImageSession, frame: PictureFile, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    prepare = ImageSession.prepare

    def counted(self: ImageSession, maps: Any) -> Any:
        made.append(maps)
        return prepare(self, maps)

    monkeypatch.setattr(ImageSession, "prepare", counted)
    answering = MaskPredictor(micro_session, micro.weights().model, None)
    screens = [frame, *(frame_of(tmp_path, micro.screen()[at:].copy()) for at in (100, 200))]
    prompt = Prompt((Point(270, 700),))
    answering.warm(frame, prompt)
    found = {}
    for shown, so_far in ((0, 1), (0, 1), (1, 2), (0, 2), (2, 3), (0, 3), (1, 4), (1, 4)):
        masks = answering.propose(screens[shown], prompt).masks
        assert masks == found.setdefault(shown, masks)
        assert len(made) == so_far


def test_several_pictures_at_once_are_embedded_like_each_alone(
    micro_session: ImageSession,
) -> None:
    pictures = [micro.screen(), np.ascontiguousarray(micro.screen()[::-1])]
    for picture, together in zip(pictures, micro_session.embed_all(pictures), strict=True):
        for one, other in zip(micro_session.embed(picture), together, strict=True):
            assert np.abs(one - other).max() <= 1e-5 * np.abs(one).max()


def test_half_precision_moves_almost_no_pixel(
    micro_session: ImageSession, frame: PictureFile
) -> None:
    maps = micro_session.embed(micro.screen())
    half = cache.to_half_precision(maps)
    assert {one.dtype for one in half} == {np.dtype(np.float16)}
    for _, point in PRESSES[::8]:
        told = to_model_points(Prompt((point,)), VIEW, micro_session.side)
        exact, scores = micro_session.ask(micro_session.prepare(maps), *told)
        kept, near_scores = micro_session.ask(micro_session.prepare(half), *told)
        assert ((exact > 0) == (kept > 0)).mean() >= 0.9995
        assert np.abs(scores - near_scores).max() < 0.01


def test_a_cancelled_embedding_is_not_finished(
    micro_session: ImageSession,
) -> None:
    asked = iter([True, True, False])
    with pytest.raises(EmbeddingCancelled):
        micro_session.embed(micro.screen(), lambda: next(asked))
    assert len(micro_session.embed(micro.screen())) == 3


def test_values_that_are_not_numbers_are_reported_and_make_no_box(
    micro_session: ImageSession, frame: PictureFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = ImageSession.ask

    def spoilt(self: ImageSession, *told: Any) -> Any:
        logits, scores = ask(self, *told)
        logits = logits.copy()
        logits[1, 3, 3] = np.nan
        logits[2] = -1
        return logits, scores

    monkeypatch.setattr(ImageSession, "ask", spoilt)
    answering = MaskPredictor(micro_session, micro.weights().model, None)
    found = answering.propose(frame, Prompt((PRESSES[0][1],)), VIEW)
    assert len(found.masks) == 1
    assert found.refused == ("mask 2 is not a number", "mask 3 is empty")
