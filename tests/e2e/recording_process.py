"""A recording in a process of its own, that says each step it was told of; for whoever ends it.

    python -m tests.e2e.recording_process SERIAL ADB_PORT LIBRARY SEED

Prints a JSON line for each event, flushed before the next is taken.
"""

from __future__ import annotations

import itertools
import json
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from episodes.actions import (
    Action,
    DoubleTap,
    Key,
    LongPress,
    Pinch,
    PressKey,
    Scroll,
    Swipe,
    Tap,
    TypeText,
)
from episodes.codec import action_to_json
from episodes.episodes import Task
from episodes.geometry import Direction, Size
from recorder.devices import open_devices
from recorder.events import (
    AfterSaved,
    Back,
    Lost,
    Problem,
    SessionEvent,
    SessionState,
    StateChanged,
    StepSaved,
)
from recorder.library_thread import LibraryThread
from recorder.mirror import Mirror
from recorder.script_player import ScriptPlayer
from recorder.session import Session

PAUSE_S = 0.12


def say(what: str, **facts: Any) -> None:
    """Prints one line; when this returns, whoever reads has it even if this process dies."""
    print(json.dumps({"what": what, **facts}), flush=True)


def tell(event: SessionEvent) -> None:
    """Says what a session told; called on the session's thread."""
    match event:
        case StepSaved(step=step):
            frame = step.frame
            assert frame is not None
            assert frame.still is not None
            say(
                "step",
                index=step.index,
                action=action_to_json(step.action),
                sha256=frame.still.sha256,
                pts_us=frame.pts_us,
                segment=frame.segment,
                packet=frame.packet,
            )
        case AfterSaved(index=index):
            say("after", index=index)
        case StateChanged(state=state):
            say("state", state=state.value)
        case Lost(reason=reason):
            say("lost", reason=reason)
        case Back():
            say("back")
        case Problem(error=error):
            say("problem", text=str(error))


def actions(size: Size, chance: random.Random) -> Iterator[Action]:
    """Actions of every kind for a hand, without end."""

    def somewhere() -> Any:
        return size.at(chance.uniform(0.2, 0.8), chance.uniform(0.3, 0.85))

    makers = (
        lambda: Tap(somewhere()),
        lambda: PressKey(Key.HOME),
        lambda: Swipe(size.at(0.5, 0.7), size.at(0.5, 0.4), 100_000),
        lambda: TypeText("ok"),
        lambda: PressKey(Key.RECENTS),
        lambda: DoubleTap(somewhere()),
        lambda: PressKey(Key.BACK),
        lambda: Scroll(chance.choice(tuple(Direction)), somewhere()),
        lambda: LongPress(somewhere(), 550_000),
        lambda: Pinch(size.at(0.5, 0.5), 1.5),
    )
    for round_of_all in itertools.count():
        order = list(makers)
        chance.shuffle(order)
        for make in order[: len(order) - round_of_all % 2]:
            yield make()


def main(serial: str, port: str, folder: str, seed: str) -> None:
    """Records until it is ended from outside."""
    mirror = Mirror(open_devices(port=int(port)).device(serial))
    mirror.start()
    library = LibraryThread(Path(folder)).start()
    session = Session(mirror, library, Task("be ended"))
    session.on_event(tell)
    session.start()
    assert session.wait_for(SessionState.RECORDING)
    say("episode", uuid=session.episode)
    hand = ScriptPlayer(session, mirror)
    for action in actions(hand.see().size, random.Random(int(seed))):
        hand.do(action)
        time.sleep(PAUSE_S)


if __name__ == "__main__":
    main(*sys.argv[1:])
