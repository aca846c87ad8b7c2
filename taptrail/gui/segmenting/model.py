"""The one SAM 2 of a window: whoever asks has the same, so there is one process and one memory."""

from __future__ import annotations

import threading
from collections.abc import Callable

from annotator.segmenters import Segmenter


class SharedModel:
    """Opens SAM 2 with the first question and closes it with the window. Any thread.

    Args:
        opening: returns it; looks for the checkpoint, so not for the GUI thread.
    """

    def __init__(self, opening: Callable[[], Segmenter]) -> None:
        self._opening = opening
        self._lock = threading.Lock()
        self._sam2: Segmenter | None = None

    def opened(self) -> Segmenter:
        """Returns SAM 2.

        Raises:
            KnownError: there is no checkpoint; it is looked for again the next time.
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
        """Ends the process; whoever waits for an answer is told that it was given up."""
        with self._lock:
            sam2, self._sam2 = self._sam2, None
        if sam2 is not None:
            sam2.close()
