"""Reads the pages of a folder of `docs/` as one text."""

from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"


def read_pages(folder: str) -> str:
    """Returns the pages of a folder of `docs/` one after another, its README first."""
    pages = sorted((DOCS / folder).glob("*.md"), key=lambda page: (page.name != "README.md", page))
    assert pages, f"docs/{folder} has no pages"
    return "\n".join(page.read_text("utf-8") for page in pages)
