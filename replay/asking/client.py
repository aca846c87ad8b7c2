"""Asks an OpenAI-compatible endpoint, and distinguishes what can go wrong.

An answer is kept whatever it is: empty, cut, refused or reasoning alone. A request that fails is
missing, never a made-up answer. Faults that pass (busy, time-out, broken body) are tried again; a
fault of the request fails its step; a fault of the set-up (address, key, model) ends the run.
"""

from __future__ import annotations

import random
import time
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from typing import Any

import msgspec
import urllib3

from episodes.errors import KnownError
from episodes.runs import Ended

MAX_ANSWER_BYTES = 16 * 1024 * 1024
MAX_WAIT_S = 60.0
FIRST_WAIT_S = 0.2
_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_SETUP = frozenset({401, 403, 404})
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Received:
    """What came back for one request.

    Attributes:
        finish: the server's own word.
        reasoning: what the server returned apart from the answer.
        tokens: (in, out); None if the server did not report them.
        answered_by: (model, system fingerprint) as the server says.
        faults: what went wrong before, one word each.
    """

    raw: str
    ended: Ended
    finish: str = ""
    reasoning: str = ""
    tokens: tuple[int, int] | None = None
    answered_by: tuple[str, str] = ("", "")
    attempts: int = 1
    faults: tuple[str, ...] = ()
    seconds: float = 0.0


class RequestFailed(Exception):
    """One step got no answer.

    Attributes:
        faults: one word for each attempt.
        permanent: whether the same request would fail again.
    """

    def __init__(self, reason: str, faults: tuple[str, ...], permanent: bool) -> None:
        self.reason = reason
        self.faults = faults
        self.permanent = permanent
        super().__init__(reason)


class SetupFailed(KnownError):
    """No request of the run can succeed: the address, the key or the model is wrong."""


@dataclass
class Endpoint:
    """An OpenAI-compatible server. Thread-safe.

    Attributes:
        url: up to and with "/v1".
        key: sent as a bearer token; in no text that this class makes.
        sleep: waits between attempts.
    """

    url: str
    key: str = ""
    timeout_s: float = 120.0
    attempts: int = 5
    workers: int = 16
    sleep: Callable[[float], object] = time.sleep
    _pool: urllib3.PoolManager | urllib3.ProxyManager = field(init=False, repr=False)
    _jitter: random.Random = field(init=False, repr=False, default_factory=random.Random)

    def __post_init__(self) -> None:
        parts = urllib.parse.urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
            raise SetupFailed(
                "ask the endpoint",
                f"“{self.url}” is no address of a server",
                "Use http://HOST:PORT/v1 or https://HOST/v1, without a name or password in it.",
            )
        self.url = self.url.rstrip("/")
        proxies = urllib.request.getproxies()
        proxy = proxies.get(parts.scheme)
        if proxy and urllib.request.proxy_bypass(parts.hostname):
            proxy = None
        options: dict[str, Any] = {"maxsize": self.workers, "block": False, "retries": False}
        self._pool = (
            urllib3.ProxyManager(proxy, **options) if proxy else urllib3.PoolManager(**options)
        )

    @property
    def host(self) -> str:
        """The host that pictures are sent to."""
        return urllib.parse.urlsplit(self.url).hostname or ""

    @property
    def is_local(self) -> bool:
        """Whether it is this computer."""
        return self.host in _LOOPBACK

    def ask(self, body: bytes, key: str = "") -> Received:
        """Returns the answer to a request, after as many attempts as it may take.

        Args:
            body: the JSON of a chat completion.
            key: names the step in the request's id, "episode/step".

        Raises:
            RequestFailed: this step has no answer.
            SetupFailed: no step can have one.
        """
        faults: list[str] = []
        began = time.monotonic()
        reason = ""
        for attempt in range(1, self.attempts + 1):
            try:
                status, headers, data = self._send("/chat/completions", body, key)
            except urllib3.exceptions.HTTPError as error:
                fault, reason, wait = _fault_of(error), _plain(error), 0.0
            else:
                if status == 200:
                    found = read_completion(data)
                    if isinstance(found, Received):
                        seconds = time.monotonic() - began
                        return replace(
                            found,
                            attempts=attempt,
                            faults=tuple(faults),
                            seconds=round(seconds, 3),
                        )
                    fault, reason, wait = "no completion", found, 0.0
                elif status in _SETUP:
                    raise self._setup_failed(status, data)
                elif status in _AGAIN or status >= 500:
                    fault, reason = str(status), f"the server answered {status}: {_said(data)}"
                    wait = _retry_after(headers.get("Retry-After", ""))
                else:
                    raise RequestFailed(
                        f"the server refused the request with {status}: {_said(data)}",
                        (*faults, str(status)),
                        permanent=True,
                    )
            faults.append(fault)
            if attempt < self.attempts:
                backoff = FIRST_WAIT_S * 2 ** (attempt - 1) * (0.5 + self._jitter.random())
                self.sleep(min(MAX_WAIT_S, max(wait, backoff)))
        raise RequestFailed(reason, tuple(faults), permanent=False)

    def get(self, path: str) -> Any:
        """Returns the JSON at a path below the address; None if the server has none."""
        try:
            response = self._pool.request(
                "GET", self.url + path, headers=self._headers(""), timeout=self._timeout(10.0)
            )
        except urllib3.exceptions.HTTPError as error:
            raise SetupFailed(
                f"ask {self.url}", _plain(error), "Check the address, and that the server runs."
            ) from error
        if response.status in (401, 403):
            raise self._setup_failed(response.status, response.data)
        if response.status != 200:
            return None
        try:
            return msgspec.json.decode(response.data)
        except (msgspec.DecodeError, RecursionError):
            return None

    def _send(self, path: str, body: bytes, key: str) -> tuple[int, Any, bytes]:
        response = self._pool.request(
            "POST",
            self.url + path,
            body=body,
            headers=self._headers(key),
            timeout=self._timeout(self.timeout_s),
            preload_content=False,
        )
        try:
            data = response.read(MAX_ANSWER_BYTES + 1, decode_content=True)
            if len(data) > MAX_ANSWER_BYTES:
                raise urllib3.exceptions.ProtocolError("the answer has more than 16 MiB")
            # What is left after the first read of a whole body shows whether it was cut.
            while more := response.read(65_536):
                data += more
        finally:
            response.release_conn()
        return response.status, response.headers, data

    def _headers(self, key: str) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "User-Agent": "taptrail"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        if key:
            headers["X-Request-Id"] = urllib.parse.quote(key)
        return headers

    def _timeout(self, seconds: float) -> urllib3.Timeout:
        return urllib3.Timeout(connect=min(10.0, seconds), read=seconds)

    def _setup_failed(self, status: int, data: bytes) -> SetupFailed:
        remedies = {
            401: "Set TAPTRAIL_API_KEY to a key the server knows.",
            403: "Use a key that may use this model.",
            404: "Check that the address ends with /v1, and the model's name in the recipe.",
        }
        return SetupFailed(
            f"ask {self.url}", f"the server answered {status}: {_said(data)}", remedies[status]
        )


class _Message(msgspec.Struct):
    content: Any = None
    reasoning_content: Any = None
    reasoning: Any = None
    refusal: Any = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: Any = None


class _Usage(msgspec.Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Completion(msgspec.Struct):
    choices: list[_Choice]
    usage: _Usage | None = None
    model: Any = ""
    system_fingerprint: Any = ""


def read_completion(data: bytes) -> Received | str:
    """Returns the answer in the body of a chat completion, or in a sentence why it is none."""
    try:
        told = msgspec.json.decode(data, type=_Completion)
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError):
        return f"the server's answer is no chat completion: {_said(data)}"
    if not told.choices:
        return "the server's answer has no choices"
    choice = told.choices[0]
    content = _text(choice.message.content)
    reasoning = _text(choice.message.reasoning_content) or _text(choice.message.reasoning)
    refusal = _text(choice.message.refusal)
    finish = choice.finish_reason if isinstance(choice.finish_reason, str) else ""
    if finish == "content_filter" or (refusal and not content):
        ended = Ended.REFUSED
    elif finish == "length":
        ended = Ended.CUT
    elif not content.strip():
        ended = Ended.REASONING_ONLY if reasoning.strip() else Ended.EMPTY
    else:
        ended = Ended.STOP if finish in ("stop", "eos", "") else Ended.OTHER
    usage = told.usage
    return Received(
        content or refusal,
        ended,
        finish,
        reasoning,
        (usage.prompt_tokens, usage.completion_tokens) if usage is not None else None,
        (_text(told.model), _text(told.system_fingerprint)),
    )


def _text(value: Any) -> str:
    """A text, or the texts of a list of parts, as some servers return them."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = [one.get("text") for one in value if isinstance(one, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def _fault_of(error: urllib3.exceptions.HTTPError) -> str:
    return "time-out" if isinstance(error, urllib3.exceptions.TimeoutError) else "connection"


def _plain(error: Exception) -> str:
    """An error without the request's headers; urllib3's own text holds none."""
    return f"{type(error).__name__}: {str(error)[:300]}"


def _said(data: bytes) -> str:
    """Returns a server's error message, short and in one line."""
    return " ".join(data[:400].decode("utf-8", "replace").split()) or "(nothing)"


def _retry_after(value: str) -> float:
    if value.strip().isdigit():
        return float(value)
    try:
        when = parsedate_to_datetime(value)
        return max(0.0, when.timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return 0.0
