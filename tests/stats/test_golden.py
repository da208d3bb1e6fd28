"""The golden vectors of our sections, where the shared folder is at hand."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from relaybench.domain.completion import Usage
from relaybench.domain.model import Prices, PriceTier
from relaybench.domain.money import cost_of
from relaybench.stats.clusters import clustered, overlap_clustered
from relaybench.stats.costs import total_cost
from relaybench.stats.intervals import wilson, wilson_clustered
from relaybench.stats.paired import mcnemar_exact, paired
from relaybench.stats.pass_k import pass_at_k, pass_bench, pass_hat_k
from relaybench.stats.rates import (
    hallucination,
    hallucination_of_misses,
    omniscience,
    pass_at_1,
)

ROOT = Path(__file__).resolve().parents[2].parent / "shared"
VECTORS = Path(os.environ.get("RELAYBENCH_SHARED", ROOT)) / "cases" / "stats-golden.json"
GOLDEN: dict[str, Any] = json.loads(VECTORS.read_text("utf-8")) if VECTORS.exists() else {}


def _wilson(k: float, n: float, conf: float) -> Mapping[str, float] | None:
    found = wilson(k, n, conf)
    return None if found is None else {"lo": found.lo, "hi": found.hi}


def _clustered(attempts: list[list[float]], conf: float) -> Mapping[str, float] | None:
    found = wilson_clustered(attempts, conf)
    return (
        None
        if found is None
        else {"p": found.p, "n_eff": found.n_eff, "lo": found.lo, "hi": found.hi}
    )


def _hallucination(**counts: int) -> Mapping[str, float] | None:
    found = hallucination(**counts)
    return (
        None
        if found is None
        else {
            "rate": found.rate,
            "lo": found.interval.lo,
            "hi": found.interval.hi,
            "parseable": found.parseable,
            "parse_rate": found.parse_rate,
        }
    )


def _cost(tokens: dict[str, int], usd_per_million: dict[str, float]) -> Mapping[str, object]:
    prices = {name: Decimal(str(usd)) for name, usd in usd_per_million.items()}
    tier = PriceTier(0, prices["input"], prices["cached_input"], output=prices["output"])
    found = total_cost([cost_of(Usage(**tokens), {}, Prices(tiers=(tier,)))])
    parts = {name: float(getattr(found, name)) for name in tokens}
    assert found.total is not None
    return {"parts": parts, "total": float(found.total)}


def _named(found: object, names: str, if_undefined: object = None) -> object:
    """The named fields of a result, without those that an undefined SE takes along."""
    if found is None:
        return if_undefined
    values = {name: getattr(found, name) for name in names.split()}
    return {name: value for name, value in values.items() if name == "se" or value is not None}


def _pass_bench(problems: list[list[int]], k: int) -> object:
    names = "pass_at_k pass_hat_k"
    found = pass_bench([(n, c) for n, c in problems], k)
    return _named(found, names, dict.fromkeys(names.split()))


def _omniscience(**counts: int) -> object:
    found = omniscience(**counts)
    names = "index accuracy se lo hi"
    return _named(found, names if found and found.se is not None else "index accuracy lo hi")


def _overlap(scores: list[float], classes: list[list[str]]) -> object:
    found = overlap_clustered(scores, classes)
    assert found is not None
    fields = ["mean", "iid_se", "kernel_se", "eff_groups", "lo", "hi"]
    return {name: getattr(found, name) for name in fields}


SECTIONS: dict[str, Callable[..., object]] = {
    "wilson": _wilson,
    "pass_at_1": pass_at_1,
    "wilson_clustered": _clustered,
    "hallucination": _hallucination,
    "cost": _cost,
    "pass_at_k": pass_at_k,
    "pass_hat_k": pass_hat_k,
    "pass_bench": _pass_bench,
    "hallucination_of_misses": hallucination_of_misses,
    "omniscience": _omniscience,
    "mcnemar_exact": mcnemar_exact,
    "paired": lambda a, b: _named(paired(a, b), "diff se boot_se df lo hi p"),
    "clustered": lambda scores, groups: _named(clustered(scores, groups), "mean se groups lo hi"),
    "overlap_clustered": _overlap,
}
LATER = {
    "bradley_terry",
    "composite",
    "elo_norm",
    "progress_index",
}
ROWS = [
    pytest.param(section, row, id=f"{section}-{number}")
    for section in SECTIONS
    for number, row in enumerate(GOLDEN.get("sections", {}).get(section, []))
]


def _check(found: object, wanted: object) -> None:
    if isinstance(wanted, dict):
        assert isinstance(found, dict)
        assert found.keys() == wanted.keys()
        for name, value in wanted.items():
            _check(found[name], value)
    elif wanted is None:
        assert found is None
    else:
        tolerance = GOLDEN["tolerance"]
        assert found == pytest.approx(
            wanted, abs=tolerance["default_abs"], rel=tolerance["default_rel"]
        )


@pytest.mark.skipif(not GOLDEN, reason=f"the golden vectors are not at {VECTORS}")
def test_every_section_is_run() -> None:
    """None is skipped but those of later issues, and none is empty."""
    sections = GOLDEN["sections"]
    assert SECTIONS.keys() | LATER == sections.keys()
    assert len(ROWS) == sum(len(sections[name]) for name in SECTIONS)
    assert all(sections[name] for name in SECTIONS)


@pytest.mark.skipif(not GOLDEN, reason=f"the golden vectors are not at {VECTORS}")
@pytest.mark.parametrize(("section", "row"), ROWS)
def test_golden(section: str, row: dict[str, Any]) -> None:
    """Our number is the golden one, or undefined where it is."""
    call = SECTIONS[section]
    wanted = row["output"]
    if isinstance(wanted, dict) and "error" in wanted:
        with pytest.raises(ValueError, match=r"\w"):
            call(**row["input"])
        return
    _check(call(**row["input"]), wanted)
