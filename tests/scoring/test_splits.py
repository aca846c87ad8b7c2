"""Splits of a data set: sizes, reproducibility, and no label in two parts."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.errors import KnownError
from scoring.splits import (
    PARTS,
    Crossing,
    SplitMember,
    by_episode,
    by_label,
    by_version,
    counts,
    crossings,
    version_order,
)


def members(number, **labels):
    """Episodes e0, e1, ...; each label is a function of the number, or a text for all."""
    return [
        SplitMember(
            f"d/1/e{n}",
            f"e{n}",
            {kind: (say(n) if callable(say) else (say,)) for kind, say in labels.items()},
        )
        for n in range(number)
    ]


def test_a_split_by_episode_has_its_shares_and_is_the_same_again():
    found = by_episode(members(200), seed=3)
    assert Counter(found.parts.values()) == {"train": 160, "validation": 20, "test": 20}
    assert by_episode(reversed(members(200)), seed=3) == found
    assert by_episode(members(200), seed=4).parts != found.parts
    test = {key for key, part in found.parts.items() if part == "test"}
    # The same on every machine.
    assert sorted(test)[:4] == ["d/1/e101", "d/1/e108", "d/1/e125", "d/1/e129"]


def test_an_episode_with_apps_of_two_parts_is_left_out():
    known = [
        SplitMember("a", "a", {"app": ("Maps",)}),
        SplitMember("b", "b", {"app": ("Notes",)}),
        SplitMember("c", "c", {"app": ("Shop",)}),
        SplitMember("d", "d", {"app": ("Maps", "Notes")}),
        SplitMember("e", "e", {"app": ("",)}),
    ]
    found = by_label(known, "app", seed=0)
    assert sorted(found.labels.values()) == ["test", "train", "validation"]
    assert {key: found.parts[key] for key in "abc"} == {
        key: found.labels[app] for key, app in zip("abc", ("Maps", "Notes", "Shop"), strict=True)
    }
    one, other = sorted(
        (found.labels["Maps"], found.labels["Notes"]), key=lambda part: PARTS.index(part)
    )
    assert found.left_out == {
        "d": f"what it has of the kind “app” is in {one} and in {other}",
        "e": "its app is unknown",
    }


def test_a_split_needs_a_label_for_each_part():
    with pytest.raises(KnownError, match="the episodes have 1 of the kind “app” between them"):
        by_label(members(9, app="Maps"), "app", seed=0)
    with pytest.raises(KnownError, match="no episode has the label app"):
        by_label(members(9), "app", seed=0)
    found = by_label(members(9, app=lambda n: (f"a{n % 2}",)), "app", seed=0, shares=(1, 0, 1))
    assert sorted(found.labels.values()) == ["test", "train"]


def test_the_newest_version_is_in_test_alone():
    known = members(40, version=lambda n: (("9", "10", "11", "")[n % 4],))
    found = by_version(known, seed=1)
    assert {key for key, part in found.parts.items() if part == "test"} == {
        f"d/1/e{n}" for n in range(2, 40, 4)
    }
    assert Counter(found.parts.values()) == {"train": 18, "validation": 2, "test": 10}
    assert set(found.left_out.values()) == {"its version is unknown"}
    assert found.labels == {
        "9": "train or validation", "10": "train or validation", "11": "test",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("version", "why"), [("13", "all are of Android 13"), ("", "the version is unknown")]
)
def test_one_version_cannot_be_split(version, why):
    with pytest.raises(KnownError, match=why):
        by_version(members(3, version=version), seed=0)


def test_versions_are_ordered_by_their_numbers():
    assert sorted(["10", "9", "4.4.2", "4.4", "API 35"], key=version_order) == [
        "4.4", "4.4.2", "9", "10", "API 35",
    ]  # fmt: skip


def test_an_older_version_may_be_in_train_and_in_validation_but_not_in_test():
    known = members(6, version=lambda n: (("9", "10")[n % 2],))
    parts = {f"d/1/e{n}": [("train", "validation", "train", "test")[n % 4]] for n in range(6)}
    assert [one.sentence for one in crossings(known, parts, ["version"])] == [
        "The version “10” is in validation (e1, e5) and in test (e3)."
    ]


def test_a_label_in_two_parts_is_named_with_its_episodes():
    known = [
        SplitMember("a", "a", {"app": ("Maps", "Shop")}),
        SplitMember("b", "b", {"app": ("Maps",)}),
        SplitMember("c", "c", {"app": ("Shop",)}),
        SplitMember("d", "d", {"app": ("Notes",)}),
    ]
    parts = {"a": ["train"], "b": ["test"], "c": ["train"], "d": ["own", "train"], "x": ["test"]}
    found = crossings(known, parts, ["episode", "app"])
    assert found == (
        Crossing("episode", "d", (("train", ("d",)), ("own", ("d",)))),
        Crossing("app", "Maps", (("train", ("a",)), ("test", ("b",)))),
        Crossing("app", "Notes", (("train", ("d",)), ("own", ("d",)))),
    )
    assert [one.sentence for one in found] == [
        "The episode “d” is in train and in own.",
        "The app “Maps” is in train (a) and in test (b).",
        "The app “Notes” is in train (d) and in own (d).",
    ]
    many = Crossing("app", "M", (("train", ("a", "b", "c", "d", "e")), ("test", ("f",))))
    assert many.sentence == "The app “M” is in train (a, b, c and 2 more) and in test (f)."


labels = st.lists(
    st.lists(st.sampled_from("abcdefgh"), max_size=3).map(tuple), min_size=3, max_size=40
)


@given(labels, st.integers(0, 5))
def test_no_label_crosses_a_split_by_labels_and_everybody_is_somewhere(told, seed):
    known = [SplitMember(f"k{n}", f"k{n}", {"app": apps}) for n, apps in enumerate(told)]
    if len({label for one in known for label in one.of("app")}) < 3:
        return
    found = by_label(known, "app", seed)
    assert crossings(known, {k: [p] for k, p in found.parts.items()}, ["episode", "app"]) == ()
    assert found.parts.keys() | found.left_out.keys() == {one.key for one in known}
    assert not found.parts.keys() & found.left_out.keys()


@given(st.integers(0, 500), st.tuples(*[st.integers(0, 100)] * 3).filter(any))
def test_counts_add_up_and_forget_no_share(total, shares):
    got = counts(total, shares)
    assert sum(got) == total
    assert all(number == 0 for number, share in zip(got, shares, strict=True) if not share)
    if total >= sum(share > 0 for share in shares):
        assert all(number > 0 for number, share in zip(got, shares, strict=True) if share)
