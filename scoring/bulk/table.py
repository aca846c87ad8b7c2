"""Table of protocols for columns: the kernel of each, if any, and its aggregation of counts.

Without a kernel, and for rows that do not fit a kernel's strict form, the scalar rule judges, equal
rows once. So the result on every row is that of the scalar rule.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from episodes.garbage_collection import without_garbage_collection
from episodes.step_columns import StepColumns
from scoring.bulk import aitw, auto_gui, odyssey, totals
from scoring.bulk.counts import Partial, counted
from scoring.bulk.marks import ODD, Codes, Marks
from scoring.bulk.scalar import judge_rows
from scoring.bulk.totals import Totals
from scoring.protocol import ScoringProtocol
from scoring.protocols import PROTOCOLS
from scoring.protocols.aitw_auto_gui import FOUR, TWO

Kernel = Callable[[StepColumns, Marks], Codes]


@dataclass(frozen=True, slots=True)
class Bulk:
    """A protocol over columns.

    Attributes:
        fits: description of the rows that the kernel takes; "" without a kernel.
        lean: the space whose packed numbers suffice to judge a row; "" if more is needed.
    """

    kernel: Kernel | None
    totals: Totals
    fits: str = ""
    lean: str = ""


_AITW = "step and answer in the data set's own numbers"
_ODYSSEY = "annotated steps, answers in the benchmark's words with plain numbers"
_KERNELS: dict[str, Bulk] = {
    "aitw@1": Bulk(aitw.judge, totals.of_aitw, _AITW, lean="aitw"),
    "aitw@2": Bulk(aitw.judge, totals.of_aitw, _AITW, lean="aitw"),
    "guiodyssey@1": Bulk(
        partial(odyssey.judge, rule=partial(odyssey.own, regions=False)),
        totals.GUIODYSSEY_1,
        _ODYSSEY,
        lean="guiodyssey",
    ),
    "guiodyssey@2": Bulk(
        partial(odyssey.judge, rule=partial(odyssey.own, regions=True)),
        totals.GUIODYSSEY_2,
        _ODYSSEY,
        lean="guiodyssey",
    ),
    "guiodyssey/agentcpm@1": Bulk(
        partial(odyssey.judge, rule=odyssey.cpm), totals.of_agentcpm, f"{_ODYSSEY}, whole ones"
    ),
    "aitz@2": Bulk(None, totals.of_aitz),
    "aitz@1": Bulk(None, totals.of_aitz),
    "aitz/lift@2": Bulk(None, totals.of_aitz),
    "aitz/lift@1": Bulk(None, totals.of_aitz),
    "aitz/agentcpm@2": Bulk(None, totals.of_agentcpm),
    "aitz/agentcpm@1": Bulk(None, totals.of_agentcpm),
    "androidcontrol/agentcpm@1": Bulk(None, totals.of_agentcpm),
    "androidcontrol/agentcpm@2": Bulk(None, totals.of_agentcpm),
    "androidcontrol/agentcpm-no-flag@1": Bulk(None, totals.of_agentcpm),
    "androidcontrol/agentcpm-no-flag@2": Bulk(None, totals.of_agentcpm),
    "taptrail-strict@1": Bulk(None, totals.of_strict),
}
_OS_ATLAS = (partial(odyssey.judge, rule=odyssey.os_atlas), f"{_ODYSSEY}, whole ones", "")
_COUNTED_BY_STEPS: dict[str, tuple[Kernel | None, str, str]] = {
    "aitw/auto-gui@2": (partial(auto_gui.judge, strokes=FOUR), _AITW, "aitw"),
    "aitw/auto-gui@1": (partial(auto_gui.judge, strokes=TWO), _AITW, "aitw"),
    "guiodyssey/os-atlas@2": _OS_ATLAS,
    "guiodyssey/os-atlas@1": _OS_ATLAS,
    "guiodyssey/gui-r1@2": (odyssey.judge_gui_r1, _ODYSSEY, ""),
    "guiodyssey/gui-r1@1": (odyssey.judge_gui_r1, _ODYSSEY, ""),
}


def _by_steps(protocol: ScoringProtocol) -> Bulk:
    kernel, fits, lean = _COUNTED_BY_STEPS.get(protocol.key, (None, "", ""))
    return Bulk(kernel, partial(totals.replayed, aggregate=protocol.aggregate), fits, lean)


BULK: dict[str, Bulk] = {
    key: _KERNELS.get(key) or _by_steps(protocol) for key, protocol in PROTOCOLS.items()
}


def judge_batch(protocol: ScoringProtocol, columns: StepColumns, marks: Marks) -> Codes:
    """Returns a code of `marks` for each row."""
    with without_garbage_collection():
        return _judged(protocol, columns, marks)


def _judged(protocol: ScoringProtocol, columns: StepColumns, marks: Marks) -> Codes:
    kernel = BULK[protocol.key].kernel
    codes = kernel(columns, marks) if kernel is not None else np.full(len(columns), ODD, np.int32)
    odd = np.flatnonzero(codes == ODD)
    if len(odd):
        codes[odd] = judge_rows(protocol, columns, odd, marks)
    return codes


def score_batch(protocol: ScoringProtocol, columns: StepColumns) -> Partial:
    """Returns the counts of a batch, a pure function of its columns.

    For a protocol that looks back at earlier answers, the batch must come from `auto_gui.carried`.
    """
    marks = Marks()
    codes = judge_batch(protocol, columns, marks)
    return counted(columns, codes, marks.told)
