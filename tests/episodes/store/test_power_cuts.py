import random

import pytest

from episodes.store.library import Library
from tests.episodes.store.power_cut import Recording

CUTS = 20


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    return Recording(tmp_path_factory.mktemp("cut"))


def steps_of(library, episode):
    names = [one.name for one in library.episodes()]
    return library.episode(episode.uuid).steps if episode.name in names else ()


def losses(report):
    return [fault.found for fault in report.faults if "had been saved and are gone" in fault.found]


def check_after_the_sync(recording, seed, cuts):
    chance = random.Random(seed)
    for number in range(cuts):
        copy, saved = recording.cut_after_the_sync(f"after-{number}", chance)
        with Library.read(copy) as library:
            assert steps_of(library, recording.episode) == tuple(recording.steps[:saved])
            assert losses(library.check()) == []
        with Library.open(copy) as library:
            assert library.recovery.lost == ()
            assert len(library.packets(recording.episode.uuid, 0)) >= 2 * saved
            whole = library.check()
        assert [fault.found for fault in whole.faults if fault.episode] == []


def check_before_the_sync(recording, seed, cuts):
    chance = random.Random(seed)
    for number in range(cuts):
        copy, saved = recording.cut_before_the_sync(f"before-{number}", chance)
        with Library.read(copy) as library:
            left = steps_of(library, recording.episode)
            report = library.check()
        assert left == tuple(recording.steps[: len(left)])
        assert len(left) < saved
        assert len(losses(report)) == 1
        pictures = [fault.place for fault in report.faults if fault.place.startswith("frames/")]
        assert len(pictures) == len(recording.steps) - len(left)
        with Library.open(copy) as library:  # further changes do not hide it
            assert len(library.recovery.lost) == 1
            library.begin_episode(recording.episode.__class__(**_other(recording.episode)))
        with Library.read(copy) as library:
            assert losses(library.check()) == losses(report)
        with Library.open(copy) as library:
            assert losses(library.check(repair=True)) == losses(report)
        with Library.read(copy) as library:
            assert losses(library.check()) == []


def _other(episode):
    fields = {name: getattr(episode, name) for name in episode.__dataclass_fields__}
    return fields | {"uuid": "another-uuid", "name": "e-0002"}


def test_a_commit_waits_for_the_disk(tmp_path):
    with Library.open(tmp_path) as library:
        assert library._db.conn.execute("PRAGMA synchronous").fetchone() == (2,)


def test_every_step_that_was_shown_as_saved_outlives_a_power_cut(recording):
    check_after_the_sync(recording, 20, CUTS)


def test_a_log_that_lost_what_was_synced_is_named_by_the_check(recording):
    check_before_the_sync(recording, 21, CUTS)
