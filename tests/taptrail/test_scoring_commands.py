import hashlib
import json
import os

import pytest

from episodes.errors import KnownError
from replay.dialects import DIALECTS
from scoring.protocols import PROTOCOLS
from taptrail.usecases.predictions import import_predictions
from tests.samples import guiodyssey as sample

# MILK's steps in GUIOdyssey's words; step 1 is doubled, step 5 missing, the last row a stranger's.
ANSWERS = [
    (0, "CLICK: (440, 610)"),  # inside the region, 66 thousandths from the point
    (1, "SCROLL: RIGHT"),
    (1, "SCROLL: UP"),
    (2, "TYPE: oat"),
    (3, "LONG_PRESS: (999, 999)"),
    (4, "PRESS_HOME"),
    (6, "CLICK: somewhere"),
]


def row(name, step, said):
    return {"question": f"<img>{name}_{step}.png</img>", "pred": said, "gt": "", "more_info": {}}


def lines(*values):
    return "".join(json.dumps(value) + "\n" for value in values)


@pytest.fixture
def filled(taptrail, tmp_path, library):
    folder = sample.write(tmp_path / "set", [sample.MILK], sample.SPLITS)
    taptrail("import", "guiodyssey", folder, "--library", library)
    file = tmp_path / "run.json"
    rows = [row("0019000000000001", step, said) for step, said in ANSWERS]
    file.write_text(json.dumps([*rows, row("77", 0, "COMPLETE")]))
    return library


def bring(taptrail, tmp_path, library, *more):
    words = ("predictions", "import", tmp_path / "run.json", "--dialect", "guiodyssey")
    return taptrail(*words, "--name", "run", "--library", library, "--json", *more)


def test_an_import_of_predictions_counts_how_rows_met_steps(taptrail, tmp_path, filled):
    done = bring(taptrail, tmp_path, filled).json
    notes, findings = done.pop("notes"), done.pop("findings")
    assert [(one["code"], one["count"]) for one in findings] == [
        ("missing_steps", 1),
        ("unreadable", 1),
        ("row_remarks", 6),
        ("doubled", 1),
        ("surplus", 1),
    ]
    assert done == {
        "run": "run",
        "read": 8,
        "joined": 6,
        "unreadable": 1,
        "missing": 1,
        "doubled": 1,
        "surplus": 1,
    }
    assert any(note.startswith("run.json, row 7: ") for note in notes)


def test_a_score_gives_every_step_a_verdict_and_a_reason(taptrail, tmp_path, filled):
    bring(taptrail, tmp_path, filled)
    done = taptrail(
        "score", "--protocol", "guiodyssey", "--run", "run", "--library", filled, "--json"
    ).json
    lines = "".join(f"guiodyssey/2/0019000000000001/{n}\n" for n in range(7))
    assert (done["protocol"], done["version"], done["run"], done["library"]) == (
        "guiodyssey",
        "2",
        "run",
        str(filled),
    )
    assert done["step_set"] == {
        "name": "guiodyssey@2",
        "n": 7,
        "sha256": hashlib.sha256(lines.encode()).hexdigest(),
    }
    assert done["metrics"]["AMS"] == {"value": 57.14, "unit": "%", "hits": 4, "total": 7}
    assert [(s["step"], s["outcome"], s["rule"]) for s in done["steps"]] == [
        (0, "match", "region"),
        (1, "match", "scroll-word"),
        (2, "match", "text-contains"),
        (3, "mismatch", "distance"),
        (4, "match", "type"),
        (5, "unscored", "missing"),
        (6, "mismatch", "invalid"),
        (1, "mismatch", "scroll-word"),
    ]
    assert all(step["reason"].endswith(".") and step["parts"] is not None for step in done["steps"])


def test_a_protocol_is_named_with_or_without_its_version(taptrail, tmp_path, filled):
    bring(taptrail, tmp_path, filled)

    def score(protocol):
        words = ("score", "--protocol", protocol, "--run", "run", "--library", filled, "--json")
        return taptrail(*words).json

    assert score("guiodyssey") == score("guiodyssey@2")
    assert score("guiodyssey@1")["version"] == "1"
    assert score("taptrail-strict")["metrics"]["AMS"]["total"] == 7


def test_a_score_in_words_names_the_steps_that_do_not_match(taptrail, tmp_path, filled):
    bring(taptrail, tmp_path, filled)
    done = taptrail("score", "--protocol", "guiodyssey", "--run", "run", "--library", filled)
    assert done.code == 0
    assert "57.14 %" in done.out
    assert "4 / 7" in done.out
    assert "There is no prediction" in done.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("--protocol", "tea", "--run", "run"),
            "Cannot score with this protocol: there is no protocol “tea”. "
            f"Use one of {', '.join(PROTOCOLS)}.\n",
        ),
        (
            ("--protocol", "guiodyssey", "--run", "tea"),
            "Cannot open the run “tea”: the library has no runs. "
            "Import its predictions first, or choose one of those.\n",
        ),
    ],
)
def test_a_score_of_nothing_is_one_sentence(taptrail, filled, words, sentence):
    done = taptrail("score", *words, "--library", filled)
    assert (done.code, done.out, done.err) == (1, "", sentence)


def test_a_run_that_is_there_is_replaced_only_when_asked(taptrail, tmp_path, filled):
    bring(taptrail, tmp_path, filled)
    again = bring(taptrail, tmp_path, filled)
    assert again.code == 1
    assert again.err.startswith("Cannot save the run “run”: the library has a run of that name. ")
    assert bring(taptrail, tmp_path, filled, "--replace").json["read"] == 8


def test_two_versions_of_a_data_set_must_be_told_apart(taptrail, tmp_path, filled):
    other = sample.write(tmp_path / "other", [sample.MILK])
    taptrail("import", "guiodyssey", other, "--version", "1", "--library", filled)
    unclear = bring(taptrail, tmp_path, filled)
    assert (unclear.code, unclear.err) == (
        1,
        "Cannot import the run “run”: its episodes may be those of guiodyssey@1, guiodyssey@2. "
        "Say which with --dataset NAME and --dataset-version V.\n",
    )
    assert bring(taptrail, tmp_path, filled, "--dataset-version", "1").json["joined"] == 6


@pytest.mark.parametrize(
    ("words", "name", "count", "missing"),
    [
        ((), "guiodyssey@2", 13, 7),
        (("--split", "random/test"), "guiodyssey@2 random/test", 7, 1),
        (("--split", "app"), "guiodyssey@2 app/", 13, 7),
        (("--only-answered",), "guiodyssey@2 (answered)", 7, 1),
        (
            ("--split", "app/train", "--only-answered"),
            "guiodyssey@2 app/train (answered)",
            7,
            1,
        ),
    ],
)
def test_a_run_is_measured_on_the_steps_it_was_imported_for(
    taptrail, tmp_path, library, filled, words, name, count, missing
):
    both = sample.version_2(tmp_path / "both")
    taptrail("import", "guiodyssey", both, "--library", library, "--replace")
    assert bring(taptrail, tmp_path, library, *words).json["missing"] == missing
    done = taptrail(
        "score", "--protocol", "taptrail-strict", "--run", "run", "--library", library, "--json"
    ).json
    assert (done["step_set"]["name"], done["step_set"]["n"]) == (name, count)


def test_a_split_that_is_not_there_is_a_known_error(taptrail, tmp_path, filled):
    done = bring(taptrail, tmp_path, filled, "--split", "task/test")
    assert (done.code, done.err) == (
        1,
        "Cannot import the run “run”: there is no split “task” of guiodyssey@2; there are: "
        "app, random. Name one of them with --split, or leave it out.\n",
    )


def test_predictions_in_our_own_lines_are_declared_and_scored(taptrail, tmp_path, filled):
    tap = {"kind": "tap", "at": {"point": [0.374, 0.621]}}
    (tmp_path / "own.jsonl").write_text(
        lines({"episode": "0019000000000001", "step": 0, "action": tap})
    )
    taptrail(
        "predictions", "import", tmp_path / "own.jsonl", "--dialect", "taptrail", "--coords", "0-1",
        "--scroll", "finger", "--level", "high", "--name", "own", "--model", "m",
        "--history", "none", "--observation", "screenshot", "--library", filled,
    )  # fmt: skip
    done = taptrail(
        "score", "--protocol", "taptrail-strict", "--run", "own", "--library", filled, "--json"
    ).json
    assert done["steps"][0]["outcome"] == "match"
    assert done["steps"][0]["parts"]["distance"] == pytest.approx(0, abs=1e-9)


def test_raw_texts_are_read_in_the_dialect_of_their_words(taptrail, tmp_path, filled):
    (tmp_path / "raw.jsonl").write_text(
        lines({"episode": "0019000000000001", "step": 4, "raw": "PRESS_HOME"})
    )
    words = ("predictions", "import", tmp_path / "raw.jsonl", "--dialect", "raw")
    done = taptrail(
        *words, "--dialect-of-text", "guiodyssey", "--name", "raw", "--library", filled, "--json"
    ).json
    assert (done["joined"], done["unreadable"]) == (1, 0)


def test_several_files_are_one_run(taptrail, tmp_path, filled):
    for number, (step, said) in enumerate(ANSWERS[:2]):
        file = tmp_path / f"{number}.json"
        file.write_text(json.dumps([row("0019000000000001", step, said)]))
    done = taptrail(
        "predictions", "import", tmp_path / "0.json", tmp_path / "1.json", "--dialect",
        "guiodyssey", "--name", "two", "--library", filled, "--json",
    ).json  # fmt: skip
    assert (done["read"], done["joined"]) == (2, 2)


def test_a_check_reads_the_points_under_every_declaration(taptrail, tmp_path, filled):
    name, steps = "0019000000000001", [(0, 0.374, 0.621), (3, 0.12, 0.48), (5, 0.858, 0.64)]
    kinds = {3: "long_press"}
    (tmp_path / "own.jsonl").write_text(
        lines(
            *(
                {
                    "episode": name,
                    "step": step,
                    "action": {"kind": kinds.get(step, "tap"), "at": {"point": [x, y]}},
                }
                for step, x, y in steps
            )
        )
    )
    done = taptrail(
        "predictions", "check", tmp_path / "own.jsonl", "--dialect", "taptrail", "--library",
        filled, "--json",
    ).json  # fmt: skip
    assert (done["read"], done["joined"], done["protocol"]) == (3, 3, "taptrail-strict@1")
    hits = {
        (one["coords"], one["scroll"]): (one["declared"], one["outside"], one["score"]["hits"])
        for one in done["readings"]
    }
    assert hits == {
        ("pixels", "finger"): (True, 0, 0),
        ("pixels", "content"): (False, 0, 0),
        ("0-1", "finger"): (False, 0, 3),
        ("0-1", "content"): (False, 0, 3),
        ("0-999", "finger"): (False, 0, 0),
        ("0-999", "content"): (False, 0, 0),
        ("0-1000", "finger"): (False, 0, 0),
        ("0-1000", "content"): (False, 0, 0),
    }
    words = taptrail(
        "predictions", "check", tmp_path / "own.jsonl", "--dialect", "taptrail", "--library", filled
    )
    assert words.code == 0
    assert "pixels (declared)" in words.out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--dialect", "tea"), 1, "there is no dialect “tea”"),
        (("--dialect", "guiodyssey", "--coords", "0-1"), 1, "coordinates “0-1”"),
        (("--dialect", "raw"), 1, "there is no dialect of text “”"),
        (("--dialect", "guiodyssey", "--scroll", "up"), 2, "Invalid value for '--scroll'"),
        ((), 2, "Missing option '--dialect'"),
    ],
)
def test_a_declaration_that_cannot_be_is_refused(taptrail, tmp_path, filled, words, code, said):
    done = taptrail(
        "predictions", "import", tmp_path / "run.json", *words, "--name", "x", "--library", filled
    )
    assert (done.code, done.out) == (code, "")
    assert said in done.err


def test_a_run_without_a_name_is_refused(taptrail, tmp_path, filled):
    done = bring(taptrail, tmp_path, filled, "--name", " ")
    assert (done.code, done.err) == (
        1,
        "Cannot import the predictions: the run has no name. Give one with --name.\n",
    )


def scored(taptrail, library, *more):
    words = ("score", "--protocol", "guiodyssey", "--run", "run", "--library", library, *more)
    return taptrail(*words, "--json").json


def test_a_split_may_have_spaces_in_its_name(taptrail, tmp_path, library):
    splits = {"my own split": {"the test": ["0019000000000001.json"], "train": []}}
    folder = sample.write(tmp_path / "set", [sample.MILK, sample.SHOP], splits)
    taptrail("import", "guiodyssey", folder, "--library", library)
    rows = [row("0019000000000001", step, said) for step, said in ANSWERS]
    (tmp_path / "run.json").write_text(json.dumps(rows))
    bring(taptrail, tmp_path, library, "--split", "my own split/the test")
    done = scored(taptrail, library)
    assert done["step_set"]["name"] == "guiodyssey@2 my own split/the test"
    assert done["step_set"]["n"] == 7
    assert not any("not those" in note for note in done["notes"])


def test_a_data_set_may_have_spaces_in_its_name(taptrail, tmp_path, library):
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "episodes.jsonl").write_text(
        lines(
            {"type": "episode", "episode": "a", "origin": {"dataset": "my own data"}},
            {"type": "step", "episode": "a", "step": 0, "action": {"kind": "wait"}},
        )
    )
    taptrail("import", "taptrail", folder, "--library", library)
    (tmp_path / "run.jsonl").write_text(
        lines({"episode": "a", "step": 0, "action": {"kind": "wait"}})
    )
    taptrail(
        *("predictions", "import", tmp_path / "run.jsonl", "--dialect", "taptrail"),
        *("--name", "run", "--library", library),
    )
    done = taptrail(
        *("score", "--protocol", "taptrail-strict", "--run", "run", "--library", library, "--json")
    ).json
    assert done["step_set"]["n"] == 1
    assert done["metrics"]["AMS"]["hits"] == 1


def test_a_score_says_when_its_steps_are_not_those_of_the_import(taptrail, tmp_path, filled):
    bring(taptrail, tmp_path, filled)
    assert not any("not those" in note for note in scored(taptrail, filled)["notes"])
    more = sample.write(tmp_path / "more", [sample.SHOP])
    taptrail("import", "guiodyssey", more, "--library", filled)
    note = (
        "The steps are not those the run was imported for: it was imported for 7 steps and is "
        "scored on 13. Episodes or steps have come, gone or changed their names since; import the "
        "run again to measure it on these."
    )
    assert note in scored(taptrail, filled)["notes"]
    words = taptrail("score", "--protocol", "guiodyssey", "--run", "run", "--library", filled)
    assert f"- {note}\n" in words.out


def test_answered_episodes_stay_the_same_also_where_no_row_met_a_step(taptrail, tmp_path, filled):
    more = sample.write(tmp_path / "more", [sample.SHOP])
    taptrail("import", "guiodyssey", more, "--library", filled)
    rows = [row("0019000000000001", 0, "COMPLETE"), row("2000000000000002", 99, "COMPLETE")]
    (tmp_path / "run.json").write_text(json.dumps(rows))
    bring(taptrail, tmp_path, filled, "--only-answered")
    done = scored(taptrail, filled)
    assert (done["step_set"]["name"], done["step_set"]["n"]) == ("guiodyssey@2 (answered)", 13)
    assert not any("not those" in note for note in done["notes"])


def test_a_version_that_is_not_there_is_named(taptrail, tmp_path, filled):
    done = bring(taptrail, tmp_path, filled, "--dataset", "guiodyssey", "--dataset-version", "9")
    assert done.err.startswith(
        f"Cannot import the run “run”: there are no episodes of guiodyssey@9 in {filled}. "
    )
    done = bring(taptrail, tmp_path, filled, "--dataset-version", "9")
    assert "there are no episodes of any data set's version 9 in" in done.err


def test_predictions_for_an_empty_library_are_refused(taptrail, tmp_path, filled):
    done = bring(taptrail, tmp_path, filled, "--dataset", "aitw")
    assert (done.code, done.err) == (
        1,
        f"Cannot import the run “run”: there are no episodes of aitw in {filled}. "
        "Import or record the episodes first.\n",
    )


def test_all_protocols_are_listed_with_their_quirks(taptrail):
    found = taptrail("protocols", "--json").json["protocols"]
    assert [f"{one['name']}@{one['version']}" for one in found] == list(PROTOCOLS)
    assert all(one["quirks"] and one["source"] and one["counts"]["missing"] for one in found)
    assert {one["checked"]["how"] for one in found} == {"original", "transcription", "own rule"}
    auto_gui = next(one for one in found if one["name"] == "aitw/auto-gui")
    assert auto_gui["checked"]["code"] == "cooelf/Auto-GUI@26ea0f2"
    assert auto_gui["checked"]["cases"] >= 5000
    words = taptrail("protocols").out
    assert words.count("  checked: ") == len(found)
    assert "  checked: run beside the original's code at cooelf/Auto-GUI@26ea0f2: 5," in words
    assert all(quirk in words for one in found for quirk in one["quirks"])


def test_a_run_that_says_nothing_readable_is_noted(taptrail, tmp_path, filled):
    rows = [row("0019000000000001", 0, "I would tap"), row("0019000000000001", 1, 5)]
    (tmp_path / "run.json").write_text(json.dumps(rows))
    assert bring(taptrail, tmp_path, filled).json["notes"][0] == (
        "No action could be read from any prediction. They may be written in another dialect."
    )


FORM = (
    "Write a line of JSON with episode, step and raw for each answer, or look for the file's "
    "form and its dialect in docs/formats/predictions.md.\n"
)
LOOK = (
    "Check --dataset, --dataset-version and --split, or write the keys as the library has them.\n"
)
OURS = 'the library\'s of guiodyssey@2 like episode "0019000000000001" step 0'


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([], f"the files hold no prediction. {FORM}"),
        (
            [row("77", 3, "COMPLETE"), row("78", 0, "COMPLETE")],
            "none of the rows (2) belongs to a step: the files' keys look like episode "
            f'"77" step 3, {OURS}. {LOOK}',
        ),
    ],
)
def test_a_run_of_which_nothing_belongs_to_a_step_is_not_kept(
    taptrail, tmp_path, filled, rows, found
):
    (tmp_path / "run.json").write_text(json.dumps(rows))
    done = bring(taptrail, tmp_path, filled)
    assert (done.code, done.out, done.err) == (
        1, "", f"Cannot import the run “run”: {found}",
    )  # fmt: skip
    assert taptrail("runs", "--library", filled, "--json").json == {"runs": []}


def test_a_run_that_is_to_be_replaced_by_nothing_stays(taptrail, tmp_path, filled):
    bring(taptrail, tmp_path, filled)
    before = taptrail("runs", "--library", filled, "--json").json
    (tmp_path / "other.json").write_text(json.dumps([row("77", 0, "COMPLETE")]))
    with pytest.raises(KnownError, match=r"none of the rows \(1\) belongs to a step"):
        import_predictions(
            (tmp_path / "other.json",), "run", filled, dialect="guiodyssey", replace=True
        )
    assert taptrail("runs", "--library", filled, "--json").json == before


def test_a_pipe_of_predictions_is_refused_as_its_bytes_come_only_once(taptrail, tmp_path, filled):
    (tmp_path / "run.json").unlink()
    os.mkfifo(tmp_path / "run.json")
    done = bring(taptrail, tmp_path, filled)
    assert (done.code, done.err) == (
        1,
        "Cannot read run.json: it is not a regular file. Save the predictions in a file, and name "
        "that.\n",
    )


def test_help_names_what_may_be_chosen(taptrail):
    for words, names in (
        (("score",), PROTOCOLS),
        (("predictions", "check"), (*PROTOCOLS, *DIALECTS, "raw")),
        (("predictions", "import"), (*DIALECTS, "raw")),
    ):
        said = "".join(taptrail(*words, "--help").out.split())
        assert [name for name in names if name not in said] == []


def test_the_runs_of_a_library_are_listed(taptrail, tmp_path, filled):
    none = taptrail("runs", "--library", filled)
    assert none.out == "No run. Import one with: taptrail predictions import.\n"
    bring(taptrail, tmp_path, filled)
    (found,) = taptrail("runs", "--library", filled, "--json").json["runs"]
    when = found.pop("imported_utc")
    assert found == {
        "name": "run",
        "model": "",
        "dialect": "guiodyssey",
        "dataset": "guiodyssey",
        "version": "2",
        "step_set": "guiodyssey@2",
        "steps": 7,
        "asking": None,
    }
    said = taptrail("runs", "--library", filled).out
    assert said.splitlines()[3].split() == [
        *("run", "guiodyssey", "guiodyssey@2", "7", when[:10], when[11:19]),
    ]


def unnamed(taptrail, tmp_path, library, count, *more):
    said = ["actions:\nCLICK <point>[[440,610]]</point>", *["actions:\nCOMPLETE"] * (count - 1)]
    (tmp_path / "answers.jsonl").write_text(lines(*({"pred": text} for text in said)))
    words = ("predictions", "import", tmp_path / "answers.jsonl", "--dialect", "os-atlas")
    return taptrail(*words, "--name", "unnamed", "--library", library, "--json", *more)


def test_rows_that_name_no_step_are_joined_by_position_with_a_warning(taptrail, tmp_path, filled):
    done = unnamed(taptrail, tmp_path, filled, 7).json
    assert (done["read"], done["joined"], done["missing"], done["surplus"]) == (7, 7, 0, 0)
    assert done["notes"][0] == (
        "No row names its step: they were joined by their position to the library's 7 steps. If "
        "one is lacking or out of place, all after it are wrong."
    )


def test_rows_that_name_no_step_and_are_not_as_many_stay_apart(taptrail, tmp_path, filled):
    done = unnamed(taptrail, tmp_path, filled, 6)
    assert (done.code, done.err) == (
        1,
        "Cannot import the run “unnamed”: none of the rows (6) belongs to a step of guiodyssey@2: "
        "they name none, and 6 rows for 7 steps cannot be told apart by their order. Give the file "
        "whose order they are in with --order.\n",
    )


def test_a_file_in_another_form_is_refused_with_what_its_first_row_lacks(
    taptrail, tmp_path, filled
):
    def refused(name, text):
        (tmp_path / name).write_text(text)
        words = ("predictions", "import", tmp_path / name, "--dialect", "taptrail")
        done = taptrail(*words, "--name", "run", "--library", filled)
        assert done.code == 1
        return done.err

    answer = '{"episod": "1", "stp": 0, "raw": "back"}'
    assert refused("results.json", f'{{"results": [{answer}, {{}}]}}') == (
        "Cannot import the run “run”: none of the rows (2) belongs to a step, and none names one: "
        f"results.json, row 1: it names no episode. {FORM}"
    )
    table = refused("answers.csv", "episode,step,raw\n1,0,back\n")
    assert 'the files\' keys look like episode "1" step 0' in table


def test_a_run_of_which_only_an_answer_to_no_step_may_be_read_is_noted(taptrail, tmp_path, filled):
    said = [('{"PRESS": "HOME"}', 0), ('{"PRESS": "BACK"}', 1), ('{"STATUS": "finish"}', 99)]
    rows = [{"episode": "0019000000000001", "step": step, "raw": raw} for raw, step in said]
    (tmp_path / "run.jsonl").write_text(lines(*rows))
    words = ("predictions", "import", tmp_path / "run.jsonl", "--dialect", "androidcontrol")
    done = taptrail(*words, "--name", "run", "--library", filled, "--json").json
    assert (done["joined"], done["unreadable"], done["surplus"]) == (2, 2, 1)
    sentence, _, remedy = done["notes"][0].partition(". ")
    assert sentence == "No action could be read from any prediction that belongs to a step"
    assert "agentcpm" in remedy


def test_a_check_shows_the_number_its_protocol_is_known_by(taptrail, tmp_path, filled):
    (tmp_path / "run.json").write_text(json.dumps([row("0019000000000001", 0, "COMPLETE")]))
    words = ("predictions", "check", tmp_path / "run.json", "--dialect", "guiodyssey")
    more = ("--library", filled, "--protocol", "guiodyssey/os-atlas")
    done = taptrail(*words, *more, "--json").json
    assert done["metric"] != "AMS"
    assert done["readings"][0]["score"]["total"] == 1
    assert done["metric"] in taptrail(*words, *more).out
    plain = taptrail(*words, "--library", filled, "--json").json
    assert (plain["protocol"], plain["metric"]) == ("taptrail-strict@1", "AMS")


def test_a_file_tells_the_order_of_rows_that_name_no_step(taptrail, tmp_path, filled):
    (tmp_path / "order.txt").write_text("0019000000000001_6\nx/0019000000000001_0.png\n")
    words = ("--order", tmp_path / "order.txt")
    done = unnamed(taptrail, tmp_path, filled, 2, *words).json
    assert (done["read"], done["joined"], done["missing"], done["surplus"]) == (2, 2, 5, 0)
    check = ("predictions", "check", tmp_path / "answers.jsonl", "--dialect", "os-atlas", *words)
    checked = taptrail(*check, "--library", filled, "--json").json
    assert (checked["joined"], checked["notes"][0]) == (2, done["notes"][0])
    refused = unnamed(taptrail, tmp_path, filled, 3, *words)
    assert (refused.code, refused.err) == (
        1,
        "Cannot take the steps of the predictions from order.txt: it lists 2 steps, and there are "
        "3 predictions. Give the file whose order they are in, whole.\n",
    )
    named = bring(taptrail, tmp_path, filled, *words)
    assert named.err == (
        "Cannot take the steps of the predictions from order.txt: they name their steps "
        "themselves. Leave the order out.\n"
    )


def test_a_score_has_numbers_in_groups_where_they_are_asked_for(taptrail, tmp_path, filled):
    bring(taptrail, tmp_path, filled)
    words = ("score", "--protocol", "guiodyssey", "--run", "run", "--library", filled)
    done = taptrail(*words, "--by", "split", "--by", "position", "--json").json
    assert set(done["tables"]) == {"split", "position"}
    assert [(one["label"], one["hits"], one["total"]) for one in done["tables"]["split"]] == [
        ("app/train", 4, 6), ("random/test", 4, 6),
    ]  # fmt: skip
    assert done["numbers"]["step accuracy"]["total"] == 7
    shown = taptrail(*words, "--by", "split").out
    assert "Matching steps by split" in shown
    assert "random/test" in shown
    wrong = taptrail(*words, "--by", "moon")
    assert (wrong.code, wrong.err) == (
        1,
        "Cannot count by moon: there is no such table. Use one of category, app, kind, split, "
        "device, position, length, all.\n",
    )


def test_a_second_answer_is_told_apart_from_the_first(taptrail, tmp_path, filled):
    rows = [
        row("0019000000000001", 0, said) for said in ("CLICK: (1, 1)", "COMPLETE", "PRESS_BACK")
    ]
    (tmp_path / "run.json").write_text(json.dumps(rows))
    bring(taptrail, tmp_path, filled)
    words = ("score", "--run", "run", "--protocol", "guiodyssey", "--library", filled)
    steps = [one for one in taptrail(*words, "--json").json["steps"] if one["step"] == 0]
    assert [one.get("doubled", False) for one in steps] == [False, True, True]
    assert taptrail(*words).out.count("A second answer: ") == 2


def test_how_many_steps_are_in_no_number_is_told_with_the_numbers(taptrail, tmp_path, filled):
    (tmp_path / "run.json").write_text(json.dumps([row("0019000000000001", 0, "CLICK: (1, 1)")]))
    bring(taptrail, tmp_path, filled)
    words = ("score", "--run", "run", "--protocol", "aitw", "--library", filled)
    left = taptrail(*words, "--json").json["left_out"]
    told = {f"- {what}: {count}" for what, count in left.items() if count}
    assert any(line.startswith("- steps left out: no-gold: ") for line in told)
    assert told <= set(taptrail(*words).out.splitlines())
    assert told <= set(taptrail(*words, "--numbers-only").out.splitlines())


def test_an_import_says_what_the_run_is_measured_on_and_which_actions_are_not_known(
    taptrail, tmp_path, filled
):
    said = [{"action_type": word} for word in ("juggle", "wait", "juggle", "shake")]
    rows = [
        {"episode": "0019000000000001", "step": step, "action": told}
        for step, told in enumerate(said)
    ]
    (tmp_path / "run.jsonl").write_text(lines(*rows))
    words = ("predictions", "import", tmp_path / "run.jsonl", "--dialect", "androidcontrol")
    done = taptrail(*words, "--name", "run", "--library", filled)
    assert done.out.splitlines()[1:] == [
        "It is scored on guiodyssey@2, 7 steps.",
        '- Answers name actions that are not known: "juggle" (2), "shake" (1).',
        "- 3 steps of the episodes that the files answer have no row, the first is episode "
        "0019000000000001 step 4.",
    ]
