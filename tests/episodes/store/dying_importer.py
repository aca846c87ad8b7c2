"""Imports episodes with pictures until it is killed.

python -m tests.episodes.store.dying_importer LIBRARY
"""

import sys
from pathlib import Path

from episodes import actions as a
from episodes.formats.picture_store import LibraryPictureStore
from episodes.screens import Basis, Frame
from episodes.steps import Step
from episodes.store.library import Library
from tests.episodes.store.samples import imported
from tests.samples.drawn import png

EPISODES, STEPS = 60, 3


def picture(episode, step):
    """The bytes of a step's picture; the first of every episode is the same."""
    return png(colour=(episode if step else 0, step, 7))


def episodes(library):
    picture_store = LibraryPictureStore(library.stills, many=True)
    for number in range(EPISODES):
        steps = []
        for index in range(STEPS):
            still = picture_store.keep_bytes(picture(number, index), f"{index}.png")
            steps.append(Step(index, a.OpenApp("Mail"), Frame(still.size, Basis.IMPORTED, still)))
        yield imported(f"{number:04d}", steps=tuple(steps))


def main(folder):
    with Library.open(folder) as library:
        print("ready", flush=True)
        library.save_episodes(episodes(library))
        print("done", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
