import hashlib
from dataclasses import replace

import pytest

from episodes import actions as a
from episodes.annotations import Author, Provenance, Region, RegionSource
from episodes.episodes import Actor, Attempt, EpisodeState
from episodes.geometry import Box
from episodes.runs import Prediction, Run
from episodes.screens import Foreground
from episodes.store.filters import FilterKind
from episodes.store.finding_counts import FindingCounts
from episodes.store.queries import (
    ANY,
    NONE,
    UNJUDGED,
    AmbiguousName,
    EpisodeNotFound,
    EpisodeQuery,
    EpisodeSummary,
    Facets,
    Order,
)
from tests.episodes.store.samples import imported, recorded, still, tap


@pytest.fixture
def full(library):
    library.save_episodes(
        [
            imported("0001", "Call Ada Lovelace", category="Social", apps=("Phone", "Contacts")),
            imported("0012", "Mail a photo to Grace", category="Media", apps=("Mail", "Phone"),
                     splits=(("random", "test"), ("app", "train"))),
            imported("0120", "Recall 100% of the mail_list", category="Media",
                     splits=(("random", "train"),)),
            imported("0001", "给妈妈打电话", dataset="aitw", version="", steps=()),
            recorded("e-0001", [tap(0), tap(1, picture=still("ab" * 32))],
                     state=EpisodeState.FINISHED,
                     actor=Actor("person", Author("u", "Mary"))),
        ]
    )  # fmt: skip
    return library


def names(library, query=None, **how):
    found = library.episodes(query or EpisodeQuery(), **how)
    assert how or len(found) == library.count(query or EpisodeQuery())
    return [f"{line.dataset} {line.name}" for line in found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ada", ["guiodyssey 0001", "recorded e-0001"]),
        ("LOVE", ["guiodyssey 0001", "recorded e-0001"]),
        ("call", ["guiodyssey 0001", "guiodyssey 0120", "recorded e-0001"]),
        ("mail grace", ["guiodyssey 0012"]),
        ("grace  mail", ["guiodyssey 0012"]),
        ("to mail", ["guiodyssey 0012"]),
        ("grace ada", []),
        ("100%", ["guiodyssey 0120"]),
        ("l_l", ["guiodyssey 0120"]),
        ("妈妈", ["aitw 0001"]),
        ("打电话", ["aitw 0001"]),
        ("0001", ["guiodyssey 0001", "aitw 0001"]),
        ("e-", ["recorded e-0001"]),
        ("%", ["guiodyssey 0120"]),
        ('"', []),
        ('ada" OR "mail', []),
        ("NEAR(", []),
        ("ma\0grace", ["guiodyssey 0012"]),
        ("\\", []),
        ("  ", ["guiodyssey 0001", "guiodyssey 0012", "guiodyssey 0120", "aitw 0001",
                "recorded e-0001"]),
    ],
)  # fmt: skip
def test_words_find_instructions_and_the_beginning_of_names(full, text, found):
    assert names(full, EpisodeQuery(text=text)) == found


def test_the_beginning_of_a_uuid_finds_its_episode(full):
    uuid = full.episode("0120").uuid
    assert names(full, EpisodeQuery(text=uuid[:12])) == ["guiodyssey 0120"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (EpisodeQuery(dataset="aitw"), ["aitw 0001"]),
        (EpisodeQuery(dataset="guiodyssey", version="1"), []),
        (EpisodeQuery(version="2", category="Media"), ["guiodyssey 0012", "guiodyssey 0120"]),
        (EpisodeQuery(app="Phone"), ["guiodyssey 0001", "guiodyssey 0012"]),
        (EpisodeQuery(app="Contacts"), ["guiodyssey 0001", "recorded e-0001"]),
        (EpisodeQuery(app="Phone", text="photo"), ["guiodyssey 0012"]),
        (EpisodeQuery(split=("random", "test")), ["guiodyssey 0012"]),
        (EpisodeQuery(split=("random", "")), ["guiodyssey 0012", "guiodyssey 0120"]),
        (EpisodeQuery(state=EpisodeState.RECORDING), []),
        (EpisodeQuery(run="r"), ["guiodyssey 0001"]),
        (EpisodeQuery(run="nobody's"), []),
    ],
    ids=str,
)
def test_filters_find_exactly(full, query, found):
    answer = Prediction("0001", 0, "TAP", a.Wait())
    full.save_run(Run("r", "taptrail", dataset="guiodyssey"), [answer])
    assert names(full, query) == found


def test_the_bin_is_seen_only_when_it_is_asked_for(full):
    full.delete_episode(full.episode("0012").uuid)
    assert "guiodyssey 0012" not in names(full)
    assert names(full, EpisodeQuery(state=EpisodeState.DELETED)) == ["guiodyssey 0012"]


@pytest.mark.parametrize(
    ("order", "found"),
    [
        (Order.ADDED, ["0001", "0012", "0120", "0001", "e-0001"]),
        (Order.NAME, ["0001", "0001", "0012", "0120", "e-0001"]),
        (Order.STEPS, ["0001", "0001", "0012", "0120", "e-0001"]),
        (Order.INSTRUCTION, ["0001", "e-0001", "0012", "0120", "0001"]),
        (Order.STARTED, ["0001", "0012", "0120", "0001", "e-0001"]),
    ],
)
def test_lists_have_an_order_and_pages(full, order, found):
    there = [line.name for line in full.episodes(order=order)]
    back = [line.name for line in full.episodes(order=order, descending=True)]
    assert there == found
    assert back == found[::-1]
    pages = [full.episodes(order=order, limit=2, offset=at) for at in (0, 2, 4, 6)]
    assert [[line.name for line in page] for page in pages] == [
        found[:2],
        found[2:4],
        found[4:],
        [],
    ]


def test_a_summary_contains_what_a_window_shows(full):
    assert full.episodes(EpisodeQuery(dataset="recorded")) == [
        EpisodeSummary(
            uuid=full.episode("e-0001").uuid,
            name="e-0001",
            dataset="recorded",
            version="",
            instruction="Call Ada Lovelace",
            category="",
            apps=("Contacts",),
            step_count=2,
            declared_steps=None,
            target_count=0,
            duration_us=1_081_000,
            state=EpisodeState.FINISHED,
            started_utc="2026-01-02T03:04:05+00:00",
            actor="Mary",
            private=False,
            first_still=still("ab" * 32),
        )
    ]


def test_facets_count_what_filters_would_find(full):
    full.delete_episode(full.episode("0120").uuid)
    assert full.facets() == Facets(
        datasets=(("guiodyssey", 2), ("aitw", 1), ("recorded", 1)),
        apps=(("Contacts", 2), ("Phone", 2), ("Mail", 1)),
        categories=(("Media", 1), ("Social", 1)),
        states=((EpisodeState.FINISHED, 4), (EpisodeState.DELETED, 1)),
        splits=((("app", "train"), 1), (("random", "test"), 1)),
    )
    for app, count in full.facets().apps:
        assert full.count(EpisodeQuery(app=app)) == count


def counted(library, name, **found):
    uuid = library.episode(name).uuid
    return FindingCounts(
        uuid,
        library.gold_revision(uuid),
        {tuple(rule.split("__")): n for rule, n in found.items()},
    )


def test_findings_are_counted_and_sorted_by_and_notes_are_none(full):
    kept = [
        counted(full, "0012", gap__look=2, gap__note=1, black__error=1),
        counted(full, "0120", gap__note=4),
        counted(full, "e-0001", gap__look=1),
    ]
    assert full.keep_findings("all", kept) == 3
    found = {line.name: (line.findings, line.notes) for line in full.episodes()}
    assert found == {
        "0001": (None, None),
        "0012": (3, 1),
        "0120": (0, 4),
        "e-0001": (1, 0),
    }
    assert full.facets().findings == (("gap", 2), ("black", 1))
    for rule, count in full.facets().findings:
        assert full.count(EpisodeQuery(finding=rule)) == count
    assert names(full, EpisodeQuery(finding="gap")) == ["guiodyssey 0012", "recorded e-0001"]
    assert names(full, EpisodeQuery(finding=ANY)) == ["guiodyssey 0012", "recorded e-0001"]
    assert names(full, EpisodeQuery(finding=NONE)) == ["guiodyssey 0120"]
    most_first = [one.name for one in full.episodes(order=Order.FINDINGS, descending=True)]
    assert most_first == ["0012", "e-0001", "0120", "0001", "0001"]


def test_attempts_are_found_by_what_a_person_judged(full):
    editor = full.editor(Author("u", "Mary"))
    for name, outcome in (("0012", "failed"), ("0120", "complete"), ("e-0001", "complete")):
        editor.set_attempt(full.episode(name).uuid, Attempt(1, outcome))
    assert full.facets().judged == (("complete", 2), ("failed", 1))
    assert names(full, EpisodeQuery(judged="failed")) == ["guiodyssey 0012"]
    assert names(full, EpisodeQuery(judged="complete")) == ["guiodyssey 0120", "recorded e-0001"]
    assert names(full, EpisodeQuery(judged=UNJUDGED)) == ["guiodyssey 0001", "aitw 0001"]
    full.delete_episode(full.episode("0120").uuid)
    assert full.facets().judged == (("complete", 1), ("failed", 1))


def test_the_home_screen_is_not_an_app(library):
    home = replace(tap(0), foreground=Foreground("com.google.launcher3", ".Home", "Home"))
    system = replace(tap(1), foreground=Foreground("com.android.systemui", ".Bar", "System UI"))
    library.save_episodes([recorded("e-1", [home, system, tap(2)], state=EpisodeState.FINISHED)])
    (line,) = library.episodes()
    assert line.apps == ("Contacts",)
    assert library.facets().apps == (("Contacts", 1),)


def test_one_episode_is_found_by_name_uuid_or_data_set(full):
    assert full.episode("0012").task.instruction == "Mail a photo to Grace"
    assert full.episode("0001", "aitw").origin.dataset == "aitw"
    assert full.episode(full.episode("0012").uuid) == full.episode("0012", "guiodyssey", "2")
    with pytest.raises(EpisodeNotFound, match="the library has no episode of that name"):
        full.episode("1")
    with pytest.raises(EpisodeNotFound, match="no episode of the data set “aitw” of that name"):
        full.episode("0012", "aitw")
    with pytest.raises(AmbiguousName, match="there is one in each of aitw, guiodyssey 2"):
        full.episode("0001")


def test_episodes_are_read_in_batches_in_their_order(library, monkeypatch):
    monkeypatch.setattr("episodes.store.library.READ_AT_ONCE", 3)
    episodes = [imported(f"{at}", steps=(tap(at),)) for at in range(10)]
    library.save_episodes(episodes)
    assert list(library.iterate()) == episodes
    assert list(library.iterate(EpisodeQuery(text="7"))) == [episodes[7]]


def test_a_step_set_is_counted_and_hashed_over_sorted_lines(library):
    two = (replace(tap(0), index=9), replace(tap(0), index=10))
    library.save_episodes([imported("b", steps=two), imported("a", steps=(tap(0),))])
    lines = "guiodyssey/2/a/0\nguiodyssey/2/b/10\nguiodyssey/2/b/9\n"
    found = library.step_set(EpisodeQuery(dataset="guiodyssey"), "all of it")
    assert (found.name, found.count) == ("all of it", 3)
    assert found.sha256 == hashlib.sha256(lines.encode()).hexdigest()
    library.delete_step(library.episode("b").uuid, 10)
    assert library.step_set().count == 2


def test_a_page_of_the_list_reads_no_steps(library):
    library.save_episodes([imported(f"{at}", steps=(tap(0),)) for at in range(5)])
    read = []
    library._db.conn.set_trace_callback(read.append)
    library.episodes(limit=3)
    library.count()
    library._db.conn.set_trace_callback(None)
    assert len(read) == 2
    assert not any(" step " in sql for sql in read)


def test_several_values_of_a_kind_are_taken_and_each_is_counted_by_what_it_leaves(full):
    first = full.episode("e-0001")
    region = Region(Box(0, 0, 20, 20), Provenance(RegionSource.PERSON))
    full.editor(Author("u", "Mary")).accept_region(first.uuid, 0, region)

    def chosen(**kinds):
        return EpisodeQuery(chosen=tuple((FilterKind(k), tuple(v)) for k, v in kinds.items()))

    assert names(full, chosen(app=["Mail", "Contacts"])) == [
        "guiodyssey 0001",
        "guiodyssey 0012",
        "recorded e-0001",
    ]
    assert names(full, chosen(app=["Mail", "Contacts"], category=["Media"])) == ["guiodyssey 0012"]
    assert names(full, chosen(person=["Mary"])) == ["recorded e-0001"]
    assert names(full, chosen(targets=["some"])) == ["recorded e-0001"]
    assert names(full, chosen(split=["random\0test", "random\0train"])) == [
        "guiodyssey 0012",
        "guiodyssey 0120",
    ]
    full.delete_episode(full.episode("0120").uuid)
    assert names(full, chosen(state=["deleted"])) == ["guiodyssey 0120"]
    for query in (chosen(), chosen(app=["Phone"]), chosen(state=["finished", "deleted"])):
        for kind, counts in full.filter_counts(query).items():
            others = tuple(one for one in query.chosen if one[0] is not kind)
            for value, count in counts:
                one = replace(query, chosen=(*others, (kind, (value,))))
                assert (kind, value, full.count(one)) == (kind, value, count)
    assert full.filter_counts(chosen(app=["Phone"]))[FilterKind.CATEGORY] == (
        ("Media", 1),
        ("Social", 1),
    )


def test_the_row_of_an_episode_is_found_in_every_order(full):
    for order in Order:
        for descending in (False, True):
            listed = [one.uuid for one in full.episodes(order=order, descending=descending)]
            rows = full.rows_of(EpisodeQuery(), order, descending, [*listed, "nobody"])
            assert rows == {uuid: row for row, uuid in enumerate(listed)}
