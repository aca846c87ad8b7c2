"""Scores columns on many machines: each Dask worker judges one part.

Parts are sent to the workers as paths, which all workers must be able to read. They return counts,
which are combined in a tree in the parts' order. Needs the extra `cluster`. Workers are started
only on request.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from episodes.errors import KnownError
from replay import column_files
from scoring.bulk.counts import Partial, together
from scoring.bulk.table import BULK, score_batch
from scoring.protocol import Metrics, ScoringProtocol
from scoring.protocols import PROTOCOLS

FAN_IN = 16


def score_part(protocol: str, part: Path) -> Partial:
    """Returns the counts of one file of columns. Runs on a worker.

    Raises:
        KnownError: the file is not what it should be.
    """
    columns = column_files.read(part, BULK[protocol].lean)
    return score_batch(PROTOCOLS[protocol], columns)


def score_parts(client: Any, protocol: ScoringProtocol, parts: Sequence[Path]) -> Metrics:
    """Returns a protocol's metrics over all parts, judged by the workers of a Dask client.

    Raises:
        KnownError: the protocol looks back at earlier answers, so its parts cannot be judged
            separately; or a part is invalid.
    """
    if protocol.carry is not None:
        raise KnownError(
            f"score {protocol.key} on a cluster",
            "it judges an answer by those before it, in one row",
            "Score it here: `taptrail score`, or `taptrail columns score` without workers.",
        )
    found = client.map(score_part, [protocol.key] * len(parts), list(parts), pure=False)
    while len(found) > 1:
        groups = [found[start : start + FAN_IN] for start in range(0, len(found), FAN_IN)]
        found = [client.submit(together, group, pure=False) for group in groups]
    whole: Partial = found[0].result() if found else together([])
    return BULK[protocol.key].totals(whole)


@contextmanager
def connected(scheduler: str = "", workers: int = 0) -> Iterator[Any]:
    """Yields a Dask client of a scheduler, or of a number of worker processes on this machine.

    Raises:
        KnownError: `distributed` is not installed, or the scheduler does not answer.
    """
    doing = f"reach the Dask scheduler {scheduler}" if scheduler else "start Dask workers"
    try:
        distributed = importlib.import_module("distributed")
    except ImportError as error:
        raise KnownError(
            doing, "Dask is not installed", "Install it: pip install 'taptrail[cluster]'."
        ) from error
    if scheduler:
        try:
            client = distributed.Client(scheduler, timeout=20)
        except (OSError, ValueError) as error:
            raise KnownError(doing, str(error), "Check its address.") from error
        with client:
            yield client
        return
    with (
        distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client
