"""Playback bar of the Review page, 46 px high: play, clock, and timeline."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QWidget

from episodes.episodes import Episode
from episodes.media.playback import SPEEDS, PlaybackTrack
from taptrail.gui import icons, phrases, theme
from taptrail.gui.commands import key
from taptrail.gui.components.button import QUIET, Button
from taptrail.gui.components.keycap import words as key_words
from taptrail.gui.components.labels import label
from taptrail.gui.components.timeline import Block, TimeBar, TimelineTimes
from taptrail.gui.fonts import BODY, CAPTION
from taptrail.words import tr

HEIGHT = 46


class Playback(QWidget):
    """Signals:
    toggled: the user pressed play or pause.
    stepped: the user asked for the previous (-1) or next (1) step.
    sped: the selected speed; 1 is the original speed.
    looped: whether to start again at the end.
    """

    toggled = Signal()
    stepped = Signal(int)
    sped = Signal(float)
    looped = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(HEIGHT)
        self.setAccessibleName(tr("Playback"))
        self._track: PlaybackTrack | None = None
        self._last = self._tip("skip-previous", tr("Step before"), "last-step")
        self._next = self._tip("skip-next", tr("Next step"), "next-step")
        self.play = self._tip("play", tr("Play"), "play")
        self._last.clicked.connect(lambda: self.stepped.emit(-1))
        self._next.clicked.connect(lambda: self.stepped.emit(1))
        self.play.clicked.connect(self.toggled)
        self._clock = label("", BODY, 600)
        self._of = label("", BODY, tone="2")
        self._note = label("", CAPTION, tone="2")
        for part in (self._clock, self._of, self._note):
            part.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.bar = TimeBar()
        self.speed = Button("1×", kind=QUIET, menu=True, tip=tr("Speed"))
        self.speed.clicked.connect(self._show_speeds)
        self._speed = 1.0
        self.loop = self._tip("repeat", tr("Play over and over"), "loop")
        self.loop.setCheckable(True)
        self.loop.toggled.connect(self.looped)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 1, 8, 0)
        row.setSpacing(4)
        for button in (self._last, self.play, self._next):
            row.addWidget(button)
        row.addSpacing(8)
        row.addWidget(self._clock)
        row.addWidget(self._of)
        row.addSpacing(4)
        row.addWidget(self.bar, 1)
        row.addWidget(self._note)
        row.addWidget(self.speed)
        row.addWidget(self.loop)
        self.show_nothing()

    def show_nothing(self) -> None:
        """Disables the bar until there is something to play."""
        self._track = None
        self.bar.show_times(TimelineTimes(0))
        for part in (self._last, self.play, self._next, self.speed, self.loop):
            part.setEnabled(False)
        for words in (self._clock, self._of, self._note):
            words.setText("")

    def show_track(self, track: PlaybackTrack, episode: Episode) -> None:
        """Shows the timeline of an episode."""
        self._track = track
        blocks = []
        for step, span in zip(episode.steps, track.steps, strict=True):
            words = phrases.sentence(phrases.step_words(step))
            blocks.append(Block(span.began_us, span.ended_us, words) if span else None)
        self.bar.show_times(
            TimelineTimes(
                track.length_us,
                blocks,
                [(gap.began_us, gap.ended_us, gap_words(gap.reason)) for gap in track.gaps],
                [(span.began_us, span.ended_us) for span in track.segments],
            )
        )
        for part in (self._last, self._next):
            part.setEnabled(bool(episode.steps))
        for part in (self.play, self.speed, self.loop):
            part.setEnabled(bool(track.pictures))
        self._of.setText(tr("of {length}", length=phrases.clock(track.length_us)))
        self.show_at(0.0, 0, 0, 0)

    def show_at(self, at_us: float, row: int, direction: int, dropped: int) -> None:
        """Shows the position, and whether it is playing.

        Args:
            dropped: number of frames that arrived too late to be shown.
        """
        if self._track is None:
            return
        self.bar.show_at(at_us, row)
        self._clock.setText(phrases.position(at_us))
        self.play.set_words("", "pause" if direction else "play")
        self.play.set_tip(_named(tr("Stop") if direction else tr("Play"), "play"))
        self._note.setText(self._notes(at_us, dropped))

    def clock(self) -> str:
        """Returns the text of the clock: the position in the episode."""
        return self._clock.text()

    def note(self) -> str:
        """Returns the note beside the timeline: a gap, dropped frames, or missing times."""
        return self._note.text()

    def choose_speed(self, speed: float) -> None:
        """Sets the speed."""
        self._speed = speed
        self.speed.set_words(_times(speed))
        self.sped.emit(speed)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("panel"))
        painter.fillRect(0, 0, self.width(), 1, theme.colour("line"))

    def _notes(self, at_us: float, dropped: int) -> str:
        track = self._track
        gap = track.gap(at_us) if track is not None else None
        if gap is not None:
            return gap_words(gap.reason)
        if dropped:
            return tr("1 frame came too late", "{n} frames came too late", n=dropped)
        if track is not None and track.even and track.pictures:
            return tr("No times recorded: 1 s a step")
        if track is not None and not track.pictures:
            return tr("No pictures to play")
        return ""

    def _show_speeds(self) -> None:
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        for speed in SPEEDS:
            icon = icons.icon("check") if speed == self._speed else icons.icon("circle-small")
            action = menu.addAction(icon, _times(speed))
            action.triggered.connect(lambda _=False, s=speed: self.choose_speed(s))
        menu.popup(self.speed.mapToGlobal(QPoint(0, -menu.sizeHint().height() - 4)))

    def _tip(self, icon: str, words: str, command: str) -> Button:
        return Button("", icon, kind=QUIET, tip=_named(words, command))


def gap_words(reason: str) -> str:
    """Returns the reason of a gap as the start of a sentence."""
    known = {
        "paused": tr("Paused"),
        "unplugged": tr("The phone was unplugged"),
        "rotated": tr("The screen turned"),
        "undelivered": tr("The phone refused an input"),
        "foreign": tr("An app came to the front by itself"),
        "queue full": tr("The disk was too slow"),
        "library busy": tr("The library was busy"),
        "server restarted": tr("The mirror began again"),
    }
    return known.get(reason) or reason[:1].upper() + reason[1:] or tr("Nothing recorded")


def _named(words: str, command: str) -> str:
    return f"{words}  {key_words(key(command))}"


def _times(speed: float) -> str:
    return f"{speed:g}×"
