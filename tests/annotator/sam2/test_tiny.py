"""The published tiny configuration with seeded random weights: shapes, prompts, caches.

It says nothing about what SAM 2 finds on a screen; that needs the published weights.
"""

import numpy as np
import pytest
import torch

from annotator.sam2.cache import to_half_precision
from annotator.sam2.checkpoints import CHECKPOINTS
from annotator.sam2.decoder import PictureFeatures
from annotator.sam2.masks import make_proposal
from annotator.sam2.model_loader import build_model
from annotator.sam2.session import ImageSession, Maps
from annotator.sam2.values import Prompt
from episodes.geometry import Box, Point
from tests.annotator.sam2 import micro


@pytest.fixture(scope="module")
def session() -> ImageSession:
    torch.manual_seed(3)
    return ImageSession(build_model(CHECKPOINTS["tiny"].config))


@pytest.fixture(scope="module")
def maps(session: ImageSession) -> Maps:
    return session.embed(micro.screen())


@pytest.fixture(scope="module")
def ready(session: ImageSession, maps: Maps) -> PictureFeatures:
    return session.prepare(maps)


def test_the_maps_have_the_published_shapes(session: ImageSession, maps: Maps) -> None:
    assert session.side == 1024
    assert [one.shape for one in maps] == [(1, 32, 256, 256), (1, 64, 128, 128), (1, 256, 64, 64)]
    assert {one.dtype for one in maps} == {np.dtype(np.float32)}


@pytest.mark.parametrize(
    ("places", "labels"),
    [
        ([(300, 500)], [1]),
        ([(300, 500), (20, 30)], [1, 0]),
        ([(100, 100), (700, 800)], [2, 3]),
        ([(100, 100), (700, 800), (300, 500), (20, 30)], [2, 3, 1, 0]),
    ],
    ids=["point", "and one beside", "box", "all"],
)
def test_each_kind_of_prompt_gives_three_masks_with_scores(
    session: ImageSession,
    ready: PictureFeatures,
    places: list[tuple[float, float]],
    labels: list[int],
) -> None:
    logits, scores = session.ask(ready, places, labels)
    assert (logits.shape, scores.shape) == ((3, 256, 256), (3,))
    assert np.abs(logits).max() <= 32
    assert ((scores >= 0) & (scores <= 1)).all()
    whole = Box(0, 0, 540, 1200)
    for one, score in zip(logits, scores, strict=True):
        found = make_proposal(one, float(score), whole, Prompt((Point(158, 586),)))
        assert found == "is empty" or found.box.intersection(whole) == found.box  # type: ignore[union-attr]


def test_the_same_embedding_gives_the_same_answer_and_halved_almost_the_same(
    session: ImageSession, maps: Maps, ready: PictureFeatures
) -> None:
    first, _ = session.ask(ready, [(300, 500)], [1])
    again, _ = session.ask(ready, [(300, 500)], [1])
    half, _ = session.ask(session.prepare(to_half_precision(maps)), [(300, 500)], [1])
    assert np.array_equal(first, again)
    assert ((first > 0) == (half > 0)).mean() >= 0.9995


def test_a_box_and_a_further_point_change_the_answer(
    session: ImageSession, ready: PictureFeatures
) -> None:
    point, _ = session.ask(ready, [(300, 500)], [1])
    beside, _ = session.ask(ready, [(300, 500), (20, 30)], [1, 0])
    box, _ = session.ask(ready, [(100, 100), (700, 800)], [2, 3])
    assert not np.array_equal(point, beside)
    assert not np.array_equal(point, box)
