"""The scrcpy server over the real adb: sockets, video, touches, clipboard, the end."""

from __future__ import annotations

import itertools
import socket
import struct
import time

import pytest
from adbutils import AdbError, Network

from tests.demophone.conftest import FLAT, FLAT_SIZE
from tests.demophone.mirror import REMOTE_JAR, SCID, connect, mirroring, start_server
from tests.demophone.phones import RunningPhone, StartPhone, free_port

# Blue, green, red of the first screens of the flat phone.
FIRST, SECOND, THIRD = (200, 40, 40), (40, 200, 40), (40, 40, 200)


def near(found: object, wanted: tuple[int, ...]) -> bool:
    return all(abs(int(a) - b) <= 4 for a, b in zip(found, wanted, strict=True))  # type: ignore[call-overload]


# --- start ---------------------------------------------------------------------------------------
def test_the_stream_begins_as_scrcpy_says(flat_phone: RunningPhone) -> None:
    with mirroring(flat_phone) as mirror:
        assert mirror.read(1) == b"\0"
        assert mirror.read(64) == b"Demo Phone".ljust(64, b"\0")
        assert struct.unpack(">III", mirror.read(12)) == (0x68323634, *FLAT_SIZE)
        config = mirror.packet()
        assert (config.pts_us, config.key) == (None, False)
        assert config.data.startswith(b"\0\0\0\1\x67")  # a sequence parameter set
        first = mirror.packet()
        assert first.key
        frame = flat_phone.wait_for("frame")
        assert first.pts_us == frame["pts_us"]
        # The screen was drawn before anybody looked; the time is that of the look.
        flat_phone.adb("exec-out", "screencap")
        assert 0 <= frame["t_us"] - frame["pts_us"] < 500_000
    assert mirror.printed.splitlines()[0] == (
        "[server] INFO: Device: [Taptrail] Taptrail Demo Phone (Android 14)"
    )
    assert mirror.server.returncode == 0


def test_another_version_is_refused_with_scrcpys_words(flat_phone: RunningPhone) -> None:
    server = start_server(flat_phone, version="1.25")
    out, err = server.communicate(timeout=10)
    text = "The server version (3.3.4) does not match the client (1.25)"
    assert (server.returncode, out) == (1, b"")
    assert err.decode().splitlines()[:2] == [
        f"[server] ERROR: {text}",
        f"java.lang.IllegalArgumentException: {text}",
    ]


@pytest.mark.parametrize("version", ["2.7", "4.1"])
def test_clients_of_other_versions_are_served_in_their_own_protocol(
    flat_phone: RunningPhone, version: str
) -> None:
    with mirroring(flat_phone, version=version) as mirror:
        mirror.read(1 + 64)
        if version == "2.7":
            assert struct.unpack(">III", mirror.read(12)) == (0x68323634, *FLAT_SIZE)
            config, key = 1 << 63, 1 << 62
        else:
            assert mirror.read(4) == b"h264"
            assert struct.unpack(">III", mirror.read(12)) == (1 << 31, *FLAT_SIZE)
            config, key = 1 << 62, 1 << 61
        flags, size = struct.unpack(">QI", mirror.read(12))
        assert flags == config
        mirror.read(size)
        flags, size = struct.unpack(">QI", mirror.read(12))
        assert flags == key | flat_phone.wait_for("frame")["pts_us"]
        mirror.touch(0, 7, 8, FLAT_SIZE)
        assert flat_phone.wait_for("call")["what"][:5] == ["touch", "DOWN", 0, 7.0, 8.0]


def test_nothing_comes_before_all_sockets_are_there(flat_phone: RunningPhone) -> None:
    with mirroring(flat_phone, "control=true", names=("video",)) as mirror:
        video = mirror.sockets["video"]
        assert mirror.read(1) == b"\0"
        video.settimeout(0.3)
        with pytest.raises(TimeoutError):
            video.recv(1)
        mirror.sockets["control"] = connect(flat_phone, f"scrcpy_{SCID}")
        video.settimeout(10)
        assert mirror.read(64).startswith(b"Demo Phone")


def test_after_that_the_socket_takes_nobody_more(flat_phone: RunningPhone) -> None:
    with mirroring(flat_phone) as mirror:
        mirror.read(1 + 64 + 12)
        with pytest.raises(AdbError):
            flat_phone.device.create_connection(Network.LOCAL_ABSTRACT, f"scrcpy_{SCID}")


def test_audio_is_disabled_as_on_a_phone_that_cannot_capture_it(flat_phone: RunningPhone) -> None:
    with mirroring(flat_phone, names=("video", "audio", "control")) as mirror:
        assert mirror.read(4, "audio") == bytes(4)
        assert mirror.read(1 + 64 + 12)[65:69] == b"h264"


def test_the_jar_is_deleted_unless_it_is_to_stay(flat_phone: RunningPhone) -> None:
    with mirroring(flat_phone, "cleanup=false"):
        assert flat_phone.shell(f"ls {REMOTE_JAR}") == REMOTE_JAR + "\n"
    with mirroring(flat_phone) as mirror:
        mirror.read(1)
        assert flat_phone.adb("shell", f"ls {REMOTE_JAR}").returncode == 1
    command = f"CLASSPATH={REMOTE_JAR} app_process / com.genymobile.scrcpy.Server 3.3.4"
    done = flat_phone.adb("shell", command)
    assert done.returncode == 134
    assert b"ClassNotFoundException" in done.stderr


def test_a_raw_stream_is_h264_and_nothing_else(flat_phone: RunningPhone) -> None:
    with mirroring(flat_phone, "raw_stream=true", names=("video",)) as mirror:
        assert mirror.read(5) == b"\0\0\0\1\x67"


def test_lists_are_printed_and_that_is_all(flat_phone: RunningPhone) -> None:
    asked = ("list_encoders=true", "list_displays=true", "list_apps=true")
    server = start_server(flat_phone, *asked)
    out, err = server.communicate(timeout=10)
    assert (server.returncode, err) == (0, b"")
    assert out.decode().splitlines()[1:] == [
        "[server] INFO: List of video encoders:",
        "    --video-codec=h264 --video-encoder=c2.demo.avc.encoder    (sw)",
        "List of audio encoders:",
        "[server] INFO: List of displays:",
        "    --display-id=0    (320x640)",
        "[server] INFO: List of apps:",
        " * Contacts                       com.android.contacts",
        " * Launcher3                      com.android.launcher3",
        " * Settings                       com.android.settings",
        " - Notes                          org.example.notes",
    ]


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("video_source=camera", "No matching camera found"),
        ("display_id=2", "Display 2 not found\nList of displays:\n    --display-id=0    (320x640)"),
        ("video_encoder=OMX.other", "Video encoder 'OMX.other' for h264 not found"),
        ("new_display=800x600/160", "Could not create display"),
        ("new_display=", "Could not create display"),
        ("crop=100:100:0:0", "Capture/encoding error"),
        ("angle=15", "Capture/encoding error"),
        ("capture_orientation=@90", "Capture/encoding error"),
    ],
)
def test_a_video_the_phone_cannot_make_is_refused(
    flat_phone: RunningPhone, option: str, words: str
) -> None:
    with mirroring(flat_phone, option) as mirror:
        assert len(mirror.read(1 + 64 + 12)) == 1 + 64  # the video ends before it begins
    assert f"[server] ERROR: {words}" in mirror.printed
    assert flat_phone.truth("frame") == []


def test_settings_a_session_changes_are_restored_at_its_end(flat_phone: RunningPhone) -> None:
    name = "settings get global stay_on_while_plugged_in"
    before = flat_phone.shell(name)
    options = ("stay_awake=true", "show_touches=true", "video_encoder=c2.demo.avc.encoder")
    with mirroring(flat_phone, *options) as mirror:
        mirror.read(1 + 64 + 12)
        assert flat_phone.shell(name) == "7\n"
        assert "mStayOn=true" in flat_phone.shell("dumpsys power")
    assert 'Could not change "show_touches"' in mirror.printed
    assert flat_phone.shell(name) in (before, "0\n")


def test_a_reverse_tunnel_without_rule_fails_with_a_reason(flat_phone: RunningPhone) -> None:
    server = start_server(flat_phone, "scid=00000001")
    out, err = server.communicate(timeout=10)
    assert server.returncode == 1
    assert b"[server] ERROR: Connection refused\njava.io.IOException: Connection refused" in err
    assert b"Device: " in out


# --- video ---------------------------------------------------------------------------------------
def test_each_change_gives_one_picture_with_its_own_time_and_colour(
    flat_phone: RunningPhone,
) -> None:
    with mirroring(flat_phone) as mirror:
        mirror.read(1 + 64 + 12)
        packet, picture = mirror.frame()
        assert picture.shape == (640, 320, 3)
        assert near(picture[300, 100], FIRST)
        seen = [(packet.pts_us, packet.key)]
        for wanted in (SECOND, THIRD):
            mirror.touch(0, 10, 20, FLAT_SIZE)
            mirror.touch(1, 10, 20, FLAT_SIZE)
            while True:
                packet, picture = mirror.frame()
                seen.append((packet.pts_us, packet.key))
                if near(picture[300, 100], wanted):
                    break
    logged = flat_phone.truth("frame")
    assert [one["pts_us"] for one in logged][: len(seen)] == [pts for pts, _ in seen]
    assert [key for _, key in seen] == [True] + [False] * (len(seen) - 1)
    new = [one for one in logged[: len(seen)] if not one["repeat"]]
    assert [one["screen"] for one in new] == [1, 2, 3]
    assert {(one["width"], one["height"]) for one in logged} == {FLAT_SIZE}


def test_a_still_screen_is_repeated_ten_times_with_made_up_times_and_then_silence(
    flat_phone: RunningPhone,
) -> None:
    with mirroring(flat_phone, names=("video",)) as mirror:
        mirror.read(1 + 64 + 12)
        mirror.packet()
        times = [mirror.packet().pts_us for _ in range(11)]
        steps = [later - earlier for earlier, later in itertools.pairwise(times)]  # type: ignore[operator]
        assert steps == [100_000] * 10
        mirror.sockets["video"].settimeout(0.4)
        with pytest.raises(TimeoutError):
            mirror.sockets["video"].recv(1)
        logged = flat_phone.truth("frame")
        assert [one["repeat"] for one in logged] == [False] + [True] * 10
        assert {one["screen"] for one in logged} == {1}
        # Times never run ahead of the phone's clock, so that a change is always later.
        assert all(one["t_us"] >= one["pts_us"] for one in logged)
        mirror.sockets["video"].settimeout(10)
        flat_phone.shell("input tap 5 5")
        assert mirror.packet().pts_us == flat_phone.wait_for("frame", screen=2)["pts_us"]


def test_a_turn_starts_a_new_session_without_new_codec_meta(flat_phone: RunningPhone) -> None:
    with mirroring(flat_phone) as mirror:
        mirror.read(1 + 64 + 12)
        _, picture = mirror.frame()
        assert picture.shape == (640, 320, 3)
        mirror.send(b"\x0b")
        packet = mirror.packet()
        while packet.pts_us is not None:
            packet = mirror.packet()
        before = mirror.config
        key = mirror.packet()
        assert key.key
        mirror.touch(0, 5, 6, FLAT_SIZE)  # a touch on the picture from before the turn
        mirror.touch(0, 7, 8, (640, 320))
        touched = flat_phone.wait_for("call")
        assert touched["what"][:5] == ["touch", "DOWN", 0, 7.0, 8.0]
        ignored = flat_phone.wait_for("ignored")
        assert {name: ignored[name] for name in ("what", "x", "y", "width", "height")} == {
            "what": "touch",
            "x": 5,
            "y": 6,
            "width": 320,
            "height": 640,
        }
        assert before != b""
        last = flat_phone.wait_for("frame", width=640)
        assert last["height"] == 320


def test_a_reset_gives_a_new_config_and_a_key_frame(flat_phone: RunningPhone) -> None:
    with mirroring(flat_phone) as mirror:
        mirror.read(1 + 64 + 12)
        config = mirror.packet()
        mirror.packet()
        mirror.send(b"\x11")
        packet = mirror.packet()
        while packet.pts_us is not None:
            packet = mirror.packet()
        assert packet == config
        assert mirror.packet().key


def test_a_limited_size_scales_the_picture_and_the_touches(flat_phone: RunningPhone) -> None:
    with mirroring(flat_phone, "max_size=324") as mirror:
        assert struct.unpack(">II", mirror.read(1 + 64 + 12)[-8:]) == (160, 320)
        _, picture = mirror.frame()
        assert picture.shape == (320, 160, 3)
        mirror.touch(0, 50, 100, (160, 320))
        assert flat_phone.wait_for("call")["what"][:5] == ["touch", "DOWN", 0, 100.0, 200.0]


def test_changes_faster_than_max_fps_are_thinned_out_and_the_last_one_arrives(
    flat_phone: RunningPhone,
) -> None:
    with mirroring(flat_phone, "max_fps=5") as mirror:
        mirror.read(1 + 64 + 12)
        mirror.frame()
        for _ in range(20):
            mirror.touch(0, 1, 1, FLAT_SIZE)
            mirror.touch(1, 1, 1, FLAT_SIZE)
        calls = []
        while len(calls) < 40:
            calls = flat_phone.truth("call")
            time.sleep(0.005)
        changed = time.monotonic()
        pictures = [mirror.frame()[0]]
        while time.monotonic() - changed < 0.7:
            pictures.append(mirror.frame()[0])
        sent = [one for one in flat_phone.truth("frame") if not one["repeat"]]
        assert len(sent) < 10
        times = [one.pts_us for one in pictures]
        assert all(b - a >= 99_000 for a, b in itertools.pairwise(times))  # type: ignore[operator]


# --- control -------------------------------------------------------------------------------------
def test_fingers_get_slots_and_texts_keys_and_panels_arrive(flat_phone: RunningPhone) -> None:
    with mirroring(flat_phone) as mirror:
        mirror.touch(0, 1, 2, FLAT_SIZE, pointer=-2)
        mirror.touch(0, 3, 4, FLAT_SIZE, pointer=-3)
        mirror.touch(7, 9, 9, FLAT_SIZE, pointer=-1)  # a mouse that hovers touches nothing
        mirror.touch(1, 1, 2, FLAT_SIZE, pointer=-2)
        mirror.touch(2, 5, 6, FLAT_SIZE, pointer=-3)
        mirror.touch(1, 5, 6, FLAT_SIZE, pointer=-3)
        mirror.send(struct.pack(">BBiII", 0, 0, 66, 0, 0x41))
        mirror.send(b"\1" + struct.pack(">I", 6) + "aé中".encode())
        mirror.send(struct.pack(">BiiHHhhI", 3, 10, 20, *FLAT_SIZE, 0x800, -0x1000, 0))
        mirror.send(b"\5\6\7\4\0\4\1")
        mirror.send(b"\x10\x12+org.example.notes")
        mirror.send(b"\x10\x05?cont")
        flat_phone.wait_for("call", what=["start_app", "com.android.contacts", None, False])
    assert [line["what"] for line in flat_phone.truth("call")] == [
        ["touch", "DOWN", 0, 1.0, 2.0, 1.0, "scrcpy"],
        ["touch", "DOWN", 1, 3.0, 4.0, 1.0, "scrcpy"],
        ["touch", "UP", 0, 1.0, 2.0, 0.0, "scrcpy"],
        ["touch", "MOVE", 1, 5.0, 6.0, 1.0, "scrcpy"],
        ["touch", "UP", 1, 5.0, 6.0, 0.0, "scrcpy"],
        ["key", 66, True, 0x41, "scrcpy"],
        ["text", "aé", "scrcpy"],
        ["scroll", 10.0, 20.0, 1.0, -2.0],
        ["expand", "notifications"],
        ["expand", "settings"],
        ["expand", None],
        ["key", 4, True, 0, "scrcpy"],
        ["key", 4, False, 0, "scrcpy"],
        ["stop_app", "org.example.notes"],
        ["start_app", "org.example.notes", None, True],
        ["start_app", "com.android.contacts", None, False],
    ]
    assert "[server] WARN: Could not inject char u+4e2d" in mirror.printed


def test_the_clipboard_is_set_acknowledged_and_read(flat_phone: RunningPhone) -> None:
    with mirroring(flat_phone, "clipboard_autosync=false") as mirror:
        mirror.send(struct.pack(">BQBI", 9, 77, 1, 3) + b"new")
        assert mirror.read(9, "control") == struct.pack(">BQ", 1, 77)
        mirror.send(struct.pack(">BQBI", 9, 0, 0, 5) + b"newer")  # no sequence, no answer
        mirror.send(b"\x08\x01")
        assert mirror.read(10, "control") == b"\0\0\0\0\5newer"
    assert [line["what"] for line in flat_phone.truth("call")] == [
        ["set_clipboard", "new", True],
        ["set_clipboard", "newer", False],
        ["key", 278, True, 0, "scrcpy"],
        ["key", 278, False, 0, "scrcpy"],
    ]


def test_with_autosync_nobody_answers_when_asked(flat_phone: RunningPhone) -> None:
    with mirroring(flat_phone) as mirror:
        mirror.send(struct.pack(">BQBI", 9, 0, 0, 3) + b"new" + b"\x08\x00")
        mirror.send(struct.pack(">BQBI", 9, 5, 0, 3) + b"old")
        assert mirror.read(9, "control") == struct.pack(">BQ", 1, 5)


def test_uhid_devices_are_taken_and_logged(flat_phone: RunningPhone) -> None:
    with mirroring(flat_phone) as mirror:
        mirror.send(bytes.fromhex("0c 0001 1234 5678 02 6b62 0003 010203"))
        mirror.send(bytes.fromhex("0d 0001 0002 0405 0e 0001"))
        flat_phone.wait_for("uhid_destroy", id=1)
    made = flat_phone.truth("uhid_create")[0]
    assert (made["vendor"], made["product"], made["name"], made["bytes"]) == (
        0x1234,
        0x5678,
        "kb",
        3,
    )
    assert flat_phone.truth("uhid_input")[0]["data"] == "0405"


def test_the_screen_is_woken_at_the_start_and_put_out_at_the_end_when_asked(
    flat_phone: RunningPhone,
) -> None:
    flat_phone.shell("input keyevent SLEEP")
    assert not flat_phone.device.is_screen_on()
    with mirroring(flat_phone, "power_off_on_close=true") as mirror:
        mirror.read(1 + 64 + 12)
        assert flat_phone.device.is_screen_on()
        mirror.send(b"\x0a\x00")  # the panel alone goes dark
        assert flat_phone.wait_for("display_power")["on"] is False
        assert flat_phone.device.is_screen_on()
    assert not flat_phone.device.is_screen_on()


# --- the end -------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["video", "control"])
def test_the_server_ends_when_a_socket_is_closed(flat_phone: RunningPhone, name: str) -> None:
    with mirroring(flat_phone) as mirror:
        mirror.read(1 + 64 + 12)
        mirror.sockets[name].close()
        assert mirror.server.wait(10) == 0


def test_an_unknown_message_ends_the_server(flat_phone: RunningPhone) -> None:
    with mirroring(flat_phone) as mirror:
        mirror.read(1 + 64 + 12)
        mirror.touch(0, 1, 1, FLAT_SIZE)
        mirror.send(b"\x63")
        assert mirror.server.wait(10) == 0
    assert "[server] ERROR: Controller error: Unknown event type: 99" in mirror.printed
    # No finger stays on the glass.
    assert flat_phone.truth("call")[-1]["what"][:2] == ["touch", "CANCEL"]


def test_killing_the_shell_ends_the_session(flat_phone: RunningPhone) -> None:
    with mirroring(flat_phone) as mirror:
        mirror.read(1 + 64 + 12)
        mirror.server.kill()
        while mirror.sockets["video"].recv(65536):
            pass
        assert mirror.sockets["control"].recv(10) == b""


def test_both_tunnels_work_side_by_side_with_a_second_client(flat_phone: RunningPhone) -> None:
    with mirroring(flat_phone) as first:
        first.read(1 + 64 + 12)
        port = free_port()
        with socket.create_server(("127.0.0.1", port)) as listening:
            flat_phone.adb("reverse", "localabstract:scrcpy_00000002", f"tcp:{port}")
            server = start_server(flat_phone, "scid=00000002", "audio=false")
            video, _ = listening.accept()
            control, _ = listening.accept()
            with video, control:
                assert video.recv(64, socket.MSG_WAITALL).startswith(b"Demo Phone")
                control.sendall(struct.pack(">BBqiiHHHII", 2, 0, -2, 1, 2, *FLAT_SIZE, 9, 1, 1))
                while first.frame()[1][0, 0, 1] < 150:
                    pass  # the first client sees what the second one did
            assert server.wait(10) == 0
            server.communicate()


# --- faults --------------------------------------------------------------------------------------
def test_faults_of_the_server(demo_phone: StartPhone) -> None:
    stalled = demo_phone("--size", "320x640", "--faults", "stall-video=3", module=FLAT)
    with mirroring(stalled) as mirror:
        mirror.read(1 + 64 + 12)
        for _ in range(3):
            mirror.packet()
        mirror.sockets["video"].settimeout(0.3)
        with pytest.raises(TimeoutError):
            mirror.sockets["video"].recv(1)
        assert mirror.server.poll() is None
        assert len(stalled.truth("frame")) == 2  # the third packet was the config
    missing = demo_phone("--size", "320x640", "--faults", "no-scrcpy", module=FLAT)
    server = start_server(missing)
    assert b"ClassNotFoundException" in server.communicate(timeout=10)[1]
    assert server.returncode == 134
    other = demo_phone("--size", "320x640", "--faults", "version-mismatch", module=FLAT)
    server = start_server(other)
    assert b"The server version (4.1) does not match the client (3.3.4)" in server.communicate()[1]
    dropping = demo_phone("--size", "320x640", "--faults", "refuse-control", module=FLAT)
    with mirroring(dropping) as mirror:
        assert mirror.sockets["control"].recv(1) == b""
        assert mirror.server.wait(10) == 0
