from dataclasses import replace
from fractions import Fraction

import pytest

from episodes import actions as a
from episodes.annotations import Author
from episodes.clocks import Moment
from episodes.durations import EpisodeTimes
from episodes.episodes import Actor, Attempt, Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.recordings import Gap
from episodes.steps import Step
from episodes.store.library import Library
from taptrail.usecases import attempts
from taptrail.usecases.reference_times import (
    Aggregate,
    Budget,
    Spread,
    budget,
    fences,
    quartiles,
    step_count,
    times,
)
from tests.episodes.store.samples import segment

ANA, BEN, CEM = (Author(f"uuid-{name}", name) for name in ("Ana", "Ben", "Cem"))
TASK = "Copy the number into a new contact"
S = 1_000_000


def moment(seconds):
    return Moment(device_us=int(seconds * S), host_ns=int((seconds + 500) * 1e9))


def attempt(name, person, presses, end, **fields):
    """An episode whose presses are (began, ended) in seconds, finished at `end`."""
    steps = [
        Step(index, a.Wait(), source="mirror", began=moment(began), ended=moment(ended))
        for index, (began, ended) in enumerate(presses)
    ]
    last = moment(end)
    steps.append(Step(len(steps), a.Finish(a.Ending.COMPLETE), began=last, ended=last))
    made = Episode(
        uuid=f"uuid-{name}",
        name=name,
        origin=Origin("recorded"),
        task=Task(TASK),
        state=EpisodeState.FINISHED,
        steps=tuple(steps),
        actor=Actor(author=person),
        started_utc=f"2026-01-01T00:{name[-2:]}:00+00:00",
        finish=a.Finish(a.Ending.COMPLETE),
    )
    return replace(made, **fields)


def even(name, person, count, end, **fields):
    """`count` presses of 0.5 s from time 0 on, then the finish: count + 1 steps."""
    fields = {"segments": (replace(segment(), started=moment(0)),)} | fields
    gap = end / (count + 1)
    return attempt(
        name, person, [(gap * n, gap * n + 0.5) for n in range(1, count + 1)], end, **fields
    )


def test_time_is_parted_into_thinking_acting_and_pauses():
    begun = replace(segment(), started=moment(10))
    found = attempt(
        "e-0001",
        ANA,
        [(14, 15), (20, 26)],
        40,
        segments=(begun,),
        gaps=(
            Gap("paused", moment(24), moment(30)),
            Gap("unplugged", moment(32), moment(33)),
        ),
    )
    assert times(found) == EpisodeTimes(
        wall=24 * S, thinking=19 * S, acting=5 * S, paused=6 * S, uncaptured=1 * S
    )


def test_an_open_pause_ends_with_the_attempt_and_none_counts_twice():
    pauses = (Gap("paused", moment(4), moment(8)), Gap("paused", moment(6), None))
    found = attempt("e-0001", ANA, [(1, 2)], 10, gaps=pauses)
    assert times(found) == EpisodeTimes(wall=3 * S, thinking=2 * S, acting=1 * S, paused=6 * S)


def test_the_phones_clock_is_taken_where_the_computers_is_not_known():
    found = attempt("e-0001", ANA, [(1, 2)], 10)
    glass = replace(found.steps[0], began=Moment(device_us=S), ended=Moment(device_us=3 * S))
    found = replace(found, steps=(glass, *found.steps[1:]))
    assert times(found) == EpisodeTimes(wall=9 * S, thinking=7 * S, acting=2 * S)


def test_without_times_nothing_is_made_up():
    found = attempt("e-0001", ANA, [(1, 2)], 10)
    bare = tuple(replace(step, began=Moment(), ended=Moment()) for step in found.steps)
    assert times(replace(found, steps=bare)) == EpisodeTimes()


def test_the_finish_is_a_step_unless_it_is_not_wanted():
    found = even("e-0001", ANA, 4, 10)
    assert (step_count(found), step_count(found, with_finish=False)) == (5, 4)


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([5], (5, 5, 5)),
        ([1, 3], (1.5, 2.0, 2.5)),
        ([1, 2, 3, 4], (1.75, 2.5, 3.25)),
        ([9, 1, 5, 3, 7], (3.0, 5.0, 7.0)),
    ],
)
def test_quartiles_are_those_of_spreadsheets(values, found):
    assert quartiles(values) == found


def test_fences_need_four_values():
    assert fences([1, 2, 300]) is None
    assert fences([1, 2, 3, 4]) == (-0.5, 5.5)


@pytest.mark.parametrize(
    ("steps", "factor", "how", "floor", "allowed"),
    [
        ([5], "2", "mean", 10, 10),
        ([6], "2", "mean", 10, 12),
        ([17], "2", "mean", 10, 34),
        ([11, 4], "2", "mean", 10, 15),
        ([11, 4, 5], "2", "median", 10, 10),
        ([3, 3, 4], "2", "max", 10, 10),
        ([60], "2", "mean", 10, 120),
        ([10], "1.1", "mean", 0, 11),
        ([10, 11], "1.5", "mean", 0, 16),
        ([], "2", "mean", 10, None),
    ],
)
def test_a_budget_is_the_factor_times_the_aggregate_rounded_up(steps, factor, how, floor, allowed):
    found = budget(steps, factor=factor, aggregate=Aggregate(how), floor=floor)
    assert found.steps == allowed


def test_no_rounding_error_makes_a_step():
    for steps in range(1, 200):
        for factor in ("1.1", "1.2", "2.3", "3.7"):
            exact = Fraction(factor) * steps
            assert budget([steps], factor=factor, floor=0).steps == -(-exact // 1)


def test_a_time_budget_has_no_floor():
    found = budget([14], [98 * S, 100 * S], factor="2", aggregate=Aggregate.MEDIAN)
    assert found == Budget(28, 198, "2 x the median of 1 attempt, 14 steps, not below 10 steps")


PEOPLE = (
    even("e-0001", ANA, 13, 98),
    even("e-0002", BEN, 12, 84),
    even("e-0003", ANA, 15, 104),
    even("e-0004", CEM, 18, 186),
    even("e-0005", BEN, 11, 66, finish=a.Finish(a.Ending.IMPOSSIBLE)),
    even("e-0006", CEM, 13, 90),
    even("e-0007", CEM, 3, 9, state=EpisodeState.INCOMPLETE, finish=None),
)


def seen(found):
    return [
        (one.name, one.person, one.number, one.steps, one.counts, one.why) for one in found.attempts
    ]


def test_failed_ones_and_outliers_are_marked_and_left_out():
    found = attempts.reference_of(PEOPLE)
    assert seen(found) == [
        ("e-0001", "Ana", 1, 14, True, ""),
        ("e-0002", "Ben", 1, 13, True, ""),
        ("e-0003", "Ana", 2, 16, True, ""),
        ("e-0004", "Cem", 1, 19, False, "outlier: 186 s lie outside 69 to 125 s"),
        ("e-0005", "Ben", 2, 12, False, "it ended “impossible”"),
        ("e-0006", "Cem", 2, 14, True, ""),
        ("e-0007", "Cem", 3, 4, False, "it ended “given up”"),
    ]
    assert found.attempts[3].outlier == ("time",)
    assert (found.people, found.succeeded) == (3, 5)
    assert found.time_fences == (69 * S, 125 * S)
    assert found.steps == Spread(4, 13, 13.75, 14.0, 14.5, 16, 14.25)
    assert found.wall.median == 94 * S
    assert found.acting == Spread(4, 6 * S, 6.375 * S, 6.5 * S, 6.75 * S, 7.5 * S, 6.625 * S)
    assert found.budget() == Budget(
        29, 188, "2 x the mean of 4 attempts, 14.25 steps, not below 10 steps"
    )
    assert found.budget("2", Aggregate.MEDIAN) == Budget(
        28, 188, "2 x the median of 4 attempts, 14 steps, not below 10 steps"
    )
    assert attempts.reference_of(PEOPLE, with_finish=False).budget("1", floor=0).steps == 14


def test_a_step_outlier_is_said_too():
    others = [even(f"e-001{n}", ANA, 9, 90) for n in range(4)]
    found = attempts.reference_of([*others, even("e-0020", BEN, 30, 90)])
    assert found.attempts[-1].why == "outlier: 31 steps lie outside 10 to 10 steps"


def test_agents_stand_beside_people_and_do_not_count():
    agent = even("e-0009", None, 20, 60, actor=Actor("agent", agent="Model A"))
    found = attempts.reference_of([*PEOPLE, agent])
    assert [(one.agent, one.steps, one.outcome) for one in found.agents] == [
        ("Model A", 21, "complete")
    ]
    assert found.steps == attempts.reference_of(PEOPLE).steps


@pytest.fixture
def filled(library):
    other = replace(even("e-0008", ANA, 4, 9), task=Task("Another task"))
    spaced = replace(PEOPLE[5], task=Task(f" {TASK.replace(' ', '  ')}"))
    with Library.open(library) as kept:
        kept.save_episodes([*PEOPLE[:5], spaced, PEOPLE[6], other])
    return library


def test_a_person_leaves_one_out_and_takes_one_in(filled):
    def counted(kept):
        return [one.name for one in attempts.reference(kept, TASK).attempts if one.counts]

    with Library.open(filled) as kept:
        before = kept.episode("e-0003")
        attempts.leave_out(kept, before, BEN, "the phone rang")
        attempts.take_in(kept, kept.episode("e-0004"), BEN, "slow and right")
        assert kept.episode("e-0003").attempt == Attempt(2, "", "the phone rang")
        assert counted(kept) == ["e-0001", "e-0002", "e-0004", "e-0006"]
        attempts.judge(kept, kept.episode("e-0001"), BEN, "failed")
        assert counted(kept) == ["e-0002", "e-0004", "e-0006"]
        attempts.by_rule(kept, kept.episode("e-0003"), BEN)
        assert counted(kept) == ["e-0002", "e-0003", "e-0004", "e-0006"]
        for _ in range(4):
            kept.undo()
        assert kept.episode("e-0003") == before
        with pytest.raises(KnownError, match="there is no reason"):
            attempts.leave_out(kept, before, BEN, " ")


def test_outcome_and_counting_are_said_in_one_edit_that_undo_takes_back(filled):
    def told(kept, name):
        found = attempts.reference(kept, TASK).attempts
        return next(
            (one.outcome, one.judged, one.counting.value, one.counts, one.why)
            for one in found
            if one.name == name
        )

    with Library.open(filled) as kept:
        before = kept.episode("e-0005")
        assert told(kept, "e-0005") == (
            "impossible", False, "by the rule", False, "it ended “impossible”"
        )  # fmt: skip
        taken = attempts.CountingDecision.TAKEN_IN
        edit = attempts.decide(kept, before, BEN, "failed", taken, " all steps were right ")
        assert (edit.operation, edit.author) == ("attempt.set", BEN)
        assert told(kept, "e-0005") == ("failed", True, "taken in", True, "all steps were right")
        now = kept.episode("e-0005")
        assert attempts.decide(kept, now, BEN, "failed", taken, "all steps were right") is None
        assert len(kept.edits()) == 1
        kept.undo()
        assert kept.episode("e-0005") == before
        rule = attempts.CountingDecision.RULE
        assert attempts.decide(kept, before, BEN, "", rule, "no reason is needed") is None
        for how, counting, reason in (("won", rule, ""), ("", taken, " ")):
            with pytest.raises(KnownError):
                attempts.decide(kept, before, BEN, how, counting, reason)
        assert kept.episode("e-0005") == before


def test_episodes_without_an_instruction_are_attempts_of_no_task(library):
    person = Author("u", "Ana")
    made = [
        even(f"e-0{n}", person, 3, 9, task=Task(words)) for n, words in enumerate(["", " ", "Call"])
    ]
    with Library.open(library) as kept:
        assert not kept.save_episodes(made).refused
        assert [line.task for line in attempts.tasks(kept)] == ["Call"]
        assert list(attempts.references(kept)) == ["Call"]
        assert attempts.references(kept, [""]) == {}
        with pytest.raises(KnownError, match="the episode has no instruction"):
            attempts.reference(kept, "  ")
        assert attempts.judge(kept, kept.episode("e-00"), person, "failed") is not None
        assert kept.episode("e-00").attempt == Attempt(1, "failed")


def test_the_command_tells_attempts_and_budget(taptrail, filled):
    by_task = taptrail("attempts", "--task", TASK, "--library", filled, "--json").json
    by_name = taptrail("attempts", "--episode", "e-0006", "--library", filled, "--json").json
    assert by_task == by_name
    assert by_task["budget"] == {
        "steps": 29,
        "seconds": 188,
        "factor": 2.0,
        "aggregate": "mean",
        "floor": 10,
        "rule": "2 x the mean of 4 attempts, 14.25 steps, not below 10 steps",
    }
    assert by_task["success"] == {"hits": 5, "total": 7}
    assert (by_task["people"], by_task["counted"]) == (3, 4)
    assert by_task["attempts"][3]["outlier"] == ["time"]
    words = ("--factor", "1.5", "--aggregate", "median", "--floor", "30", "--without-finish")
    done = taptrail("attempts", "--task", TASK, *words, "--library", filled, "--json").json
    assert (done["budget"]["steps"], done["budget"]["seconds"]) == (30, 141)
    assert done["steps"]["median"] == 13.0


def test_the_command_lists_tasks_and_speaks(taptrail, filled):
    done = taptrail("attempts", "--library", filled, "--json").json
    assert [(one["task"], one["attempts"], one["budget"]) for one in done["tasks"]] == [
        (
            TASK,
            7,
            {
                "steps": 29,
                "seconds": 188,
                "rule": "2 x the mean of 4 attempts, 14.25 steps, not below 10 steps",
            },
        ),
        (
            "Another task",
            1,
            {
                "steps": 10,
                "seconds": 18,
                "rule": "2 x the mean of 1 attempt, 5 steps, not below 10 steps",
            },
        ),
    ]
    lines = taptrail("attempts", "--floor", "40", "--library", filled).out.splitlines()
    assert [line.split()[:3] for line in lines[3:5]] == [["7", "40", "3:08"], ["1", "40", "0:18"]]
    said = taptrail("attempts", "--task", TASK, "--library", filled).out
    assert "5 of 7 attempts by 3 people ended complete; 4 count." in said
    assert "Time: median 1:34, quartiles 1:28 to 1:40, pauses left out." in said
    assert (
        "Budget: 29 steps and 3:08 (2 x the mean of 4 attempts, 14.25 steps, not below 10 steps)."
        in said
    )
    assert "outlier: 186 s lie outside 69 to 125 s" in said


def test_the_command_lets_a_person_decide(taptrail, filled):
    def decide(*words):
        done = taptrail("attempts", *words, "--library", filled, "--json").json
        return done["counts"], done["why"]

    assert decide("leave-out", "e-0001", "--reason", "the phone rang") == (False, "the phone rang")
    assert decide("by-rule", "e-0001") == (True, "")
    assert decide("take-in", "e-0005", "--reason", "it was right") == (True, "it was right")
    assert decide("judge", "e-0002", "failed") == (False, "it ended “failed”")
    assert decide("judge", "e-0002", "as claimed") == (True, "")
    done = taptrail("attempts", "judge", "e-0002", "complete", "--library", filled)
    assert done.out == "e-0002: counts.\n"


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ((), ("by-rule", "e-0001")),
        (
            ("leave-out", "e-0001", "--reason", "rang"),
            ("leave-out", "e-0001", "--reason", " rang "),
        ),
        (("take-in", "e-0005", "--reason", "right"), ("take-in", "e-0005", "--reason", "right")),
        (("judge", "e-0001", "failed"), ("judge", "e-0001", "failed")),
        ((), ("judge", "e-0001", "as claimed")),
    ],
)
def test_a_decision_that_stands_already_is_no_edit_and_that_is_said(taptrail, filled, first, again):
    place = ("--library", filled)
    if first:
        assert taptrail("attempts", *first, *place, "--json").json["changed"] is True
    with Library.read(filled) as kept:
        before = kept.gold_revision()
    done = taptrail("attempts", *again, *place)
    assert done.out.endswith(" Nothing changed: it was set already.\n")
    assert taptrail("attempts", *again, *place, "--json").json["changed"] is False
    with Library.read(filled) as kept:
        assert kept.gold_revision() == before


def test_what_cannot_be_told_is_said(taptrail, filled):
    done = taptrail("attempts", "--task", "Fly", "--library", filled)
    assert (done.code, done.err) == (
        1,
        "Cannot find attempts of “Fly”: no episode has that task. See all tasks with: taptrail "
        "attempts.\n",
    )
    for factor in ("0", "-1", "1/0", "nan"):
        assert (
            taptrail("attempts", "--task", TASK, "--factor", factor, "--library", filled).code == 2
        )
    said = taptrail("attempts", "--task", "Another task", "--library", filled).out
    assert "Budget: 10 steps and 0:18" in said
    assert "1 of 1 attempt by 1 person ended complete; 1 counts." in said


def test_the_list_and_the_attempts_say_the_same_time(taptrail, library):
    pauses = (Gap("paused", moment(4), moment(8)),)
    paused = even("e-0001", ANA, 4, 30, gaps=pauses)
    bare = replace(
        even("e-0002", BEN, 1, 9),
        steps=(Step(0, a.Finish(a.Ending.COMPLETE)),),
    )
    with Library.open(library) as kept:
        kept.save_episodes([paused, bare])
    listed = taptrail("episodes", "list", "--library", library, "--json").json["episodes"]
    found = taptrail("attempts", "--task", TASK, "--library", library, "--json").json["attempts"]
    assert [one["duration_us"] for one in listed] == [26 * S, None]
    assert [one["wall_us"] for one in found] == [26 * S, None]


def test_two_people_of_one_name_are_two_and_a_script_is_none():
    twin = Author("uuid-other", ANA.name)
    script = even("e-0003", None, 4, 20, actor=Actor("agent", agent="script"))
    found = attempts.reference_of([even("e-0001", ANA, 4, 20), even("e-0002", twin, 4, 20), script])
    assert (found.people, len(found.attempts)) == (2, 2)
    assert [one.agent for one in found.agents] == ["script"]


def test_without_reading_screens_the_same_is_told_as_from_whole_episodes(library):
    pauses = (Gap("paused", moment(4), moment(8)), Gap("unplugged", moment(9), None))
    glass = attempt("e-0003", CEM, [(1, 2)], 10)
    late = replace(glass.steps[0], began=Moment(device_us=S), ended=Moment(device_us=3 * S))
    made = [
        even("e-0001", ANA, 6, 30, gaps=pauses, attempt=Attempt(4, "failed", "", "it was right")),
        even("e-0002", BEN, 5, 20, finish=a.Finish(a.Ending.IMPOSSIBLE, "no such plant")),
        replace(glass, steps=(late, *glass.steps[1:])),
        even("e-0004", None, 9, 20, actor=Actor("agent", agent="Model A")),
        even("e-0005", ANA, 3, 9, state=EpisodeState.INCOMPLETE, finish=None),
        even("e-0006", BEN, 3, 9, state=EpisodeState.RECORDING, finish=None),
        even("e-0007", CEM, 3, 9, task=Task(f"{TASK} ")),
        even("e-0008", CEM, 3, 9),
    ]
    with Library.open(library) as kept:
        assert not kept.save_episodes(made).refused
        kept.delete_step("uuid-e-0007", 1)
        kept.delete_episode("uuid-e-0008")
        there = [one for one in kept.iterate() if one.state is not EpisodeState.RECORDING]
        for with_finish in (True, False):
            whole = attempts.reference_of(there, with_finish=with_finish)
            assert attempts.reference(kept, TASK, with_finish=with_finish) == whole
            assert attempts.references(kept, with_finish=with_finish) == {TASK: whole}
            assert attempts.references(kept, [TASK, "Fly"], with_finish=with_finish) == {
                TASK: whole
            }
    assert [one.name for one in whole.attempts] == [
        "e-0001",
        "e-0002",
        "e-0003",
        "e-0005",
        "e-0007",
    ]
    assert whole.attempts[-1].steps == 2


def test_a_search_finds_the_tasks_with_all_its_words(filled):
    with Library.read(filled) as kept:
        assert [(line.task, line.attempts) for line in attempts.tasks(kept, "contact COPY")] == [
            (TASK, 7)
        ]
        assert attempts.tasks(kept, "copy 100 %") == ()
        assert [line.attempts for line in attempts.tasks(kept)] == [7, 1]
