"""Views for whoever opens the results file with plain SQL: money in USD, NULL where unknown.

A script that has been released never changes; a later one drops its views and makes new ones.
"""

from __future__ import annotations

FIRST_VIEWS = """
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

# A turn that another one follows is no retry; what it used is charged before the answer is there.
VIEWS_OF_TURNS = """
DROP VIEW leaderboard;
DROP VIEW costs;

CREATE VIEW leaderboard AS
WITH counts AS (
    SELECT run_id, model_config_id, COUNT(*) AS attempted,
        SUM(outcome IN ('correct','wrong','unparseable','refused','truncated','stalled')) AS scored,
        SUM(outcome = 'correct') AS correct, SUM(outcome = 'wrong') AS wrong,
        SUM(outcome = 'unparseable') AS unparseable, SUM(outcome = 'refused') AS refused,
        SUM(outcome = 'truncated') AS truncated, SUM(outcome = 'stalled') AS stalled,
        SUM(outcome = 'error') AS error,
        SUM(MAX(call_count - turn_count - 1, 0)) AS retries
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
    SELECT *, answered = 1 OR turn_count > 0 OR COALESCE(input, cached_input, cache_write, output,
            reasoning, cache_write_1h, unattributed) IS NOT NULL AS charge,
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
        ELSE IFNULL(SUM(cost), 0) / 1e12 END AS total_usd,
    CASE WHEN SUM(charge AND cost_uncached IS NULL) > 0 THEN NULL
        ELSE IFNULL(SUM(cost_uncached), 0) / 1e12 END AS uncached_usd,
    CAST(SUM(cached_input) AS REAL)
        / NULLIF(SUM(input) + SUM(cached_input) + IFNULL(SUM(cache_write), 0), 0) AS cache_rate,
    estimate_low / 1e12 AS estimate_low_usd, estimate_high / 1e12 AS estimate_high_usd
FROM prices_used
JOIN runs ON runs.id = prices_used.run_id
JOIN model_configs ON model_configs.id = prices_used.model_config_id
LEFT JOIN charged ON charged.run_id = prices_used.run_id
    AND charged.model_config_id = prices_used.model_config_id
GROUP BY prices_used.run_id, prices_used.model_config_id
ORDER BY runs.id, prices_used.position;
"""

# The newest mark of an attempt counts; one that takes the others back shows as none.
VIEW_OF_TRIAGE = """
DROP VIEW attempt_details;

CREATE VIEW attempt_details AS
SELECT attempts.id AS attempt, runs.name AS run,
    CASE runs.simulated WHEN 1 THEN 'simulated' ELSE 'real' END AS results,
    items.set_name || '/' || items.name AS item, items.encoded, items.bloat_characters,
    items.step_count, items.domains, model_configs.label AS model, attempts.repeat,
    attempts.outcome, grades.answer, graded.key AS key, grades.near_miss, grades.repaired,
    grades.note, attempts.raw_stop_reason, attempts.error_kind, attempts.error_message,
    attempts.call_count, attempts.started_at, attempts.finished_at,
    NULLIF(triage_marks.fault, 'clear') AS triage,
    CASE triage_marks.fault WHEN 'clear' THEN NULL ELSE triage_marks.note END AS triage_note
FROM attempts
JOIN runs ON runs.id = attempts.run_id
JOIN items ON items.id = attempts.item_id
JOIN model_configs ON model_configs.id = attempts.model_config_id
LEFT JOIN grades ON grades.id = attempts.grade_id
LEFT JOIN items AS graded ON graded.id = IFNULL(grades.item_id, attempts.item_id)
LEFT JOIN triage_marks ON triage_marks.id =
    (SELECT MAX(id) FROM triage_marks AS newest WHERE newest.attempt_id = attempts.id);
"""
