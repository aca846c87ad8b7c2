import os
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from episodes.episodes import EpisodeState
from episodes.errors import KnownError
from episodes.store import lock
from episodes.store.library import Library
from episodes.store.lock import LibraryBusy
from episodes.store.migrations import APPLICATION_ID, SCHEMA_VERSION
from tests.episodes.store.samples import imported, recorded, tap


def test_a_new_library_is_an_sqlite_file_with_the_application_s_id(tmp_path):
    with Library.open(tmp_path / "a" / "library") as library:
        assert library.writable
        assert library.count() == 0
    database = sqlite3.connect(tmp_path / "a" / "library" / "library.db")
    asked = ("application_id", "user_version", "journal_mode", "integrity_check")
    told = [database.execute(f"PRAGMA {name}").fetchone()[0] for name in asked]
    assert told == [APPLICATION_ID, SCHEMA_VERSION, "wal", "ok"]
    strict = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 0"
    loose = {name for (name,) in database.execute(strict)}
    assert {name for name in loose if not name.startswith("instruction_fts")} == {
        "_sqlite_migrations",
        "sqlite_schema",
        "sqlite_sequence",
    }
    database.close()


def test_a_library_is_what_it_was_when_it_is_opened_again(tmp_path):
    episode = imported("0012")
    with Library.open(tmp_path) as library:
        library.save_episodes([episode])
        uuid = library.uuid
    with Library.open(tmp_path) as library:
        assert list(library.iterate()) == [episode]
    with Library.read(tmp_path) as library:
        assert not library.writable
        assert list(library.iterate()) == [episode]
        assert library.uuid == uuid


def test_two_libraries_have_different_ids(tmp_path):
    with Library.open(tmp_path / "a") as one, Library.open(tmp_path / "b") as other:
        assert one.uuid != other.uuid


def test_foreign_keys_hold_in_every_connection(tmp_path):
    with Library.open(tmp_path) as library, Library.read(tmp_path) as reader:
        for one in (library, reader):
            assert one._db.conn.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_one_process_writes_and_the_error_of_the_next_names_it(tmp_path):
    with Library.open(tmp_path):
        tried = subprocess.run(
            [
                sys.executable,
                "-c",
                "import sys; from pathlib import Path\n"
                "from episodes.errors import KnownError\n"
                "from episodes.store.library import Library\n"
                "try: Library.open(Path(sys.argv[1]))\n"
                "except KnownError as error: print(error)\n",
                str(tmp_path),
            ],
            capture_output=True,
            cwd=Path(__file__).parents[3],
            text=True,
            check=True,
        )
        assert tried.stdout == (
            f"Cannot open the library {tmp_path} for writing: process {os.getpid()} has it open. "
            "Close it there, or only look.\n"
        )
        with pytest.raises(KnownError, match=rf"process {os.getpid()} \(this one\) has it open"):
            Library.open(tmp_path)
    Library.open(tmp_path).close()


def test_after_deleting_the_lock_file_nobody_can_end_a_recording(tmp_path):
    with Library.open(tmp_path) as library:
        live = recorded()
        library.begin_episode(live)
        (tmp_path / ".lock").unlink()
        with pytest.raises(LibraryBusy, match="process unknown has it open"):
            Library.open(tmp_path)
        (tmp_path / ".lock").unlink()
        tried = subprocess.run(
            [
                *(sys.executable, "-m", "taptrail", "episodes", "check", "--repair"),
                *("--library", str(tmp_path)),
            ],
            capture_output=True,
            cwd=Path(__file__).parents[3],
            text=True,
        )
        assert (tried.returncode, "has it open" in tried.stderr) == (1, True)
        library.add_step(live.uuid, tap(0))
        assert library.episode(live.uuid).state is EpisodeState.RECORDING
    with Library.open(tmp_path) as library:
        assert library.recovery.episodes == ("e-0001",)


def test_a_writer_that_is_done_in_a_moment_is_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(lock, "PATIENCE_SECONDS", 60)
    first, tried = Library.open(tmp_path), threading.Event()

    def second():
        tried.set()
        Library.open(tmp_path).close()
        return True

    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(second)
        tried.wait()
        first.close()
        assert waiting.result()


def test_a_newer_library_is_refused_and_not_touched(tmp_path):
    Library.open(tmp_path).close()
    database = sqlite3.connect(tmp_path / "library.db")
    database.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    database.close()
    before = (tmp_path / "library.db").read_bytes()
    for opens in (Library.open, Library.read):
        with pytest.raises(KnownError) as caught:
            opens(tmp_path)
        assert caught.value.found == (
            f"it has schema version {SCHEMA_VERSION + 1}, and this program knows up to "
            f"{SCHEMA_VERSION}"
        )
    assert (tmp_path / "library.db").read_bytes() == before


def test_an_older_library_is_not_read_before_it_is_brought_up_to_date(tmp_path):
    Library.open(tmp_path).close()
    database = sqlite3.connect(tmp_path / "library.db")
    database.execute("PRAGMA user_version = 1")
    database.close()
    with pytest.raises(KnownError, match="an older version of Taptrail made it"):
        Library.read(tmp_path)
    Library.open(tmp_path).close()
    Library.read(tmp_path).close()


def test_another_programs_file_is_refused_and_not_touched(tmp_path):
    database = sqlite3.connect(tmp_path / "library.db")
    database.execute("CREATE TABLE mine (a)")
    database.close()
    before = (tmp_path / "library.db").read_bytes()
    for opens in (Library.open, Library.read):
        with pytest.raises(KnownError, match="was made by another program"):
            opens(tmp_path)
    assert (tmp_path / "library.db").read_bytes() == before
    (tmp_path / "library.db").write_bytes(b"not a database at all, but long enough to look" * 9)
    for opens in (Library.open, Library.read):
        with pytest.raises(KnownError, match=r"library\.db is not an SQLite file"):
            opens(tmp_path)


def test_a_folder_without_a_library_is_refused_and_stays_empty(tmp_path):
    for opens in (Library.read, lambda folder: Library.open(folder, create=False)):
        with pytest.raises(KnownError, match=r"there is no library\.db in it"):
            opens(tmp_path / "nowhere")
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_place_of_the_folder_is_an_error(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(KnownError, match="Cannot open the library"):
        Library.open(tmp_path / "file" / "library")


def test_a_library_opened_to_look_cannot_be_changed(tmp_path):
    Library.open(tmp_path).close()
    with Library.read(tmp_path) as library:
        with pytest.raises(KnownError, match="it may not be written"):
            library.save_episodes([imported("1")])
        assert library.count() == 0


def test_readers_on_their_own_threads_see_whole_episodes_while_the_writer_writes(tmp_path):
    names = [f"{number:04d}" for number in range(300)]
    done = threading.Event()
    wrong = []
    seen = []

    def look():
        with Library.read(tmp_path) as reader:
            while True:
                last = done.is_set()
                found = list(reader.iterate())
                if [episode.name for episode in found] != names[: len(found)]:
                    wrong.append("the order of the names")
                if any(len(episode.steps) != 2 for episode in found):
                    wrong.append("the number of steps")
                seen.append(len(found))
                if last:
                    return

    with Library.open(tmp_path) as library:
        threads = [threading.Thread(target=look) for _ in range(2)]
        for thread in threads:
            thread.start()
        for name in names:
            library.save_episodes([imported(name)])
        done.set()
        for thread in threads:
            thread.join()
    assert wrong == []
    assert seen.count(300) >= 2
    assert len(set(seen)) > 2, "the readers looked only before or after"
