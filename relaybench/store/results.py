"""What a run came to, read back as typed rows: counts, tokens and money per model config.

No query here reads a prompt or a response.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from relaybench.domain.completion import Usage
from relaybench.domain.item import ItemKind
from relaybench.domain.model import ModelConfig
from relaybench.domain.model_ids import same_model
from relaybench.domain.money import FREE, ZERO, Cost
from relaybench.domain.results import Outcome
from relaybench.store.cost_facts import CostFacts, cost_facts
from relaybench.store.database import Connection
from relaybench.store.plans import Plans, RunRow, StoredPlan
from relaybench.store.text import unpack, unpack_or_none
from relaybench.store.values import COST_COLUMNS, USAGE_COLUMNS, charged, usage_of, usd


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


_CHARGED = charged("attempts")

_CONFIG_SUMS = f"""
SELECT model_configs.digest AS digest,
    {", ".join(f"SUM(attempts.{name}) AS {name}" for name in USAGE_COLUMNS)},
    {", ".join(f"SUM({name}) AS {name}" for name in COST_COLUMNS)},
    {", ".join(f"SUM({_CHARGED} AND {name} IS NULL) AS no_{name}" for name in COST_COLUMNS)},
    SUM({_CHARGED} AND
        cost_input + cost_cached_input + cost_cache_write + cost_output + cost_tools IS NULL)
        AS uncosted,
    SUM(cost_uncached) AS cost_uncached,
    SUM({_CHARGED} AND cost_uncached IS NULL) AS no_cost_uncached,
    SUM(answered = 1 AND (attempts.input IS NULL OR attempts.output IS NULL)
        AND attempts.id NOT IN (SELECT attempt_id FROM unbilled_calls
            CROSS JOIN calls ON calls.id = call_id)) AS unreported,
    SUM(MAX(call_count - 1 - turn_count, 0)) AS retries,
    SUM(IFNULL(grades.repaired, 0)) AS repaired,
    SUM(IFNULL(grades.near_miss, 0)) AS near_misses
FROM attempts
JOIN model_configs ON model_configs.id = attempts.model_config_id
LEFT JOIN grades ON grades.id = attempts.grade_id
WHERE attempts.run_id = ? GROUP BY model_configs.digest
"""

_OUTCOMES = """
SELECT model_configs.digest AS digest, outcome, COUNT(*) AS n
FROM attempts JOIN model_configs ON model_configs.id = model_config_id
WHERE run_id = ? GROUP BY model_configs.digest, outcome
"""

_PROBLEMS = """
SELECT model_configs.digest AS digest, SUM(outcome = 'correct') AS correct, COUNT(*) AS scored
FROM attempts JOIN model_configs ON model_configs.id = model_config_id
WHERE run_id = ? AND outcome NOT IN ('error', 'pending')
GROUP BY model_configs.digest, item_id ORDER BY item_id
"""

_SERVED = """
SELECT model_configs.digest AS digest, served_model, COUNT(*) AS n
FROM attempts JOIN model_configs ON model_configs.id = model_config_id
WHERE run_id = ? AND answered = 1 AND served_model IS NOT NULL
GROUP BY model_configs.digest, served_model ORDER BY n DESC, served_model
"""

_LOST = """
SELECT model_configs.digest AS digest, COUNT(*) AS n
FROM calls JOIN attempts ON attempts.id = attempt_id
JOIN model_configs ON model_configs.id = model_config_id
WHERE run_id = ? AND calls.status = 'lost'
    AND NOT EXISTS (SELECT 1 FROM handles WHERE call_id = calls.id AND state = 'passed')
GROUP BY model_configs.digest
"""

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
JOIN run_items ON run_items.run_id = attempts.run_id AND run_items.item_id = attempts.item_id
JOIN prices_used ON prices_used.run_id = attempts.run_id
    AND prices_used.model_config_id = attempts.model_config_id
JOIN model_configs ON model_configs.id = attempts.model_config_id
LEFT JOIN grades ON grades.id = attempts.grade_id
LEFT JOIN items AS graded ON graded.id = IFNULL(grades.item_id, attempts.item_id)
WHERE attempts.run_id = :run AND (:outcome IS NULL OR attempts.outcome = :outcome)
ORDER BY run_items.position, prices_used.position, attempts.repeat
"""


class Results:
    """Read a run's results."""

    def __init__(self, connection: Connection) -> None:
        self._on = connection

    def by_config(self, plan: StoredPlan) -> list[ConfigResult]:
        """Results of every model config of a run, in the plan's order."""
        run = (plan.run.id,)
        sums = {row["digest"]: row for row in self._on.rows(_CONFIG_SUMS, run)}
        lost = {row["digest"]: row["n"] for row in self._on.rows(_LOST, run)}
        facts = cost_facts(self._on, plan)
        outcomes: dict[str, dict[Outcome, int]] = {}
        for row in self._on.rows(_OUTCOMES, run):
            outcomes.setdefault(row["digest"], {})[Outcome(row["outcome"])] = row["n"]
        problems: dict[str, list[tuple[int, int]]] = {}
        for row in self._on.rows(_PROBLEMS, run):
            problems.setdefault(row["digest"], []).append((row["correct"], row["scored"]))
        whole = plan.run.items * plan.run.repeats
        imported = plan.run.kind == "import"  # nothing of it will ever be sent
        others: dict[str, dict[str, int]] = {}
        for row in self._on.rows(_SERVED, run):
            served = unpack(row["served_model"])
            if not same_model(plan.configs[row["digest"]].model, served):
                others.setdefault(row["digest"], {})[served] = row["n"]
        return [
            _config_result(
                config,
                sum(outcomes.get(digest, {}).values()) if imported else whole,
                outcomes.get(digest, {}),
                problems.get(digest, []),
                sums.get(digest),
                lost.get(digest, 0),
                facts.get(digest, CostFacts()),
                others.get(digest, {}),
            )
            for digest, config in plan.configs.items()
        ]

    def attempts(self, run: RunRow, outcome: Outcome | None = None) -> Iterator[AttemptRow]:
        """A run's attempts in the plan's order, one by one in flat memory."""
        wanted = {"run": run.id, "outcome": outcome.value if outcome else None}
        configs = Plans(self._on).configs(run.id)
        for row in self._on.each(_ATTEMPTS, wanted):
            yield attempt_row(row, configs[row["config_digest"]].label)


def _config_result(
    config: ModelConfig,
    planned: int,
    outcomes: Mapping[Outcome, int],
    problems: list[tuple[int, int]],
    sums: sqlite3.Row | None,
    lost: int,
    facts: CostFacts,
    others: Mapping[str, int],
) -> ConfigResult:
    if sums is None:
        return ConfigResult(
            config, planned, outcomes, (), Usage(), FREE, 0, 0, 0, lost, 0, 0, ZERO, facts
        )
    known = [None if sums[f"no_{name}"] else usd(sums[name] or 0) for name in COST_COLUMNS]
    return ConfigResult(
        config=config,
        planned=planned,
        outcomes=outcomes,
        problems=tuple(problems),
        usage=usage_of(sums),
        cost=Cost(*known),
        uncosted=sums["uncosted"],
        unreported=sums["unreported"],
        retries=sums["retries"],
        lost_calls=lost,
        repaired=sums["repaired"],
        near_misses=sums["near_misses"],
        uncached=None if sums["no_cost_uncached"] else usd(sums["cost_uncached"] or 0),
        facts=facts,
        others=others,
    )


def attempt_row(row: sqlite3.Row, label: str) -> AttemptRow:
    """An AttemptRow from the columns of the attempts query; ``label`` is its model's in the run."""
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
