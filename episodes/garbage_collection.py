"""Pauses the garbage collector while many values are made at once."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Puts the collector off: a batch's values live as long as the batch, and looking for cycles in
    them takes longer than the work. Counts of references free them all the same."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
