"""A fact of an episode is the same wherever it is shown: how long it took, and how it ended."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from episodes.durations import format_duration
from episodes.store.library import Library
from taptrail.gui.episodes.inspector import Inspector
from taptrail.gui.episodes.listing import TIME, EpisodesModel
from taptrail.gui.services import WindowServices
from taptrail.gui.tasks.texts import time
from taptrail.usecases.attempts import endings, judge, references
from tests.gui import story, tasks_story


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tasks_story.build(tmp_path / "library")
    return tmp_path / "library"


@pytest.mark.parametrize(
    ("microseconds", "words"),
    [
        (55_700_000, "0:56"),
        (59_499_999, "0:59"),
        (59_500_000, "1:00"),
        (188_000_000.0, "3:08"),
        (3_758_000_000, "1:02:38"),
        (0, "0:00"),
    ],
)
def test_times_are_rounded_to_the_nearest_second(microseconds: float, words: str) -> None:
    assert format_duration(microseconds) == words


def test_the_time_of_an_episode_is_one_in_list_side_panel_and_tasks(
    qtbot: QtBot, folder: Path
) -> None:
    parts = WindowServices(folder)
    inspector = Inspector(parts.small)
    qtbot.addWidget(inspector)
    with Library.read(folder) as library:
        wanted = {
            one.name: time(one.times.wall)
            for found in references(library).values()
            for one in found.attempts
        }
        listed, beside = {}, {}
        model = EpisodesModel(parts.reader)
        for row in library.episodes(limit=100):
            if row.name in wanted:
                listed[row.name] = model._words(row, TIME)
                inspector.show_episode(library.episode(row.uuid))
                beside[row.name] = inspector._facts.value("Time")
    parts.stop()
    assert listed == wanted
    assert beside == wanted


def test_a_judgement_against_the_claim_is_said_beside_it(qtbot: QtBot, folder: Path) -> None:
    parts = WindowServices(folder)
    inspector = Inspector(parts.small)
    qtbot.addWidget(inspector)
    said = []
    with Library.open(folder) as library:
        for how in ("", "failed", "complete"):
            judge(library, library.episode("e-0001"), story.ANA, how)
            episode = library.episode("e-0001")
            inspector.show_episode(episode)
            said.append((inspector._facts.value("Result"), endings(episode).differ))
    parts.stop()
    assert said == [
        ("complete", False),
        ("claimed complete · judged failed", True),
        ("complete", False),
    ]
