"""Numbers of a judged run: confusion of action kinds, and opposite swipes."""

from dataclasses import replace

from episodes import actions as a
from episodes.geometry import Point
from episodes.runs import Prediction, Run
from episodes.store.library import Library
from episodes.verdicts import Share
from taptrail.usecases.reviewing import judge_run
from tests.annotator.samples import step
from tests.taptrail.annotated import shopping

UP = a.Swipe(Point(500, 1500), Point(500, 500))
DOWN = a.Swipe(Point(500, 500), Point(500, 1500))
LEFT = a.Swipe(Point(900, 900), Point(100, 900))
TAP = a.Tap(Point(500, 1000))


def test_a_run_tells_which_kinds_it_takes_for_which_and_how_many_swipes_go_against(library):
    golds = (UP, UP, DOWN, UP, TAP)
    said = (DOWN, UP, UP, LEFT, UP)
    steps = tuple(replace(step(0, 0, index=at), action=action) for at, action in enumerate(golds))
    with Library.open(library) as kept:
        kept.save_episodes([shopping(steps=steps)])
        kept.save_run(
            Run("run-a", "taptrail"),
            [Prediction("e-0001", at, "", action) for at, action in enumerate(said)],
        )
        judged = judge_run(kept, "run-a", "taptrail-strict@1")
    assert judged.against == Share(2, 3)
    assert dict(judged.kinds.counts) == {("swipe", "swipe"): 4, ("tap", "swipe"): 1}
    uuid = shopping().uuid
    assert judged.pairs[uuid, 4] == ("tap", "swipe")
    assert [place[1] for place, pair in judged.pairs.items() if pair == ("swipe", "swipe")] == [
        0,
        1,
        2,
        3,
    ]
    assert judged.by_kind == {"swipe": Share(1, 4), "tap": Share(0, 1)}
