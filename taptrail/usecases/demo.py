"""The demo without a window: records a scripted episode, makes predictions, and scores them.

Only the phone and the model are simulated. The adb program, the scrcpy protocol, the library, the
formats and the protocols are the real ones. The scores are compared with those that the known
mistakes of the predictions imply.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from episodes import actions as a
from episodes.annotations import Author
from episodes.episodes import Actor, Episode, Task
from episodes.errors import KnownError
from episodes.geometry import Point
from episodes.steps import Step
from episodes.store.library import Library
from scoring.protocol import Metric
from taptrail.usecases.demo_agent import run_demo_agent
from taptrail.usecases.demo_phone import DemoPhone, running_demo_phone
from taptrail.usecases.known_mistakes import (
    CHECKED,
    Mistake,
    MistakeKind,
    answers,
    differences,
)
from taptrail.usecases.predictions import import_predictions
from taptrail.usecases.recording import RecordedEpisode, record_script
from taptrail.usecases.sample import SampleImport, import_sample
from taptrail.usecases.scoring import score_run
from tasks.running import TaskOutcome

SEED = 7
HAND = "scripted hand"
TASK = Task(
    instruction="Mara has a new number: find it in Messages and save her to the contacts.",
    template="{} has a new number: find it in Messages and save it to the contacts.",
    filled="Mara has a new number: find it in Messages and save it to the contacts.",
    category="Multi_Apps",
    apps=("Messages", "Contacts"),
)
MISTAKES = (
    MistakeKind.FAR,
    MistakeKind.BESIDE,
    MistakeKind.WRONG_ACTION,
    MistakeKind.WRONG_TEXT,
    MistakeKind.EMPTY_TEXT,
    MistakeKind.UNREADABLE,
    MistakeKind.MISSING,
)


def _on(words: str) -> a.ElementRef:
    return a.ElementRef(text=words)


VISIT: tuple[a.Action, ...] = (
    a.Tap(_on("Messages")),
    a.Tap(_on("Mara Quill")),
    a.LongPress(_on("My new number is 555 0142")),
    a.Tap(_on("Copy")),
    a.PressKey(a.Key.HOME),
    a.Tap(_on("Contacts")),
    a.Tap(_on("New contact")),
    a.Tap(_on("First name")),
    a.TypeText("Mara"),
    a.Tap(_on("Last name")),
    a.TypeText("Quill"),
    a.Tap(_on("Phone")),
    a.TypeText("555 0142"),
    a.Tap(_on("Save")),
    a.Swipe(Point(540, 1900), Point(548, 900), 300_000),
    a.PressKey(a.Key.BACK),
    a.Finish(a.Ending.COMPLETE),
)
"""The script; texts are those of the demo phone with `SEED`."""


@dataclass(frozen=True, slots=True)
class DemoScore:
    """Scores of a run under a protocol."""

    run: str
    protocol: str
    ams: Metric
    sr: Metric


@dataclass(frozen=True, slots=True)
class DemoReport:
    """Results of the demo.

    Attributes:
        apps: apps that were in front, in order.
        predictions: the prediction file written for the recording.
        mistakes: number of known mistakes in each run; the scores found all of them.
        seconds: from the start of the phone to the last score.
        agent: the phone's verdict on a task that a scripted model did.
    """

    library: Path
    episode: str
    steps: int
    apps: tuple[str, ...]
    predictions: Path
    mistakes: tuple[tuple[str, int], ...]
    scores: tuple[DemoScore, ...]
    seconds: float
    agent: TaskOutcome


def run_demo(
    library_folder: Path,
    *,
    say: Callable[[str], None] = lambda text: None,
    on_step: Callable[[Step], None] | None = None,
) -> DemoReport:
    """Records the visit, scores it and the sample, and lets a scripted model do a task.

    Args:
        say: called with a short description when a stage begins.

    Raises:
        KnownError: a stage failed, or a score differs from what the mistakes imply.
    """
    began = time.monotonic()
    say("Starting the demo phone")
    with running_demo_phone(SEED, deterministic=True) as phone:
        say(f"Recording a visit on {phone.serial}")
        recorded = record_visit(phone, library_folder, on_step=on_step)
        say("Letting a scripted model do a task")
        agent = run_demo_agent(phone, library_folder)
    with Library.read(library_folder) as library:
        episode = library.episode(recorded.uuid)
    apps = tuple(dict.fromkeys(step.foreground.label for step in episode.steps if step.foreground))
    say("Writing predictions with known mistakes")
    file, mistakes = _predict(episode, library_folder)
    say("Importing the sample")
    sample = import_sample(library_folder)
    say("Scoring")
    scores = _score_all(library_folder, episode, mistakes, sample)
    return DemoReport(
        library_folder,
        episode.name,
        len(episode.steps),
        apps,
        file,
        (
            (_run_name(episode), len(mistakes)),
            *((run.name, len(run.mistakes)) for run in sample.runs),
        ),
        tuple(scores),
        time.monotonic() - began,
        agent,
    )


def record_visit(
    phone: DemoPhone,
    library_folder: Path,
    author: Author | None = None,
    on_step: Callable[[Step], None] | None = None,
) -> RecordedEpisode:
    """Records the visit on a demo phone.

    Args:
        author: the person who counts as the actor; None for a script.

    Raises:
        KnownError: as `record_script`, or an action did not become a step.
    """
    actor = Actor("agent", agent=HAND) if author is None else Actor(author=author)
    recorded = record_script(
        phone.serial,
        TASK,
        library_folder,
        VISIT,
        devices=phone.devices,
        actor=actor,
        on_step=on_step,
    )
    if not recorded.finished or recorded.steps != len(VISIT):
        found = f"{recorded.steps} of {len(VISIT)} steps are in {recorded.name}"
        if recorded.problems:
            found = f"{found}: {recorded.problems[0]}"
        raise KnownError("record the visit", found, "Try again; see also taptrail doctor.")
    return recorded


def _predict(episode: Episode, library_folder: Path) -> tuple[Path, tuple[Mistake, ...]]:
    made = answers([episode], MISTAKES, SEED)
    file = library_folder / "demo" / f"{episode.name}.json"
    try:
        file.parent.mkdir(exist_ok=True)
        file.write_text(made.text(), encoding="utf-8")
    except OSError as error:
        raise KnownError(f"write {file}", str(error), "Make room.") from error
    import_predictions(
        (file,),
        _run_name(episode),
        library_folder,
        dialect="guiodyssey",
        model="known mistakes (made up)",
        dataset=episode.origin.dataset,
        dataset_version=episode.origin.version,
        only_answered=True,
        replace=True,
    )
    return file, made.mistakes


def _score_all(
    library_folder: Path, episode: Episode, mistakes: tuple[Mistake, ...], sample: SampleImport
) -> list[DemoScore]:
    with Library.read(library_folder) as library:
        sampled = [library.episode(name, "guiodyssey", "2") for name in sample.episodes]
    wanted = [(_run_name(episode), [episode], mistakes)]
    wanted += [(run.name, sampled, run.mistakes) for run in sample.runs]
    scores: list[DemoScore] = []
    wrong: list[str] = []
    for run, episodes, known in wanted:
        for protocol in CHECKED:
            result = score_run(run, protocol, library_folder)
            values = result.metrics.values
            scores.append(DemoScore(run, protocol, values["AMS"], values["SR"]))
            wrong += [f"{run}: {said}" for said in differences(episodes, known, result)]
    if wrong:
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        raise KnownError(
            "trust the scores of the demo",
            wrong[0] + more,
            "Please report this: the demo's mistakes are known, so the scores must be.",
        )
    return scores


def _run_name(episode: Episode) -> str:
    return f"demo-{episode.name}"
