"""Result files of the format androidworld, read without running anything of them."""

from __future__ import annotations

import datetime
import gzip
import io
import json
import os
import pickle
import sys
import types
import zlib
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

from episodes import actions as a
from episodes.episodes import Episode, EpisodeState
from episodes.errors import KnownError
from episodes.formats import androidworld
from episodes.formats.androidworld_actions import action_of
from episodes.formats.androidworld_pickle import read_records
from episodes.formats.input_files import ImportNote, Refused
from episodes.geometry import Box, Direction, Point

SCREEN = np.full((40, 20, 3), 90, np.uint8)


MODULES: dict[str, types.ModuleType] = {}


def class_of(module: str, name: str) -> type:
    """A class that pickles under somebody else's name."""
    made = type(name, (), {"__module__": module})
    parts = module.split(".")
    for end in range(1, len(parts) + 1):
        MODULES.setdefault(".".join(parts[:end]), types.ModuleType(parts[end - 1]))
    setattr(MODULES[module], name, made)
    return made


UIElement = class_of("android_world.env.representation_utils", "UIElement")
BoundingBox = class_of("android_world.env.representation_utils", "BoundingBox")
JSONAction = class_of("android_world.env.json_action", "JSONAction")
Response = class_of("made_up.models", "Response")


def made(kind: type, **members: object) -> object:
    one = kind.__new__(kind)
    one.__dict__.update(members)
    return one


def element(left: int, top: int, right: int, bottom: int) -> object:
    box = made(BoundingBox, x_min=left, x_max=right, y_min=top, y_max=bottom)
    return made(UIElement, text="OK", bbox_pixels=box)


def record(**members: object) -> dict:
    return {
        "goal": "Turn Wi-Fi on.",
        "task_template": "SystemWifiTurnOn",
        "instance_id": 0,
        "is_successful": np.float64(1.0),
        "run_time": 12.5,
        "finish_dtime": datetime.datetime(2024, 5, 1, 12),  # noqa: DTZ001
        "episode_length": 2,
        "exception_info": None,
        "seed": 7,
        "agent_name": "m3a",
        "aux_data": None,
        **members,
    }


M3A = {
    "raw_screenshot": [SCREEN, SCREEN],
    "before_screenshot_with_som": [SCREEN, SCREEN],
    "before_ui_elements": [[element(0, 0, 9, 9), element(10, 10, 20, 30)], []],
    "action_output": ["Reason: r\nAction: {...}", "done"],
    "action_output_json": [
        made(JSONAction, action_type="click", index=1, x=None),
        made(JSONAction, action_type="status", goal_status="complete"),
    ],
    "action_reason": ["it is off", None],
    "action_raw_response": [made(Response, status_code=200), None],
    "summary": ["tapped", None],
    "step_number": [0, 1],
}
T3A = {
    "before_screenshot": [SCREEN],
    "before_element_list": [[element(0, 0, 10, 10)]],
    "action_output": ['Reason: x\nAction: {"action_type": "click", "index": 0}'],
}


def saved(folder: Path, name: str, *records: dict) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    with mock.patch.dict(sys.modules, MODULES):
        path.write_bytes(gzip.compress(pickle.dumps(list(records), 4), 5))
    return path


def read(path, picture_store):
    found = list(androidworld.read(path, picture_store))
    return [one for one in found if isinstance(one, Episode)], [
        one for one in found if not isinstance(one, Episode)
    ]


def test_an_episode_is_imported_step_by_step_with_its_score(tmp_path, picture_store):
    saved(tmp_path / "run", "SystemWifiTurnOn_0.pkl.gz", record(episode_data=M3A))
    (episode,), problems = read(tmp_path / "run", picture_store)
    assert (episode.name, episode.task.goal_id) == ("run-SystemWifiTurnOn_0", "SystemWifiTurnOn")
    assert episode.state is EpisodeState.FINISHED
    assert [step.action for step in episode.steps] == [
        a.Tap(Box(10, 10, 20, 30)),
        a.Finish(a.Ending.COMPLETE),
    ]
    assert episode.steps[0].frame.still is not None
    assert (episode.steps[0].texts.intention, episode.steps[0].texts.note) == (
        "it is off",
        "tapped",
    )
    assert json.loads(episode.extra)["is_successful"] == 1.0
    assert problems == [
        ImportNote(
            "SystemWifiTurnOn_0.pkl.gz", "the agent drew the target into its raw screenshots"
        )
    ]


def test_an_agent_without_a_parsed_action_is_read_by_its_words(tmp_path, picture_store):
    saved(tmp_path / "run", "A_0.pkl.gz", record(episode_data=T3A))
    (episode,), problems = read(tmp_path / "run", picture_store)
    assert episode.steps[0].action == a.Tap(Box(0, 0, 10, 10))
    assert (episode.state, problems) == (EpisodeState.INCOMPLETE, [])


def test_a_failed_record_is_an_episode_without_steps_and_with_its_exception(
    tmp_path, picture_store
):
    nan = float("nan")
    failed = record(episode_data=nan, is_successful=nan, exception_info="Traceback: KeyError")
    saved(tmp_path / "run", "B_0.pkl.gz", failed)
    (episode,), problems = read(tmp_path / "run", picture_store)
    beside = json.loads(episode.extra)
    assert (beside["is_successful"], beside["exception_info"]) == (None, "Traceback: KeyError")
    assert (episode.steps, problems) == (
        (),
        [ImportNote("B_0.pkl.gz", "it failed, and has no steps")],
    )


def test_a_file_s_score_is_a_verdict_and_an_exception_is_unknown(tmp_path, picture_store):
    trace = "Traceback (most recent call last):\n  File x\nKeyError: 'playing_queue'\n"
    saved(tmp_path / "run", "A_0.pkl.gz", record(episode_data=M3A))
    saved(tmp_path / "run", "B_0.pkl.gz", record(is_successful=0.5, episode_data=T3A))
    saved(tmp_path / "run", "C_0.pkl.gz", record(is_successful=1.0, exception_info=trace))
    saved(tmp_path / "run", "D_0.pkl.gz", record(is_successful=10**400, seed=-1))
    episodes, _ = read(tmp_path / "run", picture_store)
    told = [androidworld.verdict(one) for one in episodes]
    assert [(one.verdict, one.score, one.claimed, one.reason) for one in told] == [
        ("success", 1.0, "complete", "A_0.pkl.gz says 1"),
        ("partial", 0.5, "", "B_0.pkl.gz says 0.5"),
        ("unknown", None, "", "KeyError: 'playing_queue'"),
        ("unknown", None, "", "D_0.pkl.gz holds no score"),
    ]
    assert (told[0].task, told[0].bench, told[0].seed) == ("SystemWifiTurnOn", "androidworld", 7)
    assert json.loads(told[0].details)["run_seconds"] == 12.5


class Runs:
    def __init__(self, call, *words):
        self.told = (call, words)

    def __reduce__(self):
        return self.told


@pytest.mark.parametrize("call", ["system", "eval", "open"])
def test_a_pickle_that_calls_something_runs_nothing(tmp_path, picture_store, call):
    mark = tmp_path / "mark"
    calls = {
        "system": (os.system, f"touch {mark}"),
        "eval": (eval, f"open({str(mark)!r}, 'w')"),
        "open": (open, str(mark), "w"),
    }
    saved(tmp_path / "run", "C_0.pkl.gz", record(episode_data=Runs(*calls[call])))
    (episode,), _ = read(tmp_path / "run", picture_store)
    assert episode.steps == ()
    assert not mark.exists()


def gz(data: bytes) -> bytes:
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb") as file:
        file.write(data)
    return out.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"no gzip",
        gz(b"no pickle"),
        gz(pickle.dumps([1, 2], 4)),
        gz(pickle.dumps({"other": 1}, 4)),
        gz(b"\x80\x04\x8e" + (1 << 40).to_bytes(8, "little") + b"x."),
        gz(b"\x80\x04Pid\n."),
        gz(b"\x80\x04" + b"]" * 2000 + b"a" * 1999 + b"."),
        gz(pickle.dumps([record(episode_data=1)], 4))[:-40],
        gz(b"\x80\x04\x95" + (1 << 60).to_bytes(8, "little")),
    ],
    ids=lambda data: f"{len(data)} bytes",
)
def test_a_file_that_is_not_a_result_file_is_refused_in_one_sentence(tmp_path, picture_store, data):
    (tmp_path / "D_0.pkl.gz").write_bytes(data)
    with pytest.raises(KnownError, match=r"^Cannot read D_0\.pkl\.gz: it "):
        read_records(tmp_path / "D_0.pkl.gz")
    (problem,) = androidworld.read(tmp_path, picture_store)
    assert isinstance(problem, Refused)


def test_objects_that_refer_to_one_another_without_end_do_not_hang_the_reader(
    tmp_path, picture_store
):
    loop: list = []
    loop.append(loop)
    wide = ["x"]
    for _ in range(60):
        wide = [wide, wide]
    data = {"action_output_json": [loop], "action_output": [wide], "pixels": [SCREEN]}
    saved(tmp_path / "run", "E_0.pkl.gz", record(episode_data=data))
    (episode,), _ = read(tmp_path / "run", picture_store)
    assert episode.steps[0].action == a.Other("none", "{}")


def test_an_array_whose_shape_does_not_fit_its_bytes_is_not_a_picture(tmp_path, picture_store):
    array = SCREEN.copy()

    class Odd:
        def __reduce__(self):
            make, (kind, _, code), state = array.__reduce__()
            version, _, dtype, order, data = state
            return make, (kind, (0,), code), (version, (4000, 2000, 3), dtype, order, data)

    saved(tmp_path / "run", "F_0.pkl.gz", record(episode_data={"pixels": [Odd()]}))
    (episode,), problems = read(tmp_path / "run", picture_store)
    assert episode.steps[0].frame.still is None
    assert [one.reason for one in problems] == ["it has no picture"]


@pytest.mark.parametrize(
    ("told", "action"),
    [
        ({"action_type": "scroll", "direction": "down"}, a.Scroll(Direction.UP)),
        ({"action_type": "swipe", "direction": "down"}, a.Scroll(Direction.DOWN)),
        ({"action_type": "swipe", "direction": "left"}, a.Scroll(Direction.RIGHT)),
        ({"action_type": "long_press", "x": 3, "y": 4}, a.LongPress(Point(3, 4))),
        ({"action_type": "click", "index": 9}, a.Tap(a.ElementRef(index=9))),
        ({"action_type": "input_text", "text": "a"}, a.TypeText("a", submit=True)),
        ({"action_type": "open_app", "app_name": "Clock"}, a.OpenApp("Clock")),
        ({"action_type": "answer", "text": "4"}, a.Answer("4")),
        (
            {"action_type": "status", "goal_status": "infeasible"},
            a.Finish(a.Ending.IMPOSSIBLE),
        ),
        ({"action_type": "keyboard_enter"}, a.PressKey(a.Key.ENTER)),
        ({"action_type": "fly"}, a.Other("fly", '{"action_type": "fly"}')),
    ],
)
def test_every_json_action_has_its_meaning(told, action):
    assert action_of(told, []) == action


def test_a_picture_stays_packed_until_it_is_read(tmp_path):
    path = saved(tmp_path / "run", "G_0.pkl.gz", record(episode_data={"pixels": [SCREEN]}))
    (found,) = read_records(path)
    packed = found["episode_data"]["pixels"][0].packed
    assert len(packed.data) < len(zlib.compress(SCREEN.tobytes(), 0)) / 4
    assert np.array_equal(packed.pixels(), SCREEN)
