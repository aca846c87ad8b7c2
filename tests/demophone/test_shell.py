"""The shell's grammar and its commands, on a phone in this process."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demophone.filesystem import FileSystem
from demophone.shell.commands import COMMANDS
from demophone.shell.grammar import ShellSyntaxError, parse
from demophone.shell.interpreter import Collected, Nothing, Shell, Streams
from demophone.streams import Channel
from demophone.system import System
from tests.demophone.flat_phone import FlatPhone


@pytest.fixture
def system(tmp_path: Path) -> System:
    found = System(FlatPhone(), FileSystem(tmp_path / "root"), deterministic=True)
    found.mount()
    return found


def run(system: System, script: str, data: bytes | None = None) -> tuple[int, str, str]:
    """Status, stdout and stderr of a script."""

    async def work() -> tuple[int, str, str]:
        out, err = Collected(), Collected()
        stdin: Channel | Nothing = Nothing()
        if data is not None:
            stdin = Channel()
            stdin.feed(data)
            stdin.end()
        status = await Shell(system, COMMANDS).run(script, Streams(stdin, out, err))
        return status, out.data.decode(), err.data.decode()

    return asyncio.run(work())


@pytest.mark.parametrize(
    ("script", "status", "out"),
    [
        ("", 0, ""),
        ("echo a b   c", 0, "a b c\n"),
        ("echo 'a b'  \"c  d\" e\\ f", 0, "a b c  d e f\n"),
        ("echo 'a\"b' \"a'b\" \"a\\\"b\"", 0, "a\"b a'b a\"b\n"),
        ("echo a; echo b", 0, "a\nb\n"),
        ("echo a\necho b\n", 0, "a\nb\n"),
        ("true && echo yes || echo no", 0, "yes\n"),
        ("false && echo yes || echo no", 0, "no\n"),
        ("false || false; echo $?", 0, "1\n"),
        ("! true; echo $?", 0, "1\n"),
        ("exit 7; echo never", 7, ""),
        ("if true; then echo a; else echo b; fi", 0, "a\n"),
        ("if false; then echo a; elif true\nthen echo b; else echo c; fi; echo d", 0, "b\nd\n"),
        ("if [ -d /nowhere ]; then echo a; fi; echo $?", 0, "0\n"),
        ("if true; then if false; then echo a; else echo b; fi; fi > /dev/null", 0, ""),
        ("echo if then fi iffy", 0, "if then fi iffy\n"),
        ("echo a # a comment", 0, "a\n"),
        ("echo a#b", 0, "a#b\n"),
        ("A=1; echo $A ${A}b ${B:-none}", 0, "1 1b none\n"),
        ("A='x  y'; echo $A \"$A\"", 0, "x y x  y\n"),
        ("A=1 env | grep ^A=", 0, "A=1\n"),
        ("A=1 echo $A", 0, "\n"),
        ("export A=5; env | grep -c ^A=", 0, "1\n"),
        ("echo \"$UNSET\" end", 0, " end\n"),
        ("echo $(echo inner) `echo old`", 0, "inner old\n"),
        ("echo \"$(echo a; echo b)\"", 0, "a\nb\n"),
        ("A=$(false); echo $?", 0, "1\n"),
        ("sh -c 'echo in; exit 3'; echo $?", 0, "in\n3\n"),
        ("exec echo last; echo never", 0, "last\n"),
        ("(cd /sdcard; pwd); pwd", 0, "/sdcard\n/\n"),
        ("{ echo a; echo b; } | wc -l", 0, "2\n"),
        ("echo out 2>/dev/null", 0, "out\n"),
        ("ls /nowhere 2>/dev/null; echo $?", 0, "1\n"),
        ("ls /nowhere 2>&1", 1, "ls: /nowhere: No such file or directory\n"),
        ("ls /nowhere >/dev/null 2>&1; echo $?", 0, "1\n"),
        ("ls /nowhere &>/dev/null; echo $?", 0, "1\n"),
        ("cd /data/local/tmp; echo one > f; echo two >> f; cat f; wc -c < f", 0, "one\ntwo\n8\n"),
        ("echo b > /sdcard/x; echo a >> /sdcard/x; sort < /sdcard/x | head -n 1", 0, "a\n"),
        ("printf 'a\\nb\\nc\\n' | tail -1", 0, "c\n"),
        ("printf 'b\\na\\nb\\n' | sort -u | tr -d '\\n'", 0, "ab"),
        ("echo aXb | grep -i x | grep -v y | wc -l", 0, "1\n"),
        ("echo a.b | grep -o 'a\\.b'", 0, "a.b\n"),
        ("echo aab | grep -E 'a+b' && echo 'a+b' | grep 'a+b'", 0, "aab\na+b\n"),
        ("cd /sdcard; touch b.xml a.xml c.txt; echo *.xml '*.xml' none*", 0,
         "a.xml b.xml *.xml none*\n"),
        ("[ -f /system/build.prop ] && [ ! -e /nowhere ] && test 3 -gt 2 && echo ok", 0, "ok\n"),
        ("[ a = b ] || [ a != b ] && echo differ", 0, "differ\n"),
        ("toybox echo via toybox; which ls", 0, "via toybox\n/system/bin/ls\n"),
        ("cat nothing 2>&1 || echo failed", 0, "cat: nothing: No such file or directory\nfailed\n"),
        ("CLASSPATH=/x.jar echo $CLASSPATH", 0, "\n"),
        ("echo $((1)) ", 1, ""),
    ],
)  # fmt: skip
def test_scripts(system: System, script: str, status: int, out: str) -> None:
    assert run(system, script)[:2] == (status, out)


@given(st.text(alphabet="ab=1 \n'\"\\\\$`(){}|&;<>#!*?-", max_size=40))
def test_any_text_is_a_script_or_a_syntax_error(text: str) -> None:
    try:
        parse(text)
    except ShellSyntaxError as error:
        assert str(error).startswith("syntax error: ")  # noqa: PT017 - both ways are fine


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("echo 'open", "/system/bin/sh: syntax error: no closing quote"),
        ('echo "open', "/system/bin/sh: syntax error: no closing quote"),
        ("echo $(echo", "/system/bin/sh: syntax error: unmatched '$('"),
        ("a ||", "/system/bin/sh: syntax error: unexpected end after '||'"),
        ("| a", "/system/bin/sh: syntax error: unexpected '|'"),
        ("sleep 1 &", "/system/bin/sh: syntax error: commands in the background are not supported"),
        ("for a in b; do c; done", "/system/bin/sh: syntax error: 'for' is not supported"),
        ("if true; then", "/system/bin/sh: syntax error: unmatched 'if'"),
        ("if true; fi", "/system/bin/sh: syntax error: unexpected 'fi'"),
        ("if ; then a; fi", "/system/bin/sh: syntax error: unexpected ';'"),
        ("echo >", "/system/bin/sh: syntax error: unexpected end after '>'"),
        ("(" * 50 + ")" * 50, "/system/bin/sh: syntax error: nested too deeply"),
        ("echo ${1x}", "/system/bin/sh: syntax error: ${1x}: bad substitution"),
    ],
)
def test_what_the_grammar_lacks_is_said_in_words(
    system: System, script: str, complaint: str
) -> None:
    assert run(system, script) == (1, "", complaint + "\n")


def test_scripts_that_start_themselves_come_to_an_end(system: System) -> None:
    system.files.write("/data/local/tmp/loop.sh", b"sh /data/local/tmp/loop.sh")
    status, out, err = run(system, "sh /data/local/tmp/loop.sh")
    assert (status, out, err) == (1, "", "/system/bin/sh: scripts nest too deeply\n")


def test_an_unknown_command_is_not_found(system: System) -> None:
    complaint = "/system/bin/sh: foo: inaccessible or not found\n"
    assert run(system, "foo --bar; echo $?") == (0, "127\n", complaint)


def test_nothing_of_the_computer_can_be_started(system: System, tmp_path: Path) -> None:
    for script in ("/bin/touch {0}", "/usr/bin/touch {0}", "../../../bin/touch {0}", "echo > {0}"):
        run(system, script.format(tmp_path / "made"))
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("script", "status", "out"),
    [
        ("id -un; whoami", 0, "shell\nshell\n"),
        ("getprop ro.product.model", 0, "Demo Phone\n"),
        ("getprop | grep -c '^\\[ro.build.version.sdk\\]: \\[34\\]$'", 0, "1\n"),
        ("wm size; wm density", 0, "Physical size: 320x640\nPhysical density: 160\n"),
        ("echo -n hello > /sdcard/f; stat -c %s /storage/emulated/0/f", 0, "5\n"),
        ("settings get system screen_brightness; settings get global nothing", 0, "128\nnull\n"),
        ("settings put secure a 5; settings get secure a", 0, "5\n"),
        ("pm path org.example.notes", 0,
         "package:/data/app/~~demo==/org.example.notes-demo==/base.apk\n"),
        ("pm path no.such.app", 1, ""),
        ("pm clear no.such.app", 1, "Failed\n"),
        ("pidof com.android.systemui", 0, "1104\n"),
        ("pidof nothing", 1, ""),
        ("ime list -s", 0, "com.android.inputmethod.latin/.LatinIME\n"),
        ("cmd package list packages -3; cmd activity get-current-user", 0,
         "package:org.example.notes\n0\n"),
        ("content query --uri content://settings/system/screen_brightness", 0,
         "Row: 0 _id=1, name=screen_brightness, value=128\n"),
        ("echo -n abc | md5sum -b; echo -n abc | sha256sum | head -c 8", 0,
         "900150983cd24fb0d6963f7d28e17f72\nba7816bf"),
        ("mkdir -p /sdcard/a/b; echo x > /sdcard/a/b/c; cp -r /sdcard/a /sdcard/d;"
         " mv /sdcard/d/b/c /sdcard/e; ls /sdcard/d/b /sdcard/e; rm -r /sdcard/a; ls -d /sdcard/a",
         1, "/sdcard/e\n\n/sdcard/d/b:\n"),
        ("cp -r /sdcard /sdcard/self", 1, ""),
        ("rm /system/build.prop", 1, ""),
        ("rm -f /nowhere", 0, ""),
        ("test $(date +%s) -gt 1600000000 && echo later", 0, "later\n"),
        ("am start -W -n org.example.notes/org.example.notes.EditActivity | grep ^Activity", 0,
         "Activity: org.example.notes/.EditActivity\n"),
        ("cat /sdcard; cat /sdcard/none; echo $?", 0, "1\n"),
        ("echo a | tee /system/x", 1, ""),
        ("readlink -f $(printf 'x\\0y')", 1, ""),
        ("echo '!' | base64 -d; echo abc | base64 | base64 -d", 0, "abc\n"),
        ("am start -n no.such/.App", 1, "Starting: Intent { cmp=no.such/.App }\n"),
        ("screenrecord /sdcard/v.mp4", 1, ""),
        ("uiautomator dump", 0, "UI hierchary dumped to: /sdcard/window_dump.xml\n"),
        ("uiautomator dump /data/local/tmp/u.xml >/dev/null; head -c 5 /data/local/tmp/u.xml", 0,
         "<?xml"),
        ("input keyevent NO_SUCH_KEY", 255, ""),
        ("input tap 1", 255, ""),
        ("sendevent /dev/input/event2 0 0 0", 1, ""),
        ("cat /proc/uptime | wc -w", 0, "2\n"),
    ],
)  # fmt: skip
def test_commands(system: System, script: str, status: int, out: str) -> None:
    assert run(system, script)[:2] == (status, out)


def test_foreground_and_keyboard_stand_in_the_window_dump(system: System) -> None:
    run(system, "am start -W -n com.android.contacts/.EditorActivity")
    _, dump, _ = run(system, "dumpsys window windows")
    token = system.token("wincom.android.contacts")
    focus = (
        f"  mCurrentFocus=Window{{{token} u0 "
        "com.android.contacts/com.android.contacts.EditorActivity}"
    )
    assert focus in dump.splitlines()
    record = system.token("reccom.android.contacts")
    app = f"  mFocusedApp=ActivityRecord{{{record} u0 com.android.contacts/.EditorActivity t1}}"
    assert app in dump.splitlines()


def test_keys_combine_with_their_meta_states(system: System) -> None:
    assert run(system, "input keycombination 113 29") == (0, "", "")
    assert isinstance(system.device, FlatPhone)
    assert system.device.calls == [
        ("key", 113, True, 0x3000, "shell"),
        ("key", 29, True, 0x3000, "shell"),
        ("key", 29, False, 0x3000, "shell"),
        ("key", 113, False, 0x3000, "shell"),
    ]


def test_text_with_blanks_as_percent_s_and_no_key_for_chinese(system: System) -> None:
    assert run(system, "input text 'a%sb c'") == (0, "", "")
    status, _, err = run(system, "input text 'a中'")
    assert (status, "NullPointerException" in err) == (255, True)
    assert isinstance(system.device, FlatPhone)
    assert system.device.calls == [("text", "a b c", "shell")]


def test_uptime_and_alarms_tell_how_long_the_phone_slept(system: System) -> None:
    _, alarms, _ = run(system, "dumpsys alarm")
    lines = [line.partition(": +")[2] for line in alarms.splitlines() if "Runtime" in line]

    def seconds(text: str) -> float:
        days, _, text = text.rpartition("d")
        hours, _, text = text.partition("h")
        minutes, _, text = text.partition("m")
        whole, _, thousandths = text.removesuffix("ms").partition("s")
        return (
            int(days or 0) * 86400
            + int(hours) * 3600
            + int(minutes) * 60
            + int(whole)
            + int(thousandths) / 1000
        )

    elapsed, up = (seconds(line) for line in lines)
    assert round(elapsed - up, 2) == 1234.5
    assert abs(up - system.device.now_us() / 1e6) < 5


def test_the_touch_panel_is_listed_as_protocol_b_in_natural_orientation(system: System) -> None:
    system.device.rotate()
    _, listed, _ = run(system, "getevent -pl")
    assert listed.splitlines()[:14] == [
        "add device 1: /dev/input/event2",
        '  name:     "demo_ts"',
        "  events:",
        "    KEY (0001): BTN_TOOL_FINGER       BTN_TOUCH",
        "    ABS (0003): ABS_MT_SLOT           : value 0, min 0, max 9, fuzz 0, flat 0, "
        "resolution 0",
        "                ABS_MT_TOUCH_MAJOR    : value 0, min 0, max 255, fuzz 0, flat 0, "
        "resolution 0",
        "                ABS_MT_POSITION_X     : value 0, min 0, max 3199, fuzz 0, flat 0, "
        "resolution 0",
        "                ABS_MT_POSITION_Y     : value 0, min 0, max 6399, fuzz 0, flat 0, "
        "resolution 0",
        "                ABS_MT_TRACKING_ID    : value 0, min 0, max 65535, fuzz 0, flat 0, "
        "resolution 0",
        "                ABS_MT_PRESSURE       : value 0, min 0, max 255, fuzz 0, flat 0, "
        "resolution 0",
        "  input props:",
        "    INPUT_PROP_DIRECT",
        "add device 2: /dev/input/event1",
        '  name:     "gpio-keys"',
    ]


@pytest.mark.parametrize(
    ("fault", "status", "out", "err"),
    [
        ("dump-fails=idle", 0, "", "ERROR: could not get idle state.\n"),
        (
            "dump-fails=root",
            0,
            "",
            "ERROR: null root node returned by UiTestAutomationBridge.\n",
        ),
        ("dump-fails=killed", 137, "", "Killed \n"),
        ("dump-slow=30", 0, "UI hierchary dumped to: /sdcard/d.xml\n", ""),
    ],
)
def test_tree_dumps_fail_as_on_real_phones(
    tmp_path: Path, fault: str, status: int, out: str, err: str
) -> None:
    device = FlatPhone(faults=frozenset([fault]))
    system = System(device, FileSystem(tmp_path), deterministic=True)
    assert run(system, "uiautomator dump /sdcard/d.xml") == (status, out, err)
    assert (tmp_path / "storage/emulated/0/d.xml").exists() == bool(out)


def test_a_tree_dump_takes_the_seeded_time_of_a_phone(tmp_path: Path) -> None:
    device = FlatPhone(seed=1)
    expected = 0.3 + 2.7 * FlatPhone(seed=1).random("uiautomator dump")
    system = System(device, FileSystem(tmp_path))
    before = device.now_us()
    assert run(system, "uiautomator dump /dev/tty")[0] == 0
    assert device.now_us() - before >= expected * 1e6


def test_stdin_of_a_command(system: System) -> None:
    assert run(system, "cat | wc -c", b"12345") == (0, "5\n", "")
    assert run(system, "sh", b"echo from stdin") == (0, "from stdin\n", "")


def test_find_lists_by_name_kind_and_depth_and_deletes_what_it_found(system: System) -> None:
    run(system, "mkdir -p /sdcard/f/sub; touch /sdcard/f/a.txt /sdcard/f/sub/b.txt /sdcard/f/c.md")

    def found(words: str) -> list[str]:
        status, out, err = run(system, f"find /sdcard/f {words}")
        assert (status, err) == (0, "")
        return [line.removeprefix("/sdcard/f") for line in out.splitlines()]

    assert found("") == ["", "/a.txt", "/c.md", "/sub", "/sub/b.txt"]
    assert found("-type f -name '*.txt'") == ["/a.txt", "/sub/b.txt"]
    assert found("-mindepth 1 -maxdepth 1 ! -type d") == ["/a.txt", "/c.md"]
    assert found("\\( -name a.txt -o -name '*.md' \\) -print") == ["/a.txt", "/c.md"]
    assert found("-name sub -empty") == []
    assert found("-mindepth 1 -type f -delete") == []
    assert found("") == ["", "/sub"]
    assert run(system, "find /sdcard/f -frob")[0] == 1
    assert run(system, "find /nowhere")[0] == 1


def test_a_service_answers_a_call_and_an_unknown_one_does_not_exist(system: System) -> None:
    assert run(system, "service call alarm 3 s16 UTC")[:2] == (
        0,
        "Result: Parcel(00000000    '....')\n",
    )
    assert run(system, "service call nothing 1")[0] == 10


def test_the_app_in_front_and_the_rotation_are_told_as_on_android_14(system: System) -> None:
    _, out, _ = run(system, "am stack list | grep visible=true")
    assert "visible=true topActivity=ComponentInfo{" in out
    assert "mCurrentRotation=ROTATION_0" in run(system, "dumpsys window")[1]


def test_a_folder_s_content_is_copied_into_another_and_times_are_told_in_full(
    system: System,
) -> None:
    script = "mkdir /sdcard/p /sdcard/q; echo x > /sdcard/p/x; cp -a /sdcard/p/. /sdcard/q/; "
    assert run(system, script + "ls /sdcard/q")[:2] == (0, "x\n")
    assert ".000000000 +0000 x" in run(system, "ls -ll /sdcard/q")[1]
    assert run(system, "restorecon -R /sdcard/q")[0] == 0


def test_folders_are_listed_with_all_they_hold(system: System) -> None:
    run(system, "mkdir -p /sdcard/Top/In/Deep; echo x > /sdcard/Top/In/a; echo y > /sdcard/Top/b")
    assert run(system, "ls -R /sdcard/Top") == (
        0,
        "/sdcard/Top:\nIn\nb\n\n/sdcard/Top/In:\nDeep\na\n\n/sdcard/Top/In/Deep:\n",
        "",
    )


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("ls -Z /sdcard", "ls: Unknown option 'Z'"),
        ("dumpsys battery set level 5", "Unknown command: set"),
        ("dumpsys SurfaceFlinger --latency", "this phone does not know --latency"),
        ("find /sdcard -perm 700", "find:"),
    ],
)
def test_a_switch_that_would_change_the_answer_is_refused(
    system: System, script: str, problem: str
) -> None:
    status, out, err = run(system, script)
    assert status != 0
    assert out == ""
    assert problem in err


def test_layers_are_listed_by_their_names(system: System) -> None:
    _, out, _ = run(system, "dumpsys SurfaceFlinger --list")
    assert out.splitlines()[:2] == ["StatusBar#1", "NavigationBar0#2"]
