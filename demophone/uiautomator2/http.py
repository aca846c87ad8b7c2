"""HTTP as the resident server speaks it: `GET /ping`, and JSON-RPC at `POST /jsonrpc/0`."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from demophone.streams import Pipe

MAX_HEAD = 16 * 1024
MAX_BODY = 4 * 1024 * 1024

Call = Callable[[str, Any], Awaitable[Any]]


class RpcError(Exception):
    """A call that failed: JSON-RPC's code, and the text that a caller sees."""

    def __init__(self, code: int, message: str, data: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.data = data


class _Bad(Exception):
    """A request that cannot be read; the text is HTTP's status."""


@dataclass(frozen=True, slots=True)
class _Request:
    method: str
    path: str
    body: bytes
    last: bool


async def serve_requests(pipe: Pipe, call: Call) -> None:
    """Answers one request after the other until the caller hangs up."""
    kept = b""
    try:
        while True:
            try:
                request, kept = await _read(pipe, kept)
            except _Bad as error:
                await pipe.write(_response(str(error), b"", "text/plain"))
                return
            if request is None:
                return
            await pipe.write(await _answer(request, call))
            if request.last:
                return
    except (BrokenPipeError, EOFError):
        return
    finally:
        pipe.close()


async def _read(pipe: Pipe, kept: bytes) -> tuple[_Request | None, bytes]:
    """The next request, and what came after it; None at the end.

    Raises:
        _Bad: it is none, or too large.
    """
    while b"\r\n\r\n" not in kept:
        if len(kept) > MAX_HEAD:
            raise _Bad("431 Request Header Fields Too Large")
        more = await pipe.read()
        if not more:
            return None, b""
        kept += more
    head, _, rest = kept.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    words = first.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):
        raise _Bad("400 Bad Request")
    fields = {
        name.strip().lower(): value.strip()
        for name, colon, value in (line.partition(":") for line in lines)
        if colon
    }
    length = fields.get("content-length", "0")
    if not (length.isascii() and length.isdecimal()) or "transfer-encoding" in fields:
        raise _Bad("400 Bad Request")
    if len(length) > 9 or int(length) > MAX_BODY:
        raise _Bad("413 Payload Too Large")
    missing = int(length) - len(rest)
    if missing > 0:
        rest += await pipe.read_exactly(missing)
    body, after = rest[: int(length)], rest[int(length) :]
    last = fields.get("connection", "").lower() == "close" or words[2] == "HTTP/1.0"
    return _Request(words[0], words[1], body, last), after


async def _answer(request: _Request, call: Call) -> bytes:
    match request.method, request.path:
        case "GET", "/ping":
            return _response("200 OK", b"pong", "text/plain")
        case "POST", "/jsonrpc/0":
            answer = json.dumps(await _rpc(request.body, call)).encode()
            return _response("200 OK", answer, "application/json")
        case _:
            return _response("404 Not Found", b"Not Found", "text/plain")


async def _rpc(body: bytes, call: Call) -> dict[str, Any]:
    """The answer to a JSON-RPC call."""
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        return _failed(None, RpcError(-32700, "Parse error"))
    if not isinstance(asked, dict) or not isinstance(asked.get("method"), str):
        return _failed(None, RpcError(-32600, "Invalid Request"))
    number = asked.get("id")
    try:
        result = await call(asked["method"], asked.get("params"))
    except RpcError as error:
        return _failed(number, error)
    return {"jsonrpc": "2.0", "id": number, "result": result}


def _failed(number: Any, error: RpcError) -> dict[str, Any]:
    facts = {"code": error.code, "message": str(error), "data": error.data}
    return {"jsonrpc": "2.0", "id": number, "error": facts}


def _response(status: str, body: bytes, kind: str) -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode("latin-1") + body
