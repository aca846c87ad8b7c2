"""Lists of phones: each phone once, equal serials told apart, names with blanks."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from episodes.errors import KnownError
from recorder.device.adb.server import _listed, named
from recorder.device.interface import ListedPhone
from recorder.devices import open_devices
from tests.demophone.conftest import FLAT
from tests.demophone.phones import AdbServer, RunningPhone, start_phone
from tests.recorder.device.renaming_adb import renaming_adb

DENIED = "no permissions (user ann is not in the plugdev group); see [http://developer.example/x]"
WIDTHS = (320, 400)
FACTS = "product:wren model:Wren_6 device:wren"


@pytest.fixture(scope="module")
def two_phones(
    adb_server: AdbServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[RunningPhone]]:
    """Two phones with one serial number, 320 and 400 pixels wide."""
    folder = tmp_path_factory.mktemp("lists")
    phones = []
    for width in WIDTHS:
        phone = start_phone(adb_server, folder / str(width), "--size", f"{width}x640", module=FLAT)
        phone.connect()
        phones.append(phone)
    yield phones
    for phone in phones:
        phone.stop()
        adb_server.run("disconnect", phone.serial)


def listed(line: str) -> ListedPhone:
    (phone,) = named([found] if (found := _listed(line)) is not None else [])
    return phone


@pytest.mark.parametrize(
    ("line", "serial", "state", "connection"),
    [
        (f"R5WREN6             device usb:1-4 {FACTS} transport_id:3", "R5WREN6", "device", "USB"),
        (
            f"192.168.0.7:5555    device {FACTS} transport_id:4",
            "192.168.0.7:5555",
            "device",
            "Wi-Fi",
        ),
        (
            f"adb-R5WREN6-a1 (2)._adb-tls-connect._tcp device {FACTS} transport_id:5",
            "adb-R5WREN6-a1 (2)._adb-tls-connect._tcp",
            "device",
            "Wi-Fi",
        ),
        ("my device (2)  offline transport_id:6", "my device (2)", "offline", ""),
        ("(no serial number)  unauthorized usb:2-1", "(no serial number)", "unauthorized", "USB"),
        (
            f"0123456789ABCDEF {DENIED} usb:1-2 transport_id:7",
            "0123456789ABCDEF",
            "no permissions",
            "USB",
        ),
        ("emulator-5554  device transport_id:8", "emulator-5554", "device", "this computer"),
        ("R5WREN6  hibernating  transport_id:9", "R5WREN6", "hibernating", ""),
    ],
)
def test_a_line_of_the_list_is_parsed_by_its_structure(
    line: str, serial: str, state: str, connection: str
) -> None:
    phone = listed(line)
    assert (phone.serial, phone.state, phone.connection) == (serial, state, connection)
    assert phone.ready is (state == "device")


def test_one_phone_on_two_connections_is_one_and_two_phones_are_two(
    two_phones: list[RunningPhone], adb_server: AdbServer
) -> None:
    first, second = two_phones
    again = f"localhost:{first.serial.partition(':')[2]}"
    devices = open_devices(port=adb_server.port)
    devices.connect(again)
    try:
        # Both demo phones claim the same ro.serialno, as cheap phones do.
        names = {phone.names for phone in devices.phones() if phone.ready}
        assert {frozenset(one) for one in names} >= {
            frozenset({first.serial, again}),
            frozenset({second.serial}),
        }
        assert devices.ready_device(again).serial == again
    finally:
        devices.disconnect(again)


def test_phones_with_equal_serials_are_told_apart_by_their_port_or_connection(
    two_phones: list[RunningPhone], adb_server: AdbServer
) -> None:
    phones = two_phones
    usb = {f"usb:1-{place}": phone.serial for place, phone in enumerate(phones, 1)}

    def show(text: str) -> str:
        lines = []
        for port, serial in usb.items():
            (line,) = [line for line in text.splitlines() if line.startswith(serial)]
            lines.append(
                line.replace(serial, "0123456789ABCDEF", 1).replace("device ", f"device {port} ", 1)
            )
        return "\n".join(lines) + "\n"

    def select(service: str) -> str:
        for port, serial in usb.items():
            service = service.replace(port, serial)
        return service

    with renaming_adb(adb_server.port, show, select) as port:
        devices = open_devices(port=port)
        listed = devices.phones()
        assert [(one.serial, one.name, one.connection) for one in listed] == [
            ("0123456789ABCDEF", name, "USB") for name in usb
        ]
        widths = [devices.ready_device(name).facts().size for name in usb]
        assert [size.width for size in widths if size is not None] == list(WIDTHS)
        with pytest.raises(KnownError, match="there are several: usb:1-1, usb:1-2"):
            devices.ready_device("0123456789ABCDEF")
    blank = "adb-R5WREN6-a1 (2)._adb-tls-connect._tcp"
    serial = phones[0].serial

    def rename(text: str) -> str:
        return "\n".join(
            line.replace(serial, blank) for line in text.splitlines() if line.startswith(serial)
        )

    with renaming_adb(adb_server.port, rename, lambda text: text.replace(blank, serial)) as port:
        (only,) = open_devices(port=port).phones()
        assert (only.name, only.ready) == (blank, True)
        facts = open_devices(port=port).ready_device().facts()
        assert facts.size is not None
        assert facts.size.width == 320
    plain = open_devices(port=adb_server.port)
    numbers = {one.name: one.transport for one in plain.phones()}
    for phone, width in zip(phones, WIDTHS, strict=True):
        by_number = plain.device(f"same#{numbers[phone.serial]}")
        assert by_number.run("wm size").text == f"Physical size: {width}x640\n"


def test_an_answer_without_a_length_is_refused_in_plain_words() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            for _ in range(2):  # the first connection only looks whether a server listens
                client, _ = listening.accept()
                with client:
                    if client.recv(100):
                        client.sendall(b"OKAYZZZZ")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(KnownError, match="it sent “ZZZZ” where a length belongs"):
            open_devices(port=listening.getsockname()[1]).phones()
        thread.join()
