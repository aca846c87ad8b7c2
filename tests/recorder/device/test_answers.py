"""What phones print, in the forms of several Android versions and makers."""

from collections.abc import Callable

import pytest

from episodes.geometry import Size
from episodes.screens import Foreground
from recorder.device import answers

PLAIN = """\
  mCurrentFocus=Window{7a6b u0 org.example.mail/org.example.mail.ui.InboxActivity}
  mFocusedApp=ActivityRecord{168 u0 org.example.mail/.ui.InboxActivity t4}
"""
SHADE = """\
  mCurrentFocus=Window{1651 u0 NotificationShade}
  mFocusedApp=ActivityRecord{1f72 u0 org.example.camera/.Launcher} t12}
"""
OLD = """\
  mCurrentFocus=Window{4f5 u0 PopupWindow:41a}
  mFocusedApp=AppWindowToken{c1 token=Token{a3 ActivityRecord{2a u0 org.example.web/.Main t7}}}
"""
TWO_DISPLAYS = """\
  mCurrentFocus=null
  mFocusedApp=null
  mCurrentFocus=Window{99 u10 org.example.work/org.example.work.Inner$Screen}
"""


FLIP = """\
  mCurrentFocus=null
  mFocusedApp=ActivityRecord{14d88c3 u0 com.android.systemui/.subscreen.SubHomeActivity t9}
  mCurrentFocus=Window{2785a60 u0 PopupWindow:b1c2}
  mFocusedApp=ActivityRecord{d72327 u0 org.example.app/.MainActivity t409}
"""
DESK = """\
  Display: mDisplayId=2
  mCurrentFocus=Window{aa u0 org.example.desk/org.example.desk.Desktop}
  mFocusedApp=ActivityRecord{b u0 org.example.desk/.Desktop t3}
  Display: mDisplayId=0 (organized)
  mCurrentFocus=Window{2785a60 u0 org.example.app/org.example.app.MainActivity}
  mFocusedApp=ActivityRecord{d72327 u0 org.example.app/.MainActivity t409}
"""
MAIN_FIRST = "".join(DESK.splitlines(True)[3:] + DESK.splitlines(True)[:3])
LISTED = """\
  Window #0 Window{aa u0 org.example.desk/org.example.desk.Desktop}:
    mDisplayId=2 mSession=Session{1}
  Window #1 Window{2785a60 u0 org.example.app/org.example.app.MainActivity}:
    mDisplayId=0 mSession=Session{2}
  mCurrentFocus=Window{2785a60 u0 org.example.app/org.example.app.MainActivity}
  mCurrentFocus=Window{aa u0 org.example.desk/org.example.desk.Desktop}
"""
MAIN = Foreground("org.example.app", "org.example.app.MainActivity")


def test_the_app_of_another_display_is_found_when_that_is_mirrored() -> None:
    assert answers.foreground(DESK, 2) == Foreground("org.example.desk", "org.example.desk.Desktop")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (FLIP, MAIN),
        (DESK, MAIN),
        (MAIN_FIRST, MAIN),
        (LISTED, MAIN),
        (PLAIN, Foreground("org.example.mail", "org.example.mail.ui.InboxActivity")),
        (SHADE, Foreground("org.example.camera", "org.example.camera.Launcher")),
        (OLD, Foreground("org.example.web", "org.example.web.Main")),
        (TWO_DISPLAYS, Foreground("org.example.work", "org.example.work.Inner$Screen")),
        ("  mCurrentFocus=null\n  mFocusedApp=null\n", None),
        ("", None),
    ],
)
def test_the_app_in_front_is_found(text: str, expected: Foreground | None) -> None:
    assert answers.foreground(text) == expected


WORDS = """\
  Window #3 Window{aab u0 StatusBar}:
      fl=NOT_FOCUSABLE HARDWARE_ACCELERATED
    isVisible=true
  Window #4 Window{4ba u0 org.example.bank/org.example.bank.Main}:
      fl=LAYOUT_IN_SCREEN SECURE HARDWARE_ACCELERATED
        fl=LAYOUT_IN_SCREEN
    isVisible=true
  mCurrentFocus=Window{4ba u0 org.example.bank/org.example.bank.Main}
"""
NUMBER = """\
  Window #1 Window{4f5 u0 org.example.bank/org.example.bank.Main}:
    mAttrs=WM.LayoutParams{(0,0)(fillxfill) sim=#20 ty=1 fl=#81812100 pfl=0x20000}
  mCurrentFocus=Window{4f5 u0 org.example.bank/org.example.bank.Main}
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (WORDS, True),
        (WORDS.replace("isVisible=true\n  mC", "isVisible=false\n  mC"), False),
        (WORDS.replace("SECURE", "SECURED"), False),
        (NUMBER, True),
        (NUMBER.replace("mCurrentFocus=Window{4f5", "mCurrentFocus=Window{4f6"), False),
        (NUMBER.replace("#81812100", "#81810100"), False),
        (PLAIN, False),
        ("", False),
    ],
)
def test_a_window_that_shows_and_forbids_pictures_is_found(text: str, expected: bool) -> None:
    assert answers.protected(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("      SurfaceOrientation: 3\n", 3),
        ("DisplayViewport{type=INTERNAL, valid=true, displayId=0, orientation=1, logical...", 1),
        ("Viewport INTERNAL: displayId=0, uniqueId=local:46, port=0, orientation=2, logica", 2),
        ("  Viewport: displayId=0, orientation=0, uniqueId='', logicalFrame=[0, 0, 19]", 0),
        ("  mCurrentRotation=ROTATION_90\n  mRotation=ROTATION_270\n", 3),
        ("  mRotation=1\n", 1),
        ("    touch.orientation.calibration: none\n", None),
    ],
)
def test_quarter_turns_are_found_in_every_form(text: str, expected: int | None) -> None:
    assert answers.rotation(text) == expected


def test_an_override_is_the_size_and_density_that_count() -> None:
    physical = "Physical size: 1080x2400\n"
    assert answers.screen_size(physical) == Size(1080, 2400)
    assert answers.screen_size(physical + "Override size: 720x1600\n") == Size(720, 1600)
    assert answers.screen_size("Physical size: 0x0\n") is None
    assert answers.density("Physical density: 420\nOverride density: 320\n") == 320
    assert answers.density("error\n") is None


def test_properties_may_have_several_lines() -> None:
    text = "[ro.product.model]: [Pixel 7]\n[a.b]: [one\ntwo]\n[empty]: []\nnonsense\n"
    assert answers.properties(text) == {
        "ro.product.model": "Pixel 7",
        "a.b": "one\ntwo",
        "empty": "",
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0.5\n", 0.5), ("null\n", 1.0), ("", 1.0), ("0\n", 0.0), ("fast\n", None), ("-1\n", None)],
)
def test_an_animation_scale_that_is_not_set_is_one(text: str, expected: float | None) -> None:
    assert answers.scale(text) == expected


def test_app_names_come_out_of_the_servers_list() -> None:
    text = (
        "[server] INFO: Device: [Maker] Phone (Android 14)\n[server] INFO: List of apps:\n"
        " * Clock                          org.example.clock\n"
        " - My Mail App                    org.example.mail\n"
        " * Digital Wellbeing and parental controls\n"
        "                                   org.example.wellbeing\n"
        " - A name that is made of exactly thirty\n"
        "                                   org.example.thirty\n"
        " - 联系人                            org.example.contacts\n"
    )
    assert answers.app_names(text) == {
        "org.example.clock": "Clock",
        "org.example.mail": "My Mail App",
        "org.example.wellbeing": "Digital Wellbeing and parental controls",
        "org.example.thirty": "A name that is made of exactly thirty",
        "org.example.contacts": "联系人",
    }


def test_other_scrcpy_servers_are_found_by_their_sessions() -> None:
    text = (
        "  PID ARGS\n"
        " 4711 sh -c CLASSPATH=/data/a.jar app_process / com.genymobile.scrcpy.Server 3 scid=0a1b\n"
        " 4712 app_process / com.genymobile.scrcpy.Server 3.3.4 scid=0a1b log_level=info\n"
        " 4713 app_process / com.genymobile.scrcpy.Server 1.25 log_level=info\n"
        " 4714 app_process / com.genymobile.scrcpy.Server 3.3.4 scid=0c list_apps=true\n"
        " 4715 grep com.genymobile.scrcpy.Server\n"
    )
    assert answers.scrcpy_sessions(text) == {"0a1b", ""}


def test_time_awake_is_uptime_without_time_asleep() -> None:
    alarms = (
        "  Runtime uptime (elapsed): +1d2h3m4s567ms\n  Runtime uptime (uptime): +1d1h3m4s67ms\n"
    )
    assert answers.uptime_us("93784.56 12345.00\n") == 93_784_560_000
    assert answers.asleep_us(alarms) == 3_600_500_000
    assert answers.asleep_us("  Runtime uptime (elapsed): +5s\n") is None
    assert answers.uptime_us("cat: not found") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mDreamingLockscreen=true\n isKeyguardShowing=false\n mKeyguardShowing=true", False),
        ("    KeyguardServiceDelegate\n      showing=true\n      mIsShowing=true\n", True),
        ("      showing=false\n      showingAndNotOccluded=true\n", False),
        ("    isKeyguardShowing=true\n    isKeyguardShowing=false\n", None),
        ("  mShowingLockscreen=true mShowingDream=false", True),
        ("nothing", None),
    ],
)
def test_the_lock_screen_is_seen(text: str, expected: bool | None) -> None:
    assert answers.locked(text) is expected


DIGITS = "9" * 5000


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        (answers.sdk, DIGITS),
        (answers.sdk, "²"),
        (answers.screen_size, f"Physical size: {DIGITS}x{DIGITS}"),
        (answers.screen_size, "Physical size: 99999x99999"),
        (answers.density, f"Physical density: {DIGITS}"),
        (answers.uptime_us, f"{DIGITS}.00 1.00"),
        (answers.asleep_us, f"Runtime uptime (elapsed): +{DIGITS}d\nRuntime uptime (uptime): +1s"),
        (answers.scale, DIGITS),
    ],
)
def test_a_number_that_no_phone_can_mean_is_not_returned(
    parse: Callable[[str], object], text: str
) -> None:
    assert parse(text) is None


def test_a_protected_window_of_another_display_hides_nothing() -> None:
    away = WORDS.replace("      fl=LAYOUT_IN", "    mDisplayId=3 mSession=S\n      fl=LAYOUT_IN", 1)
    assert not answers.protected(away)
    assert answers.protected(away, 3)


def test_flags_of_thousands_of_digits_forbid_no_pictures() -> None:
    assert not answers.protected(NUMBER.replace("fl=#81812100", f"fl=#{DIGITS}"))
