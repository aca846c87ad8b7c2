"""Writing into the field in front: soft keyboard, hard keys, clipboard.

Knows the phone's front activity and its field; where the keys come from is not its business.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from demophone.apps.app import Activity
from demophone.views.fields import Field
from demophone.views.geometry import Rect
from demophone.views.keyboard import Keyboard
from demophone.views.keycodes import CONTROL, SHIFT, KeyCode, character
from demophone.views.overlays import OverlayChoice, text_actions

_COMMON = (
    "and at but can for from have hello home how later meet my new number of on please Saturday "
    "see send Sunday thanks that the this time to today tomorrow we when will with you"
)


class Writer(Protocol):
    """What typing needs of the phone."""

    @property
    def front(self) -> Activity: ...
    @property
    def clipboard(self) -> str: ...
    @property
    def vocabulary(self) -> Sequence[str]:
        """Names and other words that apps offer."""

    def changed(self, reason: str) -> None: ...
    def copy(self, text: str) -> None: ...
    def close_overlay(self) -> None: ...
    def keyboard_moves(self) -> None:
        """Starts to slide the keyboard in."""

    def keyboard_leaves(self) -> None:
        """The keyboard is about to go."""


class Typing:
    """The cursor's field, and everything that writes into it."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.keyboard = Keyboard(self)
        self._near: Rect | None = None

    @property
    def field(self) -> Field | None:
        """The field with the cursor, in the activity in front."""
        return self._writer.front.focused

    def changed(self, reason: str) -> None:
        """Something about the keyboard changed."""
        self._writer.changed(reason)

    def attend(self, field: Field | None, keyboard: bool = True) -> None:
        """Gives a field the cursor; None removes it and hides the keyboard."""
        front = self._writer.front
        if field is None:
            self._writer.keyboard_leaves()
            front.focused, front.keyboard = None, False
        else:
            moved = front.focused is not field
            shown = front.keyboard and front.focused is not None
            front.focused = field
            if keyboard and not shown:
                front.keyboard = True
                self._writer.keyboard_moves()
            if moved or not shown:
                self.keyboard.attend(field)
        self._writer.changed("focus")

    def refresh(self) -> None:
        """An act of the app may have emptied the field: begins with a capital again."""
        field = self.field
        if field is not None and not field.text:
            self.keyboard.capitalise(field)

    # --- what the soft keyboard does ---------------------------------------------------------
    def typed(self, text: str) -> None:
        """Writes text into the field."""
        field = self.field
        if field is None:
            return
        self._quiet()
        field.insert(text)
        if self.keyboard.shift == "once":
            self.keyboard.shift = "off"
        self.keyboard.capitalise(field)
        self._writer.changed("text")

    def erased(self, word: bool) -> None:
        """Deletes before the cursor."""
        field = self.field
        if field is None:
            return
        self._quiet()
        if word:
            field.delete_word()
        else:
            field.backspace()
        self.keyboard.capitalise(field)
        self._writer.changed("text")

    def completed(self, word: str) -> None:
        """Takes a suggestion."""
        field = self.field
        if field is None:
            return
        part = field.word_before()
        field.move(field.cursor)
        field.move(field.cursor - len(part), extend=True)
        field.insert(word + " ")
        self.keyboard.capitalise(field)
        self._writer.changed("text")

    def acted(self) -> None:
        """Handles the action key: a new line, the next field, or the field's action."""
        field = self.field
        if field is None:
            return
        if field.multiline:
            self.typed("\n")
        else:
            self.act(field)

    def act(self, field: Field) -> None:
        """What Enter does in a field of one line."""
        if field.action == "next" and field.following is not None:
            self.attend(field.following, keyboard=self._writer.front.keyboard)
            return
        if field.on_action is not None:
            field.on_action()
        else:
            self._writer.keyboard_leaves()
            self._writer.front.keyboard = False
        self._writer.changed("action")

    def words(self) -> list[str]:
        """Three words that may be meant."""
        field = self.field
        if field is None or field.kind == "password":
            return []
        part = field.word_before()
        names = field.kind in ("name", "search")
        pool = (
            list(self._writer.vocabulary) if names else [*_COMMON.split(), *self._writer.vocabulary]
        )
        if not part:
            return ["Mara", "Ivo", "Dana"] if names else ["I", "The", "Thanks"]
        fits = [w for w in pool if w.lower().startswith(part.lower()) and w.lower() != part.lower()]
        written = [f.capitalize() if part[0].isupper() else f for f in dict.fromkeys(fits)]
        return [part, *written][:3]

    # --- what hard keys and the clipboard do -------------------------------------------------
    def pasted(self) -> bool:
        """Writes the clipboard's text into the field. Returns whether there is a field."""
        field = self.field
        if field is None:
            return False
        self._quiet()
        field.insert(self._writer.clipboard)
        self._writer.changed("paste")
        return True

    def key(self, keycode: int, meta: int) -> bool:
        """A hard key for the field. Returns whether it meant something to it."""
        field = self.field
        if field is None:
            return False
        if meta & CONTROL:
            return self._shortcut(field, keycode)
        if keycode in (KeyCode.ENTER, KeyCode.NUMPAD_ENTER):
            self.acted()
            return True
        text = character(keycode, meta)
        if text:
            self.typed(text)
            return True
        return self._edit(field, keycode, bool(meta & SHIFT))

    def _edit(self, field: Field, keycode: int, extend: bool) -> bool:
        match keycode:
            case KeyCode.DELETE:
                self.erased(False)
            case KeyCode.FORWARD_DELETE:
                field.delete()
            case KeyCode.LEFT:
                field.move(field.cursor - 1, extend)
            case KeyCode.RIGHT:
                field.move(field.cursor + 1, extend)
            case KeyCode.MOVE_HOME:
                field.move(0, extend)
            case KeyCode.MOVE_END:
                field.move(len(field.text), extend)
            case KeyCode.CUT:
                self.cut()
            case KeyCode.COPY:
                self.copied()
            case KeyCode.PASTE:
                self.pasted()
            case _:
                return False
        self._writer.changed("text")
        return True

    def _shortcut(self, field: Field, keycode: int) -> bool:
        acts = {29: self.chosen, 31: self.copied, 52: self.cut, 50: self.pasted}
        act = acts.get(keycode)
        if act is None:
            return False
        act()
        return True

    # --- the bar of text actions -------------------------------------------------------------
    def chosen(self) -> None:
        """Chooses all text."""
        if self.field is not None:
            self.field.choose_all()
            self.offer(None)

    def copied(self) -> None:
        """Copies what is chosen."""
        if self.field is not None and self.field.chosen and self.field.kind != "password":
            self._writer.copy(self.field.chosen)
        self._quiet()

    def cut(self) -> None:
        """Copies the selection and deletes it; passwords stay unchanged."""
        if self.field is not None and self.field.chosen and self.field.kind != "password":
            self._writer.copy(self.field.chosen)
            self.field.backspace()
        self._quiet()

    def offer(self, near: Rect | None) -> None:
        """Shows the actions that are possible now, above the field or where they were."""
        field = self.field
        if field is None:
            return
        if near is not None:
            self._near = near
        choices: list[OverlayChoice] = []
        if field.chosen and field.kind != "password":
            choices += [OverlayChoice("Cut", self.cut), OverlayChoice("Copy", self.copied)]
        if self._writer.clipboard:
            choices.append(OverlayChoice("Paste", self._paste))
        if field.text and field.chosen != field.text:
            choices.append(OverlayChoice("Select all", self.chosen))
        near = self._near
        self._writer.front.overlay = text_actions(choices, near) if choices and near else None
        self._writer.changed("actions")

    def _paste(self) -> None:
        self.pasted()

    def _quiet(self) -> None:
        overlay = self._writer.front.overlay
        if overlay is not None and not overlay.modal:
            self._writer.close_overlay()
        if self.field is not None and self._writer.front.overlay is None:
            self._writer.changed("text")
