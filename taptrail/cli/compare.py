"""`taptrail compare`: compares runs under one protocol, or one run under several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taptrail.cli.output import (
    json_option,
    library_option,
    print_json,
    printable,
    progress,
    say,
    table,
)
from taptrail.words import tr

if TYPE_CHECKING:
    from episodes.verdicts import Share
    from replay.comparison import Comparison, ComparisonRow, Pair
    from replay.sides import JudgedSide
    from scoring.statistics import Difference
    from taptrail.usecases.published import PublishedFigures

LISTED = 40


def budget_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--budget N|people`."""
    return click.option(
        "--budget",
        callback=_budget,
        metavar="N|people",
        help=tr(
            "Steps allowed in each episode; later ones count as wrong. “people”: the budget that "
            "follows from people's attempts at each task."
        ),
    )(command)


def _budget(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> int | str | None:
    if value is None or value == "people":
        return value
    steps = int(value[:9]) if value.isascii() and value.isdigit() else 0
    if steps < 1:
        raise click.BadParameter(
            tr("“{value}” is neither a number of steps nor “people”.", value=printable(value))
        )
    return steps


@click.command(help=tr("Compare runs step by step, or one run under several protocols."))
@click.option(
    "--run",
    "runs",
    multiple=True,
    required=True,
    help=tr("A run's name; up to four: A, B, C, D in this order."),
)
@click.option(
    "--protocol",
    "protocols",
    multiple=True,
    required=True,
    help=tr("NAME or NAME@VERSION; several for one run."),
)
@click.option(
    "--only",
    default="differ",
    show_default=True,
    help=tr("Which steps to list: differ, mismatch, all-wrong, unscored, all, b-right, ..."),
)
@click.option("--published", is_flag=True, help=tr("Also show published figures for the data set."))
@budget_option
@library_option
@json_option
def compare(
    runs: tuple[str, ...],
    protocols: tuple[str, ...],
    only: str,
    published: bool,
    budget: int | str | None,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail compare --run A --run B --protocol P`"""
    from replay.comparison import Only, comparison_to_json
    from taptrail.usecases.published import published_beside, published_to_json
    from taptrail.usecases.run_comparison import compare_runs

    choice = Only(only)
    with progress(tr("Comparing")) as on_progress:
        found = compare_runs(library, runs, protocols, budget=budget, on_progress=on_progress)
    sides = found.comparison.sides
    keys = [judged.side.protocol.key for judged in sides]
    figures = published_beside((judged.side.run for judged in sides), keys) if published else ()
    if as_json:
        print_json(
            {
                "library": str(library),
                "library_uuid": found.library_uuid,
                "gold_revision": found.gold_revision,
                "budget": budget,
                **comparison_to_json(found.comparison, choice),
                **({"published": published_to_json(figures, keys)} if published else {}),
            }
        )
        return
    rows = found.comparison.chosen(choice)
    _sides(found.comparison)
    for pair in found.comparison.pairs:
        _pair(pair)
    _groups(rows, found.comparison.letters)
    _steps(rows, found.comparison.letters, only)
    if published:
        say_published(figures, keys)


def say_published(figures: tuple[PublishedFigures, ...], keys: Sequence[str]) -> None:
    """Prints published figures, each group with its source and a note on comparability."""
    from taptrail.usecases.published import unlike

    if not figures:
        say(tr("No published figures are known for this data set."))
    for one in figures:
        table(
            f"{one.dataset}, {one.metric}, {one.steps}",
            (tr("model"), tr("setting"), tr("published, %")),
            [(row.model, row.setting, f"{row.value:g}") for row in one.rows],
        )
        mark = unlike(one, keys) if keys else one.rules or tr("under unpublished rules")
        say(f"  {mark} {tr('Source')}: {one.source}. {one.note}".rstrip())


def _sides(comparison: Comparison) -> None:
    from replay.sides import lead_metric, whole_metric

    named = [(lead_metric(judged), whole_metric(judged)) for judged in comparison.sides]
    alike = len(set(named)) == 1
    rows = [
        (
            judged.side.letter,
            judged.side.run.name,
            judged.side.protocol.key,
            *(_number(judged, name, alone=alike) for name in names),
            f"{judged.step_set.name}, {judged.step_set.count}",
        )
        for judged, names in zip(comparison.sides, named, strict=True)
    ]
    lead, whole = named[0] if alike else ("", "")
    numbers = (lead or tr("steps"), whole or tr("episodes"))
    table(
        tr("Compared"),
        (tr("side"), tr("run"), tr("protocol"), *numbers, tr("step set")),
        rows,
    )
    for one in comparison.unlike:
        told = ", ".join(
            f"{letter} “{value}”"
            for letter, value in zip(comparison.letters, one.values, strict=True)
        )
        say(tr("! different {what}: {told}", what=tr(one.what), told=printable(told)))
    for letter, changed in zip(comparison.letters, comparison.changed, strict=True):
        if changed:
            say(f"! {letter}: {changed}")


def _number(judged: JudgedSide, name: str, *, alone: bool) -> str:
    """Returns a metric of a side, with its name if the column's title lacks it."""
    metric = judged.metrics.values.get(name)
    if metric is None:
        return tr("none")
    if metric.share is not None:
        told = _share(metric.share)
    else:
        told = tr("none") if metric.value is None else f"{metric.value:.1f}%"
    return told if alone else f"{name} {told}"


def _pair(pair: Pair) -> None:
    if not pair.common:
        say(tr("{a} and {b} have no step in common.", a=pair.a, b=pair.b))
        return
    say(
        tr(
            "{a} and {b}: only {a} right {only_a}, only {b} right {only_b}; "
            "the same outcome on {agreement}.",
            a=pair.a,
            b=pair.b,
            only_a=pair.only_a,
            only_b=pair.only_b,
            agreement=_share(pair.agreement),
        )
    )
    scored = tr("{n} step both scored", "{n} steps both scored", n=pair.scored)
    for name, difference in ((scored, pair.steps), (tr("whole episodes"), pair.whole)):
        if difference is not None:
            say(f"  {name}, {pair.b} - {pair.a}: {_difference(difference)}")
    say(f"  McNemar p = {pair.p:.3g}")


def _groups(rows: tuple[ComparisonRow, ...], letters: tuple[str, ...]) -> None:
    from replay.comparison import grouped, reasons

    groups = grouped(rows)
    if groups:
        table(
            tr("Different verdicts, by rule"),
            (tr("steps"), *letters, tr("for example")),
            [
                (
                    str(len(group.rows)),
                    *(
                        f"{outcome} ({rule})" if rule else tr("not in its step set")
                        for outcome, rule in zip(group.outcomes, group.rules, strict=True)
                    ),
                    " ".join(
                        [
                            f"{group.rows[0].any.episode} {group.rows[0].place[1]}.",
                            *(
                                f"{a}: {b}"
                                for a, b in zip(letters, reasons(group.rows[0]), strict=True)
                            ),
                        ]
                    ),
                )
                for group in groups
            ],
        )


def _steps(rows: tuple[ComparisonRow, ...], letters: tuple[str, ...], only: str) -> None:
    if not rows:
        say(tr("No step is “{only}”.", only=only))
        return
    lines = []
    for row in rows[:LISTED]:
        first = (row.any.episode, str(row.place[1]), row.any.gold)
        for letter, verdict in zip(letters, row.verdicts, strict=True):
            if verdict is not None:
                lines.append((*first, letter, verdict.outcome.value, verdict.reason))
                first = ("", "", "")
    if len(rows) > LISTED:
        lines.append((tr("and {more} more", more=len(rows) - LISTED), "", "", "", "", ""))
    columns = (
        *(tr("episode"), tr("step, from 0"), tr("kind")),
        *(tr("side"), tr("outcome"), tr("reason")),
    )
    table(tr("{n} step: {only}", "{n} steps: {only}", n=len(rows), only=only), columns, lines)


def _share(share: Share | None) -> str:
    if share is None:
        return tr("none")
    return f"{share.hits} / {share.total}" + (
        f" = {share.hits / share.total:.1%}" if share.total else ""
    )


def _difference(found: Difference) -> str:
    from scoring.statistics import FEW

    told = tr("{value:+.1f} points", value=found.value * 100)
    if found.interval is not None:
        low, high = found.interval.low * 100, found.interval.high * 100
        told += tr(" (95 %: {low:+.1f} to {high:+.1f})", low=low, high=high)
    told += tr(", p = {p:.3g} over {n} episodes", p=found.p, n=found.episodes)
    return told + (
        tr("; with so few episodes the interval is rough") if found.episodes < FEW else ""
    )
