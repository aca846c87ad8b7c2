"""Draws the rooms of the code and the imports between them into docs/images/rooms.svg.

    python tools/rooms.py

The picture is made from the source, so it cannot differ from it; a test compares the two.
"""

from __future__ import annotations

import ast
from pathlib import Path
from xml.sax.saxutils import escape

PROJECT = Path(__file__).resolve().parents[1]
PICTURE = PROJECT / "docs" / "images" / "rooms.svg"

# The layers from people down to values, and in each the rooms with what lives there.
LAYERS: tuple[tuple[tuple[str, str], ...], ...] = (
    (("taptrail", "command line and window"),),
    (("agents", "models that drive a phone"),),
    (("tasks", "task files, checks, benches"),),
    (
        ("recorder", "phones, frames, steps"),
        ("annotator", "targets, lint, SAM 2"),
        ("replay", "predictions, runs, reports"),
    ),
    (("scoring", "protocols and statistics"),),
    (("episodes", "values, trees, store, formats"),),
)
APART = ("demophone", "a simulated phone")
WIDTH, HEIGHT, ACROSS, DOWN = 210, 58, 250, 104
STYLE = """
  .room { fill: #f4f6fa; stroke: #51607a; rx: 8 }
  .name { font: 600 15px sans-serif; fill: #16202f }
  .what { font: 12px sans-serif; fill: #51607a }
  .arrow { stroke: #8a97ad; stroke-width: 1.4; fill: none; marker-end: url(#head) }
"""


def imports() -> set[tuple[str, str]]:
    """Returns (room, imported room) of modules that import one another.

    A pair that longer ways imply is left out: what `replay` may import, `taptrail` may, too.
    """
    rooms = {name for layer in LAYERS for name, _ in layer} | {APART[0]}
    found = set()
    for room in rooms:
        for file in (PROJECT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Import):
                    names = [alias.name for alias in node.names]
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    names = [node.module]
                else:
                    continue
                found |= {(room, name.partition(".")[0]) for name in names}
    pairs = {(one, other) for one, other in found if other in rooms and one != other}
    return {(one, other) for one, other in pairs if not _implied(one, other, pairs)}


def _implied(one: str, other: str, pairs: set[tuple[str, str]]) -> bool:
    """Whether a longer way of arrows leads from one room to the other."""
    reached, waiting = set(), [room for start, room in pairs if start == one and room != other]
    while waiting:
        room = waiting.pop()
        if room not in reached:
            reached.add(room)
            waiting += [further for start, further in pairs if start == room]
    return other in reached


def picture() -> str:
    """Returns the SVG."""
    layers = [
        [room for room in layer if (PROJECT / room[0] / "__init__.py").is_file()]
        for layer in LAYERS
    ]
    layers = [layer for layer in layers if layer]
    width = ACROSS * 4
    places: dict[str, tuple[float, float]] = {}
    boxes = []
    for row, layer in enumerate(layers):
        for column, (name, what) in enumerate(layer):
            # Scoring stands below replay, so that the arrows past it cross no room.
            x = 20 + ACROSS * (1 + column - (len(layer) - 1) / 2 + (name == "scoring"))
            places[name] = (x, 20 + row * DOWN)
            boxes.append(_box(name, what, *places[name]))
    apart = (20 + ACROSS * 3, 20.0)
    boxes.append(_box(*APART, *apart))
    arrows = []
    for one, other in sorted(imports()):
        (x1, y1), (x2, y2) = places[one], places[other]
        start = (x1 + WIDTH / 2, y1 + HEIGHT)
        end = (x2 + WIDTH / 2, y2)
        middle = ((start[0] + end[0]) / 2, start[1] + 20)
        if other == "episodes" and x1 != x2:
            end = (x2 + (WIDTH if x1 > x2 else 0), y2 + HEIGHT / 2)
            middle = (x1 + WIDTH / 2, end[1])
        arrows.append(
            f'<path class="arrow" d="M{start[0]:g},{start[1]:g} '
            f'Q{middle[0]:g},{middle[1]:g} {end[0]:g},{end[1] - 2:g}"/>'
        )
    height = 20 + DOWN * len(layers)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}">',
            "<title>The rooms of Taptrail; an arrow means: imports</title>",
            f"<style>{STYLE}</style>",
            '<defs><marker id="head" markerWidth="8" markerHeight="8" refX="6" refY="3" '
            'orient="auto"><path d="M0,0 L6,3 L0,6" fill="none" stroke="#8a97ad"/></marker></defs>',
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
            *arrows,
            *boxes,
            "</svg>",
            "",
        ]
    )


def _box(name: str, what: str, x: float, y: float) -> str:
    return (
        f'<rect class="room" x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="8"/>'
        f'<text class="name" x="{x + 14:g}" y="{y + 25:g}">{escape(name)}</text>'
        f'<text class="what" x="{x + 14:g}" y="{y + 43:g}">{escape(what)}</text>'
    )


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
