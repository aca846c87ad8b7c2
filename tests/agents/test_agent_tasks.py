"""Agents do tasks on the demo phone from end to end; the check judges, not the claim."""

import json

from agents.turns import TurnFile
from episodes import actions as a
from episodes.episodes import EpisodeState
from taptrail.usecases.agent_runs import stop_word
from tests.agents.conftest import COMPLETE, IMPOSSIBLE, tap


def by_number(words):
    """An answer that finds the element in the list it was sent, and names its place."""

    def answer(told):
        (message,) = told["messages"]
        line = next(one for one in message["content"].splitlines() if f"“{words}" in one)
        left, top, right, bottom = json.loads(line[line.rindex("[") : line.rindex("]") + 1])
        return {"kind": "tap", "at": {"point": [(left + right) / 2, (top + bottom) / 2]}}

    return answer


def test_the_plain_loop_does_a_task_and_is_recorded_as_an_agent(bench):
    answers = [tap("Settings"), "I am not sure.", tap("Dark theme"), COMPLETE]
    outcome = bench.run("dark-theme-on", answers, seed=5)
    assert (outcome.verdict.value, outcome.claimed) == ("success", "complete")
    assert stop_word(outcome).value == "said complete"
    episode = bench.episode(outcome)
    assert (episode.actor.kind, episode.actor.agent) == ("agent", "tests")
    assert [(step.source, a.kind(step.action)) for step in episode.steps] == [
        ("agent", "tap"),
        ("agent", "tap"),
        ("agent", "finish"),
    ]
    # Each request shows a picture and the answers so far; an unreadable one is a turn.
    bodies = [body for _, body in bench.server.requests]
    assert all(body["seed"] == 5 for body in bodies)
    text = bodies[2]["messages"][-1]["content"][1]["text"]
    assert '1. {"kind": "tap"' in text
    assert "2. (this answer could not be read)" in text
    turns = TurnFile.of(bench.library.folder, episode.uuid).read()
    assert [bool(turn.problem) for turn in turns] == [False, True, False, True]
    assert turns[0].raw == bench.server.policy("x/1", {})
    assert all(len(turn.request) == 64 for turn in turns)
    # The step's frame is the screen the model was shown.
    assert episode.steps[0].foreground.package == "com.taptrail.demo.launcher"


def test_the_summary_loop_puts_a_sentence_about_each_action_into_the_history(bench):
    outcome = bench.run("wifi-off", [tap("Settings"), tap("Wi-Fi"), COMPLETE], "summary")
    # The model claims it, and the phone says otherwise: Wi-Fi's page is open, and it is still on.
    assert (outcome.verdict.value, outcome.claimed) == ("failed", "complete")
    asked = bench.server.asked()
    assert [one.endswith("/summary") for one in asked] == [False, True, False, True, False]
    question = bench.server.requests[1][1]["messages"][0]["content"]
    assert [part["type"] for part in question] == ["image_url", "image_url", "text"]
    assert question[0]["image_url"]["url"] != question[1]["image_url"]["url"]
    history = bench.server.requests[-1][1]["messages"][-1]["content"][1]["text"]
    assert "1. It was meant to go on, and the screen shows that it did." in history


def test_the_text_loop_is_sent_elements_and_no_picture(bench):
    outcome = bench.run("calendar-open", [by_number("Calendar"), IMPOSSIBLE], "text")
    # It gave up, although the task was done.
    assert (outcome.verdict.value, outcome.claimed) == ("success", "impossible")
    assert stop_word(outcome).value == "said impossible"
    sent = b"".join(bench.server.raw)
    assert b"data:image" not in sent
    assert bench.episode(outcome).state is EpisodeState.FINISHED
