"""SAM 2's own process: asked over the pipe, killed, cancelled, idle, and never in the way."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from annotator.sam2.client import Sam2, WorkerState
from annotator.sam2.geometry import whole_view
from annotator.sam2.values import ModelId, PictureFile, Prompt
from episodes.errors import KnownError
from episodes.geometry import Box, Point
from tests.annotator.sam2 import micro
from tests.annotator.sam2.conftest import frame_of

VIEW = whole_view(micro.SIZE)
PRESSES = micro.clicks(each=4, seed=6)
WAIT = 60


@pytest.fixture(scope="module")
def sam2(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sam2]:
    with Sam2(micro.weights(), tmp_path_factory.mktemp("kept"), threads=1) as client:
        yield client


class States:
    """What a client told of its worker, to wait for."""

    def __init__(self) -> None:
        self.seen: list[WorkerState] = []
        self._changed = threading.Condition()

    def __call__(self, state: WorkerState) -> None:
        with self._changed:
            self.seen.append(state)
            self._changed.notify_all()

    def wait_for(self, state: WorkerState, times: int = 1) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self.seen.count(state) >= times, WAIT), self.seen


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_each_of_forty_presses_through_the_process_finds_its_element(
    sam2: Sam2, frame: PictureFile
) -> None:
    jobs = [sam2.submit(frame, Prompt((point,)), VIEW) for _, point in PRESSES]
    overlaps = []
    for job, (box, _) in zip(jobs, PRESSES, strict=True):
        found = job.answer.result(WAIT)
        best = max(found.masks, key=lambda mask: mask.score)
        overlaps.append(best.box.overlap(box))
    assert len(overlaps) == 40
    assert min(overlaps) >= 0.85


def test_an_answer_contains_its_prompt_and_model(sam2: Sam2, frame: PictureFile) -> None:
    prompt = Prompt((PRESSES[0][1],), avoid=(Point(500, 1100),))
    found = sam2.propose(frame, prompt, VIEW)
    assert found.model == ModelId("micro", micro.SHA256)
    assert (found.frame, found.view, found.prompt) == (frame.sha256, VIEW, prompt)
    provenance = found.provenance(found.masks[0])
    assert (provenance.model, provenance.version) == ("micro", micro.SHA256[:12])
    assert '"avoid":[[500,1100]]' in provenance.prompts


def test_a_box_is_a_prompt_too(sam2: Sam2, frame: PictureFile) -> None:
    banner = micro.ELEMENTS["banner"][0]
    found = sam2.propose(frame, Prompt((banner.centre,), box=banner), VIEW)
    assert max(mask.box.overlap(banner) for mask in found.masks) > 0


def test_a_frame_embedded_in_advance_is_answered_from_there(sam2: Sam2, tmp_path: Path) -> None:
    shifted = frame_of(tmp_path, np.roll(micro.screen(), 1, axis=1))
    prompt = Prompt((PRESSES[0][1],))
    ahead = sam2.warm(shifted, prompt).answer.result(WAIT)
    asked = sam2.propose(shifted, prompt)
    assert (ahead.warm, ahead.masks) == (False, ())
    assert (asked.warm, asked.view) == (True, ahead.view)
    assert len(asked.masks) + len(asked.refused) == 3


def test_the_open_step_is_answered_before_those_that_wait(sam2: Sam2, frame: PictureFile) -> None:
    order: list[str] = []
    go_on = threading.Event()
    first = sam2.submit(frame, Prompt((PRESSES[0][1],)), VIEW)
    first.answer.add_done_callback(lambda _: go_on.wait(WAIT))
    later = sam2.submit(frame, Prompt((PRESSES[1][1],)), VIEW)
    soon = sam2.submit(frame, Prompt((PRESSES[2][1],)), VIEW, soon=True)
    later.answer.add_done_callback(lambda _: order.append("later"))
    soon.answer.add_done_callback(lambda _: order.append("soon"))
    go_on.set()
    later.answer.result(WAIT)
    soon.answer.result(WAIT)
    assert order[0] == "soon"


def test_a_worker_that_is_killed_is_replaced_and_the_job_is_answered(
    sam2: Sam2, frame: PictureFile
) -> None:
    sam2.propose(frame, Prompt((PRESSES[0][1],)), VIEW)
    first = sam2.pid
    assert first is not None
    os.kill(first, 9)
    found = sam2.propose(frame, Prompt((PRESSES[0][1],)), VIEW)
    assert len(found.masks) == 3
    assert sam2.pid not in (None, first)


def test_a_worker_that_dies_twice_of_one_job_is_an_error_of_one_sentence(
    frame: PictureFile,
) -> None:
    killed: list[int] = []

    def kill(state: WorkerState) -> None:
        if state is WorkerState.LOADING and client.pid is not None:
            killed.append(client.pid)
            os.kill(client.pid, 9)

    with Sam2(micro.weights(), threads=1, on_state=kill) as client:
        job = client.submit(frame, Prompt((PRESSES[0][1],)), VIEW)
        with pytest.raises(KnownError, match=r"its process ended twice \(signal 9"):
            job.answer.result(WAIT)
    assert len(killed) == len(set(killed)) == 2


def test_jobs_are_given_up_and_a_rest_is_taken_and_a_damaged_embedding_made_again(
    frame: PictureFile, tmp_path: Path, expected_log: Callable[[str], None]
) -> None:
    """One life of a client, because starting a worker takes seconds."""
    expected_log("1 damaged embeddings removed")
    states = States()
    prompts = [Prompt((point,)) for _, point in PRESSES]
    with Sam2(micro.weights(), tmp_path, threads=1, idle_seconds=0.2, on_state=states) as client:
        working, waiting, kept = (client.submit(frame, one, VIEW) for one in prompts[:3])
        client.cancel(waiting)
        states.wait_for(WorkerState.LOADING)
        client.cancel(working)
        for job in (waiting, working):
            with pytest.raises(CancelledError):
                job.answer.result(WAIT)
        fresh = kept.answer.result(WAIT)

        states.wait_for(WorkerState.OFF)  # nothing was asked for so long that it ended
        assert client.pid is None

        (file,) = tmp_path.glob("*/*.npz")
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 0xFF
        file.write_bytes(data)
        again = client.propose(frame, prompts[2], VIEW)
    assert (fresh.warm, again.warm) == (False, False)
    assert again.masks == fresh.masks
    assert [path.name for path in tmp_path.glob("*/*")] == [file.name]


def test_closing_ends_the_process_while_it_loads(frame: PictureFile) -> None:
    states = States()
    client = Sam2(micro.weights(), threads=1, on_state=states)
    job = client.submit(frame, Prompt((PRESSES[0][1],)), VIEW)
    states.wait_for(WorkerState.LOADING)
    client.close()
    assert client.pid is None
    assert job.answer.cancelled()
    with pytest.raises(RuntimeError, match="closed"):
        client.submit(frame, Prompt((PRESSES[0][1],)), VIEW)


def test_the_process_ends_with_the_program_that_started_it(frame: PictureFile) -> None:
    """In the middle of its work, and also when that program had no time to say so."""
    script = f"""
import os, sys
from pathlib import Path
from annotator.sam2.client import Sam2, WorkerState
from annotator.sam2.values import PictureFile, Prompt
from episodes.geometry import Point
from tests.annotator.sam2 import micro

def die(state):
    if state is WorkerState.LOADING:
        print(client.pid, "torch" in sys.modules, "sam2" in sys.modules, flush=True)
        os.kill(os.getpid(), 9)

client = Sam2(micro.weights(), threads=1, on_state=die)
client.propose(PictureFile({frame.sha256!r}, Path({str(frame.path)!r})), Prompt((Point(60, 100),)))
"""
    program = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=WAIT
    )
    pid, *loaded = program.stdout.split()
    assert loaded == ["False", "False"]
    waited = threading.Event()
    while alive(int(pid)):
        waited.wait(0.02)


def test_it_gives_way_to_everything_else(sam2: Sam2, frame: PictureFile) -> None:
    sam2.propose(frame, Prompt((PRESSES[0][1],)), VIEW)
    assert sam2.pid is not None
    assert os.getpriority(os.PRIO_PROCESS, sam2.pid) >= 10
    assert int(Path(f"/proc/{sam2.pid}/oom_score_adj").read_text()) >= 800


def test_a_file_that_cannot_be_loaded_is_an_error_of_one_sentence(
    sam2: Sam2, frame: PictureFile, tmp_path: Path
) -> None:
    gone = replace(micro.weights(), path=tmp_path / "gone.pt")
    with Sam2(gone, threads=1) as client, pytest.raises(KnownError, match="it is not there"):
        client.propose(frame, Prompt((PRESSES[0][1],)))
    no_file = PictureFile(frame.sha256[::-1], tmp_path / "no.png")
    with pytest.raises(KnownError, match="No such file"):
        sam2.propose(no_file, Prompt((PRESSES[0][1],)))
    other = frame_of(tmp_path, micro.screen()[:600])
    misfiled = PictureFile("0" * 64, other.path)
    with pytest.raises(KnownError, match="its sha256 is another"):
        sam2.propose(misfiled, Prompt((PRESSES[0][1],)))
    with pytest.raises(KnownError, match=r"\(9000, 5\) is outside the part of the screen"):
        sam2.propose(frame, Prompt((Point(9000, 5),)), VIEW)
    assert len(sam2.propose(frame, Prompt((PRESSES[0][1],)), VIEW).masks) == 3


def test_what_it_computes_stays_in_the_square_around_the_press(
    sam2: Sam2, frame: PictureFile
) -> None:
    found = sam2.propose(frame, Prompt((Point(270, 900),)))
    assert (found.view.width, found.view.height) == (540, 540)
    assert Point(270, 900) in found.view
    for mask in found.masks:
        assert mask.box.intersection(found.view) == mask.box
    with pytest.raises(KnownError, match="is not within the 540x1200 frame"):
        sam2.propose(frame, Prompt((Point(1, 1),)), Box(0, 0, 541, 1200))
