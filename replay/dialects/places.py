"""Finds the step that a row of predictions answers, in the spellings of common writers.

The episode and step stand under keys ("episode_id", "ep_id", "step_idx"), in a picture's name
(`<episode>_<step>.png`, `episode_<episode>_screenshot_<step>.png`, `<episode>/<step>.png`,
`<episode>/screenshot_<step>.png`), in one identifier (`custom_id`: `<episode>_<step>`), or in an
object such as "meta". A row may spell an episode otherwise than the library: `alike` compares.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from replay.dialect import NO_STEP

MAX_STEP = 1_000_000
MAX_NAME = 200

_EPISODES = ("episode", "episodeid", "epid", "ep", "episodename", "episodekey")
_RUNS_OF_STEPS = ("trajectoryid", "trajid", "traceid", "taskid")
"""Keys that name an episode if nothing else does."""
_STEPS = ("step", "stepid", "stepidx", "stepindex", "stepnumber", "stepnum", "stepno", "stepn")
_PICTURES = (
    *("img", "image", "imagepath", "imgpath", "imagename", "imgname", "imagefile", "imagefilename"),
    *("imgfilename", "imgfile", "imageid", "imageurl", "imgurl", "images", "imagepaths", "imgs"),
    *("screenshot", "screenshotpath", "screenshots", "screenshotfile", "screenshotname", "picture"),
    *("pictures", "filename", "file", "path", "frame", "framepath"),
)
_IDS = (
    *("customid", "id", "sampleid", "uniqueid", "uid", "questionid", "itemid", "docid"),
    *("recordid", "dataid", "key", "name", "rowid", "exampleid", "instanceid"),
)
_NUMBERS = (*_IDS, "index", "idx", "sampleindex", "sampleidx", "dataidx", "dataindex", "rownumber")
_CONTAINERS = (
    *("meta", "metadata", "info", "extrainfo", "moreinfo", "extra", "sample", "input", "inputs"),
    *("data", "item", "doc", "request", "row", "example", "source", "identity", "stepinfo"),
)
_SEPARATORS = r"_\-/\\:#|. "
_STEM = r"(?:.{0,2000}[/\\])?"
_ENDING = r"\.[A-Za-z0-9]{1,5}"
_NAMED_PICTURE = re.compile(
    _STEM + r"(?:episode_(?P<a>[^/\\]{1,200})_screenshot_(?P<a_step>[0-9]{1,7})"
    r"|(?P<c>[^/\\]{1,200}?)(?:[_\-](?:step|screenshot|screen|frame|img|image)s?)?[_\-]"
    r"(?:step|screenshot|s)?(?P<c_step>[0-9]{1,7}))" + _ENDING,
    re.DOTALL,
)
_IN_FOLDER = re.compile(
    _STEM + r"(?P<b>[^/\\]{1,200})[/\\](?:screenshot|step|screen|frame|image|img)s?[_\-]?"
    r"(?P<b_step>[0-9]{1,7})" + _ENDING,
    re.DOTALL,
)
_NUMBER_IN_FOLDER = re.compile(
    _STEM + r"(?P<d>[^/\\]{1,200})[/\\](?P<d_step>[0-9]{1,7})" + _ENDING, re.DOTALL
)
_IN_ID = re.compile(
    rf"(?P<episode>.{{1,300}}?)(?:[{_SEPARATORS}]+(?:step|screenshot|turn|s))?"
    rf"[{_SEPARATORS}]+(?:step|s)?(?P<step>[0-9]{{1,7}})(?:{_ENDING})?",
    re.DOTALL | re.IGNORECASE,
)
_STEP_WORD = re.compile(r"\s*(?:step|screenshot)?[_\-# ]*([0-9]{1,7})(?:\.0+)?\s*", re.IGNORECASE)
_WHOLE = re.compile(r"([0-9]{1,40})\.0+")
_POWER = re.compile(r"[0-9](?:\.[0-9]{1,40})?[eE]\+?[0-9]{1,2}")
_FILE_NAME = re.compile(r"(.{1,200}?)\.(?:json|jsonl|png|jpg|jpeg|webp|mp4|txt)", re.IGNORECASE)
_NOT_A_WORD = re.compile(r"[^a-z0-9]")
_MEMBER = re.compile(
    r'(?<!\\)"([A-Za-z_ -]{1,24})"\s*:\s*("(?:[^"\\\x00-\x1f]|\\.){1,400}"|[0-9]{1,40}(?:\.0+)?)'
)
_MOST_KEYS = 200


@dataclass(frozen=True, slots=True)
class Identity:
    """The step that a row names; "" and NO_STEP if it names none.

    Attributes:
        number: a running number it carries instead of a step, or that stands where a step's
            number would; None if there is none.
        explicit: whether keys say the step, and not the name of a picture or an identifier.
    """

    episode: str = ""
    step: int = NO_STEP
    number: int | None = None
    explicit: bool = False


NOWHERE = Identity()


def place_of(decoded: dict[str, Any]) -> tuple[str, int] | str:
    """Returns the episode and step that an object names, or the problem with them."""
    found = identity_of(decoded)
    if not found.episode:
        return "it names no episode"
    if found.step == NO_STEP:
        return "it has no step's number"
    return found.episode, found.step


def identity_of(decoded: dict[str, Any]) -> Identity:
    """Returns the step that an object names, as far as it does."""
    levels = [_by_word(decoded)]
    levels += [_by_word(v) for key in _CONTAINERS if isinstance(v := levels[0].get(key), dict)]
    levels += [
        _by_word(v)
        for level in levels[1:]
        for key in _CONTAINERS
        if isinstance(v := level.get(key), dict)
    ]
    episode = _first(levels, _EPISODES, _episode) or ""
    step = _first(levels, _STEPS, _step)
    picture: Identity | None = _first(levels, _PICTURES, _of_picture)
    named = picture if picture is not None and picture.number is None else None
    if not episode and named is None:
        episode = _first(levels, _RUNS_OF_STEPS, _episode) or ""
    if episode and step is not None:
        return Identity(episode, step, explicit=True)
    if named is not None:
        return named
    named = _first(levels, ("customid",), _of_id) or picture or _first(levels, _IDS, _of_id)
    if named is not None and (not episode or episode in named.episode or named == picture):
        return Identity(episode or named.episode, named.step, None if episode else named.number)
    if episode:
        return Identity(episode)
    number = _first(levels, _NUMBERS, _number)
    return Identity("", NO_STEP if step is None else step, number)


def place_of_picture(picture: str) -> tuple[str, int] | None:
    """Returns the episode and step in a picture's name; None if it has none."""
    found = _of_picture(picture)
    return None if found is None else (found.episode, found.step)


def place_of_key(key: str) -> tuple[str, int] | None:
    """Returns the episode and step in an identifier; None if it has none."""
    found = _of_picture(key) or _of_id(key)
    return None if found is None else (found.episode, found.step)


def rescued(text: str) -> dict[str, Any]:
    """Returns the members that can be read of a JSON object that is cut off or damaged.

    Behind the damage a member counts only where no other of its name contradicts it.
    """
    found, end = _members(text, 0, 3)
    behind: dict[str, set[str]] = {}
    for member in _MEMBER.finditer(text, max(0, end - 1)):
        behind.setdefault(member[1], set()).add(member[2])
    for name, values in behind.items():
        if len(values) == 1 and name not in found:
            try:
                found[name] = json.loads(values.pop())
            except ValueError:
                continue
    return found


def alike(told: str, names: frozenset[str]) -> str | None:
    """Returns the one library name that a name means in another spelling; None for none or more.

    A file's ending, a folder, a word before or behind, lost leading zeros and digits lost in a
    floating-point column are seen through.
    """
    base = re.split(r"[/\\]", told.strip())[-1]
    whole = _FILE_NAME.fullmatch(base)
    for name in (told.strip(), base, whole[1] if whole else base):
        if name in names:
            return name
    name = whole[1] if whole else base
    parts = re.split(rf"([{_SEPARATORS}]+)", name)[:41]
    runs = {"".join(parts[at:]) for at in range(2, len(parts), 2)}
    runs |= {"".join(parts[:at]) for at in range(1, len(parts), 2)}
    bare = re.sub(r"^(?:episode|ep|task|traj)(?=[0-9])", "", name, flags=re.IGNORECASE)
    found = {run for run in (*runs, bare) if run in names}
    if len(found) == 1:
        return found.pop()
    return _same_number(name, names) if not found and name.isdecimal() and name.isascii() else None


def _same_number(told: str, names: frozenset[str]) -> str | None:
    if len(told) > 40:
        return None
    numeric = [name for name in names if name.isascii() and name.isdecimal() and len(name) <= 40]
    same = [name for name in numeric if int(name) == int(told)]
    if not same and len(told) >= 16:
        same = [name for name in numeric if float(name) == float(told)]
    return same[0] if len(same) == 1 else None


def _by_word(decoded: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for count, (name, value) in enumerate(decoded.items()):
        if count >= _MOST_KEYS:
            break
        found.setdefault(word_of(name), value)
    return found


@lru_cache(maxsize=4096)
def word_of(name: str) -> str:
    """Returns a key's letters and digits in lower case: "Episode_ID" and "episodeId" are one."""
    return _NOT_A_WORD.sub("", name[:80].lower())


def _first(levels: list[dict[str, Any]], names: tuple[str, ...], read: Any) -> Any:
    for level in levels:
        for name in names:
            if name in level and (found := read(level[name])) is not None:
                return found
    return None


def _episode(value: Any) -> str | None:
    if isinstance(value, float) and value.is_integer() and 0 <= value < 1e40:
        value = int(value)  # as pandas writes a column with holes
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**40:
        return str(value)
    if not isinstance(value, str) or not 0 < len(value) <= MAX_NAME:
        return None
    if whole := _WHOLE.fullmatch(value):
        return whole[1]
    if _POWER.fullmatch(value):
        return str(int(Decimal(value)))
    return value.encode("utf-8", "replace").decode()


def _step(value: Any) -> int | None:
    if isinstance(value, str):
        word = _STEP_WORD.fullmatch(value[:60])
        return int(word[1]) if word is not None else None
    if isinstance(value, float) and value.is_integer() and 0 <= value <= MAX_STEP:
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_STEP:
        return value
    return None


def _number(value: Any) -> int | None:
    whole = int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 12 else None
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e11:
        whole = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**12:
        whole = value
    return whole


def _of_picture(value: Any) -> Identity | None:
    """Returns the place in a picture's name; of several pictures, the last is the step's own."""
    for picture in _names_of(value, 0):
        if not 0 < len(picture) <= 2000:
            continue
        if found := _IN_FOLDER.fullmatch(picture):
            return Identity(_clean(found["b"]), int(found["b_step"]))
        if found := _NAMED_PICTURE.fullmatch(picture):
            part = "a" if found["a"] is not None else "c"
            return Identity(_clean(found[part]), int(found[f"{part}_step"]))
        if found := _NUMBER_IN_FOLDER.fullmatch(picture):
            step = int(found["d_step"])
            return Identity(_clean(found["d"]), step, step)
    return None


def _names_of(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and depth < 3:
        for one in reversed(value[-50:]):
            yield from _names_of(one, depth + 1)
    elif isinstance(value, dict) and depth < 3:
        for name in ("path", "image", "image_path", "url", "file", "filename", "name", "image_url"):
            if name in value:
                yield from _names_of(value[name], depth + 1)


def _of_id(value: Any) -> Identity | None:
    if not isinstance(value, str) or not 0 < len(value) <= 400:
        return None
    found = _IN_ID.fullmatch(value)
    if found is None:
        return None
    step = int(found["step"])
    return Identity(_clean(found["episode"][:MAX_NAME]), step, step)


def _members(text: str, at: int, depth: int) -> tuple[dict[str, Any], int]:
    """Returns the members of the object that begins at a place, up to its end or damage."""
    decoder = json.JSONDecoder(strict=False)
    found: dict[str, Any] = {}
    at = _skip(text, at)
    if text[at : at + 1] != "{":
        return found, at
    at += 1
    while True:
        begins = at = _skip(text, at)
        try:
            key, at = decoder.raw_decode(text, at)
            at = _skip(text, at)
            if not isinstance(key, str) or text[at : at + 1] != ":":
                return found, begins
            begins = at = _skip(text, at + 1)
            found[key], at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            if depth and text[begins : begins + 1] == "{" and begins > 1:
                inner, end = _members(text, begins, depth - 1)
                if word_of(key) in _CONTAINERS:
                    found[key] = inner
                return found, end
            return found, begins
        at = _skip(text, at)
        if text[at : at + 1] != ",":
            return found, at
        at += 1


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
