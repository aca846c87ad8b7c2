"""Draws the pictures of the window that the documents show.

    python tools/screenshots.py [--to DIR] [--only PLACE ...] [--all]

Everything in them is real: the sample library that ships, the demo phone, and visits recorded on
it; `tools/scenes.py` says what is done in each place. Without `--all` the pictures that a page of
the documents shows are drawn, at 1280 x 800; with it all places in both themes, also at 1920 x 1080
and on a display of 200 %, into `build/screenshots`. `--only` may be given more than once. Needs no
display.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ["QT_QPA_PLATFORM"] = "offscreen"

import numpy as np  # noqa: E402
from PIL import Image  # noqa: E402
from PySide6.QtCore import QBuffer, QIODevice  # noqa: E402
from scenes import SCENES, Studio, rest, wait  # noqa: E402

from taptrail.gui import theme  # noqa: E402

IMAGES, ALL = ROOT / "docs" / "images", ROOT / "build" / "screenshots"
SIZES = {1: ((1280, 800), (1920, 1080)), 2: ((1280, 800),)}
THEMES = ("light", "dark")
EXACT = 96
"""Number of colours of a picture that are kept exactly, in addition to the theme's."""


def main() -> None:
    """Draws what is asked for."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--to", type=Path)
    words.add_argument("--all", action="store_true")
    words.add_argument("--only", action="append", choices=tuple(SCENES), default=[])
    words.add_argument("--scale", type=int, choices=tuple(SIZES), default=1)
    said = words.parse_args()
    to = said.to or (ALL if said.all else IMAGES)
    to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="taptrail-pictures-") as folder:
        move_home(Path(folder) / "home")
        draw(
            Path(folder),
            to,
            tuple(said.only or SCENES),
            SIZES[said.scale] if said.all else SIZES[1][:1],
            said.scale,
        )
    if said.all and said.scale == 1:
        again = [sys.executable, __file__, "--to", str(to), "--all", "--scale", "2"]
        for name in said.only:
            again += ["--only", name]
        subprocess.run(again, check=True, env=os.environ | {"QT_SCALE_FACTOR": "2"})


def move_home(home: Path) -> None:
    """Lets nothing of the person who draws be read or shown."""
    home.mkdir()
    os.environ["HOME"] = str(home)
    for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
        os.environ[f"XDG_{kind}_HOME"] = str(home / kind.lower())


def draw(
    folder: Path, to: Path, names: tuple[str, ...], sizes: tuple[tuple[int, int], ...], scale: int
) -> None:
    """Goes from place to place, in the order of the table, and takes the pictures."""
    with Studio(folder) as studio:
        for name, scene in SCENES.items():
            wanted = [
                (to / file, kind, width, height)
                for width, height in sizes
                for kind in THEMES
                if (file := _file(name, kind, width, scale)) in shown() or to != IMAGES
            ]
            if name in names and wanted:
                scene(studio)
                for one in wanted:
                    shoot(studio, *one)


def shown() -> set[str]:
    """Returns the names of the pictures that a page of the documents shows."""
    pages = (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
    found = (
        re.findall(r"\]\([^)\s]*images/([\w-]+\.\w+)\)", page.read_text(encoding="utf-8"))
        for page in pages
    )
    return {name for names in found for name in names}


def _file(name: str, kind: str, width: int, scale: int) -> str:
    size = "" if (width, scale) == (1280, 1) else f"_{width}" + (f"x{scale}" if scale > 1 else "")
    return f"{name}_{kind}{size}.png"


def shoot(studio: Studio, file: Path, kind: str, width: int, height: int) -> None:
    """Saves a picture of the window in a size and a theme."""
    window = studio.window
    theme.apply(kind)
    window.main.resize(width, height)
    window.main.toast.hide()
    rest(600)
    wait(lambda: not (window.parts.small.waiting() or window.parts.large.waiting()))
    rest(200)
    studio.point()
    taken = QBuffer()
    taken.open(QIODevice.OpenModeFlag.WriteOnly)
    window.main.grab().save(taken, "PNG")
    png = bytes(taken.data())
    file.write_bytes(smaller(png) if file.parent == IMAGES else png)
    print(file.relative_to(ROOT) if file.is_relative_to(ROOT) else file, flush=True)


def smaller(png: bytes) -> bytes:
    """Returns the picture with a palette: a third of the size, its frequent colours as they were.

    All colours that mean something are kept, and those of which there is most; the rest, edges
    of letters and photographs, takes the nearest of what is left.
    """
    with Image.open(io.BytesIO(png)) as whole:
        pixels = np.asarray(whole.convert("RGB"))
    flat = pixels.reshape(-1, 3).astype(np.uint32)
    packed = (flat[:, 0] << 16) | (flat[:, 1] << 8) | flat[:, 2]
    colours, which, count = np.unique(packed, return_inverse=True, return_counts=True)
    often = np.argsort(-count)
    meant = np.isin(colours, _meant())
    meant[often[:EXACT]] = True
    kept, others = colours[meant], colours[~meant]
    if others.size:
        row = Image.fromarray(_bytes(others)[np.newaxis].copy(), "RGB")
        few = row.quantize(256 - kept.size, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        spare = np.array(few.getpalette()[: 3 * (256 - kept.size)], np.uint8).reshape(-1, 3)
        palette = np.concatenate([_bytes(kept), spare])
    else:
        palette = _bytes(kept)
    seen = _bytes(colours).astype(np.int32)
    nearest = np.concatenate(
        [
            ((part[:, np.newaxis] - palette.astype(np.int32)) ** 2).sum(2).argmin(1)
            for part in np.array_split(seen, max(1, len(seen) // 4096))
        ]
    )
    picture = Image.fromarray(nearest.astype(np.uint8)[which].reshape(pixels.shape[:2]), "P")
    picture.putpalette(palette.tobytes())
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


def _meant() -> list[int]:
    """Returns the colours of the theme, of marks on frames and of letters, packed."""
    tables = (asdict(theme.current()), asdict(theme.ON_FRAMES))
    named = [value for table in tables for value in table.values()]
    named += [value for pair in theme.LETTERS.values() for value in pair]
    return [int(value[1:7], 16) for value in named if value.startswith("#")]


def _bytes(packed: np.ndarray) -> np.ndarray:
    return np.stack([packed >> 16 & 255, packed >> 8 & 255, packed & 255], 1).astype(np.uint8)


if __name__ == "__main__":
    main()
