"""Numbers out of the database's columns are those of the whole way through episodes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import groupby

import pytest

from episodes.runs import Orphan, OrphanReason, Run
from episodes.steps import Step
from episodes.store.library import Library
from episodes.store.step_columns import step_columns
from episodes.store.step_properties import step_properties
from replay.judging import Member, Side
from replay.score_columns import fits, judge_rows_by_episode, score_columns
from replay.score_runs import score
from replay.sides import judge_sides, judge_sides_from_columns
from scoring.bulk.table import BULK
from scoring.protocols import PROTOCOLS
from tests.scoring.bulk_rows import PAIRS, rows

COUNT = 300
PROTOCOL_KEYS = [key for key, protocol in PROTOCOLS.items() if fits(protocol)]


def stored(folder, protocol: str) -> Library:
    """A library with an episode for each of the cases' and a run that answers them."""
    library = Library.open(folder)
    episodes, said, orphans = [], [], []
    made = [row for row in rows(PAIRS[protocol], COUNT) if storable(row[2]) and storable(row[1])]
    for number, (_, group) in enumerate(groupby(made, key=lambda row: row[0].uuid)):
        told = list(group)
        episode = replace(told[0][0], name=f"{number:04d}", declared_steps=None)
        steps = [step for _, step, _, doubled in told if not doubled]
        episodes.append(replace(episode, steps=tuple(steps)))
        for _, _, prediction, doubled in told:
            if prediction is None:
                continue
            prediction = replace(prediction, episode=episode.name)
            if doubled:
                orphans.append(Orphan(prediction, OrphanReason.DOUBLED))
            else:
                said.append(prediction)
    report = library.save_episodes(episodes)
    assert not report.refused
    library.save_run(Run("run", "raw"), said, orphans)
    return library


def storable(value) -> bool:
    """Whether a database can hold it: no half characters."""
    told = [value.native.text] if value is not None and value.native is not None else []
    told += [region.native.text for region in value.regions] if isinstance(value, Step) else []
    return all(text.encode("utf-8", "ignore").decode() == text for text in told)


@pytest.mark.parametrize("protocol", PROTOCOL_KEYS)
def test_columns_give_the_numbers_that_episodes_give(tmp_path, protocol):
    rules = PROTOCOLS[protocol]
    with stored(tmp_path / "library", protocol) as library:
        run = library.run("run")
        expected = score(
            run,
            library.iterate(),
            lambda episode: library.predictions("run", episode.name),
            rules,
            orphans=library.orphans("run"),
            keep_facts=True,
        )
        steps = library.step_set(name="all")
        lean, properties = BULK[protocol].lean, partial(step_properties, library, "run")
        columns = step_columns(library, "run", steps_at_once=100, lean=lean)
        judged = score_columns(
            run, columns, rules, steps, properties=properties, keep_steps=True, keep_facts=True
        )
        assert judged == expected
        expected = replace(expected, steps=(), facts=())
        sides = [Side("A", run, rules)]
        members = (Member(episode, frozenset("A")) for episode in library.iterate())
        by_episode = judge_sides(
            sides,
            members,
            lambda name, episode: library.predictions(name, episode.name),
            {"run": tuple(library.orphans("run"))},
        )
        batches = step_columns(library, "run", steps_at_once=100, lean=lean)
        from_columns = judge_sides_from_columns(
            sides, lambda side: judge_rows_by_episode(rules, batches, properties)
        )
        assert from_columns == by_episode
        for at_once in (7, 100, 20_000):
            for lean in {"", BULK[protocol].lean}:
                columns = step_columns(library, "run", steps_at_once=at_once, lean=lean)
                assert score_columns(run, columns, rules, steps) == expected


def test_batches_hold_whole_episodes_and_not_many_more_steps_than_asked(tmp_path):
    with stored(tmp_path / "library", "guiodyssey@2") as library:
        batches = list(step_columns(library, "run", steps_at_once=20))
        sizes = [int((~batch.doubled).sum()) for batch in batches]
        names = [row.name for batch in batches for row in batch.episodes]
        assert names == [episode.name for episode in library.iterate()]
        assert all(20 <= size < 29 for size in sizes[:-1])
        assert sum(sizes) == library.step_set().count
