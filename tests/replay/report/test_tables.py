"""Tables for spreadsheets and papers: the same numbers, and texts that stay texts."""

import csv
import io
import re

import pytest

from replay.report.tables import csv_files, latex, markdown
from taptrail.words import tr
from tests.replay.report.made import hostile_report, report_of
from tests.replay.report.test_page import EPISODES, PICTURES, A, B


def read(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.fixture(scope="module")
def report():
    return report_of([A, B], EPISODES, PICTURES).report


def test_csv_has_every_number_with_hits_and_total(report):
    files = csv_files(report)
    assert set(files) == {"sides.csv", "numbers.csv", "tables.csv", "kinds.csv", "steps.csv"}
    numbers = {(row["number"], row["side"]): row for row in read(files["numbers.csv"])}
    assert numbers["AMS", "A"] | {"low": "", "high": ""} == {
        "number": "AMS", "side": "A", "hits": "4", "total": "5", "percent": "80.0",
        "low": "", "high": "", "counted": "protocol",
    }  # fmt: skip
    assert numbers["step accuracy", "A"]["counted"] == "alike"
    assert numbers["AMS/category mean", "A"]["percent"] == ""
    assert [row["run"] for row in read(files["sides.csv"])] == ["heron", "plover"]
    steps = read(files["steps.csv"])
    assert len(steps) == 5
    assert (steps[1]["outcome_A"], steps[1]["rule_A"]) == ("mismatch", "distance")
    assert (steps[4]["outcome_B"], steps[4]["rule_B"]) == ("unscored", "missing")


def test_every_table_of_the_csv_has_each_step_as_often_as_it_is_in_it(report):
    totals = {}
    for row in read(csv_files(report)["tables.csv"]):
        key = (row["by"], row["side"])
        totals[key] = totals.get(key, 0) + int(row["total"])
    assert {side for _, side in totals} == {"A", "B"}
    for (by, side), total in totals.items():
        assert total == {"A": 5, "B": 4}[side], by
    whole = {
        (row["group"], row["side"]): (row["episodes_right"], row["episodes"])
        for row in read(csv_files(report)["tables.csv"])
        if row["by"] == "category"
    }
    assert whole == {
        ("Tool", "A"): ("0", "1"), ("Tool", "B"): ("0", "1"),
        ("Web", "A"): ("1", "1"), ("Web", "B"): ("0", "0"),
    }  # fmt: skip


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+1+1", "-2", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_spreadsheet_reads_no_text_as_a_formula(text):
    for name, written in csv_files(hostile_report(text).report).items():
        for line in csv.reader(io.StringIO(written, newline="")):
            for field in line:
                assert not field.startswith(("=", "+", "-", "@", "\t", "\r", "\n")), name


def test_quotes_commas_and_lines_stay_in_their_field():
    files = csv_files(hostile_report('a "b", c\nd').report)
    assert read(files["sides.csv"])[0]["run"] == 'a "b", c\nd'


def test_markdown_has_a_row_a_number_and_each_as_many_cells_as_heads(report):
    text = markdown(report, tr)
    assert "| AMS | 80.00 % (4 of 5) | 75.00 % (3 of 4) |" in text
    assert "| Category | A heron | B plover |" in text
    assert "| Tap | 80.00 % (4 of 5) | 75.00 % (3 of 4) |" in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {4}
    protocols, alike = text.split("| Counted in the same way for all protocols |")
    assert "| AMS |" in protocols
    assert "| step accuracy |" in alike
    assert "| AMS |" not in alike


@pytest.mark.parametrize("text", ["a|b", "<b>x</b>", "`x`", "[x](http://e)", "a\n| b |", "\\|"])
def test_markdown_reads_no_text_as_markup(text):
    told = markdown(hostile_report(text).report, tr)
    rows = [line for line in told.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) for row in rows} == {4}
    assert not re.search(r"(?<!\\)[<\[]", told)


def test_latex_escapes_its_own_signs(report):
    text = latex(report, tr)
    assert r"AMS & 80.00\,\% (4 of 5) & 75.00\,\% (3 of 4) \\" in text
    assert text.count(r"\begin{tabular}{lrr}") == text.count(r"\end{tabular}") == 5
    told = latex(hostile_report(r"\input{x} 50% a_b ~^ {$&#}").report, tr)
    assert r"\textbackslash{}input\{x\} 50\% a\_b \textasciitilde{}\textasciicircum{}" in told
    assert r"\{\$\&\#\}" in told
    assert "\\input" not in told
