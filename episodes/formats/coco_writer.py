"""Writes the regions of episodes as COCO: pictures, boxes, masks, and what kind of element each is.

An image is a step with its picture. A category is the kind of element that a region covers best in
the step's tree, "Button", or "region" where none is covered well. Where a region comes from, and
what became of it, stands in `attributes`.

Source: "Data format" of cocodataset.org.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from episodes.annotations import Region
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats import taptrail_values as v
from episodes.formats.coco_masks import area_of, runs_of
from episodes.formats.input_files import StillPaths, is_file_name
from episodes.formats.output_files import (
    SUFFIXES,
    EpisodeWriter,
    WriteReport,
    copy_still,
    may_export,
    new_folder,
    steps_to_write,
    write_all,
)
from episodes.geometry import Size
from episodes.screens import Frame, Still
from episodes.steps import Step
from episodes.trees.step_trees import (
    TREE_OF_ANOTHER_SCREEN,
    NoTree,
    has_tree_of_another_screen,
    tree_on_frame,
)
from episodes.trees.values import Node

FILE = "annotations.json"
FOLDER = "images"
PARTS = (f"{FILE}.images", f"{FILE}.annotations", f"{FILE}.part")
REGION = "region"
WELL = 0.5
MAX_KIND = 60


def write(
    episodes: Iterable[Episode], folder: Path, stills: StillPaths, version: str = "1"
) -> WriteReport:
    """Writes `annotations.json` and `images/` into a new folder.

    Raises:
        KnownError: the folder is not empty, a picture is missing, or the disk is full.
    """
    doing = f"export COCO to {folder}"
    with new_folder(folder, (FOLDER, FILE, *PARTS), doing):
        try:
            return write_all(_Writer(folder, stills, doing), episodes)
        except OSError as error:
            found = f"{folder / FILE}: {error.strerror or error}"
            raise KnownError(doing, found, "Make room or choose another folder.") from error


class _Writer(EpisodeWriter):
    """Writes images and annotations as they come; the file is put together at the end."""

    def __init__(self, folder: Path, stills: StillPaths, doing: str) -> None:
        super().__init__(folder, stills, doing)
        self._images, self._annotations = (
            (folder / name).open("w", encoding="utf-8") for name in PARTS[:2]
        )
        self._image_count = self._annotation_count = 0
        self._categories: dict[str, int] = {REGION: 1}
        self._file_names: set[str] = set()

    def episode(self, episode: Episode) -> None:
        """Writes the steps of an episode that have a picture."""
        if not may_export(episode, self.written):
            return
        for where, step in steps_to_write(episode, self.written):
            frame = step.frame
            if frame is not None and frame.still is not None:
                self._step(step, frame, frame.still, episode, where)
                self.written.steps += 1
            else:
                for _ in step.regions or (None,):
                    self.written.count_loss("a step without a picture, and its regions", where)
        self.written.episodes += 1

    def close(self) -> None:
        """Puts the file together."""
        self._images.close()
        self._annotations.close()
        part = self._folder / PARTS[2]
        categories = [{"id": number, "name": name} for name, number in self._categories.items()]
        with part.open("wb") as whole:
            whole.write(
                b'{"info": {"description": "Regions marked in Taptrail"}, "licenses": [],\n'
            )
            whole.write(b'"categories": ' + json.dumps(categories, ensure_ascii=False).encode())
            for key, name in (("images", PARTS[0]), ("annotations", PARTS[1])):
                whole.write(f',\n"{key}": [\n'.encode())
                with (self._folder / name).open("rb") as rows:
                    shutil.copyfileobj(rows, whole)
                whole.write(b"]")
            whole.write(b"}\n")
        part.replace(self._folder / FILE)
        for name in PARTS[:2]:
            (self._folder / name).unlink()

    def abandon(self) -> None:
        """Lets go of the files; the folder takes them away."""
        self._images.close()
        self._annotations.close()

    def _step(self, step: Step, frame: Frame, still: Still, episode: Episode, where: str) -> None:
        name = self._name(episode.name, step.index, SUFFIXES[still.media_type])
        copy_still(still, self._stills, self._folder / FOLDER / name, self._doing)
        self.written.pictures += 1
        self._image_count += 1
        image = {
            "id": self._image_count,
            "file_name": f"{FOLDER}/{name}",
            "width": still.size.width,
            "height": still.size.height,
            "uuid": episode.uuid,
            "episode": episode.name,
            "step": step.index,
        }
        _row(self._images, image, self._image_count)
        nodes = _nodes(step, frame.size)
        if step.regions and has_tree_of_another_screen(step):
            self.written.count_loss(TREE_OF_ANOTHER_SCREEN, where)
        for region in step.regions:
            if region.box is None:
                self.written.count_loss("a region without a box", where)
                continue
            self._annotation_count += 1
            row = self._annotation(region, frame.size, still.size, nodes)
            _row(self._annotations, row, self._annotation_count)

    def _annotation(
        self, region: Region, frame: Size, picture: Size, nodes: list[Node]
    ) -> dict[str, Any]:
        box = region.box
        assert box is not None
        across, down = picture.width / frame.width, picture.height / frame.height
        runs = runs_of(region.mask, frame, picture) if region.mask is not None else None
        kind = _kind(region, nodes)
        return {
            "id": self._annotation_count,
            "image_id": self._image_count,
            "category_id": self._categories.setdefault(kind, len(self._categories) + 1),
            "bbox": [box.left * across, box.top * down, box.width * across, box.height * down],
            "area": area_of(runs) if runs is not None else box.area * across * down,
            "iscrowd": 0,
            "segmentation": runs if runs is not None else [],
            "attributes": {
                "uuid": region.uuid,
                "label": region.label,
                "status": region.status.value,
                "chosen": region.chosen,
                "provenance": v.plain(region.provenance),
                "author": v.plain(region.author) if region.author is not None else None,
            },
        }

    def _name(self, episode: str, step: int, suffix: str) -> str:
        stem = f"{episode}_{step}"
        if not is_file_name(stem + suffix):
            stem = f"episode_{step}"
        name, number = stem + suffix, 1
        while name in self._file_names:
            number += 1
            name = f"{stem}-{number}{suffix}"
        self._file_names.add(name)
        return name


def _row(stream: Any, value: dict[str, Any], number: int) -> None:
    comma = "" if number == 1 else ",\n"
    stream.write(comma + json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _nodes(step: Step, size: Size) -> list[Node]:
    tree = tree_on_frame(step.tree, size)
    return [] if isinstance(tree, NoTree) else list(tree.walk())


def _kind(region: Region, nodes: list[Node]) -> str:
    """The kind of the element that a region covers best; of equal ones the innermost."""
    assert region.box is not None
    best, kind = WELL, ""
    for node in nodes:
        covered = region.box.overlap(node.box)
        if node.class_name and covered >= best:
            best, kind = covered, node.class_name.rpartition(".")[2]
    return kind[:MAX_KIND] if kind.isprintable() and kind else REGION
