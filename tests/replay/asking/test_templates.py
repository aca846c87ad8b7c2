"""Templates of strangers: they render, or they are stopped."""

import os
from pathlib import Path

import pytest

from episodes.errors import KnownError
from replay.asking.templates import TemplateRenderer


@pytest.fixture(scope="module")
def renderer():
    found = TemplateRenderer()
    yield found
    found.close()


def test_values_reach_the_template(renderer):
    text = renderer.render(
        ["{{ task }} {{ width }}", "{% for one in history %}{{ one.n }};{% endfor %}"],
        {"task": "Ä", "width": 3, "history": [{"n": 1}, {"n": 2}]},
    )
    assert text == ["Ä 3", "1;2;"]


@pytest.mark.parametrize(
    ("template", "word"),
    [
        (
            "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
            "longer",
        ),
        ("{% for a in range(90000) %}{{ 'x' * 1000 }}{% endfor %}", "characters"),
        ("{{ 'x' * 10**10 }}", "memory"),
        ("{{ missing }}", "missing"),
        ("{{ ''.__class__.__mro__ }}", "unsafe"),
        ("{% include '/etc/passwd' %}", "TypeError|loader"),
        ("{{ 1 / 0 }}", "ZeroDivision"),
        ("{{ task", "Syntax"),
        ("{{ task.append(1) }}", "unsafe|Security"),
        ("{{ cycler.__init__.__globals__ }}", "unsafe|Security"),
    ],
)
def test_a_hostile_template_is_stopped_in_one_sentence(renderer, template, word):
    with pytest.raises(KnownError, match=word):
        renderer.render([template], {"task": []})
    assert renderer.render(["still {{ task }}"], {"task": "here"}) == ["still here"]


def test_the_process_gets_no_key(monkeypatch):
    monkeypatch.setenv("TAPTRAIL_API_KEY", "sk-secret")
    renderer = TemplateRenderer()
    try:
        renderer.render(["x"], {})
        pid = renderer._process._process.pid
        assert b"sk-secret" not in Path(f"/proc/{pid}/environ").read_bytes()
        assert os.environ["TAPTRAIL_API_KEY"] == "sk-secret"
    finally:
        renderer.close()
