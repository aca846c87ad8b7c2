"""What a person says in Review: kept under their name, shown, undone; and the tabs beside it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from episodes.annotations import Decision, Objection, StepJudgement
from episodes.store.library import Library
from recorder.devices import open_devices
from taptrail.gui import app as gui
from taptrail.gui.review.filters import Filter
from taptrail.gui.review.place import ReviewPlace
from taptrail.gui.review.side_panel import HISTORY, NOTES, NUMBERS, WHY, WORDS
from taptrail.gui.services import WindowServices
from taptrail.settings import Settings
from tests.gui import story

UUID = "0c8d3c1e-1111-4111-8111-000000000412"
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def folder(tmp_path: Path, story_folder: Path) -> Path:
    shutil.copytree(story_folder, tmp_path / "library")
    return tmp_path / "library"


@pytest.fixture
def window(qtbot: QtBot, folder: Path) -> Iterator[gui.Window]:
    settings = Settings(author="Ana P.", author_uuid=story.ANA.uuid)
    made = gui.Window(settings, folder, open_devices(1, "127.0.0.2"))
    qtbot.addWidget(made.main)
    made.main.resize(1440, 900)
    made.main.show()
    made.main.go_to(gui.PLACES.index("review"))
    place = made.review
    qtbot.waitUntil(lambda: len(place.scorer.judged) == 2 and place.differing.lines() != [])
    place.open_at(UUID, 2)
    qtbot.waitUntil(lambda: place.where() == ("e-0412", 2))
    turn(qtbot, place, "B")
    yield made
    made.stop()


def turn(qtbot: QtBot, place: ReviewPlace, letter: str) -> None:
    """Speaks of a run, and waits for its verdict."""
    place.shown.select("AB".index(letter))
    name = place.runs()["AB".index(letter)]
    qtbot.waitUntil(
        lambda: (found := place.comparisons.peek(2)) is not None and name in found.sides
    )
    place.strip.setFocus()


def objections(folder: Path) -> list[StepJudgement]:
    with Library.read(folder) as library:
        return [said for _, said in library.step_judgements()]


def golds(folder: Path) -> int:
    with Library.read(folder) as library:
        return len(library.episode("e-0412").steps[2].golds)


def test_one_two_three_say_what_the_buttons_say_and_undo_takes_it_back(
    qtbot: QtBot, window: gui.Window, folder: Path
) -> None:
    place, judgement = window.review, window.review.why.judgement
    run = place.runs()[1]
    assert judgement.words() == [
        "Accept as another right action",
        "The gold step is wrong…",
        "Disagree with the verdict…",
    ]
    qtbot.keyClick(place.strip, Qt.Key.Key_1)
    qtbot.waitUntil(lambda: golds(folder) == 1)
    qtbot.waitUntil(lambda: judgement.words()[0] == "Accepted as right, too")
    assert not judgement.buttons["judge-right"].isEnabled()
    assert "counts under taptrail-strict" in judgement._note.text()
    assert window.main.toast.text() == f"The answer of {run} is also right"

    qtbot.keyClick(place.strip, Qt.Key.Key_2)
    qtbot.waitUntil(judgement.reason.hasFocus)
    qtbot.keyClick(judgement.reason, Qt.Key.Key_Return)
    assert judgement.form_open()
    assert objections(folder) == []
    qtbot.keyClicks(judgement.reason, "the list was open")
    qtbot.keyClick(judgement.reason, Qt.Key.Key_Return)
    of_gold = StepJudgement(2, Objection.GOLD, "", "", "the list was open", story.ANA)
    qtbot.waitUntil(lambda: objections(folder) == [of_gold])
    qtbot.waitUntil(lambda: judgement.words()[1] == "Gold is wrong")

    qtbot.keyClick(place.strip, Qt.Key.Key_3)
    qtbot.keyClicks(judgement.reason, "near enough")
    judgement.go.click()
    of_verdict = StepJudgement(2, Objection.VERDICT, run, "guiodyssey@2", "near enough", story.ANA)
    qtbot.waitUntil(lambda: objections(folder) == [of_gold, of_verdict])
    qtbot.waitUntil(
        lambda: (
            place.aside.notes.objections()
            == [
                "the gold is wrong: the list was open (Ana P.)",
                f"disagrees about {run}, guiodyssey v2: near enough (Ana P.)",
            ]
        )
    )
    assert [line.split(",")[0] for line in place.aside.past.words()] == [
        "Disagree with a verdict: near enough",
        "Say that the gold is wrong: the list was open",
        "Add an alternative",
    ]
    for left in ([of_gold], []):
        qtbot.keyClick(place.strip, Qt.Key.Key_Z, CONTROL)
        qtbot.waitUntil(lambda n=left: objections(folder) == n)  # type: ignore[misc]
    qtbot.keyClick(place.strip, Qt.Key.Key_Z, CONTROL)
    qtbot.waitUntil(lambda: golds(folder) == 0)
    qtbot.waitUntil(lambda: judgement.words()[0] == "Accept as another right action")
    assert place.where() == ("e-0412", 2)


def test_an_objection_is_taken_back_where_it_was_made_and_escape_keeps_it(
    qtbot: QtBot, window: gui.Window, folder: Path
) -> None:
    place, judgement = window.review, window.review.why.judgement
    qtbot.keyClick(place.strip, Qt.Key.Key_2)
    qtbot.keyClicks(judgement.reason, "too late")
    qtbot.keyClick(judgement.reason, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: judgement.words()[1] == "Gold is wrong")
    qtbot.keyClick(place.strip, Qt.Key.Key_2)
    assert judgement.reason.text() == "too late"
    qtbot.keyClick(judgement.reason, Qt.Key.Key_Escape)
    assert (judgement.form_open(), place.strip.hasFocus()) == (False, True)
    qtbot.keyClick(place.strip, Qt.Key.Key_2)
    judgement._back.click()
    qtbot.waitUntil(lambda: objections(folder) == [])
    qtbot.waitUntil(lambda: judgement.words()[1] == "The gold step is wrong…")


def test_an_accepted_answer_is_judged_anew_by_rules_that_know_alternatives(
    qtbot: QtBot, window: gui.Window
) -> None:
    place = window.review
    place.choose_protocol("taptrail-strict@1")
    run = place.runs()[1]
    qtbot.waitUntil(lambda: len(place.scorer.judged) == 2 and place.differing.lines() != [])
    turn(qtbot, place, "B")
    qtbot.waitUntil(lambda: place.why.outcome_word() == "Mismatch")
    before = place.scorer.judged[run].metrics.values["AMS"].share
    assert before is not None
    qtbot.keyClick(place.strip, Qt.Key.Key_1)
    qtbot.waitUntil(lambda: place.why.outcome_word() == "Match")

    def judged_anew() -> bool:
        share = place.scorer.judged[run].metrics.values["AMS"].share
        return share is not None and share.hits == before.hits + 1

    qtbot.waitUntil(judged_anew)


def test_shift_and_a_number_judge_the_episode_with_a_reason(
    qtbot: QtBot, window: gui.Window, folder: Path
) -> None:
    place, form = window.review, window.review.why.judge_form
    place.aside.turn_to(WORDS)
    qtbot.keyClick(place.strip, Qt.Key.Key_2, SHIFT)
    assert (place.aside.tabs.choice(), form.decision()) == (WHY, Decision.SENT_BACK)
    qtbot.keyClick(form.reason, Qt.Key.Key_Return)
    assert place.why.form_open()
    qtbot.keyClicks(form.reason, "step 3 is another task")
    qtbot.keyClick(form.reason, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: place.foot.review_word() == "Sent back")
    with Library.read(folder) as library:
        review = library.episode_review(UUID)
    assert review is not None
    assert (review.decision, review.reason) == (Decision.SENT_BACK, "step 3 is another task")
    qtbot.keyClick(place.strip, Qt.Key.Key_Z, CONTROL)
    qtbot.waitUntil(lambda: place.foot.review_word() == "")


def test_a_note_is_kept_when_its_field_is_left(
    qtbot: QtBot, window: gui.Window, folder: Path
) -> None:
    place = window.review
    place.aside.turn_to(NOTES)
    note = place.aside.notes.note
    note.setFocus()
    qtbot.keyClicks(note, "look again")
    qtbot.keyClick(note, Qt.Key.Key_Return)

    def kept() -> str:
        with Library.read(folder) as library:
            return library.episode("e-0412").steps[2].texts.note

    qtbot.waitUntil(lambda: kept() == "look again")
    assert place.strip.hasFocus()


def test_keys_walk_the_tabs_and_a_cell_lists_its_steps(qtbot: QtBot, window: gui.Window) -> None:
    place = window.review
    walked = []
    for key in (Qt.Key.Key_BracketRight,) * 5 + (Qt.Key.Key_BracketLeft,):
        qtbot.keyClick(place.strip, key)
        walked.append(place.aside.tabs.choice())
    assert walked == [HISTORY, WORDS, NUMBERS, NOTES, WHY, NOTES]
    place.aside.turn_to(NUMBERS)
    numbers = place.aside.numbers
    judged = place.scorer.judged[place.runs()[1]]
    cells = {pair: n for pair, n in judged.kinds.counts.items() if pair[0] != pair[1]}
    assert cells
    (gold, said), count = next(iter(cells.items()))
    matrix = numbers.matrix
    matrix._at = (matrix._rows.index(gold), matrix._columns.index(said))
    qtbot.keyClick(matrix, Qt.Key.Key_Return)
    lines = place.differing.lines()
    assert place.differing.filter() == Filter(pair=f"B: {gold} > {said}")
    assert len(lines) == count
    assert {judged.pairs[line.place] for line in lines} == {(gold, said)}
    assert f"{count} of {judged.kinds.total(gold)}: gold" in ". ".join(matrix.lines())


def test_words_tell_the_task_and_the_step(window: gui.Window) -> None:
    words = window.review.aside.words
    with Library.read(window.parts.folder) as library:
        episode = library.episode("e-0412")
    assert words.task() == episode.task.instruction
    target = episode.steps[2].target
    assert words.value("Target") == (target.label if target is not None else "")
    assert words.value("Action").startswith("Tap")


def test_without_a_history_one_can_look_and_says_nothing(
    qtbot: QtBot, parts: WindowServices
) -> None:
    place = ReviewPlace(parts.reader, parts.judge, parts.small, parts.large)
    qtbot.addWidget(place)
    place.resize(1500, 860)
    place.show()
    place.entered()
    qtbot.waitUntil(lambda: place.where()[1] >= 0)
    judgement = place.why.judgement
    assert not any(button.isEnabled() for button in judgement.buttons.values())
    qtbot.keyClick(place.strip, Qt.Key.Key_2)
    assert not judgement.form_open()
    place.leaving()
