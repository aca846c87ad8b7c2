"""Binds the keys of the Annotate page to its commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from episodes.annotations import Decision
from taptrail.gui.annotate.episode_actions import EpisodeActions
from taptrail.gui.annotate.frame import Tool
from taptrail.gui.annotate.navigation import StepNavigation
from taptrail.gui.annotate.tool_controller import ToolController
from taptrail.gui.commands import keys

Does = Callable[[], object]


def bind(
    place: QWidget,
    walk: StepNavigation,
    hand: ToolController,
    desk: EpisodeActions,
    more: Mapping[str, Does],
) -> None:
    """Binds the keys of each command inside the page; `more` are commands of the page itself.

    Commands whose button handles the key are left out.
    """
    commands: dict[str, Does] = {
        "last-annotated": lambda: walk.turn_by(-1),
        "next-unreviewed": lambda: walk.next_unreviewed(1),
        "last-unreviewed": lambda: walk.next_unreviewed(-1),
        "smaller": lambda: walk.focus_by(-1),
        "larger": lambda: walk.focus_by(1),
        "point": lambda: hand.begin(Tool.POINT),
        "avoid": lambda: hand.begin(Tool.AVOID),
        "polygon": lambda: hand.begin(Tool.POLYGON),
        "box": hand.begin_box,
        "ask-box": hand.ask_box,
        "again": hand.again,
        "take-back": hand.take_back,
        "select": lambda: hand.take(Tool.SELECT),
        "loupe": hand.toggle_loupe,
        "hide-marks": hand.toggle_marks,
        "accept-rest": desk.accept_rest,
        "findings": desk.go_to_findings,
        "rounds": desk.open_rounds,
        "accept-episode": lambda: desk.open_judge(Decision.ACCEPTED),
        "send-back": lambda: desk.open_judge(Decision.SENT_BACK),
        "reject": lambda: desk.open_judge(Decision.REJECTED),
        **more,
    }
    for command, does in commands.items():
        for sequence in keys(command):
            _key(place, sequence, does)
    for number in range(9):
        _key(place, str(number + 1), partial(walk.focus_on, number))


def _key(place: QWidget, sequence: str, does: Does) -> None:
    shortcut = QShortcut(QKeySequence(sequence), place)
    shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    shortcut.activated.connect(does)
