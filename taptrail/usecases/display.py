"""Checks whether a window can open.

Qt ends a process that cannot open its display, so a separate process tries. This module does not
import Qt.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping

from episodes.errors import KnownError
from taptrail.words import tr

SECONDS = 20.0
_PROGRAM = """
from PySide6.QtGui import QGuiApplication
QGuiApplication([])
"""
_OF_OPENCV = ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR")
_PREFIX = re.compile(r"^qt\.[\w.]+: ")


def display(environment: Mapping[str, str] = os.environ) -> str:
    """Returns the name of the display; "" if there is none."""
    return environment.get("WAYLAND_DISPLAY") or environment.get("DISPLAY") or ""


class DisplayProbe:
    """A process that tries to open the display with Qt. The constructor starts it."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        variables = {
            name: value
            for name, value in environment.items()
            if not (name in _OF_OPENCV and "cv2" in value)
        }
        self._name = environment.get("QT_QPA_PLATFORM") or display(environment)
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=variables,
        )

    def trouble(self) -> str:
        """Waits for the process and returns why the display cannot be opened; "" if it can."""
        try:
            _, errors = self._process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
            return tr(
                "the display {name} did not answer within {seconds} seconds",
                name=self._name,
                seconds=round(SECONDS),
            )
        code = self._process.returncode
        if code == 0:
            return ""
        lines = errors[:4096].decode(errors="replace").splitlines()
        said = [_PREFIX.sub("", line).strip() for line in lines if line.strip()]
        how = tr("signal {name}", name=signal.Signals(-code).name) if code < 0 else str(code)
        reason = said[0].rstrip(".") if said else tr("Qt ended with {how}", how=how)
        return tr(
            "the display {name} cannot be opened ({reason})", name=self._name, reason=reason[:200]
        )

    def check(self, doing: str) -> None:
        """Waits for the process.

        Raises:
            KnownError: the display cannot be opened.
        """
        found = self.trouble()
        if found:
            raise KnownError(doing, found, tr("Start it from a desktop, or run: taptrail doctor."))
