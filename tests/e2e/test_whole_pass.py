"""The whole pass in one window: three attempts, targets, a budget, two runs, and a report.

A person records one task three times on the demo phone, accepts the targets by keyboard, says that
one attempt failed, brings two models' answers in, looks at where they part, and writes a page that
a browser without a network shows.
"""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from time import monotonic_ns
from uuid import uuid4

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMenu
from pytestqt.qtbot import QtBot

from episodes.actions import Action, Wait
from episodes.codec import action_to_json
from episodes.episodes import Episode
from episodes.geometry import Box
from episodes.store.library import Library
from taptrail.cli.main import run as taptrail
from taptrail.gui.app import PLACES
from taptrail.gui.review.filters import Filter, Sort
from taptrail.usecases.annotating import StepState
from taptrail.usecases.predictions import import_predictions
from taptrail.usecases.report_files import ReportOptions, write_report
from tests.demophone.phones import StartPhone, adb_server, demo_phone
from tests.e2e import checks
from tests.e2e import number_and_date as goes
from tests.e2e.bench import Bench
from tests.e2e.truth import TruthLog
from tests.e2e.walk import Done, Walker
from tests.taptrail.test_report_command import WITHOUT_NETWORK

__all__ = ["adb_server", "demo_phone"]

PHONE = ("--size", "432x960", "--density", "168", "--seed", "7", "--no-animations")
STRICT = "taptrail-strict@1"
CONTROL = Qt.KeyboardModifier.ControlModifier
MOST_BYTES = 20_000_000
CHROMIUM = shutil.which("chromium")
COUNT_PICTURES = """
<script>
const all = [...document.querySelectorAll("svg image")];
const pictures = all.map((one) => {
  const picture = new Image();
  picture.src = one.getAttribute("href");
  return picture;
});
addEventListener("load", () => {
  const shown = all.filter((one, at) => {
    const place = one.getBoundingClientRect();
    return pictures[at].naturalWidth > 0 && place.width > 0 && place.height > 0;
  });
  document.title = `${shown.length} of ${all.length} pictures`;
});
</script>
"""


class Person:
    """Uses the window for the whole pass, and notes what was done in each attempt."""

    def __init__(self, bench: Bench, hand: Walker) -> None:
        self.bench = bench
        self.hand = hand
        self.attempts: list[list[Done]] = []
        self.uuids: list[str] = []
        self.paused_us = 0

    def begin(self) -> int:
        """Writes the task down and presses Record; returns how much was done before."""
        bench = self.bench
        bench.until(lambda: bench.button("Record") is not None)
        bench.record.task.edit.selectAll()
        QTest.keyClicks(bench.record.task.edit, goes.TASK)
        bench.click("Record")
        bench.until(lambda: bench.record.pill.word() == "Recording")
        bench.wait_for_segment(0)
        return len(self.hand.done)

    def end(self, since: int) -> None:
        """Claims that the task is complete."""
        self.uuids.append(self.hand.finish())
        self.attempts.append(self.hand.done[since:])

    def pause(self) -> None:
        """Pauses the recording for a moment, and goes on in a new segment."""
        bench = self.bench
        self.hand.settle()
        bench.click("Pause")
        bench.until(lambda: bench.record.pill.word() == "Paused")
        began = monotonic_ns()
        bench.pause(600)
        self.paused_us = (monotonic_ns() - began) // 1000
        bench.click("Go on")
        bench.wait_for_segment(1)

    def accept_targets(self, episode: Episode) -> None:
        """Opens an episode in Annotate and accepts all that is proposed, with one key."""
        place, until = self.bench.window.annotate, self.bench.until
        self.bench.window.main.go_to(PLACES.index("annotate"))
        place.open_at(episode.uuid)
        until(lambda: place.where() == (episode.name, 0))
        place.frame.setFocus()
        place.navigation.order(by_level=False)
        for step in episode.steps:
            if place.state.step_state(step.index) is not StepState.WAITING:
                continue
            for _ in episode.steps:
                if place.where()[1] != step.index:
                    QTest.keyClick(place.frame, Qt.Key.Key_D)
            assert place.where()[1] == step.index
            QTest.keyClick(place.frame, Qt.Key.Key_E)
            assert place.state.step_state(step.index) is StepState.ACCEPTED
        until(place.saved)

    def judge_as_failed(self, uuid: str) -> None:
        """Says in Tasks that an attempt failed, whatever was claimed."""
        place, until = self.bench.window.tasks, self.bench.until
        self.bench.window.main.go_to(PLACES.index("tasks"))
        until(lambda: place.where()[1] is not None and len(place.where()[1].attempts) == 3)
        place.page.turn_to(uuid)
        place.page.table.setFocus()
        QTest.keyClick(place.page.table, Qt.Key.Key_O)
        assert place.page.form.isVisible()
        place.page.form.how.part(3).click()
        place.page.form.save.click()
        until(lambda: place.budget.fact("Complete") == "2 of 3 attempts")

    def bring_in(self, file: Path) -> None:
        """Imports a model's answers in Episodes."""
        place = self.bench.window.episodes
        self.bench.window.main.go_to(PLACES.index("episodes"))
        place.importer.ask_predictions(file)
        place.imports.form.dialect.put("taptrail")
        place.imports.form._send()
        self.bench.until(lambda: not place.imports.busy())
        assert f"Run {file.stem}: " in place.imports._result.text()

    def report(self, page: Path) -> str:
        """Writes the page from Review, with its key and menu; returns what is said of it."""
        place = self.bench.window.review
        place.strip.setFocus()
        QTest.keyClick(place.strip, Qt.Key.Key_E, CONTROL)
        (menu,) = [one for one in place.report.findChildren(QMenu) if one.isVisible()]
        menu.actions()[0].trigger()
        menu.close()
        (dialog,) = place.reporting.findChildren(QFileDialog)
        dialog.fileSelected.emit(str(page))
        dialog.reject()
        self.bench.until(lambda: place.reporting.words() != "")
        return str(place.reporting.words())


def answers(episodes: list[Episode], wrong: set[tuple[str, int]]) -> str:
    """A model's answers as lines: the recorded actions, but for those that are wrong."""
    lines = []
    for episode in episodes:
        for step in episode.steps:
            action: Action = step.action
            if (episode.name, step.index) in wrong:
                action = Wait()
            told = action_to_json(action)
            told.pop("path", None)
            lines.append({"episode": episode.name, "step": step.index, "action": told})
    return "".join(json.dumps(line) + "\n" for line in lines)


def browse(page: Path, folder: Path, *what: str) -> subprocess.CompletedProcess[str]:
    """Opens a page in a browser that reaches no network."""
    assert CHROMIUM is not None
    return subprocess.run(
        [CHROMIUM, *WITHOUT_NETWORK, f"--user-data-dir={folder / 'profile'}", *what, page.as_uri()],
        capture_output=True,
        text=True,
        timeout=180,
        check=True,
    )


def shown_pictures(page: Path, folder: Path) -> str:
    """How many of a page's pictures a browser decodes and lays out, of how many; no error."""
    said = browse(page, folder, f"--screenshot={folder / 'page.png'}").stderr
    assert "CONSOLE" not in said
    counting = folder / "counting.html"
    text = page.read_text(encoding="utf-8")
    without = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    assert without != text
    counting.write_text(without.replace("</body>", COUNT_PICTURES + "</body>"), encoding="utf-8")
    dom = browse(counting, folder, "--dump-dom").stdout
    found = re.search(r"<title>(.*?)</title>", dom)
    assert found is not None
    return found[1]


def many_steps(folder: Path, library: Library, episodes: list[Episode], count: int) -> None:
    """Fills another library with copies of episodes until there are so many steps."""
    with Library.open(folder) as other:
        copies: list[Episode] = []
        while sum(len(one.steps) for one in copies) < count:
            one = episodes[len(copies) % len(episodes)]
            name = f"{one.name}-{len(copies)}"
            copies.append(replace(one, uuid=str(uuid4()), name=name, segments=(), clock_samples=()))
        for step in (step for one in episodes for step in one.steps):
            for frame in (step.frame, step.after):
                if frame is not None and frame.still is not None:
                    still = frame.still
                    other.stills.write(
                        library.stills.read(still.sha256, still.media_type), still.media_type
                    )
        assert other.save_episodes(copies).refused == ()


@pytest.mark.xdist_group("mirror")
@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here (Debian: chromium)")
def test_from_three_attempts_to_a_page_that_a_browser_shows(
    qtbot: QtBot,
    demo_phone: StartPhone,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    phone = demo_phone(*PHONE, "--faults", "dump-slow=20")
    truth = TruthLog(phone.truth_path)
    folder = tmp_path / "library"
    bench = Bench(qtbot, phone, folder)
    try:
        bench.record.connect_phone(phone.serial)
        bench.until(lambda: bench.view.painted() is not None)
        person = Person(bench, Walker(bench, truth, seed=3))
        since = person.begin()
        goes.carefully(person.hand)
        person.end(since)
        since = person.begin()
        goes.quickly(person.hand, person.pause)
        person.end(since)
        since = person.begin()
        goes.in_vain(person.hand)
        person.end(since)
        assert bench.trouble == ""
        truth.read()

        # What was recorded is what was done.
        with Library.read(folder) as library:
            episodes = [library.episode(uuid) for uuid in person.uuids]
        steps = tuple(step for episode in episodes for step in episode.steps)
        judged = checks.judged(steps, person.hand.done, truth)
        assert "\n".join(checks.wrong_steps(judged, truth, "")) == ""
        assert [len(one.steps) for one in episodes] == [len(one) for one in person.attempts]

        # Targets, by keyboard.
        person.accept_targets(episodes[0])
        with Library.read(folder) as library:
            annotated = library.episode(episodes[0].uuid)
        of_first = judged[: len(annotated.steps)]
        settled = 0
        for one, step in zip(of_first, annotated.steps, strict=True):
            hit = one.inputs[0].element if one.inputs else None
            if checks.candidate_is_hit(one, "") and hit is not None:
                assert step.target is not None
                assert step.target.box == Box(*map(float, hit.box))
                settled += 1
        assert settled >= 5

        # The budget: twice the mean of the two that count, the claim being a step as well.
        person.judge_as_failed(episodes[2].uuid)
        first, second = (len(one) for one in person.attempts[:2])
        allowed = max(10, math.ceil(2 * (first + second) / 2))
        assert bench.window.tasks.budget.words()[0] == str(allowed)
        with Library.read(folder) as library:
            episodes = [library.episode(uuid) for uuid in person.uuids]
        told = json.loads(
            said(capsys, "attempts", "--episode", "e-0002", "--library", folder, "--json")
        )
        assert told["budget"]["steps"] == allowed
        assert [one["outcome"] for one in told["attempts"]] == ["complete", "complete", "failed"]
        assert [one["counts"] for one in told["attempts"]] == [True, True, False]
        walls = [wall_us(episode) for episode in episodes]
        assert [one["wall_us"] for one in told["attempts"]] == walls
        assert told["budget"]["seconds"] == math.ceil(2 * (walls[0] + walls[1]) / 2 / 1e6)
        paused = [one["paused_us"] for one in told["attempts"]]
        assert (paused[0], paused[2]) == (0, 0)
        assert paused[1] >= person.paused_us
        assert [one.attempt and one.attempt.outcome for one in episodes][2] == "failed"

        # Two runs, and where they part.
        planted = {"alpha": {("e-0001", 1), ("e-0002", 3), ("e-0002", 4)},
                   "beta": {("e-0001", 2), ("e-0002", 4)}}  # fmt: skip
        for run, wrong in planted.items():
            file = tmp_path / f"{run}.jsonl"
            file.write_text(answers(episodes, wrong))
            person.bring_in(file)
        review = bench.window.review
        bench.window.main.go_to(PLACES.index("review"))
        review.open_at(episodes[0].uuid)
        bench.until(lambda: review.where()[0] == "e-0001")
        review.choose_runs(list(planted))
        review.choose_protocol(STRICT)
        bench.until(lambda: {run.protocol for run in review.scorer.judged.values()} == {STRICT})
        review.differing.use(Filter(Sort.DIFFER))
        parted = [("e-0001", 1), ("e-0001", 2), ("e-0002", 3)]
        bench.until(lambda: len(review.differing.lines()) == len(parted))
        numbers = {episode.uuid: episode.name for episode in episodes}
        listed = [(numbers[one.place[0]], one.place[1]) for one in review.differing.lines()]
        assert sorted(listed) == parted

        # The page, alone in the world.
        page = tmp_path / "report.html"
        assert person.report(page).startswith("Written: report.html · 3 of 3 steps shown · ")
        assert shown_pictures(page, tmp_path) == "3 of 3 pictures"
    finally:
        bench.close()

    many = tmp_path / "many"
    with Library.read(folder) as library:
        many_steps(many, library, episodes, 200)
    with Library.read(many) as library:
        copies = [library.episode(one.uuid) for one in library.episodes()]
    for run in planted:
        file = tmp_path / f"{run}-many.jsonl"
        file.write_text(answers(copies, set()))
        import_predictions((file,), run, many, dialect="taptrail")
    page = tmp_path / "long.html"
    written = write_report(
        many, list(planted), [STRICT], ReportOptions(page=page, only="all", limit=200)
    )
    assert (written.shown, written.without_picture) == (200, 0)
    print(f"{len(steps)} steps recorded; a page of 200 has {page.stat().st_size:,} bytes")
    assert page.stat().st_size < MOST_BYTES
    assert shown_pictures(page, tmp_path) == "200 of 200 pictures"


def said(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """What a command prints."""
    capsys.readouterr()
    assert taptrail([str(word) for word in words]) == 0
    return capsys.readouterr().out


def wall_us(episode: Episode) -> int:
    """How long an attempt took, by hand: from its first frame to its last step, without pauses."""
    began = episode.segments[0].started.host_ns
    ended = max(step.ended.host_ns or 0 for step in episode.steps)
    assert began is not None
    paused = 0
    for gap in episode.gaps:
        assert gap.reason == "paused"
        assert gap.started is not None
        assert gap.ended is not None
        paused += (gap.ended.host_ns or 0) // 1000 - (gap.started.host_ns or 0) // 1000
    return ended // 1000 - began // 1000 - paused
