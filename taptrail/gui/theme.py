"""The colours of the window: tokens for light and dark, palette and style sheet.

Widgets and painters look colours up by name (`colour("accent")`) each time they paint, so a change
of theme needs no restart. Colours on frames do not follow the theme, because they are painted on
pictures of phones.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication


@dataclass(frozen=True, slots=True)
class Theme:
    """All colours of the window. A `_tint` is the background for text in its colour."""

    name: str
    window: str
    panel: str
    stage: str
    raised: str
    hover: str
    field: str
    button: str
    line: str
    line2: str
    text1: str
    text2: str
    text3: str
    accent: str
    accent_fill: str
    on_accent: str
    accent_tint: str
    match: str
    match_tint: str
    mismatch: str
    mismatch_tint: str
    unscored_tint: str
    record: str
    record_tint: str
    record_fill: str
    person: str
    person_tint: str
    person_mark: str
    name1: str
    name2: str
    name3: str
    name4: str
    hatch: str


DARK = Theme(
    name="dark",
    window="#16171A",
    panel="#1B1D21",
    stage="#0F1012",
    raised="#25282E",
    hover="#2B2E35",
    field="#131417",
    button="#25282E",
    line="#2A2D34",
    line2="#3D424C",
    text1="#E6E8EC",
    text2="#ABB1BC",
    text3="#959CA8",
    accent="#96A2FF",
    accent_fill="#5263E6",
    on_accent="#FFFFFF",
    accent_tint="#272C4D",
    match="#4CCBA2",
    match_tint="#15332A",
    mismatch="#FF8F63",
    mismatch_tint="#3E2418",
    unscored_tint="#2A2D34",
    record="#FF6B78",
    record_tint="#42191F",
    record_fill="#D92F43",
    person="#F6B73C",
    person_tint="#3A2D12",
    person_mark="#F6B73C",
    name1="#58AEF8",
    name2="#F07CBC",
    name3="#B5CC58",
    name4="#B59BFF",
    hatch="#3A3E47",
)

LIGHT = Theme(
    name="light",
    window="#EFF0F3",
    panel="#FFFFFF",
    stage="#E2E5EA",
    raised="#F4F5F7",
    hover="#E9EBEF",
    field="#FFFFFF",
    button="#FFFFFF",
    line="#DFE2E7",
    line2="#C3C8D0",
    text1="#1A1C20",
    text2="#4E5560",
    text3="#5F6672",
    accent="#3F4ED0",
    accent_fill="#4654D8",
    on_accent="#FFFFFF",
    accent_tint="#E6E8FC",
    match="#0A7553",
    match_tint="#DDF2EA",
    mismatch="#B23A0C",
    mismatch_tint="#FDE8DD",
    unscored_tint="#E9EBEF",
    record="#C9213A",
    record_tint="#FDE4E7",
    record_fill="#D02B42",
    person="#8A5A00",
    person_tint="#FDF0D2",
    person_mark="#BF7A00",
    name1="#0B66B8",
    name2="#B0267B",
    name3="#5B6F0C",
    name4="#6A45CF",
    hatch="#CDD1D8",
)


@dataclass(frozen=True, slots=True)
class OnFrames:
    """Colours of marks on pictures of screens, and of the phone drawn around the mirror."""

    person: str = "#FFB01F"
    name1: str = "#2A94EE"
    name2: str = "#E5479D"
    name3: str = "#A4BF2E"
    name4: str = "#9A6CF5"
    suggestion: str = "#FFFFFF"
    halo_dark: str = "#0B0C0E"
    halo_light: str = "#FFFFFF"
    pill: str = "#16171A"
    pill_text: str = "#FFFFFF"
    on_light: str = "#14151A"
    phone: str = "#050506"
    nothing: str = "#1B1D21"
    nothing_text: str = "#ABB1BC"


ON_FRAMES = OnFrames()

# Background and text colours of the letters of gold and runs.
LETTERS = {
    "G": ("#F0A92A", "#14151A"),
    "A": ("#0F76C9", "#FFFFFF"),
    "B": ("#C2337F", "#FFFFFF"),
    "C": ("#5F7A00", "#FFFFFF"),
    "D": ("#7450D6", "#FFFFFF"),
}


class Changes(QObject):
    """Signals that the theme has changed."""

    changed = Signal()


changes = Changes()
_current = LIGHT
_choice = "system"
_listening = False


def current() -> Theme:
    """Returns the theme in use."""
    return _current


def colour(token: str) -> QColor:
    """Returns the colour of a token of the theme in use, for example "text2"."""
    return QColor(getattr(_current, token))


def on_frames(token: str) -> QColor:
    """Returns a colour for use on frames, for example "person"."""
    return QColor(getattr(ON_FRAMES, token))


def letter(who: str) -> tuple[QColor, QColor]:
    """Returns background and text colour of the letter of gold ("G") or a run."""
    ground, text = LETTERS[who]
    return QColor(ground), QColor(text)


def apply(choice: str) -> None:
    """Sets the theme ("system", "light" or "dark") of all windows."""
    global _choice, _listening
    _choice = choice
    if not _listening:
        QGuiApplication.styleHints().colorSchemeChanged.connect(_follow_system)
        _listening = True
    _use(_theme_for(choice))


def _follow_system() -> None:
    if _choice == "system":
        _use(_theme_for(_choice))


def _theme_for(choice: str) -> Theme:
    if choice == "system":
        dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return DARK if dark else LIGHT
    return DARK if choice == "dark" else LIGHT


def _use(theme: Theme) -> None:
    global _current
    _current = theme
    app = QApplication.instance()
    if isinstance(app, QApplication):
        if app.style().objectName() != "fusion":
            app.setStyle("Fusion")
        sheet = style_sheet(theme)
        if app.styleSheet() != sheet:  # every existing widget would be polished again
            app.setPalette(palette(theme))
            app.setStyleSheet(sheet)
    changes.changed.emit()


def palette(theme: Theme) -> QPalette:
    """Returns the palette for what the style sheet does not cover."""
    role = QPalette.ColorRole
    made = QPalette()
    for which, token in (
        (role.Window, theme.window),
        (role.WindowText, theme.text1),
        (role.Base, theme.panel),
        (role.AlternateBase, theme.raised),
        (role.Text, theme.text1),
        (role.Button, theme.button),
        (role.ButtonText, theme.text1),
        (role.BrightText, theme.on_accent),
        (role.Highlight, theme.accent_tint),
        (role.HighlightedText, theme.text1),
        (role.ToolTipBase, theme.text1),
        (role.ToolTipText, theme.window),
        (role.PlaceholderText, theme.text3),
        (role.Link, theme.accent),
        (role.LinkVisited, theme.accent),
        (role.Light, theme.raised),
        (role.Midlight, theme.line),
        (role.Mid, theme.line2),
        (role.Dark, theme.line2),
        (role.Shadow, theme.stage),
        (role.Accent, theme.accent),
    ):
        made.setColor(which, QColor(token))
    for which in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, which, QColor(theme.text3))
    return made


def style_sheet(theme: Theme) -> str:
    """Returns the style sheet; the components paint what it cannot express."""
    t = theme
    return f"""
    QMainWindow, QWidget[ground="window"] {{ background: {t.window}; }}
    QWidget[ground="panel"] {{ background: {t.panel}; }}
    QWidget[ground="stage"] {{ background: {t.stage}; }}
    QWidget[ground="line"] {{ background: {t.line}; }}
    QWidget[ground="raised"] {{ background: {t.raised}; }}
    QLabel {{ background: transparent; color: {t.text1}; }}
    QLabel[tone="2"] {{ color: {t.text2}; }}
    QLabel[tone="3"] {{ color: {t.text3}; }}
    QLabel[tone="record"] {{ color: {t.record}; }}
    QLabel[tone="mismatch"] {{ color: {t.mismatch}; }}
    QScrollArea, QAbstractScrollArea {{ border: 0; background: {t.panel}; }}
    QScrollArea[ground="stage"] {{ background: {t.stage}; }}
    QTableView, QListView, QTreeView {{
        border: 0; background: {t.panel}; color: {t.text1}; outline: 0; gridline-color: {t.line};
        selection-background-color: {t.accent_tint}; selection-color: {t.text1};
    }}
    QHeaderView {{ background: {t.panel}; border: 0; }}
    QHeaderView::section {{
        background: {t.panel}; color: {t.text3}; border: 0; border-bottom: 1px solid {t.line};
        padding: 0 8px; height: 30px; font-size: 12px;
    }}
    QHeaderView::section:first {{ padding-left: 12px; }}
    QHeaderView::section:last {{ padding-right: 12px; }}
    QTableCornerButton::section {{ background: {t.panel}; border: 0; }}
    QLineEdit, QPlainTextEdit, QTextEdit {{
        background: {t.field}; color: {t.text1}; border: 1px solid {t.line2}; border-radius: 5px;
        padding: 0 8px; selection-background-color: {t.accent_fill};
        selection-color: {t.on_accent};
    }}
    QPlainTextEdit, QTextEdit {{ padding: 4px 4px; }}
    QPlainTextEdit[quiet="true"] {{
        border: 0; border-top: 1px solid {t.line}; border-radius: 0; background: {t.raised};
    }}
    QLineEdit {{ min-height: 26px; }}
    QLineEdit[bare="true"] {{ border: 0; background: transparent; padding: 0; min-height: 20px; }}
    QLineEdit:read-only, QPlainTextEdit[quiet="true"] {{ color: {t.text2}; }}
    QLineEdit[wrong="true"] {{ border-color: {t.record}; }}
    QDialog {{ background: {t.window}; }}
    QDialog QListView, QDialog QTreeView {{
        border: 1px solid {t.line2}; border-radius: 5px; padding: 4px;
    }}
    QDialog QListView::item, QDialog QTreeView::item {{ min-height: 26px; border: 0; }}
    QDialog QListView::item:selected, QDialog QTreeView::item:selected {{
        background: {t.accent_tint}; color: {t.accent};
    }}
    QPushButton, QComboBox {{
        background: {t.button}; color: {t.text1}; border: 1px solid {t.line2}; border-radius: 5px;
        min-height: 26px; padding: 0 12px; font-weight: 500;
    }}
    QPushButton:hover, QComboBox:hover {{ background: {t.hover}; }}
    QPushButton:focus, QComboBox:focus {{ border: 2px solid {t.accent}; padding: 0 11px; }}
    QPushButton:default {{
        background: {t.accent_fill}; color: {t.on_accent}; border-color: {t.accent_fill};
    }}
    QPushButton:disabled {{ color: {t.text3}; background: {t.panel}; border-color: {t.line}; }}
    QComboBox::drop-down {{ border: 0; width: 24px; }}
    QComboBox QAbstractItemView {{ background: {t.raised}; color: {t.text1}; }}
    QDialog QToolButton {{ border: 0; border-radius: 5px; padding: 4px; }}
    QDialog QToolButton:hover, QDialog QToolButton:checked {{ background: {t.hover}; }}
    QSplitter::handle {{ background: {t.line}; }}
    QMenu {{
        background: {t.raised}; color: {t.text1}; border: 1px solid {t.line2}; border-radius: 6px;
        padding: 4px;
    }}
    QMenu::item {{ padding: 5px 12px 5px 8px; border-radius: 4px; min-width: 140px; }}
    QMenu::item:selected {{ background: {t.accent_tint}; color: {t.accent}; }}
    QMenu::item:disabled {{ color: {t.text3}; }}
    QMenu::separator {{ height: 1px; background: {t.line}; margin: 4px 0; }}
    QMenu::icon {{ padding-left: 8px; }}
    QToolTip {{
        background: {t.text1}; color: {t.window}; border: 0; border-radius: 4px; padding: 4px 8px;
    }}
    QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
    QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
    QScrollBar::handle {{ background: {t.line2}; border-radius: 3px; margin: 2px; }}
    QScrollBar::handle:vertical {{ min-height: 32px; }}
    QScrollBar::handle:horizontal {{ min-width: 32px; }}
    QScrollBar::handle:hover {{ background: {t.text3}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    """
