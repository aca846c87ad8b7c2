"""The strip is walked with the keyboard and tells a screen reader what each step is."""

import itertools
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from episodes import actions as a
from episodes.geometry import Point, Size
from episodes.screens import Basis, Frame
from episodes.steps import Step
from episodes.verdicts import Outcome
from taptrail.gui import theme
from taptrail.gui.components.strip import StepStrip, StripItem
from taptrail.gui.episodes.inspector import strip_item
from taptrail.gui.services import WindowServices
from tests.gui import story

FRAME = Frame(Size(540, 1200), Basis.IMPORTED)


def items(count: int, outcome: Outcome | None = None) -> list[StripItem]:
    return [
        StripItem(n + 1, a.Tap(Point(10, 10)), FRAME, f"Step {n + 1}, tap", (outcome,))
        for n in range(count)
    ]


@pytest.fixture
def strip(qtbot: QtBot, parts: WindowServices) -> StepStrip:
    made = StepStrip(parts.small, "Steps")
    qtbot.addWidget(made)
    made.resize(400, 112)
    made.show_items(items(20))
    made.show()
    return made


def test_keys_walk_and_stop_at_the_ends(qtbot: QtBot, strip: StepStrip) -> None:
    chosen: list[int] = []
    strip.chosen.connect(chosen.append)
    for key in (
        Qt.Key.Key_Left,
        Qt.Key.Key_Right,
        Qt.Key.Key_Right,
        Qt.Key.Key_End,
        Qt.Key.Key_Right,
        Qt.Key.Key_Left,
        Qt.Key.Key_Home,
    ):
        qtbot.keyClick(strip, key)
    assert chosen == [1, 2, 19, 18, 0]


def test_the_chosen_step_is_scrolled_into_sight(qtbot: QtBot, strip: StepStrip) -> None:
    strip.turn_to(19)
    rect = strip.visualRect(strip.model().index(19, 0))
    assert rect.left() >= 0
    assert rect.right() <= strip.viewport().width()


def test_others_turn_it_without_an_echo(qtbot: QtBot, strip: StepStrip) -> None:
    chosen: list[int] = []
    strip.chosen.connect(chosen.append)
    strip.turn_to(7)
    strip.show_items(items(20, Outcome.MATCH), 7)
    strip.show_items(items(5), 3)
    assert (chosen, strip.current()) == ([], 3)


def test_each_step_says_what_it_is(strip: StepStrip) -> None:
    role = Qt.ItemDataRole.AccessibleTextRole
    said = [strip.model().index(row, 0).data(role) for row in (0, 19)]
    assert said == ["Step 1, tap", "Step 20, tap"]


def test_a_verdict_has_its_own_shape_below_the_step(qtbot: QtBot, strip: StepStrip) -> None:
    """Told apart without colour: which pixels are drawn on differs, not only how."""
    ground = QColor(theme.LIGHT.accent_tint)
    shapes = []
    for outcome in Outcome:
        strip.show_items(items(1, outcome))
        picture = strip.grab().toImage()
        place = strip.visualRect(strip.model().index(0, 0))
        left, top = place.left() + 56, place.top() + 82
        drawn = {
            (x, y)
            for x in range(14)
            for y in range(14)
            if picture.pixelColor(left + x, top + y) != ground
        }
        shapes.append(drawn)
    assert all(len(shape) > 40 for shape in shapes)
    for one, other in itertools.combinations(shapes, 2):
        assert len(one ^ other) > 10


def test_pictures_come_from_another_thread(qtbot: QtBot, parts: WindowServices) -> None:
    strip = StepStrip(parts.small, "Steps")
    qtbot.addWidget(strip)
    strip.resize(700, 112)
    steps = story.contact_steps(story.StillFiles(parts.folder))
    strip.show_items([StripItem(1, steps[2].action, steps[2].frame, "Step 1")])
    still = steps[2].frame.still if steps[2].frame else None
    assert still is not None
    with qtbot.waitSignal(parts.small.ready) as ready:
        strip.show()
    assert ready.args == [still.sha256]
    image = parts.small.get(still)
    assert image is not None
    assert (image.width(), image.height()) == (180, 400)


def test_thumbnails_in_episodes_are_counted_by_their_place() -> None:
    step = Step(6, a.Tap(Point(1, 1)))
    assert (strip_item(7, step).number, strip_item(7, step).words) == (7, "Step 7, Tap 1, 1")
    dropped = strip_item(4, step)
    assert (dropped.number, dropped.words) == (4, "Step 4, Tap 1, 1, index 6 in the data")


def test_three_and_four_runs_have_their_verdicts_beside_the_number_and_the_kind(
    qtbot: QtBot, strip: StepStrip
) -> None:
    before = strip.visualRect(strip.model().index(0, 0)).width()
    for runs in (3, 4, 1):
        many = [replace(one, outcomes=(Outcome.MATCH,) * runs) for one in items(20)]
        strip.show_items(many, 11)
        index = strip.model().index(11, 0)
        qtbot.waitUntil(
            lambda i=index, n=runs: strip.visualRect(i).width() == before + 15 * max(0, n - 2)
        )
        image = strip.viewport().grab(strip.visualRect(index)).toImage()
        green = QColor(theme.LIGHT.match).getRgb()[:3]
        hits = [
            x
            for x in range(image.width())
            for y in range(84, 96)
            if abs(image.pixelColor(x, y).green() - green[1]) < 20
            and abs(image.pixelColor(x, y).red() - green[0]) < 20
        ]
        kind_ends = 6 + 16 + 10 + 7  # a number of two figures, and the icon of the action
        assert min(hits) >= kind_ends
