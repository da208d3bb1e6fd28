"""The leaderboard of a run: score, interval, hallucination, cost, and all that qualifies them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from relaybench.domain.results import Outcome
from relaybench.reports.leaderboard_notes import leaderboard_notes
from relaybench.reports.model_columns import MODEL, with_interval
from relaybench.reports.run_facts import (
    SIMULATED_COLUMN,
    Simulated,
    cache_rate,
    how_simulated,
    output_tokens,
    pending,
    title,
    tokens,
)
from relaybench.reports.score_cells import (
    best_first,
    cost_cells,
    coverage_cells,
    hallucination_cells,
    score_cells,
)
from relaybench.reports.tables import (
    EXACT_ONLY,
    NARROW,
    PAGE,
    UNKNOWN,
    Column,
    Kind,
    Table,
    Value,
    as_row,
    without_empty,
)
from relaybench.stats import rates
from relaybench.store.plans import RunRow
from relaybench.store.results import ConfigResult

_COLUMNS: Final = (
    SIMULATED_COLUMN,
    MODEL,
    *with_interval("pass_at_1", "Pass@1", mark="incomplete"),
    Column("incomplete", "Incomplete", Kind.FLAG, "whether attempts are open", EXACT_ONLY),
    Column("coverage", "Coverage", Kind.SHARE, "share of planned that is scored", PAGE),
    *with_interval("hallucination", "Halluc."),
    Column("parse_rate", "Parse rate", Kind.SHARE, "parseable share of scored", NARROW),
    Column("planned", "Planned", Kind.WHOLE, "attempts", begins=True),
    Column("scored", "Scored", Kind.WHOLE, "attempts", PAGE),
    Column("correct", "Correct", Kind.WHOLE, "attempts"),
    Column("wrong", "Wrong", Kind.WHOLE, "attempts"),
    Column("unparseable", "Unparseable", Kind.WHOLE, "attempts"),
    Column("refused", "Refused", Kind.WHOLE, "attempts"),
    Column("truncated", "Truncated", Kind.WHOLE, "attempts"),
    Column("stalled", "Stalled", Kind.WHOLE, "attempts"),
    Column("error", "Error", Kind.WHOLE, "attempts"),
    Column("pending", "Pending", Kind.WHOLE, "attempts"),
    Column("cost_usd", "Cost ($)", Kind.USD, "USD", NARROW, begins=True),
    Column("cost_per_item_usd", "Per item ($)", Kind.USD, "USD per scored attempt", PAGE),
    Column("cost_per_correct_usd", "Per correct ($)", Kind.USD, "USD per correct answer", PAGE),
    Column(
        "uncached_usd", "Nothing cached ($)", Kind.USD, "USD had nothing been cached", EXACT_ONLY
    ),
    Column("cache_rate", "Cache rate", Kind.SHARE, "share of input tokens from a cache", PAGE),
    Column("input_tokens", "Input", Kind.TOKENS, "tokens", begins=True),
    Column("cached_input_tokens", "Cached input", Kind.TOKENS, "tokens"),
    Column("cache_write_tokens", "Cache write", Kind.TOKENS, "tokens", quiet=True),
    Column("output_tokens", "Output", Kind.TOKENS, "tokens, reasoning included"),
    Column("reasoning_tokens", "Reasoning", Kind.TOKENS, "tokens, part of output", quiet=True),
    Column("retries", "Retries", Kind.WHOLE, "calls", begins=True),
    Column("repaired", "Repaired", Kind.WHOLE, "answers", quiet=True),
    Column("near_misses", "Near misses", Kind.WHOLE, "answers, counted as wrong", quiet=True),
    Column("unreported", "No token counts", Kind.WHOLE, "answers without token counts", quiet=True),
    Column("uncosted", "Unknown cost", Kind.WHOLE, "attempts of unknown cost", quiet=True),
    Column("lost_calls", "Lost calls", Kind.WHOLE, "calls that may have been billed", quiet=True),
    Column("provider", "Provider", Kind.TEXT, begins=True),
    Column("config", "Config", Kind.TEXT, "name in models.toml"),
)
#: Columns that stand only where some model has any.
_OPTIONAL: Final = ("pending",)


def _score(result: ConfigResult) -> rates.ScoreSummary | None:
    return rates.score_summary(
        [[1.0] * correct + [0.0] * (scored - correct) for correct, scored in result.problems]
    )


def _token_cells(result: ConfigResult) -> dict[str, Value]:
    usage = result.usage
    return {
        "cache_rate": cache_rate(result),
        "input_tokens": tokens(usage.input),
        "cached_input_tokens": tokens(usage.cached_input),
        "cache_write_tokens": tokens(usage.cache_write),
        "output_tokens": output_tokens(usage),
        "reasoning_tokens": tokens(usage.reasoning),
    }


def _values(
    result: ConfigResult, score: rates.ScoreSummary | None, how: Simulated
) -> dict[str, Value]:
    correct, wrong = result.count(Outcome.CORRECT), result.count(Outcome.WRONG)
    outcomes: dict[str, Value] = {
        outcome.value: result.count(outcome) for outcome in Outcome if outcome != Outcome.PENDING
    }
    return {
        "simulated": how.of(result.config),
        "model": result.config.label,
        "provider": result.config.provider,
        "config": result.config.name,
        **score_cells(score),
        **coverage_cells(result.scored, result.planned),
        **hallucination_cells(correct, wrong, result.unparsed),
        "planned": result.planned,
        "scored": result.scored,
        **outcomes,
        "pending": pending(result),
        **cost_cells(result.cost.total, result.scored, correct),
        "uncached_usd": UNKNOWN if result.uncached is None else result.uncached,
        **_token_cells(result),
        "retries": result.retries,
        "repaired": result.repaired,
        "near_misses": result.near_misses,
        "unreported": result.unreported,
        "uncosted": result.uncosted,
        "lost_calls": result.lost_calls,
    }


def leaderboard(run: RunRow, results: Sequence[ConfigResult], problems: int | None = None) -> Table:
    """One row a model config, best pass@1 first; ties in plan order, undefined scores last.

    ``results`` are in plan order. Cost per item is the total cost over the scored attempts.
    ``problems``: how many problems the run's items are, in several forms; None where that is
    not asked.
    """
    configs = [result.config for result in results]
    how = how_simulated([run], configs)
    scores = [_score(result) for result in results]
    rows = [_values(result, score, how) for result, score in best_first(results, scores)]
    columns = without_empty(_COLUMNS, rows, _OPTIONAL)
    return Table(
        name="leaderboard",
        title=title("Leaderboard", [run], how),
        columns=columns,
        rows=tuple(as_row(columns, row) for row in rows),
        notes=leaderboard_notes(run, results, scores, problems),
        simulated=how.any,
    )
