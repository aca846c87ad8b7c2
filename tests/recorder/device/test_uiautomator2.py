"""The resident tree server on the demo phone: started, asked, ended, and nothing left of it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from episodes.errors import KnownError
from episodes.screens import TreeStatus
from episodes.trees.readers import read_tree
from recorder.device.adb import tree_sources, uiautomator2
from recorder.device.adb.server import Adb, PhoneLink
from recorder.device.adb.tree_sources import PhoneTrees, ResidentTrees, TreeChoices
from recorder.device.adb.uiautomator2 import ServerRefused, TreeServer
from tests.demophone.phones import RunningPhone, StartPhone, adb_server, demo_phone

__all__ = ["adb_server", "demo_phone"]

SMALL = ("--deterministic", "--size", "540x1172", "--density", "210")


def link(phone: RunningPhone) -> PhoneLink:
    return Adb(port=phone.adb_port).link(phone.serial)


def left_behind(phone: RunningPhone) -> list[str]:
    """Files and processes of the server that are on the phone."""
    files = phone.shell("ls /data/local/tmp").split()
    processes = phone.shell("ps -A -o PID,ARGS").splitlines()
    return [*files, *(line for line in processes if "uia2" in line)]


@pytest.fixture
def opened() -> Iterator[Callable[[PhoneTrees], PhoneTrees]]:
    made: list[PhoneTrees] = []

    def keep(source: PhoneTrees) -> PhoneTrees:
        made.append(source)
        return source

    yield keep
    for source in made:
        source.close()


def test_the_server_gives_trees_and_leaves_nothing(demo_phone: StartPhone) -> None:
    phone = demo_phone(*SMALL)
    source = ResidentTrees(link(phone))
    source.prepare()
    answer = source.ask()
    assert answer.status is TreeStatus.OK
    tree = read_tree(source.format, answer.data)
    texts = {node.text or node.description for node in tree.walk()}
    assert {"Phone", "10:24"} <= texts  # all windows, the status bar too
    assert [line.split()[1:] for line in left_behind(phone)] == [
        ["app_process", "/", "com.wetest.uia2.Main", "-p", "9317"]
    ]
    source.close()
    assert left_behind(phone) == []


def test_files_of_a_killed_program_are_removed_at_the_next_start(demo_phone: StartPhone) -> None:
    phone = demo_phone(*SMALL)
    dead = TreeServer(link(phone))
    dead.start()
    phone.shell("touch /data/local/tmp/taptrail-uiautomator2.jar")
    server = TreeServer(link(phone))
    server.start()  # the phone has one UiAutomation: the old server has to go first
    assert "<hierarchy" in server.hierarchy(10)
    assert len(left_behind(phone)) == 1
    server.stop()
    dead.stop()
    assert left_behind(phone) == []


def test_an_unknown_jar_is_refused(monkeypatch: pytest.MonkeyPatch, demo_phone: StartPhone) -> None:
    assert hashlib.sha256(uiautomator2.jar()).hexdigest() == uiautomator2.JAR_SHA256
    monkeypatch.setattr(uiautomator2, "JAR_SHA256", "0" * 64)
    with pytest.raises(KnownError, match="the sha256 of its jar is 87c8ac"):
        uiautomator2.jar()


def test_a_phone_whose_automation_is_taken_gives_dumps_and_is_not_remembered(
    demo_phone: StartPhone, tmp_path: Path, opened: Callable[[PhoneTrees], PhoneTrees]
) -> None:
    phone = demo_phone(*SMALL)
    other = TreeServer(link(phone), port=9400)
    other.start()
    choices = TreeChoices(tmp_path / "choices.json")
    source = opened(PhoneTrees(link(phone), choices))
    told = source.prepare()
    assert told is not None
    assert "another program uses the phone's UiAutomation; trees come from" in told.found
    assert source.name == "uiautomator dump"
    other.stop()
    assert source.ask().status is TreeStatus.OK
    assert opened(PhoneTrees(link(phone), choices)).prepare() is None


def test_a_phone_on_which_the_server_does_not_run_is_remembered(
    demo_phone: StartPhone,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    opened: Callable[[PhoneTrees], PhoneTrees],
) -> None:
    phone = demo_phone(*SMALL)
    path = tmp_path / "state" / "choices.json"
    with monkeypatch.context() as broken:
        broken.setattr(uiautomator2, "_CLASS", "com.wetest.uia2.Gone")
        first = opened(PhoneTrees(link(phone), TreeChoices(path)))
        told = first.prepare()
        assert told is not None
        assert first.ask().status is TreeStatus.OK
    again = opened(PhoneTrees(link(phone), TreeChoices(path)))
    second = again.prepare()
    assert second is not None
    assert second.found == told.found
    assert again.name == "uiautomator dump"
    monkeypatch.setattr(tree_sources, "REMEMBER_S", -1)
    later = opened(PhoneTrees(link(phone), TreeChoices(path)))
    assert later.prepare() is None
    assert later.name == "uiautomator2"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"DEMO0001": 5}', '{"DEMO0001": {"build": []}}'])
def test_a_damaged_file_of_choices_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "choices.json"
    path.write_text(text)
    choices = TreeChoices(path)
    assert choices.refused("DEMO0001", "b") == ""
    choices.refuse("DEMO0001", "b", "no")
    assert choices.refused("DEMO0001", "b") == "no"
    assert choices.refused("DEMO0001", "another build") == ""


def test_a_server_that_ends_is_started_again(demo_phone: StartPhone) -> None:
    phone = demo_phone(*SMALL)
    source = ResidentTrees(link(phone))
    source.prepare()
    number = left_behind(phone)[0].split()[0]
    phone.shell(f"kill {number}")
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            answer = source.ask()
        except KnownError:
            continue
        if answer.status is TreeStatus.OK:
            break
    assert answer.status is TreeStatus.OK
    assert left_behind(phone)[0].split()[0] != number
    source.close()


def test_an_error_of_the_server_is_a_failed_answer(demo_phone: StartPhone) -> None:
    phone = demo_phone(*SMALL, "--habit", "tree-latency=1/1/1/100")
    source = ResidentTrees(link(phone))
    source.prepare()
    answer = source.ask()
    assert answer.status is TreeStatus.FAILED
    assert "DeadObjectException" in answer.detail
    source.close()


def test_a_question_can_be_broken_off(demo_phone: StartPhone) -> None:
    phone = demo_phone(*SMALL, "--habit", "tree-latency=5000/5000/5000")
    server = TreeServer(link(phone))
    server.start()
    began = time.monotonic()
    with pytest.raises(KnownError):
        server.hierarchy(0.3)
    server.interrupt()
    with pytest.raises((KnownError, ServerRefused)):
        server.hierarchy(20)
    assert time.monotonic() - began < 4
    server.stop()
