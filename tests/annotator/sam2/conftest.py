"""The micro model and its screen; with `--core`, without what needs torch and sam2."""

import hashlib
from pathlib import Path

import pytest

from annotator.sam2.mask_predictor import MaskPredictor
from annotator.sam2.values import PictureFile
from episodes.media.pictures import encode_png
from tests.annotator.sam2 import micro
from tests.annotator.sam2.needed import left_out

NEED_SAM2 = (
    "test_decoder.py",
    "test_model_loader.py",
    "test_speed.py",
    "test_micro.py",
    "test_tiny.py",
    "test_worker.py",
)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves out what needs torch where that is asked for."""
    return left_out(collection_path, NEED_SAM2, config)


def frame_of(folder: Path, pixels: micro.Picture) -> PictureFile:
    """A picture as a file of a library."""
    data = encode_png(pixels)
    sha256 = hashlib.sha256(data).hexdigest()
    path = folder / f"{sha256}.png"
    path.write_bytes(data)
    return PictureFile(sha256, path)


@pytest.fixture(scope="session")
def frame(tmp_path_factory: pytest.TempPathFactory) -> PictureFile:
    """The screen the micro model knows."""
    return frame_of(tmp_path_factory.mktemp("frames"), micro.screen())


@pytest.fixture(scope="session")
def micro_session():  # type: ignore[no-untyped-def]  # torch is not there for everybody
    from annotator.sam2.model_loader import load_model
    from annotator.sam2.session import ImageSession

    return ImageSession(load_model(micro.weights(), threads=1))


@pytest.fixture
def answering(micro_session) -> MaskPredictor:  # type: ignore[no-untyped-def]
    """The micro model with nothing embedded yet."""
    return MaskPredictor(micro_session, micro.weights().model, None)
