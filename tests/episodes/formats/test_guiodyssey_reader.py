import json
import math
import os
from dataclasses import replace

import numpy as np
import pytest

from episodes import actions as a
from episodes.annotations import Provenance, Region, RegionSource, Status
from episodes.episodes import Actor, Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.formats import aitz, guiodyssey
from episodes.formats.input_files import ImportNote, MissingPicture, Refused
from episodes.geometry import Box, Native, Point, Size
from episodes.media.pictures import encode_png
from episodes.recordings import DeviceFacts
from tests.permissions import mode
from tests.samples import aitz as aitz_sample
from tests.samples import guiodyssey as sample
from tests.samples.drawn import png

SPACE = "guiodyssey"


def read(path, picture_store, version=""):
    found = list(guiodyssey.read(path, picture_store, version))
    episodes = [item for item in found if isinstance(item, Episode)]
    return episodes, [item for item in found if not isinstance(item, Episode)]


def one(folder, picture_store, *steps, **more):
    """Reads an annotation of these steps, without pictures; returns steps and problems."""
    value = sample.annotation("7", list(steps), sample.MILK["task_info"], **more)
    sample.write(folder, [value], pictures=False)
    episodes, problems = read(folder, picture_store)
    kept = [problem for problem in problems if not isinstance(problem, MissingPicture)]
    return episodes[0].steps, kept


def test_an_episode_of_version_2_is_imported_completely(tmp_path, picture_store):
    folder = sample.version_2(tmp_path / "set")
    episodes, problems = read(folder, picture_store)
    assert problems == []
    milk = episodes[0]
    data = (folder / "annotations/0019000000000001.json").read_bytes()
    assert replace(milk, steps=()) == Episode(
        uuid=guiodyssey.episode_uuid("0019000000000001", "2"),
        name="0019000000000001",
        origin=Origin("guiodyssey", "2", "0019000000000001.json", guiodyssey.sha256_hex(data)),
        task=Task(
            instruction="Note down oat milk, then look it up.",
            template="Do {} with {}",
            filled="Do this with that",
            category="Multi_Apps",
            apps=("Notes", "Shop"),
        ),
        state=EpisodeState.FINISHED,
        steps=(),
        actor=Actor("person"),
        device=DeviceFacts(
            model="Small Sample",
            product="sample_phone",
            android_release="14",
            sdk=34,
            size=Size(36, 80),
            native=json.dumps(sample.DEVICE, separators=(",", ":")),
        ),
        finish=a.Finish(a.Ending.COMPLETE),
        declared_steps=7,
        splits=(("app", "train"), ("random", "test")),
    )


def test_points_become_pixels_and_the_original_numbers_are_stored_with_them(
    tmp_path, picture_store
):
    milk = read(sample.version_2(tmp_path), picture_store)[0][0]
    at = Point(374 / 1000 * 36, 621 / 1000 * 80)
    assert [step.action for step in milk.steps] == [
        a.Tap(at, at),
        a.Swipe(Point(274 / 1000 * 36, 516 / 1000 * 80), Point(649 / 1000 * 36, 538 / 1000 * 80)),
        a.TypeText("oat milk"),
        a.LongPress(Point(120 / 1000 * 36, 480 / 1000 * 80)),
        a.PressKey(a.Key.HOME),
        a.Tap(Point(858 / 1000 * 36, 640 / 1000 * 80), Point(858 / 1000 * 36, 640 / 1000 * 80)),
        a.Finish(a.Ending.COMPLETE),
    ]
    assert milk.steps[0].native == Native(SPACE, '{"action":"CLICK","info":[[374,621],[374,621]]}')
    assert milk.steps[0].extra == '{"ps":"[(374, 621)]"}'


def test_regions_keep_the_rectangle_and_the_absence_of_one(tmp_path, picture_store):
    milk = read(sample.version_2(tmp_path), picture_store)[0][0]
    published = Provenance(RegionSource.IMPORT, model="sam2", version="as published")
    assert [milk.steps[n].regions for n in (0, 1, 5)] == [
        (
            Region(
                Box(300 / 1000 * 36, 600 / 1000 * 80, 450 / 1000 * 36, 640 / 1000 * 80),
                published,
                native=Native(SPACE, "[300,600,450,640]"),
                status=Status.ACCEPTED,
                chosen=True,
            ),
        ),
        (Region(None, published, native=Native(SPACE, "[]"), status=Status.ACCEPTED),),
        (Region(None, published, native=Native(SPACE, "null"), status=Status.ACCEPTED),),
    ]


def test_a_picture_is_kept_byte_for_byte_with_its_size(tmp_path, picture_store, stills):
    milk = read(sample.version_2(tmp_path), picture_store)[0][0]
    frame = milk.steps[2].frame
    assert (frame.size, frame.native) == (Size(36, 80), "0019000000000001_2.png")
    assert stills.read(frame.still.sha256, "image/png") == png(shade=34)
    assert frame.still.signature is not None


def test_version_1_has_neither_regions_nor_texts_of_steps(tmp_path, picture_store):
    (rain,), problems = read(sample.version_1(tmp_path), picture_store)
    assert problems == []
    assert rain.origin.version == "1"
    assert {step.regions for step in rain.steps} == {()}
    assert {step.texts.instruction for step in rain.steps} == {""}


def test_the_version_somebody_names_wins(tmp_path, picture_store):
    (rain,), _ = read(sample.version_1(tmp_path), picture_store, "2")
    assert rain.origin.version == "2"


def test_the_reason_of_an_impossible_task_is_kept(tmp_path, picture_store):
    shop = read(sample.version_2(tmp_path), picture_store)[0][1]
    assert shop.finish == a.Finish(a.Ending.IMPOSSIBLE, "The shop does not deliver here")


@pytest.mark.parametrize("path", [".", "annotations", "annotations/0019000000000001.json"])
def test_a_data_set_a_folder_of_annotations_or_one_file_can_be_named(tmp_path, picture_store, path):
    folder = sample.version_2(tmp_path)
    episodes, problems = read(folder / path, picture_store)
    assert episodes[0] == read(folder, picture_store)[0][0]
    assert problems == []


def test_annotations_lying_bare_in_a_folder_are_found(tmp_path, picture_store):
    folder = sample.version_2(tmp_path / "set")
    bare = tmp_path / "bare"
    (folder / "annotations").rename(bare)
    assert [episode.name for episode in read(bare, picture_store)[0]] == [
        "0019000000000001",
        "2000000000000002",
    ]
    assert guiodyssey.count(bare) == 2


@pytest.mark.parametrize(
    ("made", "doing"),
    [
        ("nothing there", "there is no such file or folder"),
        ("empty", "there is no annotation file (annotations/*.json)"),
    ],
)
def test_a_place_without_annotations_is_a_known_error(tmp_path, picture_store, made, doing):
    (tmp_path / "empty").mkdir()
    with pytest.raises(KnownError) as caught:
        list(guiodyssey.read(tmp_path / made, picture_store))
    assert caught.value.found == doing


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (sample.step(1, "CLICK", ""), "it has no coordinates"),
        (sample.step(1, "CLICK", []), "it has no coordinates"),
        (sample.step(1, "LONG_PRESS", None), "it has no coordinates"),
        (sample.step(1, "SCROLL", ""), "it has no coordinates"),
        (sample.step(1, "SCROLL", [[1, 2]]), "info holds 1 of the 2 points it needs"),
        (sample.step(1, "CLICK", "KEY_ENTER"), 'info is "KEY_ENTER", not a known key'),
        (sample.step(1, "CLICK", 5), "info is 5, not a list of points"),
        (sample.step(1, "CLICK", {"x": 1}), 'info is {"x": 1}, not a list of points'),
        (sample.step(1, "CLICK", [[1]]), "info holds [1], not a point [x, y]"),
        (sample.step(1, "CLICK", [["1", "2"]]), 'info holds ["1", "2"], not a point [x, y]'),
        (sample.step(1, "CLICK", [[True, 2]]), "info holds [true, 2], not a point [x, y]"),
        (sample.step(1, "CLICK", [[None, 2]]), "info holds [null, 2], not a point [x, y]"),
        (
            sample.step(1, "CLICK", [[2_000_000_000, 2]]),
            "info holds [2000000000, 2], not a point [x, y]",
        ),
        (sample.step(1, "CLICK", [[1e300, 2]]), "info holds [1e+300, 2], not a point [x, y]"),
        (sample.step(1, "TEXT", 12), "info is 12, not the text typed"),
        (sample.step(1, "TEXT", None), "info is missing, not the text typed"),
        (
            sample.step(1, "CLICK", [[1, 2]], [1, 2, 3]),
            "sam2_bbox is [1, 2, 3], not [x1, y1, x2, y2]",
        ),
        (
            sample.step(1, "CLICK", [[1, 2]], "all"),
            'sam2_bbox is "all", not [x1, y1, x2, y2]',
        ),
    ],
    ids=lambda v: v if isinstance(v, str) else json.dumps(v.get("info")),
)
def test_a_step_that_lacks_what_it_needs_is_refused_alone(tmp_path, picture_store, wrong, reason):
    steps, problems = one(
        tmp_path, picture_store, sample.step(0, "TEXT", "a"), wrong, sample.step(2, "COMPLETE", "")
    )
    assert [step.index for step in steps] == [0, 2]
    assert problems == [Refused(f"7.json step 1 ({wrong['action']})", reason)]


@pytest.mark.parametrize("point", [10**400, -(10**400)])
def test_a_number_of_four_hundred_digits_refuses_its_step(tmp_path, picture_store, point):
    steps, (problem,) = one(tmp_path, picture_store, sample.step(0, "CLICK", [[point, 1]]))
    assert steps == ()
    assert problem.where == "7.json step 0 (CLICK)"
    assert problem.reason.endswith("…, not a point [x, y]")


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (None, "missing"),
        ("0", '"0"'),
        (True, "true"),
        (-1, "-1"),
        (1.0, "1.0"),
        (9**25, str(9**25)),
    ],
)
def test_a_step_without_a_number_is_refused(tmp_path, picture_store, number, shown):
    value = sample.annotation("7", [sample.step(0, "COMPLETE", "")], sample.MILK["task_info"])
    value["steps"].append({"step": number, "action": "COMPLETE", "info": ""})
    (tmp_path / "7.json").write_text(json.dumps(value))
    episodes, problems = read(tmp_path, picture_store)
    assert len(episodes[0].steps) == 1
    refused = [p for p in problems if isinstance(p, Refused)]
    assert refused == [
        Refused("7.json entry 1", f"its step number is {shown}, not a number from 0")
    ]


def test_a_step_that_is_there_twice_is_refused_the_second_time(tmp_path, picture_store):
    steps, problems = one(
        tmp_path, picture_store, sample.step(0, "TEXT", "a"), sample.step(0, "TEXT", "b")
    )
    assert [step.action for step in steps] == [a.TypeText("a")]
    assert problems == [
        Refused("7.json step 0", "the file contains this step twice; the first is used"),
    ]


def test_an_unknown_action_is_stored_by_name_and_noted(tmp_path, picture_store):
    (step,), problems = one(tmp_path, picture_store, sample.step(0, "PINCH", [1]))
    assert step.action == a.Other("PINCH", '{"info":[1]}')
    assert problems == [
        ImportNote("7.json step 0 (PINCH)", "GUIOdyssey has no such action; it is stored by name")
    ]


@pytest.mark.parametrize(
    ("change", "note"),
    [
        ({"step_length": 9}, "step_length says 9, the file holds 1 steps"),
        ({"step_length": "1"}, 'step_length is "1", not a number; it is left out'),
        ({"step_length": 10**30}, f"step_length is {10**30}, not a number; it is left out"),
        ({"device_info": None}, "there is no device_info"),
        (
            {"device_info": {"w": 0, "h": "80"}},
            'device_info gives no screen size (w 0, h "80")',
        ),
        ({"task_info": []}, "there is no task_info"),
        (
            {"task_info": sample.MILK["task_info"] | {"category": "Fun"}},
            'the category "Fun" is not one of GUIOdyssey\'s six',
        ),
        (
            {"task_info": sample.MILK["task_info"] | {"app": [1]}},
            "task_info.app is [1], not a list of names; it is left out",
        ),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_what_is_odd_about_an_episode_is_noted(tmp_path, picture_store, change, note):
    _, problems = one(tmp_path, picture_store, sample.step(0, "COMPLETE", ""), **change)
    assert problems == [ImportNote("7.json", note)]


def test_steps_out_of_order_are_sorted_and_noted(tmp_path, picture_store):
    steps, problems = one(
        tmp_path, picture_store, sample.step(3, "COMPLETE", ""), sample.step(1, "TEXT", "x")
    )
    assert [step.index for step in steps] == [1, 3]
    assert problems == [
        ImportNote("7.json", "the steps are out of order; they are sorted by their numbers")
    ]


def test_a_click_on_a_screen_of_unknown_size_is_noted(tmp_path, picture_store):
    (step,), problems = one(
        tmp_path, picture_store, sample.step(0, "CLICK", [[500, 500]]), device_info={"w": None}
    )
    assert step.frame.size == Size(1000, 1000)
    assert problems[0] == ImportNote(
        "7.json", "device_info gives no screen size (w missing, h missing)"
    )
    assert problems[1] == ImportNote(
        "7.json step 0 (CLICK)",
        "neither picture nor device_info tells the screen's size; 1000x1000 is taken",
    )


@pytest.mark.parametrize(
    ("named", "content", "reason", "native"),
    [
        ("7_0.png", None, "the screenshot is not there", "7_0.png"),
        (None, None, "the screenshot is not there", None),
        (
            "7_0.png",
            b"",
            "the screenshot cannot be used: the bytes are neither PNG nor JPEG nor WebP",
            "7_0.png",
        ),
        ("7_0.png", png()[:60], "the screenshot cannot be used: it is damaged", "7_0.png"),
        (7, None, "screenshot is 7, not a file name", None),
        ("../7_0.png", None, 'the screenshot\'s name "../7_0.png" leads out', None),
        ("/etc/passwd", None, 'the screenshot\'s name "/etc/passwd" leads out', None),
        ("a\\b.png", None, 'the screenshot\'s name "a\\\\b.png" holds a backslash', None),
        ("a\0.png", None, 'the screenshot\'s name "a\\u0000.png" holds a NUL', None),
        (
            "x" * 300 + ".png",
            None,
            f"the screenshot's name \"{'x' * 56}… is too long for a file's name",
            None,
        ),
    ],
    ids=[
        "gone",
        "unnamed",
        "empty",
        "broken",
        "number",
        "dots",
        "root",
        "backslash",
        "nul",
        "long",
    ],
)
def test_a_step_without_a_usable_picture_is_imported_and_counted(
    tmp_path, picture_store, named, content, reason, native
):
    value = sample.annotation("7", [sample.step(0, "COMPLETE", "")], sample.MILK["task_info"])
    value["steps"][0]["screenshot"] = named
    sample.write(tmp_path, [value], pictures=False)
    if content is not None:
        (tmp_path / "screenshots" / named).write_bytes(content)
    (episode,), (problem,) = read(tmp_path, picture_store)
    assert episode.steps[0].frame.still is None
    assert (episode.steps[0].frame.size, episode.steps[0].frame.native) == (Size(36, 80), native)
    assert isinstance(problem, MissingPicture)
    assert (problem.where, problem.count) == ("7.json step 0", 1)
    assert problem.reason.startswith(reason)


def test_a_step_that_is_refused_lacks_no_picture(tmp_path, picture_store):
    steps = [sample.step(0, "CLICK", ""), sample.step(1, "COMPLETE", "")]
    value = sample.annotation("7", steps, sample.MILK["task_info"])
    problems = read(sample.write(tmp_path, [value], pictures=False), picture_store)[1]
    assert problems == [
        Refused("7.json step 0 (CLICK)", "it has no coordinates"),
        MissingPicture("7.json step 1", "the screenshot is not there"),
    ]


def test_links_that_lead_out_of_the_folder_are_not_followed(tmp_path, picture_store):
    folder = sample.version_2(tmp_path / "set")
    (tmp_path / "secret.png").write_bytes(png())
    picture = folder / "screenshots/0019000000000001_0.png"
    picture.unlink()
    picture.symlink_to(tmp_path / "secret.png")
    (tmp_path / "secret.json").write_text(json.dumps(sample.RAIN))
    (folder / "annotations/9.json").symlink_to(tmp_path / "secret.json")
    (folder / "annotations/8.json").symlink_to(folder / "annotations/8.json")
    episodes, problems = read(folder, picture_store)
    assert episodes[0].steps[0].frame.still is None
    assert problems == [
        MissingPicture(
            "0019000000000001.json step 0",
            'the screenshot\'s name "0019000000000001_0.png" leads out of its folder',
        ),
        Refused("8.json", "it is a link that leads round in a circle"),
        Refused("9.json", "it is a link that leads out of its folder"),
    ]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is empty"),
        (b"[]", "the file holds no JSON object"),
        (b"{", "it is not JSON (Input data was truncated)"),
        (b'{"episode_id": NaN}', "episode_id is NaN, not a text"),
        (
            b'{"episode_id": "1", "steps": [], "x": {"y": [1e999]}}',
            "x.y[0] is Infinity, not a finite number",
        ),
        (b'{"episode_id": "1", "x": "\\ud800"}', "x holds half a character"),
        ('{"episode_id": "1"}'.encode("utf-16"), "it is not UTF-8"),
        ('{"episode_id": "1"}'.encode("utf-16-le"), "it is not UTF-8"),
        (b'{"episode_id": "\xff"}', "it is not UTF-8"),
        (b"[" * 100_000, "it is nested deeper than 64"),
        (b"[" * 100 + b"]" * 100, "it is nested deeper than 64"),
        (b'{"episode_id": 19}', "episode_id is 19, not a text"),
        (b'{"episode_id": ""}', "episode_id is empty"),
        (b'{"episode_id": ".."}', 'episode_id is "..", which names a folder'),
        (b'{"episode_id": "../x"}', 'episode_id holds "/", which no file\'s name can'),
        (
            b'{"episode_id": "' + "🌧".encode() * 51 + b'"}',
            "episode_id has 204 bytes; a file's name has at most 200 here",
        ),
        (b'{"episode_id": "1"}', "steps is missing, not a list"),
        (b'{"episode_id": "1", "steps": {}}', "steps is {}, not a list"),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_only_the_file_that_is_not_an_annotation_is_refused(
    tmp_path, picture_store, content, reason
):
    folder = sample.version_1(tmp_path)
    (folder / "annotations/bad.json").write_bytes(content)
    episodes, problems = read(folder, picture_store)
    assert [episode.name for episode in episodes] == ["0000000000000003"]
    assert problems == [Refused("bad.json", reason)]


def test_a_file_that_is_a_link_out_of_the_folder_is_not_read(tmp_path):
    folder = sample.version_1(tmp_path / "set")
    (path,) = (folder / "annotations").iterdir()
    path.replace(tmp_path / "outside.json")
    path.symlink_to(tmp_path / "outside.json")
    assert guiodyssey.count(folder) == 0


def test_a_file_that_is_not_a_regular_file_does_not_block(tmp_path, picture_store):
    folder = sample.version_1(tmp_path / "set")
    os.mkfifo(folder / "annotations/pipe.json")
    (folder / "annotations/folder.json").mkdir()
    assert guiodyssey.count(folder) == 3
    picture = folder / "screenshots/0000000000000003_0.png"
    picture.unlink()
    os.mkfifo(picture)
    (episode,), problems = read(folder, picture_store)
    assert episode.steps[0].frame.still is None
    assert problems == [
        MissingPicture(
            "0000000000000003.json step 0",
            "the screenshot cannot be used: 0000000000000003_0.png is not a regular file",
        ),
        Refused("folder.json", "folder.json is not a regular file"),
        Refused("pipe.json", "pipe.json is not a regular file"),
    ]
    os.mkfifo(folder / "splits/x_split.json")
    with pytest.raises(KnownError, match=r"x_split\.json is not a regular file"):
        read(folder, picture_store)


def test_one_number_that_is_none_refuses_its_step_alone(tmp_path, picture_store):
    value = sample.annotation(
        "7", [sample.step(number, "TEXT", "x") for number in range(4)], sample.MILK["task_info"]
    )
    value["steps"][0] |= {"action": "CLICK", "info": [[math.nan, 3]]}
    value["steps"][1] |= {"action": "CLICK", "info": [["1e400", 3]]}
    value["steps"][2] |= {"remark": {"score": math.inf, "said": "x"}}
    sample.write(tmp_path, [value])
    file = tmp_path / "annotations/7.json"
    file.write_text(file.read_text().replace('"1e400"', "1e400"))
    (episode,), problems = read(tmp_path, picture_store)
    assert [step.index for step in episode.steps] == [3]
    assert [p for p in problems if isinstance(p, Refused)] == [
        Refused("7.json step 0", "info[0][0] is NaN, not a finite number"),
        Refused("7.json step 1", "info[0][0] is Infinity, not a finite number"),
        Refused("7.json step 2", "remark.score is Infinity, not a finite number"),
    ]


@pytest.mark.parametrize("part", ["annotations", "splits", "."])
def test_a_folder_without_read_permission_is_reported(tmp_path, picture_store, part):
    folder = sample.version_2(tmp_path / "set")
    with mode(folder / part, 0), pytest.raises(KnownError) as caught:
        read(folder, picture_store)
    assert caught.value.found.endswith(": Permission denied")
    assert caught.value.doing == f"import GUIOdyssey from {folder}"


def test_pictures_in_a_folder_that_may_not_be_entered_are_missing(tmp_path, picture_store):
    folder = sample.version_1(tmp_path / "set")
    with mode(folder / "screenshots", 0o600):
        (episode,), problems = read(folder, picture_store)
    assert len(episode.steps) == 6
    assert problems == [
        MissingPicture(
            f"0000000000000003.json step {number}",
            "the screenshot cannot be used: Permission denied",
        )
        for number in range(6)
    ]


def test_an_annotation_may_be_called_like_a_split(tmp_path, picture_store):
    named = sample.annotation("rain_split", sample.OLD, sample.RAIN["task_info"])
    sample.write(tmp_path / "set", [named])
    (episode,), problems = read(tmp_path / "set", picture_store)
    assert (episode.name, problems) == ("rain_split", [])
    bare = tmp_path / "bare"
    bare.mkdir()
    for name in ("1.json", "x_split.json"):
        (bare / name).write_text(json.dumps(sample.RAIN))
    _, problems = read(bare, picture_store)
    assert problems[-1] == ImportNote(
        "x_split.json",
        "its name is not that of an annotation, and splits belong in the folder splits",
    )


def test_a_picture_with_too_long_a_side_is_not_kept(tmp_path, picture_store):
    folder = sample.version_1(tmp_path)
    picture = folder / "screenshots/0000000000000003_0.png"
    picture.write_bytes(encode_png(np.zeros((1, 20_001, 3), np.uint8)))
    assert read(folder, picture_store)[1] == [
        MissingPicture(
            "0000000000000003.json step 0",
            "the screenshot cannot be used: it has 20001x1 pixels, and at most 20000 along a side "
            "are read",
        )
    ]


def test_entries_that_are_not_steps_are_refused_one_by_one(tmp_path, picture_store):
    value = {"episode_id": "1", "steps": [5, None, {"step": 0, "action": 3}]}
    (tmp_path / "1.json").write_text(json.dumps(value))
    problems = read(tmp_path, picture_store)[1]
    assert [problem for problem in problems if isinstance(problem, Refused)] == [
        Refused("1.json entry 0", "it is 5, not an object"),
        Refused("1.json entry 1", "it is missing, not an object"),
        Refused("1.json step 0", "action is 3, not a text"),
    ]


def test_an_episode_that_is_there_twice_is_refused_the_second_time(tmp_path, picture_store):
    folder = sample.version_1(tmp_path)
    (folder / "annotations/again.json").write_text(json.dumps(sample.RAIN))
    episodes, problems = read(folder, picture_store)
    assert len(episodes) == 1
    assert problems == [
        Refused("again.json", "episode 0000000000000003 was already in 0000000000000003.json")
    ]


def test_missing_episodes_of_a_split_are_counted(tmp_path, picture_store):
    folder = sample.write(tmp_path, [sample.RAIN], {"task": {"train": ["a.json", "b.json"]}})
    assert read(folder, picture_store)[1] == [
        ImportNote("splits/task_split.json", "names episodes that are not here, the first is a", 2)
    ]


@pytest.mark.parametrize("content", ["[]", "{", '{"train": "all"}'])
def test_a_split_that_cannot_be_read_is_a_known_error(tmp_path, picture_store, content):
    folder = sample.version_1(tmp_path)
    (folder / "splits/app_split.json").write_text(content)
    with pytest.raises(KnownError, match=r"^Cannot read splits/app_split.json: "):
        list(guiodyssey.read(folder, picture_store))


def test_a_file_of_more_than_64_mb_is_refused_unread(tmp_path, picture_store):
    folder = sample.version_1(tmp_path)
    with (folder / "annotations/large.json").open("wb") as stream:
        stream.truncate(64 * 1024 * 1024 + 1)
    episodes, problems = read(folder, picture_store)
    assert len(episodes) == 1
    assert problems == [
        Refused("large.json", "large.json has 67108865 bytes; at most 67108864 are read")
    ]


def test_json_files_of_another_kind_are_not_counted_as_annotations(tmp_path):
    folder = sample.version_2(tmp_path / "set")
    assert guiodyssey.count(folder) == 2
    assert guiodyssey.count(folder / "annotations") == 2
    assert guiodyssey.count(folder / "annotations/2000000000000002.json") == 1
    other = aitz_sample.write(tmp_path / "other", aitz_sample.kettle())
    place = other / "test/general" / aitz_sample.STEM
    assert guiodyssey.count(place) == 0
    (place / "a.json").write_text('{"a": 1}')
    (place / "b.json").mkdir()
    assert guiodyssey.count(place) == 0
    assert aitz.count(folder) == 0


def test_a_file_may_hold_a_list_of_annotations(tmp_path, picture_store):
    (tmp_path / "some.json").write_text(json.dumps([sample.MILK, 7, sample.SHOP, sample.SHOP]))
    episodes, problems = read(tmp_path, picture_store)
    assert [(e.name, e.origin.file) for e in episodes] == [
        ("0019000000000001", "some.json"),
        ("2000000000000002", "some.json"),
    ]
    assert [one for one in problems if isinstance(one, Refused)] == [
        Refused("some.json entry 1", "the file holds no JSON object"),
        Refused("some.json entry 3", "episode 2000000000000002 was already in some.json entry 2"),
    ]
    assert guiodyssey.count(tmp_path) == 1
