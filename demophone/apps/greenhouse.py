"""What Fernway sells, and what is in the basket, ordered and liked: SQLite. Knows no screen."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from demophone.apps.app import Files
from demophone.apps.database import Database

PATH = "/data/data/com.taptrail.demo.shop/databases/shop.db"
MOST = 20
"""Of one thing in the basket."""
DELIVERIES = {"Standard, 3 days": 390, "Tomorrow": 790, "Pick up": 0}
"""Ways to get an order, with their price in cents."""
_SCHEMA = """
CREATE TABLE basket (product TEXT PRIMARY KEY, count INTEGER NOT NULL);
CREATE TABLE favourites (product TEXT PRIMARY KEY);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    placed_at TEXT NOT NULL,
    items TEXT NOT NULL,
    delivery TEXT NOT NULL,
    address TEXT NOT NULL,
    total_cents INTEGER NOT NULL
);
"""


@dataclass(frozen=True, slots=True)
class Product:
    """Something to buy.

    Attributes:
        slug: its name in links and in the database.
        cents: the price.
        kinds: the chips that show it, after "All".
        look: which of the drawings it has.
        plate: the colour behind the drawing.
    """

    slug: str
    name: str
    cents: int
    kinds: tuple[str, ...]
    look: int
    plate: str
    about: str

    @property
    def price(self) -> str:
        """As it is written in the shop."""
        return price(self.cents)


KINDS = ("All", "Indoor", "Shade", "Herbs", "Pots", "Tools")


def _product(name: str, cents: int, kinds: str, look: int, plate: str, about: str) -> Product:
    slug = name.lower().replace(" ", "-")
    return Product(slug, name, cents, tuple(kinds.split()), look, plate, about)


PRODUCTS = (
    _product("Sword fern", 1450, "Indoor Shade", 0, "#e6efe2",
             "Arching fronds that like a north window. Water when the top of the soil is dry."),
    _product("Rubber fig", 2200, "Indoor", 1, "#efe9df",
             "Large leaves that shine after a damp cloth. Bright, but not in the noon sun."),
    _product("Moss ball", 890, "Indoor Shade", 2, "#e0ecea",
             "A cushion of moss round a core of clay. Dip it into water once a week."),
    _product("Agave", 1720, "Indoor", 3, "#edefdb",
             "Needs sun and next to no water. Mind the points."),
    _product("Sedge", 640, "Shade", 3, "#e9e6ef",
             "Fine grass for the edge of a shady bed. Stays green in winter."),
    _product("Ivy", 980, "Indoor Shade", 1, "#e6ebef",
             "Climbs where it is allowed to, hangs where it is not. Shade suits it well."),
    _product("Thyme", 420, "Herbs", 2, "#eef0e0",
             "A pot of kitchen thyme, enough for two soups and a roast."),
    _product("Mint", 390, "Herbs", 1, "#e2f0e6",
             "Give it a pot of its own, or it takes them all."),
    _product("Chives", 350, "Herbs", 3, "#e8efe0",
             "Cut two fingers above the soil, it comes again."),
    _product("Hosta", 1180, "Shade", 0, "#e3ece6",
             "Broad leaves for the darkest corner. Snails agree."),
    _product("Peace lily", 1590, "Indoor Shade", 0, "#ece9f1",
             "White flowers even far from the window. Says by itself when it is thirsty."),
    _product("Clay pot 14", 560, "Pots", 4, "#f3e7dc",
             "Unglazed, with a hole and a saucer. 14 centimetres wide."),
    _product("Clay pot 20", 890, "Pots", 4, "#f1e3d5",
             "Unglazed, with a hole and a saucer. 20 centimetres wide."),
    _product("Glazed pot", 1640, "Pots", 5, "#e1e9f0",
             "Blue glaze, every one a little different. 18 centimetres wide."),
    _product("Hanging basket", 1290, "Pots", 6, "#efe6da",
             "Woven willow with a lining and a chain. For ivy and its friends."),
    _product("Hand fork", 1150, "Tools", 7, "#e9e9e4",
             "Three steel tines on an ash handle."),
    _product("Watering can", 1980, "Tools", 8, "#e2ebe9",
             "Two litres, with a rose that can be taken off."),
    _product("Plant labels", 290, "Tools", 9, "#f0eee2",
             "Ten sticks of birch, and a pencil that does not wash off."),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlacedOrder:
    """What was ordered at once."""

    number: int
    when: datetime.datetime
    items: str
    cents: int


def price(cents: int) -> str:
    """Cents as they are written."""
    return f"{cents // 100}.{cents % 100:02d}"


def product(slug: str) -> Product | None:
    """A product by its name in links."""
    return next((p for p in PRODUCTS if p.slug == slug), None)


def _moment(written: str) -> datetime.datetime | None:
    """A time as it was written; None if somebody else wrote what is none."""
    try:
        return datetime.datetime.fromisoformat(written)
    except ValueError:
        return None


class Greenhouse:
    """Reads and writes basket, orders and favourites."""

    def __init__(self, files: Files) -> None:
        self._database = Database(files, PATH, _SCHEMA, [])
        self._version = (0, 0)
        self._basket: list[tuple[Product, int]] = []
        self._liked: set[str] = set()

    def basket(self) -> list[tuple[Product, int]]:
        """What is in the basket, in the order in which it came there."""
        self._refresh()
        return self._basket

    def count(self, slug: str) -> int:
        """How many of it are in the basket."""
        return next((count for p, count in self.basket() if p.slug == slug), 0)

    def put(self, slug: str, count: int) -> None:
        """Sets its number in the basket; 0 removes it."""
        count = min(MOST, count)
        self._refresh()
        if count <= 0:
            self._database.run("DELETE FROM basket WHERE product = ?", slug)
        else:
            self._database.run(
                "INSERT INTO basket (product, count) VALUES (?, ?) "
                "ON CONFLICT (product) DO UPDATE SET count = excluded.count",
                slug,
                count,
            )

    def total(self) -> int:
        """What the basket costs, in cents."""
        return sum(p.cents * count for p, count in self.basket())

    def pieces(self) -> int:
        """How many things are in the basket."""
        return sum(count for _, count in self.basket())

    def liked(self) -> set[str]:
        """The favourites."""
        self._refresh()
        return self._liked

    def like(self, slug: str, on: bool) -> None:
        """Makes something a favourite, or not."""
        word = "INSERT OR IGNORE INTO favourites VALUES (?)"
        self._database.run(word if on else "DELETE FROM favourites WHERE product = ?", slug)

    def order(self, delivery: str, address: str, when: datetime.datetime) -> int:
        """Orders what is in the basket, and empties it. Returns the order's number."""
        items = ", ".join(f"{count} × {p.name}" for p, count in self.basket())
        total = self.total() + DELIVERIES[delivery]
        number = self._database.run(
            "INSERT INTO orders (placed_at, items, delivery, address, total_cents) "
            "VALUES (?, ?, ?, ?, ?)",
            f"{when:%Y-%m-%d %H:%M}",
            items,
            delivery,
            address,
            total,
        )
        self._database.run("DELETE FROM basket")
        return number

    def orders(self) -> list[PlacedOrder]:
        """All orders, the newest first."""
        self._refresh()
        rows = self._database.rows(
            "SELECT id, placed_at, items, total_cents FROM orders ORDER BY id DESC"
        )
        return [
            PlacedOrder(number, when, items, cents)
            for number, written, items, cents in rows
            if (when := _moment(written)) is not None
        ]

    def reset(self) -> None:
        """Empties everything."""
        self._database.reset()

    def _refresh(self) -> None:
        """Reads anew what changed, also from outside."""
        version = self._database.version
        if version == self._version:
            return
        rows = self._database.rows("SELECT product, count FROM basket ORDER BY rowid")
        found = [(product(slug), int(count)) for slug, count in rows]
        self._basket = [(p, count) for p, count in found if p is not None and count > 0]
        liked = self._database.rows("SELECT product FROM favourites")
        self._liked = {slug for (slug,) in liked}
        self._version = version
