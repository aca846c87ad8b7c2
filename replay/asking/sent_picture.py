"""The picture a model is sent: resized by the recipe's rule, encoded, and hashed by its pixels."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from PIL import Image

from episodes.errors import KnownError
from episodes.geometry import MAX_SIDE, Size
from episodes.media import pictures
from replay.asking.recipe import Picture
from replay.coordinates import RESIZE_RULES, ResizeRule, shrink_to_longest, smart_resize

_FILTERS = {
    "bicubic": Image.Resampling.BICUBIC,
    "bilinear": Image.Resampling.BILINEAR,
    "lanczos": Image.Resampling.LANCZOS,
    "area": Image.Resampling.BOX,
}
_SMART = re.compile(r"smart:([1-9][0-9]{0,3}):([1-9][0-9]{0,9}):([1-9][0-9]{0,9})")
_LONGEST = re.compile(r"longest:([1-9][0-9]{0,4})")
_EXACT = re.compile(r"([1-9][0-9]{0,4})x([1-9][0-9]{0,4})")
# Screens are flat: without filters a PNG is as small, and made in half the time.
_PNG = [cv2.IMWRITE_PNG_COMPRESSION, 1]
if hasattr(cv2, "IMWRITE_PNG_FILTER"):  # since OpenCV 4.12
    _PNG += [cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_NONE]
MARK_COLOURS = ((214, 39, 40), (31, 119, 180), (44, 160, 44), (148, 103, 189), (196, 78, 0))
MARK_SHARE = 40
"""The picture's shorter side in heights of a mark's number."""

Mark = tuple[int, tuple[int, int, int, int]]
"""An element's number, and its box (left, top, right, bottom) in pixels of the sent picture."""


@dataclass(frozen=True, slots=True)
class SentPicture:
    """An encoded picture.

    Attributes:
        pixels_sha256: of width, height and the RGB bytes, so that two encoders give the same hash;
            of the file for a picture sent as it is stored ("file:" in front).
    """

    data: bytes
    media_type: str
    size: Size
    pixels_sha256: str


@dataclass(frozen=True, slots=True)
class PictureRule:
    """A resize rule of a recipe.

    Attributes:
        space: the pixels of the resized picture as a space of coordinates.
        resize: returns the size of the picture that is sent.
        smart: the numbers of the rule, for rules of Qwen's kind.
    """

    space: str
    resize: Callable[[Size], Size]
    smart: ResizeRule | None = None


def picture_rule(picture: Picture, doing: str = "read the recipe") -> PictureRule:
    """Returns the resize rule that a recipe names.

    Raises:
        KnownError: there is no such rule.
    """
    rule = picture.rule
    if rule == "as it is":
        return PictureRule("pixels", lambda size: size)
    smart = RESIZE_RULES.get(rule)
    if numbers := _SMART.fullmatch(rule):
        smart = ResizeRule(*(int(number) for number in numbers.groups()))
    if smart is not None and smart.min_pixels <= smart.max_pixels:
        held = smart
        space = f"resized:{held.factor}:{held.min_pixels}:{held.max_pixels}"
        return PictureRule(space, lambda size: _smart(size, held, doing), held)
    if longest := _LONGEST.fullmatch(rule):
        limit = min(int(longest[1]), MAX_SIDE)
        return PictureRule(f"resized:{rule}", lambda size: shrink_to_longest(size, limit))
    if exact := _EXACT.fullmatch(rule):
        size = Size(min(int(exact[1]), MAX_SIDE), min(int(exact[2]), MAX_SIDE))
        return PictureRule(f"resized:{size.width}x{size.height}", lambda _: size)
    raise KnownError(
        doing,
        f"there is no picture rule “{rule}”",
        f"Use “as it is”, {', '.join(RESIZE_RULES)}, smart:FACTOR:MIN:MAX, longest:N or WxH.",
    )


def _smart(size: Size, rule: ResizeRule, doing: str) -> Size:
    try:
        return smart_resize(size, rule)
    except ValueError as error:
        raise KnownError(doing, str(error), "Use another picture rule.") from error


def check_fixed_point(picture: Picture, rule: PictureRule, sent: Size) -> None:
    """Refuses a picture that a server with the same rule would resize again.

    Raises:
        KnownError: the recipe says that the client sizes pictures, and the rule changes this size.
    """
    if picture.sized_by != "client" or rule.smart is None:
        return
    again = rule.resize(sent)
    if again != sent:
        raise KnownError(
            "send a picture sized by the client",
            f"a server with the same rule makes {again.width}x{again.height} of the "
            f"{sent.width}x{sent.height} that are sent",
            'Use other limits in [picture], or sized_by = "server".',
        )


def draw_marks(image: Image.Image, marks: Sequence[Mark]) -> Image.Image:
    """Returns a copy with each element's box, and its number at the box's upper left corner.

    Boxes and numbers of neighbours have different colours. Small boxes are drawn last.
    """
    canvas = np.array(image.convert("RGB"))
    side = min(canvas.shape[:2])
    line = max(1, round(side / 360))
    scale = side / MARK_SHARE / 22  # the font's capitals are 21 pixels high at scale 1
    ordered = sorted(marks, key=lambda mark: -_area(mark[1]))
    for number, (left, top, right, bottom) in ordered:
        colour = MARK_COLOURS[number % len(MARK_COLOURS)]
        cv2.rectangle(canvas, (left, top), (right - 1, bottom - 1), colour, line)
    for number, (left, top, _, _) in ordered:
        colour = MARK_COLOURS[number % len(MARK_COLOURS)]
        text = str(number)
        (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, line)
        end = (left + width + 2 * line, top + height + 4 * line)
        cv2.rectangle(canvas, (left, top), end, colour, cv2.FILLED)
        at = (left + line, top + height + 2 * line)
        cv2.putText(canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (255, 255, 255), line)
    return Image.fromarray(canvas)


def _area(box: tuple[int, int, int, int]) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def prepare(
    data: bytes, sha256: str, media_type: str, picture: Picture, marks: Sequence[Mark] = ()
) -> SentPicture:
    """Returns a stored picture as the recipe sends it.

    Args:
        data: the bytes of the library's file.
        sha256, media_type: of that file.
        marks: the elements that are drawn on it.

    Raises:
        KnownError: the picture is damaged, or its size is none that may be sent.
    """
    rule = picture_rule(picture)
    size = pictures.header(data).size
    target = rule.resize(size)
    kept = picture.format == "as it is" or media_type == f"image/{picture.format}"
    if target == size and kept and not marks:
        return SentPicture(data, media_type, size, f"file:{sha256}")
    image = Image.fromarray(pictures.decode(data))
    if target != size:
        image = image.resize((target.width, target.height), _FILTERS[picture.resample])
    if marks:
        image = draw_marks(image, marks)
    pixels = np.asarray(image)
    if picture.format == "jpeg":
        stream = io.BytesIO()
        image.save(stream, "JPEG", quality=picture.quality)
        sent = stream.getvalue()
    else:
        sent = cv2.imencode(".png", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), _PNG)[1].tobytes()
    digest = hashlib.sha256(f"{target.width}x{target.height}\n".encode())
    digest.update(pixels.tobytes())
    encoded = "image/jpeg" if picture.format == "jpeg" else "image/png"
    return SentPicture(sent, encoded, target, digest.hexdigest())
