"""The invented people of the demo phone: names, numbers, addresses. Decided by the seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache

from demophone.views.theme import AVATARS

MARA = "Mara Quill"
"""Writes from a new number and is not in the contacts."""

_FIXED = (
    ("Ivo", "Tamsin"),
    ("Dana", "Rook"),
    ("Oren", "Falk"),
    ("Lise", "Amber"),
    ("Teo", "Marsh"),
    ("Nia", "Brook"),
    ("Kell", "Hart"),
    ("Dov", "Ashe"),
    ("Kit", "Larkin"),
    ("Saba", "Linden"),
    ("Petra", "Vale"),
    ("Joss", "Merrin"),
)
_FIRST = (
    "Ada Alma Bela Bruno Cleo Corin Dara Edda Emil Esme Fenn Flora Gale Gwen Hale Hana Ines Iris "
    "Jara Juno Kaia Lars Leif Luca Lyra Malin Milo Nell Noor Odile Otis Pia Quinn Rafe Rhea Rolf "
    "Runa Selma Silas Signe Tove Una Vera Viggo Wren Yara Zeno"
)
_LAST = (
    "Adler Alder Birch Blythe Calder Cove Crane Dell Dunmore Ember Fallow Farrow Finch Garland "
    "Glenn Hollis Ingram Jarrow Kestrel Lark Lowen Marlow Moss Nash Orchard Penrose Quarry Reed "
    "Rowan Sable Sorrel Tarn Thorne Upton Vesper Wade Weir Winter Yarrow"
)
CONTACTS = 48


@dataclass(frozen=True, slots=True)
class Person:
    """An invented person."""

    first: str
    last: str
    phone: str
    email: str
    tone: str

    @property
    def name(self) -> str:
        """First and last name."""
        return f"{self.first} {self.last}"


@lru_cache(maxsize=8)
def people(seed: int) -> tuple[Person, ...]:
    """Everybody in the contacts of a phone with this seed."""
    chance = random.Random(f"{seed}:people")  # noqa: S311
    numbers = _numbers(seed)
    names = list(_FIXED)
    firsts, lasts = _FIRST.split(), _LAST.split()
    chance.shuffle(firsts)
    chance.shuffle(lasts)
    for i in range(CONTACTS - len(names)):
        names.append((firsts[i % len(firsts)], lasts[i % len(lasts)]))
    made = []
    for i, (first, last) in enumerate(names):
        host = ("example.org", "example.net", "example.com")[i % 3]
        email = f"{first}.{last}@{host}".lower() if i % 4 != 3 else ""
        made.append(Person(first, last, numbers[i + 1], email, AVATARS[(i + 1) % len(AVATARS)]))
    return tuple(made)


@lru_cache(maxsize=8)
def new_number(seed: int) -> str:
    """The number that Mara Quill writes from."""
    return _numbers(seed)[0]


def _numbers(seed: int) -> list[str]:
    """Numbers from the range reserved for fiction, each once; seed 7 gives Mara 555 0142."""
    chance = random.Random(f"{seed}:numbers")  # noqa: S311
    order = chance.sample(range(100), 100)
    first = order.index((42 + (seed - 7) * 13) % 100)
    order[0], order[first] = order[first], order[0]
    return [f"555 01{number:02d}" for number in order]
