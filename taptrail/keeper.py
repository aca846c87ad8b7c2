"""Runs a program and ends it when whoever started this is gone: `python -m taptrail.keeper CMD...`

Standard input is a pipe from the parent. It closes when the parent closes it, and also when the
parent is killed, so the program never outlives it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

from episodes.operating_system import hangup, separate_group


def main(words: list[str]) -> int:
    """Runs the program until it ends, stdin closes or a signal comes; returns its exit status."""
    for number in (signal.SIGINT, *hangup()):
        signal.signal(number, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    program = subprocess.Popen(words, stdin=subprocess.DEVNULL, **separate_group())
    signal.signal(signal.SIGTERM, lambda *_: program.terminate())

    def end_with_parent() -> None:
        while os.read(0, 4096):
            pass
        program.terminate()
        try:
            program.wait(5)
        except subprocess.TimeoutExpired:
            program.kill()

    threading.Thread(target=end_with_parent, daemon=True).start()
    return program.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
