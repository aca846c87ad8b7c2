import json
from pathlib import Path

import pytest

from tests.samples import guiodyssey as sample


@pytest.fixture
def filled(taptrail, tmp_path, library):
    taptrail("import", "guiodyssey", sample.version_2(tmp_path / "two"), "--library", library)
    taptrail("import", "guiodyssey", sample.version_1(tmp_path / "one"), "--library", library)
    return library


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ((), ["0019000000000001", "2000000000000002", "0000000000000003"]),
        (("--text", "oat milk"), ["0019000000000001", "2000000000000002"]),
        (("--text", "0019"), ["0019000000000001"]),
        (("--app", "Weather"), ["0000000000000003"]),
        (("--category", "Web_Shopping"), ["2000000000000002"]),
        (("--dataset", "recorded"), []),
        (("--state", "incomplete"), []),
        (("--limit", "1"), ["0019000000000001"]),
    ],
)
def test_a_list_holds_the_episodes_that_are_asked_for(taptrail, filled, words, names):
    listed = taptrail("episodes", "list", *words, "--library", filled, "--json").json
    assert [one["name"] for one in listed["episodes"]] == names


def test_a_line_of_the_list(taptrail, filled):
    listed = taptrail("episodes", "list", "--text", "rain", "--library", filled, "--json").json
    (rain,) = listed["episodes"]
    assert listed["total"] == 1
    assert rain == {
        "name": "0000000000000003",
        "uuid": rain["uuid"],
        "dataset": "guiodyssey",
        "version": "1",
        "instruction": "Will it rain?",
        "category": "General_Tool",
        "apps": ["Weather"],
        "steps": 6,
        "declared_steps": 6,
        "targets": 0,
        "duration_us": None,
        "state": "finished",
        "started_utc": "",
        "actor": "",
        "review": None,
        "findings": None,
    }


def test_the_list_in_words_shows_control_characters_by_their_codes(taptrail, tmp_path, library):
    about = sample.task("General_Tool", "Weather", instruction="Rain?\x1b[2Jnow")
    value = sample.annotation("7", [sample.step(0, "COMPLETE", "")], about)
    taptrail("import", "guiodyssey", sample.write(tmp_path, [value]), "--library", library)
    done = taptrail("episodes", "list", "--library", library)
    assert "Rain?\\u001b[2Jnow" in done.out
    assert "\x1b" not in done.out
    assert done.out.endswith("1 of 1 episode.\n")


def test_an_episode_is_shown_with_its_steps_and_pictures(taptrail, filled):
    shown = taptrail("episodes", "show", "0019000000000001", "--library", filled, "--json").json
    assert shown["task"]["instruction"] == "Note down oat milk, then look it up."
    assert [step["action"]["kind"] for step in shown["steps"]] == [
        "tap",
        "swipe",
        "type_text",
        "long_press",
        "press_key",
        "tap",
        "finish",
    ]
    picture = shown["steps"][0]["frame"]["picture"]
    assert picture.startswith(str(filled))
    assert Path(picture).read_bytes().startswith(b"\x89PNG")


def test_an_episode_is_shown_in_words(taptrail, filled):
    done = taptrail("episodes", "show", "2000000000000002", "--library", filled)
    assert done.code == 0
    assert "Order oat milk to the garden." in done.out
    assert "recents" in done.out
    assert "impossible: The shop does not deliver here" in done.out


def test_an_episode_nobody_has_is_one_sentence(taptrail, filled):
    done = taptrail("episodes", "show", "x", "--library", filled)
    assert (done.code, done.err) == (
        1,
        "Cannot open the episode “x”: the library has no episode of that name. "
        "`taptrail episodes list` shows their names.\n",
    )


def test_a_whole_library_is_said_to_be_whole(taptrail, filled):
    done = taptrail("episodes", "check", "--library", filled)
    assert (done.code, done.out) == (
        0,
        "3 episodes, 13 pictures and 0 videos are whole.\n",
    )


def test_a_picture_that_is_gone_or_changed_is_found(taptrail, filled):
    pictures = [
        taptrail("episodes", "show", name, "--library", filled, "--json").json["steps"][0]
        for name in ("0019000000000001", "2000000000000002")
    ]
    gone, changed = (step["frame"]["picture"] for step in pictures)
    Path(gone).unlink()
    Path(changed).write_bytes(b"other")
    done = taptrail("episodes", "check", "--library", filled, "--json")
    assert done.code == 1
    assert done.err == (
        f"Cannot check the library {filled}: 2 things are wrong, first 0019000000000001, "
        "step 0: the picture cannot be read: No such file or directory. Repair it with "
        "--repair, or copy the files from a backup.\n"
    )
    assert json.loads(done.out)["findings"] == [
        {
            "episode": "0019000000000001",
            "place": "step 0",
            "found": "the picture cannot be read: No such file or directory",
            "repaired": "",
        },
        {
            "episode": "2000000000000002",
            "place": "step 0",
            "found": "the picture's bytes have changed",
            "repaired": "",
        },
    ]


def test_an_episode_goes_to_the_bin_and_comes_back(taptrail, filled):
    def names():
        listed = taptrail("episodes", "list", "--library", filled, "--json").json
        return [one["name"] for one in listed["episodes"]]

    before = names()
    done = taptrail("episodes", "delete", before[0], "--library", filled, "--json")
    assert done.json == {"episode": before[0], "deleted": True}
    assert names() == before[1:]
    done = taptrail("episodes", "delete", "--restore", before[0], "--library", filled, "--json")
    assert done.json == {"episode": before[0], "deleted": False}
    assert names() == before


def test_a_library_that_is_not_there_is_not_made_by_looking(taptrail, library):
    done = taptrail("episodes", "list", "--library", library)
    assert done.code == 1
    assert done.err.startswith(f"Cannot open the library {library}: ")
    assert not library.exists()
