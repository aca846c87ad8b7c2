"""Recipes: what is refused, and what decides their hash."""

import hashlib
import io
import json
import tomllib

import numpy as np
import pytest
from PIL import Image

from episodes.errors import KnownError
from replay.asking.neutral import new_recipe
from replay.asking.published import PUBLISHED
from replay.asking.recipe import Picture, load_recipe, recipe_from_table
from replay.asking.requests import action_forms
from replay.asking.sent_picture import MARK_COLOURS, picture_rule, prepare
from replay.asking.templates import TemplateRenderer
from replay.dialects import DIALECTS

RECIPE = """
recipe = 1
name = "test"
[answers]
dialect = "guiodyssey"
[[messages]]
role = "user"
template = "prompt.txt"
"""


@pytest.fixture
def write(tmp_path):
    def written(text=RECIPE, prompt="Task: {{ task }}"):
        (tmp_path / "prompt.txt").write_text(prompt)
        file = tmp_path / "recipe.toml"
        file.write_text(text)
        return file

    return written


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_recipe_can_be_written_for_every_dialect(dialect):
    recipe = recipe_from_table(tomllib.loads(new_recipe(dialect)), "test")
    declared = recipe.declared(picture_rule(recipe.picture).space)
    names = {one["name"] for one in action_forms(dialect, declared)}
    assert {"tap", "type", "finish"} <= names


def test_the_hash_follows_the_templates_text_and_not_its_name(write, tmp_path):
    first = load_recipe(write())
    (tmp_path / "other.txt").write_text("Task: {{ task }}")
    renamed = load_recipe(write(RECIPE.replace("prompt.txt", "other.txt") + "# a comment\n"))
    changed = load_recipe(write(prompt="Goal: {{ task }}"))
    assert first.sha256 == renamed.sha256
    assert first.sha256 != changed.sha256
    again = recipe_from_table(json.loads(first.canonical), "test")
    assert again.sha256 == first.sha256


@pytest.mark.parametrize(
    ("added", "words"),
    [
        ("[picture]\nrul = 1\n", ("[picture] has no key “rul”", "sized_by")),
        ("[picture]\nrule = 3\n", ("picture.rule",)),
        ("[sampling]\nmessages = []\n", ("messages",)),
        ("[server]\nmax_pixels = 3\n", ("pixel limits",)),
        ("[history]\nform = 'turns'\n", ("role “history”",)),
        ("[history]\npictures = 2\n", ("turns",)),
        ("[picture]\nquality = 0\n", ("quality",)),
        ("[failures]\nattempts = 0\n", ("[failures]",)),
        ("[[messages]]\nrole = 'assistant'\ntext = 'x'\n", ("open = true",)),
        ("[[messages]]\nrole = 'user'\n", ("no single text",)),
    ],
)
def test_invalid_values_of_a_recipe_are_refused_with_their_place(write, added, words):
    with pytest.raises(KnownError) as refused:
        load_recipe(write(RECIPE + added))
    for word in words:
        assert word in str(refused.value)


@pytest.mark.parametrize("key", ["endpoint", "api_key", "library", "split"])
def test_keys_that_belong_to_a_run_are_refused(write, key):
    with pytest.raises(KnownError, match="belongs to a run"):
        load_recipe(write(f'{key} = "x"\n' + RECIPE))


def test_a_template_never_leads_out_of_the_recipes_folder(write, tmp_path):
    (tmp_path.parent / "secret.txt").write_text("secret")
    with pytest.raises(KnownError, match="outside the folder"):
        load_recipe(write(RECIPE.replace("prompt.txt", "../secret.txt")))


def test_a_template_that_is_too_long_is_refused(write):
    with pytest.raises(KnownError, match="at most"):
        load_recipe(write(prompt="x" * 70_000))


def test_an_unknown_dialect_is_refused_with_the_known_ones():
    with pytest.raises(KnownError, match="guiodyssey"):
        new_recipe("no-such")


def test_marks_are_drawn_at_the_elements_boxes_on_the_picture_that_is_sent():
    """The box's edge and number have the mark's colour; what no mark touches stays as it was."""
    plain = Image.fromarray(np.full((2400, 1080, 3), 245, np.uint8))
    stream = io.BytesIO()
    plain.save(stream, "PNG")
    picture = Picture(rule="540x1200")
    marks = ((0, (20, 300, 520, 700)), (1, (40, 400, 240, 500)))
    sent = prepare(stream.getvalue(), "0" * 64, "image/png", picture, marks)
    pixels = np.asarray(Image.open(io.BytesIO(sent.data)))
    assert pixels.shape == (1200, 540, 3)
    for number, (left, top, right, bottom) in marks:
        assert tuple(pixels[bottom - 1, right - 1]) == MARK_COLOURS[number]
        assert tuple(pixels[top + 1, left + 1]) == MARK_COLOURS[number]
    assert (pixels[:290] == 245).all()
    assert (pixels[710:] == 245).all()
    without = prepare(stream.getvalue(), "0" * 64, "image/png", picture)
    assert without.pixels_sha256 != sent.pixels_sha256


PROMPTS = b"""import os
OTHER = "no"
raise SystemExit("this file is never run")
ASK = '''  Use {language}. Braces {{stay}}, as does {% raw %}.
Task: {instruction}\\tend
'''.strip()
"""


def test_a_published_settings_file_is_taken_by_its_digest_and_never_run(tmp_path):
    """A file of the same form as the released ones, which are not part of this project."""
    (tmp_path / "prompt.py").write_bytes(PROMPTS)
    text = PUBLISHED["ui-tars-1.5/mobile"].recipe.replace("MOBILE_USE_DOUBAO", "ASK")
    file = tmp_path / "recipe.toml"
    file.write_text(text)
    with pytest.raises(KnownError, match="and the recipe names 92aecb9a"):
        load_recipe(file)
    file.write_text(
        text.replace(PUBLISHED["ui-tars-1.5/mobile"].sha256, hashlib.sha256(PROMPTS).hexdigest())
    )
    recipe = load_recipe(file)
    renderer = TemplateRenderer()
    (said,) = renderer.render([recipe.messages[0].text], {"task": "Öffne {{ x }} “Mail”"})
    renderer.close()
    assert said == (
        "Use English. Braces {{stay}}, as does {% raw %}.\nTask: Öffne {{ x }} “Mail”\tend"
    )
    file.write_text(file.read_text().replace("ASK", "MISSING"))
    with pytest.raises(KnownError, match="it has no string “MISSING”"):
        load_recipe(file)


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_setting_is_a_recipe_but_for_its_file(tmp_path, name):
    file = tmp_path / "recipe.toml"
    file.write_text(new_recipe(name))
    with pytest.raises(KnownError, match="Bring the template"):
        load_recipe(file)
