"""The documents keep the pictures that a page shows, and no other."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_each_picture_is_shown_by_a_page_and_each_page_has_its_pictures() -> None:
    pages = (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
    shown = {
        name
        for page in pages
        for name in re.findall(
            r"\]\([^)\s]*images/([\w-]+\.\w+)\)", page.read_text(encoding="utf-8")
        )
    }
    assert shown == {file.name for file in (ROOT / "docs" / "images").iterdir()}
