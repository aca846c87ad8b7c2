"""What adbd, the shell and the scrcpy server share: the phone, its files, its sockets, its names.

Nothing here speaks a protocol.
"""

from __future__ import annotations

import random
import uuid
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from demophone.device import DemoDevice
from demophone.filesystem import FileSystem
from demophone.habits import Habits
from demophone.sockets import Sockets

SDK = 34
RELEASE = "14"
MANUFACTURER = "Taptrail"
MODEL = "Demo Phone"
SERIAL = "DEMO0001"
BUILD = "UP1A.231005.007"
# The phone was switched on a while ago; some of that time it slept, as phones do.
SUSPENDED_S = 1234.5

SYSTEM_PROCESSES = (
    (1, "root", "init"),
    (312, "system", "servicemanager"),
    (431, "system", "surfaceflinger"),
    (455, "root", "zygote64"),
    (512, "shell", "adbd"),
    (820, "system", "system_server"),
    (1104, "u0_a98", "com.android.systemui"),
)


class UiAutomationTaken(Exception):
    """Somebody else looks at the phone's windows already; the text is Android's."""


@dataclass(frozen=True, slots=True)
class Program:
    """A Java program that runs: the words it was started with, and what ends it."""

    words: list[str]
    end: Callable[[], object]


@dataclass
class System:
    """One running phone with all that lives around its screen.

    Attributes:
        deterministic: slow things (a tree dump) answer as fast as they can.
        port: where adbd listens.
        habits: what this phone does that others do not.
        programs: the Java programs that run, by process number.
        built_size: the screen's size when the phone was started.
        root: a userdebug build, whose shell is root and whose clock can be set.
    """

    device: DemoDevice
    files: FileSystem
    deterministic: bool = False
    port: int = 0
    habits: Habits = field(default_factory=Habits)
    root: bool = False
    sockets: Sockets = field(default_factory=Sockets)
    programs: dict[int, Program] = field(default_factory=dict, init=False)
    built_size: tuple[int, int] = field(init=False)
    _last_program: int = field(default=0, init=False)
    _automated: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self.built_size = self.device.natural_size

    @property
    def faults(self) -> frozenset[str]:
        """The faults the phone was started with."""
        return self.device.faults

    @contextmanager
    def ui_automation(self) -> Iterator[None]:
        """Holds the phone's UiAutomation: `uiautomator`, its resident server, one at a time.

        Raises:
            UiAutomationTaken: it is held already.
        """
        if self._automated:
            proxy = "android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy"
            raise UiAutomationTaken(
                f"java.lang.IllegalStateException: UiAutomationService {proxy}"
                f"@{self.token('ui automation')}already registered!\n"
                "\tat android.os.Parcel.createExceptionOrNull(Parcel.java:3057)\n"
                "\tat android.app.UiAutomationConnection.connect(UiAutomationConnection.java:117)\n"
                "\tat android.app.UiAutomation.connect(UiAutomation.java:343)"
            )
        self._automated = True
        try:
            yield
        finally:
            self._automated = False

    @contextmanager
    def program(self, words: list[str], end: Callable[[], object]) -> Iterator[None]:
        """Lists a Java program, by the words it was started with, among what runs.

        Args:
            end: ends it, as `kill` does.
        """
        self._last_program += 1
        number = 21_000 + self._last_program
        self.programs[number] = Program(list(words), end)
        try:
            yield
        finally:
            del self.programs[number]

    def now(self) -> datetime:
        """The time that `date` and `logcat` print: that of the clock on the screen."""
        return self.device.wall().replace(tzinfo=UTC)

    def set_now(self, moment: datetime) -> None:
        """Sets the phone's clock; the apps follow."""
        self.device.set_wall(moment.replace(tzinfo=None))

    def uptime_s(self) -> float:
        """Seconds since the phone was switched on, sleep included (CLOCK_BOOTTIME)."""
        return self.device.now_us() / 1e6 + SUSPENDED_S

    def pid(self, package: str) -> int:
        """The process number of an app; the same for a seed."""
        return 3000 + zlib.crc32(f"{self.device.seed}:{package}".encode()) % 20000

    def uid(self, package: str) -> int:
        """The user number of an app; the same for a seed."""
        return 10000 + zlib.crc32(f"{self.device.seed}/{package}".encode()) % 300

    def token(self, name: str) -> str:
        """A hexadecimal object name as dumpsys prints them; the same for a seed."""
        return f"{zlib.crc32(f'{self.device.seed}#{name}'.encode()) & 0xFFFFFFF:x}"

    def address(self) -> str:
        """The private address the phone claims to have on its wireless network."""
        numbers = random.Random(f"{self.device.seed} wlan")  # noqa: S311 - no secret
        return f"192.168.{numbers.randrange(1, 250)}.{numbers.randrange(2, 250)}"

    def running(self) -> list[tuple[int, str, str]]:
        """Process number, user and name of all that runs."""
        apps = dict.fromkeys([self.device.foreground[0], *(task[0] for task in self.device.tasks)])
        known = {name for _, _, name in SYSTEM_PROCESSES}
        return [*SYSTEM_PROCESSES] + [
            (self.pid(app), f"u0_a{self.uid(app) - 10000}", app) for app in apps if app not in known
        ]

    def properties(self) -> dict[str, str]:
        """What `getprop` prints."""
        fingerprint = f"Taptrail/demophone/demo:{RELEASE}/{BUILD}/1:user/release-keys"
        return {
            "dalvik.vm.heapsize": "512m",
            "debug.sf.hwui": "1",
            "gsm.operator.alpha": "Demo Mobile",
            "gsm.sim.state": "LOADED",
            "init.svc.adbd": "running",
            "init.svc.bootanim": "stopped",
            "net.bt.name": "Android",
            "persist.sys.locale": self.device.setting("system", "system_locales") or "en-US",
            "persist.sys.timezone": "UTC",
            "ro.boot.qemu": "0",
            "ro.bootmode": "normal",
            "ro.build.characteristics": "nosdcard",
            "ro.build.date.utc": "1696464000",
            "ro.build.display.id": BUILD,
            "ro.build.fingerprint": fingerprint,
            "ro.build.id": BUILD,
            "ro.build.tags": "release-keys",
            "ro.build.type": "userdebug" if self.root else "user",
            "ro.build.version.incremental": "1",
            "ro.build.version.release": RELEASE,
            "ro.build.version.sdk": str(SDK),
            "ro.build.version.security_patch": "2023-10-05",
            "ro.debuggable": "1" if self.root else "0",
            "ro.hardware": "demo",
            "ro.product.board": "demo",
            "ro.product.brand": "Taptrail",
            "ro.product.cpu.abi": "arm64-v8a",
            "ro.product.cpu.abilist": "arm64-v8a",
            "ro.product.device": "demo",
            "ro.product.locale": "en-US",
            "ro.product.manufacturer": MANUFACTURER,
            "ro.product.model": MODEL,
            "ro.product.name": "demophone",
            "ro.secure": "1",
            "ro.serialno": SERIAL,
            "ro.sf.lcd_density": str(self.device.density),
            "service.adb.tcp.port": str(self.port),
            "sys.boot_completed": "1",
            "sys.usb.state": "adb",
            "wifi.interface": "wlan0",
        }

    def mount(self) -> None:
        """Puts the files in place that tell about the phone."""
        lines = [f"{key}={value}" for key, value in self.properties().items() if key[:3] == "ro."]
        build_prop = "# begin build properties\n" + "\n".join(lines) + "\n"
        version = "Linux version 6.1.25-android14 (build@taptrail) #1 SMP PREEMPT\n"
        memory = "MemTotal:        7811696 kB\nMemFree:          912340 kB\n"
        self.files.virtual("/system/build.prop", lambda: build_prop.encode())
        self.files.virtual("/proc/version", lambda: version.encode())
        self.files.virtual("/proc/meminfo", lambda: memory.encode())
        self.files.virtual("/proc/uptime", lambda: f"{self.uptime_s():.2f} 0.00\n".encode())
        boot = str(uuid.uuid4())
        self.files.virtual("/proc/sys/kernel/random/boot_id", lambda: f"{boot}\n".encode())
        for number in range(3):
            self.files.virtual(f"/dev/input/event{number}", lambda: b"")
        self.files.virtual("/dev/tty", lambda: b"")
        for package in self.device.packages:
            self.files.host(f"/data/data/{package}").mkdir(parents=True, exist_ok=True)
