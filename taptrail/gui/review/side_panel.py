"""Right panel of the Review page: tabs with the verdict, history, words, numbers and notes."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget

from taptrail.gui.commands import key
from taptrail.gui.components.keycap import words as key_words
from taptrail.gui.components.panel import Panel
from taptrail.gui.review.history_tab import HistoryTab
from taptrail.gui.review.notes_tab import NotesTab
from taptrail.gui.review.numbers import Numbers
from taptrail.gui.review.tabs import TabBar
from taptrail.gui.review.verdict_tab import VerdictTab
from taptrail.gui.review.words_tab import WordsTab
from taptrail.words import tr

WHY, HISTORY, WORDS, NUMBERS, NOTES = range(5)


class SidePanel(Panel):
    """The attributes are the five tabs."""

    def __init__(self) -> None:
        super().__init__(tr("Why"))
        self.why, self.past, self.words = VerdictTab(), HistoryTab(), WordsTab()
        self.numbers, self.notes = Numbers(), NotesTab()
        names = [tr("Why"), tr("History"), tr("Words"), tr("Numbers"), tr("Notes")]
        keys = f"{key_words(key('last-tab'))} {key_words(key('next-tab'))}"
        self.tabs = TabBar(names, tr("Details of the step"), keys)
        self._stack = QStackedWidget()
        for page in (self.why, self.past, self.words, self.numbers, self.notes):
            self._stack.addWidget(page)
        self.tabs.chosen.connect(self._stack.setCurrentIndex)
        self.add(self.tabs, self._stack)
        self.column.setStretch(1, 1)

    def turn_to(self, tab: int) -> None:
        """Shows a tab."""
        if self.tabs.choice() != tab:
            self.tabs.turn_to(tab)
