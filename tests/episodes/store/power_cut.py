"""Recordings whose files are cut off, as by a loss of power."""

import shutil
from dataclasses import dataclass, replace

from episodes.media.segment_files import SegmentWriter, index_path
from episodes.store.library import Library
from episodes.store.revision_file import NAME as REVISION_FILE
from tests.episodes.media.clips import make_clip
from tests.episodes.store.samples import recorded, segment, still, tap

STEPS = 12
LOG = "library.db-wal"


@dataclass
class Moment:
    """How long each file was when a step had been shown as saved, and what `.revision` held."""

    log: int
    video: int
    index: int
    revision: bytes


class Recording:
    """A recording that was never closed: its files, and a moment for each saved step."""

    def __init__(self, folder):
        clip = make_clip(count=STEPS * 2, gop=4)
        self.folder = folder
        self.moments = []
        self.steps = []
        with Library.open(folder / "live") as library:
            live = library.folder
            self.episode = recorded("e-0001")
            library.begin_episode(self.episode)
            library.add_segment(self.episode.uuid, segment(config=clip.config))
            path = library.episode_folder(self.episode.uuid) / "segment-000.h264"
            with SegmentWriter(path, clip.config) as writer:
                self._note(live, path)
                for number in range(STEPS):
                    written = [writer.write(*one, 7) for one in clip.packets[number * 2 :][:2]]
                    data = b"picture %d" % number
                    sha256 = library.stills.write(data, "image/png")
                    picture = replace(still(sha256), byte_count=len(data))
                    step = tap(
                        number,
                        picture=picture,
                        tree=b"<hierarchy><node n='%d'/></hierarchy>" % number,
                    )
                    library.add_step(self.episode.uuid, step, {0: written})
                    self.steps.append(step)
                    self._note(live, path)
                shutil.copytree(live, folder / "kept")
        self.video = path.relative_to(live)

    def _note(self, live, path):
        sizes = [one.stat().st_size for one in (live / LOG, path, index_path(path))]
        self.moments.append(Moment(*sizes, (live / REVISION_FILE).read_bytes()))

    def cut(self, name, at, log, chance):
        """Returns a copy as it was after `at` steps, with the log cut at an offset.

        Of what the other files got after that moment, a random part is there.
        """
        copy = self.folder / name
        shutil.copytree(self.folder / "kept", copy)
        (copy / f"{LOG[:-4]}-shm").unlink(missing_ok=True)
        now, later = self.moments[at], self.moments[min(at + 1, STEPS)]
        with (copy / LOG).open("r+b") as file:
            file.truncate(log)
        for path, synced, size in (
            (copy / self.video, now.video, later.video),
            (index_path(copy / self.video), now.index, later.index),
        ):
            with path.open("r+b") as file:
                file.truncate(chance.randint(synced, size))
        (copy / REVISION_FILE).write_bytes(now.revision)
        return copy

    def cut_after_the_sync(self, name, chance):
        """Returns (copy, how many steps had been shown as saved)."""
        at = chance.randrange(STEPS)
        log = chance.randint(self.moments[at].log, self.moments[at + 1].log - 1)
        return self.cut(name, at, log, chance), at

    def cut_before_the_sync(self, name, chance):
        """Returns (copy, how many steps had been shown as saved), of which the last is lost."""
        at = chance.randint(1, STEPS)
        return self.cut(name, at, chance.randrange(self.moments[at].log), chance), at
