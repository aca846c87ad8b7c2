"""Shared by all commands: common options, JSON and table output, progress on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from episodes.visible_text import visible_text
from taptrail.words import tr

Progress = Callable[[int, int | None], None]


class LibraryFolder(click.ParamType[Path]):
    """Parameter type of a library's folder. An empty text is refused; the folder is not opened."""

    name = "directory"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Returns the folder's path."""
        if not str(value):
            self.fail(tr("it names no folder; leave it out to use the library in the settings"))
        return Path(value)


class ListedOption(click.Option):
    """An option whose help lists the possible values, loaded only for `--help`.

    Args:
        known: returns the names; the value is checked by its user.
    """

    def __init__(self, *words: Any, known: Callable[[], Sequence[str]], **more: Any) -> None:
        super().__init__(*words, **more)
        self._known = known

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Returns the option's names, and its help with the possible values."""
        record = super().get_help_record(ctx)
        if record is None:
            return None
        words, said = record
        return words, tr("{help} One of: {names}.", help=said, names=", ".join(self._known()))


def known_protocols() -> tuple[str, ...]:
    """Returns the protocols' keys."""
    from scoring.protocols import PROTOCOLS

    return tuple(PROTOCOLS)


def known_dialects() -> tuple[str, ...]:
    """Returns the dialects' names, with "raw" for plain texts."""
    from replay.dialects import DIALECTS

    return (*DIALECTS, "raw")


def library_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--library DIR`; the default is the library in the settings."""
    return click.option(
        "--library",
        "library",
        type=LibraryFolder(),
        callback=_library,
        help=tr("Folder of the library; default: the one in the settings."),
    )(command)


def demo_library_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--library DIR`; the default is the demo's own library."""
    return click.option(
        "--library",
        "library",
        type=LibraryFolder(),
        callback=_demo_library,
        help=tr("Folder of the library; default: the demo's own."),
    )(command)


def dataset_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--dataset NAME`, for episode names that several data sets use."""
    return click.option(
        "--dataset",
        default=None,
        help=tr("The episode's data set, if several have an episode of that name."),
    )(command)


def json_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--json`."""
    return click.option(
        "--json", "as_json", is_flag=True, help=tr("Print JSON to stdout, and nothing else.")
    )(command)


def _library(context: click.Context, parameter: click.Parameter, value: Path | None) -> Path:
    if value is not None:
        return value
    from taptrail.settings import load_settings, settings_file

    return load_settings(settings_file()).library


def _demo_library(context: click.Context, parameter: click.Parameter, value: Path | None) -> Path:
    if value is not None:
        return value
    from taptrail.settings import demo_library

    return demo_library()


def print_json(value: Any) -> None:
    """Prints one JSON value to stdout, with \\u escapes if stdout does not accept UTF-8."""
    click.echo(json.dumps(value, ensure_ascii=_is_plain(), allow_nan=False, indent=1))


class JsonLines:
    """The values of a long JSON list, encoded as they come."""

    def __init__(self) -> None:
        import msgspec

        self._encode = json_bytes if _is_plain() else msgspec.json.Encoder().encode
        self._text = bytearray()

    def append(self, value: Any) -> None:
        """Adds a value to the list."""
        if self._text:
            self._text += b",\n"
        try:
            self._text += self._encode(value)
        except (OverflowError, ValueError):  # a number beyond 64 bits
            self._text += json_bytes(value)

    def print_within(self, value: dict[str, Any], name: str) -> None:
        """Prints a JSON object to stdout, with the list as its member `name`."""
        text = b"{"
        for place, (key, member) in enumerate(value.items()):
            text += (b",\n" if place else b"") + json_bytes(key) + b": "
            if key == name:
                click.echo(text + b"[", nl=False)
                click.echo(bytes(self._text), nl=False)
                text = b"]"
            else:
                text += json_bytes(member)
        click.echo(text + b"}")


def json_bytes(value: Any) -> bytes:
    """Returns a value as JSON on one line, with \\u escapes if stdout does not accept UTF-8."""
    return json.dumps(value, ensure_ascii=_is_plain(), allow_nan=False).encode()


def _is_plain() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"


def say(text: str) -> None:
    """Prints lines of words to stdout, without colours, wrapping or control characters."""
    click.echo("\n".join(map(printable, text.split("\n"))))


def table(title: str, columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    """Prints a table to stdout; texts from files are not interpreted as markup."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False, width=None if sys.stdout.isatty() else 200)
    shown = Table(box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    if title:
        shown.title = Text(printable(title))
    for column in columns:
        shown.add_column(Text(printable(column)), overflow="fold")
    for row in rows:
        shown.add_row(*(Text(printable(cell)) for cell in row))
    console.print(shown)


def printable(text: str) -> str:
    """Returns a text as one line, with control characters escaped."""
    return "".join(c if c.isprintable() else " " for c in visible_text(text))


@contextmanager
def progress(doing: str) -> Iterator[Progress]:
    """Yields an `on_progress` callback that draws a bar on stderr if it is a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bar(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
