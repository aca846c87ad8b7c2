import hashlib
import threading
from dataclasses import replace

import pytest

from episodes.errors import KnownError
from episodes.store.errors import NotStorable
from episodes.store.stills import StillFiles
from tests.episodes.store.samples import imported, recorded, segment, still, tap

HOSTILE = [
    "../../outside",
    "/etc/passwd",
    "a/b",
    "..",
    ".",
    "",
    "a\0b",
    "a\\b",
    ".hidden",
    "x" * 200,
]


def test_a_picture_is_named_by_its_bytes_and_kept_once(tmp_path):
    stills = StillFiles(tmp_path)
    sha256 = stills.write(b"picture", "image/webp")
    assert sha256 == hashlib.sha256(b"picture").hexdigest()
    path = stills.path(sha256, "image/webp")
    assert path == tmp_path / "frames" / sha256[:2] / f"{sha256}.webp"
    assert path.read_bytes() == b"picture"
    inode = path.stat().st_ino
    assert stills.write(b"picture", "image/webp") == sha256
    assert path.stat().st_ino == inode
    assert [found.name for found in path.parent.iterdir()] == [path.name]


def test_a_torn_picture_is_written_again(tmp_path):
    stills = StillFiles(tmp_path)
    sha256 = stills.write(b"picture", "image/png")
    stills.path(sha256, "image/png").write_bytes(b"pic")
    stills.write(b"picture", "image/png")
    assert stills.read(sha256, "image/png") == b"picture"


def test_many_threads_may_write_the_same_picture(tmp_path):
    stills = StillFiles(tmp_path)
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(stills.write(b"same" * 9999, "image/png")))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    assert stills.read(found[0], "image/png") == b"same" * 9999


def test_a_missing_picture_is_reported(tmp_path):
    with pytest.raises(KnownError, match="Cannot read the picture abababababab: a file or folder"):
        StillFiles(tmp_path).read("ab" * 32, "image/png")


def test_only_pictures_are_kept(tmp_path):
    with pytest.raises(KnownError, match=r"“\.\./x” is none of image/png"):
        StillFiles(tmp_path).write(b"", "../x")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_leads_out_of_the_library(library, name):
    before = sorted(library.folder.iterdir())
    with pytest.raises(NotStorable):
        library.stills.path(name, "image/png")
    with pytest.raises(KnownError, match="is not a plain name"):
        library.episode_folder(name)
    report = library.save_episodes(
        [
            imported("1", uuid=name),
            imported("2", segments=(replace(segment(), file=name),)),
            recorded("3", [tap(0, picture=still(name))]),
        ]
    )
    assert (report.saved, len(report.refused)) == (0, 3)
    assert library.count() == 0
    assert sorted(library.folder.iterdir()) == before
