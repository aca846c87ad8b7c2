"""Random GUIOdyssey steps for the rules of OS-Atlas, AgentCPM-GUI and GUI-R1.

Every other case lies on a threshold of its rule or directly beside one. No case says what is
right: `tests.oracles.odyssey_others.judge` does.
"""

import math
import random
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from tests.oracles.guiodyssey import scroll_direction
from tests.oracles.odyssey_others import (
    AGENTCPM,
    GUI_R1,
    OS_ATLAS,
    POINTER_TYPES,
    PROTOCOLS,
    command_words,
    cosine_direction,
    f1,
    merged,
    near_in_shares,
    near_in_squares,
    parse_answer,
    same_words,
)

Case = dict[str, Any]

# Kinds of case whose result follows from a choice of the oracle, not from the description.
# A scorer that differs there has chosen otherwise; it has not broken the rule.
SILENT = {
    "long_press": "a long press for a long press: here judged like a click",
    "odd_number": "a negative coordinate, or one with a fraction where whole numbers are used",
    "no_point_asked": "GUI-R1: a gold click near (0, 0) and an answer whose type has no point",
    "loose_point": "an unreadable point with two or more numbers in it: here it is not read",
    "distance_reading": "a distance on the threshold by one order of dividing and rounding only",
    "text_reading": "a text right by one reading of letter case, brackets, part or spaces only",
    "f1_last_bit": "an F1 of exactly one half that float64 makes a last bit larger",
    "empty_gold": "a gold text without a word",
    "text_without_type": "GUI-R1: the right words under the wrong type: here wrong",
    "scroll_part": "GUI-R1: a direction that is a part of the other or has more words",
    "scroll_letter_case": "a direction right but for its letter case, where the table is silent",
    "scroll_tie": "OS-Atlas, GUI-R1: a gold scroll that one reading of ties names otherwise",
    "no_direction": "AgentCPM-GUI: two scrolls that go nowhere",
    "extra_argument": "an argument after a type that has none: here ignored",
}
SILENT_TOTALS = {
    "all_vanish": "GUI-R1: no category has a right step: here there is no score",
    "with_long_press": "GUI-R1: long presses: here a category of their own",
}

WORDS = [
    "hello",
    "weather",
    "in",
    "Paris",
    "10:30",
    "am",
    "天気",
    "https://a.org/b:c",
    "😀",
    "café",
]
KEYS = ["PRESS_HOME", "PRESS_BACK", "PRESS_RECENT"]
ENDINGS = ["COMPLETE", "IMPOSSIBLE"]
DIRECTIONS = ["LEFT", "RIGHT", "UP", "DOWN"]
TYPES_WITHOUT_POINT = ("SCROLL", "TYPE", *KEYS, *ENDINGS)
UNREADABLE: list[str | None] = [
    None, "", " ", "None", "tap the button", "click: (500, 500)", "CLICK", "CLICK:", "CLICK: here",
    "CLICK: (5)", "CLICK: 500", "CLICK: (, 5)", "CLICK: None", "CLICK: ()", "CLICK (500, 500)",
    "LONG_PRESS", "LONG_PRESS: here", "SCROLL", "SCROLL: SIDEWAYS", "SCROLL:", "TYPE", "ENTER",
    "WAIT", "OPEN_APP: Mail", "INCOMPLETE", "complete", "[]", "{}", ":", "::", "CLICK: (nan, nan)",
    "CLICK: __import__('os')",
]  # fmt: skip
LOOSE_POINTS = [
    "(500 500)", "500 500", "[500, 500]", "[[500, 500]]", "(500, 500, 1)", "(500, 500) now",
    "x=500, y=500", "<point>[[500,500]]</point>", "(250+250, 500)", "(500;500)", "(500px, 500px)",
    "1, 2, 3, 4", "(5e2, 5e2)",
]  # fmt: skip


def cases(seed: int, n: int) -> Iterator[Case]:
    """`n` cases {protocol, kind, gold, answer, prediction, threshold}, the same for a seed.

    `answer` is the text in the official syntax, or None; `prediction` is what `parse_answer`
    makes of it, or for the kinds "pointed_scroll" and "no_direction", which have no text, a
    SCROLL with points. `kind` names the maker, or is one of SILENT. `threshold` says whether
    the case was made to lie on a threshold or directly beside one.
    """
    rng = random.Random(seed)
    for i in range(n):
        on_threshold = i % 2 == 0
        case = rng.choice(ON_THRESHOLD if on_threshold else ELSEWHERE)(rng)
        case["threshold"] = on_threshold
        case["kind"] = _silent_kind(case) or case["kind"]
        yield case


def totals_cases(seed: int, n: int) -> Iterator[Case]:
    """`n` cases {kind, steps}. Steps are {episode, instruction, step, type, correct}, in the
    order of a file: some episodes share an instruction, go on, or have gaps."""
    rng = random.Random(seed)
    for _ in range(n):
        types = ["CLICK", "SCROLL", "TYPE", *KEYS, *ENDINGS]
        kind = rng.choice(["plain", "plain", "plain", *SILENT_TOTALS])
        if kind == "with_long_press":
            types += ["LONG_PRESS"] * 4
        steps: list[Case] = []
        for episode in range(rng.randint(1, 6)):
            right = 0.0 if kind == "all_vanish" else rng.choice([0.2, 0.8, 1.0])
            start = rng.choice([0, 0, 0, steps[-1]["step"] + 1 if steps else 0])
            instruction = rng.choice(["buy milk", "call home", f"task {episode}"])
            for step in range(start, start + rng.randint(1, 7)):
                if rng.random() < 0.1:
                    continue  # a gap
                steps.append(
                    {
                        "episode": f"{episode:016d}",
                        "instruction": instruction,
                        "step": step,
                        "type": rng.choice(types),
                        "correct": rng.random() < right,
                    }
                )
        if not steps:
            continue
        counted = [step for step in steps if step["type"] in ("CLICK", "SCROLL", "TYPE")]
        if kind == "plain" and not any(step["correct"] for step in counted):
            kind = "all_vanish"
        yield {"kind": kind, "steps": steps}


# ------------------------------------------------------------------------------------ thresholds


def _at_140(rng: random.Random) -> Case:
    """140 apart along an axis or by a right triangle, or one beside, in whole numbers."""
    gold = (rng.randint(0, 1000), rng.randint(0, 1000))
    dx, dy = rng.choice([(140, 0), (0, 140), (84, 112), (112, 84), (99, 99), (98, 100)])
    dx, dy = dx + rng.choice([0, 0, -1, 1]), dy + rng.choice([0, 0, 0, 1])
    point = (gold[0] + rng.choice([-1, 1]) * dx, gold[1] + rng.choice([-1, 1]) * dy)
    if min(point) < 0:
        point = (gold[0] + dx, gold[1] + dy)
    return _point_case("at_140", rng, gold, point)


def _near_origin(rng: random.Random) -> Case:
    """A gold point about 140 from (0, 0), where an unreadable click may fall."""
    x, y = rng.choice([(140, 0), (0, 140), (84, 112), (112, 84), (99, 99), (10, 10)])
    gold = (x + rng.choice([0, 0, 1]), y + rng.choice([0, 0, 1]))
    answer = rng.choice([*UNREADABLE, "CLICK: (0, 0)", "COMPLETE", "SCROLL: UP", "TYPE: hello"])
    return _case("near_origin", rng, {"type": "CLICK", "point": gold}, answer)


def _half_f1(rng: random.Random) -> Case:
    """Texts of different words whose F1, with or without the command, is about one half."""
    protocol = rng.choice([OS_ATLAS, OS_ATLAS, GUI_R1, GUI_R1, AGENTCPM])
    sizes = [
        (shared, gold, text)
        for gold in range(1, 12)
        for text in range(1, 12)
        for shared in range(min(gold, text) + 1)
        if abs(4 * (shared + 1) - (gold + text + 2)) <= 1 or abs(4 * shared - (gold + text)) <= 1
    ]
    shared, gold_size, text_size = rng.choice(sizes)
    pool = [f"w{i}" for i in range(gold_size + text_size)]
    rng.shuffle(pool)
    common, rest = pool[:shared], pool[shared:]
    gold = common + rest[: gold_size - shared]
    text = common + rest[gold_size - shared : gold_size - shared + text_size - shared]
    middle = ["x", "y"]  # so that a shared word is seldom at an end, next to a bracket
    if rng.random() < 0.5 and shared:
        gold, text = [middle[0], *gold[::-1]], [middle[1], *text[::-1]]
    if rng.random() < 0.3:
        text.append(text[0])  # a word twice counts once
    answer = f"TYPE: {' '.join(text)}"
    return _case("half_f1", rng, {"type": "TYPE", "text": " ".join(gold)}, answer, protocol)


def _last_bit_f1(rng: random.Random) -> Case:
    """4 common words of 5 and 11, the command's own counted: float64 calls that more than half.

    Or a word less or more, which no rounding moves. The first word is common, so its bracket is.
    """
    shared = ["k", "m", "n", "o"][: rng.choice([3, 3, 2, 4])]
    short = [*shared, "a"]
    long = [*shared, *[f"z{i}" for i in range(6)], "b"]
    gold, text = (short, long) if rng.random() < 0.5 else (long, short)
    answer = f"TYPE: {' '.join(text)}"
    return _case("last_bit_f1", rng, {"type": "TYPE", "text": " ".join(gold)}, answer, OS_ATLAS)


def _scroll_near_tie(rng: random.Random) -> Case:
    """A gold scroll as far sideways as upright, or one unit beside, or nowhere."""
    x, y = rng.randint(200, 800), rng.randint(200, 800)
    length = rng.choice([0, 1, 100, 200])
    dx = rng.choice([-1, 1]) * length + rng.choice([0, 0, 1, -1])
    dy = rng.choice([-1, 1]) * length
    gold = {"type": "SCROLL", "start": (x, y), "end": (x + dx, y + dy)}
    official = scroll_direction(gold["start"], gold["end"])
    named = cosine_direction(gold["start"], gold["end"])
    word = rng.choice([*DIRECTIONS, official, official, named])
    return _case("scroll_near_tie", rng, gold, f"SCROLL: {word}")


def _pointed_scroll(rng: random.Random) -> Case:
    """AgentCPM-GUI: a predicted scroll of points, near a tie."""
    case = _scroll_near_tie(rng) | {"kind": "pointed_scroll", "protocol": AGENTCPM, "answer": None}
    length = rng.choice([0, 30, 30, 30])
    dx, dy = rng.choice([-1, 1]) * length + rng.choice([0, 1]), rng.choice([-1, 1]) * length
    case["prediction"] = {"type": "SCROLL", "start": (500, 500), "end": (500 + dx, 500 + dy)}
    return case


# -------------------------------------------------------------------------------------- elsewhere


def _plain_point(rng: random.Random) -> Case:
    gold = (rng.randint(0, 1000), rng.randint(0, 1000))
    spread = rng.choice([0, 60, 110, 400])
    point = (gold[0] + rng.randint(-spread, spread), gold[1] + rng.randint(-spread, spread))
    kind = rng.choice(["CLICK", "CLICK", "CLICK", "LONG_PRESS"])
    return _point_case("plain_point", rng, gold, point, kind)


def _odd_number(rng: random.Random) -> Case:
    gold = (rng.randint(0, 1000), rng.randint(0, 1000))
    point = rng.choice(
        [(gold[0] + 0.5, gold[1]), (gold[0] + 140.5, gold[1]), (-gold[0], gold[1]),
         (-50, -50), (1100, 1100), (gold[0] + 139.9, gold[1] + 0.25)]
    )  # fmt: skip
    return _point_case("plain_point", rng, gold, point)


def _other_type_with_point(rng: random.Random) -> Case:
    """The right point under another type: GUI-R1 gives credit, the others do not."""
    gold = (rng.randint(0, 1000), rng.randint(0, 1000))
    point = (gold[0] + rng.choice([0, 50, 139, 150]), gold[1])
    types = rng.sample(POINTER_TYPES, 2)
    return _case(
        "other_type_with_point",
        rng,
        {"type": types[0], "point": gold},
        f"{types[1]}: ({point[0]}, {point[1]})",
    )


def _text(rng: random.Random) -> Case:
    gold = " ".join(rng.sample(WORDS, rng.randint(1, 5)))
    text = " ".join(rng.sample(WORDS, rng.randint(1, 5)))
    if rng.random() < 0.8:
        text = rng.choice(
            [gold, gold, gold.upper(), gold.split()[0], gold.split()[-1], gold[1:], f"{gold} x",
             f"x{gold}", gold[::-1], " ".join(gold.split()[::-1]), gold.replace(" ", "  "),
             f"[{gold}]", gold.replace(":", " ")]
        )  # fmt: skip
    return _case("text", rng, {"type": "TYPE", "text": gold}, f"TYPE: {text}")


def _colon_text(rng: random.Random) -> Case:
    """What is behind the colon counts: the official evaluator would cut it off."""
    gold, text = rng.choice(
        [("10:30 am", "10:45 pm"), ("10:30", "10:30"), ("https://a.org", "https://b.com"),
         ("https://a.org", "https://a.org"), ("a: b c d", "a: e f g"), ("::", "::")]
    )  # fmt: skip
    return _case("colon_text", rng, {"type": "TYPE", "text": gold}, f"TYPE: {text}")


def _empty_text(rng: random.Random) -> Case:
    gold = " ".join(rng.sample(WORDS, rng.randint(1, 3)))
    answer = rng.choice(["TYPE", "TYPE:", "TYPE: ", " TYPE :  "])
    if rng.random() < 0.3:
        gold, answer = rng.choice(["", " "]), rng.choice([answer, "TYPE: hello"])
    return _case("empty_text", rng, {"type": "TYPE", "text": gold}, answer)


def _scroll(rng: random.Random) -> Case:
    gold = _gold(rng, "SCROLL")
    word = scroll_direction(gold["start"], gold["end"])
    word = rng.choice(
        [*DIRECTIONS, word, word, word.lower(), word.title(), f"{word} {word}", f"{word} slowly",
         word[:-1], f"{word}!", "", "SIDEWAYS", f" {word} "]
    )  # fmt: skip
    return _case("scroll", rng, gold, f"SCROLL: {word}")


def _words_of_another_type(rng: random.Random) -> Case:
    """GUI-R1: the words are right, the type is not."""
    gold = _gold(rng, "SCROLL")
    word = scroll_direction(gold["start"], gold["end"])
    if rng.random() < 0.5:
        return _case("words_of_another_type", rng, gold, f"TYPE: {word}", GUI_R1)
    typed = {"type": "TYPE", "text": word.lower()}
    return _case("words_of_another_type", rng, typed, f"SCROLL: {word}", GUI_R1)


def _keys_and_endings(rng: random.Random) -> Case:
    pool = rng.choice([KEYS, ENDINGS, KEYS + ENDINGS])
    gold = {"type": rng.choice(pool)}
    answer = rng.choice([*pool, *pool, "INCOMPLETE", "ENTER", f"{rng.choice(pool)}: now"])
    return _case("keys_and_endings", rng, gold, answer)


def _other_action(rng: random.Random) -> Case:
    answer = rng.choice(
        [*KEYS, *ENDINGS, "CLICK: (500, 500)", "LONG_PRESS: (500, 500)", "SCROLL: UP",
         "TYPE: hello", "TYPE: UP", "SCROLL: hello", "CLICK: (0, 0)"]
    )  # fmt: skip
    return _case("other_action", rng, _gold(rng), answer)


def _unreadable(rng: random.Random) -> Case:
    return _case("unreadable", rng, _gold(rng), rng.choice(UNREADABLE))


def _loose_point(rng: random.Random) -> Case:
    gold = {"type": "CLICK", "point": (500 + rng.randint(-150, 150), 500)}
    return _case("loose_point", rng, gold, f"CLICK: {rng.choice(LOOSE_POINTS)}")


# ------------------------------------------------------------------ where the description is silent


def _silent_kind(case: Case) -> str | None:
    """The kind in SILENT of a case on which two readings of the table differ."""
    protocol, gold, prediction = case["protocol"], case["gold"], case["prediction"]
    if case["kind"] in SILENT:
        return str(case["kind"])
    if prediction is None:
        return "long_press" if protocol == GUI_R1 and gold["type"] == "LONG_PRESS" else None
    if protocol == AGENTCPM:
        same_type = merged(gold["type"]) == merged(prediction["type"])
    else:
        same_type = gold["type"] == prediction["type"]
    if gold["type"] in POINTER_TYPES:
        if protocol != GUI_R1 and not same_type:
            return None
        if gold["type"] == "LONG_PRESS":
            return "long_press"
        if prediction["type"] in TYPES_WITHOUT_POINT:
            return "no_point_asked" if near_in_squares(gold["point"], (0, 0)) else None
        point = prediction.get("point")
        if point is None and protocol == AGENTCPM:
            return None
        return _point_kind(protocol, gold["point"], point or (0, 0))
    if gold["type"] == "TYPE":
        return _text_kind(protocol, gold["text"], prediction, same_type)
    if gold["type"] == "SCROLL":
        return _scroll_kind(protocol, gold, prediction, same_type)
    if same_type and case["answer"] and ":" in case["answer"] and protocol != GUI_R1:
        return "extra_argument"
    return None


def _point_kind(protocol: str, gold: tuple[int, int], point: tuple[float, float]) -> str | None:
    if min(point) < 0 or (protocol == OS_ATLAS and any(v != int(v) for v in point)):
        return "odd_number"
    dx, dy = point[0] - gold[0], point[1] - gold[1]
    if protocol == OS_ATLAS:
        return None  # whole numbers know no rounding
    small = [np.float32(v) / np.float32(1000) for v in (*gold, *point)]
    small_x, small_y = small[2] - small[0], small[3] - small[1]
    if protocol == AGENTCPM:
        readings = {
            near_in_shares(gold, point),
            math.hypot(dx, dy) / 1000 <= 0.14,
            math.hypot(dx / 1000, dy / 1000) <= 0.14,
            dx * dx + dy * dy <= 19600,
            bool(np.sqrt(small_x * small_x + small_y * small_y) <= np.float32(0.14)),
        }
    else:
        readings = {
            near_in_squares(gold, point),
            (dx / 1000) ** 2 + (dy / 1000) ** 2 < 0.14**2,
            (dx * dx + dy * dy) / 1e6 < 0.14**2,
            dx * dx + dy * dy < 19600,
        }
    return "distance_reading" if len(readings) > 1 else None


def _text_kind(protocol: str, gold: str, prediction: Case, same_type: bool) -> str | None:
    if not same_type:
        # The words a scroll holds, or a text, for the rule that does not look at the type.
        text = prediction.get("direction")
        found = protocol == GUI_R1 and text is not None and same_words(gold, text)
        return "text_without_type" if found else None
    text = prediction["text"]
    if not gold.strip():
        return "empty_gold"
    if protocol == AGENTCPM:
        a, b = gold.lower(), text.lower()
        readings = {a in b or b in a, b in a}
    elif protocol == GUI_R1:
        readings = {same_words(gold, text, lower=lower) for lower in (True, False)}
        a, b = gold.lower(), text.lower()
        if len(set(a.split())) == 1 and len(set(b.split())) == 1:
            readings |= {a in b, b in a}
    elif not text.strip():
        return None  # the table says it is wrong
    else:
        return _command_kind(gold, text)
    return "text_reading" if len(readings) > 1 else None


def _command_kind(gold: str, text: str) -> str | None:
    readings = set()
    for brackets in (True, False):
        for lower in (True, False):
            a = command_words(gold, brackets=brackets, lower=lower)
            b = command_words(text, brackets=brackets, lower=lower)
            exact = Fraction(2 * len(a & b), len(a) + len(b)) > Fraction(1, 2)
            readings.add((f1(a, b) > 0.5, exact))
    if len({exact for _, exact in readings}) > 1:
        return "text_reading"
    return "f1_last_bit" if any(rounded != exact for rounded, exact in readings) else None


def _scroll_kind(protocol: str, gold: Case, prediction: Case, same_type: bool) -> str | None:
    official = scroll_direction(gold["start"], gold["end"])
    if not same_type:
        text = prediction.get("text")
        found = protocol == GUI_R1 and text is not None and same_words(official, text)
        return "text_without_type" if found else None
    named = cosine_direction(gold["start"], gold["end"])
    if protocol == AGENTCPM:
        if "start" in prediction:
            nowhere = cosine_direction(prediction["start"], prediction["end"]) == "no direction"
            return "no_direction" if nowhere and named == "no direction" else None
        word = prediction["direction"]
        if named == "no direction":
            return "no_direction" if word == named else None
        plain = word in (named, named.upper())
        return "scroll_letter_case" if not plain and word.lower() == named else None
    if named != official.lower():
        return "scroll_tie"
    word = prediction["direction"]
    if protocol == OS_ATLAS:
        return None  # the table asks for the exact string
    if word.upper() == official and word != official:
        return "scroll_letter_case"
    return "scroll_part" if word != official and _partly(official, word) else None


def _partly(official: str, word: str) -> bool:
    readings = {same_words(official, word, shortcut=shortcut) for shortcut in (True, False)}
    return readings != {False}


# ------------------------------------------------------------------------------------------ parts


def _case(
    kind: str, rng: random.Random, gold: Case, answer: str | None, protocol: str | None = None
) -> Case:
    loose = answer is not None and re.match(r"\s*(CLICK|LONG_PRESS)\b", answer)
    prediction = None if answer is None else parse_answer(answer)
    unread = prediction is not None and prediction.get("point") is None
    if loose and unread and len(re.findall(r"\d+", answer or "")) > 1:
        kind = "loose_point"
    return {
        "protocol": protocol or rng.choice(PROTOCOLS),
        "kind": kind,
        "gold": gold,
        "answer": answer,
        "prediction": prediction,
    }


def _point_case(
    kind: str,
    rng: random.Random,
    gold: tuple[int, int],
    point: tuple[float, float],
    action: str = "CLICK",
) -> Case:
    x, y = point
    written = rng.choice(
        [f"({x}, {y})", f"({x}, {y})", f"({x},{y})", f"{x}, {y}", f" ( {x} ,{y} )"]
    )
    return _case(kind, rng, {"type": action, "point": gold}, f"{action}: {written}")


def _gold(rng: random.Random, action: str | None = None) -> Case:
    name = action or rng.choice(["CLICK", "CLICK", "LONG_PRESS", "SCROLL", "TYPE", *KEYS, *ENDINGS])
    if name in POINTER_TYPES:
        near = rng.random() < 0.3
        limit = 150 if near else 1000
        return {"type": name, "point": (rng.randint(0, limit), rng.randint(0, limit))}
    if name == "SCROLL":
        x, y = rng.randint(0, 1000), rng.randint(0, 1000)
        return {"type": name, "start": (x, y), "end": (x + rng.randint(1, 99), y - 200)}
    if name == "TYPE":
        return {"type": name, "text": " ".join(rng.sample(WORDS, rng.randint(1, 3)))}
    return {"type": name}


ON_THRESHOLD: list[Callable[[random.Random], Case]] = [
    *[_at_140] * 5, *[_near_origin] * 3, *[_half_f1] * 4, _last_bit_f1, *[_scroll_near_tie] * 2,
    _pointed_scroll,
]  # fmt: skip
ELSEWHERE: list[Callable[[random.Random], Case]] = [
    *[_plain_point] * 4, _odd_number, *[_other_type_with_point] * 2, *[_text] * 5, _colon_text,
    *[_empty_text] * 2, *[_scroll] * 4, *[_keys_and_endings] * 4, *[_other_action] * 3,
    *[_unreadable] * 4, _words_of_another_type, _loose_point,
]  # fmt: skip
