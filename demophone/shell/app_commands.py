"""Commands about apps: pm, am, monkey, cmd."""

from __future__ import annotations

import re

from demophone.packages import is_system, settings_package
from demophone.shell import clipboard_helper, provider_commands
from demophone.shell.file_commands import split_flags
from demophone.shell.process import Handler, HandlerFailed, Process

PACKAGE = re.compile(r"[A-Za-z_][\w]*(\.[\w]+)*")


def apk_path(package: str) -> str:
    """Returns the path of the package's APK, which does not exist."""
    if is_system(package):
        name = package.rpartition(".")[2].capitalize()
        return f"/system/app/{name}/{name}.apk"
    return f"/data/app/~~demo==/{package}-demo==/base.apk"


def _known(process: Process, package: str) -> bool:
    return package in process.system.device.packages


SERVICES = (
    *("activity", "alarm", "audio", "bluetooth_manager", "clipboard", "connectivity", "display"),
    *("input", "input_method", "notification", "package", "power", "settings", "statusbar"),
    *("uimode", "wifi", "window"),
)


# --- pm ------------------------------------------------------------------------------------------
async def _pm(process: Process) -> int:
    words = _without_user(process.args)
    device = process.system.device
    match words:
        case ["list", "packages", *rest]:
            flags, _, names = split_flags(rest)
            for package in sorted(device.packages):
                if ("3" in flags and is_system(package)) or (
                    "s" in flags and not is_system(package)
                ):
                    continue
                if "d" in flags or not all(name in package for name in names):
                    continue
                path = f"{apk_path(package)}=" if "f" in flags else ""
                await process.say(f"package:{path}{package}")
        case ["path", package]:
            if not _known(process, package):
                return 1
            await process.say(f"package:{apk_path(package)}")
        case ["clear", provider_commands.CONTACTS_PROVIDER]:
            provider_commands.clear_contacts(process)
            await process.say("Success")
        case ["clear", package]:
            if not _known(process, package):
                await process.say("Failed")
                return 1
            device.clear_app(package)
            await process.say("Success")
        case ["grant" | "revoke", package, _]:
            if not _known(process, package):
                raise HandlerFailed(
                    "Exception occurred while executing 'grant':\n"
                    f"java.lang.IllegalArgumentException: Unknown package: {package}",
                    255,
                )
        case ["list", "users"]:
            await process.say("Users:\n\tUserInfo{0:Owner:c13} running")
        case ["list", "features"]:
            await process.say("feature:android.hardware.touchscreen.multitouch")
        case ["list", "instrumentation" | "libraries" | "permissions", *_]:
            return 0
        case ["install" | "install-create", *_]:
            await process.say("Failure [INSTALL_FAILED_INVALID_APK: this phone installs no apps]")
            return 1
        case ["uninstall", *rest]:
            known = bool(rest) and _known(process, rest[-1])
            why = "DELETE_FAILED_INTERNAL_ERROR" if known else "not installed for 0"
            await process.say(f"Failure [{why}]")
            return 1
        case ["resolve-activity", *rest]:
            return await _resolve(process, rest)
        case ["query-activities", *_]:
            for package in sorted(device.packages):
                await process.say(f"{package}/.MainActivity")
        case ["dump", package]:
            return await process.run_command(["dumpsys", "package", package])
        case _:
            verb = words[0] if words else ""
            raise HandlerFailed(f"Unknown command: {verb}\nUse -h for help.", 255)
    return 0


async def _resolve(process: Process, words: list[str]) -> int:
    package = words[-1] if words else ""
    if not _known(process, package):
        await process.say("No activity found")
        return 0
    if "--brief" in words:
        await process.say("priority=0 preferredOrder=0 match=0x108000 specificIndex=-1")
    await process.say(f"{package}/.MainActivity")
    return 0


def _without_user(words: list[str]) -> list[str]:
    kept = list(words)
    while "--user" in kept:
        at = kept.index("--user")
        del kept[at : at + 2]
    return kept


# --- am ------------------------------------------------------------------------------------------
TWO_VALUE_FLAGS = ("--es", "-e", "--ez", "--ei", "--el", "--ef", "--eu")
VALUE_FLAGS = (*TWO_VALUE_FLAGS, "-n", "-a", "-d", "-t", "-c", "-f", "-p", "--display")


def _intent(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """Flags with their values (those without one map to ""), and what is left."""
    flags: dict[str, str] = {}
    rest: list[str] = []
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        if not word.startswith("-"):
            rest.append(word)
        elif word in VALUE_FLAGS:
            flags[word] = waiting.pop(0) if waiting else ""
            if word in TWO_VALUE_FLAGS and waiting:
                waiting.pop(0)
        else:
            flags[word] = ""
    return flags, rest


async def _am(process: Process) -> int:
    words = _without_user(process.args)
    device = process.system.device
    match words:
        case ["start" | "start-activity", *rest]:
            return await _start(process, rest)
        case ["force-stop" | "kill" | "stop-app", package]:
            if _known(process, package):
                device.stop_app(package)
        case ["kill-all"]:
            return 0
        case ["broadcast", *rest]:
            flags, _ = _intent(rest)
            action = flags.get("-a", "")
            device.log("broadcast", action=action[:200])
            await process.say(f"Broadcasting: Intent {{ act={action} flg=0x400000 }}")
            if action in (clipboard_helper.GET, clipboard_helper.SET):
                await clipboard_helper.answer(process, action, rest)
            else:
                await process.say("Broadcast completed: result=0")
        case ["get-current-user"]:
            await process.say("0")
        case ["stack", "list"]:
            front, activity = device.foreground
            bounds = f"bounds=[0,0][{device.size[0]},{device.size[1]}]"
            others = [task for task in device.tasks if task[0] != front]
            for number, (package, name) in enumerate([(front, activity), *others], 1):
                full = f"{package}{name}" if name.startswith(".") else name
                top = f"topActivity=ComponentInfo{{{package}/{full}}}"
                seen = str(number == 1).lower()
                await process.say(f"RootTask id={number} {bounds} displayId=0 userId=0")
                await process.say(
                    f"  taskId={number}: {package}/{full} {bounds} userId=0 visible={seen} {top}"
                )
        case ["startservice" | "start-service" | "start-foreground-service", *rest]:
            flags, _ = _intent(rest)
            raise HandlerFailed(
                f"Starting service: Intent {{ cmp={flags.get('-n', '')} }}\n"
                "Error: Not found; no service started.",
                255,
            )
        case ["instrument", *rest]:
            name = rest[-1] if rest else ""
            raise HandlerFailed(
                f"android.util.AndroidException: INSTRUMENTATION_FAILED: {name}\n"
                "INSTRUMENTATION_STATUS: Error=Unable to find instrumentation info for: "
                f"ComponentInfo{{{name}}}",
                1,
            )
        case _:
            verb = words[0] if words else ""
            raise HandlerFailed(f"Unknown command: {verb}", 255)
    return 0


async def _start(process: Process, words: list[str]) -> int:
    flags, rest = _intent(words)
    device = process.system.device
    component = flags.get("-n") or next((word for word in rest if "/" in word), "")
    package, slash, activity = component.partition("/")
    if not package:
        package = flags.get("-p", "") or next(
            (word for word in rest if PACKAGE.fullmatch(word) and "." in word), ""
        )
    if not package and flags.get("-a", "").startswith("android.settings."):
        package = settings_package(device.packages)
    shown = f"cmp={component}" if component else f"act={flags.get('-a', '')} pkg={package}"
    if flags.get("-d"):
        shown += f" dat={flags['-d'].partition(':')[0]}:..."
    await process.say(f"Starting: Intent {{ {shown} }}")
    if package == clipboard_helper.PACKAGE:
        return 0
    if "-S" in flags and package:
        device.stop_app(package)
    if not _known(process, package):
        if slash:
            await process.complain("Error type 3")
            message = f"Error: Activity class {{{component}}} does not exist."
        else:
            message = f"Error: Activity not started, unable to resolve Intent {{ {shown} }}"
        raise HandlerFailed(message, 1)
    running = device.foreground[0] == package
    if activity.startswith(package + "."):
        activity = activity.removeprefix(package)
    if not device.start_app(package, activity or None):
        await process.complain("Error type 3")
        raise HandlerFailed(f"Error: Activity class {{{component}}} does not exist.", 1)
    if running and "-S" not in flags:
        await process.complain(
            "Warning: Activity not started, its current task has been brought to the front"
        )
    if "-W" in flags:
        front = "/".join(device.foreground)
        await process.say(f"Status: ok\nLaunchState: {'HOT' if running else 'COLD'}")
        await process.say(f"Activity: {front}\nTotalTime: 312\nWaitTime: 318\nComplete")
    return 0


# --- monkey --------------------------------------------------------------------------------------
async def _monkey(process: Process) -> int:
    words = process.args
    package = words[words.index("-p") + 1] if "-p" in words[:-1] else ""
    await process.complain(f"  bash arg: {chr(10).join(words)}".replace("\n", "\n  bash arg: "))
    if not _known(process, package) or not process.system.device.start_app(package):
        await process.say("** No activities found to run, monkey aborted.")
        return 252
    await process.say(
        "Events injected: 1\n## Network stats: elapsed time=20ms (0ms mobile, 0ms wifi, "
        "20ms not connected)"
    )
    return 0


# --- cmd -----------------------------------------------------------------------------------------
async def _cmd(process: Process) -> int:
    device = process.system.device
    match process.args:
        case ["-l"]:
            await process.say("Currently running services:\n  activity\n  package\n  statusbar")
        case ["package", *_]:
            return await process.run_command(["pm", *process.args[1:]])
        case ["activity", *_]:
            return await process.run_command(["am", *process.args[1:]])
        case ["settings" | "input" as name, *_]:
            return await process.run_command([name, *process.args[1:]])
        case ["window", *_]:
            return await process.run_command(["wm", *process.args[1:]])
        case ["input_method", *_]:
            return await process.run_command(["ime", *process.args[1:]])
        case ["statusbar", "expand-notifications"]:
            device.expand("notifications")
        case ["statusbar", "expand-settings"]:
            device.expand("settings")
        case ["statusbar", "collapse"]:
            device.expand(None)
        case ["uimode", "night"]:
            night = device.setting("secure", "ui_night_mode") == "2"
            await process.say(f"Night mode: {'yes' if night else 'no'}")
        case ["uimode", "night", "yes" | "no" as how]:
            device.put_setting("secure", "ui_night_mode", "2" if how == "yes" else "1")
            await process.say(f"Night mode: {how}")
        case ["clipboard", *_]:
            raise HandlerFailed("No shell command implementation.", 255)
        case [service, *_]:
            raise HandlerFailed(f"cmd: Can't find service: {service}", 20)
        case _:
            raise HandlerFailed("cmd: No service specified; use -l to list all services", 20)
    return 0


async def _service(process: Process) -> int:
    match process.args:
        case ["check", name, *_]:
            await process.say(f"Service {name}: {'found' if name in SERVICES else 'not found'}")
            return 0
        case ["list"]:
            await process.say(f"Found {len(SERVICES)} services:")
            for number, name in enumerate(SERVICES):
                await process.say(f"{number}\t{name}: []")
            return 0
        case ["call", name, code, *_] if code.isdecimal():
            if name not in SERVICES:
                raise HandlerFailed(f"service: Service {name} does not exist", 10)
            await process.say("Result: Parcel(00000000    '....')")
            return 0
        case _:
            raise HandlerFailed(
                "Usage: service [-h|-?]\n       service list\n       service check SERVICE\n"
                "       service call SERVICE CODE [i32 N | i64 N | f N | d N | s16 STR | null ]...",
                10,
            )


COMMANDS: dict[str, Handler] = {
    "am": _am,
    "cmd": _cmd,
    "monkey": _monkey,
    "pm": _pm,
    "service": _service,
}
