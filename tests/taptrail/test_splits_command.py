"""`taptrail splits`: reading, making, showing and checking, and what exports make of them."""

import json
from dataclasses import replace

import pytest

from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.recordings import DeviceFacts
from episodes.store.library import Library
from tests.samples import aitw, androidcontrol, guiodyssey

APPS = (("Maps",), ("Notes",), ("Shop",), ("Clock",), ("Maps", "Shop"))
WORDS = ("Search for {} in {}", "Open {} and read {}", "Send {} to {}", "Delete {} on {}")
THINGS = ("tea", "milk", "rice")


def episodes(dataset="guiodyssey", version="2", number=24):
    """Episodes of several apps, sentences and Android versions, without steps."""
    return [
        Episode(
            f"uuid-{n}",
            f"e{n:02}",
            Origin(dataset, version),
            Task(
                WORDS[n % 4].format(THINGS[n % 3], "App"),
                category=f"c{n % 3}",
                apps=APPS[n % 5],
            ),
            EpisodeState.FINISHED,
            (),
            device=DeviceFacts(model=f"m{n % 4}", sdk=(29, 31, 33)[n % 3]),
        )
        for n in range(number)
    ]


@pytest.fixture
def filled(library):
    with Library.open(library) as kept:
        kept.save_episodes(episodes())
    return library


def splits(taptrail, library, *words):
    return taptrail("splits", *words, "--library", library)


def test_a_split_by_episode_is_made_listed_and_shown(taptrail, filled):
    made = splits(taptrail, filled, "make", "--by", "episode", "--dataset", "guiodyssey", "--json")
    assert made.json == {
        "name": "random@1",
        "dataset": "guiodyssey",
        "version": "2",
        "rule": "by episode, 80/10/10, seed 0",
        "file": "",
        "sha256": "",
        "parts": {"test": 2, "train": 19, "validation": 3},
        "left_out": {},
        "labels": {},
        "absent": 0,
        "twice": 0,
        "unchanged": False,
    }
    again = splits(
        taptrail, filled, "make", "--by", "episode", "--dataset", "guiodyssey", "--seed", "7",
        "--shares", "1/0/1",
    )  # fmt: skip
    assert again.out == ("random@2  guiodyssey@2: test 12, train 12\n  by episode, 1/0/1, seed 7\n")
    listed = splits(taptrail, filled, "list", "--json").json["splits"]
    assert [(one["name"], one["rule"]) for one in listed] == [
        ("random@1", "by episode, 80/10/10, seed 0"),
        ("random@2", "by episode, 1/0/1, seed 7"),
    ]
    shown = splits(taptrail, filled, "show", "random@1", "--json").json
    assert shown["made_by"] == {"by": "episode", "seed": 0, "shares": [80, 10, 10], "parts": {}}
    assert len(shown["members"]) == 24
    assert "test: 2" in splits(taptrail, filled, "show", "random@1").out
    checked = splits(taptrail, filled, "check", "random@1")
    assert (checked.code, checked.out) == (
        0, "Nothing crosses in random@1: 24 episodes, looked at by episode.\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    "by", ["app", "version", "subject", "verb", "domain", "category", "task", "device"]
)
def test_nothing_crosses_a_split_made_by_it(taptrail, filled, by):
    done = splits(taptrail, filled, "make", "--by", by, "--dataset", "guiodyssey", "--json").json
    assert done["name"] == f"{by}@1"
    assert sum(done["parts"].values()) + sum(done["left_out"].values()) == 24
    kind = {"subject": "subject template", "verb": "verb template"}.get(by, by)
    checked = splits(taptrail, filled, "check", f"{by}@1", "--json")
    assert checked.json == {
        "split": f"{by}@1",
        "kinds": ["episode", kind],
        "episodes": sum(done["parts"].values()),
        "unknown": {kind: 0},
        "crossings": [],
    }
    members = splits(taptrail, filled, "show", f"{by}@1", "--json").json["members"]
    if by == "version":  # the newest, API 33, is in test alone
        assert {one["episode"] for one in members if one["part"] == "test"} == {
            f"e{n:02}" for n in range(2, 24, 3)
        }


def test_what_crosses_is_told_in_a_sentence_each_and_is_exit_code_1(taptrail, filled):
    splits(taptrail, filled, "make", "--by", "category", "--dataset", "guiodyssey")
    done = splits(taptrail, filled, "check", "category@1", "--apart", "app")
    lines = done.out.splitlines()
    assert done.code == 1
    assert len(lines) == 4
    assert lines[0].startswith("The app “clock” is in train (e")
    assert all(line.endswith(".") for line in lines)


def test_templates_come_from_the_rule_and_are_stored_with_the_split(taptrail, filled):
    splits(taptrail, filled, "make", "--by", "subject", "--dataset", "guiodyssey")
    shown = splits(taptrail, filled, "show", "subject@1", "--json").json
    assert shown["masking"]["rule"] == "clauses@1"
    assert shown["masking"]["output"]["Search for tea in App"] == "search for {} in app"
    assert set(shown["masking"]["output"].values()) == set(shown["made_by"]["parts"])


def test_templates_can_come_from_a_file(taptrail, filled, tmp_path):
    told = {"looks {}": ["Search for tea in App", "Search for milk in App", "e08"],
            "reads {}": ["Open milk and read App"], "sends {}": ["e02", "e06", "e10"]}  # fmt: skip
    file = tmp_path / "templates.json"
    file.write_text(json.dumps(told), encoding="utf-8")
    words = ("make", "--by", "verb", "--dataset", "guiodyssey", "--labels", file, "--name", "own")
    done = splits(taptrail, filled, *words, "--json").json
    assert done["name"] == "own@1"
    assert done["rule"] == "by verb template of templates.json, 80/10/10 of them, seed 0"
    assert done["left_out"] == {"nobody says its verb template": 14}
    assert splits(taptrail, filled, "check", "own@1").code == 0
    shown = splits(taptrail, filled, "show", "own@1", "--json").json
    assert shown["masking"]["in_words"] == "templates.json"
    assert shown["masking"]["output"]["Open milk and read App"] == "reads {}"
    file.write_text('{"a": "b"}', encoding="utf-8")
    wrong = splits(taptrail, filled, *words)
    assert (wrong.code, wrong.err) == (
        1,
        'Cannot split guiodyssey by verb: templates.json: "a" is no list of episodes or '
        "instructions. Write it as {label: [episode or instruction, ...]}.\n",
    )


def test_a_published_split_is_read_once_and_never_changed(taptrail, filled, tmp_path):
    file = tmp_path / "device_split.json"
    file.write_text(
        json.dumps({"train": ["e00.json", "e01.json", "zz.json"], "test": ["e02.json"]})
    )
    words = ("read", file, "--dataset", "guiodyssey")
    done = splits(taptrail, filled, *words, "--json").json
    assert (done["name"], done["parts"], done["absent"]) == ("device", {"test": 1, "train": 2}, 1)
    assert (done["rule"], done["file"], done["unchanged"]) == (
        "as published", "device_split.json", False,
    )  # fmt: skip
    assert splits(taptrail, filled, *words, "--json").json["unchanged"] is True
    file.write_text(json.dumps({"train": ["e00"], "test": ["e00", "e03"]}))
    wrong = splits(taptrail, filled, *words)
    assert (wrong.code, wrong.err) == (
        1,
        "Cannot save the split “device” of guiodyssey@2: it has a split of that name, and splits "
        "are never changed. Give it another name.\n",
    )
    other = splits(taptrail, filled, *words, "--name", "device again", "--json").json
    assert other["parts"] == {"test": 2, "train": 1}
    crossed = splits(taptrail, filled, "check", "device again")
    assert (crossed.code, crossed.out) == (1, "The episode “e00” is in train and in test.\n")


def test_clips_of_one_recording_do_not_cross(taptrail, library, tmp_path):
    """Auto-GUI's published split of AITW's SINGLE has clips of one parent in train and in test."""
    clips = [
        replace(one, name=name, uuid=name)
        for one, name in zip(
            episodes("aitw", "1", 4), ("77.0-2.Tap", "77.2-4.Type", "78.0-3.Tap", "79"), strict=True
        )
    ]
    with Library.open(library) as kept:
        kept.save_episodes(clips)
    folder = tmp_path / "splits"
    folder.mkdir()
    told = {"train": ["77.0-2.Tap", "79"], "val": [], "test": ["77.2-4.Type", "78.0-3.Tap"]}
    (folder / "single.json").write_text(json.dumps(told))
    done = splits(taptrail, library, "read", folder / "single.json", "--dataset", "aitw", "--json")
    assert (done.json["name"], done.json["parts"]) == ("single", {"test": 2, "train": 2})
    checked = splits(taptrail, library, "check", "single", "--apart", "parent")
    assert (checked.code, checked.out) == (
        1, "The parent “77” is in train (77.0-2.Tap) and in test (77.2-4.Type).\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("make", "--by", "moon", "--dataset", "guiodyssey"), 1,
         "Cannot split guiodyssey by moon: there is no way “moon”. Use one of episode, version, "
         "subject, verb, app, domain, category, task, device, parent.\n"),
        (("make", "--by", "app", "--dataset", "aitw"), 1,
         "Cannot split aitw by app: there are no episodes of aitw here. Import or record them "
         "first.\n"),
        (("make", "--by", "app", "--dataset", "guiodyssey", "--shares", "0/0/0"), 1,
         "Cannot split guiodyssey by app: the shares are (0, 0, 0). Give three, as in 80/10/10.\n"),
        (("make", "--by", "version", "--dataset", "guiodyssey", "--shares", "80/10/10"), 1,
         "Cannot split guiodyssey by version: the test part is the newest version, and nothing "
         "else goes there. Give the shares of train and validation, as in 90/10/0.\n"),
        (("show", "random"), 1,
         "Cannot open the split “random”: there is no such split; there are: none at all. See "
         "`taptrail splits list`.\n"),
        (("check", "random", "--apart", "moon"), 1,
         "Cannot check the split “random”: there is no kind “moon”. Use one of app, domain, "
         "category, task, device, version, instruction, subject template, verb template, "
         "parent.\n"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_one_sentence(taptrail, filled, words, code, sentence):
    done = splits(taptrail, filled, *words)
    assert (done.code, done.out, done.err) == (code, "", sentence)


def test_shares_are_three_numbers(taptrail, filled):
    done = splits(
        taptrail, filled, "make", "--by", "app", "--dataset", "guiodyssey", "--shares", "80/20"
    )
    assert done.code == 2
    assert "“80/20” is not three numbers, as in 80/10/10." in done.err


FORMS = {  # where each format keeps a split called "app@1"
    "guiodyssey": "splits/app@1_split.json",
    "aitw": "splits/app@1.json",
    "androidcontrol": "app@1_splits.json",
}


@pytest.mark.parametrize(("format_name", "file"), FORMS.items())
def test_an_export_has_the_splits_in_its_own_form_and_an_import_has_them_again(
    taptrail, tmp_path, library, format_name, file
):
    made = {
        "guiodyssey": lambda folder: guiodyssey.write(folder, [guiodyssey.MILK, guiodyssey.SHOP]),
        "aitw": lambda folder: aitw.write(folder, aitw.general()),
        "androidcontrol": lambda folder: androidcontrol.write(
            folder, [androidcontrol.episode(number) for number in (7, 9, 20)]
        ),
    }[format_name]
    assert taptrail("import", format_name, made(tmp_path / "set"), "--library", library).code == 0
    with Library.read(library) as kept:
        named = [one.name for one in kept.episodes()]
    told = tmp_path / "labels.json"
    told.write_text(json.dumps({f"app {name}": [name] for name in named}))
    words = ("make", "--by", "app", "--dataset", format_name, "--labels", told, "--shares", "1/0/1")
    assert splits(taptrail, library, *words).code == 0
    before = splits(taptrail, library, "show", "app@1", "--json").json
    out = tmp_path / "out"
    assert taptrail("export", format_name, out, "--library", library).code == 0
    written = json.loads((out / file).read_text())
    assert {part for part, names in written.items() if names} == {"train", "test"}
    again = tmp_path / "again"
    assert taptrail("import", format_name, out, "--library", again).code == 0
    after = splits(taptrail, again, "show", "app@1", "--json").json
    assert (after["members"], after["parts"]) == (before["members"], before["parts"])
    assert after["rule"] == ""  # the formats have no place for it
