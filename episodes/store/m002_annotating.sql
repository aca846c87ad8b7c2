ALTER TABLE step ADD COLUMN origin TEXT NOT NULL DEFAULT '';
UPDATE step SET origin = number || (
    SELECT CASE count(*) WHEN 0 THEN '' ELSE '.' || (count(*) + 1) END FROM step AS earlier
    WHERE earlier.episode = step.episode AND earlier.number = step.number AND earlier.id < step.id
);
CREATE UNIQUE INDEX step_origin ON step (episode, origin);

ALTER TABLE gold ADD COLUMN uuid TEXT NOT NULL DEFAULT '';

ALTER TABLE attempt ADD COLUMN taken_in TEXT NOT NULL DEFAULT '';

ALTER TABLE edit ADD COLUMN uuid TEXT NOT NULL DEFAULT '';
ALTER TABLE edit ADD COLUMN turns INTEGER REFERENCES edit;
CREATE INDEX edit_turns ON edit (turns);

CREATE TABLE private_box (
    id INTEGER PRIMARY KEY,
    step INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
    uuid TEXT NOT NULL,
    withdrawn INTEGER NOT NULL DEFAULT 0,
    left REAL NOT NULL,
    top REAL NOT NULL,
    right REAL NOT NULL,
    bottom REAL NOT NULL,
    reason TEXT NOT NULL,
    author INTEGER REFERENCES author
) STRICT;
CREATE INDEX private_box_step ON private_box (step);
