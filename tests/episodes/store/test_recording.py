from dataclasses import replace

import pytest

from episodes import actions as a
from episodes.clocks import ClockSample, Moment
from episodes.episodes import EpisodeState
from episodes.errors import KnownError
from episodes.geometry import Point
from episodes.recordings import DeviceFacts, Gap
from episodes.screens import Basis, Frame
from episodes.store.library import Library
from episodes.store.queries import EpisodeNotFound
from tests.episodes.store.samples import SIZE, packets, recorded, segment, still, tap
from tests.episodes.store.sql import sql

SHA = "ab" * 32


def test_an_episode_made_step_by_step_comes_back_whole(library):
    episode = recorded()
    uuid = episode.uuid
    first, second = tap(0, picture=still(SHA)), tap(1, x=10)
    after, final = Frame(SIZE, Basis.AFTER, still("cd" * 32)), Frame(SIZE, Basis.FINAL)
    samples = (ClockSample(1, 3, 2, "uptime"), ClockSample(5, 5, 4, "packet"))
    gaps = (Gap("paused", Moment(5, 6)), Gap("unplugged", Moment(7)))
    finish = a.Finish(a.Ending.IMPOSSIBLE, "no such person")
    device = DeviceFacts(serial="0123", sdk=36, app_versions=(("com.android.contacts", "1.2"),))

    library.begin_episode(episode)
    assert library.episode("e-0001") == episode
    library.add_segment(uuid, segment(0))
    library.add_step(uuid, first, {0: packets(0, 5)})
    library.add_clock_samples(uuid, samples[:1])
    assert library.add_gap(uuid, gaps[0]) == 0
    library.end_gap(uuid, 0, Moment(9, 10))
    library.end_segment(uuid, 0, Moment(8))
    library.add_segment(uuid, segment(1))
    library.add_packets(uuid, 1, packets(0, 2))
    assert library.add_gap(uuid, gaps[1]) == 1
    library.add_clock_samples(uuid, samples[1:])
    library.add_step(uuid, second, {0: packets(5, 1), 1: packets(2, 3)})
    library.set_after(uuid, 1, after)
    library.finish_episode(
        uuid, EpisodeState.FINISHED, finish, "2026-01-02T03:05:00+00:00", final, device
    )

    assert library.episode(uuid) == replace(
        episode,
        state=EpisodeState.FINISHED,
        steps=(first, replace(second, after=after)),
        segments=(replace(segment(0), ended=Moment(8)), segment(1)),
        gaps=(replace(gaps[0], ended=Moment(9, 10)), gaps[1]),
        clock_samples=samples,
        device=device,
        finish=finish,
        final=final,
        ended_utc="2026-01-02T03:05:00+00:00",
    )
    assert library.packets(uuid, 0) == packets(0, 6)
    assert library.packets(uuid, 1) == packets(0, 5)


def test_the_list_follows_a_recording(library):
    episode = recorded()
    library.begin_episode(episode)
    for index in range(3):
        library.add_step(episode.uuid, tap(index, picture=still(SHA) if index else None))
    (line,) = library.episodes()
    assert (line.step_count, line.duration_us, line.apps) == (3, 2_081_000, ("Contacts",))
    assert line.first_still == still(SHA)


def test_a_step_that_cannot_be_kept_leaves_nothing_behind(library):
    episode = recorded()
    library.begin_episode(episode)
    library.add_segment(episode.uuid, segment())
    bad = replace(tap(0, picture=still(SHA)), action=a.Tap(Point(float("nan"), 1.0)))
    with pytest.raises(KnownError, match=r"Cannot save step 0 .* of the tap is not finite"):
        library.add_step(episode.uuid, bad, {0: packets(0, 2)})
    with pytest.raises(KnownError, match="the episode has no segment 4"):
        library.add_step(episode.uuid, tap(0), {4: packets(0, 2)})
    assert library.packets(episode.uuid, 0) == []
    assert library.episode(episode.uuid) == replace(episode, segments=(segment(),))
    counts = [
        sql(library, f"SELECT count(*) FROM {table}")[0][0]
        for table in ("frame", "still", "tree", "tree_data", "gesture")
    ]
    assert counts == [0, 0, 0, 0, 0]
    library.add_step(episode.uuid, tap(0), {0: packets(0, 2)})
    assert library.episode(episode.uuid).steps == (tap(0),)


def test_a_step_is_committed_once(library):
    episode = recorded()
    library.begin_episode(episode)
    library.add_step(episode.uuid, tap(0))
    with pytest.raises(KnownError, match="there is a step 0 already"):
        library.add_step(episode.uuid, tap(0, x=3))
    assert library.episode(episode.uuid).steps == (tap(0),)


def test_a_dropped_step_leaves_its_number_to_the_next(library):
    episode = recorded()
    library.begin_episode(episode)
    library.add_step(episode.uuid, tap(0))
    library.add_step(episode.uuid, tap(1, x=99))
    library.delete_step(episode.uuid, 1)
    assert library.episode(episode.uuid).steps == (tap(0),)
    library.add_step(episode.uuid, tap(1))
    assert library.episode(episode.uuid).steps == (tap(0), tap(1))
    with pytest.raises(KnownError, match="another step has taken its number"):
        library.undo()


def test_a_missing_item_is_an_error(library):
    episode = recorded()
    library.begin_episode(episode)
    with pytest.raises(EpisodeNotFound):
        library.add_step("no-such-uuid", tap(0))
    with pytest.raises(KnownError, match="the episode has no step 7"):
        library.set_after(episode.uuid, 7, Frame(SIZE, Basis.AFTER))
    with pytest.raises(KnownError, match="the episode has no segment 0"):
        library.end_segment(episode.uuid, 0, Moment(1))
    with pytest.raises(KnownError, match="the episode has no gap 0"):
        library.end_gap(episode.uuid, 0, Moment(1))
    with pytest.raises(KnownError, match="an episode begins as recording, not as finished"):
        library.begin_episode(recorded("e-0002", state=EpisodeState.FINISHED))
    with pytest.raises(KnownError, match="an episode that begins has no steps"):
        library.begin_episode(recorded("e-0002", steps=[tap(0)]))
    with pytest.raises(KnownError, match="it has an episode “e-0001”"):
        library.begin_episode(recorded("e-0001"))


def test_names_count_upwards_and_skip_none_that_is_taken(library):
    assert library.next_name() == "e-0001"
    for name in ("e-0001", "e-0041", "e-x9", "e-12x", "f-0500", "e-"):
        library.begin_episode(recorded(name))
    assert library.next_name() == "e-0042"
    assert library.next_name("f") == "f-0501"
    library.begin_episode(recorded("e-9999"))
    assert library.next_name() == "e-10000"


def test_at_the_end_everything_is_in_the_one_file(library):
    episode = recorded()
    library.begin_episode(episode)
    library.add_step(episode.uuid, tap(0))
    log = library.folder / "library.db-wal"
    assert log.stat().st_size > 0
    library.finish_episode(episode.uuid, EpisodeState.FINISHED, None, "")
    assert log.stat().st_size == 0


def test_an_episode_ends_also_while_a_reader_is_in_the_middle(library):
    episode = recorded()
    library.begin_episode(episode)
    with Library.read(library.folder) as reader:
        half_way = reader._db.conn.execute("SELECT * FROM episode")
        assert half_way.fetchone() is not None
        library.add_step(episode.uuid, tap(0))
        library.finish_episode(episode.uuid, EpisodeState.FINISHED, None, "")
        half_way.close()
        assert reader.episode("e-0001").state is EpisodeState.FINISHED


def test_an_episode_is_read_as_it_was_at_one_moment(library):
    """The screen after a step is saved between two queries of another reader."""
    episode = recorded()
    library.begin_episode(episode)
    library.add_segment(episode.uuid, segment(0))
    library.add_step(episode.uuid, tap(0, picture=still(SHA)), {0: packets(0, 5)})
    saved = []

    def save_after(statement):
        if "FROM step" in statement and not saved:
            saved.append(statement)
            library.set_after(episode.uuid, 0, Frame(SIZE, Basis.AFTER, still("cd" * 32)))

    with Library.read(library.folder) as reading:
        reading._db.conn.set_trace_callback(save_after)
        assert reading.episode(episode.uuid).steps[0].after is None
        assert saved
        assert reading.episode(episode.uuid).steps[0].after is not None
