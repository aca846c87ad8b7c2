"""Records as fast as it can and says each step it was told of, until somebody kills it.

python -m tests.recorder.recording_to_kill SERIAL ADB_PORT LIBRARY
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from episodes.actions import DoubleTap, Key, PressKey, Swipe, Tap, TypeText
from episodes.episodes import Task
from episodes.geometry import Point
from recorder.device.adb import Adb
from recorder.device.phone import Phone
from recorder.events import AfterSaved, SessionEvent, SessionState, StepSaved
from recorder.library_thread import LibraryThread
from recorder.mirror import Mirror
from recorder.scripted import ScriptedHand
from recorder.session import Session


def tell(event: SessionEvent) -> None:
    match event:
        case StepSaved(step=step):
            print("step", step.index, flush=True)
        case AfterSaved(index=index):
            print("after", index, flush=True)


def main(serial: str, port: str, folder: str) -> None:
    mirror = Mirror(Phone(serial, Adb(port=int(port))))
    mirror.start()
    library = LibraryThread(Path(folder)).start()
    session = Session(mirror, library, Task("be killed"))
    session.on_event(tell)
    session.start()
    assert session.wait_for(SessionState.RECORDING)
    print("episode", session.episode, flush=True)
    hand = ScriptedHand(session, mirror)
    while True:
        for action in (
            PressKey(Key.RECENTS),
            Tap(Point(300, 500)),
            PressKey(Key.HOME),
            Swipe(Point(360, 1100), Point(360, 500), 120_000),
            TypeText("x"),
            DoubleTap(Point(200, 900)),
            PressKey(Key.BACK),
        ):
            hand.do(action)
            time.sleep(0.05)


if __name__ == "__main__":
    main(*sys.argv[1:])
