import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from episodes.errors import KnownError
from episodes.geometry import Box, Point
from episodes.trees.forest import KINDS, forest_bytes, read_forest
from episodes.trees.hits import target_at
from episodes.trees.readers import read_tree
from episodes.trees.values import Node, Tree, TreeWindow
from tests.samples.androidcontrol import forest, node, window


def shape(node):
    return (node.path, node.text or node.description, [shape(child) for child in node.children])


def test_windows_come_lowest_layer_first_with_their_nodes():
    lower, upper = read_tree("a11y-forest", forest()).windows
    assert lower == TreeWindow(
        6,
        "TYPE_SYSTEM",
        1,
        0,
        Box(0, 0, 36, 4),
        True,
        Node((), "", "", "", "", "", Box(0, 0, 36, 4), enabled=False),
        "Shop",
    )
    assert (upper.window_id, upper.kind, upper.layer, upper.box) == (
        7,
        "TYPE_APPLICATION",
        2,
        Box(0, 0, 36, 80),
    )
    assert upper.root.class_name == "android.widget.FrameLayout"
    assert upper.root.children == (
        Node((0,), "", "", "", "Buy", "", Box(9, 20, 40, 40), clickable=True),
        Node((1,), "", "", "shop:id/back", "", "Back", Box(-2, 40, 18, 60), enabled=False),
    )


def test_a_touch_finds_its_node():
    found = target_at(read_forest(forest()), Point(10, 30))
    assert found is not None
    assert found[1].text == "Buy"


def test_nodes_without_a_parent_and_rings_are_put_below_the_root():
    data = window(
        1,
        node(3, (0, 0, 1, 1), f7="child of nobody's"),
        node(2, (0, 0, 1, 1), 3, f7="nobody's"),
        node(0, (0, 0, 9, 9), 1, 1, 77, f7="root"),
        node(1, (0, 0, 1, 1), 0, f7="child"),
        node(5, (0, 0, 1, 1), 6, f7="ring a"),
        node(6, (0, 0, 1, 1), 5, f7="ring b"),
        node(1, (0, 0, 1, 1), f7="second of its id"),
    )
    (only,) = read_forest(data).windows
    assert shape(only.root) == (
        (),
        "root",
        [
            ((0,), "child", []),
            ((1,), "nobody's", [((1, 0), "child of nobody's", [])]),
            ((2,), "second of its id", []),
            ((3,), "ring a", [((3, 0), "ring b", [])]),
        ],
    )


def test_a_forest_without_windows_is_an_empty_tree():
    assert read_forest(b"") == Tree(())


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x0a\xff", "a number is cut off"),
        (b"\x0a\x05ab", "field 1 is cut off"),
        (b"\x08\x01", "a message has another type"),
        (b"\x0b", "unknown wire type 3"),
        (
            window(1, *(node(n, (0, 0, 1, 1), n + 1) for n in range(500))),
            "more than 400 nodes deep",
        ),
    ],
)
def test_bytes_that_are_not_a_forest_are_a_known_error(data, reason):
    with pytest.raises(KnownError, match=reason):
        read_forest(data)


WORDS = st.text(st.characters(codec="utf-8"), max_size=3)
EDGES = st.integers(-(2**31) + 1, 2**31 - 1)
BOXES = st.builds(Box, *[EDGES.map(float)] * 4)


@st.composite
def nodes(draw, path=()):
    count = draw(st.integers(0, 2)) if len(path) < 3 else 0
    flags = {
        name: draw(st.booleans())
        for name in (
            "visible",
            "enabled",
            "clickable",
            "long_clickable",
            "scrollable",
            "checkable",
            "checked",
            "selected",
            "focusable",
            "focused",
            "editable",
            "password",
        )
    }
    children = tuple(draw(nodes((*path, number))) for number in range(count))
    words = [draw(WORDS) for _ in range(5)]
    return Node(path, *words, draw(BOXES), hint=draw(WORDS), children=children, **flags)


TREES = st.lists(
    st.builds(
        TreeWindow,
        EDGES,
        st.sampled_from(KINDS),
        EDGES,
        EDGES,
        BOXES,
        st.booleans(),
        st.none() | nodes(),
        WORDS,
    ),
    max_size=3,
).map(lambda windows: Tree(tuple(sorted(windows, key=lambda window: window.layer))))


@given(TREES)
@settings(max_examples=150, deadline=None)
def test_a_tree_written_as_a_forest_comes_back_equal(tree):
    assert read_forest(forest_bytes(tree)) == tree


@given(st.binary(max_size=80), st.integers(0, 200))
@settings(max_examples=300, deadline=None)
def test_damaged_forests_are_trees_or_known_errors(data, at):
    for damaged in (data, forest()[:at] + data + forest()[at + len(data) :]):
        try:
            tree = read_forest(damaged)
        except KnownError:
            continue
        assert len(list(tree.walk())) <= len(damaged)
