"""Errors of the store, and their conversion into `KnownError`."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from episodes.errors import KnownError

_FULL = "Free some space and try again; what was saved before is whole."

_CODES = {
    sqlite3.SQLITE_FULL: ("the disk is full", _FULL),
    sqlite3.SQLITE_IOERR: ("the disk refused to read or write", _FULL),
    sqlite3.SQLITE_CANTOPEN: ("the file cannot be opened", "Check the folder and its permissions."),
    sqlite3.SQLITE_READONLY: ("it may not be written", "Check the folder's permissions."),
    sqlite3.SQLITE_BUSY: ("another program is writing to it", "Close that program and try again."),
    sqlite3.SQLITE_LOCKED: (
        "another program is writing to it",
        "Close that program and try again.",
    ),
    sqlite3.SQLITE_CORRUPT: ("the database is damaged", "Restore library.db from a copy."),
    sqlite3.SQLITE_NOTADB: ("library.db is not an SQLite file", "Choose a library's folder."),
}
_ERRNOS = {
    errno.ENOSPC: ("the disk is full", _FULL),
    errno.EDQUOT: ("the disk quota is used up", _FULL),
    errno.EFBIG: ("a file may not grow any more", _FULL),
    errno.EACCES: ("it may not be read or written", "Check the folder's permissions."),
    errno.EPERM: ("it may not be read or written", "Check the folder's permissions."),
    errno.EROFS: ("the disk is read-only", "Choose a folder on another disk."),
    errno.ENOENT: ("a file or folder is missing", "Check that the folder is still there."),
    errno.ENOTDIR: ("a part of the path is a file", "Choose a folder."),
    errno.EEXIST: ("something that is no folder is in its place", "Choose a folder."),
    errno.EISDIR: ("a folder is where a file should be", "Choose a library's folder."),
    errno.ELOOP: ("its links lead round in a circle", "Choose a folder."),
    errno.ENAMETOOLONG: ("its path is too long", "Choose a folder with a shorter path."),
    errno.EMFILE: ("too many files are open", "Close some of what runs and try again."),
    errno.ENFILE: ("too many files are open", "Close some of what runs and try again."),
    errno.EIO: ("the disk refused to read or write", _FULL),
}


_CHECK = "Check the library, or restore library.db from a copy."
_NO_COLUMN = "No item with that key"  # what sqlite3.Row says


class NotStorable(ValueError):
    """A value that no table can hold, such as a number that is not finite. The message names it."""


class Damaged(ValueError):
    """A stored value that Taptrail never writes. The message names the value and its place."""


@contextmanager
def convert_errors(doing: str) -> Iterator[None]:
    """Converts errors of the disk and the database into a `KnownError` about `doing`.

    Raises:
        KnownError: the disk or the database failed. A bug in the program propagates unchanged.
    """
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        known = _CODES.get(code & 0xFF) if code is not None else None
        if isinstance(error, sqlite3.OperationalError) and code in (None, sqlite3.SQLITE_ERROR):
            # Our statements are fixed and tested, so the stored schema or a text is damaged.
            known = ("the library is damaged", _CHECK)
        if known is None:
            raise
        raise KnownError(doing, f"{known[0]} ({error})", known[1]) from error
    except OSError as error:
        reason = _ERRNOS.get(error.errno or 0)
        if reason is None:
            raise
        place = f": {error.filename}" if error.filename else ""
        raise KnownError(doing, reason[0] + place, reason[1]) from error
    except UnicodeDecodeError as error:
        found = f"the library is damaged: a text is not UTF-8 ({error.reason})"
        raise KnownError(doing, found, _CHECK) from error
    except IndexError as error:
        if str(error) != _NO_COLUMN:
            raise
        found = "the library is damaged: a table lacks a column"
        raise KnownError(doing, found, _CHECK) from error
    except Damaged as error:
        raise KnownError(doing, f"the library is damaged: {error}", _CHECK) from error
    except NotStorable as error:
        raise KnownError(doing, str(error), "Correct the value and try again.") from error
