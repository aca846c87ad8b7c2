"""Runs AndroidWorld's own tasks on a phone by plain adb: PYTHON androidworld_worker.py [FOLDER].

A script for the Python of that installation. It imports the standard library, the file beside it,
AndroidWorld and what that needs; FOLDER is put before its path. Requests and answers are lines of
JSON on stdin and stdout, see `docs/benches.md`. What the benchmark prints goes to stderr.

AndroidWorld reaches its device through one object with a method `execute_command`. That object is
replaced, so that validators, controller and agents run unchanged, on emulators and on phones, and
the adb server of the program is never restarted.
"""

from __future__ import annotations

import base64
import datetime
import importlib
import importlib.metadata
import io
import json
import math
import re
import shlex
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

OUR_FOLDER = str(Path(__file__).resolve().parent)
sys.path.insert(0, OUR_FOLDER)
from worker_wire import WorkerRefusal, serve  # noqa: E402

sys.path[:] = [place for place in sys.path if place != OUR_FOLDER]  # it would hide their modules

PROTOCOL = 1
BENCH = "androidworld"
CAN = (
    *("hello", "tasks", "suite", "open", "initialize", "answer", "act", "check", "tear_down"),
    *("save", "aggregate", "close"),
)
FAMILIES = ("android_world", "android", "information_retrieval", "miniwob", "miniwob_subset")
KEPT_BYTES = 400
COMMAND_SECONDS = 120.0
BOUNDS = re.compile(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")
LEFT_ALONE_SETTINGS = (
    "auto_time",
    "auto_time_zone",
    "time_12_24",
    "heads_up_notifications_enabled",
)


# --- which commands are refused or left alone -------------------------------------------------
def shell_words(args):
    """The words of an adb command as the phone's shell would split them, one list a command."""
    if args[:1] != ["shell"]:
        return [list(args)]
    line = " ".join(args[1:])
    commands = []
    for part in re.split(r"&&|\|\||[;|\n{}]", line):
        try:
            words = shlex.split(part)
        except ValueError:
            words = part.split()
        while words and words[0] in ("if", "then", "else", "su", "0", "root", "exec"):
            words = words[1:]
        if words:
            commands.append(words)
    return commands


def destroys(args):
    """Why an adb command may destroy something on the phone; "" for one that may not."""
    for words in shell_words(args):
        name, rest = words[0].rpartition("/")[2], words[1:]
        private = any(word.startswith("/data/") for word in rest)
        if name == "find" and "-delete" in rest:
            return "it deletes files"
        if name in ("rm", "rmdir"):
            return "it deletes files"
        if name == "pm" and "clear" in rest:
            return "it clears an app"
        if name == "content" and rest[:1] == ["delete"]:
            return "it deletes rows of a content provider"
        if name == "sqlite3":
            return "it changes a database"
        if name == "push" and rest and rest[-1].startswith("/data"):
            return "it writes into an app's private files"
        if name in ("cp", "mv", "chmod", "chown", "restorecon") and private:
            return "it writes into an app's private files"
        if name == "svc" and rest[:2] == ["wifi", "disable"]:
            return "it may cut the connection"
        if name == "emu":
            return "it is for emulators"
    return ""


def is_left_alone(args):
    """Whether a command is answered with success and not run on a person's phone."""
    if args[:1] == ["root"]:
        return True
    for words in shell_words(args):
        if words[0] == "date" and len(words) > 1 and not words[1].startswith("+"):
            return True
        if words[:3] == ["service", "call", "alarm"] or words[:3] == ["am", "stack", "remove"]:
            return True
        if words[:2] == ["settings", "put"] and set(words) & set(LEFT_ALONE_SETTINGS):
            return True
    return False


# --- the device -------------------------------------------------------------------------------
class PlainAdb:
    """Runs adb commands; AndroidWorld's parser calls `execute_command`."""

    def __init__(self, wire, told):
        self._wire = wire
        self._prefix = [told["adb"], "-P", str(told["server_port"]), "-s", told["serial"]]
        self._destructive = bool(told.get("destructive"))
        self._leave_alone = told.get("leave_alone")
        self._failed = importlib.import_module("android_env.components.errors").AdbControllerError
        self.phase = "open"
        self.refused = []
        self.left_alone = []

    def settle(self):
        """Decides what is left alone where nobody said it: all of it where root is not to be had.

        Without that nothing starts on a production build, as setting the clock needs root.
        """
        if self._leave_alone is not None:
            return
        self._leave_alone = False
        if self._destructive and self._whoami() != "root":
            try:
                self.execute_command(["root"])
                self.execute_command(["wait-for-device"])
            except self._failed:
                pass  # whoami tells
        self._leave_alone = not self._destructive or self._whoami() != "root"

    def _whoami(self):
        return self.execute_command(["shell", "whoami"]).decode(errors="replace").strip()

    def execute_command(self, args, timeout=None, device_specific=True):
        args = [str(word) for word in args]
        if not self._destructive and (why := destroys(args)):
            self.refused.append({"args": args, "why": why})
            self._wire.send({"event": "adb", "phase": self.phase, "args": args, "refused": why})
            raise self._failed(f"refused: {why}: adb {' '.join(args)[:200]}")
        if self._leave_alone and is_left_alone(args):
            self.left_alone.append(args)
            self._wire.send({"event": "adb", "phase": self.phase, "args": args, "left_alone": True})
            return b""
        began = time.monotonic()
        try:
            done = subprocess.run(
                [*self._prefix, *args],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=timeout or COMMAND_SECONDS,
            )
            code, output = done.returncode, done.stdout
        except subprocess.TimeoutExpired as error:
            code, output = None, error.stdout or b""
        self._wire.send(
            {
                "event": "adb",
                "phase": self.phase,
                "args": args,
                "code": code,
                "ms": round((time.monotonic() - began) * 1000),
                "bytes": len(output),
                "out": output[:KEPT_BYTES].decode(errors="replace"),
            }
        )
        if code != 0:
            why = "it took too long" if code is None else f"code {code}"
            raise self._failed(f"adb {' '.join(args)[:200]}: {why}: {output[:300]!r}")
        return output


def make_environment(adb, wire, tree):
    """AndroidWorld's environment over plain adb: its own classes, with three methods replaced."""
    env_interface = importlib.import_module("android_env.env_interface")
    parsers = importlib.import_module("android_env.components.adb_call_parser")
    controllers = importlib.import_module("android_world.env.android_world_controller")
    interface = importlib.import_module("android_world.env.interface")
    dm_env = importlib.import_module("dm_env")

    class PlainEnv(env_interface.AndroidEnvInterface):
        def __init__(self):
            self._parser = parsers.AdbCallParser(adb)

        def action_spec(self):
            return {}

        def observation_spec(self):
            return {}

        def reset(self):
            return dm_env.restart({"pixels": screen_pixels(adb)})

        def step(self, action):
            return dm_env.transition(0.0, {"pixels": screen_pixels(adb)})

        def close(self):
            return None

        def execute_adb_call(self, call):
            return self._parser.parse(call)

    class PlainController(controllers.AndroidWorldController):
        def __init__(self, env):
            self._original_env = env
            self._env = env
            self._a11y_method = controllers.A11yMethod.A11Y_FORWARDER_APP

        def _get_a11y_forest(self):
            return forest_of(dumped(adb, wire, tree))

        def refresh_env(self):
            return None

    return interface.AsyncAndroidEnv(PlainController(PlainEnv()))


def screen_pixels(adb):
    numpy = importlib.import_module("numpy")
    image = importlib.import_module("PIL.Image")
    data = adb.execute_command(["exec-out", "screencap", "-p"])
    return numpy.asarray(image.open(io.BytesIO(data)).convert("RGB"))


def dumped(adb, wire, tree):
    """The XML of the screen: from the program, or printed by the phone, never through a file.

    A file keeps the old screen where the phone cannot dump the new one, and says nothing.
    """
    if tree == "host":
        return wire.ask("tree")
    text = adb.execute_command(["exec-out", "uiautomator", "dump", "/dev/tty"]).decode(
        errors="replace"
    )
    start, end = text.find("<?xml"), text.rfind("</hierarchy>")
    if start < 0 or end < 0:
        raise RuntimeError(f"uiautomator gave no tree: {text[:120]}")
    return text[start : end + len("</hierarchy>")]


def forest_of(xml):
    """A dump as android_env's forest, so that elements are numbered as with its forwarder app."""
    if "<!DOCTYPE" in xml or "<!ENTITY" in xml:
        raise RuntimeError("the tree declares entities, which no phone does")
    forests = importlib.import_module("android_env.proto.a11y.android_accessibility_forest_pb2")
    forest = forests.AndroidAccessibilityForest()
    window = forest.windows.add(id=1, is_active=True, is_focused=True)
    root = ElementTree.fromstring(xml.encode())

    def add(element, depth):
        number = len(window.tree.nodes)
        node = window.tree.nodes.add(unique_id=number, depth=depth, window_id=1)
        fill_node(node, element)
        for child in element:
            child_id = add(child, depth + 1)
            window.tree.nodes[number].child_ids.append(child_id)
        return number

    for child in root:
        add(child, 0)
    return forest


def fill_node(node, element):
    told = element.attrib.get
    found = BOUNDS.match(told("bounds", ""))
    if found:
        box = node.bounds_in_screen
        box.left, box.top, box.right, box.bottom = map(int, found.groups())
    node.class_name = told("class", "")
    node.content_description = told("content-desc", "")
    node.hint_text = told("hint", "")
    node.package_name = told("package", "")
    node.text = told("text", "")
    node.view_id_resource_name = told("resource-id", "")
    for name in ("checkable", "checked", "clickable", "enabled", "focusable", "focused"):
        setattr(node, f"is_{name}", told(name) == "true")
    for name in ("scrollable", "selected", "password"):
        setattr(node, f"is_{name}", told(name) == "true")
    node.is_long_clickable = told("long-clickable") == "true"
    node.is_editable = told("class", "").endswith("EditText")
    node.is_visible_to_user = told("visible-to-user", "true") == "true"


# --- requests ---------------------------------------------------------------------------------
class Worker:
    """Answers requests, one after the other."""

    def __init__(self, wire):
        self.wire = wire
        self.suites = importlib.import_module("android_world.suite_utils")
        self.registry = importlib.import_module("android_world.registry").TaskRegistry()
        self.adb = None
        self.env = None
        self.task = None
        self.name = ""

    def hello(self, told):
        package = importlib.import_module("android_world")
        place = Path(next(iter(package.__path__))).resolve()
        commit = git(place, "rev-parse", "HEAD")
        status = git(place, "status", "--porcelain", "--untracked-files=no")
        return {
            "protocol": PROTOCOL,
            "bench": BENCH,
            "version": commit or version_of("android_world"),
            "commit": commit,
            "changed": None if status is None else bool(status),
            "python": sys.version.split()[0],
            "package": str(place),
            "versions": {name: version_of(name) for name in ("android_env", "numpy", "protobuf")},
            "families": {name: len(self._family(name)) for name in FAMILIES},
            "can": list(CAN),
        }

    def tasks(self, told):
        metadata = self._metadata()
        listed = []
        for name, kind in sorted(self._family(told.get("family", "android_world")).items()):
            facts = metadata.get(name, {})
            complexity = number_of(lambda kind=kind: kind.complexity)
            optimal = facts.get("optimal_steps")
            listed.append(
                {
                    "task": name,
                    "goal": text_of(lambda kind=kind: kind.template),
                    "apps": list_of(lambda kind=kind: kind.app_names),
                    "complexity": complexity,
                    "starts_at_home": bool(getattr(kind, "start_on_home_screen", True)),
                    "difficulty": facts.get("difficulty"),
                    "human_steps": int(optimal) if str(optimal or "").isdigit() else None,
                    "tags": [tag for tag in facts.get("tags", []) if tag],
                    "needs": {"device": True, "tree": True},
                }
            )
        return listed

    def suite(self, told):
        suite = self._suite(told, told.get("tasks"), int(told.get("n", 1)))
        return [
            {
                "task": name,
                "instance": number,
                "seed": one.params.get("seed"),
                "goal": one.goal,
                "budget": int(10 * one.complexity),
                "starts_at_home": bool(one.start_on_home_screen),
                "params": shown(one.params),
            }
            for name, instances in suite.items()
            for number, one in enumerate(instances)
        ]

    def open(self, told):
        self.adb = PlainAdb(self.wire, told)
        self.adb.settle()
        self.env = make_environment(self.adb, self.wire, told.get("tree", "dump"))

        def ask(*words):
            return self.adb.execute_command(["shell", *words]).decode(errors="replace").strip()

        sdk = ask("getprop", "ro.build.version.sdk")
        warnings = [] if sdk == "33" else [f"AndroidWorld was made for API 33, this is {sdk}"]
        return {
            "emulator": told["serial"].startswith("emulator-")
            or ask("getprop", "ro.boot.qemu") == "1",
            "root": ask("whoami") == "root",
            "sdk": int(sdk) if sdk.isdigit() else None,
            "model": ask("getprop", "ro.product.model"),
            "screen": ask("wm", "size").rpartition(" ")[2],
            "warnings": warnings,
        }

    def initialize(self, told):
        self._opened()
        if self.task is not None:
            raise WorkerRefusal("state", f"{self.name} is set up already; tear it down first")
        name, number = told["task"], int(told.get("instance", 0))
        if name not in self._family("android_world") and name not in self._family("miniwob"):
            raise WorkerRefusal("no task", f"there is no task “{name}”")
        given = told.get("suite") or {}
        task = self._suite(given, [name], number + 1)[name][number]
        before = task.goal
        self.adb.phase = "initialize"
        self.adb.refused, self.adb.left_alone = [], []
        self.task, self.name = task, name
        began = time.monotonic()
        try:
            task.initialize_task(self.env)
        except Exception:
            if self.adb.refused:
                raise WorkerRefusal("refused", self._refusals()) from None
            raise
        if self.adb.refused:  # AndroidWorld may go on after a command that failed
            raise WorkerRefusal("refused", self._refusals())
        if task.start_on_home_screen:
            self._home()
        return {
            "goal": task.goal,
            "goal_before": before,
            "goal_changed": task.goal != before,
            "seconds": round(time.monotonic() - began, 2),
            "seed": task.params.get("seed"),
            "budget": int(10 * task.complexity),
            "params": shown(task.params),
            "left_alone": self.adb.left_alone,
        }

    def answer(self, told):
        self._ready().interaction_cache = str(told["text"])
        return {}

    def act(self, told):
        actions = importlib.import_module("android_world.env.json_action")
        self.adb.phase = "act"
        self._ready().execute_action(actions.JSONAction(**told["action"]))
        return {}

    def check(self, told):
        env = self._ready()
        self.adb.phase = "check"
        began = time.monotonic()
        score = float(self.task.is_successful(env))
        if math.isnan(score):
            raise WorkerRefusal("unknown", "the check gave not a number")
        return {
            "score": score,
            "seconds": round(time.monotonic() - began, 2),
            "answer": env.interaction_cache,
        }

    def tear_down(self, told):
        if self.task is None:
            return {"was": None, "seconds": 0}
        task, name = self.task, self.name
        self.task, self.name = None, ""
        self.adb.phase = "tear_down"
        began = time.monotonic()
        task.tear_down(self.env)
        return {"was": name, "seconds": round(time.monotonic() - began, 2)}

    def save(self, told):
        checkpointer = importlib.import_module("android_world.checkpointer")
        record = record_of(told["record"], told.get("screens") or {})
        folder = Path(told["folder"])
        name = told["name"]
        if name != Path(name).name:
            raise WorkerRefusal("words", f"“{name}” is no name of a file")
        checkpointer.IncrementalCheckpointer(str(folder)).save_episodes([record], name)
        return {"file": str(folder / f"{name}.pkl.gz")}

    def aggregate(self, told):
        """The table of AndroidWorld's own function: a row a task."""
        records = [record_of(record, {}) for record in told["records"]]
        frame = self.suites.process_episodes(records)
        rows = frame.reset_index().to_dict(orient="records")
        return [{name: plain(value) for name, value in row.items()} for row in rows]

    # --- inside -------------------------------------------------------------------------------
    def _family(self, name):
        return self.registry.get_registry(name)

    def _suite(self, told, tasks, n):
        kinds = self._family(told.get("family", "android_world"))
        if tasks is not None:
            unknown = [name for name in tasks if name not in kinds]
            if unknown:
                raise WorkerRefusal("no task", f"the family has no task “{unknown[0]}”")
            kinds = {name: kinds[name] for name in tasks}
        return self.suites.create_suite(
            kinds,
            n_task_combinations=n,
            seed=told.get("seed", 30),
            use_identical_params=bool(told.get("identical")),
        )

    def _metadata(self):
        place = Path(self.suites.__file__).with_name("task_metadata.json")
        if not place.is_file():
            return {}
        return {one["task_name"]: one for one in json.loads(place.read_text(encoding="utf-8"))}

    def _opened(self):
        if self.env is None:
            raise WorkerRefusal("state", "no phone is open")

    def _ready(self):
        self._opened()
        if self.task is None:
            raise WorkerRefusal("state", "no task is set up")
        return self.env

    def _home(self):
        utils = importlib.import_module("android_world.env.adb_utils")
        utils.press_home_button(self.env.controller)

    def _refusals(self):
        first = self.adb.refused[0]
        more = f", and {len(self.adb.refused) - 1} more" if len(self.adb.refused) > 1 else ""
        return f"{first['why']}: adb {' '.join(first['args'])[:160]}{more}"


def shown(value):
    """A parameter as JSON; an object is told by its class, and never read back."""
    if isinstance(value, dict):
        return {str(key): shown(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [shown(one) for one in value]
    if isinstance(value, (str, int, bool)) or value is None:
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return {"py": type(value).__name__}


def plain(value):
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and math.isnan(value) else shown(value)


def record_of(told, screens):
    """A record as AndroidWorld keeps it: NaN for null numbers, its actions, arrays of pictures."""
    record = dict(told)
    for name in ("episode_data", "is_successful", "episode_length"):
        if record.get(name) is None:
            record[name] = math.nan
    finished = record.get("finish_dtime")
    record["finish_dtime"] = (
        datetime.datetime.fromisoformat(finished) if finished else datetime.datetime.now()
    )
    data = record["episode_data"]
    if isinstance(data, dict):
        data.update({key: [pixels_of(one) for one in column] for key, column in screens.items()})
        if "action_output_json" in data:
            actions = importlib.import_module("android_world.env.json_action")
            data["action_output_json"] = [
                None if one is None else actions.JSONAction(**one)
                for one in data["action_output_json"]
            ]
    return record


def pixels_of(picture):
    """A picture, which comes as base64, as an array; None for none."""
    if picture is None:
        return None
    numpy = importlib.import_module("numpy")
    image = importlib.import_module("PIL.Image")
    opened = image.open(io.BytesIO(base64.b64decode(picture)))
    return numpy.asarray(opened.convert("RGB"))


def version_of(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def git(place, *words):
    try:
        done = subprocess.run(
            ["git", "-C", str(place), *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=10,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def text_of(read):
    try:
        found = read()
    except Exception:
        return ""
    return found if isinstance(found, str) else ""


def list_of(read):
    try:
        return [str(one) for one in read()]
    except Exception:
        return []


def number_of(read):
    try:
        return float(read())
    except Exception:
        return None


if __name__ == "__main__":
    sys.path[:0] = sys.argv[1:2]
    serve(Worker, CAN)
