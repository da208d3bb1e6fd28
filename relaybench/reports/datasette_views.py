"""What the views of the results file are, in words: the same results, ready to be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from relaybench.reports.datasette_words import TableWords

_RESULTS: Final = "real, or simulated: made up by the built-in simulator"
_LEADERBOARD: Final = {
    "run": "Name of the run",
    "results": _RESULTS,
    "model": "Model config",
    "planned": "Attempts planned",
    "scored": "Attempts with an answer, or a model's failure to give one",
    "correct": "Correct answers",
    "wrong": "Answers that were read and differ from the key",
    "unparseable": "Answers without a final code block",
    "refused": "Refusals and safety stops",
    "truncated": "Answers cut off by an output or context limit",
    "stalled": "Attempts stopped by a limit on continuations or tools",
    "error": "Attempts without an answer, open for a retry and not scored",
    "share_correct": "correct / scored (0 to 1): pass@1 where all items have as many attempts",
    "hallucination_rate": "wrong / (correct + wrong) (0 to 1)",
    "retries": "Calls beyond those that the attempts needed",
}
_COSTS: Final = {
    "run": "Name of the run",
    "results": _RESULTS,
    "model": "Model config",
    "input_tokens": "Fresh input (tokens)",
    "cached_input_tokens": "Input read from a cache (tokens)",
    "cache_write_tokens": "Input written to a cache (tokens)",
    "output_tokens": "Output, thinking included (tokens)",
    "input_usd": "Cost of fresh input (USD; empty: unknown)",
    "cached_input_usd": "Cost of cached input (USD; empty: unknown)",
    "cache_write_usd": "Cost of cache writes (USD; empty: unknown)",
    "output_usd": "Cost of the output (USD; empty: unknown)",
    "tools_usd": "Fees of server tools (USD; empty: unknown)",
    "total_usd": "Cost of all (USD; empty: unknown)",
    "uncached_usd": "What it would have cost had nothing been cached (USD; empty: unknown)",
    "cache_rate": "Share of the input tokens that came from a cache (0 to 1)",
    "estimate_low_usd": "Expected cost before the run, low end (USD)",
    "estimate_high_usd": "Expected cost before the run, high end (USD)",
}

VIEWS: Final[Mapping[str, TableWords]] = {
    "leaderboard": TableWords(
        "Leaderboard",
        "One row a run and model config: attempts by outcome, and the share of correct ones.",
        _LEADERBOARD,
        sort="share_correct",
        facets=("run", "results"),
        sortable=tuple(_LEADERBOARD),
    ),
    "costs": TableWords(
        "Costs",
        "One row a run and model config: tokens and USD.",
        _COSTS,
        sort="total_usd",
        facets=("run", "results"),
        sortable=tuple(_COSTS),
    ),
    "attempt_details": TableWords(
        "Attempts in words",
        "One row an attempt: item, model, outcome, answer and key.",
        {
            "attempt": "Number of the attempt",
            "run": "Name of the run",
            "results": _RESULTS,
            "item": "Item: set/composite",
            "encoded": "1 where the prompt is written in the nonce code",
            "bloat_characters": "Length of the irrelevant context before the problem (characters)",
            "step_count": "Steps of the composite",
            "domains": "Domains of its steps (JSON)",
            "model": "Model config",
            "repeat": "Which repeat, from 0",
            "outcome": "What became of it",
            "answer": "The answer that was found",
            "key": "The right answer that it was graded against",
            "near_miss": "1 where the answer is wrong only by case, white space or the like",
            "repaired": "1 where a slip of the answer's code block was mended",
            "note": "Why this verdict",
            "raw_stop_reason": "Why the model stopped, in the provider's word",
            "error_kind": "Kind of error",
            "error_message": "What the provider said of the error",
            "call_count": "HTTP calls, retries and continuations included",
            "started_at": "When it was begun (UTC)",
            "finished_at": "When it ended (UTC)",
            "triage": "Whose fault it is by a person's mark: extractor, key or model; it changes "
            "no outcome",
            "triage_note": "What that person noted",
        },
        facets=("run", "model", "outcome"),
        size=50,
        sortable=("attempt", "item", "model", "outcome", "started_at"),
    ),
}
