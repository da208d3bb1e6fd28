"""Attempts to choose from, those that went wrong first: what they answered beside the key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from relaybench.domain.results import Outcome
from relaybench.reports.tables import (
    EXACT_ONLY,
    NARROW,
    PAGE,
    UNKNOWN,
    Column,
    Kind,
    Missing,
    Table,
    Value,
    as_row,
)
from relaybench.store.plans import RunRow
from relaybench.store.results import AttemptRow

#: The outcomes in the order in which somebody looks at them.
_ORDER: Final = (
    Outcome.WRONG,
    Outcome.UNPARSEABLE,
    Outcome.REFUSED,
    Outcome.TRUNCATED,
    Outcome.STALLED,
    Outcome.ERROR,
    Outcome.PENDING,
    Outcome.CORRECT,
)
_COLUMNS: Final = (
    Column("attempt", "No.", Kind.WHOLE, "number in the results file", NARROW),
    Column("outcome", "Outcome", Kind.TEXT, "", NARROW),
    Column("run", "Run", Kind.TEXT, "", NARROW, quiet=True),
    Column("item", "Item", Kind.TEXT, "set/composite", NARROW),
    Column("model", "Model", Kind.TEXT, "", NARROW),
    Column("form", "Form", Kind.TEXT, "", NARROW),
    Column("repeat", "Rep.", Kind.WHOLE, "from 1", NARROW),
    Column("answer", "Answer", Kind.TEXT, "as extracted", NARROW),
    Column("key", "Key", Kind.TEXT, "the right answer", NARROW),
    Column("why", "Why", Kind.TEXT, "note or error", NARROW),
    Column("near_miss", "Near miss", Kind.FLAG, "", PAGE, quiet=True),
    Column("cost_usd", "Cost ($)", Kind.USD, "USD", PAGE),
    Column("config", "Config", Kind.TEXT, "name in models.toml", EXACT_ONLY),
)
_ONE_RUN: Final = Missing("")


def attempt_choice(attempts: Sequence[tuple[RunRow, AttemptRow]], of: str) -> Table:
    """A row an attempt; its run stands there where there are several.

    ``of`` says in the title what they have in common: a model or an item.
    """
    ordered = sorted(attempts, key=lambda pair: _ORDER.index(pair[1].outcome))
    runs = {run.id: run for run, _ in attempts}
    made_up = any(run.simulated for run in runs.values())
    title = f"Attempts of {of}" if of else "Attempts"
    rows = [_values(run.name if len(runs) > 1 else None, each) for run, each in ordered]
    # What is the same in every row need not stand in each.
    alike = {key for key in ("item", "model", "form") if len({row[key] for row in rows}) < 2}
    columns = tuple(
        replace(column, level=EXACT_ONLY) if column.key in alike else column for column in _COLUMNS
    )
    return Table(
        name="attempts",
        title=f"{title} (simulated)" if made_up else title,
        columns=columns,
        rows=tuple(as_row(columns, row) for row in rows),
        notes=("Those that went wrong come first.",),
        simulated=made_up,
    )


def _values(run: str | None, each: AttemptRow) -> dict[str, Value]:
    return {
        "attempt": each.id,
        "outcome": each.outcome.value,
        "run": _ONE_RUN if run is None else run,
        "item": each.item,
        "form": Missing("not known") if each.form is None else each.form.value,
        "model": each.model,
        "repeat": each.repeat + 1,
        "answer": Missing("no answer") if each.answer is None else each.answer,
        "key": each.key,
        "why": each.error_message or each.note,
        "near_miss": each.near_miss,
        "cost_usd": UNKNOWN if each.cost is None else each.cost,
        "config": each.config_name,
    }
