"""What is asked of a file of predictions follows from its dialect."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from replay.dialect import Declared
from replay.dialects import DIALECTS
from taptrail.gui.episodes.predictions_form import PredictionsForm
from taptrail.usecases.predictions import dialects_there_are


def asked(qtbot: QtBot) -> PredictionsForm:
    form = PredictionsForm()
    qtbot.addWidget(form)
    form.resize(700, 80)
    form.ask(Path("tidewater 7b.json"), dialects_there_are())
    return form


def test_every_dialect_offers_what_it_allows_to_be_declared(qtbot: QtBot) -> None:
    form = asked(qtbot)
    assert form.dialect.values() == list(DIALECTS)
    for name, dialect in DIALECTS.items():
        form.dialect.put(name)
        assert form.coordinates.values() == list(dialect.coordinates)
        assert form.way.values() == list(dialect.scrolls)
        assert form.coordinates.isVisible() == (len(dialect.coordinates) > 1)
        form._size.setText("504x1120")
        space = dialect.coordinates[0].replace("WxH", "504x1120")
        assert form.declared() == Declared(space, dialect.scrolls[0], "")


def test_what_a_person_declares_goes_with_the_file(qtbot: QtBot) -> None:
    form = asked(qtbot)
    form.dialect.put("taptrail")
    form.coordinates.put("resized:WxH")
    form.way.put("content")
    form.level.put("low")
    sent: list[tuple[object, ...]] = []
    form.wanted.connect(lambda *words: sent.append(words))
    form._send()
    assert (sent, form.isVisible()) == ([], True)
    form._size.setText("504 × 1120")
    form._send()
    assert sent == [
        (
            Path("tidewater 7b.json"),
            "taptrail",
            "tidewater-7b",
            Declared("resized:504x1120", "content", "low"),
        )
    ]
    assert not form.isVisible()
