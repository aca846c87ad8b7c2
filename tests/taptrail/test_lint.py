"""`taptrail lint`: listing, accepting, fixing and undoing findings."""

import shutil
from dataclasses import replace

import pytest

from annotator.lint.rules import RULES
from episodes import actions as a
from episodes.annotations import Provenance, Region, RegionSource
from episodes.geometry import Box, Point
from episodes.store.finding_counts import FindingCounts
from episodes.store.library import Library
from taptrail.usecases import linting
from tests.annotator.samples import step
from tests.taptrail.annotated import shopping

FAR = Region(Box(10, 10, 90, 90), Provenance(RegionSource.PERSON), chosen=True)


@pytest.fixture
def filled(library):
    one = shopping()
    steps = (replace(one.steps[0], regions=(FAR,)), *one.steps[1:])
    with Library.open(library) as kept:
        kept.save_episodes([replace(one, steps=steps), shopping("e-0002", steps=one.steps[:1])])
    return library


@pytest.fixture
def lint(taptrail, filled):
    def command(*words):
        done = taptrail("lint", *words, "--library", filled, "--json")
        assert done.code == 0, done.err
        return done.json

    return command


def told(found):
    return [(one["episode"], one["step"], one["rule"]) for one in found["findings"]]


ALL = [
    ("e-0001", 0, "press-outside-region"),
    ("e-0001", 1, "text-without-focus"),
    ("e-0001", 2, "text-without-focus"),
    ("e-0001", 4, "stale-tree"),
]


def test_everything_is_told_with_its_reason_and_its_fix(lint):
    found = lint()
    assert told(found) == ALL
    assert (found["episodes"], found["steps"], found["accepted"]) == (2, 7, 0)
    assert found["open"] == {"press-outside-region": 1, "text-without-focus": 2, "stale-tree": 1}
    assert found["severities"] == {"error": 1, "look": 3, "note": 0}
    assert found["findings"][0] == {
        "episode": "e-0001",
        "dataset": "recorded",
        "uuid": "uuid-e-0001",
        "step": 0,
        "rule": "press-outside-region",
        "severity": "error",
        "reason": "The press at 880, 300 is outside its region, 10, 10 to 90, 90.",
        "fix": "take the tree's target instead",
        "accepted": None,
    }


def test_an_episode_a_rule_and_a_severity_narrow_it(lint):
    assert told(lint("--episode", "e-0002")) == []
    assert told(lint("--rule", "stale-tree")) == ALL[3:]
    assert told(lint("--severity", "error")) == ALL[:1]


def test_what_is_accepted_is_told_no_more_until_undo(lint, taptrail, filled):
    where = ("e-0001", "stale-tree", "--step", "4")
    assert lint("accept", *where, "--reason", "the list did not move") == {
        "edit": 1,
        "episode": "e-0001",
        "step": 4,
    }
    assert told(lint()) == ALL[:3]
    again = lint("--accepted")
    assert (told(again), again["accepted"]) == (ALL, 1)
    assert again["findings"][3]["accepted"]["reason"] == "the list did not move"
    taptrail("episodes", "undo", "--library", filled)
    assert told(lint()) == ALL
    taptrail("episodes", "redo", "--library", filled)
    lint("reopen", *where)
    assert told(lint()) == ALL
    history = taptrail("episodes", "history", "e-0001", "--library", filled, "--json").json
    assert [(line["words"], line["reason"]) for line in history["edits"]] == [
        ("Accept a finding", "the list did not move"),
        ("Undo: accept a finding", ""),
        ("Redo: accept a finding", "the list did not move"),
        ("Open a finding again", ""),
    ]


def test_an_edit_is_told_with_the_episode_and_the_step_it_was_made_in(taptrail, filled):
    where = ("e-0001", "stale-tree", "--step", "4", "--library", filled)
    assert taptrail("lint", "accept", *where, "--reason", "seen").out == (
        "e-0001, step 4: Accept a finding.\n"
    )
    assert taptrail("lint", "reopen", *where).out == "e-0001, step 4: Open a finding again.\n"


def test_a_region_in_the_wrong_place_gives_way_to_the_trees_and_undo_brings_it_back(
    lint, taptrail, filled
):
    lint("fix", "e-0001", "press-outside-region", "--step", "0")
    assert told(lint()) == ALL[1:]
    with Library.read(filled) as kept:
        target = kept.episode("e-0001").steps[0].target
    assert (target.label, target.provenance.source) == ("add to basket", RegionSource.TREE)
    taptrail("episodes", "undo", "--library", filled)
    assert told(lint()) == ALL


def test_a_finding_that_stands_already_is_no_edit_and_that_is_said(taptrail, filled):
    words = ("lint", "accept", "e-0001", "stale-tree", "--step", "4", "--library", filled)
    assert taptrail(*words, "--reason", "seen", "--json").json["edit"] is not None
    with Library.read(filled) as kept:
        before = kept.gold_revision()
    done = taptrail(*words, "--reason", " seen ")
    assert (done.code, done.out) == (
        0, "Nothing changed: it was accepted for that reason already.\n",
    )  # fmt: skip
    assert taptrail(*words, "--reason", "seen", "--json").json == {
        "edit": None, "episode": "e-0001", "step": 4,
    }  # fmt: skip
    with Library.read(filled) as kept:
        assert kept.gold_revision() == before
    assert taptrail(*words, "--reason", "looked again", "--json").json["edit"] is not None


def test_a_step_that_did_nothing_is_deleted(lint, filled):
    with Library.open(filled) as kept:
        twice = (step(880, 300, index=0), step(880, 301, index=1))
        picture = {"still": _still()}
        same = tuple(replace(one, frame=replace(one.frame, **picture)) for one in twice)
        end = step(0, 0, index=2, action=a.Finish(a.Ending.COMPLETE))
        kept.save_episodes([shopping("e-0003", steps=(*same, end))])
    lint("fix", "e-0003", "duplicate-step", "--step", "1")
    with Library.read(filled) as kept:
        assert [one.index for one in kept.episode("e-0003").steps] == [0, 2]


def _still():
    from episodes.screens import Still, StillSource
    from tests.annotator.samples import SIZE

    return Still("0" * 64, "image/png", SIZE, 1, StillSource.STREAM, True)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("--rule", "no-such"), "there is no rule “no-such”"),
        (("--episode", "e-0009"), "e-0009"),
        (
            ("accept", "e-0001", "gap", "--step", "0", "--reason", "x"),
            "step 0 has no such finding now",
        ),
        (
            ("accept", "e-0001", "stale-tree", "--step", "4", "--reason", "  "),
            "no reason is given",
        ),
        (("reopen", "e-0001", "stale-tree", "--step", "4"), "nobody has accepted it there"),
        (
            ("fix", "e-0001", "text-without-focus", "--step", "1"),
            "only a person can tell what is right there",
        ),
    ],
)
def test_what_cannot_be_done_is_said(taptrail, filled, words, found):
    done = taptrail("lint", *words, "--library", filled)
    assert done.code == 1
    assert found in done.err


def test_people_read_a_table_and_a_sum(taptrail, filled):
    shown = taptrail("lint", "--library", filled)
    assert "7 steps of 2 episodes checked: 1 error, 3 look, 0 note; 0 accepted." in shown.out
    assert "text-without-focus" in shown.out
    short = taptrail("lint", "--limit", "1", "--library", filled).out
    assert "3 more lines; --limit 0 shows all." in short


def test_the_rules_are_listed_and_told_in_the_manual(taptrail):
    listed = [one["rule"] for one in taptrail("lint", "rules", "--json").json]
    assert listed == list(RULES)
    from pathlib import Path

    manual = (Path(__file__).parents[2] / "docs" / "lint.md").read_text("utf-8")
    assert [rule for rule in RULES if f"`{rule}`" not in manual] == []


def test_progress_is_told_and_stops_it(filled):
    seen = []

    def stop(done, total):
        seen.append((done, total))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        linting.lint_library(filled, on_progress=stop)
    assert seen == [(2, 2)]


def test_several_processes_find_what_one_finds(filled):
    with Library.open(filled) as kept:
        kept.save_episodes(shopping(f"e-{at:04d}") for at in range(10, 70))
    done = []
    one = linting.lint_library(filled, processes=1)
    assert linting.lint_library(filled, on_progress=lambda *at: done.append(at), processes=2) == one
    assert (len(one.told), one.steps) == (4 + 60 * 3, 7 + 60 * 6)
    assert done == [(25, 62), (50, 62), (62, 62)]


def test_a_place_is_told_in_the_corrected_action(lint, filled):
    with Library.open(filled) as kept:
        from annotator.corrections import ActionChange
        from taptrail.usecases import editing
        from taptrail.usecases.annotating import find_step
        from tests.taptrail.annotated import MARY

        episode, found = find_step(kept, "e-0001", 0)
        editing.change_action(kept, episode, found, ActionChange(at=Point(50, 50)), MARY)
    assert told(lint("--rule", "press-outside-region")) == []


def test_what_is_kept_is_what_is_told_and_follows_every_change(lint, taptrail, filled):
    def listed(*words):
        done = taptrail("episodes", "list", *words, "--library", filled, "--json")
        assert done.code == 0, done.err
        return {one["name"]: one["findings"] for one in done.json["episodes"]}

    none, three = {"error": 0, "look": 0, "note": 0}, {"error": 1, "look": 3, "note": 0}
    assert listed() == {"e-0001": None, "e-0002": None}
    assert lint("--keep")["severities"] == three
    assert listed() == {"e-0001": three, "e-0002": none}
    assert linting.keep_findings(filled) == 0
    assert list(listed("--finding", "stale-tree")) == ["e-0001"]
    assert list(listed("--finding", "any")) == ["e-0001"]
    assert list(listed("--finding", "none")) == ["e-0002"]
    assert listed("--finding", "gap") == {}
    reason = ("--reason", "the list did not move", "--library", filled)
    done = taptrail("lint", "accept", "e-0001", "stale-tree", "--step", "4", *reason)
    assert done.code == 0
    assert listed() == {"e-0001": None, "e-0002": none}
    assert listed("--finding", "any") == {}
    assert linting.keep_findings(filled) == 1
    assert listed() == {"e-0001": {"error": 1, "look": 2, "note": 0}, "e-0002": none}
    assert listed("--finding", "stale-tree") == {}


def test_an_app_nobody_knew_has_all_episodes_looked_at_again(filled):
    assert linting.keep_findings(filled, processes=2) == 2
    with Library.open(filled) as kept:
        base = shopping("e-0003")
        kept.save_episodes([replace(base, task=replace(base.task, apps=("Teapots",)))])
    assert linting.keep_findings(filled) == 3


def test_an_episode_that_changed_while_it_was_looked_at_still_waits(filled):
    with Library.open(filled) as kept:
        one = kept.episode("e-0001")
        waits = kept.unlooked("rules")
        seen = FindingCounts(one.uuid, kept.gold_revision(one.uuid), {("gap", "look"): 2})
        kept.delete_episode(one.uuid)
        kept.restore_episode(one.uuid)
        assert kept.keep_findings("rules", [seen]) == 0
        assert kept.unlooked("rules") == waits
        now = replace(seen, revision=kept.gold_revision(one.uuid))
        assert kept.keep_findings("rules", [now]) == 1
        assert kept.facets().findings == (("gap", 1),)
        assert kept.unlooked("rules") == [uuid for uuid in waits if uuid != one.uuid]
        assert kept.unlooked("others") == waits
        kept.delete_episode(one.uuid)
        assert kept.facets().findings == ()


def test_a_merge_has_only_those_looked_at_again_to_whom_it_brought_something(filled, tmp_path):
    shutil.copytree(filled, tmp_path / "theirs")
    assert linting.keep_findings(filled) == 2
    for waiting in (0, 1):
        with Library.open(tmp_path / "theirs") as theirs, Library.open(filled) as ours:
            if waiting:
                theirs.editor().set_private(next(theirs.iterate()).uuid, None, True)
            ours.merge(theirs)
        assert linting.keep_findings(filled) == waiting
