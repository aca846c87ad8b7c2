CREATE TABLE step_judgement (
    id INTEGER PRIMARY KEY,
    episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
    origin TEXT NOT NULL,
    objection TEXT NOT NULL,
    run TEXT NOT NULL,
    protocol TEXT NOT NULL,
    reason TEXT NOT NULL,
    author_uuid TEXT NOT NULL,
    author_name TEXT NOT NULL,
    UNIQUE (episode, origin, objection, run, protocol, author_uuid)
) STRICT;
