"""A recording whose process is killed: what was told is there, and nothing is half there."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

from episodes.episodes import EpisodeState
from episodes.media import packets, pictures
from episodes.store.library import Library
from tests.demophone.phones import ROOT, RunningPhone

KILLS = 3


def killed(phone: RunningPhone, folder: Path, chance: random.Random) -> list[str]:
    """Lets a recording run for a while and kills it; returns the lines it said."""
    arguments = [phone.serial, str(phone.adb_port), str(folder)]
    with subprocess.Popen(
        [sys.executable, "-m", "tests.recorder.recording_to_kill", *arguments],
        cwd=ROOT,
        env=phone.env,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        lines: list[str] = []
        wanted = chance.randint(2, 5)
        while sum(line.startswith("step") for line in lines) < wanted:
            line = process.stdout.readline()
            assert line, f"it ended by itself: {lines}"
            lines.append(line)
        time.sleep(chance.uniform(0, 0.4))  # the moment is the point, any moment
        process.kill()
        lines += process.stdout.readlines()
    return [line for line in lines if line.endswith("\n")]


def test_each_step_that_was_told_is_there_whole_and_the_video_opens(
    phone: RunningPhone, tmp_path: Path
) -> None:
    folder = tmp_path / "library"
    chance = random.Random(4)
    for _ in range(KILLS):
        lines = [line.split() for line in killed(phone, folder, chance)]
        uuid = next(words[1] for words in lines if words[0] == "episode")
        told = [int(words[1]) for words in lines if words[0] == "step"]
        followed = [int(words[1]) for words in lines if words[0] == "after"]
        with Library.open(folder) as library:
            episode = library.episode(uuid)
            assert episode.state is EpisodeState.INCOMPLETE
            assert library.recover() == [episode.name]
            steps = {step.index: step for step in episode.steps}
            assert list(steps) == list(range(len(steps)))
            assert set(told) <= set(steps)
            assert all(steps[index].after is not None for index in followed)
            for step in steps.values():
                for frame in (step.frame, step.after):
                    if frame is not None:
                        assert frame.still is not None
                        data = library.stills.read(frame.still.sha256, frame.still.media_type)
                        assert pictures.header(data).size == frame.size
                assert step.tree is not None
            for segment in episode.segments:
                index = library.packets(uuid, segment.number)
                path = library.episode_folder(uuid) / segment.file
                with packets.SegmentReader(path, index) as reader:
                    shown = reader.frame(len(index) - 1)
                    assert (shown.width, shown.height) == (
                        segment.size.width,
                        segment.size.height,
                    )
                used = [step.frame.packet for step in steps.values() if step.frame]
                assert max(packet for packet in used if packet is not None) < len(index)
