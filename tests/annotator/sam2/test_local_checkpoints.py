"""Places of checkpoints, their order, and checks of the files found there."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from annotator.sam2 import checkpoints, local_checkpoints
from annotator.sam2.checkpoints import CHECKPOINTS, identify
from annotator.sam2.local_checkpoints import (
    add_checkpoint,
    choose_checkpoint,
    find_checkpoints,
    hub_cache,
    models_folder,
)
from annotator.sam2.values import ModelId
from episodes.errors import KnownError

DATA = b"the weights of a model" * 100
SHA256 = hashlib.sha256(DATA).hexdigest()


@pytest.fixture(autouse=True)
def small_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """“tiny” is a file of 2 kB, so that a test can have it."""
    tiny = replace(CHECKPOINTS["tiny"], size=len(DATA), sha256=SHA256)
    monkeypatch.setitem(CHECKPOINTS, "tiny", tiny)
    monkeypatch.setattr(checkpoints, "BY_SHA256", {SHA256: tiny})
    monkeypatch.setattr(local_checkpoints, "BY_SHA256", {SHA256: tiny})


def lay(path: Path, data: bytes = DATA) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def hub_file(root: Path) -> Path:
    return (
        root / "models--facebook--sam2.1-hiera-tiny" / "snapshots" / "a1b2" / "sam2.1_hiera_tiny.pt"
    )


def test_on_an_empty_computer_nothing_is_found_and_the_remedy_is_named() -> None:
    assert find_checkpoints(environment={}) == []
    with pytest.raises(KnownError, match=r"there is no checkpoint on.*taptrail models get tiny"):
        choose_checkpoint([])


def test_the_named_file_goes_before_our_own_and_that_before_the_hubs(
    tmp_path: Path, home: Path
) -> None:
    named = lay(tmp_path / "elsewhere" / "mine.pt")
    own = lay(models_folder() / "sam2.1_hiera_tiny.pt")
    hubs = lay(hub_file(home / "cache" / "huggingface" / "hub"))
    environment = {"XDG_CACHE_HOME": str(home / "cache")}
    found = find_checkpoints(named, environment)
    assert [(one.name, one.where, one.weights.path) for one in found] == [
        ("tiny", "named", named),
        ("tiny", "taptrail", own),
        ("tiny", "hub", hubs),
    ]
    by_variable = {**environment, "TAPTRAIL_SAM2_CHECKPOINT": str(own)}
    assert find_checkpoints(named, by_variable)[0].weights.path == own
    assert choose_checkpoint(found).weights.path == named


@pytest.mark.parametrize(
    ("environment", "place"),
    [
        ({"HF_HUB_CACHE": "/hub", "HF_HOME": "/hf"}, "/hub"),
        ({"HF_HOME": "/hf"}, "/hf/hub"),
        ({"XDG_CACHE_HOME": "/cache"}, "/cache/huggingface/hub"),
    ],
)
def test_the_hubs_cache_is_where_its_own_programs_have_it(
    environment: dict[str, str], place: str
) -> None:
    assert hub_cache(environment) == Path(place)


def test_a_relative_name_is_found_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(tmp_path / "mine.pt")
    monkeypatch.chdir(tmp_path)
    weights = find_checkpoints(Path("mine.pt"), {})[0].weights
    assert weights.path == tmp_path / "mine.pt"


def test_a_named_file_that_is_not_there_is_not_passed_over(tmp_path: Path) -> None:
    lay(models_folder() / "sam2.1_hiera_tiny.pt")
    with pytest.raises(KnownError, match=r"gone\.pt: there is no such file"):
        find_checkpoints(tmp_path / "gone.pt", {})


def test_a_file_cut_short_is_shown_and_not_taken() -> None:
    lay(models_folder() / "sam2.1_hiera_tiny.pt", DATA[:100])
    (found,) = find_checkpoints(environment={})
    assert found.problem == "it has 100 of 2,200 bytes"
    with pytest.raises(KnownError, match=r"it has 100 of 2,200 bytes.*models get tiny"):
        choose_checkpoint([found])


def test_a_published_file_is_added_under_its_own_name(tmp_path: Path) -> None:
    found = add_checkpoint(lay(tmp_path / "download (1).pt"))
    assert (found.name, found.where) == ("tiny", "taptrail")
    assert found.weights.path == models_folder() / "sam2.1_hiera_tiny.pt"
    assert found.weights.path.read_bytes() == DATA
    assert find_checkpoints(environment={}) == [found]


def test_an_unlisted_file_is_refused_unless_it_is_trusted_and_then_called_so(
    tmp_path: Path,
) -> None:
    own = lay(tmp_path / "ours.pt", b"weights of our own")
    sha256 = hashlib.sha256(b"weights of our own").hexdigest()
    with pytest.raises(KnownError, match="none of the published checkpoints"):
        add_checkpoint(own)
    assert not models_folder().exists()
    found = add_checkpoint(own, trust=True, config="configs/sam2.1/sam2.1_hiera_s.yaml")
    assert found.weights.model == ModelId("ours", sha256, listed=False)
    assert found.weights.model.version == f"unlisted {sha256[:12]}"
    assert found.weights.config == "configs/sam2.1/sam2.1_hiera_s.yaml"
    assert find_checkpoints(environment={}) == [found]
    assert find_checkpoints(found.weights.path, {})[0].weights == found.weights


def test_an_unlisted_file_with_a_published_name_is_listed_with_the_published_one(
    tmp_path: Path,
) -> None:
    published = add_checkpoint(lay(tmp_path / "there" / "sam2.1_hiera_tiny.pt"))
    own = lay(tmp_path / "here" / "sam2.1_hiera_tiny.pt", b"tuned on phone screens")
    sha256 = hashlib.sha256(b"tuned on phone screens").hexdigest()
    found = add_checkpoint(own, trust=True)
    name = f"sam2.1_hiera_tiny-{sha256[:12]}"
    assert (found.name, found.problem) == (name, "")
    assert found.weights.path == models_folder() / f"{name}.pt"
    assert published.weights.path.read_bytes() == DATA
    assert find_checkpoints(environment={}) == [published, found]


def test_a_file_with_a_published_name_and_other_bytes_is_reported_as_truncated(
    tmp_path: Path,
) -> None:
    cut = lay(tmp_path / "sam2.1_hiera_tiny.pt", DATA[:-1])
    with pytest.raises(KnownError, match="it has 2,199 of 2,200 bytes, so it was cut short"):
        identify(cut)


def test_a_file_without_a_note_of_trust_is_not_taken() -> None:
    lay(models_folder() / "strange.pt", b"from somewhere")
    lay(models_folder() / "other.pt", b"from somewhere")
    lay(models_folder() / "other.pt.json", b"{no note")
    assert find_checkpoints(environment={}) == []


def test_the_table_names_four_checkpoints_each_once() -> None:
    assert list(CHECKPOINTS) == ["tiny", "small", "base-plus", "large"]
    for name, one in CHECKPOINTS.items():
        assert one.name == name
        assert (
            len({(other.file, other.sha256, other.config) for other in CHECKPOINTS.values()}) == 4
        )
        assert len(one.sha256) == 64
