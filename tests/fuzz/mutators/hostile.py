"""Values that break readers: numbers, texts, names, nestings that nobody writes in good faith."""

from __future__ import annotations

from random import Random
from typing import Any

SECRET = "secret.png"  # lies beside the folder that is imported, and must never come in


class Raw(str):
    """Text that stands in the JSON as it is."""

    __slots__ = ()


NUMBERS: tuple[Any, ...] = (
    0, 1, -1, 2, 3, 4, 255, 256, 999, 1000, 1001, 32767, 65535, 65536, 100_000, 1_000_000,
    2**31 - 1, 2**31, -(2**31), 2**32, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1,
    2**64 - 1, 2**64, 10**30, -(10**30), 10**309,
    0.5, 1.5, -0.0, 1e-9, 1e-320, 5e-324, 1e9, -1e9, 1e15, 1e22, 1e38, 3.5e38, 1e300, 1e308,
    -1e308, 1.7976931348623157e308, 0.04, 0.14, 0.1 + 0.2,
    Raw("NaN"), Raw("Infinity"), Raw("-Infinity"), Raw("1e400"), Raw("-1e400"), Raw("-0"),
    Raw("1E5"), Raw("0.1e1"), Raw("9" * 400), Raw("1." + "0" * 400 + "1"), Raw("9" * 5000),
    Raw("1e-400"), Raw("01"), Raw("+1"), Raw(".5"), Raw("0x10"), Raw("1_000"),
)  # fmt: skip
NAMES = (
    f"../{SECRET}", f"../../{SECRET}", f"./../{SECRET}", f"a/../../{SECRET}", f"..\\{SECRET}",
    "../../../../../../../../etc/passwd", "/etc/passwd", "/dev/zero", "/dev/stdin",
    "/proc/self/mem", "/proc/self/environ", "file:///etc/passwd", "http://localhost/x.png",
    "C:\\Windows\\win.ini",
    "\\\\host\\share\\x.png", "", ".", "..", "/", "//", "~", "~root/.ssh/id_rsa",
    "CON", "NUL", "aux.png",
    "COM1", "a\0b.png", "\0", "x.png\0.txt", "a" * 256, "a" * 5000, "a/" * 2000 + "b", "é" * 130,
    "name\n.png", " ", "x.png ", "x.png.", "-rf", "$HOME", "`id`", "%s%s%n", "{0}",
    "x\u202egnp.exe",
    "link.png", "pipe", "folder", "loop", "'; DROP TABLE episode; --",
)  # fmt: skip
TEXTS = (
    "", " ", "\n", "\0", "\x7f", "\x1b[2J", "a" * 1000, "☂" * 1000, "\ud800", "\udfff\ud800",
    "a\ud83db", "\ufeff", "\uffff", "\U0010ffff", "\u202e\u2066", "e\u0301" * 500, "²", "２３", "٣",
    "NaN", "Infinity", "-1", "1e400", "0" * 500, "9" * 5000, "True", "null", "None", "<", ">",
    "&", "]]>",
    "<!--", "' OR 1=1", '"', "\\", "\\" * 999, "\\u", "\\ud800", "%", "${x}", "{}", "[]", "()",
    "KEY_HOME", "KEY_NOBODY_KNOWS", "CLICK", "__class__", "__import__('os').system('id')",
)  # fmt: skip
WHOLE = (0, 1, 2, 5, 63, 64, 65, 127, 128, 255, 256, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1)


def number(rng: Random) -> Any:
    """Returns a number, or what stands for one."""
    return rng.choice(NUMBERS)


def text(rng: Random) -> str:
    """Returns a text; now and then a long one."""
    roll = rng.random()
    if roll < 0.5:
        return rng.choice(TEXTS)
    if roll < 0.85:
        return rng.choice(NAMES)
    piece = rng.choice(
        ("a", " ", "\\", '"', "'", "(", "[", "{", "<", "\n", "0", "☂", "\ud800", "ab ")
    )
    return piece * rng.choice((999, 9_999, 99_999, 400_000))


def nested(rng: Random) -> Any:
    """Returns lists or objects in each other, or a great many beside each other."""
    roll = rng.random()
    if roll < 0.7:
        depth = rng.choice((3, 23, 25, 63, 64, 65, 200, 990, 5_000, 100_000))
        begin, end = rng.choice((("[", "]"), ('{"a":', "}"), ('[{"a":', "}]"), ("[0,", "]")))
        return Raw(begin * depth + rng.choice(("1", "null", '"x"')) + end * rng.choice((depth, 0)))
    count = rng.choice((100, 10_000, 200_000))
    return Raw("[" + ",".join([rng.choice(("0", "[]", "{}", '""', "null"))] * count) + "]")


def value(rng: Random) -> Any:
    """Returns any JSON value of the hostile kind."""
    roll = rng.random()
    if roll < 0.35:
        return number(rng)
    if roll < 0.65:
        return text(rng)
    if roll < 0.75:
        return nested(rng)
    return rng.choice(
        (None, True, False, [], {}, [None], [[]], {"": None}, [0, 0], [1, 2, 3], [1, 2, 3, 4],
         [-1e9, 1e9], ["1", "2"], [[1, 2], [3, 4]], [[10**30, 0]], {"kind": "tap"},
         {"point": [1, 2]})
    )  # fmt: skip
