"""How many steps of a quick person have a fresh tree, and is each of those trees the right one?

    python benchmarks/tree_freshness.py [--actions 300] [--rates 1 2] [--seeds 1 2 3]
        [--sources phone uiautomator] [--latency 100/400/900/1] [--dump-latency 1500/2500/4000/1]

A demo phone, with its animations, answers questions for trees as slowly as the latencies say
(p50/p90/p99 in milliseconds, failures in percent; its server takes the tree at any moment of that
time and waits for no screen to rest). Somebody taps, swipes, scrolls, goes back and home, opens
all apps and turns the phone, at a fixed pace. The truth log of the phone says which
steps had a screen at rest (nothing but a cursor drawn in the 300 ms before the input arrived), and
whether a tree that is called fresh holds every element that the screen had then. With EXPLAIN=1 in
the environment, each step at rest without a fresh tree is printed.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from episodes.actions import Ending, Key, Phase, place  # noqa: E402
from episodes.episodes import Task  # noqa: E402
from episodes.geometry import Box, Point  # noqa: E402
from episodes.screens import TreeFit  # noqa: E402
from episodes.steps import Step  # noqa: E402
from episodes.trees.hits import nodes_at  # noqa: E402
from episodes.trees.readers import read_record  # noqa: E402
from recorder.device.interface import Devices  # noqa: E402
from recorder.devices import open_devices, server_program  # noqa: E402
from recorder.events import SessionState  # noqa: E402
from recorder.frames import LiveFrame  # noqa: E402
from recorder.inputs import KeyPress, StartApp, Touch, WheelTurn  # noqa: E402
from recorder.library_thread import LibraryThread  # noqa: E402
from recorder.mirror import Mirror  # noqa: E402
from recorder.session import Session  # noqa: E402

REST_US = 300_000
HOLD_S = 0.08


@contextlib.contextmanager
def demo_phone(folder: Path, seed: int, words: list[str]) -> Iterator[tuple[str, Devices]]:
    """A demo phone behind an adb server of its own."""

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    env = os.environ | {
        "ANDROID_ADB_SERVER_PORT": str(port), "HOME": str(folder), "ADB_MDNS": "0",
        "ADB_USB": "0", "ADB_LOCAL_TRANSPORT_MAX_PORT": "5553",
    }  # fmt: skip
    os.environ.update({name: env[name] for name in ("ANDROID_ADB_SERVER_PORT", "ADB_MDNS")})
    command = [
        sys.executable, "-m", "demophone", "--size", "720x1600", "--density", "280", "--seed",
        str(seed), "--truth", str(folder / "truth.jsonl"), "--until-stdin-closes", *words,
    ]  # fmt: skip
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    adb_program = server_program()
    try:
        assert process.stdout is not None
        serial = json.loads(process.stdout.readline())["serial"]
        adb = open_devices(port=port)
        subprocess.run([adb_program, "start-server"], env=env, check=True, capture_output=True)
        adb.connect(serial)
        yield serial, adb
    finally:
        process.communicate(timeout=30)
        subprocess.run([adb_program, "kill-server"], env=env, check=False, capture_output=True)


@dataclass
class LoggedTruth:
    """The phone's truth log, read as it grows."""

    path: Path
    lines: list[dict[str, Any]] = field(default_factory=list)
    _read: int = 0

    def update(self) -> None:
        with self.path.open("rb") as file:
            file.seek(self._read)
            text = file.read()
        whole = text[: text.rfind(b"\n") + 1]
        self._read += len(whole)
        self.lines += [json.loads(line) for line in whole.splitlines()]

    def screens(self) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["event"] == "screen"]


class PacedPerson:
    """Acts at a fixed pace, on what the phone shows."""

    def __init__(self, session: Session, mirror: Mirror, truth: LoggedTruth, seed: int) -> None:
        self._session, self._mirror, self._truth = session, mirror, truth
        self._chance = random.Random(seed)
        packages = sorted(mirror.device.apps())
        self._apps = itertools.cycle(p for p in packages if not p.endswith("launcher"))

    def act(self, number: int) -> None:
        chance, session = self._chance, self._session
        shown = self._mirror.latest.peek()
        assert shown is not None
        now = time.monotonic_ns()
        what = chance.random()
        if number % 20 == 0:
            session.send(StartApp(next(self._apps), shown, now))
        elif number % 75 == 74:
            self._mirror.rotate()
        elif what < 0.08:
            session.send(KeyPress(Key.BACK, shown, now))
        elif what < 0.12:
            session.send(KeyPress(Key.HOME, shown, now))
        elif what < 0.22:
            up = chance.random() < 0.5
            start, end = (0.7, 0.3) if up else (0.3, 0.7)
            self._finger([shown.size.at(0.5, start + (end - start) * n / 8) for n in range(9)])
        elif what < 0.28:
            notch = chance.choice((-1.0, 1.0))
            session.send(WheelTurn(shown.size.at(0.5, 0.5), 0, notch, shown, now, now))
        else:
            self._finger([self._target()])

    def _target(self) -> Point:
        """The middle of something that can be tapped."""
        self._truth.update()
        screen = self._truth.screens()[-1]
        boxes = [Box(*map(float, one["box"])) for one in screen["elements"] if one["clickable"]]
        inside = [box for box in boxes if box.area > 0]
        if not inside:
            return Point(screen["width"] / 2, screen["height"] / 2)
        return self._chance.choice(inside).centre

    def _finger(self, path: list[Point]) -> None:
        shown = self._mirror.latest.peek()
        assert shown is not None
        for number, at in enumerate(path):
            phase = Phase.MOVE if number else Phase.DOWN
            self._send(phase, at, shown)
            time.sleep(HOLD_S / len(path))
        self._send(Phase.UP, path[-1], shown)

    def _send(self, phase: Phase, at: Point, shown: LiveFrame) -> None:
        self._session.send(Touch.of(phase, at, shown, time.monotonic_ns(), shown.decoded_ns))


def input_of(step: Step, inputs: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The first input of the step's kind that arrived after it had begun here."""
    began = step.began.device_us
    if began is None or step.source not in ("mirror", "button", "keyboard"):
        return None
    earliest = began - (step.began.error_us or 0)
    kind = {"Scroll": "scroll", "PressKey": "key"}.get(type(step.action).__name__, "touch")
    begins = {"touch": "down", "key": "down", "scroll": "scroll"}[kind]
    found = (x for x in inputs if x["kind"] == kind and x["action"] == begins)
    return next((x for x in found if x["t_us"] >= earliest), None)


def is_right(step: Step, arrived: dict[str, Any], screen: dict[str, Any]) -> str:
    """Returns what is wrong with a fresh tree; "" for nothing."""
    frame, tree = step.frame, step.tree
    assert frame is not None
    assert tree is not None
    at, element = place(step.action), arrived.get("element")
    found = read_record(tree.record, frame.size)
    if at is not None and element is not None and element["node"]:
        boxes = [node.box for _, node in nodes_at(found, at)]
        if Box(*map(float, element["box"])) not in boxes and element["window"] != "keyboard":
            return f"the press met {element['id']}, which is not in the tree there"
    has = {(node.box, node.text or node.description) for node in found.walk()}
    layers = {"app"} if tree.record.source == "uiautomator dump" else None
    for one in screen["elements"]:
        if not one["node"] or (layers and one["window"] not in layers) or one["editable"]:
            continue
        if (Box(*map(float, one["box"])), one["text"] or one["desc"]) not in has:
            near = sorted(str(box) for box, text in has if text == (one["text"] or one["desc"]))
            return (
                f"{one} is not in the tree {near[:4]}; screen {screen['reason']} {screen['t_us']}"
            )
    return ""


def _explain(step: Step, arrived: dict[str, Any], drawn: list[int]) -> str:
    """Returns when the screen last changed and when the tree was asked for, before the press."""
    assert step.tree is not None
    record, began = step.tree.record, step.began.host_ns or 0
    asked, answered = record.requested.host_ns, record.answered.host_ns
    times = [None if at is None else (began - at) // 1_000_000 for at in (asked, answered)]
    rest = [(arrived["t_us"] - at) // 1000 for at in drawn[-3:]]
    late = (arrived["t_us"] - (step.began.device_us or 0)) // 1000
    what = f"{type(step.action).__name__} {step.tree.fit.value} {record.status.value}"
    times_said = f"drawn {rest}, asked {times[0]}, answered {times[1]}"
    return f"{what}; ms before: {times_said}; the input took {late} ms to the phone"


def judge(steps: tuple[Step, ...], truth: LoggedTruth) -> Counter[str]:
    """Counts steps by how their trees fit, those at rest apart, and the wrong fresh ones."""
    counts: Counter[str] = Counter()
    screens = truth.screens()
    inputs = [
        line for line in truth.lines if line["event"] == "input" and line["source"] == "scrcpy"
    ]
    for step in steps:
        arrived = input_of(step, inputs)
        if arrived is None or step.tree is None:
            continue
        before = [one for one in screens if one["t_us"] < arrived["t_us"]]
        drawn = [one["t_us"] for one in before if one["reason"] != "cursor"]
        at_rest = bool(drawn) and arrived["t_us"] - drawn[-1] > REST_US
        counts["at rest" if at_rest else "moving"] += 1
        fit = step.tree.fit
        if at_rest and fit is not TreeFit.FRESH and os.environ.get("EXPLAIN"):
            print(f"  step {step.index}: {_explain(step, arrived, drawn)}", file=sys.stderr)
        counts[f"{'at rest' if at_rest else 'moving'} {fit.value}"] += 1
        if fit is TreeFit.FRESH:
            wrong = is_right(step, arrived, before[-1])
            if wrong:
                counts["wrong"] += 1
                print(
                    f"  step {step.index}: {wrong}; {_explain(step, arrived, drawn)}",
                    file=sys.stderr,
                )
    return counts


def run(source: str, rate: float, seed: int, options: argparse.Namespace) -> Counter[str]:
    """Records one episode and judges it."""
    with tempfile.TemporaryDirectory() as place_:
        folder = Path(place_)
        words = [
            *("--habit", f"tree-latency={options.latency}"),
            *("--habit", f"dump-latency={options.dump_latency}"),
        ]
        with demo_phone(folder, seed, words) as (serial, adb):
            truth = LoggedTruth(folder / "truth.jsonl")
            mirror = Mirror(adb.device(serial))
            mirror.start()
            with LibraryThread(folder / "library") as library:
                session = Session(
                    mirror, library, Task("wander"), tree_source=lambda: mirror.device.tree_source(
                        source
                    ),
                )  # fmt: skip
                session.start()
                assert session.wait_for(SessionState.RECORDING)
                time.sleep(3)
                person = PacedPerson(session, mirror, truth, seed)
                began = time.monotonic()
                for number in range(options.actions):
                    person.act(number)
                    left = began + (number + 1) / rate - time.monotonic()
                    time.sleep(max(0.0, left))
                time.sleep(2)
                session.finish(Ending.COMPLETE)
                assert session.ended.wait(60)
                steps = library.call(lambda one: one.episode(session.episode)).steps
            mirror.stop()
            truth.update()
    return judge(steps, truth)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--actions", type=int, default=300)
    parser.add_argument("--rates", type=float, nargs="+", default=[1.0, 2.0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--sources", nargs="+", default=["phone", "uiautomator"])
    parser.add_argument("--latency", default="100/400/900/1")
    parser.add_argument("--dump-latency", default="1500/2500/4000/1")
    parser.add_argument("--tiny", action="store_true", help="only see that it runs, in seconds")
    options = parser.parse_args()
    if options.tiny:
        options.actions, options.rates, options.seeds, options.sources = 6, [2.0], [1], ["phone"]
    print("source          rate  steps  at rest  fresh at rest  fresh of all  late  stale  wrong")
    for source, rate in itertools.product(options.sources, options.rates):
        total: Counter[str] = Counter()
        for seed in options.seeds:
            total += run(source, rate, seed, options)
        rest, steps = total["at rest"], total["at rest"] + total["moving"]
        fresh_rest = total["at rest fresh"]
        fresh = fresh_rest + total["moving fresh"]
        late, stale = (total[f"at rest {x}"] + total[f"moving {x}"] for x in ("late", "stale"))
        print(
            f"{source:15} {rate:4g}  {steps:5}  {rest:7}  {fresh_rest:5} {_share(fresh_rest, rest)}"
            f"  {fresh:4} {_share(fresh, steps)}  {late:4}  {stale:5}  {total['wrong']:5}",
            flush=True,
        )


def _share(hits: int, total: int) -> str:
    return f"{100 * hits / total:5.1f} %" if total else "   -   "


if __name__ == "__main__":
    main()
