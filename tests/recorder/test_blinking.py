"""A cursor that blinks leaves trees fresh; what changes a little makes them old."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from episodes.actions import Tap
from episodes.clocks import Moment
from episodes.geometry import Box, Size
from episodes.media.signature import Luma
from episodes.screens import TreeFit, TreeRecord, TreeStatus
from episodes.trees.dumps import ReceivedTree
from episodes.trees.readers import read_record
from recorder import trees
from recorder.blinking import BlinkWatch
from recorder.clock import ClockMap
from recorder.device.adb.device import AdbDevice
from recorder.device.adb.tree_sources import UiautomatorDump
from recorder.events import StepSaved
from recorder.frames import FrameNote
from recorder.screen_log import ScreenLog
from tests.demophone.phones import AdbServer, RunningPhone, start_phone
from tests.recorder.conftest import Recorder, until
from tests.recorder.test_session import Truth, check

MS = 1000
HALF = 530 * MS
BARE = np.full((40, 30), 200, np.uint8)
FRAME = Size(240, 320)


def painted(rows: slice, columns: slice, shade: int = 90) -> Luma:
    """A plain screen with something on these blocks."""
    made = BARE.copy()
    made[rows, columns] = shade
    return made


BAR = painted(slice(10, 15), slice(4, 6))
LETTER = painted(slice(10, 15), slice(4, 5), 130)


def seen(*shown: tuple[Luma, int]) -> list[Box | None]:
    watch = BlinkWatch()
    return [watch.see(picture, at_us) for picture, at_us in shown]


def alternating(one: Luma, other: Luma, every_us: int = HALF) -> list[tuple[Luma, int]]:
    return [(other if number % 2 else one, number * every_us) for number in range(5)]


def test_a_bar_that_comes_and_goes_and_comes_is_a_cursor_from_then_on() -> None:
    place = Box(32, 80, 48, 120)
    assert seen(*alternating(BARE, BAR)) == [None, None, None, place, place]
    noisy = BAR + np.uint8(6)
    assert seen((BARE, 0), (BAR, HALF), (BARE, 2 * HALF), (noisy, 3 * HALF))[-1] == place


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(alternating(BARE, painted(slice(10, 15), slice(4, 7))), id="a checkbox"),
        pytest.param(alternating(BARE, painted(slice(10, 11), slice(4, 6))), id="a badge"),
        pytest.param(alternating(BARE, painted(slice(4, 30), slice(4, 5))), id="a scroll bar"),
        pytest.param(alternating(BARE, BAR, 100 * MS), id="a flicker"),
        pytest.param(alternating(BARE, BAR, 1300 * MS), id="something slow"),
        pytest.param([(BARE, 0), (LETTER, HALF), (BARE, 2 * HALF)], id="typed and taken back"),
        pytest.param(
            [(BARE, 0), (BAR, HALF), (BARE, 2 * HALF), (LETTER, 3 * HALF)], id="a letter after it"
        ),
        pytest.param([(BARE, 0), (BAR, HALF), (LETTER, 2 * HALF), (BAR, 3 * HALF)], id="a letter"),
        pytest.param(
            [(BARE, 0), (BAR, HALF), (BARE[:, :20], 2 * HALF), (BAR[:, :20], 3 * HALF)],
            id="another size",
        ),
    ],
)
def test_a_picture_that_does_not_blink_like_a_cursor_is_a_change(
    shown: list[tuple[Luma, int]],
) -> None:
    assert seen(*shown) == [None] * len(shown)


def log(*blinks: Box | None) -> ScreenLog:
    """A log of changes each half second from the first on, with what was seen of each."""
    made = ScreenLog(_OneClock())
    for number, blink in enumerate(blinks):
        at = number * 500
        note = FrameNote(FRAME, at * MS, at * 1_000_000, content=number + 1)
        made.see(replace(note, blink=blink))
    return made


class _OneClock(ClockMap):
    def host_range(self, pts_us: int, received_ns: int) -> tuple[int, int]:
        return pts_us * 1000, pts_us * 1000


def field(focused: bool, bounds: str = "[24,70][200,130]") -> TreeRecord:
    """A tree asked for at 0.2 s and answered at 0.3 s."""
    xml = (
        f'<hierarchy><node class="android.widget.EditText" focused="{str(focused).lower()}" '
        f'bounds="{bounds}" /></hierarchy>'
    )
    asked, answered = Moment(host_ns=200_000_000), Moment(host_ns=300_000_000)
    return TreeRecord("uiautomator", xml.encode(), "x", TreeStatus.OK, asked, answered, size=FRAME)


PLACE = Box(32, 80, 48, 120)


@pytest.mark.parametrize(
    ("record", "blinks", "fit"),
    [
        (field(True), [None, None, None, PLACE], TreeFit.FRESH),
        (field(True), [None, None, None], TreeFit.STALE),  # not proved yet
        (field(True), [None, None, None, PLACE, None], TreeFit.STALE),  # and then a letter
        (field(False), [None, None, None, PLACE], TreeFit.STALE),  # no field has the focus
        (field(True, "[60,70][200,130]"), [None, None, None, PLACE], TreeFit.STALE),  # elsewhere
        (replace(field(True), data=b"<"), [None, None, None, PLACE], TreeFit.STALE),
    ],
)
def test_a_tree_stays_valid_while_the_cursor_of_its_field_blinks(
    record: TreeRecord, blinks: list[Box | None], fit: TreeFit
) -> None:
    assert trees.join([record], 3_000_000_000, log(*blinks), None).fit is fit


def test_a_screen_with_a_cursor_has_been_still_since_before_it_blinked() -> None:
    assert log(None, None, None).content_ns == 1_000_000_000
    still = log(None, None, None, PLACE, PLACE)
    assert (still.content_ns, still.changed_ns) == (0, 0)


# --- on the demo phone -------------------------------------------------------------------------
class Gate(UiautomatorDump):
    """The real dump, until it is closed; then the screen is never idle."""

    def __init__(self, device: AdbDevice) -> None:
        super().__init__(device.link)
        self.closed = threading.Event()

    def ask(self) -> ReceivedTree:
        return ReceivedTree(TreeStatus.NOT_IDLE) if self.closed.is_set() else super().ask()


FieldPhone = tuple[RunningPhone, Recorder, Gate]


@pytest.fixture(scope="module")
def blinking_phone(
    adb_server: AdbServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningPhone]:
    arguments = ("--size", "720x1600", "--density", "280", "--faults", "dump-slow=50")
    phone = start_phone(adb_server, tmp_path_factory.mktemp("blinking") / "phone", *arguments)
    phone.connect()
    yield phone
    phone.stop()
    adb_server.run("disconnect", phone.serial)


@pytest.fixture
def with_field(blinking_phone: RunningPhone, record: Callable[..., Recorder]) -> FieldPhone:
    """A phone whose cursor blinks in an empty field, recorded, with a tree of that screen."""
    phone = blinking_phone
    phone.shell("am force-stop com.taptrail.demo.calendar")
    gates: list[Gate] = []

    def gate(device: AdbDevice) -> Gate:
        gates.append(Gate(device))
        return gates[-1]

    recorder = record(phone, trees=gate)
    phone.shell("am start -n com.taptrail.demo.calendar/.MonthActivity")
    recorder.begin()
    tap(phone, "calendar/month/new-event")
    wait_for_tree(phone, recorder)
    return phone, recorder, gates[0]


def tap(phone: RunningPhone, element_id: str) -> None:
    """Taps on the phone itself, which the recorder does not know of."""
    box = element(phone, element_id)
    phone.shell(f"input tap {round(box.centre.x)} {round(box.centre.y)}")


def element(phone: RunningPhone, element_id: str) -> Box:
    def find() -> list[Box]:
        screen = phone.truth("screen")[-1]
        return [Box(*x["box"]) for x in screen["elements"] if x["id"] == element_id]

    until(lambda: bool(find()), f"{element_id} is on the screen")
    return find()[0]


def others(phone: RunningPhone) -> int:
    """How often something else than the cursor's blinking was drawn."""
    return sum(1 for line in phone.truth("screen") if line["reason"] != "cursor")


def blinks(phone: RunningPhone) -> int:
    """How often the cursor has blinked since anything else happened."""
    reasons = [line["reason"] for line in phone.truth("screen")]
    return next((n for n, reason in enumerate(reversed(reasons)) if reason != "cursor"), 0)


def wait_for_tree(phone: RunningPhone, recorder: Recorder) -> None:
    until(lambda: blinks(phone) >= 4, "the cursor blinks")
    until(lambda: recorder.session.tree() is not None, "the tree is there and holds")


def test_with_a_cursor_blinking_the_tree_is_fresh_and_the_phones_truth(
    with_field: FieldPhone,
) -> None:
    phone, recorder, _ = with_field
    assert recorder.session.wait_quiet(30)
    at = element(phone, "calendar/editor/location-text").centre
    recorder.hand.do(Tap(at))
    step = recorder.wait(StepSaved).step
    assert step.tree is not None
    assert step.tree.fit is TreeFit.FRESH
    asked = step.tree.record.requested.device_us
    pressed = step.began.device_us
    assert asked is not None
    assert pressed is not None
    between = [x for x in phone.truth("screen") if asked < x["t_us"] < pressed]
    assert {line["reason"] for line in between} == {"cursor"}
    check(step, Truth(phone))
    assert step.frame is not None
    told = read_record(step.tree.record, step.frame.size)
    hit = [node.box for node in told.walk() if at in node.box and node.editable]
    assert hit == [element(phone, "calendar/editor/location-text")]


def type_a_letter(phone: RunningPhone) -> None:
    phone.shell("input text l")


def type_a_letter_and_take_it_back_and_type_it_again(phone: RunningPhone) -> None:
    phone.shell("input text l; input keyevent DEL; input text l")


def turn_a_switch(phone: RunningPhone) -> None:
    tap(phone, "calendar/editor/all-day")


@pytest.mark.parametrize(
    "change",
    [type_a_letter, type_a_letter_and_take_it_back_and_type_it_again, turn_a_switch],
)
def test_a_small_change_behind_the_recorders_back_makes_the_tree_stale(
    with_field: FieldPhone, change: Callable[[RunningPhone], None]
) -> None:
    phone, recorder, gate = with_field
    gate.closed.set()
    drawn = others(phone)
    change(phone)
    until(lambda: others(phone) > drawn, "the change is drawn")
    recorder.until_seen(phone)
    recorder.hand.do(Tap(element(phone, "calendar/editor/location-text").centre))
    step = recorder.wait(StepSaved).step
    assert step.tree is not None
    assert (step.tree.fit, step.tree.record.status) == (TreeFit.STALE, TreeStatus.OK)
