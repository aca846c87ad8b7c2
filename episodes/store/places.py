"""Paths in a library's folder. No name from a row or a file leads out of it."""

from __future__ import annotations

import re
from pathlib import Path

from episodes.store.errors import NotStorable

DATABASE = "library.db"
LOCK = ".lock"
FRAMES = "frames"
EPISODES = "episodes"

SUFFIXES = {"image/png": ".png", "image/webp": ".webp", "image/jpeg": ".jpg"}

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,120}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def checked_name(name: str, what: str) -> str:
    """Returns a name that is one plain part of a path.

    Raises:
        NotStorable: it is empty, too long, hidden, or has another character in it.
    """
    if not _NAME.fullmatch(name):
        raise NotStorable(f"{what} “{name[:60]}” is not a plain name of letters, digits, “.”, “-”")
    return name


def checked_sha256(sha256: str) -> str:
    """Returns the hash, 64 hex digits.

    Raises:
        NotStorable: it is something else.
    """
    if not _SHA256.fullmatch(sha256):
        raise NotStorable(f"“{sha256[:70]}” is not the sha256 of a picture")
    return sha256


def checked_media_type(media_type: str) -> str:
    """Returns the media type of a picture we keep.

    Raises:
        NotStorable: it is not PNG, WebP or JPEG.
    """
    if media_type not in SUFFIXES:
        raise NotStorable(f"“{media_type[:60]}” is none of image/png, image/webp and image/jpeg")
    return media_type


def still_path(folder: Path, sha256: str, media_type: str) -> Path:
    """Returns the place of a still's file: frames/ab/<sha256>.png."""
    name = checked_sha256(sha256)
    return folder / FRAMES / name[:2] / (name + SUFFIXES[checked_media_type(media_type)])


def episode_folder(folder: Path, uuid: str) -> Path:
    """Returns the place of an episode's video files."""
    return folder / EPISODES / checked_name(uuid, "the episode's uuid")
