"""`com.wetest.uia2.Main`: takes the phone's one UiAutomation and answers HTTP on tcp:9008.

Source: uiautomator2/core.py of uiautomator2 3.7.1, which starts it and waits for it.
"""

from __future__ import annotations

import asyncio

from demophone.shell.process import HandlerFailed, Process
from demophone.sockets import SocketError
from demophone.streams import Pipe
from demophone.system import UiAutomationTaken
from demophone.uiautomator2.http import serve_requests
from demophone.uiautomator2.methods import Automator

SERVER_CLASS = "com.wetest.uia2.Main"
PORT = 9008


async def run_server(process: Process) -> int:
    """`app_process / com.wetest.uia2.Main [-p PORT]`: runs until it is killed."""
    system = process.system
    port = _port(process.args)
    await process.say("[server] INFO: [UiAutomator2Server] Starting Server")
    serving: set[asyncio.Task[None]] = set()
    automator = Automator(system)

    def accept(pipe: Pipe) -> None:
        task = asyncio.get_running_loop().create_task(serve_requests(pipe, automator.call))
        serving.add(task)
        task.add_done_callback(serving.discard)

    try:
        with system.ui_automation():
            stop = system.sockets.listen(f"tcp:{port}", accept)
            try:
                await asyncio.Event().wait()
            finally:
                stop()
                await _end(serving)
    except UiAutomationTaken as error:
        raise HandlerFailed(str(error), 1) from error
    except SocketError as error:
        raise HandlerFailed(f"java.net.BindException: {error}", 1) from error
    return 0


async def _end(tasks: set[asyncio.Task[None]]) -> None:
    """Cancels the connections, so that no finger stays down."""
    ending = list(tasks)
    for task in ending:
        task.cancel()
    await asyncio.gather(*ending, return_exceptions=True)


def _port(words: list[str]) -> int:
    """The port after `-p`.

    Raises:
        CommandFailed: it is none.
    """
    if "-p" not in words:
        return PORT
    value = words[words.index("-p") + 1 :][:1]
    if not value or not value[0].isdecimal() or not 1 <= int(value[0]) <= 65535:
        raise HandlerFailed("java.lang.NumberFormatException: the port after -p is none", 1)
    return int(value[0])
