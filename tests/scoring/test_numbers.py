"""Numbers of many steps, against tables worked out by hand."""

import pytest

from episodes.actions import KINDS
from episodes.verdicts import Share
from scoring import numbers
from tests.scoring.facts import episode, fact

# Gold, predicted, verdict and rule of nine steps of two episodes.
STEPS = [
    fact("a", 0, "+"),
    fact("a", 1, "-"),  # right kind, wrong place
    fact("a", 2, "-", "tap", "type_text"),
    fact("a", 3, "+", "swipe", "scroll"),
    fact("b", 0, "+", "long_press"),
    fact("b", 1, "?", "tap", numbers.MISSING, rule="missing"),
    fact("b", 2, "-", "type_text", numbers.UNREADABLE),
    fact("b", 3, "?", "other", "tap", rule="no-gold"),
    fact("b", 4, "-", "type_text"),
]


def test_the_shares_of_nine_steps_are_those_counted_by_hand():
    assert numbers.matching(STEPS) == Share(3, 7)  # neither missing nor no-gold
    assert {name: of(STEPS) for name, of in numbers.NUMBERS.items()} == {
        "step accuracy": Share(3, 8),  # the missing one is wrong, no-gold is left out
        "type accuracy": Share(5, 8),
        "grounding accuracy": Share(2, 3),  # a0, a1, b0
        "goal progress": Share(2, 8),  # a0, b0
    }


def test_goal_progress_skips_unscored_steps():
    steps = [fact("e", 0, "+"), fact("e", 1, "?", rule="no-gold"), fact("e", 2, "+")]
    assert numbers.goal_progress(steps) == Share(2, 2)
    assert numbers.goal_progress(reversed([*steps, fact("e", 3, "-")])) == Share(2, 3)


def test_nothing_has_shares_of_nothing():
    assert {of([]) for of in numbers.NUMBERS.values()} == {Share(0, 0)}
    assert numbers.confusion([], KINDS) == numbers.Confusion((), (), {})
    assert numbers.table([], "app") == numbers.StepGroups("app", False, ())


def test_the_confusion_has_every_step_that_can_be_judged_and_its_diagonal_is_type_accuracy():
    found = numbers.confusion(STEPS, KINDS)
    assert found == numbers.Confusion(
        ("tap", "long_press", "swipe", "type_text"),
        ("tap", "long_press", "swipe", "type_text", "unreadable", "missing"),
        {
            ("tap", "tap"): 2,
            ("tap", "type_text"): 1,
            ("tap", "missing"): 1,
            ("swipe", "swipe"): 1,
            ("long_press", "long_press"): 1,
            ("type_text", "unreadable"): 1,
            ("type_text", "type_text"): 1,
        },
    )
    assert [found.total(row) for row in found.rows] == [4, 1, 1, 2]
    assert sum(found.counts.get((kind, kind), 0) for kind in found.rows) == 5


BOTH = [
    *episode("a", "++-", apps=("Mail",), category="Web", splits=("app/test", "random/test")),
    *episode("b", "+?", apps=("Mail", "Notes"), category="Tool", device="P"),
]


@pytest.mark.parametrize(
    ("by", "whole", "groups"),
    [
        ("category", True, [("Web", Share(2, 3)), ("Tool", Share(1, 1))]),
        ("app", False, [("Mail", Share(3, 4)), ("Notes", Share(1, 1))]),
        ("action kind", False, [("tap", Share(3, 4))]),
        ("split", True, [("app/test", Share(2, 3)), ("random/test", Share(2, 3))]),
        ("device", True, [("P", Share(1, 1)), ("", Share(2, 3))]),
        ("length of the episode", True, [("1 to 5", Share(3, 4))]),
        (
            "position in the episode",
            False,
            [("1", Share(2, 2)), ("2", Share(1, 1)), ("3", Share(0, 1))],
        ),
    ],
)
def test_a_table_has_hits_of_total_for_each_group(by, whole, groups):
    table = numbers.table(BOTH, by)
    assert (table.by, table.whole) == (by, whole)
    assert [(group.label, group.matching) for group in table.groups] == groups


def test_a_group_knows_its_episodes_and_what_it_leaves_out():
    (mail, notes) = numbers.table(BOTH, "app").groups
    assert (mail.episodes, mail.left_out) == (("uuid-a", "uuid-b"), 1)
    assert (notes.episodes, notes.left_out) == (("uuid-b",), 1)


def test_every_table_is_among_those_tested():
    assert set(numbers.TABLES) == {
        "category", "app", "action kind", "split", "device", "position in the episode",
        "length of the episode",
    }  # fmt: skip


def test_bands_have_no_holes_and_no_overlap():
    edges = (1, 2, 5, 10)
    assert [numbers.banded(n, edges) for n in (1, 2, 3, 5, 6, 10, 11, 900)] == [
        "1", "2", "3 to 5", "3 to 5", "6 to 10", "6 to 10", "over 10", "over 10",
    ]  # fmt: skip


def test_sub_splits_that_overlap_are_each_counted_over_their_own_episodes():
    """AndroidControl's: an episode may be unseen by app and by task; the original of OS-Atlas
    gives it to the first of them alone."""
    facts = [
        *episode("a", "++", splits=("sub/app_unseen", "sub/task_unseen")),
        *episode("b", "+-", splits=("sub/IDD",)),
        *episode("c", "--", splits=("sub/task_unseen", "sub/category_unseen")),
    ]
    found = {group.label: group.matching for group in numbers.table(facts, "split").groups}
    assert found == {
        "sub/IDD": Share(1, 2),
        "sub/app_unseen": Share(2, 2),
        "sub/task_unseen": Share(2, 4),
        "sub/category_unseen": Share(0, 2),
    }
    assert numbers.matching(facts) == Share(3, 6)  # not 5 of 10, which the rows add up to
