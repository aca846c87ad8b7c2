"""AMS and SR as the original adds them up, and where it stops."""

from __future__ import annotations

import pytest

from episodes.verdicts import Outcome, Share, Verdict
from scoring.protocol import Metric, ScoredStep
from scoring.protocols import PROTOCOLS

V1, V2 = PROTOCOLS["guiodyssey@1"], PROTOCOLS["guiodyssey@2"]
SIX = (
    "Multi_Apps",
    "Web_Shopping",
    "General_Tool",
    "Information_Management",
    "Media_Entertainment",
    "Social_Sharing",
)


def row(episode, step, label, category="Multi_Apps", length=2, doubled=False):
    outcome = Outcome.MATCH if label.endswith("_correct") else Outcome.MISMATCH
    verdict = Verdict(outcome, "given", "", {"label": label})
    return ScoredStep(episode, step, verdict, category, length, step, doubled)


def left_out(episode, step, rule="missing", category="Multi_Apps", length=2):
    return ScoredStep(episode, step, Verdict(Outcome.UNSCORED, rule, ""), category, length, step)


def test_pooled_numbers_know_what_they_are_made_of():
    metrics = V2.aggregate(
        [
            row("a", 0, "click_correct"),
            row("a", 1, "type_correct"),
            row("b", 0, "invalid"),
            row("b", 1, "action_fail"),
        ]
    )
    assert {name: metrics.values[name] for name in ("AMS", "SR", "type rate", "text rate")} == {
        "AMS": Metric(50.0, Share(2, 4)),
        "SR": Metric(50.0, Share(1, 2)),
        "type rate": Metric(75.0, Share(3, 4)),
        "text rate": Metric(100.0, Share(1, 1)),
    }


def test_an_episode_with_a_missing_or_doubled_step_leaves_sr_and_stays_in_ams():
    metrics = V2.aggregate(
        [
            row("whole", 0, "type_correct"),
            row("whole", 1, "click_correct"),
            row("short", 0, "click_correct"),
            left_out("short", 1),
            row("long", 0, "click_correct"),
            row("long", 1, "click_correct"),
            row("long", 1, "click_correct", doubled=True),
        ]
    )
    assert metrics.values["AMS"] == Metric(100.0, Share(6, 6))
    assert metrics.values["SR"] == Metric(100.0, Share(1, 1))
    assert metrics.tally == {
        "steps left out: missing": 1,
        "episodes left out of SR: not as many rows as steps": 2,
    }


def test_category_means_need_six_categories_and_have_a_note():
    five = [row(name, 0, "type_correct", name, 1) for name in SIX[:5]]
    assert V2.aggregate(five).values["AMS/category mean"] == Metric(
        None, note="the original stops here: 5 of 6 categories"
    )
    six = [*five, row("last", 0, "click_fail", SIX[5], 1)]
    assert V2.aggregate(six).values["AMS/category mean"] == Metric(83.33)
    assert V2.aggregate(six).values["SR/category mean"] == Metric(83.33)


def test_a_run_without_typed_text_has_no_text_rate_and_a_note():
    metrics = V2.aggregate([row("a", 0, "click_correct", length=1)])
    assert metrics.values["text rate"].value is None
    assert metrics.values["text rate"].note.startswith("the original stops here")
    assert metrics.values["AMS"].value == 100.0


def test_without_a_whole_episode_version_2_gives_0_and_version_1_stops():
    rows = [row("a", 0, "click_correct", length=9)]
    assert V2.aggregate(rows).values["SR"] == Metric(
        0.0, Share(0, 0), note="no whole episode; the original says 0"
    )
    assert V1.aggregate(rows).values["SR"] == Metric(
        None, Share(0, 0), note="the original stops here: no whole episode"
    )


def test_a_run_without_any_row_has_no_numbers():
    metrics = V2.aggregate([left_out("a", 0)])
    assert metrics.values["AMS"] == Metric(None, Share(0, 0), note="no row was scored")


@pytest.mark.parametrize("category", SIX[:2])
def test_each_category_has_its_own_numbers(category):
    metrics = V2.aggregate(
        [
            row("a", 0, "click_correct", SIX[0], 1),
            row("b", 0, "click_correct", SIX[1], 1),
            row("c", 0, "click_fail", SIX[1], 1),
        ]
    )
    hits = {SIX[0]: Share(1, 1), SIX[1]: Share(1, 2)}[category]
    assert metrics.values[f"AMS/{category}"].share == hits
    assert metrics.values[f"SR/{category}"].share == hits


def test_an_episode_in_two_categories_is_one_for_the_pooled_sr_and_one_for_each_of_them():
    rows = [
        row("a", 0, "click_correct", SIX[0], 2),
        row("a", 1, "click_fail", SIX[1], 2),
        row("b", 0, "click_correct", SIX[0], 1),
    ]
    metrics = V2.aggregate(rows)
    assert metrics.values["SR"].share == Share(1, 2)
    assert metrics.values[f"SR/{SIX[0]}"].share == Share(1, 1)
    assert metrics.values[f"SR/{SIX[1]}"].share == Share(0, 0)


def test_rows_with_different_lengths_of_their_episode_stop_the_original():
    rows = [row("a", 0, "type_correct", length=2), row("a", 1, "type_correct", length=3)]
    note = "the original stops here: an episode's rows tell different lengths"
    for protocol in (V1, V2):
        assert protocol.aggregate(rows).values["SR"].note == note
        assert protocol.aggregate(rows).values["AMS"].value == 100.0
