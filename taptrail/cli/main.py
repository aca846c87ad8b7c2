"""`taptrail`: opens the window, or runs one command.

Exit codes: 0 success; 1 a known error, printed as one sentence; 2 wrong usage; 70 a bug, with the
traceback in the file that the message names; 130 Ctrl-C.
"""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import click

from episodes.errors import KnownError
from taptrail.cli.output import LibraryFolder, printable
from taptrail.words import tr

KNOWN, USAGE, BUG, INTERRUPTED = 1, 2, 70, 130

# Modules of the commands, in the order of `--help`. A module is imported only if its command is
# used, which keeps the start-up short.
COMMANDS = {
    "demo": "recording:demo",
    "sample": "recording:sample",
    "doctor": "devices:doctor",
    "devices": "devices:devices",
    "record": "recording:record",
    "episodes": "episodes:episodes",
    "regions": "regions:regions",
    "segment": "segment:segment",
    "lint": "lint:lint",
    "tasks": "tasks:tasks",
    "attempts": "attempts:attempts",
    "import": "files:import_",
    "export": "files:export",
    "splits": "splits:splits",
    "predictions": "predictions:predictions",
    "agent": "agent:agent",
    "predict": "predict:predict",
    "recipes": "predict:recipes",
    "runs": "scoring:runs",
    "protocols": "scoring:protocols",
    "score": "scoring:score",
    "columns": "columns:columns",
    "compare": "compare:compare",
    "report": "report:report",
    "models": "models:models",
}


class CommandGroup(click.Group):
    """The commands of `COMMANDS`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Returns the names in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports and returns a command; None if there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command = getattr(importlib.import_module(f"taptrail.cli.{module}"), name)
        assert isinstance(command, click.Command)
        return command


def _print_version(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if not value or context.resilient_parsing:
        return
    import importlib.metadata

    try:
        version = importlib.metadata.version("taptrail")
    except importlib.metadata.PackageNotFoundError:  # run from a folder, not installed
        version = "0"
    click.echo(f"taptrail {version}")
    context.exit()


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help=tr(
        "Record what people do on Android phones, mark what they meant, and score agents "
        "against it. Without a command it opens the window."
    ),
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help=tr("Show the version and exit."),
)
@click.option(
    "--library",
    type=LibraryFolder(),
    help=tr("Folder of the library the window opens."),
)
@click.pass_context
def cli(context: click.Context, library: Path | None) -> None:
    """The group of all commands."""
    if context.invoked_subcommand is None:
        from taptrail.cli.recording import open_window

        open_window(library)
    elif library is not None:
        raise click.UsageError(tr("Put --library after the command."))


def main(words: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line (`sys.argv` without `words`) and ends the process.

    Characters that the terminal's encoding lacks are printed as escapes.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(words))


def run(words: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit code."""
    try:
        _check_utf8(sys.argv[1:] if words is None else words)
        code = cli.main(
            args=list(words) if words is not None else None,
            prog_name="taptrail",
            standalone_mode=False,
        )
        return code if isinstance(code, int) else 0
    except KnownError as error:
        click.echo(printable(str(error)), err=True)
        return KNOWN
    except click.ClickException as error:
        error.show()
        return USAGE
    except (click.Abort, KeyboardInterrupt):
        click.echo(tr("Stopped."), err=True)
        return INTERRUPTED
    except BrokenPipeError:
        _print_no_more()  # the reader of our output has ended
        return KNOWN
    except OSError as error:
        if not _came_from_printing(error):
            return _bug(error)
        _print_no_more()
        click.echo(
            tr(
                "Cannot print the output: {why}. The command has finished. Make room, or redirect "
                "the output.",
                why=error.strerror or type(error).__name__,
            ),
            err=True,
        )
        return KNOWN
    except Exception as error:  # noqa: BLE001 - a bug: the log holds the traceback
        return _bug(error)


def _check_utf8(words: Sequence[str]) -> None:
    """Refuses arguments that cannot be stored, shown or compared.

    Raises:
        click.UsageError: an argument is not UTF-8.
    """
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            shown = word.encode(errors="backslashreplace").decode()
            raise click.UsageError(tr("“{word}” is not UTF-8.", word=shown)) from None


def _came_from_printing(error: OSError) -> bool:
    """Returns whether writing to stdout failed: all output goes through click or rich."""
    import traceback

    *_, last = traceback.walk_tb(error.__traceback__)
    return str(last[0].f_globals.get("__name__")).partition(".")[0] in ("click", "rich")


def _print_no_more() -> None:
    """Discards further output to stdout, also at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _bug(error: Exception) -> int:
    place = _log(error)
    click.echo(
        tr(
            "Taptrail has a bug: {what}. The traceback is in {place}; please report it.",
            what=printable(f"{type(error).__name__}: {error}".rstrip(".")[:300]),
            place=place,
        ),
        err=True,
    )
    return BUG


def _log(error: BaseException) -> Path:
    """Writes the traceback to a file of its own and returns its path."""
    import datetime
    import tempfile
    import traceback

    import platformdirs

    text = "".join(traceback.format_exception(error))
    stamp = datetime.datetime.now(datetime.UTC).strftime("%Y%m%dT%H%M%S%fZ")
    folder = Path(platformdirs.user_log_dir("taptrail", appauthor=False))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        place = folder / f"bug-{stamp}.log"
        place.write_text(text, encoding="utf-8")
    except OSError:
        with tempfile.NamedTemporaryFile(
            "w", prefix="taptrail-bug-", suffix=".log", delete=False, encoding="utf-8"
        ) as stream:
            stream.write(text)
        place = Path(stream.name)
    return place
