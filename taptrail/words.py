"""Every word a person reads passes through `tr`, in the window and on the command line.

The English sentence is the key, as in gettext; a catalogue maps it to another language. Places
for values are named (`{count}`), so that a translation may change their order. It knows nothing
of files or of which language is wanted: `speak` is handed a catalogue.
"""

from __future__ import annotations

from collections.abc import Mapping

from episodes.visible_text import visible_text

_catalogue: Mapping[str, str] = {}


def tr(text: str, plural: str = "", /, *, n: int | None = None, **values: object) -> str:
    """Returns the text in the language spoken, with its named places filled.

    Args:
        text: the English sentence; with `plural`, the one for exactly one thing.
        plural: the English sentence for any other number.
        n: how many; also fills `{n}`, with thousands set apart.
        values: what else to fill in; texts as `visible_text` shows them.
    """
    chosen = plural if plural and n != 1 else text
    spoken = _catalogue.get(chosen, chosen)
    if n is not None:
        values["n"] = f"{n:,}"
    if not values:
        return spoken
    shown = {
        name: visible_text(value) if isinstance(value, str) else value
        for name, value in values.items()
    }
    return spoken.format(**shown)


def speak(catalogue: Mapping[str, str]) -> None:
    """Uses this catalogue (English sentence -> sentence) from now on; {} is English."""
    global _catalogue
    _catalogue = catalogue
