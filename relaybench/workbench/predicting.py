"""What measured pass rates of its steps predict for a composite before it was ever sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from relaybench.domain.model import ModelConfig
from relaybench.reports.step_rates import ALONE, ATTRIBUTED, StepRates, predicted
from relaybench.store.plans import Plans
from relaybench.workbench.evidence import load_grid, load_step_tallies, reading
from relaybench.workbench.workspace import Workspace


@dataclass(frozen=True, slots=True)
class MeasuredRates:
    """Rates of steps over all runs of the results file, by model config.

    Of real runs; of simulated ones only where there are no others (``simulated``).
    """

    configs: tuple[ModelConfig, ...] = ()
    rates: StepRates | None = None
    simulated: bool = False


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the rates of all steps come to for one model.

    ``rate`` is None where a step has none. ``basis`` says where the rates are from, ``n`` how many
    attempts are behind the least known of them.
    """

    model: str
    rate: float | None
    basis: str = ""
    n: int = 0


def measured_rates(workspace: Workspace) -> MeasuredRates:
    """Read the rates of steps over all runs; none where there is no results file yet.

    Raises StoreError for a results file that cannot be read.
    """
    if not workspace.database.exists():
        return MeasuredRates()
    with reading(workspace) as connection:
        runs = Plans(connection).runs()
        chosen = [run for run in runs if not run.simulated] or runs
        if not chosen:
            return MeasuredRates()
        grid = load_grid(connection, chosen)
        rates = StepRates(grid, load_step_tallies(connection, grid))
        return MeasuredRates(tuple(grid.configs.values()), rates, chosen[0].simulated)


def predictions(measured: MeasuredRates, uses: Sequence[str]) -> tuple[Prediction, ...]:
    """The product of the rates of ``domain/class:instance`` for each model.

    Rates of the very instances asked alone go before those of their classes within composites;
    they are never mixed. Best known first: with a rate, then by the attempts behind it.
    """
    rates = measured.rates
    if rates is None or not uses:
        return ()
    found = [_prediction(rates, config, uses) for config in measured.configs]
    return tuple(sorted(found, key=lambda each: (each.rate is None, -each.n, each.model)))


def _prediction(rates: StepRates, config: ModelConfig, uses: Sequence[str]) -> Prediction:
    class_refs = [use.partition(":")[0] for use in uses]
    alone = rates.alone(config.digest, uses)
    known = alone or rates.attributed(config.digest, class_refs)
    if not known:
        return Prediction(config.label, None)
    basis = ALONE if alone else ATTRIBUTED
    return Prediction(config.label, predicted(known), basis, min(rate.n for rate in known))
