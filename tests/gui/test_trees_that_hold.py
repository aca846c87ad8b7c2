"""The rule, the window, the scores, lint and names give one answer to which tree holds."""

from __future__ import annotations

import pytest

from annotator.candidates import find_candidates
from annotator.lint.episode_view import EpisodeView
from episodes import actions as a
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Point, Size
from episodes.screens import Basis, Frame, StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.steps import Step
from scoring.protocol import CannotSay
from scoring.protocols.aitw_screen import pixel_boxes
from scoring.protocols.androidcontrol.elements import screen_of
from taptrail.gui.annotate.open_episode import read_tree_of
from taptrail.usecases.elements import target_name

DUMP = (
    b'<hierarchy rotation="1"><node class="android.widget.Button" text="OK" '
    b'bounds="[0,0][2400,1080]" clickable="true" enabled="true"/></hierarchy>'
)
PORTRAIT, LANDSCAPE = Size(1080, 2400), Size(2400, 1080)


def step(fit: TreeFit, frame: Size) -> Step:
    record = TreeRecord("uiautomator", DUMP, "uiautomator dump", TreeStatus.OK, size=LANDSCAPE)
    shown = Frame(frame, Basis.PAINTED)
    return Step(0, a.Tap(Point(540, 200)), shown, tree=StepTree(record, fit))


def readers(made: Step) -> dict[str, bool]:
    """Which readers use the step's tree as the tree of its screen."""
    episode = Episode("u", "0", Origin("made"), Task(""), EpisodeState.FINISHED, (made,))
    found = find_candidates(made, "u")
    assert found is not None
    (seen,) = EpisodeView(episode)
    return {
        "window": read_tree_of(made).tree is not None,
        "rule": bool(found.found),
        "lint": seen.tree is not None,
        "androidcontrol": not isinstance(screen_of(made), CannotSay),
        "aitw": pixel_boxes(made) is not None,
        "name": target_name(made) == "OK",
    }


@pytest.mark.parametrize("fit", [TreeFit.FRESH, TreeFit.IMPORTED, TreeFit.STALE, TreeFit.LATE])
def test_no_reader_uses_a_tree_of_a_turned_screen(fit: TreeFit) -> None:
    made = step(fit, PORTRAIT)
    assert set(readers(made).values()) == {False}
    said = find_candidates(made, "u")
    assert said is not None
    assert read_tree_of(made).words == said.reason
    assert said.reason == "The tree was taken while the screen was turned otherwise."


@pytest.mark.parametrize("fit", [TreeFit.FRESH, TreeFit.IMPORTED])
def test_all_readers_use_a_tree_that_holds(fit: TreeFit) -> None:
    assert set(readers(step(fit, LANDSCAPE)).values()) == {True}


@pytest.mark.parametrize("fit", [TreeFit.STALE, TreeFit.LATE])
def test_a_tree_of_another_moment_is_shown_and_proposed_low_and_judges_nothing(
    fit: TreeFit,
) -> None:
    made = step(fit, LANDSCAPE)
    assert [name for name, used in readers(made).items() if used] == ["window", "rule"]
    said = find_candidates(made, "u")
    assert said is not None
    assert said.level.value == "low"
