"""`app_process`: Java programs of a class path; this phone knows two servers, scrcpy's and
uiautomator2's."""

from __future__ import annotations

import asyncio

from demophone.faults import fault_value
from demophone.scrcpy.server import SERVER_CLASS, run_server
from demophone.shell.process import Handler, HandlerFailed, Process
from demophone.uiautomator2 import server as uiautomator2

PROGRAMS: dict[str, Handler] = {
    SERVER_CLASS: run_server,
    uiautomator2.SERVER_CLASS: uiautomator2.run_server,
}


def _class_not_found(name: str) -> HandlerFailed:
    return HandlerFailed(
        f"Error: could not find class '{name}'\n"
        f'java.lang.ClassNotFoundException: Didn\'t find class "{name}" on path: '
        "DexPathList[[]]\nAborted ",
        134,
    )


async def _app_process(process: Process) -> int:
    words = [word for word in process.args if not word.startswith("-")]
    name = words[1] if len(words) > 1 else ""
    after = process.args[process.args.index(name) + 1 :] if name else []
    program = PROGRAMS.get(name)
    places = process.env.get("CLASSPATH", "").split(":")
    there = False
    for place in places:
        try:
            there = there or (bool(place) and not process.system.files.stat(place).is_folder)
        except OSError:
            continue
    blocked = fault_value(process.system.faults, "no-scrcpy") is not None
    if program is None or not there or (blocked and name == SERVER_CLASS):
        raise _class_not_found(name)
    process.argv = [process.argv[0], *words[:2], *after]
    task = asyncio.ensure_future(program(process))
    try:
        with process.system.program(process.argv, task.cancel):
            return await task
    except asyncio.CancelledError:
        if task.cancelled() and not _cancelling():
            raise HandlerFailed("Terminated ", 143) from None
        raise
    finally:
        task.cancel()


def _cancelling() -> bool:
    """Whether the command itself, not only its program, is being ended."""
    current = asyncio.current_task()
    return current is not None and current.cancelling() > 0


COMMANDS: dict[str, Handler] = {
    "app_process": _app_process,
    "app_process32": _app_process,
    "app_process64": _app_process,
}
