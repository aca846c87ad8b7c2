"""An episode for the Annotate page: its steps with their candidates, and its undo state.

Read on worker threads. Plain values, no widgets.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from annotator.candidates import node_ref
from annotator.outlines import trace_outlines
from episodes.annotations import EpisodeReview, Region, StepJudgement
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.geometry import Point
from episodes.screens import TreeFit
from episodes.steps import Step
from episodes.store.library import Library
from episodes.trees.hits import nodes_at
from episodes.trees.step_trees import NoTree, tree_of_step
from episodes.trees.values import Node, Tree
from taptrail.usecases import annotating, editing
from taptrail.usecases.agreement import RoundAgreement
from taptrail.usecases.box_times import BoxTime, box_times
from taptrail.words import tr

log = logging.getLogger(__name__)
Outlines = tuple[tuple[Point, ...], ...]


@dataclass(frozen=True, slots=True)
class AnnotatedEpisode:
    """All data of an episode that the Annotate page shows.

    Attributes:
        opened: its steps with their candidates, by index.
        undo, redo: the journal lines that Undo and Redo would apply to.
        undo_author, redo_author: uuids of their authors; "" if there is none.
        review: the decision on the episode, if there is one.
        times: how long people took to mark its targets.
        outlines: outlines of the masks of its regions, by `outline_key`.
        letters, sides, took: during the settling of a round, for each choice of a step: who made
            it, as letters and as names, and in how many seconds.
        agreement: the agreement of that round in this episode.
        said: objections to its steps; empty in a blind round.
    """

    episode: Episode
    opened: Mapping[int, annotating.OpenStep]
    undo: editing.HistoryLine | None
    redo: editing.HistoryLine | None
    undo_author: str = ""
    redo_author: str = ""
    review: EpisodeReview | None = None
    times: tuple[BoxTime, ...] = ()
    outlines: Mapping[str, Outlines] = field(default_factory=dict)
    letters: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    sides: Mapping[int, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    took: Mapping[int, tuple[tuple[float, ...], ...]] = field(default_factory=dict)
    agreement: RoundAgreement | None = None
    said: tuple[StepJudgement, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedTree:
    """The tree of a step with its freshness.

    Attributes:
        tree: in pixels of the step's frame; None if there is none.
        words: its source and freshness, or why there is none.
        shorter: a shorter form of `words`.
        fine: whether it certainly shows the screen that was pressed.
    """

    tree: Tree | None
    words: str
    fine: bool
    shorter: tuple[str, ...] = ()


def read_whole(
    library: Library, uuid: str, before: AnnotatedEpisode | None = None
) -> AnnotatedEpisode:
    """Returns an episode; steps that are unchanged since `before` are not computed again."""
    episode = library.episode(uuid)
    same = before is not None and before.episode.uuid == uuid
    known = before.opened if before is not None and same else {}
    opened = {}
    for step in episode.steps:
        old = known.get(step.index)
        kept = old is not None and old.step == step
        opened[step.index] = old if kept and old else annotating.open_step(episode, step)
    lines = editing.history(library, uuid)
    edits = library.edits(uuid)
    undo, redo = editing.next_undo(lines), editing.next_redo(lines)
    by = {edit.number: edit.author.uuid for edit in edits}
    whole = AnnotatedEpisode(
        episode,
        opened,
        undo,
        redo,
        by[undo.number] if undo is not None else "",
        by[redo.number] if redo is not None else "",
        library.episode_review(uuid),
        tuple(box_times(edits)),
        before.outlines if before is not None and same else {},
        said=tuple(said for _, said in library.step_judgements(uuid)),
    )
    return with_outlines(whole)


def with_outlines(whole: AnnotatedEpisode) -> AnnotatedEpisode:
    """Returns an episode with the outlines of all its masks; known outlines are reused.

    A mask that cannot be read has no outline; its box is drawn instead.
    """
    known = dict(whole.outlines)
    for opened in whole.opened.values():
        for choice in opened.choices:
            key = outline_key(choice.region)
            if choice.region.mask is None or key in known:
                continue
            try:
                known[key] = trace_outlines(choice.region.mask)
            except KnownError as error:
                log.warning("The mask of %s cannot be drawn: %s", key, error)
                known[key] = ()
    return replace(whole, outlines=known)


def outline_key(region: Region) -> str:
    """Returns the cache key of the outlines of a region's mask."""
    return region.uuid or str(region.box)


def read_tree_of(step: Step) -> ParsedTree:
    """Returns a step's tree with its source and freshness in words."""
    found = tree_of_step(step)
    tree = found.outdated if isinstance(found, NoTree) else found
    kept = step.tree
    if isinstance(found, NoTree) and (tree is None or kept is None):
        return ParsedTree(None, tr(found.reason), False)
    assert kept is not None
    record = kept.record
    said = {
        TreeFit.FRESH: tr("fresh"),
        TreeFit.LATE: tr("came after the press had begun"),
        TreeFit.STALE: tr("the screen changed after it was taken"),
        TreeFit.IMPORTED: tr("its time is not known"),
    }[kept.fit]
    brief = {
        TreeFit.FRESH: tr("fresh"),
        TreeFit.LATE: tr("came too late"),
        TreeFit.STALE: tr("the screen has changed"),
        TreeFit.IMPORTED: tr("time not known"),
    }[kept.fit]
    asked, began = record.requested.host_ns, step.began.host_ns
    if kept.fit is TreeFit.FRESH and asked is not None and began is not None and began >= asked:
        ago = (began - asked) // 1_000_000
        took = tr("{ms} ms", ms=ago) if ago < 1000 else tr("{s:.1f} s", s=ago / 1000)
        said = tr("asked {time} before touch", time=took)
        brief = tr("{time} before touch", time=took)
    return ParsedTree(tree, f"{record.source} · {said}", kept.fit is TreeFit.FRESH, (said, brief))


def node_under(tree: Tree, point: Point) -> tuple[str, Node] | None:
    """Returns the smallest visible element under a point with its reference, or None."""
    found = list(nodes_at(tree, point))
    if not found:
        return None
    window, node = min(found, key=lambda pair: pair[1].box.area)
    return node_ref(tree, window, node), node
