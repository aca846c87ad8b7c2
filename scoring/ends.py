"""End steps that a protocol adds: derived when a run is scored, never stored as recorded.

AndroidControl's files have no action that ends a task. The paper's agent has to say that it is
done, and some evaluators put an end behind each episode, on its last screen, with the number after
the last action's. Such a step is judged where a run answers it; where none does, it was not asked.
"""

from __future__ import annotations

from episodes import actions as a
from episodes.episodes import Episode
from episodes.steps import Step

_WITHOUT_ENDS = ("androidcontrol",)


def end_after(episode: Episode) -> Step | None:
    """Returns the end an evaluator puts behind an episode; None where its recording has one, or
    is of a data set that should have one."""
    if episode.origin.dataset not in _WITHOUT_ENDS or episode.finish is not None:
        return None
    if not episode.steps or any(isinstance(step.action, a.Finish) for step in episode.steps):
        return None
    index = max(episode.steps[-1].index + 1, episode.declared_steps or 0)
    return Step(index, a.Finish(a.Ending.COMPLETE), frame=episode.final)
