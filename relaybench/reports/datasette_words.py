"""What every table, view and column of the results file is, in words for whoever browses it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class TableWords:
    """A table or view: its title, what a row of it is, its columns, and how it is shown.

    ``label`` names the column that stands for a row, ``sort`` that by which rows fall,
    ``facets`` those to filter by, ``sortable`` those of a view that rows may be sorted by; ``size``
    is the rows a page, and lists leave a ``hidden`` one out.
    """

    title: str
    description: str
    columns: Mapping[str, str]
    label: str | None = None
    sort: str | None = None
    facets: tuple[str, ...] = ()
    size: int | None = None
    hidden: bool = False
    sortable: tuple[str, ...] = ()


_TOKENS: Final = {
    "input": "Fresh input at full price (tokens; empty: not reported)",
    "cached_input": "Input read from a cache (tokens; empty: not reported)",
    "cache_write": "Input written to a cache (tokens; empty: not reported)",
    "output": "Output, thinking included (tokens; empty: not reported)",
    "reasoning": "The part of the output that is thinking (tokens; empty: not reported)",
    "cache_write_1h": "The part of the cache writes with the long lifetime (tokens)",
    "unattributed": "What the provider's total holds beyond its parts (tokens), priced as output",
}
_OUTCOME: Final = (
    "What became of it: correct, wrong, unparseable, refused, truncated, stalled (all scored); "
    "error (no answer, open for a retry); pending"
)
_STEPS_RIGHT: Final = "Whether each step's part of the answer is right, by label (JSON)"
_PICO: Final = "(10^-12 USD; empty: unknown)"
_PRICES: Final = "Prices by prompt length, USD per million tokens, and tool fees (JSON)"

TABLES: Final[Mapping[str, TableWords]] = {
    "runs": TableWords(
        "Runs",
        "A run is a frozen plan: items x model configs x repeats.",
        {
            "id": "Number of the run",
            "name": "Name of the run",
            "kind": "run, or import for results that were made elsewhere",
            "simulated": "1 where results are made up by the built-in simulator",
            "repeats": "Attempts planned for each item and model config",
            "strict": "1 where answers are graded without mending slips of their code blocks",
            "budget": "What the run may cost (10^-12 USD; empty: no limit)",
            "created_at": "When the plan was frozen (UTC)",
            "version": "Version of relaybench that made it",
        },
        label="name",
        sort="id",
        facets=("kind", "simulated"),
    ),
    "items": TableWords(
        "Items",
        "An item is one frozen version of a composite: the exact prompt and its answer key.",
        {
            "id": "Number of the item",
            "digest": "SHA-256 of set, name, prompt and key",
            "set_name": "Set that it belongs to",
            "name": "Name of the composite",
            "kind": "composite, single (one subproblem alone) or imported (made elsewhere)",
            "step_count": "Steps of the composite",
            "domains": "Domains of its steps (JSON)",
            "encoded": "1 where the prompt is written in the nonce code",
            "encoding_seed": "Seed of the code; empty where there is none",
            "bloat_characters": "Length of the irrelevant context before the problem (characters)",
            "substitutions": "Tokens that were replaced by codes",
            "dictionary_size": "Entries in the code's dictionary",
            "characters": "Length of the prompt (characters)",
            "estimated_tokens": "Estimated length of the prompt (tokens)",
            "prompt_sha256": "SHA-256 of the prompt alone",
            "created_at": "When it was frozen (UTC)",
            "separator": "What stands between the parts of the final answer",
            "steps": "Steps with their answers and wiring (JSON): holds the key",
            "key": "The only right answer",
            "prompt": "The text sent, byte for byte",
        },
        label="name",
        facets=("set_name", "kind", "encoded"),
        size=10,
    ),
    "model_configs": TableWords(
        "Model configs",
        "A model with its settings: two efforts of one model are two configs.",
        {
            "id": "Number of the config",
            "digest": "SHA-256 of everything that makes it another config",
            "name": "Name in models.toml",
            "label": "How tables call it",
            "provider": "Provider, or simulated",
            "model": "The provider's id of the model",
            "effort": "Thinking effort; empty for the provider's default",
            "tools": "Server tools that are on (JSON)",
            "harness": "How it is asked: single, persistent, or imported where that is not known",
            "base_url": "Address, where it is not the provider's own",
            "key_env": "Name of the environment variable that holds the key, never the key",
            "max_output_tokens": "Limit of the output (tokens; empty: the provider's)",
            "concurrency": "Calls at a time",
            "timeout_s": "Longest time of a call (seconds)",
            "idle_timeout_s": "Longest silence of a call (seconds)",
            "options": "Further settings (JSON)",
            "simulated": "1 where answers are made up by the built-in simulator",
            "instructions": "System text sent with every prompt",
            "blocked_domains": "What is kept out of web searches (JSON)",
            "max_continuations": "How often a paused turn is continued",
            "max_nudges": "How often the persistent harness goes on",
            "nudge": "What the persistent harness says",
        },
        label="label",
        facets=("provider", "harness"),
    ),
    "attempts": TableWords(
        "Attempts",
        "One cell of a run: an item, a model config, a repeat. Money is in 10^-12 USD; the view "
        "attempt_details says the same in words.",
        {
            "id": "Number of the attempt",
            "run_id": "Its run",
            "item_id": "Its item",
            "model_config_id": "Its model config",
            "repeat": "Which repeat, from 0",
            "outcome": _OUTCOME,
            "answered": "1 once an answer is stored",
            "grade_id": "The grade that counts",
            "started_at": "When it was begun (UTC)",
            "finished_at": "When it ended (UTC)",
            "call_count": "HTTP calls, retries and continuations included",
            "stop_reason": "Why the model stopped, in our words",
            "raw_stop_reason": "Why the model stopped, in the provider's word",
            "served_model": "Model that answered, in the provider's word",
            "error_kind": "Kind of error",
            **_TOKENS,
            "cost_input": f"Cost of fresh input {_PICO}",
            "cost_cached_input": f"Cost of cached input {_PICO}",
            "cost_cache_write": f"Cost of cache writes {_PICO}",
            "cost_output": f"Cost of the output {_PICO}",
            "cost_tools": f"Fees of server tools {_PICO}",
            "error_message": "What the provider said of the error",
            "cost_uncached": f"What it would have cost had nothing been cached {_PICO}",
            "turn_count": "Turns that another one followed",
        },
        sort="id",
        facets=("outcome", "run_id", "model_config_id"),
    ),
    "calls": TableWords(
        "Calls",
        "One HTTP call of an attempt; retries and continuations are calls of their own. Its last "
        "columns are long: look at one call at a time.",
        {
            "id": "Number of the call",
            "attempt_id": "Its attempt",
            "number": "Which call of the attempt, from 1",
            "status": "sent, answered, failed, or lost (its process died before an answer came)",
            "started_at": "When it was sent (UTC)",
            "finished_at": "When it ended (UTC)",
            "http_status": "HTTP status",
            "response_id": "The provider's id of the response",
            "error_kind": "Kind of error",
            "error_type": "The provider's type of the error",
            "error_code": "The provider's code of the error",
            "retry_after_s": "How long the provider asked to wait (seconds)",
            "wait_s": "How long was waited before the next call (seconds)",
            **_TOKENS,
            "tool_fees": "Billed uses of server tools, by tool (JSON)",
            "settings_sent": "Settings that the request really carried (JSON)",
            "error_message": "What the provider said of the error",
            "refusal": "The refusal, where there is one",
            "text": "All visible text of the response",
            "answer_text": "The part that gives the answer, where that is not all of it",
            "thinking": "Thinking, as far as the provider shows it",
            "request_json": "The request as it was sent, without secrets",
            "response_raw": "The response as it came, without secrets",
        },
        sort="id",
        facets=("status", "error_kind"),
        size=5,
    ),
    "grades": TableWords(
        "Grades",
        "Verdicts on attempts. Grading again adds a row and keeps the old one; the attempt says "
        "which counts.",
        {
            "id": "Number of the grade",
            "attempt_id": "The attempt",
            "item_id": "The version of the item whose key it was graded against",
            "created_at": "When it was graded (UTC)",
            "outcome": _OUTCOME,
            "extractor": "What found the answer in the text, and its version",
            "strict": "1 where no slip of a code block was mended",
            "repaired": "1 where a slip of a code block was mended",
            "near_miss": "1 where the answer is wrong only by case, white space or the like",
            "span_start": "Where the answer begins in the text (characters from 0)",
            "span_end": "Where the answer ends in the text (characters, exclusive)",
            "steps": _STEPS_RIGHT,
            "note": "Why this verdict",
            "answer": "The answer that was found",
        },
        sort="id",
        facets=("outcome", "extractor"),
    ),
    "tool_events": TableWords(
        "Uses of tools",
        "One use of a server tool in a call.",
        {
            "call_id": "The call",
            "number": "Which use in the call, from 0",
            "kind": "Kind of tool",
            "status": "How it went",
            "detail": "The query, address or code",
        },
        facets=("kind", "status"),
    ),
    "run_items": TableWords(
        "Items of runs",
        "Which items a run has, in its order.",
        {"run_id": "The run", "item_id": "The item", "position": "Place in the run, from 0"},
    ),
    "prices_used": TableWords(
        "Prices of runs",
        "The model configs of a run, in its order, with the prices that it is charged by.",
        {
            "run_id": "The run",
            "model_config_id": "The model config",
            "position": "Place in the run, from 0",
            "as_of": "Day on which the prices were read",
            "source": "Where the prices were read",
            "prices": _PRICES,
            "estimate_low": f"Expected cost before the run, low end {_PICO}",
            "estimate_high": f"Expected cost before the run, high end {_PICO}",
            "estimate_basis": "What the estimate rests on",
        },
    ),
    "replaced_prices": TableWords(
        "Replaced prices",
        "Prices that a run was charged by before it was priced again.",
        {
            "id": "Number of the entry",
            "run_id": "The run",
            "model_config_id": "The model config",
            "replaced_at": "When they were replaced (UTC)",
            "as_of": "Day on which the prices were read",
            "source": "Where the prices were read",
            "prices": _PRICES,
            "cost": f"What the run cost by them {_PICO}",
        },
        sort="id",
    ),
    "turns": TableWords(
        "Continued calls",
        "Calls whose response another one followed in the same attempt.",
        {"call_id": "The call", "nudge": "What was said to go on; empty: continued verbatim"},
    ),
    "handles": TableWords(
        "Background work",
        "Work that goes on at a provider after the call that began it.",
        {
            "call_id": "The call",
            "handle": "The provider's name of the work",
            "state": "open (may still be asked for), passed (a later call asks for it) or ended",
        },
        hidden=True,
    ),
    "unbilled_calls": TableWords(
        "Unbilled calls",
        "Answered calls that the provider says it does not charge for.",
        {"call_id": "The call"},
        hidden=True,
    ),
    "maybe_billed_calls": TableWords(
        "Calls that may be billed",
        "Failed calls that the provider may have billed.",
        {"call_id": "The call"},
        hidden=True,
    ),
    "triage_marks": TableWords(
        "Triage",
        "Marks that people put on attempts. The newest of an attempt counts, and none changes an "
        "outcome.",
        {
            "id": "Number of the mark",
            "attempt_id": "The attempt",
            "fault": "Whose fault it is: extractor, key or model; clear takes earlier marks back",
            "note": "What was noted",
            "created_at": "When it was put (UTC)",
        },
        sort="id",
        facets=("fault",),
    ),
    "pings": TableWords(
        "Pings",
        "The last ping of each model config: one tiny prompt that tries key and settings. They are "
        "no results.",
        {
            "digest": "Hash of what makes the config another config",
            "name": "Its name in models.toml",
            "pinged_at": "When it was sent (UTC)",
            "ok": "1 where the model took its settings and answered",
            "outcome": "What came of it, in words",
            "seconds": "How long it took in seconds, NULL where nothing was sent",
            "cost": "What it cost in picodollars, NULL where that is unknown",
        },
        sort="name",
    ),
    "given_costs": TableWords(
        "Costs that were told",
        "Calls whose cost a person told, where an answer was pasted by hand.",
        {"call_id": "The call"},
        hidden=True,
    ),
    "_sqlite_migrations": TableWords(
        "Changes of the tables",
        "What was done to the tables of this file, oldest first.",
        {
            "id": "Number of the change",
            "migration_set": "Whose tables",
            "name": "Name of the change",
            "applied_at": "When it was done (UTC)",
        },
        hidden=True,
    ),
}
