"""Table of all commands with keys: name, page, default keys and user-defined keys.

Buttons, shortcuts, hints and the key map look commands up by name. `use` replaces default keys with
the user's own. The table does not implement any command.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtGui import QKeySequence

from episodes.errors import KnownError
from taptrail.words import tr

EVERYWHERE, RECORD, EPISODES, ANNOTATE, REVIEW, TASKS, DOCTOR, SETTINGS = (
    "Everywhere",
    "Record",
    "Episodes",
    "Annotate",
    "Review",
    "Tasks",
    "Doctor",
    "Settings",
)


@dataclass(frozen=True, slots=True)
class Command:
    """A command with keys.

    Attributes:
        place: the page where the key works, one of those above.
        does: description that starts with a verb.
        keys: the default keys; the first is shown on buttons and hints.
    """

    place: str
    does: str
    keys: tuple[str, ...]


COMMANDS: dict[str, Command] = {
    "go-record": Command(EVERYWHERE, "Go to Record", ("Ctrl+1",)),
    "go-episodes": Command(EVERYWHERE, "Go to Episodes", ("Ctrl+2",)),
    "go-annotate": Command(EVERYWHERE, "Go to Annotate", ("Ctrl+3",)),
    "go-review": Command(EVERYWHERE, "Go to Review", ("Ctrl+4",)),
    "go-tasks": Command(EVERYWHERE, "Go to Tasks", ("Ctrl+5",)),
    "go-doctor": Command(EVERYWHERE, "Go to Doctor", ("Ctrl+Shift+D",)),
    "go-settings": Command(EVERYWHERE, "Go to Settings", ("Ctrl+,",)),
    "keys": Command(EVERYWHERE, "Show the keys of the place", ("F1", "?")),
    "undo": Command(EVERYWHERE, "Undo", ("Ctrl+Z",)),
    "redo": Command(EVERYWHERE, "Redo", ("Ctrl+Shift+Z", "Ctrl+Y")),
    "segment": Command(EVERYWHERE, "Segment all presses, or pause", ("Ctrl+Shift+S",)),
    "left-panel": Command(EVERYWHERE, "Hide or show the left panel", ("F4",)),
    "right-panel": Command(EVERYWHERE, "Hide or show the right panel", ("F6",)),
    "next-part": Command(EVERYWHERE, "Give the next part the keyboard", ("Ctrl+F6",)),
    "last-part": Command(EVERYWHERE, "Give the last part the keyboard", ("Ctrl+Shift+F6",)),
    "full-screen": Command(EVERYWHERE, "Full screen", ("F11",)),
    "quit": Command(EVERYWHERE, "Quit", ("Ctrl+Q",)),
    "start-demo": Command(RECORD, "Start the demo phone", ("Return",)),
    "look-again": Command(RECORD, "Look for phones again", ("F5",)),
    "record": Command(RECORD, "Record", ("Ctrl+R",)),
    "let-model": Command(RECORD, "Let a model do the task", ("Ctrl+Shift+R",)),
    "stop-model": Command(RECORD, "Stop the model", ("F3",)),
    "take-over": Command(RECORD, "Take over from the model", ("Shift+F3",)),
    "pause": Command(RECORD, "Pause, or go on", ("F8",)),
    "complete": Command(RECORD, "Finish as complete", ("F9",)),
    "impossible": Command(RECORD, "Finish as impossible", ("Shift+F9",)),
    "drop-last": Command(RECORD, "Drop the last step", ("F10",)),
    "give-up": Command(RECORD, "Finish as given up", ("Ctrl+F9",)),
    "discard": Command(RECORD, "Finish, and put it into the bin", ("Ctrl+Shift+F9",)),
    "mark-recorded": Command(RECORD, "Mark the targets of the new episode", ("Ctrl+Return",)),
    "open-recorded": Command(RECORD, "Open the new episode in Review", ("Ctrl+Shift+Return",)),
    "find": Command(EPISODES, "Find", ("Ctrl+F",)),
    "new-recording": Command(EPISODES, "Record", ("Ctrl+R",)),
    "open-in-review": Command(EPISODES, "Open in Review", ("Ctrl+Return",)),
    "edit-instruction": Command(EPISODES, "Edit the instruction", ("F2",)),
    "export": Command(EPISODES, "Export what is chosen", ("Ctrl+E",)),
    "delete": Command(EPISODES, "Delete what is chosen", ("Delete",)),
    "accept": Command(ANNOTATE, "Accept, and go on to the next step that waits", ("E",)),
    "next-annotated": Command(ANNOTATE, "Next step", ("D",)),
    "last-annotated": Command(ANNOTATE, "Step before", ("A",)),
    "smaller": Command(ANNOTATE, "Smaller element", ("[",)),
    "larger": Command(ANNOTATE, "Larger element", ("]",)),
    "box": Command(ANNOTATE, "Draw a box", ("W",)),
    "point": Command(ANNOTATE, "Add a point inside the target", ("Q",)),
    "avoid": Command(ANNOTATE, "Add a point outside the target", ("X",)),
    "ask-box": Command(ANNOTATE, "Ask SAM 2 about the box", ("Shift+W",)),
    "polygon": Command(ANNOTATE, "Draw an outline", ("P",)),
    "again": Command(ANNOTATE, "Take the last tool again", ("N",)),
    "take-back": Command(ANNOTATE, "Take the last place back", ("Z",)),
    "select": Command(ANNOTATE, "Select", ("V",)),
    "loupe": Command(ANNOTATE, "Pin the loupe to the press", ("O",)),
    "next-unreviewed": Command(ANNOTATE, "Next step without a target", ("U",)),
    "last-unreviewed": Command(ANNOTATE, "Step before without a target", ("Shift+U",)),
    "accept-rest": Command(ANNOTATE, "Accept the high ones that are not sampled", ("Shift+E",)),
    "findings": Command(ANNOTATE, "Go to the findings", ("F",)),
    "rounds": Command(ANNOTATE, "Choose blind, or settle a round", ("Ctrl+B",)),
    "accept-episode": Command(ANNOTATE, "Accept the episode", ("Shift+1",)),
    "send-back": Command(ANNOTATE, "Send the episode back", ("Shift+2",)),
    "reject": Command(ANNOTATE, "Reject the episode", ("Shift+3",)),
    "edit-action": Command(ANNOTATE, "Edit the action", ("Ctrl+E",)),
    "label": Command(ANNOTATE, "Write the label", ("L",)),
    "clear-target": Command(ANNOTATE, "Clear the target", ("Delete",)),
    "hide-marks": Command(ANNOTATE, "Hide or show the marks", ("T",)),
    "tree": Command(ANNOTATE, "Give the tree the keyboard", ("G",)),
    "merge-steps": Command(ANNOTATE, "Merge with the next step", ("Ctrl+M",)),
    "split-step": Command(ANNOTATE, "Split the step", ("Ctrl+Shift+M",)),
    "delete-step": Command(ANNOTATE, "Delete the step", ("Shift+Delete",)),
    "private-box": Command(ANNOTATE, "Mark the drawn box as private", ("Shift+P",)),
    "private-step": Command(ANNOTATE, "Mark the step as private, or not", ("Ctrl+P",)),
    "private-episode": Command(ANNOTATE, "Mark the episode as private, or not", ("Ctrl+Shift+P",)),
    "tolerance-here": Command(ANNOTATE, "Hide or show the tolerance", ("Y",)),
    "after": Command(ANNOTATE, "The screen after the step, or before it", ("B",)),
    "suggest": Command(ANNOTATE, "Suggest from the pictures, or stop", ("Ctrl+G",)),
    "zoom-in": Command(ANNOTATE, "Look closer", ("Ctrl+=", "Ctrl++")),
    "zoom-out": Command(ANNOTATE, "Look from farther", ("Ctrl+-",)),
    "zoom-fit": Command(ANNOTATE, "Fit the frame", ("Ctrl+0",)),
    "episode-after": Command(ANNOTATE, "Next episode", ("PgDown",)),
    "episode-before": Command(ANNOTATE, "Episode before", ("PgUp",)),
    "next-step": Command(REVIEW, "Next step", ("Right",)),
    "last-step": Command(REVIEW, "Step before", ("Left",)),
    "first-step": Command(REVIEW, "First step", ("Home",)),
    "end-step": Command(REVIEW, "Last step", ("End",)),
    "next-parting": Command(REVIEW, "Next in the list", ("Shift+Right",)),
    "last-parting": Command(REVIEW, "Before in the list", ("Shift+Left",)),
    "next-episode": Command(REVIEW, "Next episode", ("Ctrl+Right",)),
    "last-episode": Command(REVIEW, "Episode before", ("Ctrl+Left",)),
    "next-run": Command(REVIEW, "Next run", ("Down",)),
    "last-run": Command(REVIEW, "Run before", ("Up",)),
    "overlay": Command(REVIEW, "Frames over one another, or beside", ("O",)),
    "target": Command(REVIEW, "Hide or show the target", ("T",)),
    "tolerance": Command(REVIEW, "Hide or show the tolerance", ("Y",)),
    "candidates": Command(REVIEW, "Hide or show what else could be the target", ("U",)),
    "before-after": Command(REVIEW, "The screen before and after the step", ("B",)),
    "play": Command(REVIEW, "Play, or stop", ("Space",)),
    "play-back": Command(REVIEW, "Play backwards", ("J",)),
    "stop": Command(REVIEW, "Stop", ("K",)),
    "play-on": Command(REVIEW, "Play on", ("L",)),
    "frame-before": Command(REVIEW, "One frame back", (",",)),
    "frame-after": Command(REVIEW, "One frame on", (".",)),
    "loop": Command(REVIEW, "Play over and over, or once", ("R",)),
    "judge-right": Command(REVIEW, "Accept the answer as another right action", ("1",)),
    "judge-gold": Command(REVIEW, "Say that the gold is wrong", ("2",)),
    "judge-verdict": Command(REVIEW, "Disagree with the verdict", ("3",)),
    "review-accept": Command(REVIEW, "Accept the episode", ("Shift+1",)),
    "review-send-back": Command(REVIEW, "Send the episode back", ("Shift+2",)),
    "review-reject": Command(REVIEW, "Reject the episode", ("Shift+3",)),
    "next-tab": Command(REVIEW, "Next tab at the right", ("]",)),
    "last-tab": Command(REVIEW, "Tab before at the right", ("[",)),
    "filter": Command(REVIEW, "Filter the list", ("Ctrl+F",)),
    "report": Command(REVIEW, "Write a report", ("Ctrl+E",)),
    "differences": Command(REVIEW, "Why do two numbers differ?", ("Ctrl+D",)),
    "find-task": Command(TASKS, "Find a task", ("Ctrl+F",)),
    "next-task": Command(TASKS, "Next task", ("Ctrl+Right",)),
    "last-task": Command(TASKS, "Task before", ("Ctrl+Left",)),
    "record-attempt": Command(TASKS, "Record another attempt", ("Ctrl+R",)),
    "side-by-side": Command(TASKS, "Open the attempts side by side", ("Return",)),
    "back-to-task": Command(TASKS, "Back to the charts", ("Escape",)),
    "chart-table": Command(TASKS, "Charts as a table", ("Ctrl+T",)),
    "judge-attempt": Command(TASKS, "Say how the attempt ended", ("O",)),
    "annotate-attempt": Command(TASKS, "Open the attempt in Annotate", ("A",)),
    "review-attempt": Command(TASKS, "Open the attempt in Review", ("Ctrl+Return",)),
    "factor-up": Command(TASKS, "Larger factor", ("+", "=")),
    "factor-down": Command(TASKS, "Smaller factor", ("-",)),
    "check-again": Command(DOCTOR, "Check again", ("F5",)),
    "copy-report": Command(DOCTOR, "Copy the report", ("Ctrl+Shift+C",)),
}

_own: dict[str, str] = {}


def use(own: Iterable[tuple[str, str]]) -> None:
    """Replaces the default keys of commands with the user's (command, key) pairs.

    Raises:
        KnownError: a command or key does not exist, or two commands of a page would share a key.
    """
    wanted = dict(own)
    doing = "use your keys"
    for name, key in wanted.items():
        if name not in COMMANDS:
            known = ", ".join(COMMANDS)
            raise KnownError(doing, f"there is no command “{name}”", f"Use one of: {known}.")
        if not _is_key(key):
            raise KnownError(
                doing, f"“{key}” for {name} is no key", "Write it as Ctrl+R, F9 or Shift+Right."
            )
    taken: dict[tuple[str, str], str] = {}
    for name, command in COMMANDS.items():
        for key in _keys(command, wanted.get(name)):
            places = (
                {c.place for c in COMMANDS.values()}
                if command.place == EVERYWHERE
                else (command.place,)
            )
            for place in places:
                other = taken.setdefault((place, _plain(key)), name)
                if other != name:
                    raise KnownError(
                        doing,
                        f"{other} and {name} have the same key {key}",
                        "Give one of them another in the [keys] of the settings.",
                    )
    _own.clear()
    _own.update(wanted)


def keys(name: str) -> tuple[str, ...]:
    """Returns the keys of a command; the first is the one to show."""
    return _keys(COMMANDS[name], _own.get(name))


def key(name: str) -> str:
    """Returns the key of a command that buttons and hints show."""
    return keys(name)[0]


def there_are(place: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Returns (description, keys) of each command of a page, in table order."""
    return tuple(
        (tr(command.does), keys(name))
        for name, command in COMMANDS.items()
        if command.place == place
    )


def _keys(command: Command, own: str | None) -> tuple[str, ...]:
    return (own,) if own is not None else command.keys


def _is_key(text: str) -> bool:
    plain = _plain(text)  # "" for a key that Qt does not know
    return bool(plain) and plain.isascii() and plain.isprintable()


def _plain(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)
