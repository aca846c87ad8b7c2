"""Asks a model for one attempt, and counts its tokens and seconds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from agents.observation import Observation
from episodes import actions as a
from replay.asking.client import Received
from replay.asking.requests import Request, data_url
from replay.asking.runner import Spending
from replay.asking.sent_picture import SentPicture

Ask = Callable[[bytes, str], Received]


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """An action that was done, with the screens before and after it.

    Attributes:
        pictures: of both screens, as they may be sent; None if either is protected.
        raw: the model's answer.
    """

    task: str
    before: Observation
    action: a.Action
    after: Observation
    raw: str
    pictures: tuple[SentPicture, SentPicture] | None


class Asker:
    """One attempt's connection to the model.

    Attributes:
        seconds, tokens: of the turn under way.
    """

    def __init__(self, ask: Ask, name: str, spending: Spending) -> None:
        """Args: name: of the attempt, in the ids of its requests."""
        self._ask, self._name, self._spending = ask, name, spending
        self._base: dict[str, Any] = {}
        self.number = 0
        self.seconds = 0.0
        self.tokens: tuple[int, int] | None = None

    def begin_turn(self, number: int) -> None:
        """Begins to count for a turn."""
        self.number, self.seconds, self.tokens = number, 0.0, None

    def ask(self, request: Request, sent: tuple[SentPicture, ...]) -> Received:
        """Sends the request of a turn.

        Raises:
            RequestFailed, SetupFailed: there is no answer.
        """
        self._base = {key: value for key, value in request.body.items() if key != "messages"}
        return self._send(request.encode(sent), "")

    def ask_beside(self, text: str, pictures: tuple[SentPicture, ...]) -> Received:
        """Asks a second question in a turn, with the model and sampling of the first.

        Raises:
            RequestFailed, SetupFailed: there is no answer.
        """
        content: list[dict[str, Any]] = [
            {"type": "image_url", "image_url": {"url": data_url(one)}} for one in pictures
        ]
        content.append({"type": "text", "text": text})
        unwanted = ("stop", "continue_final_message", "add_generation_prompt")
        body = {key: value for key, value in self._base.items() if key not in unwanted}
        body["messages"] = [{"role": "user", "content": content}]
        return self._send(msgspec.json.encode(body), "/summary")

    def _send(self, body: bytes, more: str) -> Received:
        found = self._ask(body, f"{self._name}/{self.number}{more}")
        self.seconds += found.seconds
        if found.tokens is not None:
            before = self.tokens or (0, 0)
            self.tokens = (before[0] + found.tokens[0], before[1] + found.tokens[1])
        self._spending.add(found.tokens)
        return found
