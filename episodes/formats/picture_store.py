"""Puts imported pictures into a library's still files.

Bytes are kept unchanged. A store for many pictures checks that each is whole without decoding
it, because decoding would take most of the time of an import; `Library.fill_signatures` adds the
signatures later. Another store decodes each picture. A picture that a file names many times is
checked once: a picture of few bytes may be one of many pixels.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from episodes.errors import KnownError
from episodes.formats.input_files import BadPicture, file_bytes
from episodes.geometry import Size
from episodes.media import pictures
from episodes.media.signature import luma_of, signature
from episodes.screens import Still, StillSource
from episodes.store.stills import StillFiles

REMEMBERED = 256


class LibraryPictureStore:
    """Keeps pictures in a library. Any thread."""

    def __init__(self, stills: StillFiles, *, many: bool = False) -> None:
        """`many`: pictures are neither decoded nor synced; their files have their names only after
        `StillFiles.sync_written`."""
        self._stills = stills
        self._many = many
        self._last: dict[str, Still | KnownError] = {}  # by their bytes' SHA-256

    def keep(self, path: Path) -> Still:
        """Keeps the file's bytes, unchanged.

        Raises:
            BadPicture: it cannot be read, is not a picture of a kind we keep, or is too large.
            KnownError: the library cannot be written.
        """
        doing = f"keep the picture {path.name}"
        try:
            data = file_bytes(path, doing, pictures.MAX_BYTES)
        except KnownError as error:
            raise BadPicture(doing, error.found, error.remedy) from error
        return self._kept(data, doing, sync=not self._many)

    def keep_bytes(self, data: bytes, name: str) -> Still:
        """Keeps a picture's bytes, unchanged; `name` says in errors where they come from.

        Raises:
            BadPicture: they are not a picture of a kind we keep, or it is too large.
            KnownError: the library cannot be written.
        """
        return self._kept(data, f"keep the picture {name}", sync=not self._many)

    def keep_pixels(self, pixels: pictures.Pixels, name: str) -> Still:
        """Keeps pixels, (height, width, 3), red first, as a PNG.

        Raises:
            BadPicture: there are more than a screen can have.
            KnownError: the library cannot be written.
        """
        size = Size(pixels.shape[1], pixels.shape[0])
        if size.width * size.height > pictures.MAX_PIXELS:
            raise BadPicture(
                f"keep the picture {name}",
                f"it has {size} pixels, and at most {pictures.MAX_PIXELS} are kept",
                "Leave it out.",
            )
        data = pictures.encode_png(pixels)
        header = pictures.Header("image/png", size)
        luma = None if self._many else luma_of(pixels)
        digest = hashlib.sha256(data).hexdigest()
        return self._still(data, header, luma, digest, sync=not self._many)

    def _kept(self, data: bytes, doing: str, *, sync: bool) -> Still:
        digest = hashlib.sha256(data).hexdigest()
        known = self._last.get(digest)
        if known is None:
            try:
                luma = None
                if self._many:
                    header = pictures.header(data)
                    if not self._stills.has(data, header.media_type, digest):
                        pictures.check_whole(data)
                else:
                    header = pictures.header(data)
                    luma = luma_of(pictures.decode(data))
            except KnownError as error:
                known = error
            else:
                known = self._still(data, header, luma, digest, sync=sync)
            if len(self._last) == REMEMBERED:
                self._last = {}
            self._last[digest] = known
        if isinstance(known, KnownError):
            raise BadPicture(doing, known.found, known.remedy) from known
        return known

    def _still(
        self,
        data: bytes,
        header: pictures.Header,
        luma: pictures.Pixels | None,
        sha256: str,
        *,
        sync: bool,
    ) -> Still:
        return Still(
            sha256=self._stills.write(data, header.media_type, sync=sync, sha256=sha256),
            media_type=header.media_type,
            size=header.size,
            byte_count=len(data),
            source=StillSource.IMPORT,
            lossless=True,
            signature=None if luma is None else signature(luma),
        )
