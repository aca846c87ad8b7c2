"""Steps of attempts side by side; their times add up to those of the attempts."""

from dataclasses import replace

import pytest

from episodes.clocks import Moment
from episodes.recordings import Gap
from episodes.store.library import Library
from taptrail.usecases.attempt_steps import attempt_steps
from taptrail.usecases.reference_times import times
from tests.episodes.store.samples import segment
from tests.taptrail.test_attempts import ANA, BEN, S, attempt, even, moment


def told(episode):
    return [(one.at, one.thinking, one.acting) for one in attempt_steps(episode).steps]


@pytest.fixture
def paused():
    begun = replace(segment(), started=moment(10))
    return attempt(
        "e-0001",
        ANA,
        [(14, 15), (20, 26)],
        40,
        segments=(begun,),
        gaps=(Gap("paused", moment(24), moment(30)),),
    )


def test_pauses_are_taken_out_and_the_times_add_up(paused):
    # 10 begins, 14-15 a press, 20-24 a press until the pause, 30 goes on, 40 the finish.
    assert told(paused) == [
        (4 * S, 4 * S, 1 * S),
        (10 * S, 5 * S, 4 * S),
        (24 * S, 10 * S, 0),
    ]
    whole, steps = times(paused), attempt_steps(paused).steps
    assert sum(one.thinking for one in steps) == whole.thinking
    assert sum(one.acting for one in steps) == whole.acting


def test_steps_on_the_phones_clock_alone_turn_the_whole_attempt_to_it(paused):
    first = paused.steps[0]
    late = replace(first, began=Moment(device_us=13 * S), ended=Moment(device_us=15 * S))
    found = told(replace(paused, steps=(late, *paused.steps[1:])))
    assert found == [(3 * S, 3 * S, 2 * S), (10 * S, 5 * S, 4 * S), (24 * S, 10 * S, 0)]


def test_without_times_nothing_is_made_up(paused):
    bare = tuple(replace(step, began=Moment(), ended=Moment()) for step in paused.steps)
    assert told(replace(paused, steps=bare)) == [(None, None, None)] * 3


def test_the_command_lays_attempts_side_by_side(taptrail, library, paused):
    with Library.open(library) as kept:
        kept.save_episodes([paused, even("e-0002", BEN, 1, 9)])
    words = ("attempts", "steps", "e-0001", "e-0002", "--library", library)
    done = taptrail(*words, "--json").json["attempts"]
    assert [(one["episode"], len(one["steps"])) for one in done] == [("e-0001", 3), ("e-0002", 2)]
    assert done[0]["steps"][1] == {
        "step": 1,
        "kind": "wait",
        "name": "",
        "at_us": 10 * S,
        "thinking_us": 5 * S,
        "acting_us": 4 * S,
    }
    lines = taptrail(*words).out.split("\n")
    assert [line.split() for line in lines if line.strip()][-1] == ["3", "0:24.0", "finish"]
    many = taptrail("attempts", "steps", *["e-0001"] * 25, "--library", library)
    assert (many.code, "at most 24 episodes" in many.err) == (2, True)


def test_two_attempts_are_aligned_by_what_was_seen_and_done(taptrail, library):
    taptrail("sample", "--library", library)
    words = ("attempts", "steps", "s-0001", "s-0002", "--align", "--library", library)
    found = taptrail(*words, "--json").json
    # Ben scrolls the contacts down and up again, before he does what Ana does.
    assert found["divergences"] == [{"row": 6, "first": 6, "second": 6, "came_back": 8}]
    assert [row["meeting"] for row in found["rows"]].count("same") == 15
    assert [row["second"] for row in found["rows"] if row["meeting"] == "only second"] == [6, 7]
    shown = taptrail(*words).out
    assert "They first differ in row 6" in shown
    assert "came back" in shown
    assert taptrail(*words[:3], "--align", "--library", library).code == 2
