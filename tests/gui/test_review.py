"""Stepping through an episode shows the right verdict and reason for each step and run."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from episodes import actions as a
from episodes.geometry import Point
from episodes.runs import Prediction, Run
from episodes.store.library import Library
from episodes.verdicts import Outcome
from replay.side_by_side import SideBySide
from scoring.protocols import newest
from taptrail.gui.phrases import rounded
from taptrail.gui.review.filters import Filter, Sort
from taptrail.gui.review.place import ReviewPlace
from taptrail.gui.services import WindowServices
from taptrail.usecases import reviewing
from tests.gui import story

UUID = "0c8d3c1e-1111-4111-8111-000000000412"


@pytest.fixture
def place(qtbot: QtBot, parts: WindowServices) -> Iterator[ReviewPlace]:
    made = ReviewPlace(parts.reader, parts.judge, parts.small, parts.large)
    qtbot.addWidget(made)
    made.resize(1500, 860)
    made.show()
    made.entered()
    qtbot.waitUntil(lambda: len(made.scorer.judged) == 2 and made.where()[1] >= 0)
    made.open_at(UUID)
    qtbot.waitUntil(lambda: made.where()[0] == "e-0412" and made.differing.lines() != [])
    made.strip.setFocus()
    yield made
    made.leaving()


def settled(qtbot: QtBot, place: ReviewPlace, row: int) -> None:
    """Waits until the comparison of this step has come."""
    qtbot.waitUntil(lambda: place.where()[1] == row)
    qtbot.waitUntil(lambda: set(sides(place)) == {name for _, name in place.shown.answering()})


def sides(place: ReviewPlace) -> dict[str, SideBySide]:
    """Returns the comparison of the step that is shown, by run; none before it has come."""
    found = place.comparisons.get(place.shown.row, ahead=True)
    return found.sides if found is not None else {}


def key(qtbot: QtBot, place: ReviewPlace, code: Qt.Key, *modifiers: Qt.KeyboardModifier) -> None:
    held = Qt.KeyboardModifier.NoModifier
    for modifier in modifiers:
        held |= modifier
    target: QWidget = place.strip
    qtbot.keyClick(target, code, held)


def test_every_step_has_the_verdict_and_the_reason_of_the_protocol(
    qtbot: QtBot, place: ReviewPlace, parts: WindowServices
) -> None:
    with Library.read(parts.folder) as library:
        judged = reviewing.judge_run(library, story.RUNS[1], "guiodyssey@2")
    place.shown.select(1)
    seen = []
    for row in range(8):
        settled(qtbot, place, row)
        seen.append((place.why.outcome_word(), place.why.reason()))
        key(qtbot, place, Qt.Key.Key_Right)
    words = {"match": "Match", "mismatch": "Mismatch", "unscored": "Not scored"}
    verdicts = [judged.steps[UUID, number].verdict for number in range(8)]
    assert seen == [(words[v.outcome.value], rounded(v.reason)) for v in verdicts]
    assert [word for word, _ in seen].count("Mismatch") == 4


def test_keys_walk_steps_ends_and_episodes(qtbot: QtBot, place: ReviewPlace) -> None:
    walked = []
    for code in (Qt.Key.Key_Right, Qt.Key.Key_End, Qt.Key.Key_Right, Qt.Key.Key_Home):
        key(qtbot, place, code)
        walked.append(place.where())
    assert walked == [("e-0412", 1), ("e-0412", 7), ("e-0412", 7), ("e-0412", 0)]
    key(qtbot, place, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: place.where()[0] == "e-0410")
    key(qtbot, place, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: place.where()[0] == "e-0412")


def test_shift_goes_on_to_the_next_step_where_they_part(qtbot: QtBot, place: ReviewPlace) -> None:
    listed = [(line.episode, line.place[1]) for line in place.differing.lines()]
    assert listed == [("e-0410", 0), ("e-0410", 1), ("e-0412", 1), ("e-0412", 2), ("e-0412", 5)]
    shift = Qt.KeyboardModifier.ShiftModifier
    walked = []
    for code in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right):
        key(qtbot, place, code, shift)
        walked.append(place.where())
    assert walked == [("e-0412", 1), ("e-0412", 2), ("e-0412", 5), ("e-0412", 5)]
    for _ in range(3):
        key(qtbot, place, Qt.Key.Key_Left, shift)
    qtbot.waitUntil(lambda: place.where() == ("e-0410", 1))


def test_two_runs_can_be_set_against_one_another(qtbot: QtBot, place: ReviewPlace) -> None:
    def listed() -> list[tuple[str, int]]:
        return [(line.episode, line.place[1]) for line in place.differing.lines()]

    place.differing.use(Filter(Sort.A_ALONE))
    first = listed()
    assert ("e-0412", 2) in first
    words = {line.outcomes for line in place.differing.lines()}
    assert words == {(("A", Outcome.MATCH), ("B", Outcome.MISMATCH))}
    place.differing.use(Filter(Sort.B_ALONE))
    assert listed() == []
    place.choose_runs(list(reversed(story.RUNS)))
    qtbot.waitUntil(lambda: len(place.scorer.judged) == 2 and listed() == first)
    place.choose_runs([story.RUNS[0]])
    qtbot.waitUntil(lambda: place.differing.filter() == Filter(Sort.MISMATCH))


def test_rules_are_told_in_tooltips(qtbot: QtBot, place: ReviewPlace) -> None:
    settled(qtbot, place, 0)
    title, quirks = reviewing.about_protocol("guiodyssey@2")
    assert quirks
    for part in (place.why._protocol, place.parts.protocol):
        told = " ".join(part.toolTip().split())
        assert all(" ".join(words.split()) in told for words in (title, *quirks))
    told = " ".join(place.why._rule.toolTip().split())
    assert place.why.reason() in told
    assert title in told


def test_what_the_model_wrote_is_shown_as_it_came(qtbot: QtBot, place: ReviewPlace) -> None:
    place.shown.select(1)
    place.turn_to(5)
    settled(qtbot, place, 5)
    assert place.why.raw() == "I cannot see the field."
    assert "Could not be read: no action was found in the text." in place.why._from.text()
    place.shown.select(0)
    assert place.why.raw() == "Action: type_text"


def test_other_rules_are_beside(qtbot: QtBot, place: ReviewPlace) -> None:
    place.shown.select(1)
    place.turn_to(2)
    settled(qtbot, place, 2)
    assert set(place.why.others()) == set(newest()) - {"guiodyssey@2"}
    assert set(place.why.others().values()) <= {"Match", "Mismatch", "Not scored"}


def test_another_protocol_judges_everything_again(qtbot: QtBot, place: ReviewPlace) -> None:
    before = place.differing.lines()
    place.choose_protocol("taptrail-strict@1")
    qtbot.waitUntil(lambda: len(place.scorer.judged) == 2)
    assert {run.protocol for run in place.scorer.judged.values()} == {"taptrail-strict@1"}
    place.choose_protocol("guiodyssey@2")
    qtbot.waitUntil(lambda: place.differing.lines() == before)


def test_each_column_has_its_mark_on_the_same_frame(qtbot: QtBot, place: ReviewPlace) -> None:
    place.turn_to(2)
    settled(qtbot, place, 2)
    views = place.columns.views()
    said = [view.accessibleDescription() for view in views]
    assert said == [
        "Gold: Tap New contact",
        "tidewater-7b: Tap 375, 1078 px",
        "saltmarsh-3b: Tap 225, 100 px",
    ]
    qtbot.waitUntil(lambda: all(view.image() is not None for view in views))
    fits = [fit for view in views if (fit := view.fit()) is not None]
    assert [fit.rect.size() for fit in fits] == [fits[0].rect.size()] * 3
    key(qtbot, place, Qt.Key.Key_O)
    (together,) = place.columns.views()
    assert together.accessibleDescription() == ". ".join(said)


def test_frames_keep_their_picture_when_they_are_laid_over_one_another(
    qtbot: QtBot, place: ReviewPlace
) -> None:
    place.turn_to(2)
    settled(qtbot, place, 2)
    qtbot.waitUntil(lambda: all(view.image() is not None for view in place.columns.views()))
    pictures = [place.columns.views()[0].image()]
    place.parts.mode.chosen.emit(1)
    (together,) = place.columns.views()
    assert [together.image()] == pictures
    place.parts.mode.chosen.emit(0)
    assert [view.image() for view in place.columns.views()] == pictures * 3


def test_steps_are_counted_by_their_place_also_after_a_drop(qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    whole = story.build(folder)[1]
    fewer = replace(whole, uuid=UUID[:-1] + "3", name="e-0413", steps=whole.steps[3:])
    with Library.open(folder) as library:
        library.save_episodes([fewer])
        said = [Prediction("e-0413", 4, "CLICK", a.Tap(Point(1, 1)))]
        library.save_run(Run("late", "taptrail", dataset="recorded"), said)
    parts = WindowServices(folder)
    place = ReviewPlace(parts.reader, parts.judge, parts.small, parts.large)
    qtbot.addWidget(place)
    place.resize(1500, 860)
    place.show()
    place.open_at(fewer.uuid)
    qtbot.waitUntil(lambda: place.where() == ("e-0413", 0) and place.differing.lines() != [])
    assert list(place.scorer.judged) == ["late"]
    model = place.strip.model()
    tips = [model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(5)]
    assert [tip.split(", ")[0] for tip in tips] == [f"Step {n} of 5" for n in range(1, 6)]
    indexes = [tip.split(", ")[-1] for tip in tips]
    assert indexes == [f"index {n} in the data" for n in range(3, 8)]
    assert [item.number for item in place.strip._steps.items] == [1, 2, 3, 4, 5]
    (line,) = [line for line in place.differing.lines() if line.place == (fewer.uuid, 4)]
    assert line.number == 2
    parts.stop()


def test_scores_say_what_they_are_made_of(qtbot: QtBot, place: ReviewPlace) -> None:
    rows = [row.accessibleName() for row in place.scores._rows]
    assert rows == [
        "Run A, tidewater-7b: AMS 90.0 %, SR 100.0 %",
        "Run B, saltmarsh-3b: AMS 40.0 %, SR 0.0 %",
    ]
    assert place.scores._made_of.text() == (
        "A: 9 of 10 steps, 1 of 1 episodes\nB: 4 of 10 steps, 0 of 1 episodes"
    )


def test_a_run_can_be_taken_away_and_put_back(qtbot: QtBot, place: ReviewPlace) -> None:
    place.choose_runs([story.RUNS[1]])
    settled(qtbot, place, 0)
    assert [row.accessibleName()[:5] for row in place.scores._rows] == ["Run A"]
    qtbot.waitUntil(lambda: len(place.columns.views()) == 2)
    place.choose_runs(list(story.RUNS))
    qtbot.waitUntil(lambda: len(place.scorer.judged) == 2 and len(place.columns.views()) == 3)
    assert place.runs() == list(story.RUNS)


def test_a_run_that_does_not_answer_the_episode_has_no_column(qtbot: QtBot, tmp_path: Path) -> None:
    story.build(tmp_path / "library", more=1)
    with Library.open(tmp_path / "library") as library:
        said = Prediction("00000000", 0, "CLICK", a.Tap(Point(1, 1)))
        library.save_run(Run("elsewhere", "taptrail", dataset="guiodyssey"), [said])
    parts = WindowServices(tmp_path / "library")
    place = ReviewPlace(parts.reader, parts.judge, parts.small, parts.large)
    qtbot.addWidget(place)
    place.resize(1500, 860)
    place.show()
    place.entered()
    qtbot.waitUntil(lambda: list(place.scorer.judged) == ["elsewhere"])
    for uuid, runs in ((UUID, list(story.RUNS)), (next(story.many(1)).uuid, ["elsewhere"])):
        place.open_at(uuid)
        qtbot.waitUntil(
            lambda u=uuid: place.shown.opened is not None and place.shown.opened.episode.uuid == u
        )
        qtbot.waitUntil(lambda r=runs: list(sides(place)) == r)
        names = [view.accessibleName() for view in place.columns.views()]
        assert names == ["Frame, Gold", *(f"Frame, {run}" for run in runs)]
        assert place.scorer.runs[place.shown.selected] == runs[0]
    parts.stop()


def test_an_episode_opens_beside_the_runs_that_answer_it(qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    story.build(folder, more=1)
    with Library.open(folder) as library:
        library.save_run(Run("without-answers", "taptrail", dataset="recorded"), [])
    parts = WindowServices(folder)
    place = ReviewPlace(parts.reader, parts.judge, parts.small, parts.large)
    qtbot.addWidget(place)
    place.resize(1500, 860)
    place.show()
    place.entered()
    place.open_at(UUID, 2)  # at once, as the window does it
    qtbot.waitUntil(lambda: place.where() == ("e-0412", 2) and len(place.scorer.judged) == 2)
    assert place.runs() == list(story.RUNS)
    assert len(place.scores._rows) == 2
    place.entered()
    place.open_at(next(story.many(1)).uuid)
    qtbot.waitUntil(lambda: place.where() == ("00000000", 0) and not sides(place))
    assert place.runs() == []
    qtbot.waitUntil(lambda: place.why.empty_words() == "No selected run has predictions here")
    with qtbot.waitSignal(place.why.wanted):
        place.why.choose.click()
    assert place.why.choose.isVisible()
    (menu,) = place.parts.runs.findChildren(QMenu)
    offered = [action.text() for action in menu.actions()]
    assert offered == [*story.RUNS, "without-answers"]
    menu.actions()[2].trigger()
    qtbot.waitUntil(lambda: place.runs() == ["without-answers"])
    menu.close()
    place.open_at(UUID)
    qtbot.waitUntil(lambda: place.where()[0] == "e-0412" and len(place.scorer.judged) == 2)
    assert place.runs() == list(story.RUNS)
    parts.stop()
