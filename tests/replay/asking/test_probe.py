"""Three requests tell what a server does to pictures and prompts."""

import tomllib

import pytest

from episodes.errors import KnownError
from episodes.geometry import Size
from replay.asking.client import Endpoint
from replay.asking.neutral import new_recipe
from replay.asking.probe import probe
from replay.asking.recipe import Picture, recipe_from_table
from replay.asking.sent_picture import check_fixed_point, picture_rule
from replay.coordinates import ResizeRule
from tests.replay.asking.fake_server import FakeServer

SENT = Size(1092, 2408)
RECIPE = recipe_from_table(tomllib.loads(new_recipe("qwen25vl")), "test")


def ask(sent=SENT, **server):
    with FakeServer(lambda key, told: "ok", **server) as fake:
        return probe(Endpoint(fake.url), RECIPE, sent, longest_tokens=4000)


@pytest.mark.parametrize("factor", [28, 32])
def test_a_server_that_uses_pictures_unchanged_is_reported_with_its_factor(factor):
    sent = Size(SENT.width // factor * factor, SENT.height // factor * factor)
    found = ask(sent, rule=ResizeRule(factor, 3136, 50_000_000))
    assert found.factor == factor
    assert not [note for note in found.notes if "shrinks" in note]


@pytest.mark.parametrize("limit", [300_000, 1_003_520])
def test_a_server_that_shrinks_pictures_is_found(limit):
    found = ask(rule=ResizeRule(28, 3136, limit))
    assert found.factor is None
    assert [note for note in found.notes if "shrinks pictures" in note]


def test_a_server_that_counts_no_tokens_is_reported():
    assert "does not count" in " ".join(ask(rule=None).notes)


def test_a_system_prompt_of_the_server_is_found():
    assert "system prompt" in " ".join(ask(system_prompt_tokens=500).notes)


def test_a_context_too_short_and_a_model_not_listed_are_found():
    with FakeServer(lambda key, told: "ok", models=("NAME", "other")) as fake:
        found = probe(Endpoint(fake.url), RECIPE, SENT, longest_tokens=100_000)
    assert "32,768" in " ".join(found.notes)
    assert found.models == ("NAME", "other")


def test_a_size_that_the_servers_rule_would_change_is_refused():
    picture = Picture(rule="1000x2000", sized_by="client")
    check_fixed_point(picture, picture_rule(picture), Size(1000, 2000))  # no rule to compare with
    smart = Picture(rule="smart:28:3136:1000000", sized_by="client")
    rule = picture_rule(smart)
    check_fixed_point(smart, rule, rule.resize(Size(1080, 2400)))
    with pytest.raises(KnownError, match="the same rule makes"):
        check_fixed_point(smart, rule, Size(1080, 2400))
