"""GUIOdyssey's derived files (guiodyssey-tests): what its evaluator reads, and how it is made."""

import ast
import json

import pytest

from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats import guiodyssey
from episodes.formats.guiodyssey_tests import answer_of
from episodes.formats.guiodyssey_writer import write_with_tests
from episodes.formats.output_files import Loss
from tests.samples import guiodyssey as sample


def read(folder, picture_store):
    return [one for one in guiodyssey.read(folder, picture_store) if isinstance(one, Episode)]


@pytest.mark.parametrize(
    ("action", "info", "answer"),
    [
        ("CLICK", [[374, 621], [374, 621]], "CLICK: (374, 621)"),
        ("LONG_PRESS", [[374.5, 621]], "LONG_PRESS: (374.5, 621)"),
        ("CLICK", "KEY_HOME", "PRESS_HOME"),
        ("LONG_PRESS", "KEY_APPSELECT", "PRESS_RECENT"),
        ("SCROLL", [[274, 516], [649, 538]], "SCROLL: RIGHT"),
        ("SCROLL", [[5, 5], [1, 9]], "SCROLL: DOWN"),
        ("SCROLL", [[5, 5], [5, 5]], "SCROLL: DOWN"),
        ("SCROLL", [[5, 5], [8, 1]], "SCROLL: UP"),
        ("TEXT", "10:30 am", "TYPE: 10:30 am"),
        ("TEXT", "", "TYPE: "),
        ("COMPLETE", "", "COMPLETE"),
        ("INCOMPLETE", None, "IMPOSSIBLE"),
        ("CLICK", "KEY_MENU", None),
        ("ZOOM", [], None),
    ],
)
def test_answers_are_decoded_as_the_converter_does(action, info, answer):
    assert answer_of(action, info) == answer


def test_each_split_gets_a_file_for_both_levels_and_pictures_their_history(
    tmp_path, picture_store, stills
):
    episodes = read(sample.version_2(tmp_path / "set"), picture_store)
    folder = tmp_path / "out"
    written = write_with_tests(episodes, folder, stills)
    assert (written.episodes, written.losses) == (2, ())
    assert [episode.steps for episode in read(folder, picture_store)] == [e.steps for e in episodes]
    assert sorted(path.name for path in (folder / "test_anno").iterdir()) == [
        "high_random_split.json",
        "low_random_split.json",
    ]
    high, low = (
        json.loads((folder / f"test_anno/{level}_random_split.json").read_text())
        for level in ("high", "low")
    )
    steps = sample.MILK["steps"]
    images = [str((folder / "screenshots" / step["screenshot"]).resolve()) for step in steps]
    answers = [answer_of(step["action"], step["info"]) for step in steps]
    assert high[2] == {
        "id": "GUIOdyssey_random_split_2",
        "image": images[2],
        "question": sample.MILK["task_info"]["instruction"],
        "answer": answers[2],
        "category": sample.MILK["task_info"]["category"],
        "step_length": 7,
        "history_action": str(answers[:2]),
        "history_screenshot": str(images[:2]),
        "sam2_bbox": steps[2]["sam2_bbox"],
    }
    assert [row["question"] for row in low] == [step["low_level_instruction"] for step in steps]
    assert [row["answer"] for row in low] == [row["answer"] for row in high] == answers
    assert ast.literal_eval(high[6]["history_action"]) == answers[:6]
    index = json.loads((folder / "his_index.json").read_text())
    assert len(index) == 13
    assert index[images[3]] == images[:3]


def test_a_step_the_converter_stops_at_is_counted(tmp_path, picture_store, stills):
    steps = [sample.step(0, "ZOOM", ""), sample.step(1, "COMPLETE", "")]
    value = sample.annotation("7", steps, sample.MILK["task_info"])
    split = {"random": {"test": ["7.json"]}}
    episodes = read(sample.write(tmp_path / "set", [value], split), picture_store)
    written = write_with_tests(episodes, tmp_path / "out", stills)
    assert written.losses == (
        Loss("of the test files, a step that GUIOdyssey's converter stops at", "7 step 0", 1),
        *[loss for loss in written.losses if not loss.what.startswith("of the test files")],
    )
    rows = json.loads((tmp_path / "out/test_anno/high_random_split.json").read_text())
    assert [(row["answer"], row["history_action"]) for row in rows] == [("COMPLETE", "[]")]


def test_nothing_is_left_of_an_export_that_failed(tmp_path, picture_store, stills):
    episodes = read(sample.version_2(tmp_path / "set"), picture_store)
    still = episodes[1].steps[2].frame.still
    stills.path(still.sha256, still.media_type).unlink()
    with pytest.raises(KnownError, match="episodes check"):
        write_with_tests(episodes, tmp_path / "out", stills)
    assert not (tmp_path / "out").exists()
