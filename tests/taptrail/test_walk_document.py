import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "walk.md").read_text(encoding="utf-8")


def test_every_file_the_walks_name_is_there():
    named = re.findall(r"`([a-z_]+/[a-z_/.]+)`", TEXT)
    assert len(named) > 40
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_every_name_the_walks_use_is_in_the_code():
    for word, file in (
        ("StepSaved", "recorder/events.py"),
        ("Prediction", "episodes/runs.py"),
        ("Episode", "episodes/episodes.py"),
    ):
        assert f"`{word}`" in TEXT
        assert f"class {word}:" in (ROOT / file).read_text(encoding="utf-8")
