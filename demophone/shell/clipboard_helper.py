"""Clipper, a helper app for the clipboard that broadcasts talk to. Here it has no screen.

am broadcast -a clipper.set -e text WORDS
am broadcast -a clipper.get
"""

from __future__ import annotations

from demophone.shell.process import Process

PACKAGE = "ca.zgrs.clipper"
GET, SET = "clipper.get", "clipper.set"


async def answer(process: Process, action: str, words: list[str]) -> None:
    """Reads or sets the clipboard, and says what the broadcast gave."""
    device = process.system.device
    if action == SET:
        at = next((i for i, word in enumerate(words) if word in ("-e", "--es")), None)
        device.set_clipboard(words[at + 2] if at is not None and len(words) > at + 2 else "")
        told = 'result=-1, data="Text is copied into clipboard."'
    elif device.clipboard:
        told = f'result=-1, data="{device.clipboard}"'
    else:
        told = "result=0"
    await process.say(f"Broadcast completed: {told}")
