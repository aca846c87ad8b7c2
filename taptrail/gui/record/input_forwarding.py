"""Forwards mouse and keyboard input on the mirror to the phone."""

from __future__ import annotations

from taptrail.gui.mirror import KeyPress, MirrorView, Touch, Typed, Wheel
from taptrail.usecases.live import Desk


def pass_on(mirror: MirrorView, desk: Desk) -> None:
    """Connects the signals of the mirror to the recording desk."""

    def touch(one: Touch) -> None:
        desk.touch(one.phase, one.at, one.pointer, one.host_ns, one.shown, one.painted_ns)

    def key(one: KeyPress) -> None:
        desk.key(one.key, one.host_ns, one.shown, one.name)

    def text(one: Typed) -> None:
        desk.text(one.text, one.host_ns, one.shown)

    def paste(one: Typed) -> None:
        desk.paste(one.text, one.host_ns, one.shown)

    def wheel(one: Wheel) -> None:
        desk.scroll(one.at, one.across, one.down, one.host_ns, one.shown, one.painted_ns)

    mirror.touched.connect(touch)
    mirror.pressed.connect(key)
    mirror.typed.connect(text)
    mirror.pasted.connect(paste)
    mirror.wheeled.connect(wheel)
