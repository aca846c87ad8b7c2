"""A library with one recorded episode on the shop's screen."""

from dataclasses import replace

from episodes import actions as a
from episodes.annotations import Author
from episodes.episodes import Actor, Episode, EpisodeState, Origin, Task
from episodes.geometry import Point
from episodes.screens import TreeFit
from tests.annotator.samples import step

MARY = Author("uuid-of-mary", "Mary")


def shopping(name="e-0001", **fields):
    """Basket, a word typed in two pieces, a press on a web view, a late tree, the end."""
    steps = (
        step(880, 300, index=0),
        step(0, 0, index=1, action=a.TypeText("mo")),
        step(0, 0, index=2, action=a.TypeText("ss")),
        step(500, 1000, index=3),
        step(30, 150, index=4, fit=TreeFit.LATE),
        step(0, 0, index=5, action=a.Finish(a.Ending.COMPLETE)),
    )
    made = Episode(
        uuid=f"uuid-{name}",
        name=name,
        origin=Origin("recorded"),
        task=Task("Buy a moss ball"),
        state=EpisodeState.FINISHED,
        steps=steps,
        actor=Actor(author=MARY),
        finish=a.Finish(a.Ending.COMPLETE),
    )
    return replace(made, **fields)


def at(step_, x, y):
    return replace(step_, action=a.Tap(Point(x, y)))
