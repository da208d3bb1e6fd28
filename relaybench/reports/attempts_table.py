"""The attempts of a run, one a row; keys, answers and what quotes them only where asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from relaybench.domain.model import ModelConfig
from relaybench.reports.run_facts import (
    SIMULATED_COLUMN,
    how_simulated,
    output_tokens,
    simulated_notes,
    title,
    tokens,
)
from relaybench.reports.tables import (
    NARROW,
    NOT_REPORTED,
    PAGE,
    UNKNOWN,
    Column,
    Kind,
    Missing,
    Row,
    Table,
    Value,
    as_row,
)
from relaybench.store.plans import RunRow
from relaybench.store.results import AttemptRow

_COLUMNS: Final = (
    SIMULATED_COLUMN,
    Column("attempt", "Attempt", Kind.WHOLE, "number in the results file", NARROW),
    Column("item", "Item", Kind.TEXT, "set/composite", NARROW),
    # Not the item's own hash: a short key could be guessed from it once the prompt is known.
    Column("prompt_sha256", "Prompt hash", Kind.TEXT, "SHA-256 of the text sent"),
    Column("steps", "Steps", Kind.WHOLE, "steps of the composite"),
    Column("domains", "Domains", Kind.TEXT),
    Column("encoded", "Encoded", Kind.FLAG),
    Column("bloat_characters", "Bloat", Kind.WHOLE, "characters"),
    Column("model", "Model", Kind.TEXT, "", NARROW, mark="simulated"),
    Column("config", "Config", Kind.TEXT, "name in models.toml"),
    Column("config_sha256", "Config hash", Kind.TEXT, "SHA-256 of the model config"),
    Column("repeat", "Repeat", Kind.WHOLE, "from 0", NARROW),
    Column("outcome", "Outcome", Kind.TEXT, "", NARROW),
    Column("near_miss", "Near miss", Kind.FLAG, "", PAGE),
    Column("repaired", "Repaired", Kind.FLAG, "", PAGE),
    Column("steps_right", "Steps right", Kind.TEXT, "by label; ? where it cannot be told"),
    Column("stop_reason", "Stop reason", Kind.TEXT, "the provider's word"),
    Column("error", "Error", Kind.TEXT, "kind of error", PAGE),
    Column("calls", "Calls", Kind.WHOLE, "HTTP calls"),
    Column("started_at", "Started", Kind.TEXT, "UTC"),
    Column("finished_at", "Finished", Kind.TEXT, "UTC"),
    Column("input_tokens", "Input", Kind.TOKENS, "tokens"),
    Column("cached_input_tokens", "Cached input", Kind.TOKENS, "tokens"),
    Column("cache_write_tokens", "Cache write", Kind.TOKENS, "tokens"),
    Column("output_tokens", "Output", Kind.TOKENS, "tokens, reasoning included"),
    Column("reasoning_tokens", "Reasoning", Kind.TOKENS, "tokens, part of output"),
    Column("cost_usd", "Cost ($)", Kind.USD, "USD", NARROW),
)
_WITH_ANSWERS: Final = (
    Column("answer", "Answer", Kind.TEXT, "as extracted"),
    Column("key", "Key", Kind.TEXT, "the right answer"),
    Column("note", "Note", Kind.TEXT, "why this verdict"),
    Column("error_message", "Error message", Kind.TEXT),
)
#: What a stop reason looks like that is a word of a protocol and not a quotation.
_PROTOCOL_WORD: Final = re.compile(r"[A-Za-z_]{1,40}")
_HIDDEN: Final = Missing("hidden")
_NO_ANSWER: Final = Missing("no answer")
_NONE: Final = Missing("none")
#: Of an item that was made elsewhere only name, key and domains are known.
_IMPORTED: Final = Missing("not known: imported")


def attempt_columns(with_answers: bool = False) -> tuple[Column, ...]:
    """The columns of attempts; those with keys, answers, notes and messages only where asked."""
    return _COLUMNS + _WITH_ANSWERS if with_answers else _COLUMNS


def attempt_rows(
    run: RunRow,
    attempts: Iterable[AttemptRow],
    *,
    with_answers: bool = False,
    configs: Mapping[str, ModelConfig] | None = None,
) -> Iterator[Row]:
    """Rows for ``attempt_columns``, one by one in flat memory.

    ``configs`` by digest (``StoredPlan.configs``) tells simulated models from real ones in a run
    of both; without it a simulated run's attempts all count as simulated.
    """
    columns = attempt_columns(with_answers)
    known = configs or {}
    how = how_simulated([run], known.values())
    for attempt in attempts:
        simulated = how.of(known.get(attempt.config_digest))
        yield as_row(columns, _values(attempt, simulated, with_answers))


def _values(attempt: AttemptRow, simulated: bool, with_answers: bool) -> dict[str, Value]:
    values: dict[str, Value] = {
        "simulated": simulated,
        "attempt": attempt.id,
        "item": attempt.item,
        "prompt_sha256": _IMPORTED if attempt.imported else attempt.prompt_sha256,
        "steps": _IMPORTED if attempt.imported else attempt.step_count,
        "domains": ", ".join(attempt.domains),
        "encoded": _IMPORTED if attempt.imported else attempt.encoded,
        "bloat_characters": _IMPORTED if attempt.imported else attempt.bloat_characters,
        "model": attempt.model,
        "config": attempt.config_name,
        "config_sha256": attempt.config_digest,
        "repeat": attempt.repeat,
        "outcome": attempt.outcome.value,
        "near_miss": attempt.near_miss,
        "repaired": attempt.repaired,
        "steps_right": _steps(attempt.steps),
        "stop_reason": shown_stop_reason(attempt.raw_stop_reason, with_answers),
        "error": attempt.error_kind or _NONE,
        "calls": attempt.calls,
        "started_at": attempt.started_at,
        "finished_at": attempt.finished_at or _NONE,
        "input_tokens": tokens(attempt.usage.input),
        "cached_input_tokens": tokens(attempt.usage.cached_input),
        "cache_write_tokens": tokens(attempt.usage.cache_write),
        "output_tokens": output_tokens(attempt.usage),
        "reasoning_tokens": NOT_REPORTED
        if attempt.usage.reasoning is None
        else attempt.usage.reasoning,
        "cost_usd": UNKNOWN if attempt.cost is None else attempt.cost,
    }
    if with_answers:
        values["answer"] = _NO_ANSWER if attempt.answer is None else attempt.answer
        values["key"] = attempt.key
        values["note"] = attempt.note
        values["error_message"] = attempt.error_message or ""
    return values


def _steps(steps: Mapping[str, bool | None]) -> str:
    words = {True: "right", False: "wrong", None: "?"}
    return ", ".join(f"{label}: {words[right]}" for label, right in steps.items())


def shown_stop_reason(raw: str | None, with_answers: bool) -> str | Missing:
    """A provider's word for why it stopped; hidden where it may quote a response, unless asked."""
    if raw is None:
        return _NONE
    # Some servers put the matched stop string here, which is a piece of the response.
    return raw if with_answers or _PROTOCOL_WORD.fullmatch(raw) else _HIDDEN


def attempts_table(
    run: RunRow,
    attempts: Iterable[AttemptRow],
    *,
    with_answers: bool = False,
    configs: Mapping[str, ModelConfig] | None = None,
) -> Table:
    """All attempts as one table; for very many use ``attempt_rows``, which holds one at a time."""
    known = tuple((configs or {}).values())
    how = how_simulated([run], known)
    notes = simulated_notes(how, known)
    if not with_answers:
        notes.append("Keys, answers, notes and error messages are left out.")
    return Table(
        name="attempts",
        title=title("Attempts", [run], how),
        columns=attempt_columns(with_answers),
        rows=tuple(attempt_rows(run, attempts, with_answers=with_answers, configs=configs)),
        notes=tuple(notes),
        simulated=how.any,
    )
