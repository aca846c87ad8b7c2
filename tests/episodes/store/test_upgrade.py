"""A library of the first schema, as the program of then wrote it, opened by this one."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

import episodes.store.migrations
from episodes import actions as a
from episodes.annotations import Author
from episodes.errors import KnownError
from episodes.geometry import Size
from episodes.screens import AppFit, Basis, Foreground, Frame
from episodes.store.importing import content_sha256
from episodes.store.library import Library
from tests.episodes.store.samples import imported, tap

MARY = Author("uuid-of-mary", "Mary")
FIRST = Path(episodes.store.migrations.__file__).parent / "m001_nouns.sql"


@pytest.fixture
def old(tmp_path):
    """Two steps numbered 3, the first dropped; a region added, chosen, and un-chosen again."""
    folder = tmp_path / "old"
    folder.mkdir()
    db = sqlite3.connect(folder / "library.db")
    db.executescript(FIRST.read_text())
    db.executescript(
        """
        INSERT INTO library VALUES (1, 'library', '2026-01-01', 9);
        INSERT INTO author VALUES (1, 'uuid-of-mary', 'Mary', 'person');
        INSERT INTO actor VALUES (1, 'person', 1, '');
        INSERT INTO instruction VALUES (1, 'Call Ada');
        INSERT INTO task VALUES (1, 1, '', '', '', '[]', '');
        INSERT INTO episode (id, uuid, name, dataset, version, origin_file, origin_sha256, task,
            actor, state, started_utc, ended_utc, private, extra, content_sha256, revision)
            VALUES (1, 'episode', 'e-0001', 'recorded', '', '', '', 1, 1, 'finished', '', '', 0,
                '', '', 9);
        """
    )
    for key, number, deleted in ((1, 3, 1), (2, 3, 0)):
        db.execute(
            "INSERT INTO step (id, episode, number, deleted, kind, action, source, instruction, "
            "description, intention, context, note, private, extra) VALUES "
            "(?, 1, ?, ?, 'wait', '{\"kind\": \"wait\"}', 'mirror', '', '', '', '', '', 0, '')",
            (key, number, deleted),
        )
    db.executescript(
        """
        INSERT INTO region (id, step, number, uuid, label, source, model, version, prompts, node,
            status, chosen) VALUES
            (1, 2, 0, '', 'a', 'import', '', '', '', '', 'proposed', 1),
            (2, 2, 1, '', 'b', 'person', '', '', '', '', 'proposed', 0);
        INSERT INTO edit (number, episode, step_number, step, operation, before, after, author,
            made_utc, undone_by) VALUES
            (1, 1, 3, 1, 'step.delete', '{"deleted": false}', '{"deleted": true}', 1, 'then', NULL),
            (2, 1, 3, 2, 'region.add', '{"number": 1, "there": false}',
                '{"number": 1, "there": true, "label": "b"}', 1, 'then', NULL),
            (4, 1, 3, 2, 'undo', '{"chosen": [1]}', '{"chosen": [0]}', 1, 'then', NULL),
            (3, 1, 3, 2, 'region.choose', '{"chosen": [0]}', '{"chosen": [1]}', 1, 'then', 4);
        CREATE TABLE _sqlite_migrations (
            id INTEGER PRIMARY KEY, migration_set TEXT, name TEXT, applied_at TEXT
        );
        INSERT INTO _sqlite_migrations VALUES (1, 'taptrail', 'm001_nouns', 'then');
        PRAGMA application_id = 0x54545231;
        PRAGMA user_version = 1;
        """
    )
    db.close()
    return folder


def test_its_edits_are_still_taken_back_and_made_again(old):
    with Library.open(old) as library:
        (step,) = library.episode("e-0001").steps
        assert [(r.label, r.chosen) for r in step.regions] == [("a", True), ("b", False)]
        library.redo()
        (step,) = library.episode("e-0001").steps
        assert [(r.label, r.chosen) for r in step.regions] == [("a", False), ("b", True)]
        library.undo()
        library.undo()
        (step,) = library.episode("e-0001").steps
        assert [r.label for r in step.regions] == ["a"]


def test_what_edits_added_gets_the_same_name_in_every_copy(old, tmp_path):
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "library.db").write_bytes((old / "library.db").read_bytes())
    names = []
    for folder in (old, copy):
        with Library.open(folder) as library:
            ask = library._db.conn.execute
            names.append(
                (
                    ask("SELECT uuid FROM edit ORDER BY number").fetchall(),
                    ask("SELECT uuid FROM region ORDER BY id").fetchall(),
                    ask("SELECT origin FROM step ORDER BY id").fetchall(),
                    ask("SELECT number, turns FROM edit WHERE turns IS NOT NULL").fetchall(),
                )
            )
    assert names[0] == names[1]
    edits, regions, origins, turns = names[0]
    assert len(set(edits)) == 4
    assert (regions[0], regions[1] != ("",)) == (("",), True)
    assert (origins, turns) == ([("3",), ("3.2",)], [(4, 3)])


def test_it_is_not_changed_by_looking(old):
    with pytest.raises(KnownError, match="taptrail episodes check --repair"):
        Library.read(old)


def test_a_run_is_measured_on_the_split_its_step_set_was_named_after(old):
    db = sqlite3.connect(old / "library.db")
    told = [
        ("my own data", "2", "my own data@2 random/test", ("random", "test"), False),
        ("my own data", "", "my own data my split/a b (answered)", ("my split", "a b"), True),
        ("guiodyssey", "2", "guiodyssey@2 (answered)", None, True),
        ("guiodyssey", "2", "guiodyssey@2", None, False),
        ("", "", "all random/", ("random", ""), False),
    ]
    for key, (dataset, version, name, _, _) in enumerate(told, start=1):
        db.execute("INSERT INTO step_set VALUES (?, ?, 1, '')", (key, name))
        db.execute(
            "INSERT INTO run VALUES (?, ?, 'raw', '', '', '', '', '', '', ?, ?, ?, '')",
            (key, f"r{key}", dataset, version, key),
        )
    db.commit()
    db.close()
    with Library.open(old) as library:
        found = [(run.split, run.only_answered) for run in library.runs()]
    assert found == [(split, answered) for _, _, _, split, answered in told]


def test_an_old_library_has_no_time_of_the_app_and_no_protected_frame(old):
    db = sqlite3.connect(old / "library.db")
    db.executescript(
        """
        INSERT INTO frame (id, episode, width, height, basis) VALUES (1, 1, 100, 200, 'painted');
        UPDATE step SET package = 'a.mail', activity = 'a.mail.Main', app_label = 'Mail', frame = 1
            WHERE id = 2;
        """
    )
    db.close()
    with Library.open(old) as library:
        (step,) = library.episode("e-0001").steps
    assert step.foreground == Foreground("a.mail", "a.mail.Main", "Mail", AppFit.UNKNOWN)
    assert step.frame == Frame(Size(100, 200), Basis.PAINTED, protected=False)


def test_its_home_screens_are_not_apps_any_more(old):
    db = sqlite3.connect(old / "library.db")
    db.executescript(
        """
        UPDATE step SET package = 'a.launcher', activity = '.Home', app_label = 'Home' WHERE id = 2;
        INSERT INTO step (id, episode, number, deleted, kind, action, source, instruction,
            description, intention, context, note, private, extra, package, activity, app_label)
            VALUES (3, 1, 4, 0, 'wait', '{"kind": "wait"}', 'mirror', '', '', '', '', '', 0, '',
                'a.mail', '.Main', 'Mail');
        UPDATE episode SET apps = '["Home", "Mail"]';
        INSERT INTO episode_app VALUES (1, 'Home'), (1, 'Mail');
        """
    )
    db.close()
    with Library.open(old) as library:
        assert library.episodes()[0].apps == ("Mail",)
        assert library.facets().apps == (("Mail", 1),)


def test_an_episode_keeps_the_hash_of_its_content():
    """Fields that came later say nothing, so an import finds the episode unchanged."""
    episode = imported("0001", steps=(replace(tap(0), action=a.Wait()),))
    assert episode.steps[0].foreground is not None
    assert episode.steps[0].frame is not None
    assert content_sha256(episode) == (
        "d9f2a8db2b592904e7e1264e8039e60debededb031d8ee368f3996f4cde1bc9a"
    )
