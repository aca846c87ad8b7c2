"""End steps that a protocol adds: derived when a run is scored, never stored as recorded.

AndroidControl's files have no action that ends a task. But the paper's agent must declare that it
is done, and some evaluators append an end step to each episode: on its last screen, numbered after
the last action. Such a step is judged if the run answers it. If not, the step was not asked and is
left out.
"""

from __future__ import annotations

from episodes import actions as a
from episodes.episodes import Episode
from episodes.steps import Step

_WITHOUT_ENDS = ("androidcontrol",)


def end_after(episode: Episode) -> Step | None:
    """Returns the end step that an evaluator appends to an episode; None if the recording has one,
    or if its data set should have one."""
    if episode.origin.dataset not in _WITHOUT_ENDS or episode.finish is not None:
        return None
    if not episode.steps or any(isinstance(step.action, a.Finish) for step in episode.steps):
        return None
    index = max(episode.steps[-1].index + 1, episode.declared_steps or 0)
    return Step(index, a.Finish(a.Ending.COMPLETE), frame=episode.final)
