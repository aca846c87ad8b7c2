"""Random steps with a prediction each, for comparing a scorer with the oracle of taptrail-strict.

Two of every five cases lie on a threshold of the rule or one unit in the last place beside it. No
case says what is right: `tests.oracles.strict` does.
"""

import math
import random
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

from tests.oracles.strict import (
    MATCH,
    SHARE_OF_SCREEN,
    STROKES,
    TAPS,
    UNREADABLE,
    can_be_compared,
    chosen_box,
    covered,
    finger,
    holds,
    point_of,
    right_actions,
    squared,
    tolerance,
)

Case = dict[str, Any]
Action = dict[str, Any]

# Kinds of case whose result the description leaves open: a scorer that differs there has not broken
# the rule.
SILENT = {
    "last_bit": "in which order a distance, a way, 24 dp and 90 % are computed",
}

SIZES = [(1080, 2400), (720, 1600), (1000, 2000), (2208, 1840), (800, 1280), (2400, 1080)]
DENSITIES = [160, 200, 240, 320, 400, 420, 440, 480, 520, 560, 213, None, None]
TRIPLES = [(3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (20, 21, 29), (1, 0, 1), (0, 1, 1)]
TEXTS = [
    "hello", "Hello", "hello world", "weather in Paris", "10:30", "10:99", "a", "天気予報",
    "cafe\u0301", "café", "CAFÉ", "ﬁne", "fine", "😀", "https://example.org/a:b", "Straße",
    "\u1e9b\u0323", "\u2126", "Ω", "한글",
]  # fmt: skip
BLANKS = ["", " ", "\n", "\t", "\u00a0", "\u3000", "\r\n"]
APPS = ["Clock", "clock", "CLOCK", "Maps", "Google Maps", "Straße", "STRASSE", "Café", "İ", "i"]
KEYS = [
    ("back", None), ("home", None), ("recents", None), ("enter", None), ("volume_up", None),
    ("other", "KEYCODE_CAMERA"), ("other", "KEYCODE_SEARCH"), ("back", "KEYCODE_BACK"),
]  # fmt: skip
WORDS = ["up", "down", "left", "right"]


def cases(seed: int, n: int) -> Iterator[Case]:
    """`n` cases {kind, step, prediction, threshold}, the same for a seed.

    `kind` names the maker, or is in SILENT. `threshold` says whether the case was made to lie
    on a threshold or directly beside one.
    """
    rng = random.Random(seed)
    for i in range(n):
        on_threshold = i % 5 in (0, 2)
        case = rng.choice(ON_THRESHOLD if on_threshold else ELSEWHERE)(rng)
        case["threshold"] = on_threshold
        if _last_bit_decides(case):
            case["kind"] = "last_bit"
        yield case


def totals_cases(seed: int, n: int) -> Iterator[list[Case]]:
    """`n` lists of episodes as `tests.oracles.strict.totals` takes them."""
    rng = random.Random(seed)
    for _ in range(n):
        episodes = []
        for _ in range(rng.randint(1, 6)):
            length, right = rng.randint(1, 6), rng.choice([0.0, 0.5, 0.9, 1.0])
            rows = [
                (step, MATCH if rng.random() < right else rng.choice(["mismatch", "unscored"]))
                for step in range(length)
            ]
            if rng.random() < 0.3:
                rows.append((rng.randrange(length), rng.choice([MATCH, "mismatch", "unscored"])))
            declared = rng.choice([None, length, length, length + rng.randint(1, 2)])
            if rng.random() < 0.05 and length > 1:
                declared = length - 1
            episodes.append({"declared": declared, "rows": rows})
        yield episodes


# ------------------------------------------------------------------------------------ thresholds


def _beside(rng: random.Random, value: float) -> float:
    """The value, or one of its two neighbours."""
    return rng.choice([value, value, math.nextafter(value, -9e9), math.nextafter(value, 9e9)])


def _reach(rng: random.Random) -> Case:
    """A tap exactly 24 dp, or 6 %, from the gold point, or a last bit beside."""
    step = _step(rng, {})
    if step["screen"] is not None and rng.random() < 0.3:  # a frame that was made smaller
        step["screen"] = (step["screen"][0] * 2, step["screen"][1] * 2)
    reach = float(tolerance(step))
    x, y = rng.randint(100, 500), rng.randint(100, 500)
    across, down, length = rng.choice(TRIPLES)
    dx, dy = across * reach / length, down * reach / length
    px = _beside(rng, x + rng.choice([-1, 1]) * dx)
    py = _beside(rng, y + rng.choice([-1, 1]) * dy)
    if rng.random() < 0.3:  # whole pixels around it
        px, py = float(round(px) + rng.choice([-1, 0, 1])), float(round(py))
    kind = rng.choice(TAPS)
    step["action"] = _tap(kind, _aimed(rng, x, y))
    if rng.random() < 0.5:  # a region that says nothing of it
        step["regions"] = _regions(rng, (x - 2, y - 2, x + 2, y + 2))
    return _case("reach", step, _tap(kind, ("point", px, py)))


def _edge_of_region(rng: random.Random) -> Case:
    """The prediction, or the gold point, on an edge of the chosen region or beside it."""
    step = _step(rng, {})
    width, height = step["size"]
    left, top = rng.randint(0, width // 3), rng.randint(0, height // 3)
    right, bottom = left + rng.randint(4, width // 2), top + rng.randint(4, height // 2)
    inside = (left + rng.randint(0, right - left - 1), top + rng.randint(0, bottom - top - 1))
    onx = _beside(rng, float(rng.choice([left, right])))
    ony = _beside(rng, float(rng.choice([top, bottom])))
    edge = rng.choice([(onx, float(inside[1])), (float(inside[0]), ony), (onx, ony)])
    far = (float(right - 1 if inside[0] - left < right - inside[0] else left), float(bottom - 1))
    first, second = rng.choice([(inside, edge), (edge, far), (far, edge)])
    kind = rng.choice(TAPS)
    step["action"] = _tap(kind, ("point", *first))
    step["regions"] = _regions(rng, (left, top, right, bottom))
    return _case("edge_of_region", step, _tap(kind, ("point", *second)))


def _nine_tenths(rng: random.Random) -> Case:
    """A chosen region of 90 % of the screen, or a pixel or a last bit less or more."""
    step = _step(rng, {})
    width, height = step["size"]
    if rng.random() < 0.5:
        edge = _beside(rng, height * 9 / 10) + rng.choice([0, 0, 0, -1, 1])
        box = rng.choice([(0, 0, width, edge), (0, height - edge, width, height)])
    else:
        edge = _beside(rng, width * 9 / 10) + rng.choice([0, 0, 0, -1, 1])
        box = rng.choice([(0, 0, edge, height), (width - edge, 0, width, height)])
    if rng.random() < 0.15:  # the rest of it lies off the screen
        box = (box[0] - 50, box[1], box[2], box[3]) if box[0] <= 0 else box
    kind = rng.choice(TAPS)
    step["action"] = _tap(kind, ("point", width // 2, height // 2))
    step["regions"] = _regions(rng, box)
    far = ("point", rng.choice([width // 5, width * 4 // 5]), rng.choice([height // 5, height - 9]))
    return _case("nine_tenths", step, _tap(kind, far))


def _diagonal(rng: random.Random) -> Case:
    """A swipe as far across as down, or a last bit beside, on either side."""
    length = rng.choice([64.0, 100.0, 333.0, rng.uniform(5, 400)])
    start = rng.choice([(0.0, 0.0), (512.0, 1024.0), (rng.uniform(0, 500), rng.uniform(0, 900))])
    end = (
        start[0] + rng.choice([-1, 1]) * _beside(rng, length),
        start[1] + rng.choice([-1, 1]) * length,
    )
    stroke = {"kind": "swipe", "start": start, "end": end}
    ways = ["down" if end[1] > start[1] else "up", "right" if end[0] > start[0] else "left"]
    other = _scroll(rng, rng.choice(ways)) if rng.random() < 0.8 else stroke
    gold, answer = rng.choice([(stroke, other), (other, stroke)])
    return _case("diagonal", _step(rng, gold), answer)


def _pinch_edge(rng: random.Random) -> Case:
    """A pinch that hardly changes anything."""
    gold = _pinch(rng, rng.choice([0.5, 2.0, math.nextafter(1, 2), math.nextafter(1, 0)]))
    scale = rng.choice([math.nextafter(1, 2), math.nextafter(1, 0), 1.0, 0.999, 1.001])
    return _case("pinch_edge", _step(rng, gold), _pinch(rng, scale))


def _text_edge(rng: random.Random) -> Case:
    """Texts that differ in composition, outer blanks or one letter."""
    kind = rng.choice(["type_text", "type_text", "type_text", "answer"])
    gold = rng.choice(TEXTS)
    changed = rng.choice(
        [
            unicodedata.normalize("NFD", gold), unicodedata.normalize("NFC", gold),
            unicodedata.normalize("NFKC", gold), rng.choice(BLANKS) + gold + rng.choice(BLANKS),
            gold.swapcase(), gold + ".", gold[:-1], gold.replace(" ", "  "), gold.replace(" ", ""),
            gold + "\u200b", rng.choice(BLANKS),
        ]
    )  # fmt: skip
    first, second = rng.choice([(gold, changed), (changed, gold), (gold, changed)])
    return _case("text_edge", _step(rng, _words(rng, kind, first)), _words(rng, kind, second))


# -------------------------------------------------------------------------------------- elsewhere


def _plain_tap(rng: random.Random) -> Case:
    """Regions inside regions, one of them chosen, or none, and a tap somewhere."""
    step = _step(rng, {})
    width, height = step["size"]
    x, y = rng.randint(0, width - 1), rng.randint(0, height - 1)
    nested = []
    for part in (0.02, 0.1, 0.3, 0.97):
        half = (width * part / 2, height * part / 2)
        nested.append((x - half[0], y - half[1], x + half[0], y + half[1]))
    clipped = [
        (max(0, left), max(0, top), min(width, right), min(height, bottom))
        for left, top, right, bottom in nested
    ]
    far = (rng.randint(0, width // 2), rng.randint(0, height // 2), width, height)
    step["regions"] = [_region(box) for box in rng.sample([*clipped, far], rng.randint(0, 5))]
    if step["regions"] and rng.random() < 0.8:
        step["regions"][rng.randrange(len(step["regions"]))]["chosen"] = True
    if rng.random() < 0.05:
        step["regions"] = [_region(None) | {"chosen": True}]
    if rng.random() < 0.05:
        left, top, right, bottom = rng.choice(clipped)
        step["regions"] = [_region((right, bottom, left, top)) | {"chosen": True}]
    for region in step["regions"]:
        if rng.random() < 0.2:
            region["status"] = rng.choice(["accepted", "rejected", "superseded"])
    kind = rng.choice(TAPS)
    spread = rng.choice([5, 40, 200, 600])
    place = ("point", x + rng.gauss(0, spread), y + rng.gauss(0, spread))
    step["action"] = _tap(kind, _aimed(rng, x, y))
    return _case("plain_tap", step, _tap(kind if rng.random() < 0.9 else rng.choice(TAPS), place))


def _off_screen(rng: random.Random) -> Case:
    case = _plain_tap(rng)
    place = rng.choice(
        [(-5.0, 50.0), (1e300, 0.0), (50.0, -1e6), (math.inf, 0.0), (math.nan, 5.0), (99999.0, 3.0)]
    )
    case["prediction"]["at"] = ("point", *place)
    return case | {"kind": "off_screen"}


def _box_answer(rng: random.Random) -> Case:
    """A tap on a box counts at the box's middle."""
    case = _plain_tap(rng)
    _, x, y = case["prediction"]["at"]
    width, height = rng.randint(0, 200), rng.randint(0, 200)
    case["prediction"]["at"] = ("box", x - width, y - height, x + width, y + height)
    return case | {"kind": "box_answer"}


def _element_answer(rng: random.Random) -> Case:
    case = rng.choice([_plain_tap, _plain_tap, _any_two])(rng)
    case["prediction"] = _tap(rng.choice(TAPS), ("element", "OK"))
    if case["step"]["action"]["kind"] in TAPS and rng.random() < 0.8:
        case["prediction"]["kind"] = case["step"]["action"]["kind"]
    return case | {"kind": "element_answer"}


def _element_gold(rng: random.Random) -> Case:
    case = rng.choice([_plain_tap, _plain_tap, _any_two])(rng)
    case["step"]["action"] = _tap(rng.choice(TAPS), ("element", "OK"))
    return case | {"kind": "element_gold"}


def _no_frame(rng: random.Random) -> Case:
    case = _plain_tap(rng)
    case["step"]["size"] = None
    return case | {"kind": "no_frame"}


def _scaled_frame(rng: random.Random) -> Case:
    """A frame that is smaller than the phone's screen, or turned."""
    case = _plain_tap(rng)
    width, height = case["step"]["size"]
    case["step"]["screen"] = rng.choice(
        [(width * 2, height * 2), (height * 2, width * 2), (width * 3, height * 3)]
    )
    return case | {"kind": "frame_and_screen"}


def _strokes(rng: random.Random) -> Case:
    gold, answer = _stroke(rng), _stroke(rng)
    return _case("strokes", _step(rng, gold), answer)


def _texts(rng: random.Random) -> Case:
    kind = rng.choice(["type_text", "type_text", "answer"])
    gold = rng.choice(TEXTS) if rng.random() < 0.95 else rng.choice(BLANKS)
    text = gold if rng.random() < 0.4 else rng.choice([*TEXTS, *BLANKS])
    return _case("texts", _step(rng, _words(rng, kind, gold)), _words(rng, kind, text))


def _same_kind(rng: random.Random) -> Case:
    """Two actions of one kind of those that have no place and no words."""
    maker = rng.choice([_key, _key, _app, _wait, _end, _a_pinch, _other])
    gold, answer = maker(rng), maker(rng)
    if maker is _app and rng.random() < 0.5:
        app = gold["app"]
        ways = [app.upper(), app.lower(), f"{app} ", unicodedata.normalize("NFD", app), app[:-1]]
        answer = gold | {"app": rng.choice(ways)}
    return _case("same_kind", _step(rng, gold), answer)


def _any_two(rng: random.Random) -> Case:
    return _case("any_two", _step(rng, _any(rng)), _any(rng))


def _no_answer(rng: random.Random) -> Case:
    case = rng.choice([_any_two, _plain_tap])(rng)
    return case | {"kind": "no_answer", "prediction": rng.choice([None, UNREADABLE])}


def _several(rng: random.Random) -> Case:
    """Alternatives and corrections, of which some are accepted."""
    case = rng.choice([_plain_tap, _strokes, _texts, _same_kind, _any_two])(rng)
    step = case["step"]
    for _ in range(rng.randint(1, 3)):
        right = rng.choice([case["prediction"], case["prediction"], _any(rng), step["action"]])
        step["golds"].append(
            {
                "role": rng.choice(["alternative", "correction"]),
                "status": rng.choice(
                    ["accepted", "accepted", "proposed", "rejected", "superseded"]
                ),
                "action": dict(right),
            }
        )
    return case | {"kind": "several"}


# ------------------------------------------------------------------ where the description is silent


def _last_bit_decides(case: Case) -> bool:
    """Whether a right action is matched by one order of computing and not by another."""
    step, answer = case["step"], case["prediction"]
    if answer is None or answer == UNREADABLE:
        return False
    if answer["kind"] in STROKES:
        return any(_is_near_tie(action) for action in (answer, *right_actions(step)))
    if answer["kind"] not in TAPS or not step["size"]:
        return False
    if answer["at"][0] == "element":
        return False
    place = point_of(answer["at"])
    return all(map(math.isfinite, place)) and any(
        gold["kind"] == answer["kind"] and can_be_compared(gold) and _is_fragile(gold, step, place)
        for gold in right_actions(step)
    )


def _is_near_tie(action: Action) -> bool:
    """Whether a swipe is a diagonal by its differences as floats only, or only without."""
    if action["kind"] != "swipe":
        return False
    (x, y), (to_x, to_y) = action["start"], action["end"]
    return finger(action) != finger(action | {"start": (0, 0), "end": (to_x - x, to_y - y)})


def _is_fragile(gold: Action, step: Case, place: Any) -> bool:
    aim, box = point_of(gold["at"]), chosen_box(step)
    near = _near_readings(step, aim, place)
    if box is not None and holds(box, aim) and holds(box, place):
        small = covered(box, step["size"]) < SHARE_OF_SCREEN
        screen = step["size"][0] * step["size"][1]
        width = min(box[2], step["size"][0]) - max(box[0], 0)
        area = width * (min(box[3], step["size"][1]) - max(box[1], 0))
        readings = {small, area < screen * 0.9, area / screen < 0.9, 10 * area < 9 * screen}
        return (len(readings) > 1 and not all(near)) or (not small and len(set(near)) > 1)
    return len(set(near)) > 1


def _near_readings(step: Case, aim: Any, place: Any) -> list[bool]:
    """Whether it is near, exactly and by the ways one would write it down."""
    exact = tolerance(step)
    length = math.hypot(aim[0] - place[0], aim[1] - place[1])
    near = squared(aim, place) <= exact**2
    if abs(length - float(exact)) > 1e-6:
        return [near]
    lengths = [length, math.sqrt((aim[0] - place[0]) ** 2 + (aim[1] - place[1]) ** 2)]
    reaches = [float(exact)]
    if step["density"] is None or step["screen"] is None:
        reaches += [0.06 * min(step["size"]), 6 * min(step["size"]) / 100]
    else:
        scale, density = min(step["size"]) / min(step["screen"]), step["density"]
        reaches += [24 * density / 160 * scale, 24 * (density / 160) * scale]
        reaches += [24 * density * scale / 160, 24 * (density * scale / 160)]
        reaches += [24 / 160 * density * scale, 24 / 160 * (density * scale)]
    return [near, *(one <= reach for one in lengths for reach in reaches)]


# ------------------------------------------------------------------------------------------ parts


def _case(kind: str, step: Case, prediction: Any) -> Case:
    return {"kind": kind, "step": step, "prediction": prediction}


def _step(rng: random.Random, action: Action) -> Case:
    size = rng.choice(SIZES)
    return {
        "action": action,
        "golds": [],
        "regions": [],
        "size": size,
        "density": rng.choice(DENSITIES),
        "screen": rng.choice([size, size, size, size[::-1], None]),
    }


def _regions(rng: random.Random, chosen: Any) -> list[Case]:
    """The chosen region among others that nobody chose."""
    others = [_region((0, 0, 9999, 9999)), _region((5, 5, 900, 1900)), _region(None)]
    found = [_region(chosen) | {"chosen": True}, *rng.sample(others, rng.randint(0, 3))]
    rng.shuffle(found)
    return found


def _region(box: Any) -> Case:
    return {"box": box, "chosen": False, "status": "proposed"}


def _tap(kind: str, at: tuple[Any, ...]) -> Action:
    return {"kind": kind, "at": at}


def _aimed(rng: random.Random, x: float, y: float) -> tuple[Any, ...]:
    """The point, or a box around it."""
    if rng.random() < 0.8:
        return ("point", x, y)
    across, down = rng.randint(1, 64), rng.randint(1, 64)
    return ("box", x - across, y - down, x + across, y + down)


def _stroke(rng: random.Random) -> Action:
    if rng.random() < 0.4:
        return _scroll(rng, rng.choice(WORDS))
    start = (rng.uniform(0, 1000), rng.uniform(0, 2000))
    end = start if rng.random() < 0.04 else (rng.uniform(0, 1000), rng.uniform(0, 2000))
    return {"kind": "swipe", "start": start, "end": end}


def _scroll(rng: random.Random, word: str) -> Action:
    at = rng.choice([None, ("point", 5, 5), ("element", "list")])
    return {"kind": "scroll", "direction": word, "at": at}


def _pinch(rng: random.Random, scale: float) -> Action:
    return {"kind": "pinch", "centre": (rng.uniform(0, 900), rng.uniform(0, 900)), "scale": scale}


def _a_pinch(rng: random.Random) -> Action:
    return _pinch(rng, rng.choice([0.2, 0.5, 1.5, 2.0, 3.0]))


def _words(rng: random.Random, kind: str, text: str) -> Action:
    if kind == "answer":
        return {"kind": kind, "text": text}
    target = rng.choice([None, ("point", 5.0, 5.0), ("element", "field")])
    marks = {"clear": rng.random() < 0.5, "submit": rng.random() < 0.5}
    return {"kind": kind, "text": text, "target": target} | marks


def _key(rng: random.Random) -> Action:
    key, name = rng.choice(KEYS)
    if key == "other" and rng.random() < 0.4:
        name = rng.choice([None, "keycode_camera"])
    return {"kind": "press_key", "key": key, "name": name}


def _app(rng: random.Random) -> Action:
    app = rng.choice(APPS)
    if rng.random() < 0.1:
        app = rng.choice([f" {app}", unicodedata.normalize("NFD", app)])
    return {"kind": "open_app", "app": app}


def _wait(rng: random.Random) -> Action:
    return {"kind": "wait", "duration_us": rng.choice([None, 0, 5_000_000])}


def _end(rng: random.Random) -> Action:
    ending = rng.choice(["complete", "impossible"])
    return {"kind": "finish", "ending": ending, "reason": rng.choice([None, "done"])}


def _other(rng: random.Random) -> Action:
    return {"kind": "other", "name": rng.choice(["fingers", "wake"])}


def _any(rng: random.Random) -> Action:
    """Any action at all."""
    if rng.random() < 0.3:
        return _tap(rng.choice(TAPS), ("point", rng.uniform(0, 700), rng.uniform(0, 900)))
    if rng.random() < 0.3:
        return _words(rng, rng.choice(["type_text", "answer"]), rng.choice(TEXTS))
    makers: list[Callable[[random.Random], Action]] = [
        _stroke, _stroke, _key, _app, _wait, _end, _a_pinch, _other,
    ]  # fmt: skip
    return rng.choice(makers)(rng)


ON_THRESHOLD: list[Callable[[random.Random], Case]] = [
    *[_reach] * 5, *[_edge_of_region] * 4, *[_nine_tenths] * 3, *[_diagonal] * 3, _pinch_edge,
    *[_text_edge] * 3,
]  # fmt: skip
ELSEWHERE: list[Callable[[random.Random], Case]] = [
    *[_plain_tap] * 6, _off_screen, *[_box_answer] * 2, _element_answer, _element_gold, _no_frame,
    *[_scaled_frame] * 2, *[_strokes] * 3, *[_texts] * 3, *[_same_kind] * 5, *[_any_two] * 3,
    *[_no_answer] * 2, *[_several] * 4,
]  # fmt: skip
