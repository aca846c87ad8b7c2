"""What there is to read in the Reader app. Invented.

The texts are written in few signs: `## ` begins a heading, `> ` a quotation, `- ` a line of a
list, `[words](link)` is a link. Lines belong together until an empty one.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Article:
    """Something to read.

    Attributes:
        slug: its name in links and in the database.
        look: the drawing above it.
        following: the slug of the one to read next.
    """

    slug: str
    title: str
    author: str
    minutes: int
    look: int
    following: str
    text: str


_TRAINS = """
The last sleeper to the coast leaves platform two at 21:40 and nobody on it is in a hurry. The \
carriages are older than most of the passengers, the windows open with a leather strap, and the \
tea comes in glasses.

I took it in March, when the line along the estuary had just been mended. For an hour there was \
only water on both sides and a lamp far out that belonged to a dredger. You can read about that \
lamp in [The dredger's year](article:dredger).

By midnight the corridor was quiet. The guard wrote names in a book with a pencil, and put it \
away when somebody came for water. He has done it like that, he said, since the computer forgot \
a whole school class in Aldbrook.

## What to bring

- A jumper, the heating has a mind of its own
- Coins for the tea, cards are not taken
- Something green for the window table: a [moss ball](plant:moss-ball) does not mind the shaking

> One does not arrive by this train, said the woman across from me. One is put down.

## When it runs

Every night but Sunday until the timetable changes. The first train of the summer leaves on \
[30 May at 21:40](event:2026-05-30T21:40). Beds are kept for you at the station of Aldbrook, \
[555 0271](tel:555 0271), from eight to six, and not by letter.

In the morning the sea is simply there. The guard knocks once. Nobody says much on the platform; \
the gulls do that.
"""

_DREDGER = """
Nobody waves at a dredger. It comes in the dark, it makes a noise like a cellar being moved, and \
in the morning the harbour is as deep as before.

The one before Aldbrook is called Patience and is painted the green of old bottles. Five people \
live on her from October to April. Two of them have never seen the town they keep open for.

## A week on board

- Monday to Thursday: the channel, from buoy nine to the pier
- Friday: grease, letters, laundry
- Saturday: the ferry berth, between two ferries

The cook grows [chives](plant:chives) and [thyme](plant:thyme) in a box that once held shackles. \
Salt does not hurt them, she says, boredom does.

> The sea brings the sand back. That is what we live on.

You can see her from the night train, see [Night trains, slow mornings](article:night-trains), \
and once a year from inside: the open day is on [Saturday 6 June](event:2026-06-06T10:00), from \
ten. Ring [555 0288](tel:555 0288) for the boat.
"""

_SHADE = """
A north window is not a punishment. Most of what we call difficult plants has only been standing \
too bright.

## Four that like it dim

- [Sword fern](plant:sword-fern): water it when the top of the soil is dry, not before
- [Ivy](plant:ivy): turns towards whatever light there is, so turn the pot as well
- [Peace lily](plant:peace-lily): lets its leaves hang when it is thirsty, and forgives
- [Hosta](plant:hosta): for the balcony on the wrong side of the house

## Water

More plants are drowned than dried. Put a finger in. If the finger is clean, water; if it is \
dirty, wait.

> My ferns have a timetable. I have none.

Cuttings of all four are given away on [Saturday 23 May at 14:00](event:2026-05-23T14:00) in the \
yard behind the library. Questions to Nell, [555 0262](tel:555 0262).
"""

_SOUP = """
There is a soup for every month, and the one of May is made of what March left over.

## You need

- 2 leeks, the white and half of the green
- 1 celery root, not larger than two fists
- 1 litre of stock
- A few sprigs of [thyme](plant:thyme), salt, a spoon of mustard

Cut everything as small as patience allows. Twenty-five minutes with the lid on, then the \
mustard, then nothing for five minutes.

> It is better on the second day, like most decisions.

Those who have no pot: [Clay pot 20](plant:clay-pot-20) is for plants. Borrow one from a \
neighbour, it is a good way to be invited to nothing in particular.
"""

_TIDES = """
The ferry does not wait for the tide, people say on the island. It is the other way round, but \
nobody there has ever seen the tide complain.

Between nine and half past eleven the pier has water enough for both boats. Outside of that it \
is one boat, slowly. The first one takes bicycles, and only cash: 14.50 each way.

## The walk to the lighthouse

Forty minutes, mostly flat. There are three beds, a stove and a book in which one writes what \
one has burnt. The [night train](article:night-trains) has a connection on Fridays.

- Bring light: the path has none
- Bring water: the pump is moody
- Leave the gate as you found it

Beds are kept by the harbour office, [555 0259](tel:555 0259). The last free weekend of the \
month begins on [Friday 29 May](event:2026-05-29).
"""

ARTICLES = (
    Article("night-trains", "Night trains, slow mornings", "Lise Amber", 9, 0, "dredger", _TRAINS),
    Article("dredger", "The dredger's year", "Emil Tarn", 6, 1, "tides", _DREDGER),
    Article("north-window", "In praise of the north window", "Nell Orchard", 5, 2, "soup", _SHADE),
    Article("soup", "A soup for every month: May", "Kell Hart", 4, 3, "north-window", _SOUP),
    Article("tides", "What the ferry knows", "Ivo Tamsin", 5, 4, "night-trains", _TIDES),
)  # fmt: skip


def article(slug: str) -> Article | None:
    """An article by its name in links."""
    return next((one for one in ARTICLES if one.slug == slug), None)
