"""The dialects by name. A new one is a module, a line here, a test table and a section in
`docs/formats.md`."""

from __future__ import annotations

from episodes.errors import KnownError
from replay.dialect import Dialect
from replay.dialects import guiodyssey, raw, taptrail

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect for dialect in (guiodyssey.DIALECT, taptrail.DIALECT)
}


def dialect(name: str, of_text: str = "") -> Dialect:
    """Returns the dialect of a name; "raw" with the dialect its texts are in.

    Raises:
        KnownError: there is none of that name, or "raw" comes without one.
    """
    wanted = of_text if name == "raw" else name
    found = DIALECTS.get(wanted)
    if found is None or (name == "raw" and found is taptrail.DIALECT):
        what = f"dialect of text “{of_text}”" if name == "raw" else f"dialect “{name}”"
        known = ["guiodyssey"] if name == "raw" else [*DIALECTS, "raw"]
        raise KnownError(
            "read the predictions", f"there is no {what}", f"Use one of {', '.join(known)}."
        )
    return raw.with_rows_of_text(found) if name == "raw" else found
