"""How many steps AndroidWorld allows for each of its 116 tasks, and how many its table says people
needed.

The table `budgets.tsv` holds measured facts: the numbers that a suite of the released code gives.
The benchmark's own table of human steps is older than its budgets.

Source: task_metadata.json, suite_utils.py (`_allocate_step_budget`), registry.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from episodes.errors import KnownError


@dataclass(frozen=True, slots=True)
class CatalogueTask:
    """What the released code says of one task.

    Attributes:
        optimal_steps: steps people needed, by the benchmark's table.
        class_complexity: what the class declares.
        instance_complexity: what an instance has, which decides the budget. Four question tasks
            declare more than their instances get.
    """

    name: str
    optimal_steps: int
    class_complexity: float
    instance_complexity: float
    difficulty: str

    @property
    def budget(self) -> int:
        """Steps an agent may take."""
        return step_budget(self.instance_complexity)


def step_budget(complexity: float) -> int:
    """Returns ten times the complexity, cut off to whole steps."""
    return int(10 * complexity)


@cache
def catalogue() -> dict[str, CatalogueTask]:
    """Returns the tasks by name, in alphabetic order."""
    lines = files(__package__).joinpath("budgets.tsv").read_text(encoding="utf-8").splitlines()
    tasks = {}
    for line in lines[1:]:
        name, optimal, of_class, of_instance, difficulty = line.split("\t")
        tasks[name] = CatalogueTask(
            name, int(optimal), _number(of_class), _number(of_instance), difficulty
        )
    return tasks


def catalogue_task(name: str) -> CatalogueTask:
    """Returns the task of a name.

    Raises:
        KnownError: the benchmark has no such task.
    """
    found = catalogue().get(name)
    if found is None:
        raise KnownError(
            f"look up the task “{name}” in AndroidWorld",
            f"there is no task of this name among its {len(catalogue())}",
            "Names are spelled as in AndroidWorld, for example SystemWifiTurnOn.",
        )
    return found


def _number(text: str) -> float:
    value = float(text)
    return int(value) if value.is_integer() else value
