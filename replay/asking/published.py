"""Published settings: recipes that name a released prompt file by its digest instead of its text.

Prompts of others are not shipped. Users who have the file put it into the recipe's folder; a file
with another digest is refused, so that two labs that use the recipe ask with the same words.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PublishedSetting:
    """A setting of a released agent.

    Attributes:
        repository: owner, name and commit of the file.
        path: the file's place in that repository.
        sha256: the file's digest.
        recipe: the TOML; its template is the file's name.
    """

    title: str
    repository: str
    path: str
    sha256: str
    recipe: str

    @property
    def to_bring(self) -> str:
        """Says where the file comes from."""
        return f"{self.path} of {self.repository}, SHA-256 {self.sha256}"


def _setting(title: str, repository: str, path: str, sha256: str, recipe: str) -> PublishedSetting:
    file = path.rpartition("/")[2]
    whole = f'recipe = 1\nname = "{title}"\nsource = "{repository}, {path}"\n\n' + recipe.replace(
        "TEMPLATE", f'template = "{file}"\nsha256 = "{sha256}"'
    )
    return PublishedSetting(title, repository, path, sha256, whole)


PUBLISHED: dict[str, PublishedSetting] = {
    "ui-tars-1.5/mobile": _setting(
        "UI-TARS 1.5 on a phone",
        "bytedance/UI-TARS@582f3a7ea5d285ee8ed9e2e84048d1ab01453c49",
        "codes/ui_tars/prompt.py",
        "92aecb9ad43b308e4a909fe70ec8ac8ce4147cf9f0c302174582f4c7e0fbb496",
        """\
[model]
name = "NAME"  # as the server knows it

[answers]
dialect = "ui-tars-1.5"

[picture]
rule = "ui-tars-1.5"
sized_by = "client"

[history]
form = "turns"
source = "gold"
last = -1
pictures = 4

[[messages]]
role = "user"
order = ["text"]
TEMPLATE
constant = "MOBILE_USE_DOUBAO"
values = { language = "'English'", instruction = "task" }

[[messages]]
role = "history"

[[messages]]
role = "user"
order = ["picture"]
text = "-"  # not sent

[sampling]
temperature = 0.0
max_tokens = 512
""",
    ),
    "mai-ui/mobile": _setting(
        "MAI-UI on a phone",
        "Tongyi-MAI/MAI-UI@4dd07b9e910a294f001452e888514d912b96cc41",
        "src/prompt.py",
        "6609e3e499958421a380cd2c07eab5f6ad06efa38270d75f7cbca99b0c51765f",
        """\
[model]
name = "NAME"  # as the server knows it

[answers]
dialect = "mai-ui"

[history]
form = "turns"
source = "gold"
last = -1
pictures = 2

[[messages]]
role = "system"
TEMPLATE
constant = "MAI_MOBILE_SYS_PROMPT"

[[messages]]
role = "user"
order = ["text"]
text = "{{ task }}"

[[messages]]
role = "history"

[[messages]]
role = "user"
order = ["picture"]
text = "-"  # not sent

[sampling]
temperature = 0.0
top_p = 1.0
max_tokens = 2048
""",
    ),
}
