import struct
import zlib

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.errors import KnownError
from episodes.geometry import Size
from episodes.media import pictures


def picture(height=60, width=40):
    pixels = np.random.default_rng(3).integers(0, 256, (height, width, 3), np.uint8)
    pixels[: height // 2] = (255, 0, 10)
    return pixels


def encoded(suffix, *options):
    done, data = cv2.imencode(suffix, cv2.cvtColor(picture(), cv2.COLOR_RGB2BGR), options)
    assert done
    return bytes(data)


def test_a_png_gives_back_every_pixel_red_first():
    pixels = picture()
    data = pictures.encode_png(pixels)
    assert data.startswith(b"\x89PNG")
    assert np.array_equal(pictures.decode(data), pixels)


def test_the_mirrors_pixels_are_saved_blue_first_without_their_alpha():
    bgra = np.dstack([picture()[..., ::-1], np.full((60, 40), 7, np.uint8)])
    padded = np.zeros((60, 48, 4), np.uint8)
    padded[:, :40] = bgra
    assert np.array_equal(pictures.decode(pictures.encode_png(padded[:, :40])), picture())


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (encoded(".png"), "image/png"),
        (encoded(".jpg"), "image/jpeg"),
        (encoded(".jpg", cv2.IMWRITE_JPEG_PROGRESSIVE, 1), "image/jpeg"),
        (encoded(".webp", cv2.IMWRITE_WEBP_QUALITY, 80), "image/webp"),
        (encoded(".webp", cv2.IMWRITE_WEBP_QUALITY, 101), "image/webp"),
    ],
    ids=["png", "jpeg", "progressive jpeg", "webp", "lossless webp"],
)
def test_type_and_size_are_read_from_the_header(data, media_type):
    assert pictures.header(data) == (media_type, Size(40, 60))
    assert pictures.decode(data).shape == (60, 40, 3)


def test_the_size_of_an_extended_webp_is_read_from_its_header():
    vp8x = b"VP8X" + struct.pack("<I", 10) + bytes(4) + b"\x27\0\0" + b"\x3b\0\0"
    data = b"RIFF" + struct.pack("<I", 4 + len(vp8x)) + b"WEBP" + vp8x
    assert pictures.header(data) == ("image/webp", Size(40, 60))


def png_of_size(width, height):
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    crc = struct.pack(">I", zlib.crc32(chunk))
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + crc


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (png_of_size(60_000, 60_000), "it has 60000x60000 pixels, and at most 64000000 are read"),
        (b"\x89PNG\r\n\x1a\n" + bytes(64 * 1024 * 1024), "it has 67108872 bytes"),
        (b"", "the bytes are neither PNG nor JPEG nor WebP"),
        (b"<svg/>", "the bytes are neither PNG nor JPEG nor WebP"),
        (png_of_size(0, 5), "its header is cut off or has no size"),
        (encoded(".png")[:18], "its header is cut off or has no size"),
        (encoded(".jpg")[:9], "its header is cut off or has no size"),
        (encoded(".png")[:60], "it is damaged"),
    ],
    ids=["megapixels", "bytes", "empty", "svg", "no width", "short png", "short jpeg", "cut"],
)
def test_a_picture_that_cannot_be_a_screen_is_refused(data, complaint):
    with pytest.raises(KnownError) as caught:
        pictures.decode(data)
    assert caught.value.found.startswith(complaint)


@given(st.binary(max_size=200), st.sampled_from([".png", ".jpg", ".webp"]), st.integers(0, 80))
def test_any_bytes_are_a_picture_or_a_known_error(tail, suffix, kept):
    try:
        pixels = pictures.decode(encoded(suffix)[:kept] + tail)
    except KnownError:
        return
    assert pixels.dtype == np.uint8
    assert pixels.ndim == 3


def chunks(*parts):
    """A PNG of 40 by 60 pixels with these parts between its head and its end."""
    made = b"\x89PNG\r\n\x1a\n"
    for kind, data in ((b"IHDR", png_of_size(40, 60)[16:29]), *parts, (b"IEND", b"")):
        made += struct.pack(">I", len(data)) + kind + data
        made += struct.pack(">I", zlib.crc32(kind + data))
    return made


ROWS = zlib.compress((b"\0" + bytes(120)) * 60)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (encoded(".png")[:-12], "it is damaged: it is cut off"),
        (encoded(".png")[:3000], "it is damaged: it is cut off"),
        (
            encoded(".png")[:3000] + b"?" + encoded(".png")[3001:],
            "it is damaged: its IDAT part has another checksum",
        ),
        (encoded(".webp")[:500], "it is damaged"),
    ],
    ids=["without its end", "cut off", "one byte", "webp"],
)
def test_a_damaged_picture_is_refused_without_a_word_on_the_terminal(capfd, data, found):
    with pytest.raises(KnownError) as caught:
        pictures.decode(data)
    assert caught.value.found == found
    assert capfd.readouterr() == ("", "")


def test_parts_of_a_png_that_are_not_its_pixels_are_passed_over_in_silence(capfd):
    odd = chunks((b"iCCP", b"abc\0\0none"), (b"gAMA", b"\0\0\0\1"), (b"IDAT", ROWS))
    broken = odd.replace(b"none", b"gone")  # with another checksum
    for data in (odd, broken, odd + b"what follows its end"):
        assert not pictures.decode(data).any()
    assert capfd.readouterr() == ("", "")


def test_no_side_is_longer_than_a_frame_may_be():
    with pytest.raises(KnownError, match="at most 20000 along a side"):
        pictures.decode(pictures.encode_png(np.zeros((20_001, 1), np.uint8)))
    assert pictures.decode(pictures.encode_png(np.zeros((20_000, 1), np.uint8))).shape[0] == 20_000
