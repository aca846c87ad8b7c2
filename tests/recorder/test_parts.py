"""The small parts a recording stands on: the newest place, the sink, the library's thread."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from episodes.errors import KnownError
from episodes.media.packets import SegmentReader
from episodes.recordings import Packet
from episodes.store.library import Library
from recorder.capture import CaptureBroke, CaptureEvent, EpisodeSink, SegmentBegan
from recorder.device.interface import VideoPacket
from recorder.frames import Latest
from recorder.library_thread import LibraryThread
from recorder.mirror import Place

CONFIG = VideoPacket(b"config", None)
KEY = VideoPacket(b"key!", 100, key=True)
NEXT = VideoPacket(b"next", 200)


def test_the_newest_value_wins_and_only_an_empty_place_is_announced() -> None:
    latest: Latest[int] = Latest()
    assert [latest.put(1), latest.put(2)] == [True, False]
    assert (latest.take(), latest.take(), latest.peek()) == (2, None, 2)
    assert latest.put(3)
    assert (latest.count, latest.wait_beyond(2, 0), latest.wait_beyond(3, 0)) == (3, 3, None)
    latest.clear()
    assert (latest.take(), latest.peek(), latest.count) == (None, None, 3)


def test_packets_are_kept_from_a_configuration_and_its_key_frame_on(tmp_path: Path) -> None:
    told: list[CaptureEvent] = []
    sink = EpisodeSink("uuid", tmp_path / "episode", "h264", told.append)
    places = [
        sink.append(packet, number)
        for number, packet in enumerate([KEY, CONFIG, NEXT, KEY, NEXT, CONFIG, KEY])
    ]
    assert places == [None, None, None, Place(0, 0), Place(0, 1), None, Place(1, 0)]
    assert sink.take_index() == {
        0: [Packet(0, 100, True, 6, 4, 3), Packet(1, 200, False, 10, 4, 4)],
        1: [Packet(0, 100, True, 6, 4, 6)],
    }
    assert sink.take_index() == {}
    sink.close()
    assert sink.append(KEY, 9) is None
    assert told == [
        SegmentBegan(0, "segment-000.h264", "h264", b"config", 1),
        SegmentBegan(1, "segment-001.h264", "h264", b"config", 5),
    ]
    assert (tmp_path / "episode" / "segment-000.h264").read_bytes() == b"configkey!next"
    assert sink.lost == 0


def test_only_the_named_segment_is_ended(tmp_path: Path) -> None:
    sink = EpisodeSink("uuid", tmp_path / "episode", "h264", lambda event: None)
    for packet in (CONFIG, KEY, CONFIG, KEY):
        sink.append(packet, 0)
    sink.end_segment(0)  # said late, of the one before
    assert sink.append(NEXT, 0) == Place(1, 1)
    sink.end_segment(1)
    assert sink.append(NEXT, 0) is None
    assert sink.lost == 0
    sink.close()


def test_a_full_disk_is_reported_once_and_lost_packets_are_counted(tmp_path: Path) -> None:
    told: list[CaptureEvent] = []
    (tmp_path / "episode").mkdir()
    (tmp_path / "episode" / "segment-000.h264").write_bytes(b"in the way")
    sink = EpisodeSink("uuid", tmp_path / "episode", "h264", told.append)
    assert [sink.append(packet, 0) for packet in (CONFIG, KEY, NEXT)] == [None, None, None]
    (event,) = told
    assert isinstance(event, CaptureBroke)
    assert "segment-000.h264" in str(event.error)
    assert sink.lost == 3
    sink.close()


def test_the_library_is_written_on_one_thread_of_its_own(tmp_path: Path) -> None:
    with LibraryThread(tmp_path / "library") as library:
        names = [library.call(lambda _: threading.current_thread().name) for _ in range(3)]
        assert names == ["library"] * 3
        assert library.call(lambda opened: opened.next_name()) == "e-0001"
        failed = library.submit(lambda opened: opened.episode("nobody"))
        assert isinstance(failed.exception(), KnownError)
        last = library.submit(lambda opened: opened.count())
    assert last.result() == 0  # what was queued is done before it closes
    with pytest.raises(ValueError, match="closed"):
        library.submit(lambda opened: None)


def test_a_library_that_cannot_be_opened_is_an_error_at_the_start(tmp_path: Path) -> None:
    with LibraryThread(tmp_path / "library"), pytest.raises(KnownError):
        LibraryThread(tmp_path / "library").start()
    with pytest.raises(KnownError):
        LibraryThread(tmp_path / "nowhere", create=False).start()
    with Library.open(tmp_path / "library"):
        pass  # nothing holds it any more


def test_a_segment_without_packets_has_nothing_to_show(tmp_path: Path) -> None:
    sink = EpisodeSink("uuid", tmp_path / "episode", "h264", lambda event: None)
    sink.append(CONFIG, 0)
    sink.close()
    with SegmentReader(tmp_path / "episode" / "segment-000.h264", []) as reader:
        with pytest.raises(IndexError):
            reader.frame(0)
