"""`taptrail demo`, `sample` and `record`, and opening the window."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from episodes.operating_system import hangup
from taptrail.cli.author import kept_settings
from taptrail.cli.output import (
    demo_library_option,
    json_option,
    library_option,
    print_json,
    printable,
    progress,
    say,
    table,
)
from taptrail.words import tr

if TYPE_CHECKING:
    from episodes.steps import Step
    from recorder.device.interface import Devices
    from scoring.protocol import Metric
    from taptrail.settings import Settings
    from taptrail.usecases.demo import DemoReport


def _settings() -> Settings:
    from taptrail.settings import load_settings, settings_file

    return load_settings(settings_file())


def open_window(
    library: Path | None, serial: str = "", devices: Devices | None = None, task: str = ""
) -> None:
    """Opens the window and returns when it is closed.

    Raises:
        KnownError: Qt is not installed, or there is no display that can be opened.
    """
    import os

    from episodes.errors import KnownError
    from taptrail.usecases.display import DisplayProbe, display

    doing = tr("open the window")
    if not display() and os.environ.get("QT_QPA_PLATFORM") != "offscreen":
        raise KnownError(
            doing,
            tr("there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)"),
            tr("Start it from a desktop, or use the commands: taptrail --help."),
        )
    settings = _settings_of_window()
    try:
        with _interrupts_held():
            probe = DisplayProbe()  # it runs while the modules load
            from taptrail.gui.app import application, run
            from taptrail.gui.interrupts import closing_on_interrupt

            probe.check(doing)
            app = application(settings)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("PySide6", "qtawesome", "superqt"):
            raise
        raise KnownError(doing, str(error), tr("Run python3 bootstrap.py setup.")) from error
    with closing_on_interrupt(app):
        code = run(settings, library=library, serial=serial, task=task, devices=devices)
    if code:
        raise KnownError(
            doing, tr("it ended with code {code}", code=code), tr("Read the messages above.")
        )


def _settings_of_window() -> Settings:
    """Returns the settings. If they cannot be saved, the window opens anyway."""
    from episodes.errors import KnownError

    try:
        return kept_settings()
    except KnownError as error:
        settings = _settings()  # ends with an error if they cannot be read
        click.echo(printable(str(error)), err=True)
        return settings


@contextmanager
def _ended_as_by_interrupt() -> Iterator[None]:
    """Turns SIGTERM and SIGHUP into KeyboardInterrupt, so that recordings end properly."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    numbers = [signal.SIGTERM, *hangup()]
    before = {number: signal.signal(number, interrupt) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Delays Ctrl-C until the end of the block: Qt's modules swallow it while they load."""
    held = False

    def hold(number: int, frame: FrameType | None) -> None:
        nonlocal held
        held = True

    before = signal.signal(signal.SIGINT, hold)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if held:
        raise KeyboardInterrupt


@click.command(help=tr("Try Taptrail with a simulated phone and a sample library."))
@click.option("--headless", is_flag=True, help=tr("Without a window: record, predict, score."))
@demo_library_option
@json_option
def demo(headless: bool, library: Path, as_json: bool) -> None:
    """`taptrail demo`"""
    from taptrail.usecases.display import display

    click.echo(tr("Library of the demo: {library}", library=printable(str(library))), err=True)
    if not headless and not as_json:
        if display():
            _demo_in_window(library)
            return
        click.echo(
            tr("There is no display, so the demo runs without a window (--headless)."), err=True
        )
    from taptrail.usecases.demo import run_demo

    def told(step: Step) -> None:
        from episodes.actions import kind

        front = step.foreground.label if step.foreground is not None else ""
        click.echo(f"  {step.index:2}  {kind(step.action):12} {front}", err=True)

    with _ended_as_by_interrupt():
        report = run_demo(library, say=lambda text: click.echo(f"{text}…", err=True), on_step=told)
    if as_json:
        print_json(_report(report))
    else:
        _say(report)


@click.command(help=tr("Import the sample: attempts of four people, and two runs to compare."))
@demo_library_option
@json_option
def sample(library: Path, as_json: bool) -> None:
    """`taptrail sample`"""
    from taptrail.usecases.sample import open_sample

    with progress(tr("Opening the sample")) as on_progress:
        found = open_sample(library, on_progress)
    if as_json:
        print_json(
            {
                "library": str(library),
                "episodes": found.imported.episodes,
                "unchanged": found.imported.unchanged,
                "runs": list(found.runs),
                "task": found.task,
            }
        )
        return
    say(
        tr(
            "{n} episodes and the runs {runs} are in {library}.",
            n=found.imported.episodes,
            runs=", ".join(found.runs),
            library=library,
        )
    )
    say(tr("Look at it in the window: taptrail --library {library}", library=library))


def _demo_in_window(library: Path) -> None:
    from taptrail.usecases.demo import SEED, TASK
    from taptrail.usecases.demo_phone import running_demo_phone
    from taptrail.usecases.sample import open_sample

    click.echo(tr("Opening the sample…"), err=True)
    open_sample(library)
    click.echo(tr("Starting the demo phone…"), err=True)
    with running_demo_phone(SEED) as phone:
        say(
            tr(
                "The demo phone is {serial} on the adb server of port {port}.",
                serial=phone.serial,
                port=phone.devices.port,
            )
        )
        open_window(library, phone.serial, phone.devices, TASK.instruction)


def _report(report: DemoReport) -> dict[str, object]:
    return {
        "library": str(report.library),
        "episode": report.episode,
        "steps": report.steps,
        "apps": list(report.apps),
        "predictions": str(report.predictions),
        "mistakes": dict(report.mistakes),
        "scores": [
            {
                "run": score.run,
                "protocol": score.protocol,
                "AMS": _metric(score.ams),
                "SR": _metric(score.sr),
            }
            for score in report.scores
        ],
        "agent": {
            "task": report.agent.task,
            "verdict": report.agent.verdict.value,
            "claimed": report.agent.claimed,
            "stop": report.agent.details["agent"]["stop"],
            "turns": report.agent.details["agent"]["turns"],
            "episode": report.agent.episode,
        },
        "seconds": round(report.seconds, 1),
    }


def _metric(metric: Metric) -> dict[str, object]:
    share = metric.share
    return {
        "value": metric.value,
        "unit": metric.unit,
        "hits": share.hits if share is not None else None,
        "total": share.total if share is not None else None,
    }


def _said(metric: Metric) -> str:
    share = metric.share
    counted = f"{share.hits} / {share.total}" if share is not None else ""
    if share is not None and not share.total:
        return tr("none")
    return f"{tr('none')}  {counted}" if metric.value is None else f"{metric.value} %  {counted}"


def _say(report: DemoReport) -> None:
    say(
        tr(
            "Recorded {episode}: {n} step across {apps}.",
            "Recorded {episode}: {n} steps across {apps}.",
            n=report.steps,
            episode=report.episode,
            apps=", ".join(report.apps),
        )
    )
    table(
        "",
        (tr("run"), tr("protocol"), tr("AMS (hits / total)"), tr("SR (hits / total)")),
        [(one.run, one.protocol, _said(one.ams), _said(one.sr)) for one in report.scores],
    )
    for run, mistakes in report.mistakes:
        say(
            tr(
                "{run}: the {n} known mistake was found, and nothing else is wrong.",
                "{run}: all {n} known mistakes were found, and nothing else is wrong.",
                n=mistakes,
                run=run,
            )
        )
    told = report.agent.details["agent"]
    say(
        tr(
            "A scripted model did “{goal}” in {n} turns ({episode}). It ended with “{stop}”; "
            "the phone says: {verdict}.",
            goal=report.agent.goal,
            n=told["turns"],
            episode=report.agent.episode,
            stop=told["stop"],
            verdict=report.agent.verdict.value,
        )
    )
    say(tr("Library: {library}", library=report.library))
    say(tr("Predictions: {file}", file=report.predictions))
    say(tr("It took {seconds} seconds.", seconds=f"{report.seconds:.1f}"))


@click.command(help=tr("Record on a phone, in the window or by a script without one."))
@click.option("--serial", default="", help=tr("The phone; see taptrail devices."))
@click.option("--task", required=True, help=tr("The instruction, in one sentence."))
@click.option(
    "--script",
    type=click.Path(dir_okay=False, path_type=Path),
    help=tr("A JSON list of actions to play without a window."),
)
@click.option("--category", default="", help=tr("The task's category."))
@library_option
@json_option
def record(
    serial: str, task: str, script: Path | None, category: str, library: Path, as_json: bool
) -> None:
    """`taptrail record --task TEXT`"""
    if script is None:
        if as_json:
            raise click.UsageError(tr("--json goes with --script; the window prints nothing."))
        open_window(library, _one_phone(serial), None, task)
        return
    from episodes.episodes import Task
    from recorder.devices import open_devices
    from taptrail.usecases.recording import read_script, record_script

    with _ended_as_by_interrupt():
        done = record_script(
            _one_phone(serial),
            Task(task, category=category),
            library,
            read_script(script),
            devices=open_devices(_settings().adb_port),
        )
    if as_json:
        print_json(
            {
                "episode": done.name,
                "uuid": done.uuid,
                "steps": done.steps,
                "finished": done.finished,
                "notes": list(done.problems),
            }
        )
        return
    say(
        tr(
            "{name} has {n} step and is {state}; it is in {library}.",
            "{name} has {n} steps and is {state}; it is in {library}.",
            n=done.steps,
            name=done.name,
            state=tr("finished") if done.finished else tr("incomplete"),
            library=library,
        )
    )
    for problem in done.problems:
        say(f"- {problem}")


def _one_phone(serial: str) -> str:
    """Returns the given serial, or that of the only phone."""
    if serial:
        return serial
    from episodes.errors import KnownError
    from taptrail.usecases.devices import list_devices

    ready = [phone.serial for phone in list_devices(_settings().adb_port) if phone.ready]
    if len(ready) == 1:
        return ready[0]
    raise KnownError(
        tr("record"),
        tr("there is no phone") if not ready else tr("there are {n} phones", n=len(ready)),
        tr("Plug one in, or try: taptrail demo.")
        if not ready
        else tr("Say which with --serial; see taptrail devices."),
    )
