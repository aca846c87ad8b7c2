"""Cache of screenshots for widgets, loaded and scaled on other threads.

A window has two: small pictures for lists and strips, full-size ones for frames. `find` returns the
file of a picture; the cache knows nothing else about libraries.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QImage, QImageReader

from episodes.errors import KnownError
from episodes.screens import Still
from taptrail.gui.work import WorkThread

MAX_PIXELS = 64_000_000


class Pictures(QObject):
    """Decoded screenshots by hash, at most `room` bytes.

    Args:
        thread: reads the files.
        find: returns the file of a screenshot; called on that thread.
        across: width in device pixels to scale to; 0 keeps the size.
        room: size of the cache in bytes.

    Signals:
        ready: the hash of a screenshot that was loaded or found missing.
    """

    ready = Signal(str)

    def __init__(
        self,
        thread: WorkThread[None],
        find: Callable[[Still], Path],
        *,
        across: int,
        room: int,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._thread, self._find, self._across, self._room = thread, find, across, room
        self._kept: OrderedDict[str, QImage | None] = OrderedDict()
        self._size = 0
        self._asked: set[str] = set()

    def get(self, still: Still, *, next_up: bool = False) -> QImage | None:
        """Returns the picture if it is loaded; else requests it, and `ready` follows.

        Args:
            next_up: whether to queue it first, for a picture the user is looking at.
        """
        if still.sha256 in self._kept:
            self._kept.move_to_end(still.sha256)
            return self._kept[still.sha256]
        if still.sha256 not in self._asked:
            self._asked.add(still.sha256)
            self._thread.run(
                lambda _: read_picture(self._find(still), self._across),
                owner=self,
                done=lambda image: self._keep(still.sha256, image),
                failed=lambda error: self._lost(still.sha256, error),
                next_up=next_up,
            )
        return None

    def missing(self, still: Still) -> bool:
        """Returns whether the file was found to be missing or not a picture."""
        return still.sha256 in self._kept and self._kept[still.sha256] is None

    def room_for(self, still: Still) -> int:
        """Returns how many pictures of this size fit into the cache."""
        return self._room // (still.size.width * still.size.height * 4)

    def waiting(self) -> int:
        """Returns the number of requested pictures that are not loaded yet."""
        return len(self._asked)

    def kept_bytes(self) -> int:
        """Returns the size of the loaded pictures in bytes."""
        return self._size

    def _keep(self, sha256: str, image: QImage | None) -> None:
        self._asked.discard(sha256)
        self._kept[sha256] = image
        self._size += image.sizeInBytes() if image is not None else 0
        while self._size > self._room and len(self._kept) > 1:
            _, dropped = self._kept.popitem(last=False)
            self._size -= dropped.sizeInBytes() if dropped is not None else 0
        self.ready.emit(sha256)

    def _lost(self, sha256: str, _error: KnownError) -> None:
        self._keep(sha256, None)


def read_picture(file: Path, across: int = 0) -> QImage:
    """Returns a file's picture, at most `across` pixels wide unless that is 0. Thread-safe.

    Raises:
        KnownError: the file does not exist, is not a picture, or has more than MAX_PIXELS.
    """
    reader = QImageReader(str(file))
    reader.setDecideFormatFromContent(True)
    size = reader.size()
    remedy = "Import the pictures again, or check the library."
    if size.width() * size.height() > MAX_PIXELS:
        found = f"it has {size.width()} x {size.height()} pixels"
        raise KnownError(f"show {file.name}", found, "Make it smaller.")
    if across and size.width() > across:
        reader.setScaledSize(
            size.scaled(QSize(across, 1 << 20), Qt.AspectRatioMode.KeepAspectRatio)
        )
    image = reader.read()
    if image.isNull():
        raise KnownError(f"show {file.name}", reader.errorString(), remedy)
    return image.convertToFormat(QImage.Format.Format_RGB32)
