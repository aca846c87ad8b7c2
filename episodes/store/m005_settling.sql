ALTER TABLE region ADD COLUMN stability REAL;

CREATE TABLE accepted_finding (
    id INTEGER PRIMARY KEY,
    episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
    origin TEXT NOT NULL,
    rule TEXT NOT NULL,
    reason TEXT NOT NULL,
    author_uuid TEXT NOT NULL,
    author_name TEXT NOT NULL,
    UNIQUE (episode, origin, rule)
) STRICT;

CREATE TABLE episode_review (
    id INTEGER PRIMARY KEY,
    episode INTEGER NOT NULL UNIQUE REFERENCES episode ON DELETE CASCADE,
    decision TEXT NOT NULL,
    reason TEXT NOT NULL,
    author_uuid TEXT NOT NULL,
    author_name TEXT NOT NULL
) STRICT;

CREATE TABLE blind_choice (
    id INTEGER PRIMARY KEY,
    episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
    origin TEXT NOT NULL,
    round TEXT NOT NULL,
    author_uuid TEXT NOT NULL,
    author_name TEXT NOT NULL,
    left REAL,
    top REAL,
    right REAL,
    bottom REAL,
    source TEXT NOT NULL,
    label TEXT NOT NULL,
    seconds REAL,
    UNIQUE (episode, origin, round, author_uuid)
) STRICT;
