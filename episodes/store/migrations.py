"""The schema, step by step. `docs/schema.md` describes every table and column.

A released migration is never changed. Add a new one below; the version is the number of migrations.
Every table is STRICT and has a column `digest`, which `opening` adds and fills after the
migrations. Times are columns `<what>_device_us`, `<what>_host_ns` and `<what>_error_us`; where "no
time" and "a time unknown on both clocks" differ, `has_<what>` says which one it is.
"""

from __future__ import annotations

from pathlib import Path

from sqlite_utils import Database, Migrations

from episodes.store.journal_upgrade import name_edits
from episodes.store.opening import APPLICATION_ID, SCHEMA_VERSION
from episodes.store.run_splits_upgrade import name_splits
from episodes.store.summary_columns import leave_out_home

migrations = Migrations("taptrail")


@migrations()
def m001_nouns(db: Database) -> None:
    """All nouns: episodes and how they were captured, annotations, runs, verdicts."""
    db.executescript((Path(__file__).parent / "m001_nouns.sql").read_text("utf-8"))


@migrations()
def m002_annotating(db: Database) -> None:
    """What annotating and merging need: names for edits and made steps, private boxes."""
    db.executescript((Path(__file__).parent / "m002_annotating.sql").read_text("utf-8"))
    name_edits(db)


@migrations()
def m003_splits_of_runs(db: Database) -> None:
    """Which episodes a run answers, as values of their own."""
    db.executescript((Path(__file__).parent / "m003_splits_of_runs.sql").read_text("utf-8"))
    name_splits(db)


@migrations()
def m004_fresh_apps(db: Database) -> None:
    """How well the app in front belongs to a step, and which frames an app kept black."""
    db.executescript((Path(__file__).parent / "m004_fresh_apps.sql").read_text("utf-8"))


@migrations()
def m005_settling(db: Database) -> None:
    """What people settle: accepted findings, episodes reviewed, choices made blind."""
    db.executescript((Path(__file__).parent / "m005_settling.sql").read_text("utf-8"))


@migrations()
def m006_packed_numbers(db: Database) -> None:
    """A data set's own numbers, packed, of steps and answers that come in from now on."""
    db.executescript((Path(__file__).parent / "m006_packed_numbers.sql").read_text("utf-8"))


@migrations()
def m007_judging(db: Database) -> None:
    """What people say against the gold of a step, or against a verdict."""
    db.executescript((Path(__file__).parent / "m007_judging.sql").read_text("utf-8"))


@migrations()
def m008_findings(db: Database) -> None:
    """How many findings are open in each episode; and no home screen among its apps."""
    db.executescript((Path(__file__).parent / "m008_findings.sql").read_text("utf-8"))
    leave_out_home(db)


@migrations()
def m009_digests(db: Database) -> None:
    """A digest in every row and one of the schema, so that a check finds silent changes."""
    db.conn.execute("ALTER TABLE library ADD COLUMN schema_digest INTEGER NOT NULL DEFAULT 0")


@migrations()
def m010_task_verdicts(db: Database) -> None:
    """What devices and benchmarks say of attempts at tasks."""
    db.executescript((Path(__file__).parent / "m010_task_verdicts.sql").read_text("utf-8"))


@migrations()
def m011_asked_runs(db: Database) -> None:
    """How the model of a run was asked, and how each of its answers ended."""
    db.executescript((Path(__file__).parent / "m011_asked_runs.sql").read_text("utf-8"))


NAMES = (
    "m001_nouns",
    "m002_annotating",
    "m003_splits_of_runs",
    "m004_fresh_apps",
    "m005_settling",
    "m006_packed_numbers",
    "m007_judging",
    "m008_findings",
    "m009_digests",
    "m010_task_verdicts",
    "m011_asked_runs",
)
if len(NAMES) != SCHEMA_VERSION:
    raise RuntimeError("SCHEMA_VERSION must count the migrations")


def migrate(db: Database) -> None:
    """Brings the database to this program's schema, all or nothing."""
    with db.atomic():
        migrations.apply(db)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
