"""The gate: which apps an agent may touch, and which acts need a person's consent first.

It trusts the phone and the tree, never the model's answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from episodes import actions as a
from episodes.errors import KnownError
from episodes.geometry import Point
from episodes.trees.hits import label, target_at
from episodes.trees.values import Node, Tree


class Consent(StrEnum):
    """Kinds of acts that may need consent."""

    SEND = "send"
    PAY = "pay"
    DELETE = "delete"
    CALL = "call"
    PASSWORDS = "passwords"


ALL_KINDS = frozenset(Consent)
_WORDS = {
    Consent.SEND: "send|share|post|publish|submit|reply|forward|senden|teilen|enviar|envoyer",
    Consent.PAY: "pay|buy|purchase|order|checkout|subscribe|donate|kaufen|bezahlen|comprar|pagar"
    "|acheter|payer",
    Consent.DELETE: "delete|remove|erase|discard|uninstall|trash|bin|format|factory reset|löschen"
    "|entfernen|eliminar|borrar|supprimer",
    Consent.CALL: "call|dial|anrufen|llamar|appeler",
}
_PARTS = {  # of scripts without spaces between words
    Consent.SEND: "发送|分享|发布|提交",
    Consent.PAY: "付款|支付|购买|下单",
    Consent.DELETE: "删除|卸载|清除",
    Consent.CALL: "拨打|呼叫|拨号",
}
_PATTERNS = {
    kind: re.compile(rf"(?<![^\W_])(?:{words})(?![^\W_])|{_PARTS[kind]}", re.IGNORECASE)
    for kind, words in _WORDS.items()
}


def consent_kinds(words: str) -> frozenset[Consent]:
    """Returns the kinds in a list such as "send,pay"; "all" and "none" stand alone.

    Raises:
        KnownError: a word is no kind.
    """
    if words in ("all", "none"):
        return ALL_KINDS if words == "all" else frozenset()
    try:
        return frozenset(Consent(word.strip()) for word in words.split(","))
    except ValueError as error:
        known = ", ".join(kind.value for kind in Consent)
        raise KnownError(
            "ask before kinds of acts", str(error), f"Use {known}, all or none."
        ) from error


@dataclass(frozen=True, slots=True)
class Gate:
    """What an agent may do.

    Attributes:
        apps: packages that may be in front, the home screen among them; none for all apps.
        kinds: kinds of acts that need consent.
        ask: asks a person for consent to an act that is named in words; refuses by default.
    """

    apps: frozenset[str] = frozenset()
    kinds: frozenset[Consent] = ALL_KINDS
    ask: Callable[[frozenset[Consent], str], bool] = field(default=lambda kinds, words: False)

    def allows_app(self, package: str | None) -> bool:
        """Returns whether an app may be touched; None is for an unknown app."""
        return not self.apps or (package is not None and package in self.apps)

    def needs_consent(self, action: a.Action, tree: Tree | None) -> frozenset[Consent]:
        """Returns the kinds of an action that need consent.

        What a touch means is unknown without a tree, so it then counts as all kinds.
        """
        if not self.kinds or not isinstance(
            action, a.Tap | a.DoubleTap | a.LongPress | a.TypeText | a.PressKey | a.Swipe
        ):
            return frozenset()
        if isinstance(action, a.PressKey) and action.key is not a.Key.ENTER:
            return frozenset()
        if tree is None:
            return self.kinds
        return self.kinds & _kinds_of(action, tree)


def _kinds_of(action: a.Action, tree: Tree) -> frozenset[Consent]:
    match action:
        case (
            a.Tap(at=Point() as at) | a.DoubleTap(at=Point() as at) | a.LongPress(at=Point() as at)
        ):
            return _of_words(_words_at(tree, at))
        case a.Swipe(start=start):  # "slide to call"
            return _of_words(_words_at(tree, start)) & {Consent.CALL, Consent.PAY}
        case a.TypeText(target=target, submit=submit):
            fields = [node for node in tree.walk() if node.password]
            into = isinstance(target, Point) and any(target in node.box for node in fields)
            kinds: set[Consent] = set()
            if into or any(node.focused for node in fields):
                kinds.add(Consent.PASSWORDS)
            return frozenset(kinds) | (_of_enter(tree) if submit else frozenset())
        case a.PressKey(key=a.Key.ENTER):
            return _of_enter(tree)
        case _:
            return frozenset()


def _of_enter(tree: Tree) -> frozenset[Consent]:
    """Returns what Enter may do: the same as a button on the screen that sends, pays or calls."""
    shown = (
        words
        for node in tree.walk()
        if node.visible and node.interactive and not node.editable
        for words in _words_of(node)
    )
    return _of_words(shown) - {Consent.DELETE}


def _words_at(tree: Tree, at: Point) -> Iterable[str]:
    """Yields the words of all elements under a point that take the touch or are inside it."""
    found = target_at(tree, at)
    if found is not None:
        yield label(found[1])
    for node in tree.walk():
        if node.visible and at in node.box and (node.interactive or not node.children):
            yield from _words_of(node)


def _words_of(node: Node) -> tuple[str, str, str]:
    name = node.resource_id.rpartition("/")[2].replace("_", " ")
    return (node.text if len(node.text) <= 40 else "", node.description, name)


def _of_words(words: Iterable[str]) -> frozenset[Consent]:
    told = " · ".join(words)
    return frozenset(kind for kind, pattern in _PATTERNS.items() if pattern.search(told))
