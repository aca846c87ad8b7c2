"""Commands about the system: getprop, id, ps, date, uptime, sleep, test, sh, logcat, ..."""

from __future__ import annotations

import asyncio
import errno
import os
from datetime import UTC, datetime, timedelta

from demophone.shell.file_commands import split_flags
from demophone.shell.process import Handler, HandlerFailed, Process

IDENTITY = (
    "uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log),1011(adb),"
    "1015(sdcard_rw),1028(sdcard_r),3001(net_bt_admin),3002(net_bt),3003(inet),3006(net_bw_stats),"
    "3009(readproc),3011(uhid) context=u:r:shell:s0"
)
ROOT_IDENTITY = "uid=0(root) gid=0(root) groups=0(root),1004(input),2000(shell) context=u:r:su:s0"
LOG_INTERVAL_S = 1.0
LOG_LINES = (
    ("I", "ActivityManager", "Start proc for top-activity"),
    ("D", "InputMethodManager", "showSoftInput() view is not served"),
    ("W", "WindowManager", "Unable to start animation, surface is null or no children."),
    ("I", "wpa_supplicant", "wlan0: CTRL-EVENT-BEACON-LOSS"),
    ("D", "SurfaceFlinger", "duplicate layer name: changing StatusBar to StatusBar#1"),
)


async def _getprop(process: Process) -> int:
    properties = process.system.properties()
    if not process.args:
        for name, value in sorted(properties.items()):
            await process.say(f"[{name}]: [{value}]")
        return 0
    default = process.args[1] if process.args[1:] else ""
    await process.say(properties.get(process.args[0], default))
    return 0


async def _setprop(process: Process) -> int:
    if len(process.args) < 2:
        raise HandlerFailed("setprop: Needs 2 arguments")
    raise HandlerFailed(f"setprop: failed to set property '{process.args[0]}': not allowed")


async def _id(process: Process) -> int:
    flags = split_flags(process.args)[0]
    root = process.system.root
    if "u" in flags or "g" in flags:
        name, number = ("root", "0") if root else ("shell", "2000")
        await process.say(name if "n" in flags else number)
    else:
        await process.say(ROOT_IDENTITY if root else IDENTITY)
    return 0


async def _whoami(process: Process) -> int:
    await process.say("root" if process.system.root else "shell")
    return 0


async def _uname(process: Process) -> int:
    flags = split_flags(process.args)[0]
    full = "Linux localhost 6.1.25-android14 #1 SMP PREEMPT aarch64 Toybox"
    answers = {"a": full, "r": "6.1.25-android14", "m": "aarch64", "n": "localhost"}
    await process.say(answers.get(flags[:1], "Linux"))
    return 0


async def _ps(process: Process) -> int:
    flags, values, _ = split_flags(process.args, "op")
    columns = values.get("o", "").upper().split(",") if "o" in values else []
    running = process.system.running()
    if "A" not in flags and "e" not in flags and not values:
        running = [(512, "shell", "sh"), (4242, "shell", "ps")]
    if columns:
        await process.say(" ".join(columns))
    else:
        await process.say("USER           PID  PPID        VSZ    RSS WCHAN            ADDR S NAME")
    words = {pid: " ".join(one.words) for pid, one in process.system.programs.items()}
    if len(running) > 2:
        running = [*running, *((pid, "shell", "app_process") for pid in words)]
    for pid, user, name in running:
        if columns:
            row = {"PID": str(pid), "USER": user, "NAME": name, "CMD": name}
            row["ARGS"] = words.get(pid, name)
            await process.say(" ".join(row.get(column, "-") for column in columns))
        else:
            parent = 1 if pid < 1000 else 455
            line = f"{user:<12} {pid:>5} {parent:>5} {13_000_000:>10} {120_000:>6}"
            await process.say(f"{line} do_epoll_wait       0 S {name}")
    return 0


async def _pidof(process: Process) -> int:
    wanted = split_flags(process.args)[2]
    found = [str(pid) for pid, _, name in process.system.running() if name in wanted]
    if not found:
        return 1
    await process.say(" ".join(found))
    return 0


async def _kill(process: Process) -> int:
    _, _, rest = split_flags(process.args)
    for word in rest:
        program = process.system.programs.get(int(word)) if word.isdecimal() else None
        if program is not None:
            program.end()
            continue
        named = [name for pid, _, name in process.system.running() if str(pid) == word]
        if not named or named[0] not in process.system.device.packages:
            problem = os.strerror(errno.EPERM if named else errno.ESRCH)
            raise HandlerFailed(f"kill: bad pid '{word}': {problem}")
        process.system.device.stop_app(named[0])
    return 0


async def _date(process: Process) -> int:
    words = [word for word in process.args if not word.startswith("-")]
    formats = [word[1:] for word in words if word.startswith("+")]
    if words and not formats:
        if not process.system.root:
            raise HandlerFailed("date: cannot set date: Operation not permitted")
        process.system.set_now(_moment(words[0], process.system.now().year))
    now = process.system.now()
    if formats:
        nanoseconds = f"{now.microsecond * 1000:09d}"
        text = formats[0].replace("%N", nanoseconds).replace("%s", str(int(now.timestamp())))
        await process.say(now.strftime(text))
    else:
        await process.say(now.strftime("%a %b %e %H:%M:%S UTC %Y"))
    return 0


def _moment(text: str, year: int) -> datetime:
    """The time `date` is given: MMDDhhmm[[CC]YY][.ss], or @ and seconds since 1970."""
    try:
        if text.startswith("@"):
            return datetime.fromtimestamp(int(text[1:]), UTC)
        digits, _, seconds = text.partition(".")
        form = {8: "%m%d%H%M", 10: "%m%d%H%M%y", 12: "%m%d%H%M%Y"}[len(digits)]
        found = datetime.strptime(digits, form).replace(tzinfo=UTC, second=int(seconds or 0))
    except (KeyError, ValueError, OverflowError, OSError) as error:
        raise HandlerFailed(f"date: bad date '{text}'") from error
    return found if len(digits) > 8 else found.replace(year=year)


async def _uptime(process: Process) -> int:
    up = timedelta(seconds=int(process.system.uptime_s()))
    clock = process.system.now().strftime("%H:%M:%S")
    hours, rest = divmod(up.seconds, 3600)
    days = f"{up.days} days, " if up.days else ""
    load = "load average: 1.04, 0.98, 0.91"
    await process.say(f" {clock} up {days}{hours:2d}:{rest // 60:02d},  0 users,  {load}")
    return 0


async def _sleep(process: Process) -> int:
    text = process.args[0] if process.args else ""
    unit = {"s": 1.0, "m": 60.0, "h": 3600.0}.get(text[-1:], 0.0)
    number = text[:-1] if unit else text
    try:
        seconds = float(number) * (unit or 1.0)
    except ValueError:
        raise HandlerFailed(f"sleep: bad number '{text}'") from None
    if not 0 <= seconds < 1e6:
        raise HandlerFailed(f"sleep: bad number '{text}'")
    await asyncio.sleep(seconds)
    return 0


async def _true(process: Process) -> int:
    return 0


async def _false(process: Process) -> int:
    return 1


async def _test(process: Process) -> int:
    words = list(process.args)
    if process.name == "[" and (not words or words.pop() != "]"):
        raise HandlerFailed("[: missing ]", 2)
    negated = False
    while words and words[0] == "!":
        words.pop(0)
        negated = not negated
    return int(_holds(process, words) == negated)


def _holds(process: Process, words: list[str]) -> bool:
    match words:
        case []:
            return False
        case [text]:
            return bool(text)
        case ["-n", text]:
            return bool(text)
        case ["-z", text]:
            return not text
        case ["-e" | "-f" | "-d" | "-r" | "-w" | "-x" | "-s" as kind, path]:
            try:
                entry = process.system.files.stat(path, process.cwd)
            except OSError:
                return False
            if kind == "-f":
                return not entry.is_folder
            if kind == "-s":
                return entry.size > 0
            return entry.is_folder if kind == "-d" else True
        case [left, "=" | "==", right]:
            return left == right
        case [left, "!=", right]:
            return left != right
        case [left, "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" as kind, right]:
            try:
                a, b = int(left), int(right)
            except ValueError:
                raise HandlerFailed(f"{process.name}: bad number", 2) from None
            compare = {"-eq": a == b, "-ne": a != b, "-lt": a < b, "-le": a <= b, "-gt": a > b}
            return compare.get(kind, a >= b)
        case _:
            raise HandlerFailed(f"{process.name}: syntax error", 2)


async def _sh(process: Process) -> int:
    args = process.args
    if args[:1] == ["-c"]:
        return await process.run_script(args[1] if args[1:] else "")
    if args and not args[0].startswith("-"):
        text = process.read_file(args[0]).decode("utf-8", "replace")
        return await process.run_script(text)
    return await process.run_script((await process.read_all()).decode("utf-8", "replace"))


async def _env(process: Process) -> int:
    for name, value in sorted(process.env.items()):
        await process.say(f"{name}={value}")
    return 0


async def _logcat(process: Process) -> int:
    flags = "".join(word[1:] for word in process.args if word.startswith("-") and word[1:2] != "-")
    if "--clear" in process.args or "c" in flags:
        return 0
    if "g" in flags:
        await process.say("main: ring buffer is 256 KiB (112 KiB consumed, 0 B readable)")
        return 0
    await process.say("--------- beginning of main")
    for line in LOG_LINES:
        await process.say(_log_line(process, *line))
    while "d" not in flags and "--dump" not in process.args:
        await asyncio.sleep(LOG_INTERVAL_S)
        number = int(process.system.device.random("logcat") * len(LOG_LINES))
        await process.say(_log_line(process, *LOG_LINES[number]))
    return 0


def _log_line(process: Process, level: str, tag: str, message: str) -> str:
    when = process.system.now().strftime("%m-%d %H:%M:%S.%f")[:-3]
    return f"{when}   820   {820 + len(tag)} {level} {tag}: {message}"


async def _reboot(process: Process) -> int:
    process.system.device.log("reboot", how="shell")
    raise HandlerFailed("reboot: this phone does not restart itself")


async def _dmesg(process: Process) -> int:
    raise HandlerFailed("dmesg: klogctl: Permission denied")


async def _nproc(process: Process) -> int:
    await process.say("8")
    return 0


COMMANDS: dict[str, Handler] = {
    "[": _test,
    "date": _date,
    "dmesg": _dmesg,
    "env": _env,
    "false": _false,
    "getprop": _getprop,
    "id": _id,
    "kill": _kill,
    "logcat": _logcat,
    "nproc": _nproc,
    "pidof": _pidof,
    "printenv": _env,
    "ps": _ps,
    "reboot": _reboot,
    "setprop": _setprop,
    "sh": _sh,
    "sleep": _sleep,
    "test": _test,
    "true": _true,
    "uname": _uname,
    "uptime": _uptime,
    "whoami": _whoami,
}
