"""Every call of adbutils works on the phone as it is; the formats are those of real phones."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path

import pytest
from adbutils import RunningAppInfo, WindowSize
from adbutils._proto import AppInfo, BrightnessMode

from tests.demophone.phones import RunningPhone

# adbutils leaves the sockets of framebuffer() and root() to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def test_properties(shared_phone: RunningPhone) -> None:
    device = shared_phone.device
    assert device.prop.model == "Demo Phone"
    assert device.prop.name == "demophone"
    assert device.prop.device == "demo"
    assert device.getprop("ro.build.version.sdk") == "34"
    assert device.getprop("no.such.property") == ""


def test_sizes_and_rotation(flat_phone: RunningPhone) -> None:
    device = flat_phone.device
    assert device.window_size() == WindowSize(320, 640)
    assert device.rotation() == 0
    flat_phone.shell("wm user-rotation lock 1")
    assert device.rotation() == 1
    assert device.window_size() == WindowSize(640, 320)
    assert device.screenshot().size == (640, 320)


def test_pictures_have_the_colours_of_the_screen(flat_phone: RunningPhone) -> None:
    device = flat_phone.device
    assert device.screenshot().getpixel((5, 5)) == (40, 40, 200)
    assert device.framebuffer().getpixel((5, 5)) == (40, 40, 200, 255)
    device.click(10, 20)
    assert device.screenshot(display_id=0).getpixel((5, 5)) == (40, 200, 40)


def test_input(flat_phone: RunningPhone) -> None:
    device = flat_phone.device
    device.click(11, 22)
    device.swipe(1, 2, 30, 40, 0.03)
    device.drag(5, 6, 7, 8, 0.02)
    device.keyevent("HOME")
    device.volume_up()
    device.send_keys("it's 5 o'clock; echo $HOME && rm -r *")
    calls = [line["what"] for line in flat_phone.truth("call")]
    taps = [call for call in calls if call[0] == "touch" and call[1] != "MOVE"]
    assert taps == [
        ["touch", "DOWN", 0, 11.0, 22.0, 1.0, "shell"],
        ["touch", "UP", 0, 11.0, 22.0, 0.0, "shell"],
        ["touch", "DOWN", 0, 1.0, 2.0, 1.0, "shell"],
        ["touch", "UP", 0, 30.0, 40.0, 0.0, "shell"],
        ["touch", "DOWN", 0, 5.0, 6.0, 1.0, "shell"],
        ["touch", "UP", 0, 7.0, 8.0, 0.0, "shell"],
    ]
    assert [call for call in calls if call[0] in ("key", "text")] == [
        ["key", 3, True, 0, "shell"],
        ["key", 3, False, 0, "shell"],
        ["key", 24, True, 0, "shell"],
        ["key", 24, False, 0, "shell"],
        ["text", "it's 5 o'clock; echo $HOME && rm -r *", "shell"],
    ]


def test_the_screen_goes_off_and_on(flat_phone: RunningPhone) -> None:
    device = flat_phone.device
    assert device.is_screen_on()
    device.switch_screen(False)
    assert not device.is_screen_on()
    device.switch_screen(True)
    assert device.is_screen_on()


def test_apps(flat_phone: RunningPhone) -> None:
    device = flat_phone.device
    assert device.list_packages() == [
        "com.android.contacts",
        "com.android.launcher3",
        "com.android.settings",
        "org.example.notes",
    ]
    assert device.list_packages(["-3"]) == ["org.example.notes"]
    assert device.app_current().package == "com.android.launcher3"
    device.app_start("org.example.notes")
    assert device.app_current() == RunningAppInfo(
        "org.example.notes", "org.example.notes.MainActivity"
    )
    device.app_start("com.android.contacts", ".EditorActivity")
    assert device.app_current() == RunningAppInfo(
        "com.android.contacts", "com.android.contacts.EditorActivity"
    )
    device.app_stop("com.android.contacts")
    assert device.app_current().package == "com.android.launcher3"
    device.app_clear("org.example.notes")
    assert ["clear_app", "org.example.notes"] in [x["what"] for x in flat_phone.truth("call")]
    device.open_browser("example.org")


def test_app_info(shared_phone: RunningPhone) -> None:
    device = shared_phone.device
    assert device.app_info("no.such.app") is None
    info = device.app_info("org.example.notes")
    assert info is not None
    assert info == AppInfo(
        package_name="org.example.notes",
        version_name="1.2.3",
        version_code=1002003,
        flags=["HAS_CODE"],
        first_install_time=datetime(2023, 10, 5),  # noqa: DTZ001 - adbutils has no zone
        last_update_time=datetime(2023, 10, 5),  # noqa: DTZ001
        signature=info.signature,
        path="/data/app/~~demo==/org.example.notes-demo==/base.apk",
        sub_apk_paths=[],
    )
    assert info.signature


def test_settings_switches_and_network(flat_phone: RunningPhone) -> None:
    device = flat_phone.device
    assert device.brightness_value == 128
    device.brightness_value = 77
    assert device.brightness_value == 77
    device.brightness_mode = BrightnessMode.AUTO
    assert device.brightness_mode == BrightnessMode.AUTO
    device.switch_airplane(True)
    assert device.shell("settings get global airplane_mode_on") == "1"
    device.switch_wifi(False)
    assert device.shell("settings get global wifi_on") == "0"
    address = device.wlan_ip()
    assert address.startswith("192.168.")
    assert f"inet {address}/24" in device.shell("ip addr show dev wlan0")


def test_battery(shared_phone: RunningPhone) -> None:
    found = shared_phone.device.battery()
    # adbutils 2.12 answers the class `str` where it means its text for the technology.
    assert vars(found) | {"technology": "?"} == {
        "ac_powered": False,
        "usb_powered": True,
        "wireless_powered": False,
        "dock_powered": False,
        "max_charging_current": 500000,
        "max_charging_voltage": 5000000,
        "charge_counter": 3480000,
        "status": 2,
        "health": 2,
        "present": True,
        "level": 87,
        "scale": 100,
        "voltage": 4231,
        "temperature": 27.1,
        "technology": "?",
    }


def test_tree_dumps(shared_phone: RunningPhone) -> None:
    tree = shared_phone.device.dump_hierarchy()
    assert tree.startswith("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy ")
    printed = shared_phone.adb("exec-out", "uiautomator dump /dev/tty").stdout.decode()
    assert printed == tree + "UI hierchary dumped to: /dev/tty\n"


def test_shell_with_status(shared_phone: RunningPhone) -> None:
    device = shared_phone.device
    done = device.shell2("echo a; ls /nowhere")
    assert (done.returncode, done.output) == (1, "a\nls: /nowhere: No such file or directory\n")
    done = device.shell2("echo a; ls /nowhere; exit 5", v2=True)
    assert (done.returncode, done.stdout, done.stderr) == (
        5,
        "a\n",
        "ls: /nowhere: No such file or directory\n",
    )


def test_forward_and_reverse_rules(shared_phone: RunningPhone) -> None:
    device = shared_phone.device
    port = device.forward_port(7999)
    assert [(one.local, one.remote) for one in device.forward_list()] == [
        (f"tcp:{port}", "tcp:7999")
    ]
    device.forward_remove(f"tcp:{port}")
    device.reverse("localabstract:somewhere", "tcp:7998")
    assert [(one.remote, one.local) for one in device.reverse_list()] == [
        ("localabstract:somewhere", "tcp:7998")
    ]
    device.reverse_remove("localabstract:somewhere")
    assert device.reverse_list() == []


def test_logcat_into_a_file(shared_phone: RunningPhone, tmp_path: Path) -> None:
    log = shared_phone.device.logcat(tmp_path / "log.txt", re_filter="ActivityManager")
    deadline = time.monotonic() + 10
    while not (tmp_path / "log.txt").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    log.stop()
    assert "ActivityManager: Start proc" in (tmp_path / "log.txt").read_text()


def test_what_needs_root_or_a_cable_is_answered_in_words(shared_phone: RunningPhone) -> None:
    device = shared_phone.device
    assert device.root() == "adbd cannot run as root in production builds\n"
    assert device.tcpip(5555) == "restarting in TCP mode port: 5555\n"
    assert device.get_serialno() == shared_phone.serial
    assert "shell_v2" in device.get_features().split(",")
