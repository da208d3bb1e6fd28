"""What reports and analyses of runs are made of, read once: results, grids, tallies, answers."""

from __future__ import annotations

import contextlib
import difflib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from relaybench.domain.errors import UnknownNameError, UsageError
from relaybench.domain.model import ModelConfig
from relaybench.domain.money import ZERO
from relaybench.store.database import Connection
from relaybench.store.grid import Grids, OutcomeGrid
from relaybench.store.outlines import outline
from relaybench.store.plans import Plans, RunRow
from relaybench.store.pooling import pool
from relaybench.store.results import ConfigResult, Results
from relaybench.store.spending import answer_costs, unsaved_calls
from relaybench.store.step_tallies import StepTally, step_tallies
from relaybench.store.wrong_answers import WrongAnswer, wrong_answers
from relaybench.workbench.results.spent import unsaved_costs
from relaybench.workbench.workspace import Workspace


@dataclass(frozen=True, slots=True)
class RunResults:
    """A run and its results per model config; ``problems``: how many problems its items are."""

    run: RunRow
    configs: tuple[ConfigResult, ...]
    problems: int


@dataclass(frozen=True, slots=True)
class LoadedGrids:
    """The grids of single runs, and all of them put together."""

    single: tuple[OutcomeGrid, ...]
    pooled: OutcomeGrid


@contextlib.contextmanager
def reading(workspace: Workspace) -> Iterator[Connection]:
    """One snapshot of the results file: a report agrees with itself whatever is written meanwhile.

    Raises StoreError where there is no such file.
    """
    with (
        contextlib.closing(Connection(workspace.database, create=False)) as connection,
        connection.reading(),
    ):
        yield connection


def find_runs(connection: Connection, names: Sequence[str]) -> list[RunRow]:
    """Runs by name or number, each once; the newest one where no name is given."""
    plans = Plans(connection)
    found = [plans.find(name) for name in names] if names else [plans.find(None)]
    return list({run.id: run for run in found}.values())


def load_results(connection: Connection, run: RunRow) -> RunResults:
    """Results of a run, with what calls without a kept answer are estimated to have cost."""
    plan = outline(connection, run)
    unsaved = unsaved_calls(connection, run)
    configs = Results(connection).by_config(plan, unsaved)
    if calls := unsaved.calls:
        costs = unsaved_costs(calls, answer_costs(connection, run, calls), plan)
        configs = [_with_unsaved(each, costs) for each in configs]
    return RunResults(run, tuple(configs), plan.problems)


def _with_unsaved(result: ConfigResult, costs: Mapping[str, Decimal | None]) -> ConfigResult:
    cost = costs.get(result.config.digest, ZERO)
    return replace(result, facts=replace(result.facts, unsaved_usd=cost))


def load_grid(connection: Connection, runs: Sequence[RunRow]) -> OutcomeGrid:
    """The grid of one run, or of several put together; raises as ``load_grids``."""
    return load_grids(connection, runs).pooled


def load_grids(connection: Connection, runs: Sequence[RunRow]) -> LoadedGrids:
    """The grid of each run and of all put together, each read once.

    Raises UsageError for simulated and real runs together: made-up results are compared with
    nothing real.
    """
    if len({run.simulated for run in runs}) > 1:
        made_up = ", ".join(run.name for run in runs if run.simulated)
        raise UsageError(
            f"simulated and real results are never put together; leave out {made_up}, "
            "or look at the simulated runs alone"
        )
    grids = Grids(connection)
    single = tuple(grids.load(run, with_keys=len(runs) > 1) for run in runs)
    return LoadedGrids(single, pool(single))


def load_step_tallies(connection: Connection, grid: OutcomeGrid) -> list[StepTally]:
    """Verdicts on single steps over all runs of a grid, by its items."""
    return step_tallies(connection, grid.runs, grid.aliases)


def load_wrong_answers(connection: Connection, grid: OutcomeGrid) -> list[WrongAnswer]:
    """All different wrong answers over all runs of a grid, by its items."""
    return wrong_answers(connection, grid.runs, grid.aliases)


def find_config(grid: OutcomeGrid, name: str) -> ModelConfig:
    """The model config that a user means: by label, name in models.toml, or model id.

    Raises UnknownNameError where none or several fit, and says which there are.
    """
    return choose_config(grid.configs.values(), name)


def choose_config(configs: Collection[ModelConfig], name: str) -> ModelConfig:
    """The one of these configs that a user means; raises as ``find_config``."""
    for told in (
        [each for each in configs if name in (each.label, each.name)],
        [each for each in configs if name == each.model],
        [each for each in configs if each.label.casefold() == name.casefold()],
    ):
        if len(told) == 1:
            return told[0]
        if told:
            fitting = ", ".join(f"{each.name} ({each.label})" for each in told)
            raise UnknownNameError(f"{name!r} fits several models: {fitting}; name one of them")
    names = {each.casefold(): each for one in configs for each in (one.model, one.name, one.label)}
    near = difflib.get_close_matches(name.casefold(), names, 1, 0.6)
    meant = f" (did you mean {names[near[0]]!r}?)" if near else ""
    known = ", ".join(each.label for each in configs)
    raise UnknownNameError(f"no model of these runs is called {name!r}{meant}; there are: {known}")


def choose_configs(grid: OutcomeGrid, names: Sequence[str]) -> list[ModelConfig]:
    """The configs that names mean, each once, in the order named; all of the plan for none."""
    if not names:
        return list(grid.configs.values())
    return list(
        {each.digest: each for each in (find_config(grid, name) for name in names)}.values()
    )


def choose_results(results: Sequence[ConfigResult], names: Sequence[str]) -> list[ConfigResult]:
    """The results of the configs that names mean, as ``choose_configs`` does; all for none."""
    if not names:
        return list(results)
    own = {each.config.digest: each for each in results}
    configs = [each.config for each in results]
    digests = dict.fromkeys(choose_config(configs, name).digest for name in names)
    return [own[digest] for digest in digests]


def of_models(grid: OutcomeGrid, names: Sequence[str]) -> OutcomeGrid:
    """The grid with the configs that ``choose_configs`` gives alone, in that order."""
    return replace(grid, configs={each.digest: each for each in choose_configs(grid, names)})
