"""The commands on a library work where a system lacks what only Linux and macOS have."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from episodes.operating_system import FileLock, sync_file, sync_folder
from tests.samples import guiodyssey as sample

PROJECT = Path(__file__).resolve().parents[2]

LACKING = """
import json, os, select, signal, sys
for name in ("fcntl", "resource", "termios", "grp"):
    sys.modules[name] = None
for module, names in {
    os: (
        "nice", "killpg", "fchmod", "pread", "pwrite", "memfd_create", "setsid", "fork",
        "O_DIRECTORY", "O_CLOEXEC",
    ),
    select: ("poll", "epoll"),
    signal: ("SIGHUP", "SIGKILL"),
}.items():
    for name in names:
        delattr(module, name)
from taptrail.cli.main import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.fixture
def lacking(tmp_path):
    """Runs a command in a Python that lacks them; returns what it printed."""

    def run(*words, code=0):
        done = subprocess.run(
            [sys.executable, "-c", LACKING, *map(str, words)],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(PROJECT), "PYTHONWARNINGS": "ignore"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == code, done.stderr
        return done.stdout if code == 0 else done.stderr

    return run


def test_commands_on_a_library_work_without_what_only_unix_has(lacking, tmp_path):
    library = ("--library", "library")
    run_a = ("--run", "run-a", "--protocol", "guiodyssey@2")
    lacking("sample", *library)
    files = sample.version_2(tmp_path / "data")
    assert json.loads(lacking("import", "guiodyssey", files, *library, "--json"))["episodes"] == 2
    assert json.loads(lacking("score", *run_a, *library, "--json"))["steps"]
    lacking("report", *run_a, "--out", "report.html", *library)
    assert (tmp_path / "report.html").stat().st_size > 10_000
    assert "whole" in lacking("episodes", "check", *library)


def test_one_process_writes_also_where_files_cannot_be_locked(lacking, tmp_path):
    script = LACKING.partition("from taptrail")[0] + (
        "from pathlib import Path\n"
        "from episodes.store.library import Library\n"
        "with Library.open(Path('library')):\n"
        "    print(flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", script],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(PROJECT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as writer:
        writer.stdout.readline()
        refused = lacking("episodes", "check", "--repair", "--library", "library", code=1)
        assert f"process {writer.pid} has it open" in refused
        writer.stdin.close()
    assert writer.returncode == 0
    lacking("episodes", "check", "--repair", "--library", "library")


def test_a_file_lock_names_its_holder_and_is_free_again_after_its_release(tmp_path):
    first, second = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    assert first.acquire()
    first.write_holder()
    assert (second.acquire(), second.holder()) == (False, str(os.getpid()))
    first.release()
    assert second.acquire()
    second.release()


def test_a_missing_file_or_folder_cannot_be_synced(tmp_path):
    for sync in (sync_file, sync_folder):
        with pytest.raises(FileNotFoundError):
            sync(tmp_path / "none")
