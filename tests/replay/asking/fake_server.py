"""A chat-completions server that answers from a policy and fails as it is told.

    with FakeServer(policy) as server: ...      # server.url, server.requests
    python -m tests.replay.asking.fake_server COMPLETE

The second form gives every step the same answer, prints its address, and ends when its standard
input is closed.

Faults are lists by step ("episode/step"), one for each attempt; after them the answer follows. The
server counts picture tokens by its own limit of pixels, as real ones do.
"""

from __future__ import annotations

import base64
import io
import json
import sys
import threading
import time
import urllib.parse
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from PIL import Image

from episodes.geometry import Size
from replay.coordinates import ResizeRule, smart_resize

Policy = Callable[[str, dict[str, Any]], str]

STATUSES = {"400": 400, "401": 401, "404": 404, "413": 413, "500": 500, "503": 503, "529": 529}


@dataclass
class FakeServer:
    """The server; see the module.

    Attributes:
        rule: how it resizes pictures before it counts their tokens; None counts nothing.
        system_prompt_tokens: what its template adds to every prompt.
        models: the names it knows; another one is answered with 404.
        keep: whether requests are kept for the test to look at.
    """

    policy: Policy
    faults: dict[str, list[str]] = field(default_factory=dict)
    rule: ResizeRule | None = ResizeRule(28, 3_136, 12_845_056)
    system_prompt_tokens: int = 10
    models: tuple[str, ...] = ("NAME",)
    delay_s: float = 0.0
    keep: bool = True
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    def __enter__(self) -> FakeServer:
        self._attempts: dict[str, int] = defaultdict(int)
        self._lock = threading.Lock()
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # head and body leave in one packet, else the second waits 40 ms

            def log_message(self, *words: Any) -> None:
                pass

            def do_GET(self) -> None:
                found = {
                    "/v1/models": {
                        "data": [{"id": one, "max_model_len": 32768} for one in fake.models]
                    },
                    "/v1/version": {"version": "fake-1"},
                }.get(self.path)
                self._send(200 if found else 404, json.dumps(found or {"error": "no"}).encode())

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                key = urllib.parse.unquote(self.headers.get("X-Request-Id", ""))
                told = json.loads(body)
                with fake._lock:
                    if fake.keep:
                        fake.requests.append((key, told))
                        fake.raw.append(body)
                        fake.headers.append(dict(self.headers))
                    attempt = fake._attempts[key]
                    fake._attempts[key] += 1
                time.sleep(fake.delay_s)
                planned = fake.faults.get(key, [])
                fault = planned[attempt] if attempt < len(planned) else ""
                if planned and planned[-1] == "always" and attempt >= len(planned) - 1:
                    fault = planned[-2]
                self._answer(key, told, fault)

            def _answer(self, key: str, told: dict[str, Any], fault: str) -> None:
                if told["model"] not in fake.models:
                    return self._send(404, b'{"error": {"message": "no such model"}}')
                if fault in STATUSES:
                    return self._send(STATUSES[fault], b'{"error": {"message": "planned"}}')
                if fault == "429":
                    return self._send(429, b"{}", {"Retry-After": "0"})
                if fault == "hang":
                    time.sleep(3)
                    return self._send(200, b"{}")
                if fault == "drop":
                    self.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n{"choices"')
                    self.close_connection = True
                    return None
                if fault == "html":
                    return self._send(200, b"<html><body>Gateway</body></html>")
                if fault == "cut json":
                    return self._send(200, b'{"choices": [{"message": {"conte')
                if fault == "no choices":
                    return self._send(200, b'{"choices": []}')
                text: str | None = fake.policy(key, told)
                message: dict[str, Any] = {"role": "assistant", "content": text}
                finish = "stop"
                if fault == "length":
                    finish, message["content"] = "length", (text or "")[: len(text or "") // 2]
                elif fault == "empty":
                    message["content"] = ""
                elif fault == "reasoning only":
                    message |= {"content": None, "reasoning_content": "I think."}
                elif fault == "content filter":
                    finish, message["content"] = "content_filter", ""
                elif fault == "parts":
                    message["content"] = [{"type": "text", "text": text}]
                done = {
                    "model": told["model"],
                    "system_fingerprint": "fp",
                    "choices": [{"message": message, "finish_reason": finish}],
                    "usage": fake._usage(told),
                }
                return self._send(200, json.dumps(done).encode())

            def _send(self, status: int, data: bytes, more: dict[str, str] | None = None) -> None:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                for name, value in (more or {}).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """The address, up to /v1."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def asked(self) -> list[str]:
        """The steps that were asked about, in the order they came."""
        return [key for key, _ in self.requests]

    def _usage(self, told: dict[str, Any]) -> dict[str, int] | None:
        if self.rule is None:
            return None
        tokens = self.system_prompt_tokens
        for message in told["messages"]:
            parts = message["content"] if isinstance(message["content"], list) else []
            words = message["content"] if isinstance(message["content"], str) else ""
            for part in parts:
                if part["type"] == "text":
                    words += part["text"]
                    continue
                data = base64.b64decode(part["image_url"]["url"].partition(",")[2])
                width, height = Image.open(io.BytesIO(data)).size
                seen = smart_resize(Size(width, height), self.rule)
                tokens += seen.width * seen.height // self.rule.factor**2
            tokens += len(words) // 4
        return {"prompt_tokens": tokens, "completion_tokens": 12}


if __name__ == "__main__":
    answer, delay_s = sys.argv[1], float(sys.argv[2])
    with FakeServer(lambda key, told: answer, rule=None, keep=False, delay_s=delay_s) as served:
        print(served.url, flush=True)
        sys.stdin.read()
