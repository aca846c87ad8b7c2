"""Our order of computing against the package's own decoder: a changed release shows here first."""

import copy
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from sam2.modeling.sam.mask_decoder import MaskDecoder
from sam2.modeling.sam.prompt_encoder import PromptEncoder
from sam2.modeling.sam.transformer import TwoWayTransformer

from annotator.sam2.decoder import PromptDecoder
from annotator.sam2.model_loader import load_model
from annotator.sam2.session import ImageSession, Maps
from tests.annotator.sam2 import micro

Told = tuple[list[tuple[float, float]], list[int]]

PROMPTS: dict[str, Told] = {
    "a point": ([(100.5, 40.25)], [1]),
    "and one beside": ([(100.5, 40.25), (20, 200)], [1, 0]),
    "a box": ([(30, 40), (200, 90)], [2, 3]),
    "all of them": ([(30, 40), (200, 90), (100.5, 40.25), (20, 200)], [2, 3, 1, 0]),
    "twenty points": ([(12.5 * at, 9.75 * at) for at in range(20)], [1, 0] * 10),
}


def packaged(model: Any, maps: list[torch.Tensor], told: Told) -> tuple[Any, Any]:
    """What the package's own decoder says, as its image predictor calls it."""
    places, labels = told
    sparse, dense = model.sam_prompt_encoder(
        points=(torch.tensor([places], dtype=torch.float32), torch.tensor([labels])),
        boxes=None,
        masks=None,
    )
    *fine, coarse = maps
    logits, scores, _, _ = model.sam_mask_decoder(
        image_embeddings=coarse,
        image_pe=model.sam_prompt_encoder.get_dense_pe(),
        sparse_prompt_embeddings=sparse,
        dense_prompt_embeddings=dense,
        multimask_output=True,
        repeat_image=False,
        high_res_features=fine,
    )
    return logits[0], scores[0]


@pytest.fixture(scope="module")
def plain() -> Any:
    return load_model(micro.weights(), threads=1)


@pytest.fixture(scope="module")
def maps(plain: Any) -> Maps:
    return ImageSession(copy.deepcopy(plain)).embed(micro.screen())


@pytest.mark.parametrize("told", PROMPTS.values(), ids=PROMPTS)
def test_trained_weights_give_the_masks_and_scores_of_the_packaged_decoder(
    plain: Any, micro_session: ImageSession, maps: Maps, told: Told
) -> None:
    logits, scores = micro_session.ask(micro_session.prepare(maps), *told)
    with torch.inference_mode():
        masks, expected = packaged(plain, [torch.from_numpy(one) for one in maps], told)
    masks = masks.clamp(-32.0, 32.0).numpy()
    assert (logits.shape, scores.shape) == ((3, 64, 64), (3,))
    assert np.abs(logits - masks).max() <= 1e-5 * np.abs(masks).max()
    assert np.array_equal(logits > 0, masks > 0)
    assert np.abs(scores - expected.numpy()).max() <= 1e-5


@pytest.mark.parametrize(
    ("depth", "scored"), [(2, True), (2, False), (3, True)], ids=["as is", "unscored", "deeper"]
)
@pytest.mark.parametrize("told", PROMPTS.values(), ids=PROMPTS)
def test_any_make_of_the_decoder_on_any_grid_is_followed(
    told: Told, depth: int, scored: bool
) -> None:
    torch.manual_seed(depth)
    rows, columns, channels = 6, 10, 32
    model = SimpleNamespace(
        sam_prompt_encoder=PromptEncoder(channels, (rows, columns), (16 * rows, 16 * columns), 8),
        sam_mask_decoder=MaskDecoder(
            transformer_dim=channels,
            transformer=TwoWayTransformer(depth, channels, 8, 64),
            use_high_res_features=True,
            iou_prediction_use_sigmoid=True,
            pred_obj_scores=scored,
            pred_obj_scores_mlp=scored,
        ).eval(),
    )
    maps = [
        torch.randn(1, channels >> 3, 4 * rows, 4 * columns),
        torch.randn(1, channels >> 2, 2 * rows, 2 * columns),
        torch.randn(1, channels, rows, columns),
    ]
    with torch.inference_mode():
        for one in model.sam_mask_decoder.parameters():
            one.add_(0.1 * torch.randn_like(one))  # its biases and norms begin at 0 and 1
        decoder = PromptDecoder(model)
        prompt, _ = model.sam_prompt_encoder(
            points=(torch.tensor([told[0]]), torch.tensor([told[1]])), boxes=None, masks=None
        )
        masks, scores = decoder.ask(decoder.prepare(*maps), prompt)
        expected, expected_scores = packaged(model, maps, told)
    assert masks.shape == expected.shape == (3, 4 * rows, 4 * columns)
    torch.testing.assert_close(masks, expected, rtol=0, atol=1e-5 * float(expected.abs().max()))
    torch.testing.assert_close(scores, expected_scores, rtol=0, atol=1e-5)


def test_pictures_larger_than_a_block_are_put_together_in_order(
    plain: Any, micro_session: ImageSession, maps: Maps, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = micro_session.prepare(maps)
    whole, _ = micro_session.ask(ready, *PROMPTS["a point"])
    monkeypatch.setattr("annotator.sam2.decoder.BLOCK", 100)
    parts, _ = micro_session.ask(ready, *PROMPTS["a point"])
    assert len(ready.image) == 256
    assert np.abs(whole - parts).max() <= 1e-5 * np.abs(whole).max()
