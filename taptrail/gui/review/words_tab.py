"""The Words tab: instruction, texts people wrote about the step, and the foreground app."""

from __future__ import annotations

from episodes.episodes import Episode
from episodes.steps import Step
from taptrail.gui import phrases
from taptrail.gui.components.labels import label
from taptrail.gui.components.panel import Facts, Panel, Scrolled, Section, section_head
from taptrail.gui.fonts import BODY, FACTS
from taptrail.words import tr


class WordsTab(Panel):
    """Texts of the task and of one step."""

    def __init__(self) -> None:
        super().__init__(tr("Words"))
        self._task = label("", BODY, wrap=True, selectable=True)
        self._of_task = Facts(88, wrap=True)
        self._of_step = Facts(88, wrap=True)
        self._none = label(tr("Nobody wrote anything about this step."), FACTS, tone="2", wrap=True)
        self._step_part = Section(section_head(tr("Step")), self._of_step, self._none, line=False)
        inside = Panel(tr("Words"))
        inside.add(
            Section(section_head(tr("Task")), self._task, self._of_task), self._step_part, None
        )
        self.add(Scrolled(inside))

    def show_step(self, episode: Episode, step: Step, name: str) -> None:
        """Shows the texts of an episode and a step; `name` is the touched element's."""
        task = episode.task
        self._task.setText(task.instruction or tr("No instruction"))
        self._of_task.put(tr("Template"), task.template)
        self._of_task.put(tr("Category"), task.category)
        self._of_task.put(tr("Apps"), ", ".join(task.apps))
        texts, front = step.texts, step.foreground
        rows = {
            tr("Action"): phrases.sentence(phrases.step_words(step, name)),
            tr("Instruction"): texts.instruction,
            tr("Description"): texts.description,
            tr("Intention"): texts.intention,
            tr("Context"): texts.context,
            tr("Target"): step.target.label if step.target is not None else "",
            tr("App in front"): (front.label or front.package) if front is not None else "",
        }
        for words, value in rows.items():
            self._of_step.put(words, value)
        written = (texts.instruction, texts.description, texts.intention, texts.context)
        self._none.setVisible(not any(written))

    def value(self, name: str) -> str:
        """Returns the value of a name of the step."""
        return self._of_step.value(name)

    def task(self) -> str:
        """Returns the shown instruction."""
        return self._task.text()
