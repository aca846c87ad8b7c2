"""XML of trees damaged by what it means: attributes, depth, entities, encodings."""

from __future__ import annotations

import re
from random import Random

from tests.fuzz.mutators import hostile, of_bytes, of_json

_ATTRIBUTE = re.compile(rb'([\w-]{1,40})="([^"]*)"')
_ELEMENT = re.compile(rb"<(?:node|window)[^>]*>")
BOUNDS = (
    b"[0,0][0,0]", b"[-1,-1][1,1]", b"[9999999,9999999][-9999999,-9999999]", b"[1,2][3]",
    b"[1.5,2][3,4]",
    b"[99999999999,0][1,1]", "[２,0][9,9]".encode(), b"", b"[" * 999, b"[0,0][1080,2400]",
    b"[NaN,0][1,1]",
)  # fmt: skip
LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE h [<!ENTITY a "ha">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9))
    + b']><hierarchy><node text="&j;" bounds="[0,0][9,9]"/></hierarchy>'
)
OUTSIDE = (
    b'<?xml version="1.0"?><!DOCTYPE h [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    b'<hierarchy><node text="&x;" bounds="[0,0][9,9]"/></hierarchy>'
)


def mutated(data: bytes, rng: Random) -> bytes:
    """Returns a dump with attributes, elements or its head changed."""
    roll = rng.random()
    attributes = list(_ATTRIBUTE.finditer(data))
    elements = list(_ELEMENT.finditer(data))
    if roll < 0.2 or not attributes or not elements:
        return of_bytes.mutated(data, rng)
    if roll < 0.55:
        found = rng.choice(attributes)
        old = found[2].decode("utf-8", "replace")
        value = rng.choice(
            (
                rng.choice(BOUNDS),
                rng.choice(BOUNDS),
                hostile.text(rng).encode("utf-8", "surrogatepass"),
                of_json.spoilt(old, rng).encode("utf-8", "surrogatepass"),
                str(hostile.number(rng)).encode(),
            )
        )
        return data[: found.start(2)] + value + data[found.end(2) :]
    found = rng.choice(elements)
    element = found[0]
    if roll < 0.65:
        return (
            data[: found.start()]
            + element * rng.choice((1, 2, 399, 401, 20_000))
            + data[found.end() :]
        )
    if roll < 0.73:  # very many beside each other
        alone = element.rstrip(b"/>") + b"/>"
        return data[: found.start()] + alone * rng.choice((100, 9_000)) + data[found.start() :]
    if roll < 0.8:
        return data[: found.start()] + data[found.end() :]
    return rng.choice(
        (
            LAUGHS,
            OUTSIDE,
            b"<!DOCTYPE html><html><body>no tree</body></html>",
            data.decode("utf-8", "replace").encode("utf-16"),
            b'<?xml version="1.0" encoding="utf-7"?>' + data,
            b'<?xml version="1.0" encoding="cp037"?>' + data,
            data.replace(b"<node", b"<x:node"),
            data.replace(b"hierarchy", b"HIERARCHY"),
            b"<hierarchy/>",
            b"<hierarchy>" + b"<node>" * 500,
            data + data,
            data.replace(b'" ', b'" a="b" a="c" ', 1),
        )
    )
