"""Closes the window on Ctrl-C in the terminal, without asking about a running recording.

Python handles signals only between its own instructions, and an idle event loop runs none. So the
signal also writes to a socket that the loop watches.
"""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from PySide6.QtCore import QSocketNotifier
from PySide6.QtWidgets import QApplication


@contextmanager
def closing_on_interrupt(app: QApplication) -> Iterator[None]:
    """Closes all windows on SIGINT or SIGTERM; raises KeyboardInterrupt at the end of the block.

    Main thread only.
    """
    interrupted = False
    near, far = socket.socketpair()
    near.setblocking(False)
    far.setblocking(False)

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        interrupted = True

    def wake() -> None:
        far.recv(64)
        if interrupted:
            app.closeAllWindows()
            app.exit()  # `quit` would be blocked by a window that asks before it closes

    notifier = QSocketNotifier(far.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(wake)
    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    wakeup = signal.set_wakeup_fd(near.fileno())
    try:
        yield
    finally:
        signal.set_wakeup_fd(wakeup)
        for number, handler in before.items():
            signal.signal(number, handler)
        notifier.setEnabled(False)
        near.close()
        far.close()
    if interrupted:
        raise KeyboardInterrupt
