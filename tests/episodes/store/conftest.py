import pytest

from episodes.store.digests import Digests, changed_rows
from episodes.store.library import Library


def unfit(library):
    """The rows whose digest does not fit, by table."""
    tables = Digests(library._db).tables.values()
    found = {one.name: list(changed_rows(library._db.conn, one)) for one in tables}
    return {name: rows for name, rows in found.items() if rows}


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "library") as library:
        yield library
        if library.writable:  # still open
            assert unfit(library) == {}
