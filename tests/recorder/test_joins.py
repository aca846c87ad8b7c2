"""Which tree and which app belong to a step, by the times they were asked for."""

from __future__ import annotations

import numpy as np
import pytest

from episodes.clocks import Moment
from episodes.geometry import Size
from episodes.screens import AppFit, Foreground, TreeFit, TreeRecord, TreeStatus
from recorder import foreground, trees
from recorder.clock import ClockMap
from recorder.foreground import AppSample
from recorder.frames import FrameNote
from recorder.screen_log import ScreenLog

MS = 1_000_000


def screen(*changes_ms: int, error_ms: int = 0) -> ScreenLog:
    """A log of changes drawn at these host times and received 20 ms later."""
    log = ScreenLog(_Known(error_ms))
    for number, at in enumerate(changes_ms):
        log.see(FrameNote(Size(10, 20), at * 1000, (at + 20) * MS, content=number))
    return log


class _Known(ClockMap):
    """Both clocks are one, known to so many milliseconds."""

    def __init__(self, error_ms: int) -> None:
        super().__init__()
        self.error_ns = error_ms * MS

    def host_range(self, pts_us: int, received_ns: int) -> tuple[int, int]:
        return pts_us * 1000 - self.error_ns, pts_us * 1000 + self.error_ns


def tree(
    asked_ms: int, answered_ms: int, status: TreeStatus = TreeStatus.OK, data: bytes = b"x"
) -> TreeRecord:
    return TreeRecord(
        "uiautomator",
        data,
        "uiautomator dump",
        status,
        Moment(host_ns=asked_ms * MS),
        Moment(host_ns=answered_ms * MS),
    )


OLD, GOOD, BAD = tree(100, 600), tree(2000, 2900), tree(2000, 2900, TreeStatus.NOT_IDLE, b"")


@pytest.mark.parametrize(
    ("records", "changes", "pressed", "expected", "fit"),
    [
        ([GOOD], [1000], 3000, GOOD, TreeFit.FRESH),
        ([OLD, GOOD], [1000], 3000, GOOD, TreeFit.FRESH),
        ([GOOD], [1000, 2500], 3000, GOOD, TreeFit.STALE),  # changed while it was answered
        ([GOOD], [1000, 2950], 3000, GOOD, TreeFit.STALE),  # changed after it was answered
        ([GOOD], [1000, 3001], 3000, GOOD, TreeFit.FRESH),  # the press's own effect
        ([GOOD], [1000, 2000], 3000, GOOD, TreeFit.FRESH),  # asked at the change itself
        ([GOOD], [1000, 2600], 2500, GOOD, TreeFit.LATE),  # pressed before the answer
        ([OLD, GOOD], [1000, 2600], 2500, GOOD, TreeFit.LATE),  # and an older one is stale
        ([GOOD], [1000, 2940], 2500, GOOD, TreeFit.LATE),  # it may know what is drawn next
        ([GOOD], [1000, 2960], 2500, GOOD, TreeFit.FRESH),  # the screen was the same meanwhile
        ([GOOD], [1000], 1500, GOOD, TreeFit.FRESH),  # also where it was asked for afterwards
        ([OLD], [1000], 3000, OLD, TreeFit.STALE),
        ([OLD, BAD], [1000], 3000, OLD, TreeFit.STALE),
        ([OLD, BAD], [50], 3000, OLD, TreeFit.FRESH),  # nothing changed since the good one
        ([BAD], [1000], 3000, BAD, TreeFit.FAILED),
        ([BAD], [1000], 2500, BAD, TreeFit.FAILED),
    ],
)
def test_a_tree_is_joined_by_the_time_it_was_asked_for(
    records: list[TreeRecord],
    changes: list[int],
    pressed: int,
    expected: TreeRecord,
    fit: TreeFit,
) -> None:
    found = trees.join(records, pressed * MS, screen(*changes), None)
    assert (found.record, found.fit) == (expected, fit)


@pytest.mark.parametrize(
    ("change_ms", "error_ms", "fit"),
    [
        (3002, 8, TreeFit.FRESH),  # on either side of the press: its own effect
        (2995, 8, TreeFit.FRESH),
        (2990, 8, TreeFit.STALE),  # certainly before it
        (3002, 21, TreeFit.STALE),  # the clocks are not known well enough to tell
        (2005, 8, TreeFit.STALE),  # perhaps before the asking, perhaps after
    ],
)
def test_a_change_at_the_press_itself_is_its_effect_if_the_clocks_are_known_well(
    change_ms: int, error_ms: int, fit: TreeFit
) -> None:
    log = screen(1000, change_ms, error_ms=error_ms)
    assert trees.join([GOOD], 3000 * MS, log, None).fit is fit


def test_a_tree_of_another_screen_asked_for_after_the_press_is_not_the_steps() -> None:
    found = trees.join([GOOD], 1500 * MS, screen(1000, 1700), None)
    assert (found.fit, found.record.detail) == (
        TreeFit.MISSING,
        "nobody asked before the press",
    )


def shades(*shown: tuple[int, int], error_ms: int = 0) -> ScreenLog:
    """A log of plain pictures: (milliseconds, grey), each drawn then."""
    log = ScreenLog(_Known(error_ms))
    for number, (at, grey) in enumerate(shown):
        blocks = np.full((3, 3), grey, np.uint8)
        log.see(FrameNote(Size(10, 20), at * 1000, (at + 20) * MS, number, blocks=blocks))
    return log


@pytest.mark.parametrize(
    ("shown", "pressed", "fit"),
    [
        ([(1000, 50), (3000, 90), (3500, 50)], 4000, TreeFit.FRESH),  # away and back
        ([(1000, 50), (3000, 90), (3500, 52)], 4000, TreeFit.FRESH),  # within a codec's noise
        ([(1000, 50), (3000, 90)], 4000, TreeFit.STALE),
        ([(1000, 50), (3000, 90), (3500, 70)], 4000, TreeFit.STALE),
        ([(1000, 50), (2500, 90), (2600, 50)], 4000, TreeFit.STALE),  # away while it was asked
        ([(1000, 90), (1990, 50)], 4000, TreeFit.FRESH),
        ([(1000, 90), (2010, 50)], 4000, TreeFit.STALE),  # asked while the old one still showed
    ],
)
def test_a_tree_is_fresh_if_the_signatures_prove_that_the_screen_is_the_same(
    shown: list[tuple[int, int]], pressed: int, fit: TreeFit
) -> None:
    assert trees.join([GOOD], pressed * MS, shades(*shown), None).fit is fit


def test_the_picture_a_step_was_made_on_must_be_the_one_the_phone_still_showed() -> None:
    log = shades((1000, 50), (3000, 90))
    old = FrameNote(Size(10, 20), 0, 0, 0, blocks=np.full((3, 3), 50, np.uint8))
    assert trees.join([GOOD], 2990 * MS, log, None, old).fit is TreeFit.FRESH
    assert trees.join([GOOD], 3010 * MS, log, None, old).fit is TreeFit.STALE


def test_nothing_is_proved_over_a_time_without_pictures() -> None:
    log = shades((1000, 50))
    log.lose(3000 * MS)
    assert trees.join([GOOD], 2995 * MS, log, None).fit is TreeFit.FRESH
    assert trees.join([GOOD], 3500 * MS, log, None).fit is TreeFit.STALE
    assert trees.join([GOOD], 2995 * MS, ScreenLog(_Known(0)), None).fit is TreeFit.STALE


def test_an_effect_that_may_be_under_way_when_a_tree_answers_makes_it_stale() -> None:
    log = shades((1000, 50), (3100, 90), (3200, 50))
    log.act(2890 * MS)  # drawn 210 ms later, and in the tree perhaps sooner
    assert trees.join([GOOD], 4000 * MS, log, None).fit is TreeFit.STALE


def test_the_effect_of_a_press_just_after_the_answer_leaves_the_tree_fresh() -> None:
    log = shades((1000, 50), (2945, 90), error_ms=10)
    log.act(2940 * MS)
    assert trees.join([GOOD], 2940 * MS, log, None).fit is TreeFit.FRESH
    early = shades((1000, 50), (2925, 90), error_ms=10)
    early.act(2940 * MS)
    assert trees.join([GOOD], 2940 * MS, early, None).fit is TreeFit.STALE


def test_a_tree_that_has_not_answered_is_a_failure_with_its_time() -> None:
    found = trees.join([], 2500 * MS, screen(1000), 2000 * MS)
    assert (found.fit, found.record.status, found.record.requested.host_ns) == (
        TreeFit.FAILED,
        TreeStatus.TIMEOUT,
        2000 * MS,
    )


def test_an_input_between_asking_and_press_makes_a_tree_stale_though_no_pixel_changed() -> None:
    log = screen(1000)
    log.act(2950 * MS)
    log.act(3000 * MS)  # the press itself
    assert trees.join([GOOD], 3000 * MS, log, None).fit is TreeFit.STALE


def test_waiting_is_worth_it_only_for_a_question_asked_before_the_press() -> None:
    log = screen(1000)
    assert trees.awaits([], 2500 * MS, log, 2000 * MS)
    assert trees.awaits([GOOD], 2950 * MS, log, None, None, 3000 * MS)  # frames may be under way
    assert not trees.awaits([GOOD], 2950 * MS, log, None, None, 3200 * MS)
    slow = FrameNote(Size(10, 20), 1100 * 1000, 1120 * MS, content=9)
    log.see(slow, 1500 * MS)  # it took 400 ms, so others may, too
    assert trees.awaits([GOOD], 2950 * MS, log, None, None, 3200 * MS)
    assert not trees.awaits([GOOD], 2950 * MS, log, None, None, 3600 * MS)
    assert not trees.awaits([], 2500 * MS, log, 2600 * MS)
    assert not trees.awaits([GOOD], 3000 * MS, log, 2950 * MS)
    assert not trees.awaits([], 2500 * MS, log, None)


HOME, MAIL = Foreground("home"), Foreground("mail")


def sample(
    asked_ms: int, answered_ms: int, app: Foreground | None, protected: bool = False
) -> AppSample:
    return AppSample(asked_ms * MS, answered_ms * MS, app, protected)


EARLY, AT_PRESS, TOO_LATE = (
    sample(100, 120, HOME),
    sample(1001, 1030, MAIL),
    sample(1001, 1100, MAIL),
)
STAYED = sample(1001, 1030, HOME)


@pytest.mark.parametrize(
    ("samples", "changes", "acts", "acted", "expected"),
    [
        # Nothing has changed since, nor for a while before: whoever was in front still is.
        ([EARLY], [50], [], 1080, (EARLY, AppFit.FRESH)),
        ([EARLY, TOO_LATE], [50], [], 1080, (EARLY, AppFit.FRESH)),
        # A key acts at once, so what is asked at the key is already its effect.
        ([EARLY, AT_PRESS], [50], [], 1000, (EARLY, AppFit.FRESH)),
        # Asked since the last change, and so soon after it that more may be under way.
        ([sample(905, 920, HOME)], [900], [], 1000, (sample(905, 920, HOME), AppFit.STALE)),
        # Asked before the last change.
        ([EARLY], [50, 500], [], 1080, (EARLY, AppFit.STALE)),
        ([EARLY], [50], [950], 1080, (EARLY, AppFit.STALE)),
        # Asked while the finger was down: sure only if the one before says the same.
        ([EARLY, STAYED], [50, 900], [], 1080, (STAYED, AppFit.FRESH)),
        ([EARLY, STAYED], [50, 900], [950], 1080, (STAYED, AppFit.LATE)),
        ([EARLY, AT_PRESS], [50, 900], [], 1080, (AT_PRESS, AppFit.LATE)),
        # Answered after the lift, and the screen had changed before the press.
        ([EARLY, TOO_LATE], [50, 900], [], 1080, (TOO_LATE, AppFit.LATE)),
        ([EARLY, sample(900, 920, None)], [50], [], 1080, (EARLY, AppFit.FRESH)),
        ([TOO_LATE], [50], [], 1000, (TOO_LATE, AppFit.LATE)),
        ([], [50], [], 1080, None),
    ],
)
def test_the_app_in_front_is_joined_by_time_with_its_fit(
    samples: list[AppSample],
    changes: list[int],
    acts: list[int],
    acted: int,
    expected: tuple[AppSample, AppFit] | None,
) -> None:
    log = screen(*changes)
    for at in acts:
        log.act(at * MS)
    assert foreground.join(samples, 1000 * MS, acted * MS, log) == expected


@pytest.mark.parametrize(
    ("samples", "expected"),
    [
        ([sample(100, 120, HOME, True)], True),
        ([sample(100, 120, HOME, True), sample(500, 520, HOME)], False),
        ([sample(100, 120, HOME), sample(1500, 1520, HOME, True)], True),
        ([sample(1500, 1520, HOME), sample(1900, 1920, HOME, True)], False),
        ([], False),
    ],
)
def test_pictures_are_forbidden_by_what_the_phone_said_last_before_or_first_after(
    samples: list[AppSample], expected: bool
) -> None:
    assert foreground.protects(samples, 1000 * MS) is expected
