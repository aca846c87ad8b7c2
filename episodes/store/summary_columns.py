"""Summary columns of episodes, stored so that a list of thousands of episodes needs no join."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from episodes.clocks import Moment
from episodes.durations import measure_times
from episodes.foreground_apps import is_app
from episodes.store import columns as c

if TYPE_CHECKING:
    from sqlite_utils import Database


def refresh(db: Database, episode: int) -> None:
    """Updates the summary columns of an episode. Call it inside a transaction.

    Deletes its finding counts, which are out of date after a change.
    """
    db.conn.execute(
        """
        UPDATE episode SET
            step_count = (SELECT count(*) FROM step WHERE episode = :e AND deleted = 0),
            target_count = (
                SELECT count(DISTINCT step.id) FROM step JOIN region ON region.step = step.id
                WHERE episode = :e AND deleted = 0 AND chosen = 1 AND withdrawn = 0
            ),
            duration_us = :duration,
            first_frame = (
                SELECT frame.id FROM step JOIN frame ON frame.id = step.frame
                WHERE step.episode = :e AND deleted = 0 AND still IS NOT NULL
                ORDER BY step.number LIMIT 1
            )
        WHERE id = :e
        """,
        {"e": episode, "duration": _duration(db, episode)},
    )
    _refresh_apps(db, episode)
    db.conn.execute("DELETE FROM episode_lint WHERE episode = ?", (episode,))


def leave_out_home(db: Database) -> None:
    """Removes the home screen from the apps of all episodes."""
    fronts = db.conn.execute("SELECT DISTINCT package FROM step WHERE package IS NOT NULL")
    for (package,) in fronts.fetchall():
        if not is_app(package):
            met = db.conn.execute(
                "SELECT DISTINCT episode FROM step WHERE package = ? AND deleted = 0", (package,)
            )
            for (episode,) in met.fetchall():
                _refresh_apps(db, episode)


def _refresh_apps(db: Database, episode: int) -> None:
    """Updates an episode's apps: those in its task, else those that were in front."""
    (named,) = db.conn.execute(
        "SELECT task.apps FROM episode JOIN task ON task.id = task WHERE episode.id = ?",
        (episode,),
    ).fetchone()
    seen = db.conn.execute(
        """
        SELECT coalesce(nullif(app_label, ''), package) AS app, package FROM step
        WHERE episode = ? AND deleted = 0 AND package IS NOT NULL
        GROUP BY app, package ORDER BY min(number)
        """,
        (episode,),
    ).fetchall()
    front = dict.fromkeys(app for app, package in seen if app and is_app(package))
    apps = list(dict.fromkeys(c.read_texts(named, "apps"))) or list(front)
    db.conn.execute(
        "UPDATE episode SET apps = ? WHERE id = ?",
        (json.dumps(apps, ensure_ascii=False), episode),
    )
    db.conn.execute("DELETE FROM episode_app WHERE episode = ?", (episode,))
    db.conn.executemany(
        "INSERT INTO episode_app (episode, app) VALUES (?, ?)", [(episode, app) for app in apps]
    )


def _duration(db: Database, episode: int) -> int | None:
    steps = db.conn.execute(
        "SELECT began_device_us, began_host_ns, ended_device_us, ended_host_ns "
        "FROM step WHERE episode = ? AND deleted = 0",
        (episode,),
    ).fetchall()
    videos = db.conn.execute(
        "SELECT started_device_us, started_host_ns FROM segment WHERE episode = ?", (episode,)
    ).fetchall()
    gaps = db.conn.execute(
        "SELECT reason, started_device_us, started_host_ns, has_ended, ended_device_us, "
        "ended_host_ns FROM gap WHERE episode = ?",
        (episode,),
    ).fetchall()
    return measure_times(
        [(Moment(*row[:2]), Moment(*row[2:])) for row in map(tuple, steps)],
        [Moment(*row) for row in videos],
        [
            (row[0], Moment(*row[1:3]), Moment(*row[4:]) if row[3] else None)
            for row in map(tuple, gaps)
        ],
    ).wall


def next_revision(db: Database) -> int:
    """Increments the library's revision and returns it."""
    (revision,) = db.conn.execute(
        "UPDATE library SET revision = revision + 1 RETURNING revision"
    ).fetchone()
    return int(revision)
