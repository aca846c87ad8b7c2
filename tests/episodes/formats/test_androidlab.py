"""Traces of the format androidlab: in from folders like its recorder's, out, and back."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from episodes import actions as a
from episodes.episodes import Episode, EpisodeState
from episodes.errors import KnownError
from episodes.formats import FORMATS, androidlab
from episodes.formats.androidlab_actions import action_of, parsed_action, trace_lines
from episodes.formats.androidlab_trees import as_on_api_33
from episodes.formats.input_files import ImportNote, MissingPicture, Refused
from episodes.geometry import Box, Direction, Point, Size
from episodes.screens import TreeFit, TreeStatus
from episodes.steps import Step
from tests.samples.drawn import png

SIZE = Size(1000, 2000)
TASK = "setting_2_2024-11-14_20-51-34"
XML = (
    '<hierarchy rotation="0"><node text="Network" class="android.widget.TextView" '
    'clickable="true" bounds="[0,0][40,40]"/></hierarchy>'
)


def do(action: str, **words: object) -> dict:
    return {"operation": "do", "action": action, "kwargs": words}


def finish(message: str) -> dict:
    return {"operation": "finish", "action": "finish", "kwargs": {"message": message}}


def line(number: int, action: dict, **more: object) -> dict:
    return {
        "trace_id": TASK,
        "index": number,
        "image": f"./logs/x/Screen/screenshot-{number}-17000000{number}.5-before.png",
        "xml": f"C:\\logs\\xml\\{number}.xml",
        "ac_xml": None,
        "current_activity": "com.android.settings",
        "window": [64, 128],
        "target": "You should use Settings to complete the following task: set private DNS",
        "parsed_action": action,
        "current_response": "```\ndo()\n```",
        **more,
    }


def trace(folder, lines, pictures=None, name=TASK):
    place = folder / "my-agent" / name
    for part in ("traces", "Screen", "xml"):
        (place / part).mkdir(parents=True)
    (place / "traces" / "trace.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    for number in pictures if pictures is not None else range(len(lines)):
        suffix = "" if number == "end" else "-before"
        (place / "Screen" / f"screenshot-{number}-17000000{number}.5{suffix}.png".replace(
            "17000000end.5", "1700.5")).write_bytes(png())  # fmt: skip
        if number != "end":
            (place / "xml" / f"{number}.xml").write_text(XML)
    return folder / "my-agent"


def read(path, picture_store):
    found = list(androidlab.read(path, picture_store))
    episodes = [one for one in found if isinstance(one, Episode)]
    return episodes, [one for one in found if not isinstance(one, Episode)]


def test_a_trace_is_imported_with_pictures_trees_texts_and_its_claim(tmp_path, picture_store):
    run = trace(tmp_path, [line(0, do("Tap", element=[0, 0, 40, 40])), line(1, finish("done"))])
    (episode,), problems = read(run, picture_store)
    assert problems == []
    assert (episode.task.instruction, episode.task.goal_id) == ("set private DNS", "setting_2")
    assert (episode.state, episode.actor.agent) == (EpisodeState.FINISHED, "my-agent")
    assert episode.finish == a.Finish(a.Ending.COMPLETE, "done")
    first = episode.steps[0]
    assert first.action == a.Tap(Box(0, 0, 40, 40))
    assert first.began.host_ns == 170_000_000_500_000_000
    assert first.foreground.package == "com.android.settings"
    assert (first.tree.fit, first.tree.record.data.decode()) == (TreeFit.IMPORTED, XML)
    assert first.native.value["parsed_action"] == do("Tap", element=[0, 0, 40, 40])
    assert first.texts.note.startswith("```")
    assert androidlab.count(run) == 1


def test_a_picture_without_a_line_shows_where_the_attempt_ended(tmp_path, picture_store):
    (episode,), problems = read(trace(tmp_path, [line(0, do("Wait"))], [0, 1]), picture_store)
    assert episode.state is EpisodeState.INCOMPLETE
    assert json.loads(episode.extra) == {"ended": "broke off at step 1"}
    assert episode.final is not None
    assert problems == [ImportNote(f"my-agent/{TASK}", "broke off at step 1")]


def test_an_end_picture_without_a_finish_means_that_the_attempt_was_stopped(
    tmp_path, picture_store
):
    lines = [line(n, do("Tap", element=[1, 1])) for n in range(6)]
    (episode,), problems = read(trace(tmp_path, lines, [*range(6), "end"]), picture_store)
    assert problems == [ImportNote(f"my-agent/{TASK}", "stopped: same action six times")]
    assert episode.steps[0].action == a.Tap(Point(1, 1))


def test_missing_and_broken_parts_are_reported_and_the_rest_is_imported(tmp_path, picture_store):
    lines = [
        line(0, do("Wait"), xml="ERROR"),
        line(1, do("Wait"), image="../../../etc/passwd"),
        {"index": 2},
        line(0, do("Wait")),
        line(3, do("Frob", much=1), ac_xml="7.xml", response="r"),
    ]
    run = trace(tmp_path, lines, [0, 3])
    with (run / TASK / "traces" / "trace.jsonl").open("a") as file:
        file.write("{no json\n")
    (run / ".DS_Store").write_text("")
    (episode,), problems = read(run, picture_store)
    assert [step.index for step in episode.steps] == [0, 1, 3]
    assert episode.steps[0].tree.record.status is TreeStatus.FAILED
    assert episode.steps[2].action == a.Other("Frob", '{"much": 1}')
    reasons = [(type(one), one.where.rpartition(": ")[2]) for one in problems]
    assert reasons[:3] == [(Refused, "line 3"), (Refused, "line 4"), (Refused, "line 6")]
    assert (MissingPicture, "step 1") in reasons
    assert ImportNote("my-agent/.DS_Store", "it is no trace, and was passed over") in problems


def test_a_folder_without_traces_is_refused(tmp_path, picture_store):
    with pytest.raises(KnownError, match=r"no folder with traces/trace\.jsonl"):
        list(androidlab.read(tmp_path, picture_store))


@pytest.mark.parametrize(
    ("told", "action"),
    [
        (do("Long Press", element=[2, 4]), a.LongPress(Point(2, 4))),
        (do("Type", text="x"), a.TypeText("x", submit=True)),
        (do("Launch", app_name="Clock"), a.OpenApp("Clock")),
        ({"operation": "do", "action": "Press Back"}, a.PressKey(a.Key.BACK)),
        (do("Home"), a.PressKey(a.Key.HOME)),
        (do("Wait", interval=5), a.Wait(5_000_000)),
        (do("Swipe", direction="up"), a.Scroll(Direction.UP)),
        (
            do("Swipe", element=[500, 1000], direction="up", dist="short"),
            a.Swipe(Point(500, 1000), Point(500, 800), 400_000),
        ),
        (
            do("Swipe", element=[0, 0, 200, 200], direction="left", dist="long"),
            a.Swipe(Point(100, 100), Point(0, 100), 400_000),
        ),
        (do("Swipe", element=["a"], direction="round"), a.Other("Swipe", None)),
        ({"type": "finish", "input": "4"}, a.Finish(a.Ending.COMPLETE, "4")),
    ],
)
def test_every_action_of_both_modes_is_known(told, action):
    got = action_of(told, SIZE, submits=True)
    if isinstance(got, a.Other):
        got = replace(got, arguments=None)
    assert got == action


def test_an_answer_and_the_finish_behind_it_are_one_line():
    steps = [
        Step(0, a.Tap(Point(3, 4))),
        Step(1, a.Answer("seven")),
        Step(2, a.Finish(a.Ending.COMPLETE)),
        Step(3, a.PressKey(a.Key.RECENTS)),
    ]
    assert [told for _, told in trace_lines(steps)] == [
        do("Tap", element=[3, 4, 3, 4]),
        finish("seven"),
        None,
    ]
    assert parsed_action(a.PressKey(a.Key.BACK)) == {"operation": "do", "action": "Press Back"}


def test_a_written_trace_is_read_again_unchanged(tmp_path, picture_store, stills):
    lines = [
        line(0, do("Tap", element=[0, 0, 40, 40]), command={"adb shell x": "1"}),
        line(1, do("Type", text="007")),
        line(2, finish("done")),
    ]
    (episode,), _ = read(trace(tmp_path, lines, [0, 1, 2, "end"]), picture_store)
    written = FORMATS["androidlab"].write([episode], tmp_path / "out", stills, "1")
    assert (written.episodes, written.steps) == (1, 3)
    (again,), problems = read(tmp_path / "out", picture_store)
    assert problems == []
    assert [step.action for step in again.steps] == [step.action for step in episode.steps]
    assert [s.tree.record.data for s in again.steps] == [s.tree.record.data for s in episode.steps]
    assert again.steps[0].native.value["command"] == {"adb shell x": "1"}
    assert again.task.goal_id == "setting_2"
    assert again.final is not None


def test_trees_of_recordings_are_written_as_on_api_33_and_those_of_traces_unchanged():
    newer = XML.replace("<node ", '<node hint="h" drawing-order="1" ').encode()
    told = as_on_api_33(newer)
    assert b"hint" not in told
    assert b"drawing-order" not in told
    assert b'resource-id="" class="android.widget.TextView"' in told
    assert as_on_api_33(told) == told
    for odd in (b"<hierarchy", b"\xff\xfe", b'<!DOCTYPE a [<!ENTITY b "c">]><hierarchy/>'):
        assert as_on_api_33(odd) == odd
