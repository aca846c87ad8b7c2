"""Setting a task up and tearing it down: steps from the file, and a snapshot that is put back.

A step that may destroy something runs on a disposable phone only. What a set-up changes is kept
before and put back afterwards: settings everywhere, files and app data on a disposable phone.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from episodes.errors import KnownError
from tasks.conditions import text_with_holes
from tasks.located import Located
from tasks.parameters import Values, fill
from tasks.phone import TaskPhone
from tasks.risks import destructive
from tasks.situations import CommandFailed, run

Do = Callable[[TaskPhone, Values], None]
COPY_SECONDS = 60.0


class RefusedOnThisPhone(KnownError):
    """A step that may destroy something, on a phone that is not disposable."""


@dataclass(frozen=True, slots=True)
class SetupStep:
    """One step of a set-up or a tear-down.

    Attributes:
        kind: one of `STEPS`.
        settings: the settings it changes, as (namespace, key).
        files: the files it changes, before parameters are filled in.
    """

    kind: str
    do: Do
    settings: tuple[tuple[str, str], ...] = ()
    files: tuple[str, ...] = ()


def read_steps(told: Located, parameters: frozenset[str]) -> tuple[SetupStep, ...]:
    """Returns the steps of a list, each a mapping with one key."""
    steps = []
    for one in told.items():
        kind, words = one.only()
        if kind not in STEPS:
            words.refuse(f"“{kind}” is no step; known are {', '.join(STEPS)}")
        steps.append(STEPS[kind](words, parameters))
    return tuple(steps)


def check_risk(phone: TaskPhone, command: str) -> None:
    """Refuses a destructive command on a phone that is not disposable.

    Raises:
        RefusedOnThisPhone: with the reason.
    """
    reason = destructive(command)
    if reason and not phone.disposable:
        raise RefusedOnThisPhone(
            f"run “{command[:80]}” on {phone.serial}",
            f"{reason}, and this phone is not disposable",
            "Use an emulator or the demo phone, or name the serial as disposable.",
        )


@dataclass(slots=True)
class Snapshot:
    """What a phone was like before a task was set up.

    Attributes:
        settings: value by (namespace, key); None for one that was not set.
        files: content by path; None for one that was not there.
        apps: the files of each app that could be kept, by path.
        notes: what could not be kept, and why.
    """

    settings: dict[tuple[str, str], str | None] = field(default_factory=dict)
    files: dict[str, bytes | None] = field(default_factory=dict)
    apps: dict[str, dict[str, bytes]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def take_snapshot(
    phone: TaskPhone,
    settings: Sequence[tuple[str, str]],
    files: Sequence[str],
    apps: Sequence[str],
) -> Snapshot:
    """Returns what is to be put back; files and apps are kept on a disposable phone only."""
    kept = Snapshot()
    for namespace, key in dict.fromkeys(settings):
        said = run(phone, f"settings get {namespace} {shlex.quote(key)}")
        kept.settings[namespace, key] = None if said.text == "null" else said.text
    if not phone.disposable:
        return kept
    for path in dict.fromkeys(files):
        kept.files[path] = _content(phone, path)
    for app in dict.fromkeys(apps):
        try:
            kept.apps[app] = _app_files(phone, app)
        except KnownError as error:
            kept.notes.append(f"the data of {app} is not put back: {error.found}")
    return kept


def put_back(phone: TaskPhone, kept: Snapshot) -> list[str]:
    """Puts a snapshot back, and returns what could not be, one sentence each."""
    failed = list(kept.notes)

    def attempt(what: str, work: Callable[[], object]) -> None:
        try:
            work()
        except KnownError as error:
            failed.append(f"{what} is not put back: {error.found}")

    for (namespace, key), value in kept.settings.items():
        command = f"settings delete {namespace} {shlex.quote(key)}"
        if value is not None:
            command = f"settings put {namespace} {shlex.quote(key)} {shlex.quote(value)}"
        attempt(f"the setting {key}", partial(run, phone, command))
    for path, content in kept.files.items():
        attempt(path, partial(_write, phone, path, content))
    for app, files in kept.apps.items():
        attempt(app, partial(_put_app, phone, app, files))
    return failed


def _content(phone: TaskPhone, path: str) -> bytes | None:
    folder, _, name = path.rpartition("/")
    try:
        if name not in run(phone, f"ls -a {shlex.quote(folder or '/')}").text.split("\n"):
            return None
    except CommandFailed:  # the folder is not there either
        return None
    return run(phone, f"cat {shlex.quote(path)}", COPY_SECONDS).data


def _write(phone: TaskPhone, path: str, content: bytes | None) -> None:
    if content is None:
        run(phone, f"rm -f {shlex.quote(path)}")
    else:
        phone.push(content, path)


def _app_files(phone: TaskPhone, app: str) -> dict[str, bytes]:
    listed = run(phone, f"find /data/data/{shlex.quote(app)} -type f").text
    return {
        path: run(phone, f"cat {shlex.quote(path)}", COPY_SECONDS).data
        for path in listed.split("\n")
        if path and "/cache/" not in path
    }


def _put_app(phone: TaskPhone, app: str, files: Mapping[str, bytes]) -> None:
    """Stops the app first, as it may hold its files open; files that are new are removed."""
    run(phone, f"am force-stop {shlex.quote(app)}")
    now = _app_files(phone, app)
    for path in now.keys() - files.keys():
        run(phone, f"rm -f {shlex.quote(path)}")
    for path, content in files.items():
        if now.get(path) != content:
            phone.push(content, path)


# --- kinds of steps --------------------------------------------------------------------------
def _setting(told: Located, parameters: frozenset[str]) -> SetupStep:
    members = told.mapping("namespace", "key", "value")
    namespace, key, value = (
        text_with_holes(_required(told, members, name), parameters)
        for name in ("namespace", "key", "value")
    )
    if namespace not in ("system", "secure", "global"):
        members["namespace"].refuse(f"“{namespace}” is none of system, secure, global")

    def do(phone: TaskPhone, values: Values) -> None:
        filled = shlex.quote(fill(value, values))
        run(phone, f"settings put {namespace} {shlex.quote(key)} {filled}")

    return SetupStep("setting", do, settings=((namespace, key),))


def _file(told: Located, parameters: frozenset[str]) -> SetupStep:
    members = told.mapping("path", "text")
    path, text = (
        text_with_holes(_required(told, members, name), parameters) for name in ("path", "text")
    )

    def do(phone: TaskPhone, values: Values) -> None:
        full = fill(path, values)
        if not phone.disposable and _content(phone, full) is not None:
            raise RefusedOnThisPhone(
                f"write {full} on {phone.serial}",
                "there is such a file already, and this phone is not disposable",
                "Use an emulator or the demo phone, or name the serial as disposable.",
            )
        phone.push(fill(text, values).encode(), full)

    return SetupStep("file", do, files=(path,))


def _delete(told: Located, parameters: frozenset[str]) -> SetupStep:
    path = text_with_holes(told, parameters)

    def do(phone: TaskPhone, values: Values) -> None:
        command = f"rm -f {shlex.quote(fill(path, values))}"
        check_risk(phone, command)
        run(phone, command)

    return SetupStep("delete", do, files=(path,))


def _row(told: Located, parameters: frozenset[str]) -> SetupStep:
    """Inserts a row by a content provider: {uri: ..., values: {column: text}}."""
    members = told.mapping("uri", "values")
    uri = text_with_holes(_required(told, members, "uri"), parameters)
    columns = {
        name: text_with_holes(one, parameters)
        for name, one in _required(told, members, "values").mapping().items()
    }

    def do(phone: TaskPhone, values: Values) -> None:
        words = ["content", "insert", "--uri", fill(uri, values)]
        for name, text in columns.items():
            words += ["--bind", f"{name}:s:{fill(text, values)}"]
        run(phone, " ".join(map(shlex.quote, words)))

    return SetupStep("row", do)


def _app(verb: str) -> Callable[[Located, frozenset[str]], SetupStep]:
    def read(told: Located, parameters: frozenset[str]) -> SetupStep:
        return SetupStep(verb, _command(f"{_APP_COMMANDS[verb]} {shlex.quote(told.text())}"))

    return read


def _shell(told: Located, parameters: frozenset[str]) -> SetupStep:
    return SetupStep("shell", _command(text_with_holes(told, parameters)))


def _clipboard(told: Located, parameters: frozenset[str]) -> SetupStep:
    text = text_with_holes(told, parameters)
    return SetupStep("clipboard", lambda phone, values: phone.set_clipboard(fill(text, values)))


def _home(told: Located, parameters: frozenset[str]) -> SetupStep:
    if not told.truth():
        told.refuse("“home” is true, or left out")
    return SetupStep("home", _command("input keyevent KEYCODE_HOME"))


def _command(template: str) -> Do:
    def do(phone: TaskPhone, values: Values) -> None:
        command = fill(template, values)
        check_risk(phone, command)
        run(phone, command)

    return do


def _required(told: Located, members: Mapping[str, Located], name: str) -> Located:
    if name not in members:
        told.refuse(f"“{name}” is missing")
    return members[name]


_APP_COMMANDS = {
    "stop": "am force-stop",
    "clear": "pm clear",
    "open": "monkey -c android.intent.category.LAUNCHER 1 -p",
}
STEPS: dict[str, Callable[[Located, frozenset[str]], SetupStep]] = {
    "setting": _setting,
    "file": _file,
    "delete": _delete,
    "row": _row,
    "stop": _app("stop"),
    "clear": _app("clear"),
    "open": _app("open"),
    "clipboard": _clipboard,
    "home": _home,
    "shell": _shell,
}
"""Kinds of steps of a set-up and a tear-down."""
