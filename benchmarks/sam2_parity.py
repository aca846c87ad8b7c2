"""Our image session against the package's own predictor: the same numbers, and what each takes.

    python benchmarks/sam2_parity.py [--rounds 10] [--threads N]

Needs torchvision, which Taptrail itself does not, so it runs in an environment of its own:

    python -m venv parity && parity/bin/pip install torch torchvision setuptools wheel numpy \\
        hydra-core iopath tqdm opencv-python msgspec platformdirs
    SAM2_BUILD_CUDA=0 parity/bin/pip install --no-deps --no-build-isolation sam2==1.1.0

Seeded random weights of the tiny configuration: they cost what trained ones cost, and where the two
agree on them they agree on any. 1080x2400 screens, shown whole to both. Ours embeds as the program
does, in the worker process, picture file, cache and pipe included. A press is timed with the
embedding at hand, down to what each program has of it: theirs three masks of the frame's size, ours
three masks with box, runs, outlines, stability and area. Those are of a button, and again of larger
things, which take us longer, because random weights make noise of a million pixels. The first press
on a screen also makes the embedding ready, from half precision on; the next ones do not. The runs
are interleaved, medians compared.
"""

import argparse
import copy
import hashlib
import os
import statistics
import sys
import tempfile
import time
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402
import torch  # noqa: E402

from annotator.sam2.cache import to_half_precision  # noqa: E402
from annotator.sam2.checkpoints import CHECKPOINTS, Weights  # noqa: E402
from annotator.sam2.client import Sam2  # noqa: E402
from annotator.sam2.geometry import to_model_points, whole_view  # noqa: E402
from annotator.sam2.masks import make_proposal  # noqa: E402
from annotator.sam2.model_loader import build_model  # noqa: E402
from annotator.sam2.session import ImageSession  # noqa: E402
from annotator.sam2.values import ModelId, PictureFile, Prompt  # noqa: E402
from episodes.geometry import Point, Size  # noqa: E402
from episodes.media.pictures import encode_png  # noqa: E402
from episodes.operating_system import lower_priority  # noqa: E402

SIZE = Size(1080, 2400)
PROMPTS = (
    Prompt((Point(540, 1200),)),
    Prompt((Point(100, 300),), avoid=(Point(900, 2000),)),
    Prompt((Point(540, 1200), Point(600, 1250)), avoid=(Point(20, 20),)),
)
MOST_LOGITS = 1e-5
EMBED, FIRST, AGAIN, LARGE, WHOLE = (
    "embed a screen",
    "first press on it",
    "one more press",
    "one more press, on a tenth of the screen",
    "one more press, on the whole screen",
)
MOST = {EMBED: 1.05, AGAIN: 0.6}
"""Limits as ratios of the predictor's time; other rows are printed without a limit."""


def screen(seed: int) -> np.ndarray:
    """A picture with flat parts and edges, as screens have."""
    chance = np.random.default_rng(seed)
    pixels = np.full((SIZE.height, SIZE.width, 3), 245, np.uint8)
    for _ in range(60):
        left, top = chance.integers(0, 900), chance.integers(0, 2200)
        width, height = chance.integers(40, 600), chance.integers(30, 300)
        pixels[top : top + height, left : left + width] = chance.integers(0, 256, 3)
    return pixels


def parity(ours: ImageSession, predictor: object) -> tuple[float, float, float]:
    """The largest differences of features, logits and scores."""
    pixels = screen(1)
    maps = ours.embed(pixels)
    ready = ours.prepare(maps)
    predictor.set_image(pixels)
    held = predictor._features
    theirs = [one.numpy() for one in (*held["high_res_feats"], held["image_embed"])]
    features = max(float(np.abs(a - b).max()) for a, b in zip(maps, theirs, strict=True))
    logits = scores = 0.0
    for prompt in PROMPTS:
        here, expected = ours.ask(ready, *to_model_points(prompt, whole_view(SIZE), ours.side))
        points = [*prompt.points, *prompt.avoid]
        _, told, there = predictor.predict(
            np.array([[one.x, one.y] for one in points]),
            np.array([1] * len(prompt.points) + [0] * len(prompt.avoid)),
        )
        logits = max(logits, float(np.abs(here - there).max()))
        scores = max(scores, float(np.abs(expected - told).max()))
    return features, logits, scores


def timed(job: object) -> float:
    started = time.perf_counter()
    job()
    return time.perf_counter() - started


def press(session: ImageSession, ready: object, prompt: Prompt, shape: np.ndarray) -> None:
    """One more press with a cached embedding, up to three boxes and outlines."""
    view = whole_view(SIZE)
    logits, scores = session.ask(ready, *to_model_points(prompt, view, session.side))
    for score in scores:
        found = make_proposal(shape, float(score), view, prompt)
        assert not isinstance(found, str), found
    assert logits.shape == (len(scores), *shape.shape)


def mask(rows: slice, columns: slice) -> np.ndarray:
    """Returns the model's answer for a certain rectangle, in cells."""
    logits = np.full((256, 256), -8, np.float32)
    logits[rows, columns] = 8
    return logits


BUTTON = mask(slice(120, 136), slice(90, 160))  # 295 x 150 pixels
TENTH = mask(slice(112, 142), slice(20, 240))
SCREEN = mask(slice(0, 256), slice(0, 256))


def races(
    client: Sam2, session: ImageSession, predictor: object, folder: Path, rounds: int
) -> dict[str, tuple[list[float], list[float]]]:
    """Seconds of ours and theirs, interleaved: a new screen, and presses on it."""
    names = (EMBED, FIRST, AGAIN, LARGE, WHOLE)
    taken: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in names}
    view = whole_view(SIZE)
    half = to_half_precision(session.embed(screen(1)))
    for at in range(rounds + 1):  # the first round warms both up and is not counted
        if at == 1:
            lower_priority()  # as the worker does
        pixels = screen(100 + at)
        data = encode_png(pixels)
        sha256 = hashlib.sha256(data).hexdigest()
        frame = PictureFile(sha256, folder / f"{sha256}.png")
        frame.path.write_bytes(data)
        point, prompt = np.array([[540.0, 1200.0 + at]]), Prompt((Point(540, 1200 + at),))
        ready = session.prepare(half)
        pairs = {
            EMBED: (
                lambda: client.warm(frame, prompt, view).answer.result(),  # noqa: B023
                lambda: predictor.set_image(pixels),  # noqa: B023
            ),
            **{
                name: (ours, lambda: predictor.predict(point, np.array([1])))  # noqa: B023
                for name, ours in (
                    (FIRST, lambda: press(session, session.prepare(half), prompt, BUTTON)),  # noqa: B023
                    (AGAIN, lambda: press(session, ready, prompt, BUTTON)),  # noqa: B023
                    (LARGE, lambda: press(session, ready, prompt, TENTH)),  # noqa: B023
                    (WHOLE, lambda: press(session, ready, prompt, SCREEN)),  # noqa: B023
                )
            },
        }
        for name, pair in pairs.items():
            for which in (0, 1) if at % 2 else (1, 0):
                taken[name][which].append(timed(pair[which]))
    return {name: (ours[1:], theirs[1:]) for name, (ours, theirs) in taken.items()}


def main() -> int:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--rounds", type=int, default=10)
    arguments.add_argument("--threads", type=int, default=max(1, (os.cpu_count() or 2) - 1))
    arguments.add_argument("--tiny", action="store_true", help="only see that it runs, in seconds")
    chosen = arguments.parse_args()
    if chosen.tiny:
        chosen.rounds = 1
    warnings.simplefilter("ignore")
    import torchvision
    from sam2.sam2_image_predictor import SAM2ImagePredictor

    torch.set_num_threads(chosen.threads)
    torch.manual_seed(7)
    model = build_model(CHECKPOINTS["tiny"].config)
    predictor = SAM2ImagePredictor(model)
    session = ImageSession(copy.deepcopy(model))  # it hooks into its model
    features, logits, scores = parity(session, predictor)
    print(f"torch {torch.__version__}, torchvision {torchvision.__version__}")
    print(f"largest difference: features {features:g}, logits {logits:.2g}, scores {scores:.2g}")
    good = features == 0 and logits <= MOST_LOGITS and scores <= MOST_LOGITS

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "seeded.pt"
        torch.save({"model": model.state_dict()}, file)
        sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
        weights = Weights(file, ModelId("seeded", sha256, False), CHECKPOINTS["tiny"].config)
        with Sam2(weights, folder / "kept", threads=chosen.threads) as client:
            taken = races(client, session, predictor, folder, chosen.rounds)
        for what, (ours, theirs) in taken.items():
            here, there = statistics.median(ours), statistics.median(theirs)
            good &= chosen.tiny or what not in MOST or here <= MOST[what] * there
            wanted = f" (at most {MOST[what]})" if what in MOST else ""
            print(
                f"{what}: ours {here:.3f} s, theirs {there:.3f} s, ratio {here / there:.2f}{wanted}"
            )
        print(f"{chosen.rounds} rounds, {chosen.threads} threads, load {os.getloadavg()[0]:.1f}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
