"""Every room has the same pixels per dp for one phone and one frame."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from annotator.lint.episode_view import EpisodeView
from episodes import actions as a
from episodes.density import likely_pixels_per_dp, pixels_per_dp, usual_pixels_per_dp
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Box, Point, Size
from episodes.recordings import DeviceFacts
from episodes.screens import Basis, Frame
from episodes.steps import Step
from replay.report.marks import scale_of
from scoring.protocols.taptrail_strict import REACH_DP, V1
from taptrail.usecases.elements import in_dp

PHONE = DeviceFacts(density=420, size=Size(1080, 2400))


@pytest.mark.parametrize(
    ("frame", "per_dp"),
    [
        (Size(1080, 2400), 2.625),
        (Size(540, 1200), 1.3125),
        (Size(2400, 1080), 2.625),
        (Size(1200, 540), 1.3125),
    ],
)
def test_a_smaller_or_turned_frame_has_the_density_of_its_own_pixels(
    frame: Size, per_dp: float
) -> None:
    assert pixels_per_dp(PHONE, frame) == likely_pixels_per_dp(PHONE, frame) == per_dp


@pytest.mark.parametrize(
    "device", [DeviceFacts(), DeviceFacts(density=420), DeviceFacts(size=Size(1080, 2400))]
)
def test_without_density_and_screen_size_a_usual_phone_is_assumed(device: DeviceFacts) -> None:
    frame = Size(1200, 540)
    assert pixels_per_dp(device, frame) is None
    assert likely_pixels_per_dp(device, frame) == usual_pixels_per_dp(frame) == 540 / 411


@pytest.mark.parametrize("frame", [Size(1080, 2400), Size(540, 1200), Size(1200, 540)])
def test_lint_scores_report_and_pointer_measure_in_the_same_way(frame: Size) -> None:
    per_dp = pixels_per_dp(PHONE, frame)
    assert per_dp is not None
    step = Step(0, a.Tap(Point(5, 5)), Frame(frame, Basis.PAINTED))
    origin = Origin("recorded")
    state = EpisodeState.FINISHED
    episode = Episode("u", "0", origin, Task(""), state, (step,), device=PHONE)
    (seen,) = EpisodeView(episode)
    assert seen.dp(per_dp) == 1
    assert scale_of(frame, PHONE, 216).dp == per_dp
    assert in_dp(Box(0, 0, per_dp, per_dp), frame, PHONE) == Box(0, 0, 1, 1)
    assert V1.gold(step, episode).reach == REACH_DP * per_dp


def test_no_other_module_makes_dp_of_a_density() -> None:
    root = Path(__file__).resolve().parents[2]
    rooms = ("episodes", "scoring", "recorder", "annotator", "replay", "taptrail")
    found = [
        str(file.relative_to(root))
        for room in rooms
        for file in (root / room).rglob("*.py")
        if re.search(r"/ 160\b|\b160 /|\* 160\b", file.read_text(encoding="utf-8"))
    ]
    assert found == []
