"""Binds the keys of the Review page to its commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from episodes.annotations import Decision
from taptrail.gui.commands import keys
from taptrail.gui.review.columns import AFTER, OVERLAY
from taptrail.gui.review.judgement import Says
from taptrail.gui.review.judgement_controller import JudgementController
from taptrail.gui.review.step_controller import StepController
from taptrail.gui.review.view import ReviewView

Does = Callable[[], object]


def bind(
    place: QWidget,
    parts: ReviewView,
    shown: StepController,
    judgements: JudgementController,
    more: Mapping[str, Does],
) -> None:
    """Binds the keys of each command inside the page; `more` are commands of the page itself."""
    commands: dict[str, Does] = {
        "last-step": partial(shown.turn_by, -1),
        "next-step": partial(shown.turn_by, 1),
        "first-step": partial(shown.turn_to, 0),
        "end-step": lambda: shown.turn_to(len(shown.steps()) - 1),
        "next-run": partial(shown.select_beside, 1),
        "last-run": partial(shown.select_beside, -1),
        "overlay": partial(shown.set_mode, OVERLAY),
        "before-after": partial(shown.set_mode, AFTER),
        "filter": parts.differing.offer,
        "next-tab": partial(parts.aside.tabs.turn_by, 1),
        "last-tab": partial(parts.aside.tabs.turn_by, -1),
        "review-accept": partial(judgements.open_judge, Decision.ACCEPTED),
        "review-send-back": partial(judgements.open_judge, Decision.SENT_BACK),
        "review-reject": partial(judgements.open_judge, Decision.REJECTED),
        **{says.value: partial(judgements.say, says) for says in Says},
        **{name: toggle.toggle for name, toggle in parts.extras.toggles.items()},
        **dict(shown.player.commands()),
        **more,
    }
    for command, does in commands.items():
        for sequence in keys(command):
            shortcut = QShortcut(QKeySequence(sequence), place)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(does)


def use_keys(place: QWidget, *, on: bool) -> None:
    """Enables or disables the keys of the page."""
    for shortcut in place.findChildren(
        QShortcut, options=Qt.FindChildOption.FindDirectChildrenOnly
    ):
        shortcut.setEnabled(on)
