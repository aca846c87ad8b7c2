"""Steps with a run's predictions as columns, for bulk scoring.

A batch holds all that a scoring protocol may look at, each column on its own, and gives a row back
as the values a protocol's scalar rule takes. Rows of an episode stand together and in order, whole
episodes in one batch. It knows no protocol and no database.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from episodes.actions import Action, Other
from episodes.annotations import Gold, Provenance, Region, RegionSource, Status
from episodes.codec import action_from_json, action_to_json
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.geometry import Box, Native, Size
from episodes.packed import pack, unpacked
from episodes.recordings import DeviceFacts
from episodes.runs import Prediction, Unreadable
from episodes.screens import Basis, Frame, StepTree
from episodes.steps import Step

Whole = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Texts = Sequence[str | None]


class EpisodeRow(NamedTuple):
    """What scoring asks of an episode; the device's numbers are 0 if they are unknown."""

    uuid: str
    name: str
    category: str
    declared: int
    density: int = 0
    width: int = 0
    height: int = 0


class RegionRow(NamedTuple):
    """A region; the edges are None if the data set says there is no box."""

    status: str
    chosen: bool
    left: float | None
    top: float | None
    right: float | None
    bottom: float | None
    space: str | None
    native: str | None


class GoldRow(NamedTuple):
    """A further right action, as JSON."""

    number: int
    role: str
    status: str
    action: str


@dataclass(frozen=True, slots=True)
class StepColumns:
    """Rows of steps. A row with `doubled` is a further answer to a step that has one already.

    Attributes:
        episode: the row's place in `episodes`.
        number: the step's index.
        width, height: of the step's frame in pixels; 0 without one.
        action: JSON of the recorded action, without the finger's way.
        space, native: the data set's own numbers, as compact JSON.
        numbers: the own numbers packed (`episodes.packed`), None if they have no plain form. A
            row whose numbers and answer both are packed may leave out the texts that say the same.
        box: JSON of GUIOdyssey's numbers of the first region that has them; a row may have it and
            no regions.
        said: whether there is a prediction; the columns after it are None if there is none.
        place: of the prediction in the file, 0 for none.
    """

    episodes: Sequence[EpisodeRow]
    episode: Whole
    number: Whole
    width: Whole
    height: Whole
    action: Sequence[str]
    space: Texts
    native: Texts
    numbers: Sequence[bytes | None]
    box: Texts
    regions: Sequence[tuple[RegionRow, ...]]
    golds: Sequence[tuple[GoldRow, ...]]
    trees: Sequence[StepTree | None]
    said: Flags
    raw: Texts
    said_action: Texts
    said_space: Texts
    said_native: Texts
    said_numbers: Sequence[bytes | None]
    unreadable: Texts
    guess: Texts
    place: Whole
    doubled: Flags

    def __len__(self) -> int:
        return len(self.number)

    def episode_of(self, row: int) -> Episode:
        """Returns the episode of a row, without its steps."""
        told = self.episodes[int(self.episode[row])]
        size = Size(told.width, told.height) if told.width else None
        return Episode(
            told.uuid,
            told.name,
            Origin(""),
            Task("", category=told.category),
            EpisodeState.FINISHED,
            (),
            device=DeviceFacts(size=size, density=told.density or None),
            declared_steps=told.declared,
        )

    def step_of(self, row: int) -> Step:
        """Returns the step of a row, with all that is in the columns.

        Raises:
            KnownError: something in it cannot be read.
        """
        try:
            width, height = int(self.width[row]), int(self.height[row])
            size = Size(width, height) if width else None
            return Step(
                int(self.number[row]),
                _action(self.action[row]),
                frame=Frame(size, Basis.IMPORTED) if size is not None else None,
                native=_native(self.space[row], self.native[row], self.numbers[row]),
                tree=self.trees[row],
                regions=tuple(map(_region, self.regions[row] or _of_box(self.box[row]))),
                golds=tuple(map(_gold, self.golds[row])),
            )
        except (ValueError, TypeError, RecursionError) as error:
            raise self._unreadable(row, "the step", error) from error

    def prediction_of(self, row: int) -> Prediction | None:
        """Returns the prediction of a row, None without one.

        Raises:
            KnownError: something in it cannot be read.
        """
        if not self.said[row]:
            return None
        action = self.said_action[row]
        try:
            return Prediction(
                self.episodes[int(self.episode[row])].name,
                int(self.number[row]),
                self.raw[row] or "",
                Unreadable(self.unreadable[row] or "", self.guess[row] or "")
                if action is None
                else action_from_json(json.loads(action)),
                _native(self.said_space[row], self.said_native[row], self.said_numbers[row]),
                line=int(self.place[row]),
            )
        except (ValueError, TypeError, RecursionError) as error:
            raise self._unreadable(row, "the answer", error) from error

    def _unreadable(self, row: int, what: str, error: Exception) -> KnownError:
        name = self.episodes[int(self.episode[row])].name
        return KnownError(
            f"read the columns of {name} step {self.number[row]}",
            f"{what} is not what columns hold ({str(error)[:200]})",
            "Write them with `taptrail columns`.",
        )

    def with_predictions(self, changed: dict[int, Prediction | None]) -> StepColumns:
        """Returns the same rows with other predictions for some of them."""
        raw, action = list(self.raw), list(self.said_action)
        space, native = list(self.said_space), list(self.said_native)
        unreadable, guess, said = list(self.unreadable), list(self.guess), self.said.copy()
        numbers = list(self.said_numbers)
        for row, prediction in changed.items():
            said[row] = prediction is not None
            told = _answer(prediction)
            raw[row], action[row], space[row], native[row], unreadable[row], guess[row] = told
            numbers[row] = pack(prediction.native) if prediction is not None else None
        return replace(
            self,
            said=said,
            raw=raw,
            said_action=action,
            said_space=space,
            said_native=native,
            said_numbers=numbers,
            unreadable=unreadable,
            guess=guess,
        )

    def rows(self, chosen: Whole) -> StepColumns:
        """Returns some of the rows, in the order given; the episodes stay."""
        places = chosen.tolist()
        picked: dict[str, Any] = {}
        for name in _COLUMNS:
            column = getattr(self, name)
            whole = isinstance(column, np.ndarray)
            picked[name] = column[chosen] if whole else [column[place] for place in places]
        return replace(self, **picked)

    def without(self, episodes: Container[str], steps: Container[tuple[str, int]]) -> StepColumns:
        """Returns what is left without some episodes, by uuid, and some steps of others."""
        kept = [row for row in self.episodes if row.uuid not in episodes]
        place = {row.uuid: at for at, row in enumerate(kept)}
        uuids = [row.uuid for row in self.episodes]
        pairs = zip(self.episode.tolist(), self.number.tolist(), strict=True)
        chosen = [
            at
            for at, (one, number) in enumerate(pairs)
            if uuids[one] in place and (uuids[one], number) not in steps
        ]
        left = self.rows(np.asarray(chosen, self.episode.dtype))
        moved = [place[uuids[one]] for one in left.episode.tolist()]
        return replace(left, episodes=kept, episode=np.asarray(moved, self.episode.dtype))

    def with_trees(self, said: Callable[[str, int, StepTree], StepTree | None]) -> StepColumns:
        """Returns a copy with trees replaced by a function of (uuid, number, tree)."""
        uuids = [row.uuid for row in self.episodes]
        pairs = zip(self.episode.tolist(), self.number.tolist(), self.trees, strict=True)
        trees = [
            None if tree is None else said(uuids[one], number, tree) for one, number, tree in pairs
        ]
        same = all(new is old for new, old in zip(trees, self.trees, strict=True))
        return self if same else replace(self, trees=trees)


_COLUMNS = (
    "episode", "number", "width", "height", "action", "space", "native", "numbers", "box",
    "regions", "golds", "trees", "said", "raw", "said_action", "said_space", "said_native",
    "said_numbers", "unreadable", "guess", "place", "doubled",
)  # fmt: skip


def columns_of(
    rows: Iterable[tuple[Episode, Step, Prediction | None, bool]],
) -> StepColumns:
    """Returns (episode, step, prediction, doubled) as columns, in this order."""
    told = list(rows)
    places: dict[str, int] = {}
    episodes: list[EpisodeRow] = []
    for episode, *_ in told:
        if episode.uuid not in places:
            places[episode.uuid] = len(episodes)
            episodes.append(row_of(episode))
    sizes = [step.frame.size if step.frame is not None else None for _, step, _, _ in told]
    regions = [tuple(map(_region_row, step.regions)) for _, step, _, _ in told]
    answers = [_answer(said) for *_, said, _ in told]
    return StepColumns(
        episodes,
        np.array([places[episode.uuid] for episode, *_ in told], np.int64),
        np.array([step.index for _, step, _, _ in told], np.int64),
        np.array([size.width if size else 0 for size in sizes], np.int64),
        np.array([size.height if size else 0 for size in sizes], np.int64),
        [json.dumps(action_to_json(step.action)) for _, step, _, _ in told],
        [step.native.space if step.native else None for _, step, _, _ in told],
        [step.native.text if step.native else None for _, step, _, _ in told],
        [pack(step.native) for _, step, _, _ in told],
        list(map(box_of, regions)),
        regions,
        [tuple(map(_gold_row, step.golds)) for _, step, _, _ in told],
        [step.tree for _, step, _, _ in told],
        np.array([said is not None for *_, said, _ in told], np.bool_),
        [answer[0] for answer in answers],
        [answer[1] for answer in answers],
        [answer[2] for answer in answers],
        [answer[3] for answer in answers],
        [pack(said.native) if said is not None else None for *_, said, _ in told],
        [answer[4] for answer in answers],
        [answer[5] for answer in answers],
        np.array([said.line if said is not None else 0 for *_, said, _ in told], np.int64),
        np.array([doubled for *_, doubled in told], np.bool_),
    )


def row_of(episode: Episode) -> EpisodeRow:
    """Returns what scoring asks of an episode."""
    device = episode.device
    size = device.size
    return EpisodeRow(
        episode.uuid,
        episode.name,
        episode.task.category,
        episode.declared_steps or len(episode.steps),
        device.density or 0,
        size.width if size else 0,
        size.height if size else 0,
    )


def _answer(said: Prediction | None) -> tuple[str | None, ...]:
    if said is None:
        return (None,) * 6
    native = (None, None) if said.native is None else (said.native.space, said.native.text)
    if isinstance(said.parsed, Unreadable):
        return said.raw, None, *native, said.parsed.reason, said.parsed.guess
    return said.raw, json.dumps(action_to_json(said.parsed)), *native, None, None


BOXED = "guiodyssey"


def box_of(regions: Sequence[RegionRow]) -> str | None:
    return next((region.native for region in regions if region.space == BOXED), None)


def _of_box(text: str | None) -> tuple[RegionRow, ...]:
    if text is None:
        return ()
    return (RegionRow("proposed", False, None, None, None, None, BOXED, text),)


def _action(text: str) -> Action:
    return action_from_json(json.loads(text)) if text else Other("left out")


def _native(space: str | None, text: str | None, numbers: bytes | None = None) -> Native | None:
    if text is None and numbers is not None:
        return unpacked(numbers)
    return None if space is None or text is None else Native(space, text)


def _region(row: RegionRow) -> Region:
    edges = (row.left, row.top, row.right, row.bottom)
    known = [edge for edge in edges if edge is not None]
    return Region(
        Box(*known) if len(known) == 4 else None,
        Provenance(RegionSource.IMPORT),
        native=_native(row.space, row.native),
        status=Status(row.status),
        chosen=bool(row.chosen),
    )


def _region_row(region: Region) -> RegionRow:
    box, native = region.box, region.native
    edges = (None,) * 4 if box is None else (box.left, box.top, box.right, box.bottom)
    told = (None, None) if native is None else (native.space, native.text)
    return RegionRow(region.status.value, region.chosen, *edges, *told)


def _gold(row: GoldRow) -> Gold:
    action = action_from_json(json.loads(row.action))
    return Gold(row.number, action, row.role, "", Status(row.status), None)


def _gold_row(gold: Gold) -> GoldRow:
    action = json.dumps(action_to_json(gold.action))
    return GoldRow(gold.number, gold.role, gold.status.value, action)
