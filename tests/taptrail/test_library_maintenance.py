from dataclasses import replace
from uuid import uuid4

import pytest

from episodes.annotations import Author
from episodes.clocks import Moment
from episodes.geometry import Box
from episodes.media import pictures
from episodes.screens import AppFit, Basis, Foreground, Frame, Still, StillSource
from episodes.store.library import Library
from tests.annotator.samples import SIZE
from tests.episodes.store.test_checking import filmed, never_written
from tests.samples import guiodyssey as sample
from tests.samples.drawn import png
from tests.taptrail.annotated import MARY, shopping

BEN = Author("uuid-of-ben", "Ben")


@pytest.fixture
def two(tmp_path):
    """Mary's and Ben's libraries with one recording both have."""
    folders = (tmp_path / "mary", tmp_path / "ben")
    for folder, who in zip(folders, (MARY, BEN), strict=True):
        with Library.open(folder) as library:
            library.save_episodes([shopping()])
            library.editor(who).change_instruction(shopping().uuid, f"{who.name}'s words")
    return folders


def test_libraries_are_merged_and_conflicts_are_counted_and_shown(taptrail, two):
    mary, ben = two
    with Library.open(ben) as library:
        library.editor(BEN).change_texts(shopping().uuid, 0, note="n")
        library.save_episodes([shopping("e-0002")])
    done = taptrail("episodes", "merge", ben, "--library", mary, "--json").json
    assert done == {
        "added": [{"there": "e-0002", "here": "e-0002"}],
        "merged": ["e-0001"],
        "unchanged": 0,
        "edits": 2,
        "files": 0,
        "runs": [],
        "conflicts": [
            {
                "episode": "e-0001",
                "step": None,
                "operation": "instruction.change",
                "here": '{"instruction": "Mary\'s words"}',
                "there": '{"instruction": "Ben\'s words"}',
            }
        ],
        "refused": [],
        "missing": [],
    }
    again = taptrail("episodes", "merge", ben, "--library", mary, "--json").json
    assert (again["added"], again["merged"], again["unchanged"], again["edits"]) == ([], [], 2, 0)
    with Library.read(mary) as library:
        episode = library.episode("e-0001")
        assert (episode.task.instruction, episode.steps[0].texts.note) == ("Mary's words", "n")
        assert len(library.edits()) == 4
    assert taptrail("episodes", "check", "--library", mary).code == 0


def test_a_merge_is_told_in_words(taptrail, two):
    mary, ben = two
    with Library.open(ben) as library:
        library.save_episodes([replace(shopping("e-0002"), uuid="one")])
    with Library.open(mary) as library:
        library.save_episodes([replace(shopping("e-0002"), uuid="two")])
    said = taptrail("episodes", "merge", ben, "--library", mary).out
    assert said.startswith(
        "1 episodes are new, 1 got edits, 0 had nothing new; 1 edits and 0 files were copied.\n"
    )
    assert "e-0002-2" in said
    assert "Different in both; unchanged here (1)" in said


def test_a_library_is_not_merged_into_itself_or_with_nothing(taptrail, two, tmp_path):
    mary, _ = two
    done = taptrail("episodes", "merge", mary, "--library", mary)
    assert (done.code, "it is the library itself" in done.err) == (1, True)
    done = taptrail("episodes", "merge", tmp_path / "none", "--library", mary)
    assert (done.code, "there is no library.db in it" in done.err) == (1, True)
    assert not (tmp_path / "none").exists()


def test_check_repairs_and_says_what_it_did(taptrail, tmp_path, library):
    taptrail("import", "guiodyssey", sample.version_2(tmp_path / "two"), "--library", library)
    with Library.open(library) as kept:
        kept._db.conn.execute("UPDATE episode SET step_count = 99")
        kept._db.conn.commit()
    done = taptrail("episodes", "check", "--library", library)
    assert (done.code, "Repair it with --repair" in done.err) == (1, True)
    done = taptrail("episodes", "check", "--repair", "--library", library, "--json").json
    assert {(one["place"], one["repaired"]) for one in done["findings"]} == {
        ("the list", "counted again")
    }
    done = taptrail("episodes", "check", "--library", library)
    assert (done.code, done.out) == (0, "2 episodes, 13 pictures and 0 videos are whole.\n")


def test_check_makes_pictures_that_were_never_written_and_says_how_many(taptrail, library):
    with Library.open(library) as kept:
        never_written(kept, filmed(kept), 0, 2)
    done = taptrail("episodes", "check", "--library", library)
    assert (done.code, "its picture was never written; packet 0 shows it" in done.out) == (1, True)
    done = taptrail("episodes", "check", "--repair", "--library", library)
    assert done.code == 0
    assert "2 pictures that were never written are made from the video.\n" in done.out
    done = taptrail("episodes", "check", "--repair", "--library", library, "--json")
    assert (done.json["made"], done.json["findings"]) == (0, [])


def test_a_private_box_is_black_in_what_is_exported(taptrail, tmp_path, library):
    data = png(SIZE, 200)
    with Library.open(library) as kept:
        still = Still(
            kept.stills.write(data, "image/png"),
            "image/png",
            SIZE,
            len(data),
            StillSource.STREAM,
            True,
        )
        first, *others = shopping().steps
        shown = replace(first, frame=Frame(SIZE, Basis.PAINTED, still))
        kept.save_episodes([replace(shopping(), steps=(shown, *others))])
    box = ("--step", "0", "--box", "10", "20", "30", "40")
    assert taptrail("episodes", "private", "e-0001", *box, "--library", library).code == 0
    done = taptrail("export", "taptrail", tmp_path / "out", "--library", library, "--json").json
    (picture,) = (tmp_path / "out" / "pictures").iterdir()
    pixels = pictures.decode(picture.read_bytes())
    assert (pixels[20:40, 10:30] == 0).all()
    assert (pixels[40:, :, 0] == 200).all()
    assert "the tree of a screen with a private box" in [loss["what"] for loss in done["losses"]]
    with Library.read(library) as kept:
        assert kept.stills.read(still.sha256, "image/png") == data
        assert kept.episode("e-0001").steps[0].private_boxes[0].box == Box(10, 20, 30, 40)


def test_a_protected_screen_and_an_app_that_is_not_sure_are_marked_wherever_they_are_shown(
    taptrail, tmp_path, library
):
    data = png(SIZE, 0)
    front = Foreground("a.vault", ".Main", "Vault", AppFit.STALE, Moment(host_ns=5), Moment())
    with Library.open(library) as kept:
        sha256 = kept.stills.write(data, "image/png")
        still = Still(sha256, "image/png", SIZE, len(data), StillSource.STREAM, True)
        first, *others = shopping().steps
        frame = Frame(SIZE, Basis.PAINTED, still, protected=True)
        kept.save_episodes(
            [
                replace(
                    shopping(),
                    uuid=str(uuid4()),
                    steps=(replace(first, frame=frame, foreground=front), *others),
                )
            ]
        )
    shown = taptrail("episodes", "show", "e-0001", "--library", library, "--json").json["steps"][0]
    assert (shown["frame"]["protected"], shown["foreground"]) == (
        True,
        {
            "package": "a.vault",
            "activity": ".Main",
            "label": "Vault",
            "fit": "stale",
            "requested": {"host_ns": 5},
        },
    )
    words = taptrail("episodes", "show", "e-0001", "--library", library).out
    assert "Vault (stale)" in words
    assert "(black: protected by the app)" in " ".join(words.split())
    taptrail("export", "taptrail", tmp_path / "out", "--library", library)
    again = tmp_path / "again"
    taptrail("import", "taptrail", tmp_path / "out", "--library", again)
    with Library.read(again) as kept:
        step = kept.episode("e-0001").steps[0]
    assert (step.frame, step.foreground) == (
        replace(frame, still=replace(still, signature=step.frame.still.signature)),
        front,
    )


def test_what_is_private_is_not_exported(taptrail, tmp_path, library):
    with Library.open(library) as kept:
        kept.save_episodes([shopping(), shopping("e-0002")])
    taptrail("episodes", "private", "e-0001", "--library", library)
    taptrail("episodes", "private", "e-0002", "--step", "3", "--library", library)
    done = taptrail("export", "taptrail", tmp_path / "out", "--library", library, "--json").json
    assert (done["episodes"], done["steps"]) == (1, 5)
