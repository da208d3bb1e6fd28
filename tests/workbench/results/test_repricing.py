"""Repricing a run by a file or the catalog, of the right day, under the run's lock."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from relaybench.domain.errors import CatalogError, PlanError, RunBusyError
from relaybench.domain.model import Prices, PriceTier
from relaybench.store.database import run_lock
from relaybench.workbench.results.reporting import results
from relaybench.workbench.results.repricing import reprice_run
from relaybench.workbench.runs.planning import propose
from relaybench.workbench.workspace import Workspace
from tests.workbench.support import items_of, make_workspace, send, simulated

D = Decimal
OLD = Prices((PriceTier(0, D(1), D(1), D(1), D(1), D(1)),), {}, date(2026, 1, 1), "old")
ROW = """
[[prices]]
provider = "simulated"
models = ["sim"]
input = {price}
cached_input = {price}
cache_write = {price}
output = {price}
as_of = 2026-11-30
source = "new"
"""


@pytest.fixture
async def workspace(tmp_path: Path) -> Workspace:
    made = make_workspace(tmp_path)
    configs = [replace(simulated(), prices=OLD), replace(simulated("other"), prices=OLD)]
    await send(made, propose(made, items_of(made), configs, name="r"))
    return made


def a_file(folder: Path, text: str) -> Path:
    path = folder / "new.toml"
    path.write_text(text, "utf-8")
    return path


def totals(workspace: Workspace) -> list[Decimal | None]:
    return [each.cost.total for each in results(workspace, "r").configs]


async def test_a_files_prices_replace_those_it_has_and_no_others(
    workspace: Workspace, tmp_path: Path
) -> None:
    first, second = totals(workspace)
    assert first is not None
    path = a_file(tmp_path, ROW.format(price=3))
    dry = reprice_run(workspace, "r", prices=path, dry=True)
    assert dry.changed
    assert totals(workspace) == [first, second]
    report = reprice_run(workspace, "r", prices=path)
    assert totals(workspace) == [3 * first, second]
    (done,) = report.repriced
    assert (done.old_cost, done.new_cost, done.attempts) == (first, 3 * first, 4)
    (kept,) = report.kept
    assert (kept.config.name, kept.why) == ("other", "there is no price for simulated other")
    assert not reprice_run(workspace, "r", prices=path).changed
    assert len(results(workspace, "r").configs[0].facts.replaced) == 1


async def test_the_day_of_the_run_decides_unless_another_is_named(
    workspace: Workspace, tmp_path: Path
) -> None:
    first = totals(workspace)[0]
    assert first is not None
    until = "valid_until = 2999-01-01\nas_of"
    later = "valid_from = 2999-01-02\nas_of"
    text = ROW.format(price=2).replace("as_of", until) + ROW.format(price=5).replace("as_of", later)
    path = a_file(tmp_path, text)
    reprice_run(workspace, "r", prices=path)
    assert totals(workspace)[0] == 2 * first
    report = reprice_run(workspace, "r", prices=path, on=date(2999, 1, 2))
    assert report.on == date(2999, 1, 2)
    assert totals(workspace)[0] == 5 * first


async def test_a_price_of_another_day_is_said_to_be_one(
    workspace: Workspace, tmp_path: Path
) -> None:
    path = a_file(tmp_path, ROW.format(price=2).replace("as_of", "valid_from = 2999-01-02\nas_of"))
    with pytest.raises(PlanError, match=r"sim: its prices hold from 2999-01-02, not on .*--on"):
        reprice_run(workspace, "r", prices=path)


async def test_without_a_file_the_catalog_gives_the_prices(workspace: Workspace) -> None:
    with pytest.raises(PlanError, match="no model of run 'r' has a price in the catalog"):
        reprice_run(workspace, "r")
    first = totals(workspace)[0]
    assert first is not None
    (workspace.root / "prices.toml").write_text(ROW.format(price=4), "utf-8")
    assert reprice_run(workspace, None).source == "the catalog"
    assert totals(workspace)[0] == 4 * first


async def test_a_run_that_is_being_sent_is_left_alone(workspace: Workspace, tmp_path: Path) -> None:
    path = a_file(tmp_path, ROW.format(price=3))
    with run_lock(workspace.database, 1, "r"):
        with pytest.raises(RunBusyError):
            reprice_run(workspace, "r", prices=path)
        assert reprice_run(workspace, "r", prices=path, dry=True).changed


async def test_faults_of_the_file_are_named(workspace: Workspace, tmp_path: Path) -> None:
    path = a_file(tmp_path, ROW.format(price="'x'"))
    with pytest.raises(
        CatalogError, match=r"new\.toml:5: prices\[0\]\.input: input is not a price"
    ):
        reprice_run(workspace, "r", prices=path)
