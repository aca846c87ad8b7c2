"""Details of the element under the pointer, and what is hidden."""

import pytest

from episodes.clocks import Moment
from episodes.geometry import Box, Point, Size
from episodes.recordings import DeviceFacts
from episodes.screens import StepTree, TreeFit, TreeRecord, TreeStatus
from recorder.screen_context import StepContext
from taptrail.usecases.elements import ElementDetails, ElementUnderPointer, in_dp, pointed_at

FRAME = Size(540, 1200)
NODE = (
    '<node index="{n}" text="{text}" resource-id="com.example:id/{id}" package="com.example" '
    'class="android.widget.{kind}" content-desc="" clickable="{clickable}" '
    'long-clickable="{clickable}" password="{password}" enabled="true" bounds="{box}">{inside}'
    "</node>"
)


def node(
    kind: str,
    box: str,
    *inside: str,
    text: str = "",
    name: str = "",
    clickable: bool = False,
    password: bool = False,
) -> str:
    return NODE.format(
        n=0,
        text=text,
        id=name,
        kind=kind,
        clickable=str(clickable).lower(),
        password=str(password).lower(),
        box=box,
        inside="".join(inside),
    )


TREE = node(
    "FrameLayout",
    "[0,0][1080,2400]",
    node("EditText", "[100,400][900,540]", text="Phone", name="field_phone", clickable=True),
    node(
        "LinearLayout",
        "[100,600][900,1000]",
        node("TextView", "[100,600][500,700]", text="Sign in"),
        node("EditText", "[100,800][900,1000]", text="hunter2", name="secret", password=True),
        name="form",
        clickable=True,
    ),
)


def around(
    fit: TreeFit = TreeFit.FRESH,
    status: TreeStatus = TreeStatus.OK,
    *,
    tree: str = TREE,
    protected: bool = False,
) -> StepContext:
    data = f'<hierarchy rotation="0">{tree}</hierarchy>'.encode()
    asked = Moment(host_ns=1_000_000_000)
    record = TreeRecord("uiautomator", data, "test", status, requested=asked, size=Size(1080, 2400))
    return StepContext(StepTree(record, fit), protected)


def pointed(x: float, y: float, seen: StepContext) -> ElementUnderPointer:
    return pointed_at(seen, Point(x, y), FRAME, 1_200_000_000)


def test_the_element_is_told_in_pixels_of_the_frame_with_the_trees_age() -> None:
    assert pointed(200, 230, around()) == ElementUnderPointer(
        ElementDetails(
            "Phone",
            "EditText",
            "field_phone",
            ("tap", "long press", "type"),
            Box(50, 200, 450, 270),
        ),
        False,
        TreeFit.FRESH,
        TreeStatus.OK,
        200_000,
    )


@pytest.mark.parametrize("fit", [TreeFit.LATE, TreeFit.STALE])
def test_a_tree_of_another_moment_is_told_with_its_doubt(fit: TreeFit) -> None:
    found = pointed(200, 230, around(fit))
    assert (found.fit, found.element and found.element.name) == (fit, "Phone")


@pytest.mark.parametrize(
    ("seen", "fit", "status"),
    [
        (around(TreeFit.FAILED, TreeStatus.NOT_IDLE), TreeFit.FAILED, TreeStatus.NOT_IDLE),
        (around(TreeFit.MISSING, TreeStatus.FAILED), TreeFit.MISSING, TreeStatus.FAILED),
        (around(tree="<node"), TreeFit.FAILED, TreeStatus.UNREADABLE),
    ],
)
def test_without_a_tree_no_element_is_told(
    seen: StepContext, fit: TreeFit, status: TreeStatus
) -> None:
    assert pointed(200, 230, seen) == ElementUnderPointer(None, False, fit, status, 200_000)


def test_nothing_is_told_of_a_field_that_hides_what_it_holds() -> None:
    found = pointed(200, 450, around())
    assert (found.element, found.protected) == (None, True)


def test_what_a_hidden_field_holds_is_no_part_of_what_is_around_it() -> None:
    found = pointed(100, 320, around())
    assert found.element is not None
    assert (found.element.resource_id, found.element.name) == ("form", "Sign in")


def test_nothing_is_told_of_a_screen_that_is_kept_out_of_pictures() -> None:
    found = pointed(200, 230, around(protected=True))
    assert (found.element, found.protected, found.age_us) == (None, True, 200_000)


def test_a_box_in_dp_is_that_of_the_phones_own_pixels() -> None:
    facts = DeviceFacts(size=Size(1080, 2400), density=320)
    assert in_dp(Box(50, 200, 450, 270), FRAME, facts) == Box(50, 200, 450, 270)
    assert in_dp(Box(50, 200, 450, 270), FRAME, DeviceFacts(density=320)) is None
    assert in_dp(Box(50, 200, 450, 270), FRAME, DeviceFacts()) is None
