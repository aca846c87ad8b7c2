"""Runs a program and ends it when whoever started this is gone: `python -m taptrail.keeper CMD...`

Standard input is a pipe from the parent. It closes when the parent closes it, and also when the
parent is killed, so the program never outlives it. Standard library only, to start at once.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import threading


def main(words: list[str]) -> int:
    """Runs the program until it ends, stdin closes or a signal comes; returns its exit status."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    program = subprocess.Popen(words, stdin=subprocess.DEVNULL, start_new_session=True)
    ended, tell = os.pipe()

    def wait() -> None:
        program.wait()
        os.close(tell)

    threading.Thread(target=wait, daemon=True).start()
    signal.signal(signal.SIGTERM, lambda *_: program.terminate())
    with selectors.DefaultSelector() as selector:
        selector.register(0, selectors.EVENT_READ)
        selector.register(ended, selectors.EVENT_READ)
        while True:
            ready = {key.fd for key, _ in selector.select()}
            if ended in ready or (0 in ready and not os.read(0, 4096)):
                break
    program.terminate()
    try:
        return program.wait(5)
    except subprocess.TimeoutExpired:
        program.kill()
        return program.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
