# ruff: noqa: S608 - only names of our own tables and columns are put in; values are bound
"""Checks the data of the whole library: the database, and files without a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from episodes.media.segment_files import index_path
from episodes.store import finding_counts, queries, runs, splits
from episodes.store.digests import DigestColumns, Digests, changed_rows, schema_digest
from episodes.store.findings import Findings, Repair
from episodes.store.orphans import ORPHANS
from episodes.store.places import EPISODES, FRAMES, SUFFIXES, still_path
from episodes.store.revision_file import RevisionFile
from episodes.store.stills import UNFINISHED

MAX_LISTED = 100  # changed rows of a table
_MISFIT = "it was changed outside Taptrail, or the disk has damaged it"
_REPAIRS_READ = frozenset(
    ("episode", "segment", "packet", "frame", "still", "step", "tree", "tree_data")
)
_OF_STEP = ("gesture", "region", "gold", "private_box")
_NAMED_BY_TEXT = ("prediction", "orphan", "verdict", "step_set_member")


def check_database(findings: Findings, episodes: Sequence[int] | None) -> set[str]:
    """Compares the digest of every row, and returns the names of the episodes with changed rows.

    Args:
        episodes: check only rows of these episodes. None checks all rows, the schema and the file's
            structure.
    """
    before = len(findings.report.faults)
    if episodes is None:
        _structure(findings)
        findings.damaged = len(findings.report.faults) > before
    changed: set[str] = set()
    conn = findings.db.conn
    conn.text_factory = lambda text: text.decode("utf-8", "replace")  # damage must not stop it
    try:
        with findings.looking_at("", "library.db"):
            for table in Digests(findings.db).tables.values():
                with findings.looking_at("", f"table {table.name}"):
                    changed |= _rows(findings, table, episodes)
    finally:
        conn.text_factory = str
    return changed


def _structure(findings: Findings) -> None:
    conn = findings.db.conn
    with findings.looking_at("", "library.db"):
        for (found,) in conn.execute("PRAGMA integrity_check").fetchall():
            if found != "ok":
                findings.add("", "library.db", str(found))
        for table, row, parent, _ in conn.execute("PRAGMA foreign_key_check").fetchall():
            findings.add("", "library.db", f"row {row} of {table} points to no row of {parent}")
    with findings.looking_at("", "library.db"):
        (told,) = conn.execute("SELECT schema_digest FROM library").fetchone()
        if told != schema_digest(findings.db):
            findings.add("", "library.db", f"the schema is another one: {_MISFIT}")


def _rows(findings: Findings, table: DigestColumns, episodes: Sequence[int] | None) -> set[str]:
    where = "1" if episodes is None else _where(table, episodes)
    if not where:
        return set()
    conn = findings.db.conn
    (count,) = conn.execute(f"SELECT count(*) FROM {table.name} WHERE {where}").fetchone()
    findings.report.rows += count
    names, more = set(), 0
    for number, row in enumerate(changed_rows(conn, table, where)):
        if table.name in _REPAIRS_READ:
            findings.damaged = True
        if number >= MAX_LISTED:
            more += 1
            continue
        episode, place = _place(findings, table, row)
        names.add(episode)
        findings.add(episode, place, _MISFIT)
    if more:
        findings.add("", f"table {table.name}", f"{more} more rows: {_MISFIT}")
    return names


def _where(table: DigestColumns, episodes: Sequence[int]) -> str:
    """Returns the condition for the rows of some episodes; "" for a table without episodes."""
    keys = f"({', '.join(map(str, episodes))})"
    if table.name == "episode":
        return f"id IN {keys}"
    if table.name == "packet":
        return f"segment IN (SELECT id FROM segment WHERE episode IN {keys})"
    steps = f"(SELECT id FROM step WHERE episode IN {keys})"
    if table.name == "mask":
        return f"region IN (SELECT id FROM region WHERE step IN {steps})"
    if table.name in _OF_STEP:
        return f"step IN {steps}"
    if "episode" in table.columns and table.name not in _NAMED_BY_TEXT:
        return f"episode IN {keys}"
    return ""


def _place(findings: Findings, table: DigestColumns, row: dict[str, Any]) -> tuple[str, str]:
    """Returns the episode a row belongs to, by name, and its place there."""
    keys = ", ".join(str(row[key])[:40] for key in table.keys)
    own = f"{table.name} {keys}"
    if table.name == "episode":
        return str(row["name"]), "the episode"
    if table.name in _NAMED_BY_TEXT:
        return str(row["episode"]), f"{table.name} of step {row['step']}"
    if table.name == "mask":
        return _found(findings, _MASK_STEP, row["region"], "mask of step {}") or ("", own)
    if table.name == "packet":
        text = f"packet {row['number']} of {{}}"
        return _found(findings, _PACKET_FILE, row["segment"], text) or ("", own)
    if table.name in _OF_STEP:
        return _found(findings, _STEP, row["step"], f"{table.name} of step {{}}") or ("", own)
    if "episode" in table.columns:
        number = row["number"] if table.name == "step" else keys
        place = f"{table.name} {number}"
        return _found(findings, _EPISODE, row["episode"], place) or ("", own)
    return "", own


_EPISODE = "SELECT name, '' FROM episode WHERE id = ?"
_STEP = "SELECT name, number FROM step JOIN episode ON episode.id = episode WHERE step.id = ?"
_MASK_STEP = (
    "SELECT name, step.number FROM region JOIN step ON step.id = step "
    "JOIN episode ON episode.id = episode WHERE region.id = ?"
)
_PACKET_FILE = (
    "SELECT name, file FROM segment JOIN episode ON episode.id = episode WHERE segment.id = ?"
)


def _found(findings: Findings, sql: str, key: Any, text: str) -> tuple[str, str] | None:
    row = findings.db.conn.execute(sql, (key,)).fetchone()
    return None if row is None else (str(row[0]), text.format(row[1]))


def check_values(findings: Findings) -> None:
    """Reads the runs, splits, counts and the search index."""
    db = findings.db
    with findings.looking_at("", "the runs"):
        for run in runs.list_runs(db):
            with findings.looking_at("", f"the run “{run.name}”"):
                for _ in runs.predictions(db, run.name, None):
                    pass
                for _ in runs.orphans(db, run.name):
                    pass
                for protocol, version, revision in runs.kept_scores(db, run.name):
                    runs.kept_verdicts(db, run.name, protocol, version, revision)
    with findings.looking_at("", "the splits"):
        splits.known_splits(db)
    with findings.looking_at("", "the lists"):
        queries.facets(db)
        queries.authors(db)
        finding_counts.due(db, "")
    with findings.looking_at("", "the search index"):
        _search_index(findings)


def _search_index(findings: Findings) -> None:
    """Compares the search index of the instructions with one built anew."""
    conn = findings.db.conn
    (read_only,) = conn.execute("PRAGMA query_only").fetchone()
    conn.executescript(
        "PRAGMA query_only = OFF; PRAGMA temp_store = MEMORY;"
        "CREATE VIRTUAL TABLE temp.fresh USING fts5 (text, content = '', tokenize = 'trigram');"
        "INSERT INTO temp.fresh (rowid, text) SELECT id, text FROM main.instruction;"
        "CREATE VIRTUAL TABLE temp.kept_words USING fts5vocab (main, instruction_fts, instance);"
        "CREATE VIRTUAL TABLE temp.fresh_words USING fts5vocab (temp, fresh, instance);"
    )
    try:
        kept, fresh = "SELECT * FROM temp.kept_words", "SELECT * FROM temp.fresh_words"
        for one, other in ((kept, fresh), (fresh, kept)):
            if conn.execute(f"SELECT 1 FROM ({one} EXCEPT {other}) LIMIT 1").fetchone():
                found = "it does not fit the instructions"
                findings.add("", "the search index", found, lambda: _rebuilt(findings))
                return
    finally:
        for name in ("kept_words", "fresh_words", "fresh"):
            conn.execute(f"DROP TABLE IF EXISTS temp.{name}")
        conn.execute(f"PRAGMA query_only = {read_only}")


def _rebuilt(findings: Findings) -> str:
    with findings.db.atomic():
        findings.db.conn.execute("INSERT INTO instruction_fts (instruction_fts) VALUES ('rebuild')")
    return "built again"


def check_lost(findings: Findings, revision_file: RevisionFile) -> None:
    """Reports revisions that were saved and are missing in the database."""
    with findings.looking_at("", "library.db"):
        lost = revision_file.lost(queries.revision(findings.db, None))
        for first, last in lost:
            changes = f"change {first}" if first == last else f"changes {first} to {last}"
            found = f"{changes} had been saved and are gone, as after a power cut"
            findings.add("", "library.db", found, lambda: "noted; they cannot be brought back")
        if lost and findings.rows is not None and not findings.damaged:
            revision_file.forget_lost()


def check_files(findings: Findings, before: float, seen: set[str]) -> None:
    """Finds pictures and trees that no step uses, and files without a row.

    Args:
        before: seconds since the epoch; files changed later may be about to get their row.
        seen: the hashes of the pictures that steps show.
    """
    with findings.looking_at("", FRAMES):
        _unused_rows(findings, seen)
    with findings.looking_at("", FRAMES):
        listed = {
            one for (one,) in findings.db.conn.execute("SELECT sha256 FROM still NOT INDEXED")
        }
        for path in sorted((findings.folder / FRAMES).glob("*/*")):
            if path.stem in listed and path.suffix in SUFFIXES.values():
                continue
            unfinished = path.name.startswith(UNFINISHED)
            found = "a picture that was not finished" if unfinished else _NO_STEP
            _orphan(findings, path, found, before)
    with findings.looking_at("", EPISODES):
        for path, found in _unlisted_videos(findings):
            _orphan(findings, path, found, before)


_NO_STEP = "no step speaks of this picture"


def _unused_rows(findings: Findings, seen: set[str]) -> None:
    conn = findings.db.conn
    pictures = conn.execute(
        "SELECT id, sha256, media_type FROM still "
        "WHERE id NOT IN (SELECT still FROM frame WHERE still IS NOT NULL)"
    ).fetchall()
    for key, sha256, media_type in pictures:
        path = still_path(findings.folder, sha256, media_type)
        seen.add(sha256)
        place = f"{FRAMES}/{sha256[:2]}/{path.name}"
        findings.add("", place, "no step shows this picture", _still_out(findings, key, path))
    trees = conn.execute(
        "SELECT id, sha256, zstd FROM tree_data "
        "WHERE id NOT IN (SELECT data FROM tree WHERE data IS NOT NULL)"
    ).fetchall()
    for key, sha256, packed in trees:
        place = f"tree {sha256[:12]}"
        findings.add("", place, "no step has this tree", _tree_out(findings, key, sha256, packed))


def _still_out(findings: Findings, key: int, path: Path) -> Repair:
    def repair() -> str:
        aside = f"moved to {findings.move(path)}" if path.exists() else "its row taken out"
        with findings.db.atomic():
            findings.db.conn.execute("DELETE FROM still WHERE id = ?", (key,))
        return aside

    return repair


def _tree_out(findings: Findings, key: int, sha256: str, packed: bytes) -> Repair:
    def repair() -> str:
        place = findings.folder / ORPHANS / "trees" / f"{sha256}.tree.zst"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(packed)
        with findings.db.atomic():
            findings.db.conn.execute("DELETE FROM tree_data WHERE id = ?", (key,))
        new = str(place.relative_to(findings.folder))
        findings.report.moved.append((f"tree {sha256}", new))
        return f"moved to {new}"

    return repair


def _unlisted_videos(findings: Findings) -> Iterator[tuple[Path, str]]:
    conn = findings.db.conn
    known = {
        uuid: {name for (name,) in conn.execute(_FILES, (key,))}
        for key, uuid in conn.execute("SELECT id, uuid FROM episode NOT INDEXED").fetchall()
    }
    for folder in sorted((findings.folder / EPISODES).glob("*")):
        if folder.name not in known:
            yield folder, "the video of an episode the library does not have"
        elif folder.is_dir():
            names = known[folder.name]
            names = names | {index_path(Path(name)).name for name in names}
            for path in sorted(folder.iterdir()):
                if path.name not in names:
                    yield path, "no stretch of capture speaks of this file"


_FILES = "SELECT file FROM segment WHERE episode = ?"


def _orphan(findings: Findings, path: Path, found: str, before: float) -> None:
    if path.lstat().st_mtime < before:
        place = str(path.relative_to(findings.folder))
        findings.add("", place, found, lambda: f"moved to {findings.move(path)}")
