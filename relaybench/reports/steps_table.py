"""Which steps of composites are answered right, and which subproblem fails most.

Only what a step puts into the final answer can be judged, so all rates are of parseable answers
whose parts could be told apart; what that leaves out is counted and said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from relaybench.reports.grid_facts import grid_simulated, grid_table, model_cells
from relaybench.reports.model_columns import MODEL, with_interval
from relaybench.reports.numbers import listed
from relaybench.reports.run_facts import SIMULATED_COLUMN
from relaybench.reports.step_verdicts import (
    UNWIRED,
    By,
    Group,
    Verdicts,
    composites,
    gather,
    unparsed,
)
from relaybench.reports.tables import (
    EXACT_ONLY,
    NARROW,
    PAGE,
    Column,
    Kind,
    Missing,
    Table,
    Value,
)
from relaybench.stats.rates import ScoreSummary
from relaybench.store.grid import GridItem, OutcomeGrid
from relaybench.store.pooling import comparable
from relaybench.store.step_tallies import StepTally

_NO_VERDICT: Final = Missing("no clear verdict")
_HEADINGS: Final[Mapping[By, tuple[str, str]]] = {
    By.CLASS: ("Class", "domain/class"),
    By.INSTANCE: ("Instance", "domain/class:instance"),
    By.DOMAIN: ("Domain", ""),
    By.POSITION: ("Depth", "steps before it in the longest chain that feeds it"),
}


def _together(group: Group) -> Verdicts:
    """The verdicts of all models."""
    found = Verdicts()
    for verdicts in group.values():
        found.take_in(verdicts)
    return found


def _columns(by: By) -> tuple[Column, ...]:
    heading, unit = _HEADINGS[by]
    return (
        SIMULATED_COLUMN,
        Column(by.value, heading, Kind.TEXT, unit, NARROW),
        MODEL,
        Column("models", "Models", Kind.WHOLE, "models put together in the row", EXACT_ONLY),
        *with_interval("rate", "Right"),
        Column("n", "n", Kind.WHOLE, "clear verdicts", NARROW),
        Column("right", "Right", Kind.WHOLE, "clear verdicts", PAGE, begins=True),
        Column("problems", "Problems", Kind.WHOLE, "with a clear verdict", PAGE),
        Column("unclear", "Unclear", Kind.WHOLE, "verdicts that could not be told", quiet=True),
        Column(
            "unparsed", "No answer", Kind.WHOLE, "verdicts without a parseable answer", quiet=True
        ),
    )


def _cells(verdicts: Verdicts, rate: ScoreSummary | None) -> dict[str, Value]:
    keys = ("rate", "rate_low", "rate_high")
    share: dict[str, Value] = dict.fromkeys(keys, _NO_VERDICT)
    if rate:
        share = dict(zip(keys, (rate.p, rate.interval.lo, rate.interval.hi), strict=True))
    return {
        **share,
        "n": sum(map(sum, verdicts.clear.values())),
        "right": sum(right for _, right in verdicts.clear.values()),
        "problems": len(verdicts.clear),
        "unclear": verdicts.unclear,
        "unparsed": verdicts.unparsed,
    }


def _rows(grid: OutcomeGrid, groups: Mapping[str, Group], by: By) -> Iterator[dict[str, Value]]:
    together = {name: _together(group) for name, group in groups.items()}
    rates = {name: verdicts.rate() for name, verdicts in together.items()}

    def worst_first(name: str) -> tuple[bool, float, str]:
        if by is By.POSITION:
            return (name == UNWIRED, 0.0 if name == UNWIRED else float(name), name)
        rate = rates[name]
        return (rate is None, rate.p if rate else 0.0, name)

    for name in sorted(groups, key=worst_first):
        if len(grid.configs) > 1:
            yield {
                "simulated": grid_simulated(grid),
                by.value: name,
                "model": f"all {len(grid.configs):,} models",
                "models": len(grid.configs),
                **_cells(together[name], rates[name]),
            }
        for digest, config in grid.configs.items():
            verdicts = groups[name].get(digest, Verdicts())
            yield {
                **model_cells(grid, config),
                by.value: name,
                "models": 1,
                **_cells(verdicts, verdicts.rate()),
            }


def steps_table(grid: OutcomeGrid, tallies: Sequence[StepTally], by: By = By.CLASS) -> Table:
    """Pass rates of steps, a row a class (or instance …) and model; no row without composites.

    The worst class over all models comes first; by position, the steps that nothing feeds.
    """
    grid = comparable(grid)
    columns = _columns(by)
    groups = gather(grid, tallies, by)
    rows = _rows(grid, groups, by)
    notes = _notes(grid, tallies, groups, by)
    return grid_table(grid, "steps", f"Steps by {by}", columns, rows, notes)


def _notes(
    grid: OutcomeGrid, tallies: Sequence[StepTally], groups: Mapping[str, Group], by: By
) -> list[str]:
    items = composites(grid)
    if not items:
        return [
            "No composites here: single subproblems and imported items have no steps to tell "
            "apart.",
        ]
    notes = [_what_is_judged(grid, tallies, items)]
    notes += _hidden(items, groups, by)
    notes.append(
        "The rate is the mean over problems of right / clear verdicts, n the clear verdicts. "
        "Intervals are 95% Wilson intervals; where a problem gives several verdicts (repeats, "
        "forms, steps, models), they use the effective sample size, since verdicts on one problem "
        "are not independent."
    )
    if by is By.POSITION:
        notes.append(
            "Depth is the number of steps before a step in the longest chain that feeds it: 0 is "
            "fed by none. A step further on is wrong too where it took over a wrong value. Depth "
            f"is {UNWIRED} for items in which no step feeds another, or that were frozen before "
            "the wiring was kept."
        )
    elif len(grid.configs) > 1:
        notes.append(f"Ordered by the rate over all {len(grid.configs):,} models, worst first.")
    return notes


def _what_is_judged(
    grid: OutcomeGrid, tallies: Sequence[StepTally], items: Sequence[GridItem]
) -> str:
    known = {item.digest for item in items}
    cells = [(item, config) for item in known for config in grid.configs]
    scored = sum(len(grid.scored(*cell)) for cell in cells)
    without = sum(unparsed(grid.cells.get(cell, ())) for cell in cells)
    # In one answer either all parts can be told apart or none can.
    unclear: dict[tuple[str, str], int] = {}
    for tally in tallies:
        if tally.item in known and tally.config in grid.configs:
            key = (tally.item, tally.config)
            unclear[key] = max(unclear.get(key, 0), tally.unclear)
    return (
        "A verdict compares a step's part of the answer with its part of the key. Of "
        f"{scored:,} scored attempts at composites, {without:,} gave no parseable answer and "
        f"{sum(unclear.values()):,} a wrong one whose parts could not be told apart: they give no "
        "verdict and are left out, so that rates are too high rather than too low."
    )


def _hidden(items: Sequence[GridItem], groups: Mapping[str, Group], by: By) -> list[str]:
    steps = [step for item in items for step in item.steps]
    hidden = [step for step in steps if not step.in_answer]
    if not hidden:
        return []
    note = (
        f"{len(hidden):,} of {len(steps):,} steps only feed others and have no part in the final "
        "answer, so that nothing can be said of them."
    )
    if by in (By.CLASS, By.INSTANCE):
        names = {step.use if by is By.INSTANCE else step.class_ref for step in hidden}
        only = sorted(names - set(groups))
        note += f" Never judged: {listed(only)}." if only else ""
    return [note]
