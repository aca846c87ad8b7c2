"""The XML of the phone's windows, against the form of real dumps and against the truth log."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

from demophone import hierarchy
from demophone.views.geometry import Rect
from demophone.views.view import View
from tests.demophone import drawn as hands
from tests.demophone.drawn import Drawn, MakeDrawn

make_drawn = hands.make_drawn

ATTRIBUTES = [
    "index",
    "text",
    "resource-id",
    "class",
    "package",
    "content-desc",
    "checkable",
    "checked",
    "clickable",
    "enabled",
    "focusable",
    "focused",
    "scrollable",
    "long-clickable",
    "password",
    "selected",
    "bounds",
]
SCREEN = Rect(0, 0, 100, 200)


def _nodes(xml: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(xml).iter("node"))


def _box(node: ElementTree.Element) -> list[int]:
    return [int(number) for number in re.findall(r"-?\d+", node.attrib["bounds"])]


def _screens(drawn: Drawn) -> list[str]:
    """Brings the phone to one screen after the other; yields its dump each time."""
    dumps = [drawn.phone.hierarchy()]
    for app, inside in (("contacts", "contact-2"), ("messages", "conversation-2"),
                        ("settings", "about"), ("phone", "key-1")):  # fmt: skip
        drawn.press(3)
        drawn.tap(f"icon-{app}")
        dumps.append(drawn.phone.hierarchy())
        drawn.tap(inside)
        dumps.append(drawn.phone.hierarchy())
    drawn.press(187)
    dumps.append(drawn.phone.hierarchy())
    return dumps


def test_a_dump_has_the_head_and_the_attributes_of_real_ones(make_drawn: MakeDrawn) -> None:
    for xml in _screens(make_drawn()):
        assert xml.startswith(
            "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
            '<hierarchy rotation="0"><node index="0" text="" resource-id="" '
            'class="android.widget.FrameLayout" package="com.taptrail.demo.'
        )
        assert "\n" not in xml
        assert all(list(node.attrib) == ATTRIBUTES for node in _nodes(xml))


def test_nodes_lie_on_the_screen_and_are_numbered(make_drawn: MakeDrawn) -> None:
    for xml in _screens(make_drawn()):
        for node in _nodes(xml):
            left, top, right, bottom = _box(node)
            assert 0 <= left < right <= 540
            assert 0 <= top < bottom <= 1200
            assert [child.attrib["index"] for child in node] == [str(i) for i in range(len(node))]


def test_a_dump_agrees_with_the_truth_log(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-contacts")
    drawn.tap("new-contact")
    drawn.write("Mara")
    nodes = {
        (n.attrib["resource-id"], n.attrib["text"], n.attrib["class"], tuple(_box(n)))
        for n in _nodes(drawn.phone.hierarchy())
    }
    shown = [e for e in drawn.elements().values() if e["window"] == "app"]
    assert len(shown) > 6
    for element in shown:
        said = element["text"] or (element["desc"] if element["editable"] else "")
        facts = (element["resource_id"], said, element["class"], tuple(element["box"]))
        assert facts in nodes
    assert not any("Keyboard" in class_name for _, _, class_name, _ in nodes)


def test_rows_hold_their_words(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-messages")
    xml = ElementTree.fromstring(drawn.phone.hierarchy())
    lists = xml.findall(".//node[@class='androidx.recyclerview.widget.RecyclerView']")
    assert [node.attrib["scrollable"] for node in lists] == ["true"]
    row = next(n for n in lists[0] if any(c.attrib["text"] == "Mara Quill" for c in n))
    assert row.attrib["class"] == "android.widget.LinearLayout"
    assert (row.attrib["clickable"], row.attrib["long-clickable"]) == ("true", "true")
    assert row.attrib["text"] == ""


def test_an_empty_field_says_its_hint_as_androids_do(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-contacts")
    drawn.tap("new-contact")
    drawn.write("Ia")
    fields = [
        (n.attrib["text"], n.attrib["focused"], n.attrib["long-clickable"])
        for n in _nodes(drawn.phone.hierarchy())
        if n.attrib["class"] == "android.widget.EditText"
    ]
    assert fields == [
        ("Ia", "true", "true"),
        ("Last name", "false", "true"),
        ("Phone", "false", "true"),
        ("Email", "false", "true"),
    ]


def test_a_dialog_is_the_active_window(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-contacts")
    drawn.tap("contact-2")
    drawn.tap("more")
    texts = {n.attrib["text"] for n in _nodes(drawn.phone.hierarchy())} - {""}
    assert texts == {"Copy number", "Delete"}
    drawn.tap("menu/delete")
    texts = {n.attrib["text"] for n in _nodes(drawn.phone.hierarchy())} - {""}
    assert {"Delete contact?", "Cancel", "Delete"} < texts


def test_a_turned_phone_says_so(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.phone.rotate()
    root = ElementTree.fromstring(drawn.phone.hierarchy())
    assert root.attrib["rotation"] == "1"
    assert _box(root[0]) == [0, 0, 1200, 540]


def test_a_sleeping_phone_has_no_window(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.phone.wake(False)
    assert _nodes(drawn.phone.hierarchy()) == []


def test_what_xml_cannot_hold_is_written_so_that_it_can_be_read_back() -> None:
    text = "a < b & \"c\" 'd' >\nnext\ttab \x07 ü 字"
    xml = hierarchy.dump(View(SCREEN, text=text), SCREEN, 1.0, 0, "a.b")
    assert _nodes(xml)[-1].attrib["text"] == text.replace("\x07", ".")
    assert "&#10;" in xml


def test_boxes_are_cut_to_the_list_they_are_in() -> None:
    rows = [View(Rect(0, 40 * i - 20, 100, 40), text=str(i)) for i in range(10)]
    inner = View(Rect(0, 0, 100, 90), children=rows, clip=True)
    xml = hierarchy.dump(View(SCREEN, children=[inner]), SCREEN, 2.0, 0, "a.b")
    boxes = {n.attrib["text"]: _box(n) for n in _nodes(xml) if n.attrib["text"]}
    assert boxes == {"0": [0, 0, 200, 40], "1": [0, 40, 200, 120], "2": [0, 120, 200, 180]}


def test_a_compressed_dump_leaves_out_what_says_nothing(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-messages")
    whole, brief = (_nodes(drawn.phone.hierarchy(compressed=c)) for c in (False, True))

    def telling(nodes: list[ElementTree.Element]) -> list[tuple[str, str]]:
        return [
            (n.attrib["text"], n.attrib["bounds"])
            for n in nodes
            if n.attrib["text"] or n.attrib["clickable"] == "true"
        ]

    assert len(brief) < len(whole)
    assert telling(brief) == telling(whole)
