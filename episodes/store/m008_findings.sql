CREATE TABLE episode_lint (
    episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
    rules TEXT NOT NULL,
    error_count INTEGER NOT NULL,
    look_count INTEGER NOT NULL,
    note_count INTEGER NOT NULL
) STRICT;
CREATE INDEX episode_lint_count ON episode_lint (error_count + look_count);

CREATE TABLE episode_finding (
    episode INTEGER NOT NULL REFERENCES episode_lint ON DELETE CASCADE,
    rule TEXT NOT NULL,
    severity TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (rule, severity, episode)
) STRICT, WITHOUT ROWID;
CREATE INDEX episode_finding_episode ON episode_finding (episode);

CREATE INDEX attempt_outcome ON attempt (outcome, episode);
