"""Writes a recipe with a neutral prompt for any dialect, from the dialect's own writer."""

from __future__ import annotations

import json

from episodes.errors import KnownError
from replay.asking.published import PUBLISHED
from replay.coordinates import RESIZE_RULES
from replay.dialect import Declared
from replay.dialects import DIALECTS

PROMPT = """\
You operate an Android phone. You see a screenshot of {{ width }} x {{ height }} pixels.
{% if task %}Task: {{ task }}
{% endif %}
{% if step_instruction %}Next step: {{ step_instruction }}
{% endif %}
{% if history %}
Actions so far:
{% for one in history %}
{{ one.number }}. {{ one.answer | replace("\\n", " ") }}
{% endfor %}
{% endif %}
Answer with the next action and nothing else, in one of these forms:
{% for action in actions %}
{{ action.name }}:
{{ action.form }}
{% endfor %}
{{ coordinates }}
"""

ELEMENTS = """\
The elements of the screen, each with its number and its box (left, top, right, bottom):
{% for one in elements %}
{{ one.index }}. {{ one.class }} “{{ one.text or one.description }}” {{ one.box }}\
{% if one.clickable %} can be tapped{% endif %}{% if one.editable %} takes text{% endif %}\
{% if one.scrollable %} scrolls{% endif %}

{% endfor %}
"""

_SPACES = {
    "0-1": "Coordinates are fractions of the screenshot's width and height, 0 to 1.",
    "0-999": "Coordinates are 0 to 999 along each side of the screenshot.",
    "0-1000": "Coordinates are 0 to 1000 along each side of the screenshot.",
}
_PIXELS = "Coordinates are pixels of the screenshot."


def new_recipe(dialect: str, text: bool = False) -> str:
    """Returns the TOML of a recipe whose answers are in a dialect, or of a published setting.

    Args:
        text: whether the model is shown a list of elements instead of a picture.

    Raises:
        KnownError: there is neither.
    """
    if dialect in PUBLISHED:
        return PUBLISHED[dialect].recipe
    doing = f"write a recipe for “{dialect}”"
    if dialect not in DIALECTS:
        raise KnownError(
            doing, "there is no such dialect", f"Use one of: {', '.join((*DIALECTS, *PUBLISHED))}."
        )
    declared = DIALECTS[dialect].declared(Declared())
    space = declared.coordinates
    rule = space.removeprefix("resized:")
    prompt = PROMPT.replace("{{ coordinates }}", _SPACES.get(space, _PIXELS))
    if text:
        prompt = prompt.replace("You see a screenshot", "Its screen has")
        prompt = prompt.replace(" of {{ width }}", " {{ width }}").replace(
            "Answer with the next", f"{ELEMENTS}Answer with the next"
        )
    resized = rule if rule in RESIZE_RULES else ""
    lines = [
        "recipe = 1",
        f"name = {_quoted(f'{dialect}, neutral prompt')}",
        "",
        "[model]",
        'name = "NAME"  # as the server knows it',
        "",
        "[answers]",
        f"dialect = {_quoted(dialect)}",
        f"coordinates = {_quoted('picture' if resized else space)}",
        f"scroll = {_quoted(declared.scroll)}",
        "",
        "[shows]",
        'level = "high"',
        *(['tree = "list"'] if text else []),
        "",
        "[picture]",
        f"rule = {_quoted(resized or 'as it is')}",
        *(['sized_by = "client"'] if resized else []),
        "",
        "[history]",
        'form = "answers"',
        'source = "gold"',
        "last = 4",
        "",
        "[[messages]]",
        'role = "user"',
        'order = ["text"]' if text else 'order = ["picture", "text"]',
        f"text = '''\n{prompt}'''",
        "",
        "[sampling]",
        "temperature = 0.0",
        "max_tokens = 512",
        "",
    ]
    return "\n".join(lines)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
