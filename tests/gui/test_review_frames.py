"""The frames of Review: before and after, boxes, and the tolerance drawn as it is judged."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from pytestqt.qtbot import QtBot

from episodes import actions as a
from episodes.geometry import Box, Point, Size
from episodes.runs import Prediction
from episodes.store.library import Library
from episodes.verdicts import Outcome
from replay.tolerance import Ellipse, Tolerance
from scoring.protocols import lookup
from taptrail.gui import marks
from taptrail.gui.fit import Fit
from taptrail.gui.review.painting import MarkUnderlay, outline, words
from taptrail.gui.review.place import ReviewPlace
from taptrail.gui.services import WindowServices
from tests.gui import story

UUID = "0c8d3c1e-1111-4111-8111-000000000412"


@pytest.fixture
def place(qtbot: QtBot, parts: WindowServices) -> Iterator[ReviewPlace]:
    made = ReviewPlace(parts.reader, parts.judge, parts.small, parts.large)
    qtbot.addWidget(made)
    made.resize(1280, 760)
    made.show()
    made.open_at(UUID, 2)
    qtbot.waitUntil(lambda: made.where() == ("e-0412", 2) and made.comparisons.peek(2) is not None)
    qtbot.waitUntil(lambda: all(view.image() is not None for view in made.columns.views()))
    made.strip.setFocus()
    yield made
    made.leaving()


def test_the_outline_on_the_window_is_right_where_the_judge_says_so(place: ReviewPlace) -> None:
    opened, found = place.shown.opened, place.comparisons.peek(2)
    assert opened is not None
    assert found is not None
    assert found.tolerance is not None
    episode, step = opened.episode, opened.episode.steps[2]
    view = place.columns.views()[0]
    fit = view.fit()
    assert fit is not None
    drawn = outline(found.tolerance, marks.MarkScale(fit, 1.5))
    protocol = lookup("guiodyssey@2")
    inside = 0
    for x in range(3, 540, 17):
        for y in range(3, 1200, 23):
            at = fit.to_window(Point(x, y))
            near = [at + QPointF(dx, dy) for dx in (-2, 2) for dy in (-2, 2)]
            inner = QRectF(fit.rect).adjusted(3, 3, -3, -3)
            if len({drawn.contains(one) for one in near}) > 1 or not inner.contains(at):
                continue
            said = Prediction("e-0412", 2, "", a.Tap(Point(x, y)))
            right = protocol.verdict(said, step, episode).outcome is Outcome.MATCH
            assert drawn.contains(at) is right, (x, y)
            inside += right
    assert inside > 10


def test_an_outline_is_an_ellipse_on_a_tall_screen_and_ends_at_its_edge() -> None:
    scale = marks.MarkScale(Fit(Size(1080, 2400), QRectF(10, 20, 270, 600)), 2.6)
    share = Tolerance((Ellipse(Point(540, 1200), 151.2, 336),))
    assert outline(share, scale).boundingRect() == QRectF(107.2, 236, 75.6, 168)
    edge = Tolerance((Ellipse(Point(0, 0), 151.2, 336),), (Box(900, 2000, 1300, 2500),))
    assert outline(edge, scale).boundingRect() == QRectF(10, 20, 270, 600)
    ground = MarkUnderlay(Box(0, 0, 9, 9), "Target", (Box(1, 1, 2, 2),), share)
    assert words(ground) == "Target shown, 1 candidate, Tolerance shown"


def test_before_and_after_stand_beside_each_other(
    qtbot: QtBot, place: ReviewPlace, parts: WindowServices
) -> None:
    qtbot.keyClick(place.strip, Qt.Key.Key_B)
    assert [view.accessibleDescription() for view in place.columns.views()] == [
        "Before: Tap New contact",
        "After: Before the next step",
    ]
    qtbot.waitUntil(lambda: all(view.image() is not None for view in place.columns.views()))
    before, after = (view.image() for view in place.columns.views())
    opened = place.shown.opened
    assert opened is not None
    steps = opened.episode.steps
    for image, step in ((before, steps[2]), (after, steps[3])):
        assert step.frame is not None
        assert step.frame.still is not None
        assert image is parts.large.get(step.frame.still)
    place.turn_to(7)
    qtbot.waitUntil(lambda: place.where()[1] == 7)
    assert place.columns.views()[1].accessibleDescription() == "After: Not recorded"
    qtbot.keyClick(place.strip, Qt.Key.Key_B)
    assert len(place.columns.views()) == 3


def test_toggles_say_what_they_draw(qtbot: QtBot, place: ReviewPlace) -> None:
    gold, run = place.columns.views()[:2]
    assert gold.toolTip() == "Target shown"
    qtbot.keyClick(place.strip, Qt.Key.Key_Y)
    assert (gold.toolTip(), run.toolTip()) == ("Target shown, Tolerance shown",) * 2
    qtbot.keyClick(place.strip, Qt.Key.Key_T)
    assert gold.toolTip() == "Tolerance shown"
    place.choose_protocol("androidcontrol/paper@1")
    qtbot.waitUntil(lambda: gold.toolTip() == "")


def test_the_left_panel_keeps_its_room_in_a_small_window(place: ReviewPlace) -> None:
    for width in (960, 1216, 1856):
        place.resize(width, 700)
        assert place.differing.width() >= 226, width
        assert place.differing.view.width() >= 226


def test_an_episode_without_steps_shows_no_frame_of_another(qtbot: QtBot, tmp_path: Path) -> None:
    whole = story.build(tmp_path / "library")[1]
    bare = replace(whole, uuid=UUID[:-1] + "8", name="e-0418", steps=())
    with Library.open(tmp_path / "library") as library:
        assert not library.save_episodes([bare]).refused
    parts = WindowServices(tmp_path / "library")
    place = ReviewPlace(parts.reader, parts.judge, parts.small, parts.large)
    qtbot.addWidget(place)
    place.resize(1280, 760)
    place.show()
    place.open_at(UUID, 2)
    qtbot.waitUntil(lambda: place.where() == ("e-0412", 2) and len(place.columns.views()) == 3)
    qtbot.waitUntil(lambda: place.columns.views()[0].image() is not None)
    place.open_at(bare.uuid)
    qtbot.waitUntil(lambda: place.where()[0] == "e-0418")
    (view,) = place.columns.views()
    assert (view.image(), view.accessibleDescription()) == (None, "Gold: This episode has no steps")
    place.turn_to(1)
    place.leaving()
    parts.stop()
