"""`taptrail models`, and what the doctor says of SAM 2."""

import hashlib
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from annotator.sam2 import checkpoints, local_checkpoints, speed
from annotator.sam2.checkpoints import CHECKPOINTS
from annotator.sam2.download import download_checkpoint
from annotator.sam2.local_checkpoints import models_folder
from annotator.sam2.speed import MeasuredSpeed, suggest_checkpoint
from episodes.errors import KnownError
from recorder.doctor import CheckLevel, CheckResult
from taptrail.settings import Settings
from taptrail.usecases.doctor import REPAIRS
from taptrail.usecases.models import get_model, list_models, measure_models, open_segmenter
from taptrail.usecases.sam2_findings import sam2_findings

DATA = b"weights" * 1000
SHA256 = hashlib.sha256(DATA).hexdigest()


@pytest.fixture
def small_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """“tiny” is a file of 7 kB, so that a test can have it."""
    tiny = replace(CHECKPOINTS["tiny"], size=len(DATA), sha256=SHA256)
    monkeypatch.setitem(CHECKPOINTS, "tiny", tiny)
    monkeypatch.setattr(checkpoints, "BY_SHA256", {SHA256: tiny})
    monkeypatch.setattr(local_checkpoints, "BY_SHA256", {SHA256: tiny})


def figures(**seconds: float) -> dict[str, MeasuredSpeed]:
    return {
        name.replace("_", "-"): MeasuredSpeed(value, 0.1, 1, speed.platform.node())
        for name, value in seconds.items()
    }


def keep(known: dict[str, MeasuredSpeed]) -> None:
    place = speed._file()
    place.parent.mkdir(parents=True, exist_ok=True)
    node = speed.platform.node()
    place.write_bytes(msgspec.json.encode({f"{node}/{k}": v for k, v in known.items()}))


def test_an_empty_computer_is_shown_what_there_is_and_what_to_do(taptrail) -> None:
    done = taptrail("models", "list")
    assert done.code == 0
    for name in ("tiny", "small", "base-plus", "large"):
        assert name in done.out
    assert "taptrail models get tiny" in done.out
    assert "taptrail models list --measure" in done.out
    told = taptrail("models", "list", "--json").json["models"]
    assert [(one["name"], one["bytes"], one["found"], one["used"]) for one in told] == [
        ("tiny", 156_008_466, None, False),
        ("small", 184_416_285, None, False),
        ("base-plus", 323_606_802, None, False),
        ("large", 898_083_611, None, False),
    ]


def test_what_is_added_is_used_and_checked(taptrail, small_tiny, tmp_path: Path) -> None:
    (tmp_path / "t.pt").write_bytes(DATA)
    added = taptrail("models", "add", tmp_path / "t.pt", "--json").json
    assert (added["name"], added["sha256"], added["listed"]) == ("tiny", SHA256, True)
    tiny = taptrail("models", "list", "--check", "--json").json["models"][0]
    assert (tiny["used"], tiny["found"]["problem"]) == (True, "")
    place = Path(added["path"])
    place.write_bytes(DATA[:-1] + b"?")
    spoilt = taptrail("models", "list", "--check", "--json").json["models"][0]
    assert "is none of the published checkpoints'" in spoilt["found"]["problem"]


def test_an_unlisted_file_needs_trust_and_is_called_unlisted(taptrail, tmp_path: Path) -> None:
    (tmp_path / "ours.pt").write_bytes(b"our own")
    refused = taptrail("models", "add", tmp_path / "ours.pt")
    assert refused.code == 1
    assert "--trust" in refused.err
    assert taptrail("models", "add", tmp_path / "ours.pt", "--trust").code == 0
    listed = taptrail("models", "list").out
    assert "unlisted" in listed
    assert open_segmenter_name(Settings()) == "ours"


def open_segmenter_name(settings: Settings) -> str:
    with open_segmenter(settings, environment={}) as segmenter:
        return segmenter.model.name


def test_without_a_checkpoint_there_is_no_segmenter() -> None:
    with pytest.raises(KnownError, match="taptrail models get tiny"):
        open_segmenter(Settings(), environment={})


@pytest.mark.parametrize(
    ("settings", "environment", "why"),
    [
        (Settings(models_download=False), {}, "models_download = false"),
        (Settings(), {"HF_HUB_OFFLINE": "1"}, "HF_HUB_OFFLINE is set"),
    ],
)
def test_nothing_is_fetched_where_that_is_forbidden(
    settings: Settings, environment: dict[str, str], why: str
) -> None:
    with pytest.raises(KnownError, match=f"{why}.*taptrail models add FILE"):
        get_model("tiny", settings, environment=environment)


def test_what_is_here_is_not_fetched_again(small_tiny) -> None:
    models_folder().mkdir(parents=True)
    (models_folder() / "sam2.1_hiera_tiny.pt").write_bytes(DATA)
    offline = {"HF_HUB_OFFLINE": "1"}
    assert get_model("tiny", Settings(), environment=offline).where == "taptrail"


def test_a_name_there_is_not_is_told_with_those_there_are(taptrail) -> None:
    done = taptrail("models", "get", "huge")
    assert done.code == 1
    assert "There are: tiny, small, base-plus, large." in done.err


def test_the_settings_mirror_is_where_it_is_fetched_from(
    monkeypatch: pytest.MonkeyPatch, small_tiny
) -> None:
    asked = []

    def fetched(one, folder, addresses, **more):
        asked.extend(addresses)
        folder.mkdir(parents=True)
        (folder / one.file).write_bytes(DATA)

    monkeypatch.setattr("taptrail.usecases.models.download_checkpoint", fetched)
    settings = Settings(models_mirror="https://mirror.example/sam")
    assert get_model("tiny", settings, environment={}).name == "tiny"
    assert asked == ["https://mirror.example/sam/sam2.1_hiera_tiny.pt"]
    assert download_checkpoint is not fetched


@pytest.mark.parametrize(
    ("known", "memory", "best"),
    [
        ({}, None, "tiny"),
        (figures(tiny=9.0), None, "tiny"),
        (figures(tiny=0.6, small=0.8, base_plus=1.4, large=3.9), None, "large"),
        (figures(tiny=0.6, small=0.8, base_plus=1.4, large=3.9), 2000.0, "base-plus"),
        (figures(tiny=2.4, small=3.3, base_plus=4.6), None, "small"),
    ],
)
def test_the_largest_that_keeps_up_is_suggested(
    known: dict[str, MeasuredSpeed], memory: float | None, best: str
) -> None:
    assert suggest_checkpoint(known, memory) == best


@pytest.mark.parametrize(
    ("seconds", "memory", "asked"),
    [
        ({"tiny": 9.0}, None, ["tiny"]),
        ({"tiny": 2.0, "small": 5.0}, None, ["tiny", "small"]),
        ({"tiny": 2.0, "small": 3.0}, 1300.0, ["tiny", "small"]),
        ({"tiny": 0.3, "small": 0.4, "base-plus": 0.7, "large": 2.0}, None, list(CHECKPOINTS)),
    ],
    ids=["the smallest is too slow", "the next is", "no memory for more", "all keep up"],
)
def test_measuring_ends_at_the_first_that_is_too_slow_or_too_large(
    seconds: dict[str, float],
    memory: float | None,
    asked: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def measured_here(name: str, threads: int) -> MeasuredSpeed:
        return MeasuredSpeed(seconds[name], 0.1, threads, "here")

    monkeypatch.setattr("taptrail.usecases.models.measure_speed", measured_here)
    monkeypatch.setattr("taptrail.usecases.models.free_memory_mb", lambda: memory)
    steps: list[tuple[int, int | None]] = []
    found = measure_models(lambda done, total: steps.append((done, total)))
    assert list(found) == asked
    assert steps[-1] == (4, 4)


def test_what_was_measured_here_is_shown(taptrail) -> None:
    keep(figures(tiny=2.41))
    tiny = list_models(Settings(), {})[0]
    assert tiny.measured is not None
    assert tiny.measured.embed == 2.41
    assert "2.4 s" in taptrail("models", "list").out


def findings(checkpoint: Path | None = None) -> dict[str, CheckResult]:
    return {one.subject: one for one in sam2_findings(checkpoint, {})}


def test_the_doctor_tells_what_is_missing_with_what_brings_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    found = findings()
    assert found["SAM 2"].found == "torch and sam2 are not installed"
    assert (found["SAM 2"].severity, found["SAM 2"].fix) == (CheckLevel.WARNING, "sam2")
    assert found["SAM 2"].fix in REPAIRS
    assert found["checkpoint"].found == "there is no checkpoint on this computer"
    assert "taptrail models get tiny" in found["checkpoint"].remedy


def test_the_doctor_tells_the_distributions_the_checkpoint_and_its_pace(
    small_tiny, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    monkeypatch.setattr(
        "importlib.metadata.packages_distributions",
        lambda: {"torch": ["torch"], "sam2": ["SAM-2"]},
    )
    monkeypatch.setattr("importlib.metadata.version", {"torch": "2.13.0+cpu", "SAM-2": "1.0"}.get)
    file = tmp_path / "mine.pt"
    file.write_bytes(DATA)
    keep(figures(tiny=2.41))
    found = findings(file)
    assert found["SAM 2"].found == "torch 2.13.0+cpu and SAM-2 1.0 are installed"
    assert found["checkpoint"].found == f"tiny in {file}, 2.4 s for a screen here"
    assert {one.severity for one in found.values()} == {CheckLevel.OK}
