"""The sample that ships is what its script draws."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from episodes.media.pictures import decode

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ROOT / "assets" / "sample"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    out = tmp_path_factory.mktemp("sample") / "sample"
    subprocess.run(
        [sys.executable, str(ROOT / "tools" / "make_sample.py"), str(out)],
        check=True,
        capture_output=True,
    )
    return out


def test_the_script_writes_the_words_that_ship(drawn):
    names = sorted(path.relative_to(SHIPPED) for path in SHIPPED.rglob("*.json"))
    assert names == sorted(path.relative_to(drawn) for path in drawn.rglob("*.json"))
    assert len(names) == 6 + 1 + 2 + 1  # annotations, a split, two runs, their mistakes
    for name in names:
        assert json.loads((drawn / name).read_text()) == json.loads((SHIPPED / name).read_text())


def test_the_script_draws_the_pictures_that_ship(drawn):
    names = sorted(path.name for path in (SHIPPED / "screenshots").iterdir())
    assert names == sorted(path.name for path in (drawn / "screenshots").iterdir())
    assert len(names) == 42
    for name in names[::7]:
        one, other = (
            decode((folder / "screenshots" / name).read_bytes()) for folder in (drawn, SHIPPED)
        )
        assert one.shape == other.shape == (800, 360, 3)
        assert (one != other).any(axis=2).mean() < 0.02  # another Pillow may smooth type otherwise


def test_the_assets_stay_small():
    files = [path for path in (ROOT / "assets").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 3_500_000
