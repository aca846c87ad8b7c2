"""Writes attempts as AndroidWorld's result files, by the checkpointer of its own code.

The worker of the user's installation writes the pickle; here its record is put together. The steps
hold the clean screens as T3A's do, the actions as M3A's do, and under `taptrail` each step as one
of our lines. An attempt whose verdict is unknown becomes a failed record, which has no steps.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from episodes import actions as a
from episodes.episodes import Episode
from episodes.formats.androidworld_actions import FIELDS, SPACE, json_action
from episodes.formats.input_files import StillPaths, is_file_name
from episodes.formats.output_files import (
    EpisodeWriter,
    WriteReport,
    new_folder,
    steps_to_write,
    still_pixels,
    write_all,
)
from episodes.formats.taptrail_writer import step_line
from episodes.media import pictures
from episodes.screens import Frame
from episodes.steps import Step
from episodes.task_verdicts import TaskVerdict
from tasks.benches.androidworld.results import episode_record, failed_record, is_known
from tasks.benches.client import BenchWorker, Words

HUMAN = "human"
SUFFIX = ".pkl.gz"
SAVE_SECONDS = 300.0
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9._-]+")


def write_results(
    episodes: Iterable[Episode],
    folder: Path,
    stills: StillPaths,
    worker: BenchWorker,
    verdicts: Mapping[str, TaskVerdict],
) -> WriteReport:
    """Writes `<actor>/<Task>_<instance>.pkl.gz` for each attempt that AndroidWorld judged.

    A further attempt of an actor at the same instance goes into `<actor>-2`, and so on.

    Args:
        verdicts: AndroidWorld's, by the uuid of the episode.

    Raises:
        KnownError: the folder is not empty, a picture is missing, or the worker fails.
    """
    doing = f"write AndroidWorld's result files to {folder}"
    with new_folder(folder, (), doing):
        return write_all(_Writer(folder, stills, worker, verdicts, doing), episodes)


def record_of_attempt(episode: Episode, verdict: TaskVerdict, steps: Words, screen: Words) -> Words:
    """Returns an attempt as a record of AndroidWorld's, for its checkpointer and its table.

    Args:
        steps: its `episode_data`; {} where only the numbers are wanted.
        screen: width, height and orientation.
    """
    details = json.loads(verdict.details)
    score = details.get("score_by_the_benchmark")
    seconds = float(details.get("run_seconds") or 0)
    finished = _naive(verdict.judged_utc)
    if score is None:
        told = failed_record(
            goal=verdict.goal,
            task=verdict.task,
            exception=str(details.get("exception") or verdict.reason),
            run_seconds=seconds,
            finished=finished,
        )
    else:
        told = episode_record(
            goal=verdict.goal,
            task=verdict.task,
            seed=verdict.seed,
            steps=steps,
            score=float(score),
            run_seconds=seconds,
            finished=finished,
            screen=screen,
        )
        told["episode_length"] = int(details.get("episode_length") or len(episode.steps))
    return told | {"agent_name": actor_name(episode), "instance_id": verdict.instance}


def json_record(record: Words) -> Words:
    """Returns a record as it goes to the worker: null for not-a-number, times as text."""
    told = {name: value if is_known(value) else None for name, value in record.items()}
    return told | {"finish_dtime": record["finish_dtime"].isoformat()}


def actor_name(episode: Episode) -> str:
    """Returns what a result file calls whoever acted."""
    return episode.actor.agent if episode.actor.kind == "agent" else HUMAN


class _Writer(EpisodeWriter):
    """Asks the worker for one file an attempt, and counts what it could not take."""

    def __init__(
        self,
        folder: Path,
        stills: StillPaths,
        worker: BenchWorker,
        verdicts: Mapping[str, TaskVerdict],
        doing: str,
    ) -> None:
        super().__init__(folder, stills, doing)
        self._worker = worker
        self._verdicts = verdicts

    def episode(self, episode: Episode) -> None:
        """Writes an attempt."""
        verdict = self._verdicts.get(episode.uuid)
        if verdict is None:
            self.written.count_loss("an episode that AndroidWorld has not judged", episode.name)
            return
        if not self._names.may_write(episode):
            return
        steps = [step for _, step in steps_to_write(episode, self.written)]
        data, screens = self._columns(episode, steps)
        record = record_of_attempt(episode, verdict, data, _screen(steps))
        if not is_known(record["episode_data"]):
            screens = {}
            if steps:
                lost = "the steps of an attempt whose verdict is unknown"
                self.written.count_loss(lost, episode.name)
        name = f"{verdict.task}_{verdict.instance}"
        if not is_file_name(name):
            lost = "an attempt at a task whose name cannot be a file's name"
            self.written.count_loss(lost, episode.name)
            return
        path = self._place(actor_name(episode), name)
        self.made.append(path)
        self._worker.ask(
            "save",
            seconds=SAVE_SECONDS,
            folder=str(path.parent),
            name=path.name.removesuffix(SUFFIX),
            record=json_record(record),
            screens=screens,
        )
        self._names.add(episode.name)
        self.written.episodes += 1
        self.written.steps += len(steps)

    def _columns(self, episode: Episode, steps: list[Step]) -> tuple[Words, Words]:
        """The columns of the steps, and those of their pictures."""
        told = [self._told(step, episode.name) for step in steps]
        data = {
            "action_output": [_words(one) for one in told],
            "action_output_json": told,
            "action_reason": [step.texts.intention for step in steps],
            "summary": [step.texts.note for step in steps],
            "taptrail": [
                json.dumps(step_line(step, episode.name, _NoFiles()), ensure_ascii=False)
                for step in steps
            ],
            "step_number": list(range(len(steps))),
        }
        return data, {"before_screenshot": [self._picture(step) for step in steps]}

    def _told(self, step: Step, episode: str) -> Words:
        """The action of a step; that of an imported one as it came."""
        where = f"{episode} step {step.index}"
        if step.native is not None and step.native.space == SPACE:
            own = step.native.value
            action = own.get("action") if isinstance(own, dict) else None
            if isinstance(action, dict) and action:
                return {name: action[name] for name in FIELDS if action.get(name) is not None}
        told = json_action(step.action)
        if told is None:
            self.written.count_loss("an action that AndroidWorld has no word for", where)
            return {"action_type": "unknown"}
        match step.action:
            case a.Swipe():
                self.written.count_loss("the path of a stroke, written as a scroll", where)
            case a.TypeText(submit=False):
                self.written.count_loss("that no Enter followed a text", where)
            case a.Finish(reason=str()):
                self.written.count_loss("the words of a finish", where)
            case _:
                pass
        return told

    def _picture(self, step: Step) -> str | None:
        still = step.still
        if still is None:
            return None
        self.written.pictures += 1
        data = pictures.encode_png(still_pixels(still, self._stills, self._doing))
        return base64.b64encode(data).decode()

    def _place(self, actor: str, name: str) -> Path:
        run = _NOT_IN_A_NAME.sub("-", actor).strip(".-")[:100] or "agent"
        path, number = self._folder / run / f"{name}{SUFFIX}", 1
        while path in self.made:
            number += 1
            path = self._folder / f"{run}-{number}" / f"{name}{SUFFIX}"
        return path


class _NoFiles:
    """Where the files of our lines would go: pictures are arrays of the record already."""

    def frame(self, frame: Frame | None) -> None:
        """No picture of its own."""

    def tree(self, data: bytes) -> str | None:
        """The tree as text, in the line itself."""
        return data.decode(errors="replace") if data else None

    def mask(self, png: bytes) -> str:
        """A mask as base64, in the line itself."""
        return base64.b64encode(png).decode()


def _words(told: Words) -> str:
    return f"Action: {json.dumps(told, ensure_ascii=False, separators=(',', ':'))}"


def _screen(steps: list[Step]) -> dict[str, Any]:
    size = next((step.frame.size for step in steps if step.frame is not None), None)
    width, height = (size.width, size.height) if size is not None else (1080, 2400)
    return {
        "width": width,
        "height": height,
        "orientation": "portrait" if height >= width else "landscape",
        "config_name": "default",
    }


def _naive(utc: str) -> datetime:
    """A time without its zone, as the benchmark writes it."""
    try:
        return datetime.fromisoformat(utc).replace(tzinfo=None)
    except ValueError:
        return datetime.fromtimestamp(0, UTC).replace(tzinfo=None)
