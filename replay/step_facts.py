"""Facts of judged steps from which numbers and tables are computed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from episodes import actions as a
from episodes.annotations import Gold, Status
from episodes.episodes import Episode
from episodes.runs import Prediction, Unreadable
from episodes.steps import Step
from episodes.verdicts import Outcome
from scoring.numbers import MISSING, UNREADABLE, StepFacts, family
from scoring.protocol import ScoredStep


def step_facts(
    episode: Episode, predictions: Iterable[Prediction], scored: Iterable[ScoredStep]
) -> Iterator[StepFacts]:
    """Yields the facts of an episode's judged steps, without those of second predictions.

    Args:
        predictions: of the episode, including those for an added end step.
    """
    found: dict[int, Prediction] = {}
    for prediction in predictions:
        found.setdefault(prediction.step, prediction)
    steps = {step.index: (place, step) for place, step in enumerate(episode.steps, start=1)}
    phone = episode.device
    device = " ".join(filter(None, (phone.manufacturer, phone.model))) or phone.product
    splits = tuple("/".join(pair) for pair in episode.splits)
    apps = episode.task.apps
    for one in scored:
        if one.doubled:
            continue
        kind = predicted_kind(found.get(one.step))
        if one.derived:
            position, front, gold = len(steps) + 1, None, a.kind(a.Finish(a.Ending.COMPLETE))
        else:
            position, step = steps[one.step]
            front = step.foreground
            gold = gold_kind(step, kind, right=one.verdict.outcome is Outcome.MATCH)
        yield StepFacts(
            episode.uuid,
            episode.name,
            one.step,
            one.verdict,
            gold,
            kind,
            position,
            len(steps),
            (front.label or front.package,) if front is not None else apps,
            episode.task.category,
            splits,
            device,
            one.derived,
        )


def predicted_kind(prediction: Prediction | None) -> str:
    """Returns the kind of the predicted action; MISSING or UNREADABLE if there is none."""
    if prediction is None:
        return MISSING
    return UNREADABLE if isinstance(prediction.parsed, Unreadable) else a.kind(prediction.parsed)


def gold_action(step: Step) -> a.Action:
    """Returns the right action: an accepted correction, else the recorded one."""
    corrections = (gold.action for gold in _accepted(step) if gold.role == "correction")
    return next(corrections, step.action)


def gold_kind(step: Step, predicted: str, *, right: bool) -> str:
    """Returns the kind of the right action; if the prediction matches an accepted alternative, the
    alternative's kind."""
    kinds = [a.kind(gold_action(step)), *(a.kind(gold.action) for gold in _accepted(step))]
    return chosen_kind(kinds, predicted, right=right)


def chosen_kind(kinds: Sequence[str], predicted: str, *, right: bool) -> str:
    """Returns one of the kinds of a step's right actions: that of the prediction if it matches,
    else the first."""
    if len(kinds) == 1:
        return kinds[0]
    same = (kind for kind in kinds if family(kind) == family(predicted))
    return next(same, kinds[0]) if right else kinds[0]


def _accepted(step: Step) -> list[Gold]:
    return [gold for gold in step.golds if gold.status is Status.ACCEPTED]
