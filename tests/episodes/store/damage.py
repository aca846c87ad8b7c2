"""A recorded library, what its readers return, and single flipped bits in its files."""

import hashlib
import random
import shutil
from dataclasses import replace

from episodes import actions as a
from episodes.annotations import Author, Provenance, Region, RegionSource
from episodes.clocks import ClockSample, Moment
from episodes.episodes import EpisodeState
from episodes.errors import KnownError
from episodes.geometry import Box, Point, Size
from episodes.media.packets import SegmentReader, rgb
from episodes.media.pictures import encode_png
from episodes.media.segment_files import SegmentWriter
from episodes.recordings import Gap
from episodes.runs import Prediction, Run, Unreadable
from episodes.screens import Still, StillSource
from episodes.store.library import Library
from episodes.store.places import DATABASE
from episodes.verdicts import Outcome, Verdict
from tests.episodes.media.clips import make_clip
from tests.episodes.store.samples import imported, recorded, segment, tap

MARY = Author("uuid-of-mary", "Mary")
SIZE = Size(96, 160)
FILE = "segment-000.h264"
STEPS = (0, 1, 3, 4, 6)


def make_library(folder):
    """A recording with video, pictures, trees, edits; imported episodes; a run with verdicts."""
    clip = make_clip(count=8, gop=4)
    with Library.open(folder) as library:
        live = recorded("e-0001")
        library.begin_episode(live)
        path = library.episode_folder(live.uuid) / FILE
        with SegmentWriter(path, clip.config) as writer:
            packets = [writer.write(data, pts, key, pts) for data, pts, key in clip.packets]
        library.add_segment(live.uuid, replace(segment(), config=clip.config, size=SIZE))
        with SegmentReader(path, packets) as reader:
            for index, packet in enumerate(STEPS):
                data = encode_png(rgb(reader.frame(packet)))
                sha256 = library.stills.write(data, "image/png")
                picture = Still(sha256, "image/png", SIZE, len(data), StillSource.STREAM, True)
                tree = f'<hierarchy><node class="a" index="{index}"/></hierarchy>'.encode()
                step = tap(index, picture=picture, tree=tree)
                step = replace(step, frame=replace(step.frame, packet=packet))
                library.add_step(live.uuid, step, {0: packets} if index == 0 else None)
        library.add_gap(live.uuid, Gap("paused", Moment(1, 2), Moment(3, 4)))
        library.add_clock_samples(live.uuid, [ClockSample(1, 2, 3, "uptime")])
        library.finish_episode(live.uuid, EpisodeState.FINISHED, a.Finish(a.Ending.COMPLETE), "now")
        for number in range(6):
            library.save_episodes([imported(f"{number:04d}", f"Open the mail of person {number}")])
        box = Region(Box(1, 2, 30, 40), Provenance(RegionSource.PERSON), "name", uuid="r-1")
        library.add_region(live.uuid, 0, box, MARY)
        library.choose_region(live.uuid, 0, 0, MARY)
        library.change_instruction(live.uuid, "Call Grace Hopper", MARY)
        said = [
            Prediction("0001", 0, "tap", a.Tap(Point(1, 2)), None, "a.jsonl", 1),
            Prediction("0001", 1, "??", Unreadable("no action", ""), None, "a.jsonl", 2),
        ]
        library.save_run(Run("a run", "raw"), said)
        verdicts = {("0001", 0): Verdict(Outcome.MATCH, "kind", "as it should be")}
        library.keep_verdicts("a run", "strict", "1", 1, verdicts)
    return folder


def readings(folder):
    """What each reader of a library returns, by name; the error's sentence where it refuses."""
    try:
        library = Library.read(folder)
    except KnownError:
        return {"open": "refused"}
    with library:
        found = {}
        for name, read in READERS.items():
            try:
                found[name] = read(library)
            except KnownError:
                found[name] = "refused"
        return found


def _pictures(library):
    found = {}
    for episode in library.iterate():
        for step in episode.steps:
            if step.frame is not None and step.frame.still is not None:
                still = step.frame.still
                data = library.stills.read(still.sha256, still.media_type)
                found[episode.name, step.index] = hashlib.sha256(data).hexdigest()
    return found


def _frames(library):
    found = []
    for episode in library.iterate():
        for one in episode.segments:
            packets = library.packets(episode.uuid, one.number)
            with SegmentReader(library.episode_folder(episode.uuid) / one.file, packets) as reader:
                shown = [rgb(frame).tobytes() for frame in reader.frames(range(len(packets)))]
            found.append((packets, hashlib.sha256(b"".join(shown)).hexdigest()))
    return found


READERS = {
    "episodes": lambda library: list(library.iterate()),
    "summaries": lambda library: library.episodes(),
    "facets": lambda library: library.facets(),
    "outlines": lambda library: list(library.outlines()),
    "search": lambda library: library.instructions_with("person"),
    "edits": lambda library: library.edits(),
    "authors": lambda library: library.authors(),
    "runs": lambda library: library.runs(),
    "predictions": lambda library: list(library.predictions("a run")),
    "verdicts": lambda library: library.verdicts("a run", "strict", "1", 1),
    "splits": lambda library: library.splits().all(),
    "pictures": _pictures,
    "video": _frames,
}


def flip(path, bit):
    """Flips one bit of a file."""
    data = bytearray(path.read_bytes())
    data[bit // 8] ^= 1 << bit % 8
    path.write_bytes(data)


def damageable(folder):
    """The files in which bits are flipped, by kind."""
    return {
        "database": [folder / DATABASE],
        "index": sorted(folder.glob("episodes/*/*.index")),
        "video": sorted(folder.glob("episodes/*/*.h264")),
        "pictures": sorted(folder.glob("frames/*/*")),
    }


def _used_bytes(path):
    """The places of the bytes that are not zero; most of a small database are empty pages."""
    return [at for at, byte in enumerate(path.read_bytes()) if byte]


def readable(found):
    """How much can be read: the readers that do not refuse."""
    return {name for name, value in found.items() if value != "refused"}


def check_flips(whole, folder, seed, count):
    """Flips bits one at a time, and returns a sentence for each that breaks a promise.

    Every flip that changes what a reader returns is reported, nothing but a `KnownError` is raised,
    a repair makes nothing less readable and lists every file it moves.
    """
    chance = random.Random(seed)
    right = readings(whole)
    broken = []
    for number in range(count):
        kind = ("database", "database", "index", "video", "pictures")[number % 5]
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(whole, folder)
        path = chance.choice(damageable(folder)[kind])
        bit = chance.choice(_used_bytes(path)) * 8 + chance.randrange(8)
        flip(path, bit)
        where = f"bit {bit} of {path.relative_to(folder)}"
        before = readings(folder)
        try:
            with Library.read(folder) as library:
                reported = bool(library.check().faults)
        except KnownError:
            reported = True
        if before != right and not reported:
            changed = [name for name, value in before.items() if value != right.get(name)]
            broken.append(f"{where} changes {changed} and is not reported")
        files = {file.relative_to(folder) for file in folder.rglob("*") if file.is_file()}
        moved = []
        try:
            with Library.open(folder, create=False) as library:
                moved = library.check(repair=True).moved
        except KnownError:
            pass
        after = readings(folder)
        lost = {
            name
            for name in readable(before)
            if after.get(name) != before[name] and after.get(name) != right.get(name)
        }
        if lost and "open" not in before:
            broken.append(f"{where}: a repair makes {sorted(lost)} less readable")
        gone = {str(file) for file in files if not (folder / file).exists()}
        if unlisted := gone - {old for old, _ in moved} - {"library.db-wal", "library.db-shm"}:
            broken.append(f"{where}: a repair moves {sorted(unlisted)} and does not list them")
    return broken
