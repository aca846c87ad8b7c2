"""Reading does not change a library of an older version; a command upgrades it."""

import sqlite3
from pathlib import Path

from episodes.store import migrations

FIRST = Path(migrations.__file__).parent / "m001_nouns.sql"


def test_the_command_that_is_named_brings_a_library_up_to_date(taptrail, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "library.db") as db:
        db.executescript(FIRST.read_text())
        db.execute("INSERT INTO library VALUES (1, 'library', '2026-01-01', 0)")
        db.execute(
            "CREATE TABLE _sqlite_migrations (id INTEGER PRIMARY KEY, migration_set TEXT, "
            "name TEXT, applied_at TEXT)"
        )
        db.execute(
            "INSERT INTO _sqlite_migrations VALUES (1, 'taptrail', 'm001_nouns', '2026-01-01')"
        )
        db.execute("PRAGMA user_version = 1")
        db.execute(f"PRAGMA application_id = {migrations.APPLICATION_ID}")
    db.close()
    listing = ("episodes", "list", "--library", str(tmp_path))
    told = taptrail(*listing)
    assert told.code == 1
    assert "an older version of Taptrail made it" in told.err
    assert "taptrail episodes check --repair" in told.err
    assert taptrail("episodes", "check", "--repair", "--library", str(tmp_path)).code == 0
    assert taptrail(*listing).code == 0
