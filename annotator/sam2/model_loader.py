"""Loads a model from a checkpoint; the only function that does, and only for checked files.

The `sam2` package builds a model with random weights when it is given no checkpoint, and takes
any misspelt argument silently. Here the file's sha256 is compared, from the same open file that
is then read, and each way it can go wrong is one sentence.
"""

from __future__ import annotations

import importlib
import pickle
import warnings
import zipfile
from typing import Any

from annotator.sam2.checkpoints import Weights, open_weights, sha256_of
from episodes.errors import KnownError

INSTALL = "Install it with: taptrail doctor --fix sam2"


def load_model(weights: Weights | None, threads: int | None = None) -> Any:
    """Returns the model in float32 on the CPU, ready to be asked.

    Args:
        threads: this process computes with from now on; None leaves it as it is.

    Raises:
        KnownError: there is no checkpoint, it is not the expected file, or a package is missing.
    """
    if weights is None:
        raise KnownError(
            "load SAM 2",
            "no checkpoint was named, and without one its masks would be random",
            "Fetch one with: taptrail models get tiny",
        )
    doing = f"load SAM 2 from {weights.path}"
    open_weights(weights.path).close()  # before torch is loaded, which takes seconds
    torch = _package("torch", doing)
    if threads is not None:
        torch.set_num_threads(threads)
    _package("sam2.build_sam", doing)
    state = _state(torch, weights, doing)
    model = _built(weights, doing)
    try:
        model.load_state_dict(state, strict=True)
    except RuntimeError as error:
        raise KnownError(
            doing,
            f"its weights do not fit {weights.config} ({_first_problem(error)})",
            "Name the configuration that belongs to the checkpoint, or use a published one.",
        ) from error
    return model.float().eval()


def build_model(config: str, overrides: tuple[str, ...] = ()) -> Any:
    """Returns a model with random weights, for training and for measuring; never for masks."""
    from hydra import compose
    from hydra.utils import instantiate
    from omegaconf import OmegaConf

    importlib.import_module("sam2")  # it tells Hydra where its configurations lie
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecations between hydra, torch and sam2
        chosen = compose(config_name=config, overrides=list(overrides))
        OmegaConf.resolve(chosen)
        return instantiate(chosen.model, _recursive_=True).eval()


def _package(name: str, doing: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        missing = error.name or name
        raise KnownError(doing, f"the Python package {missing} is missing", INSTALL) from error
    except OSError as error:  # a library that torch needs and the system has not
        raise KnownError(doing, f"{name} does not start: {error}", INSTALL) from error


def _state(torch: Any, weights: Weights, doing: str) -> Any:
    """The file's table of weights, read from the very bytes whose sha256 was compared."""
    again = "Fetch it again with: taptrail models get"
    with open_weights(weights.path) as stream:
        size = weights.path.stat().st_size
        if weights.size is not None and size != weights.size:
            raise KnownError(
                doing, f"the file has {size:,} bytes instead of {weights.size:,}", again
            )
        found = sha256_of(stream)
        if found != weights.model.checkpoint:
            expected = weights.model.checkpoint
            raise KnownError(
                doing, f"its sha256 is {found[:16]}… instead of {expected[:16]}…", again
            )
        stream.seek(0)
        try:
            held = torch.load(stream, map_location="cpu", weights_only=True)
        except (pickle.UnpicklingError, zipfile.BadZipFile, RuntimeError, EOFError, ValueError,
                KeyError, TypeError, AttributeError, IndexError) as error:  # fmt: skip
            first = str(error).strip().partition("\n")[0][:200] or type(error).__name__
            raise KnownError(
                doing, f"the file is no checkpoint of PyTorch ({first})", again
            ) from error
    state = held.get("model") if isinstance(held, dict) else None
    if not isinstance(state, dict) or not all(torch.is_tensor(one) for one in state.values()):
        raise KnownError(
            doing, "the file has no weights under “model”", "Use a checkpoint of SAM 2 itself."
        )
    return state


def _built(weights: Weights, doing: str) -> Any:
    from hydra.errors import HydraException

    try:
        return build_model(weights.config, weights.overrides)
    except HydraException as error:
        first = str(error).partition("\n")[0]
        raise KnownError(
            doing,
            f"the package sam2 has no configuration {weights.config} ({first})",
            "Name one of the package's own, such as configs/sam2.1/sam2.1_hiera_t.yaml.",
        ) from error


def _first_problem(error: RuntimeError) -> str:
    """What load_state_dict complains of first, without the names of all that follows."""
    lines = [line.strip() for line in str(error).splitlines()[1:] if line.strip()]
    return (lines[0] if lines else str(error))[:160].rstrip(".")
