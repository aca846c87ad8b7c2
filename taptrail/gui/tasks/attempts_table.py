"""Table of the attempts of a task, slowest first, and of the numbers behind its charts."""

from __future__ import annotations

from taptrail.gui.tasks.grid import Grid, GridCell, GridColumn, MadeRows
from taptrail.gui.tasks.texts import attempt_sentence, mark_of, outcome_words, person, time
from taptrail.usecases.attempts import AgentsAttempt, PersonsAttempt, Reference
from taptrail.usecases.reference_times import Spread
from taptrail.words import tr

PAUSED, EPISODE = 5, 8


class AttemptsTable(Grid):
    """One row per attempt: people first, then agents."""

    def __init__(self) -> None:
        super().__init__(
            tr("Attempts"),
            [
                GridColumn(tr("Attempt")),
                GridColumn(tr("Steps"), 52, True),
                GridColumn(tr("Time"), 60, True),
                GridColumn(tr("Thinking"), 70, True),
                GridColumn(tr("Acting"), 60, True),
                GridColumn(tr("Paused"), 64, True),
                GridColumn(tr("Outcome"), 116),
                GridColumn(tr("In the numbers"), 132),
                GridColumn(tr("Episode"), 84),
            ],
            several=True,
        )
        self._people: list[PersonsAttempt] = []
        self._agents: list[AgentsAttempt] = []
        self._uuids: list[str] = []

    def show_reference(self, found: Reference | None) -> None:
        """Shows the attempts of a task."""
        people = found.attempts if found is not None else ()
        self._people = sorted(people, key=lambda one: -(one.times.wall or 0))
        self._agents = list(found.agents) if found is not None else []
        self._uuids = [one.uuid for one in self._people] + [one.uuid for one in self._agents]
        self.show_rows(MadeRows(len(self._uuids), self._row))

    def uuids(self) -> list[str]:
        """Returns the uuid of each row's episode."""
        return list(self._uuids)

    def person(self, row: int) -> PersonsAttempt | None:
        """Returns the person's attempt in a row; None for an agent's."""
        return self._people[row] if 0 <= row < len(self._people) else None

    def chosen(self) -> list[str]:
        """Returns the uuids of the selected rows from the top."""
        uuids = self.uuids()
        return [uuids[row] for row in self.chosen_rows()]

    def turn_to(self, uuid: str) -> None:
        """Selects the row of an attempt without emitting a signal."""
        uuids = self.uuids()
        if uuid in uuids:
            self.choose(uuids.index(uuid))
            self.scrollTo(self.grid.index(uuids.index(uuid), 0))

    def _row(self, row: int) -> list[GridCell]:
        if row < len(self._people):
            return _person_row(self._people[row])
        return _agent_row(self._agents[row - len(self._people)])

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self.setColumnHidden(EPISODE, self.width() < 780)
        self.setColumnHidden(PAUSED, self.width() < 690)


def numbers_grid() -> Grid:
    """Returns the table behind the charts: minimum, quartiles, maximum and mean."""
    titles = (tr("Least"), tr("Quartile"), tr("Median"), tr("Quartile"), tr("Most"), tr("Mean"))
    return Grid(
        tr("Numbers behind the charts"),
        [
            GridColumn(tr("Of what counts")),
            GridColumn(tr("Attempts"), 74, True),
            *(GridColumn(title, 72, True) for title in titles),
        ],
    )


def numbers_rows(found: Reference | None) -> list[list[GridCell]]:
    """Returns the rows of that table."""
    if found is None:
        return []
    return [
        _spread_row(tr("Whole time"), found.wall, times=True),
        _spread_row(tr("Thinking"), found.thinking, times=True),
        _spread_row(tr("Acting"), found.acting, times=True),
        _spread_row(tr("Steps"), found.steps, times=False),
    ]


def _spread_row(name: str, spread: Spread | None, *, times: bool) -> list[GridCell]:
    if spread is None:
        return [GridCell(name, weight=500), GridCell("0"), *[GridCell("–", "text3")] * 6]
    values = (
        *(spread.least, spread.first_quartile, spread.median),
        *(spread.third_quartile, spread.most, spread.mean),
    )
    return [
        GridCell(name, weight=500),
        GridCell(str(spread.count)),
        *(GridCell(time(value) if times else f"{value:.4g}") for value in values),
    ]


def _person_row(one: PersonsAttempt) -> list[GridCell]:
    who, _, number = person(one).rpartition(",")
    tip = attempt_sentence(one)
    icon, ink, word = outcome_words(one.outcome)
    mark = mark_of(one)
    return [
        GridCell(who, weight=500, tail=f",{number}", tip=tip),
        GridCell(str(one.steps), tip=tip),
        GridCell(time(one.times.wall), tip=tip),
        GridCell(time(one.times.thinking), "text2", tip=tip),
        GridCell(time(one.times.acting), "text2", tip=tip),
        GridCell(time(one.times.paused) if one.times.paused else "", "text2", tip=tip),
        GridCell(word, icon=icon, icon_ink=ink, tip=tip),
        GridCell(tr(mark.value), "text1" if one.counts else "text2", mark=mark, tip=one.why or tip),
        GridCell(one.name, "text3", tip=tip),
    ]


def _agent_row(one: AgentsAttempt) -> list[GridCell]:
    icon, ink, word = outcome_words(one.outcome)
    tip = tr("Attempts of agents and scripts are in no number.")
    return [
        GridCell(one.agent or tr("Agent"), "text2", 500, icon="robot-outline", tip=tip),
        GridCell(str(one.steps), "text2", tip=tip),
        *[GridCell("–", "text3", tip=tip)] * 3,
        GridCell("", tip=tip),
        GridCell(word, "text2", icon=icon, icon_ink=ink, tip=tip),
        GridCell(tr("No person"), "text3", tip=tip),
        GridCell(one.name, "text3", tip=tip),
    ]
