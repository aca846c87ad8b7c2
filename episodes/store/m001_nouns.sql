CREATE TABLE library (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    uuid TEXT NOT NULL,
    created_utc TEXT NOT NULL,
    revision INTEGER NOT NULL
) STRICT;

CREATE TABLE author (
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    UNIQUE (uuid, name, kind)
) STRICT;

CREATE TABLE actor (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    author INTEGER REFERENCES author,
    agent TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX actor_once ON actor (kind, coalesce(author, 0), agent);

CREATE TABLE instruction (
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
) STRICT;
CREATE VIRTUAL TABLE instruction_fts USING fts5 (
    text, content = 'instruction', content_rowid = 'id', tokenize = 'trigram'
);
CREATE TRIGGER instruction_added AFTER INSERT ON instruction BEGIN
    INSERT INTO instruction_fts (rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER instruction_removed AFTER DELETE ON instruction BEGIN
    INSERT INTO instruction_fts (instruction_fts, rowid, text) VALUES ('delete', old.id, old.text);
END;

CREATE TABLE task (
    id INTEGER PRIMARY KEY,
    instruction INTEGER NOT NULL REFERENCES instruction,
    template TEXT NOT NULL,
    filled TEXT NOT NULL,
    category TEXT NOT NULL,
    apps TEXT NOT NULL,
    goal_id TEXT NOT NULL,
    UNIQUE (instruction, template, filled, category, apps, goal_id)
) STRICT;
CREATE INDEX task_category ON task (category);

CREATE TABLE episode (
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    dataset TEXT NOT NULL,
    version TEXT NOT NULL,
    origin_file TEXT NOT NULL,
    origin_sha256 TEXT NOT NULL,
    task INTEGER NOT NULL REFERENCES task,
    actor INTEGER NOT NULL REFERENCES actor,
    state TEXT NOT NULL CHECK (state IN ('recording', 'finished', 'incomplete', 'deleted')),
    started_utc TEXT NOT NULL,
    ended_utc TEXT NOT NULL,
    finish_ending TEXT,
    finish_reason TEXT,
    final_frame INTEGER,
    declared_steps INTEGER,
    private INTEGER NOT NULL,
    extra TEXT NOT NULL,
    content_sha256 TEXT NOT NULL,
    revision INTEGER NOT NULL,
    step_count INTEGER NOT NULL DEFAULT 0,
    target_count INTEGER NOT NULL DEFAULT 0,
    duration_us INTEGER,
    first_frame INTEGER,
    apps TEXT NOT NULL DEFAULT '[]',
    UNIQUE (dataset, version, name)
) STRICT;
CREATE INDEX episode_name ON episode (name);
CREATE INDEX episode_state ON episode (state);
CREATE INDEX episode_task ON episode (task);

CREATE TABLE episode_app (
    episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
    app TEXT NOT NULL,
    PRIMARY KEY (app, episode)
) STRICT, WITHOUT ROWID;
CREATE INDEX episode_app_episode ON episode_app (episode);

CREATE TABLE episode_split (
    episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
    position INTEGER NOT NULL,
    split TEXT NOT NULL,
    part TEXT NOT NULL,
    PRIMARY KEY (episode, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX episode_split_part ON episode_split (split, part, episode);

CREATE TABLE split (
    id INTEGER PRIMARY KEY,
    dataset TEXT NOT NULL,
    version TEXT NOT NULL,
    name TEXT NOT NULL,
    rule TEXT NOT NULL,
    masking TEXT NOT NULL,
    templates TEXT NOT NULL,
    file TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    UNIQUE (dataset, version, name)
) STRICT;

CREATE TABLE attempt (
    episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
    number INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    left_out TEXT NOT NULL
) STRICT;

CREATE TABLE device (
    episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
    serial TEXT NOT NULL,
    manufacturer TEXT NOT NULL,
    model TEXT NOT NULL,
    product TEXT NOT NULL,
    build TEXT NOT NULL,
    android_release TEXT NOT NULL,
    sdk INTEGER,
    width INTEGER,
    height INTEGER,
    density INTEGER,
    locale TEXT NOT NULL,
    input_method TEXT NOT NULL,
    window_animation_scale REAL,
    transition_animation_scale REAL,
    animator_duration_scale REAL,
    native TEXT NOT NULL
) STRICT;

CREATE TABLE app_version (
    episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
    position INTEGER NOT NULL,
    package TEXT NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (episode, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE segment (
    id INTEGER PRIMARY KEY,
    episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
    number INTEGER NOT NULL,
    file TEXT NOT NULL,
    codec TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    config BLOB NOT NULL,
    rotation INTEGER,
    display INTEGER NOT NULL,
    server TEXT NOT NULL,
    started_device_us INTEGER,
    started_host_ns INTEGER,
    started_error_us INTEGER,
    has_ended INTEGER NOT NULL,
    ended_device_us INTEGER,
    ended_host_ns INTEGER,
    ended_error_us INTEGER,
    UNIQUE (episode, number)
) STRICT;

CREATE TABLE packet (
    segment INTEGER NOT NULL REFERENCES segment ON DELETE CASCADE,
    number INTEGER NOT NULL,
    pts_us INTEGER NOT NULL,
    key INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    length INTEGER NOT NULL,
    received_ns INTEGER NOT NULL,
    PRIMARY KEY (segment, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE gap (
    episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
    number INTEGER NOT NULL,
    reason TEXT NOT NULL,
    started_device_us INTEGER,
    started_host_ns INTEGER,
    started_error_us INTEGER,
    has_ended INTEGER NOT NULL,
    ended_device_us INTEGER,
    ended_host_ns INTEGER,
    ended_error_us INTEGER,
    PRIMARY KEY (episode, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE clock_sample (
    episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
    number INTEGER NOT NULL,
    host_before_ns INTEGER NOT NULL,
    host_after_ns INTEGER NOT NULL,
    device_us INTEGER NOT NULL,
    method TEXT NOT NULL,
    PRIMARY KEY (episode, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE still (
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,
    media_type TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    byte_count INTEGER NOT NULL,
    signature BLOB
) STRICT;

CREATE TABLE frame (
    id INTEGER PRIMARY KEY,
    episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    basis TEXT NOT NULL,
    still INTEGER REFERENCES still,
    still_source TEXT,
    still_lossless INTEGER,
    pts_us INTEGER,
    segment INTEGER,
    packet INTEGER,
    received_ns INTEGER,
    painted_ns INTEGER,
    native TEXT
) STRICT;
CREATE INDEX frame_episode ON frame (episode);
CREATE INDEX frame_still ON frame (still);

CREATE TABLE tree_data (
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,
    byte_count INTEGER NOT NULL,
    zstd BLOB NOT NULL
) STRICT;

CREATE TABLE tree (
    id INTEGER PRIMARY KEY,
    episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
    data INTEGER REFERENCES tree_data,
    format TEXT NOT NULL,
    source TEXT NOT NULL,
    status TEXT NOT NULL,
    requested_device_us INTEGER,
    requested_host_ns INTEGER,
    requested_error_us INTEGER,
    answered_device_us INTEGER,
    answered_host_ns INTEGER,
    answered_error_us INTEGER,
    width INTEGER,
    height INTEGER,
    rotation INTEGER,
    detail TEXT NOT NULL
) STRICT;
CREATE INDEX tree_episode ON tree (episode);
CREATE INDEX tree_by_data ON tree (data);

CREATE TABLE step (
    id INTEGER PRIMARY KEY,
    episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
    number INTEGER NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0,
    kind TEXT NOT NULL,
    x REAL,
    y REAL,
    end_x REAL,
    end_y REAL,
    direction TEXT,
    text TEXT,
    key TEXT,
    duration_us INTEGER,
    action TEXT NOT NULL,
    native_space TEXT,
    native_text TEXT,
    source TEXT NOT NULL,
    began_device_us INTEGER,
    began_host_ns INTEGER,
    began_error_us INTEGER,
    ended_device_us INTEGER,
    ended_host_ns INTEGER,
    ended_error_us INTEGER,
    frame INTEGER REFERENCES frame,
    frame_after INTEGER REFERENCES frame,
    tree INTEGER REFERENCES tree,
    tree_fit TEXT,
    package TEXT,
    activity TEXT,
    app_label TEXT,
    instruction TEXT NOT NULL,
    description TEXT NOT NULL,
    intention TEXT NOT NULL,
    context TEXT NOT NULL,
    note TEXT NOT NULL,
    private INTEGER NOT NULL,
    extra TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX step_number ON step (episode, number) WHERE deleted = 0;
CREATE INDEX step_episode ON step (episode);
CREATE INDEX step_kind ON step (kind);
CREATE INDEX step_frame ON step (frame);
CREATE INDEX step_frame_after ON step (frame_after);
CREATE INDEX step_tree ON step (tree);

CREATE TABLE gesture (
    step INTEGER PRIMARY KEY REFERENCES step ON DELETE CASCADE,
    contact_count INTEGER NOT NULL,
    path BLOB NOT NULL
) STRICT;

CREATE TABLE region (
    id INTEGER PRIMARY KEY,
    step INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
    number INTEGER NOT NULL,
    withdrawn INTEGER NOT NULL DEFAULT 0,
    uuid TEXT NOT NULL,
    left REAL,
    top REAL,
    right REAL,
    bottom REAL,
    label TEXT NOT NULL,
    source TEXT NOT NULL,
    model TEXT NOT NULL,
    version TEXT NOT NULL,
    prompts TEXT NOT NULL,
    score REAL,
    node TEXT NOT NULL,
    native_space TEXT,
    native_text TEXT,
    status TEXT NOT NULL,
    chosen INTEGER NOT NULL,
    author INTEGER REFERENCES author,
    UNIQUE (step, number)
) STRICT;

CREATE TABLE mask (
    region INTEGER PRIMARY KEY REFERENCES region ON DELETE CASCADE,
    left REAL NOT NULL,
    top REAL NOT NULL,
    right REAL NOT NULL,
    bottom REAL NOT NULL,
    png BLOB NOT NULL
) STRICT;

CREATE TABLE gold (
    id INTEGER PRIMARY KEY,
    step INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
    number INTEGER NOT NULL,
    withdrawn INTEGER NOT NULL DEFAULT 0,
    kind TEXT NOT NULL,
    action TEXT NOT NULL,
    role TEXT NOT NULL,
    reason TEXT NOT NULL,
    status TEXT NOT NULL,
    author INTEGER REFERENCES author,
    native_space TEXT,
    native_text TEXT,
    UNIQUE (step, number)
) STRICT;

CREATE TABLE edit (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    episode INTEGER NOT NULL REFERENCES episode,
    step_number INTEGER,
    step INTEGER REFERENCES step,
    operation TEXT NOT NULL,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    author INTEGER NOT NULL REFERENCES author,
    made_utc TEXT NOT NULL,
    undone_by INTEGER REFERENCES edit
) STRICT;
CREATE INDEX edit_episode ON edit (episode);
CREATE INDEX edit_step ON edit (step);
CREATE INDEX edit_undone_by ON edit (undone_by);

CREATE TABLE step_set (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    count INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    UNIQUE (name, count, sha256)
) STRICT;

CREATE TABLE step_set_member (
    step_set INTEGER NOT NULL REFERENCES step_set ON DELETE CASCADE,
    dataset TEXT NOT NULL,
    version TEXT NOT NULL,
    episode TEXT NOT NULL,
    step INTEGER NOT NULL,
    PRIMARY KEY (step_set, dataset, version, episode, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    dialect TEXT NOT NULL,
    model TEXT NOT NULL,
    coordinates TEXT NOT NULL,
    scroll TEXT NOT NULL,
    level TEXT NOT NULL,
    history TEXT NOT NULL,
    observation TEXT NOT NULL,
    dataset TEXT NOT NULL,
    dataset_version TEXT NOT NULL,
    step_set INTEGER REFERENCES step_set,
    imported_utc TEXT NOT NULL
) STRICT;
CREATE INDEX run_step_set ON run (step_set);

CREATE TABLE run_file (
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    lines INTEGER NOT NULL,
    PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE prediction (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    episode TEXT NOT NULL,
    step INTEGER NOT NULL,
    raw TEXT NOT NULL,
    kind TEXT,
    x REAL,
    y REAL,
    end_x REAL,
    end_y REAL,
    direction TEXT,
    text TEXT,
    key TEXT,
    action TEXT,
    unreadable TEXT,
    guess TEXT,
    native_space TEXT,
    native_text TEXT,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    UNIQUE (run, episode, step)
) STRICT;

CREATE TABLE orphan (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    why TEXT NOT NULL,
    episode TEXT NOT NULL,
    step INTEGER NOT NULL,
    raw TEXT NOT NULL,
    action TEXT,
    unreadable TEXT,
    guess TEXT,
    native_space TEXT,
    native_text TEXT,
    file TEXT NOT NULL,
    line INTEGER NOT NULL
) STRICT;
CREATE INDEX orphan_run ON orphan (run);

CREATE TABLE score (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    protocol TEXT NOT NULL,
    version TEXT NOT NULL,
    revision INTEGER NOT NULL,
    UNIQUE (run, protocol, version, revision)
) STRICT;

CREATE TABLE verdict (
    score INTEGER NOT NULL REFERENCES score ON DELETE CASCADE,
    episode TEXT NOT NULL,
    step INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    rule TEXT NOT NULL,
    reason TEXT NOT NULL,
    parts TEXT NOT NULL,
    PRIMARY KEY (score, episode, step)
) STRICT, WITHOUT ROWID;
