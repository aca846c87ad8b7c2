"""Pictures for tests, as PNG bytes: small ones of one colour, and one like a phone's screen."""

import random
import struct
import zlib

import numpy as np
from PIL import Image, ImageDraw

from episodes.geometry import Size
from episodes.media.pictures import encode_png

SMALL = Size(36, 80)


def png(size: Size = SMALL, shade: int = 200, colour: tuple[int, int, int] | None = None) -> bytes:
    """Returns a picture of one colour; the same arguments give the same bytes."""
    red, green, blue = colour or (shade, shade, 255 - shade)
    row = b"\0" + bytes((red, green, blue)) * size.width
    header = struct.pack(">IIBBBBB", size.width, size.height, 8, 2, 0, 0, 0)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", header),
            _chunk(b"IDAT", zlib.compress(row * size.height)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def phone_screen(dice: random.Random) -> bytes:
    """Returns a PNG like a phone's screen of 1080x2400: a picture and rows of words."""
    image = Image.new("RGB", (1080, 2400), (250, 250, 247))
    pen = ImageDraw.Draw(image)
    photo = Image.effect_noise((900, 420), 60).convert("RGB")
    image.paste(photo.resize((180, 84)).resize((900, 420)), (90, 200))
    for row in range(24):
        y = 700 + row * 68
        pen.ellipse((60, y, 112, y + 52), fill=tuple(dice.randrange(40, 220) for _ in range(3)))
        words = "".join(dice.choice("abcdefghij klmnop rstuv") for _ in range(46))
        pen.text((140, y + 6), words, fill=(30, 32, 36), font_size=34)
    return encode_png(np.asarray(image))
