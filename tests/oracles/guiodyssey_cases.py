"""Random GUIOdyssey steps with a prediction each, for comparing a scorer with the oracle.

Two of every five cases lie on a threshold of the rule or one unit (for floats: one last bit)
beside it. No case says what is right: `tests.oracles.guiodyssey.judge` does.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tests.oracles.guiodyssey import DISTANCE_THRESHOLD, fused_norm, plain_norm

Case = dict[str, Any]
Box = Sequence[float] | None

# Kinds of case whose result follows from a choice of the oracle, not from the description.
# A scorer that differs there has chosen otherwise; it has not broken the rule.
SILENT = {
    "stretched_point": "a lone number or a list of points, which numpy would stretch",
    "three_numbers_in_box": "a point with a third number whose first two lie in the box",
    "quoted_point": "a string literal that holds a point",
    "boolean_point": "True and False as coordinates",
    "beyond_arithmetic": "calls, comparisons, bit operators, sequence arithmetic, starred lists",
    "beyond_bounds": "a valid point that is very long or very deeply nested",
    "integer_beyond_float": "an integer too large for a float, whose thousandth is not",
    "scroll_letter_case": "a letter that only some ways of ignoring case fold",
    "float_in_last_bit": "a float point whose verdict depends on how the last bit is rounded",
}

WORDS = [
    "hello", "Hello World", "weather in Paris", "10", "a", "天気予報", "schöne Grüße", "I",
    "cafe\u0301", "café", "😀", "👩‍👩‍👧", "مرحبا", "two  spaces", "tab\there", "line\nbreak",
    "don't", '"quoted"', "\\n", "ﬁne", "STRASSE", "straße", "İstanbul", "\u200bzero width",
]  # fmt: skip
WITH_COLON = ["10:30 am", "https://example.org/a:b", ":", ":start", "end:", " : ", "a : b", "::"]
WITH_WIDE_COLON = ["10：30", "a\ufe55b", "a\u2236b"]
SPACES = ["", " ", "\t", "\n", "\u3000", "\xa0", " \r\n ", "\x1f"]
ALPHABETS = [
    ("abcdefghijkl", "mnopqrstuvwxyz"),
    ("abcdefghijkl", "ABCDEFGHIJKL"),
    ("零一二三四五六七八九", "天地玄黃宇宙洪荒"),
    ("😀😁😂🤣😃😄", "🚀🚁🚂🚃🚄🚅"),
    ("\u0301\u0302\u0303\u0304", "aeiou"),
    ("a b c", "x-y_z"),
]
KEYS = ["KEY_HOME", "KEY_BACK", "KEY_APPSELECT"]
DIRECTIONS = ["LEFT", "RIGHT", "UP", "DOWN"]
BARE_TYPES = [
    "COMPLETE", "IMPOSSIBLE", "PRESS_HOME", "PRESS_BACK", "PRESS_RECENT", "INCOMPLETE",
    "ENTER", "WAIT", "OPEN_APP", "HOME", "KEY_HOME", "complete", "TEXT", "TASK_COMPLETE",
]  # fmt: skip
# Left ends of the 17 pairs 140 apart whose float distance comes out above 0.14.
ROUNDED_UP = [141, *range(407, 423)]


def cases(seed: int, n: int) -> Iterator[Case]:
    """`n` cases {gold: {action, info}, sam2_bbox, prediction, kind}, the same for a seed.

    `kind` names the maker. Kinds in SILENT depend on a choice the description leaves open;
    "lone_surrogate" predictions are legal strings that UTF-8 cannot hold.
    """
    rng = random.Random(seed)
    for i in range(n):
        maker = rng.choice(ON_THRESHOLD if i % 5 in (0, 2) else ELSEWHERE)
        yield maker(rng)


def is_on_threshold(case: Case) -> bool:
    """Whether the case was made to lie on a threshold or directly beside one."""
    return case["kind"] in THRESHOLD_KINDS


# ------------------------------------------------------------------------------------ thresholds


def _axis_140(rng: random.Random) -> Case:
    low = rng.choice(ROUNDED_UP) if rng.random() < 0.5 else rng.randint(0, 860)
    high = low + 140 + rng.choice([0, 0, 0, -1, 1])
    across = rng.randint(0, 1000)
    ends = [low, high]
    rng.shuffle(ends)
    side = across + rng.choice([0, 0, 0, 0, 1])
    gold, point = [ends[0], across], (ends[1], side)
    if rng.random() < 0.5:
        gold, point = gold[::-1], point[::-1]
    return _point_case(rng, "axis_140", gold, point, _no_help(rng, gold))


def _pythagorean_140(rng: random.Random) -> Case:
    dx, dy = rng.choice([(84, 112), (112, 84)])
    gold = [rng.randint(0, 1000), rng.randint(0, 1000)]
    x = gold[0] + rng.choice([-1, 1]) * (dx + rng.choice([0, 0, 0, -1, 1]))
    y = gold[1] + rng.choice([-1, 1]) * (dy + rng.choice([0, 0, 0, -1, 1]))
    return _point_case(rng, "pythagorean_140", gold, (x, y), _no_help(rng, gold))


def _float_140(rng: random.Random) -> Case:
    """A float point on the circle, or a last bit inside or outside it."""
    gold: list[float] = [rng.randint(0, 1000), rng.randint(0, 1000)]
    if rng.random() < 0.3:
        gold = [gold[0] + rng.choice([0.5, 0.25, 0.1]), gold[1]]
    dx, dy = rng.choice([_around(rng), (140, 0), (0, -140), (39.2, 134.4), (134.4, -39.2)])
    x, y = gold[0] + dx, gold[1] + dy
    if rng.random() < 0.6:
        x = math.nextafter(x, rng.choice([-math.inf, math.inf]))
    kind = "float_in_last_bit" if _rounding_decides(gold, x, y) else "float_140"
    return _point_case(rng, kind, gold, (x, y), None)


def _float_in_last_bit(rng: random.Random) -> Case:
    """A float point that one way of rounding the distance accepts and another does not."""
    while True:
        gold = [rng.randint(0, 1000), rng.randint(0, 1000)]
        dx, dy = _around(rng)
        if _rounding_decides(gold, gold[0] + dx, gold[1] + dy):
            point = (gold[0] + dx, gold[1] + dy)
            return _point_case(rng, "float_in_last_bit", gold, point, None)


def _around(rng: random.Random) -> tuple[float, float]:
    angle = rng.uniform(0, 2 * math.pi)
    return 140 * math.cos(angle), 140 * math.sin(angle)


def _rounding_decides(gold: Sequence[float], x: float, y: float) -> bool:
    dx, dy = x / 1000 - gold[0] / 1000, y / 1000 - gold[1] / 1000
    norms = [plain_norm(dx, dy), fused_norm(dx, dy), fused_norm(dy, dx), math.hypot(dx, dy)]
    return len({norm <= DISTANCE_THRESHOLD for norm in norms}) == 2


def _similarity_half(rng: random.Random) -> Case:
    known, other = rng.choice(ALPHABETS)
    half = rng.randint(1, 12)
    gold = [rng.choice(known) for _ in range(2 * half)]
    gold[0] = gold[-1] = known[0]
    text = list(gold)
    changed = half + rng.choice([0, 0, 0, -1, 1])
    for place in rng.sample(range(2 * half), changed):
        text[place] = rng.choice(other)
    return _text_case(rng, "similarity_half", "".join(gold), "".join(text))


def _inserted_half(rng: random.Random) -> Case:
    """Foreign letters put between the gold's, so that the longer text sets the length."""
    known, other = rng.choice(ALPHABETS)
    size = rng.randint(2, 10)
    gold = [known[0], *(rng.choice(known) for _ in range(size - 2)), known[0]]
    text = [letter for known_letter in gold for letter in (known_letter, rng.choice(other))]
    text += [rng.choice(other.strip()) for _ in range(rng.choice([0, 0, 1]))]
    if rng.random() < 0.3:
        del text[-1]
    pair = ["".join(gold), "".join(text)]
    rng.shuffle(pair)
    return _text_case(rng, "inserted_half", pair[0], pair[1])


def _box_edge(rng: random.Random) -> Case:
    x1, y1 = rng.randint(0, 900), rng.randint(0, 900)
    x2, y2 = x1 + rng.choice([0, 1, rng.randint(2, 100)]), y1 + rng.choice([0, rng.randint(1, 99)])
    x = rng.choice([x1, x2, x1 - 1, x2 + 1, (x1 + x2) // 2])
    y = rng.choice([y1, y2, y1 - 1, y2 + 1, (y1 + y2) // 2])
    gold = [(x + 500) % 1001, rng.randint(0, 1000)]
    if rng.random() < 0.2:
        gold = [(x1 + x2) // 2, (y1 + y2) // 2]
    return _point_case(rng, "box_edge", gold, (x, y), [x1, y1, x2, y2])


def _box_edge_float(rng: random.Random) -> Case:
    """A box with float edges and a point on an edge or one last bit off it, far from gold."""
    x1, y1 = rng.uniform(0, 400), rng.uniform(0, 900)
    x2, y2 = x1 + rng.uniform(0, 50), y1 + rng.uniform(0, 50)
    x, y = rng.choice([x1, x2]), rng.choice([y1, y2])
    if rng.random() < 0.7:
        x = math.nextafter(x, rng.choice([-math.inf, math.inf]))
    gold = [rng.randint(700, 1000), rng.randint(0, 1000)]
    return _point_case(rng, "box_edge_float", gold, (x, y), [x1, y1, x2, y2])


def _scroll_tie(rng: random.Random) -> Case:
    x, y = rng.randint(0, 1000), rng.randint(0, 1000)
    size = rng.choice([0, 0, 1, rng.randint(1, 500)])
    dx = rng.choice([-1, 1]) * (size + rng.choice([0, 0, 0, 1]))
    dy = rng.choice([-1, 1]) * (size + rng.choice([0, 0, 0, 1]))
    gold = {"action": "SCROLL", "info": [[x, y], [x + dx, y + dy]]}
    return _case("scroll_tie", gold, [], f"SCROLL: {rng.choice(DIRECTIONS)}")


# ------------------------------------------------------------------------------------- elsewhere


def _plain_point(rng: random.Random) -> Case:
    gold = [rng.randint(0, 1000), rng.randint(0, 1000)]
    reach = rng.choice([20, 150, 1000])
    point = (gold[0] + rng.randint(-reach, reach), gold[1] + rng.randint(-reach, reach))
    return _point_case(rng, "plain_point", gold, point, _any_box(rng, gold))


def _exact_point_empty_box(rng: random.Random) -> Case:
    gold = [rng.randint(0, 1000), rng.randint(0, 1000)]
    return _point_case(rng, "exact_point_empty_box", gold, (gold[0], gold[1]), [])


def _odd_box(rng: random.Random) -> Case:
    """Inverted, degenerate, huge, or far from gold, with the point in the middle of it."""
    gold = [rng.randint(0, 1000), rng.randint(0, 1000)]
    x, y = rng.randint(-50, 1050), rng.randint(-50, 1050)
    boxes: list[Box] = [
        [x + 9, y + 9, x - 9, y - 9],
        [x + 9, y - 9, x - 9, y + 9],
        [x - 9, y + 9, x + 9, y - 9],
        [x, y, x, y],
        [x, y - 9, x, y + 9],
        [x - 0.5, y - 0.5, x + 0.5, y + 0.5],
        [x - 9.0, y - 9.0, x + 9.0, y + 9.0],
        [0, 0, 1000, 1000],
        [0, 0, 0, 0],
        [-2000, -2000, 2000, 2000],
    ]
    return _point_case(rng, "odd_box", gold, (x, y), rng.choice(boxes))


def _plain_text(rng: random.Random) -> Case:
    gold, text = rng.choice(WORDS), rng.choice(WORDS)
    if rng.random() < 0.7:
        text = rng.choice(
            [
                gold,
                gold.upper(),
                gold.lower(),
                gold.swapcase(),
                gold[: len(gold) // 2],
                gold[1:],
                gold + " please",
                "x" + gold,
                gold[::-1],
                gold.replace("e", "3"),
                gold.replace("\u0301", ""),
            ]
        )
    return _text_case(rng, "plain_text", gold, text)


def _empty_text(rng: random.Random) -> Case:
    gold, text = rng.choice(SPACES), rng.choice(WORDS + SPACES)
    if rng.random() < 0.5:
        gold, text = text, gold
    if rng.random() < 0.3:
        prediction = rng.choice(["TYPE", "TYPE:", "TYPE: ", " TYPE ", "TYPE :", "TYPE::x"])
        return _case("empty_text", {"action": "TEXT", "info": gold}, [], prediction)
    return _text_case(rng, "empty_text", gold, text)


def _colon_text(rng: random.Random) -> Case:
    pool = WITH_COLON + WITH_WIDE_COLON
    gold, text = rng.choice(pool), rng.choice([*pool, "10", "https", "http", "10:45", "1"])
    if rng.random() < 0.3:
        text = gold
    return _text_case(rng, "colon_text", gold, text)


def _long_text(rng: random.Random) -> Case:
    gold = rng.choice(["hello", "天気", "a:b", ""])
    text = rng.choice(["z" * 100_000, "z" * 99_000 + "hello" + "z" * 995, "\U0001f600" * 25_000])
    return _text_case(rng, "long_text", gold, text)


def _lone_surrogate(rng: random.Random) -> Case:
    if rng.random() < 0.5:
        return _text_case(rng, "lone_surrogate", rng.choice(WORDS), "\ud83d" + rng.choice(WORDS))
    return _case("lone_surrogate", _gold(rng, "CLICK"), None, "CLICK: (5\udc00, 5)")


def _scroll(rng: random.Random) -> Case:
    word = rng.choice(DIRECTIONS)
    argument = rng.choice(
        [
            word, word.lower(), word.title(), f"  {word}\n", f"{word}: fast", "", "SIDEWAYS",
            f"{word} {word}", f'"{word}"', f"[{word}]", "(500, 800), (500, 200)", word[:-1],
            f"{word}.", "ＵＰ",
        ]
    )  # fmt: skip
    return _case("scroll", _gold(rng, "SCROLL"), _box_for_others(rng), f"SCROLL: {argument}")


def _key_press(rng: random.Random) -> Case:
    gold = {"action": rng.choice(["CLICK", "LONG_PRESS"]), "info": rng.choice(KEYS)}
    prediction = rng.choice(["PRESS_HOME", "PRESS_BACK", "PRESS_RECENT"])
    if rng.random() < 0.4:
        prediction = _mangled(rng, prediction)
    return _case("key_press", gold, rng.choice([None, [], [], [1, 2, 3, 4]]), prediction)


def _finished(rng: random.Random) -> Case:
    gold = {"action": rng.choice(["COMPLETE", "INCOMPLETE"]), "info": rng.choice(["", "why"])}
    prediction = rng.choice(["COMPLETE", "IMPOSSIBLE", "INCOMPLETE"])
    if rng.random() < 0.4:
        prediction = _mangled(rng, prediction)
    return _case("finished", gold, _box_for_others(rng), prediction)


def _other_action(rng: random.Random) -> Case:
    """Any gold step against an answer drawn without looking at it."""
    prediction = rng.choice(
        [
            *BARE_TYPES,
            "CLICK: (500, 500)",
            "LONG_PRESS: (500, 500)",
            "SCROLL: UP",
            "TYPE: hello",
            "CLICK: here",
            "CLICK",
            "LONG_PRESS:",
            "CLICK: 500",
            "CLICK: None",
            "CLICK: ()",
            "click: here",
            "CLICK : (500, 500)",
            "SCROLL",
            "TEXT: hello",
            "None",
            "null",
            "",
            " ",
            ":",
            "::",
            "[]",
        ]
    )
    return _case("other_action", _gold(rng), _box_for_others(rng), prediction)


def _unreadable_point(rng: random.Random) -> Case:
    """An argument that is no Python expression, or whose evaluation fails."""
    x, y = rng.randint(1, 1000), rng.randint(1, 1000)
    argument = rng.choice(
        [
            "", "nan", "inf", "(nan, nan)", "(inf, -inf)", "x, y", f"({x}, {y}", f"{x}, {y})",
            f"({x} {y})", f"{x} {y}", f"({x};{y})", f"({x}, {y}))", f"({x},, {y})", f"(, {y})",
            f"x={x}, y={y}", f"({x}px, {y}px)", f"({x}%, {y}%)", f"<{x}, {y}>",
            f"({x}, {y}) tap", f"(0{x}, 0{y})", "０, ０", f"({x}，{y})", f"({x}, {y}\x00)",
            f"({x},\xa0{y})", f"({x}/0, {y})", f"({x} % 0, {y})", f"({x} // 0.0, {y})",
            f"({x}, 0 ** -1)", f"({x}, 2.0 ** 99999)", f"({x}, {y} - '')", f"{x},\n{y}",
            "the button", "button 5", "😀", f"({x}, {y}) # tap\n+", f'{{"x": {x}, "y": {y}}}',
            f"({x}: {y})", f"{{[{x}], {y}}}", "1_, 2", "(" * 5000 + "5, 5" + ")" * 5000,
            "[" * 3000, "-" * 100_000 + "5, 5", "1+" * 50_000 + "1, 5", "a" * 100_000,
            "9" * 5000 + ", 5",
        ]
    )  # fmt: skip
    return _point_answer_case(rng, "unreadable_point", _gold(rng), argument)


def _not_a_point(rng: random.Random) -> Case:
    """An argument that evaluates well, to something that is not two numbers."""
    x, y = rng.randint(0, 1000), rng.randint(0, 1000)
    argument = rng.choice(
        [
            "()", "[]", "{}", "None", "[[], []]", f"({x}, None)", f"(None, {y})",
            f"({x}, '{y}')", f"('{x}', '{y}')", "b'5', b'5'", f"{{{x}, {y + 1001}}}",
            "'the button'", "('x', 'y')", f"({x}, ())", f"({x}, [])", "...",
        ]
    )  # fmt: skip
    return _point_answer_case(rng, "not_a_point", _gold(rng), argument)


def _heavy_point(rng: random.Random) -> Case:
    """An argument that Python could only evaluate with patience, or by running code.

    The gold step is of the same type, so whether reading or matching fails makes no difference.
    """
    argument = rng.choice(
        [
            "9 ** 9 ** 9, 5", "(2 ** 100000, 5)", "9" * 400 + ", 5", "(1, 7 ** 1000 * 7 ** 1000)",
            "5, " * 30_000, "__import__('os').getcwd()", "exec('')", "print", "(lambda x, y=1",
            "'5' * 1000", "[0] * 1000",
        ]
    )  # fmt: skip
    return _point_answer_case(rng, "heavy_point", _gold(rng, "CLICK"), argument)


def _odd_number(rng: random.Random) -> Case:
    """Numbers Python reads and no screen has."""
    x, y = rng.randint(0, 1000), rng.randint(0, 1000)
    argument = rng.choice(
        [
            f"(1e999, {y})", f"({x}, -1e999)", "(1e999, 1e999)", "(1e999 - 1e999, 5)",
            f"({x}, 1e308)", f"(-{x}, -{y})", "(1100, -100)", f"({10**30}, {y})",
            f"({2**63}, {y})", f"({2**64}, -1)", f"({x}, {10**300})", f"({x}e0, {y}.0)",
            "(1_00, 1_0_0)", "(0x1F4, 0o764)", "(0b1, 5e-324)", f"({x}, -0.0)", "(.5, 5.)",
            f"(2 ** 9, {y})", f"({x}, 10 ** 2)", f"(4 ** 0.5, {y})", f"({x}, {10**308})",
        ]
    )  # fmt: skip
    gold = {"action": "CLICK", "info": [[x, y], [x, y]]}
    box = rng.choice([None, None, [], [0, 0, 1000, 1000], [400, 400, 1200, 1200]])
    return _case("odd_number", gold, box, f"CLICK: {argument}")


def _mangled_point(rng: random.Random) -> Case:
    case = _plain_point(rng)
    return case | {"kind": "mangled_point", "prediction": _mangled(rng, case["prediction"])}


# ------------------------------------------------------------------ where the description is silent


def _silent_point(rng: random.Random) -> Case:
    x, y = rng.randint(0, 1000), rng.randint(0, 1000)
    kind, argument = rng.choice(
        [
            ("stretched_point", f"{x}"),
            ("stretched_point", f"({x},)"),
            ("stretched_point", f"[[{x}, {y}]]"),
            ("stretched_point", f"[[{x}, {y}], [{x}, {y}]]"),
            ("three_numbers_in_box", f"({x}, {y}, 1)"),
            ("quoted_point", f"'({x}, {y})'"),
            ("boolean_point", f"({x}, True)"),
            ("boolean_point", "(False, True)"),
            ("beyond_arithmetic", f"(abs(-{x}), {y})"),
            ("beyond_arithmetic", f"({x},) + ({y},)"),
            ("beyond_arithmetic", f"[{x}] * 2"),
            ("beyond_arithmetic", f"({x} | 0, {y} << 0)"),
            ("beyond_arithmetic", f"({x}, {y}) or 1"),
            ("beyond_arithmetic", f"(*[{x}, {y}],)"),
            ("beyond_arithmetic", f"({x} + 0j, {y})"),
            ("beyond_bounds", f"({x}, {' ' * 100_000}{y})"),
            ("beyond_bounds", "(" * 90 + f"{x}, {y}" + ")" * 90),
            ("beyond_bounds", "(" + "-" * 40 + f"{x}, {y})"),
            ("beyond_bounds", f"({x}" + " + 0" * 60 + f", {y})"),
            ("beyond_bounds", f"(10 ** 400 - 10 ** 400 + {x}, {y})"),
            ("integer_beyond_float", f"({10**310}, {y})"),
        ]
    )
    box: Box = [x - 9, y - 9, x + 9, y + 9]
    if kind != "three_numbers_in_box" and rng.random() < 0.5:
        box = None
    gold = {"action": "CLICK", "info": [[x, y], [x, y]]}
    return _case(kind, gold, box, f"CLICK: {argument}")


def _silent_scroll(rng: random.Random) -> Case:
    gold = {"action": "SCROLL", "info": [[100, 100], [900, 100]]}
    return _case("scroll_letter_case", gold, [], rng.choice(["SCROLL: RıGHT", "SCROLL: RİGHT"]))


# ------------------------------------------------------------------------------------------ parts


def _case(kind: str, gold: dict[str, Any], box: Box, prediction: str) -> Case:
    return {"gold": gold, "sam2_bbox": box, "prediction": prediction, "kind": kind}


def _point_case(
    rng: random.Random, kind: str, gold: list[Any], point: tuple[Any, Any], box: Box
) -> Case:
    action = rng.choice(["CLICK", "CLICK", "LONG_PRESS"])
    annotated = {"action": action, "info": [list(gold), list(gold)]}
    return _case(kind, annotated, box, f"{action}:{_pad(rng)}{_written(rng, *point)}")


def _point_answer_case(rng: random.Random, kind: str, gold: dict[str, Any], argument: str) -> Case:
    action = gold["action"] if gold["action"] in ("CLICK", "LONG_PRESS") else "CLICK"
    box = rng.choice([None, None, [], [0, 0, 1000, 1000]])
    return _case(kind, gold, box, f"{action}: {argument}")


def _text_case(rng: random.Random, kind: str, gold: str, text: str) -> Case:
    prediction = f"TYPE:{_pad(rng)}{text}"
    return _case(kind, {"action": "TEXT", "info": gold}, _box_for_others(rng), prediction)


def _gold(rng: random.Random, action: str | None = None) -> dict[str, Any]:
    """An annotated step of any action, or of the one given (with a point, not a key)."""
    x, y = rng.randint(0, 1000), rng.randint(0, 1000)
    points = [[x, y], [x, y]]
    if action in ("CLICK", "LONG_PRESS"):
        return {"action": action, "info": points}
    name = action or rng.choice(["CLICK", "LONG_PRESS", "SCROLL", "TEXT", "COMPLETE", "INCOMPLETE"])
    info: Any = ""
    if name in ("CLICK", "LONG_PRESS"):
        info = rng.choice([points, rng.choice(KEYS)])
    elif name == "SCROLL":
        info = [[x, y], [rng.randint(0, 1000), rng.randint(0, 1000)]]
    elif name == "TEXT":
        info = rng.choice(WORDS)
    return {"action": name, "info": info}


def _written(rng: random.Random, x: Any, y: Any) -> str:
    """One of the ways to write the point that all mean exactly (x, y)."""
    forms = [
        f"({x}, {y})", f"({x}, {y})", f"({x}, {y})", f"{x}, {y}", f"{x},{y}", f"[{x}, {y}]",
        f"( {x} ,{y} )", f"({x}, {y},)", f"(({x}), (({y})))", f"((({x}, {y})))",
        f"({x},\n {y})", f"({x}, {y})  # tap", f"(+{x}, {y})", f"[{x},\t{y}]",
    ]  # fmt: skip
    if isinstance(x, int) and isinstance(y, int):
        forms += [
            f"({x} + 7 - 7, {y} * 2 / 2)", f"({x * 3} // 3, {y}.0)", f"({x} - -0, --{y})",
            f"({x}, {y} * 10 ** 0)", f"({x}.0, {y}e0)", f"({x} * 4 % 1000000 / 4, {y})"
            if x >= 0 else f"({x}, {y})",
        ]  # fmt: skip
    return rng.choice(forms)


def _mangled(rng: random.Random, answer: str) -> str:
    changes: list[Callable[[str], str]] = [
        str.lower,
        str.title,
        lambda text: f"  {text}\n",
        lambda text: f"\u3000{text}\xa0",
        lambda text: f"{text}:",
        lambda text: f"{text}: extra",
        lambda text: f":{text}",
        lambda text: f"{text}.",
        lambda text: f"Action: {text}",
        lambda text: f"{text}\n{text}",
        lambda text: text.replace(":", "："),
        lambda text: text.replace(":", " : "),
        lambda text: text.replace(":", ""),
        lambda text: text.replace(":", "::"),
        lambda text: text.replace("_", " "),
        lambda text: text[:-1],
        lambda text: f"\u200b{text}",
        lambda text: f"```{text}```",
        lambda text: f"😀{text}",
        lambda text: text.replace("C", "С"),  # the Cyrillic letter
    ]
    return rng.choice(changes)(answer)


def _pad(rng: random.Random) -> str:
    return rng.choice([" ", " ", " ", "", "  ", "\n", "\t"])


def _no_help(rng: random.Random, gold: list[Any]) -> Box:
    """No box, or one far off the screen, so that the distance decides."""
    return rng.choice([None, None, [3000, 3000, 3010, 3010], [gold[0], 5000, gold[0], 5000]])


def _any_box(rng: random.Random, gold: list[Any]) -> Box:
    x, y = gold
    left, up = rng.randint(0, 60), rng.randint(0, 60)
    around: Box = [x - left, y - up, x + rng.randint(0, 200), y + rng.randint(0, 200)]
    far: Box = [x + 300, y + 300, x + 400, y + 400]
    return rng.choice([None, None, around, around, far, []])


def _box_for_others(rng: random.Random) -> Box:
    return rng.choice([[], [], [], None, [0, 0, 1000, 1000]])


ON_THRESHOLD: list[Callable[[random.Random], Case]] = [
    _axis_140, _axis_140, _pythagorean_140, _float_140, _similarity_half, _inserted_half,
    _box_edge, _box_edge_float, _scroll_tie,
]  # fmt: skip
THRESHOLD_KINDS = frozenset(
    {
        "axis_140", "pythagorean_140", "float_140", "float_in_last_bit", "similarity_half",
        "inserted_half", "box_edge", "box_edge_float", "scroll_tie",
    }
)  # fmt: skip
# Each maker's weight is how often it is named. The long texts are slow to compare, so they are
# one in 70 or so.
ELSEWHERE: list[Callable[[random.Random], Case]] = [
    *[_plain_point] * 7, *[_exact_point_empty_box] * 2, *[_odd_box] * 5, *[_plain_text] * 7,
    *[_empty_text] * 4, *[_colon_text] * 4, _long_text, _lone_surrogate, *[_scroll] * 5,
    *[_key_press] * 4, *[_finished] * 3, *[_other_action] * 6, *[_unreadable_point] * 5,
    *[_not_a_point] * 2, _heavy_point,
    *[_odd_number] * 3, *[_mangled_point] * 4,
]  # fmt: skip
SILENT_MAKERS: list[Callable[[random.Random], Case]] = [
    *[_silent_point] * 5,
    _silent_scroll,
    _float_in_last_bit,
]
ELSEWHERE += SILENT_MAKERS
