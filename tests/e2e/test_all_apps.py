"""Actions over many apps agree with the phone's truth, and what is not sure says so."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from episodes.actions import kind
from episodes.screens import AppFit, TreeFit
from episodes.steps import Step
from episodes.store.library import Library
from tests.demophone.phones import StartPhone, adb_server, demo_phone
from tests.e2e import checks
from tests.e2e.all_apps import (
    Scene,
    call_somebody,
    go_home,
    hurry,
    look_around,
    open_the_vault,
    watch_the_clock,
)
from tests.e2e.bench import recording
from tests.e2e.truth import TruthLog
from tests.e2e.walk import Pace, Walker

__all__ = ["adb_server", "demo_phone"]

PHONE = ("--size", "432x960", "--density", "168", "--seed", "7", "--no-animations")


@pytest.mark.xdist_group("mirror")
def test_actions_over_many_apps_agree_with_the_phone_or_say_that_they_may_not(
    qtbot: QtBot, demo_phone: StartPhone, tmp_path: Path
) -> None:
    scenes = (call_somebody, watch_the_clock, open_the_vault, look_around, hurry)
    steps = check_walk(qtbot, demo_phone, tmp_path, scenes)
    assert len(steps) >= 50


def check_walk(
    qtbot: QtBot, demo_phone: StartPhone, tmp_path: Path, scenes: Sequence[Scene]
) -> tuple[Step, ...]:
    """Records the scenes in the real window, and compares each step with the truth log."""
    phone = demo_phone(*PHONE, "--faults", "dump-slow=20")
    truth = TruthLog(phone.truth_path)
    folder = tmp_path / "library"
    with recording(qtbot, phone, folder) as bench:
        hand = Walker(bench, truth, seed=5)
        for scene in scenes:
            scene(hand)
            go_home(hand)
        uuid = hand.finish()
        problems = bench.trouble
    truth.read()
    assert problems == ""
    assert checks.same_inputs(hand.done, truth) == []

    with Library.read(folder) as library:
        episode = library.episode(uuid)
        wrong = checks.wrong_pictures(episode, library, hand.done)
    wrong += checks.wrong_protection(episode, truth)
    assert [kind(step.action) for step in episode.steps] == [one.kind for one in hand.done]

    judged = checks.judged(episode.steps, hand.done, truth)
    wrong += checks.wrong_steps(judged, truth, uuid)
    assert "\n".join(wrong) == ""

    steps = episode.steps
    fresh = [step for step in steps if step.tree and step.tree.fit is TreeFit.FRESH]
    sure = [step for step in steps if step.foreground and step.foreground.fit is AppFit.FRESH]
    black = [step for step in steps if step.frame and step.frame.protected]
    asked = [one for one in judged if checks.candidate_is_hit(one, uuid) is not None]
    hit = [one for one in asked if checks.candidate_is_hit(one, uuid)]
    print(
        f"{len(steps)} actions: {len(fresh)} with a fresh tree, {len(hit)} of {len(asked)} "
        f"candidates hit, {len(sure)} with a fresh app, {len(black)} on a protected screen"
    )
    assert len(hit) >= 0.98 * len(asked)
    # Where the hand waited for the tree, it must be the screen's.
    calm = [number for number, one in enumerate(hand.done) if one.pace is Pace.CALM]
    assert len({step.index for step in fresh} & set(calm)) > 0.8 * len(calm)
    assert len({step.index for step in sure} & set(calm)) > 0.8 * len(calm)
    assert len(asked) > 0.5 * len(calm)
    assert len(black) >= 4
    return steps
