"""Writes reports about runs: one HTML page, and tables as CSV, Markdown and LaTeX."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats.private_boxes import PrivacyCover
from episodes.runs import Prediction
from episodes.screens import Still
from episodes.store.library import Library
from replay.comparison import Only, compare, spread
from replay.report.cards import CardCounts, cards
from replay.report.contents import Report, ReportOrigin, contents
from replay.report.page import write_page
from replay.report.tables import csv_files, latex, markdown
from taptrail.usecases.importing import OnProgress
from taptrail.usecases.run_comparison import PEOPLE, Budget, changes, judge
from taptrail.words import tr

MOST_STEPS = 1000
PEOPLES_BUDGET = "2 x the mean of people's attempts, not below 10 steps"


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """Options of a report.

    Attributes:
        page: the HTML file; None for tables only.
        csv: a folder for the CSV files; `markdown` and `latex` are files.
        only: the steps to show; "" for steps with different outcomes, or the mismatches of a
            single run.
        limit: the maximum number of steps to show.
    """

    page: Path | None = None
    csv: Path | None = None
    markdown: Path | None = None
    latex: Path | None = None
    only: str = ""
    limit: int = 40


@dataclass(frozen=True, slots=True)
class WrittenReport:
    """Counts of a written report, and its files with their sizes in bytes."""

    shown: int
    found: int
    without_picture: int
    private_steps: int
    private_episodes: int
    files: tuple[tuple[Path, int], ...]


def write_report(
    library_folder: Path,
    runs: Sequence[str],
    protocols: Sequence[str],
    wanted: ReportOptions,
    *,
    budget: Budget = None,
    on_progress: OnProgress | None = None,
) -> WrittenReport:
    """Writes a report of one to four runs under a protocol, or of one run under several.

    Numbers, tables and pictures leave out private steps and episodes. Either all files are written
    completely, or none.

    Raises:
        KnownError: there is no such run, protocol or library, or a file cannot be written.
    """
    only = Only(wanted.only or ("differ" if len(runs) * len(protocols) > 1 else "mismatch"))
    if not 0 <= wanted.limit <= MOST_STEPS:
        raise KnownError(
            "write the report",
            f"{wanted.limit} steps are asked for",
            f"Take from 0 to {MOST_STEPS}.",
        )
    with Library.read(library_folder) as library:
        judged = judge(
            library, runs, protocols, budget=budget, private=False, on_progress=on_progress
        )
        comparison = compare(judged, changes(library, judged))
        origin = ReportOrigin(
            library_folder.resolve().name,
            library.uuid,
            library.gold_revision(),
            importlib.metadata.version("taptrail") if _installed() else "",
            datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            _command(library_folder, runs, protocols, wanted, only, budget),
        )
        cut = tr(PEOPLES_BUDGET) if budget == PEOPLE else budget
        report = contents(comparison, only, wanted.limit, origin, cut)
        counted = CardCounts()
        paths = []
        with ExitStack() as together:
            for path, text in _tables(report, wanted).items():
                stream = together.enter_context(_whole(path))
                stream.write(text)
                stream.flush()  # if the disk is full, all files are removed
                paths.append(path)
            if wanted.page is not None:
                stream = together.enter_context(_whole(wanted.page))
                _page(library, report, counted, stream)
                stream.flush()
                paths.append(wanted.page)
    return WrittenReport(
        counted.cards,
        report.found,
        counted.without_picture,
        judged[0].private_steps,
        judged[0].private_episodes,
        tuple((path, path.stat().st_size) for path in paths),
    )


def _page(library: Library, report: Report, counted: CardCounts, stream: IO[str]) -> None:
    chosen = report.comparison.chosen(report.only)
    rows = spread([row for row in chosen if not row.any.derived], report.limit)

    def predictions(run: str, episode: Episode) -> dict[int, Prediction]:
        return {found.step: found for found in library.predictions(run, episode.name)}

    sides = tuple(judged.side for judged in report.sides)
    with tempfile.TemporaryDirectory(prefix="taptrail-") as beside:
        cover = PrivacyCover(library.stills, Path(beside))

        def picture(still: Still) -> bytes:
            path = cover.path(still.sha256, still.media_type)
            try:
                return path.read_bytes()
            except OSError as error:
                found = error.strerror or str(error)
                raise KnownError(
                    f"read the picture {path.name}", found, "See the library."
                ) from error

        shown = cards(
            rows,
            sides,
            lambda uuid: cover.episode(library.episode(uuid)),
            predictions,
            picture,
            tr,
            counted,
            count=len(rows),
        )
        write_page(report, shown, counted, tr, stream)


def _tables(report: Report, wanted: ReportOptions) -> dict[Path, str]:
    written: dict[Path, str] = {}
    if wanted.csv is not None:
        written |= {wanted.csv / name: text for name, text in csv_files(report).items()}
    if wanted.markdown is not None:
        written[wanted.markdown] = markdown(report, tr)
    if wanted.latex is not None:
        written[wanted.latex] = latex(report, tr)
    return written


@contextmanager
def _whole(path: Path) -> Iterator[IO[str]]:
    """Yields a stream to a temporary file that replaces the file at the end of the block.

    After an error, neither the file nor a folder created for it is left.
    """
    new = [folder for folder in path.parents if not folder.exists()]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=".unfinished-", dir=path.parent)
    except OSError as error:
        raise _unwritten(path, error) from error
    beside = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as stream:
            yield stream
        beside.chmod(0o644)
        beside.replace(path)
    except BaseException as error:
        beside.unlink(missing_ok=True)
        for folder in new:
            with suppress(OSError):
                folder.rmdir()
        if isinstance(error, OSError):
            raise _unwritten(path, error) from error
        raise


def _unwritten(path: Path, error: OSError) -> KnownError:
    return KnownError(
        f"write {path}", error.strerror or str(error), "Choose another place, or make room."
    )


def _command(
    library: Path,
    runs: Sequence[str],
    protocols: Sequence[str],
    wanted: ReportOptions,
    only: Only,
    budget: Budget,
) -> tuple[str, ...]:
    """Returns the command that makes the page again, without paths of this machine."""
    words = ["taptrail", "report"]
    for run in runs:
        words += ["--run", run]
    for protocol in protocols:
        words += ["--protocol", protocol]
    words += ["--steps", only.what, "--limit", str(wanted.limit)]
    if budget is not None:
        words += ["--budget", str(budget)]
    page = wanted.page.name if wanted.page is not None else "report.html"
    return (*words, "--out", page, "--library", library.resolve().name)


def _installed() -> bool:
    try:
        importlib.metadata.version("taptrail")
    except importlib.metadata.PackageNotFoundError:  # run from a folder, not installed
        return False
    return True
