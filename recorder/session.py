"""One recording: what was on the screen, and what was then done, in order.

Everything that happens (touches, frames, trees, losses, wishes) goes into one queue and is
handled by the session's own thread, so there is one order. Touches are sent to the phone before
that, on the caller's thread: the phone never waits for a disk. A step is told (`StepSaved`) only
after it is committed.

Rules a reader should know:
- Enter after typing is a step of its own; Delete takes back typed characters while there are any.
- Typed text is one step, closed by 1.5 s of silence, any other input, or the end. What is typed
  and wholly taken back makes none.
- Turns of the wheel are one `Scroll`, closed by half a second of silence; its direction is the
  finger's, so a wheel turned towards the person (content goes up) is a finger that goes up.
- A gesture during which the screen turns is cancelled on the phone and here, and told as a gap.
"""

from __future__ import annotations

import queue
import threading
import time
import uuid as uuids
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypeVar

from episodes import gestures
from episodes.actions import (
    Action,
    Contact,
    Ending,
    Finish,
    Key,
    Phase,
    PressKey,
    Scroll,
    TypeText,
)
from episodes.annotations import Author
from episodes.clocks import Moment
from episodes.episodes import Actor, Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.geometry import Direction, Point, Size
from episodes.recordings import DeviceFacts, Gap, Segment
from episodes.screens import Basis, Frame, TreeFit, TreeRecord, TreeStatus
from episodes.steps import Step
from episodes.store.library import Library
from recorder import foreground, trees
from recorder.capture import CaptureBroke, CaptureEvent, EpisodeSink, SegmentBegan
from recorder.events import (
    AfterSaved,
    Back,
    Health,
    Lost,
    MirrorEvent,
    Problem,
    SessionEvent,
    SessionState,
    StateChanged,
    StepDropped,
    StepSaved,
    TextCollected,
    TreeState,
)
from recorder.frames import LiveFrame
from recorder.library_thread import LibraryThread
from recorder.mirror import Mirror
