"""Commands about the network: ifconfig, ip, svc, ping, nc (inside the phone alone)."""

from __future__ import annotations

import asyncio

from demophone.shell.file_commands import split_flags
from demophone.shell.process import Handler, HandlerFailed, Process
from demophone.sockets import SocketError
from demophone.streams import Pipe

HARDWARE = "02:00:00:44:55:66"


async def _ifconfig(process: Process) -> int:
    names = [word for word in process.args if not word.startswith("-")] or ["wlan0", "lo"]
    address = process.system.address()
    network = address.rpartition(".")[0]
    for name in names:
        if name == "wlan0":
            await process.say(
                f"wlan0     Link encap:UNSPEC    Driver demo_wlan\n"
                f"          inet addr:{address}  Bcast:{network}.255  Mask:255.255.255.0 \n"
                f"          UP BROADCAST RUNNING MULTICAST  MTU:1500  Metric:1\n"
            )
        elif name == "lo":
            await process.say(
                "lo        Link encap:UNSPEC    \n"
                "          inet addr:127.0.0.1  Mask:255.0.0.0 \n"
                "          UP LOOPBACK RUNNING  MTU:65536  Metric:1\n"
            )
        else:
            raise HandlerFailed(f"ifconfig: {name}: No such device")
    return 0


async def _ip(process: Process) -> int:
    address = process.system.address()
    network = address.rpartition(".")[0]
    words = [word for word in process.args if not word.startswith("-")]
    if words[:1] in (["route"], ["r"]):
        await process.say(f"{network}.0/24 dev wlan0 proto kernel scope link src {address}")
        return 0
    if words[:1] not in (["addr"], ["address"], ["a"]):
        raise HandlerFailed(f"ip: unknown object '{' '.join(words[:1])}'")
    device = words[-1] if len(words) > 1 and words[-1] != "show" else ""
    if device in ("", "lo"):
        await process.say(
            "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN qlen 1000\n"
            "    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00\n"
            "    inet 127.0.0.1/8 scope host lo\n"
            "       valid_lft forever preferred_lft forever"
        )
    if device in ("", "wlan0"):
        await process.say(
            "25: wlan0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP qlen 3000\n"
            f"    link/ether {HARDWARE} brd ff:ff:ff:ff:ff:ff\n"
            f"    inet {address}/24 brd {network}.255 scope global wlan0\n"
            "       valid_lft forever preferred_lft forever"
        )
    elif device != "lo":
        raise HandlerFailed(f'Device "{device}" does not exist.')
    return 0


async def _svc(process: Process) -> int:
    match process.args:
        case ["wifi", "enable" | "disable" as how]:
            process.system.device.put_setting("global", "wifi_on", str(int(how == "enable")))
        case ["data", "enable" | "disable" as how]:
            process.system.device.put_setting("global", "mobile_data", str(int(how == "enable")))
        case ["bluetooth", "enable" | "disable" as how]:
            process.system.device.put_setting("global", "bluetooth_on", str(int(how == "enable")))
        case ["power", "stayon", "true" | "false" | "usb" | "ac" | "wireless" as how]:
            value = "0" if how == "false" else "7"
            process.system.device.put_setting("global", "stay_on_while_plugged_in", value)
        case _:
            raise HandlerFailed("Available commands:\n    wifi\n    data\n    bluetooth\n    power")
    return 0


async def _ping(process: Process) -> int:
    host = process.args[-1] if process.args else ""
    raise HandlerFailed(f"ping: unknown host {host}", 2)


async def _nc(process: Process) -> int:
    flags, values, rest = split_flags(process.args, "pqwW")
    sockets = process.system.sockets
    if "l" in flags or "L" in flags:
        port = values.get("p") or (rest[0] if rest else "")
        connected: asyncio.Future[Pipe] = asyncio.get_running_loop().create_future()

        def accept(pipe: Pipe) -> None:
            if connected.done():
                pipe.close()
            else:
                connected.set_result(pipe)

        try:
            stop = sockets.listen(f"tcp:{port}", accept)
        except SocketError as error:
            raise HandlerFailed(f"nc: bind: {error}") from error
        try:
            pipe = await connected
        finally:
            stop()
    else:
        if "U" in flags and rest:
            address = f"localfilesystem:{rest[0]}"
        elif len(rest) == 2 and rest[0] in ("localhost", "127.0.0.1"):
            address = f"tcp:{rest[1]}"
        else:
            raise HandlerFailed("nc: only addresses of this phone can be reached")
        try:
            pipe = await sockets.connect(address)
        except SocketError as error:
            raise HandlerFailed(f"nc: connect: {error}") from error
    await _relay(process, pipe)
    return 0


async def _relay(process: Process, pipe: Pipe) -> None:
    async def upload() -> None:
        while data := await process.stdin.read():
            await pipe.write(data)

    sending = asyncio.create_task(upload())
    try:
        while data := await pipe.read():
            await process.stdout.write(data)
    finally:
        sending.cancel()
        pipe.close()


COMMANDS: dict[str, Handler] = {
    "ifconfig": _ifconfig,
    "ip": _ip,
    "nc": _nc,
    "netcat": _nc,
    "ping": _ping,
    "svc": _svc,
}
