"""Answers of model families, from their file to a score."""

from __future__ import annotations

from pathlib import Path

import pytest

from taptrail.usecases.importing import import_episodes
from taptrail.usecases.prediction_files import dialects_that_read
from taptrail.usecases.predictions import import_predictions
from taptrail.usecases.scoring import score_run

CASES = Path(__file__).resolve().parents[1] / "samples" / "cases"


@pytest.fixture(scope="module")
def gold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gold") / "library"
    import_episodes("guiodyssey", CASES / "gold", folder)
    return folder


@pytest.mark.parametrize(
    ("file", "dialect", "ams"),
    [
        ("uitars_164.jsonl", "ui-tars-1.0", 100.0),
        ("maiui.jsonl", "mai-ui", 100.0),
        ("gelab.jsonl", "gelab", 100.0),
        ("autoglm.jsonl", "autoglm", 90.0),  # it has no key for recent apps, and goes home
    ],
)
def test_a_family_s_answers_are_read_and_scored(
    gold: Path, file: str, dialect: str, ams: float
) -> None:
    answers = CASES / "predictions" / file
    run = import_predictions((answers,), file, gold, dialect=dialect)
    assert (run.counts.joined, run.counts.unreadable, run.notes) == (20, 0, ())
    metrics = score_run(file, "guiodyssey", gold).metrics.values
    assert metrics["AMS"].value == ams
    assert dialects_that_read(answers)[0] == dialect
