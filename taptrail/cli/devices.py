"""`taptrail devices` and `taptrail doctor`."""

from __future__ import annotations

import shutil
import sys
import textwrap
from dataclasses import asdict
from pathlib import Path

import click

from taptrail.cli.output import (
    json_option,
    library_option,
    print_json,
    printable,
    say,
    table,
)
from taptrail.words import tr


@click.command(help=tr("List the phones that adb knows, and what to do if one cannot be used."))
@json_option
def devices(as_json: bool) -> None:
    """`taptrail devices`"""
    from taptrail.settings import load_settings, settings_file
    from taptrail.usecases.devices import list_devices

    phones = list_devices(load_settings(settings_file()).adb_port)
    if as_json:
        print_json({"devices": [asdict(phone) | {"ready": phone.ready} for phone in phones]})
        return
    if not phones:
        say(tr("No phone. Plug one in and allow USB debugging, or try: taptrail demo"))
        return
    table(
        "",
        (tr("name"), tr("model"), tr("connection"), tr("state"), tr("what to do")),
        [
            (", ".join(phone.names), phone.model, phone.connection, phone.meaning, phone.remedy)
            for phone in phones
        ],
    )


@click.command(help=tr("Check whether this computer has what recording and scoring need."))
@click.option(
    "--fix",
    "fixes",
    multiple=True,
    metavar="NAME",
    help=tr("Run this repair first; findings name the repairs."),
)
@click.option(
    "--selftest",
    is_flag=True,
    help=tr("Measure a phone and print a report without content, which can be sent."),
)
@click.option("--serial", default="", help=tr("The phone; see taptrail devices."))
@library_option
@json_option
def doctor(
    fixes: tuple[str, ...], selftest: bool, serial: str, library: Path, as_json: bool
) -> None:
    """`taptrail doctor`"""
    from episodes.errors import KnownError
    from recorder.doctor import CheckLevel
    from taptrail.settings import load_settings, settings_file
    from taptrail.usecases import doctor as usecases

    settings = load_settings(settings_file())
    port = settings.adb_port
    if serial and not selftest:
        raise click.UsageError(tr("--serial chooses the phone of --selftest."))
    if selftest:
        _measure(serial, port, as_json)
        return
    for name in fixes:
        click.echo(usecases.repair(name, library, port), err=True)
    findings = usecases.doctor(library, port, checkpoint=settings.checkpoint)
    if as_json:
        print_json({"findings": [asdict(finding) for finding in findings]})
    else:
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 200
        for one in findings:
            _say(f"{one.severity.value:8} {one.subject}: {one.found}", width)
            if one.meaning:
                _say(f"{'':8} {one.meaning}", width)
            if one.remedy:
                _say(f"{'':8} → {one.remedy}", width)
            if one.command:
                say(f"{'':10} {printable(one.command)}")
            if one.fix:
                say(f"{'':10} taptrail doctor --fix {one.fix}")
    wrong = [one for one in findings if one.severity is CheckLevel.ERROR]
    if wrong:
        first = wrong[0]
        raise KnownError(tr("record here"), f"{first.subject}: {first.found}", first.remedy)


def _measure(serial: str, adb_port: int | None, as_json: bool) -> None:
    """Prints the report about a phone."""
    from taptrail.usecases.devices import measure_phone, measured_lines

    report = measure_phone(serial, adb_port)
    if as_json:
        print_json({"selftest": report})
        return
    for line in measured_lines(report):
        say(printable(line))


def _say(text: str, width: int) -> None:
    """Prints a finding wrapped to the width; longer paths are not broken."""
    lines = textwrap.wrap(
        printable(text),
        width,
        subsequent_indent=" " * 9,
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
    )
    say("\n".join(lines))
