"""Attempts of a few tasks by several people, with screens, pauses, an outlier and an agent.

Times are round, so that medians, fences and budgets can be computed by hand.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from episodes import actions as a
from episodes.annotations import Author
from episodes.clocks import Moment
from episodes.episodes import Actor, Episode, EpisodeState, Task
from episodes.recordings import Gap
from episodes.runs import Prediction, Run
from episodes.steps import Step
from episodes.store.library import Library
from episodes.store.stills import StillFiles
from tests.gui import story
from tests.gui.built_once import built_once

NUMBER = "Copy the phone number from Mara’s message into a new contact named Mara Quill."
PLANTS, THEME, GUESTS = (
    "Put two shade plants in the basket.",
    "Turn on the dark theme and the largest type.",
    "Message the guests of Sunday’s walk.",
)
ANA, BEN, CEM, DEE = (
    Author(f"7a1f6e0c-0000-4000-8000-00000000000{n}", name)
    for n, name in enumerate(("Ana P.", "Ben K.", "Cem R.", "Dee L."), 1)
)
# (task, who, presses, seconds, seconds of pause, ending)
TOLD: tuple[tuple[str, Author | str, int, int, int, a.Ending | None], ...] = (
    (NUMBER, ANA, 13, 98, 0, a.Ending.COMPLETE),
    (NUMBER, BEN, 12, 84, 0, a.Ending.COMPLETE),
    (NUMBER, ANA, 15, 104, 30, a.Ending.COMPLETE),
    (NUMBER, CEM, 18, 186, 0, a.Ending.COMPLETE),
    (NUMBER, DEE, 11, 66, 0, a.Ending.IMPOSSIBLE),
    (NUMBER, CEM, 13, 90, 0, a.Ending.COMPLETE),
    (NUMBER, DEE, 3, 20, 0, None),
    (NUMBER, "tidewater-7b", 21, 60, 0, a.Ending.COMPLETE),
    (PLANTS, ANA, 10, 52, 0, a.Ending.COMPLETE),
    (PLANTS, BEN, 8, 47, 12, a.Ending.COMPLETE),
    (THEME, BEN, 3, 18, 0, a.Ending.COMPLETE),
    (GUESTS, DEE, 4, 33, 0, a.Ending.IMPOSSIBLE),
)
APPS = {
    NUMBER: ("Messages", "Contacts"),
    PLANTS: ("Shop",),
    THEME: ("Settings",),
    GUESTS: ("Calendar", "Messages"),
}
RUNS = ("tidewater-7b", "saltmarsh-3b")


def moment(seconds: float) -> Moment:
    """Returns a moment on both clocks."""
    return Moment(device_us=int(seconds * 1e6), host_ns=int((seconds + 500) * 1e9))


def episodes(files: StillFiles) -> list[Episode]:
    """Makes the episodes; presses of 0.5 s lie evenly in the time that is not paused."""
    whole = story.recorded(files)
    shapes = whole.steps
    made = []
    for number, (task, who, presses, long, pause, ending) in enumerate(TOLD, 1):
        apart = long / (presses + 1)
        steps = []
        for n in range(presses):
            began = apart * n + (pause if n else 0)
            shape = shapes[(n + number) % 7]
            steps.append(replace(shape, index=n, began=moment(began), ended=moment(began + 0.5)))
        if ending is not None:
            last = moment(long + pause)
            frame = shapes[7].frame
            steps.append(Step(presses, a.Finish(ending), frame, began=last, ended=last))
        gaps = (Gap("paused", moment(0.5), moment(0.5 + pause)),) if pause else ()
        agent = isinstance(who, str)
        made.append(
            replace(
                whole,
                uuid=f"0c8d3c1e-2222-4222-8222-{number:012d}",
                name=f"e-{number:04d}",
                task=Task(task, category="Productivity", apps=APPS[task]),
                state=EpisodeState.INCOMPLETE if ending is None else EpisodeState.FINISHED,
                steps=tuple(steps),
                gaps=gaps,
                actor=Actor("agent", agent=str(who)) if agent else Actor("person", who),  # type: ignore[arg-type]
                started_utc=f"2026-05-14T08:{number:02d}:00+00:00",
                finish=a.Finish(ending) if ending is not None else None,
            )
        )
    return made


@built_once
def build(folder: Path) -> list[Episode]:
    """Makes the library with two runs: the first is right, the second has no answer to taps."""
    with Library.open(folder) as library:
        made = episodes(StillFiles(folder))
        assert not library.save_episodes(made).refused
        for name in RUNS:
            run = Run(name, "taptrail", dataset="recorded", coordinates="pixels")
            answers = [
                Prediction(one.name, step.index, "said", step.action)
                for one in made
                for step in one.steps
                if name == RUNS[0] or not isinstance(step.action, a.Tap)
            ]
            library.save_run(run, answers)
    return made
