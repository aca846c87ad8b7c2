import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import os, signal, sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget
from taptrail.gui.interrupts import closing_on_interrupt

before = signal.getsignal(signal.SIGINT)
app = QApplication([])
window = QWidget()
window.show()
QTimer.singleShot(0, lambda: os.kill(os.getpid(), int(sys.argv[1])))
try:
    with closing_on_interrupt(app):
        app.exec()
except KeyboardInterrupt:
    print("interrupted", window.isVisible(), signal.getsignal(signal.SIGINT) is before)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_closes_the_window_even_when_nothing_happens_in_it(number):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(int(number))],
        cwd=ROOT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("interrupted False True\n", "", 0)


def test_the_demo_opens_the_window_on_its_phone_and_ends_with_ctrl_c(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "taptrail", "demo", "--library", str(tmp_path / "library")],
        cwd=ROOT,
        env=os.environ
        | {"DISPLAY": ":none", "QT_QPA_PLATFORM": "offscreen", "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line.startswith("The demo phone is 127.0.0.1:")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert err.endswith("\nStopped.\n")
    assert "Traceback" not in err
