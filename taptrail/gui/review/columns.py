"""Columns of the Review page: the frame of a step once for gold and once for each run."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QImage, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from episodes.actions import Action
from episodes.geometry import Box, Size
from episodes.verdicts import Outcome
from replay.tolerance import Tolerance
from taptrail.gui import icons, theme
from taptrail.gui.components import cells
from taptrail.gui.components.chip import Chip, Letter, VerdictChip
from taptrail.gui.components.frame_view import FrameView, Zoom
from taptrail.gui.components.labels import ElidedLabel
from taptrail.gui.components.panel import WidgetRow
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import BODY, FACTS, font
from taptrail.gui.review.painting import MarkUnderlay, marked, words
from taptrail.words import tr

LEAST, _SIDE, _HEAD, _FOOT = 220, 13, 44, 84
SPLIT, OVERLAY, AFTER = range(3)
"""Arrangement of the frames: one for each, all marks on one, or gold's before and after."""


@dataclass(frozen=True)
class RunAnswer:
    """The action of gold or of one run for a step, with its verdict.

    Attributes:
        who: "G" or the run's letter.
        action: None if there is none to draw.
        words: the action, or why there is none.
        why: short form of the reason.
        outcome: None for gold.
        person: the actor, for gold.
    """

    who: str
    name: str
    action: Action | None
    words: str
    why: str = ""
    outcome: Outcome | None = None
    person: str = ""


@dataclass(frozen=True)
class ShownStep:
    """The frame all columns share.

    Attributes:
        dp: pixels of the frame per dp of its phone's screen.
        missing: the text to show if the frame has no picture.
        candidates: boxes that could have been the target.
        tolerance: the region in which the protocol accepts a touch.
    """

    size: Size | None
    dp: float
    region: Box | None
    missing: str
    protected: bool = False
    candidates: tuple[Box, ...] = ()
    tolerance: Tolerance | None = None


@dataclass(frozen=True)
class PlayedPicture:
    """A frame of the video, shown over gold's frame.

    Attributes:
        action: the action up to this time.
    """

    image: QImage
    size: Size
    action: Action | None


class Columns(QWidget):
    """Signals:
    chosen: the letter of the run whose column was clicked.
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Frames"))
        self._columns: list[_Column] = []
        self._said: list[RunAnswer] = []
        self._shown = ShownStep(None, 1, None, "")
        self._picture: tuple[QImage | None, str] = (None, "")
        self._after = (ShownStep(None, 1, None, ""), RunAnswer("G", tr("After"), None, ""))
        self._after_picture: tuple[QImage | None, str] = (None, "")
        self._played: PlayedPicture | None = None
        self._mode = SPLIT
        self._show_region = self._show_tolerance = self._show_candidates = False
        self._selected = ""
        self._first = 0

    def show_step(
        self,
        shown: ShownStep,
        said: list[RunAnswer],
        selected: str,
        after: tuple[ShownStep, RunAnswer],
    ) -> None:
        """Shows a step; its pictures follow with `show_image` and `show_after_image`.

        Args:
            after: the screen after the step, and its text.
        """
        self._picture, self._after_picture = (None, shown.missing), (None, after[0].missing)
        self._after = after
        self._show(shown, said, selected)

    def show_nothing(self, missing: str) -> None:
        """Shows only gold's column, without a frame, and the reason."""
        shown = ShownStep(None, 1, None, missing)
        gold = RunAnswer("G", tr("Gold"), None, missing)
        self.show_step(shown, [gold], "", (shown, RunAnswer("G", tr("After"), None, missing)))

    def show_said(self, shown: ShownStep, said: list[RunAnswer], selected: str) -> None:
        """Updates the texts of the shown step, but not its pictures."""
        self._show(shown, said, selected)

    def show_image(self, image: QImage | None, missing: str = "") -> None:
        """Shows the step's picture in all columns, or the reason why there is none."""
        self._picture = (image, missing)
        self._show_pictures()

    def show_after_image(self, image: QImage | None, missing: str = "") -> None:
        """Shows the picture of the screen after the step, if that has a column."""
        self._after_picture = (image, missing)
        self._show_pictures()

    def show_played(self, played: PlayedPicture | None) -> None:
        """Shows a frame of the video in gold's column; None restores the step's own picture."""
        before, self._played = self._played, played
        if not self._columns or (before is None and played is None):
            return
        size = played.size if played is not None else self._shown.size
        view = self._columns[0].view
        if before is None or played is None or before.size != played.size:
            protected = self._shown.protected and played is None
            view.show_frame(size, self._shown.dp, self._shown.missing, protected=protected)
        self._show_pictures()
        self._draw_marks()

    def select(self, who: str) -> None:
        """Marks the selected run and scrolls to its column."""
        self._selected = who
        for column in self._columns:
            column.set_chosen(column.who == who)
        self._lay()

    def set_mode(self, mode: int) -> None:
        """Shows SPLIT, OVERLAY or AFTER."""
        self._mode = mode
        if self._said:
            self._show(self._shown, self._said, self._selected)

    def set_extras(self, region: bool, candidates: bool, tolerance: bool) -> None:
        """Sets whether target, candidates and tolerance are drawn."""
        self._show_region, self._show_tolerance = region, tolerance
        self._show_candidates = candidates
        self._draw_marks()

    def room(self) -> tuple[int, int]:
        """Returns the size of gold's frame in device pixels, as (width, height)."""
        ratio = self.devicePixelRatioF()
        fit = self._columns[0].view.fit() if self._columns else None
        size = fit.rect.size() if fit is not None else self.size()
        return round(size.width() * ratio), round(size.height() * ratio)

    def views(self) -> list[FrameView]:
        """Returns the visible frames, from left to right."""
        return [column.view for column in self._columns if column.isVisibleTo(self)]

    def _show(self, shown: ShownStep, said: list[RunAnswer], selected: str) -> None:
        self._shown, self._said, self._selected = shown, said, selected
        heads = self._heads()
        while len(self._columns) < len(heads):
            column = _Column()
            column.setParent(self)
            column.chosen.connect(self.chosen)
            column.view.zoomed.connect(self._zoom_all)
            if self._columns:
                column.view.share_scaling(self._columns[0].view)
            self._columns.append(column)
        for number, (column, (frame, head)) in enumerate(zip(self._columns, heads, strict=False)):
            column.show_said(head, chosen=head.who == selected)
            size = frame.size
            if number == 0 and self._played is not None:
                size = self._played.size
            column.view.show_frame(size, frame.dp, frame.missing, protected=frame.protected)
        self._show_pictures()
        self._draw_marks()
        self._lay()

    def _heads(self) -> list[tuple[ShownStep, RunAnswer]]:
        """Returns the frame and the head of each column."""
        if self._mode == OVERLAY:
            return [(self._shown, replace(self._said[0], name=tr("Gold and runs")))]
        if self._mode == AFTER:
            return [(self._shown, replace(self._said[0], name=tr("Before"))), self._after]
        return [(self._shown, said) for said in self._said]

    def _show_pictures(self) -> None:
        for number, column in enumerate(self._columns):
            if number == 0 and self._played is not None:
                column.view.show_image(self._played.image)
            elif number == 1 and self._mode == AFTER:
                column.view.show_image(*self._after_picture)
            else:
                column.view.show_image(*self._picture)

    def resizeEvent(self, event: object) -> None:
        self._lay()

    def _draw_marks(self) -> None:
        for number, (column, (_, head)) in enumerate(
            zip(self._columns, self._heads() if self._said else [], strict=False)
        ):
            if self._mode == AFTER and number:
                column.view.show_marks(None, f"{head.name}: {head.words}")
                continue
            if number == 0 and self._played is not None:
                action = self._played.action
                column.view.show_marks(marked([("G", action)], MarkUnderlay()), tr("Video"))
                continue
            on_frame = self._said if self._mode == OVERLAY else [head]
            ground = self._ground(number == 0)
            said = [f"{one.name}: {one.words}" for one in on_frame]
            column.view.show_marks(
                marked([(one.who, one.action) for one in on_frame], ground), ". ".join(said)
            )
            column.view.setToolTip(tip(words(ground)))

    def _ground(self, gold: bool) -> MarkUnderlay:
        shown = self._shown
        return MarkUnderlay(
            shown.region if self._show_region else None,
            tr("Target") if gold else "",
            shown.candidates if self._show_candidates and gold else (),
            shown.tolerance if self._show_tolerance else None,
        )

    def _lay(self) -> None:
        count = min(len(self._columns), len(self._heads()) if self._said else 0)
        if not count:
            return
        fits = max(1, self.width() // LEAST)
        shown = min(count, fits)
        self._page(count, shown)
        width = self._column_width(shown)
        left = (self.width() - width * shown) // 2
        for number, column in enumerate(self._columns):
            at = self._slot(number, shown)
            column.setVisible(number < count and at is not None)
            if at is not None:
                column.setGeometry(left + at * width, 0, width, self.height())
                column.view.setFixedHeight(self._frame_height(width))
        self.update()

    def _slot(self, number: int, shown: int) -> int | None:
        """Gold stays at the left; the runs beside it are shown in pages."""
        if number == 0:
            return 0
        at = number - self._first
        return at if 1 <= at < shown else None

    def _page(self, count: int, shown: int) -> None:
        self._first = max(0, min(self._first, count - shown))
        heads = enumerate(self._heads()[:count])
        chosen = next((n for n, (_, s) in heads if s.who == self._selected), 0)
        if chosen and shown > 1:
            self._first = min(self._first, chosen - 1)
            self._first = max(self._first, chosen - shown + 1)

    def _column_width(self, shown: int) -> int:
        most = self.width() // shown
        size = self._shown.size
        if size is None:
            return min(most, 360)
        high = max(120, self.height() - _HEAD - _FOOT)
        across = min(size.width * 1.5, high * size.width / size.height)
        return max(min(most, LEAST), min(most, round(across) + 2 * _SIDE))

    def _frame_height(self, width: int) -> int:
        room = max(120, self.height() - _HEAD - _FOOT)
        size = self._shown.size
        if size is None:
            return room
        return max(120, min(room, round((width - 2 * _SIDE) * size.height / size.width)))

    def _zoom_all(self, zoom: Zoom) -> None:
        for column in self._columns:
            column.view.set_zoom(zoom)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("stage"))
        visible = [column for column in self._columns if column.isVisibleTo(self)]
        for column in visible:
            if column.is_chosen and len(visible) > 1:
                painter.fillRect(column.geometry(), theme.colour("panel"))
            right = column.geometry().right()
            if right < self.width() - 2:
                painter.fillRect(right, 0, 1, self.height(), theme.colour("line"))
        if visible and visible[0].x() > 0:
            painter.fillRect(visible[0].x(), 0, 1, self.height(), theme.colour("line"))


class _Column(QWidget):
    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.who = ""
        self.is_chosen = False
        self._letter: Letter | None = None
        self._name = ElidedLabel("", BODY, 600)
        self._verdict = VerdictChip()
        self._person = Chip("", "person", "account")
        self._head = WidgetRow(self._name, self._verdict, self._person, height=44)
        self.view = FrameView(tr("Frame"))
        self.view.top_aligned = True
        self._foot = _Foot()
        column = QVBoxLayout(self)
        column.setContentsMargins(_SIDE, 0, _SIDE, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(self.view)
        column.addSpacing(7)
        column.addWidget(self._foot)
        column.addStretch(1)

    def show_said(self, said: RunAnswer, *, chosen: bool) -> None:
        if self.who != said.who:
            if self._letter is not None:
                self._head.row.removeWidget(self._letter)
                self._letter.deleteLater()
            self._letter = Letter(said.who)
            self._head.row.insertWidget(0, self._letter)
            self._head.row.setStretch(1, 1)
        self.who = said.who
        self.set_chosen(chosen)
        self._name.set_text(said.name)
        self._verdict.show_outcome(said.outcome)
        self._person.set_words(said.person)
        self._person.setVisible(bool(said.person))
        self._foot.show_said(said)
        self.view.setAccessibleName(tr("Frame, {name}", name=said.name))

    def set_chosen(self, chosen: bool) -> None:
        self.is_chosen = chosen
        parent = self.parentWidget()
        if parent is not None:
            parent.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.who != "G" and event.button() is Qt.MouseButton.LeftButton:
            self.chosen.emit(self.who)


class _Foot(QWidget):
    """Foot of a column: the action in up to two lines, then the reason; the tooltip has both."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(_FOOT - 8)
        self._said = RunAnswer("", "", None, "")

    def show_said(self, said: RunAnswer) -> None:
        self._said = said
        self.setToolTip(tip("\n".join(part for part in (said.words, said.why) if part)))
        self.setAccessibleName(f"{said.words}. {said.why}".strip())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        left = 0.0
        if self._said.action is not None:
            icons.paint(painter, icons.of_action(self._said.action), QPointF(9, 13), 18, "text2")
            left = 24.0
        face = font(BODY, 600)
        room = QRectF(left, 4, self.width() - left, 54)
        most = 2 if self._said.why else 3
        cells.lines(painter, room, self._said.words, face, "text1", high=18, most=most, top=True)
        across = QFontMetricsF(face).horizontalAdvance(self._said.words)
        below = 24.0 if across <= room.width() else 42.0
        why = QRectF(0, below, self.width(), self.height() - below)
        most = int(why.height() // 16)
        cells.lines(
            painter, why, self._said.why, font(FACTS), "text2", high=16, most=most, top=True
        )
