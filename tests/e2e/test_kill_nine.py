"""`kill -9` of a recording: every reported step is complete in the library."""

from __future__ import annotations

import hashlib
import json
import os
import random
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import av
import numpy as np

from episodes.codec import action_to_json
from episodes.episodes import Episode, EpisodeState
from episodes.media import pictures
from episodes.media.packets import SegmentReader, rgb
from episodes.store.library import Library
from tests.demophone.phones import ROOT, RunningPhone, StartPhone, adb_server, demo_phone

__all__ = ["adb_server", "demo_phone"]

EARLY = 4
"""Every so many recordings one is killed while it begins; the others once steps have come."""
EARLY_S, LATER_S = (0.6, 1.6), (0.0, 0.5)
STEPS = (1, 4)
PATIENCE_S = 60.0
MODULE = "tests.e2e.recording_process"


def record_and_kill(
    phone: RunningPhone, folder: Path, seed: int, steps: int, seconds: float
) -> list[dict[str, Any]]:
    """Lets a recording tell of so many steps and live for so long, kills it, and returns its lines.

    Without a step to wait for, the time counts from the start of the process.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", MODULE, phone.serial, str(phone.adb_port), str(folder), str(seed)],
        cwd=ROOT,
        env=phone.env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    said = b""
    until = time.monotonic() + (PATIENCE_S if steps else seconds)
    awaits = steps > 0
    while (left := until - time.monotonic()) > 0:
        readable, _, _ = select.select([process.stdout], [], [], left)
        if readable:
            data = os.read(process.stdout.fileno(), 65536)
            if not data:
                raise AssertionError(f"it ended by itself: {process.communicate()[1].decode()}")
            said += data
        if awaits and said.count(b'"what": "step"') >= steps:
            awaits, until = False, time.monotonic() + seconds
    process.send_signal(signal.SIGKILL)
    said += process.communicate()[0]
    return [json.loads(line) for line in said[: said.rfind(b"\n") + 1].splitlines()]


def check_whole(library: Library, episode: Episode) -> None:
    """Each step is whole, its picture is that of its packet, and the video opens."""
    assert episode.state is EpisodeState.INCOMPLETE
    assert [step.index for step in episode.steps] == list(range(len(episode.steps)))
    frames = [frame for step in episode.steps for frame in (step.frame, step.after) if frame]
    assert len([step for step in episode.steps if step.frame]) == len(episode.steps)
    for frame in frames:
        assert frame.still is not None
        data = library.stills.read(frame.still.sha256, frame.still.media_type)
        assert hashlib.sha256(data).hexdigest() == frame.still.sha256
        assert pictures.header(data).size == frame.size
    for step in episode.steps:
        assert step.tree is not None
        assert step.began.host_ns is not None
    used = {(frame.segment, frame.packet): frame for frame in frames}
    for segment in episode.segments:
        path = library.episode_folder(episode.uuid) / segment.file
        packets = library.packets(episode.uuid, segment.number)
        assert packets
        with av.open(str(path)) as video:
            opened = sum(1 for _ in video.decode(video=0))
        assert len(packets) <= opened
        with SegmentReader(path, packets, segment.codec) as reader:
            for packet, shown in zip(packets, reader.frames(range(len(packets))), strict=True):
                frame = used.pop((segment.number, packet.number), None)
                if frame is not None:
                    assert frame.still is not None
                    assert frame.pts_us == packet.pts_us
                    kept = pictures.decode(
                        library.stills.read(frame.still.sha256, frame.still.media_type)
                    )
                    assert np.array_equal(rgb(shown), kept)
    assert used == {}


def test_a_recording_killed_at_any_moment_keeps_each_step_it_told_of_whole(
    demo_phone: StartPhone, tmp_path: Path
) -> None:
    check_killed_recordings(demo_phone, tmp_path, seed=20, kills=4)


def check_killed_recordings(demo_phone: StartPhone, tmp_path: Path, seed: int, kills: int) -> None:
    """Kills so many recordings, one after the other, in one library."""
    phone = demo_phone("--size", "360x800", "--density", "160", "--faults", "dump-slow=100")
    folder = tmp_path / "library"
    chance = random.Random(seed)
    told: list[int] = []
    names: list[str] = []
    for number in range(kills):
        early = number % EARLY == 0
        seconds = chance.uniform(*(EARLY_S if early else LATER_S))
        wanted = 0 if early else chance.randint(*STEPS)
        lines = record_and_kill(phone, folder, number, wanted, seconds)
        steps = [line for line in lines if line["what"] == "step"]
        told.append(len(steps))
        assert len(steps) >= wanted
        assert [line for line in lines if line["what"] in ("lost", "problem")] == []
        with Library.open(folder) as library:
            found = [one for one in library.episodes() if one.name not in names]
            assert library.recovery.episodes == tuple(one.name for one in found)
            assert len(found) <= 1
            if not found:
                assert not steps
                continue
            names.append(found[0].name)
            episode = library.episode(found[0].uuid)
            check_whole(library, episode)
            kept = [
                {
                    "what": "step",
                    "index": step.index,
                    "action": action_to_json(step.action),
                    "sha256": step.frame and step.frame.still and step.frame.still.sha256,
                    "pts_us": step.frame and step.frame.pts_us,
                    "segment": step.frame and step.frame.segment,
                    "packet": step.frame and step.frame.packet,
                }
                for step in episode.steps
            ]
            assert json.loads(json.dumps(kept))[: len(steps)] == steps
            followed = [line["index"] for line in lines if line["what"] == "after"]
            assert all(episode.steps[index].after is not None for index in followed)
    print(f"{told} steps were told")
    assert names == [f"e-{number:04d}" for number in range(1, len(names) + 1)]
