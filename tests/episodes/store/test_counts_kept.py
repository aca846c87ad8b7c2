"""Stored counts of the filters are never outdated."""

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from episodes.annotations import Author
from episodes.episodes import EpisodeState
from episodes.errors import KnownError
from episodes.store.library import Library
from episodes.store.queries import EpisodeQuery
from taptrail.usecases.sample import import_sample, open_sample


def test_counts_are_counted_anew_after_a_change_of_ones_own_or_of_another(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    open_sample(folder)
    ana = Author("7a1f6e0c-0000-4000-8000-000000000001", "Ana P.")
    with Library.read(folder) as reader, Library.open(folder) as writer:
        before = reader.facets()
        assert dict(before.categories)["Multi_Apps"] == 4
        assert reader.facets() is before
        writer.facets()
        writer.delete_episode(writer.episode("s-0003").uuid, ana)
        for library in (reader, writer):
            assert dict(library.facets().categories)["Multi_Apps"] == 3
        assert reader.count(EpisodeQuery(text="number", app="Contacts", category="Multi_Apps")) == 3


def test_episodes_in_the_bin_are_counted_only_under_their_state(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    open_sample(folder)
    import_sample(folder)
    with Library.open(folder) as library:
        library.delete_episode(library.episode("s-0003").uuid)
        library.delete_episode(library.episode("s-0006").uuid)
        library.delete_episode(library.episode("0042000000000003").uuid)
        found = library.facets()
        there = list(library.iterate())
    assert found.datasets == (("guiodyssey", 5), ("sample", 5))
    assert found.states == ((EpisodeState.FINISHED, 10), (EpisodeState.DELETED, 3))
    assert found.splits == ((("random", "test"), 5),)
    apps = Counter(app for episode in there for app in episode.task.apps)
    assert found.apps == tuple(sorted(apps.items(), key=lambda one: (-one[1], one[0])))
    categories = Counter(episode.task.category for episode in there)
    assert dict(found.categories) == categories


def test_a_damaged_state_is_a_known_error(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    open_sample(folder)
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.execute("UPDATE episode SET state = 'finIshed' WHERE name = 's-0001'")
    with Library.read(folder) as library:
        with pytest.raises(KnownError, match=r"the library is damaged: state is .*finIshed"):
            library.facets()
