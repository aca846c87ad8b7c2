"""`dumpsys`: the services people read, in the form Android 14 prints them.

What tools look for is there (focus, viewports, sizes, versions, battery, wakefulness); the many
lines nobody reads are not.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from demophone.faults import fault_value
from demophone.packages import is_system
from demophone.shell.app_commands import apk_path
from demophone.shell.process import Handler, HandlerFailed, Process
from demophone.shell.settings_commands import IME
from demophone.system import SUSPENDED_S, System

DISPLAY_ID = 4619827259835644672
SECOND_DISPLAY = (
    "  mCurrentFocus=Window{aa11 u0 org.example.desk/org.example.desk.Desktop}",
    "  mFocusedApp=ActivityRecord{bb22 u0 org.example.desk/.Desktop t3}",
)
UNIQUE_ID = f"local:{DISPLAY_ID}"


def _component(system: System) -> tuple[str, str, str]:
    """Package, activity as dumpsys shortens it, and the whole class name."""
    package, activity = system.device.foreground
    full = package + activity if activity.startswith(".") else activity
    short = full.removeprefix(package) if full.startswith(package + ".") else full
    return package, short, full


def _configuration(system: System) -> str:
    width, height = system.device.size
    density = system.device.density
    wide, tall = width * 160 // density, height * 160 // density
    small = min(wide, tall)
    side = "port" if height >= width else "land"
    bounds = f"Rect(0, 0 - {width}, {height})"
    return (
        f"{{1.0 310mcc260mnc [en_US] ldltr sw{small}dp w{wide}dp h{tall}dp {density}dpi nrml long "
        f"{side} finger qwerty/v/v dpad/v winConfig={{ mBounds={bounds} mAppBounds={bounds} "
        f"mMaxBounds={bounds} mDisplayRotation=ROTATION_{system.device.rotation * 90} "
        "mWindowingMode=fullscreen mActivityType=undefined mAlwaysOnTop=undefined "
        f"mRotation=ROTATION_{system.device.rotation * 90}}} as.1 s.1 fontWeightAdjustment=0}}"
    )


def _window(system: System, words: list[str]) -> str:
    if words[:1] == ["displays"] or words[:1] == ["d"]:
        return _window_displays(system)
    width, height = system.device.size
    package, short, full = _component(system)
    focus = f"Window{{{system.token('win' + package)} u0 {package}/{full}}}"
    locked = fault_value(system.faults, "locked") is not None
    if locked:
        focus = f"Window{{{system.token('winNotificationShade')} u0 NotificationShade}}"
    windows = [
        ("StatusBar", "com.android.systemui", "STATUS_BAR", True, (0, 0, width, 84)),
        ("NavigationBar0", "com.android.systemui", "NAVIGATION_BAR", True, (0, 0, width, height)),
        ("InputMethod", IME.partition("/")[0], "INPUT_METHOD", system.device.keyboard_shown, None),
        (f"{package}/{full}", package, "BASE_APPLICATION", True, None),
    ]
    lines = ["WINDOW MANAGER WINDOWS (dumpsys window windows)"]
    for number, (title, owner, kind, visible, frame) in enumerate(windows):
        token = system.token("win" + (package if kind == "BASE_APPLICATION" else title))
        left, top, right, bottom = frame or (0, 0, width, height)
        secure = "SECURE " if kind == "BASE_APPLICATION" and system.device.secure else ""
        lines += [
            f"  Window #{number} Window{{{token} u0 {title}}}:",
            f"    mDisplayId=0 mSession=Session{{{system.token(owner)} "
            f"{system.pid(owner)}:u0a{system.uid(owner)}}} mClient=android.os.BinderProxy@{token}",
            f"    mOwnerUid={system.uid(owner)} showForAllUsers=false package={owner} appop=NONE",
            f"    mAttrs={{(0,0)(fillxfill) sim={{adjust=resize}} ty={kind} fmt=TRANSLUCENT",
            f"      fl=LAYOUT_IN_SCREEN {secure}SPLIT_TOUCH HARDWARE_ACCELERATED}}",
            f"    Requested w={right - left} h={bottom - top} mLayoutSeq=52",
            f"    mViewVisibility={'0x0' if visible else '0x8'} mHaveFrame=true mObscured=false",
            f"    mFullConfiguration={_configuration(system)}",
            f"    mHasSurface={str(visible).lower()} isReadyForDisplay()={str(visible).lower()} "
            "mWindowRemovalAllowed=false",
            f"    Frames: parent=[0,0][{width},{height}] display=[0,0][{width},{height}] "
            f"frame=[{left},{top}][{right},{bottom}] last=[{left},{top}][{right},{bottom}]",
            f"    isOnScreen={str(visible).lower()}",
            f"    isVisible={str(visible).lower()}",
        ]
    keyboard = f"Window{{{system.token('winInputMethod')} u0 InputMethod}}"
    lines += [
        "",
        f"  mGlobalConfiguration={_configuration(system)}",
        "  mHasPermanentDpad=false",
        "  mTopFocusedDisplayId=0",
        f"  imeLayeringTarget in display# 0 {focus}",
        f"  imeInputTarget in display# 0 {focus}",
        *(SECOND_DISPLAY if "second-display" in system.habits.names else ()),
        f"  mCurrentFocus={focus}",
        f"  mFocusedApp=ActivityRecord{{{system.token('rec' + package)} u0 {package}/{short} t1}}",
        f"  mInputMethodWindow={keyboard}",
        *_lock_lines(system, str(locked).lower()),
        "  mSystemBooted=true mDisplayEnabled=true",
        f"  mRotation={system.device.rotation}",
        f"  mCurrentRotation=ROTATION_{system.device.rotation * 90}",
        "  Animation settings: disabled=false window=1.0 transition=1.0 animator=1.0",
    ]
    return "\n".join(lines)


def _lock_lines(system: System, locked: str) -> list[str]:
    if "old-lock" in system.habits.names:
        return [
            "    mShowingDream=false mDreamingLockscreen=false",
            "    KeyguardServiceDelegate",
            f"      showing={locked}",
            f"      showingAndNotOccluded={locked}",
            f"      mIsShowing={locked}",
        ]
    return ["  KeyguardController:", f"    mKeyguardShowing={locked}"]


def _window_displays(system: System) -> str:
    width, height = system.device.size
    natural = "x".join(str(side) for side in system.device.natural_size)
    package, short, full = _component(system)
    return "\n".join(
        [
            "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)",
            "  Display: mDisplayId=0 (organized)",
            f"    init={natural} {system.device.density}dpi cur={width}x{height} "
            f"app={width}x{height} rng={min(width, height)}x{min(width, height)}-"
            f"{max(width, height)}x{max(width, height)}",
            f"  mCurrentFocus=Window{{{system.token('win' + package)} u0 {package}/{full}}}",
            f"  mFocusedApp=ActivityRecord{{{system.token('rec' + package)} "
            f"u0 {package}/{short} t1}}",
            f"  mCurrentRotation=ROTATION_{system.device.rotation * 90}",
            f"  imeShowing={str(system.device.keyboard_shown).lower()}",
        ]
    )


def _activity(system: System, words: list[str]) -> str:
    match words[:1]:
        case [] | ["activities" | "a"]:
            return _activities(system)
        case ["top"]:
            package, short, _ = _component(system)
            return (
                f"TASK {package} id=1 userId=0\n"
                f"  ACTIVITY {package}/{short} {system.token('rec' + package)} "
                f"pid={system.pid(package)}\n"
                f"    Local Activity {system.token('act' + package)} State:\n"
                "      mResumed=true mStopped=false mFinished=false\n"
                "      mIsInMultiWindowMode=false mIsInPictureInPictureMode=false"
            )
        case ["recents"]:
            lines = ["ACTIVITY MANAGER RECENT TASKS (dumpsys activity recents)"]
            for number, (package, activity) in enumerate(system.device.tasks):
                token = system.token("task" + package)
                lines.append(
                    f"  * Recent #{number}: Task{{{token} #{number + 1} type=standard A={package}}}"
                )
                lines.append(f"    realActivity={{{package}/{activity}}}")
            return "\n".join(lines)
        case ["processes" | "p"]:
            lines = ["ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)"]
            lines += [f"  PID #{pid}: ProcessRecord {name}" for pid, _, name in system.running()]
            return "\n".join(lines)
        case ["services", *_]:
            return "ACTIVITY MANAGER SERVICES (dumpsys activity services)\n  (nothing)"
        case _:
            return f"Bad activity command, or no activities match: {words[0]}"


def _activities(system: System) -> str:
    front, short, full = _component(system)
    tasks = [(front, short), *(task for task in system.device.tasks if task[0] != front)]
    lines = [
        "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)",
        "Display #0 (activities from top to bottom):",
    ]
    for number, (package, activity) in enumerate(tasks, 1):
        top = package == front
        name = activity.removeprefix(package) if activity.startswith(package + ".") else activity
        record = f"ActivityRecord{{{system.token('rec' + package)} u0 {package}/{name} t{number}}}"
        kind = "home" if "launcher" in package else "standard"
        visible = str(top).lower()
        lines += [
            f"  * Task{{{system.token('task' + package)} #{number} type={kind} A={package} U=0 "
            f"visible={visible} visibleRequested={visible} mode=fullscreen "
            "translucent=false sz=1}",
            f"    mLastPausedActivity: {record}",
            f"    isSleeping={str(not system.device.awake).lower()}",
            *([f"    topResumedActivity={record}"] if top else []),
            f"    * Hist  #0: {record}",
            f"      packageName={package} processName={package}",
            f"      app=ProcessRecord{{{system.token(package)} {system.pid(package)}:{package}/"
            f"u0a{system.uid(package) - 10000}}}",
            "      Intent { act=android.intent.action.MAIN flg=0x10000000 "
            f"cmp={package}/{name} }}",
            f"      state={'RESUMED' if top else 'STOPPED'} finishing=false",
        ]
    focus = f"ActivityRecord{{{system.token('rec' + front)} u0 {front}/{short} t1}}"
    lines += [
        "",
        f"  ResumedActivity: {focus}",
        f"  mResumedActivity: {focus}",
        f"  mCurrentFocus=Window{{{system.token('win' + front)} u0 {front}/{full}}}",
        f"  mFocusedApp={focus}",
        "  KeyguardController:",
        "    mKeyguardShowing=false",
        "  mCurTaskIdForUser={0=1}",
    ]
    return "\n".join(lines)


def _display(system: System, words: list[str]) -> str:
    device = system.device
    width, height = device.size
    natural_width, natural_height = device.natural_size
    state = "ON" if device.awake else "OFF"
    info = (
        f'DisplayInfo{{"Built-in Screen", displayId 0, state {state}, FLAG_SECURE, real {width} x '
        f"{height}, largest app {max(width, height)} x {max(width, height)}, rotation "
        f"{device.rotation}, density {device.density} ({device.density}.0 x {device.density}.0) "
        f'dpi, layerStack 0, type INTERNAL, uniqueId "{UNIQUE_ID}"}}'
    )
    frame = f"Rect(0, 0 - {width}, {height})"
    viewport = (
        "DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, "
        f"uniqueId='{UNIQUE_ID}', physicalPort=0, orientation={device.rotation}, "
        f"logicalFrame={frame}, physicalFrame={frame}, deviceWidth={width}, "
        f"deviceHeight={height}}}"
    )
    return "\n".join(
        [
            "DISPLAY MANAGER (dumpsys display)",
            "  mSafeMode=false",
            "  mPendingTraversal=false",
            f"  mViewports=[{viewport}]",
            f"  mDefaultDisplayDefaultColorMode=0\n  mStableDisplaySize=Point({natural_width}, "
            f"{natural_height})",
            "",
            "Display Devices: size=1",
            f'  DisplayDeviceInfo{{"Built-in Screen": uniqueId="{UNIQUE_ID}", {natural_width} x '
            f"{natural_height}, modeId 1, defaultModeId 1, density {device.density}}}",
            "Logical Displays: size=1",
            "  Display 0:",
            "    mDisplayId=0",
            f"    mBaseDisplayInfo={info}",
            f"    mOverrideDisplayInfo={info}",
            "Display Power Controller:",
            f"  mScreenState={state}",
            f"  mGlobalDisplayState={state}",
        ]
    )


def _input(system: System, words: list[str]) -> str:
    device = system.device
    width, height = device.size
    side = device.natural_size
    across, down = side[0] * 10 - 1, side[1] * 10 - 1
    return "\n".join(
        [
            "INPUT MANAGER (dumpsys input)",
            "",
            "Input Manager State:",
            f"  Interactive: {str(device.awake).lower()}",
            "  Pointer Speed: 0",
            "Event Hub State:",
            "  BuiltInKeyboardId: -2",
            "  Devices:",
            "    2: demo_ts",
            "      Classes: KEYBOARD | TOUCH | TOUCH_MT",
            "      Path: /dev/input/event2",
            "      Enabled: true",
            "Input Reader State (Nums of device: 2):",
            "  Device 2: demo_ts",
            "    Sources: KEYBOARD | TOUCHSCREEN",
            "    Touch Input Mapper (mode - DIRECT):",
            "      Raw Touch Axes:",
            f"        X: min=0, max={across}, flat=0, fuzz=0, resolution=0",
            f"        Y: min=0, max={down}, flat=0, fuzz=0, resolution=0",
            f"      Viewport INTERNAL: displayId=0, uniqueId={UNIQUE_ID}, port=0, "
            f"orientation={device.rotation}, logicalFrame=[0, 0, {width}, {height}], "
            f"physicalFrame=[0, 0, {width}, {height}], deviceSize=[{width}, {height}], "
            "isActive=[1]",
            f"      SurfaceWidth: {width}px",
            f"      SurfaceHeight: {height}px",
            f"      SurfaceOrientation: {device.rotation}",
        ]
    )


def _power(system: System, words: list[str]) -> str:
    awake = system.device.awake
    stays_on = (system.device.setting("global", "stay_on_while_plugged_in") or "0") != "0"
    return "\n".join(
        [
            "POWER MANAGER (dumpsys power)",
            "",
            "Power Manager State:",
            f"  mWakefulness={'Awake' if awake else 'Asleep'}",
            "  mIsPowered=true",
            f"  mStayOn={str(stays_on).lower()}",
            f"  mHoldingWakeLockSuspendBlocker={str(awake).lower()}",
            f"  mHoldingDisplaySuspendBlocker={str(awake).lower()}",
            f"Display Power: state={'ON' if awake else 'OFF'}",
        ]
    )


def _battery(system: System, words: list[str]) -> str:
    if words:
        # Android takes `set`, `unplug` and `reset`; the battery of this phone cannot be changed.
        raise HandlerFailed(f"Unknown command: {words[0]}", 255)
    return "\n".join(
        [
            "Current Battery Service state:",
            "  AC powered: false",
            "  USB powered: true",
            "  Wireless powered: false",
            "  Dock powered: false",
            "  Max charging current: 500000",
            "  Max charging voltage: 5000000",
            "  Charge counter: 3480000",
            "  status: 2",
            "  health: 2",
            "  present: true",
            "  level: 87",
            "  scale: 100",
            "  voltage: 4231",
            "  temperature: 271",
            "  technology: Li-ion",
        ]
    )


def _package(system: System, words: list[str]) -> str:
    name = words[-1] if words else ""
    version = system.device.packages.get(name)
    if version is None:
        return f"Unable to find package: {name}" if name else "Packages:"
    numbers = [int(part) for part in version.split(".") if part.isdecimal()]
    code = sum(number * 1000 ** max(0, 2 - place) for place, number in enumerate(numbers[:3]))
    flags = "SYSTEM HAS_CODE ALLOW_CLEAR_USER_DATA" if is_system(name) else "HAS_CODE"
    return "\n".join(
        [
            "Packages:",
            f"  Package [{name}] ({system.token('pkg' + name)}):",
            f"    userId={system.uid(name)}",
            f"    codePath={apk_path(name).rpartition('/')[0]}",
            f"    versionCode={code or 1} minSdk=26 targetSdk=34",
            f"    versionName={version}",
            f"    signatures=PackageSignatures{{{system.token('sig' + name)} version:3, signatures:"
            f"[{system.token('cert' + name)}], past signatures:[]}}",
            f"    dataDir=/data/user/0/{name}",
            f"    pkgFlags=[ {flags} ]",
            "    firstInstallTime=2023-10-05 00:00:00",
            "    lastUpdateTime=2023-10-05 00:00:00",
            "    User 0: ceDataInode=1 installed=true hidden=false suspended=false stopped=false",
            "      runtime permissions:",
        ]
    )


def _alarm(system: System, words: list[str]) -> str:
    def since(seconds: float) -> str:
        rest = timedelta(seconds=int(seconds))
        hours, left = divmod(rest.seconds, 3600)
        text = f"+{rest.days}d" if rest.days else "+"
        thousandths = int(seconds * 1000) % 1000
        return f"{text}{hours}h{left // 60}m{left % 60}s{thousandths}ms"

    up = system.uptime_s()
    if "no-runtime-line" in system.habits.names:
        return "Current Alarm Manager state:\n  nowRTC=1"
    return "\n".join(
        [
            "Current Alarm Manager state:",
            f"  Runtime uptime (elapsed): {since(up)}",
            f"  Runtime uptime (uptime): {since(up - SUSPENDED_S)}",
        ]
    )


def _surface_flinger(system: System, words: list[str]) -> str:
    if words[:1] == ["--list"]:
        package, _, full = _component(system)
        names = ["StatusBar", "NavigationBar0", f"{package}/{full}"]
        shown = ["InputMethod"] if system.device.keyboard_shown else []
        return "\n".join(f"{name}#{number}" for number, name in enumerate(names + shown, 1))
    if words and words[0] != "--display-id":
        raise HandlerFailed(f"SurfaceFlinger: this phone does not know {words[0]}", 255)
    if words[:1] == ["--display-id"]:
        return f'Display {DISPLAY_ID} (HWC display 0): port=0 pnpId=DEM displayName="demo"'
    width, height = system.device.natural_size
    return "\n".join(
        [
            f'Display {DISPLAY_ID} (HWC display 0): port=0 pnpId=DEM displayName="demo"',
            f"  resolution={width}x{height}, refresh-rate : 60.00 fps",
        ]
    )


def _input_method(system: System, words: list[str]) -> str:
    shown = str(system.device.keyboard_shown).lower()
    return "\n".join(
        [
            "Current Input Method Manager state:",
            f"  mCurMethodId={IME} mCurSeq=1",
            f"  mInputShown={shown}",
            f"  mIsInputViewShown={shown}",
        ]
    )


def _meminfo(system: System, words: list[str]) -> str:
    return "Total RAM: 7,811,696K (status normal)\n Free RAM: 3,912,340K"


SERVICES: dict[str, Callable[[System, list[str]], str]] = {
    "SurfaceFlinger": _surface_flinger,
    "activity": _activity,
    "alarm": _alarm,
    "battery": _battery,
    "display": _display,
    "input": _input,
    "input_method": _input_method,
    "meminfo": _meminfo,
    "package": _package,
    "power": _power,
    "window": _window,
}


async def _dumpsys(process: Process) -> int:
    words = list(process.args)
    if words[:1] == ["-l"]:
        await process.say("Currently running services:")
        for name in SERVICES:
            await process.say(f"  {name}")
        return 0
    if words[:1] == ["-t"]:
        words = words[2:]
    if not words:
        raise HandlerFailed("dumpsys: name a service; dumpsys -l lists them")
    service = SERVICES.get(words[0])
    if service is None:
        raise HandlerFailed(f"Can't find service: {words[0]}", 0)
    await process.say(service(process.system, words[1:]))
    return 0


COMMANDS: dict[str, Handler] = {"dumpsys": _dumpsys}
