"""The Annotate page: sixty steps by keyboard, queue, findings, prompts, rounds, decisions."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from annotator.candidates import Level
from annotator.review_queue import is_sampled
from annotator.sam2.values import Prompt
from episodes.annotations import Author, Decision, Region, RegionSource
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.geometry import Box, Point
from episodes.steps import Step
from episodes.store.library import Library
from taptrail.gui.annotate.frame import Tool
from taptrail.gui.annotate.place import AnnotatePlace
from taptrail.gui.annotate.rounds import RoundForm
from taptrail.gui.annotate.sam2_prompts import PromptPoints
from taptrail.gui.main_window import MainWindow
from taptrail.gui.services import WindowServices
from taptrail.usecases import annotating, blind, editing, linting
from taptrail.usecases.annotating import StepState
from taptrail.usecases.box_times import box_times
from tests.gui import desk_story, story

Open = Callable[..., AnnotatePlace]
K = Qt.Key
NONE, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


class Answers:
    """SAM 2 as the place sees it: answers when it is told to."""

    def __init__(self, why: str = "") -> None:
        self.why = why
        self.asked: list[tuple[int, Prompt, Author]] = []
        self._waiting: list[tuple[Episode, Step, PromptPoints]] = []

    def why_not(self) -> str:
        return self.why

    def look(self) -> None:
        pass

    def ask(
        self, episode: Episode, step: Step, prompt: Prompt, author: Author, asker: PromptPoints
    ) -> None:
        self.asked.append((step.index, prompt, author))
        self._waiting.append((episode, step, asker))

    def answer(self, *regions: Region) -> None:
        episode, step, asker = self._waiting.pop(0)
        asker.answered(episode, step, list(regions))

    def fail(self, error: KnownError) -> None:
        self._waiting.pop(0)[2].failed(error)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "pilot-study"


@pytest.fixture
def opened(qtbot: QtBot, folder: Path) -> Iterator[Open]:
    """Opens the place on the library, in somebody's name, on one of the episodes."""
    living: list[WindowServices] = []

    def open_place(
        uuid: str = desk_story.DESK, author: Author = story.ANA, answers: Answers | None = None
    ) -> AnnotatePlace:
        parts = WindowServices(folder)
        living.append(parts)
        place = AnnotatePlace(
            folder, parts.reader, parts.library, parts.small, parts.large, author, answers
        )
        window = MainWindow([(place, "vector-square")])
        window.undone.connect(place.undo)
        window.redone.connect(place.redo)
        qtbot.addWidget(window)
        window.resize(1440, 900)
        window.show()
        window.activateWindow()
        window.go_to(0)
        place.open_at(uuid)
        qtbot.waitUntil(lambda: place.state.uuid() == uuid and place.where()[1] == 0)
        place.frame.setFocus()
        qtbot.waitUntil(lambda: place.frame.hasFocus())
        return place

    yield open_place
    for parts in living:
        parts.stop()


@pytest.fixture
def short(folder: Path) -> Path:
    desk_story.build(folder, long_one=False)
    return folder


def press(
    qtbot: QtBot, key: Qt.Key, held: Qt.KeyboardModifier = NONE, on: QWidget | None = None
) -> None:
    """Presses a key where the keyboard is."""
    target = on or QApplication.focusWidget()
    assert target is not None
    qtbot.keyClick(target, key, held)


def write(qtbot: QtBot, words: str) -> None:
    target = QApplication.focusWidget()
    assert target is not None
    qtbot.keyClicks(target, words)


def saved(qtbot: QtBot, place: AnnotatePlace) -> None:
    qtbot.waitUntil(place.saved)


def kept(folder: Path, uuid: str = desk_story.DESK) -> Episode:
    with Library.read(folder) as library:
        return library.episode(uuid)


def journal(folder: Path, uuid: str = desk_story.DESK) -> list[str]:
    with Library.read(folder) as library:
        return [line.words for line in editing.history(library, uuid)]


def test_sixty_steps_are_settled_by_keyboard_alone(
    qtbot: QtBot, opened: Open, folder: Path
) -> None:
    desk_story.build(folder)
    place = opened(desk_story.LONG)
    before = place.state.levels()
    assert len(place.state.steps()) == 60
    assert len(before) > 40
    assert set(before.values()) == set(Level)
    visited: list[int] = []
    press(qtbot, K.Key_Tab, on=place.frame)  # the first low one
    while place.state.to_look_at():
        here = place.where()[1]
        visited.append(here)
        if place.state.levels()[here] is Level.LOW and len(visited) % 2:
            press(qtbot, K.Key_W)
            press(qtbot, K.Key_Down)
            press(qtbot, K.Key_Down)
            press(qtbot, K.Key_Return)
        else:
            press(qtbot, K.Key_1)
            press(qtbot, K.Key_E)
        assert len(visited) <= 60
    looked_at = [before[index] for index in visited]
    assert looked_at == sorted(looked_at, key=[Level.LOW, Level.MEDIUM, Level.HIGH].index)
    high = [index for index, level in before.items() if level is Level.HIGH]
    assert [index for index in visited if before[index] is Level.HIGH] == [
        index for index in high if is_sampled(desk_story.LONG, index)
    ]
    press(qtbot, K.Key_E, SHIFT)  # the other high ones
    press(qtbot, K.Key_1, SHIFT)
    write(qtbot, "all looked at")
    press(qtbot, K.Key_Return)
    saved(qtbot, place)
    episode = kept(folder, desk_story.LONG)
    states = {step.index: annotating.open_step(episode, step).state for step in episode.steps}
    assert [index for index, state in states.items() if state is StepState.ACCEPTED] == sorted(
        before
    )
    assert set(states.values()) == {StepState.ACCEPTED, StepState.NONE}
    with Library.read(folder) as library:
        review = library.episode_review(desk_story.LONG)
        times = box_times(library.edits(desk_story.LONG))
    assert review is not None
    assert (review.decision, review.reason) == (Decision.ACCEPTED, "all looked at")
    assert sorted(one.step for one in times) == sorted(visited)
    assert place.decision.counts().startswith(f"{len(before)} accepted · median ")
    lines = journal(folder, desk_story.LONG)
    assert lines == ["Accept a region"] * len(before) + ["Judge the episode"]
    place.window().close()
    again = opened(desk_story.LONG)
    for _ in range(4):
        press(qtbot, K.Key_Z, CTRL, on=again.frame)
    saved(qtbot, again)
    assert len(again.state.levels()) == 3
    again.window().close()
    third = opened(desk_story.LONG)
    for _ in range(4):
        press(qtbot, K.Key_Z, CTRL | SHIFT, on=third.frame)
    saved(qtbot, third)
    assert kept(folder, desk_story.LONG) == episode


def test_the_head_counts_what_waits_at_each_level(qtbot: QtBot, opened: Open, short: Path) -> None:
    place = opened()
    levels = place.state.levels()
    counts = [list(levels.values()).count(one) for one in (Level.LOW, Level.MEDIUM, Level.HIGH)]
    assert place.parts.counts.words() == "{} low, {} medium, {} high".format(*counts)
    menu = place.parts.queue.menu()
    assert [action.text().partition("\t")[0] for action in menu.actions() if action.text()] == [
        "Low first, then medium, then one in 10 of the high",
        "In the order of the steps",
        f"Accept the {_rest(place)} other high steps",
    ]
    menu.actions()[1].trigger()
    assert place.parts.queue.text() == "Queue: in order"
    assert place.state.to_look_at() == sorted(levels)


def _rest(place: AnnotatePlace) -> int:
    high = [index for index, level in place.state.levels().items() if level is Level.HIGH]
    return sum(not is_sampled(place.state.uuid(), index) for index in high)


def test_the_next_step_without_a_target_is_a_key_away(
    qtbot: QtBot, opened: Open, short: Path
) -> None:
    place = opened()
    walked = []
    for held in (NONE, NONE, SHIFT, SHIFT):
        press(qtbot, K.Key_U, held, on=place.frame)
        walked.append(place.where()[1])
    assert walked == [1, 2, 1, 6]


def test_every_source_is_drawn_in_its_own_way_and_a_mask_by_its_edge(
    qtbot: QtBot, opened: Open, short: Path
) -> None:
    place = opened()
    place.navigation.turn_to(1)
    qtbot.waitUntil(lambda: place.frame.image() is not None)
    drawn = place.parts.painting.regions()
    sources = [one.source for one in drawn]
    assert len(drawn) == 5
    assert [one.source.value for one in drawn].count("sam2") == 2
    assert sources.count(RegionSource.SUGGESTION) == 1
    masks = [one for one in drawn if one.source is RegionSource.SAM2]
    assert [len(one.outlines) for one in masks] == [1, 1]
    corners = masks[0].outlines[0]
    assert len(corners) > 8
    assert all(point in desk_story.BUTTON for point in corners)
    at = next(
        at
        for at, one in enumerate(_choices(place))
        if one.region.provenance.source is RegionSource.SAM2
    )
    place.navigation.focus_on(at)
    dotted = place.frame.grab().toImage()
    press(qtbot, K.Key_Space, on=place.frame)
    plain = place.frame.grab().toImage()
    assert plain != dotted
    press(qtbot, K.Key_Space, on=place.frame)
    assert place.frame.grab().toImage() == dotted


def _choices(place: AnnotatePlace) -> tuple[annotating.Choice, ...]:
    opened = place.state.opened()
    assert opened is not None
    return opened.choices


def test_the_loupe_stays_at_the_press_while_it_is_kept(
    qtbot: QtBot, opened: Open, short: Path
) -> None:
    place = opened()
    press(qtbot, K.Key_D)
    assert place.frame.loupe_place() is None
    press(qtbot, K.Key_O)
    assert place.frame.loupe_place() == Point(405, 1070)
    press(qtbot, K.Key_D)
    assert place.frame.loupe_place() == Point(300, 308)
    press(qtbot, K.Key_O)
    assert place.frame.loupe_place() is None


def test_places_are_off_without_a_model_and_say_why(
    qtbot: QtBot, opened: Open, short: Path
) -> None:
    place = opened(answers=Answers("No model is here yet. Add one."))
    press(qtbot, K.Key_D)
    press(qtbot, K.Key_Q)
    assert place.frame.tool() is Tool.SELECT
    assert not place.tools.point.isEnabled()
    assert place.tools.avoid.toolTip() == "No model is here yet. Add one."
    assert place.tools.polygon.isEnabled()


def test_places_ask_again_and_their_masks_become_candidates(
    qtbot: QtBot, opened: Open, short: Path
) -> None:
    answers = Answers()
    place = opened(answers=answers)
    qtbot.waitUntil(lambda: place.status._saved.text() == "Saved")
    place.navigation.turn_to(2)
    before = len(_choices(place))
    press(qtbot, K.Key_Q)
    assert place.frame.cursor_place() == Point(300, 308)
    press(qtbot, K.Key_Return)
    press(qtbot, K.Key_X)
    for _ in range(3):
        press(qtbot, K.Key_Down, SHIFT)
    press(qtbot, K.Key_Return)
    inside, outside = Point(300, 308), Point(300, 338)
    assert place.status._health.text() == "SAM 2 is looking…"
    assert answers.asked == [
        (2, Prompt((inside,)), story.ANA),
        (2, Prompt((inside,), (outside,)), story.ANA),
    ]
    press(qtbot, K.Key_Z)
    assert answers.asked[-1] == (2, Prompt((inside,)), story.ANA)
    assert place.prompts.places() == [(inside, True)]
    answers.answer()
    answers.answer()
    found = desk_story.mask(Box(90, 260, 500, 356), 0.91, round_by=8, number=7)
    answers.answer(found)
    saved(qtbot, place)
    assert len(_choices(place)) == before + 1
    focus = place.state.chosen()
    assert focus is not None
    assert focus.region.uuid == found.uuid
    assert place.prompts.waiting() is False
    assert place.frame.tool() is Tool.AVOID  # the tool stays in the hand
    press(qtbot, K.Key_Delete)
    assert place.prompts.places() == []
    assert journal(short) == ["Propose regions"]
    press(qtbot, K.Key_V)
    press(qtbot, K.Key_N)
    assert place.frame.tool() is Tool.AVOID


def test_an_answer_that_does_not_come_is_told(qtbot: QtBot, opened: Open, short: Path) -> None:
    answers = Answers()
    place = opened(answers=answers)
    qtbot.waitUntil(lambda: place.status._saved.text() == "Saved")
    place.navigation.turn_to(2)
    press(qtbot, K.Key_Q, on=place.frame)
    press(qtbot, K.Key_Return, on=place.frame)
    answers.fail(KnownError("ask SAM 2", "its process ended", "Ask again."))
    assert "its process ended" in place.decision.error.text()
    assert place.prompts.waiting() is False


def test_a_box_and_what_was_not_meant_are_asked_about_too(
    qtbot: QtBot, opened: Open, short: Path
) -> None:
    answers = Answers()
    place = opened(answers=answers)
    qtbot.waitUntil(lambda: place.status._saved.text() == "Saved")
    place.navigation.turn_to(2)
    press(qtbot, K.Key_X, on=place.frame)
    press(qtbot, K.Key_Down, SHIFT)
    press(qtbot, K.Key_Return)
    press(qtbot, K.Key_W)
    place.frame.set_draft(Box(90, 260, 500, 356))
    press(qtbot, K.Key_W, SHIFT)
    pressed, outside = Point(300, 308), Point(300, 318)
    assert [prompt for _, prompt, _ in answers.asked] == [
        Prompt((pressed,), (outside,)),
        Prompt((pressed,), (outside,), Box(90, 260, 500, 356)),
    ]
    assert place.frame.draft() is None


def test_an_outline_drawn_by_hand_is_a_target_with_a_mask(
    qtbot: QtBot, opened: Open, short: Path
) -> None:
    place = opened()
    place.navigation.turn_to(5)
    press(qtbot, K.Key_P)
    for moves in ((), (K.Key_Right,) * 4, (K.Key_Down,) * 3):
        for key in moves:
            press(qtbot, key, SHIFT)
        press(qtbot, K.Key_Return)
    assert place.state.corners == [Point(250, 700), Point(290, 700), Point(290, 730)]
    press(qtbot, K.Key_Z)
    press(qtbot, K.Key_Return)
    press(qtbot, K.Key_E)
    saved(qtbot, place)
    target = kept(short).steps[5].target
    assert target is not None
    assert (target.box, target.provenance.source) == (
        Box(250, 700, 290, 730),
        RegionSource.PERSON,
    )
    assert target.mask is not None
    assert place.state.corners == []


def test_findings_stand_on_the_strip_and_are_accepted_with_a_reason(
    qtbot: QtBot, opened: Open, short: Path
) -> None:
    place = opened()
    qtbot.waitUntil(lambda: bool(place.state.findings))
    with Library.read(short) as library:
        told = linting.lint_episode(
            library, library.episode(desk_story.DESK), linting.surroundings(library)
        )
    assert list(place.state.findings) == told
    row = next(
        row for row, step in enumerate(place.state.steps()) if place.state.findings_of(step.index)
    )
    index = place.state.steps()[row].index
    place.navigation.turn_to(row)
    lines = place.decision.findings.lines()
    here = place.state.findings_of(index)[0]
    assert lines[0].endswith(here.finding.reason)
    shown = [item.findings for item in place.strip._steps.items]
    assert [mark is not None for mark in shown] == [
        bool(place.state.findings_of(step.index)) for step in place.state.steps()
    ]
    press(qtbot, K.Key_F)
    place.decision.findings.row(0).let.setFocus()
    press(qtbot, K.Key_Space)
    write(qtbot, "looked at it")
    press(qtbot, K.Key_Return)
    saved(qtbot, place)
    qtbot.waitUntil(lambda: any(one.accepted is not None for one in place.state.findings_of(index)))
    with Library.read(short) as library:
        (accepted,) = library.accepted_findings(desk_story.DESK)
    assert (accepted.step, accepted.rule) == (index, here.finding.rule)
    assert any("looked at it" in line for line in place.decision.findings.lines())
    press(qtbot, K.Key_Z, CTRL, on=place.frame)
    saved(qtbot, place)
    qtbot.waitUntil(lambda: all(one.accepted is None for one in place.state.findings))


def test_a_finding_that_the_program_can_mend_is_mended(
    qtbot: QtBot, opened: Open, short: Path
) -> None:
    with Library.open(short) as library:
        episode = library.episode(desk_story.DESK)
        annotating.accept_own_box(
            library, episode, episode.steps[1], Box(10, 10, 60, 60), story.ANA
        )
    place = opened()
    place.navigation.turn_to(1)
    qtbot.waitUntil(
        lambda: any(
            one.finding.rule == "press-outside-region" for one in place.state.findings_of(1)
        )
    )
    rows = [one.finding.rule for one in place.state.findings_of(1)]
    place.decision.findings.row(rows.index("press-outside-region")).fix.click()
    saved(qtbot, place)
    target = kept(short).steps[1].target
    assert target is not None
    assert target.box == desk_story.BUTTON


def test_an_episode_is_sent_back_with_a_reason_and_taken_back(
    qtbot: QtBot, opened: Open, short: Path
) -> None:
    place = opened()
    press(qtbot, K.Key_2, SHIFT)
    form = place.decision.judge_form
    assert form.decision() is Decision.SENT_BACK
    press(qtbot, K.Key_Return)
    assert form.isVisible()  # a reason is needed
    write(qtbot, "step 6 is another app")
    press(qtbot, K.Key_Return)
    saved(qtbot, place)
    assert not form.isVisible()
    assert place.parts._review.text() == "Sent back"
    assert "step 6 is another app" in place.parts._review.toolTip()
    press(qtbot, K.Key_Z, CTRL, on=place.frame)
    saved(qtbot, place)
    assert not place.parts._review.isVisible()
    assert journal(short) == ["Judge the episode", "Undo: judge the episode"]


def enter_round(qtbot: QtBot, place: AnnotatePlace, name: str, *, settle: bool = False) -> None:
    press(qtbot, K.Key_B, CTRL, on=place.frame)
    form = place.decision.round_form
    qtbot.waitUntil(form.isVisible)
    form.name.setText(name)
    (form.decide if settle else form.choose).click()
    qtbot.waitUntil(lambda: place.state.round == name and not place._opening)
    place.frame.setFocus()


def test_two_people_choose_blind_and_a_third_settles_it(
    qtbot: QtBot, opened: Open, short: Path
) -> None:
    with Library.open(short) as library:  # somebody has settled one before
        episode = library.episode(desk_story.DESK)
        annotating.accept_own_box(
            library, episode, episode.steps[1], Box(1, 1, 9, 9), desk_story.BEN, "Secret"
        )
    before = kept(short)
    seen = []
    for author, key in ((story.ANA, K.Key_1), (desk_story.BEN, K.Key_2)):
        place = opened(author=author)
        enter_round(qtbot, place, "first")
        place.navigation.order(by_level=False)
        assert place.parts.band.words().endswith(
            f"left. {author.name} chooses; what others chose is not shown."
        )
        place.navigation.turn_to(1)
        qtbot.waitUntil(lambda p=place: p.where()[1] == 1)
        seen.append(place.decision.choices.lines())
        assert place.parts.strip._steps.items[1].icon != ("check", "match")
        assert "Secret" not in "".join(item.words for item in place.strip._steps.items)
        assert place.state.findings == ()
        press(qtbot, key, on=place.frame)
        press(qtbot, K.Key_E)
        press(qtbot, K.Key_1)
        press(qtbot, K.Key_E)
        place.navigation.turn_to(5)
        press(qtbot, K.Key_Delete, on=place.frame)
        saved(qtbot, place)
        place.forms.edit_action()
        assert not place.decision.form_open()
        place.window().close()
    assert seen[0] == seen[1]
    assert kept(short) == before
    with Library.read(short) as library:
        choices = library.blind_choices(desk_story.DESK, "first")
    assert len(choices) == 6
    assert all(one.seconds is not None and one.seconds > 0 for one in choices)
    place = opened()
    enter_round(qtbot, place, "first", settle=True)
    assert "Ana P. · Ben K.: same region at 2 of 3" in place.parts.band.words()
    place.navigation.turn_to(1)
    lines = place.decision.choices.lines()
    assert [line.split(", ")[1:3] for line in lines[:2]] == [["A", "Ana P."], ["B", "Ben K."]]
    assert [one.letter for one in place.parts.painting.regions()] == ["A", "B"]
    assert place.decision.band.words().startswith("Low. A person decides. They chose different")
    press(qtbot, K.Key_2, on=place.frame)
    assert place.decision.go.text().startswith("Take Ben K.")
    press(qtbot, K.Key_E)
    saved(qtbot, place)
    with Library.read(short) as library:
        taken = next(one.box for one in choices if one.step == 1 and one.author == desk_story.BEN)
        target = library.episode(desk_story.DESK).steps[1].target
    assert target is not None
    assert target.box == taken
    assert place.state.step_state(1) is StepState.ACCEPTED
    press(qtbot, K.Key_Z, CTRL, on=place.frame)
    saved(qtbot, place)
    assert place.state.step_state(1) is StepState.LOW
    target = kept(short).steps[1].target
    assert target is not None
    assert target.label == "Secret"
    place.parts.band.leave.click()
    qtbot.waitUntil(lambda: place.state.round == "" and not place._opening)
    assert not place.parts.band.isVisible()


def test_a_blind_choice_is_taken_back_by_undo(qtbot: QtBot, opened: Open, short: Path) -> None:
    place = opened()
    enter_round(qtbot, place, "first")
    place.navigation.turn_to(1)
    press(qtbot, K.Key_1, on=place.frame)
    press(qtbot, K.Key_E)
    saved(qtbot, place)
    assert place.status.undo_words() == "Undo: choose blind, step 2"
    press(qtbot, K.Key_Z, CTRL, on=place.frame)
    saved(qtbot, place)
    with Library.read(short) as library:
        assert library.blind_choices(desk_story.DESK) == ()
        assert blind.rounds(library) == ()


def test_a_round_without_choices_cannot_be_settled(qtbot: QtBot, opened: Open, short: Path) -> None:
    place = opened()
    press(qtbot, K.Key_B, CTRL)
    form = place.decision.round_form
    qtbot.waitUntil(form.isVisible)
    form.name.setText("second")
    form.decide.click()
    assert form._wrong.text() == "Nobody has chosen anything in “second”."
    assert place.state.round == ""


def test_the_rounds_there_are_tell_how_many_chose(qtbot: QtBot) -> None:
    form = RoundForm()
    qtbot.addWidget(form)
    form.open_with([blind.BlindRound("first", 1, 1), blind.BlindRound("second", 3, 2)])
    assert form._rounds.text() == "first: 1 choice by 1 person\nsecond: 3 choices by 2 people"


def test_an_episode_of_which_a_round_knows_nothing_is_told_and_not_opened(
    qtbot: QtBot, opened: Open, folder: Path
) -> None:
    desk_story.build(folder)
    with Library.open(folder) as library:
        episode = library.episode(desk_story.DESK)
        blind.choose(library, episode, episode.steps[1], "first", None, desk_story.BEN)
    place = opened()
    enter_round(qtbot, place, "first", settle=True)
    place.navigation.turn_to(1)
    for button in (place.parts.before, place.parts.after):
        button.click()
    told = (
        f"Cannot settle the blind round first in {desk_story.LONG_NAME}: nobody has chosen "
        "anything in it there. Leave the round to mark this episode openly."
    )
    qtbot.waitUntil(lambda: place.decision.error.text() == told)
    assert place.where()[0] == desk_story.DESK_NAME
    assert place.state.round == "first"
    place.parts.band.leave.click()
    qtbot.waitUntil(lambda: place.state.round == "" and not place._opening)
    assert place.decision.error.text() == told
    enter_round_and_fail(qtbot, place)
    assert place.where()[0] == desk_story.LONG_NAME
    assert place.state.round == ""


def enter_round_and_fail(qtbot: QtBot, place: AnnotatePlace) -> None:
    """Wants to settle a round in an episode in which nobody has chosen anything."""
    place.open_at(desk_story.LONG)
    qtbot.waitUntil(lambda: place.state.uuid() == desk_story.LONG and not place._opening)
    assert place.decision.error.isHidden()
    place.desk.settle("first")
    qtbot.waitUntil(lambda: place.decision.error.isVisible() and place.state.round == "")
    qtbot.waitUntil(lambda: not place._opening)


def test_findings_are_looked_for_beside_the_window(
    qtbot: QtBot, opened: Open, short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = set()
    plain = linting.lint_episode

    def noted(*args: object) -> object:
        threads.add(threading.get_ident())
        return plain(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(linting, "lint_episode", noted)
    place = opened()
    qtbot.waitUntil(lambda: bool(place.state.findings))
    assert threads
    assert threading.get_ident() not in threads
