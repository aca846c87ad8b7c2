"""Counts statements, duplicate class names and duplicated blocks, for the table of ADR 0016.

    python tools/count_code.py [FOLDER ...]

Each folder is a checkout; without one it is this one. Prints a Markdown table with a column for
each. A statement is a node of the syntax tree of a statement's type, docstrings left out; so
formatting, comments and docstrings do not count. A duplicated block is a run of six or more equal
lines at two places, imports and docstrings left out.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

ROOMS = (
    *("episodes", "scoring", "recorder", "annotator", "replay", "tasks", "agents", "taptrail"),
    *("demophone", "tests", "tools", "benchmarks"),
)
PRODUCT = ROOMS[:8]
BLOCK = 6


def parsed(folder: Path) -> dict[Path, ast.Module]:
    """Returns the syntax trees of a room without docstrings, by file."""
    found = {}
    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(body := getattr(node, "body", None), list):
                node.body = [one for one in body if not _is_text(one)]
        found[path] = tree
    return found


def _is_text(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def statements(trees: dict[Path, ast.Module]) -> int:
    """Returns how many statements there are."""
    return sum(isinstance(node, ast.stmt) for tree in trees.values() for node in ast.walk(tree))


def duplicate_classes(trees: dict[Path, ast.Module]) -> int:
    """Returns how many public names of classes are defined more than once."""
    names = Counter(
        node.name
        for tree in trees.values()
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    return sum(count > 1 for count in names.values())


def duplicated_lines(trees: dict[Path, ast.Module]) -> int:
    """Returns how many lines are in blocks that stand at several places."""
    places = defaultdict(list)
    for path, tree in trees.items():
        lines = [line.strip() for line in ast.unparse(tree).splitlines() if line.strip()]
        lines = [line for line in lines if not re.match(r"(from|import) ", line)]
        for at in range(len(lines) - BLOCK + 1):
            places[tuple(lines[at : at + BLOCK])].append((path, at))
    found = {
        (path, at + more)
        for several in places.values()
        if len(several) > 1
        for path, at in several
        for more in range(BLOCK)
    }
    return len(found)


def column(folder: Path) -> list[int]:
    """Returns the numbers of one checkout, in the order of the table's rows."""
    rooms = {room: parsed(folder / room) for room in ROOMS}
    product = {path: tree for room in PRODUCT for path, tree in rooms[room].items()}
    counts = {room: statements(trees) for room, trees in rooms.items()}
    return [
        *(counts[room] for room in ROOMS),
        sum(counts[room] for room in PRODUCT),
        sum(counts.values()) - counts["demophone"],
        duplicate_classes(product),
        duplicated_lines(product),
    ]


def main() -> None:
    """Prints the table."""
    folders = [Path(word) for word in sys.argv[1:]] or [Path(__file__).resolve().parents[1]]
    columns = [column(folder) for folder in folders]
    names = [
        *(f"statements in `{room}`" for room in ROOMS),
        "statements of the program, without `demophone`",
        "statements of everything but `demophone`",
        "public class names defined more than once",
        f"lines in blocks of {BLOCK} or more that stand at several places",
    ]
    print(f"| | {' | '.join(folder.resolve().name for folder in folders)} |")
    print(f"| --- |{' --- |' * len(columns)}")
    for name, *cells in zip(names, *columns, strict=True):
        print(f"| {name} | {' | '.join(f'{cell:,}' for cell in cells)} |")


if __name__ == "__main__":
    main()
