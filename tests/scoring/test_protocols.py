"""The table of protocols, and what each must bring along."""

from __future__ import annotations

from pathlib import Path

import pytest

from episodes.errors import KnownError
from scoring.protocols import PROTOCOLS, lookup
from tests.conformance.table import vector_table

DOCS = Path(__file__).parents[2] / "docs" / "protocols.md"


def test_a_name_means_its_newest_version():
    assert lookup("guiodyssey") is PROTOCOLS["guiodyssey@2"]
    assert lookup("guiodyssey@1") is PROTOCOLS["guiodyssey@1"]


@pytest.mark.parametrize("name", ["guiodyssey@3", "nothing", ""])
def test_an_unknown_name_is_answered_with_those_there_are(name):
    with pytest.raises(KnownError, match="guiodyssey@2, guiodyssey@1, taptrail-strict@1"):
        lookup(name)


@pytest.mark.parametrize("key", PROTOCOLS)
def test_every_protocol_names_its_source_its_counts_and_its_section_in_the_docs(key):
    protocol = PROTOCOLS[key]
    assert protocol.key == key
    assert protocol.source
    assert all(protocol.quirks)
    assert f"`{key}`" in DOCS.read_text(encoding="utf-8")


def test_the_docs_count_the_vectors_as_they_are():
    text = DOCS.read_text(encoding="utf-8")
    table = text.partition("<!-- vectors -->\n")[2].partition("\n<!-- /vectors -->")[0]
    assert table == vector_table()
