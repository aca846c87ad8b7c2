"""The picture that is sent: Pillow's pixels, the rule's size, and a hash that encoders share."""

import hashlib
import io
import random

import numpy as np
import pytest
from PIL import Image

from episodes.errors import KnownError
from episodes.geometry import Size
from replay.asking.recipe import Picture
from replay.asking.sent_picture import picture_rule, prepare
from replay.coordinates import extent


@pytest.fixture(scope="module")
def png():
    pixels = np.random.default_rng(3).integers(0, 255, (480, 216, 3), dtype=np.uint8)
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG")
    return stream.getvalue()


def sent(png, **picture):
    return prepare(png, hashlib.sha256(png).hexdigest(), "image/png", Picture(**picture))


def test_a_picture_sent_as_it_is_keeps_its_bytes(png):
    found = sent(png)
    assert (found.data, found.size) == (png, Size(216, 480))


@pytest.mark.parametrize("name", ["bicubic", "bilinear", "lanczos", "area"])
def test_the_resize_is_pillows(png, name):
    filters = {"area": "BOX"}
    resample = getattr(Image.Resampling, filters.get(name, name.upper()))
    expected = np.asarray(Image.open(io.BytesIO(png)).resize((112, 252), resample))
    found = sent(png, rule="112x252", resample=name, format="png")
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(found.data))), expected)


def test_png_and_jpeg_of_the_same_pixels_have_the_same_hash(png):
    one = sent(png, rule="112x252", format="png")
    other = sent(png, rule="112x252", format="jpeg")
    assert one.pixels_sha256 == other.pixels_sha256
    assert one.media_type != other.media_type


@pytest.mark.parametrize(
    ("rule", "size"),
    [
        ("longest:240", Size(108, 240)),
        ("longest:999", Size(216, 480)),
        ("qwen2.5-vl", Size(224, 476)),
        ("smart:32:4096:50000", Size(128, 320)),
    ],
)
def test_each_rule_gives_its_size(png, rule, size):
    assert sent(png, rule=rule).size == size


@pytest.mark.parametrize("rule", ["", "big", "smart:28:9:3", "longest:0", "12x"])
def test_an_unknown_rule_is_refused(rule):
    with pytest.raises(KnownError, match="picture rule"):
        picture_rule(Picture(rule=rule))


def test_every_smart_size_is_a_fixed_point():
    dice = random.Random(7)
    rule = picture_rule(Picture(rule="qwen2.5-vl"))
    for _ in range(2000):
        size = rule.resize(Size(dice.randrange(100, 3000), dice.randrange(100, 3000)))
        assert rule.resize(size) == size


def test_pixels_of_a_picture_shrunk_to_its_longest_side_can_be_declared():
    assert extent("resized:longest:1120", Size(1080, 2400)) == (504.0, 1120.0)
    assert picture_rule(Picture(rule="longest:1120")).space == "resized:longest:1120"
