"""The table of all commands the phone's shell knows: name -> handler."""

from __future__ import annotations

from demophone.shell import (
    app_commands,
    dumpsys,
    file_commands,
    find_command,
    input_commands,
    java_commands,
    network_commands,
    panel_commands,
    provider_commands,
    screen_commands,
    settings_commands,
    system_commands,
    text_commands,
)
from demophone.shell.process import Handler, Process

COMMANDS: dict[str, Handler] = {
    **app_commands.COMMANDS,
    **dumpsys.COMMANDS,
    **file_commands.COMMANDS,
    **find_command.COMMANDS,
    **input_commands.COMMANDS,
    **java_commands.COMMANDS,
    **network_commands.COMMANDS,
    **panel_commands.COMMANDS,
    **provider_commands.COMMANDS,
    **screen_commands.COMMANDS,
    **settings_commands.COMMANDS,
    **system_commands.COMMANDS,
    **text_commands.COMMANDS,
}


async def toybox(process: Process) -> int:
    """`toybox COMMAND ...`: the same table."""
    if not process.args:
        await process.say(" ".join(sorted(COMMANDS)))
        return 0
    if process.args[0] not in COMMANDS:
        await process.complain(f"toybox: Unknown command {process.args[0]}")
        return 127
    return await process.run_command(process.args)


async def which(process: Process) -> int:
    """`which NAME...`: prints paths of commands."""
    known = [name for name in process.args if name in COMMANDS]
    for name in known:
        await process.say(f"/system/bin/{name}")
    return 0 if process.args and len(known) == len(process.args) else 1


COMMANDS |= {"toybox": toybox, "which": which}
