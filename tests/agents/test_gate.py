"""Which acts need consent, by the words of the tree and never by the answer."""

import pytest

from agents.gate import ALL_KINDS, Consent, Gate
from agents.stopping import Limits, StopRules, StopWord
from episodes import actions as a
from episodes.geometry import Point
from episodes.trees.readers import read_tree


def screen(*nodes):
    """A tree of nodes (text, description, id, more attributes), each 100 high."""
    lines = [
        f'<node class="android.widget.Button" package="p" text="{text}" content-desc="{told}" '
        f'resource-id="p:id/{name}" clickable="true" enabled="true" visible-to-user="true" '
        f'bounds="[0,{100 * n}][400,{100 * n + 100}]" {more}/>'
        for n, (text, told, name, more) in enumerate(nodes)
    ]
    xml = (
        '<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="p" '
        'enabled="true" visible-to-user="true" bounds="[0,0][400,900]">'
        + "".join(lines)
        + "</node></hierarchy>"
    )
    return read_tree("uiautomator", xml.encode())


def on(row):
    return a.Tap(Point(200, 100 * row + 50))


@pytest.mark.parametrize(
    ("node", "kinds"),
    [
        (("Send", "", "", ""), {Consent.SEND}),
        (("", "Share this", "", ""), {Consent.SEND}),
        (("", "", "place_order", ""), {Consent.PAY}),
        (("Buy now", "", "", ""), {Consent.PAY}),
        (("Remove contact", "", "", ""), {Consent.DELETE}),
        (("立即支付", "", "", ""), {Consent.PAY}),
        (("Löschen", "", "", ""), {Consent.DELETE}),
        (("", "Call Mara", "", ""), {Consent.CALL}),
        (("Calendar", "", "", ""), set()),
        (("Recall the sender", "", "", ""), set()),
    ],
    ids=lambda value: " ".join(filter(None, value)) if isinstance(value, tuple) else "",
)
def test_a_touch_needs_consent_by_the_words_of_its_element(node, kinds):
    tree = screen(("Other", "", "", ""), node)
    assert Gate().needs_consent(on(1), tree) == kinds
    assert Gate().needs_consent(on(0), tree) == set()
    assert Gate(kinds=frozenset()).needs_consent(on(1), tree) == set()
    assert Gate(kinds=frozenset({Consent.CALL})).needs_consent(on(1), tree) <= {Consent.CALL}


def test_enter_passwords_and_unknown_screens_need_consent():
    gate = Gate()
    chat = screen(("", "", "input", 'focused="true"'), ("", "Send", "send", ""))
    plain = screen(("", "", "input", 'focused="true"'), ("Next", "", "", ""))
    secret = screen(("", "", "pin", 'focused="true" password="true"'))
    enter = a.PressKey(a.Key.ENTER)
    assert gate.needs_consent(enter, chat) == {Consent.SEND}
    assert gate.needs_consent(a.TypeText("hello", submit=True), chat) == {Consent.SEND}
    assert gate.needs_consent(a.TypeText("hello"), chat) == set()
    assert gate.needs_consent(enter, plain) == set()
    assert gate.needs_consent(a.TypeText("1234"), secret) == {Consent.PASSWORDS}
    assert gate.needs_consent(on(0), None) == ALL_KINDS
    assert gate.needs_consent(a.PressKey(a.Key.BACK), None) == set()
    assert gate.allows_app(None)
    assert not Gate(apps=frozenset({"p"})).allows_app(None)
    assert not Gate().ask(ALL_KINDS, "Tapped.")  # nobody there: refused


def test_waiting_is_limited_by_turns_alone():
    import numpy as np

    rules = StopRules(Limits(turns=50))
    still = np.zeros((300, 135), np.uint8)
    other = still.copy()
    other[:8] = 200  # the clock in the status bar
    for _ in range(40):
        assert rules.before_act(a.Wait(1), still) is None
        assert rules.after_act(still, other, is_wait=True) is None
    for n in range(4):
        assert rules.after_act(still, other, is_wait=False) is None, n
    assert rules.after_act(still, other, is_wait=False) is StopWord.NO_CHANGE
