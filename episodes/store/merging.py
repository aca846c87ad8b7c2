# ruff: noqa: S608 - only names of our own tables and columns are put in; values are bound
"""Merges the work of other people, from a copy of this library or another one, into this library.

An episode that this library lacks is copied whole, with its journal. For an episode that both have,
the new edits are replayed one by one under their author's name, if the value they change is the
same as when they were made. Otherwise it is a conflict: this library's value stays, and the edit is
added to the journal as undone, so that a person can redo it. Edits are identified by uuid, so
merging twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from episodes.store.copier import Copier, copy_files
from episodes.store.errors import NotStorable
from episodes.store.merge_report import MergeReport
from episodes.store.places import checked_name
from episodes.store.reading import rows as query
from episodes.store.replaying import SharedEpisode
from episodes.store.splits import merge_splits
from episodes.store.summary_columns import next_revision, refresh
from episodes.store.writing import LibraryRows

if TYPE_CHECKING:
    from sqlite_utils import Database

Progress = Callable[[int, int | None], None]


def merge(
    ours: Database,
    rows: LibraryRows,
    folder: Path,
    theirs: Database,
    their_folder: Path,
    on_progress: Progress | None,
) -> MergeReport:
    """Merges another library into this one; each episode is one transaction."""
    report = MergeReport()
    renamed: dict[str, str] = {}
    episodes = list(query(theirs, "SELECT * FROM episode ORDER BY id"))
    for done, episode in enumerate(episodes, start=1):
        try:
            _episode(ours, rows, folder, theirs, their_folder, episode, renamed, report)
        except NotStorable as error:
            rows.forget()
            report.refused.append((episode["name"], str(error)))
        if on_progress is not None:
            on_progress(done, len(episodes))
    report.refused += merge_splits(ours, theirs, [name for _, name in report.added])
    for run in list(query(theirs, "SELECT * FROM run ORDER BY id")):
        with ours.atomic():
            _run(ours, rows, theirs, run, renamed, report)
    return report


def _episode(
    ours: Database,
    rows: LibraryRows,
    folder: Path,
    theirs: Database,
    their_folder: Path,
    episode: Any,
    renamed: dict[str, str],
    report: MergeReport,
) -> None:
    checked_name(episode["uuid"], "the episode's uuid")
    if episode["state"] == "recording":
        raise NotStorable("it is being recorded there")
    here = _same_episode(ours, episode)
    copied = copy_files(theirs, their_folder, folder, episode, here is None)
    report.files += copied.files
    report.missing += [f"{episode['name']}: {name}" for name in copied.missing]
    copier = Copier(ours, rows, theirs)
    with ours.atomic():
        if here is None:
            name = _free_name(ours, episode)
            copier.episode(episode, name)
            report.added.append((episode["name"], name))
            if name != episode["name"]:
                renamed[episode["name"]] = name
            return
        if here["state"] == "recording":
            raise NotStorable("it is being recorded here")
        if here["name"] != episode["name"]:
            renamed[episode["name"]] = here["name"]
        shared = SharedEpisode(ours, rows, theirs, copier, here, episode, report)
        before = report.edits
        changed = shared.merge()
        if report.edits == before:
            report.unchanged += 1
        else:
            report.merged.append(here["name"])
        if changed or copied.files:
            refresh(ours, here["id"])


def _same_episode(ours: Database, episode: Any) -> Any | None:
    """Returns the same episode in this library: same uuid, or same data set and same content."""
    found = next(query(ours, "SELECT * FROM episode WHERE uuid = ?", (episode["uuid"],)), None)
    if found is not None or episode["dataset"] == "recorded":
        return found
    found = next(
        query(
            ours,
            "SELECT * FROM episode WHERE dataset = ? AND version = ? AND name = ?",
            (episode["dataset"], episode["version"], episode["name"]),
        ),
        None,
    )
    if found is not None and found["content_sha256"] != episode["content_sha256"]:
        raise NotStorable("an episode of that name is here, with other content")
    return found


def _free_name(ours: Database, episode: Any) -> str:
    """Returns the episode's own name, or the next free one: two people's first recordings are both
    “e-0001”."""
    name, number = episode["name"], 1
    while ours.conn.execute(
        "SELECT 1 FROM episode WHERE dataset = ? AND version = ? AND name = ?",
        (episode["dataset"], episode["version"], name),
    ).fetchone():
        number += 1
        name = f"{episode['name']}-{number}"
    return str(name)


def _run(
    ours: Database,
    rows: LibraryRows,
    theirs: Database,
    run: Any,
    renamed: dict[str, str],
    report: MergeReport,
) -> None:
    files = "SELECT name, sha256 FROM run_file WHERE run = ? ORDER BY position"
    known = ours.conn.execute("SELECT id FROM run WHERE name = ?", (run["name"],)).fetchone()
    if known is not None:
        same = (
            ours.conn.execute(files, known).fetchall()
            == theirs.conn.execute(files, (run["id"],)).fetchall()
        )
        if not same:
            report.refused.append((run["name"], "another run has its name here"))
        return
    of_recorded = run["dataset"] in ("", "recorded")
    if of_recorded and renamed and run["step_set"] is not None:
        marks = ", ".join("?" * len(renamed))
        if theirs.conn.execute(
            "SELECT 1 FROM step_set_member WHERE step_set = ? AND dataset = 'recorded' "
            f"AND episode IN ({marks})",
            (run["step_set"], *renamed),
        ).fetchone():
            why = "its step set names episodes that have another name here"
            report.refused.append((run["name"], why))
            return
    Copier(ours, rows, theirs).run(run, renamed if of_recorded else {})
    next_revision(ours)
    report.runs.append(run["name"])
