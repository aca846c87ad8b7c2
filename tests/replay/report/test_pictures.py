"""Pictures of any size become small ones."""

import base64

import pytest

from episodes.errors import KnownError
from episodes.geometry import Size
from episodes.media.pictures import decode, header
from replay.report.pictures import data_uri
from tests.replay.report.made import noise, png

PREFIX = "data:image/webp;base64,"


def bytes_of(uri):
    assert uri.startswith(PREFIX)
    return base64.b64decode(uri.removeprefix(PREFIX), validate=True)


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        (Size(1080, 2400), Size(480, 1067)),
        (Size(2400, 1080), Size(480, 216)),
        (Size(300, 650), Size(300, 650)),
        (Size(400, 4000), Size(120, 1200)),
        (Size(9, 1), Size(9, 1)),
    ],
)
def test_a_picture_is_at_most_twice_what_the_page_shows(size, shown):
    data = bytes_of(data_uri(png(size=size), 60_000))
    assert header(data) == ("image/webp", shown)


def test_colours_stay_what_they_are():
    pixels = decode(bytes_of(data_uri(png((200, 100, 50)), 60_000)))
    assert abs(pixels.reshape(-1, 3).mean(axis=0) - (200, 100, 50)).max() < 4


@pytest.mark.parametrize("limit", [60_000, 8_000, 2_000])
def test_a_picture_that_compresses_badly_is_made_smaller_until_it_fits(limit):
    assert len(bytes_of(data_uri(noise(1, Size(400, 800)), limit))) <= limit


def test_a_picture_ends_at_sixty_four_pixels():
    assert header(bytes_of(data_uri(noise(1, Size(200, 200)), 1))).size.width <= 64


def test_a_damaged_picture_is_a_known_error():
    with pytest.raises(KnownError):
        data_uri(png()[:50], 60_000)
