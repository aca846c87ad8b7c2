"""Computes signatures of pictures that were imported without decoding."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from episodes.errors import KnownError
from episodes.media.pictures import decode
from episodes.media.signature import luma_of, signature
from episodes.store.stills import StillFiles

if TYPE_CHECKING:
    from sqlite_utils import Database

Progress = Callable[[int, int | None], None]

AT_ONCE = 64  # pictures between two transactions
_UNSIGNED = "FROM still WHERE signature IS NULL AND id IN (SELECT still FROM frame)"


@dataclass(frozen=True, slots=True)
class SignatureReport:
    """Result of filling in signatures.

    Attributes:
        damaged: (hash, why) of those that cannot be decoded.
    """

    filled: int
    damaged: tuple[tuple[str, str], ...] = ()


def count_unsigned(db: Database) -> int:
    """Returns how many pictures of steps have no signature."""
    (count,) = db.conn.execute(f"SELECT count(*) {_UNSIGNED}").fetchone()
    return int(count)


def fill_signatures(
    db: Database, stills: StillFiles, on_progress: Progress | None, jobs: int | None
) -> SignatureReport:
    """Decodes pictures on all cores and writes their signatures."""
    found = db.conn.execute(f"SELECT id, sha256, media_type {_UNSIGNED}").fetchall()
    filled, damaged = 0, []

    def signed(row: Any) -> tuple[bytes, int] | tuple[str, str]:
        key, sha256, media_type = row
        try:
            return signature(luma_of(decode(stills.read(sha256, media_type)))), key
        except KnownError as error:
            return sha256, error.found

    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        done = 0
        for batch in _batches(found):
            results = list(pool.map(signed, batch))
            good = [one for one in results if isinstance(one[0], bytes)]
            damaged += [(str(one[0]), str(one[1])) for one in results if isinstance(one[0], str)]
            with db.atomic():
                db.conn.executemany("UPDATE still SET signature = ? WHERE id = ?", good)
            filled += len(good)
            done += len(batch)
            if on_progress is not None:
                on_progress(done, len(found))
    return SignatureReport(filled, tuple(damaged))


def _batches(rows: list[Any]) -> Iterator[list[Any]]:
    left = iter(rows)
    while batch := list(islice(left, AT_ONCE)):
        yield batch
