"""`taptrail runs`, `taptrail protocols` and `taptrail score`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from episodes.verdicts import Outcome
from taptrail.cli.output import (
    JsonLines,
    ListedOption,
    json_option,
    known_protocols,
    library_option,
    print_json,
    progress,
    say,
    table,
)
from taptrail.words import tr

if TYPE_CHECKING:
    from replay.breakdown import GroupShare
    from replay.score_runs import ScoreResult
    from scoring.protocol import ScoredStep

LISTED = 20


def _tables() -> tuple[str, ...]:
    from replay.breakdown import BY

    return (*BY, "all")


@click.command(help=tr("List the runs of a library."))
@library_option
@json_option
def runs(library: Path, as_json: bool) -> None:
    """`taptrail runs`"""
    from episodes.store.library import Library

    with Library.read(library) as opened:
        found = opened.runs()
    if as_json:
        print_json(
            {
                "runs": [
                    {
                        "name": run.name,
                        "model": run.model,
                        "dialect": run.dialect,
                        "dataset": run.dataset,
                        "version": run.dataset_version,
                        "step_set": run.step_set.name if run.step_set is not None else None,
                        "steps": run.step_set.count if run.step_set is not None else None,
                        "imported_utc": run.imported_utc,
                        "asking": json.loads(run.asking) if run.asking else None,
                    }
                    for run in found
                ]
            }
        )
        return
    if not found:
        say(tr("No run. Import one with: taptrail predictions import."))
        return
    table(
        "",
        (tr("run"), tr("model"), tr("dialect"), tr("step set"), tr("steps"), tr("imported (UTC)")),
        [
            (
                run.name,
                run.model,
                run.dialect,
                run.step_set.name if run.step_set is not None else "",
                str(run.step_set.count) if run.step_set is not None else "",
                run.imported_utc[:19].replace("T", " "),
            )
            for run in found
        ],
    )


@click.command(help=tr("List the scoring protocols with their sources and quirks."))
@click.option("--published", is_flag=True, help=tr("List published figures instead."))
@json_option
def protocols(published: bool, as_json: bool) -> None:
    """`taptrail protocols`"""
    if published:
        from taptrail.cli.compare import say_published
        from taptrail.usecases import published as figures

        if as_json:
            print_json({"published": figures.published_to_json(figures.published(), ())})
        else:
            say_published(figures.published(), ())
        return
    from scoring.protocols import PROTOCOLS
    from scoring.protocols.checks import CHECKS, check_to_json

    found = PROTOCOLS.values()
    if as_json:
        print_json(
            {
                "protocols": [
                    {
                        "name": one.name,
                        "version": one.version,
                        "title": one.title,
                        "source": one.source,
                        "quirks": list(one.quirks),
                        "counts": asdict(one.counts),
                        "checked": check_to_json(CHECKS[one.key]),
                    }
                    for one in found
                ]
            }
        )
        return
    for one in found:
        say(f"{one.key}  {one.title}\n  {tr('source')}: {one.source}")
        say(f"  {tr('checked')}: {CHECKS[one.key]}")
        for quirk in one.quirks:
            say(f"  - {quirk}")


@click.command(help=tr("Score a run under a protocol, with a reason for every verdict."))
@click.option(
    "--protocol",
    required=True,
    cls=ListedOption,
    known=known_protocols,
    help=tr("NAME or NAME@VERSION; see taptrail protocols."),
)
@click.option("--run", "run_name", required=True, help=tr("The run's name; see taptrail runs."))
@click.option(
    "--by",
    multiple=True,
    cls=ListedOption,
    known=_tables,
    help=tr("Also show groups, with intervals."),
)
@click.option(
    "--numbers-only",
    is_flag=True,
    help=tr("Only the metrics, without the list of steps: fast for large runs."),
)
@library_option
@json_option
def score(
    protocol: str,
    run_name: str,
    by: tuple[str, ...],
    numbers_only: bool,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail score --protocol NAME --run RUN`"""
    from replay.breakdown import BreakdownCounter, breakdown_to_json
    from replay.score_runs import score_to_json, step_to_json
    from taptrail.usecases.scoring import score_run

    if numbers_only and by:
        raise click.UsageError(tr("--by needs the steps, which --numbers-only leaves out."))
    counter = BreakdownCounter(by)
    listed, wrong = JsonLines(), _Wrong()

    def list_step(scored: ScoredStep) -> None:
        listed.append(step_to_json(scored))

    with progress(tr("Scoring")) as on_progress:
        on_step = list_step if as_json else wrong.add
        result = score_run(
            run_name,
            protocol,
            library,
            keep_steps=False,
            on_step=None if numbers_only else on_step,
            on_facts=None if numbers_only else counter.add,
            on_progress=on_progress,
        )
        counted = counter.result()
    if as_json:
        more = {} if numbers_only else breakdown_to_json(counted)
        listed.print_within(score_to_json(result, str(library)) | more, "steps")
        return
    metrics_table(result)
    if numbers_only:
        say_beside(result)
        return
    columns = (tr("share"), tr("hits of total"), tr("95 % interval"))
    table(
        tr("Counted in the same way for all protocols"),
        (tr("number"), *columns),
        [_line(line) for line in counted.numbers],
    )
    for word, lines in counted.tables.items():
        table(
            tr("Matching steps by {word}", word=tr(word)),
            (tr(word), *columns),
            [_line(line) for line in lines],
        )
    rows = wrong.rows()
    if rows:
        table(
            tr("Steps that do not match"),
            (tr("episode"), tr("step"), tr("outcome"), tr("rule"), tr("reason")),
            rows,
        )
    say_beside(result)


class _Wrong:
    """The first steps that do not match, and the number of all."""

    def __init__(self) -> None:
        self._first: list[ScoredStep] = []
        self._count = 0

    def add(self, scored: ScoredStep) -> None:
        """Counts a judged step."""
        if scored.verdict.outcome is Outcome.MATCH:
            return
        self._count += 1
        if len(self._first) < LISTED:
            self._first.append(scored)

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """Returns the rows of their table."""
        rows = [
            (
                one.episode,
                str(one.step),
                one.verdict.outcome.value,
                one.verdict.rule,
                tr("A second answer: {reason}", reason=one.verdict.reason)
                if one.doubled
                else one.verdict.reason,
            )
            for one in self._first
        ]
        if self._count > LISTED:
            rows.append((tr("and {more} more", more=self._count - LISTED), "", "", "", ""))
        return rows


def say_beside(result: ScoreResult) -> None:
    """Prints notes on a score, and the numbers of steps and episodes that it leaves out."""
    for note in result.metrics.notes:
        say(f"- {note}")
    for what, count in result.metrics.tally.items():
        if count:
            say(f"- {tr(what)}: {count:,}")


def metrics_table(result: ScoreResult) -> None:
    """Prints the metrics of a score."""
    table(
        tr(
            "{run} under {protocol}, {n} step",
            "{run} under {protocol}, {n} steps",
            n=result.step_set.count,
            run=result.run.name,
            protocol=result.protocol.key,
        ),
        (tr("metric"), tr("value"), tr("hits of total"), tr("note")),
        [
            (
                f"{name} {tr('(no category)')}" if name.endswith("/") else name,
                f"{metric.value} {metric.unit}" if metric.value is not None else tr("none"),
                f"{metric.share.hits} / {metric.share.total}" if metric.share is not None else "",
                metric.note,
            )
            for name, metric in result.metrics.values.items()
        ],
    )


def _line(line: GroupShare) -> tuple[str, str, str, str]:
    share, interval = line.share, line.interval
    return (
        line.label or tr("(not known)"),
        f"{share.hits / share.total:.1%}" if share.total else tr("none"),
        f"{share.hits} / {share.total}",
        f"{interval.low:.1%} – {interval.high:.1%}" if interval is not None else "",
    )
