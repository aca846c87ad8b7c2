"""Lints the episodes of a library; accepts, reopens and fixes findings."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from annotator.candidates import find_candidates
from annotator.lint.episode_view import LibraryFacts
from annotator.lint.findings import Fix, LintFinding, LintSeverity
from annotator.lint.rules import RULES, lint
from episodes.annotations import AcceptedFinding, Author, Edit
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.steps import Step
from episodes.store.finding_counts import FindingCounts
from episodes.store.library import EVERYTHING, Library
from episodes.store.queries import EpisodeNotFound, EpisodeQuery

OnProgress = Callable[[int, int | None], None]
CHUNK = 25
"""Number of episodes checked between two progress reports."""
KEPT_AT_ONCE = 20
"""Number of chunks whose findings are stored in one transaction."""


@dataclass(frozen=True, slots=True)
class ReportedFinding:
    """A finding with its episode.

    Attributes:
        accepted: who accepted it and why; None if it is open.
    """

    uuid: str
    episode: str
    dataset: str
    finding: LintFinding
    accepted: AcceptedFinding | None = None


@dataclass(frozen=True, slots=True)
class LintReport:
    """Findings with the number of checked episodes and steps."""

    episodes: int
    steps: int
    told: tuple[ReportedFinding, ...]

    @property
    def open(self) -> tuple[ReportedFinding, ...]:
        """Findings that nobody has accepted."""
        return tuple(one for one in self.told if one.accepted is None)

    def by_rule(self) -> dict[str, int]:
        """Number of open findings by rule, in the order of the rules."""
        counts = Counter(one.finding.rule for one in self.open)
        return {rule: counts[rule] for rule in RULES if rule in counts}

    def by_severity(self) -> dict[LintSeverity, int]:
        """Number of open findings by severity, worst first."""
        counts = Counter(one.finding.severity for one in self.open)
        return {severity: counts[severity] for severity in LintSeverity}


def surroundings(library: Library) -> LibraryFacts:
    """Returns the facts that the rules need: the names of the library's apps."""
    return LibraryFacts(frozenset(app for app, _ in library.facets().apps if "." not in app))


def lint_episode(
    library: Library,
    episode: Episode,
    facts: LibraryFacts,
    rules: Collection[str] = RULES,
) -> list[ReportedFinding]:
    """Returns the findings in an episode, including accepted ones."""
    found = lint(episode, facts, rules)
    if not found:
        return []
    accepted = {(one.step, one.rule): one for one in library.accepted_findings(episode.uuid)}
    return [
        ReportedFinding(
            episode.uuid,
            episode.name,
            episode.origin.dataset,
            finding,
            accepted.get((finding.step, finding.rule)),
        )
        for finding in found
    ]


def lint_library(
    library_folder: Path,
    query: EpisodeQuery = EVERYTHING,
    rules: Collection[str] = RULES,
    on_progress: OnProgress | None = None,
    episode: str | None = None,
    processes: int | None = None,
) -> LintReport:
    """Lints the episodes of a library, or one of them by name or uuid.

    Args:
        on_progress: gets the episodes done and their total; an exception it raises stops the work.
        processes: number of worker processes; None for one per core, or one if starting others
            would take longer than the work.

    Raises:
        KnownError: there is no library, no such episode, or no such rule.
    """
    for rule in rules:
        if rule not in RULES:
            raise KnownError(
                "look for what is wrong",
                f"there is no rule “{rule}”",
                f"Rules are: {', '.join(RULES)}.",
            )
    _fill_signatures(library_folder)
    with Library.read(library_folder) as library:
        facts = surroundings(library)
        if episode is not None:
            uuids = [library.episode(episode, query.dataset or None).uuid]
        else:
            uuids = [one.uuid for one in library.episodes(query)]
    chunks = [uuids[at : at + CHUNK] for at in range(0, len(uuids), CHUNK)]
    if processes is None:
        processes = min(len(chunks) // 4, os.cpu_count() or 1)
    told: list[ReportedFinding] = []
    done = steps = 0
    for found in _each(library_folder, chunks, facts, tuple(rules), processes):
        told += found.told
        done += min(CHUNK, len(uuids) - done)
        steps += found.steps
        if on_progress is not None:
            on_progress(done, len(uuids))
    return LintReport(len(uuids), steps, tuple(told))


def keep_findings(
    library_folder: Path, on_progress: OnProgress | None = None, processes: int | None = None
) -> int:
    """Lints the episodes that changed since they were last linted, and stores the open findings.

    Lists and filters of the library use the stored counts. Nothing is written if nothing changed.

    Args:
        on_progress, processes: as of `lint_library`; what was stored before it stops stays.

    Returns:
        Number of episodes stored; those that changed meanwhile are linted the next time.

    Raises:
        KnownError: there is no library, or another process writes to it.
    """
    with Library.read(library_folder) as library:
        facts = surroundings(library)
        looked_with = _looked_with(facts)
        uuids = library.unlooked(looked_with)
    if not uuids:
        return 0
    _fill_signatures(library_folder)
    chunks = [uuids[at : at + CHUNK] for at in range(0, len(uuids), CHUNK)]
    if processes is None:
        processes = min(len(chunks) // 4, os.cpu_count() or 1)
    kept = done = 0
    waiting: list[FindingCounts] = []
    for number, found in enumerate(
        _each(library_folder, chunks, facts, tuple(RULES), processes), 1
    ):
        waiting += found.counts()
        done += len(chunks[number - 1])
        if number % KEPT_AT_ONCE == 0 or number == len(chunks):
            with Library.open(library_folder, create=False) as library:
                kept += library.keep_findings(looked_with, waiting)
            waiting = []
        if on_progress is not None:
            on_progress(done, len(uuids))
    return kept


def _fill_signatures(library_folder: Path) -> None:
    """Computes the picture signatures that an import left out.

    If the library cannot be written, the rules that compare screens skip those pictures.
    """
    with Library.read(library_folder) as library:
        if not library.unsigned_pictures():
            return
    with suppress(KnownError), Library.open(library_folder, create=False) as library:
        library.fill_signatures()


def _looked_with(facts: LibraryFacts) -> str:
    """Returns a key of the rules' version and of the library facts they use."""
    try:
        program = version("taptrail")
    except PackageNotFoundError:  # run from a folder, not installed
        program = ""
    rules = [f"{name} {rule.words}" for name, rule in RULES.items()]
    told = [program, *rules, "", *sorted(facts.apps)]
    return hashlib.sha256("\n".join(told).encode("utf-8")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class _Looked:
    """Findings in a chunk of episodes.

    Attributes:
        revisions: of all its episodes, by uuid.
    """

    told: list[ReportedFinding]
    steps: int
    revisions: dict[str, int]

    def counts(self) -> list[FindingCounts]:
        """Returns the number of open findings in each episode."""
        open_ones: dict[str, Counter[tuple[str, str]]] = {u: Counter() for u in self.revisions}
        for one in self.told:
            if one.accepted is None:
                finding = one.finding
                open_ones[one.uuid][finding.rule, finding.severity.value] += 1
        return [FindingCounts(u, self.revisions[u], found) for u, found in open_ones.items()]


def _each(
    folder: Path,
    chunks: Sequence[Sequence[str]],
    facts: LibraryFacts,
    rules: Sequence[str],
    processes: int,
) -> Iterator[_Looked]:
    """Yields the findings of each chunk, in order."""
    if processes < 2:
        for chunk in chunks:
            yield _chunk(folder, chunk, facts, rules)
        return
    spawn = multiprocessing.get_context("spawn")  # a forked Qt or SQLite is in no known state
    pool = ProcessPoolExecutor(processes, mp_context=spawn)
    try:
        waiting = deque[Future[_Looked]]()
        for chunk in chunks:
            waiting.append(pool.submit(_chunk, folder, chunk, facts, rules))
            if len(waiting) > 2 * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _chunk(
    folder: Path, uuids: Sequence[str], facts: LibraryFacts, rules: Sequence[str]
) -> _Looked:
    looked = _Looked([], 0, {})
    steps = 0
    with Library.read(folder) as library:
        for uuid in uuids:
            try:
                # Read first, so that an episode that changes in between is linted again.
                revision = library.gold_revision(uuid)
                one = library.episode(uuid)
            except EpisodeNotFound:
                continue  # permanently deleted meanwhile
            looked.revisions[uuid] = revision
            looked.told.extend(lint_episode(library, one, facts, rules))
            steps += len(one.steps)
    return replace(looked, steps=steps)


def accept_finding(
    library: Library, episode: Episode, step: int | None, rule: str, reason: str, author: Author
) -> Edit | None:
    """Accepts a finding with a reason; can be undone.

    Returns None if it was accepted already for that reason.

    Raises:
        KnownError: the episode has no such finding, or no reason is given.
    """
    _finding(library, episode, step, rule)
    if not reason.strip():
        raise KnownError(
            f"accept {rule} in {episode.name}",
            "no reason is given",
            "Say why it may stand, so that the next person need not ask.",
        )
    stands = (step, rule, reason.strip())
    accepted = library.accepted_findings(episode.uuid)
    if any((one.step, one.rule, one.reason) == stands for one in accepted):
        return None
    return library.editor(author).accept_finding(episode.uuid, step, rule, reason.strip())


def reopen_finding(
    library: Library, episode: Episode, step: int | None, rule: str, author: Author
) -> Edit:
    """Reopens an accepted finding; can be undone.

    Raises:
        KnownError: the finding is not accepted.
    """
    accepted = library.accepted_findings(episode.uuid)
    if not any((one.step, one.rule) == (step, rule) for one in accepted):
        raise KnownError(
            f"open {rule} in {episode.name} again",
            "nobody has accepted it there",
            "Look at the list of accepted findings with --accepted.",
        )
    return library.editor(author).reopen_finding(episode.uuid, step, rule)


def fix_finding(library: Library, episode: Episode, step: int, rule: str, author: Author) -> Edit:
    """Applies the automatic fix of a finding; can be undone.

    Raises:
        KnownError: the episode has no such finding, or it has no automatic fix.
    """
    finding = _finding(library, episode, step, rule)
    if finding.fix is Fix.DELETE_STEP:
        return library.editor(author).delete_step(episode.uuid, step, finding.reason)
    if finding.fix is Fix.PROPOSE_TARGET:
        return _take_the_trees(library, episode, _step(episode, step), author)
    raise KnownError(
        f"mend {rule} in {episode.name}",
        "only a person can tell what is right there",
        "Open the step in Annotate, or accept the finding with a reason.",
    )


def _take_the_trees(library: Library, episode: Episode, step: Step, author: Author) -> Edit:
    found = find_candidates(step, episode.uuid)
    if found is None or found.proposed is None:
        raise KnownError(
            f"take the tree's target on step {step.index} of {episode.name}",
            found.reason if found is not None else "its action needs none",
            "Draw the box by hand in Annotate.",
        )
    region = found.found[found.proposed].region
    return library.editor(author).accept_region(episode.uuid, step.index, region)


def _finding(library: Library, episode: Episode, step: int | None, rule: str) -> LintFinding:
    rules = {rule} & set(RULES)
    for finding in lint(episode, surroundings(library), rules):
        if finding.step == step:
            return finding
    where = "the episode" if step is None else f"step {step}"
    raise KnownError(
        f"find {rule} in {episode.name}",
        f"{where} has no such finding now",
        "Run taptrail lint to see what there is.",
    )


def _step(episode: Episode, index: int) -> Step:
    return next(step for step in episode.steps if step.index == index)
