"""What a run came to, read back as typed rows: counts, tokens and money per model config.

No query here reads a prompt or a response.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

from relaybench.domain.completion import Usage
from relaybench.domain.item import Form, ItemKind, form_of
from relaybench.domain.model import ModelConfig
from relaybench.domain.money import FREE, ZERO, Cost
from relaybench.domain.results import Outcome
from relaybench.store.config_counts import (
    ConfigCounts,
    attempted_items,
    config_counts,
    served_by_others,
)
from relaybench.store.cost_facts import CostFacts, cost_facts
from relaybench.store.database import Connection
from relaybench.store.known_costs import known_of_unknown
from relaybench.store.outlines import RunOutline
from relaybench.store.plans import Plans, RunRow, StoredPlan
from relaybench.store.spending import Unsaved
from relaybench.store.text import unpack, unpack_or_none
from relaybench.store.values import COST_COLUMNS, USAGE_COLUMNS, usage_of, usd


@dataclass(frozen=True, slots=True)
class ConfigResult:
    """One model config's results in one run.

    ``problems`` holds for every item with scored attempts (correct, scored). ``cost`` sums the
    charged attempts; ``uncosted`` says how many of them have an unknown part (then the total is
    unknown), ``unreported`` how many answers came without token counts. ``lost_calls`` are calls
    whose process died before an answer came: they may have been billed. ``uncached`` is what the
    charged attempts would have cost had nothing been cached, ``facts`` what else is to be said.
    """

    config: ModelConfig
    planned: int
    outcomes: Mapping[Outcome, int]
    problems: tuple[tuple[int, int], ...]
    usage: Usage
    cost: Cost
    uncosted: int
    unreported: int
    retries: int
    lost_calls: int
    repaired: int
    near_misses: int
    uncached: Decimal | None = None
    #: What is known of the cost: the known buckets of every call, in USD.
    known: Decimal = ZERO
    facts: CostFacts = field(default_factory=CostFacts)
    #: Answers by the model that gave them, where it is another than was asked for.
    others: Mapping[str, int] = field(default_factory=dict)

    def count(self, outcome: Outcome) -> int:
        """How many attempts have that outcome."""
        return self.outcomes.get(outcome, 0)

    @property
    def scored(self) -> int:
        """How many attempts count in pass@1."""
        return sum(count for outcome, count in self.outcomes.items() if outcome.scored)

    @property
    def unparsed(self) -> int:
        """How many scored attempts have no parseable answer."""
        return sum(
            count
            for outcome, count in self.outcomes.items()
            if outcome.scored and not outcome.parseable
        )


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """One attempt for lists and exports: no prompt and no response. Money in USD, None: unknown."""

    id: int
    item: str
    item_digest: str
    prompt_sha256: str
    step_count: int
    domains: tuple[str, ...]
    encoded: bool
    bloat_characters: int
    model: str
    config_name: str
    config_digest: str
    repeat: int
    outcome: Outcome
    answer: str | None
    key: str
    near_miss: bool
    repaired: bool
    steps: Mapping[str, bool | None]
    note: str
    raw_stop_reason: str | None
    error_kind: str | None
    error_message: str | None
    calls: int
    started_at: str
    finished_at: str | None
    usage: Usage
    cost: Decimal | None
    #: Whether it was made elsewhere: prompt, steps and form of its item are not known.
    imported: bool = False
    served_model: str | None = None

    @property
    def form(self) -> Form | None:
        """The form of its item; None where it was asked elsewhere."""
        return form_of(
            encoded=self.encoded,
            bloat_characters=self.bloat_characters,
            imported=self.imported,
        )


_ATTEMPTS = """
SELECT attempts.*, items.set_name, items.name AS item_name, items.digest AS item_digest,
    items.prompt_sha256, items.kind AS item_kind,
    items.step_count, items.domains, items.encoded, items.bloat_characters,
    model_configs.name AS config_name,
    model_configs.digest AS config_digest, grades.answer AS answer,
    graded.key AS key, grades.near_miss AS near_miss, grades.repaired AS repaired,
    grades.steps AS grade_steps, grades.note AS note
FROM attempts
JOIN items ON items.id = attempts.item_id
JOIN prices_used ON prices_used.run_id = attempts.run_id
    AND prices_used.model_config_id = attempts.model_config_id
JOIN model_configs ON model_configs.id = attempts.model_config_id
LEFT JOIN grades ON grades.id = attempts.grade_id
LEFT JOIN items AS graded ON graded.id = IFNULL(grades.item_id, attempts.item_id)
WHERE attempts.run_id = :run AND attempts.item_id = :item AND {condition}
ORDER BY prices_used.position, attempts.repeat
"""

_ITEM_IDS = """
SELECT item_id, set_name, name FROM run_items JOIN items ON items.id = item_id
WHERE run_id = ? ORDER BY position
"""


class Results:
    """Read a run's results."""

    def __init__(self, connection: Connection) -> None:
        self._on = connection

    def by_config(
        self, plan: StoredPlan | RunOutline, unsaved: Unsaved | None = None
    ) -> list[ConfigResult]:
        """Results of every model config of a run, in the plan's order.

        ``unsaved`` are the run's ``unsaved_calls`` where they have been read already.
        """
        counts = config_counts(self._on, plan.run.id)
        facts = cost_facts(self._on, plan, unsaved)
        whole = plan.run.items * plan.run.repeats
        found = []
        for digest, config in plan.configs.items():
            count = counts.get(config_id := plan.config_ids[digest], ConfigCounts())
            planned = whole
            if plan.run.kind == "import":
                # Nothing of it will ever be sent. But who lacks whole items was not asked what
                # the others were asked, so that each of those counts as one attempt not made.
                absent = plan.run.items - attempted_items(self._on, plan.run.id, config_id)
                planned = sum(count.outcomes.values()) + absent
            others = served_by_others(self._on, plan.run.id, config_id, config, count.sums)
            result = _config_result(config, planned, count, facts.get(digest, CostFacts()), others)
            if result.uncosted and config.prices is not None:
                more = known_of_unknown(self._on, plan.run.id, config_id, config.prices)
                result = replace(result, known=result.known + more)
            found.append(result)
        return found

    def attempts(
        self,
        run: RunRow,
        outcome: Outcome | None = None,
        items: Collection[str] = (),
        config: int | None = None,
    ) -> Iterator[AttemptRow]:
        """A run's attempts in the plan's order, one by one in flat memory.

        Those with one outcome, at the items of some names (``set/name``), or of one model config
        (row id), where any is given.
        """
        values: dict[str, object] = {}
        conditions = ["TRUE"]
        if outcome:
            values["outcome"] = outcome.value
            conditions.append("attempts.outcome = :outcome")
        if config is not None:
            values["config"] = config
            conditions.append("attempts.model_config_id = :config")
        condition = " AND ".join(conditions)
        for row, label in in_plan_order(self._on, run, condition, values, items):
            yield attempt_row(row, label)


def in_plan_order(
    connection: Connection,
    run: RunRow,
    condition: str,
    values: Mapping[str, object],
    items: Collection[str] = (),
) -> Iterator[tuple[sqlite3.Row, str]]:
    """Rows of a run's attempts for ``attempt_row``, and the label of each one's config.

    ``condition`` is SQL on ``attempts``, with ``values`` for its parameters; ``items`` are names
    (``set/name``) to keep to, where any is given. The attempts are read one by one in flat
    memory, item after item: SQLite would sort all of them before the first.
    """
    configs = Plans(connection).configs(run.id)
    labels = {digest: config.label for digest, config in configs.items()}
    sql = _ATTEMPTS.format(condition=condition)
    for number, set_name, name in connection.rows(_ITEM_IDS, (run.id,)):
        if items and f"{unpack(set_name)}/{unpack(name)}" not in items:
            continue
        for row in connection.each(sql, {**values, "run": run.id, "item": number}):
            yield row, labels[row["config_digest"]]


def _config_result(
    config: ModelConfig,
    planned: int,
    count: ConfigCounts,
    facts: CostFacts,
    others: Mapping[str, int],
) -> ConfigResult:
    sums = count.sums
    if sums is None:
        return ConfigResult(
            config, planned, {}, (), Usage(), FREE, 0, 0, 0, 0, 0, 0, ZERO, ZERO, facts
        )
    costs = [None if sums[f"no_{name}"] else usd(sums[name] or 0) for name in COST_COLUMNS]
    return ConfigResult(
        config=config,
        planned=planned,
        outcomes=count.outcomes,
        problems=count.problems,
        usage=usage_of(sums),
        cost=Cost(*costs),
        uncosted=sums["uncosted"],
        unreported=sums["unreported"],
        retries=sums["retries"],
        lost_calls=count.lost_calls,
        repaired=count.repaired,
        near_misses=count.near_misses,
        uncached=None if sums["no_cost_uncached"] else usd(sums["cost_uncached"] or 0),
        known=sum((usd(sums[name]) or ZERO for name in COST_COLUMNS), ZERO),
        facts=facts,
        others=others,
    )


def attempt_row(columns: sqlite3.Row, label: str) -> AttemptRow:
    """An AttemptRow from the columns of the attempts query; ``label`` is its model's in the run."""
    # A Row goes through all its names for each that is asked for.
    row = dict(zip(columns.keys(), columns, strict=True))
    costs = [row[name] for name in COST_COLUMNS]
    used = row["answered"] or row["turn_count"]
    used = used or any(row[name] is not None for name in USAGE_COLUMNS)
    total = None if any(each is None for each in costs) else usd(sum(costs))
    return AttemptRow(
        id=row["id"],
        item=f"{unpack(row['set_name'])}/{unpack(row['item_name'])}",
        item_digest=row["item_digest"],
        prompt_sha256=row["prompt_sha256"],
        step_count=row["step_count"],
        domains=tuple(json.loads(row["domains"])),
        encoded=bool(row["encoded"]),
        bloat_characters=row["bloat_characters"],
        model=label,
        config_name=row["config_name"],
        config_digest=row["config_digest"],
        repeat=row["repeat"],
        outcome=Outcome(row["outcome"]),
        answer=unpack_or_none(row["answer"]),
        key=unpack(row["key"]),
        near_miss=bool(row["near_miss"]),
        repaired=bool(row["repaired"]),
        steps=json.loads(row["grade_steps"] or "{}"),
        note=unpack(row["note"]),
        raw_stop_reason=unpack_or_none(row["raw_stop_reason"]),
        error_kind=row["error_kind"],
        error_message=unpack_or_none(row["error_message"]),
        calls=row["call_count"],
        started_at=row["started_at"],
        finished_at=row["finished_at"],
        usage=usage_of(row),
        cost=total if used else ZERO,
        imported=row["item_kind"] == ItemKind.IMPORTED,
        served_model=unpack_or_none(row["served_model"]),
    )
