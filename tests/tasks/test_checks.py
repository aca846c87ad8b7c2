"""Every kind of check on the demo phone: true, false, and unknown where it cannot be known."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from episodes.errors import KnownError
from tasks.checks import CHECKS, read_check
from tasks.databases import query
from tasks.evidence import Truth
from tasks.located import read_yaml
from tasks.risks import destructive
from tasks.situations import Situation

CONTACTS = "/data/data/com.taptrail.demo.contacts/databases/contacts.db"
NOTES = "/storage/emulated/0/Documents/Notes"
PHONES = "content://contacts/phones"


class Gone:
    """A phone that is away."""

    serial = "gone"
    disposable = False

    def run(self, command, timeout=10.0):
        raise KnownError("reach the phone", "it is away", "Plug it in.")

    def tree(self):
        raise KnownError("read the screen", "it is not idle", "Wait.")

    def clipboard(self):
        raise KnownError("read the clipboard", "nothing is on it", "Copy something.")


def made(tmp_path: Path, phone, words: str, answer: str | None = None):
    path = tmp_path / "check.yaml"
    path.write_text(words, encoding="utf-8")
    check = read_check(read_yaml(path), frozenset({"who"}))
    return check.make(Situation(phone, {"who": "Petra"}, answer))


CASES = {
    "setting": (
        'setting: {namespace: global, key: wifi_on, is: "1"}',
        "setting: {namespace: global, key: wifi_on, is: {at_least: 2}}",
        "setting: {namespace: global, key: nothing_here, is: {at_least: 2}}",
    ),
    "query": (
        f"query: {{database: {CONTACTS}, sql: SELECT count(*) FROM contacts WHERE"
        " first_name = :who, is: {at_least: 1}}",
        f"query: {{database: {CONTACTS}, sql: SELECT 1 WHERE 0, count: {{not: 0}}}}",
        f"query: {{database: {CONTACTS}, sql: DELETE FROM contacts, count: 0}}",
    ),
    "file": (
        f"file: {{path: {NOTES}/Soup.txt, text: {{contains: leeks}}}}",
        f"file: {{path: {NOTES}/Soup.txt, exists: false}}",
        "file: {path: /nowhere/at/all/x.txt, exists: false}",
    ),
    "content": (
        f"content: {{uri: {PHONES}, row: {{display_name: {{starts_with: '{{who}}'}}}}}}",
        f"content: {{uri: {PHONES}, count: 0}}",
        "content: {uri: content://nobody/here, count: 0}",
    ),
    "foreground": (
        "foreground: {package: {ends_with: launcher}}",
        "foreground: {package: com.taptrail.demo.clock}",
        "foreground: {package: {between: [1, 2]}}",
    ),
    "clipboard": ("clipboard: {contains: tea}", "clipboard: coffee", None),
    "tree": (
        "tree: {text: Contacts, count: {at_least: 1}}",
        "tree: {text: {one_of: [Nobody, Nothing]}}",
        None,
    ),
}


@pytest.mark.parametrize("kind", sorted(CASES))
def test_a_check_is_true_false_or_unknown(tmp_path, phone, kind):
    phone.run("input keyevent KEYCODE_HOME")
    if kind == "clipboard":
        phone.set_clipboard("a cup of tea")
    right, wrong, broken = CASES[kind]
    assert made(tmp_path, phone, right).truth is Truth.TRUE
    found = made(tmp_path, phone, wrong)
    assert (found.truth, found.score) == (Truth.FALSE, 0.0)
    assert found.reason
    if broken is not None:
        found = made(tmp_path, phone, broken)
        assert (found.truth, found.score) == (Truth.UNKNOWN, None), found
    found = made(tmp_path, Gone(), right)
    assert (found.truth, found.score) == (Truth.UNKNOWN, None)


@pytest.mark.parametrize(
    ("words", "answer", "truth"),
    [
        ("exact: The  Lighthouse", "the lighthouse", Truth.TRUE),
        ("exact: The Lighthouse", "a lighthouse", Truth.FALSE),
        ("set: [Lunch, Call]", "call; lunch", Truth.TRUE),
        ("set: [Lunch, Call]", "Lunch, Lunch", Truth.FALSE),
        ("number: 5, tolerance: 0.5", "5.3", Truth.TRUE),
        ("number: 5, tolerance: 0.5", "five", Truth.FALSE),
        ("number: 5", None, Truth.FALSE),
    ],
)
def test_an_answer_is_exact_a_set_or_a_number(tmp_path, words, answer, truth):
    assert made(tmp_path, Gone(), f"answer: {{{words}}}", answer).truth is truth


def test_an_answer_that_cannot_be_compared_is_unknown(tmp_path):
    assert made(tmp_path, Gone(), "answer: {number: many}", "5").truth is Truth.UNKNOWN


YES = "{answer: {exact: 'x'}}"
NO = "{answer: {exact: 'y'}}"
UNKNOWN = "{clipboard: x}"


@pytest.mark.parametrize(
    ("words", "truth", "score"),
    [
        (f"all: [{YES}, {YES}]", Truth.TRUE, 1.0),
        (f"all: [{YES}, {UNKNOWN}]", Truth.UNKNOWN, None),
        (f"all: [{NO}, {UNKNOWN}]", Truth.FALSE, 0.0),
        (f"any: [{NO}, {YES}, {UNKNOWN}]", Truth.TRUE, 1.0),
        (f"any: [{NO}, {UNKNOWN}]", Truth.UNKNOWN, None),
        (f"any: [{NO}, {NO}]", Truth.FALSE, 0.0),
        (f"mean: [{YES}, {NO}]", Truth.FALSE, 0.5),
        (f"mean: [{YES}, {YES}]", Truth.TRUE, 1.0),
        (f"mean: [{YES}, {UNKNOWN}]", Truth.UNKNOWN, None),
        (f"not: {NO}", Truth.TRUE, 1.0),
        (f"not: {YES}", Truth.FALSE, 0.0),
        (f"not: {UNKNOWN}", Truth.UNKNOWN, None),
    ],
)
def test_combinations_keep_unknown_apart_from_false(tmp_path, words, truth, score):
    found = made(tmp_path, Gone(), words, "x")
    assert (found.truth, found.score) == (truth, score)
    assert found.parts


def test_every_kind_of_check_is_tried_here():
    assert set(CHECKS) == {*CASES, "answer", "all", "any", "mean", "not"}


def test_a_query_reads_the_write_ahead_log_and_nothing_else(tmp_path, phone):
    local = tmp_path / "log.db"
    db = sqlite3.connect(local)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA wal_autocheckpoint = 0")
    db.execute("CREATE TABLE t (x)")
    db.execute("INSERT INTO t VALUES (7)")
    db.commit()
    for name in ("log.db", "log.db-wal"):
        phone.push((tmp_path / name).read_bytes(), f"/data/local/tmp/{name}")
    db.close()
    words = "query: {database: /data/local/tmp/log.db, sql: SELECT x FROM t, is: 7}"
    assert made(tmp_path, phone, words).truth is Truth.TRUE
    for sql in ("ATTACH 'x' AS y", "PRAGMA user_version", "SELECT load_extension('x')"):
        with pytest.raises(ValueError, match="the query failed"):
            query(local, sql, {})


def test_a_query_without_end_is_ended(tmp_path):
    (tmp_path / "a.db").touch()
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT count(*) FROM n"
    with pytest.raises(ValueError, match="interrupted"):
        query(tmp_path / "a.db", endless, {})


@pytest.mark.parametrize(
    ("command", "is_risk"),
    [
        ("rm -rf /sdcard/x", True),
        ("find /sdcard -type f -delete", True),
        ("ls; rm x", True),
        ("if true; then rm x; fi", True),
        ("su -c 'rm x'", True),
        ("echo $(rm x)", True),
        ("sh -c 'pm clear com.a'", True),
        ("content delete --uri content://sms", True),
        ("sqlite3 a.db 'DELETE FROM t'", True),
        ("cp x /data/data/com.a/y", True),
        ("svc wifi disable", True),
        ("settings put global x 1", False),
        ("find /sdcard -name '*.txt'", False),
        ("am force-stop com.a", False),
        ("echo 'rm is a word'", False),
    ],
)
def test_commands_that_may_destroy_something_are_known(command, is_risk):
    assert bool(destructive(command)) == is_risk
