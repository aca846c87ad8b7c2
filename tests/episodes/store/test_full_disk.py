"""A full disk, simulated by the system's limit on file sizes."""

import random
import resource
from contextlib import contextmanager

import pytest

from episodes.errors import KnownError
from episodes.media.segment_files import SegmentWriter, read_index
from episodes.store.library import Library
from tests.episodes.store.samples import imported, packets, recorded, segment, tap
from tests.episodes.store.sql import sql


@contextmanager
def files_up_to(size):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def healthy(library):
    return sql(library, "PRAGMA integrity_check") == [("ok",)]


def noise(number):
    """A tree that does not compress."""
    return random.Random(number).randbytes(30_000)


def test_a_recording_keeps_its_reported_steps_and_can_go_on(tmp_path):
    episode = recorded()
    with Library.open(tmp_path) as library:
        library.begin_episode(episode)
        library.add_segment(episode.uuid, segment())
        saved = []
        step = tap(0)

        def record():
            nonlocal step
            for number in range(100):
                step = tap(number, tree=noise(number))
                library.add_step(episode.uuid, step, {0: packets(number * 5, 5)})
                saved.append(step)

        with files_up_to(700_000), pytest.raises(KnownError) as caught:
            record()
        assert str(caught.value).startswith(
            f"Cannot save step {len(saved)} in the library {tmp_path}: the disk"
        )
        assert 2 < len(saved) < 30
        assert library.episode(episode.uuid).steps == tuple(saved)
        assert library.packets(episode.uuid, 0) == packets(0, 5 * len(saved))
        assert healthy(library)
        library.add_step(episode.uuid, step, {0: packets(len(saved) * 5, 5)})
    with Library.open(tmp_path) as library:
        assert library.episode(episode.uuid).steps == (*saved, step)
        assert healthy(library)


def test_an_import_keeps_whole_episodes(tmp_path):
    episodes = [recorded(f"{at:03d}", [tap(0, tree=noise(at))]) for at in range(200)]
    episodes = [imported(e.name, steps=e.steps) for e in episodes]
    with Library.open(tmp_path) as library:

        def save():
            for start in range(0, 200, 10):
                library.save_episodes(episodes[start : start + 10])

        with files_up_to(1_500_000), pytest.raises(KnownError, match="the disk"):
            save()
        kept = list(library.iterate())
        assert kept == episodes[: len(kept)]
        assert len(kept) in range(10, 200, 10)
        assert healthy(library)
        assert library.save_episodes(episodes).unchanged == len(kept)
        assert list(library.iterate()) == episodes


def test_a_picture_is_kept_whole_or_not_at_all(library):
    with files_up_to(100_000), pytest.raises(KnownError, match="a file may not grow any more"):
        library.stills.write(b"p" * 200_000, "image/png")
    assert [path for path in library.folder.rglob("*") if "frames" in str(path)] == [
        library.folder / "frames",
        *(library.folder / "frames").iterdir(),
    ]
    sha256 = library.stills.write(b"p" * 200_000, "image/png")
    assert library.stills.read(sha256, "image/png") == b"p" * 200_000


def test_a_video_holds_whole_packets_and_can_go_on(tmp_path):
    path = tmp_path / "segment-000.h264"
    written = []
    with SegmentWriter(path, b"config") as writer:

        def write():
            for number in range(100):
                written.append(writer.write(b"x" * 7_000, number, False, 0))

        with files_up_to(100_000), pytest.raises(KnownError, match="Cannot write the video"):
            write()
        assert len(written) == 14
        assert path.stat().st_size == len(b"config") + 14 * 7_000
        written.append(writer.write(b"y" * 7_000, 14, False, 0))
    assert list(read_index(path)) == written


def test_a_library_that_cannot_be_created_is_an_error_and_can_be_created_later(tmp_path):
    with files_up_to(10_000), pytest.raises(KnownError, match="Cannot open the library"):
        Library.open(tmp_path)
    with Library.open(tmp_path) as library:
        assert library.count() == 0
