"""What a run will take: cells, tokens and money, from low to high.

Past answers tell best: those of the same item with the same config at today's prices, from the
cheapest to the dearest; for an item without any those of the config, with the cost of their input
scaled by the length of the prompt. Without either a rule holds: input is the prompt's estimated
tokens, and 1.5 times as many at the high end, since tokenizers differ; output is 500 tokens at the
low end and the config's output limit (or 32,000 tokens where it has none) at the high end. Server
tools can add input that no rule foresees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from relaybench.domain.completion import Usage
from relaybench.domain.item import Item
from relaybench.domain.model import ModelConfig
from relaybench.domain.money import ZERO, cost_of, missing_for, sum_known
from relaybench.store.past_answers import PastAnswer
from relaybench.store.values import pico
from relaybench.workbench.call_rule import high_cost, high_output, low_cost, low_output

#: What the estimate of a manual model says: what its page charges is not known here.
BY_HAND: Final = "none: answered by hand, nothing is sent"


@dataclass(frozen=True, slots=True)
class Estimate:
    """One config's share of a run; costs in USD, None where a price is unknown.

    ``cost_mean`` is what is expected by past answers, None where only the rule holds. ``basis``
    says in words what the figures rest on.
    """

    config: ModelConfig
    cells: int
    input_tokens: int
    output_low: int
    output_high: int
    cost_low: Decimal | None
    cost_high: Decimal | None
    basis: str = ""
    cost_mean: Decimal | None = None


@dataclass(frozen=True, slots=True)
class _Expected:
    """What one cell is expected to take."""

    input_tokens: int
    output_low: int
    output_high: int
    cost_low: Decimal | None
    cost_high: Decimal | None
    cost_mean: Decimal | None


@dataclass(frozen=True, slots=True)
class _Took:
    """What a past answer took, at the prices of now: for its input, and for all else."""

    item: str
    estimated_tokens: int
    input_tokens: int
    output_tokens: int
    input_cost: Decimal | None
    other_cost: Decimal | None
    counted: bool = True  # its tokens were reported
    missing: tuple[str, ...] = ()  # why its cost is unknown

    def scaled(self, item: Item | None) -> tuple[Decimal, Decimal | None]:
        """Input tokens and cost for an item with a prompt of another length; None: as it was."""
        if item is None:
            return Decimal(self.input_tokens), sum_known((self.input_cost, self.other_cost))
        factor = Decimal(item.estimated_tokens) / max(self.estimated_tokens, 1)
        scaled = None if self.input_cost is None else self.input_cost * factor
        return self.input_tokens * factor, sum_known((scaled, self.other_cost))


def estimate(
    config: ModelConfig, items: Sequence[Item], past: Sequence[PastAnswer] = ()
) -> Estimate:
    """Estimate one config's cells, given an item for each and the config's past answers."""
    if config.manual:
        return Estimate(config, len(items), 0, 0, 0, None, None, BY_HAND)
    took = [_took(answer, config) for answer in past]
    by_item: dict[str, list[_Took]] = {}
    for each in took:
        by_item.setdefault(each.item, []).append(each)
    kinds: Counter[str] = Counter()
    used: dict[str, int] = {}
    cells: list[tuple[int, _Expected]] = []
    looked: list[_Took] = []
    by_digest = {item.digest: item for item in items}
    for digest, times in Counter(item.digest for item in items).items():
        item = by_digest[digest]
        same = by_item.get(digest, [])
        if any(each.counted for each in same):
            kind, expected = "same", _from_past(same, None)
            used["same"] = used.get("same", 0) + len(same)
            looked += same
        elif any(each.counted for each in took):
            kind, expected = "config", _from_past(took, item)
            used["config"] = len(took)
            looked += took
        else:
            kind, expected = "rule", _by_rule(item, config)
        kinds[kind] += times
        cells.append((times, expected))
    return Estimate(
        config=config,
        cells=len(items),
        input_tokens=sum(times * each.input_tokens for times, each in cells),
        output_low=sum(times * each.output_low for times, each in cells),
        output_high=sum(times * each.output_high for times, each in cells),
        cost_low=_sum(_times(times, each.cost_low) for times, each in cells),
        cost_high=_sum(_times(times, each.cost_high) for times, each in cells),
        basis=_basis(kinds, used, config) + _unknown({id(each): each for each in looked}),
        cost_mean=_sum(_times(times, each.cost_mean) for times, each in cells) if cells else None,
    )


def _took(answer: PastAnswer, config: ModelConfig) -> _Took:
    """What an answer took."""
    total = Usage()
    costs = []
    for call in answer.calls:
        total = total + call.usage
        costs.append(cost_of(call.usage, call.tool_fees, config.prices, billed=call.billed))
    missing = [
        reason
        for call in answer.calls
        for reason in missing_for(call.usage, call.tool_fees, config.prices, billed=call.billed)
    ]
    inputs = [part for cost in costs for part in (cost.input, cost.cached_input, cost.cache_write)]
    others = [part for cost in costs for part in (cost.output, cost.tools)]
    return _Took(
        answer.item,
        answer.estimated_tokens,
        total.input_total or 0,
        (total.output or 0) + (total.unattributed or 0),
        _sum(inputs),
        _sum(others),
        total.input_total is not None and total.output is not None,
        tuple(dict.fromkeys(missing)),
    )


def _from_past(took: Sequence[_Took], item: Item | None) -> _Expected:
    """Tokens by the answers that have counts; costs by all, unknown where that of any is."""
    whole = [each for each in took if each.counted]
    tokens = [each.scaled(item)[0] for each in whole]
    outputs = [each.output_tokens for each in whole]
    costs = [cost for each in took if (cost := each.scaled(item)[1]) is not None]
    known = len(costs) == len(took)
    return _Expected(
        input_tokens=int(sum(tokens) / len(whole)),
        output_low=min(outputs),
        output_high=max(outputs),
        cost_low=min(costs) if known else None,
        cost_high=max(costs) if known else None,
        cost_mean=sum(costs, ZERO) / len(costs) if known else None,
    )


def _by_rule(item: Item, config: ModelConfig) -> _Expected:
    return _Expected(
        input_tokens=item.estimated_tokens,
        output_low=low_output(config),
        output_high=high_output(config),
        cost_low=low_cost(item, config),
        cost_high=high_cost(item, config),
        cost_mean=None,
    )


def _basis(kinds: Mapping[str, int], used: Mapping[str, int], config: ModelConfig) -> str:
    words = {
        "same": f"from {_answers(used.get('same', 0))} of the same items",
        "config": f"from {_answers(used.get('config', 0))} of this config, by length of prompt",
        "rule": f"rule: {low_output(config):,} to {high_output(config):,} output tokens a call",
    }
    parts = [kind for kind in words if kinds.get(kind)]
    if len(parts) == 1:
        return words[parts[0]]
    return "; ".join(
        f"{kinds[kind]:,} cell{'' if kinds[kind] == 1 else 's'} {words[kind]}" for kind in parts
    )


def _unknown(looked: Mapping[int, _Took]) -> str:
    """How many of the past answers have no known cost, and why; empty where all have one."""
    without = [each for each in looked.values() if each.missing]
    if not without:
        return ""
    why = ", ".join(dict.fromkeys(reason for each in without for reason in each.missing))
    have = "has" if len(without) == 1 else "have"
    return f"; {len(without):,} of {_answers(len(looked))} {have} no known cost: {why}"


def _answers(count: int) -> str:
    return f"{count:,} past answer{'' if count == 1 else 's'}"


def _times(count: int, amount: Decimal | None) -> Decimal | None:
    return None if amount is None else count * amount


def _sum(costs: Iterable[Decimal | None]) -> Decimal | None:
    return sum_known(tuple(costs))


def total(estimates: Sequence[Estimate]) -> tuple[Decimal | None, Decimal | None]:
    """Cost of all that a run sends, low and high; None where any config's is unknown."""
    sent = [each for each in estimates if not each.config.manual]
    return _sum(e.cost_low for e in sent), _sum(e.cost_high for e in sent)


def estimate_columns(estimate: Estimate) -> dict[str, Any]:
    """An estimate as columns of ``prices_used``, to be shown beside the truth afterwards."""
    return {
        "estimate_low": pico(estimate.cost_low),
        "estimate_high": pico(estimate.cost_high),
        "estimate_basis": estimate.basis,
    }
