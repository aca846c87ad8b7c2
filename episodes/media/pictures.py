"""Still pictures: bytes to pixels and back, never more than a screen can have.

Files come from anywhere, so the size is read from the header before anything is decoded.
"""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from episodes.errors import KnownError
from episodes.geometry import MAX_SIDE, Size
from episodes.media.decoder_warnings import without_decoder_warnings

# What is wrong with a picture is said where it is refused, not on the terminal.
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)

MAX_PIXELS = 64_000_000
MAX_BYTES = 64 * 1024 * 1024

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_PARTS = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")

Pixels = NDArray[np.uint8]


class Header(NamedTuple):
    """What the first bytes of a picture say."""

    media_type: str
    size: Size


def header(data: bytes) -> Header:
    """Returns a picture's type and size without decoding it.

    Raises:
        KnownError: it is not a PNG, JPEG or WebP, or has no size.
    """
    try:
        found = _png(data) or _webp(data) or _jpeg(data)
        if found is None:
            raise _refused("the bytes are neither PNG nor JPEG nor WebP")
        media_type, width, height = found
        return Header(media_type, Size(width, height))
    except (struct.error, IndexError, ValueError) as error:
        raise _refused("its header is cut off or has no size") from error


def check_whole(data: bytes) -> Header:
    """Returns what the first bytes of a picture say, if the picture is whole as far as can be seen
    without decoding it: a PNG by its checksums, a JPEG or WebP by its end.

    Raises:
        KnownError: it is not a picture, is cut off or damaged, or is larger than `decode` reads.
    """
    found = _checked_header(data)
    match found.media_type:
        case "image/png":
            _check_png(data)
        case "image/jpeg":
            if b"\xff\xd9" not in data[-4096:]:
                raise _refused("it is damaged: it is cut off")
        case _:
            if int.from_bytes(data[4:8], "little") + 8 > len(data):
                raise _refused("it is damaged: it is cut off")
    return found


def decode(data: bytes) -> Pixels:
    """Returns a picture's pixels, (height, width, 3), red first, 8 bits; alpha is left out.

    Raises:
        KnownError: it is not a picture, is damaged, or has more than 64 megapixels, 64 MiB or
            `MAX_SIDE` pixels along a side.
    """
    size = _checked_header(data).size
    if data.startswith(_PNG):
        data = _bare_png(data)
    flags = cv2.IMREAD_COLOR_RGB | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        with without_decoder_warnings():
            pixels = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error as error:
        raise _refused(f"it is damaged: {error.err}") from error
    if pixels is None or pixels.shape != (size.height, size.width, 3):
        raise _refused("it is damaged")
    return cast(Pixels, pixels)


def _checked_header(data: bytes) -> Header:
    if len(data) > MAX_BYTES:
        raise _refused(f"it has {len(data)} bytes, and at most {MAX_BYTES} are read")
    found = header(data)
    size = found.size
    if size.width * size.height > MAX_PIXELS:
        raise _refused(f"it has {size} pixels, and at most {MAX_PIXELS} are read")
    if max(size.width, size.height) > MAX_SIDE:
        raise _refused(f"it has {size} pixels, and at most {MAX_SIDE} along a side are read")
    return found


def encode_png(pixels: Pixels, quickly: bool = False) -> bytes:
    """Returns a lossless PNG.

    Args:
        quickly: in about 0.4 of the time; the file is some percent larger.
        pixels: (height, width, 3), red first; or (height, width, 4), blue first as Qt's and the
            mirror's frames are, of which the fourth is left out; or (height, width), grey.
    """
    options = [cv2.IMWRITE_PNG_COMPRESSION, 1]
    if quickly and hasattr(cv2, "IMWRITE_PNG_FILTER"):  # since OpenCV 4.12
        options += [cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_SUB]
    return _encode(".png", _blue_first(pixels), options)


def _blue_first(pixels: Pixels) -> Pixels:
    match pixels.shape:
        case (_, _):
            return pixels
        case (_, _, 3):
            return cast(Pixels, cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR))
        case (_, _, 4):
            return cast(Pixels, cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR))
        case shape:
            raise ValueError(f"pixels of the shape {shape} are no picture")


def _encode(suffix: str, pixels: Pixels, options: list[int]) -> bytes:
    done, data = cv2.imencode(suffix, pixels, options)
    if not done:
        raise ValueError(f"OpenCV cannot write {suffix} of the shape {pixels.shape}")
    return bytes(data)


def _bare_png(data: bytes) -> bytes:
    """Returns a PNG with the parts its pixels need, after a look at their checksums.

    Raises:
        KnownError: a part is damaged, or its end is missing.
    """
    at, kept = len(_PNG), [_PNG]
    while at + 12 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        end = at + 12 + length
        if end > len(data):
            break
        if kind in _PNG_PARTS:
            (told,) = struct.unpack_from(">I", data, end - 4)
            if zlib.crc32(data[at + 4 : end - 4]) != told:
                raise _refused(f"it is damaged: its {kind.decode()} part has another checksum")
            kept.append(data[at:end])
        if kind == b"IEND":
            return b"".join(kept)
        at = end
    raise _refused("it is damaged: it is cut off")


def _check_png(data: bytes) -> None:
    """Looks at a PNG's checksums without copying it.

    Raises:
        KnownError: a part is damaged, or its end is missing.
    """
    view, at = memoryview(data), len(_PNG)
    while at + 12 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        end = at + 12 + length
        if end > len(data):
            break
        if kind in _PNG_PARTS:
            if zlib.crc32(view[at + 4 : end - 4]) != int.from_bytes(view[end - 4 : end], "big"):
                raise _refused(f"it is damaged: its {kind.decode()} part has another checksum")
            if kind == b"IEND":
                return
        at = end
    raise _refused("it is damaged: it is cut off")


def _png(data: bytes) -> tuple[str, int, int] | None:
    if not data.startswith(_PNG):
        return None
    return ("image/png", *struct.unpack_from(">II", data, 16))


def _webp(data: bytes) -> tuple[str, int, int] | None:
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        return None
    match data[12:16]:
        case b"VP8X":
            width, height = (int.from_bytes(data[at : at + 3], "little") for at in (24, 27))
            return "image/webp", width + 1, height + 1
        case b"VP8L":
            (bits,) = struct.unpack_from("<I", data, 21)
            return "image/webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 ":
            width, height = struct.unpack_from("<HH", data, 26)
            return "image/webp", width & 0x3FFF, height & 0x3FFF
    return None


def _jpeg(data: bytes) -> tuple[str, int, int] | None:
    """Walks the segments up to the one that begins the frame (SOF0 to SOF15, without tables)."""
    if not data.startswith(b"\xff\xd8\xff"):
        return None
    at = 2
    while data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # a filling byte
            at += 1
            continue
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, at + 5)
            return "image/jpeg", width, height
        (length,) = struct.unpack_from(">H", data, at + 2)
        at += 2 + length
    raise ValueError("no frame")


def _refused(found: str) -> KnownError:
    return KnownError("read a picture", found, "Leave the picture out, or save it again.")
