"""Pictures are kept while there is room, and a missing one is said to be missing."""

import hashlib
from pathlib import Path

import pytest
from PIL import Image
from pytestqt.qtbot import QtBot

from episodes.errors import KnownError
from episodes.geometry import Size
from episodes.screens import Still, StillSource
from taptrail.gui.thumbnails import Pictures, read_picture
from taptrail.gui.work import WorkThread
from tests.gui import story


def kept(folder: Path, colour: tuple[int, int, int]) -> Still:
    data = story.png(Image.new("RGB", (100, 200), colour))
    sha256 = hashlib.sha256(data).hexdigest()
    (folder / sha256).write_bytes(data)
    return Still(sha256, "image/png", Size(100, 200), len(data), StillSource.IMPORT, True)


def test_old_pictures_make_room_for_new_ones(qtbot: QtBot, tmp_path: Path) -> None:
    thread: WorkThread[None] = WorkThread("pictures", lambda: None)
    one = 100 * 200 * 4
    pictures = Pictures(thread, lambda s: tmp_path / s.sha256, across=0, room=3 * one)
    stills = [kept(tmp_path, (n, n, n)) for n in range(6)]
    for still in stills:
        with qtbot.waitSignal(pictures.ready):
            assert pictures.get(still) is None
    assert pictures.kept_bytes() == 3 * one
    assert pictures.get(stills[5]) is not None
    assert pictures.get(stills[0]) is None
    thread.stop()


def test_a_missing_file_is_asked_for_once(qtbot: QtBot, tmp_path: Path) -> None:
    thread: WorkThread[None] = WorkThread("pictures", lambda: None)
    asked: list[str] = []

    def find(still: Still) -> Path:
        asked.append(still.sha256)
        return tmp_path / "nothing.png"

    pictures = Pictures(thread, find, across=0, room=1_000_000)
    still = Still("0" * 64, "image/png", Size(1, 1), 1, StillSource.IMPORT, True)
    with qtbot.waitSignal(pictures.ready):
        assert pictures.get(still) is None
        assert not pictures.missing(still)
        assert pictures.waiting() == 1
    assert pictures.waiting() == 0
    assert pictures.get(still) is None
    assert pictures.missing(still)
    assert asked == ["0" * 64]
    thread.stop()


@pytest.mark.parametrize(
    ("data", "found"),
    [(b"not a picture", "Unsupported image format"), (None, "File not found")],
    ids=["text", "absent"],
)
def test_what_is_no_picture_is_said(tmp_path: Path, data: bytes | None, found: str) -> None:
    file = tmp_path / "screen.png"
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(KnownError) as error:
        read_picture(file)
    assert (error.value.doing, error.value.found) == ("show screen.png", found)


def test_a_picture_that_is_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "screen.png"
    Image.new("1", (20_000, 20_000)).save(file)
    with pytest.raises(KnownError, match="20000 x 20000"):
        read_picture(file)
