"""Where a prompt is for the model: the square it is shown, and pixels in the model's own square.

SAM 2 squashes whatever it is shown to a square. A whole phone screen would lose half of its
height, so by default it is shown a square as wide as the screen, around the prompt.
"""

from __future__ import annotations

import math

from annotator.sam2.values import Prompt
from episodes.errors import KnownError
from episodes.geometry import Box, Point, Size

SNAP = 8
"""Views begin at multiples of their side's eighth, so that presses near one another share one."""
MAX_PLACES = 64
"""More points than this are no prompt a person made."""

INSIDE, OUTSIDE, CORNER_A, CORNER_B = 1, 0, 2, 3
"""SAM 2's labels: a point of the thing, one beside it, a box's top left, its bottom right."""


def whole_view(size: Size) -> Box:
    """Returns the view that shows the whole frame."""
    return Box(0, 0, size.width, size.height)


def square_view(prompt: Prompt, size: Size) -> Box:
    """Returns the square the model is shown: as wide as the screen's shorter side, whole pixels.

    It holds all places of the prompt; where they lie too far apart for it, the whole frame.
    """
    side = min(size.width, size.height)
    places = prompt_points(prompt)
    left = _begin([one.x for one in places], side, size.width)
    top = _begin([one.y for one in places], side, size.height)
    if left is None or top is None:
        return whole_view(size)
    return Box(left, top, left + side, top + side)


def prompt_points(prompt: Prompt) -> list[Point]:
    """Returns all points of a prompt, a box's corners among them."""
    corners = []
    if prompt.box is not None:
        corners = [
            Point(prompt.box.left, prompt.box.top),
            Point(prompt.box.right, prompt.box.bottom),
        ]
    return [*corners, *prompt.points, *prompt.avoid]


def check_prompt(prompt: Prompt, view: Box, size: Size) -> None:
    """Looks whether the model can be asked this.

    Raises:
        KnownError: the view is not within the frame, or a place not within the view.
    """
    doing = "ask SAM 2"
    edges = (view.left, view.top, view.right, view.bottom)
    if view.area == 0 or view.intersection(whole_view(size)) != view:
        raise KnownError(
            doing, f"the view {edges} is not within the {size} frame", "Choose another view."
        )
    if any(edge != int(edge) for edge in edges):
        raise KnownError(doing, f"the view {edges} has half pixels", "Round the view's edges.")
    places = prompt_points(prompt)
    if len(places) > MAX_PLACES:
        raise KnownError(doing, f"{len(places)} points were given", f"Give up to {MAX_PLACES}.")
    for one in places:
        # A box may end on the view's last edge, a point may not.
        if not (view.left <= one.x <= view.right and view.top <= one.y <= view.bottom):
            raise KnownError(
                doing,
                f"({one.x:g}, {one.y:g}) is outside the part of the screen that is looked at",
                "Point inside of it, or look at the whole screen.",
            )


def to_model_points(
    prompt: Prompt, view: Box, side: int
) -> tuple[list[tuple[float, float]], list[int]]:
    """Returns the prompt's places in pixels of the model's square, and their labels.

    The box's corners come first, as the official predictor has it.

    Args:
        side: of the square the view is squashed to, in pixels.
    """
    labels = [CORNER_A, CORNER_B] if prompt.box is not None else []
    labels += [INSIDE] * len(prompt.points) + [OUTSIDE] * len(prompt.avoid)
    coords = [
        ((one.x - view.left) / view.width * side, (one.y - view.top) / view.height * side)
        for one in prompt_points(prompt)
    ]
    return coords, labels


def _begin(at: list[float], side: int, whole: int) -> int | None:
    """Where a stretch of `side` pixels begins that holds all places, as central as can be."""
    low, high = min(at), max(at)
    if high - low > side:
        return None
    middle = (low + high) / 2 - side / 2
    step = max(1, side // SNAP)
    begin = min(max(round(middle / step) * step, 0), whole - side)
    # Snapping may have pushed a far place out.
    begin = min(begin, math.floor(low))
    begin = max(begin, math.ceil(high) - side, 0)
    return begin if begin <= whole - side else None
