"""The store of imported pictures."""

import pytest

from episodes.formats import picture_store as shelves
from episodes.formats.input_files import BadPicture
from tests.samples.drawn import png


def test_a_picture_that_many_steps_name_is_decoded_once(tmp_path, picture_store):
    (tmp_path / "0.png").write_bytes(png())
    first = picture_store.keep(tmp_path / "0.png")
    assert picture_store.keep(tmp_path / "0.png") is first
    assert picture_store.keep_bytes(png(), "another") is first


def test_a_broken_picture_is_refused_each_time_by_its_own_name(picture_store):
    for name in ("one", "two"):
        with pytest.raises(BadPicture, match=rf"Cannot keep the picture {name}: .* neither PNG"):
            picture_store.keep_bytes(b"no picture", name)


def test_only_the_last_pictures_are_remembered(monkeypatch, picture_store):
    monkeypatch.setattr(shelves, "REMEMBERED", 2)
    first = picture_store.keep_bytes(png(shade=1), "1")
    picture_store.keep_bytes(png(shade=2), "2")
    picture_store.keep_bytes(png(shade=3), "3")
    again = picture_store.keep_bytes(png(shade=1), "1")
    assert again is not first
    assert again == first
