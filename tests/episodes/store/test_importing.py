import hashlib
import io
import os
import random
import struct
import tracemalloc
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from episodes import actions as a
from episodes.annotations import Gold, Provenance, Region, RegionSource, Status
from episodes.episodes import EpisodeState
from episodes.errors import KnownError
from episodes.formats.input_files import BadPicture
from episodes.formats.picture_store import LibraryPictureStore
from episodes.geometry import Box, Point, Size
from episodes.media.pictures import decode
from episodes.media.signature import luma_of, signature
from episodes.screens import Basis, Frame
from episodes.steps import Step
from episodes.store import importing
from episodes.store.importing import SaveReport
from episodes.store.signatures import SignatureReport
from tests.episodes.store.samples import imported, still, tap
from tests.episodes.store.sql import sql
from tests.samples.drawn import png


def test_episodes_are_saved_in_their_order(library):
    episodes = [imported(name) for name in ("0002", "2", "0001")]
    assert library.save_episodes(iter(episodes)) == SaveReport(saved=3)
    assert list(library.iterate()) == episodes
    assert library.episode("2") == episodes[1]


def test_the_same_again_is_unchanged_also_with_new_uuids(library):
    region = Region(Box(0, 1, 2, 3), Provenance(RegionSource.IMPORT), uuid="one")
    episode = imported("0001", steps=(replace(tap(0), regions=(region,)),))
    other = (replace(tap(0), regions=(replace(region, uuid="two"),)),)
    library.save_episodes([episode])
    revision = library.gold_revision()
    again = [replace(episode, uuid="another", steps=other), imported("0002")]
    assert library.save_episodes(again) == SaveReport(saved=1, unchanged=1)
    assert library.episode("0001") == episode
    assert library.gold_revision() > revision == library.gold_revision(episode.uuid)


def test_other_content_is_refused_or_replaced(library):
    episode = imported("0001")
    changed = imported("0001", instruction="Open the letter", steps=(tap(0),))
    library.save_episodes([episode, imported("0002")])
    report = library.save_episodes([changed])
    assert report == SaveReport(
        refused=(
            (
                "guiodyssey 2 0001",
                "the library has it with other content; ask for it to be replaced",
            ),
        )
    )
    assert library.episode("0001") == episode
    assert library.save_episodes([changed], replace=True) == SaveReport(replaced=1)
    assert library.episode("0001") == changed
    assert library.count() == 2
    left = sql(library, "SELECT count(*) FROM step WHERE episode NOT IN (SELECT id FROM episode)")
    assert left == [(0,)]


def test_edited_episodes_are_not_replaced(library):
    episode = imported("0001")
    library.save_episodes([episode])
    library.change_instruction(episode.uuid, "Open the letters")
    report = library.save_episodes([imported("0001", steps=(tap(0),))], replace=True)
    assert report.refused == (
        ("guiodyssey 2 0001", "people have changed it here (1 edits); delete it first"),
    )
    assert library.episode("0001").task.instruction == "Open the letters"


def test_an_episode_in_the_bin_is_not_imported_again_silently(library):
    episode = imported("0001")
    library.save_episodes([episode])
    library.delete_episode(episode.uuid)
    report = library.save_episodes([episode])
    assert report.refused == (
        ("guiodyssey 2 0001", "it is in the library's bin; restore it from there"),
    )


def test_names_belong_to_a_data_set_and_version(library):
    episodes = [
        imported("1", dataset="guiodyssey", version="1"),
        imported("1", dataset="guiodyssey", version="2"),
        imported("1", dataset="aitw", version=""),
    ]
    assert library.save_episodes(episodes) == SaveReport(saved=3)


def test_twice_in_one_import_is_once(library):
    episode = imported("1")
    changed = imported("1", instruction="Other")
    report = library.save_episodes([episode, episode, changed])
    assert (report.saved, report.unchanged, len(report.refused)) == (1, 1, 1)
    assert list(library.iterate()) == [episode]


def test_a_uuid_belongs_to_one_episode(library):
    first, second = imported("1"), imported("2", uuid=imported("1").uuid)
    assert library.save_episodes([first, second]).refused == (
        ("guiodyssey 2 2", "its uuid is that of the episode “1” of guiodyssey"),
    )


def _step(**fields):
    return (replace(tap(0), **fields),)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"steps": _step(action=a.Tap(Point(float("inf"), 1)))}, "a number of the tap is not"),
        ({"steps": _step(action=a.Pinch(Point(1, 1), float("nan")))}, "a number of the pinch is"),
        ({"steps": (tap(1), tap(0))}, "the numbers of the steps do not grow"),
        ({"steps": (tap(0), tap(0))}, "the numbers of the steps do not grow"),
        (
            {
                "steps": _step(
                    golds=(
                        Gold(1, a.Wait(), "alternative", "", Status.ACCEPTED),
                        Gold(1, a.Wait(), "alternative", "", Status.ACCEPTED),
                    )
                )
            },
            "the numbers of the golds do not grow",
        ),
        (
            {
                "steps": _step(
                    regions=(Region(Box(0, 0, float("nan"), 1), Provenance(RegionSource.TREE)),)
                )
            },
            "right is nan, which is not a finite number",
        ),
        ({"declared_steps": 2**63}, "declared_steps is 9223372036854775808, which is too large"),
        ({"declared_steps": 2**70}, "declared_steps is 1180591620717411303424, which is too large"),
        ({"extra": "\ud800"}, "a value cannot be written down"),
        ({"name": ""}, "the episode has no name"),
        ({"uuid": ""}, "the episode's uuid “” is not a plain name"),
        (
            {
                "steps": (
                    tap(0, picture=still("ab" * 32)),
                    tap(1, picture=replace(still("ab" * 32), size=Size(1, 1))),
                )
            },
            "the picture abababababab is said to be image/png, 1x1, 1234 bytes, and otherwise",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_kept_is_refused_alone(library, fields, reason):
    bad = imported(**({"name": "bad"} | fields))
    report = library.save_episodes([imported("1"), bad, imported("2")])
    assert report.saved == 2
    ((where, why),) = report.refused
    assert where == ("guiodyssey 2 bad" if bad.name else "guiodyssey 2")
    assert why.startswith(reason)
    assert list(library.iterate()) == [imported("1"), imported("2")]
    assert sql(library, "PRAGMA foreign_key_check") == []
    again = imported("bad", steps=(tap(0, picture=still("ab" * 32)),))
    assert library.save_episodes([again]).saved == 1
    assert library.episode("bad") == again


def test_cancel_keeps_whole_episodes_and_another_import_goes_on(library, monkeypatch):
    monkeypatch.setattr("episodes.store.importing.BATCH_ROWS", 50)
    asked = []

    def stop(done, total):
        asked.append((done, total))
        if done >= 40:
            raise KeyboardInterrupt

    episodes = [imported(f"{at:03d}", steps=(tap(0),)) for at in range(400)]
    with pytest.raises(KeyboardInterrupt):
        library.save_episodes(iter(episodes), stop, total=400)
    done, total = asked[-1]
    assert 40 <= done < 400
    assert total == 400
    assert list(library.iterate()) == episodes[:done]
    report = library.save_episodes(episodes)
    assert (report.saved, report.unchanged) == (400 - done, done)
    assert list(library.iterate()) == episodes


def test_a_reader_that_fails_half_way_leaves_what_it_had_read(library):
    def broken():
        yield imported("1")
        yield imported("2")
        raise KnownError("read annotations", "file 3 is cut off", "Fetch it again.")

    with pytest.raises(KnownError, match="file 3 is cut off"):
        library.save_episodes(broken())
    assert list(library.iterate()) == [imported("1"), imported("2")]


def test_progress_ends_with_everything(library):
    seen = []
    library.save_episodes((imported(f"{at}") for at in range(30)), lambda *at: seen.append(at))
    assert seen[-1] == (30, 30)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def _noise(number):
    return random.Random(number).randbytes(40_000)


def test_an_import_holds_a_few_episodes_in_memory(library):
    count = 1500

    def many():
        for at in range(count):
            yield imported(f"{at:04d}", steps=(tap(0, tree=_noise(at)),))

    tracemalloc.start()
    try:
        library.save_episodes(many())
        saving = tracemalloc.get_traced_memory()[1]
        tracemalloc.reset_peak()
        assert sum(1 for _ in library.iterate()) == count
        reading = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    everything = count * 40_000
    assert saving < everything / 3
    assert reading < everything / 3


def test_frames_without_a_picture_and_steps_without_a_frame_are_kept(library):
    steps = (
        Step(0, a.OpenApp("Mail")),
        Step(3, a.Wait(), frame=Frame(Size(1, 2), Basis.IMPORTED, native="0001_3.png")),
    )
    episode = imported("1", steps=steps, declared_steps=9, state=EpisodeState.INCOMPLETE)
    library.save_episodes([episode])
    assert library.episode("1") == episode


def test_a_signature_made_later_belongs_to_the_picture_everywhere(library):
    bare, signed = still("ab" * 32), replace(still("ab" * 32), signature=b"luma")
    library.save_episodes([imported("1", steps=(tap(0, picture=bare),))])
    library.save_episodes([imported("2", steps=(tap(0, picture=signed), tap(1, picture=bare)))])
    found = [step.frame.still for episode in library.iterate() for step in episode.steps]
    assert found == [signed] * 3


def test_the_same_tree_is_stored_once(library):
    trees = [b"<a/>" * 1000, b"<b/>", b"<a/>" * 1000, b""]
    steps = tuple(tap(at, tree=tree) for at, tree in enumerate(trees))
    library.save_episodes([imported("1", steps=steps), imported("2", steps=steps)])
    assert [library.episode(name).steps for name in "12"] == [steps, steps]
    stored = sql(library, "SELECT byte_count, length(zstd) < 60 FROM tree_data")
    assert sorted(stored) == [(4, 1), (4000, 1)]


def with_picture(library, data, name="0001"):
    """An imported episode whose picture is kept as an import of many keeps it."""
    still = LibraryPictureStore(library.stills, many=True).keep_bytes(data, "0.png")
    frame = Frame(still.size, Basis.IMPORTED, still)
    return imported(name, steps=(Step(0, a.OpenApp("Mail"), frame),))


def picture_files(library):
    return sorted(path.name for path in (library.folder / "frames").glob("*/*"))


def test_pictures_of_a_batch_have_their_names_when_its_rows_are_written(library):
    episode = with_picture(library, png())
    sha256 = episode.steps[0].frame.still.sha256
    assert [name.startswith(".unfinished-") for name in picture_files(library)] == [True]
    library.save_episodes([episode])
    assert picture_files(library) == [f"{sha256}.png"]
    assert library.stills.read(sha256, "image/png") == png()


def test_all_pictures_are_synced_before_the_first_of_them_gets_its_name(library, monkeypatch):
    done = []
    fsync, to_name = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda file: (done.append("sync"), fsync(file))[1])
    monkeypatch.setattr(Path, "replace", lambda *one: (done.append("name"), to_name(*one))[1])
    episodes = [with_picture(library, png(shade=n), f"{n:04d}") for n in range(5)]
    done.clear()
    library.save_episodes(episodes)
    first, last = done.index("name"), len(done) - done[::-1].index("name")
    assert (done[:first].count("sync"), done[first:last]) == (5, ["name"] * 5)
    assert done[last:].count("sync") >= 1


def test_signatures_come_later_and_an_import_again_changes_nothing(library):
    library.save_episodes([with_picture(library, png())])
    assert library.unsigned_pictures() == 1
    assert library.fill_signatures() == SignatureReport(1)
    kept = library.episode("0001").steps[0].frame.still.signature
    assert kept == signature(luma_of(decode(png())))
    assert library.save_episodes([with_picture(library, png())]).unchanged == 1
    assert library.fill_signatures() == SignatureReport(0)
    assert library.check().faults == []


def test_an_episode_whose_hash_covers_signatures_is_still_unchanged(library):
    still = LibraryPictureStore(library.stills).keep_bytes(png(), "0.png")
    frame = Frame(still.size, Basis.IMPORTED, still)
    old = imported("0001", steps=(Step(0, a.OpenApp("Mail"), frame),))
    library.save_episodes([old])
    library._db.conn.execute(  # as versions stored it that decoded every picture
        "UPDATE episode SET content_sha256 = ?", (importing._sha256(old),)
    )
    library._db.conn.commit()
    assert library.save_episodes([with_picture(library, png())]).unchanged == 1


def test_a_picture_that_cannot_be_decoded_is_named_later_and_by_the_check(library):
    data = png()
    start = data.index(b"IDAT")
    (length,) = struct.unpack(">I", data[start - 4 : start])
    part = b"IDAT" + bytes(length)  # its checksum fits, and it holds no pixels
    spoilt = data[:start] + part + struct.pack(">I", zlib.crc32(part)) + data[start + 8 + length :]
    library.save_episodes([with_picture(library, spoilt)])
    ((sha256, why),) = library.fill_signatures().damaged
    assert (sha256, "damaged" in why) == (hashlib.sha256(spoilt).hexdigest(), True)
    (fault,) = library.check().faults
    assert (fault.episode, fault.place) == ("0001", "step 0")
    assert fault.found.startswith("the picture cannot be decoded: it is damaged")


@pytest.mark.parametrize("cut", [0.3, 0.9])
@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_a_picture_that_is_cut_off_is_refused_without_decoding(library, form, cut):
    buffer = io.BytesIO()
    Image.effect_noise((40, 60), 90).convert("RGB").save(buffer, form)
    data = buffer.getvalue()
    picture_store = LibraryPictureStore(library.stills, many=True)
    assert picture_store.keep_bytes(data, "0").byte_count == len(data)
    with pytest.raises(BadPicture, match="it is damaged: it is cut off"):
        picture_store.keep_bytes(data[: int(len(data) * cut)], "0")
