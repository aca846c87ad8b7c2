"""Rewrites error messages for the window: remedies name controls instead of commands.

The same KnownError is shown in a terminal and in the window. If its remedy names a command or an
option, the window names the page or control that does the same, or the manual.
"""

from __future__ import annotations

import re

from episodes.errors import KnownError
from taptrail.words import tr

_IN_WINDOW = (
    ("taptrail doctor", "Doctor shows what is missing."),
    ("taptrail models", "Fetch or choose a checkpoint in Settings."),
    ("taptrail segment", "Segment all presses in Settings."),
    ("taptrail demo", "Start the demo phone in Record."),
    ("taptrail devices", "Record lists the phones."),
    ("taptrail predictions import", "Import predictions in Episodes."),
    ("taptrail import", "Import in Episodes."),
    ("taptrail export", "Export in Episodes."),
    ("taptrail episodes list", "Episodes lists the names."),
    ("taptrail episodes objections", "Review lists the objections."),
    ("taptrail attempts", "Tasks lists the tasks."),
    ("taptrail lint", "Annotate lists the findings of a step."),
    ("taptrail regions blind", "Begin a round in Annotate."),
    ("taptrail runs", "Review lists the runs."),
    ("taptrail protocols", "Review lists the protocols."),
    ("taptrail episodes check", "Check the library before you continue; see the manual."),
    ("taptrail merge", "Check the library before you continue; see the manual."),
)
_COMMAND = re.compile(r"\btaptrail(?: [a-z]|`)|(?<![\w-])--[a-z]|`")
_SENTENCE = re.compile(r"(?<=[.!?]) +|; (?=\S)")


def window_words(text: str) -> str:
    """Returns a text with each sentence about a command replaced by one about the window."""
    if not _COMMAND.search(text):
        return text
    kept: list[str] = []
    for sentence in _SENTENCE.split(text):
        if not _COMMAND.search(sentence):
            kept.append(sentence)
            continue
        said = next((words for name, words in _IN_WINDOW if name in sentence), "")
        if said and tr(said) not in kept:
            kept.append(tr(said))
    return " ".join(kept) or tr("See the manual.")


def error_words(error: KnownError) -> str:
    """Returns an error as one sentence with a remedy in the window."""
    return tr(
        "Cannot {doing}: {found}. {remedy}",
        doing=error.doing,
        found=window_words(error.found).rstrip("."),
        remedy=window_words(error.remedy),
    )
