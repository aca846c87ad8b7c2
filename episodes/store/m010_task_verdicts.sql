CREATE TABLE task_verdict (
    id INTEGER PRIMARY KEY,
    episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
    task TEXT NOT NULL,
    bench TEXT NOT NULL,
    version TEXT NOT NULL,
    seed INTEGER,
    instance INTEGER NOT NULL,
    goal TEXT NOT NULL,
    goal_before TEXT NOT NULL,
    satisfied_at_start INTEGER,
    score REAL,
    verdict TEXT NOT NULL,
    claimed TEXT NOT NULL,
    reason TEXT NOT NULL,
    evidence TEXT NOT NULL,
    details TEXT NOT NULL,
    judged_utc TEXT NOT NULL,
    UNIQUE (episode, bench, version, task)
) STRICT;
CREATE INDEX task_verdict_task ON task_verdict (bench, task);
