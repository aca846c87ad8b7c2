import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from episodes.store import library as libraries
from episodes.store.library import Library
from tests.episodes.store.dying_importer import EPISODES, STEPS, episodes, picture

KILLS = 3  # more in tests/long


def import_and_kill(folder, delay):
    importer = subprocess.Popen(
        [sys.executable, "-m", "tests.episodes.store.dying_importer", str(folder)],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    )
    assert importer.stdout.readline() == b"ready\n"
    time.sleep(delay)  # the moment is meant to be anywhere within the import
    os.kill(importer.pid, signal.SIGKILL)
    importer.stdout.close()
    importer.wait()


def check_killed_imports(folder, seed, kills):
    chance = random.Random(seed)
    for number in range(kills):
        place = folder / str(number)
        import_and_kill(place, chance.random() * 0.6)
        with Library.open(place) as library:
            faults = library.check().faults
            assert {fault.found for fault in faults if fault.episode} == set()
            before = library.count()
            report = library.save_episodes(episodes(library))
            assert (report.unchanged, report.saved) == (before, EPISODES - before)
            assert (report.refused, library.count()) == ((), EPISODES)
            assert sum(len(one.steps) for one in library.iterate()) == EPISODES * STEPS
            moved = library.check(repair=True)
            assert {fault.found for fault in moved.left} == set()
            pictures = {
                picture(number, step) for number in range(EPISODES) for step in range(STEPS)
            }
            kept = sorted(path.read_bytes() for path in (place / "frames").glob("*/*"))
            assert kept == sorted(pictures)


def test_an_import_that_was_killed_goes_on_where_it_was(tmp_path, monkeypatch):
    monkeypatch.setattr(libraries, "SWEEP_AGE_SECONDS", 0)
    check_killed_imports(tmp_path, 15, KILLS)
