"""The tables of the results file, as migrations that are only ever added to.

Money is whole picodollars (10^-12 USD, so a token at any price with six decimals per million is
a whole number); NULL means unknown, never 0. Times are ISO 8601 in UTC. Text columns hold a BLOB
where the text is not plain (see ``store.text``). Big texts stand in ``items`` and ``calls`` only,
so that no aggregate has to read past them.
"""

from __future__ import annotations

from relaybench.store.sqlite_library import Database, Migrations
from relaybench.store.views import FIRST_VIEWS, VIEW_OF_TRIAGE, VIEWS_OF_TURNS

migrations = Migrations("relaybench")

#: Picodollars in a dollar.
PICO = 1_000_000_000_000

#: Every migration there is, oldest first; a file with another one is from a newer version.
KNOWN = (
    "001_first_tables",
    "002_first_views",
    "003_turns_handles_reprices",
    "004_views_of_turns_and_caches",
    "005_indexes_for_analyses",
    "006_triage",
    "007_pings",
)

_TABLES = """
CREATE TABLE items (
    id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    set_name TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('composite', 'single', 'imported')),
    step_count INTEGER NOT NULL,
    domains TEXT NOT NULL,
    encoded INTEGER NOT NULL,
    encoding_seed INTEGER,
    bloat_characters INTEGER NOT NULL,
    substitutions INTEGER NOT NULL,
    dictionary_size INTEGER NOT NULL,
    characters INTEGER NOT NULL,
    estimated_tokens INTEGER NOT NULL,
    prompt_sha256 TEXT NOT NULL,
    created_at TEXT NOT NULL,
    separator TEXT NOT NULL,
    steps TEXT NOT NULL,
    key TEXT NOT NULL,
    prompt TEXT NOT NULL
);
CREATE INDEX items_by_name ON items (set_name, name);

CREATE TABLE model_configs (
    id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    label TEXT NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    effort TEXT,
    tools TEXT NOT NULL,
    harness TEXT NOT NULL,
    base_url TEXT,
    key_env TEXT,
    max_output_tokens INTEGER,
    concurrency INTEGER NOT NULL,
    timeout_s REAL NOT NULL,
    idle_timeout_s REAL NOT NULL,
    options TEXT NOT NULL,
    simulated INTEGER NOT NULL
);

CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('run', 'import')),
    simulated INTEGER NOT NULL,
    repeats INTEGER NOT NULL CHECK (repeats > 0),
    strict INTEGER NOT NULL DEFAULT 0,
    budget INTEGER,
    created_at TEXT NOT NULL,
    version TEXT NOT NULL
);

CREATE TABLE run_items (
    run_id INTEGER NOT NULL REFERENCES runs (id),
    item_id INTEGER NOT NULL REFERENCES items (id),
    position INTEGER NOT NULL,
    PRIMARY KEY (run_id, item_id)
) WITHOUT ROWID;

CREATE TABLE prices_used (
    run_id INTEGER NOT NULL REFERENCES runs (id),
    model_config_id INTEGER NOT NULL REFERENCES model_configs (id),
    position INTEGER NOT NULL,
    as_of TEXT,
    source TEXT NOT NULL,
    prices TEXT,
    PRIMARY KEY (run_id, model_config_id)
) WITHOUT ROWID;

CREATE TABLE attempts (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL,
    item_id INTEGER NOT NULL,
    model_config_id INTEGER NOT NULL,
    repeat INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    answered INTEGER NOT NULL DEFAULT 0,
    grade_id INTEGER REFERENCES grades (id),
    started_at TEXT NOT NULL,
    finished_at TEXT,
    call_count INTEGER NOT NULL DEFAULT 0,
    stop_reason TEXT,
    raw_stop_reason TEXT,
    served_model TEXT,
    error_kind TEXT,
    input INTEGER,
    cached_input INTEGER,
    cache_write INTEGER,
    output INTEGER,
    reasoning INTEGER,
    cache_write_1h INTEGER,
    unattributed INTEGER,
    cost_input INTEGER,
    cost_cached_input INTEGER,
    cost_cache_write INTEGER,
    cost_output INTEGER,
    cost_tools INTEGER,
    error_message TEXT,
    UNIQUE (run_id, item_id, model_config_id, repeat),
    FOREIGN KEY (run_id, item_id) REFERENCES run_items (run_id, item_id),
    FOREIGN KEY (run_id, model_config_id) REFERENCES prices_used (run_id, model_config_id)
);
CREATE INDEX attempts_by_config ON attempts (run_id, model_config_id, item_id);

CREATE TABLE calls (
    id INTEGER PRIMARY KEY,
    attempt_id INTEGER NOT NULL REFERENCES attempts (id),
    number INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('sent', 'answered', 'failed', 'lost')),
    started_at TEXT NOT NULL,
    finished_at TEXT,
    http_status INTEGER,
    response_id TEXT,
    error_kind TEXT,
    error_type TEXT,
    error_code TEXT,
    retry_after_s REAL,
    wait_s REAL,
    input INTEGER,
    cached_input INTEGER,
    cache_write INTEGER,
    output INTEGER,
    reasoning INTEGER,
    cache_write_1h INTEGER,
    unattributed INTEGER,
    tool_fees TEXT NOT NULL DEFAULT '{}',
    settings_sent TEXT,
    error_message TEXT,
    refusal TEXT,
    text TEXT,
    answer_text TEXT,
    thinking TEXT,
    request_json TEXT,
    response_raw TEXT,
    UNIQUE (attempt_id, number)
);

CREATE TABLE tool_events (
    call_id INTEGER NOT NULL REFERENCES calls (id),
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (call_id, number)
) WITHOUT ROWID;

CREATE TABLE grades (
    id INTEGER PRIMARY KEY,
    attempt_id INTEGER NOT NULL REFERENCES attempts (id),
    item_id INTEGER NOT NULL REFERENCES items (id),
    created_at TEXT NOT NULL,
    outcome TEXT NOT NULL,
    extractor TEXT NOT NULL,
    strict INTEGER NOT NULL,
    repaired INTEGER NOT NULL,
    near_miss INTEGER NOT NULL,
    span_start INTEGER,
    span_end INTEGER,
    steps TEXT NOT NULL,
    note TEXT NOT NULL,
    answer TEXT
);
CREATE INDEX grades_by_attempt ON grades (attempt_id);
"""

# Few calls have an entry in the small tables here: as columns of `calls` they would stand behind
# its big texts, and every look at one would read past those. `turns` names calls whose response
# another one followed in the same attempt. A handle is `open` while its work may still be asked
# for, `passed` once a later call asks for it, `ended` when its result or its end is known.
_TURNS = """
ALTER TABLE model_configs ADD COLUMN instructions TEXT;
ALTER TABLE model_configs ADD COLUMN blocked_domains TEXT NOT NULL DEFAULT '[]';
ALTER TABLE model_configs ADD COLUMN max_continuations INTEGER NOT NULL DEFAULT 50;
ALTER TABLE model_configs ADD COLUMN max_nudges INTEGER NOT NULL DEFAULT 3;
ALTER TABLE model_configs ADD COLUMN nudge TEXT;

CREATE TABLE turns (
    call_id INTEGER PRIMARY KEY REFERENCES calls (id),
    nudge TEXT
);

CREATE TABLE handles (
    call_id INTEGER PRIMARY KEY REFERENCES calls (id),
    handle TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'passed', 'ended'))
);

CREATE TABLE unbilled_calls (
    call_id INTEGER PRIMARY KEY REFERENCES calls (id)
);

CREATE TABLE maybe_billed_calls (
    call_id INTEGER PRIMARY KEY REFERENCES calls (id)
);

ALTER TABLE attempts ADD COLUMN cost_uncached INTEGER;
ALTER TABLE attempts ADD COLUMN turn_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE prices_used ADD COLUMN estimate_low INTEGER;
ALTER TABLE prices_used ADD COLUMN estimate_high INTEGER;
ALTER TABLE prices_used ADD COLUMN estimate_basis TEXT NOT NULL DEFAULT '';

CREATE TABLE replaced_prices (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL,
    model_config_id INTEGER NOT NULL,
    replaced_at TEXT NOT NULL,
    as_of TEXT,
    source TEXT NOT NULL,
    prices TEXT,
    cost INTEGER,
    FOREIGN KEY (run_id, model_config_id) REFERENCES prices_used (run_id, model_config_id)
)
"""

# What became of every cell stands in one index, so that counts and grids read nothing else. Calls
# without an answer, and grades that are repaired or near misses, are few among many.
_INDEXES = """
DROP INDEX attempts_by_config;
CREATE INDEX attempts_cells ON attempts
    (run_id, model_config_id, item_id, repeat, outcome, answered);
CREATE INDEX calls_not_answered ON calls (attempt_id) WHERE status != 'answered';
CREATE INDEX grades_marked ON grades (attempt_id, repaired, near_miss)
    WHERE repaired = 1 OR near_miss = 1
"""

# A mark is never changed: `clear` takes the earlier ones of its attempt back, and they stay.
_TRIAGE = """
CREATE TABLE triage_marks (
    id INTEGER PRIMARY KEY,
    attempt_id INTEGER NOT NULL REFERENCES attempts (id),
    fault TEXT NOT NULL CHECK (fault IN ('extractor', 'key', 'model', 'clear')),
    note TEXT NOT NULL,
    created_at TEXT NOT NULL
);
CREATE INDEX triage_by_attempt ON triage_marks (attempt_id)
"""

# The last ping of each config, which need be in no run. It is no result: no table counts it.
# `given_costs` names calls whose cost a person told, where an answer was pasted by hand.
_PINGS = """
CREATE TABLE pings (
    digest TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    pinged_at TEXT NOT NULL,
    ok INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    seconds REAL,
    cost INTEGER
);

CREATE TABLE given_costs (
    call_id INTEGER PRIMARY KEY REFERENCES calls (id)
)
"""


def _statements(script: str) -> list[str]:
    return [part.strip() for part in script.split(";") if part.strip()]


@migrations(name=KNOWN[0])
def _first_tables(db: Database) -> None:
    for statement in _statements(_TABLES):
        db.execute(statement)


@migrations(name=KNOWN[1])
def _first_views(db: Database) -> None:
    for statement in _statements(FIRST_VIEWS):
        db.execute(statement)


@migrations(name=KNOWN[2])
def _turns(db: Database) -> None:
    for statement in _statements(_TURNS):
        db.execute(statement)


@migrations(name=KNOWN[3])
def _views_of_turns(db: Database) -> None:
    for statement in _statements(VIEWS_OF_TURNS):
        db.execute(statement)


@migrations(name=KNOWN[4])
def _indexes(db: Database) -> None:
    for statement in _statements(_INDEXES):
        db.execute(statement)


@migrations(name=KNOWN[5])
def _triage(db: Database) -> None:
    for statement in _statements(_TRIAGE + ";" + VIEW_OF_TRIAGE):
        db.execute(statement)


@migrations(name=KNOWN[6])
def _pings(db: Database) -> None:
    for statement in _statements(_PINGS):
        db.execute(statement)
