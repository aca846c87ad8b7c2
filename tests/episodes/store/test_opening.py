"""Opening libraries on read-only disks, in wrong folders, and with damaged files."""

import shutil
import sqlite3

import pytest

from episodes.errors import KnownError
from episodes.store.library import Library
from tests.episodes.store.samples import imported
from tests.episodes.store.test_full_disk import files_up_to
from tests.permissions import mode


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def closed(tmp_path):
    """A library nobody has open, of which nothing but the database lies there."""
    folder = tmp_path / "library"
    with Library.open(folder) as library:
        library.save_episodes([imported("0012")])
    for beside in ("library.db-wal", "library.db-shm", ".lock", ".revision"):
        (folder / beside).unlink(missing_ok=True)
    return folder


def test_a_library_in_a_folder_that_may_not_be_written_can_be_read(closed):
    with mode(closed, 0o500), Library.read(closed) as library:
        assert list(library.iterate()) == [imported("0012")]
    assert names(closed) == ["library.db"]


def test_a_library_whose_file_may_not_be_written_either_can_be_read(closed):
    with mode(closed / "library.db", 0o400), mode(closed, 0o500), Library.read(closed) as library:
        assert library.count() == 1


def test_a_library_that_waits_for_its_log_is_not_read_without_it(tmp_path):
    copy = tmp_path / "copy"
    copy.mkdir()
    with Library.open(tmp_path / "library") as library:
        library.save_episodes([imported("0012")])
        for name in ("library.db", "library.db-wal"):
            shutil.copy(tmp_path / "library" / name, copy / name)
    with mode(copy, 0o500), pytest.raises(KnownError, match=r"library\.db-wal holds what is"):
        Library.read(copy)
    with Library.read(copy) as library:
        assert library.count() == 1


def test_a_library_without_read_permission_is_an_error(closed):
    with (
        mode(closed / "library.db", 0o000),
        mode(closed, 0o500),
        pytest.raises(KnownError, match="may not be read"),
    ):
        Library.read(closed)
    for opens in (Library.read, Library.open):
        with mode(closed, 0o000), pytest.raises(KnownError, match="may not be read"):
            opens(closed)


@pytest.mark.parametrize("opens", [Library.read, Library.open])
def test_a_place_where_no_library_is_possible_is_an_error_of_one_sentence(tmp_path, opens):
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "file").write_text("x")
    places = [
        *(tmp_path / name for name in ("dangling", "loop", "file", "x" * 300)),
        tmp_path.joinpath(*["y" * 200] * 30),
        type(tmp_path)("/dev/null"),
    ]
    for place in places:
        with pytest.raises(KnownError, match=r"^Cannot open the library"):
            opens(place)
    assert names(tmp_path) == ["dangling", "file", "loop"]


def test_a_library_without_one_of_its_tables_is_damaged(closed):
    database = sqlite3.connect(closed / "library.db")
    database.execute("PRAGMA foreign_keys = OFF")
    database.execute("DROP TABLE region")
    database.close()
    with (
        Library.read(closed) as library,
        pytest.raises(KnownError, match=r"the library is damaged \(no such table: region\)"),
    ):
        list(library.iterate())


def test_a_library_left_unfinished_by_a_full_disk_is_an_error_and_can_be_created(tmp_path):
    told = set()
    for number, size in enumerate(range(8192, 400_000, 8192)):
        folder = tmp_path / str(number)
        try:
            with files_up_to(size):
                Library.open(folder).close()
            break
        except KnownError:
            pass
        with pytest.raises(KnownError) as caught:
            Library.read(folder)
        told.add(caught.value.found)
        with Library.open(folder) as library:
            assert library.count() == 0
    assert number > 3
    assert told == {"it was begun and never finished, as on a full disk"}


def test_a_full_disk_does_not_keep_the_lock(tmp_path):
    with files_up_to(0), pytest.raises(KnownError):
        Library.open(tmp_path)
    Library.open(tmp_path).close()


def test_a_folder_with_other_things_in_it_becomes_no_library(tmp_path):
    for name in ("a", "b", "c", "d"):
        (tmp_path / name).write_text("mine")
    with pytest.raises(KnownError) as caught:
        Library.open(tmp_path)
    assert str(caught.value) == (
        f"Cannot make a library in {tmp_path}: there is something else in it (a, b, c and more). "
        "Choose a new or an empty folder, or a library's folder."
    )
    assert names(tmp_path) == ["a", "b", "c", "d"]
