"""The rules over columns say what the scalar rules say, on every row and in every number."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from episodes.episodes import Episode
from episodes.step_columns import StepColumns, columns_of
from episodes.verdicts import Verdict
from scoring.bulk.auto_gui import carried
from scoring.bulk.counts import Partial, together
from scoring.bulk.marks import ODD, Marks, mark_of
from scoring.bulk.table import BULK, judge_batch, score_batch
from scoring.protocol import ScoredStep
from scoring.protocols import PROTOCOLS
from tests.scoring import COUNT
from tests.scoring.bulk_rows import PAIRS, Pair, Row, plain_odyssey, rows


def made(protocol: str) -> tuple[Row, ...]:
    return made_by(PAIRS[protocol])


@cache
def made_by(pairs: Callable[[int], Iterator[Pair]]) -> tuple[Row, ...]:
    return tuple(rows(pairs, COUNT))


def scalar(
    protocol: str, told: tuple[Row, ...]
) -> Iterator[tuple[Episode, int, Verdict, int, bool]]:
    """The verdicts of the rules themselves, one step after another."""
    rules = PROTOCOLS[protocol]
    carry = rules.carry() if rules.carry is not None else None
    for episode, step, said, doubled in told:
        judged = carry(said, step) if carry is not None and not doubled else said
        verdict = rules.verdict(judged, step, episode)
        yield episode, step.index, verdict, said.line if said is not None else 0, doubled


def batches(told: tuple[Row, ...], seed: int = 1) -> Iterator[StepColumns]:
    """The rows cut between episodes, at random places."""
    rng = random.Random(seed)
    starts = [0] + [n for n, (a, b) in enumerate(pairwise(told), 1) if a[0] is not b[0]]
    chosen = sorted({0, *rng.sample(starts, min(8, len(starts)))})
    for start, end in pairwise([*chosen, len(told)]):
        yield columns_of(told[start:end])


def kept(verdict: Verdict) -> tuple[object, dict[str, object]]:
    mark = mark_of(verdict)
    return mark.outcome, dict(mark.parts)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_bulk_equals_scalar_on_every_row_and_in_every_number(protocol):
    assert_equal(protocol, made(protocol))


ODYSSEY = [key for key, bulk in BULK.items() if bulk.kernel and key.startswith("guiodyssey")]


@pytest.mark.parametrize("protocol", ODYSSEY)
def test_bulk_equals_scalar_on_plain_answers_round_the_limits(protocol):
    assert_equal(protocol, made_by(plain_odyssey)[:3000])


def assert_equal(protocol: str, told: tuple[Row, ...]) -> None:
    expected = list(scalar(protocol, told))
    rules, found, partials = PROTOCOLS[protocol], [], []
    for batch in carried(rules, batches(told)):
        marks = Marks()
        codes = judge_batch(rules, batch, marks)
        found += [kept(marks.told[code].verdict) for code in codes.tolist()]
        partials.append(score_batch(rules, batch))
    assert [told[n] for n, row in enumerate(expected) if found[n] != kept(row[2])] == []
    steps = [
        ScoredStep(
            episode.name,
            step,
            verdict,
            episode.task.category,
            episode.declared_steps,
            place,
            doubled,
        )
        for episode, step, verdict, place, doubled in expected
    ]
    assert BULK[protocol].totals(together(partials)) == rules.aggregate(steps)


@pytest.mark.parametrize("protocol", [key for key, bulk in BULK.items() if bulk.kernel])
def test_a_kernel_judges_most_rows_of_the_strict_form(protocol):
    told = made_by(plain_odyssey)[:3000] if protocol in ODYSSEY else made(protocol)
    batch = columns_of(told)
    kernel = BULK[protocol].kernel
    assert kernel is not None
    assert np.mean(kernel(batch, Marks()) != ODD) > 0.6


def test_each_protocol_has_rows_and_a_way_over_columns():
    assert list(PAIRS.keys() ^ PROTOCOLS.keys()) == []
    assert list(BULK.keys() ^ PROTOCOLS.keys()) == []


@pytest.mark.parametrize("protocol", ["aitw@1", "guiodyssey@2", "guiodyssey/agentcpm@1"])
def test_counts_are_the_same_however_batches_are_put_together(protocol):
    told = made(protocol)[:3000]
    one, two, three = (score_batch(PROTOCOLS[protocol], batch) for batch in thirds(told))
    left = together([together([one, two]), three])
    right = together([one, together([two, three])])
    flat = together([one, two, three])
    totals = BULK[protocol].totals
    assert totals(left) == totals(right) == totals(flat)
    assert left.marks == right.marks == flat.marks
    assert left.episodes == right.episodes == flat.episodes


def thirds(told: tuple[Row, ...]) -> list[StepColumns]:
    starts = [0] + [n for n, (a, b) in enumerate(pairwise(told), 1) if a[0] is not b[0]]
    cuts = [0, starts[len(starts) // 3], starts[2 * len(starts) // 3], len(told)]
    return [columns_of(told[start:end]) for start, end in pairwise(cuts)]


def test_no_batches_make_the_numbers_of_no_steps():
    for protocol, rules in PROTOCOLS.items():
        assert BULK[protocol].totals(together([])) == rules.aggregate([])
        assert BULK[protocol].totals(score_batch(rules, columns_of([]))) == rules.aggregate([])
    assert together([]).episodes == Partial().episodes


@pytest.mark.parametrize("protocol", ["taptrail-strict@1", "guiodyssey@2", "androidcontrol/mimo@1"])
def test_a_row_comes_back_as_the_values_it_was_made_of(protocol):
    told = made(protocol)[:200]
    columns = columns_of(told)
    for row, (_, step, said, doubled) in enumerate(told):
        assert columns.step_of(row) == step
        assert columns.prediction_of(row) == said
        assert bool(columns.doubled[row]) is doubled
