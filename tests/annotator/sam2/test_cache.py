"""Cache of embeddings on disk: keys, size limit, and damaged files."""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from annotator.sam2.cache import EmbeddingCache, Maps, embedding_key, to_half_precision
from episodes.geometry import Box

NAME = "ab" + "0" * 62


def maps(value: float = 1.0) -> Maps:
    return tuple(np.full((1, 2, side, side), value, np.float16) for side in (8, 4, 2))


def test_an_embedding_is_halved_number_by_number() -> None:
    assert [
        one.tolist() for one in to_half_precision(tuple(m.astype(np.float32) for m in maps(0.5)))
    ] == [one.tolist() for one in maps(0.5)]


def test_it_is_kept_in_half_precision_under_its_name(tmp_path: Path) -> None:
    cache = EmbeddingCache(tmp_path)
    assert cache.get(NAME) is None
    assert cache.put(NAME, maps(0.25))
    got = cache.get(NAME)
    assert got is not None
    assert [one.tolist() for one in got] == [one.tolist() for one in maps(0.25)]
    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.glob("*/*")] == [
        f"ab/{NAME}.npz"
    ]


def test_all_that_an_embedding_depends_on_is_in_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    view = Box(0, 0, 10, 10)
    keys = [
        embedding_key("f", view, "c", 1024),
        embedding_key("g", view, "c", 1024),
        embedding_key("f", Box(0, 1, 10, 11), "c", 1024),
        embedding_key("f", view, "d", 1024),
        embedding_key("f", view, "c", 512),
    ]
    monkeypatch.setattr("annotator.sam2.cache.SESSION_VERSION", 99)
    keys.append(embedding_key("f", view, "c", 1024))
    assert len(set(keys)) == 6
    assert embedding_key("f", Box(0.0, 0.0, 10.0, 10.0), "c", 1024) == keys[-1]


def test_the_one_used_longest_ago_goes_first(tmp_path: Path) -> None:
    size = len(_file_of(tmp_path / "one", maps()))
    cache = EmbeddingCache(tmp_path / "all", limit=3 * size)
    names = [f"{at:02}" + "0" * 62 for at in range(4)]
    for at, name in enumerate(names[:3]):
        cache.put(name, maps(at))
        _age(tmp_path / "all", name, seconds=100 - at)
    assert cache.get(names[0]) is not None  # used just now
    cache.put(names[3], maps(3))
    assert [cache.get(name) is not None for name in names] == [True, False, True, True]
    assert cache.size() <= 3 * size


def test_the_newest_stays_however_small_the_limit(tmp_path: Path) -> None:
    cache = EmbeddingCache(tmp_path, limit=1)
    cache.put("aa" + "0" * 62, maps(1))
    cache.put("bb" + "0" * 62, maps(2))
    assert cache.get("aa" + "0" * 62) is None
    assert cache.get("bb" + "0" * 62) is not None


def flip(data: bytes) -> bytes:
    return data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :]


@pytest.mark.parametrize(
    "damage",
    [lambda data: data[:100], flip, lambda data: b"", lambda data: b"not a zip at all"],
    ids=["cut", "flipped", "empty", "other"],
)
def test_a_damaged_file_is_removed_and_counted(
    damage: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    cache = EmbeddingCache(tmp_path)
    cache.put(NAME, maps())
    (path,) = tmp_path.glob("*/*")
    path.write_bytes(damage(path.read_bytes()))
    assert cache.get(NAME) is None
    assert (cache.damaged, list(tmp_path.glob("*/*"))) == (1, [])


@pytest.mark.parametrize(
    "arrays",
    [
        maps()[:2],
        tuple(one.astype(np.float32) for one in maps()),
        tuple(np.full_like(one, np.nan) for one in maps()),
        tuple(one[0] for one in maps()),
        tuple(np.array([object()]) for _ in maps()),
    ],
    ids=["two maps", "full precision", "no numbers", "no picture", "pickled"],
)
def test_bytes_that_are_not_an_embedding_count_as_damaged(
    arrays: tuple[np.ndarray, ...], tmp_path: Path
) -> None:
    cache = EmbeddingCache(tmp_path)
    cache.put(NAME, maps())
    (path,) = tmp_path.glob("*/*")
    with path.open("wb") as stream:
        np.savez(stream, *arrays)
    assert cache.get(NAME) is None
    assert cache.damaged == 1


def test_numbers_too_large_for_half_precision_stay_whole_and_are_not_kept(tmp_path: Path) -> None:
    large = tuple(one.astype(np.float32) * 1e6 for one in maps())
    assert to_half_precision(large) is large
    assert not EmbeddingCache(tmp_path).put(NAME, large)


def test_a_full_disk_is_not_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert not EmbeddingCache(tmp_path / "file").put(NAME, maps())


def _file_of(folder: Path, held: Maps) -> bytes:
    EmbeddingCache(folder).put(NAME, held)
    (path,) = folder.glob("*/*")
    return path.read_bytes()


def _age(folder: Path, name: str, seconds: int) -> None:
    (path,) = folder.glob(f"*/{name}.npz")
    moment = path.stat().st_mtime - seconds
    os.utime(path, (moment, moment))
