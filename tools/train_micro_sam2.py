"""Train the micro SAM 2 of the tests and write its weights, 2 MB in half precision.

    python -m tools.train_micro_sam2 [--iterations 1100]

It learns the one drawn screen of tests/annotator/sam2/micro.py by heart, shown whole. Two minutes
on two idle cores. It prints the file's sha256, which belongs into micro.py.
"""

import argparse
import hashlib
import time

import numpy as np
import torch
from torch.nn import functional

from annotator.sam2.geometry import to_model_points, whole_view
from annotator.sam2.model_loader import build_model
from annotator.sam2.session import MEAN, SPREAD
from annotator.sam2.values import Prompt
from episodes.geometry import Box
from tests.annotator.sam2 import micro


def shown(view: Box, side: int) -> torch.Tensor:
    """Returns a part of the screen as input of the encoder: (1, 3, side, side)."""
    cut = micro.screen()[int(view.top) : int(view.bottom), int(view.left) : int(view.right)]
    picture = torch.from_numpy(cut.copy()).permute(2, 0, 1).float().div(255)[None]
    picture = functional.interpolate(picture, (side, side), mode="bilinear", antialias=True)
    return (picture - torch.tensor(MEAN)[:, None, None]) / torch.tensor(SPREAD)[:, None, None]


def wanted(box: Box, view: Box, side: int) -> torch.Tensor:
    """Which share of each cell of the mask's grid the box covers, (side, side)."""

    def covered(low: float, high: float) -> torch.Tensor:
        cell = torch.arange(side)
        return (torch.clamp(cell + 1, max=high) - torch.clamp(cell, min=low)).clamp(0, 1)

    across = covered(
        (box.left - view.left) / view.width * side, (box.right - view.left) / view.width * side
    )
    down = covered(
        (box.top - view.top) / view.height * side, (box.bottom - view.top) / view.height * side
    )
    return down[:, None] * across[None, :]


def train(iterations: int, rate: float, seed: int) -> torch.nn.Module:
    """Trains the model; each iteration has two presses on every element."""
    torch.manual_seed(seed)
    model = build_model(micro.CONFIG, micro.OVERRIDES).train()
    side, grid = model.image_size, model.image_size // 4
    optimiser = torch.optim.Adam(model.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda at: min(1, (at + 1) / 20) * (1 - at / iterations)
    )
    chance = np.random.default_rng(seed)
    view = whole_view(micro.SIZE)
    picture = shown(view, side)
    started = time.monotonic()
    for at in range(iterations):
        presses = micro.clicks(2, int(chance.integers(1 << 31)))
        places = [to_model_points(Prompt((point,)), view, side)[0] for _, point in presses]
        targets = torch.stack([wanted(box, view, grid) for box, _ in presses])[:, None]
        loss = _loss(model, picture, torch.tensor(places), targets)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        if at % 100 == 99:
            print(f"{at + 1:5} loss {loss.item():.3f} after {time.monotonic() - started:.0f} s")
    return model.eval()


def _loss(
    model: torch.nn.Module, picture: torch.Tensor, places: torch.Tensor, targets: torch.Tensor
) -> torch.Tensor:
    """Returns the loss: cross-entropy and dice of all masks, and the error of the expected IoU."""
    found = model.forward_image(picture)
    fine, middle, coarse = found["backbone_fpn"][-3:]
    coarse = coarse + model.no_mem_embed.view(1, -1, 1, 1)
    labels = torch.ones(places.shape[:2], dtype=torch.int32)
    sparse, dense = model.sam_prompt_encoder(points=(places, labels), boxes=None, masks=None)
    logits, scores, _, _ = model.sam_mask_decoder(
        image_embeddings=coarse,
        image_pe=model.sam_prompt_encoder.get_dense_pe(),
        sparse_prompt_embeddings=sparse,
        dense_prompt_embeddings=dense,
        multimask_output=True,
        repeat_image=True,
        high_res_features=[fine, middle],
    )
    targets = targets.expand_as(logits)
    crossed = functional.binary_cross_entropy_with_logits(logits, targets)
    soft = logits.sigmoid()
    both = (soft * targets).sum((2, 3))
    dice = 1 - (2 * both + 1) / (soft.sum((2, 3)) + targets.sum((2, 3)) + 1)
    hard, truth = logits.detach() > 0, targets > 0.5
    iou = (hard & truth).sum((2, 3)) / (hard | truth).sum((2, 3)).clamp(min=1)
    return 3 * crossed + dice.mean() + functional.mse_loss(scores, iou)


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--iterations", type=int, default=1100)
    arguments.add_argument("--rate", type=float, default=7e-4)
    arguments.add_argument("--seed", type=int, default=1)
    chosen = arguments.parse_args()
    model = train(chosen.iterations, chosen.rate, chosen.seed)
    torch.save({"model": {k: v.half() for k, v in model.state_dict().items()}}, micro.FILE)
    data = micro.FILE.read_bytes()
    print(f"{micro.FILE}: {len(data):,} bytes, sha256 {hashlib.sha256(data).hexdigest()}")


if __name__ == "__main__":
    main()
