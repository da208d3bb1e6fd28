"""Plan runs: what is sent, to whom, at what cost; and refuse those that must not start."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final

from relaybench.domain.errors import NameTakenError, PlanError, SettingRejected, UnknownPriceError
from relaybench.domain.item import Item
from relaybench.domain.labels import told_apart
from relaybench.domain.model import ModelConfig, Prices
from relaybench.domain.results import Cell
from relaybench.domain.tool_fees import missing_fees
from relaybench.providers.registry import check_config, key_present
from relaybench.store.database import Connection
from relaybench.store.past_answers import PastAnswer, past_answers
from relaybench.store.plans import Plans, RunRow, StoredPlan
from relaybench.store.spending import spending
from relaybench.workbench.call_rule import high_cost
from relaybench.workbench.results.spent import Counted, counted
from relaybench.workbench.runs.estimating import Estimate, estimate, total
from relaybench.workbench.workspace import Workspace

#: The moment at the end of an automatic name.
_MOMENT: Final = "%Y%m%d-%H%M%S"
#: Characters that it takes.
MOMENT_LENGTH: Final = 15


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a run is carried out; none of it changes what is sent to a model."""

    concurrency: int | None = None
    budget: Decimal | None = None
    allow_unknown_price: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """A run that has been planned and not yet begun: what it will do and may cost.

    ``cells`` are to be sent, ``by_hand`` are those of manual models, which never are: they stay
    open until their answers are pasted. ``run`` is None for a new one. ``budget`` is what it may
    cost in all in USD, ``spent`` what it has cost so far, with what is known and what is not
    apart.
    """

    name: str
    items: tuple[Item, ...]
    configs: tuple[ModelConfig, ...]
    repeats: int
    cells: tuple[Cell, ...]
    estimates: tuple[Estimate, ...]
    run: RunRow | None = None
    spent: Counted = field(default_factory=Counted)
    strict: bool = False
    notes: tuple[str, ...] = ()
    budget: Decimal | None = None
    by_hand: tuple[Cell, ...] = ()

    @property
    def simulated(self) -> bool:
        """Whether all its answers come from the simulator."""
        return any(config.simulated for config in self.configs)

    @property
    def cost(self) -> tuple[Decimal | None, Decimal | None]:
        """USD from low to high for the cells that are open."""
        return total(self.estimates)


def propose(
    workspace: Workspace,
    items: Sequence[Item],
    configs: Sequence[ModelConfig],
    *,
    repeats: int = 1,
    name: str | None = None,
    strict: bool = False,
    options: RunOptions | None = None,
    notes: Sequence[str] = (),
) -> Proposal:
    """Plan a new run. Nothing is written or sent.

    Raises PlanError where it must not start: nothing to send, simulated and real models mixed,
    two names for one config, a name that is taken, a setting or provider that no adapter can
    honour, a key that is missing, or a budget with an unknown price.
    """
    if not items:
        raise PlanError("there is nothing to run: the targets name no approved problem")
    items = list({item.digest: item for item in items}.values())
    if repeats < 1:
        raise PlanError("a run has at least one repeat")
    if not configs:
        raise PlanError("there is no model to run: name a --cohort or a --model")
    kinds = {config.simulated for config in configs}
    if len(kinds) > 1:
        raise PlanError(
            "simulated and real models cannot be in one run, since their results must never "
            "stand in one table; start two runs"
        )
    digests: dict[str, str] = {}
    for config in configs:
        if config.digest in digests:
            raise PlanError(
                f"{digests[config.digest]} and {config.name} are the same model with the same "
                "settings; leave one of them out"
            )
        digests[config.digest] = config.name
    configs = told_apart(configs)
    cells = [
        Cell(item.digest, config.digest, repeat)
        for repeat in range(repeats)
        for item in items
        for config in configs
    ]
    proposal = _proposal(
        name or _default_name(items, configs),
        items,
        configs,
        repeats,
        cells,
        strict=strict,
        past=_past(workspace, configs),
    )
    options = options or RunOptions()
    proposal = replace(proposal, notes=tuple(notes), budget=options.budget)
    _refuse_taken_name(workspace, proposal.name)
    _refuse_if_unfit(workspace, proposal, options)
    return proposal


def _past(
    workspace: Workspace, configs: Sequence[ModelConfig]
) -> Mapping[str, Sequence[PastAnswer]]:
    """Past answers by config digest; none where there is no results file yet."""
    if not workspace.database.is_file():
        return {}
    with contextlib.closing(Connection(workspace.database, create=False)) as connection:
        return {config.digest: past_answers(connection, config.digest) for config in configs}


def _refuse_taken_name(workspace: Workspace, name: str) -> None:
    if workspace.database.is_file():
        with contextlib.closing(Connection(workspace.database, create=False)) as connection:
            if any(run.name == name for run in Plans(connection).runs()):
                raise NameTakenError(name)


def propose_resume(
    workspace: Workspace,
    name: str,
    *,
    repeats: int | None = None,
    options: RunOptions | None = None,
) -> Proposal:
    """Plan to go on with a run: its missing and failed cells, and more repeats if asked for.

    The run's own budget holds unless the options give another one.
    """
    with contextlib.closing(Connection(workspace.database, create=False)) as connection:
        plans = Plans(connection)
        run = plans.find(name)
        if run.kind != "run":
            raise PlanError(f"{run.name!r} was imported; there is nothing to send for it")
        if repeats is not None and repeats < run.repeats:
            raise PlanError(
                f"run {run.name!r} has {run.repeats} repeats already; they can only be raised"
            )
        stored = _with_repeats(plans.load(run), repeats)
        cells = plans.missing(stored)
        spent = counted(spending(connection, run), stored)
    items, configs = list(stored.items.values()), list(stored.configs.values())
    proposal = replace(
        _proposal(
            run.name,
            items,
            configs,
            stored.run.repeats,
            cells,
            strict=run.strict,
            past=_past(workspace, configs),
        ),
        run=stored.run,
        spent=spent,
        notes=_changed_prices(workspace, configs),
        budget=options.budget if options and options.budget is not None else run.budget,
    )
    _refuse_if_unfit(workspace, proposal, options or RunOptions())
    return proposal


def _changed_prices(workspace: Workspace, configs: Sequence[ModelConfig]) -> tuple[str, ...]:
    """Say where the prices that a run keeps are no longer those of today."""
    catalog = workspace.catalog()
    today = {config.digest: config.prices for config in catalog.models.values()}
    changed = [
        config.name
        for config in configs
        if (now := today.get(config.digest)) and not _same_amounts(now, config.prices)
    ]
    if not changed:
        return ()
    return (
        f"the prices of {', '.join(changed)} have changed since this run was made; its answers are "
        "charged at the prices it was made with (`relaybench reprice RUN --on today` takes the new "
        "ones)",
    )


def _same_amounts(now: Prices, then: Prices | None) -> bool:
    return then is not None and (now.tiers, dict(now.tool_fees)) == (
        then.tiers,
        dict(then.tool_fees),
    )


def _with_repeats(stored: StoredPlan, repeats: int | None) -> StoredPlan:
    run = replace(stored.run, repeats=repeats or stored.run.repeats)
    return replace(stored, run=run)


def _proposal(
    name: str,
    items: Sequence[Item],
    configs: Sequence[ModelConfig],
    repeats: int,
    cells: Sequence[Cell],
    *,
    strict: bool,
    past: Mapping[str, Sequence[PastAnswer]],
) -> Proposal:
    by_digest = {item.digest: item for item in items}
    manual = {config.digest for config in configs if config.manual}
    estimates = tuple(
        estimate(
            config,
            [by_digest[cell.item] for cell in cells if cell.config == config.digest],
            past.get(config.digest, ()),
        )
        for config in configs
    )
    return Proposal(
        name,
        tuple(items),
        tuple(configs),
        repeats,
        tuple(cell for cell in cells if cell.config not in manual),
        estimates,
        strict=strict,
        by_hand=tuple(cell for cell in cells if cell.config in manual),
    )


def _default_name(items: Sequence[Item], configs: Sequence[ModelConfig]) -> str:
    sets = list(dict.fromkeys(item.set_name for item in items))
    stamp = datetime.now(UTC).strftime(_MOMENT)
    prefix = "simulated-" if any(config.simulated for config in configs) else ""
    return f"{prefix}{sets[0] if len(sets) == 1 else 'mixed'}-{stamp}"


def _refuse_if_unfit(workspace: Workspace, proposal: Proposal, options: RunOptions) -> None:
    used = {cell.config for cell in (*proposal.cells, *proposal.by_hand)}
    configs = [config for config in proposal.configs if config.digest in used]
    by_digest = {config.digest: config for config in configs}
    for config in configs:
        try:
            check_config(config)
        except SettingRejected as error:
            raise PlanError(f"{error} (in models.toml)") from error
    missing = [c for c in configs if key_present(c, workspace.environment) is False]
    if missing:
        lines = [f"{c.name} needs the environment variable {c.key_env}" for c in missing]
        raise PlanError("keys are missing; nothing was sent:\n  " + "\n  ".join(lines))
    if proposal.budget is not None and not options.allow_unknown_price:
        prompts = {item.digest: item for item in proposal.items}
        unpriced = {
            cell.config
            for cell in proposal.cells
            if high_cost(prompts[cell.item], by_digest[cell.config]) is None
        }
        unknown = [config.name for config in configs if config.digest in unpriced]
        if unknown:
            raise UnknownPriceError(
                f"a budget cannot be kept, since the price of {', '.join(unknown)} is unknown; "
                "give it prices in models.toml, or leave it out of the budget "
                "(--allow-unknown-price; on screen “unpriced too”)"
            )
        without = [
            f"{config.name}: {', '.join(fees)}"
            for config in configs
            if config.prices and (fees := missing_fees(config))
        ]
        if without:
            raise UnknownPriceError(
                "a budget cannot be kept, since fees of tools are unknown ("
                f"{'; '.join(without)}); write them under tool_fees beside the prices, or leave "
                "them out of the budget (--allow-unknown-price; on screen “unpriced too”)"
            )
