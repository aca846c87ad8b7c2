# ruff: noqa: S608 - only names of our own tables and columns are put in; values are bound
"""Edits of one author: each method adds one line to the journal.

    library.editor(author).accept_region(episode.uuid, 3, region)

Undo reverts each edit as a whole, also a compound one, and also after a restart.
"""

from __future__ import annotations

import uuid as uuids
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING

from episodes.actions import Action
from episodes.annotations import (
    Author,
    Decision,
    Edit,
    Gold,
    Objection,
    PrivateBox,
    Region,
    RegionSource,
    Status,
)
from episodes.codec import action_to_json
from episodes.episodes import Attempt
from episodes.geometry import Box
from episodes.steps import Step
from episodes.store import journal, reviews
from episodes.store.errors import NotStorable
from episodes.store.journal import EditPart, JournalFields
from episodes.store.journal_operations import ref_of
from episodes.store.journal_values import Target
from episodes.store.writing import LibraryRows

if TYPE_CHECKING:
    from sqlite_utils import Database

CORRECTION = "correction"
ALTERNATIVE = "alternative"


class Editor:
    """Makes edits in the name of one author. Created by `Library.editor`; belongs to its thread.

    All methods raise KnownError if the episode, step or part does not exist, or the disk fails. No
    partial edit remains.
    """

    def __init__(
        self,
        db: Database,
        rows: LibraryRows,
        writing: Callable[[str], AbstractContextManager[None]],
        author: Author,
    ) -> None:
        self.author = author
        self._db = db
        self._rows = rows
        self._writing = writing

    # Regions.

    def accept_region(
        self,
        uuid: str,
        step: int,
        region: Region,
        label: str | None = None,
        *,
        seconds: float | None = None,
        round_name: str = "",
    ) -> Edit:
        """Accepts a region as the step's target; adds it if it is new.

        The region accepted before becomes superseded.

        Args:
            label: replaces the region's.
            seconds: time since the step was shown; stored in the edit.
            round_name: the blind round whose disagreement this resolves; stored in the edit.
        """
        with self._edit("accept a region"):
            target = journal.target_of(self._db, uuid, step)
            parts = []
            number = self._number_of(target, region)
            if number is None:
                ref = journal.put_region(self._db, self._rows, target, region)
                parts.append(_add("region", ref, label=region.label))
                known_label, status = region.label, region.status.value
            else:
                ref = ref_of(self._db, "region", target.step, number)
                withdrawn, known_label, status = self._db.conn.execute(
                    "SELECT withdrawn, label, status FROM region WHERE step = ? AND number = ?",
                    (target.step, number),
                ).fetchone()
                if withdrawn:
                    parts.append(_add("region", ref, label=known_label))
            for other in self._refs(target, "region", "chosen = 1 AND status = 'accepted'"):
                if other != ref:
                    parts.append(_status("region", other, Status.SUPERSEDED))
            if label is not None and label != known_label:
                parts.append(EditPart("region.label", {"region": ref, "label": label}))
            if status != Status.ACCEPTED:
                parts.append(_status("region", ref, Status.ACCEPTED))
            parts.append(EditPart("region.choose", {"chosen": [ref]}))
            return self._together(
                "region.accept", target, step, parts, seconds=seconds, round=round_name
            )

    def propose_regions(self, uuid: str, step: int, regions: Sequence[Region]) -> Edit | None:
        """Adds candidates that are new or were undone. Returns None if all exist."""
        with self._edit("propose regions"):
            target = journal.target_of(self._db, uuid, step)
            standing = set(self._refs(target, "region", "1"))
            parts = []
            for region in regions:
                number = self._number_of(target, region)
                if number is None:
                    ref = journal.put_region(self._db, self._rows, target, region)
                else:
                    ref = ref_of(self._db, "region", target.step, number)
                if ref not in standing:
                    standing.add(ref)
                    parts.append(_add("region", ref))
            if not parts:
                return None
            return self._together("region.propose", target, step, parts)

    def clear_target(
        self, uuid: str, step: int, *, seconds: float | None = None, round_name: str = ""
    ) -> Edit:
        """Clears the step's target; its candidates remain.

        Args:
            seconds, round_name: as in `accept_region`.
        """
        if not round_name:
            return self._single("clear the target", uuid, step, "region.choose", {"chosen": []})
        with self._edit("clear the target"):
            target = journal.target_of(self._db, uuid, step)
            parts = [EditPart("region.choose", {"chosen": []})]
            return self._together(
                "region.accept", target, step, parts, seconds=seconds, round=round_name
            )

    def label_region(self, uuid: str, step: int, place: int, label: str) -> Edit:
        """Labels the region at an index of `Step.regions`."""
        with self._edit("label a region"):
            target = journal.target_of(self._db, uuid, step)
            ref = journal.ref_of_place(self._db, target, step, place)
            state = {"region": ref, "label": label}
            return self._change(uuid, step, "region.label", state)

    # Actions and words.

    def correct_action(self, uuid: str, step: int, action: Action, reason: str = "") -> int:
        """Corrects the recorded action and returns the gold number of the correction.

        Number 0 remains the recorded action. An earlier correction becomes superseded.
        """
        with self._edit("change the action"):
            target = journal.target_of(self._db, uuid, step)
            gold = Gold(0, action, CORRECTION, reason, Status.ACCEPTED, self.author)
            parts = self._superseding(target)
            ref, number = journal.put_gold(self._db, self._rows, target, gold)
            parts.append(_add("gold", ref, action=action_to_json(action)))
            self._together("action.change", target, step, parts, reason=reason)
            return number

    def return_to_recorded(self, uuid: str, step: int, reason: str = "") -> Edit | None:
        """Makes the recorded action the gold again. Returns None if it is already."""
        with self._edit("return to the recorded action"):
            target = journal.target_of(self._db, uuid, step)
            parts = self._superseding(target)
            if not parts:
                return None
            return self._together("action.change", target, step, parts, reason=reason)

    def add_alternative(self, uuid: str, step: int, action: Action, reason: str = "") -> int:
        """Adds an action that is also right and returns its gold number."""
        with self._edit("add an alternative"):
            gold = Gold(0, action, ALTERNATIVE, reason, Status.ACCEPTED, self.author)
            return journal.add_gold(self._db, self._rows, uuid, step, gold, self.author)

    def set_gold_status(self, uuid: str, step: int, number: int, status: Status) -> Edit:
        """Accepts or rejects a further gold action by its number."""
        with self._edit("judge a gold action"):
            target = journal.target_of(self._db, uuid, step)
            refs = self._refs(target, "gold", "number = ?", number)
            if not refs:
                raise NotStorable(f"step {step} has no further gold action {number}")
            state = {"gold": refs[0], "status": status.value}
            return self._change(uuid, step, "gold.status", state)

    def change_texts(self, uuid: str, step: int, **texts: str) -> Edit:
        """Changes words of a step: instruction, description, intention, context, note."""
        return self._single("change a step's words", uuid, step, "step.texts", dict(texts))

    # Steps.

    def delete_step(self, uuid: str, step: int, reason: str = "") -> Edit:
        """Deletes a step. It stays in the journal, and the other steps keep their numbers."""
        state = {"deleted": True} | ({"reason": reason} if reason else {})
        return self._single(f"delete step {step}", uuid, step, "step.delete", state)

    def restore_step(self, uuid: str, step: int) -> Edit:
        """Restores a deleted step by its former number."""
        return self._single(f"restore step {step}", uuid, step, "step.delete", {"deleted": False})

    def replace_steps(
        self, uuid: str, steps: Sequence[int], made: Sequence[Step], reason: str = ""
    ) -> Edit:
        """Replaces neighbouring steps with new ones. The old steps stay in the journal.

        The first new step gets the first number; the `index` of new steps is ignored. If there are
        more new steps than old ones, later steps are renumbered.

        Raises:
            KnownError: the steps are not neighbours, or later steps would be renumbered and a run
                has answers for them.
        """
        operation = "steps.merge" if len(made) <= len(steps) else "step.split"
        with self._edit("replace steps"):
            episode = journal.target_of(self._db, uuid, None).episode
            old = self._neighbours(uuid, episode, steps)
            more = max(0, len(made) - len(steps))
            shifted = self._later(episode, steps[-1], more, old)
            parts = [EditPart("step.delete", {"deleted": True}, origin) for origin in old]
            parts += [
                EditPart("step.number", {"number": n + more}, origin) for n, origin in shifted
            ]
            numbers = [*steps, *range(steps[-1] + 1, steps[-1] + 1 + more)]
            for number, step in zip(numbers, made, strict=False):
                name = str(uuids.uuid4())
                self._rows.step(episode, step, number=number, origin=name, deleted=True)
                parts.append(EditPart("step.delete", {"deleted": False}, name))
            self._rows.write()
            target = journal.target_of(self._db, uuid, steps[0])
            return self._together(operation, target, steps[0], parts, reason=reason)

    # Episodes, attempts, privacy.

    def change_instruction(self, uuid: str, instruction: str) -> Edit:
        """Changes the instruction of an episode."""
        state = {"instruction": instruction}
        return self._single("change the instruction", uuid, None, "instruction.change", state)

    def set_attempt(self, uuid: str, attempt: Attempt | None) -> Edit:
        """Sets the outcome of an attempt, and whether it counts for reference times."""
        state = {"attempt": None if attempt is None else asdict(attempt)}
        return self._single("judge an attempt", uuid, None, "attempt.set", state)

    def set_private(self, uuid: str, step: int | None, private: bool) -> Edit:
        """Marks an episode, or one of its steps, as private or not. Private data is in no
        export."""
        operation = "episode.private" if step is None else "step.private"
        return self._single("mark as private", uuid, step, operation, {"private": private})

    def add_private_box(self, uuid: str, step: int, box: Box, reason: str = "") -> Edit:
        """Covers a part of a step's screen in every export."""
        with self._edit("mark a box as private"):
            if box.area <= 0:
                raise NotStorable("the box is empty")
            target = journal.target_of(self._db, uuid, step)
            name = str(uuids.uuid4())
            private = PrivateBox(box, reason, self.author, name)
            self._rows.private_box(journal.key_of_step(target), private, withdrawn=True)
            self._rows.write()
            state = {"private_box": name, "there": True} | ({"reason": reason} if reason else {})
            return self._change(uuid, step, "private_box.add", state)

    def remove_private_box(self, uuid: str, step: int, place: int) -> Edit:
        """Removes the box at an index of `Step.private_boxes`."""
        with self._edit("show a private box"):
            target = journal.target_of(self._db, uuid, step)
            names = [
                name
                for (name,) in self._db.conn.execute(
                    "SELECT uuid FROM private_box WHERE step = ? AND withdrawn = 0 ORDER BY id",
                    (target.step,),
                )
            ]
            if not 0 <= place < len(names):
                raise NotStorable(f"step {step} has {len(names)} private boxes, no {place}")
            state = {"private_box": names[place], "there": False}
            return self._change(uuid, step, "private_box.add", state)

    # What is settled.

    def accept_finding(self, uuid: str, step: int | None, rule: str, reason: str) -> Edit:
        """Accepts a finding. `step` is None for a finding of the whole episode."""
        accepted = {"reason": reason} | reviews.of_author(self.author)
        return self._finding("accept a finding", uuid, step, {"rule": rule, "accepted": accepted})

    def reopen_finding(self, uuid: str, step: int | None, rule: str) -> Edit:
        """Reopens an accepted finding."""
        return self._finding("open a finding", uuid, step, {"rule": rule, "accepted": None})

    def review_episode(self, uuid: str, decision: Decision | None, reason: str = "") -> Edit:
        """Accepts, sends back or rejects an episode; None removes the decision."""
        review = None
        if decision is not None:
            review = {"decision": decision.value, "reason": reason}
            review |= reviews.of_author(self.author)
        return self._single("review an episode", uuid, None, "episode.review", {"review": review})

    def judge_step(
        self,
        uuid: str,
        step: int,
        objection: Objection,
        reason: str | None,
        *,
        run: str = "",
        protocol: str = "",
    ) -> Edit:
        """Objects to the gold of a step or to a run's verdict; None withdraws this author's
        objection."""
        judgement = None
        if reason is not None:
            judgement = {"author_name": self.author.name, "reason": reason}
        state = {"objection": objection.value, "run": run, "protocol": protocol}
        state |= {"author_uuid": self.author.uuid}
        return self._single(
            "judge a step", uuid, step, "step.judge", state | {"judgement": judgement}
        )

    def choose_blind(
        self,
        uuid: str,
        step: int,
        round_name: str,
        box: Box | None,
        source: RegionSource = RegionSource.PERSON,
        label: str = "",
        seconds: float | None = None,
    ) -> Edit:
        """Chooses a target in a blind round, for this author only. A box of None means: no
        target."""
        choice = reviews.box_state(box) | {
            "author_name": self.author.name,
            "source": source.value,
            "label": label,
            "seconds": seconds,
        }
        state = {"round": round_name, "author_uuid": self.author.uuid, "choice": choice}
        return self._single("choose blind", uuid, step, "blind.choose", state)

    # Parts.

    def _finding(
        self, doing: str, uuid: str, step: int | None, state: Mapping[str, object]
    ) -> Edit:
        name = "finding.accept" if step is not None else "finding.accept_of_episode"
        return self._single(doing, uuid, step, name, state)

    @contextmanager
    def _edit(self, doing: str) -> Iterator[None]:
        with self._writing(doing), self._db.atomic():
            yield

    def _change(
        self, uuid: str, step: int | None, operation: str, state: Mapping[str, object]
    ) -> Edit:
        return journal.change(self._db, self._rows, uuid, step, operation, dict(state), self.author)

    def _single(
        self, doing: str, uuid: str, step: int | None, operation: str, state: Mapping[str, object]
    ) -> Edit:
        with self._edit(doing):
            return self._change(uuid, step, operation, state)

    def _together(
        self,
        name: str,
        target: Target,
        step: int,
        parts: Sequence[EditPart],
        **told: str | float | None,
    ) -> Edit:
        line = JournalFields(name, self.author, step)
        return journal.change_together(self._db, self._rows, target, line, parts, **told)

    def _number_of(self, target: Target, region: Region) -> int | None:
        """Returns the number of the equal region in the step, also of a withdrawn one."""
        if region.uuid:
            where, values = "uuid = ?", [region.uuid]
        else:
            box = region.box
            edges = [None] * 4 if box is None else [box.left, box.top, box.right, box.bottom]
            where = "uuid = '' AND left IS ? AND top IS ? AND right IS ? AND bottom IS ?"
            values = edges  # type: ignore[assignment]
        found = self._db.conn.execute(
            f"SELECT number FROM region WHERE step = ? AND {where} ORDER BY withdrawn, number",
            (target.step, *values),
        ).fetchone()
        return None if found is None else int(found[0])

    def _refs(self, target: Target, table: str, where: str, *values: object) -> list[str]:
        found = self._db.conn.execute(
            f"SELECT number FROM {table} WHERE step = ? AND withdrawn = 0 AND {where} "
            "ORDER BY number",
            (target.step, *values),
        ).fetchall()
        return [ref_of(self._db, table, target.step, number) for (number,) in found]

    def _superseding(self, target: Target) -> list[EditPart]:
        standing = self._refs(target, "gold", "role = 'correction' AND status = 'accepted'")
        return [_status("gold", ref, Status.SUPERSEDED) for ref in standing]

    def _neighbours(self, uuid: str, episode: int, steps: Sequence[int]) -> list[str]:
        living = self._db.conn.execute(
            "SELECT number, origin FROM step WHERE episode = ? AND deleted = 0 ORDER BY number",
            (episode,),
        ).fetchall()
        numbers = [number for number, _ in living]
        if not steps:
            raise NotStorable("there are no steps to replace")
        for step in steps:
            if step not in numbers:
                raise NotStorable(f"the episode has no step {step}")
        first = numbers.index(steps[0])
        if numbers[first : first + len(steps)] != list(steps):
            raise NotStorable("the steps are not neighbours in their order")
        return [origin for _, origin in living[first : first + len(steps)]]

    def _later(
        self, episode: int, last: int, more: int, replaced: Sequence[str]
    ) -> list[tuple[int, str]]:
        """Returns the steps that must be renumbered, last first; empty if the numbers are free."""
        later = [
            (number, origin)
            for number, origin in self._db.conn.execute(
                "SELECT number, origin FROM step WHERE episode = ? AND number > ? "
                "ORDER BY number DESC, id DESC",
                (episode, last),
            )
            if origin not in replaced
        ]
        if not any(number <= last + more for number, _ in later):
            return []
        run = self._db.conn.execute(
            "SELECT run.name FROM prediction JOIN run ON run.id = prediction.run "
            "JOIN episode ON episode.name = prediction.episode "
            "AND run.dataset IN ('', episode.dataset) "
            "AND run.dataset_version IN ('', episode.version) "
            "WHERE episode.id = ? AND prediction.step > ? LIMIT 1",
            (episode, last),
        ).fetchone()
        if run is not None:
            raise NotStorable(
                f"later steps would get other numbers, and the run “{run[0]}” has answers for them"
            )
        return later


def _add(table: str, ref: str, **told: object) -> EditPart:
    return EditPart(f"{table}.add", {table: ref, "there": True, **told})


def _status(table: str, ref: str, status: Status) -> EditPart:
    return EditPart(f"{table}.status", {table: ref, "status": status.value})
