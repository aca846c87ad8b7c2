"""Pictures of screens for widgets: read and made small on other threads, kept while there is room.

Two of these serve a window: small ones for lists and strips, whole ones for frames. It knows
where a picture's file is from `find`, and nothing else of libraries.
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
    """Decoded stills by their hash, at most `room` bytes of them.

    Args:
        thread: where files are read.
        find: where the file of a still lies; called on that thread.
        across: width in device pixels to make them small to; 0 keeps the size.
        room: bytes of pictures to keep.

    Signals:
        ready: the hash of a still whose picture (or the lack of one) is known now.
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
        """Returns the picture if it is loaded; else asks for it, and `ready` follows.

        Args:
            next_up: before the others that wait, for a picture a person looks at now.
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
        """Returns whether the file was looked for and is not there or no picture."""
        return still.sha256 in self._kept and self._kept[still.sha256] is None

    def room_for(self, still: Still) -> int:
        """Returns how many pictures of a still's size there is room for."""
        return self._room // (still.size.width * still.size.height * 4)

    def waiting(self) -> int:
        """Returns how many pictures were asked for and are not loaded yet."""
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
    """Returns a file's picture, at most `across` pixels wide where that is not 0. Any thread.

    Raises:
        KnownError: there is no such file, it is no picture, or it is larger than MAX_PIXELS.
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
