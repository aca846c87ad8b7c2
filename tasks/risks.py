"""Which commands destroy something, and which only an emulator's owner would run.

The classes and the words follow what AndroidWorld's tasks run (docs/benches.md has the table by
task). A command is looked at word by word, behind pipes and `&&` too.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

_SEPARATORS = re.compile(r"&&|\|\||[;|&\n(){}]|\$\(|`")
_PRIVATE = ("/data/",)


def destructive(command: str | Sequence[str]) -> str:
    """Returns why a command may destroy something on the phone; "" for one that may not."""
    line = command if isinstance(command, str) else " ".join(command)
    for part in _SEPARATORS.split(line):
        if reason := _one(_words(part)):
            return reason
    return ""


def _words(part: str) -> list[str]:
    try:
        words = shlex.split(part)
    except ValueError:  # a quote that another part closes
        words = part.split()
    while words and words[0] in ("shell", "su", "0", "-c", "root", "exec", "if", "then", "else"):
        words = words[1:]
    if len(words) == 1 and " " in words[0]:  # su -c 'rm ...'
        return _words(words[0])
    return words


def _one(words: list[str]) -> str:
    if not words:
        return ""
    name, rest = words[0].rpartition("/")[2], words[1:]
    match name:
        case "toybox" | "busybox" | "xargs" | "time" | "nohup":
            return _one([word for word in rest if not word.startswith("-")] or [])
        case "sh" if "-c" in rest:
            return destructive(" ".join(rest[rest.index("-c") + 1 :]))
        case "rm" | "rmdir" | "shred" | "truncate" | "mkfs" | "dd":
            return "it deletes files"
        case "find" if "-delete" in rest:
            return "it deletes files"
        case "find" if "-exec" in rest:
            return _one(rest[rest.index("-exec") + 1 :])
        case "pm" | "cmd" if {"clear", "uninstall"} & set(rest):
            return "it clears an app"
        case "content" if rest[:1] == ["delete"]:
            return "it deletes rows of a content provider"
        case "sqlite3":
            return "it may change an app's database"
        case "push" if len(rest) > 1 and rest[-1].startswith(_PRIVATE):
            return "it writes into an app's private files"
        case "cp" | "mv" | "chmod" | "chown" | "restorecon" if any(
            word.startswith(_PRIVATE) for word in rest
        ):
            return "it writes into an app's private files"
        case "mv":
            return "it moves files"
        case "svc" if rest[:2] == ["wifi", "disable"]:
            return "it may cut the connection"
        case "emu" | "reboot" | "recovery" | "wipe":
            return "it is for emulators"
        case _:
            return ""
