"""What people have written to each other on a new phone. Invented; the seed decides numbers."""

from __future__ import annotations

import random
from dataclasses import dataclass

from demophone.apps.people import MARA, new_number, people
from demophone.views.theme import AVATARS

_WEEK = {"mon": 11, "tue": 12, "wed": 13, "thu": 14, "sun": 10, "sat": 9, "fri": 8}

_MARA = """
thu 10:08 < Hi! Finally back in town. How was the garden weekend?
thu 10:11 > Muddy but good. You?
thu 10:16 < The train stood for an hour near Aldbrook, then all was fine. \
I have a new phone, by the way.
thu 10:17 > Nice! Which one?
thu 10:19 < A small blue one. My new number is {mara}, please save it
"""

_IVO = """
sat 18:02 < Are you still coming to the island on the 16th?
sat 18:20 > Yes, if the weather holds. Which ferry do we take?
sat 18:24 < There is one at nine and one at half past eleven
sat 18:25 > The early one then
sat 18:31 < Good. I will book two bicycles at the harbour
sun 09:12 < They want a name and a number for the booking
sun 09:15 > Take mine
sun 09:16 < Done. Pick-up code is 4471
sun 09:40 > And where do we sleep?
sun 09:58 < At the lighthouse, they have three beds and a stove
sun 10:02 > I bring coffee and the big torch
mon 20:14 < Bring a warm jumper too, it was 6 degrees there last night
mon 20:20 > Noted. How long is the walk from the pier?
mon 20:22 < Forty minutes, mostly flat
wed 08:41 > Do they take cards on the ferry?
wed 09:03 < Only cash, 14.50 each way
thu 09:51 > I will be at the pier at twenty to
thu 09:58 < The ferry leaves at nine on Saturday 16 May, do not be late
"""

_DANA = """
tue 12:10 < Lunch this week? I am near your office on Thursday
tue 12:31 > Thursday 12:30 works. The noodle place?
tue 12:33 < Closed for the summer. What about the canal?
tue 12:40 > Fine. I book a table
thu 09:10 < Can we make it Friday at noon instead? Something came up
"""

_OREN = """
mon 17:31 < Did you read the meter yet? They want the number by Friday
mon 18:03 > Not yet, it is behind the bicycles
mon 18:05 < You can also phone it in: {service}
wed 19:44 > 20 418 on 13 May
wed 19:52 < Thanks, that works
"""

_LISE = """
sun 16:02 < Choir starts at six on Sunday, not seven
sun 16:09 > Oh good that you say so
sun 16:10 < And bring the blue folder please
wed 16:35 < See you on Sunday then?
"""

_TEO = """
tue 09:05 > I sent the parcel this morning
tue 09:07 < Great, which service?
tue 09:12 > The slow one. Reference LK 2209 4416
tue 15:48 < Did the parcel arrive? The page says "out for delivery" since noon
"""

_NIA = """
mon 07:50 < I left the key with Oren, the plants on the window need water on Wednesday and Saturday
mon 08:02 > Will do. The big one too?
mon 08:05 < No! Only a sip, once a week
mon 08:06 > :)
"""

_KELL = """
sun 19:22 > That soup was wonderful. Would you send me the recipe?
mon 13:15 < Recipe, as promised:
mon 13:16 < 2 leeks, 1 celery root, 1 litre of stock, thyme & salt. Cook 25 minutes, \
then add a spoon of mustard < 5 g
mon 13:20 > Thank you!
"""

_DOV = """
sat 11:00 < New rehearsal room: Mill Lane 14, second floor
sat 11:02 < The door code is 7093#
sat 11:30 > Got it
"""

_KIT = """
fri 20:45 < You forgot your umbrella here
fri 20:51 > Keep it till Tuesday please
fri 20:52 < It is a good umbrella. I cannot promise anything
"""

_SABA = """
fri 14:20 < The dentist moved your appointment to 3 June, 08:15. \
Call {dentist} if that does not suit you
fri 14:33 > Suits me, thank you
"""

_PETRA = """
fri 10:10 > Happy birthday, Petra!
fri 10:44 < Thank you!! Cake on Saturday 23 May from three, bring everybody
"""

_JOSS = """
fri 09:02 < Is the tandem free on the last weekend of May?
fri 09:30 > It is. New tyres, too
fri 09:31 < We take it
"""

_LIBRARY = """
wed 08:00 < Your book "Tides & Timetables" is due on 18 May. Reply MORE to keep it two more weeks.
"""

_PHARMACY = """
tue 17:05 < Your order 0093 is ready. We are open until 18:30, on Saturday until 13:00.
"""

_SCRIPTS = (
    ("Ivo Tamsin", _IVO, True),
    ("Dana Rook", _DANA, True),
    ("Oren Falk", _OREN, False),
    ("Lise Amber", _LISE, False),
    ("Library", _LIBRARY, False),
    ("Pharmacy", _PHARMACY, False),
    ("Teo Marsh", _TEO, False),
    ("Kell Hart", _KELL, False),
    ("Nia Brook", _NIA, False),
    ("Dov Ashe", _DOV, False),
    ("Kit Larkin", _KIT, False),
    ("Saba Linden", _SABA, False),
    ("Petra Vale", _PETRA, False),
    ("Joss Merrin", _JOSS, False),
)


@dataclass(frozen=True, slots=True)
class Line:
    """A message: when (ISO, the phone's own time), whether from here, and the text."""

    when: str
    outgoing: bool
    text: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """What was written with somebody."""

    name: str
    phone: str
    tone: str
    unread: bool
    lines: tuple[Line, ...]


def conversations(seed: int) -> list[Conversation]:
    """All conversations of a new phone."""
    chance = random.Random(f"{seed}:conversations")  # noqa: S311
    by_name = {person.name: person for person in people(seed)}
    numbers = {
        "mara": new_number(seed),
        "service": f"555 02{chance.randrange(100):02d}",
        "dentist": f"555 03{chance.randrange(100):02d}",
    }
    made = [Conversation(MARA, numbers["mara"], AVATARS[0], True, _lines(_MARA, numbers))]
    for i, (name, script, unread) in enumerate(_SCRIPTS):
        person = by_name.get(name)
        phone = person.phone if person is not None else f"555 04{chance.randrange(100):02d}"
        tone = person.tone if person is not None else AVATARS[(i + 3) % len(AVATARS)]
        made.append(Conversation(name, phone, tone, unread, _lines(script, numbers)))
    return made


def _lines(script: str, numbers: dict[str, str]) -> tuple[Line, ...]:
    made = []
    for line in script.strip().splitlines():
        day, clock, side, text = line.split(" ", 3)
        for name, number in numbers.items():
            text = text.replace(f"{{{name}}}", number)
        made.append(Line(f"2026-05-{_WEEK[day]:02d} {clock}", side == ">", text))
    return tuple(made)
