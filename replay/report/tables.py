"""A report's numbers as CSV, Markdown and LaTeX.

Texts from files are hostile. They are escaped so that they are no formula in a spreadsheet, no
markup in Markdown and no command in LaTeX.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from episodes.verdicts import Share
from episodes.visible_text import visible_text
from replay.report.contents import Cell, Report, TableView
from replay.report.formatting import Tr
from replay.report.page import hits_words, label_words

IN_TEXT = ("category", "app", "action kind")
"""The tables that Markdown and LaTeX have; CSV has all."""

_SHARE = ("hits", "total", "percent", "low", "high")
Field = str | int | float | None


def csv_files(report: Report) -> dict[str, str]:
    """Returns the CSV files by name, in long format: one number per line.

    Columns are described in `docs/report.md`. A text that a spreadsheet would read as a formula
    gets a leading apostrophe.
    """
    letters = report.comparison.letters
    return {
        "sides.csv": _csv(
            ("side", "run", "model", "protocol", "step_set", "steps", "step_set_sha256"),
            (
                (
                    one.side.letter,
                    one.side.run.name,
                    one.side.run.model,
                    one.side.protocol.key,
                    one.step_set.name,
                    one.step_set.count,
                    one.step_set.sha256,
                )
                for one in report.sides
            ),
        ),
        "numbers.csv": _csv(
            ("number", "side", *_SHARE, "counted"),
            (
                (row.name, letter, *_cell(cell), how)
                for how, numbers in (("protocol", report.numbers), ("alike", report.alike))
                for row in numbers
                for letter, cell in zip(letters, row.cells, strict=True)
                if cell is not None
            ),
        ),
        "tables.csv": _csv(
            ("by", "group", "side", *_SHARE, "episodes_right", "episodes"),
            (
                (view.by, row.label, letter, *_cell(cell), *_whole(whole))
                for view in report.tables
                for row in view.rows
                for letter, cell, whole in zip(letters, row.cells, row.whole, strict=True)
            ),
        ),
        "kinds.csv": _csv(
            ("side", "gold", "predicted", "steps"),
            (
                (letter, row, column, found.counts[row, column])
                for letter, found in zip(letters, report.confusions, strict=True)
                for row in found.rows
                for column in found.columns
                if (row, column) in found.counts
            ),
        ),
        "steps.csv": _csv(
            (
                *("episode", "step", "position", "kind", "category", "apps"),
                *(f"{what}_{x}" for x in letters for what in ("outcome", "rule", "reason")),
            ),
            (
                (
                    row.any.episode,
                    row.place[1],
                    row.any.position,
                    row.any.gold,
                    row.any.category,
                    "; ".join(row.any.apps),
                    *(
                        field
                        for verdict in row.verdicts
                        for field in (
                            (verdict.outcome.value, verdict.rule, verdict.reason)
                            if verdict is not None
                            else (None, None, None)
                        )
                    ),
                )
                for row in report.comparison.rows
            ),
        ),
    }


def markdown(report: Report, tr: Tr) -> str:
    """Returns the numbers and the tables by category, app and kind as Markdown."""
    heads = [_markdown_text(head) for head in _heads(report)]
    parts = [
        "\n".join(
            (
                f"- {letter}: {_markdown_text(one.side.run.name)}, {one.side.protocol.key}, "
                f"{one.step_set.count} {tr('steps')}, `{one.step_set.sha256[:16]}`"
            )
            for letter, one in zip(report.comparison.letters, report.sides, strict=True)
        )
    ]
    for title, names, rows in _text_tables(report, tr):
        lines = [
            f"| {_markdown_text(title)} | " + " | ".join(heads) + " |",
            "| --- |" + " ---: |" * len(heads),
        ]
        for name, cells in zip(names, rows, strict=True):
            told = " | ".join(_told(cell, tr) for cell in cells)
            lines.append(f"| {_markdown_text(name)} | {told} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def latex(report: Report, tr: Tr) -> str:
    """Returns the same tables as LaTeX, in plain `tabular`s that need no package."""
    heads = [_latex_text(head) for head in _heads(report)]
    parts = []
    for title, names, rows in _text_tables(report, tr):
        lines = [
            r"\begin{tabular}{l" + "r" * len(heads) + "}",
            r"\hline",
            " & ".join([_latex_text(title), *heads]) + r" \\",
            r"\hline",
            *(
                " & ".join([_latex_text(name), *(_latex_cell(cell, tr) for cell in cells)]) + r" \\"
                for name, cells in zip(names, rows, strict=True)
            ),
            r"\hline",
            r"\end{tabular}",
        ]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


Cells = Sequence[Cell | None]


def _text_tables(report: Report, tr: Tr) -> Iterable[tuple[str, Sequence[str], Sequence[Cells]]]:
    """Yields title, row names and cells of each table."""
    for title, rows in (
        (tr("Number"), report.numbers),
        (tr("Counted in the same way for all protocols"), report.alike),
    ):
        yield title, [tr(row.name) for row in rows], [row.cells for row in rows]
    for view in report.tables:
        if view.by in IN_TEXT and view.rows:
            yield _title(view, tr), *_rows(view, tr)


def _title(view: TableView, tr: Tr) -> str:
    return tr(view.by).capitalize()


def _rows(view: TableView, tr: Tr) -> tuple[Sequence[str], Sequence[Cells]]:
    labels = [label_words(view, row.label, tr) for row in view.rows]
    return labels, [row.cells for row in view.rows]


def _heads(report: Report) -> list[str]:
    """Returns the heading of each side: its letter, and its run or protocol."""
    return [
        f"{one.side.letter} {one.side.protocol.key if report.one_run else one.side.run.name}"
        for one in report.sides
    ]


def _told(cell: Cell | None, tr: Tr) -> str:
    if cell is None or cell.value is None:
        return "–"
    hits = hits_words(cell.share, tr)
    return f"{cell.value:.2f} %" + (f" ({hits})" if hits else "")


def _latex_cell(cell: Cell | None, tr: Tr) -> str:
    return _latex_text(_told(cell, tr)).replace(r" \%", r"\,\%")


def _cell(cell: Cell) -> tuple[Field, ...]:
    share, interval = cell.share, cell.interval
    return (
        share.hits if share is not None else None,
        share.total if share is not None else None,
        round(cell.value, 4) if cell.value is not None else None,
        round(interval.low * 100, 4) if interval is not None else None,
        round(interval.high * 100, 4) if interval is not None else None,
    )


def _whole(share: Share | None) -> tuple[Field, ...]:
    return (share.hits, share.total) if share is not None else (None, None)


def _csv(columns: Sequence[str], lines: Iterable[Sequence[Field]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([_field(value) for value in line] for line in lines)
    return stream.getvalue()


def _field(value: Field) -> Field:
    if not isinstance(value, str):
        return value
    text = visible_text(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) else text


def _markdown_text(text: str) -> str:
    line = " ".join(visible_text(text).split())
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>()#+!|~&$" else c for c in line)


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "–": "--",
} | {c: f"\\{c}" for c in "&%$#_{}"}


def _latex_text(text: str) -> str:
    line = " ".join(visible_text(text).split())
    return "".join(_LATEX.get(c, c) for c in line)
