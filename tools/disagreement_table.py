"""Counts on how many steps AndroidControl's evaluators contradict one another.

    python tools/disagreement_table.py [--samples FOLDER] [--steps 600] [--to docs/disagreement.md]

The steps are of two kinds. Those of the demo phone are walked here: its apps are drawn without a
display, somebody with a seed taps, types, scrolls and goes back, and of each screen the tree is
kept. Those of AndroidControl are read from a folder with its TFRecords, which is not part of this
repository; without it their table stays as it stands in the document. Predictions are the gold
with seeded mistakes. The same seed gives the same tables.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from PySide6.QtGui import QGuiApplication  # noqa: E402

from episodes import actions as a  # noqa: E402
from episodes.episodes import Episode, EpisodeState, Origin, Task  # noqa: E402
from episodes.geometry import Direction, Point, Size  # noqa: E402
from episodes.runs import Prediction, Unreadable  # noqa: E402
from episodes.screens import (  # noqa: E402
    Basis,
    Frame,
    StepTree,
    TreeFit,
    TreeRecord,
    TreeStatus,
)
from episodes.steps import Step  # noqa: E402
from episodes.store.library import Library  # noqa: E402
from episodes.verdicts import Outcome  # noqa: E402
from scoring.protocols import PROTOCOLS, newest  # noqa: E402
from taptrail.usecases.importing import import_episodes  # noqa: E402
from tests.demophone.drawn import Drawn, HandLoop, middle  # noqa: E402

SEED = 20240614
STEPS = 600
EACH = 10
"""Steps of an episode of the demo phone."""
TIMES = 60
"""Predictions for each step of AndroidControl, of which there are few."""
KEYS = tuple(key for key in newest() if key.startswith("androidcontrol/"))
DOCUMENT = ROOT / "docs" / "disagreement.md"
_SCREEN = Size(1080, 2400)
_HOME, _BACK = 3, 4
_TEXTS = ("Mara Quill", "oat milk", "555 0142", "see you at 10:30", "Pots & pans")


@dataclass(slots=True)
class CountedVerdicts:
    """Verdicts of all protocols on pairs of a step and a prediction.

    Attributes:
        both: pairs that two protocols both scored; `differ`: on which they say the opposite.
        right, scored: of each protocol.
    """

    steps: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    pairs: int = 0
    both: Counter[tuple[str, str]] = field(default_factory=Counter)
    differ: Counter[tuple[str, str]] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    scored: Counter[str] = field(default_factory=Counter)
    disputed: int = 0

    def add(self, episode: Episode, step: Step, prediction: Prediction) -> None:
        """Judges one prediction under every protocol."""
        told = {key: PROTOCOLS[key].verdict(prediction, step, episode).outcome for key in KEYS}
        said = {key: one is Outcome.MATCH for key, one in told.items() if one in _SCORED}
        self.pairs += 1
        self.disputed += len(set(said.values())) > 1
        for key, right in said.items():
            self.scored[key] += 1
            self.right[key] += right
            for other, also in said.items():
                self.both[key, other] += 1
                self.differ[key, other] += right != also


_SCORED = (Outcome.MATCH, Outcome.MISMATCH)


def demo_phone(steps: int, seed: int) -> Iterator[Episode]:
    """Yields episodes of a seeded walk through the demo phone's apps, without any clock."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QGuiApplication.instance() or QGuiApplication([])
    loop = HandLoop()
    try:
        with tempfile.TemporaryDirectory() as folder:
            size = (_SCREEN.width, _SCREEN.height)
            drawn = Drawn(Path(folder), loop, size=size, density=420, seed=seed)
            chance = random.Random(seed)  # noqa: S311
            for number in range((steps + EACH - 1) // EACH):
                count = min(EACH, steps - number * EACH)
                yield _walk(drawn, chance, number, count)
    finally:
        loop.close()
        del application  # it has to live as long as anything is drawn


def _walk(drawn: Drawn, chance: random.Random, number: int, count: int) -> Episode:
    phone = drawn.phone
    done: list[Step] = []
    typing = False
    while len(done) < count - 1:
        screen = _screen(drawn)
        names = {
            label: package for package in phone.packages if (label := phone.app_label(package))
        }
        chosen, act = "", chance.random()
        targets = [
            e for e in drawn.elements().values() if e["clickable"] and _inside(e, _size(drawn))
        ]
        if not done or act < 0.08:
            chosen = chance.choice(sorted(names))
            action: a.Action = a.OpenApp(chosen)
            phone.start_app(names[chosen], fresh=True)
            loop_on(drawn)
        elif typing:
            action = a.TypeText(chance.choice(_TEXTS))
            phone.text(action.text, "shell")
            loop_on(drawn)
        elif act < 0.2:
            action = _swipe(drawn, chance)
        elif act < 0.28 or not targets:
            action = a.PressKey(a.Key.BACK)
            drawn.press(_BACK)
        elif act < 0.31:
            action = a.PressKey(a.Key.HOME)
            drawn.press(_HOME)
        elif act < 0.35:
            action = a.Wait(1_000_000)
            loop_on(drawn)
        else:
            at = _within(chance.choice(targets), chance, _size(drawn))
            if act < 0.4:
                action = a.LongPress(at, 700_000)
                drawn.hold_at(at.x, at.y)
            else:
                action = a.Tap(at)
                drawn.tap_at(at.x, at.y)
        typing = not typing and phone.keyboard_shown and chance.random() < 0.7
        done.append(replace(screen, index=len(done), action=action))
    end = a.Finish(a.Ending.COMPLETE)
    done.append(replace(_screen(drawn), index=len(done), action=end))
    return Episode(
        f"demo-{number}",
        f"d{number:03}",
        Origin("recorded"),
        Task("walk about"),
        EpisodeState.FINISHED,
        tuple(done),
        finish=end,
    )


def loop_on(drawn: Drawn) -> None:
    """Waits until animations have ended."""
    drawn.loop.advance(0.6)


def _screen(drawn: Drawn) -> Step:
    """A step with the screen as it is now, and nothing done yet."""
    drawn.phone.picture()
    xml = drawn.phone.hierarchy().encode()
    tree = StepTree(TreeRecord("uiautomator", xml, "", TreeStatus.OK), TreeFit.FRESH)
    return Step(0, a.Wait(0), frame=Frame(_size(drawn), Basis.IMPORTED), tree=tree)


def _size(drawn: Drawn) -> Size:
    """The screen as the phone is turned now."""
    return Size(*drawn.phone.size)


def _swipe(drawn: Drawn, chance: random.Random) -> a.Action:
    size = _size(drawn)
    x, y, far = size.width / 2, size.height / 2, 600.0
    across, down = chance.choice(((0, -1), (0, 1), (0, -1), (-1, 0), (1, 0)))
    start = Point(x - across * far / 2.5, y - down * far / 2)
    end = Point(x + across * far / 2.5, y + down * far / 2)
    drawn.swipe(start.x, start.y, end.x, end.y)
    loop_on(drawn)
    return a.Swipe(start, end, 200_000)


def _inside(element: dict[str, object], size: Size) -> bool:
    x, y = middle(element)
    return 0 < x < size.width and 0 < y < size.height


def _within(element: dict[str, object], chance: random.Random, size: Size) -> Point:
    """Where a thumb meets an element: near its middle, on the glass."""
    left, top, right, bottom = element["box"]  # type: ignore[misc]
    x = chance.gauss((left + right) / 2, (right - left) / 10)
    y = chance.gauss((top + bottom) / 2, (bottom - top) / 10)
    return Point(_clip(x, left, right, size.width), _clip(y, top, bottom, size.height))


def _clip(value: float, low: float, high: float, most: int) -> float:
    return float(round(min(max(value, low + 1, 1), high - 1, most - 1)))


def androidcontrol(folder: Path) -> list[Episode]:
    """Returns the episodes of a folder with AndroidControl's TFRecords."""
    with tempfile.TemporaryDirectory() as place:
        import_episodes("androidcontrol", folder, Path(place) / "library")
        with Library.read(Path(place) / "library") as library:
            return list(library.iterate())


def perturbed(step: Step, chance: random.Random, name: str) -> Prediction:
    """Returns a prediction for a step: the gold, or the gold with a mistake."""
    size = step.frame.size if step.frame is not None else _SCREEN
    gold, act = step.action, chance.random()
    if act < 0.02:
        return Prediction(name, step.index, "I would tap it", Unreadable("it holds no action"))
    if act < 0.1:
        said: a.Action = chance.choice(_others(chance, size))
    elif act < 0.3:
        said = gold
    else:
        said = _mistaken(gold, chance, size)
    return Prediction(name, step.index, str(a.kind(said)), said)


def _mistaken(gold: a.Action, chance: random.Random, size: Size) -> a.Action:
    match gold:
        case a.Tap(Point() as at) | a.LongPress(Point() as at):
            moved = _moved(at, chance, size)
            long = isinstance(gold, a.LongPress) != (chance.random() < 0.05)
            return a.LongPress(moved, 700_000) if long else a.Tap(moved)
        case a.Swipe() | a.Scroll():
            way = gold.direction if chance.random() < 0.4 else chance.choice(tuple(Direction))
            return _finger(way, size)
        case a.TypeText(text):
            return replace(gold, text=_spoilt(text, chance))
        case a.OpenApp(app):
            place = Point(chance.uniform(0, size.width), chance.uniform(0, size.height))
            return a.Tap(place) if chance.random() < 0.3 else a.OpenApp(_spoilt(app, chance))
        case a.PressKey(key):
            other = a.Key.HOME if key is a.Key.BACK else a.Key.BACK
            top_left = Point(size.width * 0.06, size.height * 0.05)
            return chance.choice((gold, a.PressKey(other), a.Tap(top_left)))
        case a.Finish(ending):
            other_end = next(one for one in a.Ending if one is not ending)
            return chance.choice((gold, a.Finish(other_end), a.Wait(1_000_000)))
    return chance.choice((gold, a.Finish(a.Ending.COMPLETE), a.PressKey(a.Key.BACK)))


def _moved(at: Point, chance: random.Random, size: Size) -> Point:
    """Off by a little, by a thumb, by an element, or anywhere."""
    spread = chance.choice((0.01, 0.03, 0.08, 0.15))
    x, y = chance.gauss(at.x, spread * size.width), chance.gauss(at.y, spread * size.height)
    return Point(_clip(x, 0, size.width, size.width), _clip(y, 0, size.height, size.height))


def _spoilt(text: str, chance: random.Random) -> str:
    ways = (text, text.lower(), text.upper(), f"{text} ", text[: max(1, len(text) // 2)])
    words = text.split()
    more = (
        f"{text} now",
        " ".join(reversed(words)),
        words[0] if words else "x",
        "",
        "something else",
    )
    return chance.choice((*ways, *more))


def _finger(way: Direction, size: Size) -> a.Action:
    across, down = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}[way.value]
    x, y, far = size.width / 2, size.height / 2, min(size.width, size.height) / 2
    return a.Swipe(
        Point(x - across * far / 2, y - down * far / 2),
        Point(x + across * far / 2, y + down * far / 2),
        200_000,
    )


def _others(chance: random.Random, size: Size) -> tuple[a.Action, ...]:
    place = Point(chance.uniform(0, size.width - 1), chance.uniform(0, size.height - 1))
    return (
        a.Tap(place),
        a.LongPress(place, 700_000),
        a.TypeText("something"),
        a.PressKey(a.Key.BACK),
        a.PressKey(a.Key.HOME),
        a.Wait(1_000_000),
        a.Finish(a.Ending.COMPLETE),
        _finger(chance.choice(tuple(Direction)), size),
    )


def count(
    episodes: Iterator[Episode] | list[Episode], seed: int, times: int = 1
) -> CountedVerdicts:
    """Judges `times` predictions for each step under all protocols."""
    counted, chance = CountedVerdicts(), random.Random(seed)  # noqa: S311
    for episode in episodes:
        for step in episode.steps:
            counted.steps += 1
            counted.kinds[a.kind(step.action)] += 1
            for _ in range(times):
                counted.add(episode, step, perturbed(step, chance, episode.name))
    return counted


def table(counted: CountedVerdicts) -> str:
    """Returns the table: on the diagonal matching of scored, else opposite of both scored."""
    short = [key.removeprefix("androidcontrol/").partition("@")[0] for key in KEYS]
    lines = [
        "| | " + " | ".join(f"`{name}`" for name in short) + " |",
        "| --- |" + " ---: |" * len(KEYS),
    ]
    for row, name in zip(KEYS, short, strict=True):
        cells = [
            f"**{_percent(counted.right[row], counted.scored[row])}**"
            if row == column
            else _percent(counted.differ[row, column], counted.both[row, column])
            for column in KEYS
        ]
        lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    lines.append("| scored | " + " | ".join(f"{counted.scored[key]:,}" for key in KEYS) + " |")
    kinds = ", ".join(f"{kind} {n}" for kind, n in counted.kinds.most_common())
    told = (
        f"{counted.steps:,} steps ({kinds}), {counted.pairs:,} predictions. On "
        f"{counted.disputed:,} of them ({_percent(counted.disputed, counted.pairs)}) one protocol "
        "says right and another wrong."
    )
    return f"{told}\n\n" + "\n".join(lines)


def _percent(hits: int, total: int) -> str:
    return f"{hits / total * 100:.1f} %" if total else "–"


def write(document: Path, name: str, text: str) -> None:
    """Puts a text between the marks of that name."""
    begin, end = f"<!-- {name} -->\n", f"\n<!-- /{name} -->"
    before, _, rest = document.read_text(encoding="utf-8").partition(begin)
    _, _, after = rest.partition(end)
    document.write_text(before + begin + text + end + after, encoding="utf-8")


def main() -> None:
    """Makes the tables."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--samples", type=Path, help="a folder with AndroidControl's TFRecords")
    words.add_argument("--steps", type=int, default=STEPS)
    words.add_argument("--seed", type=int, default=SEED)
    words.add_argument("--to", type=Path, default=DOCUMENT)
    said = words.parse_args()
    write(said.to, "demo phone", table(count(demo_phone(said.steps, said.seed), said.seed)))
    if said.samples is not None:
        found = count(androidcontrol(said.samples), said.seed, TIMES)
        write(said.to, "androidcontrol", table(found))


if __name__ == "__main__":
    main()
