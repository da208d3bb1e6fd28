"""Tables and views of the results file, as migrations that are only ever added to.

Money is whole picodollars (10^-12 USD, so a token at any price with six decimals per million is
a whole number); NULL means unknown, never 0. Times are ISO 8601 in UTC. Text columns hold a BLOB
where the text is not plain (see ``store.text``). Big texts stand in ``items`` and ``calls`` only,
so that no aggregate has to read past them.
"""

from __future__ import annotations

from sqlite_utils import Database, Migrations

migrations = Migrations("relaybench")

#: Picodollars in a dollar.
PICO = 1_000_000_000_000

#: Every migration there is, oldest first; a file with another one is from a newer version.
KNOWN = ("001_first_tables", "002_first_views", "003_turns_handles_reprices")

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

_VIEWS = """
CREATE VIEW leaderboard AS
WITH counts AS (
    SELECT run_id, model_config_id, COUNT(*) AS attempted,
        SUM(outcome IN ('correct','wrong','unparseable','refused','truncated','stalled')) AS scored,
        SUM(outcome = 'correct') AS correct, SUM(outcome = 'wrong') AS wrong,
        SUM(outcome = 'unparseable') AS unparseable, SUM(outcome = 'refused') AS refused,
        SUM(outcome = 'truncated') AS truncated, SUM(outcome = 'stalled') AS stalled,
        SUM(outcome = 'error') AS error,
        SUM(MAX(call_count - 1, 0)) AS retries
    FROM attempts GROUP BY run_id, model_config_id
)
SELECT runs.name AS run, CASE runs.simulated WHEN 1 THEN 'simulated' ELSE 'real' END AS results,
    model_configs.label AS model,
    CASE runs.kind WHEN 'import' THEN IFNULL(attempted, 0) ELSE
        (SELECT COUNT(*) FROM run_items WHERE run_items.run_id = runs.id) * runs.repeats
        END AS planned,
    IFNULL(scored, 0) AS scored, IFNULL(correct, 0) AS correct, IFNULL(wrong, 0) AS wrong,
    IFNULL(unparseable, 0) AS unparseable, IFNULL(refused, 0) AS refused,
    IFNULL(truncated, 0) AS truncated, IFNULL(stalled, 0) AS stalled, IFNULL(error, 0) AS error,
    CAST(correct AS REAL) / NULLIF(scored, 0) AS share_correct,
    CAST(wrong AS REAL) / NULLIF(correct + wrong, 0) AS hallucination_rate,
    IFNULL(retries, 0) AS retries
FROM prices_used
JOIN runs ON runs.id = prices_used.run_id
JOIN model_configs ON model_configs.id = prices_used.model_config_id
LEFT JOIN counts ON counts.run_id = prices_used.run_id
    AND counts.model_config_id = prices_used.model_config_id
ORDER BY runs.id, prices_used.position;

CREATE VIEW costs AS
WITH charged AS (
    SELECT *, answered = 1 OR COALESCE(input, cached_input, cache_write, output, reasoning,
            cache_write_1h, unattributed) IS NOT NULL AS charge,
        cost_input + cost_cached_input + cost_cache_write + cost_output + cost_tools AS cost
    FROM attempts
)
SELECT runs.name AS run, CASE runs.simulated WHEN 1 THEN 'simulated' ELSE 'real' END AS results,
    model_configs.label AS model,
    SUM(input) AS input_tokens, SUM(cached_input) AS cached_input_tokens,
    SUM(cache_write) AS cache_write_tokens, SUM(output) AS output_tokens,
    CASE WHEN SUM(charge AND cost_input IS NULL) > 0 THEN NULL
        ELSE IFNULL(SUM(cost_input), 0) / 1e12 END AS input_usd,
    CASE WHEN SUM(charge AND cost_cached_input IS NULL) > 0 THEN NULL
        ELSE IFNULL(SUM(cost_cached_input), 0) / 1e12 END AS cached_input_usd,
    CASE WHEN SUM(charge AND cost_cache_write IS NULL) > 0 THEN NULL
        ELSE IFNULL(SUM(cost_cache_write), 0) / 1e12 END AS cache_write_usd,
    CASE WHEN SUM(charge AND cost_output IS NULL) > 0 THEN NULL
        ELSE IFNULL(SUM(cost_output), 0) / 1e12 END AS output_usd,
    CASE WHEN SUM(charge AND cost_tools IS NULL) > 0 THEN NULL
        ELSE IFNULL(SUM(cost_tools), 0) / 1e12 END AS tools_usd,
    CASE WHEN SUM(charge AND cost IS NULL) > 0 THEN NULL
        ELSE IFNULL(SUM(cost), 0) / 1e12 END AS total_usd
FROM prices_used
JOIN runs ON runs.id = prices_used.run_id
JOIN model_configs ON model_configs.id = prices_used.model_config_id
LEFT JOIN charged ON charged.run_id = prices_used.run_id
    AND charged.model_config_id = prices_used.model_config_id
GROUP BY prices_used.run_id, prices_used.model_config_id
ORDER BY runs.id, prices_used.position;

CREATE VIEW attempt_details AS
SELECT attempts.id AS attempt, runs.name AS run,
    CASE runs.simulated WHEN 1 THEN 'simulated' ELSE 'real' END AS results,
    items.set_name || '/' || items.name AS item, items.encoded, items.bloat_characters,
    items.step_count, items.domains, model_configs.label AS model, attempts.repeat,
    attempts.outcome, grades.answer, graded.key AS key, grades.near_miss, grades.repaired,
    grades.note, attempts.raw_stop_reason, attempts.error_kind, attempts.error_message,
    attempts.call_count, attempts.started_at, attempts.finished_at
FROM attempts
JOIN runs ON runs.id = attempts.run_id
JOIN items ON items.id = attempts.item_id
JOIN model_configs ON model_configs.id = attempts.model_config_id
LEFT JOIN grades ON grades.id = attempts.grade_id
LEFT JOIN items AS graded ON graded.id = IFNULL(grades.item_id, attempts.item_id);
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


def _statements(script: str) -> list[str]:
    return [part.strip() for part in script.split(";") if part.strip()]


@migrations(name=KNOWN[0])
def _first_tables(db: Database) -> None:
    for statement in _statements(_TABLES):
        db.execute(statement)


@migrations(name=KNOWN[1])
def _first_views(db: Database) -> None:
    for statement in _statements(_VIEWS):
        db.execute(statement)


@migrations(name=KNOWN[2])
def _turns(db: Database) -> None:
    for statement in _statements(_TURNS):
        db.execute(statement)
