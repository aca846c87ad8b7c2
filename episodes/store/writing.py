"""Converts episodes and their parts to buffered rows.

The rows are written together, so a recorded step and a thousand imported episodes use the same
code.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import zstandard

from episodes import actions as a
from episodes.annotations import Author, Gold, PrivateBox, Region
from episodes.clocks import ClockSample
from episodes.episodes import Actor, Episode, Task
from episodes.recordings import DeviceFacts, Gap, Packet, Segment
from episodes.screens import Frame, Still, TreeRecord
from episodes.steps import Step
from episodes.store import columns as c
from episodes.store.errors import NotStorable
from episodes.store.places import checked_media_type, checked_name, checked_sha256
from episodes.store.row_buffer import RowBuffer

if TYPE_CHECKING:
    from sqlite_utils import Database


class LibraryRows(RowBuffer):
    """Buffered rows of episodes. Belongs to the writer's thread."""

    def __init__(self, db: Database) -> None:
        super().__init__(db)
        self._stills: dict[int, tuple[c.Column, ...]] = {}  # what is said of those that wait
        self._compressor = zstandard.ZstdCompressor(level=3)

    def author(self, author: Author | None) -> int | None:
        """Returns the key of an author, NULL for None."""
        if author is None:
            return None
        values: c.Columns = {"uuid": author.uuid, "name": author.name, "kind": author.kind}
        number, new = self.once("author", **values)
        if new:
            self.add("author", id=number, **values)
        return number

    def actor(self, actor: Actor) -> int:
        """Returns the key of an actor."""
        values: c.Columns = {
            "kind": actor.kind,
            "author": self.author(actor.author),
            "agent": actor.agent,
        }
        number, new = self.once("actor", **values)
        if new:
            self.add("actor", id=number, **values)
        return number

    def task(self, task: Task) -> int:
        """Returns the key of a task."""
        instruction, new = self.once("instruction", text=task.instruction)
        if new:
            self.add("instruction", id=instruction, text=task.instruction)
        values: c.Columns = {
            "instruction": instruction,
            "template": task.template,
            "filled": task.filled,
            "category": task.category,
            "apps": json.dumps(task.apps, ensure_ascii=False),
            "goal_id": task.goal_id,
        }
        number, new = self.once("task", **values)
        if new:
            self.add("task", id=number, **values)
        return number

    def change_instruction(self, episode: int, instruction: str) -> None:
        """Gives an episode a task with another instruction. Call it inside a transaction."""
        row = self._db.conn.execute(
            "SELECT template, filled, category, task.apps, goal_id "
            "FROM episode JOIN task ON task.id = task WHERE episode.id = ?",
            (episode,),
        ).fetchone()
        template, filled, category, apps, goal_id = row
        task = self.task(
            Task(instruction, template, filled, category, c.read_texts(apps, "apps"), goal_id)
        )
        self.write()
        self._db.conn.execute("UPDATE episode SET task = ? WHERE id = ?", (task, episode))

    def episode(self, episode: Episode, content_sha256: str, revision: int) -> int:
        """Adds a whole episode with its steps, and returns its key.

        The summary columns (`refresh`) are not filled.

        Raises:
            NotStorable: a value cannot be stored; call `back_to` with the mark before it.
        """
        checked_name(episode.uuid, "the episode's uuid")
        if not episode.name:
            raise NotStorable("the episode has no name")
        _growing([step.index for step in episode.steps], "steps")
        _growing([segment.number for segment in episode.segments], "segments")
        number = self.new_key("episode")
        finish = episode.finish
        self.add(
            "episode",
            id=number,
            uuid=episode.uuid,
            name=episode.name,
            dataset=episode.origin.dataset,
            version=episode.origin.version,
            origin_file=episode.origin.file,
            origin_sha256=episode.origin.sha256,
            task=self.task(episode.task),
            actor=self.actor(episode.actor),
            state=episode.state.value,
            started_utc=episode.started_utc,
            ended_utc=episode.ended_utc,
            finish_ending=None if finish is None else finish.ending.value,
            finish_reason=None if finish is None else finish.reason,
            final_frame=self.frame(number, episode.final),
            declared_steps=episode.declared_steps,
            private=episode.private,
            extra=episode.extra,
            content_sha256=content_sha256,
            revision=revision,
        )
        for position, (split, part) in enumerate(episode.splits):
            self.add("episode_split", episode=number, position=position, split=split, part=part)
        if episode.attempt is not None:
            self.add(
                "attempt",
                episode=number,
                number=episode.attempt.number,
                outcome=episode.attempt.outcome,
                left_out=episode.attempt.left_out,
                taken_in=episode.attempt.taken_in,
            )
        self.device(number, episode.device)
        for segment in episode.segments:
            self.segment(number, segment)
        for position, gap in enumerate(episode.gaps):
            self.gap(number, position, gap)
        self.clock_samples(number, 0, episode.clock_samples)
        for step in episode.steps:
            self.step(number, step)
        return number

    def device(self, episode: int, device: DeviceFacts) -> None:
        """Adds the facts known about the phone, if there are any."""
        if device == DeviceFacts():
            return
        scales = device.animation_scales or (None, None, None)
        self.add(
            "device",
            episode=episode,
            serial=device.serial,
            manufacturer=device.manufacturer,
            model=device.model,
            product=device.product,
            build=device.build,
            android_release=device.android_release,
            sdk=device.sdk,
            width=None if device.size is None else device.size.width,
            height=None if device.size is None else device.size.height,
            density=device.density,
            locale=device.locale,
            input_method=device.input_method,
            window_animation_scale=scales[0],
            transition_animation_scale=scales[1],
            animator_duration_scale=scales[2],
            native=device.native,
        )
        for position, (package, version) in enumerate(device.app_versions):
            self.add(
                "app_version",
                episode=episode,
                position=position,
                package=package,
                version=version,
            )

    def segment(self, episode: int, segment: Segment) -> int:
        """Adds a video segment and returns its key."""
        number = self.new_key("segment")
        self.add(
            "segment",
            id=number,
            episode=episode,
            number=segment.number,
            file=checked_name(segment.file, "the segment's file"),
            codec=segment.codec,
            width=segment.size.width,
            height=segment.size.height,
            config=segment.config,
            rotation=segment.rotation,
            display=segment.display,
            server=segment.server,
            **c.moment_columns("started", segment.started),
            has_ended=segment.ended is not None,
            **c.moment_columns("ended", segment.ended),
        )
        return number

    def packets(self, segment: int, packets: Iterable[Packet]) -> None:
        """Adds the index of packets that lie in the segment's file."""
        for packet in packets:
            self.add(
                "packet",
                segment=segment,
                number=packet.number,
                pts_us=packet.pts_us,
                key=packet.key,
                offset=packet.offset,
                length=packet.length,
                received_ns=packet.received_ns,
            )

    def gap(self, episode: int, number: int, gap: Gap) -> None:
        """Adds a gap."""
        self.add(
            "gap",
            episode=episode,
            number=number,
            reason=gap.reason,
            **c.moment_columns("started", gap.started),
            has_ended=gap.ended is not None,
            **c.moment_columns("ended", gap.ended),
        )

    def clock_samples(self, episode: int, first: int, samples: Iterable[ClockSample]) -> None:
        """Adds samples of both clocks, numbered from `first`."""
        for number, sample in enumerate(samples, first):
            self.add(
                "clock_sample",
                episode=episode,
                number=number,
                host_before_ns=sample.host_before_ns,
                host_after_ns=sample.host_after_ns,
                device_us=sample.device_us,
                method=sample.method,
            )

    def frame(self, episode: int, frame: Frame | None) -> int | None:
        """Adds a frame and returns its key, NULL for None."""
        if frame is None:
            return None
        number = self.new_key("frame")
        still = frame.still
        self.add(
            "frame",
            id=number,
            episode=episode,
            width=frame.size.width,
            height=frame.size.height,
            basis=frame.basis.value,
            still=None if still is None else self._still(still),
            still_source=None if still is None else still.source.value,
            still_lossless=None if still is None else still.lossless,
            pts_us=frame.pts_us,
            segment=frame.segment,
            packet=frame.packet,
            received_ns=frame.received_ns,
            painted_ns=frame.painted_ns,
            native=frame.native,
            protected=frame.protected,
        )
        return number

    def _still(self, still: Still) -> int:
        number, new = self.once("still", sha256=checked_sha256(still.sha256))
        facts: c.Columns = {
            "media_type": checked_media_type(still.media_type),
            "width": still.size.width,
            "height": still.size.height,
            "byte_count": still.byte_count,
        }
        if new:
            self.add("still", id=number, sha256=still.sha256, **facts, signature=still.signature)
            self._stills[number] = tuple(facts.values())
            return number
        known = (
            self._stills.get(number)
            or self._db.conn.execute(
                "SELECT media_type, width, height, byte_count FROM still WHERE id = ?", (number,)
            ).fetchone()
        )
        if known != tuple(facts.values()):
            raise NotStorable(
                f"the picture {still.sha256[:12]} is said to be {still.media_type}, {still.size}, "
                f"{still.byte_count} bytes, and otherwise elsewhere"
            )
        if still.signature is not None:
            self.signatures.append((still.signature, number))
        return number

    def forget(self) -> None:
        """Drops all buffered rows."""
        super().forget()
        self._stills.clear()

    def tree(self, episode: int, record: TreeRecord) -> int:
        """Adds the answer of a tree source and returns its key."""
        number = self.new_key("tree")
        self.add(
            "tree",
            id=number,
            episode=episode,
            data=self._tree_data(record.data) if record.data else None,
            format=record.format,
            source=record.source,
            status=record.status.value,
            **c.moment_columns("requested", record.requested),
            **c.moment_columns("answered", record.answered),
            width=None if record.size is None else record.size.width,
            height=None if record.size is None else record.size.height,
            rotation=record.rotation,
            detail=record.detail,
        )
        return number

    def _tree_data(self, data: bytes) -> int:
        if len(data) > c.MAX_TREE:
            raise NotStorable(f"a tree has {len(data)} bytes; at most {c.MAX_TREE} are kept")
        sha256 = hashlib.sha256(data).hexdigest()
        number, new = self.once("tree_data", sha256=sha256)
        if new:
            self.add(
                "tree_data",
                id=number,
                sha256=sha256,
                byte_count=len(data),
                zstd=self._compressor.compress(data),
            )
        return number

    def step(
        self,
        episode: int,
        step: Step,
        number: int | None = None,
        origin: str = "",
        deleted: bool = False,
    ) -> int:
        """Adds a step with its frames, tree, regions and golds, and returns its key.

        Args:
            number: in place of `step.index`.
            origin: the name the step has in every library; "" for its number, as for all that were
                recorded or imported.
        """
        from episodes.packed import pack  # loads numpy: only where rows are written

        index = step.index if number is None else number
        number = self.new_key("step")
        action = step.action
        path = c.path_of(action)
        front = step.foreground
        self.add(
            "step",
            id=number,
            episode=episode,
            number=index,
            origin=origin or str(index),
            deleted=deleted,
            **c.action_columns(action),
            duration_us=c.duration(action),
            action=c.action_text(c.with_path(action, ())),
            **c.native_columns(step.native),
            numbers=pack(step.native),
            source=step.source,
            **c.moment_columns("began", step.began),
            **c.moment_columns("ended", step.ended),
            frame=self.frame(episode, step.frame),
            frame_after=self.frame(episode, step.after),
            tree=None if step.tree is None else self.tree(episode, step.tree.record),
            tree_fit=None if step.tree is None else step.tree.fit.value,
            package=None if front is None else front.package,
            activity=None if front is None else front.activity,
            app_label=None if front is None else front.label,
            app_fit=None if front is None else front.fit.value,
            **c.moment_columns("app_requested", None if front is None else front.requested),
            **c.moment_columns("app_answered", None if front is None else front.answered),
            instruction=step.texts.instruction,
            description=step.texts.description,
            intention=step.texts.intention,
            context=step.texts.context,
            note=step.texts.note,
            private=step.private,
            extra=step.extra,
        )
        if path:
            self.add("gesture", step=number, contact_count=len(path), path=c.pack_path(path))
        for position, region in enumerate(step.regions):
            self.region(number, position, region)
        _growing([gold.number for gold in step.golds], "golds")
        for gold in step.golds:
            self.gold(number, gold)
        for box in step.private_boxes:
            self.private_box(number, box)
        return number

    def region(self, step: int, position: int, region: Region) -> None:
        """Adds a candidate of a step."""
        number = self.new_key("region")
        provenance = region.provenance
        self.add(
            "region",
            id=number,
            step=step,
            number=position,
            uuid=region.uuid,
            **c.box_columns(region.box),
            label=region.label,
            source=provenance.source.value,
            model=provenance.model,
            version=provenance.version,
            prompts=provenance.prompts,
            score=provenance.score,
            node=provenance.node,
            stability=provenance.stability,
            **c.native_columns(region.native),
            status=region.status.value,
            chosen=region.chosen,
            author=self.author(region.author),
        )
        if region.mask is not None:
            self.add("mask", region=number, **c.box_columns(region.mask.box), png=region.mask.png)

    def private_box(self, step: int, private: PrivateBox, withdrawn: bool = False) -> None:
        """Adds a private part of a step's screen."""
        self.add(
            "private_box",
            id=self.new_key("private_box"),
            step=step,
            uuid=private.uuid,
            withdrawn=withdrawn,
            **c.box_columns(private.box),
            reason=private.reason,
            author=self.author(private.author),
        )

    def gold(self, step: int, gold: Gold, number: int | None = None, uuid: str = "") -> None:
        """Adds a further right action of a step, with its own number or another."""
        self.add(
            "gold",
            id=self.new_key("gold"),
            step=step,
            number=gold.number if number is None else number,
            kind=a.kind(gold.action),
            action=c.action_text(gold.action),
            role=gold.role,
            reason=gold.reason,
            status=gold.status.value,
            author=self.author(gold.author),
            **c.native_columns(gold.native),
            uuid=uuid,
        )


def _growing(numbers: Sequence[int], what: str) -> None:
    if any(later <= earlier for earlier, later in pairwise(numbers)):
        raise NotStorable(f"the numbers of the {what} do not grow")
