"""One picture through SAM 2: embed it once, ask it as often as wanted.

The steps of the official image predictor, without the torchvision it needs for resizing, with a
mask decoder that does not begin anew for each question, and without blowing masks up to the
picture's size. Equal to it: the features to the last bit, the masks' logits within float32's
rounding. Always float32, on the CPU.

Source: facebookresearch/sam2 at 2b90b9f5, sam2/sam2_image_predictor.py and utils/transforms.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from annotator.sam2.decoder import PictureFeatures, PromptDecoder

MEAN = (0.485, 0.456, 0.406)
SPREAD = (0.229, 0.224, 0.225)
"""Of red, green and blue over ImageNet, which the encoder was trained with."""

Maps = tuple[npt.NDArray[np.floating[Any]], ...]
"""An embedding: three feature maps, finest first, each (1, channels, rows, columns)."""


class EmbeddingCancelled(Exception):
    """The embedding was not wanted any more."""


class ImageSession:
    """A loaded model, asked about pictures one after the other. For one thread."""

    def __init__(self, model: Any) -> None:
        self._model = model.eval()
        self.side = int(model.image_size)
        self._wanted: Callable[[], bool] = lambda: True
        for block in model.image_encoder.trunk.blocks:
            block.register_forward_pre_hook(self._look_whether_wanted)
        with torch.inference_mode():
            self._decoder = PromptDecoder(model)

    def embed(
        self, pixels: npt.NDArray[np.uint8], wanted: Callable[[], bool] = lambda: True
    ) -> Maps:
        """Returns a picture's embedding in float32.

        Args:
            pixels: rows by columns by red, green, blue.
            wanted: asked a dozen times on the way; False stops.

        Raises:
            EmbeddingCancelled: `wanted` returned False.
        """
        (maps,) = self.embed_all([pixels], wanted)
        return maps

    def embed_all(
        self,
        pictures: Sequence[npt.NDArray[np.uint8]],
        wanted: Callable[[], bool] = lambda: True,
    ) -> list[Maps]:
        """Returns the embeddings of several pictures at once; on a CPU that saves no time."""
        self._wanted = wanted
        try:
            with torch.inference_mode():
                levels = self._levels(torch.cat([self._prepared(one) for one in pictures]))
        finally:
            self._wanted = lambda: True
        arrays = [level.contiguous().numpy() for level in levels]
        return [tuple(one[at : at + 1] for one in arrays) for at in range(len(pictures))]

    def prepare(self, maps: Maps) -> PictureFeatures:
        """Returns the values shared by all requests about an embedding; stores no arrays."""
        with torch.inference_mode():
            return self._decoder.prepare(*(torch.from_numpy(one).float() for one in maps))

    def ask(
        self,
        features: PictureFeatures,
        places: Sequence[tuple[float, float]],
        labels: Sequence[int],
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Returns three masks' logits (3, rows, columns) and the IoU expected of each (3,).

        Args:
            features: of the picture's embedding.
            places: (x, y) in pixels of the model's square.
            labels: of each place: 1 inside, 0 outside, 2 and 3 a box's corners.
        """
        with torch.inference_mode():
            points = torch.tensor([list(places)], dtype=torch.float32)
            kinds = torch.tensor([list(labels)], dtype=torch.int32)
            prompt, _ = self._model.sam_prompt_encoder(
                points=(points, kinds), boxes=None, masks=None
            )
            logits, scores = self._decoder.ask(features, prompt)
        return logits.clamp(-32.0, 32.0).numpy(), scores.numpy()

    def _prepared(self, pixels: npt.NDArray[np.uint8]) -> torch.Tensor:
        """The picture as the encoder takes it: (1, 3, side, side), about -2 to 3."""
        picture = torch.from_numpy(np.ascontiguousarray(pixels)).permute(2, 0, 1).contiguous()
        scaled = functional.interpolate(
            picture.float().div(255)[None],
            size=(self.side, self.side),
            mode="bilinear",
            align_corners=False,
            antialias=True,
        )
        mean, spread = torch.tensor(MEAN)[:, None, None], torch.tensor(SPREAD)[:, None, None]
        prepared: torch.Tensor = (scaled - mean) / spread
        return prepared

    def _levels(self, batch: torch.Tensor) -> list[torch.Tensor]:
        found = self._model.forward_image(batch)
        levels = list(found["backbone_fpn"][-self._model.num_feature_levels :])
        if self._model.directly_add_no_mem_embed:
            levels[-1] = levels[-1] + self._model.no_mem_embed.view(1, -1, 1, 1)
        return levels

    def _look_whether_wanted(self, *_: Any) -> None:
        if not self._wanted():
            raise EmbeddingCancelled
