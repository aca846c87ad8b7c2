"""Review shows runs that Taptrail asked for: each answer's end, its tokens and its request."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from replay.asking.neutral import new_recipe
from replay.asking.recipe import load_recipe
from taptrail.gui.review.new_run import AnswerCard
from taptrail.gui.review.place import ReviewPlace
from taptrail.gui.services import WindowServices
from taptrail.usecases.predicting import ModelServer, Selection, predict
from tests.gui import story
from tests.replay.asking.fake_server import FakeServer

WAIT = (
    '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "wait", "time": 1}}\n</tool_call>'
)


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    file = tmp_path / "recipe.toml"
    file.write_text(new_recipe("qwen25vl"), "utf-8")
    return file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "library"
    story.build(made)
    return made


@pytest.fixture
def services(folder: Path) -> Iterator[WindowServices]:
    made = WindowServices(folder)
    yield made
    made.stop()


def opened(qtbot: QtBot, services: WindowServices) -> ReviewPlace:
    place = ReviewPlace(services.reader, services.judge, services.small, services.large)
    qtbot.addWidget(place)
    place.resize(1440, 900)
    place.show()
    place.entered()
    qtbot.waitUntil(lambda: place.differing.lines() != [])
    return place


def test_the_panel_shows_how_an_answer_ended_its_tokens_and_its_request(
    qtbot: QtBot, services: WindowServices, folder: Path, recipe: Path
) -> None:
    with FakeServer(lambda key, told: WAIT, rule=None) as server:
        predict(load_recipe(recipe), folder, "plain", ModelServer(server.url), Selection())
        asked = [key for key in server.asked() if key != "probe"]
    faults = {key: ["length"] for key in asked}
    with FakeServer(lambda key, told: WAIT, faults) as server:
        predict(load_recipe(recipe), folder, "cut", ModelServer(server.url), Selection())
    place = opened(qtbot, services)
    place.choose_runs(["cut", "plain"])
    qtbot.waitUntil(lambda: place.why.raw() != "" and place.why.request.isVisible())
    about = place.why.about_answer()
    assert "cut off at the limit of tokens" in about
    assert "12 out" in about
    cut = place.why.raw()
    assert WAIT.startswith(cut)
    place.why.request.click()
    qtbot.waitUntil(lambda: '"messages"' in place.why.raw())
    assert '"model": "NAME"' in place.why.raw()
    place.why.request.click()
    assert place.why.raw() == cut
    place.choose_runs([story.RUNS[0]])
    qtbot.waitUntil(lambda: "tokens" not in place.why.about_answer())
    assert place.why.request.isHidden()
    place.leaving()


def test_a_new_run_is_asked_for_in_the_window_and_opened(
    qtbot: QtBot, services: WindowServices, recipe: Path
) -> None:
    place = opened(qtbot, services)
    place.parts.new_run.click()
    qtbot.waitUntil(place.asking.start.isVisible)
    place.asking.use_recipe(recipe)
    with FakeServer(lambda key, told: WAIT, delay_s=0.3) as server:
        place.asking.model.setText(server.url)
        place.asking.name.setText("from the window")
        place.asking.limit.setText("4")
        place.asking.price.setText("1000 each")
        place.asking.start.click()
        assert place.asking.start.isVisible()
        place.asking.price.setText("1000, 2000")
        place.asking.start.click()
        qtbot.waitUntil(place.asking.job.isVisible)
        qtbot.waitUntil(lambda: place.asking.findChildren(AnswerCard) != [])
        card = place.asking.findChildren(AnswerCard)[0]
        assert "mobile_use" in card.accessibleName()
        assert card.findChildren(QLabel)[0].pixmap().height() > 100
        qtbot.waitUntil(lambda: "money: " in place.asking.cost())
        qtbot.waitUntil(lambda: "mobile_use" in place.asking.newest())
        qtbot.waitUntil(lambda: place.asking.words() != "")
        asked = [key for key in server.asked() if key != "probe"]
    assert place.asking.words() == "from the window: 4 of 4 steps answered"
    assert len(asked) == 4
    qtbot.waitUntil(lambda: place.runs()[:1] == ["from the window"])
    qtbot.waitUntil(lambda: WAIT in place.why.raw())
    place.leaving()
    place.asking.stop(5)


def test_a_cancelled_run_keeps_its_answers_and_continues(
    qtbot: QtBot, services: WindowServices, recipe: Path
) -> None:
    recipe.write_text(
        recipe.read_text("utf-8").replace('source = "gold"', 'source = "own"'), "utf-8"
    )
    place = opened(qtbot, services)
    place.begin_run()
    qtbot.waitUntil(place.asking.start.isVisible)
    place.asking.use_recipe(recipe)
    with FakeServer(lambda key, told: WAIT, delay_s=0.3) as server:
        place.asking.model.setText(server.url)
        place.asking.start.click()
        qtbot.waitUntil(lambda: place.asking.newest() != "")
        place.asking.cancel()
        qtbot.waitUntil(lambda: "it was cancelled" in place.asking.words())
        first = [key for key in server.asked() if key != "probe"]
        place.begin_run()
        qtbot.waitUntil(place.asking.start.isVisible)
        place.asking.start.click()
        qtbot.waitUntil(lambda: place.asking.words().endswith("steps answered"))
        every = [key for key in server.asked() if key != "probe"]
    assert len(every) == len(set(every)) > len(first)
    place.leaving()
    place.asking.stop(5)


def test_screenshots_leave_this_network_only_after_a_yes(
    qtbot: QtBot, services: WindowServices, recipe: Path
) -> None:
    place = opened(qtbot, services)
    place.begin_run()
    qtbot.waitUntil(place.asking.start.isVisible)
    place.asking.use_recipe(recipe)
    place.asking.model.setText("https://models.invalid/v1")
    place.asking.start.click()
    assert place.asking.agree.isVisible()
    assert place.asking.agree.text() == "Send to models.invalid"
    assert not place.asking.job.isVisible()
    place.leaving()


def test_a_recipe_that_cannot_be_read_is_refused_in_the_form(
    qtbot: QtBot, services: WindowServices, recipe: Path
) -> None:
    recipe.write_text("recipe = 1\nendpoint = 'x'\n", "utf-8")
    place = opened(qtbot, services)
    place.begin_run()
    qtbot.waitUntil(place.asking.start.isVisible)
    place.asking.use_recipe(recipe)
    place.asking.model.setText("http://127.0.0.1:9/v1")
    place.asking.start.click()
    assert "endpoint" in place.asking.words()
    assert place.asking.start.isVisible()
    place.leaving()
