"""A phone behind adb and scrcpy: implements `recorder.device.interface`.

Each question opens its own stream and waits for the answer, with a deadline and a limit on its
length: call them from worker threads. `answers` parses what the commands print.
"""

from __future__ import annotations

import difflib
import os
import re
import threading
import time
import unicodedata
from dataclasses import dataclass, field, replace
from pathlib import Path

from episodes.errors import KnownError
from episodes.geometry import Size
from episodes.recordings import DeviceFacts
from recorder.clock import ClockMap
from recorder.device import answers
from recorder.device.adb.server import Adb, AdbRefused, PhoneLink
from recorder.device.adb.tree_sources import TREE_SOURCES, PhoneTrees, TreeChoices
from recorder.device.interface import (
    CommandResult,
    Front,
    ListedPhone,
    StreamListener,
    TreeSource,
    VideoOptions,
)
from recorder.device.scrcpy import server as servers
from recorder.device.scrcpy.client import ScrcpyClient
from recorder.device.scrcpy.clipboard import read_clipboard, write_clipboard
from recorder.device.scrcpy.server import ServerFile, chosen_server

_SHORT = 64 * 1024
_BOOT = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_FRONT = "dumpsys window | grep -E 'mCurrentFocus|mFocusedApp|Window #|fl=|isVisible=|mDisplayId='"
_LOCK = "dumpsys window | grep -E 'KeyguardShowing|mShowingLockscreen|mIsShowing|^ *showing='"
_ANIMATIONS = ("window_animation_scale", "transition_animation_scale", "animator_duration_scale")


class AdbDevice:
    """A phone behind adb, with video and control over scrcpy. Any thread."""

    def __init__(
        self, serial: str, adb: Adb | None = None, server: ServerFile | None = None
    ) -> None:
        self.serial = serial
        self.link: PhoneLink = (adb or Adb()).link(serial)
        self._learned = _Learned(server=server)

    @property
    def stream_version(self) -> str:
        """Version of the scrcpy server."""
        return self._server().version

    def another(self) -> AdbDevice:
        """Returns the same phone with a link of its own, which can be interrupted alone."""
        twin = AdbDevice(self.serial, self.link.adb)
        twin._learned = self._learned
        return twin

    def interrupt(self) -> None:
        """Breaks off the commands of this link, and all later ones; streams go on."""
        self.link.interrupt()

    def run(self, command: str, timeout: float = 10, limit: int = 4 << 20) -> CommandResult:
        """Runs a shell command, as `PhoneLink.run`."""
        return self.link.run(command, timeout, limit)

    def push(self, data: bytes, remote: str) -> None:
        """Writes a file on the phone."""
        self.link.push(data, remote)

    def open_stream(self, options: VideoOptions, listener: StreamListener) -> ScrcpyClient:
        """Returns a scrcpy session, not yet started."""
        return ScrcpyClient(self.link, self._server(), options, listener, self._remove_leftovers)

    def _remove_leftovers(self) -> None:
        """Removes from the phone what a killed program left; once, before the first server."""
        with self._learned.lock:
            if not self._learned.is_clean:
                self.link.run(servers.REMOVE_LEFTOVERS, timeout=5)
                self._learned.is_clean = True

    def tree_source(self, name: str = "phone", refusals: Path | None = None) -> TreeSource:
        """Returns a source of trees, by its name in `TREE_SOURCES`."""
        if name == "phone":
            return PhoneTrees(self.link, TreeChoices(refusals))
        return TREE_SOURCES[name](self.link)

    def clipboard(self) -> str:
        """Returns the text on the clipboard; no answer, as for an empty one, is an error."""
        return read_clipboard(self.link, self._server())

    def set_clipboard(self, text: str) -> None:
        """Puts a text on the clipboard."""
        write_clipboard(self.link, self._server(), text)

    def _server(self) -> ServerFile:
        with self._learned.lock:
            if self._learned.server is None:
                self._learned.server = chosen_server(os.environ)
            return self._learned.server

    def facts(self) -> DeviceFacts:
        """Returns the phone's facts; empty if it does not report them.

        Raises:
            KnownError: the phone is away.
        """
        properties = answers.properties(self._text("getprop", 1 << 20))
        scales = [answers.scale(self._text(f"settings get global {name}")) for name in _ANIMATIONS]
        size, density = self.screen()
        locale = properties.get("persist.sys.locale") or properties.get("ro.product.locale", "")
        told = [scale for scale in scales if scale is not None]
        return DeviceFacts(
            serial=properties.get("ro.serialno") or self.serial,
            manufacturer=properties.get("ro.product.manufacturer", ""),
            model=properties.get("ro.product.model", ""),
            product=properties.get("ro.product.name", ""),
            build=properties.get("ro.build.fingerprint") or properties.get("ro.build.id", ""),
            android_release=properties.get("ro.build.version.release", ""),
            sdk=answers.sdk(properties.get("ro.build.version.sdk", "")),
            size=size,
            density=density,
            locale=locale,
            input_method=answers.setting(self._text("settings get secure default_input_method")),
            animation_scales=(told[0], told[1], told[2]) if len(told) == 3 else None,
        )

    def front(self) -> Front:
        """Returns the app in front, with its name where that is known, and whether it is hidden."""
        text = self._text(_FRONT, 1 << 18)
        found = answers.foreground(text)
        if found is not None:
            found = replace(found, label=self.app_name(found.package))
        return Front(found, answers.protected(text))

    def other_recorders(self, own: str) -> tuple[str, ...]:
        """Returns the sessions of other scrcpy servers that run on the phone.

        Args:
            own: the name of the session that does not count.
        """
        text = self._text("ps -A -o PID,ARGS | grep com.genymobile.scrcpy.Server", 1 << 18)
        return tuple(sorted(answers.scrcpy_sessions(text) - {own}))

    def rotation(self) -> int | None:
        """Returns the display's quarter turns; None where the phone does not say."""
        turns = answers.rotation(self._text("dumpsys window displays | grep -i rotation"))
        if turns is None:
            turns = answers.rotation(self._text("dumpsys input | grep -i orientation"))
        return turns

    def screen(self) -> tuple[Size | None, int | None]:
        """Returns the screen's size in its natural rotation, and its density; both can change."""
        return answers.screen_size(self._text("wm size")), answers.density(self._text("wm density"))

    def locked(self) -> bool | None:
        """Returns whether the lock screen shows; None where the phone does not say."""
        return answers.locked(self._text(_LOCK))

    def app_name(self, package: str) -> str:
        """Returns an app's name as the launcher shows it; "" where it is not known (yet)."""
        with self._learned.lock:
            return self._learned.names.get(package, "")

    def learn_app_names(self) -> int:
        """Asks the scrcpy server for the names of all apps, once; returns how many there are.

        Takes seconds on a full phone. Raises KnownError when the phone is away.
        """
        server = self._server()
        session = servers.new_session_id()
        self._remove_leftovers()
        self.link.push(server.data, servers.remote_path(session))
        command = servers.list_apps_command(server, session)
        result = self.link.run(command, timeout=30)
        names = answers.app_names(result.text + result.error.decode(errors="replace"))
        with self._learned.lock:
            self._learned.names.update(names)
            return len(self._learned.names)

    def apps(self) -> dict[str, str]:
        """Returns package -> name of all apps in the phone's language; asked once.

        Raises:
            KnownError: the phone is away.
        """
        with self._learned.lock:
            names = dict(self._learned.names)
        if names:
            return names
        self.learn_app_names()
        with self._learned.lock:
            return dict(self._learned.names)

    def find_app(self, name: str) -> str:
        """Returns the package of an app, given its package or its name in the phone's language.

        Case, accents' encoding and blanks do not matter. The list of apps is read once.

        Raises:
            KnownError: the phone is away, has no such app, or several with this name.
        """
        doing = f"open the app “{name}”"
        names = self.apps()
        if name in names:
            return name
        found = sorted(package for package, label in names.items() if _plain(label) == _plain(name))
        if len(found) == 1:
            return found[0]
        if not names and answers.is_package(name):
            return name  # the phone lists no apps; whoever asks sees whether it comes to the front
        if found:
            raise KnownError(
                doing, f"several apps have this name: {', '.join(found)}", "Name the package."
            )
        near = difflib.get_close_matches(_plain(name), map(_plain, names.values()), 3)
        like = [f"“{label}”" for label in names.values() if _plain(label) in near][:3]
        hint = f"; similar ones are {', '.join(like)}" if like else ""
        raise KnownError(
            doing,
            f"none of the phone's {len(names)} apps has this name or package{hint}",
            "Write it as the phone's launcher does, or name the package.",
        )

    def app_version(self, package: str) -> str:
        """Returns an app's version name; "" for none. Asked once for each package."""
        with self._learned.lock:
            if package in self._learned.versions:
                return self._learned.versions[package]
        text = self._text(f"dumpsys package {package} | grep versionName")
        with self._learned.lock:
            return self._learned.versions.setdefault(package, answers.version_name(text))

    def sample_clock(self, clock: ClockMap, times: int = 9) -> int:
        """Asks the phone's clock some times and gives the quickest answers to `clock`.

        Returns how many answers could be used. Time asleep counts in `/proc/uptime` but not in
        the video's clock, so it is taken off; if the phone does not report it, nothing is added
        and the mapping stays bounded from one side.
        """
        if self._learned.asleep_us is None:
            # Measured twice as good as once: it only grows while the phone sleeps, and it does
            # not while it is mirrored.
            self._learned.asleep_us = answers.asleep_us(
                self._text("dumpsys alarm | grep 'Runtime uptime'", 1 << 20)
            )
        if self._learned.asleep_us is None:
            return 0
        taken: list[tuple[int, int, int]] = []
        for _ in range(times):
            before = time.monotonic_ns()
            told = answers.uptime_us(self._text("cat /proc/uptime"))
            after = time.monotonic_ns()
            if told is not None:
                taken.append((before, after, told - self._learned.asleep_us))
        taken.sort(key=lambda sample: sample[1] - sample[0])
        for before, after, device_us in taken[: max(1, times // 2)]:
            clock.add_asked(before, after, device_us)
        return len(taken)

    def _text(self, command: str, limit: int = _SHORT) -> str:
        return self.link.run(command, timeout=10, limit=limit).text


def _plain(name: str) -> str:
    """Returns a name for comparison."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


@dataclass(slots=True)
class _Learned:
    """What need not be asked twice."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    names: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    asleep_us: int | None = None
    is_clean: bool = False
    server: ServerFile | None = None


class AdbDevices(Adb):
    """The phones of one adb server. Any thread."""

    def __init__(self, host: str | None = None, port: int | None = None) -> None:
        super().__init__(host, port)
        self._identities: dict[tuple[str, str], tuple[str, str]] = {}

    def phones(self) -> list[ListedPhone]:
        """Returns each phone once, also unusable ones with the reason.

        One phone on USB and Wi-Fi is one phone; USB is preferred. Two phones with equal serials
        are two.
        """
        listed = self.connections()
        now = {(phone.name, phone.transport) for phone in listed}
        self._identities = {key: one for key, one in self._identities.items() if key in now}
        if len(listed) < 2:
            return listed
        found: dict[tuple[str, str], list[ListedPhone]] = {}
        for phone in sorted(listed, key=lambda phone: phone.connection != "USB"):
            found.setdefault(self._identity(phone), []).append(phone)
        same = [
            replace(one[0], also=tuple(other.name for other in one[1:])) for one in found.values()
        ]
        order = {phone.name: place for place, phone in enumerate(listed)}
        return sorted(same, key=lambda phone: order[phone.name])

    def _identity(self, phone: ListedPhone) -> tuple[str, str]:
        """Returns the phone's own serial and the number of its start, which no other phone has.

        A phone that tells neither is told apart by its connection.
        """
        unknown = ("", phone.name)
        if not phone.ready:
            return unknown
        key = (phone.name, phone.transport)
        if key not in self._identities:
            asked = "getprop ro.serialno; cat /proc/sys/kernel/random/boot_id"
            try:
                told = self.link(phone.name).run(asked, timeout=3, limit=4096).text.split("\n")
            except KnownError:
                return unknown  # asked again with the next list
            whole = len(told) > 1 and _BOOT.fullmatch(told[1].strip()) is not None
            self._identities[key] = (told[0].strip(), told[1].strip()) if whole else unknown
        return self._identities[key]

    def device(self, serial: str) -> AdbDevice:
        """Returns the phone with this name; asks nothing yet."""
        return AdbDevice(serial, self)

    def ready_device(self, serial: str | None = None) -> AdbDevice:
        """Returns the phone with this serial, or the only one there is.

        Raises:
            KnownError: there is none, several, or it cannot be used yet, with what to do.
        """
        doing = f"use the phone {serial}" if serial else "choose a phone"
        chosen = [
            phone
            for phone in self.phones()
            if serial is None or serial == phone.serial or serial in phone.names
        ]
        if not chosen:
            raise AdbRefused(
                doing,
                "it is not connected" if serial else "no phone is connected",
                "Plug one in with USB debugging on, or try the demo: taptrail demo.",
            )
        usable = [phone for phone in chosen if phone.ready]
        if not usable:
            first = chosen[0]
            raise AdbRefused(doing, f"{first.serial} is {first.meaning}", first.remedy)
        if len(usable) > 1:
            names = ", ".join(phone.names[0] for phone in usable)
            raise AdbRefused(doing, f"there are several: {names}", "Name one of them.")
        taken = usable[0]
        return self.device(serial if serial in taken.names and serial else taken.names[0])
