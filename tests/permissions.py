"""What a person without root's powers meets, also where the tests run as root."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_VERSION_3 = 0x20080522
_PASSES_OVER_PERMISSIONS = (1 << 1) | (1 << 2)  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH


@contextmanager
def mode(path: Path, bits: int) -> Iterator[None]:
    """Gives a path other permissions, which hold for root too, until the end of the block."""
    before = path.stat().st_mode & 0o777
    path.chmod(bits)
    try:
        with _without_powers():
            yield
    finally:
        path.chmod(before)


@contextmanager
def _without_powers() -> Iterator[None]:
    """Takes root's right to pass over permissions from this thread."""
    if os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(_VERSION_3, 0)
    had = (ctypes.c_uint32 * 6)()
    assert libc.capget(header, had) == 0
    less = (ctypes.c_uint32 * 6)(*had)
    less[0] &= ~_PASSES_OVER_PERMISSIONS
    assert libc.capset(header, less) == 0
    try:
        yield
    finally:
        assert libc.capset(header, had) == 0
