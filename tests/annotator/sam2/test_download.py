"""Fetching a checkpoint from servers that cut, lie, fall silent and have not what is wanted."""

import hashlib
import itertools
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest

from annotator.sam2 import download
from annotator.sam2.checkpoints import CHECKPOINTS, Checkpoint
from annotator.sam2.download import DownloadStopped, download_checkpoint, list_sources
from episodes.errors import KnownError

DATA = bytes(range(256)) * 8_000  # 2 MB
TINY = replace(CHECKPOINTS["tiny"], size=len(DATA), sha256=hashlib.sha256(DATA).hexdigest())


class Asked(NamedTuple):
    path: str
    range: str | None


class Server(ThreadingHTTPServer):
    """Serves DATA under /<way>/<name>; the way says how it misbehaves."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[Asked] = []
        self.closing = threading.Event()

    def url(self, way: str) -> list[str]:
        return [f"http://127.0.0.1:{self.server_port}/{way}/{TINY.file}"]


class Handler(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, *told: object) -> None:
        pass

    def do_GET(self) -> None:
        way = self.path.split("/")[1]
        wanted = self.headers.get("Range")
        self.server.asked.append(Asked(self.path, wanted))
        begin = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
        getattr(self, way)(begin)

    def head(self, status: int, length: int | None, range_: str = "") -> None:
        self.send_response(status)
        if length is not None:
            self.send_header("Content-Length", str(length))
        if range_:
            self.send_header("Content-Range", range_)
        self.end_headers()

    def part(self, begin: int) -> None:
        if begin:
            self.head(206, len(DATA) - begin, f"bytes {begin}-{len(DATA) - 1}/{len(DATA)}")
        else:
            self.head(200, len(DATA))

    def good(self, begin: int) -> None:
        self.part(begin)
        self.wfile.write(DATA[begin:])

    def cut(self, begin: int) -> None:
        """Ends after 700,000 bytes, each time."""
        self.part(begin)
        self.wfile.write(DATA[begin : begin + 700_000])

    def cut_at_the_end(self, begin: int) -> None:
        """Breaks off at 99.99 %."""
        self.part(begin)
        self.wfile.write(DATA[begin:] if begin else DATA[:-200])

    def no_range(self, begin: int) -> None:
        """Knows nothing of ranges, and cuts the first answer."""
        self.head(200, len(DATA))
        self.wfile.write(DATA if begin else DATA[:500_000])

    def wrong_range(self, begin: int) -> None:
        """Goes on somewhere else."""
        if begin:
            self.head(206, len(DATA) - 10, f"bytes 10-{len(DATA) - 1}/{len(DATA)}")
            self.wfile.write(DATA[10:])
        else:
            self.good(0)

    def refuses_range(self, begin: int) -> None:
        if begin:
            self.head(416, 0)
        else:
            self.good(0)

    def corrupt(self, begin: int) -> None:
        self.part(begin)
        self.wfile.write(b"!" + DATA[begin + 1 :])

    def missing(self, begin: int) -> None:
        self.head(404, 0)

    def busy(self, begin: int) -> None:
        self.head(503, 0)

    def silent(self, begin: int) -> None:
        """Takes the connection and says nothing more."""
        self.server.closing.wait()

    def stalls(self, begin: int) -> None:
        self.part(begin)
        self.wfile.write(DATA[begin : begin + 300_000])
        self.wfile.flush()
        self.server.closing.wait()

    def too_long(self, begin: int) -> None:
        """Says nothing of how much there is, and does not end."""
        self.head(200, None)
        self.wfile.write(DATA + b"more")

    def another(self, begin: int) -> None:
        """A page to log in, as hotels have it."""
        self.head(200, 12)
        self.wfile.write(b"<html></html"[:12])

    def moved(self, begin: int) -> None:
        self.send_response(302)
        self.send_header("Location", self.server.url("good")[0])
        self.send_header("Content-Length", "0")
        self.end_headers()


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.02,))
        thread.start()
        yield running
        running.closing.set()
        running.shutdown()
        thread.join()


def get(
    addresses: list[str],
    folder: Path,
    *,
    checkpoint: Checkpoint = TINY,
    on_progress: Callable[[int, int | None], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Path:
    return download_checkpoint(
        checkpoint,
        folder,
        addresses,
        on_progress=on_progress,
        cancelled=cancelled,
        silence=0.3,
        pause=0.001,
    )


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    ("way", "ranges"),
    [
        ("good", [None]),
        ("moved", [None, None]),
        ("cut", [None, "bytes=700000-", "bytes=1400000-"]),
        ("cut_at_the_end", [None, f"bytes={len(DATA) - 200}-"]),
        ("no_range", [None, "bytes=500000-"]),
    ],
)
def test_it_comes_whole_and_goes_on_where_it_was_cut(
    way: str, ranges: list[str | None], server: Server, tmp_path: Path
) -> None:
    told: list[int] = []
    place = get(server.url(way), tmp_path, on_progress=lambda done, total: told.append(done))
    assert place == tmp_path / TINY.file
    assert place.read_bytes() == DATA
    assert names(tmp_path) == [TINY.file]
    assert [one.range for one in server.asked] == ranges
    assert told[-1] == len(DATA)
    assert max(b - a for a, b in itertools.pairwise(told)) <= download.PIECE


@pytest.mark.parametrize("way", ["wrong_range", "refuses_range", "no_range"])
def test_a_part_that_cannot_be_gone_on_with_is_fetched_anew(
    way: str, server: Server, tmp_path: Path
) -> None:
    (tmp_path / f"{TINY.file}.part").write_bytes(DATA[:1000])
    assert get(server.url(way), tmp_path).read_bytes() == DATA
    assert server.asked[0].range == "bytes=1000-"


def test_a_part_that_is_too_long_is_thrown_away(server: Server, tmp_path: Path) -> None:
    (tmp_path / f"{TINY.file}.part").write_bytes(DATA + b"x")
    assert get(server.url("good"), tmp_path).read_bytes() == DATA
    assert [one.range for one in server.asked] == [None]


def test_a_part_that_was_whole_is_only_checked(server: Server, tmp_path: Path) -> None:
    (tmp_path / f"{TINY.file}.part").write_bytes(DATA)
    assert get(server.url("good"), tmp_path).read_bytes() == DATA
    assert server.asked == []


def test_another_files_bytes_are_kept_as_bad_and_never_get_the_name(
    server: Server, tmp_path: Path
) -> None:
    with pytest.raises(KnownError, match=r"has the sha256 \w{16}… instead of .*\.bad"):
        get(server.url("corrupt"), tmp_path)
    assert names(tmp_path) == [f"{TINY.file}.bad"]
    assert get(server.url("good"), tmp_path).read_bytes() == DATA


@pytest.mark.parametrize(
    ("way", "found"),
    [
        ("missing", r"answers 404 Not Found"),
        ("busy", r"answers 503 Service Unavailable \(5 tries\)"),
        ("silent", r"has been silent for 0\.3 s \(5 tries\)"),
        ("too_long", r"sends more than the 2,048,000 bytes there are"),
        ("another", r"has another file, of 12 bytes instead of 2,048,000"),
    ],
)
def test_a_server_without_the_file_is_an_error_of_one_sentence(
    way: str, found: str, server: Server, tmp_path: Path
) -> None:
    with pytest.raises(KnownError, match=found):
        get(server.url(way), tmp_path)
    assert not (tmp_path / TINY.file).exists()


def test_a_server_that_falls_silent_is_asked_again_for_the_rest(
    server: Server, tmp_path: Path
) -> None:
    assert get(server.url("stalls"), tmp_path).read_bytes() == DATA
    assert [one.range for one in server.asked][:2] == [None, "bytes=300000-"]


def test_the_next_source_is_asked_where_one_has_not_the_file(
    server: Server, tmp_path: Path
) -> None:
    place = get([*server.url("missing"), *server.url("good")], tmp_path)
    assert place.read_bytes() == DATA


def test_a_refused_connection_is_an_error_that_names_the_proxy(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    with pytest.raises(KnownError, match=r"cannot be reached: .*through the proxy 127\.0\.0\.1:1"):
        get(["http://models.example/tiny.pt"], tmp_path)


def test_cancelling_keeps_what_has_come(server: Server, tmp_path: Path) -> None:
    done = 0

    def progress(now: int, total: int | None) -> None:
        nonlocal done
        done = now

    with pytest.raises(DownloadStopped):
        get(server.url("good"), tmp_path, on_progress=progress, cancelled=lambda: done > 400_000)
    (part,) = tmp_path.iterdir()
    assert part.name == f"{TINY.file}.part"
    assert 400_000 < part.stat().st_size < len(DATA)
    assert get(server.url("good"), tmp_path).read_bytes() == DATA
    assert server.asked[-1].range == f"bytes={done}-"


def test_without_room_nothing_is_fetched(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = shutil.disk_usage(tmp_path)._replace(free=1_000_000)
    monkeypatch.setattr(download.shutil, "disk_usage", lambda path: free)
    with pytest.raises(KnownError, match="has 1 MB free and 54 MB are needed"):
        get(server.url("good"), tmp_path)
    assert server.asked == []


def test_two_programs_do_not_fetch_into_the_same_file(server: Server, tmp_path: Path) -> None:
    with download._alone(tmp_path / f"{TINY.file}.part", "fetch it"):
        with pytest.raises(KnownError, match="another program is fetching it"):
            get(server.url("good"), tmp_path)


def test_only_web_addresses_are_fetched_from(tmp_path: Path) -> None:
    (tmp_path / "model.pt").write_bytes(DATA)
    with pytest.raises(KnownError, match="is no web address"):
        get([(tmp_path / "model.pt").as_uri()], tmp_path / "models")


def test_the_sources_are_the_publishers_or_the_mirror_alone() -> None:
    tiny = CHECKPOINTS["tiny"]
    assert list_sources(tiny, "", {}) == [
        f"{download.OFFICIAL}/sam2.1_hiera_tiny.pt",
        "https://huggingface.co/facebook/sam2.1-hiera-tiny/resolve/main/sam2.1_hiera_tiny.pt",
    ]
    assert list_sources(tiny, "", {"HF_ENDPOINT": "https://hub.example/"})[1] == (
        "https://hub.example/facebook/sam2.1-hiera-tiny/resolve/main/sam2.1_hiera_tiny.pt"
    )
    assert list_sources(tiny, "https://mirror.example/sam/", {}) == [
        "https://mirror.example/sam/sam2.1_hiera_tiny.pt"
    ]
