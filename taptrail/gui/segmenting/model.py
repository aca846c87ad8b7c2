"""The shared SAM 2 of a window, so that there is only one process and one copy in memory."""

from __future__ import annotations

import threading
from collections.abc import Callable

from annotator.segmenters import Segmenter


class SharedModel:
    """Opens SAM 2 at the first request and closes it with the window. Thread-safe.

    Args:
        opening: returns SAM 2; it searches for the checkpoint, so do not call it on the GUI thread.
    """

    def __init__(self, opening: Callable[[], Segmenter]) -> None:
        self._opening = opening
        self._lock = threading.Lock()
        self._sam2: Segmenter | None = None

    def opened(self) -> Segmenter:
        """Returns SAM 2.

        Raises:
            KnownError: there is no checkpoint; the next call searches again.
        """
        with self._lock:
            if self._sam2 is None:
                self._sam2 = self._opening()
            return self._sam2

    def replace(self, opening: Callable[[], Segmenter]) -> None:
        """Uses another model from the next request on."""
        self._opening = opening
        self.close()

    def close(self) -> None:
        """Ends the process; pending requests are cancelled."""
        with self._lock:
            sam2, self._sam2 = self._sam2, None
        if sam2 is not None:
            sam2.close()
