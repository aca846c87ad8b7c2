import json

import pytest

from taptrail.usecases.importing import ALL_FORMATS
from tests.permissions import mode
from tests.samples import guiodyssey as sample

KNOWN_FORMATS = ", ".join(ALL_FORMATS)
CHANGED = sample.annotation("0000000000000003", sample.OLD[:2], sample.RAIN["task_info"])


def test_an_import_prints_what_came_in_and_what_did_not(taptrail, tmp_path, library):
    folder = sample.version_2(tmp_path / "set")
    (folder / "screenshots/0019000000000001_2.png").unlink()
    broken = sample.annotation(
        "0000000000000009",
        [sample.step(0, "CLICK", ""), sample.step(1, "COMPLETE", "")],
        sample.RAIN["task_info"],
    )
    (folder / "annotations/9.json").write_text(json.dumps(broken))
    done = taptrail("import", "guiodyssey", folder, "--library", library, "--json")
    assert done.json == {
        "format": "guiodyssey",
        "episodes": 3,
        "steps": 14,
        "screens": 12,
        "missing_screens": 2,
        "splits": [],
        "refused": [
            {"where": "9.json step 0 (CLICK)", "reason": "it has no coordinates", "count": 1}
        ],
        "notes": [
            {
                "where": "0019000000000001.json step 2",
                "reason": "the screenshot is not there",
                "count": 1,
            },
            {"where": "9.json step 1", "reason": "the screenshot is not there", "count": 1},
        ],
    }


def test_importing_twice_changes_nothing(taptrail, tmp_path, library):
    folder = sample.version_2(tmp_path)
    words = ("import", "guiodyssey", folder, "--library", library, "--json")
    assert taptrail(*words).json == taptrail(*words).json
    listed = taptrail("episodes", "list", "--library", library, "--json").json
    assert [one["name"] for one in listed["episodes"]] == ["0019000000000001", "2000000000000002"]


def test_an_episode_that_differs_is_refused_until_somebody_says_replace(
    taptrail, tmp_path, library
):
    words = ("--version", "1", "--library", library, "--json")
    taptrail("import", "guiodyssey", sample.version_1(tmp_path / "one"), *words)
    other = sample.write(tmp_path / "other", [CHANGED])
    done = taptrail("import", "guiodyssey", other, *words)
    refused = json.loads(done.out)
    assert done.code == 1
    assert (refused["episodes"], refused["steps"], refused["screens"]) == (0, 0, 0)
    assert refused["refused"] == [
        {
            "where": "guiodyssey 1 0000000000000003",
            "reason": "the library has it with other content; ask for it to be replaced",
            "count": 1,
        }
    ]
    replaced = taptrail("import", "guiodyssey", other, "--replace", *words).json
    assert (replaced["episodes"], replaced["steps"], replaced["refused"]) == (1, 2, [])


def test_an_import_says_it_in_words(taptrail, tmp_path, library):
    folder = sample.version_1(tmp_path)
    (folder / "annotations/bad.json").write_text("[]")
    done = taptrail("import", "guiodyssey", folder, "--library", library)
    assert done.code == 0
    assert done.out.startswith(
        f"1 episodes with 6 steps are in {library} (0 were there).\n"
        "6 steps have their picture, 0 do not.\n"
    )
    assert "bad.json" in done.out
    assert "the file holds no JSON object" in done.out
    assert done.err == ""


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("import", "tea", "."),
            f"Cannot import .: there is no format “tea”. Use one of: {KNOWN_FORMATS}.\n",
        ),
        (
            ("import", "guiodyssey", "nowhere"),
            "Cannot import GUIOdyssey from nowhere: there is no such file or folder. "
            "Check the path.\n",
        ),
        (
            ("import", "guiodyssey", ".", "--version", "3"),
            "Cannot import .: guiodyssey has no version “3”. Use one of: 2, 1.\n",
        ),
        (
            ("export", "tea", "out"),
            f"Cannot export to out: there is no format “tea”. Use one of: {KNOWN_FORMATS}.\n",
        ),
        (
            ("export", "taptrail", "out", "--version", "3"),
            "Cannot export to out: taptrail has no version “3”. Use one of: 1.\n",
        ),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_exit_1(
    taptrail, tmp_path, monkeypatch, library, words, sentence
):
    monkeypatch.chdir(tmp_path)
    done = taptrail(*words, "--library", library)
    assert (done.code, done.out, done.err) == (1, "", sentence)


@pytest.mark.parametrize("version", ["1", "2"])
def test_a_data_set_goes_out_as_it_came_in(taptrail, tmp_path, library, version):
    folder = (sample.version_1 if version == "1" else sample.version_2)(tmp_path / "set")
    taptrail("import", "guiodyssey", folder, "--library", library)
    done = taptrail(
        "export",
        "guiodyssey",
        tmp_path / "out",
        "--version",
        version,
        "--library",
        library,
        "--json",
    ).json
    steps = 6 if version == "1" else 13
    assert done == {
        "format": "guiodyssey",
        "version": version,
        "folder": str(tmp_path / "out"),
        "episodes": 1 if version == "1" else 2,
        "steps": steps,
        "pictures": steps,
        "losses": [],
    }
    for path in sorted(folder.rglob("*.json")):
        again = tmp_path / "out" / path.relative_to(folder)
        assert json.loads(again.read_text()) == json.loads(path.read_text())


def test_single_episodes_can_be_exported_and_losses_are_listed(taptrail, tmp_path, library):
    taptrail("import", "guiodyssey", sample.version_2(tmp_path / "set"), "--library", library)
    words = ("export", "guiodyssey", "--episode", "2000000000000002", "--version", "1")
    done = taptrail(*words, tmp_path / "out", "--library", library)
    assert done.code == 0
    assert done.out.startswith("1 episodes with 6 steps and 6 pictures are in ")
    assert "texts and regions of a step (version 1 has none)" in done.out
    assert sorted(p.name for p in (tmp_path / "out/annotations").iterdir()) == [
        "2000000000000002.json"
    ]


def test_taptrail_lines_carry_a_data_set_from_one_library_to_another(taptrail, tmp_path, library):
    taptrail("import", "guiodyssey", sample.version_2(tmp_path / "set"), "--library", library)
    taptrail("export", "taptrail", tmp_path / "lines", "--library", library)
    other = tmp_path / "other"
    done = taptrail("import", "taptrail", tmp_path / "lines", "--library", other, "--json").json
    assert done == {
        "format": "taptrail",
        "episodes": 2,
        "steps": 13,
        "screens": 13,
        "missing_screens": 0,
        "splits": [],
        "refused": [],
        "notes": [],
    }
    for name in ("0019000000000001", "2000000000000002"):
        one, two = (
            taptrail("episodes", "show", name, "--library", place, "--json").json
            for place in (library, other)
        )
        assert str(two).replace(str(other), str(library)) == str(one)


def test_an_export_of_nothing_is_a_known_error(taptrail, tmp_path, library):
    taptrail("import", "guiodyssey", sample.version_1(tmp_path / "set"), "--library", library)
    done = taptrail(
        "export", "taptrail", tmp_path / "out", "--dataset", "other", "--library", library
    )
    assert (done.code, done.err) == (
        1,
        f"Cannot export to {tmp_path / 'out'}: there is no such episode in {library}. "
        "See which there are: taptrail episodes list.\n",
    )


def test_an_export_that_fails_can_be_repeated(taptrail, tmp_path, library):
    taptrail("import", "guiodyssey", sample.version_2(tmp_path / "set"), "--library", library)
    for name in ("guiodyssey", "taptrail"):
        words = ("export", name, tmp_path / "out", "--library", library)
        lost = taptrail(*words, "--episode", "0019000000000001", "--episode", "zz")
        assert (lost.code, lost.out) == (1, "")
        assert not (tmp_path / "out").exists()
        assert taptrail(*words, "--json").json["episodes"] == 2
        for path in (tmp_path / "out").rglob("*.*"):
            path.unlink()
        (tmp_path / "out").rename(tmp_path / f"old-{name}")


def test_an_episode_asked_for_twice_is_written_once_and_no_loss(taptrail, tmp_path, library):
    taptrail("import", "guiodyssey", sample.version_2(tmp_path / "set"), "--library", library)
    words = ("episodes", "show", "2000000000000002", "--library", library, "--json")
    uuid = taptrail(*words).json["uuid"]
    asked = [w for n in ("2000000000000002", "2000000000000002", uuid) for w in ("--episode", n)]
    done = taptrail(
        "export", "guiodyssey", tmp_path / "out", *asked, "--library", library, "--json"
    ).json
    assert (done["episodes"], done["losses"]) == (1, [])


def test_a_library_that_may_only_be_read_can_be_listed_and_exported(taptrail, tmp_path, library):
    taptrail("import", "guiodyssey", sample.version_2(tmp_path / "set"), "--library", library)
    with mode(library, 0o500):
        listed = taptrail("episodes", "list", "--library", library, "--json").json
        done = taptrail("export", "taptrail", tmp_path / "out", "--library", library, "--json").json
    assert (listed["total"], done["episodes"]) == (2, 2)


def test_regions_of_a_coco_file_become_candidates_of_steps_that_are_there(
    taptrail, tmp_path, library
):
    taptrail("import", "guiodyssey", sample.version_2(tmp_path / "set"), "--library", library)
    words = ("--library", library, "--json")
    done = taptrail("export", "coco", tmp_path / "coco", *words).json
    assert (done["steps"], done["pictures"]) == (13, 13)
    told = json.loads((tmp_path / "coco/annotations.json").read_text())
    image = {"id": 1, "width": 36, "height": 80, "file_name": "0019000000000001_1.png"}
    box = {"id": 1, "image_id": 1, "bbox": [1, 2, 3, 4], "attributes": {"label": "Save"}}
    far = {"id": 2, "width": 72, "height": 160, "uuid": "nobody", "step": 0}
    twice = {"id": 3, "width": 72, "height": 160, "file_name": "0019000000000001_2.png"}
    gone = {"id": 4, "width": 72, "height": 160, "file_name": "0019000000000001_99.png"}
    boxes = [box | {"id": n, "image_id": n} for n in (1, 2, 3, 4)]
    own = {"images": [image, far, twice, gone], "annotations": boxes}
    (tmp_path / "own.json").write_text(json.dumps(own))
    found = taptrail("import", "coco", tmp_path / "own.json", *words).json
    assert (found["episodes"], found["steps"], found["screens"]) == (1, 2, 2)
    assert [(one["where"], one["count"]) for one in found["refused"]] == [
        ("own.json images[1]", 1),
        ("own.json images[3]", 1),
    ]
    shown = taptrail("import", "coco", tmp_path / "own.json", "--library", library)
    assert shown.out.splitlines()[0] == (
        f"1 episodes with 2 steps are in {library} (2 were there)."
    )
    again = taptrail("export", "coco", tmp_path / "again", *words).json
    assert again["steps"] == 13
    more = json.loads((tmp_path / "again/annotations.json").read_text())["annotations"]
    new = [one for one in more if one["attributes"]["label"] == "Save"]
    assert len(more) == len(told["annotations"]) + 2
    assert [(one["bbox"], one["attributes"]["status"]) for one in new] == [
        ([1, 2, 3, 4], "proposed"),
        ([0.5, 1, 1.5, 2], "proposed"),
    ]


def test_steps_are_exported_as_chat_rows_in_a_dialect_and_read_again(taptrail, tmp_path, library):
    taptrail("import", "guiodyssey", sample.version_2(tmp_path / "set"), "--library", library)
    words = ("--version", "os-atlas", "--level", "both", "--style", "messages", "--history", "1")
    place = ("--split", "random/test", "--library", library, "--json")
    done = taptrail("export", "chat", tmp_path / "chat", *words, *place).json
    assert (done["version"], done["episodes"], done["steps"]) == ("os-atlas", 1, 7)
    rows = [json.loads(line) for line in (tmp_path / "chat/rows.jsonl").read_text().splitlines()]
    assert {row["episode"] for row in rows} == {"0019000000000001"}
    assert rows[1]["messages"][0]["content"].splitlines()[-2:] == [
        "Actions so far:",
        "1. actions: CLICK <point>[[374,621]]</point>",
    ]
    other = ("--library", tmp_path / "other", "--json")
    read = taptrail("import", "chat", tmp_path / "chat", *other).json
    assert (read["episodes"], read["steps"], read["refused"]) == (1, 7, [])
    wrong = taptrail("export", "aitw", tmp_path / "x", "--level", "low", "--library", library)
    assert (wrong.code, wrong.err) == (
        1,
        f"Cannot export to {tmp_path / 'x'}: aitw has no chat rows. Leave the form of rows out.\n",
    )
    made_for_others = taptrail("import", "guiodyssey-tests", tmp_path, "--library", library)
    assert "files of the format guiodyssey-tests are made for others to read" in made_for_others.err


def test_what_is_worth_knowing_is_told_by_reason_where_there_are_many_places(
    taptrail, tmp_path, library
):
    folder = sample.version_2(tmp_path / "set")
    for picture in (folder / "screenshots").iterdir():
        picture.unlink()
    many = [
        sample.annotation(
            f"{n:016}", [sample.step(0, "COMPLETE", "")] * 1, sample.RAIN["task_info"]
        )
        for n in range(70, 90)
    ]
    odd = many[-1]
    odd["step_length"] = 9
    (folder / "annotations/zz.json").write_text(json.dumps(many))
    shown = taptrail("import", "guiodyssey", folder, "--library", library).out
    lines = [line.split("   ")[0] for line in shown.splitlines() if "screenshot is not" in line]
    assert len(lines) == 1
    assert lines[0].strip().endswith(" and 32 more")
    assert "step_length says 9, the file holds 1 steps" in shown
    assert "more reasons" not in shown


def test_an_import_counts_steps_that_never_had_a_picture(taptrail, tmp_path, library):
    lines = [
        {"type": "episode", "episode": "tea", "instruction": "Make tea"},
        {
            **{"type": "step", "episode": "tea", "step": 0},
            "action": {"kind": "press_key", "key": "home"},
        },
    ]
    (tmp_path / "episodes.jsonl").write_text("\n".join(map(json.dumps, lines)))
    done = taptrail("import", "taptrail", tmp_path, "--library", library)
    assert "0 steps have their picture, 1 do not." in done.out
