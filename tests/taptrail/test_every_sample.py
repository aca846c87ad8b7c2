"""A sample of every format comes in through the command with its report, and goes out again."""

import json

import pytest

from episodes.formats import FORMATS
from tests.samples import aitw, aitz, androidcontrol, guiodyssey


def lines(folder):
    folder.mkdir()
    told = [
        {"type": "episode", "episode": "tea-1", "instruction": "Set a timer"},
        {"type": "step", "episode": "tea-1", "step": 0, "action": {"kind": "wait"}},
        {"type": "step", "episode": "tea-1", "step": 1, "action": {"kind": "poke"}},
    ]
    (folder / "episodes.jsonl").write_text("".join(json.dumps(one) + "\n" for one in told))
    return folder


SAMPLES = {
    "aitw": (lambda folder: aitw.write(folder, aitw.general()), (2, 8, 8, 0, 0)),
    "aitz": (
        lambda folder: aitz.write(folder, [*aitz.kettle(), aitz.step(9, None)]),
        (1, 4, 4, 0, 1),
    ),
    "androidcontrol": (
        lambda folder: androidcontrol.write(
            folder, [androidcontrol.episode(7), androidcontrol.episode(20, actions=("[]",))]
        ),
        (2, 8, 8, 0, 1),
    ),
    "guiodyssey": (
        lambda folder: guiodyssey.write(folder, [guiodyssey.MILK], pictures=False),
        (1, 7, 0, 7, 0),
    ),
    "taptrail": (lines, (1, 1, 0, 0, 1)),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_comes_in_with_its_counts_and_through_every_other_format(
    taptrail, tmp_path, library, name
):
    make, (episodes, steps, screens, missing, refused) = SAMPLES[name]
    words = ("--library", library, "--json")
    found = taptrail("import", name, make(tmp_path / "set"), *words).json
    assert {key: found[key] for key in found if key not in ("refused", "notes")} == {
        "format": name,
        "episodes": episodes,
        "steps": steps,
        "screens": screens,
        "missing_screens": missing,
        "splits": [],
    }
    assert sum(one["count"] for one in found["refused"]) == refused
    assert all(set(one) == {"where", "reason", "count"} for one in found["refused"])
    for other in FORMATS.values():
        if other.write is None:
            continue
        exported = taptrail("export", other.name, tmp_path / other.name, *words)
        done = json.loads(exported.out)
        assert exported.code == (0 if done["episodes"] else 1)
        assert done["steps"] == steps or done["losses"]
        if other.read is None or not done["episodes"]:
            continue
        more = ("--library", tmp_path / f"{other.name}-library", "--json")
        again = taptrail("import", other.name, tmp_path / other.name, *more).json
        assert (again["episodes"], again["steps"]) == (done["episodes"], done["steps"])
        assert again["refused"] == []
