"""Every segmenter of the table opens alike; what each answers is tested beside it."""

import hashlib
from pathlib import Path

import pytest

from annotator.sam2.local_checkpoints import add_checkpoint
from annotator.sam2.values import ModelId
from annotator.segmenters import SEGMENTERS
from episodes.errors import KnownError

DATA = b"weights nobody published"
SHA256 = hashlib.sha256(DATA).hexdigest()


def sam2_weights(folder: Path) -> Path:
    """A file that a person vouched for; it is read with the first question, not before."""
    (folder / "ours.pt").write_bytes(DATA)
    return add_checkpoint(folder / "ours.pt", trust=True).weights.path


WEIGHTS = {"sam2": sam2_weights}


def test_every_segmenter_of_the_table_is_tried_here() -> None:
    assert WEIGHTS.keys() == SEGMENTERS.keys()


@pytest.mark.parametrize("name", SEGMENTERS)
def test_the_weights_are_named_before_they_are_loaded(name: str, tmp_path: Path) -> None:
    file = WEIGHTS[name](tmp_path)
    with (
        SEGMENTERS[name](file, environment={}) as named,
        SEGMENTERS[name](name="ours", environment={}) as chosen,
    ):
        assert named.model == chosen.model == ModelId("ours", SHA256, False)


@pytest.mark.parametrize("name", SEGMENTERS)
def test_without_weights_the_error_says_how_to_get_some(name: str) -> None:
    with pytest.raises(KnownError, match=r"no checkpoint.*taptrail models get tiny"):
        SEGMENTERS[name](environment={})
