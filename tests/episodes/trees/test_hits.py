"""Hit tests: the node under a touch."""

from __future__ import annotations

from episodes.geometry import Box, Point
from episodes.trees import hits
from episodes.trees.uiautomator import read_uiautomator
from episodes.trees.values import Node, Tree, TreeWindow

SCREEN = read_uiautomator(
    b"""<hierarchy>
  <node class="Frame" bounds="[0,0][100,200]">
    <node class="List" scrollable="true" clickable="true" bounds="[0,20][100,200]">
      <node class="Row" clickable="true" bounds="[0,20][100,60]">
        <node class="Text" text="Ada" bounds="[5,25][60,40]"/>
        <node class="Text" text="Lovelace" bounds="[5,40][60,55]"/>
        <node class="Button" clickable="true" content-desc="Call" bounds="[70,25][95,55]"/>
      </node>
      <node class="Row" clickable="true" enabled="false" bounds="[0,60][100,100]"/>
      <node class="Ghost" clickable="true" visible-to-user="false" bounds="[0,100][100,140]"/>
    </node>
    <node class="Title" text="People" bounds="[0,0][100,20]"/>
    <node class="Badge" clickable="true" bounds="[90,-5][110,10]"/>
  </node></hierarchy>"""
)


def named(point: Point, tree: Tree = SCREEN) -> str:
    found = hits.target_at(tree, point)
    return "nothing" if found is None else f"{found[1].class_name} {hits.label(found[1])}".strip()


def test_the_target_is_the_smallest_element_that_accepts_the_touch() -> None:
    assert named(Point(80, 30)) == "Button Call"


def test_a_text_inside_a_row_means_the_row_with_all_its_words() -> None:
    assert named(Point(10, 30)) == "Row Ada Lovelace Call"


def test_disabled_and_hidden_elements_accept_no_touch() -> None:
    assert named(Point(10, 80)) == named(Point(10, 120)) == "List Ada Lovelace Call"


def test_if_nothing_accepts_touches_the_target_is_the_smallest_element_that_shows_something() -> (
    None
):
    assert named(Point(10, 10)) == "Title People"


def test_the_far_edges_are_outside() -> None:
    assert named(Point(95, 30)) == "Row Ada Lovelace Call"
    assert named(Point(100, 30)) == "nothing"


def test_a_child_that_sticks_out_of_its_parent_is_found() -> None:
    assert named(Point(105, 5)) == "Badge"


def test_a_window_hides_what_is_below_it_and_nothing_beside_it() -> None:
    dialog = Node((), "Dialog", "", "", "", "", Box(20, 50, 80, 150))
    window = TreeWindow(1, "APPLICATION", 5, 0, dialog.box, True, dialog)
    tree = Tree((*SCREEN.windows, window))
    assert named(Point(50, 90), tree) == "Dialog"
    assert named(Point(10, 30), tree) == "Row Ada Lovelace Call"


def test_nodes_come_deepest_first() -> None:
    found = [node.class_name for _, node in hits.nodes_at(SCREEN, Point(80, 30))]
    assert found == ["Button", "Row", "List", "Frame"]
