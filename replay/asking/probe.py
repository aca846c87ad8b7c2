"""Probes, with three requests, what a server does to pictures and prompts before a run begins."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import msgspec
from PIL import Image

from episodes.geometry import Size
from replay.asking.client import Endpoint, RequestFailed
from replay.asking.recipe import Recipe
from replay.asking.requests import data_url
from replay.asking.sent_picture import SentPicture

FACTORS = (28, 32)
# A server counts a few tokens around a picture, and its own template's.
SLACK = 0.03


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """The result of probing a server.

    Attributes:
        models: the names it lists; empty if it lists none.
        version: of its engine, if it reports one.
        picture_tokens: tokens of a picture of size `sent`; None if the server reports no tokens.
        factor: 28 or 32, the side of a token's square that explains that number; None if neither.
        seen: the pixels the server used of that picture, as far as the tokens show.
        prompt_tokens: what a text of one word costs: a system prompt added by the server shows.
        notes: sentences for a person.
    """

    models: tuple[str, ...]
    version: str
    sent: Size
    picture_tokens: int | None
    factor: int | None
    seen: int | None
    prompt_tokens: int | None
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Returns it for `run.json`."""
        return {
            "models": list(self.models),
            "version": self.version,
            "sent": [self.sent.width, self.sent.height],
            "picture_tokens": self.picture_tokens,
            "factor": self.factor,
            "prompt_tokens": self.prompt_tokens,
        }


def probe(endpoint: Endpoint, recipe: Recipe, sent: Size, longest_tokens: int = 0) -> ProbeResult:
    """Asks the server about its models, a text alone, and a blank picture of the size to be sent.

    Args:
        longest_tokens: an estimate of the longest request, against the model's context.

    Raises:
        SetupFailed: the address, the key or the model is wrong.
    """
    listed = endpoint.get("/models")
    found = listed.get("data", []) if isinstance(listed, dict) else []
    cards = [one for one in found if isinstance(one, dict) and isinstance(one.get("id"), str)]
    models = tuple(one["id"] for one in cards)
    notes = []
    if models and recipe.model.name not in models:
        notes.append(
            f"The server does not list the model “{recipe.model.name}”; it lists "
            f"{', '.join(models[:5])}."
        )
    context = next(
        (one.get("max_model_len") for one in cards if one["id"] == recipe.model.name), None
    )
    if isinstance(context, int) and 0 < context < longest_tokens:
        notes.append(
            f"The longest request has about {longest_tokens:,} tokens, and the model takes "
            f"{context:,}."
        )
    told = endpoint.get("/version")
    version = str(told.get("version", "")) if isinstance(told, dict) else ""
    text = _tokens(endpoint, recipe, None)
    with_picture = _tokens(endpoint, recipe, _blank(sent))
    cost = with_picture - text if text is not None and with_picture is not None else None
    if cost is None:
        notes.append("The server does not count tokens, so what it does to pictures is unknown.")
        return ProbeResult(models, version, sent, None, None, None, text, tuple(notes))
    factor, seen = _explained(cost, sent)
    pixels = sent.width * sent.height
    if factor is None:
        seen = cost * FACTORS[0] ** 2
        if seen < pixels * (1 - SLACK):
            notes.append(
                f"The server shrinks pictures: {cost:,} tokens are about {seen:,} pixels, and "
                f"{pixels:,} are sent. Coordinates in pixels will be wrong."
            )
        else:
            notes.append(
                f"The server counts {cost:,} tokens for a picture, by a rule unknown here."
            )
    if text is not None and text > 60:
        notes.append(
            f"A prompt of one word has {text} tokens: the server adds a system prompt of its own."
        )
    return ProbeResult(models, version, sent, cost, factor, seen, text, tuple(notes))


def _explained(cost: int, sent: Size) -> tuple[int | None, int | None]:
    """The factor by which the server counts a picture it took as it was sent."""
    for factor in FACTORS:
        expected = max(1, round(sent.width / factor)) * max(1, round(sent.height / factor))
        if abs(cost - expected) <= max(4, SLACK * expected):
            return factor, sent.width * sent.height
    return None, None


def _blank(size: Size) -> SentPicture:
    stream = io.BytesIO()
    Image.new("RGB", (size.width, size.height), "white").save(stream, "PNG")
    return SentPicture(stream.getvalue(), "image/png", size, "")


def _tokens(endpoint: Endpoint, recipe: Recipe, picture: SentPicture | None) -> int | None:
    """The prompt tokens of one word, with or without a picture."""
    content: Any = "Hi"
    if picture is not None:
        url = {"url": data_url(picture)}
        content = [{"type": "image_url", "image_url": url}, {"type": "text", "text": "Hi"}]
    body = {
        "model": recipe.model.name,
        "messages": [{"role": "user", "content": content}],
        "max_tokens": 1,
    } | recipe.server
    try:
        received = endpoint.ask(msgspec.json.encode(body), "probe")
    except RequestFailed:
        return None
    return received.tokens[0] if received.tokens is not None and received.tokens[0] else None
