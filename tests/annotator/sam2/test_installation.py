"""The light way of installing, with a stand-in for pip that remembers what it was told."""

import importlib.metadata
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from annotator.sam2 import installation
from annotator.sam2.installation import CPU_INDEX, install
from episodes.errors import KnownError

LISTS = Path(__file__).resolve().parents[3] / "assets" / "requirements"


class Pip:
    """Fails where the command holds all words of one of `failing`."""

    def __init__(self, *failing: tuple[str, ...]) -> None:
        self.failing = failing
        self.told: list[str] = []
        self.cuda: set[str] = set()

    def __call__(self, command: Sequence[str], environment: dict[str, str]) -> tuple[int, str]:
        words = [Path(word).name if word.endswith(".txt") else word for word in command]
        self.told.append(" ".join(words[words.index("--require-hashes") :]))
        self.cuda.add(environment["SAM2_BUILD_CUDA"])
        failed = any(all(word in words for word in words_) for words_ in self.failing)
        return (1, "Looking\nERROR: No matching distribution found\n") if failed else (0, "")


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], None]:
    """A Python that has neither until they are installed, and an index that does not answer."""

    def versions(known: dict[str, str]) -> None:
        def version(name: str) -> str:
            if name not in known:
                raise importlib.metadata.PackageNotFoundError(name)
            return known[name]

        monkeypatch.setattr(importlib.metadata, "version", version)

    monkeypatch.setattr(installation, "_torch_is_old", lambda: True)
    monkeypatch.setattr(installation, "_answers", lambda address: False)
    versions({"torch": "2.13.0+cpu", "sam2": "1.1.0"})
    return versions


FIRST = "--require-hashes --no-deps -r sam2-build.txt"
LIGHT = "--require-hashes --no-deps --only-binary=:all: -r torch-cpu.txt"
LAST = "--require-hashes --no-deps --no-build-isolation -r sam2.txt"


def test_the_processors_torch_is_taken_where_it_can_be_had() -> None:
    pip = Pip()
    assert install(run=pip) == "Installed: torch 2.13.0+cpu and sam2 1.1.0."
    assert pip.told == [FIRST, LIGHT, LAST]
    assert pip.cuda == {"0"}


def test_its_own_index_is_asked_where_the_usual_one_has_it_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(installation, "_answers", lambda address: True)
    install(run=(pip := Pip(("torch-cpu.txt",))))
    by_index = f"--require-hashes --no-deps --index-url {CPU_INDEX} "
    assert pip.told[2].startswith(by_index)
    assert pip.told[-1] == LAST


def test_the_large_one_is_announced_before_it_is_fetched() -> None:
    pip, said = Pip(("torch-cpu.txt",)), list[str]()

    def say(text: str) -> None:
        said.append(text)
        if "5.5 GB" in text:
            assert "torch.txt" not in " ".join(pip.told)

    install(say, pip)
    assert any("no torch for processors" in text for text in said)
    assert pip.told[-2] == "--require-hashes --no-deps --only-binary=:all: -r torch.txt"


def test_a_torch_that_is_new_enough_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "_torch_is_old", lambda: False)
    install(run=(pip := Pip()))
    assert pip.told == [FIRST, LAST]


@pytest.mark.parametrize(
    ("version", "old"),
    [("2.5.1", False), ("2.13.0+cpu", False), ("2.4.1", True), ("2.5.0+cu121", True)],
)
def test_the_age_of_torch_follows_from_its_version(
    version: str, old: bool, bare: Callable[[dict[str, str]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(importlib.metadata, "version", lambda name: version)
    assert installation._torch_is_old() is old


def test_a_failure_is_reported_in_pip_s_own_words() -> None:
    with pytest.raises(KnownError, match=r"Cannot build sam2: No matching distribution found"):
        install(run=Pip(("sam2.txt",)))
    with pytest.raises(KnownError, match=r"Cannot install torch: No matching"):
        install(run=Pip(("torch-cpu.txt",), ("torch.txt",)))


def test_without_room_nothing_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    free = shutil.disk_usage("/")._replace(free=10**6)
    monkeypatch.setattr(installation.shutil, "disk_usage", lambda path: free)
    with pytest.raises(KnownError, match=r"has 1 MB free and about 1,300 MB are needed"):
        install(run=(pip := Pip()))
    assert pip.told == []


def test_without_pip_uv_is_used_and_without_both_there_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(installation.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(installation.shutil, "which", lambda name: "/bin/uv")
    assert installation._installer()[:3] == ["/bin/uv", "pip", "install"]
    monkeypatch.setattr(installation.shutil, "which", lambda name: None)
    with pytest.raises(KnownError, match="has no pip, and there is no uv"):
        install(run=Pip())


@pytest.mark.parametrize("name", ["sam2.txt", "sam2-build.txt", "torch-cpu.txt", "torch.txt"])
def test_each_list_pins_versions_and_hashes_and_names_no_place(name: str) -> None:
    text = (LISTS / name).read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert lines
    for line in lines:
        assert re.match(r"[\w.-]+==[\w.+]+ ", line), line
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", line), line
    assert "://" not in text


def test_no_list_changes_a_package_that_taptrail_itself_pins() -> None:
    lock = (LISTS.parents[1] / "requirements" / "lock.txt").read_text()
    pinned = dict(re.findall(r"^([\w.-]+)==([\w.+]+)", lock, flags=re.M))
    for name, version in re.findall(
        r"^([\w.-]+)==([\w.+]+)", (LISTS / "sam2.txt").read_text(), flags=re.M
    ):
        assert pinned.get(name, version) == version
