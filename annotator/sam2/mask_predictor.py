"""Answers one prompt on one frame: embedding from the cache or made, masks, boxes.

What the worker process does for a job, without the process; it needs torch only through the
session that it is given.
"""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from annotator.sam2 import cache as caches
from annotator.sam2.cache import EmbeddingCache, Maps
from annotator.sam2.geometry import check_prompt, square_view, to_model_points
from annotator.sam2.masks import make_proposal
from annotator.sam2.values import MaskProposal, ModelId, PictureFile, Prompt, Proposals
from episodes.errors import KnownError
from episodes.geometry import Box, Size
from episodes.media.pictures import decode, header

IN_MEMORY = 6
"""Number of embeddings in memory, 8 MB each."""
READY_IN_MEMORY = 2
"""Number of recently used embeddings that are prepared for the next request, 17 MB each."""
SIZES_IN_MEMORY = 1000

Picture = npt.NDArray[np.uint8]


class PictureSession(Protocol):
    """A loaded model; `ImageSession` is the one there is."""

    side: int

    def embed(self, pixels: Picture, wanted: Callable[[], bool] = ...) -> Maps:
        """Returns a picture's embedding."""
        ...

    def prepare(self, maps: Maps) -> Any:
        """Returns what all questions about an embedding share."""
        ...

    def ask(
        self, features: Any, places: list[tuple[float, float]], labels: list[int]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Returns three masks' logits and expected IoUs."""
        ...


class MaskPredictor:
    """A session with what it has embedded. For one thread."""

    def __init__(
        self, session: PictureSession, model: ModelId, cache: EmbeddingCache | None
    ) -> None:
        self._session = session
        self.model = model
        self._cache = cache
        self._recent: OrderedDict[str, Maps] = OrderedDict()
        self._ready: OrderedDict[str, Any] = OrderedDict()
        self._sizes: OrderedDict[str, Size] = OrderedDict()

    @property
    def damaged(self) -> int:
        """How many damaged embeddings were removed from the cache."""
        return self._cache.damaged if self._cache else 0

    def propose(
        self,
        frame: PictureFile,
        prompt: Prompt,
        view: Box | None = None,
        wanted: Callable[[], bool] = lambda: True,
    ) -> Proposals:
        """Returns the masks the prompt may mean.

        Raises:
            KnownError: the picture cannot be read, or the prompt is not on it.
            EmbeddingCancelled: `wanted` returned False.
        """
        started = time.perf_counter()
        view = self._view(frame, prompt, view)
        ready, warm = self._asked(frame, view, wanted)
        masks, refused = self._masks(ready, prompt, view)
        return Proposals(
            self.model,
            frame.sha256,
            view,
            prompt,
            masks,
            refused,
            warm,
            time.perf_counter() - started,
        )

    def warm(
        self,
        frame: PictureFile,
        prompt: Prompt,
        view: Box | None = None,
        wanted: Callable[[], bool] = lambda: True,
    ) -> Proposals:
        """Has the embedding ready that `propose` would need; the proposals have no masks.

        Raises:
            KnownError, EmbeddingCancelled: as `propose`.
        """
        started = time.perf_counter()
        view = self._view(frame, prompt, view)
        _, warm = self._embedding(frame, view, wanted)
        seconds = time.perf_counter() - started
        return Proposals(self.model, frame.sha256, view, prompt, (), warm=warm, seconds=seconds)

    def _view(self, frame: PictureFile, prompt: Prompt, view: Box | None) -> Box:
        size = self._size(frame)
        view = square_view(prompt, size) if view is None else view
        check_prompt(prompt, view, size)
        return view

    def _masks(
        self, ready: Any, prompt: Prompt, view: Box
    ) -> tuple[tuple[MaskProposal, ...], tuple[str, ...]]:
        places, labels = to_model_points(prompt, view, self._session.side)
        logits, scores = self._session.ask(ready, places, labels)
        masks, refused = [], []
        for number, (one, score) in enumerate(zip(logits, scores, strict=True), start=1):
            found = make_proposal(one, float(score), view, prompt)
            if isinstance(found, str):
                refused.append(f"mask {number} {found}")
            else:
                masks.append(found)
        return tuple(masks), tuple(refused)

    def _asked(self, frame: PictureFile, view: Box, wanted: Callable[[], bool]) -> tuple[Any, bool]:
        """A view's embedding ready to be asked, and whether the embedding was there already."""
        name = self._name(frame, view)
        there, ready = True, self._ready.get(name)
        if ready is None:
            maps, there = self._embedding(frame, view, wanted)
            ready = self._session.prepare(maps)
        _keep(self._ready, name, ready, READY_IN_MEMORY)
        return ready, there

    def _embedding(
        self, frame: PictureFile, view: Box, wanted: Callable[[], bool]
    ) -> tuple[Maps, bool]:
        """A view's embedding, and whether it was there already."""
        name = self._name(frame, view)
        maps = self._recent.get(name)
        if maps is None and self._cache is not None:
            maps = self._cache.get(name)
        there = maps is not None
        if maps is None:
            pixels = self._pixels(frame)
            cut = pixels[round(view.top) : round(view.bottom), round(view.left) : round(view.right)]
            maps = caches.to_half_precision(self._session.embed(cut, wanted))
            if self._cache is not None:
                self._cache.put(name, maps)
        _keep(self._recent, name, maps, IN_MEMORY)
        return maps, there

    def _name(self, frame: PictureFile, view: Box) -> str:
        return caches.embedding_key(frame.sha256, view, self.model.checkpoint, self._session.side)

    def _size(self, frame: PictureFile) -> Size:
        size = self._sizes.get(frame.sha256)
        if size is None:
            size = header(_bytes(frame)).size
            _keep(self._sizes, frame.sha256, size, SIZES_IN_MEMORY)
        return size

    def _pixels(self, frame: PictureFile) -> Picture:
        data = _bytes(frame)
        if hashlib.sha256(data).hexdigest() != frame.sha256:
            raise KnownError(
                f"segment {frame.path}",
                "the picture is not the one it was filed as; its sha256 is another",
                "Look at the library with: taptrail episodes check",
            )
        return decode(data)


def _keep(kept: OrderedDict[str, Any], name: str, value: object, most: int) -> None:
    """Puts a value in as the newest; the oldest go."""
    kept[name] = value
    kept.move_to_end(name)
    while len(kept) > most:
        kept.popitem(last=False)


def _bytes(frame: PictureFile) -> bytes:
    try:
        return frame.path.read_bytes()
    except OSError as error:
        raise KnownError(
            f"segment {frame.path}",
            str(error.strerror or error),
            "Look at the library with: taptrail episodes check",
        ) from error
