"""The counts of the filters are kept, and never out of date."""

from pathlib import Path

from episodes.annotations import Author
from episodes.store.library import Library
from episodes.store.queries import EpisodeQuery
from taptrail.usecases.sample import open_sample


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
