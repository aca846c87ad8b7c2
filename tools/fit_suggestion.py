"""Fit the ranking of weights-free suggestions and write annotator/suggestion/coefficients.py.

    python -m tools.fit_suggestion [--check]

It draws screens of apps, presses on their elements, lets all guesses be made and fits the IoU of
each guess with the pressed element by its looks: ridge regression, each press counting alike. The
apps are split: what it fits on is `FITTED` of tests/annotator/screens, what it reports on is
`UNSEEN`. Scores are calibrated so that they are honest for the best guess of apps left out. Two
minutes on one core. `--check` says whether the file is what this would write.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QGuiApplication

from annotator.suggestion.band import cut_band
from annotator.suggestion.features import FEATURES, compute_features
from annotator.suggestion.shapes import guess_boxes
from tests.annotator.screens import drawing, phone
from tests.annotator.screens.values import Screen, clicks

FILE = Path(__file__).resolve().parents[1] / "annotator" / "suggestion" / "coefficients.py"
VERSION = "2"
RIDGE = 1e-3
LEAST = 0.2
"""How much a guess that misses counts, beside one that is right by 1 more."""
DRAWN, PHONE = 1200, 600
"""Presses on drawn screens and on the demo phone's."""

SPREAD = 0.2
"""Spread of presses for fitting; wider than people's, so that theirs are covered."""

Numbers = npt.NDArray[np.float64]
Press = tuple[str, Numbers, Numbers]
"""App, looks of all guesses, their IoU with the truth."""


def presses(screens: list[Screen], count: int, seed: int, spread: float = 0.16) -> list[Press]:
    """The suggestions for a number of presses."""
    made = []
    for click in clicks(screens, count, seed, spread):
        around = cut_band(click.screen.pixels, click.point, click.screen.per_dp)
        found = guess_boxes(around)
        if found:
            numbers, _ = compute_features(around, found)
            hits = [around.in_frame(one.box).overlap(click.truth) for one in found]
            made.append((click.screen.app, numbers, np.array(hits)))
    return made


def fitted(made: list[Press]) -> Numbers:
    """The weights that tell the IoU of a guess best, all presses counting alike, good guesses more:
    telling a good one from a fair one matters, telling bad ones apart does not."""
    inner = np.zeros((len(FEATURES), len(FEATURES)))
    outer = np.zeros(len(FEATURES))
    for _, numbers, hits in made:
        counts = (LEAST + hits) / len(hits)
        inner += (numbers * counts[:, None]).T @ numbers
        outer += (numbers * counts[:, None]).T @ hits
    return np.linalg.solve(inner + RIDGE * len(made) * np.eye(len(FEATURES)), outer)


def best(made: list[Press], weights: Numbers) -> tuple[Numbers, Numbers]:
    """Score of the best suggestion, and its IoU."""
    said, got = [], []
    for _, numbers, hits in made:
        raw = numbers @ weights
        at = int(raw.argmax())
        said.append(raw[at])
        got.append(hits[at])
    return np.array(said), np.array(got)


def calibration(made: list[Press]) -> tuple[float, float]:
    """Offset and factor of a line from score to IoU, fitted by cross-validation over apps."""
    said, got = [], []
    for app in sorted({app for app, _, _ in made}):
        weights = fitted([one for one in made if one[0] != app])
        there = best([one for one in made if one[0] == app], weights)
        said.append(there[0])
        got.append(there[1])
    factor, offset = np.polyfit(np.concatenate(said), np.concatenate(got), 1)
    return float(offset), float(factor)


def demo_screens(apps: tuple[str, ...]) -> list[Screen]:
    """The demo phone's screens, light and dark."""
    made = []
    for dark in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            made += phone.phone_screens(Path(folder), apps, dark)
    return made


def written(weights: Numbers, line: tuple[float, float], count: int) -> str:
    """The text of the table."""
    rows = "\n".join(f'    "{n}": {w:.5f},' for n, w in zip(FEATURES, weights, strict=True))
    return f'''"""How much each look of a guess weighs. Written by tools/fit_suggestion.py.

Fitted on {count:,} presses on screens drawn for it and on some of the demo phone's apps.
"""

VERSION = "{VERSION}"
"""Grows whenever guesses, looks or weights change: provenance names it."""
CALIBRATION = ({line[0]:.5f}, {line[1]:.5f})
"""Offset and factor from the ranking's number to the IoU to be expected of the best guess."""
WEIGHTS = {{
{rows}
}}
'''


def report(name: str, made: list[Press], weights: Numbers, line: tuple[float, float]) -> None:
    """Prints how good the best guess is, and how honest its score."""
    said, got = best(made, weights)
    score = np.clip(line[0] + line[1] * said, 0, 1)
    top = np.mean([hits.max() for _, _, hits in made])
    print(
        f"{name}: {len(made)} presses, IoU {got.mean():.2f}, over 0.5 {(got > 0.5).mean():.0%}, "
        f"over 0.75 {(got > 0.75).mean():.0%}, best of all guesses {top:.2f}"
    )
    for low in (0.0, 0.5, 0.6, 0.7, 0.8, 0.9):
        there = (score >= low) & (score < (low + 0.1 if low else 0.5))
        if there.any():
            means = score[there].mean(), got[there].mean()
            print(f"  said {means[0]:.2f}, got {means[1]:.2f} ({there.sum()} presses)")


def main() -> int:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--check", action="store_true", help="write nothing")
    check = arguments.parse_args().check
    app = QGuiApplication.instance() or QGuiApplication(["fit", "-platform", "offscreen"])
    seen = presses(drawing.drawn_screens(drawing.FITTED), DRAWN, 1, SPREAD)
    seen += presses(demo_screens(phone.FITTED), PHONE, 2, SPREAD)
    weights, line = fitted(seen), calibration(seen)
    text = written(weights, line, len(seen))
    report("fitted on", seen, weights, line)
    report("drawn, unseen", presses(drawing.drawn_screens(drawing.UNSEEN), 400, 3), weights, line)
    report("demo phone, unseen", presses(demo_screens(phone.UNSEEN), 400, 4), weights, line)
    del app
    if check:
        same = FILE.read_text(encoding="utf-8") == text
        print("the table is what this writes" if same else "the table is another one")
        return 0 if same else 1
    FILE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
