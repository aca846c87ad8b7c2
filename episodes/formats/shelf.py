"""Where imported pictures go: a library's still files.

Bytes are kept as they came. Each picture is decoded once, so that a broken one is found when it
comes in, and its signature is there when screens are compared.
"""

from __future__ import annotations

from pathlib import Path

from episodes.errors import KnownError
from episodes.formats.reading import BadPicture, file_bytes
from episodes.media import pictures
from episodes.media.signature import luma_of, signature
from episodes.screens import Still, StillSource
from episodes.store.stills import StillFiles


class LibraryShelf:
    """Keeps pictures in a library. Any thread."""

    def __init__(self, stills: StillFiles) -> None:
        self._stills = stills

    def keep(self, path: Path) -> Still:
        """Keeps the file's bytes, unchanged.

        Raises:
            BadPicture: it cannot be read, is no picture of a kind we keep, or is too large.
            KnownError: the library cannot be written.
        """
        doing = f"keep the picture {path.name}"
        try:
            data = file_bytes(path, doing, pictures.MAX_BYTES)
            header = pictures.header(data)
            luma = luma_of(pictures.decode(data))
        except KnownError as error:
            raise BadPicture(doing, error.found, error.remedy) from error
        return Still(
            sha256=self._stills.write(data, header.media_type),
            media_type=header.media_type,
            size=header.size,
            byte_count=len(data),
            source=StillSource.IMPORT,
            lossless=True,
            signature=signature(luma),
        )
