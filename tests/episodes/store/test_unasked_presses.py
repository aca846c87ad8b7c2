from dataclasses import replace

import pytest

from episodes import actions as a
from episodes.annotations import Author, Provenance, Region, RegionSource
from episodes.geometry import Box, Point, Size
from episodes.screens import Basis, Frame, Still, StillSource
from episodes.store.queries import EpisodeNotFound, EpisodeQuery
from tests.episodes.store.samples import imported, tap

MARY = Author("uuid-of-mary", "Mary")
STILL = Still("a" * 64, "image/png", Size(100, 200), 10, StillSource.IMPORT, lossless=True)
SHOWN = Frame(Size(100, 200), Basis.PAINTED, STILL)


def press(index, x=10.0, y=20.0, frame=SHOWN, **fields):
    return replace(tap(index), action=a.Tap(Point(x, y)), frame=frame, regions=(), **fields)


def mask(x=10.0, y=20.0, author=None, model="tiny", prompts=None):
    told = prompts if prompts is not None else f'{{"points":[[{x},{y}]],"view":[0,0,9,9]}}'
    made = Provenance(RegionSource.SAM2, model, "7402e0d864fa", told, 0.9)
    return Region(Box(0, 0, 30, 30), made, author=author, uuid=f"{x}-{y}-{author}-{model}")


@pytest.fixture
def kept(library):
    steps = (
        press(0),
        replace(press(1), action=a.Swipe(Point(1, 1), Point(1, 50))),
        press(2, frame=replace(SHOWN, still=None)),
        press(3, frame=replace(SHOWN, protected=True)),
        press(4, x=100.0),
        replace(press(5), action=a.LongPress(Point(5, 5))),
    )
    library.save_episodes([imported("0001", steps=steps), imported("0002", steps=(press(0),))])
    return library


def left(library, **more):
    found = library.unasked_presses("tiny", "7402e0d864fa", **more)
    return [(one.episode, one.step) for one in found]


def test_presses_on_a_picture_are_left_until_they_were_asked_about(kept):
    assert left(kept) == [("0001", 0), ("0001", 5), ("0002", 0)]
    uuid = kept.episode("0001").uuid
    editor = kept.editor(MARY)
    editor.propose_regions(uuid, 0, [mask()])
    assert left(kept) == [("0001", 5), ("0002", 0)]
    kept.undo()
    assert left(kept) == [("0001", 5), ("0002", 0)]


def test_other_weights_a_persons_points_and_unreadable_prompts_do_not_count(kept):
    uuid = kept.episode("0001").uuid
    others = [mask(model="large"), mask(author=MARY), mask(x=11.0), mask(y=1.0, prompts="{")]
    kept.editor(MARY).propose_regions(uuid, 0, others)
    assert left(kept)[0] == ("0001", 0)


def test_a_corrected_press_is_asked_about_where_it_is_now(kept):
    uuid = kept.episode("0001").uuid
    editor = kept.editor(MARY)
    editor.propose_regions(uuid, 0, [mask()])
    editor.correct_action(uuid, 0, a.Tap(Point(40, 50)))
    editor.correct_action(uuid, 1, a.Tap(Point(7, 7)))
    editor.correct_action(uuid, 5, a.Wait())
    assert left(kept) == [("0001", 0), ("0001", 1), ("0002", 0)]
    editor.propose_regions(uuid, 0, [mask(40.0, 50.0)])
    assert left(kept) == [("0001", 1), ("0002", 0)]


def test_some_episodes_can_be_named_or_asked_for(kept):
    assert left(kept, names=["0002"]) == [("0002", 0)]
    assert left(kept, query=EpisodeQuery(dataset="another")) == []
    with pytest.raises(EpisodeNotFound):
        left(kept, names=["0009"])
