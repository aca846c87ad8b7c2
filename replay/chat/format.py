"""Chat rows as a format beside those of `episodes.formats`. Its versions are dialects."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from episodes.episodes import Episode
from episodes.formats import Format
from episodes.formats.input_files import StillPaths
from episodes.formats.output_files import WriteReport
from episodes.formats.private_boxes import Write, with_private_parts_covered
from replay.chat.reading import NAME, count, read
from replay.chat.rows import ChatForm, write
from replay.dialects import DIALECTS


def writing(form: ChatForm) -> Write:
    """Returns the writer of a form; the version is the dialect if the form has none."""

    def write_rows(
        episodes: Iterable[Episode], folder: Path, stills: StillPaths, version: str
    ) -> WriteReport:
        dialect = form.dialect or version
        whole = ChatForm(
            dialect, form.coordinates, form.scroll, form.level, form.style, form.history
        )
        return write(episodes, folder, stills, whole)

    return with_private_parts_covered(write_rows)


FORMAT = Format(
    NAME, "Chat rows to train models on", tuple(DIALECTS), count, read, writing(ChatForm(""))
)
