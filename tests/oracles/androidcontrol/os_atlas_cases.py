"""Random steps with a raw answer each, for OS-Atlas's rule."""

import random

from tests.oracles.androidcontrol.making import (
    DIRECTIONS,
    NO_JSON,
    Case,
    Maker,
    action,
    case,
)
from tests.oracles.androidcontrol.os_atlas import END, answer_of

SILENT = {
    "no_header": "an answer without the exact header",
    "two_headers": "an answer with the header twice",
    "no_point": "a CLICK or LONG_PRESS with fewer than two numbers",
    "odd_point": "more than two numbers, or numbers with a fraction",
    "empty_brackets": "a TYPE or OPEN_APP with nothing between its brackets",
    "letter_case": "a first word that differs in letter case",
    "other_type_without_word": "TYPE or OPEN_APP without a word, where another type is right",
    "outer_space": "spaces or line ends around the action",
    "joined": "the type's name has other characters joined to it",
}
SIZE = (1000, 1000)  # so that the data set's pixels are the thousandths of the answer
SHORT = ["TYPE", "OPEN_APP", "TYPE den", "OPEN_APP mind", "TYPE ", "TYPE\n", "OPEN_APP >|_<"]


def _case(rng: random.Random, kind: str, made: dict, said: str, threshold: bool = False) -> Case:
    """The gold action against a spoken one, in the form the model is asked for."""
    answer = said if rng.random() < 0.3 else said + END
    prediction = f"thoughts:\n{rng.choice(['tap it', '', 'see'])}\nactions:\n{answer}"
    gold = {"action": made, "size": SIZE, "answer": answer_of(made, SIZE)}
    return case(kind, threshold, gold=gold, prediction=prediction)


def _written(rng: random.Random, kind: str, x: int, y: int) -> str:
    return rng.choice(
        [
            f"{kind} <point>[[{x},{y}]]</point>",
            f"{kind} <point>[[{x}, {y}]]</point>",
            f"{kind} [[{x},{y}]]",
        ]
    )


def _distance_140(rng: random.Random) -> Case:
    made = action(rng, SIZE, rng.choice(["click", "click", "long_press"]))
    dx, dy = rng.choice([(140, 0), (0, 140), (84, 112), (112, 84), (99, 99), (98, 100), (99, 98)])
    x = made["x"] + rng.choice([-1, 1]) * (dx + rng.choice([0, 0, 0, -1, 1]))
    y = made["y"] + rng.choice([-1, 1]) * (dy + rng.choice([0, 0, 0, -1, 1]))
    written = _written(rng, made["action_type"].upper(), abs(x), abs(y))
    return _case(rng, "distance_140", made, written, True)


def _minus(rng: random.Random) -> Case:
    made = action(rng, SIZE, "click")
    x, y = made["x"] + rng.choice([-140, 140, 141, -141, 0]), made["y"]
    said = f"CLICK <point>[[-{abs(x)},{rng.choice(['', '-'])}{y}]]</point>"
    return _case(rng, "minus", made, said, True)


def _first_word(rng: random.Random) -> Case:
    kind = rng.choice(["input_text", "open_app"])
    made = action(rng, SIZE, kind)
    name, key = ("TYPE", "text") if kind == "input_text" else ("OPEN_APP", "app_name")
    wanted = made[key]
    word = wanted.split()[0]
    said = rng.choice(
        [f"[{wanted}]", f"[{word}]", f"[{word} and more]", word, wanted, f"[{word}q]", f"[ {word}]"]
    )
    return _case(rng, "first_word", made, f"{name} {said}", True)


def _end_token(rng: random.Random) -> Case:
    """Words that are eaten with the end token, in part or as a whole."""
    made = action(rng, SIZE, rng.choice(["input_text", "navigate_back", "wait", "status"]))
    said = ["PRESS_BACKend", "PRESS_BACK>", "<|im_end|>PRESS_BACK", "mend<PRESS_BACK", "WAITx"]
    said += ["WAIT<|im_end|><|im_end|>", "COMPLETEmin", "TYPE [hello", "TYPE hellomind"]
    return _case(rng, "end_token", made, rng.choice(said), True)


def _any_pair(rng: random.Random) -> Case:
    made = action(rng, SIZE)
    other = action(rng, SIZE) if rng.random() < 0.5 else made
    said = answer_of(other, SIZE)
    return _case(rng, "any_pair", made, said)


def _scroll(rng: random.Random) -> Case:
    made = action(rng, SIZE, "scroll")
    word = rng.choice([made["direction"], *DIRECTIONS]).upper()
    said = rng.choice(
        [f"[{word}]", f"[{word}]", f"[{word.lower()}]", word, f"[{word}", f"[{word}] q"]
    )
    return _case(rng, "scroll", made, f"SCROLL {said}")


def _invalid(rng: random.Random) -> Case:
    said = rng.choice(
        ["DANCE", "TAP <point>[[5,5]]</point>", "I would tap it", "Click the button", "PRESS_ENTER"]
        + [text for text in NO_JSON if text.strip(END).split()]
    )
    return _case(rng, "invalid", action(rng, SIZE), said)


def _empty(rng: random.Random) -> Case:
    said = rng.choice(["", END, " ", "\n", "mend", "<>", "<|im_end|><|im_end|>"])
    return _case(rng, "empty", action(rng, SIZE), said)


def _no_word(rng: random.Random) -> Case:
    made = action(rng, SIZE)
    said = rng.choice(SHORT)
    same = answer_of(made, SIZE).split()[0] == said.split()[0]
    return _case(rng, "no_word" if same else "other_type_without_word", made, said)


def _silent(rng: random.Random) -> Case:
    choice = rng.choice(list(SILENT))
    made = action(rng, SIZE, "click")
    point = _written(rng, "CLICK", made["x"], made["y"])
    if choice == "no_header":
        gold = {"action": made, "size": SIZE, "answer": answer_of(made, SIZE)}
        form = rng.choice(
            ["{}", "Actions:\n{}", "actions: {}", "actions:\r\n{}", "ACTIONS:\n{}", "Action:\n{}"]
        )
        return case(choice, gold=gold, prediction=form.format(point))
    if choice == "two_headers":
        return _case(rng, choice, made, f"WAIT\nactions:\n{point}")
    if choice == "no_point":
        return _case(rng, choice, made, rng.choice(["CLICK", "CLICK here", "CLICK [[5]]"]))
    if choice == "odd_point":
        x, y = made["x"], made["y"]
        said = rng.choice([f"[[{x}.5,{y}.5]]", f"[[{x},{y},{x},{y}]]", f"[[{x}e0,{y}]]"])
        return _case(rng, choice, made, f"CLICK <point>{said}</point>")
    if choice == "empty_brackets":
        made = action(rng, SIZE, rng.choice(["input_text", "open_app"]))
        name = "TYPE" if made["action_type"] == "input_text" else "OPEN_APP"
        return _case(rng, choice, made, f"{name} {rng.choice(['[]', '[ ]'])}")
    if choice == "letter_case":
        made = {"action_type": "open_app", "app_name": rng.choice(["Chrome", "Google Maps"])}
        return _case(rng, choice, made, f"OPEN_APP [{made['app_name'].lower()}]")
    if choice == "outer_space":
        made = action(rng, SIZE, rng.choice(["navigate_back", "scroll"]))
        said = answer_of(made, SIZE)
        return _case(rng, choice, made, rng.choice([f"{said}\n", f" {said}", f"{said} "]))
    if choice == "joined":
        return _case(rng, choice, made, rng.choice([point.replace(" ", "", 1), f"{point}\nWAIT"]))
    return _no_word(rng)


THRESHOLD: list[Maker] = [
    _distance_140,
    _distance_140,
    _distance_140,
    _minus,
    _first_word,
    _end_token,
]
ELSEWHERE: list[Maker] = [
    *[_any_pair] * 5, *[_scroll] * 2, *[_invalid] * 2, _empty, _no_word, *[_silent] * 3,
]  # fmt: skip
