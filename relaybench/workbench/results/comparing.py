"""Compare and break down: models with one another, groups of items, forms, repeats."""

from __future__ import annotations

from collections.abc import Sequence

from relaybench.domain.errors import UsageError
from relaybench.domain.item import Form
from relaybench.reports.breakdown import breakdown
from relaybench.reports.comparison import comparison
from relaybench.reports.dependence import dependence
from relaybench.reports.dimensions import DEFAULT_BANDS, Dimension, check_bands, varies
from relaybench.reports.effects import effects
from relaybench.reports.filters import Filters
from relaybench.reports.paired_columns import DEFAULT_SEED
from relaybench.reports.repeats import TABLES, repeat_tables
from relaybench.reports.tables import Table
from relaybench.store.grid import OutcomeGrid
from relaybench.store.pooling import comparable, of_one_key
from relaybench.workbench.results.evidence import (
    choose_configs,
    find_config,
    find_runs,
    load_grid,
    reading,
)
from relaybench.workbench.results.narrowing import narrowed, noted
from relaybench.workbench.workspace import Workspace


def _grid(workspace: Workspace, runs: Sequence[str]) -> OutcomeGrid:
    with reading(workspace) as connection:
        return load_grid(connection, find_runs(connection, runs))


def comparison_table(
    workspace: Workspace,
    models: Sequence[str] = (),
    runs: Sequence[str] = (),
    seed: int = DEFAULT_SEED,
    forms: Sequence[Form] = (),
    *,
    sets: Sequence[str] = (),
    domains: Sequence[str] = (),
) -> Table:
    """Every pair of the models (default: all) in the runs (default: the newest), by problem.

    As ``compare_models``, on the items of some sets and domains alone where any is named.
    """
    filters = Filters(sets=tuple(sets), domains=tuple(domains))
    grid = narrowed(_grid(workspace, runs), filters)
    return noted(compare_models(grid, models, seed, forms), filters)


def compare_models(
    grid: OutcomeGrid,
    models: Sequence[str] = (),
    seed: int = DEFAULT_SEED,
    forms: Sequence[Form] = (),
) -> Table:
    """Every pair of the models (default: all) of a grid that is loaded already, by problem.

    ``forms``: items asked in these alone (default: in all). Pairs stand in the order of the
    names, or of the plan. Raises UsageError for fewer than two models, for one named twice and
    for a form without items, UnknownNameError for a name that fits none or several.
    """
    configs = choose_configs(grid, models)
    if models and len(configs) < len(models):
        labels = [find_config(grid, name).label for name in models]
        twice = next(label for label in labels if labels.count(label) > 1)
        raise UsageError(f"{twice} is named twice, and a model is never compared with itself")
    if len(configs) < 2:
        have = ", ".join(config.label for config in grid.configs.values())
        raise UsageError(f"a comparison needs two models or more; these runs have: {have}")
    asked = {item.form for item in grid.items.values()}
    for form in forms:
        if form not in asked:
            known = [each.value for each in Form if each in asked]
            have = f"there are: {', '.join(known)}" if known else "their forms are not known"
            raise UsageError(f"no item of these runs is {form.value}; {have}")
    return comparison(grid, configs, seed, list(dict.fromkeys(forms)))


def breakdown_tables(
    workspace: Workspace,
    runs: Sequence[str] = (),
    by: Sequence[Dimension] = (),
    models: Sequence[str] = (),
    bands: Sequence[int] = DEFAULT_BANDS,
    *,
    sets: Sequence[str] = (),
    domains: Sequence[str] = (),
) -> list[Table]:
    """One table for each dimension, of runs (default: the newest); as ``break_down``.

    Of some models, sets and domains alone where any is named.
    """
    filters = Filters(tuple(models), tuple(sets), tuple(domains))
    grid = narrowed(_grid(workspace, runs), filters)
    return [noted(table, filters) for table in break_down(grid, by, bands)]


def break_down(
    grid: OutcomeGrid, by: Sequence[Dimension] = (), bands: Sequence[int] = DEFAULT_BANDS
) -> list[Table]:
    """One table for each dimension; by default for all in which the items differ.

    Of a grid that is loaded already. ``bands`` are the edges of prompt lengths in characters.
    Raises UsageError where nothing was asked for and the items differ in nothing.
    """
    edges = check_bands(bands)
    configs = list(grid.configs.values())
    chosen = list(dict.fromkeys(by)) or [
        each for each in Dimension if varies(comparable(grid), each, edges)
    ]
    if not chosen:
        raise UsageError(
            "the items of these runs differ in nothing that is known of them; to see one group "
            f"with its figures, name a dimension: --by {Dimension.DOMAIN.value}"
        )
    return [breakdown(grid, each, configs, edges) for each in chosen]


def effects_table(
    workspace: Workspace,
    runs: Sequence[str] = (),
    seed: int = DEFAULT_SEED,
    models: Sequence[str] = (),
    *,
    sets: Sequence[str] = (),
    domains: Sequence[str] = (),
) -> Table:
    """The paired effect of encoding and of bloat on every model in the runs (default: the newest).

    Of some models, sets and domains alone where any is named.
    """
    filters = Filters(tuple(models), tuple(sets), tuple(domains))
    return noted(paired_effects(narrowed(_grid(workspace, runs), filters), seed), filters)


def paired_effects(grid: OutcomeGrid, seed: int = DEFAULT_SEED) -> Table:
    """The paired effect of encoding and of bloat on every model of a grid, loaded already."""
    return effects(of_one_key(grid), seed)


def repeats_tables(
    workspace: Workspace,
    runs: Sequence[str] = (),
    ks: Sequence[int] = (),
    names: Sequence[str] = TABLES,
) -> list[Table]:
    """Repeats over all, pass@k and pass^k, and each repeat alone: those named.

    ``ks`` are 1 or more.
    """
    return repeat_tables(_grid(workspace, runs), ks, names)


def dependence_table(workspace: Workspace, runs: Sequence[str] = ()) -> Table:
    """Intervals that allow for items having classes in common."""
    return dependence(_grid(workspace, runs))
