"""Report of a merge: what was brought in, and where both libraries differ."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Conflict:
    """A difference between both libraries; this library's value was kept.

    Attributes:
        step: its number here; None if the whole episode is concerned.
        operation: the edit's name in the journal.
        here, there: each library's value as JSON text; `here` is "" if the edit cannot be applied
            here.
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
        refused: (name, reason) of episodes and runs that were not merged.
        missing: files that the other library refers to and lacks, or has with other bytes.
        files: how many files were copied.
        runs: names of the runs that were added.
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
        """Whether the merge changed this library."""
        return bool(self.added or self.merged or self.runs)
