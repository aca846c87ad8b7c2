"""The phone's paths stay inside its folder, whatever they look like."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demophone.filesystem import FileSystem


@pytest.fixture
def files(tmp_path: Path) -> FileSystem:
    return FileSystem(tmp_path / "outside" / "root")


@pytest.mark.parametrize(
    ("path", "cwd", "device"),
    [
        ("/", "/", "/"),
        ("/sdcard", "/", "/storage/emulated/0"),
        ("/sdcard/../x", "/", "/storage/emulated/x"),
        ("/storage/self/primary/a", "/", "/storage/emulated/0/a"),
        ("/mnt/sdcard/a//b/./c", "/", "/storage/emulated/0/a/b/c"),
        ("a", "/sdcard", "/storage/emulated/0/a"),
        ("../../../../../../etc/passwd", "/data", "/system/etc/passwd"),
        ("/../../..", "/", "/"),
        ("/data/user/0/com.x/db", "/", "/data/data/com.x/db"),
        ("sdcard/x", "/", "/storage/emulated/0/x"),
    ],
)
def test_paths_are_resolved_as_the_phone_does(
    files: FileSystem, path: str, cwd: str, device: str
) -> None:
    assert files.device_path(path, cwd) == device
    assert files.host(path, cwd) == files.root / device[1:]


def test_links_of_the_computer_that_lead_out_are_refused(files: FileSystem, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("not for the phone")
    (files.root / "data/local/tmp/direct").symlink_to(secret)
    (files.root / "data/local/tmp/folder").symlink_to(tmp_path)
    (files.root / "data/local/tmp/relative").symlink_to("../../../../../secret")
    (files.root / "data/local/tmp/inside").symlink_to(files.root / "system")
    for path in ("direct", "folder/secret", "relative", "folder/new"):
        with pytest.raises(PermissionError):
            files.host(f"/data/local/tmp/{path}")
        with pytest.raises(PermissionError):
            files.write(f"/data/local/tmp/{path}", b"overwritten")
        with pytest.raises(PermissionError):
            files.remove(f"/data/local/tmp/{path}")
    assert files.stat("/data/local/tmp/inside/bin").is_folder
    assert secret.read_text() == "not for the phone"
    assert [entry.name for entry in files.list("/data/local/tmp")] == [
        "direct",
        "folder",
        "inside",
        "relative",
    ]


def test_links_of_the_phone_stay_in_the_phone_and_circles_are_noticed(files: FileSystem) -> None:
    files.add_link("/sdcard/up", "../../../../../../etc")
    assert files.host("/sdcard/up/x") == files.root / "system/etc/x"
    assert files.link_target("/sdcard/up") == "../../../../../../etc"
    files.add_link("/sdcard/a", "/sdcard/b")
    files.add_link("/sdcard/b", "/sdcard/a")
    with pytest.raises(OSError, match="Too many symbolic links") as caught:
        files.host("/sdcard/a")
    assert caught.value.errno == errno.ELOOP
    files.remove("/sdcard/a")
    assert files.link_target("/sdcard/a") is None


def test_impossible_paths_are_refused(files: FileSystem) -> None:
    with pytest.raises(OSError, match="Invalid argument"):
        files.host("/sdcard/\0")
    with pytest.raises(OSError, match="File name too long"):
        files.host("/a" * 3000)


def test_the_system_is_read_only_and_null_takes_everything(files: FileSystem) -> None:
    for path in ("/system/build.prop", "/proc/x", "/dev/x", "/vendor/x", "/etc/hosts", "/sdcard"):
        with pytest.raises(OSError, match=r"Read-only|Is a directory"):
            files.write(path, b"x")
    files.write("/dev/null", b"x")
    assert files.read("/dev/null") == b""
    with pytest.raises(OSError, match="Read-only"):
        files.remove("/sdcard")


@given(st.lists(st.sampled_from(["..", ".", "sdcard", "data", "local", "", "a", "etc", "\\"])))
def test_no_path_leaves_the_root(
    tmp_path_factory: pytest.TempPathFactory, parts: list[str]
) -> None:
    root = tmp_path_factory.getbasetemp() / "any-path"
    place = FileSystem(root).host("/".join(parts))
    assert place.is_relative_to(root.resolve())
    assert ".." not in place.parts
