"""The window speaks of its own places and controls, never of commands and options."""

import ast
import re
from pathlib import Path

import pytest

from episodes.errors import KnownError
from taptrail.gui.components.messages import ErrorBand
from taptrail.gui.remedies import error_words, window_words

ROOT = Path(__file__).parents[2]
COMMAND_WORDS = re.compile(r"taptrail [a-z]|(?<![\w-])--[a-z]|`")


def literals(folder: str) -> list[tuple[str, str]]:
    """Returns (file, text) of each text of a room."""
    found = []
    for file in sorted((ROOT / folder).rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        docs = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        after = {
            id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)
        }  # the docstring of a constant
        found += [
            (str(file.relative_to(ROOT)), node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
            if id(node) not in docs | after
        ]
    return found


def test_no_text_of_the_window_names_a_command() -> None:
    own = [
        one
        for one in literals("taptrail/gui")
        if COMMAND_WORDS.search(one[1]) and not one[0].endswith("remedies.py")
    ]
    assert own == []


@pytest.mark.parametrize("room", ["episodes", "recorder", "annotator", "replay", "taptrail"])
def test_no_remedy_names_a_command_where_the_window_shows_it(room: str) -> None:
    texts = [text for _, text in literals(room) if COMMAND_WORDS.search(text)]
    assert texts
    assert [text for text in texts if COMMAND_WORDS.search(window_words(text))] == []


def test_a_remedy_is_said_with_the_place_that_does_it(qtbot: object) -> None:
    error = KnownError(
        "find the checkpoint",
        "there is none",
        "Fetch one with: taptrail models get tiny. Or ask somebody for the file.",
    )
    words = (
        "Cannot find the checkpoint: there is none. Fetch or choose a checkpoint in Settings. "
        "Or ask somebody for the file."
    )
    assert error_words(error) == words
    band = ErrorBand()
    band.tell(error)
    assert (band.text(), band.accessibleName()) == (words, words)
    bare = KnownError("name the run", "it has no name", "Give one with --name.")
    assert error_words(bare) == "Cannot name the run: it has no name. See the manual."
