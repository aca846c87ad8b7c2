"""Sources of accessibility trees: a server that stays on the phone, or a command.

`PhoneTrees` uses the server of uiautomator2 if it runs on the phone, else `uiautomator dump`. A
file remembers on which phones the server does not run, so that it is not tried each time.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable
from pathlib import Path

from episodes.errors import KnownError
from episodes.screens import TreeStatus
from episodes.trees.dumps import ReceivedTree, receive_dump
from recorder.device import answers
from recorder.device.adb.server import PhoneLink
from recorder.device.adb.uiautomator2 import JAR_SHA256, ServerRefused, TreeServer
from recorder.device.interface import SLOW_TREES, CommandTimeout, PhoneGone, TreeSource

MAX_TREE = 16 << 20
TIMEOUT_S = 15.0
SERVER_TIMEOUT_S = 10.0
REMEMBER_S = 7 * 86_400
BREAKDOWNS = 2
"""A server that breaks down so often in a row is not started again in this recording."""


class UiautomatorDump:
    """`uiautomator dump`: on every phone, slow, and only while the screen is idle."""

    name = SLOW_TREES
    format = "uiautomator"
    quiet_ns = 300_000_000
    retry_ns = 1_000_000_000

    def __init__(self, link: PhoneLink, timeout: float = TIMEOUT_S) -> None:
        self._link = link.adb.link(link.serial)
        self._timeout = timeout

    def prepare(self) -> None:
        """Does nothing: each question is a command of its own."""

    def close(self) -> None:
        """Does nothing: the command leaves nothing on the phone."""

    def ask(self) -> ReceivedTree:
        """Runs the command and reads what it printed."""
        try:
            result = self._link.exec_out(
                "uiautomator dump /dev/tty", timeout=self._timeout, limit=MAX_TREE
            )
        except CommandTimeout as error:
            return ReceivedTree(TreeStatus.TIMEOUT, detail=error.found)
        except KnownError as error:
            return ReceivedTree(TreeStatus.FAILED, detail=error.found)
        if result.cut:
            return ReceivedTree(TreeStatus.FAILED, detail=f"longer than {MAX_TREE} bytes")
        return receive_dump(result.output)

    def interrupt(self) -> None:
        """Breaks the command off."""
        self._link.interrupt()


class ResidentTrees:
    """The server of uiautomator2: it stays on the phone while the source is open."""

    name = "uiautomator2"
    format = "uiautomator"
    quiet_ns = 50_000_000
    retry_ns = 50_000_000

    def __init__(self, link: PhoneLink, timeout: float = SERVER_TIMEOUT_S) -> None:
        self._link = link.adb.link(link.serial)
        self._timeout = timeout
        self._server = TreeServer(self._link)

    def prepare(self) -> None:
        """Starts the server.

        Raises:
            KnownError: it does not start on this phone, or the phone is away.
        """
        self._server.start()

    def ask(self) -> ReceivedTree:
        """Asks the server; starts it again if it has ended.

        Raises:
            PhoneGone, ServerRefused: it has broken down.
        """
        if not self._server.running:
            self._server.stop()
            self._server.start()
        try:
            xml = self._server.hierarchy(self._timeout)
        except CommandTimeout as error:
            return ReceivedTree(TreeStatus.TIMEOUT, detail=error.found)
        except ServerRefused as error:
            if not self._server.running:
                raise
            return ReceivedTree(TreeStatus.FAILED, detail=error.found)
        data = xml.encode(errors="surrogatepass")
        if len(data) > MAX_TREE:
            return ReceivedTree(TreeStatus.FAILED, detail=f"longer than {MAX_TREE} bytes")
        return receive_dump(data)

    def interrupt(self) -> None:
        """Breaks off the question under way."""
        self._server.interrupt()

    def close(self) -> None:
        """Ends the server."""
        self._server.stop()


class TreeChoices:
    """A file that keeps, for each phone, that the resident server does not run on it.

    It is for one phone and build, and forgotten after a week. A file that cannot be read or
    written is as good as none: the server is tried again.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path

    def refused(self, phone: str, build: str) -> str:
        """Returns why the server did not run on a phone; "" if it may."""
        kept = self._read().get(phone)
        if not isinstance(kept, dict) or kept.get("build") != build:
            return ""
        at, reason = kept.get("at"), kept.get("reason")
        if not isinstance(at, int | float) or not isinstance(reason, str):
            return ""
        valid = kept.get("jar") == JAR_SHA256 and 0 <= time.time() - at < REMEMBER_S
        return reason if valid else ""

    def refuse(self, phone: str, build: str, reason: str) -> None:
        """Keeps that the server does not run on a phone."""
        if self._path is None:
            return
        kept = self._read()
        kept[phone] = {"build": build, "jar": JAR_SHA256, "reason": reason, "at": time.time()}
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(json.dumps(kept), encoding="utf-8")

    def _read(self) -> dict[str, object]:
        if self._path is None:
            return {}
        try:
            value = json.loads(self._path.read_bytes()[: 1 << 20])
        except (OSError, ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}


class PhoneTrees:
    """The resident server where it runs, else `uiautomator dump`."""

    format = "uiautomator"

    def __init__(self, link: PhoneLink, choices: TreeChoices | None = None) -> None:
        self._link = link.adb.link(link.serial)
        self._choices = choices or TreeChoices()
        self._resident = ResidentTrees(link)
        self._dump = UiautomatorDump(link)
        self._source: ResidentTrees | UiautomatorDump = self._resident
        self._key = ("", "")
        self._breakdowns = 0

    @property
    def name(self) -> str:
        """The name of the source that is asked now."""
        return self._source.name

    @property
    def quiet_ns(self) -> int:
        """As of the source that is asked now."""
        return self._source.quiet_ns

    @property
    def retry_ns(self) -> int:
        """As of the source that is asked now."""
        return self._source.retry_ns

    def prepare(self) -> KnownError | None:
        """Starts the server unless it is known not to run here; returns why dumps are used."""
        try:
            told = answers.properties(self._link.run("getprop", timeout=10, limit=1 << 20).text)
        except KnownError:
            return None  # the phone is away; the mirror says so
        serial = told.get("ro.serialno") or self._link.serial
        self._key = (serial, told.get("ro.build.fingerprint", ""))
        reason = self._choices.refused(*self._key)
        if reason:
            self._source = self._dump
            return _dumps_only(reason)
        try:
            self._resident.prepare()
        except PhoneGone:
            return None
        except KnownError as error:
            return self._use_dumps(error)
        return None

    def ask(self) -> ReceivedTree:
        """Asks the source that is used; goes over to dumps when the server breaks down again."""
        if isinstance(self._source, UiautomatorDump):
            return self._source.ask()
        try:
            answer = self._source.ask()
        except KnownError as error:
            self._breakdowns += 1
            if self._breakdowns >= BREAKDOWNS and not isinstance(error, PhoneGone):
                self._use_dumps(error)
            return ReceivedTree(TreeStatus.FAILED, detail=error.found)
        self._breakdowns = 0
        return answer

    def interrupt(self) -> None:
        """Breaks off the question under way."""
        self._link.interrupt()
        self._resident.interrupt()
        self._dump.interrupt()

    def close(self) -> None:
        """Ends the server."""
        self._resident.close()

    def _use_dumps(self, error: KnownError) -> KnownError:
        self._resident.close()  # it would keep the phone's one UiAutomation
        self._source = self._dump
        if "UiAutomation" not in error.found:  # another program may be gone the next time
            self._choices.refuse(*self._key, error.found)
        return _dumps_only(error.found)


def _dumps_only(reason: str) -> KnownError:
    return KnownError(
        "keep a tree server on the phone",
        f"{reason}; trees come from `uiautomator dump`, which takes seconds",
        "Leave the screen alone for some seconds before each action, or mark targets by hand.",
    )


TREE_SOURCES: dict[str, Callable[[PhoneLink], TreeSource]] = {
    "phone": PhoneTrees,
    "uiautomator2": ResidentTrees,
    "uiautomator": UiautomatorDump,
}
