"""What a person has chosen once and for all, as one frozen value handed down from the top.

Kept as a small TOML file in the system's folder for settings. Nothing below reads the file or
the environment again; whoever needs a setting is given it.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import platformdirs

from episodes.annotations import Author
from episodes.errors import KnownError

API_KEY = "TAPTRAIL_API_KEY"
"""The variable of the environment with the key of a model's server."""
THEMES = ("system", "light", "dark")
MODIFIERS = ("alt", "super")
SCALES = range(90, 151)
MOST_STEPS = 9999
AGGREGATES = ("median", "mean", "max")
SEGMENT_OFF, SEGMENT_RECORDED, SEGMENT_IDLE = "off", "recorded", "idle"
SEGMENT_WHEN = (SEGMENT_OFF, SEGMENT_RECORDED, SEGMENT_IDLE)
_FACTOR = re.compile(r"[0-9]{1,4}(\.[0-9]{1,4})?")


def default_library() -> Path:
    """Returns the folder a library lies in unless somebody names another."""
    return Path(platformdirs.user_data_dir("taptrail", appauthor=False)) / "library"


def demo_library() -> Path:
    """Returns the folder the demo keeps its library in, apart from what people record."""
    return Path(platformdirs.user_data_dir("taptrail", appauthor=False)) / "demo"


@dataclass(frozen=True, slots=True)
class Settings:
    """All choices, with what holds where nothing was chosen.

    Attributes:
        library: the library's folder.
        theme: one of THEMES.
        scale: size of text and controls in percent, 90 to 150.
        author: name written beside what this person records and decides.
        author_uuid: what merging libraries goes by.
        adb_port: port of the adb server; None for what adb itself would use.
        modifier: the key that keeps a shortcut from the phone while the mirror has the focus.
        keys: (command, key) pairs that differ from the defaults.
        budget_factor: the window's budgets are this, a decimal number as text, times ...
        budget_of: ... what stands for all attempts, one of AGGREGATES.
        budget_floor: never fewer steps than this.
        budget_finish: whether the step that ends an attempt counts.
        checkpoint: a file of SAM 2's weights to take before any other; None looks for one.
        models_mirror: address of a folder checkpoints are fetched from; "" for their publisher's.
        models_download: whether checkpoints may be fetched at all.
        segment: when the window asks SAM 2 by itself, one of SEGMENT_WHEN: about what has just
            been recorded, or, while nothing is recorded, about all else too.
    """

    library: Path = field(default_factory=default_library)
    theme: str = "system"
    scale: int = 100
    author: str = ""
    author_uuid: str = ""
    adb_port: int | None = None
    modifier: str = "alt"
    keys: tuple[tuple[str, str], ...] = ()
    budget_factor: str = "2"
    budget_of: str = "mean"
    budget_floor: int = 10
    budget_finish: bool = True
    checkpoint: Path | None = None
    models_mirror: str = ""
    models_download: bool = True
    segment: str = SEGMENT_RECORDED

    def as_author(self) -> Author:
        """Returns the person these settings belong to, as annotations name them."""
        return Author(self.author_uuid, self.author)


def settings_file() -> Path:
    """Returns where the settings lie: TAPTRAIL_SETTINGS, else the system's folder."""
    named = os.environ.get("TAPTRAIL_SETTINGS")
    if named:
        return Path(named)
    return Path(platformdirs.user_config_dir("taptrail", appauthor=False)) / "settings.toml"


def load_settings(file: Path) -> Settings:
    """Returns the settings in a file; the defaults, with a new author, where there is none.

    Raises:
        KnownError: the file is not TOML, or a value is not one that can be.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return replace(Settings(), author=_login_name(), author_uuid=str(uuid.uuid4()))
    except (OSError, UnicodeDecodeError) as error:
        raise KnownError(f"read {file}", str(error), "Mend or delete the file.") from error
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise KnownError(f"read {file}", str(error), "Mend or delete the file.") from error
    return _from_table(table, file)


def save_settings(settings: Settings, file: Path) -> None:
    """Writes the settings, whole or not at all.

    Raises:
        KnownError: the file cannot be written.
    """
    lines = [
        f"library = {_quoted(str(settings.library))}",
        f"theme = {_quoted(settings.theme)}",
        f"scale = {settings.scale}",
        f"author = {_quoted(settings.author)}",
        f"author_uuid = {_quoted(settings.author_uuid)}",
        f"modifier = {_quoted(settings.modifier)}",
        f"budget_factor = {_quoted(settings.budget_factor)}",
        f"budget_of = {_quoted(settings.budget_of)}",
        f"budget_floor = {settings.budget_floor}",
        f"budget_finish = {'true' if settings.budget_finish else 'false'}",
        f"models_mirror = {_quoted(settings.models_mirror)}",
        f"models_download = {'true' if settings.models_download else 'false'}",
        f"segment = {_quoted(settings.segment)}",
    ]
    if settings.checkpoint is not None:
        lines.append(f"checkpoint = {_quoted(str(settings.checkpoint))}")
    if settings.adb_port is not None:
        lines.append(f"adb_port = {settings.adb_port}")
    if settings.keys:
        lines += ["", "[keys]"]
        lines += [f"{_quoted(command)} = {_quoted(key)}" for command, key in settings.keys]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside = file.with_suffix(".new")
        beside.write_text("\n".join(lines) + "\n", encoding="utf-8")
        beside.replace(file)
    except OSError as error:
        raise KnownError(
            f"save the settings in {file}", str(error), "Make the folder writable."
        ) from error


def _from_table(table: dict[str, Any], file: Path) -> Settings:
    def wrong(name: str, found: object, wanted: str) -> KnownError:
        return KnownError(
            f"read {file}", f"{name} is {found!r}, not {wanted}", "Mend or delete the line."
        )

    def text(name: str, default: str) -> str:
        value = table.get(name, default)
        if not isinstance(value, str):
            raise wrong(name, value, "a text")
        return value

    found = Settings(
        library=Path(text("library", str(default_library()))).expanduser(),
        theme=text("theme", "system"),
        author=text("author", _login_name()),
        author_uuid=text("author_uuid", ""),
        modifier=text("modifier", "alt"),
        models_mirror=text("models_mirror", ""),
        segment=text("segment", SEGMENT_RECORDED),
    )
    if checkpoint := text("checkpoint", ""):
        found = replace(found, checkpoint=Path(checkpoint).expanduser())
    download = table.get("models_download", True)
    if not isinstance(download, bool):
        raise wrong("models_download", download, "true or false")
    found = replace(found, models_download=download)
    if found.theme not in THEMES:
        raise wrong("theme", found.theme, "system, light or dark")
    if found.segment not in SEGMENT_WHEN:
        raise wrong("segment", found.segment, "off, recorded or idle")
    if found.modifier not in MODIFIERS:
        raise wrong("modifier", found.modifier, "alt or super")
    found = replace(found, **_budget(table, wrong))
    scale = table.get("scale", found.scale)
    if not isinstance(scale, int) or scale not in SCALES:
        raise wrong("scale", scale, "a whole number from 90 to 150")
    port = table.get("adb_port")
    if port is not None and (not isinstance(port, int) or not 0 < port < 65536):
        raise wrong("adb_port", port, "a port from 1 to 65535")
    keys = table.get("keys", {})
    if not isinstance(keys, dict) or not all(isinstance(key, str) for key in keys.values()):
        raise wrong("keys", keys, "a table of texts")
    return replace(
        found,
        scale=scale,
        adb_port=port,
        keys=tuple(sorted(keys.items())),
        author_uuid=found.author_uuid or str(uuid.uuid4()),
    )


def _budget(
    table: dict[str, Any], wrong: Callable[[str, object, str], KnownError]
) -> dict[str, Any]:
    found: dict[str, Any] = {
        field: table[field]
        for field in ("budget_factor", "budget_of", "budget_floor", "budget_finish")
        if field in table
    }
    factor = found.get("budget_factor", "2")
    if not isinstance(factor, str) or not _FACTOR.fullmatch(factor) or not float(factor):
        raise wrong("budget_factor", factor, 'a number above 0 as a text, such as "1.5"')
    if (of := found.get("budget_of", "mean")) not in AGGREGATES:
        raise wrong("budget_of", of, "median, mean or max")
    floor = found.get("budget_floor", 0)
    if isinstance(floor, bool) or not isinstance(floor, int) or not 0 <= floor <= MOST_STEPS:
        raise wrong("budget_floor", floor, f"a whole number from 0 to {MOST_STEPS}")
    if not isinstance(finish := found.get("budget_finish", True), bool):
        raise wrong("budget_finish", finish, "true or false")
    return found


def _login_name() -> str:
    return os.environ.get("USER") or os.environ.get("USERNAME") or "me"


def _quoted(text: str) -> str:
    """TOML's basic strings are JSON's, but for the one control character JSON leaves bare."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
