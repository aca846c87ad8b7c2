"""bootstrap.py on small projects of its own: real environments, real pip, a made-up wheel.

System packages are asked of stand-ins for dpkg-query, apt-get, apt-cache and sudo, since a test
must not change the machine.
"""

import ast
import hashlib
import importlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

PROJECT = Path(__file__).resolve().parent.parent
SOURCE = PROJECT / "bootstrap.py"
LOCK = PROJECT / "requirements" / "lock.txt"

# Stands in for hatchling and for pytest: builds the link to the project, and prints its arguments.
BACKEND = """
import pathlib, zipfile

def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    name = "taptrail-0-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory, name), "w") as wheel:
        wheel.writestr("taptrail.pth", str(pathlib.Path.cwd()))
        metadata = "Metadata-Version: 2.1\\nName: taptrail\\nVersion: 0\\n"
        wheel.writestr("taptrail-0.dist-info/METADATA", metadata)
        wheel.writestr("taptrail-0.dist-info/WHEEL", "Wheel-Version: 1.0\\nTag: py3-none-any\\n")
        wheel.writestr("taptrail-0.dist-info/RECORD", "")
    return name
"""
SYSTEM_PACKAGES = "[needed]\nlibgl1\n[window]\nfont # why\n"
PRINT_ARGUMENTS = "import os, sys\nprint('ran', os.getcwd(), sys.argv[1:])\nsys.exit(7)\n"

DPKG_QUERY = """#!/bin/sh
while read -r name; do printf 'ii \\t%s\\n' "$name"; done <"$WORLD/installed"
exit 1
"""
APT_GET = """#!/bin/sh
echo "apt-get $*" >>"$WORLD/calls"
for word in "$@"; do
    if grep -qx "$word" "$WORLD/refused" 2>/dev/null; then
        echo "E: Unable to fetch some archives"; exit 100
    fi
    echo "$word" >>"$WORLD/installed"
done
"""
APT_CACHE = """#!/bin/sh
echo "$2:"
if [ "$2" = libnew ]; then echo "  Candidate: (none)"; else echo "  Candidate: 1.0"; fi
"""
SUDO = """#!/bin/sh
echo "sudo $*" >>"$WORLD/calls"
exit 1
"""


def small_wheel(folder: Path) -> str:
    """Write a wheel that holds both stand-ins; the answer is its hash."""
    path = folder / "standins-1.0-py3-none-any.whl"
    files = {
        "standin_backend.py": BACKEND,
        "pytest.py": PRINT_ARGUMENTS,
        "standins-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: standins\nVersion: 1.0\n",
        "standins-1.0.dist-info/WHEEL": (
            "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        ),
    }
    record = "".join(f"{name},,\n" for name in files) + "standins-1.0.dist-info/RECORD,,\n"
    with zipfile.ZipFile(path, "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)
        wheel.writestr("standins-1.0.dist-info/RECORD", record)
    return hashlib.sha256(path.read_bytes()).hexdigest()


@dataclass
class Answer:
    code: int
    said: list[str]
    complained: list[str]


@dataclass
class SmallProject:
    folder: Path
    elsewhere: Path
    world: Path
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def lock(self) -> Path:
        return self.folder / "requirements" / "lock.txt"

    @property
    def calls(self) -> list[str]:
        """What apt-get and sudo were asked to do."""
        path = self.world / "calls"
        return path.read_text().splitlines() if path.exists() else []

    def bootstrap(self, *arguments: str, before: str = "") -> Answer:
        """Run bootstrap.py from another folder; `before` is Python that runs first."""
        command = [sys.executable, str(self.folder / "bootstrap.py")]
        if before:
            start = (
                f"import os, runpy, sys\n{before}\nsys.argv = sys.argv[1:]\n"
                "runpy.run_path(sys.argv[0], run_name='__main__')"
            )
            command = [sys.executable, "-c", start, str(self.folder / "bootstrap.py")]
        done = subprocess.run(
            [*command, *arguments],
            cwd=self.elsewhere,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
        )
        return Answer(done.returncode, done.stdout.splitlines(), done.stderr.splitlines())


@pytest.fixture
def project(tmp_path: Path) -> SmallProject:
    return small_project(tmp_path)


@pytest.fixture(scope="module")
def installed_once(tmp_path_factory: pytest.TempPathFactory) -> SmallProject:
    project = small_project(tmp_path_factory.mktemp("installed"))
    assert project.bootstrap("setup").code == 0
    return project


@pytest.fixture
def installed(installed_once: SmallProject) -> SmallProject:
    """A project that is set up, in the state in which `setup` left it."""
    folder, world = installed_once.folder, installed_once.world
    for kept in ("annotator", "assets"):
        shutil.rmtree(folder / kept, ignore_errors=True)
    for name in ("calls", "refused"):
        (world / name).unlink(missing_ok=True)
    (folder / ".venv" / "taptrail-sam2-installed").unlink(missing_ok=True)
    (folder / "requirements" / "debian.txt").write_text(SYSTEM_PACKAGES)
    (world / "installed").write_text("libgl1\nfont\n")
    return installed_once


def small_project(tmp_path: Path) -> SmallProject:
    folder = tmp_path / "a small project"
    (folder / "requirements").mkdir(parents=True)
    shutil.copy(SOURCE, folder)
    (folder / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "standin_backend"\n'
        '[project]\nname = "taptrail"\nversion = "0"\n'
    )
    (folder / "requirements" / "debian.txt").write_text(SYSTEM_PACKAGES)
    (folder / "taptrail").mkdir()
    (folder / "taptrail" / "__main__.py").write_text(PRINT_ARGUMENTS)

    wheels = tmp_path / "wheels"
    wheels.mkdir()
    (folder / "requirements" / "lock.txt").write_text(
        f"standins==1.0 --hash=sha256:{small_wheel(wheels)}\n"
    )

    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "taptrail").mkdir(parents=True)
    (elsewhere / "taptrail" / "__main__.py").write_text("raise SystemExit('the wrong one')")

    world = tmp_path / "world"
    world.mkdir()
    (world / "installed").write_text("libgl1\nfont\n")
    tools = {"dpkg-query": DPKG_QUERY, "apt-get": APT_GET, "apt-cache": APT_CACHE, "sudo": SUDO}
    for name, text in tools.items():
        (world / name).write_text(text)
        (world / name).chmod(0o755)

    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PIP_", "PYTHON"))}
    environment = kept | {
        "PATH": f"{world}{os.pathsep}{os.environ['PATH']}",
        "WORLD": str(world),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": wheels.as_uri(),
    }
    return SmallProject(folder, elsewhere, world, environment)


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bootstrap", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_job_runs_where_the_person_stands_with_their_arguments(installed: SmallProject) -> None:
    answer = installed.bootstrap("demo", "--headless", "--library", "my lib")
    assert answer.complained == []
    assert answer.said[-1] == (
        f"ran {installed.elsewhere} ['demo', '--headless', '--library', 'my lib']"
    )
    assert answer.code == 7

    again = installed.bootstrap("test", "--core", "-k", "x or y")
    assert again.said == [
        f"ran {installed.folder} ['-n', '2', '--dist', 'worksteal', '--core', '-k', 'x or y']"
    ]
    assert again.code == 7
    assert installed.calls == []


def with_sam2(project: SmallProject) -> tuple[Path, Path]:
    """Adds the part that installs SAM 2, and its list; returns both folders."""
    room, lists = project.folder / "annotator" / "sam2", project.folder / "assets" / "requirements"
    room.mkdir(parents=True)
    lists.mkdir(parents=True)
    (room / "installation.py").write_text("print('installing sam2', flush=True)\n")
    (lists / "sam2.txt").write_text("sam2==1.1.0\n")
    return room, lists


def test_sam2_is_installed_before_the_tests_once_and_again_when_its_list_changes(
    installed: SmallProject,
) -> None:
    room, lists = with_sam2(installed)
    tests = f"ran {installed.folder} ['-n', '2', '--dist', 'worksteal']"
    assert installed.bootstrap("test").said[-2:] == ["installing sam2", tests]
    assert installed.bootstrap("test").said == [tests]
    (lists / "sam2.txt").write_text("sam2==1.1.1\n")
    assert installed.bootstrap("demo").said == [f"ran {installed.elsewhere} ['demo']"]
    assert installed.bootstrap("test").said == ["installing sam2", tests]

    (lists / "sam2.txt").write_text("sam2==1.1.2\n")
    (room / "installation.py").write_text("raise SystemExit('no room')\n")
    answer = installed.bootstrap("test")
    assert (answer.code, answer.said) == (1, [])
    assert answer.complained == [
        "no room",
        "bootstrap: without SAM 2 run the tests with: python3 bootstrap.py test --core",
    ]


def test_a_changed_lock_is_installed_and_a_wrong_hash_is_refused(installed: SmallProject) -> None:
    right = installed.lock.read_text()

    installed.lock.write_text("# looked at again\n" + right)
    assert installed.bootstrap("setup").said == [
        "bootstrap: installing 1 Python packages; the first time this fetches about 250 MB",
        "bootstrap: installing the project itself",
    ]

    (site,) = installed.folder.glob(".venv/lib/python*/site-packages")
    for name in ("standins-1.0.dist-info", "pytest.py"):
        shutil.rmtree(site / name) if (site / name).is_dir() else (site / name).unlink()
    installed.lock.write_text(re.sub("[0-9a-f]{64}", "0" * 64, right))
    refused = installed.bootstrap("demo")
    assert refused.code == 1
    assert refused.complained[0].startswith(
        "bootstrap: a package that was fetched is not the one named in requirements/lock.txt"
    )
    assert not (site / "pytest.py").exists()

    # The failure left the environment half made: it is not trusted, but made anew.
    installed.lock.write_text(right)
    healed = installed.bootstrap("demo")
    assert healed.said[0].startswith("bootstrap: making a virtual environment")
    assert healed.code == 7


def test_an_environment_whose_python_is_gone_is_made_anew(installed: SmallProject) -> None:
    python = installed.folder / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/nowhere/python3")
    answer = installed.bootstrap("demo")
    assert answer.said[0].startswith("bootstrap: making a virtual environment")
    assert answer.code == 7


def test_without_a_network_one_sentence_says_so(project: SmallProject) -> None:
    del project.environment["PIP_NO_INDEX"]
    project.environment |= {
        "PIP_FIND_LINKS": "",
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_RETRIES": "1",
    }
    answer = project.bootstrap("demo")
    assert answer.code == 1
    assert answer.complained == [
        "bootstrap: the Python packages could not be fetched, because the package index does not "
        "answer; connect to the network (or set pip's proxy or index) and run the same command "
        "again."
    ]


def test_a_folder_that_may_not_be_written_to_is_named(project: SmallProject) -> None:
    # As root nothing is read-only, so the question is answered for it.
    answer = project.bootstrap("demo", before="os.access = lambda *asked: False")
    assert answer.code == 1
    assert answer.complained == [
        f"bootstrap: {project.folder} may not be written to, and the environment belongs in it; "
        "copy the project to a folder of your own and run it there."
    ]


def test_missing_system_packages_are_installed_under_the_name_of_the_release(
    installed: SmallProject,
) -> None:
    (installed.folder / "requirements" / "debian.txt").write_text(
        "[needed]\nlibnew | libold\nlibgl1\n[window]\nfont\n"
    )
    (installed.world / "installed").write_text("libgl1\n")
    answer = installed.bootstrap("setup", before="os.geteuid = lambda: 0")
    assert answer.code == 0
    assert answer.said[0] == "bootstrap: installing 2 system packages"
    assert installed.calls[-1] == (
        "apt-get -q -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "
        "install -y --no-install-recommends libold font"
    )


def test_when_apt_may_not_be_used_the_command_is_told(installed: SmallProject) -> None:
    (installed.world / "installed").write_text("font\n")
    answer = installed.bootstrap("setup", before="os.geteuid = lambda: 1000")
    assert answer.code == 1
    assert answer.complained == [
        "bootstrap: 1 system packages are missing (only root may do that, and sudo would ask for "
        "a password); run: sudo apt-get install -y libgl1"
    ]
    assert installed.calls == ["sudo -n true"]


def test_what_only_the_look_needs_does_not_stop_it_and_apt_s_complaint_is_told(
    installed: SmallProject,
) -> None:
    (installed.world / "installed").write_text("libgl1\n")
    (installed.world / "refused").write_text("font\n")
    answer = installed.bootstrap("demo", before="os.geteuid = lambda: 0")
    assert answer.said[1] == (
        "bootstrap: 1 system packages are missing (apt-get install: Unable to fetch some "
        "archives); run: sudo apt-get install -y font"
    )
    assert answer.code == 7
    assert [call.split()[6] for call in installed.calls][-3:] == ["install", "update", "install"]


def test_what_only_tests_need_is_brought_for_them_alone_and_does_not_stop_them(
    installed: SmallProject,
) -> None:
    (installed.folder / "requirements" / "debian.txt").write_text(
        "[needed]\nlibgl1\n[window]\nfont\n[tests]\nbrowser\n"
    )
    with_sam2(installed)
    root = "os.geteuid = lambda: 0"
    installed.bootstrap("setup", before=root)
    installed.bootstrap("demo", before=root)
    installed.bootstrap("test", "--core", before=root)
    assert installed.calls == []
    (installed.world / "refused").write_text("browser\n")
    answer = installed.bootstrap("test", before=root)
    assert answer.said[:2] == [
        "bootstrap: installing 1 system packages for the tests",
        "bootstrap: 1 system packages are missing (apt-get install: Unable to fetch some "
        "archives); run: sudo apt-get install -y browser",
    ]
    assert answer.code == 7
    (installed.world / "refused").unlink()
    answer = installed.bootstrap("test", before=root)
    assert answer.said[0] == "bootstrap: installing 1 system packages for the tests"
    assert installed.calls[-1].endswith("install -y --no-install-recommends browser")
    before = installed.calls
    installed.bootstrap("test", before=root)
    assert installed.calls == before


def test_an_older_python_is_told_in_one_sentence(project: SmallProject) -> None:
    ast.parse(SOURCE.read_text(), feature_version=(3, 7))
    answer = project.bootstrap("demo", before="sys.version_info = (3, 8, 10)")
    assert answer.code == 1
    assert len(answer.complained) == 1
    assert answer.complained[0].startswith(
        "bootstrap: Taptrail needs Python 3.11 or newer and this is 3.8; "
    )


def test_a_job_it_does_not_know_is_a_usage_error(project: SmallProject) -> None:
    assert project.bootstrap().code == 2
    assert project.bootstrap("deploy").code == 2
    assert project.bootstrap("--help").said[0] == "Set Taptrail up in this folder, then run it."


def test_the_committed_list_of_system_packages_reads() -> None:
    sections = load().read_system_packages((PROJECT / "requirements" / "debian.txt").read_text())
    assert list(sections) == ["needed", "window", "tests"]
    assert ["libglib2.0-0t64", "libglib2.0-0"] in sections["needed"]
    names = [name for groups in sections.values() for group in groups for name in group]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9+.-]+", name) for name in names)


def locked() -> dict[str, list[Requirement]]:
    """The lock's lines by name: one or more versions, told apart by markers."""
    lines = re.findall(r"^([A-Za-z0-9][^\\\n]*?)\s*\\?$", LOCK.read_text(), flags=re.MULTILINE)
    found: dict[str, list[Requirement]] = {}
    for requirement in map(Requirement, lines):
        found.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return found


def test_the_lock_satisfies_every_dependency_of_the_project() -> None:
    told = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    wanted = [*told["project"]["dependencies"], *told["dependency-groups"]["dev"]]
    pinned = locked()
    unmet = [
        text
        for text in wanted
        if not (lines := pinned.get(canonicalize_name(Requirement(text).name)))
        or not all(
            Requirement(text).specifier.contains(Version(pin.version), prereleases=True)
            for line in lines
            for pin in line.specifier
        )
    ]
    assert unmet == [], "refresh requirements/lock.txt; CONTRIBUTING.md has the command"


def test_the_lock_pins_hashes_and_names_no_place_to_fetch_from() -> None:
    text = LOCK.read_text()
    pinned = [line for lines in locked().values() for line in lines]
    assert all([pin.operator for pin in line.specifier] == ["=="] for line in pinned)
    blocks = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(blocks) == len(pinned)
    assert [b.split()[0] for b in blocks if not re.search(r"--hash=sha256:[0-9a-f]{64}", b)] == []
    assert re.findall(r"https?:|file:|index-url|find-links|@", text) == []


def test_the_program_that_the_readme_names_is_the_one_that_the_project_installs() -> None:
    told = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    (name,) = re.findall(
        r"After `\. \.venv/bin/activate`:.*?```\n +(\w+)\n",
        (PROJECT / "README.md").read_text(),
        re.DOTALL,
    )
    module, _, function = told["project"]["scripts"][name].partition(":")
    assert callable(getattr(importlib.import_module(module), function))
