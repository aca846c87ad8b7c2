"""The table of protocols, and what each entry must have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from episodes.errors import KnownError
from scoring.protocols import PROTOCOLS, lookup
from scoring.protocols.checks import CHECKS, ORIGINAL
from tests.conformance.evaluators import ODYSSEY, WILD
from tests.conformance.table import TRANSCRIBED, origin_table, run_table, vector_table
from tests.pages import read_pages

TEXT = read_pages("protocols")
VECTORS = Path(__file__).parents[1] / "vectors"


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
    assert f"`{key}`" in TEXT


@pytest.mark.parametrize(
    ("name", "table"), [("vectors", vector_table), ("origins", origin_table), ("runs", run_table)]
)
def test_the_docs_count_the_vectors_as_they_are(name, table):
    told = TEXT.partition(f"<!-- {name} -->\n")[2].partition(f"\n<!-- /{name} -->")[0]
    assert told == table()


def test_every_protocol_names_its_check_and_those_with_code_ran_with_it():
    assert set(CHECKS) == set(PROTOCOLS)
    for key, check in CHECKS.items():
        newest = lookup(PROTOCOLS[key].name) is PROTOCOLS[key]
        assert check.cases >= 5000
        assert check.differences == 0
        if check.how == ORIGINAL:
            named = check.code.partition("@")[0] in PROTOCOLS[key].source
            assert named or PROTOCOLS[key].name == "aitw"
        else:
            unpublished = ("taptrail-strict", "androidcontrol/paper")
            assert PROTOCOLS[key].name in unpublished or not newest


def test_no_vector_is_left_out_of_the_count_and_every_protocol_has_an_origin():
    rows = [line.split(" | ") for line in vector_table().splitlines()[2:]]
    counted = sum(int(row[-1].removesuffix(" |")) for row in rows)
    cases = side_by_side = 0
    for path in VECTORS.glob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            if isinstance(case, dict) and not path.name.startswith(("scrcpy", "androidlab")):
                asked = case.get("verdicts", {}).keys() & {**ODYSSEY, **WILD}.keys()
                side_by_side += len(asked)
                cases += not asked
    assert counted == cases + side_by_side
    assert "checked against nothing" not in origin_table()
    assert {key for keys in TRANSCRIBED.values() for key in keys} <= PROTOCOLS.keys()
