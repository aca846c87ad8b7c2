"""Trees as they arrive: one reader for phones and files, parsed at once, repaired or unreadable."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from episodes.screens import TreeFit, TreeStatus
from episodes.store.library import Library
from episodes.trees.dumps import receive_dump, receive_tree
from episodes.trees.hits import target_at
from episodes.trees.step_trees import NoTree, TreeProblem, tree_of_step
from episodes.trees.uiautomator import read_uiautomator
from episodes.trees.values import Tree
from taptrail.usecases.importing import import_episodes

CASES = Path(__file__).resolve().parents[2] / "cases" / "trees"


def dump(text: str) -> bytes:
    node = f'<node class="a.Button" text="{text}" clickable="true" bounds="[0,0][1080,2400]"/>'
    return f'<hierarchy rotation="0">{node}</hierarchy>'.encode("utf-8", "surrogatepass")


@pytest.mark.parametrize(
    ("output", "status", "data"),
    [
        (
            b"<?xml version='1.0'?><hierarchy><node /></hierarchy>"
            b"UI hierchary dumped to: /dev/tty\n",
            TreeStatus.OK,
            b"<?xml version='1.0'?><hierarchy><node /></hierarchy>",
        ),
        (
            b"WARNING: linker\n<?xml version='1.0'?><hierarchy></hierarchy>\r\n",
            TreeStatus.EMPTY,
            b"<?xml version='1.0'?><hierarchy></hierarchy>",
        ),
        (b"ERROR: could not get idle state.\n", TreeStatus.NOT_IDLE, b""),
        (
            b"ERROR: null root node returned by UiTestAutomationBridge.\n",
            TreeStatus.NO_ROOT,
            b"",
        ),
        (b"Killed \n", TreeStatus.KILLED, b""),
        (b"UI hierchary dumped to: /dev/tty\n", TreeStatus.EMPTY, b""),
        (b"", TreeStatus.EMPTY, b""),
        (
            b"<?xml version='1.0'?><hierarchy><node",
            TreeStatus.UNREADABLE,
            b"<?xml version='1.0'?><hierarchy><node",
        ),
        (
            b"java.lang.IllegalStateException: UiAutomationService already registered!",
            TreeStatus.FAILED,
            b"",
        ),
    ],
)
def test_uiautomator_s_output_has_a_status(output: bytes, status: TreeStatus, data: bytes) -> None:
    answer = receive_dump(output)
    assert (answer.status, answer.data) == (status, data)


@pytest.mark.parametrize(
    ("text", "read", "detail"),
    [
        ("a&#0;b", "a\ufffdb", "1 reference that XML forbids replaced"),
        ("a&#x1F;b&#xFFFF;", "a\ufffdb\ufffd", "2 references that XML forbids replaced"),
        ("a\x01\x1bb", "a\ufffd\ufffdb", "2 characters that XML forbids replaced"),
        ("&#55357;", "\ufffd", "1 character and 1 reference that XML forbids replaced"),
        ("\ud83d", "\ufffd", "1 character that XML forbids replaced"),
        ("\ud83d\ude00", "\U0001f600", "1 character that XML forbids replaced"),
        ("Q&A", "Q&A", "1 reference that XML forbids replaced"),
        ("&nbsp;x", "&nbsp;x", "1 reference that XML forbids replaced"),
        (
            "&#55357;&#56832;",
            "\U0001f600",
            "1 character and 2 references that XML forbids replaced",
        ),
    ],
)
def test_characters_that_xml_forbids_are_repaired_and_reported(
    text: str, read: str, detail: str
) -> None:
    for received in (receive_dump(dump(text)), receive_tree("uiautomator", dump(text))):
        assert (received.status, received.detail) == (TreeStatus.OK, detail)
        (node,) = read_uiautomator(received.data).walk()
        assert node.text == read


@pytest.mark.parametrize(
    "text", ["\U0001f600", "&amp;&lt;&#10;&#128512;", "日本語 العربية", "\ufffd"]
)
def test_a_sound_dump_keeps_its_bytes(text: str) -> None:
    received = receive_tree("uiautomator", dump(text))
    assert (received.status, received.data, received.detail) == (TreeStatus.OK, dump(text), "")


@pytest.mark.parametrize(
    "data",
    [
        b"<hierarchy><node></hierarchy>",
        b"<?xml version='1.0'?><!DOCTYPE h [<!ENTITY a 'b'>]><hierarchy><node/></hierarchy>",
        b'<hierarchy><node text="1" text="2"/></hierarchy>',
        b"<hierarchy>" + b"<node>" * 500 + b"</node>" * 500 + b"</hierarchy>",
    ],
)
def test_bytes_that_cannot_be_parsed_are_unreadable_at_arrival(data: bytes) -> None:
    for received in (receive_dump(data), receive_tree("uiautomator", data)):
        assert received.status is TreeStatus.UNREADABLE
        assert received.data == data
        assert received.detail


def test_a_file_with_the_commands_error_has_the_status_a_phone_would_get() -> None:
    said = b"ERROR: could not get idle state.\n"
    assert receive_tree("uiautomator", said) == receive_dump(said)
    assert receive_tree("uiautomator", said).status is TreeStatus.NOT_IDLE
    assert receive_tree("uiautomator", b"smoke").status is TreeStatus.UNREADABLE


def test_a_file_in_utf_16_is_read_as_it_declares() -> None:
    data = dump("OK").decode().encode("utf-16")
    assert receive_tree("uiautomator", data).status is TreeStatus.OK


def test_bytes_in_another_latin_encoding_are_replaced_and_reported() -> None:
    received = receive_dump(dump("caf").replace(b"caf", b"caf\xe9"))
    assert received.status is TreeStatus.OK
    assert received.detail == "1 character that XML forbids replaced"


def folder_with(tmp_path: Path, data: bytes) -> Path:
    folder = tmp_path / "files"
    shutil.copytree(CASES / "dump_with_trailer", folder)
    (folder / "0.xml").write_bytes(data)
    return folder


def first_tree(tmp_path: Path) -> Tree | NoTree:
    with Library.read(tmp_path / "library") as library:
        (episode,) = library.iterate()
    assert episode.steps[0].tree is not None
    assert episode.steps[0].tree.fit is TreeFit.FRESH
    return tree_of_step(episode.steps[0])


def test_a_dump_with_the_commands_last_line_behind_it_is_imported_as_a_tree(
    tmp_path: Path,
) -> None:
    import_episodes("taptrail", CASES / "dump_with_trailer", tmp_path / "library")
    tree = first_tree(tmp_path)
    assert isinstance(tree, Tree)
    with Library.read(tmp_path / "library") as library:
        (episode,) = library.iterate()
        action = episode.steps[0].action
    found = target_at(tree, action.at)
    assert found is not None
    assert found[1].text == "Save"


def test_an_import_reports_repaired_and_unreadable_trees(tmp_path: Path) -> None:
    repaired = folder_with(tmp_path / "one", dump("a&#0;b"))
    done = import_episodes("taptrail", repaired, tmp_path / "one" / "library")
    told = [one.reason for one in done.notes]
    assert told == ["tree: 1 reference that XML forbids replaced"]
    assert isinstance(first_tree(tmp_path / "one"), Tree)

    broken = folder_with(tmp_path / "two", b"<hierarchy><node></hierarchy>")
    done = import_episodes("taptrail", broken, tmp_path / "two" / "library")
    told = [one.reason for one in done.notes]
    assert told == ["tree: it cannot be read: line 1: mismatched tag"]
    found = first_tree(tmp_path / "two")
    assert isinstance(found, NoTree)
    assert found.problem is TreeProblem.UNREADABLE
