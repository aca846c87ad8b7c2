"""Every number of things agrees with its noun: `tr` is given both forms."""

import ast
import re
from pathlib import Path

GUI = Path(__file__).parents[2] / "taptrail" / "gui"
NOUNS = (
    "steps|episodes|presses|attempts|packets|characters|pictures|frames|findings|runs|people|screens"
    "|targets|files|changes|sources|points of"
)
COUNTED = re.compile(rf"\{{[a-z_]+(:,)?\}} ({NOUNS})\b")


def calls() -> list[tuple[str, list[str]]]:
    found = []
    for file in sorted(GUI.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "tr":
                texts = [a.value for a in node.args if isinstance(a, ast.Constant)]
                found.append((f"{file.name}:{node.lineno}", texts))
    return found


def test_a_counted_noun_has_a_form_for_one() -> None:
    assert [one for one in calls() if len(one[1]) == 1 and COUNTED.search(one[1][0])] == []


def test_the_form_for_one_names_one_thing() -> None:
    pairs = [(where, texts) for where, texts in calls() if len(texts) == 2]
    assert len(pairs) > 30
    assert [one for one in pairs if COUNTED.search(one[1][0])] == []
