"""The unmodified uiautomator2 package on the demo phone, and its resident server by itself."""

from __future__ import annotations

import json
import re
import socket
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import numpy as np
import pytest
import uiautomator2
from uiautomator2.core import launch_uiautomator
from uiautomator2.exceptions import RPCUnknownError, UiObjectNotFoundError

from tests.demophone.phones import AdbServer, RunningPhone, start_phone

CONTACTS = "com.taptrail.demo.contacts"
VAULT = "com.taptrail.demo.vault"
SERVER = "CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main"


@pytest.fixture(scope="module")
def running(
    adb_server: AdbServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[RunningPhone, uiautomator2.Device]]:
    """One phone with its driver for all tests; each begins at the home screen."""
    folder = tmp_path_factory.mktemp("uiautomator2") / "phone"
    wishes = ("--size", "360x800", "--density", "140", "--seed", "7", "--deterministic")
    phone = start_phone(adb_server, folder, *wishes)
    phone.connect()
    driver = uiautomator2.Device(phone.device)
    yield phone, driver
    _stop(driver)
    phone.stop()
    adb_server.run("disconnect", phone.serial)


@pytest.fixture
def phone(running: tuple[RunningPhone, uiautomator2.Device]) -> RunningPhone:
    running[0].shell("input keyevent 3")
    return running[0]


@pytest.fixture
def driver(
    phone: RunningPhone, running: tuple[RunningPhone, uiautomator2.Device]
) -> uiautomator2.Device:
    return running[1]


def _stop(driver: uiautomator2.Device) -> None:
    """Ends the server as the package does, without its wait of seconds for a blocked thread."""
    process = driver._process
    process._conn.conn.shutdown(socket.SHUT_RDWR)
    driver.stop_uiautomator()


def _centre(xml: str, text: str) -> tuple[int, int]:
    found = re.search(rf'text="{text}"[^>]*bounds="\[(\d+),(\d+)\]\[(\d+),(\d+)\]"', xml)
    assert found is not None
    left, top, right, bottom = map(int, found.groups())
    return (left + right) // 2, (top + bottom) // 2


def _ask(phone: RunningPhone, text: bytes, answers: int = 1) -> bytes:
    """What the server answers to these bytes; not more than so many answers."""
    with closing(phone.device.create_connection("tcp", 9008)) as connection:
        connection.sendall(text)
        said = b""
        while len(re.findall(rb"\r\n\r\n", said)) < answers or not _whole(said):
            part = connection.recv(65536)
            if not part:
                break
            said += part
        return said


def _whole(said: bytes) -> bool:
    """Whether the last answer is there up to its end."""
    head, _, body = said.rpartition(b"\r\n\r\n")
    length = re.findall(rb"Content-Length: (\d+)", head)[-1]
    return len(body) >= int(length)


def _call(phone: RunningPhone, body: bytes) -> dict[str, Any]:
    head = f"POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    answer = _ask(phone, head + body)
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    made: dict[str, Any] = json.loads(answer.partition(b"\r\n\r\n")[2])
    return made


def test_the_package_connects_reads_and_touches(
    phone: RunningPhone, driver: uiautomator2.Device
) -> None:
    info = driver.info
    assert (info["displayWidth"], info["displayHeight"]) == (360, 800)
    assert info["currentPackageName"] == "com.taptrail.demo.launcher"
    driver.click(*_centre(driver.dump_hierarchy(), "Contacts"))
    assert driver(text="Dana Rook").wait(timeout=10)
    assert driver.app_current()["package"] == CONTACTS
    driver(text="New contact").click()
    assert driver(resourceId=f"{CONTACTS}:id/first_name").wait(timeout=10)
    driver(resourceId=f"{CONTACTS}:id/first_name").set_text("Zoë")
    driver(className="android.widget.EditText", instance=2).set_text("555 0142")
    driver(textMatches="S.ve").click()
    assert driver(textContains="search 48").wait_gone(timeout=10)
    assert driver.last_toast == "Contact saved"
    driver.press("home")
    assert driver(description="Contacts").exists
    touches = [line for line in phone.truth("input") if line["kind"] == "touch"]
    assert touches[0]["element"]["id"] == "launcher/home/icon-contacts"
    assert {line["source"] for line in touches} == {"shell"}


def test_a_dump_holds_all_windows_and_says_what_is_seen(driver: uiautomator2.Device) -> None:
    driver(text="Contacts").click()
    driver(text="New contact").click()
    assert driver(text="First name").wait(timeout=10)
    driver(text="First name").click()
    assert driver(packageName="com.taptrail.demo.keyboard").wait(timeout=10)
    xml = driver.dump_hierarchy()
    assert xml.startswith("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\r\n<hierarchy")
    windows = list(ElementTree.fromstring(xml))
    assert [window.attrib["package"].rpartition(".")[2] for window in windows] == [
        "contacts",
        "keyboard",
        "systemui",
        "systemui",
    ]
    assert [window.attrib["index"] for window in windows] == ["0", "1", "2", "3"]
    assert {node.attrib["visible-to-user"] for node in windows[0].iter("node")} == {"true"}
    shallow = list(ElementTree.fromstring(driver.dump_hierarchy(max_depth=2)).iter("node"))
    assert len(shallow) < len(list(ElementTree.fromstring(xml).iter("node")))


def test_shell_log_and_screen_show_one_clock(
    phone: RunningPhone, driver: uiautomator2.Device
) -> None:
    def shell() -> str:
        return phone.shell("date '+%m-%d %H:%M'").strip()

    clock = driver(resourceIdMatches=".*:id/clock")
    before, shown, logged, after = (
        shell(),
        clock.get_text(),
        phone.shell("logcat -d").splitlines()[1],
        shell(),
    )
    assert shown in (before.split()[1], after.split()[1])
    assert logged[:11] in (before, after)


def test_screenshots_are_what_the_screen_shows(
    phone: RunningPhone, driver: uiautomator2.Device
) -> None:
    seen = np.asarray(driver.screenshot().convert("RGB")).astype(int)
    real = np.asarray(phone.device.screenshot().convert("RGB")).astype(int)
    assert seen.shape == real.shape == (800, 360, 3)
    assert np.abs(seen - real).mean() < 3


def test_a_protected_screen_is_black_and_still_has_its_tree(
    phone: RunningPhone, driver: uiautomator2.Device
) -> None:
    driver.app_start(VAULT)
    assert "SECURE" not in phone.shell("dumpsys window windows")
    driver(text="Unlock").click()
    assert driver(text="Card PIN").wait(timeout=10)
    assert not np.asarray(driver.screenshot()).any()
    assert not np.asarray(phone.device.screenshot().convert("RGB")).any()
    assert "fl=LAYOUT_IN_SCREEN SECURE " in phone.shell("dumpsys window windows")
    shown = phone.truth("screen")[-1]
    assert (shown["secure"], shown["activity"]) == (True, ".SecretsActivity")
    driver.press("back")
    assert driver(text="Unlock").wait(timeout=10)
    assert np.asarray(driver.screenshot()).any()


def test_only_one_reads_the_windows_at_a_time(
    phone: RunningPhone, driver: uiautomator2.Device
) -> None:
    answer = phone.adb("shell", "uiautomator dump /dev/tty")
    assert answer.returncode == 137
    said = (answer.stdout + answer.stderr).decode()
    assert re.match(
        r"java\.lang\.IllegalStateException: UiAutomationService android\.accessibilityservice\."
        r"IAccessibilityServiceClient\$Stub\$Proxy@[0-9a-f]+already registered!\n",
        said,
    )
    assert "<hierarchy" not in said
    second = launch_uiautomator(phone.device, 9009)
    assert second.wait()
    assert b"already registered!" in second.output
    second.kill()
    _stop(driver)
    assert b"<hierarchy" in phone.adb("shell", "uiautomator dump /dev/tty").stdout


def test_gestures_keys_clipboard_and_lists(
    phone: RunningPhone, driver: uiautomator2.Device
) -> None:
    driver(text="Messages").click()
    row = driver(className="android.widget.LinearLayout").child(text="Ivo Tamsin")
    assert row.wait(timeout=10)
    assert row.info["packageName"] == "com.taptrail.demo.messages"
    assert driver(resourceId="com.taptrail.demo.messages:id/name").count > 5
    assert driver(scrollable=True).scroll(steps=10)
    assert not row.exists
    driver.swipe(180, 300, 180, 760, steps=20)
    assert row.wait(timeout=10)
    row.long_click(duration=0.7)
    assert driver(text="Delete").wait(timeout=10)
    driver.press("back")
    driver.clipboard = "grey heron"
    assert driver.clipboard == "grey heron"
    driver.orientation = "left"
    assert driver.orientation == "left"
    driver.orientation = "natural"
    driver.screen_off()
    assert not driver.info["screenOn"]
    driver.screen_on()
    assert driver.info["screenOn"]
    kinds = [line["kind"] for line in phone.truth("gesture")]
    assert {"tap", "swipe", "long_press", "key"} <= set(kinds)


def test_lists_are_flung_and_searched_and_two_fingers_pinch(
    phone: RunningPhone, driver: uiautomator2.Device
) -> None:
    driver(text="Messages").click()
    rows = driver(scrollable=True)
    first = driver(text="Ivo Tamsin")
    assert first.wait(timeout=10)
    assert rows.fling()
    assert not first.exists
    assert rows.fling.toBeginning(max_swipes=10)
    row = rows.child_by_text("Ivo Tamsin", className="android.widget.LinearLayout")
    assert row.info["className"] == "android.widget.LinearLayout"
    assert rows.fling.toEnd(max_swipes=20)
    assert not first.exists
    assert rows.scroll.to(text="Ivo Tamsin")
    assert rows.child_by_text(
        "Ivo Tamsin", className="android.widget.LinearLayout", allow_scroll_search=True
    ).exists
    with pytest.raises(UiObjectNotFoundError):
        rows.child_by_text("nobody", className="android.widget.LinearLayout")
    assert rows.pinch_out(percent=80, steps=10)
    assert phone.truth("gesture")[-1]["kind"] == "pinch"
    driver.clear_toast()
    assert driver.last_toast is None


def test_what_cannot_be_done_is_said(driver: uiautomator2.Device) -> None:
    with pytest.raises(UiObjectNotFoundError):
        _ = driver(text="No such thing").info
    with pytest.raises(RPCUnknownError, match="Method not found: fly"):
        driver.jsonrpc.fly()
    with pytest.raises(RPCUnknownError, match="Invalid method parameters"):
        driver.jsonrpc.click("here", None)
    with pytest.raises(RPCUnknownError, match="PatternSyntaxException"):
        _ = driver(textMatches="(").info


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET /ping HTTP/1.1\r\n\r\n", b"200 OK"),
        (b"GET /other HTTP/1.1\r\n\r\n", b"404 Not Found"),
        (b"nonsense\r\n\r\n", b"400 Bad Request"),
        (b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 5000, b"431 Request Header Fields Too Large"),
        (b"POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"400 Bad Request"),
        (b"POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n",
         b"413 Payload Too Large"),
    ],
)  # fmt: skip
def test_the_server_answers_requests_of_any_kind(
    phone: RunningPhone, driver: uiautomator2.Device, sent: bytes, status: bytes
) -> None:
    assert _ask(phone, sent).startswith(b"HTTP/1.1 " + status + b"\r\n")
    assert driver.info["screenOn"]


def test_two_requests_may_come_at_once_and_bad_json_is_told(
    phone: RunningPhone, driver: uiautomator2.Device
) -> None:
    both = _ask(phone, b"GET /ping HTTP/1.1\r\n\r\n" * 2, answers=2)
    assert both.count(b"pong") == 2
    assert _call(phone, b"{")["error"]["code"] == -32700
    assert _call(phone, b"[]")["error"]["code"] == -32600
    assert _call(phone, b"[" * 100_000)["error"]["code"] == -32700
    bad = _call(phone, b'{"id": 7, "method": "objInfo", "params": ["text"]}')
    assert (bad["id"], bad["error"]["code"]) == (7, -32602)


def test_the_server_needs_its_jar_and_a_port(phone: RunningPhone) -> None:
    answer = phone.adb("shell", SERVER.replace("u2.jar", "none.jar"))
    assert b"could not find class 'com.wetest.uia2.Main'" in answer.stdout + answer.stderr
    phone.shell("echo jar > /data/local/tmp/any.jar")
    answer = phone.adb("shell", f"{SERVER.replace('u2.jar', 'any.jar')} -p nowhere")
    assert b"NumberFormatException" in answer.stdout + answer.stderr
