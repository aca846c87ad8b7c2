"""The list shows the findings of each episode, and filters by findings and judgements."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from annotator.lint.rules import RULES
from episodes.episodes import Attempt
from episodes.store.filters import FilterKind
from episodes.store.library import Library
from recorder.devices import open_devices
from taptrail.gui import app as gui
from taptrail.gui.episodes import texts
from taptrail.gui.episodes.lint_watcher import LintWatcher
from taptrail.gui.episodes.listing import FINDINGS
from taptrail.gui.work import WorkThread
from taptrail.settings import Settings
from taptrail.usecases import linting
from tests.gui import desk_story, story

SETTINGS = Settings(theme="light", author="Ana P.", author_uuid=story.ANA.uuid)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "library"
    desk_story.build(made, long_one=False)
    story.build(made)
    return made


@pytest.fixture
def window(qtbot: QtBot, folder: Path) -> Iterator[gui.Window]:
    made = gui.Window(SETTINGS, folder, open_devices(1, "127.0.0.2"))
    qtbot.addWidget(made.main)
    made.main.resize(1440, 900)
    made.main.show()
    made.main.go_to(1)
    yield made
    made.stop()


def column(window: gui.Window, role: int = Qt.ItemDataRole.DisplayRole) -> dict[str, str]:
    rows = window.episodes.table.model()
    return {
        str(rows.index(row, 0).data()): str(rows.index(row, FINDINGS).data(role))
        for row in range(rows.rowCount())
    }


def told(folder: Path) -> dict[str, dict[str, int]]:
    """What `taptrail lint` tells of each episode, notes left out: rule -> how many."""
    found: dict[str, dict[str, int]] = {}
    with Library.read(folder) as library:
        for one in library.episodes():
            found[one.name] = {}
    for told in linting.lint_library(folder).open:
        if told.finding.severity.value != "note":
            rules = found[told.episode]
            rules[told.finding.rule] = rules.get(told.finding.rule, 0) + 1
    return found


def test_the_column_and_the_filter_tell_what_lint_tells(
    qtbot: QtBot, window: gui.Window, folder: Path
) -> None:
    found = told(folder)
    wanted = {name: str(sum(rules.values()) or "–") for name, rules in found.items()}
    assert len(set(wanted.values())) > 1
    qtbot.waitUntil(lambda: column(window) == wanted)
    filters = window.episodes._filters
    group = filters._groups[FilterKind.FINDING]
    rules = {rule for rules in found.values() for rule in rules}
    qtbot.waitUntil(lambda: {row.value for row in group._rows if row.isVisible()} == rules)
    for row in group._rows:
        assert row._count == sum(row.value in rules for rules in found.values())
    rule = min(rules, key=lambda one: sum(one in rules for rules in found.values()))
    filters.toggle(FilterKind.FINDING, rule)
    qtbot.waitUntil(
        lambda: set(column(window)) == {name for name, rules in found.items() if rule in rules}
    )
    wanted_chips = [f"Findings: {texts.rule_words(rule)}"]
    search = window.episodes._search
    qtbot.waitUntil(lambda: [chip.text() for chip in search._terms] == wanted_chips)


def test_a_finding_that_is_accepted_is_counted_no_more(
    qtbot: QtBot, window: gui.Window, folder: Path
) -> None:
    before = {name: str(sum(rules.values()) or "–") for name, rules in told(folder).items()}
    qtbot.waitUntil(lambda: column(window) == before)
    table = window.episodes.table
    table.selectAll()
    with Library.open(folder) as library:
        name = next(name for name, count in before.items() if count != "–")
        episode = library.episode(name)
        around = linting.surroundings(library)
        first = next(
            one.finding
            for one in linting.lint_episode(library, episode, around)
            if one.finding.severity.value != "note"
        )
        linting.accept_finding(library, episode, first.step, first.rule, "it may", story.ANA)
    after = str(int(before[name]) - 1 or "–")
    window.findings.look()
    qtbot.waitUntil(lambda: column(window)[name] == after)
    assert table.selected_count() == len(before)  # what is chosen stays chosen


def test_the_inspector_tells_each_finding_and_shows_its_step(
    qtbot: QtBot, window: gui.Window, folder: Path
) -> None:
    qtbot.waitUntil(lambda: "None" not in column(window).values() and len(column(window)) > 1)
    table, found = window.episodes.table, window.episodes.inspector.found
    name = next(name for name, rules in told(folder).items() if sum(rules.values()) == 2)
    table.choose(list(column(window)).index(name))
    steps = [
        one.finding
        for one in linting.lint_library(folder, episode=name).open
        if one.finding.severity.value != "note"
    ]
    wanted = [f"Step {(one.step or 0) + 1}: {one.reason}" for one in steps]
    qtbot.waitUntil(lambda: found.lines() == wanted)
    with qtbot.waitSignal(window.episodes.annotate) as opened:
        found._rows[1]._show.click()
    with Library.read(folder) as library:
        assert opened.args == [library.episode(name).uuid, steps[1].step]


def test_what_a_person_judged_is_a_filter(qtbot: QtBot, window: gui.Window, folder: Path) -> None:
    with Library.open(folder) as library:
        uuid = library.episode("e-0412").uuid
        library.editor(story.ANA).set_attempt(uuid, Attempt(1, "failed"))
    window.episodes.refresh()
    group = window.episodes._filters._groups[FilterKind.JUDGED]
    qtbot.waitUntil(
        lambda: (
            [(row.text(), row._count) for row in group._rows if row.isVisibleTo(group)]
            == [("Failed", 1), ("Not judged", 2)]
        )
    )
    window.episodes._filters.toggle(FilterKind.JUDGED, "failed")
    qtbot.waitUntil(lambda: list(column(window)) == ["e-0412"])


def test_while_somebody_writes_it_waits_and_says_nothing(qtbot: QtBot, folder: Path) -> None:
    thread: WorkThread[None] = WorkThread("linting", lambda: None)
    looking = LintWatcher(folder, thread, lambda: True)
    failed: list[object] = []
    looking.failed.connect(failed.append)
    with Library.open(folder):
        with qtbot.waitSignal(looking.moved, check_params_cb=lambda *all_: all_ == (0, 0)):
            looking.look()
        assert (looking.running(), looking._later.isActive(), failed) == (False, True, [])
    with qtbot.waitSignal(looking.kept):
        looking.look()
    thread.stop()


def test_nothing_is_looked_at_while_something_is_recorded(qtbot: QtBot, folder: Path) -> None:
    thread: WorkThread[None] = WorkThread("linting", lambda: None)
    looking = LintWatcher(folder, thread, lambda: False)
    looking.look()
    assert (looking.running(), looking._later.isActive()) == (False, True)
    thread.stop()
    with Library.read(folder) as library:
        assert {one.findings for one in library.episodes()} == {None}


def test_a_count_says_what_it_is_made_of(folder: Path) -> None:
    with Library.open(folder) as library:
        one = library.episodes()[0]
        assert texts.findings_sentence(one) == "Not looked at yet"
        linting_counts = {("black-frame", "error"): 1, ("gap", "look"): 2, ("odd-time", "note"): 1}
        assert {rule for rule, _ in linting_counts} <= set(RULES)
        counts = linting.FindingCounts(one.uuid, library.gold_revision(one.uuid), linting_counts)
        library.keep_findings("now", [counts])
        one = library.episodes()[0]
    assert texts.findings_sentence(one) == "1 error, 2 to check, 1 note"
    assert texts.findings_mark(one) == ("alert-octagon", "record", "3")
