"""Architecture rules: imports, running without Qt, contents of the wheel."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((PROJECT / "pyproject.toml").read_text())
ROOMS = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]


# These begin with torch, which is not there for everybody and takes seconds to load.
OF_THE_WORKER = {"annotator.sam2.decoder", "annotator.sam2.session"}


def run(*command: str | Path, cwd: Path = PROJECT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in command], cwd=cwd, capture_output=True, text=True, timeout=300
    )


def test_the_import_contracts_hold() -> None:
    cache = "--no-cache"  # two workers must not write the same one
    check = (
        "import sys; from importlinter.cli import lint_imports_command; "
        f"lint_imports_command([{cache!r}])"
    )
    answer = run(sys.executable, "-c", check)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert re.search(r"Contracts: \d+ kept, 0 broken", answer.stdout), answer.stdout


@pytest.mark.parametrize(
    ("platform", "words"),
    [
        ("windows", ()),
        ("x86_64-apple-darwin", ()),
        # adbutils' wheel for macOS is for Intel; its source is Python only.
        ("aarch64-apple-darwin", ("--no-binary", "adbutils")),
    ],
)
def test_every_pin_has_a_wheel_for(platform: str, words: tuple[str, ...]) -> None:
    uv = shutil.which("uv")
    if uv is None:
        pytest.skip("uv is not installed; CONTRIBUTING.md has the command")
    environment = os.environ | {"MACOSX_DEPLOYMENT_TARGET": "14.0"}
    command = [uv, "pip", "compile", "--quiet", "--no-universal", "--no-annotate", "--no-header"]
    command += ["--only-binary", ":all:", *words, "--python-platform", platform, "-o", "-"]
    answer = subprocess.run(
        [*command, "requirements/lock.txt"],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    if answer.returncode and "No solution found" not in answer.stderr:
        pytest.skip(f"the package index does not answer: {answer.stderr.strip()[:200]}")
    assert answer.returncode == 0, answer.stderr


def test_only_reports_are_handed_the_translation_function() -> None:
    """The rooms below cannot import it; a report's writer gives it to the pages of `replay`."""
    taking = {
        path.relative_to(PROJECT).parent.as_posix()
        for room in set(ROOMS) - {"taptrail"}
        for path in (PROJECT / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if (isinstance(node, ast.Name) and node.id in ("tr", "gettext"))
        or (isinstance(node, ast.arg) and node.arg == "tr")
    }
    assert taking == {"replay/report"}


def test_every_room_is_built_linted_and_checked() -> None:
    folders = {path.parent.name for path in PROJECT.glob("*/__init__.py")} - {"tests", "benchmarks"}
    assert set(ROOMS) == folders
    assert set(PYPROJECT["tool"]["importlinter"]["root_packages"]) == folders


def test_everything_but_the_window_and_the_phone_imports_without_qt() -> None:
    script = """
import importlib, pkgutil, sys
import tests.without_qt
from tests.test_contracts import OF_THE_WORKER
seen = 0
for room in sys.argv[1:]:
    package = importlib.import_module(room)
    for module in pkgutil.walk_packages(package.__path__, room + "."):
        # A __main__ is there to be run; walk_packages has imported the packages above it.
        if module.name.startswith("taptrail.gui") or module.name.endswith("__main__"):
            continue
        if module.name in OF_THE_WORKER:
            continue
        importlib.import_module(module.name)
        seen += 1
loaded = {name.partition(".")[0] for name in sys.modules}
assert not loaded & tests.without_qt.BARRED, loaded & tests.without_qt.BARRED
print(seen)
"""
    rooms = [room for room in ROOMS if room != "demophone"]
    answer = run(sys.executable, "-W", "error", "-c", script, *rooms)
    assert answer.returncode == 0, answer.stderr
    modules = [
        path
        for room in rooms
        for path in (PROJECT / room).rglob("*.py")
        if "gui" not in path.relative_to(PROJECT).parts[:2]
        and path.name != "__main__.py"
        and ".".join(path.relative_to(PROJECT).with_suffix("").parts) not in OF_THE_WORKER
    ]
    assert int(answer.stdout) == len(modules) - len(rooms)  # the rooms themselves come first


def test_neither_the_window_nor_a_command_loads_torch() -> None:
    """Only SAM 2's own process may: it costs seconds and a gigabyte."""
    script = """
import importlib, pkgutil, sys
from tests.test_contracts import OF_THE_WORKER
for room in sys.argv[1:]:
    package = importlib.import_module(room)
    for module in pkgutil.walk_packages(package.__path__, room + "."):
        if not module.name.endswith("__main__") and module.name not in OF_THE_WORKER:
            importlib.import_module(module.name)
assert not {"torch", "sam2", "hydra"} & set(sys.modules)
"""
    answer = run(sys.executable, "-c", script, *ROOMS)
    assert answer.returncode == 0, answer.stderr


def test_what_is_imported_is_declared() -> None:
    """A package that only another one brought along may go when that one changes."""
    names = {
        name.partition(".")[0]
        for room in ROOMS
        for path in (PROJECT / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom) and node.level == 0
            else []
        )
    }
    names.discard("shiboken6")  # the other half of PySide6, always of the same version
    names.discard("worker_wire")  # ours, beside the workers, which run in other Pythons
    foreign = names - set(sys.stdlib_module_names) - set(ROOMS)
    project = PYPROJECT["project"]
    told = {
        canonicalize_name(Requirement(text).name)
        for texts in (project["dependencies"], *project["optional-dependencies"].values())
        for text in texts
    }
    # Where SAM 2 is left out, nothing tells which package an import of it would be from.
    absent = {"hydra": "hydra-core"}
    carriers = metadata.packages_distributions()
    undeclared = {
        name
        for name in foreign
        if not told
        & {canonicalize_name(one) for one in carriers.get(name, [absent.get(name, name)])}
    }
    assert undeclared == set()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    built = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    assert built.returncode == 0, built.stdout + built.stderr
    (path,) = folder.glob("taptrail-*.whl")
    return path


def test_the_wheel_holds_the_rooms_and_the_licences_and_no_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names}
    dist_info = f"taptrail-{PYPROJECT['project']['version']}.dist-info"
    assert tops == {*ROOMS, dist_info}
    assert {f"{dist_info}/licenses/LICENSE", f"{dist_info}/licenses/NOTICE"} <= set(names)
    assert [
        name for name in names if name.endswith((".pyc", ".jar")) or "scrcpy-server" in name
    ] == []


def test_no_link_of_the_package_index_page_leads_into_the_repository(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    page = archive.read(name).decode()
    assert "# Taptrail" in page
    assert [link for link in re.findall(r"\]\(([^)]+)\)", page) if "://" not in link] == []


def test_the_wheel_holds_every_committed_file_of_the_rooms(wheel: Path) -> None:
    tracked = run("git", "ls-files", "--", *ROOMS).stdout.splitlines()
    there = [name for name in tracked if (PROJECT / name).exists()]
    assert there
    assert set(there) <= set(zipfile.ZipFile(wheel).namelist())


def test_the_installed_wheel_starts(wheel: Path, tmp_path: Path) -> None:
    folder = tmp_path / "with space"
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    installed = run(
        *(sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"),
        *("install", "--no-deps", "--no-index", wheel),
    )
    assert installed.returncode == 0, installed.stdout + installed.stderr
    (site,) = folder.glob("lib/python*/site-packages")
    # The dependencies of the environment the tests run in; its link to this clone is not followed.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    taptrail = folder / "bin" / "taptrail"

    where = run(
        python, "-P", "-c", "import episodes, taptrail; print(episodes.__file__)", cwd=tmp_path
    )
    assert where.stdout.startswith(str(site)), where.stderr

    told = run(taptrail, "--help", cwd=tmp_path)
    assert (told.returncode, told.stderr) == (0, "")
    assert "Usage: taptrail" in told.stdout

    # Beside modules of somebody's own that are named like our packages.
    for name in ("replay.py", "scoring.py"):
        (tmp_path / name).write_text("raise SystemExit('the wrong module')\n")
    for command in ([taptrail], [python, "-m", "taptrail"]):
        listed = run(*command, "protocols", "--json", cwd=tmp_path)
        assert (listed.returncode, listed.stderr) == (0, "")
        assert "guiodyssey" in json.dumps(json.loads(listed.stdout))
    sample = ("--library", "sample")
    run_a = ("--run", "run-a", "--protocol", "guiodyssey@2")
    for words in (
        ("sample", *sample),
        ("score", *run_a, *sample),
        ("report", *run_a, "--out", "report.html", *sample),
    ):
        done = run(python, "-m", "taptrail", *words, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, ""), words


def test_no_committed_file_names_a_folder_of_the_machine_it_was_made_on() -> None:
    """What is committed must mean the same everywhere: no home, and not the clone's own place."""
    own = re.escape(str(PROJECT).encode()) + rb"(?![\w-])"
    private = re.compile(rb"(?<![\w.])/(?:home|Users)/[a-z]+/|" + own)
    tracked = [name for name in run("git", "ls-files", "-z").stdout.split("\0") if name]
    assert len(tracked) > 20
    paths = [PROJECT / name for name in tracked if (PROJECT / name).is_file()]
    assert [path for path in paths if private.search(path.read_bytes())] == []
