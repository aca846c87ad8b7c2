"""Finds the presses that a segmenter has not segmented yet, without reading trees or masks.

The library keeps the segmenter's regions, also those that were undone. So an interrupted run can
ask here which presses are left.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from episodes.actions import DoubleTap, LongPress, Tap, place
from episodes.annotations import RegionSource
from episodes.store import columns as c
from episodes.store.reading import rows

if TYPE_CHECKING:
    from sqlite_utils import Database

PRESSES = ("tap", "double_tap", "long_press")


class UnaskedPress(NamedTuple):
    """A step whose current press can be segmented."""

    uuid: str
    episode: str
    step: int


def unasked_presses(
    db: Database, episodes: Sequence[int], model: str, version: str
) -> list[UnaskedPress]:
    """Returns presses on a stored picture that these weights have not segmented, in order.

    Args:
        episodes: their keys.
    """
    asked: dict[int, set[tuple[float, float]]] = defaultdict(set)
    for step, x, y in db.conn.execute(
        """
        SELECT step, json_extract(prompts, '$.points[0][0]'), json_extract(prompts,
            '$.points[0][1]')
        FROM region WHERE source = ? AND model = ? AND version = ? AND author IS NULL
            AND json_valid(prompts)
        """,
        (RegionSource.SAM2.value, model, version),
    ):
        asked[step].add((x, y))
    found = rows(
        db,
        """
        SELECT uuid, name, step.number, step.id, step.kind, step.x, step.y, width, height,
            (SELECT action FROM gold WHERE gold.step = step.id AND gold.withdrawn = 0
                AND role = 'correction' AND status = 'accepted' ORDER BY gold.number DESC LIMIT 1)
                AS corrected
        FROM episode JOIN step ON step.episode = episode.id JOIN frame ON frame.id = step.frame
        WHERE episode.id IN (SELECT value FROM json_each(?)) AND step.deleted = 0
            AND still IS NOT NULL AND protected = 0
        ORDER BY episode.id, step.number
        """,
        (json.dumps(list(episodes)),),
    )
    unasked = []
    for row in found:
        at = _pressed(row)
        on_it = at is not None and 0 <= at[0] < row["width"] and 0 <= at[1] < row["height"]
        if on_it and at not in asked[row["id"]]:
            unasked.append(UnaskedPress(row["uuid"], row["name"], row["number"]))
    return unasked


def _pressed(row: Any) -> tuple[float, float] | None:
    """Returns the point of the current action; None if it is not a press with a point."""
    if row["corrected"] is None:
        known = row["kind"] in PRESSES and row["x"] is not None and row["y"] is not None
        return (row["x"], row["y"]) if known else None
    action = c.read_action(row["corrected"])
    at = place(action) if isinstance(action, Tap | DoubleTap | LongPress) else None
    return None if at is None else (at.x, at.y)
