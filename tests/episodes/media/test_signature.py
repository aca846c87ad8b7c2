import numpy as np
import pytest

from episodes.errors import KnownError
from episodes.media.packets import SegmentReader, luma, rgb
from episodes.media.signature import blocks, differs, luma_of, signature


def screen():
    luma = np.full((2400, 1080), 235, np.uint8)
    luma[200:260, 80:700] = 40
    return luma


def test_a_signature_is_an_eighth_of_the_screen_and_small():
    assert blocks(screen()).shape == (300, 135)
    assert blocks(np.zeros((161, 97), np.uint8)).shape == (21, 13)
    assert len(signature(screen())) < 4000


def test_a_screen_equals_itself_through_the_noise_of_a_codec():
    noise = np.random.default_rng(1).integers(-6, 7, (2400, 1080))
    noisy = np.clip(screen().astype(int) + noise, 0, 255).astype(np.uint8)
    assert not differs(signature(screen()), signature(noisy))
    assert not differs(signature(screen()), signature(screen()))


@pytest.mark.parametrize("left", range(400, 408))
def test_a_text_cursor_of_four_pixels_makes_another_screen(left):
    changed = screen()
    changed[600:660, left : left + 4] = 30
    assert differs(signature(screen()), signature(changed))


def test_one_block_decides_at_sixteen():
    below, at = screen(), screen()
    below[800:808, 80:88] -= 15
    at[800:808, 80:88] -= 16
    assert not differs(signature(screen()), signature(below))
    assert differs(signature(screen()), signature(at))


def test_a_turned_screen_is_another_screen():
    assert differs(signature(screen()), signature(np.ascontiguousarray(screen().T)))


def test_frames_of_a_stream_have_signatures(segment):
    with SegmentReader(*segment) as reader:
        seen = [signature(luma(reader.frame(number))) for number in (0, 0, 5)]
    assert not differs(seen[0], seen[1])
    assert differs(seen[0], seen[2])


def test_brightness_of_a_still_is_of_its_size(segment):
    with SegmentReader(*segment) as reader:
        brightness = luma_of(rgb(reader.frame(0)))
    assert brightness.shape == (160, 96)
    assert brightness[8, 20] > 240


def test_bytes_that_are_not_a_signature_are_refused():
    with pytest.raises(KnownError, match="neither PNG"):
        differs(b"", signature(screen()))
