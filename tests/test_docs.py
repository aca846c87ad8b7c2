"""Commands, files and decisions named in the documentation exist."""

import importlib
import re
import runpy
import shlex
from pathlib import Path

import click
import pytest

PROJECT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md")])
ADRS = sorted((PROJECT / "docs" / "adr").glob("[0-9]*.md"))


def code_lines(document: Path) -> list[str]:
    """The command lines of a document's code blocks, their comments cut off."""
    blocks = re.findall(r"^```(?:\w*)\n(.*?)^```", document.read_text(), flags=re.M | re.S)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    return [words for line in lines if (words := line.partition(" #")[0].strip())]


def named(document: Path) -> str:
    return document.relative_to(PROJECT).as_posix()


COMMANDS = [
    pytest.param(line, id=f"{named(document)}: {line}")
    for document in DOCUMENTS
    for line in code_lines(document)
    if line.split()[0] in ("taptrail", ".venv/bin/taptrail")
]


def command_tree() -> click.Group:
    """The group that the installed `taptrail` runs."""
    group = importlib.import_module("taptrail.cli.main").cli
    assert isinstance(group, click.Group)
    return group


def accept(command: click.Command, words: list[str], parent: click.Context | None = None) -> None:
    """Let click read the words as the command would, without running it; raises UsageError."""
    context = command.make_context(command.name, list(words), parent=parent)
    if isinstance(command, click.Group):
        rest = [*getattr(context, "_protected_args", []), *context.args]
        if not rest:
            assert command.invoke_without_command, f"{command.name} needs a word after it"
            return
        _, subcommand, left = command.resolve_command(context, rest)
        assert subcommand is not None
        accept(subcommand, left, context)


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_in_the_documents_is_one_that_exists(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = shlex.split(line)[1:]
    monkeypatch.chdir(tmp_path)
    for word in words:  # a command may want its files to be there before it starts
        if word.endswith("/"):
            (tmp_path / word).mkdir(parents=True)
        elif re.fullmatch(r"[\w-]+\.jsonl?", word):
            (tmp_path / word).touch()
    accept(command_tree(), words)


def test_the_readme_begins_with_the_two_commands() -> None:
    lines = code_lines(PROJECT / "README.md")
    assert lines[:2] == ["python3 bootstrap.py demo", "python3 bootstrap.py test"]
    assert len((PROJECT / "README.md").read_text().split()) < 800, "three minutes of reading"


def test_every_page_is_listed_in_the_index() -> None:
    pages = {path.name for path in (PROJECT / "docs").glob("*.md")} - {"README.md"}
    index = (PROJECT / "docs/README.md").read_text()
    listed = re.findall(r"\| \[([\w-]+\.md)\]\(\1\)", index)
    assert sorted(listed) == sorted(pages)
    for folder in ("formats", "protocols"):
        assert f"({folder}/README.md)" in index
        pages = {path.name for path in (PROJECT / "docs" / folder).glob("*.md")} - {"README.md"}
        links = re.findall(r"\]\(([\w-]+\.md)", (PROJECT / f"docs/{folder}/README.md").read_text())
        assert pages - set(links) == set(), f"docs/{folder}/README.md does not link to them"


def test_every_picture_is_shown_by_a_page() -> None:
    shown = {
        (document.parent / target).resolve()
        for document in DOCUMENTS
        for target in re.findall(r"!\[[^\]]*\]\(([^)#\s]+)", document.read_text())
    }
    assert sorted(set((PROJECT / "docs/images").iterdir()) - shown) == []


def test_the_picture_of_the_rooms_is_the_one_the_source_gives() -> None:
    drawn = runpy.run_path(str(PROJECT / "tools/rooms.py"))["picture"]()
    assert (PROJECT / "docs/images/rooms.svg").read_text("utf-8") == drawn


# What engineers of the field would search the glossary for.
FIELD_TERMS = [
    "trajectory",
    "ground truth",
    "view hierarchy",
    "accessibility tree",
    "screenshot",
    "foreground app",
    "grounding",
    "hit test",
    "set-of-marks",
    "rollout",
    "teacher forcing",
    "bounding box",
    "UI element",
    "observation",
    "policy",
    "action space",
    "step accuracy",
    "success rate",
    "inter-annotator agreement",
    "distractor",
    "interaction trace",
    "low-level instruction",
    "prompt",
    "inference",
    "evaluator",
    "metric",
    "train/test split",
    "data leakage",
    "data set",
    "emulator",
]


@pytest.mark.parametrize("term", FIELD_TERMS)
def test_the_glossary_leads_from_a_term_of_the_field_to_a_module(term: str) -> None:
    rows = [
        line
        for line in (PROJECT / "GLOSSARY.md").read_text().splitlines()
        if line.startswith("| ") and re.search(rf"(?i)\b{re.escape(term)}\b", line)
    ]
    assert rows, f"the glossary does not know {term!r}"
    modules = [name for row in rows for name in re.findall(r"`([\w/]+(?:\.py|/))`", row)]
    assert modules, f"no row about {term!r} names a module"
    assert [name for name in modules if not (PROJECT / name).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_every_link_to_a_file_leads_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)", document.read_text())
    broken = [
        target
        for target in targets
        if not re.match(r"https?:", target) and not (document.parent / target).exists()
    ]
    assert broken == []


def test_every_decision_is_numbered_listed_and_complete() -> None:
    assert [int(path.name[:4]) for path in ADRS] == list(range(1, len(ADRS) + 1))
    index = (PROJECT / "docs" / "adr" / "README.md").read_text()
    for path in ADRS:
        text = path.read_text()
        title = text.splitlines()[0].removeprefix(f"# {path.name[:4]} ")
        assert f"[{path.name[:4]}]({path.name}) | {title} |" in index
        assert re.findall(r"^## (.+)$", text, flags=re.M) == [
            "Context",
            "Decision",
            "Rejected",
            "Consequences",
        ]


TABLES = [  # the table, where its entries are described, and where they are tested
    ("episodes.formats", "FORMATS", "docs/formats", "tests/episodes"),
    ("replay.dialects", "DIALECTS", "docs/formats", "tests/replay"),
    ("scoring.protocols", "PROTOCOLS", "docs/protocols", "tests/scoring"),
    ("annotator.segmenters", "SEGMENTERS", "docs/models.md", "tests/annotator"),
]


@pytest.mark.parametrize(("module", "table", "document", "tests"), TABLES)
def test_every_entry_of_a_table_is_described_and_tested(
    module: str, table: str, document: str, tests: str
) -> None:
    names = {key.partition("@")[0] for key in getattr(importlib.import_module(module), table)}
    assert names
    path = PROJECT / document
    pages = [path] if path.is_file() else sorted(path.glob("*.md"))
    text = "\n".join(page.read_text() for page in pages)
    headings = re.findall(r"^#+ .*$", text, flags=re.M)
    described = {name for name in names if any(name in heading for heading in headings)}
    assert names - described == set(), f"{document} has no section about them"
    texts = [path.read_text() for path in (PROJECT / tests).rglob("test_*.py")]
    tested = {name for name in names if any(name in text for text in texts)}
    assert names - tested == set(), f"no test in {tests} names them"
