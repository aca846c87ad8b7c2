"""Imports a model's predictions as a run, and checks how their files were declared."""

from __future__ import annotations

import dataclasses
import datetime
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from episodes.actions import Other
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats.input_files import format_value
from episodes.formats.private_boxes import PrivacyCover
from episodes.runs import Answered, Run, Unreadable
from episodes.store.library import Library
from episodes.store.queries import EpisodeQuery
from replay.dialect import Declared, Dialect, Row
from replay.dialects import DIALECTS
from replay.dialects import dialect as dialect_named
from replay.findings import RunFinding
from replay.joining import JoinCounts, Joined, answered, join
from replay.positions import (
    beside_steps,
    in_library_names,
    in_order_of_episode,
    name_no_step,
    places_of,
)
from replay.score_runs import group_predictions, score, step_lines, step_set
from replay.sides import known_by
from replay.stated_gold import steps_of
from scoring.protocol import Metric
from scoring.protocols import lookup
from taptrail.usecases.importing import OnProgress
from taptrail.usecases.prediction_files import in_order_of_file, in_other_words, read_rows
from taptrail.usecases.step_sets import check_part, dataset_of, name_of

NOTHING_SAID = Declared()
_ORDER = "Give the file whose order they are in with --order."
_LOOK = "Check --dataset, --dataset-version and --split, or write the keys as the library has them."
_FORM = (
    "Write a line of JSON with episode, step and raw for each answer, or look for the file's form "
    "and its dialect in docs/formats/predictions.md."
)
CHECKED_SPACES = ("pixels", "0-1", "0-999", "0-1000")


@dataclass(frozen=True, slots=True)
class ImportedRun:
    """An imported run, and how its rows joined the steps.

    Attributes:
        notes: findings as sentences, the first ones of each kind.
        findings: the same by kind, each with its code.
        nothing: a sentence that explains why the run has no usable answer; "" if it has one.
    """

    run: Run
    counts: JoinCounts
    notes: tuple[str, ...]
    findings: tuple[RunFinding, ...]
    nothing: str = ""


@dataclass(frozen=True, slots=True)
class DeclarationCheck:
    """A file's coordinates and score under one declaration.

    Attributes:
        declared: whether the user declared this.
        outside: points outside their screens, of `points`.
        score: the protocol's main metric; None if the dialect has only one coordinate space, or
            no step could be scored.
    """

    coordinates: str
    scroll: str
    declared: bool
    points: int
    outside: int
    unreadable: int
    score: Metric | None


@dataclass(frozen=True, slots=True)
class CheckedRun:
    """How a file's rows joined the steps, read under every declaration of its dialect.

    Attributes:
        metric: name of the protocol's main metric, the score of each reading.
    """

    counts: JoinCounts
    protocol: str
    readings: tuple[DeclarationCheck, ...]
    notes: tuple[str, ...]
    findings: tuple[RunFinding, ...]
    metric: str = "AMS"


def dialects_there_are() -> tuple[Dialect, ...]:
    """Returns all dialects, with what may be declared for each."""
    return tuple(DIALECTS.values())


def import_predictions(
    files: tuple[Path, ...],
    name: str,
    library_folder: Path,
    *,
    dialect: str,
    dialect_of_text: str = "",
    declared: Declared = NOTHING_SAID,
    model: str = "",
    history: str = "",
    observation: str = "",
    dataset: str = "",
    dataset_version: str = "",
    split: tuple[str, str] | None = None,
    order: Path | None = None,
    first_step: int = 0,
    workers: int = 0,
    only_answered: bool = False,
    replace: bool = False,
    asking: str = "",
    answers: Mapping[tuple[str, int], Answered] | None = None,
    on_progress: OnProgress | None = None,
) -> ImportedRun:
    """Imports files as one run, joined to the episodes of one data set.

    Args:
        dialect_of_text: for the dialect "raw", the dialect of its texts.
        split: (split, part), if the run answers only those episodes.
        order: a file that lists the steps in the order of rows that name none. Without it, such
            rows answer the library's steps in order, if their numbers are equal.
        first_step: the files' number of an episode's first step: 0 or 1.
        workers: number of workers that wrote rows without step names, each every N-th row.
        only_answered: score the run on the episodes named in the files. Otherwise all episodes of
            the data set count, and steps without an answer are missing.
        replace: whether to replace an existing run of this name.
        asking, answers: how Taptrail asked for the run and for each answer; see `Run`.

    A row for the step after an episode's last one is stored: it answers no recorded step, but some
    protocols derive that step.

    Raises:
        KnownError: a file cannot be read, the declaration contradicts the dialect, the data set
            is not clear, no row belongs to a step, or there is a run of this name. Nothing is
            stored then.
    """
    if not name.strip():
        raise KnownError("import the predictions", "the run has no name", "Give one with --name.")
    chosen = dialect_named(dialect, dialect_of_text)
    said = chosen.declared(declared)
    rows, read = read_rows(files, chosen, dialect, first_step)
    doing = f"import the run “{name}”"
    with Library.open(library_folder, create=False) as library:
        rows, respelled = _in_library_names(rows, library, dataset, dataset_version)
        rows, listed = in_order_of_file(rows, order)
        query = _query(library, rows, dataset, dataset_version, split, doing)
        rows, counted = _in_order_of_library(rows, library, query, chosen, said, workers)
        names = answered(rows) if only_answered else None
        keys = _Keys()
        joined, lines = _join(library, query, rows, chosen, said, on_progress, names, keys)
        if not joined.counts.joined and not any(keys.behind(row) for row in rows):
            other = in_other_words(files, dialect) if _all_unreadable(joined.counts) else ""
            remedy = _ORDER if name_no_step(rows) else other or (_LOOK if _named(rows) else _FORM)
            raise KnownError(doing, keys.in_words(rows, name_of(query)), remedy)
        run = Run(
            name=name,
            dialect=dialect if not dialect_of_text else f"{dialect}:{dialect_of_text}",
            model=model,
            coordinates=said.coordinates,
            scroll=said.scroll,
            level=said.level,
            history=history,
            observation=observation,
            dataset=query.dataset,
            dataset_version=query.version,
            split=split,
            only_answered=only_answered,
            step_set=step_set(name_of(query, only_answered), lines),
            files=read,
            imported_utc=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            asking=asking,
        )
        came = answers or {}
        predictions = [
            dataclasses.replace(one, answered=came.get((one.episode, one.step)))
            for one in joined.predictions
        ]
        library.save_run(run, predictions, joined.orphans, replace=replace)
    nothing = _nothing(joined, files, dialect)
    before = (*respelled, *listed, *counted)
    return ImportedRun(
        run,
        joined.counts,
        _notes(joined, nothing, before),
        _findings(joined, nothing, before),
        nothing,
    )


def check_predictions(
    files: tuple[Path, ...],
    library_folder: Path,
    *,
    dialect: str,
    dialect_of_text: str = "",
    declared: Declared = NOTHING_SAID,
    dataset: str = "",
    dataset_version: str = "",
    split: tuple[str, str] | None = None,
    order: Path | None = None,
    first_step: int = 0,
    workers: int = 0,
    protocol: str = "taptrail-strict",
    on_progress: OnProgress | None = None,
) -> CheckedRun:
    """Reads files like an import, and also under every other declaration; stores nothing.

    If points are outside the screens, or another declaration gives a much better score, the
    declaration is probably wrong.

    Raises:
        KnownError: as `import_predictions`, or there is no such protocol.
    """
    chosen = dialect_named(dialect, dialect_of_text)
    said = chosen.declared(declared)
    rules = lookup(protocol)
    rows, _ = read_rows(files, chosen, dialect, first_step)
    readings = []
    metric = "AMS"
    with Library.read(library_folder) as library:
        rows, respelled = _in_library_names(rows, library, dataset, dataset_version)
        rows, listed = in_order_of_file(rows, order)
        query = _query(library, rows, dataset, dataset_version, split, "check the predictions")
        rows, counted = _in_order_of_library(rows, library, query, chosen, said, workers)
        joined, lines = _join(library, query, rows, chosen, said, on_progress)
        for other in _declarations(chosen, said):
            found = joined if other == said else _join(library, query, rows, chosen, other)[0]
            result = score(
                Run("check", chosen.name, step_set=step_set("all", lines)),
                library.iterate(query),
                group_predictions(found.predictions),
                rules,
                orphans=found.orphans,
                keep_steps=False,
            )
            metric = known_by(result.metrics)
            readings.append(
                DeclarationCheck(
                    other.coordinates,
                    other.scroll,
                    other == said,
                    found.coordinates.points,
                    found.coordinates.outside,
                    found.counts.unreadable,
                    result.metrics.values.get(metric),
                )
            )
    nothing = _nothing(joined, files, dialect)
    before = (*respelled, *listed, *counted)
    notes, findings = _notes(joined, nothing, before), _findings(joined, nothing, before)
    return CheckedRun(joined.counts, rules.key, tuple(readings), notes, findings, metric)


def _declarations(dialect: Dialect, said: Declared) -> Iterator[Declared]:
    yield said
    for space in dialect.coordinates:
        for scroll in dialect.scrolls:
            other = dataclasses.replace(said, coordinates=space, scroll=scroll)
            if space in CHECKED_SPACES and other != said:
                yield other


def _in_library_names(
    rows: list[Row], library: Library, dataset: str, version: str
) -> tuple[list[Row], list[RunFinding]]:
    query = EpisodeQuery(dataset=dataset, version=version)
    names = frozenset(one.name for one in library.episodes(query))
    if names.issuperset(row.episode for row in rows if row.episode):
        return rows, []
    return in_library_names(rows, names)


def _in_order_of_library(
    rows: list[Row],
    library: Library,
    query: EpisodeQuery,
    dialect: Dialect,
    declared: Declared,
    workers: int,
) -> tuple[list[Row], list[RunFinding]]:
    """Joins rows that name no step to the library's steps in order, if their numbers are equal.

    Raises:
        KnownError: the rows' contents contradict the order, or the rows name their steps although
            `workers` is given.
    """
    if not name_no_step(rows):
        if workers:
            raise KnownError(
                f"take the rows as {workers} workers wrote them",
                "they name their steps themselves",
                "Leave the workers out.",
            )
        if all(row.step >= 0 or not row.episode for row in rows):
            return rows, []
        return in_order_of_episode(rows, _step_numbers(library, query))
    steps = list(steps_of(library.iterate(query)))
    if len(steps) != len(rows):
        text = (
            f"No row names its step, and {len(rows)} rows for {len(steps)} steps cannot be told "
            "apart by their order; give the file whose order they are in."
        )
        return rows, [RunFinding("not_as_many", text, len(rows))]
    return beside_steps(rows, steps, dialect, declared, workers=workers)


def _step_numbers(library: Library, query: EpisodeQuery) -> dict[str, list[int]]:
    numbers: dict[str, list[int]] = {}
    for episode, step in places_of(library.iterate(query)):
        numbers.setdefault(episode, []).append(step)
    return numbers


def _query(
    library: Library,
    rows: list[Row],
    dataset: str,
    version: str,
    split: tuple[str, str] | None,
    doing: str,
) -> EpisodeQuery:
    found, held = dataset_of(library, answered(rows), dataset, version, doing)
    query = EpisodeQuery(dataset=found, version=held, split=split)
    if split is not None:
        check_part(library, split, doing, found, held)
    return query


def _join(
    library: Library,
    query: EpisodeQuery,
    rows: list[Row],
    dialect: Dialect,
    declared: Declared,
    on_progress: OnProgress | None = None,
    names: set[str] | None = None,
    keys: _Keys | None = None,
) -> tuple[Joined, list[str]]:
    lines: list[str] = []

    def noted(episodes: Iterator[Episode]) -> Iterator[Episode]:
        for episode in episodes:
            if names is not None and episode.name not in names:
                continue
            lines.extend(step_lines(episode))
            if keys is not None:
                keys.see(episode)
            yield episode

    with ExitStack() as stack:
        episodes = library.iterate(query)
        if declared.elements:  # numbers count in the lists that were shown: those of covered steps
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="taptrail-"))
            episodes = map(PrivacyCover(library.stills, Path(folder)).episode, episodes)
        joined = join(
            rows,
            noted(episodes),
            dialect,
            declared,
            on_progress=on_progress,
            episode_count=library.count(query),
        )
    return joined, lines


class _Keys:
    """Names of the library's steps, for error messages about rows that match none."""

    def __init__(self) -> None:
        self._behind: dict[str, int] = {}
        self._first = ""
        self._steps = 0

    def see(self, episode: Episode) -> None:
        """Adds an episode."""
        self._steps += len(episode.steps)
        if episode.steps:
            self._behind[episode.name] = episode.steps[-1].index + 1
            self._first = self._first or _key(episode.name, episode.steps[0].index)

    def behind(self, row: Row) -> bool:
        """Returns whether a row is for the step after an episode's last one."""
        return self._behind.get(row.episode) == row.step

    def in_words(self, rows: list[Row], steps: str) -> str:
        """Returns a sentence that no row belongs to a step, with one key of each side."""
        ours = f"the library's of {steps} like {self._first or 'none, as it has no step there'}"
        if not rows:
            return "the files hold no prediction"
        found = f"none of the rows ({len(rows):,}) belongs to a step"
        if name_no_step(rows):
            return (
                f"{found} of {steps}: they name none, and {len(rows)} rows for {self._steps} steps "
                "cannot be told apart by their order"
            )
        named = _named(rows)
        if named is None:
            first = rows[0]
            return f"{found}, and none names one: {first.file}, row {first.line}: {first.problem}"
        return f"{found}: the files' keys look like {_key(named.episode, named.step)}, {ours}"


def _named(rows: list[Row]) -> Row | None:
    """Returns the first row that names its episode or step."""
    return next((row for row in rows if row.episode or row.step >= 0), None)


def _key(episode: str, step: int) -> str:
    return f"episode {format_value(episode)} step {step if step >= 0 else 'missing'}"


def _all_unreadable(counts: JoinCounts) -> bool:
    return bool(counts.read) and counts.unreadable == counts.read


def _notes(joined: Joined, nothing: str, before: Sequence[RunFinding]) -> tuple[str, ...]:
    notes = [*([nothing] if nothing else []), *(one.text for one in before), *_unknown(joined)]
    notes.extend(one.text for one in joined.findings)
    for warnings in (joined.problems, joined.disagreements):
        notes.extend(warnings.first)
        if warnings.count > len(warnings.first):
            notes.append(f"and {warnings.count - len(warnings.first)} more of this kind")
    return tuple(notes)


def _findings(joined: Joined, nothing: str, before: Sequence[RunFinding]) -> tuple[RunFinding, ...]:
    """Returns the findings by kind, the most serious first."""
    counts = joined.counts
    found = [RunFinding("nothing_read", nothing, counts.read)] if nothing else []
    found += [*before, *joined.findings]
    found += [
        RunFinding(code, warnings.first[0], warnings.count)
        for code, warnings in (
            ("unreadable", joined.problems),
            ("row_remarks", joined.disagreements),
        )
        if warnings.count
    ]
    found += [
        RunFinding("unknown_actions", text, count) for text, count in _unknown_counted(joined)
    ]
    if counts.doubled:
        text = "Some rows are a second answer to a step; the first one counts."
        found.append(RunFinding("doubled", text, counts.doubled))
    if counts.surplus:
        text = "Some rows belong to no step of the library."
        found.append(RunFinding("surplus", text, counts.surplus))
    return tuple(found)


def _unknown(joined: Joined) -> list[str]:
    return [text for text, _ in _unknown_counted(joined)]


def _unknown_counted(joined: Joined) -> list[tuple[str, int]]:
    """Returns a sentence with the unknown actions in the answers, most frequent first."""
    names = Counter(
        prediction.parsed.name
        for prediction in joined.predictions
        if isinstance(prediction.parsed, Other)
    )
    if not names:
        return []
    told = ", ".join(f"{format_value(name)} ({count:,})" for name, count in names.most_common(3))
    more = f" and {len(names) - 3} others" if len(names) > 3 else ""
    return [(f"Answers name actions that are not known: {told}{more}.", names.total())]


def _nothing(joined: Joined, files: tuple[Path, ...], tried: str) -> str:
    """Returns why a run has no usable answer; "" if it has one."""
    counts = joined.counts
    if counts.read == 0:
        return "The files hold no prediction: every step counts as missing."
    none_read = counts.joined and all(
        isinstance(prediction.parsed, Unreadable | Other) for prediction in joined.predictions
    )
    if none_read or _all_unreadable(counts):
        which = "" if _all_unreadable(counts) else " that belongs to a step"
        other = in_other_words(files, tried) or "They may be written in another dialect."
        return f"No action could be read from any prediction{which}. {other}"
    if counts.joined == 0:
        return (
            "No prediction belongs to a step; the run may answer another data set, version or "
            "split."
        )
    return ""
