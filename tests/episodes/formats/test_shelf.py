"""The shelf that imported pictures are put on."""

import pytest

from episodes.formats import shelf as shelves
from episodes.formats.reading import BadPicture
from tests.samples.drawn import png


def test_a_picture_that_many_steps_name_is_decoded_once(tmp_path, shelf):
    (tmp_path / "0.png").write_bytes(png())
    first = shelf.keep(tmp_path / "0.png")
    assert shelf.keep(tmp_path / "0.png") is first
    assert shelf.keep_bytes(png(), "another") is first


def test_a_broken_picture_is_refused_each_time_by_its_own_name(shelf):
    for name in ("one", "two"):
        with pytest.raises(BadPicture, match=rf"Cannot keep the picture {name}: .* neither PNG"):
            shelf.keep_bytes(b"no picture", name)


def test_only_the_last_pictures_are_remembered(monkeypatch, shelf):
    monkeypatch.setattr(shelves, "REMEMBERED", 2)
    first = shelf.keep_bytes(png(shade=1), "1")
    shelf.keep_bytes(png(shade=2), "2")
    shelf.keep_bytes(png(shade=3), "3")
    again = shelf.keep_bytes(png(shade=1), "1")
    assert again is not first
    assert again == first
