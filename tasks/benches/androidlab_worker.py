"""Runs the judges of somebody's Android Lab: PYTHON androidlab_worker.py CLONE.

A script for the Python of that installation. It imports the standard library, the file beside it,
the clone and what that needs. Requests and answers are lines of JSON on stdin and stdout, see
`docs/benches.md`. What the clone prints goes to stderr, and its stdin is empty.
"""

from __future__ import annotations

import builtins
import importlib
import inspect
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import types
import xml.etree.ElementTree as ElementTree
from argparse import Namespace
from pathlib import Path

OUR_FOLDER = str(Path(__file__).resolve().parent)
sys.path.insert(0, OUR_FOLDER)
from worker_wire import WorkerRefusal, serve  # noqa: E402

sys.path[:] = [place for place in sys.path if place != OUR_FOLDER]  # it would hide their modules

PROTOCOL = 1
BENCH = "androidlab"
CAN = ("hello", "tasks", "open", "initialize", "step", "look", "compress", "end", "score", "close")
ROOMS = ("", "android_lab", "third_party/android_lab")
STOOD_IN = (
    *("anthropic", "cv2", "dashscope", "docker", "openai", "pandas", "pyshine", "redis"),
    *("requests", "zhipuai"),
)
"""Modules the clones import and their judges do not use. They are replaced for the clone's own
files only, so that no other package believes one of them to be there."""

MAX_ROUNDS = 25
SAME_BEFORE_CUT = 6
ATTRIBUTES = {
    "index": "0",
    "text": "",
    "resource-id": "",
    "class": "",
    "package": "",
    "content-desc": "",
    "checkable": "false",
    "checked": "false",
    "clickable": "false",
    "enabled": "true",
    "focusable": "false",
    "focused": "false",
    "scrollable": "false",
    "long-clickable": "false",
    "password": "false",
    "selected": "false",
    "bounds": "[0,0][0,0]",
}
"""What uiautomator writes of an element on API 33, with values for what older ones leave out."""


class StandIn(types.ModuleType):
    """A module that has whatever is asked of it and does nothing."""

    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {"__init__": lambda self, *a, **k: None})


class Clone:
    """The user's Android Lab: its tasks, and its judges by task."""

    def __init__(self, path):
        self.path = Path(path).resolve()
        self.room = self._find_room()
        text = (self.room / "evaluation" / "task.py").read_text(encoding="utf-8", errors="replace")
        found = re.search(r"^from ((?:\w+\.)*)evaluation\.definition import", text, re.MULTILINE)
        self.prefix = found.group(1) if found else ""
        depth = self.prefix.count(".")
        root = self.room.parents[depth - 1] if depth else self.room
        sys.path.insert(0, str(root))
        os.chdir(self.room)
        self.stood_in = set()
        self._stand_in()
        self.task_module = self.module("evaluation.task")
        self.skips_lines = '"parsed_action" not in line' in inspect.getsource(self.task_module)
        self.args = Namespace(judge_model="glm4", api_key="", api_base="", total_num=138)
        self.lengths = self._human_steps()
        self.problems = []
        self.tasks = {}
        for file in sorted((self.room / "evaluation" / "config").glob("*.yaml")):
            self._load(file)

    def module(self, name):
        return importlib.import_module(self.prefix + name)

    def judge(self, task):
        """Returns a new judge of a task; one lives for a whole trace, as it may keep state."""
        made = task["judge_class"](self.args)
        takes_path = len(inspect.signature(made.judge).parameters) > 2

        def ask(compressed, line, path):
            return (
                made.judge(compressed, line, path) if takes_path else made.judge(compressed, line)
            )

        return ask

    def git(self, *words):
        try:
            done = subprocess.run(
                ["git", "-C", str(self.path), *words],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=10,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.strip() if done.returncode == 0 else None

    def _find_room(self):
        for room in ROOMS:
            if (self.path / room / "evaluation" / "task.py").is_file():
                return self.path / room
        raise WorkerRefusal("no clone", f"{self.path} holds no evaluation/task.py of Android Lab")

    def _stand_in(self):
        real, inside, stood_in, made = builtins.__import__, str(self.path), self.stood_in, {}

        def bring(name, globals=None, locals=None, fromlist=(), level=0):
            top = name.partition(".")[0]
            if level == 0 and top in STOOD_IN:
                importer = (globals or {}).get("__file__") or ""
                if os.path.abspath(importer).startswith(inside + os.sep):
                    stood_in.add(top)
                    return made.setdefault(top, StandIn(top))
            return real(name, globals, locals, fromlist, level)

        builtins.__import__ = bring

    def _human_steps(self):
        for name in ("human_ground_turth", "human_ground_truth"):
            file = self.room / "evaluation" / "tasks" / name / "ground_truth_length.json"
            if file.is_file():
                return json.loads(file.read_text(encoding="utf-8"))
        return {}

    def _load(self, file):
        import yaml

        told = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
        for task in told.get("tasks") or ():
            name = task.get("task_id")
            last = str(task.get("metric_func", "")).split(".")[-1]
            try:
                judges = self.module(f"evaluation.tasks.{last}").function_map
                judge_class = judges.get(name)
            except Exception as error:
                judge_class = None
                self.problems.append(f"{name}: {type(error).__name__}: {error}")
            query = task.get("adb_query")
            self.tasks[name] = {
                "task": name,
                "goal": task.get("task"),
                "instruction": f"You should use {told.get('APP')} to complete the following task: "
                f"{task.get('task')}",
                "app": told.get("APP"),
                "package": told.get("package"),
                "kind": task.get("metric_type"),
                "category": task.get("category"),
                "judge": judge_class.__name__ if judge_class else None,
                "file": file.name,
                "human_steps": self.lengths.get(name),
                "max_steps": MAX_ROUNDS,
                "needs": {"tree": True, "commands": [query] if query else []},
                "judge_class": judge_class,
            }


class JudgingSession:
    """One trace while it is judged, counted as the benchmark's own evaluation counts."""

    def __init__(self, clone, task, wire, name):
        self.clone, self.task, self.wire, self.name = clone, task, wire, name
        self.counting, self.looking = clone.judge(task), clone.judge(task)
        self.result, self.final_step = {"complete": False}, None
        self.final_unknown = []
        self.counted, self.step_number = 0, 0
        self.same, self.last = 0, None
        self.cut = False
        self.lost = None
        self.first_seen, self.verdicts, self.unknown = {}, [], []

    def step(self, told, clean):
        number = told.get("step", self.step_number)
        self.step_number = number + 1
        action = told.get("action")
        if self.cut:
            return self._skipped("six equal actions before it ended the reading")
        if action is None and self.clone.skips_lines:
            return self._skipped("it has no parsed action")
        if action is None:
            self.lost = f"step {number} has no parsed action"
            return self._skipped(self.lost)
        text = json.dumps(action)
        self.same = self.same + 1 if text == self.last else 0
        self.last = text
        if self.same >= SAME_BEFORE_CUT:
            self.cut = True
            return self._skipped("it is the seventh equal action in a row") | {"cut": True}
        if told.get("tree") is None:
            return self._skipped("it has no tree")
        if is_foreign(told["tree"]):
            self.lost = f"the tree of step {number} holds declarations, as no phone's does"
            return self._skipped(self.lost)
        page, result, unknown, why = self._judged(self.counting, told, action, clean)
        if why is not None:
            return self._skipped(f"its judge raised {why}")
        self.counted += 1
        if page:
            self.result, self.final_step, self.final_unknown = result, number, unknown
            self.verdicts.append({"step": number, "result": result})
            for goal, met in result.items():
                if goal != "judge_page" and met:
                    self.first_seen.setdefault(goal, number)
        self.unknown += unknown
        return {
            "counted": True,
            "page": page,
            "result": result if page else None,
            "final": self.result,
            "final_step": self.final_step,
            "first_seen": self.first_seen,
            "unknown": unknown,
        }

    def look(self, told, clean):
        action = told.get("action") or {"operation": "do", "action": "Wait"}
        if told.get("tree") is None:
            return {"page": False, "result": None, "why": "there is no tree"}
        if is_foreign(told["tree"]):
            return {"page": False, "result": None, "why": "its tree holds declarations"}
        page, result, unknown, why = self._judged(self.looking, told, action, clean)
        return {"page": page, "result": result, "unknown": unknown, "why": why}

    def end(self):
        complete = self.result.get("complete") == True  # noqa: E712  as the original compares
        goals = {k: v for k, v in self.result.items() if k not in ("complete", "judge_page")}
        sub_sr = sum(map(bool, goals.values())) / len(goals) if goals else 0
        human = self.task["human_steps"]
        known = not self.final_unknown and self.lost is None
        return {
            "result": self.result,
            "final_step": self.final_step,
            "complete": complete if known else None,
            "counted_steps": self.counted,
            "sub_goals": goals,
            "first_seen": self.first_seen,
            "verdicts": self.verdicts,
            "sub_sr": 1 if complete else sub_sr,
            "rrr": human / self.counted if complete and human and self.counted else None,
            "unknown": self.final_unknown,
            "lost": self.lost,
        }

    def _skipped(self, why):
        return {
            "counted": False,
            "why": why,
            "final": self.result,
            "final_step": self.final_step,
            "first_seen": self.first_seen,
        }

    def _judged(self, judge, told, action, clean):
        """Returns whether the page is the judge's, its result, what is unknown, what it raised."""
        unknown = []
        self.wire.unknown = unknown
        self.wire.session = self.name
        line = {
            "parsed_action": action,
            "target": told.get("target", self.task["instruction"]),
            "xml": "0.xml",
            "ac_xml": None,
            "image": "0.png",
        }
        commands = told.get("commands")
        if commands is not None or self.task["needs"]["commands"]:
            line["command"] = {}
            for command in commands or self.task["needs"]["commands"]:
                output = (commands or {}).get(command)
                if output is None:
                    unknown.append(f"the command “{command}” failed or was not run")
                line["command"][command] = "ERROR" if output is None else output
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "0.xml")
            text = as_on_api_33(told["tree"]) if clean else told["tree"]
            with open(path, "w", encoding="utf-8", errors="replace") as file:
                file.write(text)
            try:
                compressed = self.clone.task_module.dump_xml(path)
            except Exception as error:
                self.lost = f"its compression raised {type(error).__name__}: {error}"
                return False, None, unknown, self.lost
            try:
                result = judge(compressed, line, path)
                page = "judge_page" not in result or bool(result.get("judge_page"))
            except Exception as error:
                return False, None, unknown, f"{type(error).__name__}: {error}"
        return page, json_ready(result), unknown, None


def is_foreign(tree):
    """Whether a dump declares a document type or an encoding of its own, as no phone does.

    The clone's parser would follow such declarations into files and very large texts.
    """
    encoding = re.search(r"<\?xml[^>]*encoding\s*=\s*[\"']([^\"']*)", tree)
    return "<!DOCTYPE" in tree or bool(encoding and encoding.group(1).upper() != "UTF-8")


def as_on_api_33(tree):
    """Returns a dump with exactly the attributes that uiautomator writes on API 33."""
    try:
        root = ElementTree.fromstring(tree.encode("utf-8", "replace"))
    except ElementTree.ParseError:
        return tree
    for node in root.iter("node"):
        told = {name: node.get(name, absent) for name, absent in ATTRIBUTES.items()}
        node.attrib.clear()
        node.attrib.update(told)
    return ElementTree.tostring(root, encoding="unicode")


def json_ready(value):
    if isinstance(value, dict):
        return {str(key): json_ready(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_ready(one) for one in value]
    if isinstance(value, (bool, int, float, str)) or value is None:
        return value
    return bool(value) if type(value).__name__ == "bool_" else str(value)


class LabWorker:
    """Answers requests, one after the other."""

    def __init__(self, wire, clone):
        self.wire, self.clone = wire, clone
        self.sessions = {}
        self.clean = True
        clone.task_module.detect_answer = self._detect_answer

    def _detect_answer(self, question, model_answer, standard_answer, *_):
        try:
            verdict = self.wire.ask(
                "verdict",
                session=self.wire.session,
                question=question,
                answer=model_answer,
                truth=standard_answer,
            )
        except RuntimeError:
            verdict = None
        if verdict is None:
            self.wire.unknown.append("nobody could say whether the answer is right")
        return bool(verdict)

    def hello(self, told):
        commit = self.clone.git("rev-parse", "HEAD")
        status = self.clone.git("status", "--porcelain")
        return {
            "protocol": PROTOCOL,
            "bench": BENCH,
            "clone": str(self.clone.path),
            "room": str(self.clone.room.relative_to(self.clone.path)),
            "version": commit,
            "commit": commit,
            "changed": None if status is None else bool(status),
            "python": sys.version.split()[0],
            "stood_in": sorted(self.clone.stood_in),
            "tasks": len(self.clone.tasks),
            "judged": sum(task["judge"] is not None for task in self.clone.tasks.values()),
            "problems": self.clone.problems,
            "skips_lines": self.clone.skips_lines,
            "can": list(CAN),
        }

    def tasks(self, told):
        return [
            {key: value for key, value in task.items() if key != "judge_class"}
            for task in self.clone.tasks.values()
        ]

    def open(self, told):
        self.clean = bool(told.get("as_on_api_33", True))
        return {"as_on_api_33": self.clean}

    def initialize(self, told):
        task = self.clone.tasks.get(told.get("task"))
        if task is None or task["judge_class"] is None:
            raise WorkerRefusal("no task", f"the clone judges no task “{told.get('task')}”")
        name = f"s{len(self.sessions)}"
        self.sessions[name] = JudgingSession(self.clone, task, self.wire, name)
        shown = {key: value for key, value in task.items() if key != "judge_class"}
        return {"session": name, **shown}

    def step(self, told):
        return self._timed(lambda: self._session(told).step(told, self.clean))

    def look(self, told):
        return self._timed(lambda: self._session(told).look(told, self.clean))

    def end(self, told):
        session = self._session(told)
        self.sessions[session.name] = None
        return session.end()

    def compress(self, told):
        recorder = self.clone.module("utils_mobile.xml_tool")
        if is_foreign(told["tree"]):
            raise WorkerRefusal("tree", "the tree holds declarations, as no phone's does")
        tree = as_on_api_33(told["tree"]) if self.clean else told["tree"]
        text = recorder.UIXMLTree().process(tree, level=1, str_type="plain_text")
        return (text[0] if isinstance(text, tuple) else text).strip()

    def score(self, told):
        """The rows of the clone's own evaluation, over the traces of one run."""
        folder = Path(told["folder"])
        try:
            results = self.clone.module("generate_result")
        except ModuleNotFoundError:  # where one fork keeps it
            results = self.clone.module("evaluation.generate_result")
        configs = self.clone.module("evaluation.configs")
        traces = results.find_all_traces_files(str(folder))
        self.wire.unknown, self.wire.session = [], None
        with tempfile.TemporaryDirectory() as out:
            for file in sorted((self.clone.room / "evaluation" / "config").glob("*.yaml")):
                config = configs.AppConfig(str(file), output_dir=out)
                task = self.clone.task_module.Evaluation_Task(
                    config, traces, self.clone.args, detail=True
                )
                if told.get("human_steps"):
                    task.length_gt = {**task.length_gt, **told["human_steps"]}
                takes_workers = "max_workers" in inspect.signature(task.evaluate).parameters
                task.evaluate(max_workers=1) if takes_workers else task.evaluate()
            return {name: read_lines(Path(out, f"{name}.jsonl")) for name in ("results", "total")}

    def _session(self, told):
        session = self.sessions.get(told.get("session"))
        if session is None:
            raise WorkerRefusal("no session", f"there is no session “{told.get('session')}” now")
        return session

    def _timed(self, call):
        began = time.monotonic()
        told = call()
        told["ms"] = round((time.monotonic() - began) * 1000)
        return told


def read_lines(path):
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


if __name__ == "__main__":
    serve(lambda wire: LabWorker(wire, Clone(sys.argv[1])), CAN)
