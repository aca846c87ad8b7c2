"""What merging another library did, and what both libraries say differently."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Conflict:
    """Something both libraries say differently; what is here stayed.

    Attributes:
        step: its number here; None where it is about the episode.
        operation: the edit's name in the journal.
        here, there: what each says, as JSON text; `here` is "" where the edit makes no sense here.
    """

    episode: str
    step: int | None
    operation: str
    here: str
    there: str


@dataclass(slots=True)
class MergeReport:
    """What became of the other library's episodes, edits, pictures and runs.

    Attributes:
        added: (name there, name here) of the episodes that were not here.
        merged: names of those that got new edits.
        unchanged: how many had nothing new.
        edits: how many lines of the journal are new, conflicts included.
        refused: (which, why) of episodes and runs that did not come in.
        missing: files the other library speaks of and does not have, or has with other bytes.
        files: how many files were copied.
        runs: names of the runs that came in.
    """

    added: list[tuple[str, str]] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)
    unchanged: int = 0
    edits: int = 0
    conflicts: list[Conflict] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    files: int = 0
    runs: list[str] = field(default_factory=list)

    @property
    def changed(self) -> bool:
        """Whether this library is another than before."""
        return bool(self.added or self.merged or self.runs)
