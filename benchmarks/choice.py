"""How good suggestions without weights, doubts in trees and levels are, on screens that are known.

    python benchmarks/choice.py [--development] [--trees FOLDER]

The screens are those of the tests: drawn ones and the demo phone's. The ranking was not fitted on
their apps. Rules and thresholds were written on what `--development` prints: other presses, and
other screens of the demo phone's apps beside these. `--trees` looks for pictures (NAME.png or
NAME.jpg) beside the trees of a folder (NAME.xml, as uiautomator prints them), presses on each
element that takes touches, and says how near the best suggestion comes to the tree's box; nothing
of it is kept.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtGui import QGuiApplication

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from annotator.suggestion.ranking import suggest
from episodes.density import usual_pixels_per_dp
from episodes.errors import KnownError
from episodes.geometry import Box, Size
from episodes.media.pictures import decode
from episodes.screens import TreeRecord, TreeStatus
from episodes.trees.readers import read_record
from tests.annotator.screens import drawing, phone
from tests.annotator.screens.measuring import measured, on_imported
from tests.annotator.screens.values import Click, Element, Screen, clicks

HELD_OUT = {1: range(1, 9)}
DEVELOPMENT = {2: range(11, 21), 3: range(11, 17), 1: range(11, 19)}
"""Seeds of presses, for each seed of the walks through the demo phone's apps."""
EACH, SUGGESTED = 300, 1500
"""Presses of a seed; presses that the suggestions alone are measured on."""


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--development", action="store_true")
    parser.add_argument("--trees", type=Path)
    parser.add_argument("--tiny", action="store_true", help="only see that it runs, in seconds")
    given = parser.parse_args()
    app = QGuiApplication(["choice", "-platform", "offscreen"])
    if given.trees is not None:
        outside(given.trees)
        return
    each, presses = (6, 6) if given.tiny else (EACH, SUGGESTED)
    walks = DEVELOPMENT if given.development else HELD_OUT
    for walk, seeds in {1: [1]}.items() if given.tiny else walks.items():
        screens = walked(walk, phone.UNSEEN[:1] if given.tiny else phone.UNSEEN)
        print(f"screens of walk {walk}: {len(screens)}")
        levels(screens, seeds, each)
        imported(screens, seeds, each)
    if not given.development:
        drawn = drawing.drawn_screens(drawing.UNSEEN[:1] if given.tiny else drawing.UNSEEN)
        suggested("drawn apps", list(clicks(drawn, presses, 3)))
        suggested("the demo phone's apps", list(clicks(screens, presses, 4)))
    del app


def walked(seed: int, apps: Sequence[str]) -> list[Screen]:
    """The demo phone's screens, light and dark."""
    screens = []
    for dark in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            screens += phone.phone_screens(Path(folder), apps, dark, each=5, seed=seed)
    return screens


def levels(screens: list[Screen], seeds: Sequence[int], each: int) -> None:
    """What is marked how, over several seeds."""
    print(
        "| seed | high | right | medium | right | low | right | true kept | foreign doubted | IoU |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for seed in seeds:
        found = measured(screens, each, seed)
        counts = [found.levels.get(level, (0, 0)) for level in ("high", "medium", "low")]
        cells = [f"{taken} | {right / max(1, taken):.1%}" for taken, right in counts]
        print(
            f"| {seed} | {' | '.join(cells)} | {found.kept:.1%} | "
            f"{found.rejected:.1%} of {found.foreign} | {found.suggestion:.2f} |"
        )


def imported(screens: list[Screen], seeds: Sequence[int], each: int) -> None:
    """What suggestions make of exact trees that count as imported."""
    for seed in seeds:
        found = on_imported(screens, each, seed)
        print(
            f"imported trees, seed {seed}: alone {found.alone / each:.1%} right, with suggestions "
            f"{found.suggestions / each:.1%}, agreeing {found.agreeing / each:.1%}"
        )


def suggested(name: str, made: Sequence[Click]) -> None:
    """How near the best suggestion comes, and how honest its score is."""
    hits, scores, kinds = [], [], defaultdict(list)
    began = time.process_time()
    for click in made:
        found = suggest(click.screen.pixels, click.point, click.screen.per_dp)
        hits.append(found[0].box.overlap(click.truth) if found else 0.0)
        scores.append(found[0].score if found else 0.0)
        kinds[click.kind].append(hits[-1])
    took = (time.process_time() - began) / max(1, len(made)) * 1000
    got, said = np.array(hits), np.array(scores)
    print(
        f"\n{name}: {len(made)} presses, mean IoU {got.mean():.2f}, over 0.5 "
        f"{(got > 0.5).mean():.0%}, over 0.75 {(got > 0.75).mean():.0%}, {took:.0f} ms of one core"
    )
    for low, high in ((0.0, 0.5), (0.5, 0.6), (0.6, 0.7), (0.7, 0.8), (0.8, 1.01)):
        there = (said >= low) & (said < high)
        if there.any():
            print(
                f"  score {low} to {min(high, 1)}: said {said[there].mean():.2f}, "
                f"got {got[there].mean():.2f}, {there.mean():.0%} of all"
            )
    means = sorted((float(np.mean(all_)), kind, len(all_)) for kind, all_ in kinds.items())
    print("  " + ", ".join(f"{kind} {mean:.2f} ({count})" for mean, kind, count in means))


def outside(folder: Path) -> None:
    """Measures trees with pictures from a folder."""
    trees = sorted(folder.glob("*.xml"))
    screens = []
    for tree in trees:
        picture = next(
            (one for end in (".png", ".jpg", ".jpeg") if (one := tree.with_suffix(end)).exists()),
            None,
        )
        screen = None if picture is None else _screen(tree, picture)
        if screen is not None and screen.elements:
            screens.append(screen)
    print(f"{len(trees)} trees in {folder}, {len(screens)} with a picture and elements to press")
    if screens:
        suggested(str(folder), list(clicks(screens, 10 * len(screens), 1)))


def _screen(tree: Path, picture: Path) -> Screen | None:
    try:
        pixels = decode(picture.read_bytes())
        size = Size(pixels.shape[1], pixels.shape[0])
        record = TreeRecord("uiautomator", tree.read_bytes(), "file", TreeStatus.OK)
        nodes = list(read_record(record, size).walk())
    except KnownError as error:
        print(f"{tree.name}: {error.found}")
        return None
    whole = Box(0, 0, size.width, size.height)
    boxes = [node.box.intersection(whole) for node in nodes if node.interactive and node.visible]
    taking = tuple(Element(box, "element") for box in boxes if 0 < box.area < 0.25 * whole.area)
    return Screen(tree.stem, pixels, usual_pixels_per_dp(size), taking, dark=False)


if __name__ == "__main__":
    main()
