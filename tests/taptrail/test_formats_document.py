"""The pages of docs/formats, compared with the readers: examples are read, tables are complete."""

import json
import re

import pytest

from episodes.actions import KINDS, kind
from episodes.codec import action_from_json, action_to_json
from episodes.formats import FORMATS, taptrail
from episodes.formats import taptrail_values as values
from episodes.formats.input_files import MissingPicture
from episodes.formats.picture_store import LibraryPictureStore
from episodes.store.stills import StillFiles
from taptrail.usecases.recording import read_script
from tests.pages import read_pages
from tests.samples.drawn import png

PAGE = read_pages("formats")
EXAMPLES = re.findall(r"^<!-- example: (.+?) -->\n```json\n(.*?)^```", PAGE, flags=re.M | re.S)
NAME = "0042000000000009"


def examples(about):
    return [text for name, text in EXAMPLES if name == about]


def members(heading):
    """The names in the first column of the table under a heading."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n#")[0]
    cells = re.findall(r"^\| (`.+?) \|", section, flags=re.M)
    return {name for cell in cells for name in re.findall(r"`([a-z_]+)`", cell)}


def test_every_format_has_its_section_and_examples():
    assert [name for name in FORMATS if not re.search(rf"^##? {name}$", PAGE, flags=re.M)] == []
    assert sorted(name for name, _ in EXAMPLES) == [
        "actions",
        "guiodyssey",
        "predictions guiodyssey",
        "predictions raw",
        "predictions taptrail",
        "taptrail",
        "taptrail",
    ]


def test_the_actions_on_the_page_are_all_there_are(tmp_path):
    (text,) = examples("actions")
    (tmp_path / "script.json").write_text(text)
    actions = read_script(tmp_path / "script.json")
    assert {kind(action) for action in actions} == set(KINDS)
    listed = re.findall(
        r"^\| `([a-z_]+)` \|", PAGE.partition("\n## Actions\n")[2].partition("\n# ")[0], flags=re.M
    )
    assert listed == list(KINDS)
    for value, action in zip(json.loads(text), actions, strict=True):
        assert action_from_json(action_to_json(action)) == action
        row = PAGE.partition(f"| `{value['kind']}` |")[2].partition("\n")[0]
        assert value.keys() - {"kind"} <= set(re.findall(r"`([a-z_]+)`", row))


@pytest.fixture
def guiodyssey(taptrail, tmp_path, library):
    (text,) = examples("guiodyssey")
    (tmp_path / "set/annotations").mkdir(parents=True)
    (tmp_path / f"set/annotations/{NAME}.json").write_text(text)
    words = ("import", "guiodyssey", tmp_path / "set", "--library", library, "--json")
    found = taptrail(*words).json
    assert (found["steps"], found["missing_screens"], found["refused"]) == (3, 3, [])
    return library


@pytest.mark.parametrize(
    ("about", "words", "right"),
    [
        ("guiodyssey", ("--dialect", "guiodyssey"), 2),
        ("taptrail", ("--dialect", "taptrail"), 2),
        ("raw", ("--dialect", "raw", "--dialect-of-text", "guiodyssey"), 2),
    ],
)
def test_the_predictions_on_the_page_are_read(taptrail, tmp_path, guiodyssey, about, words, right):
    (text,) = examples(f"predictions {about}")
    (tmp_path / "run").write_text(text)
    done = taptrail(
        "predictions", "import", tmp_path / "run", *words, "--name", "r", "--library", guiodyssey,
        "--json",
    ).json  # fmt: skip
    assert (done["read"], done["joined"], done["unreadable"], done["missing"]) == (3, 3, 1, 0)
    score = taptrail(
        "score", "--protocol", "taptrail-strict", "--run", "r", "--library", guiodyssey, "--json"
    ).json
    assert (score["metrics"]["AMS"]["hits"], score["metrics"]["AMS"]["total"]) == (right, 3)


def lines(folder):
    """Puts both examples of taptrail lines into a folder, with the files they name."""
    (folder / "episodes.jsonl").write_text("".join(examples("taptrail")))
    for number in (0, 1):
        (folder / f"{number}.png").write_bytes(png(shade=number))
    (folder / "0.xml").write_text("<hierarchy/>")
    return folder


def test_the_lines_on_the_page_are_read_without_a_remark(taptrail, tmp_path, library):
    words = ("import", "taptrail", lines(tmp_path), "--library", library, "--json")
    assert taptrail(*words).json == {
        "format": "taptrail",
        "episodes": 2,
        "steps": 3,
        "screens": 3,
        "missing_screens": 0,
        "splits": [],
        "refused": [],
        "notes": [],
    }


def test_the_tables_name_every_member_that_is_read_and_no_other(tmp_path, monkeypatch):
    asked = {}

    def noting(method):
        def note(self, key, kind):
            asked.setdefault(re.sub(r"\[\d+\]", "", self._name), set()).add(key)
            return method(self, key, kind)

        return note

    monkeypatch.setattr(values.FieldReader, "maybe", noting(values.FieldReader.maybe))
    folder = lines(tmp_path)
    text = (folder / "episodes.jsonl").read_text()
    first, rest = text.split("\n", 1)
    (folder / "episodes.jsonl").write_text(first + "\n")
    picture_store = LibraryPictureStore(StillFiles(tmp_path / "library"))
    assert len(list(taptrail.read(folder, picture_store))) == 1
    episode = asked.pop("line")
    (folder / "episodes.jsonl").write_text(text)
    assert not any(
        isinstance(item, MissingPicture) for item in taptrail.read(folder, picture_store)
    )
    assert episode == members("Episode line")
    assert asked["line"] - episode | {"type", "episode", "instruction", "private", "extra"} == (
        members("Step line")
    )
    assert asked["frame"] == members("Frame")
    assert asked["tree"] == members("Tree")
    assert asked["regions"] == members("Region")
    assert asked["golds"] == members("Gold")
    assert rest
