"""`taptrail lint [accept|reopen|fix|rules]`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from episodes.errors import KnownError
from taptrail.cli.author import author
from taptrail.cli.output import (
    dataset_option,
    json_option,
    library_option,
    print_json,
    progress,
    say,
    table,
)
from taptrail.words import tr

if TYPE_CHECKING:
    from taptrail.usecases.linting import LintReport, ReportedFinding

_step = click.option(
    "--step", type=int, default=None, help=tr("The step; without it the episode itself.")
)


@click.group(
    invoke_without_command=True,
    help=tr("List likely mistakes in steps; accept them with a reason, or fix them."),
)
@click.option("--episode", default=None, help=tr("Only this one, by name or uuid."))
@click.option("--dataset", default="", help=tr("Only episodes of this data set."))
@click.option("--rule", "rules", multiple=True, help=tr("Only these rules; may be repeated."))
@click.option(
    "--severity",
    type=click.Choice(("error", "look", "note")),
    default="note",
    help=tr("The lowest severity to list."),
)
@click.option("--accepted", is_flag=True, help=tr("Also list accepted findings."))
@click.option(
    "--keep",
    is_flag=True,
    help=tr("Store the counts in the library, for `episodes list --finding`."),
)
@click.option("--limit", type=click.IntRange(0), default=200, help=tr("Lines at most; 0 for all."))
@library_option
@json_option
@click.pass_context
def lint(
    context: click.Context,
    episode: str | None,
    dataset: str,
    rules: tuple[str, ...],
    severity: str,
    accepted: bool,
    keep: bool,
    limit: int,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail lint`"""
    if context.invoked_subcommand is not None:
        return
    from annotator.lint.findings import LintSeverity
    from annotator.lint.rules import RULES
    from episodes.store.queries import EpisodeQuery
    from taptrail.usecases.linting import keep_findings, lint_library

    with progress(tr("Looking")) as on_progress:
        query = EpisodeQuery(dataset=dataset)
        report = lint_library(library, query, rules or tuple(RULES), on_progress, episode)
    if keep:
        with progress(tr("Keeping")) as on_progress:
            keep_findings(library, on_progress)
    order = list(LintSeverity)
    least = order.index(LintSeverity(severity))
    shown = [
        one
        for one in report.told
        if order.index(one.finding.severity) <= least and (accepted or one.accepted is None)
    ]
    if not report.episodes:
        raise KnownError(
            tr("look for mistakes in {library}", library=library),
            tr("there is no episode to check"),
            tr("Import or record episodes first, or name a data set that is there."),
        )
    if as_json:
        print_json(_as_json(report, shown))
        return
    listed = shown[:limit] if limit else shown
    if listed:
        table(
            "",
            (tr("episode"), tr("step"), tr("severity"), tr("rule"), tr("what was found"), ""),
            [_row(one) for one in listed],
        )
    if len(listed) < len(shown):
        say(
            tr("{n} more line.", "{n} more lines; --limit 0 shows all.", n=len(shown) - len(listed))
        )
    say(_summary(report))
    if keep:
        say(tr("The number of open findings of each episode is stored in the library."))


@lint.command(help=tr("List the rules."))
@json_option
def rules(as_json: bool) -> None:
    """`taptrail lint rules`"""
    from annotator.lint.rules import RULES

    if as_json:
        print_json([{"rule": name, "looks_for": rule.words} for name, rule in RULES.items()])
        return
    table("", (tr("rule"), tr("looks for")), [(name, tr(one.words)) for name, one in RULES.items()])


@lint.command(help=tr("Accept a finding, with a reason."))
@click.argument("name")
@click.argument("rule")
@_step
@click.option("--reason", required=True, help=tr("Why it is accepted."))
@dataset_option
@library_option
@json_option
def accept(reason: str, as_json: bool, **where: Any) -> None:
    """`taptrail lint accept NAME RULE`"""
    from taptrail.usecases import linting

    _edit(
        where,
        as_json,
        lambda kept, episode, step, rule: linting.accept_finding(
            kept, episode, step, rule, reason, author()
        ),
    )


@lint.command(help=tr("Reopen an accepted finding."))
@click.argument("name")
@click.argument("rule")
@_step
@dataset_option
@library_option
@json_option
def reopen(as_json: bool, **where: Any) -> None:
    """`taptrail lint reopen NAME RULE`"""
    from taptrail.usecases import linting

    _edit(
        where,
        as_json,
        lambda kept, episode, step, rule: linting.reopen_finding(
            kept, episode, step, rule, author()
        ),
    )


@lint.command(help=tr("Apply a finding's automatic fix; it can be undone."))
@click.argument("name")
@click.argument("rule")
@click.option("--step", type=int, required=True, help=tr("The step."))
@dataset_option
@library_option
@json_option
def fix(as_json: bool, **where: Any) -> None:
    """`taptrail lint fix NAME RULE`"""
    from taptrail.usecases import linting

    _edit(
        where,
        as_json,
        lambda kept, episode, step, rule: linting.fix_finding(kept, episode, step, rule, author()),
    )


def _edit(where: dict[str, Any], as_json: bool, do: Any) -> None:
    from episodes.store.library import Library
    from taptrail.usecases.editing import history

    with Library.open(where["library"], create=False) as kept:
        episode = kept.episode(where["name"], where["dataset"])
        edit = do(kept, episode, where["step"], where["rule"])
        line = None
        if edit is not None:
            line = next(
                one for one in reversed(history(kept, episode.uuid)) if one.number == edit.number
            )
    if as_json:
        number = None if line is None else line.number
        step = where["step"] if line is None else line.step
        print_json({"edit": number, "episode": episode.name, "step": step})
    elif line is None:
        say(tr("Nothing changed: it was accepted for that reason already."))
    else:
        at = tr(", step {step}", step=line.step) if line.step is not None else ""
        say(f"{episode.name}{at}: {line.words}.")


def _row(one: ReportedFinding) -> tuple[str, ...]:
    finding = one.finding
    note = ""
    if one.accepted is not None:
        note = tr(
            "accepted by {name}: {reason}",
            name=one.accepted.author.name,
            reason=one.accepted.reason,
        )
    elif finding.fix is not None:
        note = tr("fix: {what}", what=tr(finding.fix.value))
    return (
        one.episode,
        "" if finding.step is None else str(finding.step),
        tr(finding.severity.value),
        finding.rule,
        finding.reason,
        note,
    )


def _summary(report: LintReport) -> str:
    counts = ", ".join(
        f"{count:,} {tr(severity.value)}" for severity, count in report.by_severity().items()
    )
    kept = len(report.told) - len(report.open)
    words = tr(
        "{steps} steps of {episodes} episodes checked: {counts}; {kept} accepted.",
        steps=f"{report.steps:,}",
        episodes=f"{report.episodes:,}",
        counts=counts,
        kept=f"{kept:,}",
    )
    return words


def _as_json(report: LintReport, shown: list[ReportedFinding]) -> dict[str, Any]:
    return {
        "episodes": report.episodes,
        "steps": report.steps,
        "open": report.by_rule(),
        "severities": {severity.value: n for severity, n in report.by_severity().items()},
        "accepted": len(report.told) - len(report.open),
        "findings": [
            {
                "episode": one.episode,
                "dataset": one.dataset,
                "uuid": one.uuid,
                "step": one.finding.step,
                "rule": one.finding.rule,
                "severity": one.finding.severity.value,
                "reason": one.finding.reason,
                "fix": None if one.finding.fix is None else one.finding.fix.value,
                "accepted": None
                if one.accepted is None
                else {"by": one.accepted.author.name, "reason": one.accepted.reason},
            }
            for one in shown
        ],
    }
