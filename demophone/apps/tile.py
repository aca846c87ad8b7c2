"""The icon of an app, as launcher, recent apps and share sheet draw it."""

from __future__ import annotations

from demophone.apps.app import App
from demophone.views.canvas import Canvas
from demophone.views.geometry import Rect


def app_tile(c: Canvas, box: Rect, app: App) -> None:
    """An app's icon."""
    c.fill(box, app.tone, box.w * 0.3)
    c.icon(box.cx, box.cy, app.symbol, box.w * 0.54, "#ffffff")
