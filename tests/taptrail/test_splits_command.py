"""`taptrail splits`: reading, making, showing and checking, and what exports make of them."""

import json
from dataclasses import replace

import pytest

from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.recordings import DeviceFacts
from episodes.screens import Foreground
from episodes.store.library import Library
from episodes.store.queries import EpisodeQuery
from taptrail.usecases import split_exports
from taptrail.usecases.exporting import export_episodes
from taptrail.usecases.splits import check_split, make_split
from taptrail.usecases.step_sets import split_of
from tests.episodes.store.samples import imported
from tests.episodes.store.sql import sql
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
        "label_file": None,
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
        0, "Nothing is in two parts of random@1: 24 episodes, checked by episode.\n",
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
        "labels_of": "",
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
    assert done["left_out"] == {"its verb template is unknown": 14}
    assert splits(taptrail, filled, "check", "own@1").out == (
        "Nothing is in two parts of own@1: 10 episodes, checked by episode, verb template.\n"
        "The labels are those of templates.json that are stored with the split.\n"
    )
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


def labelled(taptrail, library, tmp_path, told, *more, by="app"):
    file = tmp_path / "labels.json"
    file.write_text(told if isinstance(told, str) else json.dumps(told), encoding="utf-8")
    words = ("make", "--by", by, "--dataset", "guiodyssey", "--labels", file, "--shares", "1/0/1")
    return splits(taptrail, library, *words, *more)


def test_a_split_of_a_label_file_is_checked_by_the_labels_it_was_made_by(
    taptrail, filled, tmp_path
):
    """e00 and e05 have Maps in the library; the file says otherwise, and says nothing of e03."""
    told = {"a": ["e00", "e10"], "b": ["e05", "e15"], "c": ["Send rice to App"]}
    done = labelled(taptrail, filled, tmp_path, told, "--json").json
    shown = splits(taptrail, filled, "show", "app@1", "--json").json
    assert (shown["made_by"]["labels_of"], shown["made_by"]["labels"]) == (
        "labels.json",
        {"e00": ["a"], "e10": ["a"], "e05": ["b"], "e15": ["b"], "e02": ["c"], "e14": ["c"]},
    )
    (tmp_path / "labels.json").unlink()
    checked = splits(taptrail, filled, "check", "app@1", "--json")
    assert (checked.json["crossings"], checked.json["unknown"]) == ([], {"app": 0})
    assert checked.json["labels_of"] == "labels.json"
    assert checked.json["episodes"] == sum(done["parts"].values()) == 6
    assert check_split(filled, "app@1").given == "labels.json"
    with Library.open(filled) as kept:  # as if somebody had moved an episode
        sql(
            kept,
            "UPDATE episode_split SET part = CASE part WHEN 'test' THEN 'train' ELSE 'test' END "
            "WHERE episode = (SELECT id FROM episode WHERE name = 'e10')",
        )
    crossed = splits(taptrail, filled, "check", "app@1")
    assert crossed.code == 1
    assert crossed.out.startswith("The app “a” is in train (e")


def test_entries_of_a_label_file_that_fit_nothing_are_counted_by_reason(taptrail, filled, tmp_path):
    told = """{"a": ["e00", "e00", "e99", "Send rice to App"], "b": ["e02", "e14", "nobody", "e01"],
               " ": ["e05"], "c": [], "a": ["e10"]}"""
    done = labelled(taptrail, filled, tmp_path, told, "--json").json
    assert done["label_file"] == {
        "file": "labels.json",
        "taken": 5,
        "left_out": [
            {"why": "no episode of the data set has that name, and none that instruction",
             "first": '"e99"', "count": 2},
            {"why": "it is listed twice under its label", "first": '"e00"', "count": 1},
            {"why": "its label is empty", "first": '"e05"', "count": 1},
            {"why": "it is a label without entries", "first": '"c"', "count": 1},
            {"why": "it is an instruction, and the file names each of its episodes elsewhere",
             "first": '"Send rice to App"', "count": 1},
        ],
    }  # fmt: skip
    said = labelled(taptrail, filled, tmp_path, told, "--name", "again").out.splitlines()
    assert said[4:6] == [
        "  5 entries of labels.json give a label",
        '! 2 entries of labels.json are left out, the first is "e99": no episode of the data set '
        "has that name, and none that instruction",
    ]


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ({}, "it holds no label"),
        ({"a": ["e99", "e98"], "b": []},
         "none of its entries fits (no episode of the data set has that name, and none that "
         'instruction: 2, as "e99"; it is a label without entries: 1, as "b")'),
    ],
)  # fmt: skip
def test_a_label_file_of_which_nothing_fits_is_refused(taptrail, filled, tmp_path, told, found):
    done = labelled(taptrail, filled, tmp_path, told)
    assert (done.code, done.out, done.err) == (
        1,
        "",
        f"Cannot split guiodyssey by app: labels.json: {found}. Write it as {{label: [episode or "
        "instruction, ...]}, with names as in `taptrail episodes list`.\n",
    )
    assert splits(taptrail, filled, "list", "--json").json == {"splits": []}


LONG = "n" * 300


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a/b", '"a/b@1" holds "/", which no file\'s name can'),
        ("a\nb", '"a\\nb@1" holds "\\n", which no file\'s name can'),
        (LONG, f"\"{LONG[:56]}… has 314 bytes; a file's name has at most 200 here"),
        (" ", '" @1" is empty'),
    ],
)
def test_a_name_that_no_export_could_write_is_refused_at_making(taptrail, filled, name, why):
    words = ("--by", "episode", "--dataset", "guiodyssey", "--name", name)
    done = splits(taptrail, filled, "make", *words)
    assert (done.code, done.out, done.err) == (
        1,
        "",
        f"Cannot split guiodyssey by episode: the split's name {why}, and exports name a file "
        "after it. Give another with --name.\n",
    )
    with pytest.raises(KnownError, match="exports name a file after it"):
        make_split(filled, "guiodyssey", "episode", name=name)
    assert splits(taptrail, filled, "list", "--json").json == {"splits": []}


def test_a_published_split_gets_no_name_that_no_export_could_write(taptrail, filled, tmp_path):
    file = tmp_path / "device_split.json"
    file.write_text(json.dumps({"train": ["e00"]}))
    done = splits(taptrail, filled, "read", file, "--dataset", "guiodyssey", "--name", "a/b")
    assert (done.code, done.err) == (
        1,
        'Cannot read the split device_split.json: the split\'s name "a/b" holds "/", which no '
        "file's name can, and exports name a file after it. Give another with --name.\n",
    )


def test_what_nobody_says_is_told_beside_what_crosses(taptrail, library):
    with Library.open(library) as kept:
        kept.save_episodes(
            [replace(one, device=DeviceFacts()) if one.name < "e06" else one for one in episodes()]
        )
    splits(taptrail, library, "make", "--by", "episode", "--dataset", "guiodyssey")
    done = splits(taptrail, library, "check", "random@1", "--apart", "device")
    assert done.code == 1
    assert done.out.splitlines()[0].startswith("The device “m0” is in train (")
    assert done.out.splitlines()[-1] == "! 6 episodes have no device"


def test_an_app_that_calls_itself_otherwise_on_another_phone_does_not_cross(taptrail, library):
    """Told by its package; the clock's is in front of one phone alone, the other has its name."""
    labels = [("com.android.settings", "Settings"), ("com.android.settings", "Einstellungen"),
              ("com.clock", "Clock"), ("com.notes", "Notes")]  # fmt: skip
    with Library.open(library) as kept:
        kept.save_episodes(
            replace(
                one,
                task=replace(one.task, apps=("Clock",) if number == 4 else ()),
                steps=(
                    replace(imported("s").steps[0], foreground=Foreground(*front)),
                ) if number < 4 else (),
            )
            for number, (one, front) in enumerate(
                zip(episodes(number=5), [(p, "", n) for p, n in [*labels, ("", "")]], strict=True)
            )
        )  # fmt: skip
    words = ("make", "--by", "app", "--dataset", "guiodyssey", "--shares", "1/1/1", "--json")
    done = splits(taptrail, library, *words).json
    assert (done["labels"], done["left_out"]) == ({"test": 1, "train": 1, "validation": 1}, {})
    shown = splits(taptrail, library, "show", "app@1", "--json").json
    assert set(shown["made_by"]["parts"]) == {"com.android.settings", "com.clock", "com.notes"}
    part = {one["episode"]: one["part"] for one in shown["members"]}
    assert (part["e00"] == part["e01"], part["e02"] == part["e04"]) == (True, True)


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
         "Cannot split guiodyssey by app: the shares are 0/0/0. Give three that are not all "
         "nothing, as in 80/10/10.\n"),
        (("make", "--by", "version", "--dataset", "guiodyssey", "--shares", "80/10/10"), 1,
         "Cannot split guiodyssey by version: the shares are 80/10/10, and test is the newest "
         "version and nothing else. Give the shares of train and validation, as in 90/10/0.\n"),
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
    assert (
        "“80/20” is not three whole numbers below 1,000,000. Give the shares of train, validation "
        "and test, as in 80/10/10." in done.err
    )


@pytest.mark.parametrize(
    ("split", "found"),
    [
        ("app@1/moon", "the split “app@1” has no part “moon”; its parts are: test, train. Say one "
                       "of them with --split app@1/PART, or the whole with --split app@1."),
        ("moon/test", "there is no split “moon” of guiodyssey@2; there are: app@1. Name one of "
                      "them with --split, or leave it out."),
    ],
)  # fmt: skip
def test_a_part_or_split_that_is_not_there_is_told_with_those_that_are(
    taptrail, filled, tmp_path, split, found
):
    words = ("make", "--by", "app", "--dataset", "guiodyssey", "--shares", "1/0/1")
    assert splits(taptrail, filled, *words).code == 0
    out = tmp_path / "out"
    done = taptrail(
        *("export", "guiodyssey", out, "--dataset", "guiodyssey", "--split", split),
        *("--library", filled),
    )
    export = found.replace("guiodyssey@2", "guiodyssey")  # it takes all versions
    assert (done.code, done.err) == (1, f"Cannot export to {out}: {export}\n")
    assert not out.exists()
    answers = tmp_path / "a.jsonl"
    answers.write_text('{"episode": "e00", "step": 0, "action": {"kind": "home"}}\n')
    done = taptrail(
        *("predictions", "import", answers, "--dialect", "taptrail", "--name", "run"),
        *("--split", split, "--library", filled),
    )
    assert (done.code, done.err) == (1, f"Cannot import the run “run”: {found}\n")
    with pytest.raises(KnownError, match=r"there are: app@1|its parts are: test, train"):
        export_episodes("guiodyssey", out, filled, query=EpisodeQuery(split=split_of(split)))


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
    assert without_whose(after) == without_whose(before)


def without_whose(shown):
    return {key: value for key, value in shown.items() if key not in ("dataset", "version")}


@pytest.fixture
def odyssey(taptrail, tmp_path, library):
    """MILK and SHOP, with a split by subject and one of a file of labels."""
    all_of_them = [guiodyssey.MILK, guiodyssey.SHOP]
    folder = guiodyssey.write(tmp_path / "set", all_of_them)
    assert taptrail("import", "guiodyssey", folder, "--library", library).code == 0
    words = ("make", "--dataset", "guiodyssey", "--shares", "1/0/1", "--by")
    assert splits(taptrail, library, *words, "subject").code == 0
    with Library.read(library) as kept:
        told = {f"app {one.name}": [one.name] for one in kept.episodes()}
    (tmp_path / "labels.json").write_text(json.dumps(told))
    more = ("--labels", tmp_path / "labels.json")
    assert splits(taptrail, library, *words, "app", *more).code == 0
    return library


@pytest.mark.parametrize("format_name", ["aitz", "chat", "parquet", "taptrail", "androidcontrol"])
def test_a_round_trip_through_any_format_keeps_a_split_with_its_rule_templates_and_labels(
    taptrail, tmp_path, odyssey, format_name
):
    out, again = tmp_path / "out", tmp_path / "again"
    exported = taptrail("export", format_name, out, "--library", odyssey, "--json").json
    beside = [one for one in exported["losses"] if "split.json" in one["what"]]
    assert beside == (
        [{"what": "the rule and templates of a split, which are in split.json",
          "first": "subject@1", "count": 2}]
        if format_name in ("aitz", "androidcontrol") else []
    )  # fmt: skip
    came = taptrail("import", format_name, out, "--library", again, "--json").json
    assert (sorted(came["splits"]), came["episodes"]) == (["app@1", "subject@1"], 2)
    for name in ("subject@1", "app@1"):
        before, after = (
            without_whose(splits(taptrail, place, "show", name, "--json").json)
            for place in (odyssey, again)
        )
        numbered = json.dumps(after).replace('"1000000"', '"0019000000000001"')  # ids are numbers
        assert json.loads(numbered) == before
        assert splits(taptrail, again, "check", name).code == 0
    once_more = taptrail("import", format_name, out, "--library", again, "--json").json
    assert (once_more["splits"], once_more["refused"]) == (came["splits"], came["refused"])


def test_an_export_of_regions_alone_says_that_it_has_no_splits(taptrail, tmp_path, odyssey):
    done = taptrail("export", "coco", tmp_path / "out", "--library", odyssey, "--json").json
    assert {"what": "a split", "first": "subject@1", "count": 2} in done["losses"]
    assert not (tmp_path / "out" / "split.json").exists()


def test_an_export_tells_of_splits_nothing_that_is_private_or_not_asked_for(
    taptrail, tmp_path, odyssey
):
    milk, shop = guiodyssey.MILK["episode_id"], guiodyssey.SHOP["episode_id"]
    with Library.open(odyssey) as kept:
        words = kept.episode(milk).task.instruction
        kept.record_edit(kept.episode(milk).uuid, None, "episode.private", {"private": True})
    for number, asked in enumerate([(), ("--episode", shop)]):
        out = tmp_path / f"out{number}"
        assert taptrail("export", "chat", out, "--library", odyssey, *asked).code == 0
        text = (out / "split.json").read_text()
        told = {one["name"]: one for one in json.loads(text)["splits"]}
        assert (milk in text, words in text) == (False, False)
        assert told["app@1"]["made_by"]["labels"] == {shop: [f"app {shop}"]}
        assert list(told["app@1"]["made_by"]["parts"]) == [f"app {shop}"]
        assert len(told["subject@1"]["masking"]["output"]) == 1


def test_a_split_that_comes_in_by_halves_is_made_whole(taptrail, tmp_path, odyssey):
    again = tmp_path / "again"
    for part in ("train", "test", "train"):
        out = tmp_path / part
        if not out.exists():
            words = ("export", "chat", out, "--split", f"app@1/{part}", "--library", odyssey)
            assert taptrail(*words).code == 0
        done = taptrail("import", "chat", out, "--library", again, "--json").json
        assert ("app@1" in done["splits"], done["refused"]) == (True, [])
    before, after = (
        without_whose(splits(taptrail, place, "show", "app@1", "--json").json)
        for place in (odyssey, again)
    )
    assert after == before


def test_a_disk_without_room_for_the_splits_leaves_nothing_of_the_export(
    tmp_path, odyssey, monkeypatch
):
    def full(folder, found, doing):
        raise KnownError(doing, "No space left on device", "Make room.")

    monkeypatch.setattr(split_exports, "write_splits", full)
    for there in (False, True):
        out = tmp_path / f"out{there}"
        if there:
            out.mkdir()
        with pytest.raises(KnownError, match="No space left"):
            export_episodes("taptrail", out, odyssey)
        assert list(out.glob("*")) == []


@pytest.mark.parametrize(
    ("told", "kind", "reason"),
    [
        ("{", "refused", "it is not JSON (Input data was truncated)"),
        ({"train": ["a"]}, "notes",
         "it is not what an export tells of splits, and is left alone"),
        ({"form": 2}, "refused", "it is of a form that is not known here"),
        ({"splits": [{"name": "x"}]}, "refused",
         "it lacks one of the texts dataset, version, name, rule, file, sha256"),
        ({"name": "../x"}, "refused", 'its name "../x" holds "/", which no file\'s name can'),
        ({"masking": {"output": ["a"]}}, "refused",
         "its masking is not {output: {instruction: template}}"),
        ({"made_by": {"by": "app", "labels": {"a": "b"}}}, "refused",
         "its made_by is not {by, labels: {episode: [label]}, parts: {}}"),
        ({"members": {"train": [1]}}, "refused", "its members are not {part: [episode]}"),
        ({"members": {"train": ["nobody"]}}, "notes",
         "names episodes that are not here, the first is nobody"),
        ({"members": {"train": [guiodyssey.MILK["episode_id"]],
                      "test": [guiodyssey.MILK["episode_id"]]}, "name": "random"}, "refused",
         "the parts of its episodes are others here"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_the_file_of_splits_is_told_and_the_episodes_come(
    taptrail, tmp_path, library, told, kind, reason
):
    folder = guiodyssey.write(tmp_path / "set", [guiodyssey.MILK], guiodyssey.SPLITS)
    if isinstance(told, dict) and "train" not in told:
        entry = dict.fromkeys(("dataset", "version", "name", "rule", "file", "sha256"), "x")
        entry |= {"members": {}} | (told if "form" not in told and "splits" not in told else {})
        told = {"taptrail": "splits", "form": 1, "splits": [entry]} | (
            told if "form" in told or "splits" in told else {}
        )
    (folder / "split.json").write_text(told if isinstance(told, str) else json.dumps(told))
    done = taptrail("import", "guiodyssey", folder, "--library", library, "--json").json
    assert (done["episodes"], done["splits"]) == (1, [])
    assert reason in [one["reason"] for one in done[kind]]
    assert all(one["where"].startswith("split.json") for one in done["refused"])


def test_episodes_are_told_of_where_the_splits_beside_are_a_link_out_of_the_folder(
    taptrail, tmp_path, library
):
    folder = guiodyssey.write(tmp_path / "set", [guiodyssey.MILK])
    (tmp_path / "elsewhere.json").write_text("{}")
    (folder / "split.json").symlink_to(tmp_path / "elsewhere.json")
    done = taptrail("import", "guiodyssey", folder, "--library", library, "--json").json
    assert (done["episodes"], done["splits"]) == (1, [])
    assert done["refused"] == [
        {
            "where": "split.json",
            "reason": "split.json is a link that leads out of its folder",
            "count": 1,
        }
    ]
