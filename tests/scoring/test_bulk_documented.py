"""The documentation names the protocols that are judged at once, and those that columns lack."""

import re

from scoring.bulk.table import BULK
from scoring.protocols import PROTOCOLS
from tests.pages import read_pages

SECTION = read_pages("protocols")
SECTION = SECTION.partition("## Large runs")[2].partition("\n## ")[0]


def test_the_table_lists_each_protocol_with_a_kernel():
    rows = re.findall(r"^\| (`.*`) \|", SECTION, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`([^`]+)`", row)}
    kernels = {key for key, bulk in BULK.items() if bulk.kernel is not None}
    assert named == {key if key.startswith("guiodyssey@") else key[:-2] for key in kernels}


def test_the_protocols_with_ends_of_their_own_are_named():
    (told,) = re.findall(r"behind episodes \(([^)]+)\)", " ".join(SECTION.split()))
    names = {
        f"androidcontrol{name.removeprefix('androidcontrol')}"
        for name in re.findall("`([^`]+)`", told)
    }
    assert names == {p.name for p in PROTOCOLS.values() if p.end is not None}
