"""Numbers of a run in groups, as printed by the command and in JSON."""

import pytest

from episodes.errors import KnownError
from episodes.verdicts import Share
from replay.breakdown import BY, GroupShare, breakdown, breakdown_to_json
from scoring.numbers import TABLES
from scoring.statistics import bootstrap
from tests.scoring.facts import episode, fact

FACTS = [
    *episode("a", "++-", splits=("r/test",), device="P"),
    *episode("b", "-+", splits=("r/train",)),
    fact("b", 2, "-", gold="swipe", predicted="tap", length=3, splits=("r/train",)),
]


def test_each_number_has_hits_of_total_and_an_interval_over_episodes():
    found = breakdown(FACTS)
    assert [(line.label, line.share) for line in found.numbers] == [
        ("step accuracy", Share(3, 6)),
        ("type accuracy", Share(5, 6)),
        ("grounding accuracy", Share(3, 5)),
        ("goal progress", Share(2, 6)),
    ]
    assert found.numbers[0].interval == bootstrap([Share(2, 3), Share(1, 3)])
    assert found.tables == {}


def test_groups_are_those_that_are_asked_for():
    found = breakdown(FACTS, ["split", "length", "split"])
    assert found.tables == {
        "split": (
            GroupShare("r/test", Share(2, 3), None, 3),
            GroupShare("r/train", Share(1, 3), None, 3),
        ),
        "length": (GroupShare("1 to 5", Share(3, 6), bootstrap([Share(2, 3), Share(1, 3)]), 6),),
    }
    assert set(breakdown(FACTS, ["all"]).tables) == set(BY)
    assert set(BY.values()) == set(TABLES)


def test_json_has_numbers_tables_and_kinds():
    told = breakdown_to_json(breakdown(FACTS, ["device"]))
    assert told["tables"] == {
        "device": [
            {"label": "P", "steps": 3, "hits": 2, "total": 3, "value": 2 / 3, "low": None,
             "high": None},
            {"label": "", "steps": 3, "hits": 1, "total": 3, "value": 1 / 3, "low": None,
             "high": None},
        ]
    }  # fmt: skip
    assert told["kinds"] == [
        {"gold": "tap", "predicted": "tap", "n": 5},
        {"gold": "swipe", "predicted": "tap", "n": 1},
    ]
    assert told["numbers"]["type accuracy"]["hits"] == 5


def test_a_table_there_is_not_is_a_known_error():
    with pytest.raises(KnownError, match="Use one of category, app, kind, split, device"):
        breakdown(FACTS, ["moon"])


def test_nothing_has_no_numbers():
    found = breakdown([], ["app"])
    assert {line.share for line in found.numbers} == {Share(0, 0)}
    assert found.tables == {"app": ()}
