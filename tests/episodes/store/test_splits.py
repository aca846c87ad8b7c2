"""Splits in a library: saved once, found by name, merged, and kept through an export."""

from dataclasses import replace

import pytest

from episodes.episodes import Origin
from episodes.errors import KnownError
from episodes.screens import Foreground
from episodes.store.library import Library
from episodes.store.splits import Divided, KnownSplit, Split, SplitExists, SplitNotFound
from tests.episodes.store.samples import imported

SPLIT = Split("guiodyssey", "2", "app@1", "by app", "", '{"by": "app"}')


def episode(name, **more):
    return replace(imported(name), uuid=f"uuid-{name}", origin=Origin("guiodyssey", "2"), **more)


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "one") as kept:
        kept.save_episodes([episode("a", splits=(("random", "test"),)), episode("b"), episode("c")])
        yield kept


def test_a_split_comes_back_as_it_was_saved(library):
    library.splits().save(SPLIT, [("uuid-a", "train"), ("uuid-b", "test"), ("uuid-b", "train")])
    known = KnownSplit(SPLIT, (("test", 1), ("train", 2)))
    assert library.splits().find("app@1") == known
    assert library.splits().all() == [
        known, KnownSplit(Split("guiodyssey", "2", "random"), (("test", 1),)),
    ]  # fmt: skip
    assert library.splits().members(SPLIT) == [
        ("uuid-a", "train"), ("uuid-b", "test"), ("uuid-b", "train"),
    ]  # fmt: skip
    assert library.episode("a").splits == (("random", "test"), ("app@1", "train"))
    assert library.splits().divided("guiodyssey", "2")[0] == Divided(
        "uuid-a", "a", *_told(library.episode("a"))
    )


def _told(episode):
    task, phone = episode.task, episode.device
    return (
        task.instruction, task.template, task.category, task.apps, phone.manufacturer,
        phone.model, phone.product, phone.android_release, phone.sdk,
        tuple(app.casefold() for app in task.apps),
    )  # fmt: skip


def in_front(name, *fronts, task=()):
    """An episode whose steps have these (package, label) in front."""
    one = episode(name)
    steps = tuple(
        replace(one.steps[0], index=number, foreground=Foreground(package, "", label))
        for number, (package, label) in enumerate(fronts)
    )
    return replace(one, steps=steps, task=replace(one.task, apps=task))


@pytest.mark.parametrize(
    ("told", "keys"),
    [
        (in_front("x", ("com.android.settings", "Settings"), ("org.maps", "")),
         ("com.android.settings", "org.maps")),
        (in_front("x", ("com.android.settings", "Einstellungen"), task=("Einstellungen",)),
         ("com.android.settings",)),
        (in_front("x", task=("SETTINGS", "Notes")), ("com.android.settings", "notes")),
        (in_front("x", task=("com.android.settings",)), ("com.android.settings",)),
        (in_front("x", task=("Clock",)), ("com.a.clock", "com.b.clock")),
        (in_front("x", ("com.b.clock", "Clock"), task=("Clock",)), ("com.b.clock",)),
        (in_front("x", ("com.miui.home", "Home"), ("", "Old App")), ("old app",)),
        (in_front("x", ("com.miui.home", "Home")), ()),
    ],
)  # fmt: skip
def test_apps_are_distinguished_by_packages_if_the_data_set_names_them(library, told, keys):
    library.save_episodes(
        [
            in_front("k1", ("com.android.settings", "Settings"), ("com.a.clock", "Clock")),
            in_front("k2", ("com.b.clock", "Clock")),
            replace(in_front("k3", ("org.other", "Notes")), origin=Origin("aitw", "1")),
            told,
        ]
    )
    assert library.splits().divided("guiodyssey", "2")[-1].app_keys == keys


def test_no_split_is_changed_also_one_that_came_with_the_files(library):
    library.splits().save(SPLIT, [("uuid-a", "train")])
    for split in (SPLIT, replace(SPLIT, name="random")):
        with pytest.raises(SplitExists, match="splits are never changed"):
            library.splits().save(split, [("uuid-b", "train")])
    assert library.splits().members(SPLIT) == [("uuid-a", "train")]


def test_a_split_name_of_two_data_sets_needs_the_data_set(library):
    library.save_episodes([replace(episode("z"), origin=Origin("aitw", "1"))])
    library.splits().save(SPLIT, [("uuid-a", "train")])
    library.splits().save(replace(SPLIT, dataset="aitw", version="1"), [("uuid-z", "test")])
    with pytest.raises(SplitNotFound, match="aitw@1, guiodyssey@2 have one each"):
        library.splits().find("app@1")
    assert library.splits().find("app@1", "aitw").parts == (("test", 1),)
    with pytest.raises(SplitNotFound, match="there are: app@1, random"):
        library.splits().find("task")


def test_a_reader_cannot_save_a_split(library, tmp_path):
    with Library.read(tmp_path / "one") as reader:
        with pytest.raises(KnownError, match="Check the folder's permissions"):
            reader.splits().save(SPLIT, [])


def test_a_split_comes_along_when_libraries_merge(library, tmp_path):
    with Library.open(tmp_path / "two") as other:
        other.save_episodes([episode("b"), episode("c"), episode("d")])
        other.splits().save(SPLIT, [("uuid-b", "train"), ("uuid-c", "test"), ("uuid-d", "test")])
        for _ in range(2):
            assert library.merge(other).refused == []
            assert library.splits().find("app@1").split == SPLIT
            assert library.splits().members(SPLIT) == [
                ("uuid-b", "train"), ("uuid-c", "test"), ("uuid-d", "test"),
            ]  # fmt: skip


def test_a_split_of_the_same_name_and_another_rule_stays_out(library, tmp_path):
    library.splits().save(SPLIT, [("uuid-a", "train"), ("uuid-b", "test")])
    with Library.open(tmp_path / "two") as other:
        other.save_episodes([episode("b"), episode("d")])
        other.splits().save(
            replace(SPLIT, rule="another"), [("uuid-b", "train"), ("uuid-d", "test")]
        )
        report = library.merge(other)
    assert report.refused == [("app@1", "another split has its name here")]
    assert library.splits().members(SPLIT) == [("uuid-a", "train"), ("uuid-b", "test")]
