"""Visible text goes through one function; invalid settings are reported."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import pytest

from episodes.errors import KnownError
from replay.asking.neutral import new_recipe
from replay.asking.recipe import recipe_from_table
from taptrail.settings import Settings, load_settings, save_settings, settings_file
from taptrail.usecases.exporting import export_episodes
from taptrail.usecases.predicting import Selection, write_requests
from taptrail.usecases.sample import open_sample
from taptrail.words import speak, tr


@pytest.fixture
def german() -> Iterator[None]:
    speak(
        {
            "Record": "Aufnehmen",
            "{n} steps": "{n} Schritte",
            "{some} of {all}": "von {all} nur {some}",
        }
    )
    yield
    speak({})


def test_english_is_spoken_as_it_is_written() -> None:
    assert tr("Record") == "Record"
    assert tr("{some} of {all}", some=3, all="1,200") == "3 of 1,200"
    assert [tr("1 step", "{n} steps", n=n) for n in (0, 1, 8334)] == [
        "0 steps",
        "1 step",
        "8,334 steps",
    ]


def test_braces_in_a_text_without_values_stay() -> None:
    assert tr("Write {name} here") == "Write {name} here"


def test_another_language_may_change_the_order(german: None) -> None:
    assert tr("Record") == "Aufnehmen"
    assert tr("{some} of {all}", some=3, all=9) == "von 9 nur 3"
    assert tr("1 step", "{n} steps", n=2) == "2 Schritte"
    assert tr("not translated yet") == "not translated yet"


def test_what_was_saved_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "settings.toml"
    wanted = Settings(
        library=tmp_path / 'a "b" \\ \x7f ü',
        theme="dark",
        scale=125,
        author="Ana “P.”",
        author_uuid="7a1f6e0c-0000-4000-8000-000000000001",
        adb_port=5038,
        modifier="super",
        keys=(("record.pause", "F7"), ('with "quotes"', "Ctrl+Shift+K")),
        budget_factor="1.25",
        budget_of="median",
        budget_floor=0,
        budget_finish=False,
    )
    save_settings(wanted, file)
    assert load_settings(file) == wanted
    save_settings(replace(wanted, adb_port=None, keys=()), file)
    assert load_settings(file) == replace(wanted, adb_port=None, keys=())
    assert [path.name for path in file.parent.iterdir()] == ["settings.toml"]


def test_without_a_file_there_is_a_new_author(tmp_path: Path) -> None:
    one, other = (load_settings(tmp_path / "none.toml") for _ in range(2))
    assert one.author_uuid != other.author_uuid
    assert replace(one, author_uuid="", author="") == Settings()


def test_a_test_may_name_another_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAPTRAIL_SETTINGS", str(tmp_path / "mine.toml"))
    assert settings_file() == tmp_path / "mine.toml"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('theme = "blue"', "theme is 'blue', not system, light or dark"),
        ("scale = 300", "scale is 300, not a whole number from 90 to 150"),
        ("scale = 1.5", "scale is 1.5, not a whole number from 90 to 150"),
        ("adb_port = 0", "adb_port is 0, not a port from 1 to 65535"),
        ("library = 7", "library is 7, not a text"),
        ('modifier = "ctrl"', "modifier is 'ctrl', not alt or super"),
        ("budget_factor = 2", 'budget_factor is 2, not a number above 0 as a text, such as "1.5"'),
        ('budget_of = "best"', "budget_of is 'best', not median, mean or max"),
        ("budget_floor = true", "budget_floor is True, not a whole number from 0 to 9999"),
        ('budget_finish = "no"', "budget_finish is 'no', not true or false"),
        ("[keys]\npause = 5", "keys is {'pause': 5}, not a table of texts"),
    ],
)
def test_a_wrong_value_is_named_with_what_can_be(tmp_path: Path, text: str, found: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(KnownError) as error:
        load_settings(file)
    assert (error.value.doing, error.value.found) == (f"read {file}", found)


@pytest.mark.parametrize("data", [b"theme = ", b"\xff\xfe"], ids=["no TOML", "no UTF-8"])
def test_a_file_that_is_no_toml_is_a_known_error(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(data)
    with pytest.raises(KnownError, match="Mend or delete the file"):
        load_settings(file)


def test_whoever_records_is_the_same_person_in_the_next_program(home):
    from taptrail.cli.author import author, kept_settings

    first = kept_settings().as_author()
    assert first == author() == load_settings(settings_file()).as_author()


PAGE = (Path(__file__).parents[2] / "docs/settings.md").read_text()


def test_the_page_lists_all_that_can_be_set_and_its_example_can_be_read(tmp_path):
    listed = re.findall(r"^\| `(\w+)` \|", PAGE.partition("## Keys")[0], flags=re.M)
    assert {*listed, "keys"} == {field.name for field in fields(Settings)}
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, flags=re.S)
    (tmp_path / "settings.toml").write_text(example)
    found = load_settings(tmp_path / "settings.toml")
    assert found.author == "Ana"
    named = set(re.findall(r"^\| `([\w-]+)` \|", PAGE.partition("## Keys")[2], flags=re.M))
    assert {command for command, _ in found.keys} <= named


class OtherLanguage(dict[str, str]):
    """A catalogue that has a translation of every sentence."""

    def get(self, sentence: str, _: str = "") -> str:  # type: ignore[override]
        return f"[übersetzt] {sentence}"


def test_prompts_and_training_rows_are_the_same_in_every_language(tmp_path: Path) -> None:
    """What a model reads must not depend on the language of the person who asks it."""
    library = tmp_path / "library"
    open_sample(library)
    for name, language in (("english", {}), ("other", OtherLanguage())):
        (tmp_path / name).mkdir()
        speak(language)
        try:
            assert tr("Record").startswith("[") == (name == "other")
            for form in ("answers", "sentences", "instructions"):
                table = tomllib.loads(new_recipe("guiodyssey"))
                table["history"]["form"] = form
                recipe = recipe_from_table(table, "test")
                write_requests(recipe, library, tmp_path / name / form, Selection(limit=5))
            export_episodes("chat", tmp_path / name / "chat", library, names=("s-0001",))
        finally:
            speak({})
    english, other = (
        {path.name: path.read_bytes() for path in (tmp_path / name).rglob("*") if path.is_file()}
        for name in ("english", "other")
    )
    assert {"answers", "sentences", "instructions"} < set(english)
    assert english == other
