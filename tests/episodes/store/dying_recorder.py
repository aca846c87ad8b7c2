"""Records until it is killed, and prints the number of each step after its commit.

python -m tests.episodes.store.dying_recorder LIBRARY NAME
"""

import itertools
import sys
from pathlib import Path

from episodes.media.packets import SegmentWriter
from episodes.store.library import Library
from tests.episodes.media.clips import make_clip
from tests.episodes.store.samples import recorded, segment, tap
from tests.episodes.store.samples import still as still_of

PACKETS_A_STEP = 7


def picture(name, number):
    """The bytes of a step's still."""
    return f"picture {number} of {name} ".encode() * 4000


def step(name, number, sha256):
    return tap(
        number,
        x=number / 3,
        picture=still_of(sha256),
        tree=f"<hierarchy of='{name}' step='{number}'/>".encode() * 50,
    )


def main(folder, name):
    clip = make_clip(count=16)
    with Library.open(folder) as library:
        episode = recorded(name)
        library.begin_episode(episode)
        library.add_segment(episode.uuid, segment(config=clip.config))
        path = library.episode_folder(episode.uuid) / "segment-000.h264"
        stream = itertools.cycle(clip.packets)
        with SegmentWriter(path, clip.config) as writer:
            print("ready", flush=True)
            for number in itertools.count():
                written = []
                for _ in range(PACKETS_A_STEP):
                    data, _, key = next(stream)
                    written.append(writer.write(data, writer.count * 33_333, key, writer.count))
                sha256 = library.stills.write(picture(name, number), "image/png")
                library.add_step(episode.uuid, step(name, number, sha256), {0: written})
                print(number, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
