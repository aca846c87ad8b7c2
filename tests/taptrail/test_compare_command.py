"""`taptrail compare` on the shipped sample, whose runs differ where `mistakes.json` says."""

import json

import pytest

from scoring.protocols import PROTOCOLS
from taptrail.usecases.sample import import_sample

CAREFUL, HASTY = "sample-careful", "sample-hasty"


@pytest.fixture
def sample(library):
    import_sample(library)
    return library


def compare(taptrail, library, *words):
    return taptrail("compare", *words, "--library", library)


def test_the_steps_that_b_gets_right_and_a_gets_wrong_are_listed(taptrail, sample):
    words = ("--run", HASTY, "--run", CAREFUL, "--protocol", "guiodyssey", "--only", "b-right")
    done = compare(taptrail, sample, *words, "--json").json
    assert [(step["episode"], step["step"]) for step in done["steps"]] == [
        ("0042000000000002", 2),
        ("0042000000000003", 1),
        ("0042000000000004", 3),
        ("0042000000000005", 1),
    ]
    assert (done["count"], done["pairs"][0]["only_b"], done["pairs"][0]["only_a"]) == (4, 4, 0)
    assert (done["library"], done["budget"], done["unlike"]) == (str(sample), None, [])
    shown = compare(taptrail, sample, *words).out
    assert "only B right 4" in shown
    assert "The gold is SCROLL, the prediction CLICK." in shown


def test_one_run_under_several_protocols(taptrail, sample):
    words = ("--run", HASTY, "--protocol", "guiodyssey", "--protocol", "taptrail-strict")
    done = compare(taptrail, sample, *words, "--json").json
    assert [(side["side"], side["protocol"]) for side in done["sides"]] == [
        ("A", "guiodyssey"),
        ("B", "taptrail-strict"),
    ]
    parted = {(step["episode"], step["step"]): step["sides"] for step in done["steps"]}
    assert parted["0042000000000001", 7]["A"]["rule"] == "text-contains"  # the empty text
    assert parted["0042000000000001", 7]["B"]["rule"] == "text"


def test_a_budget_fails_the_episodes_that_are_longer(taptrail, sample):
    words = ("--run", CAREFUL, "--protocol", "guiodyssey", "--json")
    free = compare(taptrail, sample, *words).json["sides"][0]["metrics"]
    six = compare(taptrail, sample, *words, "--budget", "6").json["sides"][0]["metrics"]
    assert (free["SR"]["hits"], free["SR"]["total"]) == (5, 6)
    assert (six["SR"]["hits"], six["SR"]["total"]) == (3, 6)  # ten and eight steps are too many
    assert six["AMS"]["total"] == free["AMS"]["total"]


def test_a_budget_can_follow_from_what_people_needed(taptrail, sample):
    words = ("--run", CAREFUL, "--protocol", "guiodyssey", "--json")
    done = compare(taptrail, sample, *words, "--budget", "people").json
    free = compare(taptrail, sample, *words).json
    # One attempt a task: twice its steps, never fewer than ten. Nothing is cut.
    assert done["sides"] == free["sides"]
    assert (done["budget"], free["budget"]) == ("people", None)


@pytest.mark.parametrize("said", ["0", "-3", "many", "1.5"])
def test_a_budget_is_a_number_of_steps(taptrail, sample, said):
    done = compare(taptrail, sample, "--run", CAREFUL, "--protocol", "guiodyssey", "--budget", said)
    assert done.code == 2
    assert f"“{said}” is neither a number of steps nor “people”." in done.err


def test_a_score_and_a_comparison_give_the_same_numbers(taptrail, sample):
    words = ("--run", HASTY, "--protocol", "guiodyssey", "--json")
    (side,) = compare(taptrail, sample, *words).json["sides"]
    scored = taptrail("score", *words, "--library", sample).json
    assert side["step_set"] == scored["step_set"]
    for name, metric in scored["metrics"].items():
        metric.pop("note", None)
        assert side["metrics"][name] == metric


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("--run", CAREFUL, "--run", HASTY, "--protocol", "guiodyssey@1", "--protocol",
             "guiodyssey@2"),
            "Cannot compare these: there are 2 runs and 2 protocols. Take one of the two alone: "
            "several runs under one protocol, or one under several.\n",
        ),
        (
            ("--run", CAREFUL, "--run", CAREFUL, "--protocol", "guiodyssey"),
            "Cannot compare these: “sample-careful” under guiodyssey@2 is named twice. "
            "Name each once.\n",
        ),
        (
            ("--run", CAREFUL, "--protocol", "guiodyssey", "--only", "d-right"),
            "Cannot choose steps: “d-right” is about side D, and the sides are A. "
            "Choose another, or add a run.\n",
        ),
        (
            ("--run", "a", "--run", "b", "--run", "c", "--run", "d", "--run", "e", "--protocol",
             "guiodyssey"),
            "Cannot compare these: there are 5 sides. Name at most 4.\n",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_compared_is_one_sentence(taptrail, sample, words, sentence):
    done = compare(taptrail, sample, *words)
    assert (done.code, done.out, done.err) == (1, "", sentence)


def test_what_a_stricter_rule_changes_is_told_by_rule_with_an_example(taptrail, sample):
    words = ("--run", HASTY, "--protocol", "guiodyssey@2", "--protocol", "taptrail-strict")
    done = compare(taptrail, sample, *words, "--json").json
    told = [
        (one["count"], one["sides"]["A"]["rule"], one["sides"]["B"]["rule"])
        for one in done["groups"]
    ]
    assert sum(count for count, *_ in told) == done["count"] == len(done["steps"])
    group = next(one for one in done["groups"] if one["sides"]["A"]["rule"] == "text-contains")
    example = group["example"]
    step = next(
        one
        for one in done["steps"]
        if (one["episode"], one["step"]) == (example["episode"], example["step"])
    )
    assert example["reasons"] == {side: told["reason"] for side, told in step["sides"].items()}
    shown = compare(taptrail, sample, *words).out
    assert "for example" in shown


def test_a_run_whose_steps_have_changed_since_its_import_says_so(taptrail, sample, tmp_path):
    words = ("--run", CAREFUL, "--protocol", "guiodyssey")
    assert "changed" not in compare(taptrail, sample, *words, "--json").json["sides"][0]
    taptrail("episodes", "delete-step", "0042000000000001", "2", "--library", sample)
    done = compare(taptrail, sample, *words, "--json").json
    sentence = done["sides"][0]["changed"]
    assert sentence.startswith("The steps are not those the run was imported for: it was imported ")
    assert f"! A: {sentence}" in compare(taptrail, sample, *words).out
    page = tmp_path / "page.html"
    taptrail("report", *words, "--out", page, "--library", sample)
    assert sentence in page.read_text(encoding="utf-8")


def test_published_figures_stand_apart_with_their_rules_and_source(taptrail, sample):
    words = ("--run", CAREFUL, "--protocol", "guiodyssey@2", "--only", "all")
    assert "published" not in compare(taptrail, sample, *words, "--json").json
    told = compare(taptrail, sample, *words, "--published", "--json").json["published"]
    assert {one["dataset"] for one in told} == {"guiodyssey"}
    assert told[0]["mark"] == "By the same rules; steps, prompt and history may differ."
    seven = [
        (row["value"], one["metric"], one["rules"], one["mark"])
        for one in told
        for row in one["rows"]
        if row["model"] == "UI-TARS-7B" and one["metric"] in ("SR", "exact match")
    ]
    assert seven == [  # one checkpoint, one benchmark
        (57.33, "exact match", "guiodyssey/agentcpm@1",
         "By other rules (guiodyssey/agentcpm@1): not comparable."),
        (87.0, "SR", "", "By rules nobody published: not comparable."),
    ]  # fmt: skip
    shown = compare(taptrail, sample, *words, "--published").out
    assert "Source: arXiv 2406.08451v2, table 2" in shown


def test_all_published_figures_are_listed_with_the_protocols(taptrail):
    told = taptrail("protocols", "--published", "--json").json["published"]
    assert {one["dataset"] for one in told} == {"guiodyssey", "aitw", "androidcontrol"}
    assert {one["rules"] for one in told} - {""} <= set(PROTOCOLS)
    assert all(one["source"] and one["rows"] for one in told)
    assert all(0 <= row["value"] <= 100 for one in told for row in one["rows"])
    shown = taptrail("protocols", "--published").out
    assert "guiodyssey/agentcpm@1 Source: OpenBMB/AgentCPM-GUI@acbaf50, README." in shown


def test_every_side_of_one_run_counts_the_answers_beside_its_steps(taptrail, sample, tmp_path):
    answers = tmp_path / "answers.json"
    answers.write_text(
        json.dumps(
            [
                {"question": "", "img": "0042000000000001_0.png", "pred": said}
                for said in ("CLICK: (1, 1)", "COMPLETE")
            ]
        )
    )
    words = ("--dialect", "guiodyssey", "--dataset", "guiodyssey", "--name", "twice")
    taptrail("predictions", "import", answers, *words, "--library", sample)
    protocols = ("guiodyssey@1", "guiodyssey@2")
    sides = ("--protocol", protocols[0], "--protocol", protocols[1])
    compared = compare(taptrail, sample, "--run", "twice", *sides, "--json").json["sides"]
    alone = [
        taptrail(
            *("score", "--run", "twice", "--protocol", one, "--library", sample, "--json")
        ).json["metrics"]["AMS"]
        for one in protocols
    ]
    assert [side["metrics"]["AMS"] for side in compared] == alone
    assert [one["total"] for one in alone] == [2, 2]


def test_sides_whose_protocols_have_other_numbers_than_ams_show_those(taptrail, sample):
    words = ("--run", HASTY, "--protocol", "aitz/agentcpm")
    scored = taptrail("score", *words, "--library", sample, "--json").json["metrics"]
    hits, total = (scored["exact_acc"][part] for part in ("hits", "total"))
    shown = compare(taptrail, sample, *words).out
    assert "exact_acc" in shown
    assert "success_rate" in shown
    assert f"{hits} / {total} = " in shown
    mixed = compare(taptrail, sample, *words, "--protocol", "guiodyssey").out
    assert f"exact_acc {hits} / {total} = " in mixed
    assert "none" not in mixed.partition("A and B")[0]


def test_a_pair_says_over_how_many_steps_and_when_it_has_none_in_common(taptrail, sample, tmp_path):
    for name, episode in (("one", "0042000000000001"), ("two", "0042000000000002")):
        answers = tmp_path / f"{name}.json"
        answers.write_text(json.dumps([{"img": f"{episode}_0.png", "pred": "COMPLETE"}]))
        taptrail(
            *("predictions", "import", answers, "--dialect", "guiodyssey", "--name", name),
            *("--only-answered", "--library", sample),
        )
    apart = ("--run", "one", "--run", "two", "--protocol", "taptrail-strict")
    assert "A and B have no step in common." in compare(taptrail, sample, *apart).out
    assert "McNemar" not in compare(taptrail, sample, *apart).out
    both = ("--run", CAREFUL, "--run", HASTY, "--protocol", "guiodyssey")
    (pair,) = compare(taptrail, sample, *both, "--json").json["pairs"]
    assert f"{pair['steps']['a']['total']} steps both scored, B - A: " in (
        compare(taptrail, sample, *both).out
    )
