import re
from pathlib import Path

import pytest

from episodes.store.migrations import NAMES, migrations

DOCUMENT = Path(__file__).parents[3] / "docs" / "schema.md"
TABLE = re.compile(r"^## (\w+)$", re.MULTILINE)
COLUMN = re.compile(r"^\| `(\w+)` \| (\w+)(, may be NULL)? \| (.*) \|$", re.MULTILINE)


@pytest.fixture
def real(library):
    """Table -> column -> (type, may be NULL, the table it points to)."""
    ask = library._db.conn.execute
    tables = [
        name
        for (name,) in ask(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
            "AND name NOT LIKE '_sqlite_%' AND name NOT LIKE 'instruction_fts_%'"
        )
    ]
    schema = {}
    for table in tables:
        points = {row[3]: row[2] for row in ask(f"PRAGMA foreign_key_list({table})")}
        schema[table] = {
            name: (kind.lower() or "text", not (full or key), points.get(name))
            for _, name, kind, full, _, key in ask(f"PRAGMA table_info({table})")
        }
    for table, columns in schema.items():
        if table != "instruction_fts":
            assert columns.pop("digest") == ("integer", True, None)
    schema["instruction_fts"] = {"text": ("text", False, None)}
    return schema


def documented():
    _, *parts = TABLE.split(DOCUMENT.read_text("utf-8"))
    schema = {}
    for table, text in zip(parts[::2], parts[1::2], strict=True):
        columns = {}
        for name, kind, null, meaning in COLUMN.findall(text):
            target = re.search(r"→ `(\w+)`$", meaning)
            assert meaning.strip(), f"{table}.{name} is not explained"
            columns[name] = (kind, bool(null), target and target[1])
        schema[table] = columns
    return schema


def test_every_table_and_column_is_in_the_document_with_its_type(real):
    assert documented() == real


def test_the_version_counts_the_migrations():
    assert [migration.name for migration in migrations._migrations] == list(NAMES)
