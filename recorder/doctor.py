"""Checks what recording needs: adb, the scrcpy server, the decoder, disk space and phones."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import av

from episodes.errors import KnownError
from recorder.device.interface import Device, Devices
from recorder.device.scrcpy import server as servers

ROOM_TO_RECORD = 2 << 30
ROOM_TO_BEGIN = 200 << 20
PAIRING_SINCE = 30
"""Version of adb that brought pairing by code."""
USUAL_PROTOCOL = 41
"""Protocol of all adb servers since version 29."""


class CheckLevel(StrEnum):
    """How bad a finding is."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check.

    Attributes:
        subject: what, e.g. "adb".
        found: one sentence without a full stop.
        remedy: what to do; "" if all is well.
        meaning: what that means for a person, in a sentence or two.
        command: what to type in a terminal for it.
        fix: name of a repair Taptrail can do by itself.
    """

    severity: CheckLevel
    subject: str
    found: str
    remedy: str = ""
    meaning: str = ""
    command: str = ""
    fix: str = ""


_TO_USB = (
    "On the phone: open Settings, About phone, and tap Build number seven times; then turn on USB "
    "debugging in Developer options. Then plug it in, unlock it and tap Allow. Or try the demo "
    "phone: taptrail demo."
)
_STATES: Mapping[str, tuple[str, str, str]] = {
    "unauthorized": (
        "The phone asks on its own screen whether this computer may control it, and nobody has "
        "said yes. No such question? Unplug the cable and plug it in again.",
        "",
        "reconnect",
    ),
    "offline": (
        "The phone is plugged in or was connected, and does not answer any more.",
        "",
        "reconnect",
    ),
    "no permissions": (
        "The system lets only its administrator talk to this phone, until its rules for phones "
        "are installed. Afterwards unplug it and plug it in.",
        "sudo apt install android-sdk-platform-tools-common",
        "",
    ),
}
"""Meaning, command and repair of adb's words for phones that cannot be used."""


def examine(folder: Path, environment: Mapping[str, str], devices: Devices) -> list[CheckResult]:
    """Checks everything that recording needs and returns all results, good and bad.

    Starts the adb server if none answers; asks each phone a question or two.

    Args:
        folder: of the library.
        environment: the process's variables.
    """
    found = [*_program(devices), _server(environment), *_decoders(), _room(folder)]
    try:
        found += _phones(devices)
    except KnownError as error:
        found.append(_error("adb server", error))
    return found


def _program(devices: Devices) -> Iterator[CheckResult]:
    try:
        path, version = devices.program(), devices.program_version()
    except KnownError as error:
        yield _error("adb", error)
        return
    text = f"{path}, version {version}" if version else f"{path}, of an unknown version"
    if version and int(version.split(".", 1)[0]) < PAIRING_SINCE:
        yield CheckResult(
            CheckLevel.WARNING,
            "adb",
            text,
            f"Install adb {PAIRING_SINCE} or newer, or run python3 bootstrap.py again.",
            "It cannot pair with a phone over Wi-Fi. Phones on USB work.",
        )
    else:
        yield CheckResult(CheckLevel.OK, "adb", text)


def _server(environment: Mapping[str, str]) -> CheckResult:
    try:
        chosen = servers.chosen_server(environment)
    except KnownError as error:
        return _error("scrcpy server", error)
    digest = hashlib.sha256(chosen.data).hexdigest()
    if chosen.carried:
        text = f"{chosen.version} from {chosen.source}, sha256 as published"
        return CheckResult(CheckLevel.OK, "scrcpy server", text)
    return CheckResult(
        CheckLevel.WARNING,
        "scrcpy server",
        f"{chosen.version} from {chosen.source}, sha256 {digest}",
        f"It is your own choice; unset {servers.PATH_VARIABLE} for the one that is known.",
    )


def _decoders() -> Iterator[CheckResult]:
    for codec in ("h264",):
        try:
            av.CodecContext.create(codec, "r")
        except (av.error.FFmpegError, ValueError) as error:
            yield CheckResult(
                CheckLevel.ERROR,
                "video",
                f"there is no decoder for {codec} ({error})",
                "Run python3 bootstrap.py again.",
            )
        else:
            yield CheckResult(CheckLevel.OK, "video", f"{codec} can be decoded")


def _room(folder: Path) -> CheckResult:
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    free = shutil.disk_usage(place).free
    text = f"{free / (1 << 30):.1f} GiB free in {place}"
    if free < ROOM_TO_BEGIN:
        return CheckResult(CheckLevel.ERROR, "disk", text, "Make room: nothing can be recorded.")
    if free < ROOM_TO_RECORD:
        return CheckResult(
            CheckLevel.WARNING, "disk", text, "Make room: an hour takes about 2 GiB."
        )
    return CheckResult(CheckLevel.OK, "disk", text)


def _phones(devices: Devices) -> Iterator[CheckResult]:
    listed = devices.phones()
    protocol = devices.version()
    if protocol < USUAL_PROTOCOL:
        yield CheckResult(
            CheckLevel.WARNING,
            "adb server",
            f"answers on port {devices.port} with the old protocol {protocol}",
            "Close the program that started it, and set that program to a newer adb.",
            "It cannot pair with a phone over Wi-Fi. Two programs with adb of different versions "
            "end each other's server, and the phones disconnect each time.",
        )
    else:
        yield CheckResult(CheckLevel.OK, "adb server", f"answers on port {devices.port}")
    if not listed:
        yield CheckResult(
            CheckLevel.WARNING,
            "phone",
            "none is connected",
            _TO_USB,
            "Nothing can be recorded on a phone of your own until one is.",
        )
    for phone in listed:
        subject = f"phone {phone.names[0]}"
        if not phone.ready:
            known = _STATES.get(phone.state, ("", "", ""))
            yield CheckResult(CheckLevel.ERROR, subject, phone.meaning, phone.remedy, *known)
            continue
        try:
            yield _ready(subject, devices.device(phone.names[0]))
        except KnownError as error:
            yield _error(subject, error)


def _ready(subject: str, phone: Device) -> CheckResult:
    facts = phone.facts()
    text = f"{facts.manufacturer} {facts.model}, Android {facts.android_release}, {facts.size}"
    if facts.sdk is not None and facts.sdk < 21:
        return CheckResult(
            CheckLevel.ERROR, subject, text, "Android 5 or newer is needed to mirror a phone."
        )
    if _asleep(phone):
        return CheckResult(
            CheckLevel.WARNING,
            subject,
            f"{text}, screen off",
            "Turn its screen on and unlock it.",
            "A dark screen sends no pictures, and its apps take no touch.",
            fix="wake",
        )
    if phone.locked():
        return CheckResult(
            CheckLevel.WARNING,
            subject,
            f"{text}, locked",
            "Unlock the phone, and keep it from locking while you record.",
            "Its lock screen is in front: the apps behind it take no touch, and many phones keep "
            "their code pad out of the picture.",
        )
    return CheckResult(CheckLevel.OK, subject, text)


def _asleep(phone: Device) -> bool:
    told = phone.run("dumpsys power | grep -E 'mWakefulness='").text
    return "=Asleep" in told or "=Dozing" in told


def _error(subject: str, error: KnownError) -> CheckResult:
    return CheckResult(CheckLevel.ERROR, subject, error.found, error.remedy)
