"""Writes the report as one HTML file: no scripts, no external resources, all text from files
escaped."""

from __future__ import annotations

import base64
import hashlib
import importlib.resources
import shlex
from collections.abc import Iterable
from typing import IO, Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from episodes.runs import Run
from episodes.verdicts import Share
from episodes.visible_text import visible_text
from replay.comparison import OUTCOMES, Pair
from replay.report import formatting
from replay.report.cards import Card, CardCounts
from replay.report.charts import dots
from replay.report.contents import Report, TableView
from replay.report.formatting import Tr

MOST_ROWS = 30


def write_page(
    report: Report, cards: Iterable[Card], counted: CardCounts, tr: Tr, stream: IO[str]
) -> None:
    """Writes the page piece by piece; `cards` are consumed one by one and fill in `counted`."""
    style = _asset("report.css")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode("ascii")
    template = _environment(tr).get_template("report.html.j2")
    pieces = template.generate(
        report=report,
        cards=cards,
        counted=counted,
        style=Markup(style),  # noqa: S704 - our own file, whose hash the page's policy names
        policy=f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'",
        letters=report.comparison.letters,
        protocol_of={side.side.letter: side.side.protocol.key for side in report.sides}.get,
        most_rows=MOST_ROWS,
    )
    for piece in pieces:
        stream.write(piece)


def _environment(tr: Tr) -> Environment:
    environment = Environment(
        loader=FunctionLoader(_asset),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_fit,
    )
    environment.globals |= {
        "budget_words": lambda budget: budget_words(budget, tr),
        "difference_words": lambda pair: difference_words(pair, tr),
        "declared": lambda run: _declared(run, tr),
        "only_words": lambda what: only_words(what, tr),
        "outcomes_of": _outcomes_of,
        "tr": tr,
        "dots": dots,
        "kind_words": lambda kind: formatting.kind_words(kind, tr),
        "label_words": lambda table, label: label_words(table, label, tr),
        "interval_words": formatting.interval_words,
        "percent": formatting.percent,
        "value_words": formatting.value_words,
        "points": _points,
        "p_words": p_words,
        "heat": _heat,
        "command": shlex.join,
        "hits": lambda share: hits_words(share, tr),
    }
    return environment


def _asset(name: str) -> str:
    return (importlib.resources.files("assets") / "report" / name).read_text(encoding="utf-8")


def _fit(value: Any) -> Any:
    """Converts the value of every template expression before it is escaped."""
    return (
        visible_text(value) if isinstance(value, str) and not isinstance(value, Markup) else value
    )


def label_words(table: TableView, label: str, tr: Tr) -> str:
    """Returns a group's label as the page shows it."""
    if not label:
        return tr("not known")
    if table.by == "action kind":
        return formatting.kind_words(label, tr)
    if table.by in ("position in the episode", "length of the episode"):
        return tr(label)
    return label


def hits_words(share: Share | None, tr: Tr) -> str:
    """Returns "37 of 42", or "" for no share."""
    if share is None:
        return ""
    return tr("{hits} of {total}", hits=f"{share.hits:,}", total=f"{share.total:,}")


def difference_words(pair: Pair, tr: Tr) -> str:
    """Returns the difference of both sides as a sentence; "" if no step is scored."""
    if pair.steps is None:
        return ""
    value = pair.steps.value * 100
    if not value:
        return tr("{b} and {a} have equal shares of the steps both scored.", a=pair.a, b=pair.b)
    text = (
        "{b} is {points:.1f} points above {a} on the steps both scored."
        if value > 0
        else "{b} is {points:.1f} points below {a} on the steps both scored."
    )
    return tr(text, a=pair.a, b=pair.b, points=abs(value))


def budget_words(budget: int | str, tr: Tr) -> str:
    """Returns the step budget of episodes as a text."""
    if isinstance(budget, int):
        return tr("cut at {n} step", "cut at {n} steps", n=budget)
    return tr("cut at each task's budget ({rule})", rule=budget)


def p_words(p: float) -> str:
    """Returns "p = 0.12" or "p < 0.001"."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"


def only_words(what: str, tr: Tr) -> str:
    """Returns the text for a selection of steps."""
    if what.endswith("-right"):
        return tr("{letter} is right and the others are not", letter=what[0].upper())
    return tr(_ONLY[what])


_ONLY = {
    "differ": "the outcomes differ",
    "mismatch": "any is a mismatch",
    "all-wrong": "all are mismatches",
    "unscored": "any is not scored",
    "all": "all steps",
}


def _declared(run: Run, tr: Tr) -> list[tuple[str, str]]:
    return [
        (tr("dialect"), run.dialect),
        (tr("coordinates"), run.coordinates),
        (tr("scroll"), run.scroll),
        (tr("level"), run.level),
        (tr("history"), run.history),
        (tr("observation"), run.observation),
    ]


def _outcomes_of(pair: Pair) -> list[str]:
    """Returns the outcomes in a pair's table; the first two always."""
    used = {outcome for counted in pair.counts for outcome in counted}
    return [o for number, o in enumerate(OUTCOMES) if number < 2 or o in used]


def _points(part: float) -> str:
    """Returns a difference in percentage points, with its sign."""
    return f"{part * 100:+.1f}".replace("-", "−")


def _heat(count: int, total: int) -> int:
    """Returns the colour intensity of a cell of the confusion table, 0 to 4."""
    if not count or not total:
        return 0
    part = count / total
    return next(
        level for level, least in ((4, 0.6), (3, 0.25), (2, 0.08), (1, 0.0)) if part > least
    )
