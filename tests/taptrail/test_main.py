"""Exit codes, output streams, and lazy imports."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from episodes.errors import KnownError
from episodes.store.library import Library
from taptrail.usecases import published
from tests.permissions import mode
from tests.samples import guiodyssey as sample

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = [
    "demo",
    "sample",
    "doctor",
    "devices",
    "record",
    "episodes",
    "regions",
    "segment",
    "lint",
    "tasks",
    "attempts",
    "import",
    "export",
    "splits",
    "predictions",
    "agent",
    "predict",
    "recipes",
    "runs",
    "protocols",
    "score",
    "columns",
    "compare",
    "report",
    "models",
]


def taptrail_process(*words, **variables):
    return subprocess.run(
        [sys.executable, "-m", "taptrail", *map(str, words)],
        cwd=ROOT,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_help_lists_all_commands_and_says_what_each_does(taptrail):
    done = taptrail("--help")
    assert (done.code, done.err) == (0, "")
    listed = done.out.partition("Commands:\n")[2]
    assert [line.split()[0] for line in listed.splitlines()] == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(taptrail, command):
    done = taptrail(command, "--help")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"Usage: taptrail {command}")


HEAVY = {"PySide6", "cv2", "av", "adbutils"}


@pytest.mark.parametrize(
    ("words", "barred"),
    [
        (["--help"], HEAVY | {"numpy", "rich", "sqlite_utils"}),
        (["protocols"], HEAVY | {"numpy", "rapidfuzz", "rich", "sqlite_utils"}),
        (["protocols", "--json"], HEAVY | {"numpy", "rapidfuzz", "rich", "sqlite_utils"}),
        (["runs"], HEAVY | {"rapidfuzz"}),
    ],
)
def test_a_command_loads_no_package_that_it_does_not_need(words, barred, tmp_path):
    if words == ["runs"]:
        with Library.open(tmp_path / "library"):
            pass
        words = ["runs", "--library", str(tmp_path / "library")]
    program = (
        "import sys; from taptrail.cli.main import run; code = run(sys.argv[2:]); "
        "print(code, sorted(set(sys.argv[1].split(',')) & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, ",".join(barred), *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == "0 []\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("tea",), "No such command 'tea'"),
        (("score",), "Missing option '--protocol'"),
        (("import", "guiodyssey"), "Missing argument 'PATH'"),
        (("--library", "x", "protocols"), "Put --library after the command."),
        (("record", "--task", "x", "--json"), "--json goes with --script"),
        (("episodes", "list", "--limit", "-1"), "Invalid value for '--limit'"),
    ],
)
def test_wrong_usage_is_exit_2(taptrail, words, said):
    done = taptrail(*words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_a_known_error_is_one_sentence_on_stderr(tmp_path):
    done = taptrail_process("episodes", "list", "--library", tmp_path / "none", "--json")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Cannot open the library ")
    assert done.stderr.count("\n") == 1


def test_a_bug_is_told_with_the_place_of_its_traceback(taptrail, monkeypatch, home):
    def broken():
        raise ZeroDivisionError("a test's bug")

    monkeypatch.setattr(published, "published", broken)
    done = taptrail("protocols", "--published", "--json")
    (log,) = (home / "state").rglob("bug-*.log")
    assert (done.code, done.out) == (70, "")
    assert done.err == (
        f"Taptrail has a bug: ZeroDivisionError: a test's bug. The traceback is in {log}; "
        "please report it.\n"
    )
    assert "in broken" in log.read_text()


def test_a_bug_is_told_also_where_no_log_can_be_written(taptrail, monkeypatch, home):
    (home / "state").write_text("in the way")
    monkeypatch.setattr(published, "published", lambda: 1 / 0)
    done = taptrail("protocols", "--published")
    place = Path(done.err.partition("The traceback is in ")[2].partition(";")[0])
    assert done.code == 70
    assert "ZeroDivisionError" in place.read_text()
    place.unlink()


def test_ctrl_c_is_exit_130(taptrail, monkeypatch):
    def stopped():
        raise KeyboardInterrupt

    monkeypatch.setattr(published, "published", stopped)
    done = taptrail("protocols", "--published")
    assert (done.code, done.out, done.err) == (130, "", "\nStopped.\n")


def test_a_reader_who_has_gone_is_no_bug(tmp_path, library, taptrail):
    taptrail("import", "guiodyssey", sample.version_2(tmp_path / "set"), "--library", library)
    show = shlex.join(
        [
            *(sys.executable, "-m", "taptrail", "episodes", "show", "0019000000000001"),
            *("--json", "--library", str(library)),
        ]
    )
    done = subprocess.run(
        ["bash", "-c", f"{show} | true; echo ${{PIPESTATUS[0]}}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout in ("0\n", "1\n")
    assert done.stderr == ""


def test_the_window_needs_a_display(taptrail, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    done = taptrail()
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "Cannot open the window: there is no display (neither DISPLAY nor WAYLAND_DISPLAY is "
        "set). Start it from a desktop, or use the commands: taptrail --help.\n"
    )


def test_a_display_that_cannot_be_opened_ends_with_one_sentence(home):
    left_out = ("WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    variables = {name: value for name, value in os.environ.items() if name not in left_out}
    done = subprocess.run(
        [sys.executable, "-m", "taptrail"],
        cwd=ROOT,
        env=variables | {"DISPLAY": ":6789"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "Cannot open the window: the display :6789 cannot be opened (could not connect to display "
        ":6789). Start it from a desktop, or run: taptrail doctor.\n"
    )


def test_the_settings_library_is_taken_where_none_is_named(taptrail, tmp_path, home):
    library = tmp_path / "mine"
    taptrail("import", "guiodyssey", sample.version_1(tmp_path / "set"), "--library", library)
    settings = home / "config" / "taptrail" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f"library = {json.dumps(str(library))}\n")
    assert taptrail("episodes", "list", "--json").json["total"] == 1


def test_progress_that_raises_ends_an_import_and_keeps_what_is_saved(tmp_path, library):
    from taptrail.usecases.importing import import_episodes

    class Enough(Exception):
        pass

    def stop(done, total):
        raise Enough

    with pytest.raises(Enough):
        import_episodes("guiodyssey", sample.version_2(tmp_path), library, on_progress=stop)
    again = import_episodes("guiodyssey", tmp_path, library)
    assert again.episodes == 2
    assert again.unchanged >= 1  # all of the first batch, which a slow machine ends early


def test_progress_counts_up_to_the_total(tmp_path, library):
    from taptrail.usecases.exporting import export_episodes
    from taptrail.usecases.importing import import_episodes

    told = []
    import_episodes(
        "guiodyssey",
        sample.version_2(tmp_path / "set"),
        library,
        on_progress=lambda done, total: told.append((done, total)),
    )
    assert told[-1] == (2, 2)
    told.clear()
    export_episodes(
        "taptrail",
        tmp_path / "out",
        library,
        on_progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(1, 2), (2, 2)]


def test_a_known_error_reads_as_one_sentence_and_a_remedy():
    assert str(KnownError("do it", "it is gone.", "Look.")) == "Cannot do it: it is gone. Look."


def test_a_known_error_stays_one_line_and_moves_no_cursor(taptrail, monkeypatch):
    def broken():
        raise KnownError("read a\nb", "it says \x1b[2J", "Look.")

    monkeypatch.setattr(published, "published", broken)
    done = taptrail("protocols", "--published")
    assert (done.code, done.err) == (1, "Cannot read a b: it says \\u001b[2J. Look.\n")


def test_words_that_come_from_files_reach_no_terminal_raw(capsys):
    from taptrail.cli.output import say, table

    say("a run called \x1b]0;x\x07\nnext line")
    table("the run \x1b[31m[bold]red[/bold]", ("a\x07",), [("\x1b[0m" + "wide " * 9,)])
    out = capsys.readouterr().out
    assert out.startswith("a run called \\u001b]0;x\\u0007\nnext line\n")
    assert "the run \\u001b[31m[bold]red[/bold]" in out
    assert not any(c in out for c in "\x1b\x07")


@pytest.mark.parametrize("words", [("protocols",), ("protocols", "--json"), ("--help",)])
def test_a_full_disk_under_the_output_is_one_sentence(words):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "taptrail", *words],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (
        1,
        "Cannot print the output: No space left on device. The command has finished. Make room, "
        "or redirect the output.\n",
    )


def test_a_terminal_that_knows_only_ascii_gets_escapes(taptrail, tmp_path, library):
    rain = sample.annotation("天1", sample.OLD[:3], sample.RAIN["task_info"])
    folder = sample.write(tmp_path / "set", [rain])
    taptrail("import", "guiodyssey", folder, "--library", library)
    ascii_only = {"PYTHONIOENCODING": "ascii"}
    words = ("episodes", "list", "--library", library)
    listed = taptrail_process(*words, **ascii_only)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "\\u59291" in listed.stdout
    told = taptrail_process(*words, "--json", **ascii_only)
    assert [one["name"] for one in json.loads(told.stdout)["episodes"]] == ["天1"]


def test_arguments_that_are_not_utf_8_are_wrong_usage():
    done = taptrail_process("score", "--protocol", "x", "--run", "\udcff")
    assert (done.returncode, done.stdout) == (2, "")
    assert "“\\udcff” is not UTF-8." in done.stderr


def test_a_library_that_is_not_named_is_wrong_usage(taptrail, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for words in (("import", "taptrail", "x"), ("episodes", "list"), ()):
        done = taptrail(*words, "--library", "")
        assert (done.code, done.out) == (2, "")
        assert "it names no folder" in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_library_that_cannot_be_one_is_one_sentence_and_exit_1(taptrail, tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "shut").mkdir()
    with mode(tmp_path / "shut", 0):
        for place in (tmp_path / "file", tmp_path / "shut", "/dev/null", "x" * 300):
            for words in (("episodes", "list"), ("import", "taptrail", tmp_path)):
                done = taptrail(*words, "--library", place)
                assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
                assert done.err.startswith("Cannot ")


def test_a_folder_with_other_things_in_it_becomes_no_library(taptrail, tmp_path):
    folder = sample.version_1(tmp_path / "set")
    done = taptrail("import", "guiodyssey", folder, "--library", folder)
    assert (done.code, done.err) == (
        1,
        f"Cannot make a library in {folder}: there is something else in it (annotations, "
        "screenshots, splits). Choose a new or an empty folder, or a library's folder.\n",
    )


def test_a_path_no_file_can_have_is_one_sentence(taptrail, tmp_path, library):
    taptrail("import", "guiodyssey", sample.version_1(tmp_path / "set"), "--library", library)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "shut").mkdir()
    names = ("loop", "dangling", "x" * 300, "shut/inside")
    commands = (
        ("import", "guiodyssey"),
        ("import", "taptrail"),
        ("export", "guiodyssey"),
        ("export", "taptrail"),
        ("predictions", "import", "--name", "r", "--dialect", "taptrail"),
        ("predictions", "check", "--dialect", "guiodyssey"),
    )
    with mode(tmp_path / "shut", 0):
        for name in (*names, "/dev/null"):
            for words in commands:
                done = taptrail(*words, tmp_path / name, "--library", library)
                assert (done.code, done.out, done.err.count("\n")) == (1, "", 1), (words, name)
                assert done.err.startswith("Cannot ")
