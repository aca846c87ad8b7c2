"""The player names one packet for each moment, and says which ones came too late."""

import threading
import time
from dataclasses import replace
from itertools import groupby

import numpy as np
import pytest

from episodes import actions as a
from episodes.clocks import Moment
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Point, Size
from episodes.media.packets import SegmentReader, SegmentWriter, rgb
from episodes.media.playback import EVEN_US, Player, Span, StillPicture, VideoPicture, make_track
from episodes.media.playback_thread import FrameCache, PlaybackThread, SegmentFile, ShownPicture
from episodes.recordings import Gap, Packet, Segment
from episodes.screens import Basis, Frame, Still, StillSource
from episodes.steps import Step
from tests.episodes.media.clips import make_clip

BOOT_US = 7_000_000_000
HOST_NS = 55_000_000_000
PAUSE_US = 900_000
SIZE = Size(96, 160)


class FakeClock:
    def __init__(self):
        self.now_ns = 5_000

    def __call__(self):
        return self.now_ns

    def pass_us(self, us):
        self.now_ns += round(us * 1000)


def write(path, clip, begins_us, times_us=None, boot_us=BOOT_US):
    """Writes a clip as a segment that began so long after the episode."""
    with SegmentWriter(path, clip.config) as writer:
        packets = []
        for number, (data, pts, key) in enumerate(clip.packets):
            at = begins_us + (times_us[number] if times_us else pts)
            received = HOST_NS + at * 1000 + 20_000_000
            packets.append(writer.write(data, boot_us + at, key, received))
    return SegmentFile(path, packets)


def moment(at_us):
    return Moment(device_us=BOOT_US + at_us)


def segment(number, file, began_us, ended_us):
    return Segment(
        number, file, "h264", SIZE, b"", 0, 0, "3", moment(began_us), ended=moment(ended_us)
    )


def tap(index, at_us):
    return Step(index, a.Tap(Point(3, 4)), began=moment(at_us), ended=moment(at_us + 60_000))


@pytest.fixture
def film(clip, tmp_path):
    """Two segments of real video with a pause between them; their frames come unevenly."""
    uneven = [n * 33_333 + (n % 3) * 7_000 + (n > 12) * 250_000 for n in range(20)]
    first = write(tmp_path / "segment-000.h264", clip, 0, uneven)
    second_begins = uneven[-1] + PAUSE_US
    second = write(tmp_path / "segment-001.h264", make_clip(count=9, gop=4), second_begins)
    gap = Gap("paused", moment(uneven[-1] + 100_000), moment(second_begins))
    episode = Episode(
        "u",
        "e-0001",
        Origin("recorded"),
        Task("Tap"),
        EpisodeState.FINISHED,
        (tap(0, 200_000), tap(1, second_begins + 90_000)),
        segments=(
            segment(0, "segment-000.h264", 0, uneven[-1]),
            segment(1, "segment-001.h264", second_begins, second_begins + 300_000),
        ),
        gaps=(gap,),
    )
    files = {0: first, 1: second}
    return episode, files, make_track(episode, {n: f.packets for n, f in files.items()})


def test_each_moment_of_a_fake_clock_shows_exactly_one_packet(film):
    _, files, track = film
    clock = FakeClock()
    player = Player(track, clock)
    player.play()
    came_on = [
        (packet.pts_us - BOOT_US, number, packet.number)
        for number, file in files.items()
        for packet in file.packets
    ]
    shown, expected = [], []
    for at_us in range(0, track.length_us, 1_777):
        shown.append(player.frame())
        expected.append(VideoPicture(*[row for row in came_on if row[0] <= at_us][-1][1:]))
        clock.pass_us(1_777)
    assert shown == expected
    assert len(set(shown)) == 29
    assert player.direction() == 0
    assert player.at_us() == track.length_us


@pytest.mark.parametrize("speed", [0.5, 1.0, 2.0])
def test_a_packet_comes_on_at_its_microsecond_at_every_speed(film, speed):
    _, files, track = film
    clock = FakeClock()
    player = Player(track, clock)
    player.set_speed(speed)
    player.play()
    at = files[0].packets[14].pts_us - BOOT_US
    clock.pass_us((at - 2) / speed)
    assert player.frame() == VideoPicture(0, 13)
    assert player.due_ns() - clock() == pytest.approx(2000 / speed, abs=3)
    clock.pass_us(2 / speed)
    assert player.frame() == VideoPicture(0, 14)


def test_a_pause_lasts_as_long_as_it_did_and_keeps_the_frame_before_it(film):
    _, files, track = film
    last = files[0].packets[-1].pts_us - BOOT_US
    assert track.gaps == (Span(last + 100_000, last + PAUSE_US, "paused"),)
    assert track.frame(last + PAUSE_US - 1) == VideoPicture(0, 19)
    assert track.frame(last + PAUSE_US) == VideoPicture(1, 0)
    assert [track.gap(at) for at in (last, last + 500_000)] == [None, track.gaps[0]]
    assert track.segments == (
        Span(0, last),
        Span(last + PAUSE_US, last + PAUSE_US + 300_000),
    )
    assert track.steps == (
        Span(200_000, 260_000),
        Span(last + PAUSE_US + 90_000, last + PAUSE_US + 150_000),
    )
    assert [track.row(at) for at in (0, 260_000, 260_001, track.length_us)] == [0, 0, 1, 1]


def test_one_picture_on_and_back_seek_and_back_play(film):
    _, files, track = film
    clock = FakeClock()
    player = Player(track, clock)
    player.seek(files[0].packets[7].pts_us - BOOT_US + 5)
    seen = [player.frame()]
    for by in (1, 1, -1, -3, 100, -1):
        player.step(by)
        seen.append(player.frame())
    assert seen == [VideoPicture(0, n) for n in (7, 8, 9, 8, 5)] + [
        VideoPicture(1, n) for n in (8, 7)
    ]
    player.seek(files[0].packets[7].pts_us - BOOT_US)
    player.play(-1)
    clock.now_ns = player.due_ns()
    assert player.frame() == VideoPicture(0, 6)
    clock.pass_us(10_000_000)
    assert (player.frame(), player.direction(), player.at_us()) == (VideoPicture(0, 0), 0, 0)
    player.seek(track.length_us)
    player.play()
    assert player.at_us() == 0


def test_a_phone_that_was_started_again_does_not_turn_time_back(film, tmp_path):
    episode, files, track = film
    clip = make_clip(count=9, gop=4)
    begins = files[1].packets[0].pts_us - BOOT_US
    again = write(tmp_path / "again.h264", clip, begins, boot_us=BOOT_US)
    restarted = [replace(p, pts_us=p.pts_us - BOOT_US + 40) for p in again.packets]
    other = make_track(episode, {0: files[0].packets, 1: restarted})
    assert other.times_us == track.times_us


def test_packets_before_the_first_key_frame_show_nothing(film):
    episode, files, _ = film
    late = [replace(packet, key=packet.key and packet.number > 0) for packet in files[0].packets]
    track = make_track(episode, {0: late})
    assert track.pictures[0] == VideoPicture(0, 8)
    assert track.frame(0) == VideoPicture(0, 8)


def stills(*times_us):
    still = Still("0" * 64, "image/png", SIZE, 9, StillSource.IMPORT, True)
    return Episode(
        "u",
        "0042",
        Origin("guiodyssey", "2"),
        Task("Tap"),
        EpisodeState.FINISHED,
        tuple(
            Step(
                n,
                a.Tap(Point(1, 2)),
                Frame(SIZE, Basis.IMPORTED, still) if n != 2 else None,
                began=Moment(host_ns=at * 1000) if at is not None else Moment(),
            )
            for n, at in enumerate(times_us)
        ),
    )


def test_without_video_stills_are_played_evenly_or_as_they_were_recorded():
    even = make_track(stills(None, None, None, None), {})
    assert even.even
    assert even.pictures == (StillPicture(0), StillPicture(1), StillPicture(3))
    assert even.times_us == (0, EVEN_US, 3 * EVEN_US)
    assert even.length_us == 4 * EVEN_US
    assert [even.row(n * EVEN_US) for n in range(5)] == [0, 1, 2, 3, 3]
    told = make_track(stills(5_000, 3_005_000, 4_005_000, 9_005_000), {})
    assert not told.even
    assert told.pictures == even.pictures
    assert told.times_us == (0, EVEN_US, EVEN_US + 4_000_000)
    assert told.steps[3] == Span(EVEN_US + 9_000_000, EVEN_US + 9_000_000)
    assert told.length_us == 11 * EVEN_US
    nothing = make_track(stills(), {})
    assert (nothing.frame(0), nothing.length_us, nothing.row(0)) == (None, 0, -1)


def test_a_frame_cache_keeps_few_frames_and_stops_on_request(film):
    _, files, _ = film
    cache = FrameCache(files, kept=4)
    with SegmentReader(files[0].path, files[0].packets) as reader:
        right = [rgb(reader.frame(number)) for number in range(20)]
    for number in (10, 11, 9, 8, 12, 3, 19):
        frame = cache.frame(VideoPicture(0, number))
        assert np.array_equal(rgb(frame), right[number]), number
        assert len(cache._kept) <= 4
    assert cache.decoded == 3 + 1 + 0 + 0 + 1 + 4 + 4
    left = iter([True, True, False])
    assert cache.frame(VideoPicture(1, 3), lambda: next(left)) is None
    assert cache.decoded == 13 + 2
    cache.close()


class Screen:
    """Takes what is shown, and lets a test wait for it."""

    def __init__(self):
        self.shown: list[ShownPicture] = []
        self.errors = []
        self.came = threading.Condition()

    def show(self, showing):
        with self.came:
            self.shown.append(showing)
            self.came.notify_all()

    def fail(self, error):
        with self.came:
            self.errors.append(error)
            self.came.notify_all()

    def wait(self, until):
        with self.came:
            assert self.came.wait_for(until, timeout=30)


def test_the_projector_shows_the_pixels_of_the_packet_that_is_due(film):
    _, files, track = film
    screen, player = Screen(), Player(track, FakeClock())
    projector = PlaybackThread(player, files, screen.show, screen.fail)
    try:
        for number in (4, 17, 2):
            player.seek(files[0].packets[number].pts_us - BOOT_US)
            projector.changed()
            wanted = VideoPicture(0, number)
            screen.wait(lambda w=wanted: screen.shown and screen.shown[-1].picture == w)
            with SegmentReader(files[0].path, files[0].packets) as reader:
                right = rgb(reader.frame(number))
            pixels = screen.shown[-1].pixels
            assert pixels.shape == (160, 96, 4)
            assert np.abs(pixels[..., 2::-1].astype(int) - right).max() <= 2
        projector.set_room(48, 48)
        player.step(1)
        projector.changed()
        screen.wait(lambda: screen.shown[-1].picture == VideoPicture(0, 3))
        assert screen.shown[-1].pixels.shape == (48, 29, 4)
        assert screen.shown[-1].pixels.flags.c_contiguous
    finally:
        projector.stop()
    assert screen.errors == []


def test_by_the_real_clock_each_packet_is_shown_or_counted_as_dropped(film):
    _, files, track = film
    screen, player = Screen(), Player(track)
    slow = threading.Event()

    def show(showing):
        screen.show(showing)
        if showing.picture == VideoPicture(0, 3):  # a screen that is busy for a moment
            slow.wait(0.4)

    projector = PlaybackThread(player, files, show, screen.fail)
    try:
        player.play()
        projector.changed()
        screen.wait(lambda: screen.shown and screen.shown[-1].picture == VideoPicture(1, 8))
    finally:
        projector.stop()
    # What shows when play begins is handed over once more if it still shows then.
    shown = [picture for picture, _ in groupby(showing.picture for showing in screen.shown)]
    assert len(shown) == len(set(shown))
    assert shown == sorted(shown, key=lambda p: (p.segment, p.packet))
    first = track.pictures.index(shown[0])
    assert len(shown) + projector.dropped() == len(track.pictures) - first
    assert projector.dropped() >= 5
    assert screen.shown[-1].dropped == projector.dropped()
    player.seek(0)
    assert projector.dropped() == screen.shown[-1].dropped


def long_film(folder, clip):
    """Returns the file and the track of one segment with a clip."""
    file = write(folder / "segment-000.h264", clip, 0)
    last_us = clip.packets[-1][1]
    episode = Episode(
        "u",
        "e-0001",
        Origin("recorded"),
        Task("Tap"),
        EpisodeState.FINISHED,
        (),
        segments=(segment(0, "segment-000.h264", 0, last_us),),
    )
    return {0: file}, make_track(episode, {0: file.packets})


@pytest.mark.parametrize("speed", [1.0, 2.0])
def test_by_the_real_clock_pictures_come_at_the_pace_of_the_recording(tmp_path, speed):
    files, track = long_film(tmp_path, make_clip(count=90, gop=30))
    screen, player = Screen(), Player(track)
    projector = PlaybackThread(player, files, screen.show, screen.fail)
    began = time.monotonic()
    try:
        player.set_speed(speed)
        player.play()
        projector.changed()
        screen.wait(lambda: screen.shown and screen.shown[-1].picture == VideoPicture(0, 89))
    finally:
        projector.stop()
    assert time.monotonic() - began >= track.length_us / 1e6 / speed - 0.1
    shown = {showing.picture for showing in screen.shown}
    assert len(shown) >= 45, "half of the pictures, on however busy a machine"
    assert len(shown) + projector.dropped() in (89, 90)


def test_pictures_show_while_the_playhead_is_dragged_faster_than_they_decode(tmp_path):
    files, track = long_film(tmp_path, make_clip(540, 1200, count=180, gop=60))
    screen, player = Screen(), Player(track)
    projector = PlaybackThread(player, files, screen.show, screen.fail)
    try:
        for number in range(600):  # each seek goes to the end of another group of pictures
            player.seek(track.times_us[59 + 60 * (number % 3)])
            projector.changed()
            time.sleep(0.005)
        during = len(screen.shown)
        screen.wait(lambda: screen.shown[-1].picture == player.frame())
    finally:
        projector.stop()
    assert during >= 5
    assert screen.errors == []


def test_a_missing_file_is_reported_once_and_the_others_are_read(film):
    _, files, track = film
    files[0].path.unlink()
    screen, player = Screen(), Player(track, FakeClock())
    projector = PlaybackThread(player, files, screen.show, screen.fail)
    try:
        for at in (0, 100_000):
            player.seek(at)
            projector.changed()
            screen.wait(lambda: screen.errors)
        player.seek(files[1].packets[2].pts_us - BOOT_US)
        projector.changed()
        screen.wait(lambda: screen.shown)
    finally:
        projector.stop()
    assert [showing.picture for showing in screen.shown] == [VideoPicture(1, 2)]
    assert len(screen.errors) == 1
    assert "segment-000.h264" in str(screen.errors[0])


def test_stopping_does_not_wait_for_the_end_of_a_long_seek(film):
    _, files, track = film
    began = time.monotonic()
    projector = PlaybackThread(Player(track, FakeClock()), files, lambda _: None, lambda _: None)
    projector.stop()
    projector.stop()
    assert time.monotonic() - began < 20
    assert not projector._thread.is_alive()


def test_a_segment_without_a_key_frame_shows_nothing(film):
    episode, _, _ = film
    packets = [Packet(0, BOOT_US, False, 0, 1, HOST_NS)]
    assert make_track(episode, {0: packets}).pictures == ()
