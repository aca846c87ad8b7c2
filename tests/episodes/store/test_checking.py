import io
import os
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from episodes import actions as a
from episodes.annotations import Author
from episodes.episodes import EpisodeState
from episodes.geometry import Size
from episodes.media.packets import SegmentReader, luma, rgb
from episodes.media.pictures import decode, encode_png
from episodes.media.segment_files import SegmentWriter, index_path
from episodes.media.signature import signature
from episodes.screens import Still, StillSource
from episodes.store.checking import Fault
from episodes.store.library import Library
from episodes.store.queries import EpisodeQuery
from tests.episodes.media.clips import make_clip
from tests.episodes.store.samples import imported, recorded, segment, tap
from tests.samples.drawn import png

MARY = Author("uuid-of-mary", "Mary")
SIZE = Size(96, 160)
FILE = "segment-000.h264"


@pytest.fixture
def episode(library):
    return filmed(library)


def filmed(library):
    """A recording with a real video, whose stills are frames of it; and an imported episode."""
    clip = make_clip(count=6, gop=3)
    live = recorded("e-0001", [])
    library.begin_episode(live)
    path = library.episode_folder(live.uuid) / FILE
    with SegmentWriter(path, clip.config) as writer:
        packets = [writer.write(data, pts, key, pts) for data, pts, key in clip.packets]
    library.add_segment(live.uuid, replace(segment(), config=clip.config, size=SIZE))
    with SegmentReader(path, packets) as reader:
        for index in (0, 1, 4):
            data = encode_png(rgb(reader.frame(index)))
            sha256 = library.stills.write(data, "image/png")
            still = Still(sha256, "image/png", SIZE, len(data), StillSource.STREAM, True)
            tree = f'<hierarchy><node class="a" index="{index}"/></hierarchy>'.encode()
            made = tap(index, picture=still, tree=tree)
            library.add_step(live.uuid, made, {0: packets} if index == 0 else None)
    finish = a.Finish(a.Ending.COMPLETE)
    library.finish_episode(live.uuid, EpisodeState.FINISHED, finish, "then")
    library.save_episodes([imported("0001")])
    return library.episode("e-0001")


def still_file(library, episode, at):
    still = episode.steps[at].frame.still
    return library.stills.path(still.sha256, still.media_type)


def video(library, episode):
    return library.episode_folder(episode.uuid) / FILE


def sql(library, text, *values):
    library._db.conn.execute(text, values)
    library._db.conn.commit()


def old(path):
    os.utime(path, (1, 1))
    return path


def convert_errors(report):
    return [(fault.episode, fault.place, fault.found, fault.repaired) for fault in report.faults]


def test_a_whole_library_has_no_fault(library, episode):
    report = library.check()
    assert (report.episodes, report.pictures, report.segments, report.trees) == (2, 3, 1, 3)
    assert report.faults == []
    with Library.read(library.folder) as read:
        assert read.check().faults == []
    assert library.check(EpisodeQuery(dataset="recorded")).episodes == 1


def gone_picture(library, episode):
    still_file(library, episode, 2).unlink()
    found = "the picture cannot be read: No such file or directory"
    return "e-0001", "step 4", found, "drawn again from the video"


def changed_picture(library, episode):
    path = still_file(library, episode, 1)
    path.write_bytes(b"other")
    moved = f"what was there is orphans/{path.relative_to(library.folder)} now"
    found = "the picture's bytes have changed"
    return "e-0001", "step 1", found, f"drawn again from the video; {moved}"


def wrong_byte_count(library, episode):
    sql(library, "UPDATE still SET byte_count = 7 WHERE id = 1")
    size = still_file(library, episode, 0).stat().st_size
    found = f"the picture is said to have 7 bytes, and has {size}"
    return "e-0001", "step 0", found, "counted again"


def gone_video(library, episode):
    video(library, episode).unlink()
    return "e-0001", FILE, "the video is missing", ""


def short_video(library, episode):
    path = video(library, episode)
    size = path.stat().st_size
    path.write_bytes(path.read_bytes()[:-1])
    return "e-0001", FILE, f"the video has {size - 1} of {size} bytes", ""


def changed_video(library, episode):
    path = video(library, episode)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    found = "packet 5 of the video, or of the index beside it, has changed"
    return "e-0001", FILE, found, ""


def gone_index(library, episode):
    index_path(video(library, episode)).unlink()
    found = "the index beside the video is missing"
    return "e-0001", FILE, found, "written again from the library's index"


def packets_not_in_the_library(library, episode):
    sql(library, "DELETE FROM packet WHERE number = 5")
    found = "1 packets of the video are not in the library's index"
    return "e-0001", FILE, found, "took 1 packets from the index beside the video"


def a_hole_in_the_index(library, episode):
    sql(library, "DELETE FROM packet WHERE number = 3")
    found = "its index does not count the packets 0, 1, 2, ..."
    return "e-0001", FILE, found, "took 1 packets from the index beside the video"


def packets_out_of_order(library, episode):
    sql(library, "UPDATE packet SET pts_us = 1 WHERE number = 3")
    return "e-0001", FILE, "packet 3 comes before packet 2", ""


def a_frame_without_its_packet(library, episode):
    sql(library, "UPDATE frame SET packet = 99 WHERE id = 2")
    found = "packet 99 of its frame is not in the video's index"
    return "e-0001", "step 1", found, ""


def steps_out_of_order(library, episode):
    sql(library, "UPDATE step SET began_device_us = 5 WHERE number = 4")
    return "e-0001", "step 4", "it began before step 1", ""


def a_wrong_count(library, episode):
    sql(library, "UPDATE episode SET step_count = 9 WHERE name = 'e-0001'")
    return "e-0001", "the list", "it is said to have 9 steps, and has 3", "counted again"


def a_changed_tree(library, episode):
    sql(library, "UPDATE tree_data SET sha256 = 'x' WHERE id = 2")
    return "e-0001", "step 1", "its tree's bytes have changed", ""


def a_broken_tree(library, episode):
    sql(library, "UPDATE tree_data SET zstd = x'00' WHERE id = 2")
    return "e-0001", "step 1", "its tree cannot be unpacked: ...", ""


def an_orphan_picture(library, episode):
    sha256 = library.stills.write(png(), "image/png")
    path = old(library.stills.path(sha256, "image/png"))
    place = str(path.relative_to(library.folder))
    return "", place, "no step speaks of this picture", f"moved to orphans/{place}"


def an_unfinished_picture(library, episode):
    path = library.folder / "frames" / "ab" / ".unfinished-1"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"half")
    old(path)
    place = "frames/ab/.unfinished-1"
    return "", place, "a picture that was not finished", f"moved to orphans/{place}"


def a_picture_no_step_shows(library, episode):
    sha256 = library.stills.write(png(), "image/png")
    sql(
        library,
        "INSERT INTO still (sha256, media_type, width, height, byte_count) "
        "VALUES (?, 'image/png', 1, 1, 1)",
        sha256,
    )
    place = f"frames/{sha256[:2]}/{sha256}.png"
    return "", place, "no step shows this picture", f"moved to orphans/{place}"


def a_tree_of_nobody(library, episode):
    sha256 = "d" * 64
    sql(library, "INSERT INTO tree_data (sha256, byte_count, zstd) VALUES (?, 1, x'00')", sha256)
    moved = f"moved to orphans/trees/{sha256}.tree.zst"
    return "", f"tree {'d' * 12}", "no step has this tree", moved


def the_video_of_nobody(library, episode):
    folder = library.folder / "episodes" / "gone"
    folder.mkdir()
    (folder / FILE).write_bytes(b"video")
    old(folder)
    found = "the video of an episode the library does not have"
    return "", "episodes/gone", found, "moved to orphans/episodes/gone"


def a_strange_file(library, episode):
    path = library.episode_folder(episode.uuid) / "notes.txt"
    path.write_text("x")
    old(path)
    place = f"episodes/{episode.uuid}/notes.txt"
    found = "no stretch of capture speaks of this file"
    return "", place, found, f"moved to orphans/{place}"


def a_row_that_points_nowhere(library, episode):
    library._db.conn.execute("PRAGMA foreign_keys = OFF")
    sql(library, "UPDATE step SET tree = 999 WHERE number = 4")
    return "", "library.db", "row 3 of step points to no row of tree", ""


PLANTED = [
    gone_picture,
    changed_picture,
    wrong_byte_count,
    gone_video,
    short_video,
    changed_video,
    gone_index,
    packets_not_in_the_library,
    a_hole_in_the_index,
    packets_out_of_order,
    a_frame_without_its_packet,
    steps_out_of_order,
    a_wrong_count,
    a_changed_tree,
    a_broken_tree,
    an_orphan_picture,
    an_unfinished_picture,
    a_picture_no_step_shows,
    a_tree_of_nobody,
    the_video_of_nobody,
    a_strange_file,
    a_row_that_points_nowhere,
]


def files(library):
    return {
        path.relative_to(library.folder): path.read_bytes()
        for path in library.folder.rglob("*")
        if path.is_file() and not path.name.startswith("library.db")
    }


@pytest.mark.parametrize("plant", PLANTED)
def test_each_planted_fault_is_found_and_what_can_be_is_repaired(library, episode, plant):
    name, place, found, repaired = plant(library, episode)
    before = files(library)
    looked = library.check()
    said = [
        (f.episode, f.place, f.found.split(": ")[0] if "..." in found else f.found)
        for f in looked.faults
    ]
    expected = (name, place, found.split(": ")[0] if "..." in found else found)
    assert expected in said
    assert [fault for fault in looked.faults if fault.repaired] == []
    assert files(library) == before
    done = library.check(repair=True)
    assert [f.repaired for f in done.faults if (f.episode, f.place) == (name, place)][-1:] == [
        repaired
    ]
    kept = list(files(library).values())
    assert all(data in kept for data in before.values())
    left = library.check().faults
    assert left == done.left


def test_only_the_planted_fault_is_reported(library, episode):
    for plant in (changed_picture, gone_index, a_wrong_count, a_strange_file):
        fault = plant(library, episode)
        assert convert_errors(library.check(repair=True)) == [fault]
        assert library.check().faults == []


def test_a_changed_picture_is_kept_with_the_one_that_is_drawn(library, episode):
    changed_picture(library, episode)
    library.check(repair=True)
    path = still_file(library, episode, 1)
    assert (library.folder / "orphans" / path.relative_to(library.folder)).read_bytes() == b"other"
    changed_picture(library, episode)
    library.check(repair=True)
    assert len(list((library.folder / "orphans").rglob("*.png*"))) == 2


def packet_signature(library, episode, number):
    """The signature of a packet's picture, as the recorder makes it."""
    packets = library.packets(episode.uuid, 0)
    with SegmentReader(video(library, episode), packets) as reader:
        return signature(luma(reader.frame(number)))


def other_bytes(library, episode, at):
    """Packs a step's picture into other bytes under their own name, as another encoder would."""
    still = episode.steps[at].frame.still
    pixels = decode(library.stills.read(still.sha256, "image/png"))
    packed = io.BytesIO()
    Image.fromarray(pixels).save(packed, "PNG", compress_level=9)
    data = packed.getvalue()
    sha256 = library.stills.write(data, "image/png")
    assert sha256 != still.sha256
    still_file(library, episode, at).unlink()
    sql(
        library,
        "UPDATE still SET sha256 = ?, byte_count = ?, signature = ? WHERE sha256 = ?",
        *(sha256, len(data), packet_signature(library, episode, at), still.sha256),
    )
    return library.stills.path(sha256, "image/png"), pixels


def test_a_picture_in_other_bytes_is_known_by_its_signature(library, episode):
    path, pixels = other_bytes(library, episode, 1)
    assert library.check().faults == []
    path.unlink()
    library.editor(MARY).change_texts(episode.uuid, 1, note="read me")
    before = library.episode("e-0001")
    (fault,) = library.check(repair=True).faults
    after = library.episode("e-0001")
    still = after.steps[1].frame.still
    assert fault.repaired == (
        f"drawn again from the video, the same picture in other bytes ({still.sha256[:12]})"
    )
    assert np.array_equal(decode(library.stills.read(still.sha256, "image/png")), pixels)
    assert library.check().faults == []
    changed = replace(before.steps[1].frame.still, sha256=still.sha256, byte_count=still.byte_count)
    frame = replace(before.steps[1].frame, still=changed)
    steps = (before.steps[0], replace(before.steps[1], frame=frame), before.steps[2])
    assert after == replace(before, steps=steps)
    library.undo()
    library.redo()
    assert library.episode("e-0001") == after


def test_a_picture_whose_packet_shows_another_screen_is_not_drawn(library, episode):
    path, _ = other_bytes(library, episode, 1)
    path.unlink()
    sql(
        library,
        "UPDATE still SET signature = ? WHERE sha256 = ?",
        *(packet_signature(library, episode, 5), path.stem),
    )
    assert [fault.repaired for fault in library.check(repair=True).faults] == [""]
    sql(library, "UPDATE still SET signature = NULL WHERE sha256 = ?", path.stem)
    assert [fault.repaired for fault in library.check(repair=True).faults] == [""]


def test_a_picture_comes_back_from_any_frame_that_shows_it(library, episode):
    sql(library, "UPDATE frame SET packet = NULL WHERE id = 1")
    first = episode.steps[0].frame.still.sha256
    sql(library, "UPDATE frame SET still = (SELECT id FROM still WHERE sha256 = ?)", first)
    sql(library, "UPDATE frame SET packet = 0 WHERE id = 2")
    still_file(library, episode, 0).unlink()
    report = library.check(repair=True)
    assert convert_errors(report)[0] == (
        "e-0001",
        "step 0",
        "the picture cannot be read: No such file or directory",
        "drawn again from the video",
    )
    assert still_file(library, episode, 0).is_file()


def never_written(library, episode, *indexes):
    """Lets frames be as a full disk leaves them: with their packet and without a picture."""
    for index in indexes:
        path = still_file(library, episode, index)
        sql(
            library,
            "UPDATE frame SET still = NULL, still_source = NULL, still_lossless = NULL "
            "WHERE still = (SELECT id FROM still WHERE sha256 = ?)",
            path.stem,
        )
        sql(library, "DELETE FROM still WHERE sha256 = ?", path.stem)
        path.unlink()


def test_pictures_that_were_never_written_are_made_from_their_packets(library, episode):
    signed = {at: packet_signature(library, episode, n) for at, n in ((0, 0), (1, 1), (2, 4))}
    never_written(library, episode, 0, 2)
    found = ("its picture was never written; packet 0 shows it",
             "its picture was never written; packet 4 shows it")  # fmt: skip
    assert convert_errors(library.check()) == [
        ("e-0001", "step 0", found[0], ""), ("e-0001", "step 4", found[1], ""),
    ]  # fmt: skip
    report = library.check(repair=True)
    assert convert_errors(report) == [
        ("e-0001", "step 0", found[0], "made from the video"),
        ("e-0001", "step 4", found[1], "made from the video"),
    ]
    assert (report.made, report.pictures) == (2, 3)
    after = library.episode("e-0001")
    for at in (0, 2):
        still = after.steps[at].frame.still
        assert still == replace(episode.steps[at].frame.still, signature=signed[at])
        assert still_file(library, episode, at).is_file()
    again = library.check(repair=True)
    assert (again.faults, again.made) == ([], 0)
    assert library.episodes()[0].first_still.sha256 == still_file(library, episode, 0).stem


def test_two_frames_that_show_the_same_get_one_picture(library, episode):
    sql(library, "UPDATE frame SET packet = 1 WHERE packet = 4")
    never_written(library, episode, 2)
    assert library.check(repair=True).made == 1
    one, two = (library.episode("e-0001").steps[at].frame.still for at in (1, 2))
    assert one.sha256 == two.sha256


def damaged(library, episode):
    path = video(library, episode)
    data = bytearray(path.read_bytes())
    data[library.packets(episode.uuid, 0)[3].offset + 40] ^= 0xFF
    path.write_bytes(data)


def another_size(library, episode):
    sql(library, "UPDATE segment SET width = 95")


@pytest.mark.parametrize(("spoil", "made"), [(damaged, [True, False]), (another_size, [False] * 2)])
def test_no_picture_is_made_of_a_video_that_is_damaged_before_it_or_has_another_size(
    library, episode, spoil, made
):
    never_written(library, episode, 1, 2)
    spoil(library, episode)
    report = library.check(repair=True)
    repaired = [fault.repaired for fault in report.faults if "never written" in fault.found]
    assert repaired == ["made from the video" if one else "" for one in made]
    assert report.made == sum(made)
    steps = library.episode("e-0001").steps
    assert [step.frame.still is not None for step in steps] == [True, *made]


def test_files_that_may_be_about_to_get_their_row_are_left_alone(library, episode):
    library.stills.write(png(), "image/png")
    assert library.check(repair=True).faults == []


def test_the_bin_is_checked_too(library, episode):
    library.delete_episode(episode.uuid)
    gone_video(library, episode)
    assert library.check().faults == [Fault("e-0001", FILE, "the video is missing")]


def test_progress_is_reported(library, episode):
    seen = []
    library.check(on_progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]
