"""Taptrail's own rule: an action is right if a person looking at the screen would call it right.

It compares pixels and parsed actions, not a benchmark's numbers or a model's wording, so that runs
in different dialects are judged by the same rule. Its rules and their reasons are described in
`docs/protocols/taptrail-strict.md`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from episodes import actions as a
from episodes.annotations import Status
from episodes.density import pixels_per_dp
from episodes.episodes import Episode
from episodes.geometry import Box, Point, Size
from episodes.runs import Prediction, Unreadable
from episodes.steps import Step
from episodes.verdicts import Outcome, Share, Verdict
from scoring.protocol import (
    CannotSay,
    Counts,
    Metric,
    Metrics,
    ScoredStep,
    ScoringProtocol,
    percent,
    unscored,
)
from scoring.rounding import format_pair
from scoring.text_similarity import composed, similarity

REACH_DP = 24.0
REACH_OF_SHORT_SIDE = 0.06
WHOLE_SCREEN = 0.9

Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class StrictGold:
    """The right actions of a step.

    Attributes:
        right: the actions that are and can be compared, the recorded or corrected one first.
        region: the chosen target, in pixels of the frame.
        size: of the frame.
        reach: pixels a point may lie from the gold point.
        reach_words: the origin of the reach, for reasons.
        untold: why one of the right actions cannot be compared; "" if all can.
    """

    right: tuple[a.Action, ...]
    region: Box | None = None
    size: Size | None = None
    reach: float | None = None
    reach_words: str = ""
    untold: str = ""


def gold(step: Step, episode: Episode) -> StrictGold | CannotSay:
    """Returns the step's right actions: an accepted correction in place of the recorded one, and
    all accepted alternatives."""
    accepted = [gold for gold in step.golds if gold.status is Status.ACCEPTED]
    corrections = [gold.action for gold in accepted if gold.role == "correction"]
    others = [gold.action for gold in accepted if gold.role == "alternative"]
    named = (*(corrections or [step.action]), *others)
    right = tuple(action for action in named if _why_not(action) is None)
    untold = next((why for action in named if (why := _why_not(action)) is not None), "")
    if not right:
        return CannotSay(untold)
    size = step.frame.size if step.frame is not None else None
    target = step.target
    region = target.box if target is not None and target.status is not Status.REJECTED else None
    reach, words = _reach(size, episode)
    return StrictGold(right, region, size, reach, words, untold)


def judge(prediction: Prediction | None, gold: StrictGold) -> Verdict:
    """Returns the verdict on one prediction; it matches if it equals any right action.

    If it matches none and one of them cannot be compared, the step is not scored.
    """
    if prediction is None:
        return _verdict(False, "missing", "There is no prediction for this step.", {})
    action = prediction.parsed
    if isinstance(action, Unreadable):
        reason = f"No action could be read: {action.reason}."
        return _verdict(False, "unreadable", reason, {"parse": False, "guess": action.guess})
    verdicts = [_against(action, right, gold) for right in gold.right]
    told = {verdict.outcome: verdict for verdict in reversed(verdicts)}
    if gold.untold and Outcome.MATCH not in told:
        return unscored("no-gold", gold.untold)
    found = told.get(Outcome.MATCH) or told.get(Outcome.UNSCORED) or verdicts[0]
    number = verdicts.index(found)
    parts: dict[str, Value] = {"parse": True, "gold": number, **found.parts}
    reason = f"{found.reason} (against alternative {number})" if number else found.reason
    return Verdict(found.outcome, found.rule, reason, parts)


def _why_not(action: a.Action) -> str | None:
    match action:
        case a.TypeText(text) | a.Answer(text) if not composed(text):
            return "The recorded text is empty: nothing to compare with."
        case a.Tap(a.ElementRef()) | a.LongPress(a.ElementRef()) | a.DoubleTap(a.ElementRef()):
            return "The recorded action names an element and no place on the screen."
        case a.Other(name):
            return f"The recorded action “{name[:40]}” is none that can be compared."
    return None


def _against(action: a.Action, right: a.Action, gold: StrictGold) -> Verdict:
    parts: dict[str, Value] = {"type": _family(action) == _family(right)}
    if not parts["type"]:
        reason = f"The gold is {_said(right)}, the prediction {_said(action)}."
        return _verdict(False, "kind", reason, parts)
    match right, action:
        case (
            (a.Tap() | a.DoubleTap() | a.LongPress()),
            (a.Tap() | a.DoubleTap() | a.LongPress()),
        ):
            return _touch(action, right, gold, parts)
        case a.TypeText(wanted), a.TypeText(text):
            return _text(text, wanted, parts)
        case a.Answer(wanted), a.Answer(text):
            return _text(text, wanted, parts)
        case ((a.Swipe() | a.Scroll()), (a.Swipe() | a.Scroll())):
            wanted_way, way = right.direction.value, action.direction.value
            reason = f"The gold's finger goes {wanted_way}, the prediction's {way}."
            return _verdict(wanted_way == way, "direction", reason, parts)
        case a.Pinch(scale=wanted_scale), a.Pinch(scale=scale):
            same = (wanted_scale > 1) == (scale > 1)
            reason = f"The gold pinches by {wanted_scale:g}, the prediction by {scale:g}."
            return _verdict(same, "pinch", reason, parts)
        case a.PressKey(wanted_key, wanted_name), a.PressKey(key, name):
            same = wanted_key is key and (key is not a.Key.OTHER or wanted_name == name)
            reason = f"The gold presses {_key(right)}, the prediction {_key(action)}."
            return _verdict(same, "key", reason, parts)
        case a.OpenApp(wanted_app), a.OpenApp(app):
            same = composed(wanted_app).casefold() == composed(app).casefold()
            reason = f"The gold opens “{wanted_app[:40]}”, the prediction “{app[:40]}”."
            return _verdict(same, "app", reason, parts)
        case a.Finish(wanted_ending), a.Finish(ending):
            reason = f"The gold ends with {wanted_ending.value}, the prediction {ending.value}."
            return _verdict(wanted_ending is ending, "ending", reason, parts)
    return _verdict(True, "kind", f"Both are {_said(right)}; no more is compared.", parts)


def _touch(
    action: a.Tap | a.DoubleTap | a.LongPress,
    right: a.Tap | a.DoubleTap | a.LongPress,
    gold: StrictGold,
    parts: dict[str, Value],
) -> Verdict:
    point, wanted = a.place(action), a.place(right)
    if point is None:
        return unscored("no-place", "The prediction names an element and no place on the screen.")
    if wanted is None or gold.reach is None:
        return unscored("no-place", "The gold's place in its frame is not known.")
    apart = point.distance_to(wanted)
    parts |= {"distance": apart, "limit": gold.reach, **_trust(gold, wanted)}
    if gold.region is not None:
        parts["inside_region"] = point in gold.region
        if parts["inside_region"] and parts["region_trusted"]:
            return _verdict(True, "region", "It is inside the target's region.", parts)
    told, limit = format_pair(apart, gold.reach, places=0)
    reason = f"It is {told} px from the gold point; the limit is {limit} px ({gold.reach_words})."
    if gold.region is not None and not parts["region_trusted"]:
        why = "misses the gold point" if parts["region_misses_gold"] else "covers the screen"
        reason += f" The target's region {why} and is not trusted."
    return _verdict(apart <= gold.reach, "distance", reason, parts)


def _trust(gold: StrictGold, wanted: Point) -> dict[str, Value]:
    if gold.region is None:
        return {"inside_region": None}
    misses = wanted not in gold.region
    covers = gold.size is not None and covers_screen(gold.region, gold.size)
    return {
        "region_misses_gold": misses,
        "region_covers_screen": covers,
        "region_trusted": not (misses or covers),
    }


def covers_screen(region: Box, size: Size) -> bool:
    """Whether a region covers so much of a frame that it does not locate a tap. Parts outside the
    frame do not count."""
    screen = Box(0, 0, size.width, size.height)
    return region.intersection(screen).area >= WHOLE_SCREEN * screen.area


def _text(text: str, wanted: str, parts: dict[str, Value]) -> Verdict:
    told, asked = composed(text), composed(wanted)
    parts |= {
        "empty_text": not told,
        "similarity": similarity(told, asked),
        "same_but_case": told != asked and told.casefold() == asked.casefold(),
    }
    if not told:
        return _verdict(False, "text", "The predicted text is empty.", parts)
    reason = f"The gold's text is “{_short(asked)}”, the prediction's “{_short(told)}”."
    if parts["same_but_case"]:
        reason += " They differ in upper and lower case."
    return _verdict(told == asked, "text", reason, parts)


def _reach(size: Size | None, episode: Episode) -> tuple[float | None, str]:
    """Returns the allowed distance from the gold point: 24 dp if the phone's density is known, else
    6 % of the frame's shorter side."""
    if size is None:
        return None, ""
    per_dp = pixels_per_dp(episode.device, size)
    if per_dp is not None:
        return REACH_DP * per_dp, f"{REACH_DP:.0f} dp"
    reach = REACH_OF_SHORT_SIDE * min(size.width, size.height)
    return reach, f"{REACH_OF_SHORT_SIDE:.0%} of the shorter side"


def _family(action: a.Action) -> str:
    return "swipe" if isinstance(action, a.Scroll) else a.kind(action)


def _said(action: a.Action) -> str:
    match action:
        case a.PressKey():
            return f"the key {_key(action)}"
        case a.Finish(ending):
            return f"finish ({ending.value})"
        case a.Other(name):
            return f"an unknown action, “{name[:40]}”"
    return a.kind(action).replace("_", " ")


def _key(action: a.PressKey) -> str:
    return action.name or action.key.value


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "…"


def _verdict(right: bool, rule: str, reason: str, parts: dict[str, Value]) -> Verdict:
    return Verdict(Outcome.MATCH if right else Outcome.MISMATCH, rule, reason, parts)


@dataclass(slots=True)
class EpisodeSteps:
    """Counts of an episode's steps."""

    category: str
    expected: int
    steps: int = 0
    wrong: int = 0
    unscored: int = 0


@dataclass(slots=True)
class StrictSteps:
    """Counts of a run's steps."""

    episodes: dict[str, EpisodeSteps] = field(default_factory=dict)
    scored: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    types: Counter[bool] = field(default_factory=Counter)

    def add(self, scored: ScoredStep) -> None:
        """Counts one step in all ways."""
        self.add_rule(scored)
        if scored.doubled:
            return
        episode = self.episodes.setdefault(
            scored.episode, EpisodeSteps(scored.category, scored.declared_steps)
        )
        episode.steps += 1
        episode.unscored += scored.verdict.outcome is Outcome.UNSCORED
        episode.wrong += scored.verdict.outcome is Outcome.MISMATCH

    def add_rule(self, scored: ScoredStep) -> None:
        """Counts one step without its episode."""
        if scored.doubled:
            self.rules["second predictions, not judged"] += 1
            return
        verdict = scored.verdict
        if verdict.outcome is Outcome.UNSCORED:
            self.rules[f"steps not scored: {verdict.rule}"] += 1
            return
        right = verdict.outcome is Outcome.MATCH
        self.scored[scored.category] += 1
        self.right[scored.category] += right
        self.types[verdict.parts.get("type") is True] += 1
        if verdict.rule in ("missing", "unreadable"):
            self.rules[f"steps wrong: {verdict.rule}"] += 1
        if verdict.parts.get("region_trusted") is False:
            self.rules["regions not trusted"] += 1

    def ams(self, category: str | None = None) -> Share:
        if category is not None:
            return Share(self.right[category], self.scored[category])
        return Share(self.right.total(), self.scored.total())

    def sr(self, category: str | None = None) -> Share:
        """Share of episodes without a wrong step. An episode with a wrong step has failed. One
        without a wrong step, but with steps that are not scored or not recorded, is left out."""
        told = [e for e in self.episodes.values() if category in (None, e.category)]
        failed = sum(e.wrong > 0 for e in told)
        whole = sum(e.wrong == 0 and e.unscored == 0 and e.steps >= e.expected for e in told)
        return Share(whole, whole + failed)


def aggregate(steps: Iterable[ScoredStep]) -> Metrics:
    """Returns AMS and SR pooled over all steps and episodes, and for each category."""
    counted = StrictSteps()
    for scored in steps:
        counted.add(scored)
    return numbers_of(counted)


def numbers_of(counted: StrictSteps) -> Metrics:
    """Returns the numbers of counted steps."""
    types = Share(counted.types[True], counted.types.total())
    values = {
        "AMS": _metric(counted.ams()),
        "SR": _metric(counted.sr()),
        "type rate": _metric(types),
    }
    for category in sorted({episode.category for episode in counted.episodes.values()}):
        values[f"AMS/{category}"] = _metric(counted.ams(category))
        values[f"SR/{category}"] = _metric(counted.sr(category))
    untold = len(counted.episodes) - counted.sr().total
    tally = {**counted.rules, "episodes that cannot be told": untold}
    return Metrics(values, (), tally)


def _metric(share: Share) -> Metric:
    value = percent(share)
    return Metric(value, share, note="nothing could be scored" if value is None else "")


V1 = ScoringProtocol(
    name="taptrail-strict",
    version="1",
    title="Taptrail's strict reading",
    source="Taptrail",
    quirks=(
        "Inside the chosen target's region is right, if the region holds the gold point and does "
        "not cover the screen.",
        "Else within 24 dp of the gold point (6 % of the shorter side where density is unknown).",
        "Texts must be equal after NFC and stripping; empty text is wrong.",
        "A swipe and a scroll are compared by the finger's direction.",
        "Accepted alternatives are right, too.",
    ),
    counts=Counts(
        missing="wrong; the episode has failed",
        unreadable="wrong; the episode has failed",
        unscored="left out of AMS; the episode is left out of SR unless another step is wrong",
        doubled="the first counts",
    ),
    gold=gold,
    judge=judge,
    aggregate=aggregate,
)
