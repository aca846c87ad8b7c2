import hashlib
import json
import os
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, settings

from episodes import actions as a
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.formats import taptrail, taptrail_writer
from episodes.formats.input_files import ImportNote, MissingPicture, Refused
from episodes.formats.output_files import Loss
from episodes.geometry import Native, Point, Size
from episodes.recordings import DeviceFacts
from episodes.screens import Basis, Frame
from episodes.steps import Step, StepTexts
from tests.episodes.formats.holdable import Pictures, holdable
from tests.episodes.store.strategies import episodes as any_episode
from tests.permissions import mode
from tests.samples.drawn import png

LEAST = {"type": "episode", "episode": "tea-1", "instruction": "Set a timer for three minutes"}
TAP = {"kind": "tap", "at": {"point": [540, 1210]}}


def step(number=0, **more):
    return {"type": "step", "episode": "tea-1", "step": number, "action": TAP} | more


def write(folder, *lines):
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    (folder / "episodes.jsonl").write_text(text)
    return folder


def read(folder, picture_store):
    found = list(taptrail.read(folder, picture_store))
    return [e for e in found if isinstance(e, Episode)], [
        e for e in found if not isinstance(e, Episode)
    ]


def test_the_least_that_is_read(tmp_path, picture_store):
    folder = write(
        tmp_path,
        LEAST,
        step(0, picture="pictures/0.png", instruction="Tap the clock"),
        step(1, action={"kind": "finish", "ending": "complete"}),
    )
    (folder / "pictures").mkdir()
    (folder / "pictures/0.png").write_bytes(png())
    still = picture_store.keep(folder / "pictures/0.png")
    assert read(folder, picture_store) == (
        [
            Episode(
                uuid="a97b0513-bf34-591d-8538-da353f4bf627",
                name="tea-1",
                origin=Origin("taptrail", "1", "episodes.jsonl"),
                task=Task("Set a timer for three minutes"),
                state=EpisodeState.FINISHED,
                steps=(
                    Step(
                        0,
                        a.Tap(Point(540, 1210)),
                        Frame(Size(36, 80), Basis.IMPORTED, still),
                        texts=StepTexts("Tap the clock"),
                    ),
                    Step(1, a.Finish(a.Ending.COMPLETE)),
                ),
                finish=a.Finish(a.Ending.COMPLETE),
            )
        ],
        [],
    )


def test_the_file_itself_can_be_named_and_its_episodes_counted(tmp_path, picture_store):
    folder = write(tmp_path, LEAST, step(), LEAST | {"episode": "tea-2"})
    assert [e.name for e in read(folder / "episodes.jsonl", picture_store)[0]] == ["tea-1", "tea-2"]
    assert taptrail.count(folder) == 2


def test_a_folder_without_lines_is_a_known_error(tmp_path, picture_store):
    with pytest.raises(KnownError) as caught:
        list(taptrail.read(tmp_path, picture_store))
    assert caught.value.found == "there is no episodes.jsonl"


def test_steps_may_be_in_any_order_and_leave_gaps(tmp_path, picture_store):
    (episode,), problems = read(write(tmp_path, LEAST, step(7), step(2)), picture_store)
    assert [one.index for one in episode.steps] == [2, 7]
    assert problems == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "it is not JSON (Input data was truncated)"),
        ("[" * 70 + "]" * 70, "it is nested deeper than 64"),
        ("NaN", "it is not JSON (JSON is malformed: invalid character (byte 0))"),
        ([], "line: is not an object"),
        ({}, "line.type: is missing"),
        ({"type": "note"}, "line.type: “note” is neither episode nor step"),
        (step(0) | {"episode": "x"}, "line.episode: the line before its steps must be that of "
         "episode “x”"),
        ({"type": "step", "episode": "tea-1", "action": TAP}, "line.step: is missing"),
        (step(-1), "line.step: -1 is not from 0 to 99999"),
        (step(100_000), "line.step: 100000 is not from 0 to 99999"),
        (step(10**400), "line.step: is too large a number"),
        (step(True), "line.step: is not a whole number"),
        (step("0"), "line.step: is not a whole number"),
        (step(0), "line.step: step 0 was there already; the first is kept"),
        (step(1, action=None), "line.action: is missing"),
        (step(1, action={"kind": "poke"}), "kind: there is no action “poke”"),
        (step(1, action={"kind": "tap"}), "at: is missing"),
        (
            step(1, action={"kind": "tap", "at": {"point": [10**400, 1]}}),
            "at: is too large a number",
        ),
        (step(1, colour=1), "line.colour: is not a field"),
        (step(1, picture="../x.png"), "frame.picture: '../x.png' leads out of its folder"),
        (step(1, picture="/x.png"), "frame.picture: '/x.png' leads out of its folder"),
        (step(1, picture="a\0b"), "frame.picture: 'a\\x00b' holds a NUL"),
        (step(1, picture="y" * 256), f"frame.picture: '{'y' * 80}' is too long for a file's name"),
        (step(1, picture=7), "line.picture: is not a text"),
        (
            step(1, frame={"basis": "painted"}),
            "frame: there is neither a size nor a picture to take it from",
        ),
        (step(1, frame={"size": [0, 1]}), "frame.size: is not [width, height]"),
        (step(1, frame={"size": [1, 2], "basis": "x"}), "frame.basis: “x” is not one of the "
         "known words"),
        (step(1, frame={"size": [1, 2], "pts_us": 2**63}), "frame.pts_us: is too large a number"),
        (step(1, native={"space": "x", "text": "{"}), "native.text: it is not JSON (Input data "
         "was truncated)"),
        (step(1, native={"space": "x"}), "native: Object missing required field `text`"),
        (step(1, began={"device_us": 1.5}), "began: Expected `int | null`, got `float` - at "
         "`$.device_us`"),
        (step(1, began={"device_us": 2**70}), "began.device_us: is too large a number"),
        (step(1, began={"when": 1}), "began.when: is not a field"),
        (step(1, tree={"format": "x", "file": "../t"}), "file: '../t' leads out of its folder"),
        (step(1, tree={"format": "x", "file": "gone"}), "file: gone: No such file or directory"),
        (step(1, tree={"format": "x", "status": "bad"}), "tree.status: “bad” is not one of the "
         "known words"),
        (step(1, regions=[{"box": [1, 2, 3]}]), "regions[0].box: Expected `array` of length 4, "
         "got 3"),
        (step(1, regions=[{"box": ["a", 2, 3, 4]}]), "regions[0].box: Expected `float`, got "
         "`str` - at `$[0]`"),
        (step(1, golds=[{"number": 1}]), "golds[0].action: is missing"),
        (step(1, golds=[{"number": 0, "action": TAP}]), "golds[0].number: 0 is not 1 or more"),
        (step(1, golds=[{"number": 1, "action": TAP, "role": "best"}]), "golds[0].role: “best” is "
         "not one of alternative, correction"),
        (step(1, golds=[{"number": 2, "action": TAP}] * 2), "golds[1].number: 2 is there twice"),
        (step(1, regions=[{"chosen": True}] * 2), "regions[1].chosen: regions[0] is chosen "
         "already"),
        (step(1, source="cat"), "line.source: “cat” is not one of mirror, keyboard, button, glass, "
         "command, agent, import"),
        (step(1, frame={"size": [True, 1]}), "frame.size: is not [width, height]"),
        (step(1, regions=[{"mask": {"box": [0, 0, 1, 1], "file": "large.png"}}]),
         "regions[0].mask.file: has 20000x4000 pixels, and a mask at most 16000000"),
        (step(1, regions=[{"mask": {"box": [0, 0, 1, 1], "file": "episodes.jsonl"}}]),
         "regions[0].mask.file: is no PNG: the bytes are neither PNG nor JPEG nor WebP"),
        (step(1, action={"kind": "tap", "at": {"element": {}}}), "at.element: has none of index, "
         "text and path"),
        (step(1, action={"kind": "wait", "duration_us": 2**63}), "duration_us: "
         "9223372036854775808 is too large a number"),
        (step(1, action={"kind": "wait", "duration_us": 1e25}), "duration_us: is 1e+25, not a "
         "whole number"),
        (step(1, action=TAP | {"path": [["down", 1, 1, 10**19, 0, 1]]}), "path[0]: its time "
         "10000000000000000000 is too large a number"),
        (step(1, action=TAP | {"path": [["down", 1, 1, 0, 2**31, 1]]}), "path[0]: its pointer "
         "2147483648 is too large a number"),
        ("\x00{", "it is not UTF-8"),
        (step(1, extra="[1]"), "line.extra: is not the text of a JSON object"),
        (step(1, extra="{"), "line.extra: it is not JSON (Input data was truncated)"),
    ],
    ids=lambda v: v if isinstance(v, str) and len(v) > 4 else "",
)  # fmt: skip
def test_a_line_that_cannot_be_taken_is_refused_alone(tmp_path, picture_store, line, reason):
    folder = write(tmp_path, LEAST, step(0), line, step(9))
    (folder / "large.png").write_bytes(png(Size(20_000, 4_000)))
    (episode,), problems = read(folder, picture_store)
    assert [one.index for one in episode.steps] == [0, 9]
    assert problems == [Refused("episodes.jsonl line 3", reason)]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"episode": ""}, "line.episode: is empty"),
        ({"episode": "a/b"}, 'line.episode: holds "/", which no file\'s name can'),
        (
            {"episode": "x" * 201},
            "line.episode: has 201 bytes; a file's name has at most 200 here",
        ),
        ({"actor": {"kind": "dog"}}, "actor.kind: “dog” is not one of person, agent"),
        (
            {"actor": {"author": {"uuid": "u", "name": "n", "kind": "agent"}}},
            "actor.author.kind: “agent” is not one of person, program",
        ),
        ({"attempt": {"number": -1}}, "attempt.number: -1 is not 1 or more"),
        (
            {"attempt": {"number": 1, "outcome": "won"}},
            "attempt.outcome: “won” is not one of complete, impossible, failed, given up",
        ),
        (
            {"started_utc": "yesterday"},
            "line.started_utc: 'yesterday' is not a time in ISO 8601",
        ),
        ({"final": {"size": [20_001, 1]}}, "final.size: is more than 20000 along a side"),
        ({"uuid": "7"}, "line.uuid: '7' is not a uuid"),
        ({"state": "deleted"}, "line.state: “deleted” is neither finished nor incomplete"),
        ({"splits": [["a"]]}, "line.splits: is not a list of [split, part]"),
        ({"declared_steps": -1}, "line.declared_steps: -1 is less than none"),
        ({"finish": TAP}, "line.finish: is not a finish action"),
        ({"task": {"instruction": 5}}, "task: Expected `str`, got `int` - at `$.instruction`"),
        (
            {"device": {"native": "[]"}},
            "device.native: is not the text of a JSON object",
        ),
        (
            {"device": {"size": {"width": -1, "height": 2}}},
            "device: a size must be positive, not -1x2 - at `$.size`",
        ),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_an_episode_that_cannot_be_taken_is_refused_with_its_steps(
    tmp_path, picture_store, change, reason
):
    folder = write(tmp_path, LEAST, step(0), LEAST | {"episode": "tea-2"} | change, step(1))
    (episode,), problems = read(folder, picture_store)
    assert (episode.name, [one.index for one in episode.steps]) == ("tea-1", [0])
    assert problems == [
        Refused("episodes.jsonl line 3", reason),
        Refused(
            "episodes.jsonl line 4",
            "line.episode: the line before its steps must be that of episode “tea-1”",
        ),
    ]


def test_an_episode_that_is_there_twice_is_refused_the_second_time(tmp_path, picture_store):
    folder = write(tmp_path, LEAST, step(0), LEAST, step(0), step(1))
    (episode,), problems = read(folder, picture_store)
    assert len(episode.steps) == 1
    assert problems == [
        Refused("episodes.jsonl (its last episode)", "episode tea-1 was there already")
    ]


def test_the_same_name_in_another_data_set_is_another_episode(tmp_path, picture_store):
    other = LEAST | {"origin": {"dataset": "mine", "version": "2"}}
    found, problems = read(write(tmp_path, LEAST, other), picture_store)
    assert [(e.origin.dataset, e.name) for e in found] == [
        ("taptrail", "tea-1"),
        ("mine", "tea-1"),
    ]
    assert problems == []


def test_a_missing_or_broken_picture_is_counted_and_the_step_stays(tmp_path, picture_store):
    folder = write(
        tmp_path,
        LEAST,
        step(0, picture="gone.png"),
        step(1, frame={"size": [10, 20], "picture": "gone.png"}),
        step(2, picture="broken.png", after={"picture": "gone.png", "size": [1, 1]}),
    )
    (folder / "broken.png").write_bytes(png()[:50])
    (episode,), problems = read(folder, picture_store)
    assert [one.frame for one in episode.steps] == [
        None,
        Frame(Size(10, 20), Basis.IMPORTED, native="gone.png"),
        None,
    ]
    assert problems == [
        MissingPicture("episodes.jsonl line 2", "frame: the picture is not there"),
        MissingPicture("episodes.jsonl line 3", "frame: the picture is not there"),
        MissingPicture(
            "episodes.jsonl line 4",
            "frame: the picture cannot be used: it is damaged: it is cut off",
        ),
        ImportNote("episodes.jsonl line 4", "after: the picture is not there"),
    ]


def test_special_files_and_closed_folders_do_not_block(tmp_path, picture_store):
    folder = write(
        tmp_path / "set",
        LEAST,
        step(0, picture="pipe"),
        step(1, tree={"format": "x", "file": "pipe"}),
        step(2, picture="shut/1.png"),
    )
    os.mkfifo(folder / "pipe")
    (folder / "shut").mkdir()
    with mode(folder / "shut", 0):
        problems = read(folder, picture_store)[1]
    assert problems == [
        MissingPicture(
            "episodes.jsonl line 2", "frame: the picture cannot be used: pipe is not a regular file"
        ),
        Refused("episodes.jsonl line 3", "file: pipe is not a regular file"),
        MissingPicture(
            "episodes.jsonl line 4", "frame: the picture cannot be used: Permission denied"
        ),
    ]
    with mode(folder, 0), pytest.raises(KnownError, match="Permission denied"):
        read(folder, picture_store)
    (folder / "episodes.jsonl").unlink()
    os.mkfifo(folder / "episodes.jsonl")
    with pytest.raises(KnownError, match=r"there is no episodes\.jsonl"):
        read(folder, picture_store)


def test_a_line_that_is_refused_lacks_no_picture(tmp_path, picture_store):
    folder = write(tmp_path, LEAST, step(0, picture="gone.png", colour=1), step(1))
    assert read(folder, picture_store)[1] == [
        Refused("episodes.jsonl line 2", "line.colour: is not a field")
    ]


def test_a_line_of_more_than_16_mb_is_refused_and_the_next_one_read(tmp_path, picture_store):
    folder = write(tmp_path, LEAST, step(0, texts={"note": "x" * 17_000_000}), step(1))
    (episode,), (problem,) = read(folder, picture_store)
    assert [one.index for one in episode.steps] == [1]
    assert problem == Refused(
        "episodes.jsonl line 2",
        f"it has {len(json.dumps(step(0, texts={'note': ''}))) + 17_000_001} bytes; "
        "at most 16777216 are read",
    )


def test_a_link_that_leads_out_is_not_a_file_of_the_folder(tmp_path, picture_store):
    (tmp_path / "secret").write_bytes(png())
    folder = write(tmp_path / "set", LEAST, step(0, tree={"format": "x", "file": "t"}))
    (folder / "t").symlink_to(tmp_path / "secret")
    (folder / "loop").symlink_to(folder / "loop")
    _, problems = read(folder, picture_store)
    assert problems == [Refused("episodes.jsonl line 2", "file: 't' leads out of its folder")]
    write(folder, LEAST, step(0, picture="loop"))
    assert read(folder, picture_store)[1] == [
        Refused("episodes.jsonl line 2", "frame.picture: 'loop' leads round in a circle")
    ]


def test_private_episodes_and_steps_stay_at_home_and_are_counted(tmp_path, stills):
    step_of = Step(0, a.TypeText("secret"), private=True)
    shared = Episode(
        "7d2b3c1e-0000-4000-8000-000000000001",
        "e-0001",
        Origin("recorded"),
        Task("x"),
        EpisodeState.FINISHED,
        (step_of,),
    )
    hidden = replace(shared, name="e-0002", private=True)
    written = taptrail_writer.write([shared, hidden], tmp_path / "out", stills)
    assert written.losses == (
        Loss("a private step", "e-0001 step 0", 1),
        Loss("a private episode", "e-0002", 1),
    )
    assert "secret" not in (tmp_path / "out/episodes.jsonl").read_text()
    assert (written.episodes, written.steps) == (1, 0)


# --- a whole episode comes back equal ---------------------------------------------------------


@given(drawn=any_episode)
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_every_episode_this_format_can_hold_comes_back_equal(tmp_path_factory, drawn):
    assume("1e400" not in repr(drawn))  # beyond what a 64-bit number holds; refused on the way in
    folder = tmp_path_factory.mktemp("round")
    pictures = Pictures(folder)
    episode = pictures.in_all(holdable(drawn))
    written = taptrail_writer.write([episode], folder / "out", pictures.stills)
    assert (written.episodes, written.steps, written.losses) == (1, len(episode.steps), ())
    assert read(folder / "out", pictures.picture_store) == ([episode], [])


def test_attached_files_are_named_by_their_hash(tmp_path, picture_store, stills):
    folder = write(
        tmp_path / "set",
        LEAST,
        step(0, picture="p.png", tree={"format": "uiautomator", "file": "t.xml"}),
    )
    (folder / "p.png").write_bytes(png())
    (folder / "t.xml").write_bytes(b"<hierarchy/>")
    found, _ = read(folder, picture_store)
    taptrail_writer.write(found, tmp_path / "out", stills)
    assert sorted(
        path.relative_to(tmp_path / "out").as_posix()
        for path in (tmp_path / "out").rglob("*")
        if path.is_file()
    ) == [
        "episodes.jsonl",
        f"pictures/{hashlib.sha256(png()).hexdigest()}.png",
        f"trees/{hashlib.sha256(b'<hierarchy/>').hexdigest()}.tree",
    ]


def test_an_episode_from_another_data_set_keeps_its_origin(tmp_path, picture_store, stills):
    origin = {"dataset": "guiodyssey", "version": "2", "file": "7.json", "sha256": "ab"}
    folder = write(
        tmp_path / "set",
        LEAST | {"origin": origin, "device": {"native": '{"w":1}'}},
        step(0, native={"space": "guiodyssey", "text": '{"action":"CLICK"}'}),
    )
    (episode,), _ = read(folder, picture_store)
    assert episode.origin == Origin("guiodyssey", "2", "7.json", "ab")
    assert episode.device == DeviceFacts(native='{"w":1}')
    assert episode.steps[0].native == Native("guiodyssey", '{"action":"CLICK"}')
