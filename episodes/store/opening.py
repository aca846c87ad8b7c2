"""Connections to a library's database."""

from __future__ import annotations

import datetime
import sqlite3
import stat
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import quote

from episodes.errors import KnownError
from episodes.operating_system import sync_file, sync_folder
from episodes.store.digests import Digests, add_columns, fill
from episodes.store.places import DATABASE, LOCK
from episodes.store.revision_file import NAME as REVISION_FILE

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID = 0x54545231  # "TTR1"
SCHEMA_VERSION = 11
BUSY_MS = 5000
CHECKPOINT_MS = 200
_HARMLESS = (LOCK, REVISION_FILE, "lost+found", ".DS_Store")


def open_writable(folder: Path) -> Database:
    """Returns the writable connection, upgraded to the schema of this program.

    The caller holds the writer's lock.

    Raises:
        KnownError: the database is not a library's, or newer than this program.
    """
    path = folder / DATABASE
    connection = sqlite3.connect(path, timeout=BUSY_MS / 1000)
    try:
        version = _version(connection, folder, new=not _has_tables(connection))
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")  # a commit outlives a loss of power
        connection.execute("PRAGMA foreign_keys = ON")
        db = _database(connection)
        if version < SCHEMA_VERSION:
            _upgrade(db)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            sync_folder(folder)
        Digests(db).install()
    except BaseException:
        connection.close()
        raise
    return db


def open_readable(folder: Path) -> Database:
    """Returns a read-only connection for one thread.

    A library on a read-only disk or in a read-only folder is opened as immutable.

    Raises:
        KnownError: the folder is not a library, has another version, or holds a log that only a
            writer can merge into the database.
    """
    path = folder / DATABASE
    if not there_is(path):
        raise missing(folder)
    try:
        return _readable(folder, "mode=ro")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
        with path.open("rb"):  # nobody reads it like that if it may not be read
            pass
        log = path.with_name(f"{DATABASE}-wal")
        if log.exists() and log.stat().st_size:
            raise KnownError(
                f"open the library {folder}",
                f"{log.name} holds what is not in {DATABASE} yet, and it cannot be written",
                "Make the folder writable, or copy all of it to where you may write.",
            ) from error
    # SQLite shares a WAL database through a file it makes beside it. Here none can be made, and
    # nobody who could write has the library open, or their files would be there.
    return _readable(folder, "mode=ro&immutable=1")


def _readable(folder: Path, how: str) -> Database:
    path = quote(str((folder / DATABASE).resolve()))
    connection = sqlite3.connect(f"file:{path}?{how}", uri=True, timeout=BUSY_MS / 1000)
    try:
        empty = not _has_tables(connection)
        version = _version(connection, folder, new=empty)
        if empty:
            raise KnownError(
                f"open the library {folder}",
                "it was begun and never finished, as on a full disk",
                "Record or import something into it, or delete the folder.",
            )
        if version < SCHEMA_VERSION:
            raise KnownError(
                f"open the library {folder}",
                "an older version of Taptrail made it",
                "Bring it up to date with: taptrail episodes check --repair; or open it in the "
                "window.",
            )
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        connection.close()
        raise
    # Reading needs nothing of sqlite-utils, which takes half a second to load.
    return cast("Database", ReadConnection(connection))


@dataclass(frozen=True)
class ReadConnection:
    """What readers use of a `sqlite_utils.Database`."""

    conn: sqlite3.Connection

    @contextmanager
    def atomic(self) -> Iterator[None]:
        """Does nothing: the first statement that writes fails, because SQLite only reads here."""
        yield

    def close(self) -> None:
        """Closes the connection."""
        self.conn.close()


def _database(connection: sqlite3.Connection) -> Database:
    from sqlite_utils import Database

    return Database(connection, execute_plugins=False)


def there_is(path: Path) -> bool:
    """Returns whether the file exists.

    Raises:
        OSError: it cannot be determined: a folder may not be entered, or the path is too long.
    """
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def check_new(folder: Path) -> None:
    """Checks that a folder is empty before it becomes a library.

    Raises:
        KnownError: the folder is not empty.
    """
    if not folder.is_dir() or there_is(folder / DATABASE):
        return
    found = sorted(path.name for path in folder.iterdir() if path.name not in _HARMLESS)
    if found:
        listed = ", ".join(found[:3]) + (" and more" if len(found) > 3 else "")
        raise KnownError(
            f"make a library in {folder}",
            f"there is something else in it ({listed})",
            "Choose a new or an empty folder, or a library's folder.",
        )


def make_durable(db: Database, folder: Path) -> None:
    """Makes all commits survive a loss of power.

    Moves the log into the database. If a reader or a full disk prevents that, syncs the log
    instead, which is equally safe.
    """
    db.conn.execute(f"PRAGMA busy_timeout = {CHECKPOINT_MS}")
    try:
        (stopped, _, _) = db.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.OperationalError:
        stopped = 1
    db.conn.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    if stopped:
        sync_file(folder / f"{DATABASE}-wal")
    sync_folder(folder)


def missing(folder: Path) -> KnownError:
    """Returns the error for a folder without a library."""
    return KnownError(
        f"open the library {folder}",
        "there is no library.db in it",
        "Choose a library's folder, or record or import something into a new one.",
    )


def _version(connection: sqlite3.Connection, folder: Path, *, new: bool) -> int:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if new and application == version == 0:
        return 0
    if application != APPLICATION_ID:
        raise KnownError(
            f"open the library {folder}",
            "its library.db was made by another program",
            "Choose a library's folder.",
        )
    if version > SCHEMA_VERSION:
        raise KnownError(
            f"open the library {folder}",
            f"it has schema version {version}, and this program knows up to {SCHEMA_VERSION}",
            "Update Taptrail.",
        )
    return int(version)


def _has_tables(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None


def _upgrade(db: Database) -> None:
    from episodes.store.migrations import migrate  # it loads sqlite-utils

    with db.atomic():
        migrate(db)
        add_columns(db)
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        db.conn.execute(
            "INSERT OR IGNORE INTO library (id, uuid, created_utc, revision) VALUES (1, ?, ?, 0)",
            (str(uuid.uuid4()), now),
        )
        fill(db)
