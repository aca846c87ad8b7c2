"""Cards of chosen steps: the frame with the gold's and each run's mark, and the reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from markupsafe import Markup

from episodes.annotations import RegionSource
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.geometry import Size
from episodes.runs import Prediction, Unreadable
from episodes.screens import Still
from episodes.steps import Step
from episodes.verdicts import Verdict
from replay.comparison import ComparisonRow
from replay.judging import Side
from replay.report.formatting import (
    LONGEST_NAME,
    LONGEST_RAW,
    LONGEST_TEXT,
    Tr,
    action_words,
    short,
)
from replay.report.marks import (
    PERSON,
    Scale,
    action_svg,
    ellipse_svg,
    scale_of,
    target_label_svg,
    target_svg,
    tolerance_box_svg,
)
from replay.report.pictures import data_uri
from replay.step_facts import gold_action
from replay.tolerance import tolerance

FRAME_WIDTHS = {2: 232, 3: 216, 4: 176, 5: 140}
"""Width of a frame in page pixels, by the number of frames in a row; also in the style sheet."""

MOST_BOXES = 5
"""More boxes in which a touch is right would hide the frame."""
WHOLE_BYTES = 9_600_000
MOST_BYTES = 48_000
LEAST_BYTES = 8_000
_SIZE = Size(1080, 2400)
_SOURCES = {
    RegionSource.TREE: "tree",
    RegionSource.SAM2: "SAM 2",
    RegionSource.SUGGESTION: "suggestion",
    RegionSource.PERSON: "person",
    RegionSource.IMPORT: "data set",
}

EpisodeOf = Callable[[str], Episode]
PredictionOf = Callable[[str, Episode], dict[int, Prediction]]
BytesOf = Callable[[Still], bytes]


@dataclass(frozen=True, slots=True)
class Column:
    """One frame of a card: gold, or a run.

    Attributes:
        letter: PERSON for gold.
        marks: SVG over the frame, in its pixels.
        verdicts: (letter of the side, verdict); empty for gold; None if a side lacks the step.
        raw: the model's text, shortened; `cut` is the number of characters left out.
    """

    letter: str
    name: str
    action: str
    marks: Markup
    verdicts: tuple[tuple[str, Verdict | None], ...] = ()
    raw: str = ""
    cut: int = 0
    place: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """One step.

    Attributes:
        number: 1, 2, ... on the page.
        picture: data URI; "" if there is none; then `no_picture` is the reason.
    """

    number: int
    episode: str
    step: int
    position: int
    length: int
    instruction: str
    low_level: str
    category: str
    apps: tuple[str, ...]
    size: Size
    shown_width: int
    picture: str
    no_picture: str
    columns: tuple[Column, ...]


@dataclass(slots=True)
class CardCounts:
    """Number of cards, and of cards without a picture."""

    cards: int = 0
    without_picture: int = 0


def cards(
    rows: Iterable[ComparisonRow],
    sides: tuple[Side, ...],
    episode_of: EpisodeOf,
    predictions_of: PredictionOf,
    bytes_of: BytesOf,
    tr: Tr,
    counted: CardCounts,
    *,
    count: int,
) -> Iterator[Card]:
    """Yields a card for each step; one episode and one picture are in memory at a time.

    Args:
        rows: in the order of their episodes.
        episode_of: gives an episode by uuid.
        predictions_of: gives a run's predictions of an episode by step index.
        counted: filled in while the cards are consumed.
        count: number of rows: pictures share the size limit of a page.
    """
    limit = max(LEAST_BYTES, min(MOST_BYTES, WHOLE_BYTES // max(1, count)))
    episode: Episode | None = None
    said: dict[str, dict[int, Prediction]] = {}
    for number, row in enumerate(rows, start=1):
        uuid, index = row.place
        if episode is None or episode.uuid != uuid:
            episode = episode_of(uuid)
            names = dict.fromkeys(side.run.name for side in sides)
            said = {name: predictions_of(name, episode) for name in names}
        step = next(step for step in episode.steps if step.index == index)
        if episode.private or step.private:
            raise ValueError(f"step {index} of {uuid} is private and must not be in a report")
        predictions = {name: found.get(index) for name, found in said.items()}
        card = _card(number, row, episode, step, sides, predictions, bytes_of, limit, tr)
        counted.cards += 1
        counted.without_picture += not card.picture
        yield card


def _card(
    number: int,
    row: ComparisonRow,
    episode: Episode,
    step: Step,
    sides: tuple[Side, ...],
    predictions: dict[str, Prediction | None],
    bytes_of: BytesOf,
    limit: int,
    tr: Tr,
) -> Card:
    size = step.frame.size if step.frame is not None else _SIZE
    wide = FRAME_WIDTHS[1 + len(predictions)]
    scale = scale_of(size, episode.device, wide)
    under = _region(step, scale) + _tolerance(step, episode, row, sides, scale)
    right = gold_action(step)
    gold = Column(
        PERSON,
        tr("Gold"),
        action_words(right, tr, step.target.label if step.target is not None else ""),
        under + action_svg(right, PERSON, scale, tr) + _region_label(step, scale, tr),
    )
    runs = [
        _run(name, prediction, row, sides, under, scale, tr)
        for name, prediction in predictions.items()
    ]
    picture, why = _picture(step, bytes_of, limit, tr)
    fact = row.any
    return Card(
        number,
        episode.name,
        step.index,
        fact.position,
        fact.length,
        short(episode.task.instruction, LONGEST_TEXT),
        short(step.texts.instruction, LONGEST_TEXT),
        short(episode.task.category, LONGEST_NAME),
        tuple(short(app, LONGEST_NAME) for app in fact.apps[:6]),
        size,
        wide,
        picture,
        why,
        (gold, *runs),
    )


def _run(
    name: str,
    prediction: Prediction | None,
    row: ComparisonRow,
    sides: tuple[Side, ...],
    under: Markup,
    scale: Scale,
    tr: Tr,
) -> Column:
    verdicts = tuple(
        (side.letter, verdict)
        for side, verdict in zip(sides, row.verdicts, strict=True)
        if side.run.name == name
    )
    letter = verdicts[0][0]
    if prediction is None:
        return Column(letter, name, tr("No prediction"), under, verdicts)
    action = prediction.parsed
    if isinstance(action, Unreadable):
        words, marks = tr("Unreadable"), Markup("")
    else:
        words, marks = action_words(action, tr), action_svg(action, letter, scale, tr)
    raw = prediction.raw[:LONGEST_RAW]
    return Column(
        letter,
        name,
        words,
        under + marks,
        verdicts,
        raw,
        len(prediction.raw) - len(raw),
        tr("{file}, row {line}", file=prediction.file, line=prediction.line)
        if prediction.file
        else "",
    )


def _region(step: Step, scale: Scale) -> Markup:
    target = step.target
    return target_svg(target.box, scale) if target is not None and target.box else Markup("")


def _region_label(step: Step, scale: Scale, tr: Tr) -> Markup:
    target = step.target
    if target is None or target.box is None:
        return Markup("")
    source = tr(_SOURCES[target.provenance.source])
    return target_label_svg(target.box, scale, tr("Target: {source}", source=source))


def _tolerance(
    step: Step, episode: Episode, row: ComparisonRow, sides: tuple[Side, ...], scale: Scale
) -> Markup:
    """Returns the area of a right touch under the first protocol that judged the step and has a
    shape."""
    for side, verdict in zip(sides, row.verdicts, strict=True):
        shape = tolerance(side.protocol, step, episode) if verdict is not None else None
        if shape is None:
            continue
        drawn = Markup("").join(
            ellipse_svg(one.centre, one.across, one.down, scale) for one in shape.ellipses
        )
        if len(shape.boxes) <= MOST_BOXES:
            drawn += Markup("").join(tolerance_box_svg(box, scale) for box in shape.boxes)
        return drawn
    return Markup("")


def _picture(step: Step, bytes_of: BytesOf, limit: int, tr: Tr) -> tuple[str, str]:
    still = step.still
    if still is None:
        return "", tr("This step has no picture.")
    try:
        return data_uri(bytes_of(still), limit), ""
    except KnownError as error:
        return "", tr("The picture cannot be shown: {why}.", why=error.found)
