"""Sockets inside the phone: who listens where, and reverse rules towards the computer.

Addresses are adb's texts: `tcp:9008`, `localabstract:scrcpy_0123abcd`, ... No socket of the
computer is ever opened here, so the phone is no door into the computer's network.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from demophone.streams import ChannelPipe, Pipe

Accept = Callable[[Pipe], None]
Dial = Callable[[str], Awaitable[Pipe]]

FAMILIES = ("tcp", "local", "localabstract", "localreserved", "localfilesystem")
MAX_RULES = 256
FIRST_FREE_PORT = 32768


class SocketError(Exception):
    """An address that cannot be listened to or connected to; the text says why."""


def checked_address(address: str) -> str:
    """`address` in its usual form.

    Raises:
        SocketError: it is none.
    """
    family, _, name = address.partition(":")
    if family not in FAMILIES or not name or len(address) > 512:
        raise SocketError(f"unknown socket specification: {address[:80]}")
    if family == "tcp":
        port = name.rpartition(":")[2]
        if not port.isdecimal() or int(port) > 65535:
            raise SocketError(f"bad port number '{name[:20]}'")
        return f"tcp:{int(port)}"
    return f"localfilesystem:{name}" if family == "local" else address


class Sockets:
    """All listeners of the phone and all reverse rules, over all connected computers."""

    def __init__(self) -> None:
        self._listeners: dict[str, Accept] = {}
        self._rules: dict[str, tuple[str, Dial]] = {}

    def listen(self, address: str, accept: Accept) -> Callable[[], None]:
        """Calls `accept` with every connection to `address`. Returns what ends that.

        Raises:
            SocketError: the address is taken, or none.
        """
        address = checked_address(address)
        if address in self._listeners or address in self._rules:
            raise SocketError("Address already in use")
        self._listeners[address] = accept

        def stop() -> None:
            if self._listeners.get(address) is accept:
                del self._listeners[address]

        return stop

    def listener(self, address: str) -> Accept | None:
        """Who takes connections to `address`, if anybody does."""
        try:
            return self._listeners.get(checked_address(address))
        except SocketError:
            return None

    async def connect(self, address: str) -> Pipe:
        """A connection from inside the phone, to a listener or over a reverse rule.

        Raises:
            SocketError: nothing listens there.
        """
        address = checked_address(address)
        accept = self._listeners.get(address)
        if accept is not None:
            near, far = ChannelPipe.pair()
            accept(far)
            return near
        rule = self._rules.get(address)
        if rule is None:
            raise SocketError("Connection refused")
        remote, dial = rule
        return await dial(remote)

    # --- reverse rules ---------------------------------------------------------------------
    def add_rule(self, local: str, remote: str, dial: Dial, rebind: bool = True) -> str:
        """Sends connections to `local` to the computer's `remote`. Returns the address taken.

        `tcp:0` takes a free port.

        Raises:
            SocketError: the address is taken, there are too many rules, or it is none.
        """
        local = checked_address(local)
        checked_address(remote)
        if local == "tcp:0":
            port = FIRST_FREE_PORT
            while f"tcp:{port}" in self._rules or f"tcp:{port}" in self._listeners:
                port += 1
            local = f"tcp:{port}"
        if local in self._listeners:
            raise SocketError("cannot bind listener: Address already in use")
        if local in self._rules and not rebind:
            raise SocketError("cannot rebind existing socket")
        if local not in self._rules and len(self._rules) >= MAX_RULES:
            raise SocketError("cannot bind listener: Too many open files")
        self._rules[local] = (remote, dial)
        return local

    def rules(self) -> list[tuple[str, str]]:
        """All reverse rules: address in the phone, address at the computer."""
        return [(local, remote) for local, (remote, _) in self._rules.items()]

    def remove_rule(self, local: str) -> None:
        """Ends one reverse rule.

        Raises:
            SocketError: there is no such rule.
        """
        if self._rules.pop(local, None) is None:
            raise SocketError(f"listener '{local[:80]}' not found")

    def remove_rules(self, dial: Dial | None = None) -> None:
        """Ends all reverse rules, or those that `dial` serves."""
        self._rules = {
            local: (remote, other)
            for local, (remote, other) in self._rules.items()
            if dial is not None and other != dial
        }
