"""Whole episodes, drawn by hypothesis: every field takes every kind of value it may have."""

import hashlib

from hypothesis import strategies as st

from episodes.actions import Ending, Finish
from episodes.annotations import (
    Author,
    Gold,
    Mask,
    Provenance,
    Region,
    RegionSource,
    Status,
)
from episodes.clocks import ClockSample, Moment
from episodes.episodes import Actor, Attempt, Episode, EpisodeState, Origin, Task
from episodes.geometry import Box, Native, Size
from episodes.recordings import DeviceFacts, Gap, Segment
from episodes.screens import (
    AppFit,
    Basis,
    Foreground,
    Frame,
    StepTree,
    Still,
    StillSource,
    TreeFit,
    TreeRecord,
    TreeStatus,
)
from episodes.steps import Step, StepTexts
from tests.episodes.test_codec import any_action, numbers, texts

whole = st.integers(-(2**63) + 1, 2**63 - 1)
maybe_whole = st.none() | whole
maybe_text = st.none() | texts
names = st.from_regex(r"[0-9A-Za-z_]{1,20}", fullmatch=True) | st.text(min_size=1, max_size=20)
moments = st.builds(Moment, maybe_whole, maybe_whole, maybe_whole)
sizes = st.builds(Size, st.integers(1, 5000), st.integers(1, 5000))
boxes = st.builds(Box, numbers, numbers, numbers, numbers)
natives = st.builds(
    Native,
    texts,
    st.sampled_from(["140", "140.0", '"140"', "[140,2]", "null", "[]", '"00123"', "1e400"]),
)
maybe_native = st.none() | natives
authors = st.builds(Author, texts, texts, st.sampled_from(["person", "program"]))
maybe_author = st.none() | authors


def _still(number: int, source: StillSource, lossless: bool) -> Still:
    """The same picture always has the same size, type and signature."""
    return Still(
        sha256=hashlib.sha256(b"%d" % number).hexdigest(),
        media_type=("image/png", "image/webp", "image/jpeg")[number % 3],
        size=Size(100 + number, 200),
        byte_count=1000 + number,
        source=source,
        lossless=lossless,
        signature=b"luma" if number % 2 else None,
    )


stills = st.builds(_still, st.integers(0, 5), st.sampled_from(StillSource), st.booleans())
frames = st.builds(
    Frame,
    sizes,
    st.sampled_from(Basis),
    st.none() | stills,
    maybe_whole,
    maybe_whole,
    maybe_whole,
    maybe_whole,
    maybe_whole,
    maybe_text,
    st.booleans(),
)
trees = st.builds(
    StepTree,
    st.builds(
        TreeRecord,
        texts,
        st.binary(max_size=60),
        texts,
        st.sampled_from(TreeStatus),
        moments,
        moments,
        st.none() | sizes,
        maybe_whole,
        texts,
    ),
    st.sampled_from(TreeFit),
)
regions = st.builds(
    Region,
    st.none() | boxes,
    st.builds(
        Provenance, st.sampled_from(RegionSource), texts, texts, texts, st.none() | numbers, texts
    ),
    texts,
    st.none() | st.builds(Mask, boxes, st.binary(max_size=20)),
    maybe_native,
    st.sampled_from(Status),
    st.booleans(),
    maybe_author,
    texts,
)


def _numbered(values, field="number", holes=True):
    """Lists whose members are numbered upwards, with holes."""
    gaps = st.integers(1, 3) if holes else st.just(1)

    @st.composite
    def draw(draw_one):
        number = draw_one(st.integers(0, 2))
        found = []
        for make in draw_one(st.lists(values, max_size=3)):
            found.append(make(number))
            number += draw_one(gaps)
        return tuple(found)

    return draw()


def _later(kind, number_field, **fields):
    """Draws values of `kind` that wait for their number."""
    return st.fixed_dictionaries(fields).map(
        lambda drawn: lambda number: kind(**drawn, **{number_field: number})
    )


golds = _numbered(
    _later(
        Gold,
        "number",
        action=any_action,
        role=texts,
        reason=texts,
        status=st.sampled_from(Status),
        author=maybe_author,
        native=maybe_native,
    )
)
steps = _numbered(
    _later(
        Step,
        "index",
        action=any_action,
        frame=st.none() | frames,
        native=maybe_native,
        source=texts,
        began=moments,
        ended=moments,
        after=st.none() | frames,
        tree=st.none() | trees,
        foreground=st.none()
        | st.builds(Foreground, texts, texts, texts, st.sampled_from(AppFit), moments, moments),
        texts=st.builds(StepTexts, texts, texts, texts, texts, texts),
        regions=st.lists(regions, max_size=2).map(tuple),
        golds=golds,
        private=st.booleans(),
        extra=texts,
    )
)
segments = _numbered(
    _later(
        Segment,
        "number",
        file=st.sampled_from(["segment-000.h264", "segment-001.h264"]),
        codec=texts,
        size=sizes,
        config=st.binary(max_size=20),
        rotation=maybe_whole,
        display=whole,
        server=texts,
        started=moments,
        ended=st.none() | moments,
    )
)
scales = st.none() | st.tuples(numbers, numbers, numbers)
pairs = st.lists(st.tuples(texts, texts), max_size=3).map(tuple)
devices = st.builds(
    DeviceFacts,
    texts,
    texts,
    texts,
    texts,
    texts,
    texts,
    maybe_whole,
    st.none() | sizes,
    maybe_whole,
    texts,
    texts,
    scales,
    pairs,
    texts,
)
episodes = st.builds(
    Episode,
    st.uuids().map(str),
    names,
    st.builds(Origin, texts, texts, texts, texts),
    st.builds(Task, texts, texts, texts, texts, st.lists(texts, max_size=3).map(tuple), texts),
    st.sampled_from(EpisodeState),
    steps,
    st.builds(Actor, st.sampled_from(["person", "agent"]), maybe_author, texts),
    st.none() | st.builds(Attempt, whole, texts, texts),
    devices,
    texts,
    texts,
    st.none() | st.builds(Finish, st.sampled_from(Ending), maybe_text),
    st.none() | frames,
    segments,
    st.lists(st.builds(Gap, texts, moments, st.none() | moments), max_size=2).map(tuple),
    st.lists(st.builds(ClockSample, whole, whole, whole, texts), max_size=2).map(tuple),
    maybe_whole,
    pairs,
    st.booleans(),
    texts,
)
