"""The script that counts contradictions: the same seed gives the same steps and the same table."""

import re
from collections import Counter

import pytest

from episodes import actions as a
from scoring.protocols import newest
from tools import disagreement_table as tool


@pytest.fixture(scope="module")
def walked(qapp_of_module):
    return list(tool.demo_phone(24, seed=3))


@pytest.fixture(scope="module")
def qapp_of_module():
    from PySide6.QtWidgets import QApplication

    return QApplication.instance() or QApplication([])


def test_a_walk_has_as_many_steps_as_are_asked_for_with_trees_and_ends(walked):
    assert [len(episode.steps) for episode in walked] == [10, 10, 4]
    steps = [step for episode in walked for step in episode.steps]
    assert all(step.tree is not None and b"<node" in step.tree.record.data for step in steps)
    assert all(episode.steps[-1].action == a.Finish(a.Ending.COMPLETE) for episode in walked)
    assert all(isinstance(episode.steps[0].action, a.OpenApp) for episode in walked)


def test_the_same_seed_walks_the_same_way_and_gives_the_same_table(walked):
    again = list(tool.demo_phone(24, seed=3))
    assert again == walked
    assert tool.table(tool.count(again, 5)) == tool.table(tool.count(walked, 5))
    assert tool.table(tool.count(walked, 6)) != tool.table(tool.count(walked, 5))


def test_counts_are_symmetric_and_a_rule_never_contradicts_itself(walked):
    counted = tool.count(walked, 5, times=3)
    assert (counted.steps, counted.pairs) == (24, 72)
    for key in tool.KEYS:
        assert counted.differ[key, key] == 0
        assert counted.both[key, key] == counted.scored[key] <= 72
        for other in tool.KEYS:
            assert counted.differ[key, other] == counted.differ[other, key]
            assert counted.both[key, other] == counted.both[other, key]
    assert counted.kinds == Counter(
        a.kind(step.action) for episode in walked for step in episode.steps
    )


def test_the_document_has_both_tables_of_all_protocols_over_enough_steps():
    text = tool.DOCUMENT.read_text(encoding="utf-8")
    short = [key.removeprefix("androidcontrol/").partition("@")[0] for key in tool.KEYS]
    assert set(tool.KEYS) == {key for key in newest() if key.startswith("androidcontrol/")}
    for name, least in (("demo phone", 500), ("androidcontrol", 8)):
        table = text.partition(f"<!-- {name} -->\n")[2].partition(f"\n<!-- /{name} -->")[0]
        assert int(table.split(" ", 1)[0]) >= least
        rows = re.findall(r"^\| `([\w-]+)` \|(.*)\|$", table, flags=re.M)
        assert [row for row, _ in rows] == short
        cells = [[cell.strip(" *") for cell in row.split("|")] for _, row in rows]
        assert all(cells[i][j] == cells[j][i] for i in range(len(rows)) for j in range(len(rows)))


def test_a_text_is_put_between_its_marks_and_the_rest_stays(tmp_path):
    document = tmp_path / "d.md"
    document.write_text("a\n<!-- x -->\nold\n<!-- /x -->\n<!-- y -->\nkept\n<!-- /y -->\n")
    tool.write(document, "x", "new\nlines")
    assert document.read_text() == (
        "a\n<!-- x -->\nnew\nlines\n<!-- /x -->\n<!-- y -->\nkept\n<!-- /y -->\n"
    )
