"""Agreement of the annotators of a blind round, in total and by kind of element."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations

from annotator.agreement import Agreement, ChoicePair, measure_agreement, measure_agreement_by_kind
from annotator.candidates import Candidates
from episodes.annotations import Author, BlindChoice
from episodes.episodes import Episode
from episodes.geometry import Box
from episodes.store.library import Library
from taptrail.usecases.annotating import OpenStep
from taptrail.usecases.blind import checked_round, open_blind
from taptrail.usecases.box_times import no_round

NO_NODE = "no node"
"""The kind for a press that hits no element of the tree."""
NOBODY = Author("", "")


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Agreement of two annotators.

    Attributes:
        kinds: their agreement for each kind of element, the kind with most steps first.
    """

    first: Author
    second: Author
    all: Agreement
    kinds: dict[str, Agreement]


@dataclass(frozen=True, slots=True)
class RoundAgreement:
    """Agreement of all annotators of a round.

    Attributes:
        episodes, steps: how many have at least one choice.
        alone: steps with one annotator only; they count in no pair.
        pairs: every two annotators who share a step, by name.
    """

    round: str
    episodes: int
    steps: int
    alone: int
    pairs: tuple[PairAgreement, ...]


def round_agreement(
    library: Library, round_name: str, names: tuple[str, ...] = ()
) -> RoundAgreement:
    """Returns the agreement of a round, in the named episodes or in all.

    Raises:
        KnownError: there is no such round or episode.
    """
    wanted = checked_round(round_name)
    pairs: dict[tuple[Author, Author], list[ChoicePair]] = defaultdict(list)
    episodes = steps = alone = 0
    for episode, choices in _episodes(library, wanted, names):
        by_step: dict[int, list[BlindChoice]] = defaultdict(list)
        for choice in choices:
            by_step[choice.step].append(choice)
        episodes += 1
        steps += len(by_step)
        for step in episode.steps:
            said = sorted(by_step.get(step.index, ()), key=lambda one: _order(one.author))
            alone += len(said) == 1
            if len(said) < 2:
                continue
            opened = open_blind(episode, step, NOBODY)
            kind, proposal = element_under(opened.candidates), _proposal(opened)
            for one, other in combinations(said, 2):
                pair = ChoicePair(kind, proposal, one.box, other.box)
                pairs[one.author, other.author].append(pair)
    if not episodes:
        raise no_round(library, wanted)
    told = [
        PairAgreement(first, second, measure_agreement(all_), measure_agreement_by_kind(all_))
        for (first, second), all_ in sorted(
            pairs.items(), key=lambda item: tuple(map(_order, item[0]))
        )
    ]
    return RoundAgreement(wanted, episodes, steps, alone, tuple(told))


def element_under(found: Candidates | None) -> str:
    """Returns the kind of element under a press, whatever the annotators chose.

    The element is the tree's proposal, or else the smallest one; "no node" if there is none.
    """
    if found is None or not found.found:
        return NO_NODE
    at = found.proposed if found.proposed is not None else 0
    return found.found[at].element


def _proposal(opened: OpenStep) -> Box | None:
    return None if opened.proposed is None else opened.choices[opened.proposed].region.box


def _episodes(
    library: Library, round_name: str, names: tuple[str, ...]
) -> list[tuple[Episode, tuple[BlindChoice, ...]]]:
    uuids = (
        [library.episode(name).uuid for name in names]
        if names
        else [one.uuid for one in library.episodes()]
    )
    found = []
    for uuid in uuids:
        choices = library.blind_choices(uuid, round_name)
        if choices:
            found.append((library.episode(uuid), choices))
    return found


def _order(author: Author) -> tuple[str, str]:
    return author.name, author.uuid
