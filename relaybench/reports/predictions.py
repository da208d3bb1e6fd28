"""What measured pass rates of its steps predict for a composite before it was ever sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from relaybench.domain.model import ModelConfig
from relaybench.reports.step_rates import ALONE, ATTRIBUTED, StepRates, predicted


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
