"""Measures what a turn of an agent takes beside the model, on the demo phone.

    python tools/measure_agent.py [--attempts N] [--loop plain|summary|text]

A scripted model answers at once; each attempt opens three apps and goes home again. A turn's time
is from its beginning to the next one's, without the time of the server's answer.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from episodes.runs import Ended
from recorder.library_thread import LibraryThread
from replay.asking.client import Received
from replay.asking.neutral import new_recipe
from replay.asking.recipe import recipe_from_table
from taptrail.usecases.agent_runs import AgentOptions, Model, run_agent_words
from taptrail.usecases.demo_phone import running_demo_phone
from taptrail.usecases.predicting import ModelServer

HOME = {"kind": "press_key", "key": "home"}
VISIT = [
    one
    for app in ("Settings", "Contacts", "Messages")
    for one in ({"kind": "tap", "at": {"element": {"text": app}}}, HOME)
]


def main() -> None:
    """Runs the attempts and prints the median and the tenths at both ends."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--attempts", type=int, default=5)
    words.add_argument("--loop", default="plain", choices=("plain", "summary", "text"))
    said = words.parse_args()
    recipe = recipe_from_table(
        tomllib.loads(new_recipe("taptrail", text=said.loop == "text")), "make a recipe"
    )
    options = AgentOptions("measured", loop=said.loop, all_apps=True)
    taken: list[float] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        running_demo_phone(deterministic=True) as phone,
        LibraryThread(Path(folder) / "library") as library,
        Model(recipe, ModelServer(), options, _answer) as model,
    ):
        device = phone.devices.device(phone.serial)
        for _ in range(said.attempts):
            device.run("input keyevent KEYCODE_HOME")
            outcome = run_agent_words("Look around.", device, library, model, options, True)
            # The last turn only ends; the first waits for the recording's first tree.
            taken += outcome.details["agent"]["overheads"][1:-1]
    tenths = statistics.quantiles(taken, n=10)
    print(f"{len(taken)} turns, loop {said.loop}: median {statistics.median(taken):.2f} s,")
    print(f"a tenth below {tenths[0]:.2f} s, a tenth above {tenths[-1]:.2f} s")


def _answer(body: bytes, key: str) -> Received:
    if key.endswith("/summary"):
        return Received("It did what it was meant to do.", Ended.STOP)
    turn = int(key.rpartition("/")[2])
    done = {"kind": "finish", "ending": "complete"}
    return Received(json.dumps(VISIT[turn - 1] if turn <= len(VISIT) else done), Ended.STOP)


if __name__ == "__main__":
    main()
