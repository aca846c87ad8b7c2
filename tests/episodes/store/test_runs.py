from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from episodes import actions as a
from episodes.errors import KnownError
from episodes.geometry import Native, Point
from episodes.runs import (
    Answered,
    Ended,
    Orphan,
    OrphanReason,
    Prediction,
    Run,
    RunFile,
    StepSet,
    Unreadable,
)
from episodes.store.runs import RunExists, RunNotFound
from episodes.verdicts import Outcome, Verdict
from tests.episodes.store.sql import sql
from tests.episodes.store.strategies import maybe_native, texts, whole
from tests.episodes.test_codec import any_action

RUN = Run(
    name="ours, two epochs",
    dialect="guiodyssey",
    model="m",
    coordinates="0-1000",
    scroll="finger",
    level="high",
    history="4 actions, gold",
    observation="screenshot",
    dataset="guiodyssey",
    dataset_version="2",
    split=("my own/split", "test (answered)"),
    only_answered=True,
    step_set=StepSet("random/test", 3, "ab" * 32),
    files=(RunFile("a.json", "cd" * 32, 12), RunFile("a.json", "ef" * 32, 0)),
    imported_utc="2026-01-02T03:04:05+00:00",
    asking='{"recipe": "mine"}',
)
TAP = Prediction(
    "0001", 0, "CLICK: (500, 140.0)", a.Tap(Point(540, 336)), Native("guiodyssey", "[500,140.0]"),
    "a.json", 7,
)  # fmt: skip
NONSENSE = Prediction("0001", 1, "", Unreadable("the text is empty", ""), file="a.json", line=8)


def test_a_run_comes_back_with_its_manifest_and_answers(library):
    orphans = [
        Orphan(replace(TAP, episode="x", step=-1), OrphanReason.NO_EPISODE),
        Orphan(NONSENSE, OrphanReason.DOUBLED),
    ]
    library.save_run(RUN, iter([NONSENSE, TAP]), iter(orphans))
    bare = [Run("bare", "taptrail"), Run("any part", "taptrail", split=("", ""))]
    for run in bare:
        library.save_run(run, [])
    assert library.runs() == [RUN, *bare]
    assert library.run(RUN.name) == RUN
    assert list(library.predictions(RUN.name)) == [TAP, NONSENSE]
    assert list(library.predictions(RUN.name, "0001")) == [TAP, NONSENSE]
    assert list(library.predictions(RUN.name, "1")) == []
    assert list(library.orphans(RUN.name)) == orphans


predictions = st.builds(
    Prediction,
    texts,
    whole,
    texts,
    any_action | st.builds(Unreadable, texts, texts),
    maybe_native,
    texts,
    whole,
    st.none()
    | st.builds(
        Answered, st.sampled_from(Ended), texts, texts, st.none() | st.tuples(whole, whole)
    ),
)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    st.lists(predictions, max_size=4, unique_by=lambda found: (found.episode, found.step)),
    st.lists(st.builds(Orphan, predictions, st.sampled_from(OrphanReason)), max_size=3),
)
def test_every_answer_comes_back_equal(library, found, strays):
    library.save_run(RUN, found, strays, replace=True)
    in_order = sorted(found, key=lambda one: (one.episode.encode(), one.step))
    assert list(library.predictions(RUN.name)) == in_order
    assert list(library.orphans(RUN.name)) == strays


def test_a_name_is_taken_until_it_is_to_be_replaced(library):
    library.save_run(RUN, [TAP])
    with pytest.raises(RunExists, match="the library has a run of that name"):
        library.save_run(replace(RUN, model="other"), [])
    assert list(library.predictions(RUN.name)) == [TAP]
    library.save_run(replace(RUN, model="other"), [NONSENSE], replace=True)
    assert [run.model for run in library.runs()] == ["other"]
    assert list(library.predictions(RUN.name)) == [NONSENSE]


def test_a_run_is_saved_whole_or_not_at_all(library):
    def broken():
        yield TAP
        raise KnownError("read a.json", "line 9 is no JSON", "Correct it.")

    with pytest.raises(KnownError, match="line 9 is no JSON"):
        library.save_run(RUN, broken())
    with pytest.raises(KnownError, match="has two answers for the same step"):
        library.save_run(RUN, [TAP, TAP])
    with pytest.raises(KnownError, match="half of a character"):
        library.save_run(RUN, [replace(TAP, raw="\udc00")])
    assert library.runs() == []
    assert sql(library, "SELECT count(*) FROM prediction") == [(0,)]


def test_an_unknown_run_is_an_error_that_lists_the_existing_ones(library):
    with pytest.raises(RunNotFound, match="the library has no runs"):
        library.run("a")
    library.save_run(RUN, [])
    for ask in (library.run, library.delete_run, lambda name: list(library.predictions(name))):
        with pytest.raises(RunNotFound, match="the library has “ours, two epochs”"):
            ask("a")


def test_a_deleted_run_leaves_nothing(library):
    library.save_run(RUN, [TAP], [Orphan(NONSENSE, OrphanReason.NO_STEP)])
    library.keep_verdicts(RUN.name, "p", "1", 0, {("0001", 0): Verdict(Outcome.MATCH, "kind", "")})
    library.delete_run(RUN.name)
    left = [
        sql(library, f"SELECT count(*) FROM {table}")[0][0]
        for table in ("run", "run_file", "prediction", "orphan", "score", "verdict")
    ]
    assert left == [0] * 6


def test_verdicts_are_kept_for_one_revision(library):
    library.save_run(RUN, [TAP])
    parts = {"type": True, "distance": 0.125, "label": None, "hits": 3, "word": "é"}
    verdicts = {
        ("0001", 0): Verdict(Outcome.MATCH, "distance", "near enough", parts),
        ("0001", 1): Verdict(Outcome.UNSCORED, "parse", "no prediction"),
    }
    key = (RUN.name, "guiodyssey", "2")
    assert library.verdicts(*key, 4) is None
    library.keep_verdicts(*key, 4, verdicts)
    library.keep_verdicts(RUN.name, "guiodyssey", "1", 4, {})
    assert library.verdicts(*key, 4) == verdicts
    assert library.verdicts(*key, 5) is None
    library.keep_verdicts(*key, 5, {})
    assert library.verdicts(*key, 4) is None
    assert library.verdicts(*key, 5) == {}
    assert library.verdicts(RUN.name, "guiodyssey", "1", 4) == {}
