import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from episodes.episodes import EpisodeState
from episodes.media.packets import SegmentReader, SegmentWriter, read_index
from episodes.store.findings import Fault
from episodes.store.library import Library
from tests.episodes.media.clips import make_clip
from tests.episodes.store.dying_recorder import PACKETS_A_STEP, picture, step
from tests.episodes.store.samples import recorded, segment, still, tap
from tests.episodes.store.sql import sql

KILLS = 8


def record_and_kill(folder, name, lines, delay):
    """Returns the numbers of the steps the recorder had said were saved."""
    recorder = subprocess.Popen(
        [sys.executable, "-m", "tests.episodes.store.dying_recorder", str(folder), name],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    )
    said = [recorder.stdout.readline() for _ in range(lines + 1)]
    time.sleep(delay)  # the moment is meant to be anywhere within a step
    os.kill(recorder.pid, signal.SIGKILL)
    said += recorder.stdout.read().splitlines(keepends=True)
    assert recorder.wait() == -signal.SIGKILL
    recorder.stdout.close()
    return [int(line) for line in said[1:] if line.endswith("\n")]


def test_a_killed_recorder_loses_no_step_that_it_reported_as_saved(tmp_path):
    chance = random.Random(20)
    for kill in range(KILLS):
        name = f"e-{kill:04d}"
        said = record_and_kill(tmp_path, name, chance.randrange(12), chance.random() * 0.02)
        with Library.open(tmp_path) as library:
            assert library.recovery.episodes == (name,)
            check = [sql(library, f"PRAGMA {word}_check") for word in ("integrity", "foreign_key")]
            assert check == [[("ok",)], []]
            episode = library.episode(name)
            assert episode.state is EpisodeState.INCOMPLETE
            assert said == list(range(len(said)))
            assert len(said) <= len(episode.steps) <= len(said) + 1
            for number, found in enumerate(episode.steps):
                data = picture(name, number)
                sha256 = hashlib.sha256(data).hexdigest()
                assert found == step(name, number, sha256)
                assert library.stills.read(sha256, "image/png") == data
            path = library.episode_folder(episode.uuid) / episode.segments[0].file
            packets = library.packets(episode.uuid, 0)
            assert packets == list(read_index(path))
            assert len(packets) >= len(episode.steps) * PACKETS_A_STEP
            assert [packet.pts_us for packet in packets] == [
                number * 33_333 for number in range(len(packets))
            ]
            with SegmentReader(path, packets) as reader:
                shown = [frame.pts for frame in reader.frames(range(len(packets)))]
            assert shown == list(range(len(packets)))


@pytest.fixture
def cut_off(tmp_path):
    """A library whose recorder stopped without an end, and the packets that were written."""
    clip = make_clip()
    with Library.open(tmp_path) as library:
        episode = recorded()
        library.begin_episode(episode)
        library.add_segment(episode.uuid, segment(config=clip.config))
        path = library.episode_folder(episode.uuid) / "segment-000.h264"
        with SegmentWriter(path, clip.config) as writer:
            packets = [writer.write(data, pts, key, 7) for data, pts, key in clip.packets]
        library.add_step(episode.uuid, tap(0), {0: packets[:6]})
    return tmp_path, episode, path, packets


def test_packets_in_the_file_without_a_row_are_recovered(cut_off):
    folder, episode, _, packets = cut_off
    with Library.open(folder) as library:
        assert library.recovery.episodes == ("e-0001",)
        assert library.packets(episode.uuid, 0) == packets
        assert library.episode(episode.uuid) == replace(
            episode,
            state=EpisodeState.INCOMPLETE,
            steps=(tap(0),),
            segments=library.episode(episode.uuid).segments,
        )
    with Library.open(folder) as library:
        assert library.recovery.episodes == ()


def test_rows_of_packets_that_are_not_in_the_file_stay_and_are_reported(cut_off):
    folder, episode, path, packets = cut_off
    os.truncate(path, packets[4].offset + 3)
    with Library.open(folder) as library:
        assert library.packets(episode.uuid, 0) == packets[:6]
        assert library.episode(episode.uuid).steps == (tap(0),)
        end = packets[5].offset + packets[5].length
        found = f"the video has {packets[4].offset + 3} of {end} bytes"
        assert found in [fault.found for fault in library.check().faults]


def test_a_missing_video_deletes_no_step(cut_off):
    folder, episode, path, packets = cut_off
    path.unlink()
    with Library.open(folder) as library:
        assert library.packets(episode.uuid, 0) == packets[:6]
        assert library.episode(episode.uuid).steps == (tap(0),)
        assert "the video is missing" in [fault.found for fault in library.check().faults]


def test_a_reader_sees_the_episode_as_it_is_and_changes_nothing(cut_off):
    folder, episode, _, packets = cut_off
    with Library.read(folder) as library:
        assert library.episode(episode.uuid).state is EpisodeState.RECORDING
        assert library.packets(episode.uuid, 0) == packets[:6]
        assert library.recovery.episodes == ()


def test_old_pictures_that_no_row_names_are_moved_to_orphans_after_a_crash(cut_off):
    folder, *_ = cut_off
    with Library.read(folder) as library:
        stills = library.stills
    old, young = (stills.write(word, "image/png") for word in (b"old", b"young"))
    half = stills.path(old, "image/png").with_name(".unfinished-x")
    half.write_bytes(b"ha")
    other = half.with_name("notes.txt")
    other.write_bytes(b"mine")
    for path in (stills.path(old, "image/png"), half, other):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    left = [stills.path(old, "image/png"), half]
    moved = [f"orphans/{path.relative_to(folder)}" for path in left]
    with Library.open(folder) as library:
        assert sorted(library.recovery.moved) == sorted(moved)
    assert [path.exists() for path in (*left, other, stills.path(young, "image/png"))] == [
        *(False, False),
        *(True, True),
    ]
    assert [(folder / one).read_bytes() for one in moved] == [b"old", b"ha"]
    with Library.read(folder) as library:
        assert library.check().orphans == 2


def test_pictures_that_a_repair_moves_while_it_opens_the_library_are_listed(cut_off):
    folder, *_ = cut_off
    with Library.read(folder) as library:
        path = library.stills.path(library.stills.write(b"old", "image/png"), "image/png")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    place = str(path.relative_to(folder))
    with Library.open(folder) as library:
        report = library.check(repair=True)
    assert report.moved == [(place, f"orphans/{place}")]
    assert Fault("", place, "no step speaks of this picture", f"moved to orphans/{place}") in (
        report.faults
    )


def test_a_picture_a_row_names_is_never_moved(cut_off):
    folder, *_ = cut_off
    with Library.open(folder) as library:
        sha256 = library.stills.write(b"wanted", "image/png")
        second = recorded("e-0002")
        library.begin_episode(second)
        library.add_step(second.uuid, tap(0, picture=still(sha256)))
        path = library.stills.path(sha256, "image/png")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    with Library.open(folder) as library:
        assert library.recovery.episodes == ("e-0002",)
    assert path.read_bytes() == b"wanted"
