"""Parquet tables of episodes, as `taptrail export parquet` writes them.

The column `line` of episodes and steps holds what the format taptrail has in a line, and is what
is read, with the bytes of trees, masks and pictures; pictures may lie in files beside. The tables
are read side by side, so one episode and a few rows are in memory at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from episodes.codec import BadValue
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats import parquet_tables as tables
from episodes.formats.input_files import (
    MAX_LINE_BYTES,
    BadName,
    BadPicture,
    ImportNote,
    PictureStore,
    Refused,
    json_value,
    path_inside,
)
from episodes.formats.taptrail import MAX_TREE_BYTES, FolderAttachments, LineReader, refuse_repeated
from episodes.media import pictures
from episodes.screens import Still


def count(path: Path) -> int:
    """Returns how many episodes there are.

    Raises:
        KnownError: pyarrow is not installed, or there is no table of episodes.
    """
    doing = f"import Parquet from {path}"
    return sum(1 for _ in tables.TableReader(_folder(path, doing), tables.EPISODES, doing).all())


def read(
    path: Path, picture_store: PictureStore, version: str = ""
) -> Iterator[Episode | Refused | ImportNote]:
    """Yields the episodes of a folder of tables, and what was refused.

    Raises:
        KnownError: pyarrow is not installed, or a table is missing or broken.
    """
    doing = f"import Parquet from {path}"
    folder = _folder(path, doing)
    episodes = tables.TableReader(folder, tables.EPISODES, doing)
    steps = tables.TableReader(folder, tables.STEPS, doing)
    files = _TableFiles(folder, picture_store, doing)
    reader = LineReader(files)
    seen: set[tuple[str, ...]] = set()
    for number, row in enumerate(episodes.all()):
        where = f"{tables.EPISODES} row {number}"
        if not row["uuid"]:
            yield Refused(where, "it has no uuid")
            continue
        files.begin(row["uuid"])
        yield from _line(reader, row["line"], where)
        for place, step in enumerate(steps.of(row["uuid"])):
            at = f"{where}, its row {place} of {tables.STEPS}"
            yield from _line(reader, step["line"], at)
        done = reader.end()
        if done is not None:
            yield from refuse_repeated(done, seen, where)
    rest = {tables.STEPS: steps.rest(), **files.rest()}
    for name, left in rest.items():
        if left:
            yield Refused(name, "its rows are of no episode, or not in the episodes' order", left)


def _folder(path: Path, doing: str) -> Path:
    folder = path if path.is_dir() else path.parent
    if not (folder / tables.EPISODES).is_file():
        raise KnownError(
            doing, f"there is no {tables.EPISODES}", "Give the folder that holds the tables."
        )
    return folder


def _line(reader: LineReader, text: str | None, where: str) -> Iterator[Refused | ImportNote]:
    if text is None or len(text) > MAX_LINE_BYTES:
        yield Refused(where, "its line is missing, or too long")
        return
    try:
        value = json_value(text.encode(errors="replace"))
        reader.line(value, tables.EPISODES)
    except BadValue as error:
        list(reader.problems(where))  # a line that is not taken lacks no picture
        yield Refused(where, str(error))
        return
    except ValueError as error:
        yield Refused(where, str(error))
        return
    yield from reader.problems(where)


class _TableFiles:
    """The files that lines name, as rows of the tables; those of one episode at a time."""

    def __init__(self, folder: Path, picture_store: PictureStore, doing: str) -> None:
        self._picture_store = picture_store
        self._beside = FolderAttachments(folder, picture_store)
        self._folder = folder
        self._rows = {
            name: tables.TableReader(folder, name, doing)
            for name in (tables.PICTURES, tables.TREES, tables.REGIONS)
        }
        self._uuid = ""
        self._kept: dict[str, Still | str] = {}

    def begin(self, uuid: str) -> None:
        """Advances to an episode; skips the rest of the previous one."""
        for rows in self._rows.values():
            for _ in rows.of(self._uuid):
                pass
        self._uuid, self._kept = uuid, {}

    def rest(self) -> dict[str, int]:
        """Returns how many rows of each table belonged to no episode."""
        self.begin("")
        return {name: rows.rest() for name, rows in self._rows.items()}

    def picture(self, name: str) -> Still | str:
        """Returns the stored picture, or why there is none."""
        if not name.isprintable():
            raise BadName("holds characters that no name has")
        if name not in self._kept:
            for row in self._rows[tables.PICTURES].of(self._uuid):
                if row["name"] is not None:
                    self._kept.setdefault(row["name"], self._picture(row["name"], row["data"]))
                if row["name"] == name:
                    break
        return self._kept.get(name, "the picture is not there")

    def data(self, name: str) -> bytes:
        """Returns the bytes of a tree or a mask."""
        if not name.isprintable():
            raise BadName("holds characters that no name has")
        table = tables.REGIONS if name.startswith("masks/") else tables.TREES
        for row in self._rows[table].of(self._uuid):
            if row["name"] != name:
                continue
            data: bytes = row["data"] or b""
            if len(data) > MAX_TREE_BYTES:
                break
            return data
        doing = f"read {name[:80]}"
        found = f"{table} has no such row, or it is too large or out of order"
        raise KnownError(doing, found, "Write the tables again.")

    def _picture(self, name: str, data: bytes | None) -> Still | str:
        if data is None:
            try:
                path_inside(self._folder, name)
                return self._beside.picture(name)
            except BadName as error:
                return f"the picture's name {name[:80]!r} {error}"
        if len(data) > pictures.MAX_BYTES:
            return f"the picture has {len(data)} bytes; at most {pictures.MAX_BYTES} are read"
        try:
            return self._picture_store.keep_bytes(data, name[:80])
        except BadPicture as error:
            return f"the picture cannot be used: {error.found}"
