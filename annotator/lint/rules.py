"""All lint rules by name; checks an episode with them.

Adding a rule is a function, a line here, a true and a false case in its test, and a line in the
manual.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from annotator.lint import capture, movements, presses, tasks
from annotator.lint.episode_view import EpisodeView, LibraryFacts
from annotator.lint.findings import LintFinding
from episodes.episodes import Episode


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: what it looks for, in words, and the function that looks."""

    words: str
    check: Callable[[EpisodeView], Iterable[LintFinding]]


RULES: dict[str, Rule] = {
    "press-outside-elements": Rule(
        "a press under which the tree has no element", presses.outside_elements
    ),
    "press-outside-region": Rule(
        "a press outside the region chosen for it", presses.outside_region
    ),
    "press-without-effect": Rule(
        "a press after which the screen looks the same", presses.without_effect
    ),
    "text-without-focus": Rule("text where no field has the focus", movements.text_without_focus),
    "swipe-against-instruction": Rule(
        "a swipe against the direction in the step's instruction", movements.against_instruction
    ),
    "swipe-without-effect": Rule("a swipe that moves nothing", movements.swipe_without_effect),
    "duplicate-step": Rule(
        "a step that does the same as the one before on the same screen", movements.duplicates
    ),
    "gap": Rule("time in which nothing was captured", capture.gaps),
    "undelivered": Rule("a step whose input the phone refused", capture.undelivered),
    "black-frame": Rule("a frame that shows nothing", capture.black),
    "frozen-frame": Rule("one picture of the video under several actions", capture.frozen),
    "changed-by-itself": Rule(
        "a screen that changed without an action of the recording", capture.changed_by_itself
    ),
    "stale-tree": Rule("a tree of another moment than the frame", capture.stale_tree),
    "missing-tree": Rule("a step without a tree", capture.missing_tree),
    "large-region": Rule("a region of more than 10 % of the screen", presses.large_region),
    "small-region": Rule("a region of less than 12 dp", presses.small_region),
    "empty-instruction": Rule("an episode without an instruction", tasks.empty_instruction),
    "app-not-seen": Rule("an instruction that names an app no step is in", tasks.unseen_app),
    "finish-missing": Rule("an episode without a finish", tasks.missing_finish),
    "odd-time": Rule(
        "a pause far longer than the others, or times that run backwards", tasks.odd_times
    ),
}


def lint(
    episode: Episode,
    facts: LibraryFacts = LibraryFacts(),  # noqa: B008  # a frozen value
    rules: Collection[str] = RULES,
) -> list[LintFinding]:
    """Returns what is likely wrong with an episode, in the order of its steps.

    Findings of the whole episode come first. It opens no file and no picture.
    """
    view = EpisodeView(episode, facts)
    found = [
        finding for name, rule in RULES.items() if name in rules for finding in rule.check(view)
    ]
    return sorted(found, key=lambda one: -1 if one.step is None else one.step)
