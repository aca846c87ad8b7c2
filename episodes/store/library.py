"""A library: one folder with everything that was recorded, imported, marked and predicted.

    with Library.open(folder) as library:
        library.save_episodes(FORMATS["guiodyssey"].read(path))
        for summary in library.episodes(EpisodeQuery(text="contact")): ...

A writable library belongs to the thread that opened it, and there is one at a time. Readers open
their own, any number, one for each thread, while the writer writes. The methods here delegate to
the other modules of the store and convert errors into `KnownError`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from episodes.actions import Finish
from episodes.annotations import (
    AcceptedFinding,
    Author,
    BlindChoice,
    Edit,
    EpisodeReview,
    Gold,
    Region,
    StepJudgement,
)
from episodes.clocks import ClockSample, Moment
from episodes.episodes import Episode, EpisodeState
from episodes.media.segment_files import sync_segment
from episodes.recordings import DeviceFacts, Gap, Packet, Segment
from episodes.runs import Orphan, Prediction, Run, StepSet
from episodes.screens import Frame
from episodes.steps import Step
from episodes.store import (
    episode_outlines,
    finding_counts,
    journal,
    opening,
    places,
    queries,
    reading,
    recording,
    recovery,
    reviews,
    runs,
    task_verdicts,
    unasked_presses,
)
from episodes.store.episode_outlines import AskedTask, EpisodeOutline
from episodes.store.errors import NotStorable, convert_errors
from episodes.store.filters import FilterKind
from episodes.store.finding_counts import FindingCounts
from episodes.store.journal import NOBODY
from episodes.store.journal_editor import Editor
from episodes.store.lock import WriterLock
from episodes.store.queries import EpisodeQuery, EpisodeSummary, Facets, Order
from episodes.store.recovery import Recovery
from episodes.store.revision_file import RevisionFile
from episodes.store.splits import Splits
from episodes.store.stills import StillFiles
from episodes.store.unasked_presses import UnaskedPress
from episodes.store.writing import LibraryRows
from episodes.task_verdicts import TaskVerdict
from episodes.verdicts import Verdict

if TYPE_CHECKING:
    from sqlite_utils import Database

    from episodes.store.checking import CheckReport
    from episodes.store.importing import Progress, SaveReport
    from episodes.store.merge_report import MergeReport
    from episodes.store.signatures import SignatureReport

# `checking`, `importing`, `merging` and `signatures` load decoders of pictures and video. Only the
# methods that need them import them, so that a command that lists rows starts without waiting.

SWEEP_AGE_SECONDS = 60.0  # a picture younger than this may be about to get its row
READ_AT_ONCE = 32
EVERYTHING = EpisodeQuery()


class Library:
    """An open library. Use `Library.open` to write, `Library.read` to read only."""

    def __init__(self, folder: Path, db: Database, lock: WriterLock | None) -> None:
        """Called by `open` and `read` only."""
        self.folder = folder
        self.stills = StillFiles(folder)
        self._db = db
        self._lock = lock
        self._rows = LibraryRows(db)
        self._recovery = Recovery()
        self._revision_file: RevisionFile | None = None

    @classmethod
    def open(cls, folder: Path, create: bool = True) -> Library:
        """Opens a library for writing, and recovers recordings that were cut off.

        Raises:
            KnownError: another process has it open for writing, it is newer than this program, it
                is not a library, it does not exist and `create` is false, or the disk fails.
        """
        with convert_errors(f"open the library {folder}"):
            if not create and not opening.there_is(folder / places.DATABASE):
                raise opening.missing(folder)
            opening.check_new(folder)
            folder.mkdir(parents=True, exist_ok=True)
            lock = WriterLock(folder)
            try:
                library = cls(folder, opening.open_writable(folder), lock)
            except BaseException:
                lock.release()
                raise
            try:
                library._recover()
            except BaseException:
                library.close()
                raise
            return library

    @classmethod
    def read(cls, folder: Path) -> Library:
        """Opens a library read-only, also while another process writes.

        Raises:
            KnownError: there is no library, or it has another schema version.
        """
        with convert_errors(f"open the library {folder}"):
            return cls(folder, opening.open_readable(folder), None)

    @property
    def writable(self) -> bool:
        """Whether this library is open for writing."""
        return self._lock is not None

    @property
    def uuid(self) -> str:
        """Permanent identifier of this library."""
        with convert_errors("open the library"):
            return queries.library_uuid(self._db)

    def close(self) -> None:
        """Closes the library; a second call does nothing. Call it in the thread that opened it."""
        self._db.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def episode_folder(self, uuid: str) -> Path:
        """Returns the folder of an episode's video files, whether or not it exists."""
        with convert_errors("find an episode's folder"):
            return places.episode_folder(self.folder, uuid)

    # Recording: each call is one transaction.

    def begin_episode(self, episode: Episode) -> None:
        """Adds an episode in state RECORDING, without steps.

        Raises:
            KnownError: as for all methods that write: the disk is full, a value cannot be stored,
                or the library is open read-only. Nothing is stored in part.
        """
        with self._writing(f"begin the episode “{episode.name}”"):
            recording.begin(self._db, self._rows, episode)

    def next_name(self, prefix: str = "e") -> str:
        """Returns a free episode name: "e-0001", "e-0002", ..."""
        return recording.next_name(self._db, prefix)

    def add_segment(self, uuid: str, segment: Segment) -> None:
        """Adds a video segment; its file is in `episode_folder`."""
        with self._writing("save a stretch of capture"):
            recording.add_segment(self._db, self._rows, uuid, segment)

    def end_segment(self, uuid: str, number: int, ended: Moment) -> None:
        """Sets the end of a video segment."""
        with self._writing("end a stretch of capture"):
            recording.end_segment(self._db, uuid, number, ended)

    def add_packets(self, uuid: str, segment_number: int, packets: Iterable[Packet]) -> None:
        """Adds the index of packets whose bytes are already in the segment's file."""
        with self._writing("save the video's index"):
            recording.add_packets(self._db, self._rows, uuid, segment_number, packets)

    def add_gap(self, uuid: str, gap: Gap) -> int:
        """Adds a gap and returns its number."""
        with self._writing("save a gap"):
            return recording.add_gap(self._db, self._rows, uuid, gap)

    def end_gap(self, uuid: str, number: int, ended: Moment) -> None:
        """Sets the end of a gap."""
        with self._writing("end a gap"):
            recording.end_gap(self._db, uuid, number, ended)

    def add_clock_samples(self, uuid: str, samples: Iterable[ClockSample]) -> None:
        """Adds samples of both clocks."""
        with self._writing("save looks at the clocks"):
            recording.add_clock_samples(self._db, self._rows, uuid, samples)

    def add_step(
        self, uuid: str, step: Step, packets: Mapping[int, Sequence[Packet]] | None = None
    ) -> None:
        """Adds a whole step: frames, tree, texts, regions, and the packets so far by segment.

        The files of its stills must exist. When this returns, the step survives a loss of power:
        the video file is synced first, then the rows.
        """
        with self._writing(f"save step {step.index}"):
            for path in recording.segment_paths(self._db, self.folder, uuid, packets or {}):
                sync_segment(path)
            recording.add_step(self._db, self._rows, uuid, step, packets or {})

    def set_after(self, uuid: str, step_index: int, frame: Frame) -> None:
        """Adds the settled screen that followed a step."""
        with self._writing(f"save the screen after step {step_index}"):
            recording.set_after(self._db, self._rows, uuid, step_index, frame)

    def finish_episode(
        self,
        uuid: str,
        state: EpisodeState,
        finish: Finish | None,
        ended_utc: str,
        final: Frame | None = None,
        device: DeviceFacts | None = None,
    ) -> None:
        """Ends an episode. When this returns, it survives a loss of power.

        `device` replaces the phone's facts given to `begin_episode`; None keeps them.
        """
        with self._writing("end the episode"):
            # On a full disk the log cannot grow. Emptied, it has room for the end of the episode.
            opening.make_durable(self._db, self.folder)
            recording.finish(self._db, self._rows, uuid, state, finish, ended_utc, final, device)
            opening.make_durable(self._db, self.folder)

    @property
    def recovery(self) -> Recovery:
        """Result of the recovery in `open`: cut-off episodes, pictures without a step, lost
        changes."""
        return self._recovery

    # Looking.

    def episodes(
        self,
        query: EpisodeQuery = EVERYTHING,
        order: Order = Order.ADDED,
        limit: int = -1,
        offset: int = 0,
        descending: bool = False,
    ) -> list[EpisodeSummary]:
        """Returns one page of a query's episodes; all of them if `limit` is -1."""
        with convert_errors("list the episodes"):
            return queries.list_episodes(self._db, query, Order(order), descending, limit, offset)

    def count(self, query: EpisodeQuery = EVERYTHING) -> int:
        """Returns how many episodes a query finds."""
        with convert_errors("count the episodes"):
            return queries.count_episodes(self._db, query)

    def rows_of(
        self, query: EpisodeQuery, order: Order, descending: bool, uuids: Sequence[str]
    ) -> dict[str, int]:
        """Returns the row of each episode in the list. Episodes not in the list are left out."""
        with convert_errors("list the episodes"):
            return queries.rows_of(self._db, query, Order(order), descending, uuids)

    def filter_counts(
        self, query: EpisodeQuery = EVERYTHING
    ) -> dict[FilterKind, tuple[tuple[str, int], ...]]:
        """Returns how many episodes each value of each filter would leave."""
        with convert_errors("count the episodes"):
            return queries.filter_counts(self._db, query)

    def facets(self) -> Facets:
        """Returns how many episodes there are of each kind, for filters."""
        with convert_errors("count the episodes"):
            return queries.facets(self._db)

    def episode(
        self, name_or_uuid: str, dataset: str | None = None, version: str | None = None
    ) -> Episode:
        """Returns one whole episode, also one in the bin.

        Raises:
            EpisodeNotFound: there is none.
            AmbiguousName: several data sets have one; say which.
        """
        with convert_errors(f"open the episode “{name_or_uuid}”"):
            key = queries.find_episode(self._db, name_or_uuid, dataset, version)
            return reading.read_episodes(self._db, [key])[0]

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Lets all reading in the block see the library at one moment."""
        with reading.snapshot(self._db):
            yield

    def iterate(self, query: EpisodeQuery = EVERYTHING) -> Iterator[Episode]:
        """Yields whole episodes in the order they were added, a few in memory at a time."""
        with convert_errors("read the episodes"):
            keys = queries.keys(self._db, query)
            for start in range(0, len(keys), READ_AT_ONCE):
                yield from reading.read_episodes(self._db, keys[start : start + READ_AT_ONCE])

    def unasked_presses(
        self,
        model: str,
        version: str,
        query: EpisodeQuery = EVERYTHING,
        names: Sequence[str] = (),
        dataset: str | None = None,
    ) -> list[UnaskedPress]:
        """Returns the presses that a segmenter of this name and version has not segmented, in
        order.

        Args:
            names: names or uuids of single episodes; empty for all episodes of `query`.

        Raises:
            EpisodeNotFound, AmbiguousName: for one of the names.
        """
        with convert_errors("look for presses to segment"):
            keys = [queries.find_episode(self._db, one, dataset, None) for one in names]
            episodes = keys if names else queries.keys(self._db, query)
            return unasked_presses.unasked_presses(self._db, episodes, model, version)

    def asked_tasks(self) -> list[AskedTask]:
        """Returns all instructions with their numbers of episodes, the oldest first."""
        with convert_errors("list the tasks"):
            return episode_outlines.asked_tasks(self._db)

    def instructions_with(self, text: str) -> list[str]:
        """Returns the instructions that contain all words of a text."""
        with convert_errors("look for a task"):
            return episode_outlines.instructions_with(self._db, text)

    def outlines(self, instructions: Iterable[str] | None = None) -> Iterator[EpisodeOutline]:
        """Yields outlines of the episodes with exactly these instructions, or of all."""
        with convert_errors("read the episodes"):
            yield from episode_outlines.outlines(self._db, instructions)

    def packets(self, uuid: str, segment_number: int) -> list[Packet]:
        """Returns the index of a segment's packets, in order."""
        with convert_errors("read the video's index"):
            episode = queries.key_of(self._db, uuid)
            segment = recording.segment_key(self._db, episode, segment_number)
            return recovery.packets_of(self._db, segment)

    def step_set(self, query: EpisodeQuery = EVERYTHING, name: str = "") -> StepSet:
        """Returns the steps of a query's episodes as a step set with a hash."""
        with convert_errors("count the steps"):
            return queries.step_set(self._db, query, name)

    def splits(self) -> Splits:
        """Returns the splits of the data sets, for reading and saving."""
        return Splits(self._db, self._writing)

    # Importing.

    def save_episodes(
        self,
        episodes: Iterable[Episode],
        on_progress: Progress | None = None,
        total: int | None = None,
        replace: bool = False,
    ) -> SaveReport:
        """Saves whole episodes in batches and returns the result of each.

        If an episode of the same data set, version and name exists: it is kept if the content is
        equal; else it is refused, or replaced with `replace` unless somebody has edited it.

        Args:
            on_progress: called with (done, total) after each batch. An exception from it
                stops the import; earlier batches are kept.
        """
        with self._writing("save episodes"):
            from episodes.store import importing

            return importing.save_episodes(
                self._db, self._rows, self.stills, episodes, on_progress, total, replace
            )

    def unsigned_pictures(self) -> int:
        """Returns how many pictures of steps have no signature yet."""
        with convert_errors("count the pictures without a signature"):
            from episodes.store import signatures

            return signatures.count_unsigned(self._db)

    def fill_signatures(
        self, on_progress: Progress | None = None, jobs: int | None = None
    ) -> SignatureReport:
        """Computes the signatures that imports left out, on all cores or on `jobs` of them."""
        with self._writing("compute signatures of pictures"):
            from episodes.store import signatures

            return signatures.fill_signatures(self._db, self.stills, on_progress, jobs)

    # Runs.

    def save_run(
        self,
        run: Run,
        predictions: Iterable[Prediction],
        orphans: Iterable[Orphan] = (),
        replace: bool = False,
    ) -> None:
        """Saves a model's answers with their manifest, all or nothing.

        Raises:
            RunExists: a run of that name exists, and `replace` is false.
        """
        with self._writing(f"save the run “{run.name}”"):
            runs.save_run(self._db, run, predictions, orphans, replace)

    def delete_run(self, name: str) -> None:
        """Deletes a run with its answers and verdicts. This cannot be undone.

        Raises:
            RunNotFound: there is none of that name.
        """
        with self._writing(f"delete the run “{name}”"):
            runs.delete_run(self._db, name)

    def runs(self) -> list[Run]:
        """Returns the manifests of all runs, in the order they were added."""
        with convert_errors("list the runs"):
            return runs.list_runs(self._db)

    def run(self, name: str) -> Run:
        """Returns the manifest of one run.

        Raises:
            RunNotFound: there is none of that name.
        """
        with convert_errors(f"open the run “{name}”"):
            return runs.find_run(self._db, name)

    def predictions(self, run: str, episode: str | None = None) -> Iterator[Prediction]:
        """Yields a run's answers by episode and step, of one episode by name or of all."""
        with convert_errors(f"read the run “{run}”"):
            yield from runs.predictions(self._db, run, episode)

    def orphans(self, run: str) -> Iterator[Orphan]:
        """Yields a run's answers that belong to no step."""
        with convert_errors(f"read the run “{run}”"):
            yield from runs.orphans(self._db, run)

    def verdicts(
        self, run: str, protocol: str, version: str, revision: int
    ) -> dict[tuple[str, int], Verdict] | None:
        """Returns the stored verdicts of this revision by (episode name, step), or None."""
        with convert_errors(f"read the verdicts of “{run}”"):
            return runs.kept_verdicts(self._db, run, protocol, version, revision)

    def keep_verdicts(
        self,
        run: str,
        protocol: str,
        version: str,
        revision: int,
        verdicts: Mapping[tuple[str, int], Verdict],
    ) -> None:
        """Stores computed verdicts and deletes older ones. They are a cache."""
        with self._writing(f"keep the verdicts of “{run}”"):
            runs.keep_verdicts(self._db, run, protocol, version, revision, verdicts)

    def keep_task_verdict(self, uuid: str, verdict: TaskVerdict) -> None:
        """Stores the verdict of a device or benchmark on an attempt.

        Raises:
            KnownError: there is no such episode, or the disk refuses.
        """
        with self._writing("keep a task's verdict"):
            task_verdicts.keep(self._db, uuid, verdict)

    def task_verdicts(self, uuid: str | None = None) -> tuple[tuple[str, TaskVerdict], ...]:
        """Returns (uuid of the episode, verdict), of one episode or of all."""
        return tuple(task_verdicts.load(self._db, uuid))

    def unlooked(self, rules: str) -> list[str]:
        """Returns the uuids of the episodes that were not linted since they changed.

        Args:
            rules: the version of the lint rules. Episodes linted with other rules are included.
        """
        with convert_errors("look for episodes to check"):
            return finding_counts.due(self._db, rules)

    def keep_findings(self, rules: str, counted: Iterable[FindingCounts]) -> int:
        """Stores the numbers of open findings, and returns the number of episodes stored.

        Episodes that changed since are skipped and must be linted again. The numbers are a cache.
        """
        with self._writing("keep what was found"):
            return finding_counts.keep(self._db, rules, counted)

    # What people change. Each is a line of the journal and can be taken back.

    def record_edit(
        self,
        uuid: str,
        step_index: int | None,
        operation: str,
        after: Mapping[str, Any],
        author: Author = NOBODY,
    ) -> Edit:
        """Makes a change by the name of its operation (`journal.OPERATIONS`)."""
        with self._writing(f"do “{operation}”"):
            return journal.record_edit(
                self._db, self._rows, uuid, step_index, operation, after, author
            )

    def change_instruction(self, uuid: str, instruction: str, author: Author = NOBODY) -> Edit:
        """Changes the instruction of an episode."""
        return self.record_edit(
            uuid, None, "instruction.change", {"instruction": instruction}, author
        )

    def delete_episode(self, uuid: str, author: Author = NOBODY) -> Edit:
        """Moves an episode to the bin."""
        state = {"state": EpisodeState.DELETED.value}
        return self.record_edit(uuid, None, "episode.state", state, author)

    def restore_episode(self, uuid: str, author: Author = NOBODY) -> Edit:
        """Restores an episode from the bin to its earlier state."""
        with self._writing("restore an episode"):
            return journal.restore_episode(self._db, self._rows, uuid, author)

    def delete_step(self, uuid: str, step_index: int, author: Author = NOBODY) -> Edit:
        """Deletes a step. The other steps keep their numbers."""
        return self.record_edit(uuid, step_index, "step.delete", {"deleted": True}, author)

    def add_region(
        self, uuid: str, step_index: int, region: Region, author: Author = NOBODY
    ) -> int:
        """Adds a candidate to a step and returns its index in `Step.regions`."""
        with self._writing("add a region"):
            return journal.add_region(self._db, self._rows, uuid, step_index, region, author)

    def choose_region(
        self, uuid: str, step_index: int, place: int | None, author: Author = NOBODY
    ) -> Edit:
        """Makes the region at this index of `Step.regions` the target; None clears the target."""
        with self._writing("choose a region"):
            return journal.choose_region(self._db, self._rows, uuid, step_index, place, author)

    def add_gold(self, uuid: str, step_index: int, gold: Gold, author: Author = NOBODY) -> int:
        """Adds a further right action and returns its number; `gold.number` is not used."""
        with self._writing("add a gold action"):
            return journal.add_gold(self._db, self._rows, uuid, step_index, gold, author)

    def undo(self, author: Author = NOBODY, uuid: str | None = None) -> Edit | None:
        """Undoes the newest edit, of one episode or of all. Returns None if there is none."""
        with self._writing("undo"):
            return journal.undo(self._db, self._rows, author, uuid)

    def redo(self, author: Author = NOBODY, uuid: str | None = None) -> Edit | None:
        """Redoes the edit that was undone last. Returns None if there is none."""
        with self._writing("redo"):
            return journal.redo(self._db, self._rows, author, uuid)

    def edits(self, uuid: str | None = None) -> list[Edit]:
        """Returns the journal, oldest first, of one episode or of all."""
        with convert_errors("read the journal"):
            return journal.edits(self._db, uuid)

    def authors(self) -> list[Author]:
        """Returns all authors, in the order they were added."""
        with convert_errors("list the authors"):
            return queries.authors(self._db)

    def gold_revision(self, uuid: str | None = None) -> int:
        """Returns a number that grows with every change of an episode, or of the library."""
        with convert_errors("read the gold revision"):
            return queries.revision(self._db, uuid)

    def editor(self, author: Author = NOBODY) -> Editor:
        """Returns an editor that makes edits in the name of one author."""
        return Editor(self._db, self._rows, self._writing, author)

    def deleted_steps(self, uuid: str) -> tuple[Step, ...]:
        """Returns the deleted steps of an episode, replaced ones included."""
        with convert_errors("read the deleted steps"):
            return reading.deleted_steps(self._db, queries.key_of(self._db, uuid))

    def accepted_findings(self, uuid: str) -> tuple[AcceptedFinding, ...]:
        """Returns the accepted findings of an episode."""
        with convert_errors("read accepted findings"):
            return reviews.accepted_findings(self._db, queries.key_of(self._db, uuid))

    def episode_review(self, uuid: str) -> EpisodeReview | None:
        """Returns the current decision on an episode; None if there is none."""
        with convert_errors("read the decision on an episode"):
            return reviews.episode_review(self._db, queries.key_of(self._db, uuid))

    def step_judgements(self, uuid: str | None = None) -> tuple[tuple[str, StepJudgement], ...]:
        """Returns (uuid of the episode, objection to a step) of one episode or of all."""
        with convert_errors("read what was said of steps"):
            key = None if uuid is None else queries.key_of(self._db, uuid)
            return reviews.step_judgements(self._db, key)

    def blind_choices(self, uuid: str, round_name: str | None = None) -> tuple[BlindChoice, ...]:
        """Returns all blind choices in an episode, of one round or of all rounds."""
        with convert_errors("read blind choices"):
            key = queries.key_of(self._db, uuid)
            return reviews.blind_choices(self._db, key, round_name)

    def blind_rounds(self) -> tuple[tuple[str, int, int], ...]:
        """Returns (name, choices, authors) of each blind round."""
        with convert_errors("list the blind rounds"):
            return reviews.rounds(self._db)

    # Keeping.

    def check(
        self,
        query: EpisodeQuery = EVERYTHING,
        on_progress: Progress | None = None,
        repair: bool = False,
    ) -> CheckReport:
        """Reads everything and reports what is damaged; see `checking`.

        Rows are compared with their digests and parsed; files are compared with their hashes and
        checksums. Without a query it also reads the bin, the runs and the files without a row.
        `repair` needs a library opened for writing.
        """
        with self._writing("check the library"):
            rows = self._rows if repair else None
            saved = self._revision_file or RevisionFile(self.folder, self.uuid)
            from episodes.store import checking

            report = checking.check(
                self._db, self.folder, rows, query, SWEEP_AGE_SECONDS, saved, on_progress
            )
            if repair:
                report.list_moved(self._recovery.moved)
            return report

    def merge(self, other: Library, on_progress: Progress | None = None) -> MergeReport:
        """Merges another library into this one; see `merging`.

        Raises:
            KnownError: it is this library, or the disk fails. Episodes merged before the error are
                kept.
        """
        with self._writing("merge another library"):
            if other.folder.resolve() == self.folder.resolve():
                raise NotStorable("it is the same library")
            from episodes.store import merging

            return merging.merge(
                self._db, self._rows, self.folder, other._db, other.folder, on_progress
            )

    # Parts.

    @contextmanager
    def _writing(self, doing: str) -> Iterator[None]:
        """Converts errors into `KnownError`, and drops buffered rows after an error."""
        try:
            with convert_errors(f"{doing} in the library {self.folder}"):
                yield
                if self._revision_file is not None:
                    self._revision_file.save(queries.revision(self._db, None))
        except BaseException:
            self._rows.forget()
            raise

    def _recover(self) -> None:
        revision = queries.revision(self._db, None)
        self._revision_file = RevisionFile(self.folder, queries.library_uuid(self._db))
        lost = self._revision_file.begin(revision)
        before = time.time() - SWEEP_AGE_SECONDS
        self._recovery = recovery.recover(self._db, self._rows, self.folder, before, lost)
        self._revision_file.save(queries.revision(self._db, None))
