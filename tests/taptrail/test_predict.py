"""`taptrail predict` against a server that fails: nothing is lost, and nothing is invented."""

import json
import random
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from episodes import actions as a
from episodes.runs import Ended
from episodes.store.library import Library
from episodes.trees.element_lists import list_elements
from episodes.trees.step_trees import NoTree, tree_of_step
from replay.asking import client
from replay.asking.neutral import new_recipe
from replay.asking.recipe import recipe_from_table
from replay.asking.requests import RequestBuilder
from replay.asking.templates import TemplateRenderer
from taptrail.usecases.sample import open_sample
from tests.replay.asking.fake_server import FakeServer

SMALL = new_recipe("qwen25vl").replace('rule = "qwen2.5-vl"', 'rule = "smart:28:3136:200704"')
"""A recipe whose pictures are small, to be quick."""
README = Path(__file__).resolve().parents[2] / "README.md"

FAULTS = ["429", "500", "503", "529", "drop", "html", "cut json", "no choices"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample") / "library"
    open_sample(folder)
    return folder


@pytest.fixture
def sample(made, tmp_path):
    folder = tmp_path / "library"
    shutil.copytree(made, folder)
    return folder


@pytest.fixture
def recipe(tmp_path):
    file = tmp_path / "recipe.toml"
    file.write_text(SMALL)
    return file


@pytest.fixture(autouse=True)
def short_waits(monkeypatch):
    """Attempts of this process follow one another without long waits."""
    monkeypatch.setattr(client, "FIRST_WAIT_S", 0.01)


@pytest.fixture(scope="module")
def gold(made):
    """The recorded action of each step, as the recipe's dialect writes it."""
    parsed = recipe_from_table(tomllib.loads(SMALL), "test")
    renderer = TemplateRenderer()
    with Library.read(made) as library:
        builder = RequestBuilder(parsed, library.stills, renderer)
        found = {
            f"{episode.name}/{step.index}": builder.answer(step)
            for episode in library.iterate()
            for step in episode.steps
        }
    renderer.close()
    return found


def wait(seconds):
    called = {"name": "mobile_use", "arguments": {"action": "wait", "time": seconds}}
    return f"<tool_call>\n{json.dumps(called)}\n</tool_call>"


def policy(gold):
    """Right on all but each fifth step."""
    wrong = wait(1)
    return lambda key, told: wrong if hash_of(key) % 5 == 0 else gold[key]


def hash_of(key):
    return sum(map(ord, key))


def answers(sample, name):
    text = (sample / "asked" / name / "answers.jsonl").read_text()
    kept = ("episode", "step", "raw", "ended", "request", "words", "pixels", "picture")
    return [{name: one.get(name) for name in kept} for one in map(json.loads, text.splitlines())]


def run_json(sample, name):
    return json.loads((sample / "asked" / name / "run.json").read_text())


def test_transient_faults_change_neither_answers_nor_order_nor_fingerprints(
    taptrail, sample, recipe, gold
):
    with FakeServer(policy(gold)) as server:
        one = taptrail(
            *("predict", str(recipe), "--library", str(sample), "--name", "plain"),
            *("--endpoint", server.url, "--workers", "1", "--json"),
        )
    faults = {key: [FAULTS[n % len(FAULTS)]] for n, key in enumerate(sorted(gold))}
    with FakeServer(policy(gold), faults) as server:
        many = taptrail(
            *("predict", str(recipe), "--library", str(sample), "--name", "faulty"),
            *("--endpoint", server.url, "--workers", "8", "--json"),
        )
    assert (one.code, many.code) == (0, 0)
    assert answers(sample, "plain") == answers(sample, "faulty")
    assert [(a["episode"], a["step"]) for a in answers(sample, "plain")] == sorted(
        (a["episode"], a["step"]) for a in answers(sample, "plain")
    )
    plain, faulty = run_json(sample, "plain"), run_json(sample, "faulty")
    assert plain["fingerprints"] == faulty["fingerprints"]
    assert (plain["attempts"], faulty["attempts"]) == (79, 158)
    scores = [
        taptrail(
            "score",
            "--protocol",
            "taptrail-strict",
            "--run",
            name,
            "--library",
            str(sample),
            "--json",
        )
        for name in ("plain", "faulty")
    ]
    values = [json.loads(score.out)["metrics"]["AMS"] for score in scores]
    assert values[0] == values[1]
    assert values[0]["hits"] > 50


def test_permanent_faults_are_missing_or_marked_and_all_else_is_equal(
    taptrail, sample, recipe, gold
):
    with FakeServer(policy(gold)) as server:
        taptrail(
            *("predict", str(recipe), "--library", str(sample), "--name", "plain"),
            *("--endpoint", server.url),
        )
    broken = {
        "s-0001/1": ["400"],
        "s-0001/4": ["413"],
        "s-0002/0": ["length"],
        "s-0002/2": ["empty"],
        "s-0003/1": ["reasoning only"],
        "s-0003/3": ["content filter"],
    }
    with FakeServer(policy(gold), broken) as server:
        done = taptrail(
            *("predict", str(recipe), "--library", str(sample), "--name", "broken"),
            *("--endpoint", server.url, "--json"),
        )
        assert done.code == 1
        told = json.loads(done.out)
        assert told["failed"] == 2
        assert told["ended"] == {
            **{"stop": 73, "cut": 1, "refused": 1, "empty": 1, "reasoning_only": 1}
        }
        plain = {(a["episode"], a["step"]): a for a in answers(sample, "plain")}
        found = {(a["episode"], a["step"]): a for a in answers(sample, "broken")}
        assert set(plain) - set(found) == {("s-0001", 1), ("s-0001", 4)}
        changed = {key for key in found if found[key] != plain[key]}
        assert {f"{name}/{step}" for name, step in changed} == set(broken) - {
            "s-0001/1",
            "s-0001/4",
        }
        # The same command asks about nothing again; --again failed and cut do.
        before = len(server.requests)
        taptrail(
            *("predict", str(recipe), "--library", str(sample), "--name", "broken"),
            *("--endpoint", server.url),
        )
        assert [key for key in server.asked()[before:] if key != "probe"] == []
        before = len(server.requests)
        again = taptrail(
            *("predict", str(recipe), "--library", str(sample), "--name", "broken"),
            *("--endpoint", server.url, "--again", "failed"),
        )
        asked = [key for key in server.asked()[before:] if key != "probe"]
        assert sorted(asked) == ["s-0001/1", "s-0001/4"]
        assert again.code == 0


def test_a_run_that_is_killed_and_continued_is_the_same(sample, recipe, gold):
    check_killed(sample, recipe, gold, 3)


def check_killed(sample, recipe, gold, times):
    """Kills the command at random moments, so many times, and then lets it come through."""
    dice = random.Random(5)
    with FakeServer(policy(gold), delay_s=0.05) as server:
        command = [
            *(sys.executable, "-m", "taptrail", "predict", str(recipe)),
            *("--library", str(sample), "--endpoint", server.url, "--workers", "4", "--name"),
        ]
        assert subprocess.run([*command, "straight"], capture_output=True).returncode == 0
        kills = 0
        while True:
            process = subprocess.Popen([*command, "killed"], stdout=subprocess.DEVNULL)
            before = len(server.requests)
            while len(server.requests) == before and process.poll() is None:
                time.sleep(0.01)
            if kills < times:
                time.sleep(dice.uniform(0, 0.08))
                assert process.poll() is None, "it came through before it was killed often enough"
                process.send_signal(signal.SIGKILL)
                process.wait()
                kills += 1
                continue
            assert process.wait() == 0
            break
    assert answers(sample, "killed") == answers(sample, "straight")
    assert (
        run_json(sample, "killed")["fingerprints"] == run_json(sample, "straight")["fingerprints"]
    )


def test_the_readmes_command_says_how_good_a_model_is(taptrail, sample, gold):
    """The third thing to do, against a server of this test instead of the reader's."""
    third = README.read_text().partition("\n3. **How good is my model?**")[2]
    line = third.partition("```")[2].split("\n")[1]
    words = shlex.split(line)
    assert words[:2] == ["taptrail", "predict"]
    with FakeServer(policy(gold), models=("my-model",)) as server:
        places = {"http://127.0.0.1:8000/v1": server.url, "sample": str(sample)}
        command = [places.get(word, word) for word in words[1:]]
        done = taptrail(*command)
        again = taptrail(*command, "--json").json
    assert done.code == 0, done.err
    scored = taptrail(
        *("score", "--run", "my-run", "--protocol", "guiodyssey@2"),
        *("--library", str(sample), "--json"),
    ).json
    assert again["score"]["metrics"] == scored["metrics"]
    for name in ("AMS", "SR"):
        assert re.search(rf"{name} +{re.escape(str(scored['metrics'][name]['value']))}", done.out)


def test_steps_asked_twice_tell_how_many_answers_change(taptrail, sample, recipe, gold):
    """Every seventh step is answered differently the second time; the run keeps the first."""
    times = Counter()

    def moody(key, told):
        times[key] += 1
        return wait(times[key]) if hash_of(key) % 7 == 0 else gold.get(key, wait(1))

    with FakeServer(moody) as server:
        told = taptrail(
            *("predict", str(recipe), "--library", str(sample), "--name", "twice"),
            *("--endpoint", server.url, "--repeat", "1000", "--json"),
        ).json
    moved = sorted(key for key in gold if hash_of(key) % 7 == 0)
    assert (told["repeated"]["asked"], told["repeated"]["failed"]) == (len(gold), 0)
    assert sorted(told["repeated"]["changed"]) == moved != []
    kept = {f"{a['episode']}/{a['step']}": a["raw"] for a in answers(sample, "twice")}
    assert {kept[key] for key in moved} == {wait(1)}
    assert run_json(sample, "twice")["repeated"] == told["repeated"]
    with FakeServer(policy(gold)) as server:
        few = taptrail(
            *("predict", str(recipe), "--library", str(sample), "--name", "few"),
            *("--endpoint", server.url, "--repeat", "10"),
        )
        assert "steps asked a second time: 0 changed their answer." in few.out
        asked = Counter(key for key in server.asked() if key != "probe")
    assert 5 <= sum(count == 2 for count in asked.values()) <= 10


def test_a_batch_file_out_and_back_makes_the_same_run(taptrail, sample, recipe, gold, tmp_path):
    out, back = tmp_path / "requests.jsonl", tmp_path / "answers.jsonl"
    assert (
        taptrail(
            "predict", str(recipe), "--library", str(sample), "--write-requests", str(out)
        ).code
        == 0
    )
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(lines) == 79
    assert {line["url"] for line in lines} == {"/v1/chat/completions"}
    say = policy(gold)
    random.Random(1).shuffle(lines)
    back.write_text(
        "".join(
            json.dumps(
                {
                    "custom_id": line["custom_id"],
                    "response": {
                        "status_code": 200,
                        "body": {
                            "choices": [
                                {
                                    "message": {"content": say(line["custom_id"], {})},
                                    "finish_reason": "stop",
                                }
                            ]
                        },
                    },
                }
            )
            + "\n"
            for line in lines
        )
    )
    done = taptrail(
        *("predict", str(recipe), "--library", str(sample), "--name", "batch"),
        *("--read-answers", str(back)),
    )
    assert done.code == 0
    with FakeServer(say) as server:
        taptrail(
            *("predict", str(recipe), "--library", str(sample), "--name", "plain"),
            *("--endpoint", server.url),
        )
    assert answers(sample, "batch") == answers(sample, "plain")


def test_a_python_function_is_asked_in_a_process_of_its_own(
    taptrail, sample, recipe, tmp_path, monkeypatch
):
    (tmp_path / "my_model.py").write_text(
        "def answer(request):\n"
        "    print('loading')\n"
        "    size = request.pictures[0].size\n"
        '    return \'<tool_call>\\n{"name": "mobile_use", "arguments": {"action": "click", \'\\\n'
        "        f'\"coordinate\": [{size[0] // 2}, {size[1] // 2}]}}}}\\n</tool_call>'\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    done = taptrail(
        *("predict", str(recipe), "--library", str(sample), "--name", "mine"),
        *("--model-function", "my_model:answer", "--limit", "5", "--json"),
    )
    assert done.code == 0, done.err
    assert json.loads(done.out)["answers"] == 5
    assert json.loads(done.out)["unreadable"] == 0


def test_private_material_reaches_no_request(taptrail, sample, recipe, gold, tmp_path):
    secret = "hunter2secret"
    with Library.open(sample) as library:
        episode = library.episode("s-0001")
    taptrail("episodes", "private", "s-0001", "--step", "2", "--library", str(sample))
    with Library.read(sample) as library:
        hidden = library.episode("s-0001").steps[2]
    assert hidden.private, "the test needs a private step"
    assert episode.steps[2].still is not None
    with FakeServer(policy(gold)) as server:
        taptrail(
            *("predict", str(recipe), "--library", str(sample), "--name", "private"),
            *("--endpoint", server.url),
        )
        everything = b"".join(server.raw)
        asked = server.asked()
    assert "s-0001/2" not in asked
    later = [told for key, told in server.requests if key == "s-0001/3"]
    assert "(kept private)" in json.dumps(later)
    assert gold["s-0001/2"].split("\n")[1].encode() not in everything
    assert secret.encode() not in everything


def test_the_key_is_in_no_file_and_no_output(taptrail, sample, recipe, gold, monkeypatch):
    monkeypatch.setenv("TAPTRAIL_API_KEY", "sk-very-secret")
    with FakeServer(policy(gold)) as server:
        done = taptrail(
            *("predict", str(recipe), "--library", str(sample), "--name", "keyed"),
            *("--endpoint", server.url, "--limit", "3", "--json"),
        )
    assert {one.get("Authorization") for one in server.headers} == {"Bearer sk-very-secret"}
    assert "sk-very-secret" not in done.out + done.err
    for file in (sample / "asked").rglob("*"):
        assert file.is_dir() or b"sk-very-secret" not in file.read_bytes()


def test_screenshots_go_to_another_host_only_by_consent(taptrail, sample, recipe):
    done = taptrail(
        *("predict", str(recipe), "--library", str(sample), "--name", "far"),
        *("--endpoint", "https://api.example.org/v1"),
    )
    assert done.code == 1
    assert "api.example.org" in done.err
    assert "--send-to" in done.err


@pytest.mark.parametrize(("status", "word"), [("401", "TAPTRAIL_API_KEY"), ("404", "/v1")])
def test_a_wrong_set_up_stops_the_run_in_one_sentence(taptrail, sample, recipe, gold, status, word):
    faults = {key: [status, "always"] for key in [*gold, "probe"]}
    with FakeServer(policy(gold), faults) as server:
        done = taptrail(
            *("predict", str(recipe), "--library", str(sample), "--name", "none"),
            *("--endpoint", server.url),
        )
    assert done.code == 1
    assert word in done.err
    assert len(server.requests) < 20


def test_a_dead_server_costs_seconds(taptrail, sample, recipe, gold, tmp_path):
    text = recipe.read_text() + "\n[failures]\nattempts = 1\nstop_after = 5\n"
    recipe.write_text(text)
    faults = {key: ["503", "always"] for key in gold}
    with FakeServer(policy(gold), faults) as server:
        done = taptrail(
            *("predict", str(recipe), "--library", str(sample), "--name", "dead"),
            *("--endpoint", server.url, "--workers", "2", "--json"),
        )
    assert done.code == 1
    assert "5 steps in a row failed" in json.loads(done.out)["stopped"]


def test_own_answers_stand_in_the_history_and_a_failure_ends_the_chain(
    taptrail, sample, recipe, gold
):
    text = recipe.read_text().replace('source = "gold"', 'source = "own"')
    recipe.write_text(text + "\n[failures]\nattempts = 1\n")
    mine = wait(7)
    with FakeServer(lambda key, told: mine, {"s-0001/3": ["500"]}) as server:
        command = (
            *("predict", str(recipe), "--library", str(sample), "--name", "own"),
            *("--endpoint", server.url, "--episode", "s-0001", "--json"),
        )
        first = taptrail(*command)
        assert first.code == 1
        assert [key for key in server.asked() if key != "probe"] == [
            f"s-0001/{n}" for n in range(4)
        ]
        second = taptrail(*command)
        assert second.code == 0
    history = json.dumps(next(told for key, told in server.requests if key == "s-0001/4"))
    assert len(re.findall(r"time\W+7", history)) == 4


def test_two_recipes_are_told_apart_by_their_first_different_request(
    taptrail, sample, recipe, tmp_path
):
    other = tmp_path / "other.toml"
    other.write_text(recipe.read_text().replace("last = 4", "last = 1"))
    done = taptrail("recipes", "diff", str(recipe), str(other), "--library", str(sample), "--json")
    told = json.loads(done.out)
    assert told["settings"] == ["history.last: 4 | 1"]
    assert told["first"]["step"] == "s-0001/2"
    same = taptrail("recipes", "diff", str(recipe), str(recipe), "--library", str(sample), "--json")
    assert json.loads(same.out)["first"] is None


def test_an_estimate_asks_nobody(taptrail, sample, recipe):
    done = taptrail("predict", str(recipe), "--library", str(sample), "--dry-run", "--json")
    told = json.loads(done.out)
    assert (told["steps"], told["episodes"], told["left_out"]) == (79, 7, 0)
    assert told["size"] > 1_000_000


@pytest.mark.parametrize("shown", ['tree = "list"', 'marks = "set-of-marks"'])
def test_answers_by_element_number_are_judged_at_the_elements_box(
    taptrail, sample, tmp_path, gold, shown
):
    """A model that names the smallest numbered element at the recorded place is right."""
    recipe = tmp_path / "indexed.toml"
    text = new_recipe("androidworld").replace('level = "high"', f'level = "high"\n{shown}')
    assert shown in text
    recipe.write_text(text)
    expected = {}
    with Library.read(sample) as library:
        for episode in library.iterate():
            for step in episode.steps:
                tree = tree_of_step(step)
                if not isinstance(step.action, a.Tap) or isinstance(tree, NoTree):
                    continue
                found = [
                    one
                    for one in list_elements(tree, step.frame.size, "taptrail-1")
                    if a.place(step.action) in one.box
                ]
                if found:
                    best = min(found, key=lambda one: one.box.area)
                    expected[episode.name, step.index] = best
    assert len(expected) > 20

    def answer(key, told):
        name, _, step = key.rpartition("/")
        element = expected.get((name, int(step)))
        number = element.index if element is not None else 9999
        return f'Action: {{"action_type": "click", "index": {number}}}'

    with FakeServer(answer) as server:
        done = taptrail(
            *("predict", str(recipe), "--library", str(sample), "--name", "indexed"),
            *("--endpoint", server.url, "--json"),
        )
    assert done.code == 0, done.err
    assert json.loads(done.out)["unreadable"] == 79 - len(expected)
    with Library.read(sample) as library:
        for prediction in library.predictions("indexed"):
            element = expected.get((prediction.episode, prediction.step))
            if element is None:
                assert "the element 9999" in prediction.parsed.reason
            else:
                assert prediction.parsed == a.Tap(element.box)
                assert f'"index": {element.index}' in prediction.raw
    scored = taptrail(
        *("score", "--protocol", "taptrail-strict", "--run", "indexed"),
        *("--library", str(sample), "--json"),
    )
    hits = json.loads(scored.out)["metrics"]["AMS"]["hits"]
    assert hits > 0.8 * len(expected)


def test_the_library_keeps_how_a_run_was_asked_and_how_each_answer_ended(
    taptrail, sample, recipe, gold
):
    faults = {"s-0001/1": ["length"], "s-0002/2": ["reasoning only"]}
    with FakeServer(policy(gold), faults) as server:
        taptrail(
            *("predict", str(recipe), "--library", str(sample), "--name", "kept"),
            *("--endpoint", server.url),
        )
    listed = json.loads(taptrail("runs", "--library", str(sample), "--json").out)["runs"]
    (asking,) = [one["asking"] for one in listed if one["name"] == "kept"]
    assert asking == run_json(sample, "kept")
    assert set(asking["fingerprints"]) == {"steps", "words", "pictures", "server"}
    assert json.loads(asking["recipe_text"])["history"]["last"] == 4
    assert {one["asking"] for one in listed if one["name"] != "kept"} <= {None}
    with Library.read(sample) as library:
        found = {(p.episode, p.step): p.answered for p in library.predictions("kept")}
        assert json.loads(library.run("kept").asking) == asking
    assert len(found) == 79
    cut, thought = found.pop(("s-0001", 1)), found.pop(("s-0002", 2))
    assert (cut.ended, cut.finish, cut.tokens[1]) == (Ended.CUT, "length", 12)
    assert (thought.ended, thought.reasoning) == (Ended.REASONING_ONLY, "I think.")
    assert {one.ended for one in found.values()} == {Ended.STOP}
    assert taptrail("episodes", "check", "--library", str(sample)).code == 0
    with sqlite3.connect(sample / "library.db") as db:
        db.execute("UPDATE prediction SET ended = 'fell asleep' WHERE ended = 'cut'")
    checked = taptrail("episodes", "check", "--library", str(sample))
    assert checked.code == 1
    assert "fell asleep" in checked.out + checked.err


def test_a_comparison_names_the_settings_in_which_recipes_differ(
    taptrail, sample, recipe, gold, tmp_path
):
    other = tmp_path / "other.toml"
    other.write_text(recipe.read_text().replace("last = 4", "last = 1"))
    with FakeServer(policy(gold)) as server:
        for name, file in (("four", recipe), ("one", other)):
            taptrail(
                *("predict", str(file), "--library", str(sample), "--name", name),
                *("--endpoint", server.url),
            )
    words = ("--protocol", "taptrail-strict", "--library", str(sample), "--json")
    told = json.loads(taptrail("compare", "--run", "four", "--run", "one", *words).out)
    recipes = [one for one in told["unlike"] if one["what"].startswith("recipe")]
    assert recipes == [{"what": "recipe history.last", "A": "4", "B": "1"}]
