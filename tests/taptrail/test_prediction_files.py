"""Prediction files as other programs write them, through the commands, with the right results."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from taptrail.cli.main import run as run_command

CASES = Path(__file__).parents[1] / "samples" / "cases"
FILES = CASES / "predictions"
UI_TARS = "ui-tars-1.0"
EPISODES = ("1000000000000001", "1000000000000002")
ANSWERS = (
    "Action: click(start_box='(500,500)')",
    "Action: type(content='北京 天气')",
    "Action: scroll(start_box='(500,800)', end_box='(500,200)')",
    "Action: long_press(start_box='(300,300)')",
    "Action: press_home()",
    "Action: press_back()",
    "Action: hotkey(key='appselect')",
    "Action: click(start_box='(100,900)')",
    "Action: scroll(start_box='(800,500)', end_box='(200,500)')",
    "Action: finished()",
)
STEPS = [(episode, step, ANSWERS[step]) for episode in EPISODES for step in range(10)]
TWICE_UNKNOWN = {6}  # press_appselect, in the cases' own answers


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("libraries")
    made = {"guiodyssey": folder / "gold", "androidcontrol": folder / "acx"}
    for name, library in made.items():
        assert (
            run_command(["import", name, str(CASES / library.name), "--library", str(library)]) == 0
        )
    return made


@pytest.fixture
def bring(taptrail: Callable[..., Any], libraries: dict[str, Path]) -> Callable[..., Any]:
    """Imports a file as a run, and returns what was printed, as it came."""

    def import_(file: Path, dialect: str, *more: str | Path, dataset: str = "guiodyssey") -> Any:
        words = ("predictions", "import", file, "--dialect", dialect, "--name", "run", "--replace")
        return taptrail(*words, "--library", libraries[dataset], "--json", *more)

    return import_


@pytest.fixture
def score(taptrail: Callable[..., Any], libraries: dict[str, Path]) -> Callable[..., Any]:
    """Scores the run that was imported last."""

    def scored(protocol: str = "guiodyssey", dataset: str = "guiodyssey") -> Any:
        words = ("score", "--protocol", protocol, "--run", "run")
        return taptrail(*words, "--library", libraries[dataset], "--json").json

    return scored


def codes(done: Any) -> list[str]:
    return [finding["code"] for finding in done["findings"]]


def wrong_steps(scored: Any) -> set[int]:
    return {step["step"] for step in scored["steps"] if step["outcome"] != "match"}


def write(folder: Path, rows: list[Any], name: str = "p.jsonl") -> Path:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


@pytest.mark.parametrize(
    "name",
    [
        *("swift.jsonl", "swift_shuf.jsonl", "ep_float_shuf.jsonl", "openai_batch.jsonl"),
        *("png_ep.jsonl", "t.csv", "u.jsonl.gz", "wrapped.json", "by_key.json", "pretty.json"),
        *("key_prediction.jsonl", "key_answer.jsonl", "key_action.jsonl", "llamafactory.jsonl"),
        "crlf_bom.jsonl",
    ],
)
def test_a_file_is_read_and_each_answer_stands_beside_its_step(bring, score, name):
    done = bring(FILES / name, UI_TARS).json
    assert (done["read"], done["joined"], done["missing"], done["unreadable"]) == (20, 20, 0, 0)
    scored = score()
    assert scored["metrics"]["AMS"]["total"] == 20
    assert wrong_steps(scored) <= TWICE_UNKNOWN
    assert ("joined_by_position" in codes(done)) == (name == "llamafactory.jsonl")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("utf16.jsonl", "it is UTF-16, and predictions are read as UTF-8. Save it as UTF-8."),
        (
            "comments.json",
            "it stops being JSON in line 2, at “// run 1”: JSON has no comments. Take the comments "
            "out, or give JSON lines or one JSON list.",
        ),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_as_a_whole(bring, name, said):
    done = bring(FILES / name, UI_TARS)
    assert (done.code, done.out, done.err) == (1, "", f"Cannot read {name}: {said}\n")


def test_a_list_of_the_benchmark_s_answers_may_stand_in_lines(bring, score):
    assert bring(FILES / "odyssey_list.jsonl", "guiodyssey").json["joined"] == 20
    assert score()["metrics"]["AMS"]["value"] == 100


def test_rows_in_the_order_of_eight_workers_are_refused_with_what_to_declare(bring, score):
    done = bring(FILES / "guir1_8actors.jsonl", "gui-r1", "--coords", "pixels")
    assert (done.code, done.out) == (1, "")
    assert "the gold in 17 of 20 rows contradicts the step they would stand beside" in done.err
    assert "Declare the order of 8 workers with --workers 8" in done.err
    declared = bring(
        FILES / "guir1_8actors.jsonl", "gui-r1", "--coords", "pixels", "--workers", "8"
    )
    assert declared.json["joined"] == 20
    assert score()["metrics"]["AMS"]["value"] == 100


@pytest.mark.parametrize(
    ("name", "dialect", "dataset"),
    [
        ("guir1_16.jsonl", "gui-r1", "guiodyssey"),
        ("claw_64threads.jsonl", "qwen3vl", "androidcontrol"),
        ("claw_inorder.jsonl", "qwen3vl", "androidcontrol"),
    ],
)
def test_rows_whose_own_gold_contradicts_the_steps_are_not_joined_by_position(
    bring, name, dialect, dataset
):
    done = bring(FILES / name, dialect, dataset=dataset)
    assert (done.code, done.out) == (1, "")
    assert "rows contradicts the step they would stand beside" in done.err


def test_running_numbers_put_rows_in_order(tmp_path, bring, score):
    rows = [json.loads(line) for line in (FILES / "claw_64threads.jsonl").read_text().splitlines()]
    for row in rows:
        del row["answer"]
    done = bring(write(tmp_path, rows), "qwen3vl", dataset="androidcontrol").json
    assert codes(done)[0] == "joined_by_number"
    assert score("taptrail-strict", "androidcontrol")["metrics"]["AMS"]["value"] == 100


@pytest.mark.parametrize("numbers", [[*range(19), 25], [5] * 20, [*range(0, 40, 2)]])
def test_running_numbers_that_are_not_those_of_the_steps_are_refused(tmp_path, bring, numbers):
    rows = [
        {"id": number, "response": answer}
        for number, (_, _, answer) in zip(numbers, STEPS, strict=True)
    ]
    done = bring(write(tmp_path, rows), UI_TARS)
    assert done.code == 1
    assert "and the library has 20 steps" in done.err


def test_a_cut_answer_is_wrong_and_not_missing(bring, score):
    done = bring(FILES / "acpm_cut.jsonl", "agentcpm").json
    assert (done["joined"], done["unreadable"], done["missing"]) == (20, 2, 0)
    assert "unreadable" in codes(done)
    metrics = score("guiodyssey/agentcpm")["metrics"]
    assert metrics["exact_acc"] == {"value": 90, "unit": "%", "hits": 18, "total": 20}
    assert (metrics["success_rate"]["hits"], metrics["success_rate"]["total"]) == (0, 2)


def test_steps_that_are_numbered_from_one_are_noticed_and_may_be_declared(bring, score):
    done = bring(FILES / "step1based.jsonl", UI_TARS).json
    finding = done["findings"][0]
    assert (finding["code"], finding["declare"]) == ("steps_from_one", "--first-step 1")
    assert bring(FILES / "step1based.jsonl", UI_TARS, "--first-step", "1").json["missing"] == 0
    assert wrong_steps(score()) <= TWICE_UNKNOWN


def test_a_dropped_row_is_said(bring, score):
    done = bring(FILES / "skip1.jsonl", UI_TARS).json
    assert [(f["code"], f["text"]) for f in done["findings"]] == [
        ("missing_steps", "1 step has no row: episode 1000000000000001 step 3.")
    ]


def test_gold_that_is_shifted_is_said(bring, score):
    done = bring(FILES / "ody_gtshift.json", "guiodyssey").json
    (finding,) = (one for one in done["findings"] if one["code"] == "gold_shifted")
    assert finding["text"].startswith("The gold in the rows is that of the step after their own")
    assert score()["metrics"]["AMS"]["value"] == 100


def body(text: str) -> dict[str, Any]:
    return {"choices": [{"index": 0, "message": {"role": "assistant", "content": text}}]}


ROWS: dict[str, Callable[[str, int, str], dict[str, Any]]] = {
    "ep_id and step_idx": lambda e, s, t: {"ep_id": int(e), "step_idx": s, "output": t},
    "episodeId and stepId": lambda e, s, t: {"episodeId": e, "stepId": str(s), "prediction": t},
    "floats": lambda e, s, t: {"episode": float(e), "step": float(s), "pred": t},
    "floats in texts": lambda e, s, t: {"episode_id": f"{e}.0", "step_id": f"{s}.0", "pred": t},
    "words for steps": lambda e, s, t: {"Episode ID": e, "Step": f"step_{s}", "response": t},
    "an id for both": lambda e, s, t: {"id": f"{e}_{s}", "conversations": [
        {"from": "human", "value": "?"}, {"from": "gpt", "value": t}]},
    "an id in words": lambda e, s, t: {"sample_id": f"guiodyssey_{e}_step_{s}", "answer": t},
    "an id with a minus": lambda e, s, t: {"custom_id": f"{e}-{s}", "response": {
        "status_code": 200, "body": body(t)}, "error": None},
    "a picture's path": lambda e, s, t: {"img_path": f"C:\\d\\{e}_{s}.png", "predict": t},
    "a list of pictures": lambda e, s, t: {"images": [f"/d/{e}_{n}.png" for n in range(s + 1)],
        "response": t},
    "pictures in a folder": lambda e, s, t: {"screenshot": f"d/{e}/{s}.png", "pred": t},
    "screenshots": lambda e, s, t: {"screenshots": [{"path": f"d/{e}/screenshot_{s}.jpg"}],
        "generated_text": t},
    "nested": lambda e, s, t: {"meta": {"episode": e, "step": s}, "completion": t},
    "nested twice": lambda e, s, t: {"request": {"metadata": {"ep": e, "step_no": s}},
        "choices": body(t)["choices"]},
    "verl": lambda e, s, t: {"input": "p", "output": t, "gts": None, "score": 0.0,
        "extra_info": {"episode_id": e, "step_id": s, "index": 0}},
    "vllm": lambda e, s, t: {"request_id": "0", "image": f"{e}_{s}.png", "outputs": [
        {"index": 0, "text": t, "finish_reason": "stop"}]},
    "lm-eval": lambda e, s, t: {"doc_id": 0, "doc": {"episode_id": e, "step": s},
        "resps": [[t]], "filtered_resps": [t]},
    "content in parts": lambda e, s, t: {"image": f"{e}_{s}.png", "messages": [
        {"role": "user", "content": []}], "response": [{"type": "text", "text": t}]},
    "a chat's message": lambda e, s, t: {"episode": e, "step": s, "response": body(t)},
    "a file's name": lambda e, s, t: {"episode_id": f"annotations/{e}.json", "step": s, "raw": t},
}  # fmt: skip


@pytest.mark.parametrize("writer", ROWS, ids=str)
def test_rows_of_common_writers_are_joined_by_what_they_name(tmp_path, bring, score, writer):
    rows = [ROWS[writer](*step) for step in STEPS]
    random.Random(3).shuffle(rows)
    done = bring(write(tmp_path, rows), UI_TARS).json
    assert (done["joined"], done["unreadable"], done["missing"]) == (20, 0, 0), done
    assert not {"joined_by_position", "joined_by_number"} & set(codes(done))
    assert wrong_steps(score()) == set()


def _table(delimiter: str) -> bytes:
    text = io.StringIO()
    rows = csv.writer(text, delimiter=delimiter)
    rows.writerow(["", "episode_id", "step_id", "prediction"])
    rows.writerows([(0, f"{e}.0", f"{s}.0", t) for e, s, t in STEPS])
    return text.getvalue().encode()


def _lines(*rows: Any) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


PLAIN = [{"episode_id": e, "step_id": s, "pred": t} for e, s, t in STEPS]
BY_EPISODE = {e: [t for name, _, t in STEPS if name == e] for e in EPISODES}
FORMS: dict[str, bytes] = {
    "p.csv": _table(","),
    "p.tsv": _table("\t"),
    "semicolons.csv": _table(";"),
    "bom.csv": b"\xef\xbb\xbf" + _table(","),
    "p.csv.gz": gzip.compress(_table(",")),
    "p.json.gz": gzip.compress(json.dumps(PLAIN).encode()),
    "no_ending": gzip.compress(_lines(*PLAIN)),
    "crlf.json": json.dumps(PLAIN, indent=2).replace("\n", "\r\n").encode(),
    "pretty_lines.json": b"\n".join(json.dumps(row, indent=1).encode() for row in PLAIN),
    "wrapped.json": json.dumps({"model": "m", "results": PLAIN}, indent=1).encode(),
    "scored.json": json.dumps({"metrics": {"AMS": 3, "pred": PLAIN}}).encode(),
    "data_in_results.json": json.dumps({"results": {"data": PLAIN}}).encode(),
    "lists_by_episode.json": json.dumps(BY_EPISODE).encode(),
    "objects_by_episode.json": json.dumps(
        {e: {str(s): t for s, t in enumerate(told)} for e, told in BY_EPISODE.items()}
    ).encode(),
    "rows_by_episode.json": json.dumps(
        {e: [{"pred": t} for t in told] for e, told in BY_EPISODE.items()}
    ).encode(),
    "by_picture.json": json.dumps({f"{e}_{s}.png": t for e, s, t in STEPS}).encode(),
    "by_key_rows.json": json.dumps({f"{e}-{s}": {"pred": t} for e, s, t in STEPS}).encode(),
    "lists_in_a_list.json": json.dumps([PLAIN[:10], [PLAIN[10:]]]).encode(),
    "lists_in_lines.jsonl": _lines(PLAIN[:10], PLAIN[10:]),
    "steps_in_lines.jsonl": _lines(
        *({"episode_id": e, "goal": "g", "steps": [{"step": s, "pred": t} for s, t in
           enumerate(told)]} for e, told in BY_EPISODE.items())
    ),
    "texts_in_steps.json": json.dumps(
        [{"episode_id": e, "predictions": told} for e, told in BY_EPISODE.items()]
    ).encode(),
    "episode_order.jsonl": _lines(*({"episode_id": e, "response": t} for e, _, t in STEPS)),
    "one_line.jsonl": b"".join(json.dumps(row).encode() for row in PLAIN),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
def test_files_of_common_forms_are_read(tmp_path, bring, score, name):
    (tmp_path / name).write_bytes(FORMS[name])
    done = bring(tmp_path / name, UI_TARS).json
    assert (done["joined"], done["unreadable"], done["missing"]) == (20, 0, 0), done
    assert "joined_by_position" not in codes(done)
    assert wrong_steps(score()) == set()


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("gbk.jsonl", _lines(*PLAIN).decode().encode("gbk"), "not UTF-8: row 2 and 1 more"),
        ("gbk.json", json.dumps(PLAIN, ensure_ascii=False).encode("gbk"), "it may be GB18030"),
        ("gbk.csv", _table(",").decode().encode("gbk"), "it may be GB18030"),
        ("utf16be.jsonl", _lines(*PLAIN).decode().encode("utf-16-be"), "UTF-16 or no text"),
        ("utf32.jsonl", _lines(*PLAIN).decode().encode("utf-32"), "UTF-16"),
        ("cut.jsonl.gz", gzip.compress(_lines(*PLAIN))[:-30], "damaged or cut off"),
        ("p.zip", b"PK\x03\x04" + bytes(50), "a ZIP archive or a spreadsheet"),
        ("p.parquet", b"PAR1" + bytes(50), "a Parquet file"),
        ("bad.json", b"[" + _lines(*PLAIN[:2]) + b"]", "it stops being JSON in line 2"),
    ],
)
def test_what_is_no_utf8_or_no_json_is_refused_in_one_sentence(tmp_path, bring, name, data, said):
    (tmp_path / name).write_bytes(data)
    done = bring(tmp_path / name, UI_TARS)
    assert (done.code, done.out) == (1, "")
    assert said in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "cut",
    [
        lambda text: text.replace('"pred": "Action: press_back()"', '"pred": "Action: pre'),
        lambda text: text[: text.rindex("Action")],
        lambda text: text.replace('"pred": "Action: press_back()"}', '"pred": "Action'),
    ],
)
@pytest.mark.parametrize("as_list", [False, True])
def test_cut_rows_count_as_wrong_answers(tmp_path, bring, score, cut, as_list):
    text = json.dumps(PLAIN, ensure_ascii=False) if as_list else _lines(*PLAIN).decode()
    if as_list:
        text = text[: text.rindex("Action")]
    (tmp_path / "p.jsonl").write_text(text if as_list else cut(text), encoding="utf-8")
    done = bring(tmp_path / "p.jsonl", UI_TARS).json
    assert (done["joined"], done["missing"]) == (20, 0)
    assert done["unreadable"] >= 1
    metrics = score()["metrics"]["AMS"]
    assert (metrics["hits"], metrics["total"]) == (20 - done["unreadable"], 20)


def test_swapped_numbers_are_noticed_and_may_be_declared(tmp_path, bring, score):
    swapped = {
        "Action: click(start_box='(100,900)')": "Action: click(start_box='(900,100)')",
        "Action: scroll(start_box='(500,800)', end_box='(500,200)')":
            "Action: scroll(start_box='(800,500)', end_box='(200,500)')",
        "Action: scroll(start_box='(800,500)', end_box='(200,500)')":
            "Action: scroll(start_box='(500,800)', end_box='(500,200)')",
    }  # fmt: skip
    rows = [{"episode": e, "step": s, "raw": swapped.get(t, t)} for e, s, t in STEPS]
    file = write(tmp_path, rows)
    done = bring(file, UI_TARS).json
    (finding,) = done["findings"]
    assert (finding["code"], finding["declare"]) == ("xy_swapped", "--coords yx:0-1000")
    assert wrong_steps(score()) == {2, 7, 8}
    assert bring(file, UI_TARS, "--coords", "yx:0-1000").json["findings"] == []
    assert wrong_steps(score()) == set()


@pytest.mark.parametrize(
    ("dialect", "declared", "answer"),
    [
        (UI_TARS, "0-1000", "Action: click(start_box='({x},{y})')"),
        ("mimo", "pixels", '{{"action": "click", "start_point": [{x}, {y}]}}'),
        ("androidcontrol", "pixels", '{{"action_type": "click", "x": {x}, "y": {y}}}'),
    ],
)
def test_fractions_where_larger_numbers_are_declared_are_noticed(
    tmp_path, bring, score, dialect, declared, answer
):
    points = {0: (0.5, 0.5), 7: (0.1, 0.9)}
    rows = [
        {"episode": e, "step": s, "raw": answer.format(x=x, y=y)}
        for e in EPISODES
        for s, (x, y) in points.items()
    ]
    file = write(tmp_path, rows)
    finding = bring(file, dialect).json["findings"][0]
    assert (finding["code"], finding["declare"]) == ("fractions", "--coords 0-1")
    assert f"{declared} are declared" in finding["text"]
    assert "fractions" not in codes(bring(file, dialect, "--coords", "0-1").json)
    assert {s["outcome"] for s in score()["steps"] if s["rule"] != "missing"} == {"match"}


def test_a_row_dropped_before_the_rows_were_numbered_is_noticed(tmp_path, bring):
    told = [t for e, s, t in STEPS if e == EPISODES[0] and s != 3]
    rows = [{"episode": EPISODES[0], "step": s, "raw": t} for s, t in enumerate(told)]
    rows += [{"episode": e, "step": s, "raw": t} for e, s, t in STEPS if e == EPISODES[1]]
    done = bring(write(tmp_path, rows), UI_TARS).json
    assert codes(done)[0] == "row_dropped"


def test_a_check_gives_the_same_findings_as_an_import(taptrail, libraries):
    words = ("predictions", "check", FILES / "step1based.jsonl", "--dialect", UI_TARS)
    done = taptrail(*words, "--library", libraries["guiodyssey"], "--json").json
    assert codes(done)[0] == "steps_from_one"
    said = taptrail(*words, "--library", libraries["guiodyssey"]).out
    assert "Perhaps --first-step 1 must be declared." in said


def test_answers_without_any_name_in_the_order_of_workers_are_doubted(tmp_path, bring):
    rows = [{"prompt": "p", "predict": STEPS[at][2]} for k in range(4) for at in range(k, 20, 4)]
    done = bring(write(tmp_path, rows), UI_TARS).json
    assert codes(done)[:2] == ["joined_by_position", "order_of_workers"]
    assert done["findings"][1]["declare"] == "--workers 4"
    declared = bring(write(tmp_path, rows), UI_TARS, "--workers", "4").json
    assert codes(declared) == ["joined_by_position"]


def test_a_failed_request_is_a_wrong_answer(tmp_path, bring, score):
    rows = [ROWS["an id with a minus"](*step) for step in STEPS]
    rows[4] |= {"response": None, "error": {"code": "server_error"}}
    done = bring(write(tmp_path, rows), UI_TARS).json
    assert (done["joined"], done["unreadable"], done["missing"]) == (20, 1, 0)
    assert score()["metrics"]["AMS"]["total"] == 20
