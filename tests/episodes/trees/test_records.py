"""Trees count in the screen's pixels; who reads one beside a frame gets the frame's pixels."""

from episodes.geometry import Box, Point, Size
from episodes.screens import TreeRecord, TreeStatus
from episodes.trees.hits import target_at
from episodes.trees.readers import read_record, read_tree

SCREEN, VIDEO = Size(540, 1200), Size(544, 1200)

XML = (
    b'<hierarchy rotation="0"><node class="android.widget.FrameLayout" bounds="[0,0][540,1200]">'
    b'<node class="android.widget.Button" text="No" clickable="true" bounds="[0,0][500,60]" />'
    b'<node class="android.widget.Button" text="Yes" clickable="true" bounds="[500,0][540,60]" />'
    b"</node></hierarchy>"
)
RECORD = TreeRecord("uiautomator", XML, "uiautomator dump", TreeStatus.OK, size=SCREEN)


def test_a_tree_with_a_frame_of_another_size_is_read_in_the_frame_s_pixels() -> None:
    tree = read_record(RECORD, VIDEO)
    assert [node.box for node in tree.walk()] == [
        Box(0, 0, 544, 1200),
        Box(0, 0, 500 * 544 / 540, 60),
        Box(500 * 544 / 540, 0, 544, 60),
    ]
    assert tree.windows[0].box == Box(0, 0, 544, 1200)


def test_a_touch_between_two_buttons_means_the_one_it_hit() -> None:
    found = target_at(read_record(RECORD, VIDEO), Point(502, 30))
    assert found is not None
    assert found[1].text == "No"


def test_a_tree_in_the_frame_s_own_pixels_is_read_as_it_is() -> None:
    assert read_record(RECORD, SCREEN) == read_tree("uiautomator", XML)
