"""The phone as the unmodified adb binary sees it."""

from __future__ import annotations

import hashlib
import json
import os
import random
import select
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.demophone.conftest import FLAT
from tests.demophone.phones import ADB, ROOT, AdbServer, RunningPhone, StartPhone, free_port

EVERY_BYTE = bytes(range(256)) * 300


def state_of(server: AdbServer, serial: str) -> str | None:
    """What `adb devices` says about a phone."""
    lines = server.run("devices").stdout.decode().splitlines()[1:]
    return dict(line.split("\t") for line in lines if line).get(serial)


def wait_for_state(server: AdbServer, serial: str, state: str | None) -> None:
    deadline = time.monotonic() + 15
    while (found := state_of(server, serial)) != state:
        assert time.monotonic() < deadline, f"the phone is {found}, not {state}"
        time.sleep(0.02)


# --- connecting ----------------------------------------------------------------------------------
def test_adb_lists_the_phone_as_a_device_with_its_names(shared_phone: RunningPhone) -> None:
    listed = shared_phone.server.run("devices", "-l").stdout.decode()
    line = next(line for line in listed.splitlines() if line.startswith(shared_phone.serial))
    assert line.split()[1:5] == [
        "device",
        "product:demophone",
        "model:Demo_Phone",
        "device:demo",
    ]
    assert shared_phone.adb("get-state").stdout == b"device\n"


def test_a_phone_can_be_disconnected_and_connected_again(flat_phone: RunningPhone) -> None:
    assert b"disconnected" in flat_phone.server.run("disconnect", flat_phone.serial).stdout
    assert state_of(flat_phone.server, flat_phone.serial) is None
    flat_phone.connect()
    assert flat_phone.shell("echo back") == "back\n"
    assert b"reconnecting" in flat_phone.adb("reconnect").stdout
    flat_phone.connect()  # adb itself forgets a phone of the network when told to reconnect
    assert flat_phone.shell("echo again") == "again\n"


def test_the_phone_ends_when_the_program_that_started_it_lets_go_of_stdin(
    flat_phone: RunningPhone,
) -> None:
    assert flat_phone.stop() == 0
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", flat_phone.port), 1)


def test_the_phone_ends_cleanly_when_it_is_terminated(flat_phone: RunningPhone) -> None:
    with subprocess.Popen(
        [ADB, "-s", flat_phone.serial, "shell", "sleep 100"], env=flat_phone.env
    ) as running:
        flat_phone.process.terminate()
        assert flat_phone.process.wait(10) == 0
        running.wait(10)
    assert (flat_phone.truth_path.parent / "stderr.txt").read_text() == ""


def test_the_files_of_a_phone_without_a_folder_of_its_own_go_when_it_ends(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", FLAT, "--until-stdin-closes"],
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["pid"] == process.pid
        (folder,) = tmp_path.iterdir()
        assert (folder / "storage/emulated/0").is_dir()
        process.stdin.close()
        assert process.wait(10) == 0
    assert list(tmp_path.iterdir()) == []


def test_other_hosts_unknown_faults_and_taken_ports_are_refused_in_one_sentence(
    demo_phone: StartPhone, shared_phone: RunningPhone
) -> None:
    with pytest.raises(AssertionError, match=r"listens on 127\.0\.0\.1 only, not on 0\.0\.0\.0"):
        demo_phone("--host", "0.0.0.0", module=FLAT)
    with pytest.raises(AssertionError, match="there is no fault 'fire'"):
        demo_phone("--faults", "slow,fire", module=FLAT)
    with pytest.raises(AssertionError, match=f"port {shared_phone.port} is not free"):
        demo_phone("--port", str(shared_phone.port), module=FLAT)


# --- faults --------------------------------------------------------------------------------------
@pytest.mark.parametrize("fault", ["unauthorized", "offline"])
def test_a_phone_that_does_not_let_adb_in_is_shown_so(demo_phone: StartPhone, fault: str) -> None:
    phone = demo_phone("--faults", fault, connect=False, module=FLAT)
    with subprocess.Popen(
        [ADB, "connect", phone.serial],
        env=phone.env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as connecting:
        wait_for_state(phone.server, phone.serial, fault)
        connecting.kill()


def test_a_connection_cut_after_some_packets_comes_back_when_adb_reconnects(
    demo_phone: StartPhone,
) -> None:
    phone = demo_phone("--faults", "drop-after=6", module=FLAT)
    done = phone.adb("shell", "echo before; sleep 0.05; " * 8)
    assert done.stdout.startswith(b"before\n")
    assert done.returncode != 0
    wait_for_state(phone.server, phone.serial, "device")
    assert phone.shell("echo after") == "after\n"


def test_a_slow_phone_is_slow(demo_phone: StartPhone) -> None:
    phone = demo_phone("--faults", "slow=120", module=FLAT)
    before = time.monotonic()
    assert phone.shell("echo one") == "one\n"
    assert time.monotonic() - before >= 0.24  # one packet of output, one with the exit status


# --- shell ---------------------------------------------------------------------------------------
def test_the_exit_code_and_stderr_come_back_separately(shared_phone: RunningPhone) -> None:
    done = shared_phone.adb("shell", "echo out; echo err >&2; exit 7")
    assert (done.returncode, done.stdout, done.stderr) == (7, b"out\n", b"err\n")


def test_the_first_shell_protocol_mixes_outputs_and_has_no_exit_code(
    shared_phone: RunningPhone,
) -> None:
    done = shared_phone.adb("shell", "-x", "echo out; echo err >&2; exit 7")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"out\nerr\n", b"")


def test_an_unknown_command_does_not_exist(shared_phone: RunningPhone) -> None:
    done = shared_phone.adb("shell", "python3 -c 1")
    expected = b"/system/bin/sh: python3: inaccessible or not found\n"
    assert (done.returncode, done.stdout, done.stderr) == (127, b"", expected)


def test_stdin_reaches_the_command_and_its_end_ends_it(shared_phone: RunningPhone) -> None:
    done = shared_phone.adb("shell", "cat", data=EVERY_BYTE)
    assert done.stdout == EVERY_BYTE


def test_exec_out_is_binary_safe(shared_phone: RunningPhone) -> None:
    shared_phone.adb("shell", "cat > /data/local/tmp/bytes", data=EVERY_BYTE)
    assert shared_phone.adb("exec-out", "cat /data/local/tmp/bytes").stdout == EVERY_BYTE
    screenshot = shared_phone.adb("exec-out", "screencap", "-p").stdout
    assert screenshot.startswith(b"\x89PNG\r\n\x1a\n")


def test_exec_in_takes_stdin(shared_phone: RunningPhone) -> None:
    shared_phone.adb("exec-in", "cat > /data/local/tmp/in", data=b"a\0b\r\n")
    assert shared_phone.adb("exec-out", "cat /data/local/tmp/in").stdout == b"a\0b\r\n"


def test_killing_the_adb_that_runs_a_command_kills_the_command(flat_phone: RunningPhone) -> None:
    swipe = ["shell", "input swipe 10 10 200 200 60000"]
    with subprocess.Popen([ADB, "-s", flat_phone.serial, *swipe], env=flat_phone.env) as running:
        flat_phone.wait_for("call", lambda line: line["what"][1] == "MOVE")
        running.kill()
    up = flat_phone.wait_for("call", lambda line: line["what"][1] == "UP")
    assert up["what"][3] < 190  # it never came near its end


def test_a_terminal_echoes_ends_lines_with_carriage_returns_and_obeys_control_c(
    shared_phone: RunningPhone,
) -> None:
    with subprocess.Popen(
        [ADB, "-s", shared_phone.serial, "shell", "-tt"],
        env=shared_phone.env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as shell:
        assert shell.stdin is not None
        assert shell.stdout is not None
        shell.stdin.write(b"sleep 100\r")
        shell.stdin.flush()
        seen = b""
        while not seen.endswith(b"sleep 100\r\n"):
            seen += shell.stdout.read(1)
        shell.stdin.write(b"\x03echo hi\rexit 3\r")
        shell.stdin.flush()
        rest = shell.stdout.read()
        assert b"echo hi\r\nhi\r\ndemo:/ $ " in rest
        assert shell.wait(10) == 3


def test_logcat_stays_open_until_it_is_killed(shared_phone: RunningPhone) -> None:
    with subprocess.Popen(
        [ADB, "-s", shared_phone.serial, "logcat"],
        env=shared_phone.env,
        stdout=subprocess.PIPE,
    ) as logcat:
        assert logcat.stdout is not None
        assert logcat.stdout.readline() == b"--------- beginning of main\n"
        assert logcat.poll() is None
        logcat.kill()
    assert len(shared_phone.adb("logcat", "-d").stdout.splitlines()) == 6


# --- files ---------------------------------------------------------------------------------------
def tree(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_tree_with_empty_and_large_files_comes_back_byte_equal(
    shared_phone: RunningPhone, tmp_path: Path
) -> None:
    there = tmp_path / "there"
    numbers = random.Random(5)
    sizes = {"empty": 0, "one": 1, "64k": 65536, "64k+1": 65537, "3 MB": 3_000_000}
    for name, size in sizes.items():
        place = there / "dir é" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(numbers.randbytes(size))
    (there / "deeper" / "still").mkdir(parents=True)
    (there / "deeper" / "still" / "note.txt").write_text("hello\n")
    pushed = shared_phone.adb("push", str(there), "/sdcard/tree")
    assert pushed.returncode == 0, pushed
    assert shared_phone.adb("pull", "/sdcard/tree", str(tmp_path / "back")).returncode == 0
    assert tree(tmp_path / "back") == tree(there)
    assert tree(shared_phone.data / "storage/emulated/0/tree") == tree(there)
    again = shared_phone.adb("push", "--sync", str(there), "/storage/emulated/0/")
    assert again.returncode == 0, again


def test_the_older_file_protocol_works_as_well(shared_phone: RunningPhone, tmp_path: Path) -> None:
    sync = shared_phone.device.sync
    content = random.Random(6).randbytes(200_001)
    assert sync.push(content, "/data/local/tmp/v1.bin", 0o644, check=True) == len(content)
    assert sync.read_bytes("/data/local/tmp/v1.bin") == content
    found = {entry.path: entry.size for entry in sync.list("/data/local/tmp")}
    assert found["v1.bin"] == len(content)
    assert sync.exists("/data/local/tmp/v1.bin")
    assert not sync.exists("/data/local/tmp/nothing")
    sync.pull("/data/local/tmp", tmp_path / "pulled")
    assert (tmp_path / "pulled" / "v1.bin").read_bytes() == content


def test_what_cannot_be_pushed_or_pulled_is_refused_with_the_reason(
    shared_phone: RunningPhone, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("x")
    into_system = shared_phone.adb("push", str(tmp_path / "file"), "/system/app/file")
    assert into_system.returncode == 1
    assert b"Read-only file system" in into_system.stderr
    missing = shared_phone.adb("pull", "/sdcard/nothing", str(tmp_path / "nothing"))
    assert missing.returncode == 1
    assert b"No such file or directory" in missing.stderr


def test_a_push_never_leaves_the_folder_of_the_phone(
    shared_phone: RunningPhone, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("escaped?")
    goal = "/data/local/tmp/../../../../../../../escaped"
    assert shared_phone.adb("push", str(tmp_path / "file"), goal).returncode == 0
    assert (shared_phone.data / "escaped").read_text() == "escaped?"
    assert not (shared_phone.data.parent / "escaped").exists()


def test_ls_of_adb_shows_modes_sizes_and_names(shared_phone: RunningPhone) -> None:
    shared_phone.shell("mkdir -p /sdcard/listed/folder; echo -n abc > /sdcard/listed/file")
    rows = [line.split() for line in shared_phone.adb("ls", "/sdcard/listed").stdout.splitlines()]
    assert [(row[0], int(row[1], 16), row[-1]) for row in rows] == [
        (b"000081b0", 3, b"file"),
        (b"000041f9", int(rows[1][1], 16), b"folder"),
    ]


def test_an_app_cannot_be_installed_and_adb_says_why(
    shared_phone: RunningPhone, tmp_path: Path
) -> None:
    (tmp_path / "app.apk").write_bytes(b"PK\3\4")
    done = shared_phone.adb("install", "--no-streaming", str(tmp_path / "app.apk"))
    assert done.returncode == 1
    assert b"this phone installs no apps" in done.stdout + done.stderr


# --- sockets -------------------------------------------------------------------------------------
def listening(phone: RunningPhone, command: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [ADB, "-s", phone.serial, "shell", command],
        env=phone.env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def test_a_forwarded_port_reaches_a_listener_in_the_phone(shared_phone: RunningPhone) -> None:
    port = int(shared_phone.adb("forward", "tcp:0", "tcp:7100").stdout)
    with listening(shared_phone, "echo listening; nc -l -p 7100") as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stdout.readline() == b"listening\n"
        deadline = time.monotonic() + 5
        while True:
            with socket.create_connection(("127.0.0.1", port), 5) as client:
                client.sendall(b"from the computer\n")
                server.stdin.write(b"from the phone\n")
                server.stdin.flush()
                if client.recv(100) == b"from the phone\n":
                    break
            assert time.monotonic() < deadline
        assert server.stdout.readline() == b"from the computer\n"
    listed = shared_phone.adb("forward", "--list").stdout.decode()
    assert f"{shared_phone.serial} tcp:{port} tcp:7100" in listed
    shared_phone.adb("forward", "--remove", f"tcp:{port}")


def test_a_forward_to_nobody_ends_at_once(shared_phone: RunningPhone) -> None:
    port = int(shared_phone.adb("forward", "tcp:0", "localabstract:nobody").stdout)
    with socket.create_connection(("127.0.0.1", port), 5) as client:
        assert client.recv(10) == b""
    shared_phone.adb("forward", "--remove", f"tcp:{port}")


def test_the_phone_is_no_door_to_ports_of_the_computer(shared_phone: RunningPhone) -> None:
    with socket.create_server(("127.0.0.1", 0)) as secret:
        secret.settimeout(0.3)
        number = secret.getsockname()[1]
        port = int(shared_phone.adb("forward", "tcp:0", f"tcp:{number}").stdout)
        with socket.create_connection(("127.0.0.1", port), 5) as client:
            assert client.recv(10) == b""
        with pytest.raises(TimeoutError):
            secret.accept()
    shared_phone.adb("forward", "--remove", f"tcp:{port}")


def test_a_reverse_rule_reaches_the_computer_from_inside_the_phone(
    shared_phone: RunningPhone,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        number = server.getsockname()[1]
        taken = shared_phone.adb("reverse", "tcp:0", f"tcp:{number}").stdout.decode().strip()
        listed = shared_phone.adb("reverse", "--list").stdout.decode().split()
        assert listed[1:] == [f"tcp:{taken}", f"tcp:{number}"]

        def answer() -> None:
            client, _ = server.accept()
            with client:
                client.sendall(b"you said " + client.recv(100))

        thread = threading.Thread(target=answer)
        thread.start()
        said = shared_phone.shell(f"echo hello | nc localhost {taken}")
        thread.join()
    assert said == "you said hello\n"
    with_nobody = shared_phone.adb("shell", f"nc localhost {taken}")  # the server is gone
    assert (with_nobody.returncode, with_nobody.stderr) == (1, b"nc: connect: Connection refused\n")
    taken_again = shared_phone.adb("reverse", "--no-rebind", f"tcp:{taken}", "tcp:1")
    assert b"cannot rebind existing socket" in taken_again.stderr
    assert shared_phone.adb("reverse", "--remove", f"tcp:{taken}").returncode == 0
    gone = shared_phone.adb("reverse", "--remove", f"tcp:{taken}")
    assert f"listener 'tcp:{taken}' not found".encode() in gone.stderr
    shared_phone.adb("reverse", "localabstract:one", "tcp:1")
    shared_phone.adb("reverse", "localabstract:two", "tcp:2")
    assert shared_phone.adb("reverse", "--remove-all").returncode == 0
    assert shared_phone.adb("reverse", "--list").stdout.strip() == b""


def test_a_reader_that_stops_slows_the_phone_down_and_nothing_is_lost(
    shared_phone: RunningPhone,
) -> None:
    size = 8_000_000
    content = random.Random(7).randbytes(size)
    shared_phone.device.sync.push(content, "/data/local/tmp/big")
    port = free_port()
    shared_phone.adb("forward", f"tcp:{port}", "tcp:7200")
    with listening(shared_phone, "echo up; cat /data/local/tmp/big | nc -l -p 7200") as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"up\n"
        received = b""
        while not received:  # the listener may come up a moment after its announcement
            with socket.create_connection(("127.0.0.1", port), 5) as client:
                select.select([client], [], [], 5)
                assert shared_phone.shell("echo alive") == "alive\n"  # while this stream stands
                while len(received) < size and (part := client.recv(1 << 20)):
                    received += part
        server.kill()
    assert hashlib.sha256(received).digest() == hashlib.sha256(content).digest()
    shared_phone.adb("forward", "--remove", f"tcp:{port}")


# --- small services ------------------------------------------------------------------------------
def test_services_of_other_phones_are_answered_in_words(shared_phone: RunningPhone) -> None:
    root = shared_phone.adb("root").stdout
    assert root == b"adbd cannot run as root in production builds\n"
    assert b"not running as root" in shared_phone.adb("remount").stdout.lower()
    assert b"closed" in shared_phone.adb("raw", "no-such-service:").stderr
