"""Episodes and files for the tests of this room."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from episodes import actions as a
from episodes.annotations import Provenance, Region, RegionSource
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Native, Point, Size
from episodes.screens import Basis, Frame
from episodes.steps import Step

PHONE = Size(1080, 2400)
NO_BOX: tuple[str, Any] = ("CLICK", [[500, 500], [500, 500]])


def annotated(index: int, action: str, info: Any, **more: Any) -> Step:
    """A step of the data set; `sam2_bbox` where given."""
    regions: tuple[Region, ...] = ()
    if "sam2_bbox" in more:
        native = Native.of("guiodyssey", more.pop("sam2_bbox"))
        regions = (Region(None, Provenance(RegionSource.IMPORT), native=native),)
    return Step(
        index,
        more.pop("meant", a.Tap(Point(540, 1200))),
        more.pop("frame", Frame(PHONE, Basis.IMPORTED)),
        Native.of("guiodyssey", {"action": action, "info": info}),
        regions=regions,
    )


def episode(name: str, steps: Iterable[Step], category: str = "Multi_Apps", **more: Any) -> Episode:
    """An episode of the data set."""
    return Episode(
        f"uuid-{name}",
        name,
        Origin("guiodyssey", "2"),
        Task("do it", category=category),
        EpisodeState.FINISHED,
        tuple(steps),
        **more,
    )


def clicks(name: str, count: int = 2, **more: Any) -> Episode:
    """An episode of taps in the middle of the screen."""
    return episode(name, [annotated(index, *NO_BOX) for index in range(count)], **more)


def official(name: str, step: int, pred: Any, **more: Any) -> dict[str, Any]:
    """An element of the evaluator's prediction file."""
    question = (
        f"Picture 1: <img>/data/screenshots/{name}_{step}.png</img>\nI'm looking for guidance"
    )
    history = f"\nPrevious screenshots: <img>image-history: /data/{name}_{step}.png</img>"
    return {"question": question + history, "pred": pred, **more}


def json_file(folder: Path, value: Any, name: str = "predictions.json") -> Path:
    """A file of one JSON value."""
    path = folder / name
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def lines_file(folder: Path, lines: Iterable[Any], name: str = "predictions.jsonl") -> Path:
    """A file of JSON lines; a text is written as it is."""
    path = folder / name
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("".join(text + "\n" for text in texts), encoding="utf-8")
    return path
