"""COCO files of regions, read as candidates for the steps of episodes that are there already.

An image says which step it shows: by `uuid` (or `episode`) and `step`, as `taptrail export coco`
writes them, or by its name, `<episode>_<step>.png`. A box becomes a region, its runs a mask, its
category a label where it has none of its own. Nothing is chosen or accepted: people decide that.

Source: "Data format" of cocodataset.org.
"""

from __future__ import annotations

import math
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from episodes.annotations import Author, Provenance, Region, RegionSource, Status
from episodes.codec import BadValue
from episodes.errors import KnownError
from episodes.formats import taptrail_values as v
from episodes.formats.coco_masks import mask_of
from episodes.formats.coco_writer import FILE, REGION
from episodes.formats.input_files import ImportNote, Refused, file_bytes, file_in_folder, sha256_hex
from episodes.geometry import MAX_SIDE, Box, Size

MAX_BYTES = 512 * 1024 * 1024
MAX_NAME = 400
MAX_LABEL = 1_000
MAX_INDEX = 1_000_000
FARTHEST = 1e9

_NAMED = re.compile(
    r"(?:.{0,2000}[/\\])?(?P<episode>[^/\\]{1,200})_(?P<step>[0-9]{1,7})\.[A-Za-z]{1,5}"
)


@dataclass(frozen=True, slots=True)
class StepRegions:
    """Candidates for one step.

    Attributes:
        uuid, episode: of the step's episode; one of them may be "".
        size: of the picture that the boxes are in.
        where: file and image, for a report.
    """

    uuid: str
    episode: str
    step: int
    size: Size
    regions: tuple[Region, ...]
    where: str


class _Image(msgspec.Struct):
    id: int
    width: int
    height: int
    file_name: str = ""
    uuid: str = ""
    episode: str = ""
    step: int | None = None


class _Annotation(msgspec.Struct):
    id: int
    image_id: int
    bbox: list[float]
    category_id: int = 0
    segmentation: Any = None
    attributes: dict[str, Any] | None = None


class _Category(msgspec.Struct):
    id: int
    name: str


class _File(msgspec.Struct):
    images: list[msgspec.Raw]
    annotations: list[msgspec.Raw]
    categories: list[_Category] = []


def read_regions(path: Path) -> Iterator[StepRegions | Refused | ImportNote]:
    """Yields the candidates of a file, or of `annotations.json` in a folder, image by image.

    Raises:
        KnownError: there is no such file, or it is not a COCO file.
    """
    doing = f"read {FILE if path.is_dir() else path.name}"
    file = file_in_folder(path, FILE, doing) if path.is_dir() else path
    data = file_bytes(file, doing, MAX_BYTES)
    try:
        told = msgspec.json.decode(data, type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise KnownError(
            doing, f"it is no COCO file ({error})", "Give a file with images and annotations."
        ) from error
    kinds = {one.id: one.name for one in told.categories}
    of_image: dict[int, list[Region]] = {}
    for number, raw in enumerate(told.annotations):
        where = f"{file.name} annotations[{number}]"
        try:
            annotation = msgspec.json.decode(raw, type=_Annotation)
            region = _region(annotation, kinds, file.name)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
            yield Refused(where, str(error))
            continue
        if annotation.segmentation and region.mask is None and not _runs(annotation.segmentation):
            yield ImportNote(where, "its outline is no list of run lengths; its box is read")
        of_image.setdefault(annotation.image_id, []).append(region)
    for number, raw in enumerate(told.images):
        where = f"{file.name} images[{number}]"
        try:
            image = msgspec.json.decode(raw, type=_Image)
            regions = of_image.pop(image.id, [])
            found = _step(image, regions, where)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
            yield Refused(where, str(error))
            continue
        if found.regions:
            yield found
    for image_id, regions in of_image.items():
        yield Refused(file.name, f"there is no image {image_id}", len(regions))


def _step(image: _Image, regions: list[Region], where: str) -> StepRegions:
    if not 0 < image.width <= MAX_SIDE or not 0 < image.height <= MAX_SIDE:
        raise ValueError(f"it is {image.width} by {image.height} pixels, which no screen is")
    named = _NAMED.fullmatch(image.file_name)
    episode, step = image.episode, image.step
    if step is None and named is not None:
        episode, step = named["episode"], int(named["step"])
    if step is None or not (image.uuid or episode):
        raise ValueError("it does not say which step it shows")
    if max(len(image.uuid), len(episode)) > MAX_NAME or not 0 <= step < MAX_INDEX:
        raise ValueError("it names no step that there could be")
    home = image.uuid or episode
    return StepRegions(
        image.uuid,
        episode,
        step,
        Size(image.width, image.height),
        tuple(region if region.uuid else _named(region, home, step) for region in regions),
        where,
    )


def _region(told: _Annotation, kinds: dict[int, str], file: str) -> Region:
    if len(told.bbox) != 4 or not all(math.isfinite(n) and abs(n) < FARTHEST for n in told.bbox):
        raise ValueError("its bbox is not left, top, width and height")
    left, top, width, height = told.bbox
    if width <= 0 or height <= 0:
        raise ValueError(f"its bbox is {width:g} by {height:g}: nothing is in it")
    given = told.attributes or {}
    kind = kinds.get(told.category_id, "")
    label = given.get("label")
    if not isinstance(label, str):
        label = "" if kind == REGION else kind
    return Region(
        Box(left, top, left + width, top + height),
        _provenance(given.get("provenance"), file),
        label[:MAX_LABEL],
        mask_of(told.segmentation) if _runs(told.segmentation) else None,
        status=Status.PROPOSED,
        author=_author(given.get("author")),
        uuid=_uuid(given.get("uuid")),
    )


def _runs(told: Any) -> bool:
    """Returns whether an outline is given in plain run lengths, not polygons or packed runs."""
    return isinstance(told, dict) and isinstance(told.get("counts"), list)


def _provenance(told: Any, file: str) -> Provenance:
    try:
        return v.simple(Provenance, told, "provenance")
    except BadValue:
        return Provenance(RegionSource.IMPORT, model="coco", version=file[:200])


def _author(told: Any) -> Author | None:
    try:
        return v.simple(Author, told, "author")
    except BadValue:
        return None


def _uuid(told: Any) -> str:
    try:
        return str(uuid.UUID(told)) if isinstance(told, str) else ""
    except ValueError:
        return ""


def _named(region: Region, home: str, step: int) -> Region:
    """Gives a region the same uuid whenever its file is read, so that it is imported once."""
    mask = sha256_hex(region.mask.png) if region.mask is not None else ""
    key = f"taptrail:coco/{home}/{step}/{region.box}/{region.label}/{mask}"
    return replace(region, uuid=str(uuid.uuid5(uuid.NAMESPACE_URL, key)))
