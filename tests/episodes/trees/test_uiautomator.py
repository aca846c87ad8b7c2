"""The XML of `uiautomator dump`, in the forms phones print it."""

import pytest

from episodes.errors import KnownError
from episodes.geometry import Box
from episodes.trees.readers import read_tree
from episodes.trees.uiautomator import MAX_DEPTH, read_uiautomator

DUMP = b"""<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
<hierarchy rotation="0">
  <node index="0" text="" resource-id="" class="android.widget.FrameLayout" package="org.mail"
    content-desc="" checkable="false" checked="false" clickable="false" enabled="true"
    focusable="false" focused="false" scrollable="false" long-clickable="false" password="false"
    selected="false" bounds="[0,0][1080,2400]">
    <node index="0" text="To &amp; from" resource-id="org.mail:id/to"
      class="android.widget.EditText" package="org.mail" content-desc="Recipients"
      checkable="true" checked="true" clickable="true"
      enabled="false" focusable="true" focused="true" scrollable="true" long-clickable="true"
      password="true" selected="true" hint="Name" bounds="[10,-20][500,90]" />
    <node index="1" text="" resource-id="" class="android.webkit.WebView" package="org.mail"
      content-desc="" bounds="[0,100][1080,2400]" visible-to-user="false" />
  </node>
</hierarchy>"""


def test_every_attribute_of_a_node_is_read() -> None:
    (window,) = read_uiautomator(DUMP).windows
    assert window.root is not None
    assert (window.box, window.active, window.root.path) == (Box(0, 0, 1080, 2400), True, ())
    field, web = window.root.children
    assert (field.path, field.class_name, field.package, field.resource_id) == (
        (0,),
        "android.widget.EditText",
        "org.mail",
        "org.mail:id/to",
    )
    assert (field.text, field.description, field.hint) == ("To & from", "Recipients", "Name")
    assert field.box == Box(10, -20, 500, 90)
    flags = ("checkable", "checked", "clickable", "focusable", "focused", "scrollable")
    flags += ("long_clickable", "password", "selected", "editable", "visible")
    assert {name: getattr(field, name) for name in flags} == dict.fromkeys(flags, True)
    assert (field.enabled, field.opaque) == (False, False)
    assert (web.path, web.opaque, web.visible, web.enabled) == ((1,), True, False, True)


def test_the_format_is_found_by_its_name() -> None:
    assert read_tree("uiautomator", DUMP) == read_uiautomator(DUMP)
    with pytest.raises(KnownError, match="“smoke” is not known"):
        read_tree("smoke", DUMP)


def test_windows_are_ordered_from_the_lowest_layer_up() -> None:
    tree = read_uiautomator(
        b"<displays><display id='0'>"
        b"<window id='7' type='SYSTEM' layer='9' active='false' bounds='[0,0][9,1]' title='Bar'>"
        b"<hierarchy><node class='a.Bar' bounds='[0,0][9,1]'/></hierarchy></window>"
        b"<window id='3' type='APPLICATION' layer='2' active='true' bounds='[0,0][9,9]'>"
        b"<hierarchy><node class='a.App' bounds='[0,0][9,9]'/></hierarchy></window>"
        b"</display></displays>"
    )
    assert [
        (window.window_id, window.kind, window.layer, window.active, window.title)
        for window in tree.windows
    ] == [(3, "APPLICATION", 2, True, ""), (7, "SYSTEM", 9, False, "Bar")]
    assert len(list(tree.walk())) == 2


def test_several_roots_are_several_windows() -> None:
    tree = read_uiautomator(
        b"<hierarchy><node class='a' bounds='[0,0][9,9]'/>"
        b"<node class='b' bounds='[0,0][9,2]'/></hierarchy>"
    )
    assert [window.box for window in tree.windows] == [Box(0, 0, 9, 9), Box(0, 0, 9, 2)]


def test_elements_named_by_their_class_are_nodes_too() -> None:
    (window,) = read_uiautomator(
        b"<hierarchy><android.widget.Button text='Go' bounds='[1,2][3,4]'/></hierarchy>"
    ).windows
    assert window.root is not None
    assert (window.root.class_name, window.root.text) == ("android.widget.Button", "Go")


def test_a_node_without_bounds_is_nowhere_and_not_visible() -> None:
    (window,) = read_uiautomator(b"<hierarchy><node class='a' bounds='all'/></hierarchy>").windows
    assert window.root is not None
    assert (window.root.box, window.root.visible) == (Box(0, 0, 0, 0), False)


BOMB = b"""<!DOCTYPE h [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<hierarchy><node text="&b;" bounds="[0,0][1,1]"/></hierarchy>"""


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (BOMB, "declares entities"),
        (b"<hierarchy><node", "line 1: "),
        (b"", "no element found"),
        (b"<html><body/></html>", "begins with “html”"),
        (b'<?xml version="1.0" encoding="utf-7"?><hierarchy/>', "its encoding cannot be read"),
        (b'<?xml version="1.0" encoding="klingon"?><hierarchy/>', "its encoding cannot be read"),
        (b"<hierarchy>" + b"<node bounds='[0,0][1,1]'>" * (MAX_DEPTH + 1), "nodes deep"),
    ],
)
def test_text_that_is_not_a_dump_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(KnownError, match=words):
        read_uiautomator(data)
