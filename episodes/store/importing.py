"""Saves many episodes in batches. An episode is saved whole or not at all."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import msgspec

from episodes.episodes import Episode
from episodes.screens import Frame, Still
from episodes.store.errors import NotStorable
from episodes.store.stills import StillFiles
from episodes.store.summary_columns import next_revision, refresh
from episodes.store.writing import LibraryRows

if TYPE_CHECKING:
    from sqlite_utils import Database

Progress = Callable[[int, int | None], None]

BATCH_ROWS = 20_000
BATCH_BYTES = 8_000_000  # of trees as they came
BATCH_SECONDS = 0.1  # how long a person waits for Cancel


# Fields the nouns got later, as they stand when nothing is said in them. Without them an episode
# has the hash that older libraries kept for it. A text cannot hold these bytes: its quotes have a
# backslash before them.
_NO_TIME = b'{"device_us":null,"host_ns":null,"error_us":null}'
_LATER_FIELDS = (
    b',"private_boxes":[]',
    b',"taken_in":""',
    b',"protected":false',
    b',"stability":null',
    b',"fit":"unknown","requested":' + _NO_TIME + b',"answered":' + _NO_TIME,
)


@dataclass(frozen=True, slots=True)
class SaveReport:
    """What became of the episodes.

    Attributes:
        saved: new ones.
        unchanged: already there, with the same content.
        replaced: already there with other content, which was deleted.
        refused: (which episode, why), one for each that was not saved.
    """

    saved: int = 0
    unchanged: int = 0
    replaced: int = 0
    refused: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class _Counts:
    saved: int = 0
    unchanged: int = 0
    replaced: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)


def save_episodes(
    db: Database,
    rows: LibraryRows,
    stills: StillFiles,
    episodes: Iterable[Episode],
    on_progress: Progress | None,
    total: int | None,
    replace_changed: bool,
) -> SaveReport:
    """Saves episodes; see `Library.save_episodes`."""
    counts = _Counts()
    batch = _Batch(db, rows, stills, counts, replace_changed)
    done = 0
    try:
        for episode in episodes:
            batch.add(episode)
            done += 1
            if batch.due:
                batch.write()
                if on_progress is not None:
                    on_progress(done, total)
    finally:
        batch.write()
    if on_progress is not None:
        on_progress(done, done if total is None else total)
    return SaveReport(counts.saved, counts.unchanged, counts.replaced, tuple(counts.refused))


def content_sha256(episode: Episode) -> str:
    """Returns a hash of an episode's content, without the uuids assigned at import.

    Picture signatures are left out: they follow from the bytes and may be computed later.
    """
    return _sha256(_with_signatures(episode, lambda _: None))


def _with_signatures(episode: Episode, signature_of: Callable[[Still], bytes | None]) -> Episode:
    def signed(frame: Frame | None) -> Frame | None:
        still = None if frame is None else frame.still
        if frame is None or still is None or (signature := signature_of(still)) == still.signature:
            return frame
        return replace(frame, still=replace(still, signature=signature))

    steps = tuple(
        replace(step, frame=signed(step.frame), after=signed(step.after))
        if step.frame is not None or step.after is not None
        else step
        for step in episode.steps
    )
    return replace(episode, steps=steps, final=signed(episode.final))


def _sha256(episode: Episode) -> str:
    steps = tuple(
        replace(step, regions=tuple(replace(region, uuid="") for region in step.regions))
        if step.regions
        else step
        for step in episode.steps
    )
    try:
        text = msgspec.json.encode(replace(episode, uuid="", steps=steps))
        for later in _LATER_FIELDS:
            text = text.replace(later, b"")
    except (OverflowError, UnicodeEncodeError) as error:
        raise NotStorable(f"a value cannot be written down: {error}") from error
    return hashlib.sha256(text).hexdigest()


class _Batch:
    """The episodes that will be written in the next transaction."""

    def __init__(
        self,
        db: Database,
        rows: LibraryRows,
        stills: StillFiles,
        counts: _Counts,
        replace_changed: bool,
    ) -> None:
        self._db = db
        self._stills = stills
        self._rows = rows
        self._counts = counts
        self._replace_changed = replace_changed
        self._new: list[int] = []
        self._outdated: list[int] = []
        self._names: set[str] = set()
        self._bytes = 0
        self._began = time.monotonic()

    @property
    def due(self) -> bool:
        late = time.monotonic() - self._began > BATCH_SECONDS
        return late or self._rows.size > BATCH_ROWS or self._bytes > BATCH_BYTES

    def add(self, episode: Episode) -> None:
        mark = self._rows.mark()
        try:
            self._add(episode)
        except NotStorable as error:
            self._rows.back_to(mark)
            self._counts.refused.append((_where(episode), str(error)))

    def write(self) -> None:
        """Writes the batch, all or nothing: pictures before the rows that refer to them."""
        self._stills.sync_written()
        new, outdated = self._new, self._outdated
        self._new, self._outdated = [], []
        self._names.clear()
        if new:
            with self._db.atomic():
                self._db.conn.executemany(
                    "DELETE FROM episode WHERE id = ?", [(key,) for key in outdated]
                )
                self._rows.write()
                for key in new:
                    refresh(self._db, key)
                next_revision(self._db)
            self._counts.saved += len(new) - len(outdated)
            self._counts.replaced += len(outdated)
        self._bytes = 0
        self._began = time.monotonic()

    def _add(self, episode: Episode) -> None:
        if self._names & {episode.uuid, _where(episode)}:
            self.write()
        origin = episode.origin
        content = content_sha256(episode)
        stored = self._db.conn.execute(
            "SELECT id, content_sha256, state FROM episode "
            "WHERE dataset = ? AND version = ? AND name = ?",
            (origin.dataset, origin.version, episode.name),
        ).fetchone()
        if stored is not None and stored[2] == "deleted":
            raise NotStorable("it is in the library's bin; restore it from there")
        if stored is not None and (
            stored[1] == content or stored[1] == self._signed_sha256(episode)
        ):
            self._counts.unchanged += 1
            return
        self._may_take_place_of(None if stored is None else stored[0], episode)
        (revision,) = self._db.conn.execute("SELECT revision + 1 FROM library").fetchone()
        self._new.append(self._rows.episode(episode, content, revision))
        self._bytes += sum(len(step.tree.record.data) for step in episode.steps if step.tree)
        if stored is not None:
            self._outdated.append(stored[0])
        self._names |= {episode.uuid, _where(episode)}

    def _signed_sha256(self, episode: Episode) -> str:
        """Returns the hash that earlier versions stored, which covers the picture signatures."""

        def signature_of(still: Still) -> bytes | None:
            if still.signature is not None:
                return still.signature
            found = self._db.conn.execute(
                "SELECT signature FROM still WHERE sha256 = ?", (still.sha256,)
            ).fetchone()
            return None if found is None else bytes(found[0] or b"") or None

        return _sha256(_with_signatures(episode, signature_of))

    def _may_take_place_of(self, key: int | None, episode: Episode) -> None:
        if key is not None and not self._replace_changed:
            raise NotStorable("the library has it with other content; ask for it to be replaced")
        if key is not None:
            (edits,) = self._db.conn.execute(
                "SELECT count(*) FROM edit WHERE episode = ?", (key,)
            ).fetchone()
            if edits:
                raise NotStorable(f"people have changed it here ({edits} edits); delete it first")
        other = self._db.conn.execute(
            "SELECT name, dataset FROM episode WHERE uuid = ? AND id IS NOT ?", (episode.uuid, key)
        ).fetchone()
        if other is not None:
            raise NotStorable(f"its uuid is that of the episode “{other[0]}” of {other[1]}")


def _where(episode: Episode) -> str:
    origin = episode.origin
    return " ".join(part for part in (origin.dataset, origin.version, episode.name) if part)
