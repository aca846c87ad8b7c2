# ruff: noqa: S608 - only names of our own tables and columns are put in; values are bound
"""Stores episodes while they are recorded: each call is one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from episodes.actions import Finish
from episodes.clocks import ClockSample, Moment
from episodes.episodes import Episode, EpisodeState
from episodes.recordings import DeviceFacts, Gap, Packet, Segment
from episodes.screens import Frame
from episodes.steps import Step
from episodes.store import columns as c
from episodes.store.errors import NotStorable
from episodes.store.places import episode_folder
from episodes.store.queries import key_of
from episodes.store.summary_columns import next_revision, refresh
from episodes.store.writing import LibraryRows

if TYPE_CHECKING:
    from sqlite_utils import Database


def begin(db: Database, rows: LibraryRows, episode: Episode) -> None:
    """Adds an episode without steps."""
    if episode.state is not EpisodeState.RECORDING:
        raise NotStorable(f"an episode begins as recording, not as {episode.state}")
    if episode.steps:
        raise NotStorable("an episode that begins has no steps")
    with db.atomic():
        _free(db, episode)
        key = rows.episode(episode, "", next_revision(db))
        rows.write()
        refresh(db, key)


def next_name(db: Database, prefix: str) -> str:
    """Returns the first free name of the form "e-0001" among recorded episodes."""
    (last,) = db.conn.execute(
        "SELECT max(CAST(substr(name, :from) AS INTEGER)) FROM episode "
        "WHERE substr(name, 1, :length) = :prefix AND substr(name, :from) GLOB '[0-9]*' "
        "AND substr(name, :from) NOT GLOB '*[^0-9]*' AND length(name) < :length + 10",
        {"prefix": prefix + "-", "length": len(prefix) + 1, "from": len(prefix) + 2},
    ).fetchone()
    return f"{prefix}-{(last or 0) + 1:04d}"


def add_segment(db: Database, rows: LibraryRows, uuid: str, segment: Segment) -> None:
    """Adds a video segment."""
    with db.atomic():
        rows.segment(key_of(db, uuid), segment)
        rows.write()


def end_segment(db: Database, uuid: str, number: int, ended: Moment) -> None:
    """Sets the end of a video segment."""
    _end(db, "segment", uuid, number, ended)


def add_packets(
    db: Database, rows: LibraryRows, uuid: str, segment: int, packets: Iterable[Packet]
) -> None:
    """Adds the index of packets whose bytes are already in the segment's file."""
    with db.atomic():
        rows.packets(segment_key(db, key_of(db, uuid), segment), packets)
        rows.write()


def segment_paths(db: Database, folder: Path, uuid: str, numbers: Iterable[int]) -> list[Path]:
    """Returns the files of an episode's segments with these numbers."""
    key = key_of(db, uuid)
    found = [
        db.conn.execute(
            "SELECT file FROM segment WHERE episode = ? AND number = ?", (key, number)
        ).fetchone()
        for number in numbers
    ]
    return [episode_folder(folder, uuid) / row[0] for row in found if row is not None]


def segment_key(db: Database, episode: int, number: int) -> int:
    """Returns the key of a video segment.

    Raises:
        NotStorable: there is no such segment.
    """
    found = db.conn.execute(
        "SELECT id FROM segment WHERE episode = ? AND number = ?", (episode, number)
    ).fetchone()
    if found is None:
        raise NotStorable(f"the episode has no segment {number}")
    return int(found[0])


def add_gap(db: Database, rows: LibraryRows, uuid: str, gap: Gap) -> int:
    """Adds a gap and returns its number."""
    with db.atomic():
        key = key_of(db, uuid)
        number = _count(db, "gap", key)
        rows.gap(key, number, gap)
        rows.write()
    return number


def end_gap(db: Database, uuid: str, number: int, ended: Moment) -> None:
    """Sets the end of a gap."""
    _end(db, "gap", uuid, number, ended)


def add_clock_samples(
    db: Database, rows: LibraryRows, uuid: str, samples: Iterable[ClockSample]
) -> None:
    """Adds samples of both clocks."""
    with db.atomic():
        key = key_of(db, uuid)
        rows.clock_samples(key, _count(db, "clock_sample", key), samples)
        rows.write()


def add_step(
    db: Database, rows: LibraryRows, uuid: str, step: Step, packets: Mapping[int, Sequence[Packet]]
) -> None:
    """Adds a step with its frames, tree, texts and the packets so far."""
    with db.atomic():
        key = key_of(db, uuid)
        if db.conn.execute(
            "SELECT 1 FROM step WHERE episode = ? AND number = ? AND deleted = 0",
            (key, step.index),
        ).fetchone():
            raise NotStorable(f"there is a step {step.index} already, and steps do not change")
        for segment, arrived in packets.items():
            rows.packets(segment_key(db, key, segment), arrived)
        rows.step(key, step, origin=_origin(db, key, step.index))
        rows.write()
        _changed(db, key)


def _origin(db: Database, key: int, number: int) -> str:
    """Returns the step's name in every library: its number, or "3.2" if a step with that number was
    dropped before."""
    (before,) = db.conn.execute(
        "SELECT count(*) FROM step WHERE episode = ? AND number = ?", (key, number)
    ).fetchone()
    return f"{number}.{before + 1}" if before else str(number)


def set_after(db: Database, rows: LibraryRows, uuid: str, step_index: int, frame: Frame) -> None:
    """Adds the settled screen that followed a step."""
    with db.atomic():
        key = key_of(db, uuid)
        number = rows.frame(key, frame)
        rows.write()
        changed = db.conn.execute(
            "UPDATE step SET frame_after = ? WHERE episode = ? AND number = ? AND deleted = 0",
            (number, key, step_index),
        )
        if changed.rowcount != 1:
            raise NotStorable(f"the episode has no step {step_index}")


def finish(
    db: Database,
    rows: LibraryRows,
    uuid: str,
    state: EpisodeState,
    claim: Finish | None,
    ended_utc: str,
    final: Frame | None,
    device: DeviceFacts | None,
) -> None:
    """Ends an episode."""
    with db.atomic():
        key = key_of(db, uuid)
        if device is not None:
            db.conn.execute("DELETE FROM device WHERE episode = ?", (key,))
            db.conn.execute("DELETE FROM app_version WHERE episode = ?", (key,))
            rows.device(key, device)
        frame = rows.frame(key, final)
        rows.write()
        values = c.checked(
            {
                "state": state.value,
                "ending": None if claim is None else claim.ending.value,
                "reason": None if claim is None else claim.reason,
                "ended": ended_utc,
                "frame": frame,
                "key": key,
            }
        )
        db.conn.execute(
            "UPDATE episode SET state = :state, finish_ending = :ending, finish_reason = :reason, "
            "ended_utc = :ended, final_frame = coalesce(:frame, final_frame) WHERE id = :key",
            values,
        )
        _changed(db, key)


def _free(db: Database, episode: Episode) -> None:
    origin = episode.origin
    taken = db.conn.execute(
        "SELECT 1 FROM episode WHERE uuid = ? OR (dataset = ? AND version = ? AND name = ?)",
        (episode.uuid, origin.dataset, origin.version, episode.name),
    ).fetchone()
    if taken:
        raise NotStorable(f"it has an episode “{episode.name}”, or one with that uuid, already")


def _changed(db: Database, key: int) -> None:
    db.conn.execute("UPDATE episode SET revision = ? WHERE id = ?", (next_revision(db), key))
    refresh(db, key)


def _count(db: Database, table: str, episode: int) -> int:
    (count,) = db.conn.execute(
        f"SELECT count(*) FROM {table} WHERE episode = ?",
        (episode,),
    ).fetchone()
    return int(count)


def _end(db: Database, table: str, uuid: str, number: int, ended: Moment) -> None:
    with db.atomic():
        changed = db.conn.execute(
            f"UPDATE {table} SET has_ended = 1, ended_device_us = :ended_device_us, "
            "ended_host_ns = :ended_host_ns, ended_error_us = :ended_error_us "
            "WHERE episode = :episode AND number = :number",
            c.moment_columns("ended", ended) | {"episode": key_of(db, uuid), "number": number},
        )
        if changed.rowcount != 1:
            raise NotStorable(f"the episode has no {table} {number}")
