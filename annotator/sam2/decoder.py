"""SAM 2's mask decoder on one picture, the package's weights in another order of computing.

The package projects all 4096 places of the picture for each attention, and then compares them with
about eight tokens. Here the few tokens are carried to the other side of the projection instead,
which gives the same numbers for half the work; the transposed convolutions are matrix products in
the order in which memory has the pixels; and what depends on the picture alone is computed once
for all that is asked about it. What is not asked for, a single mask and whether an object is there
at all, is left out. The small parts, over the tokens alone, are the package's own.

Source: facebookresearch/sam2 at 2b90b9f5, sam2/modeling/sam/mask_decoder.py and transformer.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

BLOCK = 512
"""Places of the picture blown up at a time: as many as stay in the processor's own memory."""


@dataclass(frozen=True, slots=True, eq=False)
class PictureFeatures:
    """What of a picture every question about it begins with. 21 MB for 1024 x 1024.

    Attributes:
        rows, columns: of the coarse map.
        image: the coarse map, a row for each place from the top left on: (places, channels).
        finer: what is added when each place becomes four: (places, 4 x channels).
        finest: what is added when each of those becomes four: (4 x places, 4 x channels).
    """

    rows: int
    columns: int
    image: Tensor
    finer: Tensor
    finest: Tensor


class PromptDecoder:
    """The decoder of a loaded model, for one picture and one prompt at a time. For one thread.

    All under `torch.inference_mode`, which is the caller's.
    """

    def __init__(self, model: Any) -> None:
        decoder, prompts = model.sam_mask_decoder, model.sam_prompt_encoder
        self._decoder = decoder
        self._no_mask = prompts.no_mask_embed.weight
        self._where = prompts.get_dense_pe()[0].flatten(1).t().contiguous()
        self._out = [decoder.iou_token.weight, decoder.mask_tokens.weight]
        if decoder.pred_obj_scores:
            self._out.insert(0, decoder.obj_score_token.weight)
        self._expected = len(self._out) - 2  # where the token of the expected IoU stands
        first, _, _, second, _ = decoder.output_upscaling
        self._first, self._second = _as_matrix(first), _as_matrix(second)

    def prepare(self, finest: Tensor, finer: Tensor, coarse: Tensor) -> PictureFeatures:
        """Returns what `ask` needs of an embedding's three maps, each (1, channels, rows, cols)."""
        first, _, _, second, _ = self._decoder.output_upscaling
        rows, columns = coarse.shape[-2:]
        image = coarse[0].flatten(1).t() + self._no_mask
        return PictureFeatures(
            rows,
            columns,
            image.contiguous(),
            (_by_place(finer[0], 1) + first.bias).view(rows * columns, -1),
            (_by_place(finest[0], 2) + second.bias).view(4 * rows * columns, -1),
        )

    def ask(self, features: PictureFeatures, prompt: Tensor) -> tuple[Tensor, Tensor]:
        """Returns three masks' logits (3, 4 x rows, 4 x columns) and their expected IoUs (3,).

        Args:
            prompt: the package's embedding of the places pointed at, (1, places, channels).
        """
        tokens, image = self._both_ways(features, torch.cat([*self._out, prompt[0]])[None])
        at = self._expected + 2  # the mask token between is for a single mask
        heads = self._decoder.output_hypernetworks_mlps[1:]
        filters = torch.cat([head(tokens[:, at + of]) for of, head in enumerate(heads)])
        scores = self._decoder.iou_prediction_head(tokens[:, self._expected])
        return self._masks(features, image, filters), scores[0, 1:]

    def _both_ways(self, features: PictureFeatures, given: Tensor) -> tuple[Tensor, Tensor]:
        """The tokens (1, tokens, channels) after they and the picture looked at one another."""
        transformer = self._decoder.transformer
        tokens, image = given, features.image
        for layer in transformer.layers:
            if layer.skip_first_layer_pe:
                tokens = layer.self_attn(tokens, tokens, tokens)
            else:
                placed = tokens + given
                tokens = tokens + layer.self_attn(placed, placed, tokens)
            tokens = layer.norm1(tokens)
            there = image + self._where
            seen = _tokens_look(layer.cross_attn_token_to_image, tokens + given, there, image)
            tokens = layer.norm2(tokens + seen)
            tokens = layer.norm3(tokens + layer.mlp(tokens))
            image = layer.norm4(
                _picture_looks(
                    layer.cross_attn_image_to_token, image, there, tokens + given, tokens
                )
            )
        there = image + self._where
        last = transformer.final_attn_token_to_image
        tokens = tokens + _tokens_look(last, tokens + given, there, image)
        return transformer.norm_final_attn(tokens), image

    def _masks(self, features: PictureFeatures, image: Tensor, filters: Tensor) -> Tensor:
        """Each place blown up to four by four, and compared with each mask's filter."""
        _, norm, bend, _, bend_again = self._decoder.output_upscaling
        parts = []
        for one, finer, finest in zip(
            image.split(BLOCK),
            features.finer.split(BLOCK),
            features.finest.split(4 * BLOCK),
            strict=True,
        ):
            found = torch.addmm(finer, one, self._first).view(-1, norm.weight.numel())
            found = functional.layer_norm(
                found, norm.weight.shape, norm.weight, norm.bias, norm.eps
            )
            found = bend_again(torch.addmm(finest, bend(found), self._second))
            parts.append(filters @ found.view(-1, filters.shape[-1]).t())
        masks = torch.cat(parts, dim=1)
        rows, columns = features.rows, features.columns
        # place, quarter, quarter of the quarter -> rows and columns of the whole
        masks = masks.view(len(filters), rows, columns, 2, 2, 2, 2).permute(0, 1, 3, 5, 2, 4, 6)
        return masks.reshape(len(filters), 4 * rows, 4 * columns)


def _tokens_look(attention: Any, asking: Tensor, there: Tensor, image: Tensor) -> Tensor:
    """What the tokens (1, tokens, channels) see of the picture (places, channels).

    softmax((Q Wq) (K Wk)') V Wv is softmax((Q Wq Wk') K') V Wv; what Wk's bias adds is the same
    for all places of a token, so it is nothing to the softmax.
    """
    heads = attention.num_heads
    asked = _split(attention.q_proj(asking[0]), heads)  # heads, tokens, width
    to_places = attention.k_proj.weight.view(heads, -1, image.shape[1])
    carried = (asked @ to_places).flatten(0, 1) * asked.shape[-1] ** -0.5
    shares = torch.softmax(carried @ there.t(), dim=-1)
    seen = (shares @ image).view(heads, -1, image.shape[1])
    values = attention.v_proj.weight.view(heads, -1, image.shape[1])
    found = (seen @ values.mT).transpose(0, 1).flatten(1) + attention.v_proj.bias
    return attention.out_proj(found)[None]


def _picture_looks(
    attention: Any, image: Tensor, there: Tensor, told: Tensor, tokens: Tensor
) -> Tensor:
    """The picture (places, channels) with what it sees of the tokens (1, tokens, channels) added.

    The same as in `_tokens_look`, the other way round: what grows with places x channels is two
    products with heads x tokens columns.
    """
    heads, channels = attention.num_heads, image.shape[1]
    keys = _split(attention.k_proj(told[0]), heads)  # heads, tokens, width
    keys = keys * keys.shape[-1] ** -0.5
    to_places = attention.q_proj.weight.view(heads, -1, channels)
    carried = (keys @ to_places).flatten(0, 1)  # heads x tokens, channels
    always = (keys @ attention.q_proj.bias.view(heads, -1, 1)).view(-1, 1)
    likeness = torch.addmm(always, carried, there.t())
    shares = torch.softmax(likeness.view(*keys.shape[:2], -1), dim=1).flatten(0, 1)
    values = _split(attention.v_proj(tokens[0]), heads)
    from_heads = attention.out_proj.weight.view(channels, heads, -1).permute(1, 2, 0)
    # The shares of a head sum up to one, so each head brings its part of the bias.
    brought = (values @ from_heads).flatten(0, 1) + attention.out_proj.bias / heads
    return torch.addmm(image, shares.t(), brought)


def _split(found: Tensor, heads: int) -> Tensor:
    """(tokens, heads x width) to (heads, tokens, width)."""
    return found.view(found.shape[0], heads, -1).transpose(0, 1)


def _as_matrix(doubling: Any) -> Tensor:
    """A transposed convolution of 2x2 in steps of 2: (channels, 4 x channels out), by quarter."""
    return doubling.weight.permute(0, 2, 3, 1).flatten(1).contiguous()


def _by_place(fine: Tensor, doublings: int) -> Tensor:
    """(channels, rows, cols) to (places, quarters, channels), quarters of quarters inside."""
    channels, height, width = fine.shape
    rows, columns = height >> doublings, width >> doublings
    down, across = [rows, *[2] * doublings], [columns, *[2] * doublings]
    split = fine.reshape(channels, *down, *across)
    first, second = range(1, doublings + 2), range(doublings + 2, 2 * doublings + 3)
    order = [axis for pair in zip(first, second, strict=True) for axis in pair]
    return split.permute(*order, 0).reshape(rows * columns, -1, channels)
