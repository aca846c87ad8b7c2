"""Icons by meaning, drawn with the icon font so that they are sharp at every scale."""

from __future__ import annotations

import qtawesome
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QIcon, QPainter

from episodes.actions import Action, Key, PressKey, Swipe, kind
from episodes.geometry import Direction
from episodes.verdicts import Outcome
from taptrail.gui import theme

_OF_KIND = {
    "tap": "gesture-tap",
    "double_tap": "gesture-double-tap",
    "long_press": "gesture-tap-hold",
    "swipe": "gesture-swipe-up",
    "scroll": "gesture-swipe-up",
    "pinch": "gesture-pinch",
    "type_text": "form-textbox",
    "press_key": "keyboard-outline",
    "open_app": "apps",
    "wait": "timer-sand",
    "answer": "message-reply-text-outline",
    "finish": "flag-checkered",
    "other": "dots-horizontal",
}
_OF_KEY = {Key.BACK: "arrow-left", Key.HOME: "circle-outline", Key.RECENTS: "square-outline"}
_OF_DIRECTION = {
    Direction.UP: "gesture-swipe-up",
    Direction.DOWN: "gesture-swipe-down",
    Direction.LEFT: "gesture-swipe-left",
    Direction.RIGHT: "gesture-swipe-right",
}
_OF_OUTCOME = {
    Outcome.MATCH: "check-circle",
    Outcome.MISMATCH: "close-box",
    Outcome.UNSCORED: "help-circle-outline",
}
_TOKEN_OF_OUTCOME = {
    Outcome.MATCH: "match",
    Outcome.MISMATCH: "mismatch",
    Outcome.UNSCORED: "text2",
}


def of_action(action: Action) -> str:
    """Returns the icon of an action, for example the arrow of Back."""
    match action:
        case PressKey(key=key):
            return _OF_KEY.get(key, _OF_KIND["press_key"])
        case Swipe():
            return _OF_DIRECTION[action.direction]
        case _:
            direction = getattr(action, "direction", None)
            if isinstance(direction, Direction):
                return _OF_DIRECTION[direction]
            return _OF_KIND[kind(action)]


def of_kind(name: str) -> str:
    """Returns the icon of a kind of action, as `episodes.actions.kind` names it."""
    return _OF_KIND[name]


def of_outcome(outcome: Outcome) -> tuple[str, str]:
    """Returns the icon of a verdict and its colour token."""
    return _OF_OUTCOME[outcome], _TOKEN_OF_OUTCOME[outcome]


def paint(painter: QPainter, name: str, centre: QPointF, px: float, colour: QColor | str) -> None:
    """Draws an icon centred on a point; `colour` is a token of the theme or a colour."""
    painter.save()
    painter.setFont(_font(px))
    painter.setPen(theme.colour(colour) if isinstance(colour, str) else colour)
    box = QRectF(centre.x() - px, centre.y() - px, 2 * px, 2 * px)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, glyph(name))
    painter.restore()


def glyph(name: str) -> str:
    """Returns the icon's character in the icon font."""
    return str(qtawesome.charmap(f"mdi6.{name}"))


def icon(name: str, ink: str = "text2") -> QIcon:
    """Returns the icon for a menu or a window; its colour does not follow later theme changes."""
    return QIcon(qtawesome.icon(f"mdi6.{name}", color=theme.colour(ink)))


def _font(px: float) -> QFont:
    made = QFont(qtawesome.font("mdi6", 16))
    made.setPixelSize(max(1, round(px)))
    return made
