"""Templates of instructions: sentences with their subjects or verbs masked by a fixed rule.

Sentences that differ only in the masked words have one template, so a split by templates can keep
all of them in one part. The rule uses lists of English words and no grammar. It gives the same
result on every machine, but makes mistakes that a person would not. The template of each sentence
is stored with the split, so nobody has to run the rule again.

Source: the idea is Android in the Wild's (arXiv 2307.10088, section 4), where a language model
masked; its templates are not published with a rule.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

RULE = "clauses@1"
SUBJECT, VERB = "subject", "verb"
MASK = "{}"

RULE_DESCRIPTIONS = {
    SUBJECT: (
        "Lower case, one blank between words, no full stop. A clause begins at the start and where "
        "a verb follows “and”, “then” or a comma. In each clause the words after the verb, up to "
        "the next joint (in, on, at, from, with, to, for, into, using, via, by), are masked; and "
        "everywhere quoted texts, web addresses and words with digits."
    ),
    VERB: (
        "Lower case, one blank between words, no full stop. A clause begins at the start and where "
        "a verb follows “and”, “then” or a comma. In each clause the verb with its particles (for, "
        "to, on, off, up, down, out, in, into, back) is masked: its first word that is in a list "
        "of verbs, else its first word."
    ),
}

_VERB_WORDS = (
    "add allow answer apply archive ask block book browse buy call cancel change check choose "
    "clean clear click close compare complete compose connect copy create cut decline delete "
    "disable dismiss display download drag edit email empty enable enter exit export favorite "
    "fill filter find follow get give go hide import increase install invite join launch leave "
    "like listen locate lock log look lower make mark message move mute navigate open order paste "
    "pause pay pick pin play post press print purchase put raise read receive record redo refresh "
    "reject remind remove rename reply report reschedule reset restart restore resume retrieve "
    "return review save scan schedule scroll search see select send set share show sign silence "
    "skip snooze sort start stop subscribe swipe switch sync take tap tell text toggle translate "
    "turn type undo uninstall unlock unmute unsubscribe update upload use verify view visit watch "
    "write zoom"
)
_VERBS = frozenset(_VERB_WORDS.split())
_PARTICLES = frozenset(("for", "to", "on", "off", "up", "down", "out", "in", "into", "back"))
_JOINTS = frozenset(("in", "on", "at", "from", "with", "to", "for", "into", "using", "via", "by"))
_LINKS = frozenset(("and", "then", ","))
_WORD = re.compile(r"“[^”]*”|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|,|[^\s,]+")
_ADDRESS = re.compile(r"(?:https?://\S+|\S+@\S+\.\w+|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,})")
_ENDS = ".!?;:"


def template(instruction: str, masked: str) -> str:
    """Returns the instruction with its subjects or its verbs masked.

    Args:
        masked: SUBJECT or VERB.

    >>> template("Search for pizza in Maps.", SUBJECT), template("Open Settings", VERB)
    ('search for {} in maps', '{} settings')
    """
    words = _words(instruction)
    said: list[str] = []
    for clause in _clauses(words):
        said.extend(_subject_masked(clause) if masked == SUBJECT else _verb_masked(clause))
    return re.sub(r" ,", ",", " ".join(said))


def web_domains(instruction: str) -> tuple[str, ...]:
    """Returns the web domains an instruction names, without “www.”, in order, each once."""
    found = (word.rstrip("/") for word in _words(instruction) if _ADDRESS.fullmatch(word))
    hosts = (re.sub(r"^https?://", "", word).partition("/")[0] for word in found)
    return tuple(dict.fromkeys(host.removeprefix("www.") for host in hosts if "@" not in host))


def _words(instruction: str) -> list[str]:
    text = unicodedata.normalize("NFC", instruction).casefold()
    return [kept for word in _WORD.findall(text) if (kept := word.rstrip(_ENDS) or "")]


def _clauses(words: list[str]) -> Iterator[list[str]]:
    """Yields the words of each clause; a linking word ends the clause before it."""
    now: list[str] = []
    for number, word in enumerate(words):
        linked = number > 0 and words[number - 1] in _LINKS
        if linked and word in _VERBS and now:
            yield now
            now = []
        now.append(word)
    if now:
        yield now


def _verb_at(clause: list[str]) -> tuple[int, int]:
    """Returns the index of a clause's verb, and the index after its particles."""
    begin = next((number for number, word in enumerate(clause) if word in _VERBS), 0)
    end = begin + 1
    while end < len(clause) and clause[end] in _PARTICLES:
        end += 1
    return begin, end


def _verb_masked(clause: list[str]) -> list[str]:
    begin, end = _verb_at(clause)
    return [*clause[:begin], MASK, *clause[end:]]


def _subject_masked(clause: list[str]) -> list[str]:
    _, end = _verb_at(clause)
    stop = end
    while stop < len(clause) and clause[stop] not in _JOINTS:
        stop += 1
    tail = stop
    while tail > end and clause[tail - 1] in _LINKS:
        tail -= 1
    subject = [MASK] if tail > end else []
    return [*map(_plain, clause[:end]), *subject, *map(_plain, clause[tail:])]


def _plain(word: str) -> str:
    quoted = len(word) > 1 and word[0] in "“\"'"
    return MASK if quoted or _ADDRESS.fullmatch(word) or any(c.isdigit() for c in word) else word
