"""Every way an attempt ends has its word, and the gates hold. Real session, phone and server.

The attempts of a module share one session on one phone, so that each takes a second.
"""

import json
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from agents.attempt import Attempt, AttemptParts
from agents.gate import ALL_KINDS, Consent, Gate, consent_kinds
from agents.hand import AgentSession
from agents.live import START_S
from agents.loops import LOOPS
from agents.loops.asking import Asker
from agents.observation import LiveStills, Observer
from agents.stopping import Limits, StopWord
from agents.turns import TurnFile
from episodes import actions as a
from episodes.actions import Phase
from episodes.episodes import Actor, Task
from episodes.errors import KnownError
from episodes.geometry import Point
from recorder.events import SessionState
from recorder.inputs import Touch
from recorder.mirror import Mirror
from recorder.session import Session
from replay.asking.client import Endpoint
from replay.asking.requests import RequestBuilder
from replay.asking.runner import Spending
from replay.asking.templates import TemplateRenderer
from taptrail.usecases.tree_choice import phone_trees
from tests.agents.conftest import COMPLETE, recipe, scripted, tap, write
from tests.replay.asking.fake_server import FakeServer

WAIT = {"kind": "wait", "duration_us": 1000}
DEMO = "com.taptrail.demo."
HOME = DEMO + "launcher"


def beside(x, y):
    return {"kind": "tap", "at": {"point": [x, y]}}


class Live:
    """A session that is recorded, for many attempts."""

    def __init__(self, bench, folder):
        self.bench, self.folder = bench, folder
        device = bench.demo.devices.device(bench.demo.serial)
        self.mirror = Mirror(device)
        self.mirror.start()
        self.session = Session(
            self.mirror,
            bench.library,
            Task("Do it."),
            Actor("agent", agent="live"),
            tree_source=lambda: phone_trees(device),
        )
        self.session.start()
        assert self.session.wait_for(SessionState.RECORDING, timeout=START_S)
        self.renderer = TemplateRenderer()
        self.stills = LiveStills(folder)
        self.count = 0

    def close(self):
        self.session.stop()
        self.mirror.stop()
        self.renderer.close()

    def home(self):
        self.mirror.device.run("input keyevent KEYCODE_HOME")
        deadline = time.monotonic() + 5
        while self.mirror.device.front().app.package != HOME and time.monotonic() < deadline:
            time.sleep(0.05)
        self.session.wait_quiet(5)

    def run(self, answers, faults=None, gate=None, loop="plain", **more):
        self.count += 1
        self.turns = TurnFile(self.folder / f"{self.count}.jsonl")
        self.control = AgentSession(self.session)
        policy = answers if callable(answers) else scripted(answers)
        with FakeServer(policy, faults=faults or {}) as self.server:
            spending = more.pop("spending", Spending())
            ask = Endpoint(self.server.url, attempts=2).ask
            parts = AttemptParts(
                session=self.session,
                control=self.control,
                mirror=self.mirror,
                observer=Observer(self.session, self.mirror, self.stills, 3),
                builder=RequestBuilder(recipe(), self.stills, self.renderer),
                asker=Asker(ask, "live", spending),
                loop=LOOPS[loop],
                gate=gate or Gate(kinds=frozenset()),
                limits=more.pop("limits", Limits()),
                turns=self.turns,
                spending=spending,
            )
            return Attempt(Task("Do it."), replace(parts, **more)).run()

    def downs(self):
        """The fingers that came down, by the phone's truth log."""
        text = self.bench.demo.truth.read_text()
        lines = [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]
        down = {"event": "input", "kind": "touch", "action": "down"}
        return [one for one in lines if down.items() <= one.items()]

    def steps(self):
        assert self.session.wait_quiet(5)
        uuid = self.session.episode
        return self.bench.library.call(lambda kept: kept.episode(uuid)).steps


@pytest.fixture(scope="module")
def live(bench):
    with tempfile.TemporaryDirectory() as folder:
        made = Live(bench, Path(folder))
        try:
            yield made
        finally:
            made.close()


@pytest.mark.parametrize(
    ("word", "answers", "options", "turns", "acts"),
    [
        (StopWord.ANSWERED, [{"kind": "answer", "text": "4 eggs"}], {}, 1, 1),
        (StopWord.TURNS, [WAIT], {"limits": Limits(turns=2)}, 2, 2),
        (StopWord.TIME, [WAIT], {"limits": Limits(seconds=0.01)}, 1, 1),
        (StopWord.MONEY, [WAIT, COMPLETE], {"spending": Spending(1.0, 1.0, 1e-9)}, 1, 1),
        (StopWord.UNREADABLE, ["?", "{", '{"kind": "finish_all"}', COMPLETE], {}, 3, 0),
        (StopWord.SAME_ACT, [beside(540, 600)], {}, 3, 2),
        (
            StopWord.NO_CHANGE,
            [beside(200, 500), beside(400, 500)],
            {"limits": Limits(no_change=2)},
            2,
            2,
        ),
        (StopWord.MODEL_AWAY, [WAIT], {"faults": {"live/1": ["500", "500"]}}, 1, 0),
        (StopWord.COMPLETE, [COMPLETE], {}, 1, 0),
    ],
    ids=lambda value: value.value if isinstance(value, StopWord) else "",
)
def test_an_attempt_ends_with_the_word(live, word, answers, options, turns, acts):
    end = live.run(answers, **options)
    assert (end.word, end.turns, end.acts) == (word, turns, acts), end
    claimed = word in (StopWord.ANSWERED, StopWord.COMPLETE)
    assert (end.claim is a.Ending.COMPLETE) == claimed
    kept = live.turns.read()
    assert [turn.number for turn in kept] == list(range(1, turns + 1))
    if word is StopWord.ANSWERED:
        assert end.answer == "4 eggs"


def test_a_person_stops_it_or_takes_over_and_the_steps_are_the_person_s(live):
    live.home()
    stop = threading.Event()
    end = live.run(
        [beside(540, 600)],
        stop=stop,
        on_progress=lambda progress: stop.set() if progress.stage == "says" else None,
    )
    assert (end.word, end.acts) == (StopWord.STOPPED, 0)

    def person(progress):
        if progress.stage == "asks" and progress.number == 2:
            shown = live.mirror.latest.peek()
            for phase in (Phase.DOWN, Phase.UP):
                now_ns = time.monotonic_ns()
                touch = Touch.of(phase, Point(540, 700), shown, now_ns, shown.decoded_ns)
                assert live.control.send_by_person(touch)

    before, downs = len(live.steps()), len(live.downs())
    end = live.run([beside(300, 600), beside(400, 600)], on_progress=person)
    assert (end.word, end.acts) == (StopWord.TAKEN_OVER, 1)
    live.session.end_action()
    deadline = time.monotonic() + 5
    while len(new := live.steps()[before:]) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [step.source for step in new] == ["agent", "mirror"]
    # The truth log agrees: two fingers came down, the second where the person's did.
    seen = live.downs()[downs:]
    assert [round(one["y"]) for one in seen] == [600, 700]


def test_a_foreign_app_in_front_is_not_touched(live):
    live.home()
    gate = Gate(apps=frozenset({HOME, DEMO + "notes"}), kinds=frozenset())
    downs = len(live.downs())
    # Contacts comes to the front while the model thinks: what it then says is not done.
    opened = []

    def model(asked, told):
        if not opened:
            opened.append(live.mirror.device.run(f"am start -n {DEMO}contacts/.ContactsActivity"))
            opened.append(live.mirror.device.run(f"monkey -p {DEMO}contacts 1"))
            time.sleep(0.3)
        return json.dumps(beside(540, 1200))

    end = live.run(model, gate=gate)
    assert live.turns.read()[0].problem == "another app came to the front"
    assert len(live.downs()) - downs == end.acts
    for step in live.steps():
        if isinstance(step.action, a.Tap) and step.foreground is not None:
            assert step.foreground.package != DEMO + "contacts"
    live.home()
    # A tap that leads out is recorded. Back is pressed after the first one, the second one stops.
    before, downs = len(live.steps()), len(live.downs())
    end = live.run([tap("Clock")], gate=gate)
    assert (end.word, end.acts, len(live.downs()) - downs) == (StopWord.LEFT_APPS, 2, 2), end
    kinds = [a.kind(step.action) for step in live.steps()[before:]]
    assert kinds == ["tap", "press_key", "tap"]


def test_acts_that_need_consent_never_touch_without_it(live):
    live.home()
    asked = []

    def refuse(kinds, words):
        asked.append(kinds)
        return False

    gate = Gate(kinds=ALL_KINDS, ask=refuse)
    live.run([tap("Messages"), COMPLETE], gate=gate)
    live.run([tap("Mara Quill"), COMPLETE], gate=gate)
    downs = len(live.downs())
    end = live.run([tap("Send"), write("hello"), tap("Send"), COMPLETE], gate=gate)
    assert end.word is StopWord.COMPLETE
    assert asked == [] or all(Consent.SEND in kinds for kinds in asked)
    problems = [turn.problem for turn in live.turns.read()]
    assert not any(
        problem == "" and turn.action.startswith("Tapped")
        for problem, turn in zip(problems, live.turns.read(), strict=True)
    )
    assert len(live.downs()) == downs
    with pytest.raises(KnownError, match="Use send, pay, delete"):
        consent_kinds("send,steal")
    assert consent_kinds("none") == frozenset()


def test_a_protected_screen_reaches_no_endpoint(live):
    live.home()
    end = live.run([{"kind": "open_app", "app": "Vault"}, tap("Unlock"), beside(540, 1200)])
    assert (end.word, end.acts) == (StopWord.PROTECTED, 2), live.turns.read()
    assert len(live.server.requests) == 2


def test_a_phone_that_is_lost_ends_the_attempt(live):
    live.home()

    def model(asked, told):
        live.bench.demo.devices.disconnect(live.bench.demo.serial)
        return json.dumps(beside(540, 700))

    try:
        end = live.run(model, away_s=0.5)
    finally:
        live.bench.demo.devices.connect(f"127.0.0.1:{live.bench.demo.port}")
    assert end.word is StopWord.PHONE_LOST
