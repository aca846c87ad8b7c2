"""Scores of runs at the budget from people's attempts, on the sample."""

import pytest

from episodes.errors import KnownError
from episodes.store.library import Library
from episodes.verdicts import Share
from taptrail.usecases.attempts import reference
from taptrail.usecases.budget_scores import BudgetScore, people_within, scores_at_budget
from taptrail.usecases.reference_times import BudgetRule, is_factor
from taptrail.usecases.sample import import_sample

CAREFUL, HASTY = "sample-careful", "sample-hasty"


@pytest.fixture
def sample(library):
    import_sample(library)
    return library


def test_half_of_what_people_need_cuts_the_later_half_of_each_episode(sample):
    told = []
    with Library.read(sample) as kept:
        episodes = [one for one in kept.episodes() if one.name.startswith("0042")]
        found = scores_at_budget(
            kept,
            "guiodyssey",
            runs=(CAREFUL,),
            rule=BudgetRule("0.5", floor=0),
            on_progress=lambda done, total: told.append((done, total)),
        )
        free = scores_at_budget(kept, "guiodyssey@2", runs=(CAREFUL,))
    (half,), (whole,) = found, free
    counts = [one.step_count for one in episodes]
    assert counts == [10, 6, 6, 8, 6, 6]
    # The last was impossible: no attempt counts, so there is no budget, and nothing is cut.
    assert half.past == 5 + 3 + 3 + 4 + 3
    assert (half.steps_without, half.whole_without) == (whole.steps, whole.whole)
    assert half.whole == Share(0, 6)  # its one mistake is in the episode that is not cut
    assert half.steps.total == whole.steps.total == sum(counts)
    assert whole.steps.hits - half.past <= half.steps.hits < whole.steps.hits
    assert (whole.past, whole.steps, whole.whole) == (0, whole.steps_without, Share(5, 6))
    assert told[-1] == (1000, 1000)


def test_one_task_alone_is_scored_for_the_runs_that_say_something_of_it(sample, taptrail):
    with Library.read(sample) as kept:
        task = kept.episode("0042000000000001").task.instruction
        count = kept.episode("0042000000000001").declared_steps
        found = scores_at_budget(
            kept, "guiodyssey", task=f" {task}", rule=BudgetRule("0.3", floor=0)
        )
        past = count - reference(kept, task).budget("0.3", floor=0).steps
        assert scores_at_budget(kept, "guiodyssey", task="Fly") == ()
    assert [(one.run, one.past, one.whole) for one in found] == [
        (CAREFUL, past, Share(0, 1)),
        (HASTY, past, Share(0, 1)),
    ]
    words = ("--task", task, "--factor", "0.3", "--floor", "0", "--library", sample)
    done = taptrail("attempts", "scores", *words, "--json").json["scores"]
    assert [
        BudgetScore(
            **one
            | {
                name: Share(**one[name])
                for name in ("steps", "steps_without", "whole", "whole_without")
            }
        )
        for one in done
    ] == list(found)
    shown = taptrail("attempts", "scores", *words).out
    assert "At 0.3 x mean" in shown
    assert CAREFUL in shown
    other = taptrail("attempts", "scores", "--task", "Fly", "--library", sample)
    assert other.out == "No run has an answer for that task.\n"


def test_people_are_held_against_the_budget_too(sample):
    with Library.read(sample) as kept:
        found = reference(kept, kept.episode("0042000000000001").task.instruction)
    (one,) = found.attempts
    assert people_within(found, one.steps) == Share(1, 1)
    assert people_within(found, one.steps - 1) == Share(0, 1)
    assert people_within(found, None) == Share(1, 1)


def test_without_a_run_there_is_nothing_to_score(library):
    with Library.open(library) as kept, pytest.raises(KnownError, match="the library has no run"):
        scores_at_budget(kept, "guiodyssey")


@pytest.mark.parametrize(
    ("text", "fine"), [("2", True), ("1.25", True), ("0", False), ("²", False), ("1e3", False)]
)
def test_a_factor_is_a_plain_number_above_0(text, fine):
    assert is_factor(text) is fine


def test_a_factor_that_is_none_is_told_with_what_was_found(taptrail, library):
    done = taptrail("attempts", "scores", "--factor", "two", "--library", library)
    assert done.code == 2
    assert (
        "Invalid value for '--factor': “two” is not a number above 0 with at most four decimals. "
        "Give one such as 2 or 1.5." in done.err
    )
