"""What the Reader app remembers: bookmarks with their page, and the size of its type. SQLite."""

from __future__ import annotations

from demophone.apps.app import Files
from demophone.apps.database import Database

PATH = "/data/data/com.taptrail.demo.reader/databases/reader.db"
SIZES = {"Small": 14.5, "Normal": 16.5, "Large": 19.0, "Largest": 22.0}
_SCHEMA = """
CREATE TABLE bookmarks (article TEXT PRIMARY KEY, page INTEGER NOT NULL, offset_dp REAL NOT NULL);
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


class Bookmarks:
    """Reads and writes them."""

    def __init__(self, files: Files) -> None:
        self._database = Database(files, PATH, _SCHEMA, [])
        self._version = (0, 0)
        self._marks: dict[str, tuple[int, float]] = {}
        self._size = "Normal"

    def all(self) -> dict[str, tuple[int, float]]:
        """Page and place in dp, by article."""
        self._refresh()
        return self._marks

    def put(self, slug: str, page: int, offset: float) -> None:
        """Marks a place; an article has one mark."""
        self._database.run("INSERT OR REPLACE INTO bookmarks VALUES (?, ?, ?)", slug, page, offset)

    def remove(self, slug: str) -> None:
        """Takes an article's mark away."""
        self._database.run("DELETE FROM bookmarks WHERE article = ?", slug)

    @property
    def size(self) -> str:
        """The name of the type's size."""
        self._refresh()
        return self._size

    def set_size(self, name: str) -> None:
        """Changes the type's size."""
        self._database.run("INSERT OR REPLACE INTO settings VALUES ('type_size', ?)", name)

    def reset(self) -> None:
        """Forgets everything."""
        self._database.reset()

    def _refresh(self) -> None:
        """Reads anew what changed, also from outside."""
        version = self._database.version
        if version == self._version:
            return
        rows = self._database.rows("SELECT article, page, offset_dp FROM bookmarks")
        self._marks = {slug: (page, offset) for slug, page, offset in rows}
        sizes = self._database.rows("SELECT value FROM settings WHERE name = 'type_size'")
        self._size = sizes[0][0] if sizes and sizes[0][0] in SIZES else "Normal"
        self._version = version
