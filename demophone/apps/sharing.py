"""The share sheet: gives a text to another app, or to the clipboard."""

from __future__ import annotations

from demophone.apps.app import Activity, App, Shared
from demophone.apps.tile import app_tile
from demophone.views.canvas import Canvas
from demophone.views.geometry import Rect, centred
from demophone.views.overlays import Overlay
from demophone.views.parts import FRAME, TEXT, Space, Tap, button, label
from demophone.views.view import View


def share(activity: Activity, title: str, text: str) -> None:
    """Lets the person choose who takes the text."""
    host = activity.host
    shared = Shared(title, text)
    takers = [
        (app, target)
        for app in host.apps
        if app is not activity.app and (target := app.receiving(shared)) is not None
    ]

    def copy() -> None:
        host.copy(text)
        host.toast("Copied")

    def build(s: Space) -> View:
        return _sheet(s, shared, takers, copy, activity)

    host.show(Overlay("share", build))


def _sheet(
    s: Space, shared: Shared, takers: list[tuple[App, Activity]], copy: Tap, activity: Activity
) -> View:
    p = s.palette
    width = min(s.width, 480.0)
    x = (s.width - width) / 2
    lines = s.wrap(" ".join(shared.text.split()), 14, width - 48)[:2]
    step = 14 * s.font_scale * 1.36
    height = 68 + step * len(lines) + 24 + 104 + 12 + 40 + 20 + (s.height - s.bottom)
    top = s.height - height

    def paint(c: Canvas, v: View) -> None:
        c.corners(v.box, p.high, (26, 26, 0, 0))
        c.fill(centred(v.box.cx, top + 12, 32, 4), p.outline, 2, 0.6)

    def preview(c: Canvas, v: View) -> None:
        for i, line in enumerate(lines):
            c.text(Rect(v.box.x, v.box.y + i * step, v.box.w, step), line, 14, p.quiet)

    plate = View(Rect(x, top, width, height), FRAME, res="chooser", paint=paint)
    head = shared.title or "Share text"
    plate.add(
        label(Rect(x + 24, top + 26, width - 48, 34), head, 18, p.text, 500, key="title"),
        View(
            Rect(x + 24, top + 64, width - 48, step * len(lines)),
            TEXT,
            key="preview",
            res="content_preview_text",
            text=shared.text,
            paint=preview,
        ),
    )
    y = top + 64 + step * len(lines) + 20
    cell = (width - 24) / max(4, len(takers))
    for i, (app, target) in enumerate(takers):
        plate.add(_taker(s, Rect(x + 12 + cell * i, y, cell, 100), app, target, activity))
    copying = button(
        s, Rect(x + 24, y + 112, 112, 40), "Copy", copy, "copy", "outlined", "content-copy"
    )
    plate.add(copying)
    return View(
        Rect(0, 0, s.width, s.height),
        FRAME,
        paint=lambda c, v: c.fill(v.box, "#000000", 0, 0.36),
        children=[plate],
    )


def _taker(s: Space, box: Rect, app: App, target: Activity, activity: Activity) -> View:
    def paint(c: Canvas, v: View) -> None:
        app_tile(c, centred(v.box.cx, v.box.y + 38, 52), app)
        name = Rect(v.box.x, v.box.y + 70, v.box.w, 20)
        c.text(name, app.label, 12.5, s.palette.text, 400, "centre")

    return View(
        box,
        TEXT,
        key=f"app-{app.label.lower()}",
        res="text1",
        text=app.label,
        paint=paint,
        tap=lambda: activity.host.open(target),
        ripple=20,
        ripple_on=s.palette.text,
    )
