"""Task files: what they may say, what is refused with its line, what a seed gives."""

from __future__ import annotations

import pytest

from episodes.errors import KnownError
from taptrail.usecases.task_runs import own_tasks
from tasks.located import MAX_ALIASES, MAX_DEPTH, read_yaml
from tasks.parameters import fill
from tasks.task_files import load_tasks

TASK = """\
tasks:
  - name: timer
    version: 3
    goal: Set a timer for {minutes} minutes and call it {name}.
    apps: [com.taptrail.demo.clock]
    tags: [clock]
    budget: 12
    parameters:
      minutes: {integer: {from: 2, to: 50, step: 2}}
      name: {choice: [Tea, Bread]}
      day: {date: {from: 2026-05-01, to: 2026-05-31, as: "%d.%m."}}
      list: {sample: {of: [a, b, c], count: 2}}
      both: {template: "{name} {minutes}"}
      digits: {digits: 4}
    setup:
      - home: true
    check:
      all:
        - setting: {namespace: global, key: timer, is: "{minutes}"}
        - answer: {exact: "{both}"}
"""


def written(tmp_path, text, name="tasks.yaml"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def refusal(tmp_path, text):
    with pytest.raises(KnownError) as raised:
        load_tasks([written(tmp_path, text)])
    assert str(raised.value).startswith("Cannot read the task file tasks.yaml: ")
    return raised.value.found


def test_an_instance_is_the_same_for_a_seed_and_another_for_another(tmp_path):
    task = load_tasks([written(tmp_path, TASK)])["timer"]
    one, again, other = task.instance(0), task.instance(0), task.instance(1)
    assert (one.values, one.seed) == (again.values, again.seed)
    assert one.seed != other.seed
    assert [i.goal for i in (one, again)] == [one.goal] * 2
    values = one.values
    assert int(values["minutes"]) in range(2, 51, 2)
    assert values["both"] == f"{values['name']} {values['minutes']}"
    assert (len(values["digits"]), values["day"][2], len(values["list"])) == (4, ".", 4)
    assert one.goal == f"Set a timer for {values['minutes']} minutes and call it {values['name']}."
    assert task.version.startswith("3+")


def test_a_change_of_the_description_changes_the_version(tmp_path):
    before = load_tasks([written(tmp_path, TASK)])["timer"].version
    after = load_tasks([written(tmp_path, TASK.replace("Bread", "Rice"))])["timer"].version
    assert before != after


def test_the_tasks_for_the_demo_phone_are_a_dozen_and_some_go_across_apps():
    tasks = own_tasks()
    assert len(tasks) >= 12
    across = [task for task in tasks.values() if len(task.apps) > 1]
    assert len(across) >= 3
    assert all(task.instance(0).goal for task in tasks.values())


def test_texts_are_filled_without_reaching_into_objects():
    assert fill("{a} {{b}} {a.x} {0}", {"a": "1"}) == "1 {b} {a.x} {0}"


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("version: 3", "vesion: 3", "line 3: “vesion” is not known here"),
        ("{minutes} minutes", "{hours} hours", "line 4: {hours} is no parameter of the task"),
        ("integer:", "whole:", "line 9: “whole” is no kind of parameter"),
        ("step: 2", "step: 0", "line 9: “step” is 0"),
        ("count: 2", "count: 9", "line 12: “count” is 9"),
        ("2026-05-31", "2026-04-31", "line 11: “2026-04-31” is no day"),
        ("home: true", "burn: true", "line 16: “burn” is no step"),
        ("all:", "some:", "line 19: “some” is no check"),
        ("namespace: global", "namespace: world", "line 19: “world” is none of"),
        ("exact:", "exactly:", "line 20: “exactly” is not known here"),
        ("budget: 12", "budget: many", "line 7: “budget” is no whole number"),
        ("apps: [com", "apps: [/", "line 5: “/.taptrail.demo.clock” is no package"),
        ("name: timer", "name: Ti mer", "line 2: “Ti mer” is no name"),
        ("tags: [clock]", "tags: [clock", "line 7: expected ',' or ']'"),
        ("version: 3", "version: !!python/object/apply:os.system [ls]", "line 3: "),
        ("version: 3", "version: 3\n    version: 4", "line 4: “version” stands there twice"),
        ("tags: [clock]", "tags: {<<: {a: 1}}", "line 6: a key is no plain word"),
        ("tasks:", "jobs:", "line 2: “jobs” is not known here"),
    ],
)
def test_a_wrong_file_is_refused_with_the_line(tmp_path, old, new, found):
    assert refusal(tmp_path, TASK.replace(old, new, 1)).startswith(found)


def test_a_file_that_is_too_deep_or_grows_by_aliases_is_refused(tmp_path):
    assert f"more than {MAX_DEPTH} levels" in refusal(tmp_path, "a: " + "[" * 5000)
    laughs = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True):
        laughs += f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n"
    assert "too large or too deep" in refusal(tmp_path, laughs)
    many = "\n".join(["a: &a 1", *(f"k{number}: *a" for number in range(MAX_ALIASES + 1))])
    assert f"more than {MAX_ALIASES} aliases" in refusal(tmp_path, many)
    assert "too large or too deep" in refusal(tmp_path, "a: &a [*a]")
    with pytest.raises(KnownError, match="at most"):
        read_yaml(written(tmp_path, "#" * (2 << 20)))


def test_parts_give_all_parameters_and_no_task_is_a_part_of_itself(tmp_path):
    whole = TASK + (
        "  - name: twice\n    goal: Two timers.\n    parts:\n"
        "      - {task: timer, with: {minutes: 4}}\n"
    )
    assert "the parameters of “timer” are both, day, digits" in refusal(tmp_path, whole)
    loop = "tasks:\n  - {name: a, goal: x, parts: [{task: b}]}\n"
    loop += "  - {name: b, goal: x, parts: [{task: a}]}\n"
    assert "would be a part of itself" in refusal(tmp_path, loop)
    assert "there is no task “c”" in refusal(tmp_path, loop.replace("task: a", "task: c"))
    none = "tasks:\n  - {name: a, goal: x}\n"
    assert "a task has a check, or parts" in refusal(tmp_path, none)
