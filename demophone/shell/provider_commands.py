"""Content providers and databases: `content` and `sqlite3`.

The contacts and messages of the phone are the apps' own databases, told in the columns of
Android's providers.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from demophone.apps.address_book import PATH as CONTACTS
from demophone.apps.mailbox import PATH as MESSAGES
from demophone.shell.process import Handler, HandlerFailed, Process
from demophone.shell.settings_commands import query_settings

SMS_DATABASE = "/data/data/com.android.providers.telephony/databases/mmssms.db"
CONTACTS_PROVIDER = "com.android.providers.contacts"
_VIEWS = {
    CONTACTS: """
CREATE TEMP VIEW phones AS SELECT id AS _id, trim(first_name || ' ' || last_name) AS display_name,
    phone AS number, starred FROM contacts WHERE phone != '';
CREATE TEMP TRIGGER phones_gone INSTEAD OF DELETE ON phones BEGIN
    DELETE FROM contacts WHERE id = OLD._id;
END;
""",
    MESSAGES: """
CREATE TEMP VIEW sms AS SELECT messages.id AS _id, thread_id, phone AS address,
    CAST(strftime('%s', sent_at) AS INTEGER) * 1000 AS date, 0 AS date_sent, 1 AS read,
    CASE outgoing WHEN 1 THEN 2 ELSE 1 END AS type, body, name AS creator
    FROM messages JOIN threads ON threads.id = thread_id;
CREATE TEMP VIEW inbox AS SELECT * FROM sms WHERE type = 1;
CREATE TEMP VIEW sent AS SELECT * FROM sms WHERE type = 2;
CREATE TEMP TRIGGER sms_gone INSTEAD OF DELETE ON sms BEGIN
    DELETE FROM messages WHERE id = OLD._id;
END;
""",
}
_PROVIDERS = {
    "contacts/phones": (CONTACTS, "phones"),
    "com.android.contacts/data/phones": (CONTACTS, "phones"),
    "sms": (MESSAGES, "sms"),
    "sms/inbox": (MESSAGES, "inbox"),
    "sms/sent": (MESSAGES, "sent"),
}
_COLUMN = re.compile(r"\w+")


async def _content(process: Process) -> int:
    words = process.args
    verb = words[0] if words else ""
    values = _flags(words[1:])
    uri = values.get("--uri", "")
    authority = uri.removeprefix("content://").strip("/")
    if authority.startswith("settings/"):
        return await query_settings(process, verb, uri)
    if authority.startswith("media/"):  # this phone indexes no media
        if verb == "query":
            await process.say("No result found.")
        return 0
    if authority not in _PROVIDERS or verb not in ("query", "delete"):
        raise HandlerFailed(f"[ERROR] Could not find provider: {authority.partition('/')[0]}", 1)
    path, view = _PROVIDERS[authority]
    where = f" WHERE {values['--where']}" if "--where" in values else ""
    if verb == "delete":
        target = "sms" if path == MESSAGES else view
        if view in ("inbox", "sent"):
            where += f"{' AND' if where else ' WHERE'} type = {1 if view == 'inbox' else 2}"
        _run(process, path, f"DELETE FROM {target}{where}")  # noqa: S608
        return 0
    columns = values.get("--projection", "*").split(":")
    if columns != ["*"] and not all(map(_COLUMN.fullmatch, columns)):
        raise HandlerFailed("[ERROR] Unsupported projection", 1)
    names, rows = _run(process, path, f"SELECT {', '.join(columns)} FROM {view}{where}")  # noqa: S608
    for number, row in enumerate(rows):
        told = ", ".join(
            f"{name}={'NULL' if value is None else value}"
            for name, value in zip(names, row, strict=True)
        )
        await process.say(f"Row: {number} {told}")
    if not rows:
        await process.say("No result found.")
    return 0


def _flags(words: Sequence[str]) -> dict[str, str]:
    return {
        word: words[number + 1]
        for number, word in enumerate(words[:-1])
        if word in ("--uri", "--projection", "--where", "--sort", "--user")
    }


async def _sqlite3(process: Process) -> int:
    words = [word for word in process.args if not word.startswith("-")]
    if not words:
        raise HandlerFailed("sqlite3: this shell reads no statements from a terminal", 1)
    path = MESSAGES if words[0] == SMS_DATABASE else words[0]
    statement = words[1] if words[1:] else (await process.read_all()).decode("utf-8", "replace")
    _, rows = _run(process, path, statement)
    for row in rows:
        await process.say("|".join("" if value is None else str(value) for value in row))
    return 0


def clear_contacts(process: Process) -> None:
    """Empties the provider of contacts, as `pm clear` does."""
    _run(process, CONTACTS, "DELETE FROM contacts")


def _run(process: Process, path: str, statement: str) -> tuple[list[str], list[tuple[object, ...]]]:
    """Runs a statement on a database of the phone; returns the columns and the rows."""
    try:
        place: Path = process.system.files.writable(path, process.cwd)
    except OSError as error:
        raise HandlerFailed(f'Error: unable to open database "{path}"', 1) from error
    if not place.is_file():
        raise HandlerFailed(f'Error: unable to open database "{path}": unable to open', 1)
    try:
        with closing(sqlite3.connect(place)) as db, db:
            db.set_authorizer(_only_this_file)
            db.executescript(_VIEWS.get(path, ""))
            cursor = db.execute(statement)
            rows = cursor.fetchall()
            names = [column[0] for column in cursor.description or ()]
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise HandlerFailed(f"Error: in prepare, {error}", 1) from error
    return names, rows


def _only_this_file(action: int, *_: object) -> int:
    """No statement of a client opens another file of the computer."""
    return sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_ATTACH else sqlite3.SQLITE_OK


COMMANDS: dict[str, Handler] = {"content": _content, "sqlite3": _sqlite3}
