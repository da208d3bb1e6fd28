"""Runs as frozen plans: which items, which configs, how often; and which cells are still open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from relaybench import __version__
from relaybench.domain.errors import NameTakenError, UnknownNameError, UsageError
from relaybench.domain.item import Item, ItemKind
from relaybench.domain.labels import told_apart
from relaybench.domain.model import ModelConfig
from relaybench.domain.results import Cell
from relaybench.store.database import Connection, now
from relaybench.store.imported_domains import fill_in_domains
from relaybench.store.text import pack, unpack
from relaybench.store.values import (
    config_of,
    config_row,
    item_of,
    item_row,
    pico,
    prices_json,
    prices_of,
    usd,
)


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run as stored, and how far it has come (cells, not calls). ``budget`` is in USD."""

    id: int
    name: str
    kind: str
    simulated: bool
    strict: bool
    repeats: int
    created_at: str
    version: str
    items: int
    configs: int
    answered: int
    failed: int
    budget: Decimal | None = None

    @property
    def planned(self) -> int:
        """How many cells the plan has; of an import those that it brought."""
        if self.kind == "import":
            return self.answered + self.failed
        return self.items * self.configs * self.repeats


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """A run's frozen plan: items and configs by digest, in the plan's order."""

    run: RunRow
    items: dict[str, Item]
    configs: dict[str, ModelConfig]
    item_ids: dict[str, int]
    config_ids: dict[str, int]


_NO_IDENTITY = ("name", "key_env", "concurrency", "timeout_s", "idle_timeout_s")

_RUNS = """
SELECT runs.*,
    (SELECT COUNT(*) FROM run_items WHERE run_id = runs.id) AS items,
    (SELECT COUNT(*) FROM prices_used WHERE run_id = runs.id) AS configs,
    IFNULL(come.answered, 0) AS answered, IFNULL(come.failed, 0) AS failed
FROM runs LEFT JOIN (
    SELECT run_id, SUM(answered) AS answered, SUM(answered = 0 AND outcome = 'error') AS failed
    FROM attempts GROUP BY run_id
) AS come ON come.run_id = runs.id
"""


class Plans:
    """Write and read runs' plans."""

    def __init__(self, connection: Connection) -> None:
        self._on = connection

    def runs(self) -> list[RunRow]:
        """All runs, oldest first."""
        return [_run_row(row) for row in self._on.rows(f"{_RUNS} ORDER BY runs.id")]

    def find(self, name: str | None) -> RunRow:
        """The run of that name or number, the newest one for None; raises UnknownNameError."""
        runs = self.runs()
        if not runs:
            raise UnknownNameError("the results file holds no run yet; start one first")
        if name is None:
            return runs[-1]
        for run in runs:
            if run.name == name:
                return run
        for run in runs:
            if str(run.id) == name:
                return run
        known = ", ".join(run.name for run in runs[-10:])
        raise UnknownNameError(f"no run is called {name!r}; the latest are: {known}")

    def add_item(self, item: Item) -> int:
        """Store an item unless this very version is there; returns its row id."""
        row = self._on.row("SELECT id FROM items WHERE digest = ?", (item.digest,))
        if row:
            if item.kind is ItemKind.IMPORTED and item.domains:
                fill_in_domains(self._on, item, row["id"])
            return int(row["id"])
        return self._insert("items", {**item_row(item), "created_at": now()})

    def add_config(self, config: ModelConfig) -> int:
        """Store a model config unless it is there; returns its row id.

        Name, key variable and limits are no part of its identity: the newest ones count.
        """
        columns = config_row(config)
        row = self._on.row("SELECT id FROM model_configs WHERE digest = ?", (config.digest,))
        if row is None:
            return self._insert("model_configs", columns)
        changes = {name: columns[name] for name in _NO_IDENTITY}
        self._on.write(
            f"UPDATE model_configs SET {', '.join(f'{name} = :{name}' for name in changes)} "
            "WHERE id = :id",
            {**changes, "id": row["id"]},
        )
        return int(row["id"])

    def _insert(self, table: str, row: dict[str, object]) -> int:
        names = ", ".join(f'"{name}"' for name in row)
        marks = ", ".join(f":{name}" for name in row)
        return self._on.write(f"INSERT INTO {table} ({names}) VALUES ({marks})", row)

    def create(
        self,
        name: str,
        items: Sequence[Item],
        configs: Sequence[ModelConfig],
        repeats: int,
        *,
        kind: str = "run",
        strict: bool = False,
        budget: Decimal | None = None,
        estimates: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> RunRow:
        """Freeze a plan under a new name, all in one transaction.

        ``estimates`` are the columns of what each config (digest) is expected to cost. Raises
        NameTakenError where the name is taken, UsageError for one that cannot be typed.
        """
        if not name.strip() or not name.isprintable():
            raise UsageError(f"{name!r} cannot be the name of a run; choose another name")
        with self._on.writing():
            if self._on.row("SELECT 1 FROM runs WHERE name = ?", (name,)):
                raise NameTakenError(name)
            run_id = self._insert(
                "runs",
                {
                    "name": name,
                    "kind": kind,
                    "simulated": int(any(config.simulated for config in configs)),
                    "repeats": repeats,
                    "strict": int(strict),
                    "budget": pico(budget),
                    "created_at": now(),
                    "version": __version__,
                },
            )
            self._extend(run_id, items, configs)
            for digest, columns in (estimates or {}).items():
                self._on.write(
                    "UPDATE prices_used SET estimate_low = :estimate_low, "
                    "estimate_high = :estimate_high, estimate_basis = :estimate_basis "
                    "WHERE run_id = :run AND model_config_id = "
                    "(SELECT id FROM model_configs WHERE digest = :digest)",
                    {**columns, "run": run_id, "digest": digest},
                )
        return self.find(str(name))

    def extend(self, run: RunRow, items: Sequence[Item], configs: Sequence[ModelConfig]) -> None:
        """Add items and configs to a run that lacks them (imports grow line by line)."""
        with self._on.writing():
            self._extend(run.id, items, configs)

    def _extend(self, run_id: int, items: Sequence[Item], configs: Sequence[ModelConfig]) -> None:
        for item in items:
            self._on.write(
                "INSERT OR IGNORE INTO run_items (run_id, item_id, position) VALUES (?, ?, "
                "(SELECT COUNT(*) FROM run_items WHERE run_id = ?))",
                (run_id, self.add_item(item), run_id),
            )
        for config in configs:
            prices = config.prices
            self._on.write(
                "INSERT OR IGNORE INTO prices_used "
                "(run_id, model_config_id, position, as_of, source, prices) VALUES (?, ?, "
                "(SELECT COUNT(*) FROM prices_used WHERE run_id = ?), ?, ?, ?)",
                (
                    run_id,
                    self.add_config(config),
                    run_id,
                    prices.as_of.isoformat() if prices and prices.as_of else None,
                    pack(prices.source) if prices else "",
                    prices_json(prices),
                ),
            )

    def set_budget(self, run: RunRow, budget: Decimal) -> None:
        """Change what a run may cost in all, in USD."""
        with self._on.writing():
            self._on.write("UPDATE runs SET budget = ? WHERE id = ?", (pico(budget), run.id))

    def raise_repeats(self, run: RunRow, repeats: int) -> None:
        """Top a run up to more repeats; fewer than it has is refused, nothing is thrown away."""
        if repeats < run.repeats:
            raise UsageError(
                f"run {run.name!r} has {run.repeats} repeats already; they can only be raised"
            )
        with self._on.writing():
            # What was estimated for the repeats so far holds for as many more.
            self._on.write(
                "UPDATE prices_used SET "
                "estimate_low = estimate_low / :old * :new + estimate_low % :old * :new / :old, "
                "estimate_high = estimate_high / :old * :new + estimate_high % :old * :new / :old "
                "WHERE run_id = :run",
                {"old": run.repeats, "new": repeats, "run": run.id},
            )
            self._on.write(
                "UPDATE runs SET repeats = MAX(repeats, ?) WHERE id = ?", (repeats, run.id)
            )

    def load(self, run: RunRow) -> StoredPlan:
        """Read a run's frozen plan back, prices as they were when it was made."""
        items, item_ids = {}, {}
        for row in self._on.rows(
            "SELECT items.* FROM run_items JOIN items ON items.id = run_items.item_id "
            "WHERE run_id = ? ORDER BY position",
            (run.id,),
        ):
            items[row["digest"]] = item_of(row)
            item_ids[row["digest"]] = row["id"]
        configs, config_ids = self.configs_and_ids(run.id)
        return StoredPlan(run, items, configs, item_ids, config_ids)

    def configs(self, run_id: int) -> dict[str, ModelConfig]:
        """A run's configs by digest, in the plan's order, with labels that tell them apart."""
        return self.configs_and_ids(run_id)[0]

    def configs_and_ids(self, run_id: int) -> tuple[dict[str, ModelConfig], dict[str, int]]:
        """``configs`` of a run, and their row ids by digest."""
        configs: dict[str, ModelConfig] = {}
        config_ids: dict[str, int] = {}
        for row in self._on.rows(
            "SELECT model_configs.*, prices, as_of, source FROM prices_used "
            "JOIN model_configs ON model_configs.id = model_config_id "
            "WHERE run_id = ? ORDER BY position",
            (run_id,),
        ):
            prices = prices_of(row["prices"], row["as_of"], unpack(row["source"]))
            configs[row["digest"]] = config_of(row, prices)
            config_ids[row["digest"]] = row["id"]
        apart = told_apart(list(configs.values()))
        return dict(zip(configs, apart, strict=True)), config_ids

    def missing(self, plan: StoredPlan) -> list[Cell]:
        """Cells without a stored answer, in the order of the plan: what to send next.

        Failed attempts are among them; an answer that has arrived never is, whatever its grade.
        """
        done = {
            (row["item_id"], row["model_config_id"], row["repeat"])
            for row in self._on.each(
                "SELECT item_id, model_config_id, repeat FROM attempts "
                "WHERE run_id = ? AND answered = 1",
                (plan.run.id,),
            )
        }
        return [
            Cell(item, config, repeat)
            for repeat in range(plan.run.repeats)
            for item, item_id in plan.item_ids.items()
            for config, config_id in plan.config_ids.items()
            if (item_id, config_id, repeat) not in done
        ]


def _run_row(row: object) -> RunRow:
    values = {name: row[name] for name in RunRow.__slots__}  # type: ignore[index]
    values["simulated"] = bool(values["simulated"])
    values["strict"] = bool(values["strict"])
    values["budget"] = usd(values["budget"])
    return RunRow(**values)
