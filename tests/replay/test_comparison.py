"""Comparing runs step by step, on steps with known verdicts."""

import json
from dataclasses import replace

import pytest

from episodes import actions as a
from episodes.annotations import Gold, Status
from episodes.errors import KnownError
from episodes.geometry import Native
from episodes.runs import Orphan, OrphanReason, Prediction, Run
from episodes.screens import Foreground
from episodes.verdicts import Share
from replay.comparison import CHOICES, Only, RuleGroup, compare, comparison_to_json, grouped, spread
from replay.judging import Member, Side
from replay.sides import LETTERS, judge_sides, main_metrics
from scoring.protocols import PROTOCOLS
from scoring.statistics import mcnemar
from tests.replay.made import clicks, episode

V2 = PROTOCOLS["guiodyssey@2"]
STRICT = PROTOCOLS["taptrail-strict@1"]
RIGHT, FAR = "CLICK: (500, 500)", "CLICK: (900, 500)"
SAID = {"+": RIGHT, "-": FAR, "k": "PRESS_HOME"}


def prediction(name, step, told):
    return Prediction(name, step, told, a.Tap(None), Native.of("guiodyssey", told))


def run(name, answers, **more):
    """A run, and its predictions by episode: {"e": "+-."} has no prediction for step 2."""
    return Run(name, "guiodyssey", **more), {
        episode: [prediction(episode, n, SAID[c]) for n, c in enumerate(told) if c != "."]
        for episode, told in answers.items()
    }


def judged(runs, episodes, protocol=V2, without=frozenset(), orphans=None, **more):
    """The runs' sides; `without` has (letter, episode) pairs that are not in a side's steps."""
    sides = [Side(letter, one, protocol) for letter, (one, _) in zip(LETTERS, runs, strict=False)]
    said = {one.name: predictions for one, predictions in runs}
    members = [
        Member(e, frozenset(s.letter for s in sides if (s.letter, e.name) not in without))
        for e in episodes
    ]
    return judge_sides(
        sides, members, lambda name, e: said[name].get(e.name, []), orphans or {}, **more
    )


EPISODES = [clicks("e", 4), clicks("f", 3)]
A = run("a", {"e": "++-.", "f": "+++"})
B = run("b", {"e": "+-+-", "f": "+k+"})


def places(rows):
    return [(row.any.episode, row.place[1]) for row in rows]


def test_two_runs_part_where_their_outcomes_differ():
    found = compare(judged([A, B], EPISODES))
    assert places(found.partings) == [("e", 1), ("e", 2), ("e", 3), ("f", 1)]
    assert found.unlike == ()
    assert len(found.rows) == 7


def test_partings_are_grouped_by_pairs_of_rules():
    rows = compare(judged([A, B], EPISODES)).partings
    assert [(g.outcomes, g.rules, places(g.rows)) for g in grouped(rows)] == [
        (("match", "mismatch"), ("distance", "distance"), [("e", 1)]),
        (("mismatch", "match"), ("distance", "distance"), [("e", 2)]),
        (("unscored", "mismatch"), ("missing", "distance"), [("e", 3)]),
        (("match", "mismatch"), ("distance", "type"), [("f", 1)]),
    ]


def test_a_pair_is_counted_as_by_hand():
    (pair,) = compare(judged([A, B], EPISODES)).pairs
    assert pair.counts == {
        ("match", "match"): 3,
        ("match", "mismatch"): 2,
        ("mismatch", "match"): 1,
        ("unscored", "mismatch"): 1,
    }
    assert (pair.only_a, pair.only_b, pair.agreement) == (2, 1, Share(3, 7))
    assert pair.p == mcnemar(2, 1) == 1.0
    assert (pair.steps.a, pair.steps.b) == (Share(5, 6), Share(4, 6))
    assert pair.whole.a == Share(1, 1)  # of e, A lacks a row, so the original leaves it out
    assert pair.whole.b == Share(0, 1)


@pytest.mark.parametrize(
    ("what", "chosen"),
    [
        ("differ", [("e", 1), ("e", 2), ("e", 3), ("f", 1)]),
        ("a-right", [("e", 1), ("f", 1)]),
        ("b-right", [("e", 2)]),
        ("mismatch", [("e", 1), ("e", 2), ("e", 3), ("f", 1)]),
        ("all-wrong", []),
        ("unscored", [("e", 3)]),
        ("all", [("e", 0), ("e", 1), ("e", 2), ("e", 3), ("f", 0), ("f", 1), ("f", 2)]),
    ],
)
def test_steps_are_chosen_by_what_the_runs_got_right(what, chosen):
    assert places(compare(judged([A, B], EPISODES)).chosen(Only(what))) == chosen


def test_one_of_four_is_right_alone():
    runs = [run(name, {"e": told}) for name, told in zip("wxyz", ["+-++", "---+", "-.-+", "----"],
                                                         strict=True)]  # fmt: skip
    found = compare(judged(runs, EPISODES[:1]))
    assert {what: places(found.chosen(Only(what))) for what in CHOICES if "right" in what} == {
        "a-right": [("e", 0), ("e", 2)],
        "b-right": [],
        "c-right": [],
        "d-right": [],
    }
    assert places(found.chosen(Only("all-wrong"))) == []
    assert [(pair.a, pair.b) for pair in found.pairs] == [
        ("A", "B"), ("A", "C"), ("A", "D"), ("B", "C"), ("B", "D"), ("C", "D"),
    ]  # fmt: skip


def test_an_impossible_choice_is_an_error_of_one_sentence():
    with pytest.raises(KnownError) as error:
        Only("best")
    assert str(error.value).startswith("Cannot choose steps: there is no choice “best”. Use one of")
    with pytest.raises(KnownError) as error:
        compare(judged([A, B], EPISODES)).chosen(Only("c-right"))
    assert str(error.value) == (
        "Cannot choose steps: “c-right” is about side C, and the sides are A, B. "
        "Choose another, or add a run."
    )


def test_differences_of_runs_are_marked():
    low = run("low", {"e": "++++"}, level="low", coordinates="0-1")
    high = run("high", {"e": "++++", "f": "+++"}, level="high", coordinates="0-1")
    found = compare(judged([low, high], EPISODES, without={("A", "f")}))
    assert [one.what for one in found.unlike] == ["step set", "level"]
    assert found.unlike[1].values == ("low", "high")
    assert found.unlike[0].values[0].startswith("all, 4, ")
    (pair,) = found.pairs
    assert pair.counts == {("match", "match"): 4, ("absent", "match"): 3}
    assert (pair.steps.a, pair.steps.b) == (Share(4, 4), Share(4, 4))


def test_one_run_under_two_protocols_parts_by_their_rules():
    near = Native.of("guiodyssey", "CLICK: (600, 500)")
    answers = {"e": [Prediction("e", 0, "", a.Tap(a.Point(648, 1200)), near)]}
    one = Run("r", "guiodyssey")
    sides = [Side("A", one, V2), Side("B", one, STRICT)]
    asked = []

    def predictions(name, e):
        asked.append((name, e.name))
        return answers[e.name]

    members = [Member(clicks("e", 1), frozenset("AB"))]
    found = compare(judge_sides(sides, members, predictions, {}))
    assert grouped(found.partings) == (
        RuleGroup(("match", "mismatch"), ("distance", "distance"), found.rows),
    )
    assert found.unlike == ()
    assert asked == [("r", "e")]  # read once


def test_few_of_many_steps_show_every_way_to_part():
    many = run("a", {"e": "+" * 40})
    other = run("b", {"e": "-" * 39 + "k"})
    rows = compare(judged([many, other], [clicks("e", 40)])).partings
    assert places(spread(rows, 3)) == [("e", 0), ("e", 1), ("e", 39)]
    assert spread(rows, 40) == rows
    assert spread(rows, 0) == ()


def test_private_steps_are_left_out_and_counted_when_asked():
    made = clicks("e", 3)
    hidden = replace(made, steps=(*made.steps[:2], replace(made.steps[2], private=True)))
    secret = replace(clicks("f", 2), private=True)
    runs = [run("a", {"e": "++-", "f": "--"})]
    (left_out,) = judged(runs, [hidden, secret], private=False)
    assert (left_out.private_steps, left_out.private_episodes) == (1, 1)
    assert [place for place in left_out.steps] == [("uuid-e", 0), ("uuid-e", 1)]
    assert left_out.metrics.values["AMS"].share == Share(2, 2)
    assert left_out.metrics.values["SR"].share == Share(0, 0)  # e is not whole without its step
    assert left_out.step_set.count == 2
    (all_of_it,) = judged(runs, [hidden, secret])
    assert all_of_it.metrics.values["AMS"].share == Share(2, 5)


def test_a_second_prediction_counts_by_the_protocol_s_rule_and_a_step_once():
    again = {"a": [Orphan(prediction("e", 0, FAR), OrphanReason.DOUBLED)]}
    (side,) = judged([run("a", {"e": "++"})], [clicks("e")], orphans=again)
    assert side.metrics.values["AMS"].share == Share(2, 3)
    assert (len(side.steps), side.doubled) == (2, 1)


def test_facts_contain_the_origin_and_the_groups_of_a_step():
    made = episode("e", clicks("e", 2).steps, category="Tool", splits=(("random", "test"),))
    front = Foreground("org.mail", label="Mail")
    task = replace(made.task, apps=("Mail", "Notes"))
    made = replace(made, task=task, steps=(replace(made.steps[0], foreground=front), made.steps[1]))
    (side,) = judged([run("a", {"e": "+."})], [made])
    first, second = side.steps.values()
    assert (first.apps, second.apps) == (("Mail",), ("Mail", "Notes"))
    assert (first.splits, first.category, first.length) == (("random/test",), "Tool", 2)
    assert (first.position, second.position) == (1, 2)
    assert (first.predicted, second.predicted) == ("tap", "missing")


def test_the_kind_of_the_gold_is_that_of_the_action_it_matches():
    made = clicks("e", 1)
    back = Gold(1, a.PressKey(a.Key.BACK), "alternative", "as good", Status.ACCEPTED)
    made = replace(made, steps=(replace(made.steps[0], golds=(back,)),))

    def kind_for(action):
        answers = {"e": [Prediction("e", 0, "", action)]}
        (side,) = judged([(Run("r", "taptrail"), answers)], [made], STRICT)
        return side.steps["uuid-e", 0].gold

    assert kind_for(a.PressKey(a.Key.BACK)) == "press_key"
    assert kind_for(a.PressKey(a.Key.HOME)) == "tap"
    assert kind_for(a.Tap(a.Point(540, 1200))) == "tap"


def test_intervals_are_for_metrics_that_pool_their_episodes():
    episodes = [clicks(f"e{n}", 2 + n % 3) for n in range(30)]
    answers = {e.name: "+-++"[: len(e.steps)] if n % 2 else "++++"[: len(e.steps)]
               for n, e in enumerate(episodes)}  # fmt: skip
    (side,) = judged([run("a", answers)], episodes)
    share = side.metrics.values["AMS"].share
    found = side.interval("AMS")
    assert found.low < share.hits / share.total < found.high
    assert side.interval("SR").low < 0.5 < side.interval("SR").high
    assert side.interval("AMS/category mean") is None
    assert side.interval("nothing") is None
    assert set(main_metrics(side)) == {
        "AMS", "SR", "type rate", "text rate", "AMS/category mean", "SR/category mean",
    }  # fmt: skip
    assert side.pooled("SR", ["uuid-e0", "uuid-e1"]) == Share(1, 2)
    assert side.interval("AMS", ["uuid-e0"]) is None


def test_the_printed_json_is_complete():
    told = comparison_to_json(compare(judged([A, B], EPISODES)), Only("b-right"))
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert [side["side"] for side in told["sides"]] == ["A", "B"]
    assert (told["only"], told["count"]) == ("b-right", 1)
    assert told["groups"] == [
        {
            "count": 1,
            "example": {
                "episode": "e",
                "step": 2,
                "reasons": {
                    letter: f"It is {apart} of the screen from the gold point; the limit is 0.14."
                    for letter, apart in (("A", "0.4"), ("B", "0"))
                },
            },
            "sides": {
                "A": {"outcome": "mismatch", "rule": "distance"},
                "B": {"outcome": "match", "rule": "distance"},
            },
        }
    ]
    (step,) = told["steps"]
    assert (step["episode"], step["step"], step["kind"]) == ("e", 2, "tap")
    assert step["sides"]["A"]["reason"].startswith("It is 0.4 of the screen from the gold point")
    (pair,) = told["pairs"]
    assert {key: pair[key] for key in ("a", "b", "only_a", "only_b", "mcnemar_p")} == {
        "a": "A", "b": "B", "only_a": 2, "only_b": 1, "mcnemar_p": 1.0,
    }  # fmt: skip
    assert pair["steps"]["a"] == {"hits": 5, "total": 6}


def test_a_rule_that_looks_back_sees_private_answers_too():
    def carry():
        last = []

        def judged(found, step):
            last.append(found)
            return last[-2] if len(last) > 1 else None  # the answer before, whoever's it is

        return judged

    looking_back = replace(V2, carry=carry)
    secret = replace(clicks("e", 1), private=True)
    runs = [run("a", {"e": "+", "f": "-+"})]
    (side,) = judged(runs, [secret, clicks("f", 2)], looking_back, private=False)
    found = [fact.verdict.outcome.value for fact in side.steps.values()]
    assert found == ["match", "mismatch"]
