"""`taptrail score --numbers-only` gives the numbers of `taptrail score`, for every protocol."""

import json

import pytest

from scoring.protocols import PROTOCOLS
from tests.samples import guiodyssey as sample
from tests.taptrail.test_scoring_commands import ANSWERS, row

WHOLE = ("protocol", "version", "run", "step_set", "metrics", "notes", "left_out")


@pytest.fixture
def scored(taptrail, tmp_path, library):
    folder = sample.write(tmp_path / "set", [sample.MILK], sample.SPLITS)
    taptrail("import", "guiodyssey", folder, "--library", library)
    file = tmp_path / "run.json"
    file.write_text(json.dumps([row("0019000000000001", step, said) for step, said in ANSWERS]))
    words = ("predictions", "import", file, "--dialect", "guiodyssey", "--name", "run")
    taptrail(*words, "--library", library)

    def score(protocol, *more):
        asked = ("score", "--protocol", protocol, "--run", "run", "--library", library, "--json")
        return taptrail(*asked, *more).json

    return score


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_numbers_alone_are_those_of_the_whole_score(scored, protocol):
    whole, numbers = scored(protocol), scored(protocol, "--numbers-only")
    assert {key: numbers[key] for key in WHOLE} == {key: whole[key] for key in WHOLE}
    assert numbers["steps"] == []


def test_groups_are_not_asked_for_with_numbers_alone(taptrail, library):
    words = ("score", "--protocol", "guiodyssey", "--run", "run", "--library", library)
    done = taptrail(*words, "--numbers-only", "--by", "app")
    assert done.code == 2
    assert "--numbers-only leaves out" in done.err


def test_numbers_alone_are_printed_as_a_table(taptrail, scored, library):
    words = ("score", "--protocol", "guiodyssey", "--run", "run", "--library", library)
    done = taptrail(*words, "--numbers-only").out
    assert "AMS" in done
    assert "Steps that do not match" not in done
