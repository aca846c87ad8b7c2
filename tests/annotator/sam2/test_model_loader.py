"""What the loader refuses, each in one sentence, and that it never makes masks up."""

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from annotator.sam2 import model_loader
from annotator.sam2.checkpoints import Weights
from annotator.sam2.model_loader import build_model, load_model
from annotator.sam2.values import ModelId
from episodes.errors import KnownError
from tests.annotator.sam2 import micro

ORIGINAL = micro.FILE.read_bytes()


def weights_of(path: Path, data: bytes) -> Weights:
    """A file that is what its sha256 says, whatever that is."""
    path.write_bytes(data)
    sha256 = hashlib.sha256(data).hexdigest()
    return replace(micro.weights(path), model=ModelId("micro", sha256))


def saved(path: Path, value: Any) -> Weights:
    torch.save(value, path)
    return weights_of(path, path.read_bytes())


def test_no_checkpoint_is_refused_because_masks_would_be_random() -> None:
    with pytest.raises(KnownError, match=r"no checkpoint was named, and without one .* random"):
        load_model(None)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(KnownError, match=r"gone\.pt: it is not there.*taptrail models get"):
        load_model(micro.weights(tmp_path / "gone.pt"))


def test_a_folder_is_not_a_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(KnownError, match="it is not a regular file"):
        load_model(micro.weights(tmp_path))


def test_a_truncated_file_is_recognized_by_its_size(tmp_path: Path) -> None:
    path = tmp_path / "micro.pt"
    path.write_bytes(ORIGINAL[: len(ORIGINAL) // 2])
    expected = replace(micro.weights(path), size=len(ORIGINAL))
    with pytest.raises(KnownError, match=r"the file has [\d,]+ bytes instead of [\d,]+"):
        load_model(expected)


def test_one_wrong_bit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "micro.pt"
    path.write_bytes(ORIGINAL[:-1000] + bytes([ORIGINAL[-1000] ^ 1]) + ORIGINAL[-999:])
    with pytest.raises(KnownError, match=r"its sha256 is \w{16}… instead of " + micro.SHA256[:16]):
        load_model(micro.weights(path))


def test_a_truncated_trusted_file_is_not_a_checkpoint(tmp_path: Path) -> None:
    half = weights_of(tmp_path / "half.pt", ORIGINAL[: len(ORIGINAL) // 2])
    with pytest.raises(KnownError, match="the file is no checkpoint of PyTorch"):
        load_model(half)


def test_a_file_that_would_run_code_runs_none(tmp_path: Path) -> None:
    class Bomb:
        def __reduce__(self) -> Any:
            return Path.touch, (tmp_path / "exploded",)

    bomb = saved(tmp_path / "bomb.pt", {"model": Bomb()})
    with pytest.raises(KnownError, match="the file is no checkpoint of PyTorch"):
        load_model(bomb)
    assert not (tmp_path / "exploded").exists()


@pytest.mark.parametrize("value", [{"weights": {}}, [1, 2], {"model": [3]}, {"model": {"a": 1}}])
def test_a_file_without_weights_is_refused(value: Any, tmp_path: Path) -> None:
    with pytest.raises(KnownError, match="no weights under “model”"):
        load_model(saved(tmp_path / "other.pt", value))


def test_weights_of_another_configuration_do_not_fit(tmp_path: Path) -> None:
    with pytest.raises(KnownError, match=r"its weights do not fit configs/.*hiera_t\.yaml \("):
        load_model(replace(micro.weights(), overrides=(*micro.OVERRIDES, "++model.num_maskmem=5")))


def test_a_configuration_the_package_has_not_is_named() -> None:
    with pytest.raises(KnownError, match=r"no configuration configs/sam3\.yaml"):
        load_model(replace(micro.weights(), config="configs/sam3.yaml"))


def test_a_missing_package_is_named_with_what_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(model_loader.importlib, "import_module", missing)
    with pytest.raises(KnownError, match=r"package torch is missing\. .* doctor --fix sam2"):
        load_model(micro.weights())


def test_a_loaded_model_computes_in_float32_and_is_the_trained_one() -> None:
    model = load_model(micro.weights())
    assert {one.dtype for one in model.parameters()} == {torch.float32}
    assert not model.training
    held = torch.load(micro.FILE, weights_only=True)["model"]
    assert all(torch.equal(one, held[name].float()) for name, one in model.state_dict().items())


def test_a_model_built_to_measure_has_other_weights() -> None:
    trained, random = load_model(micro.weights()), build_model(micro.CONFIG, micro.OVERRIDES)
    name = "sam_mask_decoder.iou_token.weight"
    assert not torch.equal(trained.state_dict()[name], random.state_dict()[name])
