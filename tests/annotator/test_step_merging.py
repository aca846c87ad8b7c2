from dataclasses import replace

import pytest

from annotator.gold_actions import GoldAction, accepted_alternatives, current_gold
from annotator.step_merging import cut_step, join_steps
from episodes import actions as a
from episodes.annotations import Author, Gold, PrivateBox, Status
from episodes.clocks import Moment
from episodes.errors import KnownError
from episodes.geometry import Box, Direction, Point
from episodes.screens import Basis, Frame, Still, StillSource
from episodes.steps import Step, StepTexts
from tests.annotator.samples import SIZE, step

MARY = Author("uuid-of-mary", "Mary")


def timed(index, action, **fields):
    began, ended = Moment(index * 100, index), Moment(index * 100 + 50, index)
    after = Frame(SIZE, Basis.AFTER, pts_us=index * 100 + 90)
    return step(0, 0, index=index, action=action, began=began, ended=ended, after=after, **fields)


PAIRS = [
    (
        a.TypeText("he", clear=True),
        a.TypeText("llo", submit=True),
        a.TypeText("hello", None, True, True),
    ),
    (a.TypeText("hi"), a.PressKey(a.Key.ENTER), a.TypeText("hi", submit=True)),
    (a.Tap(Point(1, 2)), a.TypeText("hi"), a.TypeText("hi", Point(1, 2))),
    (a.Tap(Point(1, 2)), a.Tap(Point(1, 3)), a.DoubleTap(Point(1, 2))),
    (a.Scroll(Direction.UP), a.Scroll(Direction.UP), a.Scroll(Direction.UP)),
    (a.Wait(5), a.Wait(6), a.Wait(11)),
    (a.Wait(5), a.Wait(), a.Wait()),
]


@pytest.mark.parametrize(("first", "second", "together"), PAIRS)
def test_two_actions_that_are_one(first, second, together):
    assert join_steps([timed(0, first), timed(1, second)]).action == together


def test_a_merged_step_has_the_first_screen_and_the_last_times_and_all_words():
    first = timed(
        4,
        a.TypeText("he"),
        texts=StepTexts("Type.", "A form.", "To fill it in", "Before", "n"),
        extra="{}",
        golds=(Gold(1, a.Wait(), "alternative", "", Status.ACCEPTED),),
    )
    second = timed(
        5,
        a.TypeText("llo"),
        texts=StepTexts("Type more.", "The form", "To fill it in"),
        private_boxes=(PrivateBox(Box(0, 0, 1, 1)),),
        private=True,
    )
    assert join_steps([first, second]) == replace(
        first,
        action=a.TypeText("hello"),
        ended=second.ended,
        after=second.after,
        texts=StepTexts("Type. Type more.", "A form.", "To fill it in", "Before", "n"),
        golds=(),
        private=True,
        private_boxes=second.private_boxes,
        extra="",
    )


def test_steps_that_are_not_one_action_are_an_error_unless_a_person_names_it():
    steps = [timed(0, a.OpenApp("Mail")), timed(1, a.PressKey(a.Key.BACK))]
    with pytest.raises(KnownError, match="“open app” and then “press key” are no one action"):
        join_steps(steps)
    assert join_steps(steps, a.OpenApp("Mail")).action == a.OpenApp("Mail")
    with pytest.raises(KnownError, match="at least two"):
        join_steps(steps[:1])


def test_the_second_half_of_a_text_has_no_picture_and_no_time_of_its_own():
    still = Still("a" * 64, "image/png", SIZE, 9, StillSource.STREAM, True)
    whole = timed(3, a.TypeText("hello", Point(1, 2), clear=True, submit=True))
    whole = replace(whole, frame=replace(whole.frame, still=still, pts_us=5, packet=1, segment=0))
    first, second = cut_step(whole, 2)
    assert first == replace(whole, action=a.TypeText("he", Point(1, 2), clear=True), after=None)
    assert second == Step(
        index=4,
        action=a.TypeText("llo", Point(1, 2), submit=True),
        frame=Frame(SIZE, Basis.BEFORE_ACTION),
        source=whole.source,
        after=whole.after,
    )
    assert join_steps([first, second]).action == whole.action


def test_a_text_and_what_sent_it_off_and_a_double_tap_come_apart():
    sent = cut_step(timed(0, a.TypeText("hi", submit=True)))
    assert [one.action for one in sent] == [a.TypeText("hi"), a.PressKey(a.Key.ENTER)]
    taps = cut_step(timed(0, a.DoubleTap(Point(1, 2))))
    assert [one.action for one in taps] == [a.Tap(Point(1, 2))] * 2


@pytest.mark.parametrize(
    ("action", "at", "reason"),
    [
        (a.TypeText("hi"), 2, "2 characters, and a cut before character 2 makes no two"),
        (a.TypeText("hi"), None, "a cut nowhere makes no two. Say before which character, 1 to 1"),
        (a.Tap(Point(1, 2)), None, "“tap” has no parts"),
    ],
)
def test_a_step_without_parts_is_an_error(action, at, reason):
    with pytest.raises(KnownError, match=reason):
        cut_step(timed(0, action), at)


def test_the_newest_accepted_correction_is_in_force():
    golds = (
        Gold(1, a.Wait(1), "correction", "first", Status.ACCEPTED, MARY),
        Gold(2, a.Wait(2), "correction", "second", Status.ACCEPTED, MARY),
        Gold(3, a.Wait(3), "correction", "no", Status.REJECTED, MARY),
        Gold(4, a.Wait(4), "alternative", "also", Status.ACCEPTED),
    )
    corrected = timed(0, a.Wait(), golds=golds)
    assert current_gold(corrected) == GoldAction(2, a.Wait(2), "Mary", "second")
    assert current_gold(timed(0, a.Wait())) == GoldAction(0, a.Wait())
    assert accepted_alternatives(corrected) == (GoldAction(4, a.Wait(4), "", "also"),)
