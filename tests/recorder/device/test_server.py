"""Which scrcpy server is put on a phone, how it is started, and what its log means."""

import hashlib
from pathlib import Path

import pytest

from episodes.errors import KnownError
from recorder.device.interface import VideoOptions
from recorder.device.scrcpy import server


def test_the_carried_server_is_the_published_one() -> None:
    carried = server.carried_server()
    assert (carried.version, carried.sha256, carried.carried) == (
        "3.3.4",
        "8588238c9a5a00aa542906b6ec7e6d5541d9ffb9b5d0f6e1bc0e365e2303079e",
        True,
    )


def test_a_server_with_one_bit_changed_is_refused() -> None:
    data = bytearray(server.carried_server().data)
    data[1000] ^= 1
    with pytest.raises(KnownError, match=r"its sha256 is .*, not 8588238c"):
        server.accept(bytes(data), server.CARRIED_SHA256, "take it")


def test_a_named_server_is_taken_with_its_own_version_and_sum(tmp_path: Path) -> None:
    path = tmp_path / "scrcpy-server-v4.1"
    path.write_bytes(b"jar")
    named = server.chosen_server({"SCRCPY_SERVER_PATH": str(path)})
    assert (named.version, named.carried, named.sha256[:8], named.data) == (
        "4.1",
        False,
        hashlib.sha256(b"jar").hexdigest()[:8],
        b"jar",
    )
    other = server.chosen_server({"SCRCPY_SERVER_PATH": str(path), "SCRCPY_SERVER_VERSION": "4.0"})
    assert other.version == "4.0"


@pytest.mark.parametrize(
    ("name", "environment", "words"),
    [
        ("server.jar", {}, "its version is given as “”"),
        ("missing-v4.1", {}, "cannot be read"),
        ("server.jar", {"SCRCPY_SERVER_VERSION": "newest"}, "given as “newest”"),
        ("server.jar", {"SCRCPY_SERVER_VERSION": "2.7"}, r"is 2\.7\. Name a server from 3\.3\.1"),
        ("server.jar", {"SCRCPY_SERVER_VERSION": "5.0"}, "its version is 5.0"),
    ],
)
def test_a_named_server_must_be_there_and_have_a_version(
    tmp_path: Path, name: str, environment: dict[str, str], words: str
) -> None:
    (tmp_path / "server.jar").write_bytes(b"jar")
    with pytest.raises(KnownError, match=words):
        server.chosen_server({"SCRCPY_SERVER_PATH": str(tmp_path / name)} | environment)


def test_the_command_line_names_version_session_and_what_is_wanted() -> None:
    line = server.command(
        server.carried_server(),
        0x1A2B,
        VideoOptions(max_size=1600, key_interval_s=1, more=(("crop", "10:20:0:0"),)),
    )
    assert line == (
        "CLASSPATH=/data/local/tmp/taptrail-scrcpy-00001a2b.jar app_process / "
        "com.genymobile.scrcpy.Server 3.3.4 scid=00001a2b log_level=info tunnel_forward=true "
        "video=true audio=false control=true video_codec=h264 max_size=1600 max_fps=30 "
        "video_bit_rate=8000000 display_id=0 stay_awake=true power_off_on_close=false "
        "clipboard_autosync=false show_touches=false cleanup=true "
        "video_codec_options=i-frame-interval=1 crop=10:20:0:0"
    )


def test_an_option_cannot_smuggle_a_command() -> None:
    with pytest.raises(ValueError, match="is no option"):
        server.command(server.carried_server(), 1, VideoOptions(more=(("crop", "1; reboot"),)))


def test_session_ids_have_31_bits() -> None:
    assert all(0 <= server.new_session_id() < 1 << 31 for _ in range(50))


@pytest.mark.parametrize(
    ("log", "words"),
    [
        (
            "[server] ERROR: The server version (3.3.4) does not match the client (3.2)",
            "is version 3.3.4, but was started as 3.2",
        ),
        (
            "java.lang.ClassNotFoundException: com.genymobile.scrcpy.Server\nAborted",
            "could not load the scrcpy server",
        ),
        ("/system/bin/sh: app_process: not found", "has no app_process"),
        (
            "[server] INFO: Device: x\n[server] ERROR: Could not open video encoder\n",
            "says: Could not open video encoder",
        ),
    ],
)
def test_the_servers_log_becomes_one_sentence(log: str, words: str) -> None:
    error = server.trouble(log)
    assert error is not None
    assert words in str(error)


def test_a_log_without_an_error_reports_nothing() -> None:
    assert server.trouble("[server] INFO: Device: [Google] Pixel 7 (Android 14)\n") is None
