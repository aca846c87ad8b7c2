"""What C libraries write to standard error while pictures are decoded."""

import os
import struct
import subprocess
import sys
import threading
import zlib

import cv2
import numpy as np
import pytest

from episodes.errors import KnownError
from episodes.media import pictures
from episodes.media.decoder_warnings import without_decoder_warnings


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_with(stream):
    head = struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", stream), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


@pytest.mark.parametrize(
    "stream", [zlib.compress(bytes([9] + 12 * [1]) * 4), zlib.compress(bytes(52))[:-4] + b"abcd"]
)
def test_a_png_that_libpng_complains_of_is_refused_without_a_line_on_the_terminal(capfd, stream):
    with pytest.raises(KnownError, match="it is damaged"):
        pictures.decode(png_with(stream))
    assert capfd.readouterr() == ("", "")


def test_a_jpeg_with_foreign_bytes_is_decoded_without_a_line_on_the_terminal(capfd):
    noise = np.random.default_rng(3).integers(0, 256, (40, 40, 3), np.uint8)
    data = bytes(cv2.imencode(".jpg", noise)[1])
    assert pictures.decode(data[:-2] + b"\0" * 99 + data[-2:]).shape == (40, 40, 3)
    assert capfd.readouterr() == ("", "")


def test_output_of_other_threads_is_passed_on(capfd):
    with without_decoder_warnings():
        os.write(2, b"one\nlibpng warning: x\ntw")
        with without_decoder_warnings():
            os.write(2, b"o\n")
        os.write(2, b"Corrupt JPEG data: y\n")
        assert capfd.readouterr() == ("", "")
    os.write(2, b"three\n")
    assert capfd.readouterr() == ("", "one\ntwo\nthree\n")


def test_threads_that_decode_at_once_leave_standard_error_as_it_was(capfd):
    def decode():
        for _ in range(50):
            with without_decoder_warnings():
                os.write(2, b"libpng error: z\n")

    before = os.fstat(2).st_ino
    threads = [threading.Thread(target=decode) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert os.fstat(2).st_ino == before
    assert capfd.readouterr() == ("", "")


def test_a_program_without_standard_error_decodes_too():
    code = (
        "import os; os.close(2)\n"
        "from episodes.media import pictures\n"
        "import numpy as np\n"
        "print(pictures.decode(pictures.encode_png(np.zeros((2, 3, 3), np.uint8))).shape)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "(2, 3, 3)\n"
