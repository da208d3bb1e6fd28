"""Results of some sets, domains and models alone; of several runs together; looked at for long."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from relaybench.domain.errors import UnknownNameError, UsageError
from relaybench.domain.model import COMPATIBLE, SIMULATED, ModelConfig
from relaybench.reports.dimensions import Dimension
from relaybench.reports.figures.figure import FigureKind, ScoresData
from relaybench.reports.filters import Filters
from relaybench.reports.tables import EXACT_ONLY, Missing
from relaybench.workbench.results.comparing import breakdown_tables, comparison_table
from relaybench.workbench.results.evidence import reading
from relaybench.workbench.results.examining import items_of, steps_tables
from relaybench.workbench.results.looking import Evidence
from relaybench.workbench.results.reporting import attempt_list, attempts, result_table
from relaybench.workbench.results.results_stamp import results_stamp
from relaybench.workbench.workspace import Workspace
from tests.reports.compared import rows_of
from tests.workbench.examined import PAIR, M, N, pair, write

HARD = replace(PAIR, set_name="hard", name="far", prompt="Far?", domains=("math", "coding"))
COSTLY = ModelConfig("costly", COMPATIBLE, "costly")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    root = tmp_path_factory.mktemp("narrowing")
    place = Workspace(root, root / "results.db", {})
    write(
        place.database,
        "first",
        [
            (PAIR, M, ["1-2", "1-2"]), (PAIR, N, ["1-2", "1-9"]),
            (HARD, M, ["1-9", None]), (HARD, N, ["1-2", "1-2"]),
        ],
    )  # fmt: skip
    write(place.database, "second", [(PAIR, M, ["1-9"]), (PAIR, COSTLY, ["1-2"])])
    write(place.database, "made-up", [(PAIR, ModelConfig("sim", SIMULATED, "sim"), ["1-2"])])
    return place


def test_only_the_items_of_a_set_or_domain(workspace: Workspace) -> None:
    found = result_table(workspace, ["first"], Filters(sets=("hard",)))
    assert found.name == "scores"
    assert rows_of(found, "model", "pass_at_1", "planned", "unparseable") == [
        ("n", 1.0, 2, 0), ("m", 0.0, 2, 1),
    ]  # fmt: skip
    assert "Only items of the set hard." in found.notes
    assert isinstance(found.value(0, "cost_usd"), Missing)
    assert found.columns[found.place("cost_usd")].level == EXACT_ONLY
    same = result_table(workspace, ["first"], Filters(domains=("coding",)))
    assert same.rows == found.rows
    compared = comparison_table(workspace, ["n", "m"], ["first"], sets=["hard"])
    assert rows_of(compared, "pass_at_1_a", "pass_at_1_b", "n") == [(1.0, 0.0, 1)]
    (table,) = breakdown_tables(workspace, ["first"], [Dimension.SET], ["m"], domains=["coding"])
    assert rows_of(table, "group", "model", "items") == [("hard", "m", 1)]
    (steps,) = steps_tables(workspace, ["first"], names=["steps"], models=["n"], sets=["hard"])
    assert {row[0] for row in rows_of(steps, "n")} == {2}
    items = items_of(workspace, ["first"], models=["m", "n"], sets=["s"])
    assert rows_of(items, "item") == [("s/pair",)]


def test_what_is_not_there_is_named_with_what_is(workspace: Workspace) -> None:
    with pytest.raises(UnknownNameError, match=r"set 'no'; there are: hard, s$"):
        result_table(workspace, ["first"], Filters(sets=("no",)))
    with pytest.raises(UnknownNameError, match=r"domain 'no'; there are: coding, math$"):
        breakdown_tables(workspace, ["first"], domains=["no"])
    with pytest.raises(UnknownNameError, match="no model of these runs"):
        result_table(workspace, ["first"], Filters(models=("no",)))


def test_runs_together_have_scores_and_one_run_its_leaderboard(workspace: Workspace) -> None:
    one = result_table(workspace, ["first"], Filters(models=("n",)))
    assert (one.name, len(one.rows)) == ("leaderboard", 1)
    both = result_table(workspace, ["first", "second"])
    assert both.title == "Scores of runs first, second"
    # PAIR of M has three attempts, two of them right, HARD two, none right.
    assert rows_of(both, "model", "pass_at_1", "items", "scored", "coverage") == [
        ("costly", 1.0, 1, 1, 1.0), ("n", 0.75, 2, 4, 1.0), ("m", pytest.approx(1 / 3), 2, 5, 1.0),
    ]  # fmt: skip
    with pytest.raises(UsageError, match="simulated and real"):
        result_table(workspace, ["first", "made-up"])


def test_attempts_of_one_model_the_wrong_ones_first(workspace: Workspace) -> None:
    own = list(attempts(workspace, "first", model="m"))
    assert {each.model for each in own} == {"m"}
    assert len(own) == 4
    table = attempt_list(workspace, ["first", "second"], model="m")
    assert [row[0] for row in rows_of(table, "outcome")] == [
        "wrong", "wrong", "unparseable", "correct", "correct",
    ]  # fmt: skip
    assert {row[0] for row in rows_of(table, "run")} == {"first", "second"}
    at_one = attempt_list(workspace, ["first"], item="hard/far")
    assert {row[0] for row in rows_of(at_one, "model")} == {"m", "n"}
    assert not at_one.simulated
    assert attempt_list(workspace, ["made-up"]).title == "Attempts (simulated)"


def test_evidence_is_read_once_and_again_when_the_file_changed(workspace: Workspace) -> None:
    evidence = Evidence(workspace, ["first"])
    grids = evidence.grids()
    assert evidence.grids() is grids
    assert evidence.steps(Filters(), "class", ["steps"])[0].rows  # type: ignore[arg-type]
    evidence.look()
    assert evidence.grids() is grids
    assert evidence.stamp == results_stamp(workspace)
    assert results_stamp(Workspace(Path("nowhere"), Path("nowhere/results.db"), {})) == ()
    write(workspace.database, "third", [(pair("7"), M, ["1-7"])])
    evidence.look()
    assert evidence.grids() is not grids
    assert evidence.dimensions(Filters()) == [Dimension.DOMAIN, Dimension.SET]


def test_figures_of_some_items_have_no_costs(workspace: Workspace) -> None:
    evidence = Evidence(workspace, ["first", "second"])
    kept = Filters(models=("m", "n"), sets=("s",))
    (figure,) = evidence.figures(kept, [FigureKind.SCORES]).figures
    assert isinstance(figure.data, ScoresData)
    assert [(row.model, row.items) for row in figure.data.rows] == [("m", 1), ("n", 1)]
    with pytest.raises(UsageError, match="only some items"):
        evidence.figures(kept, [FigureKind.COST])


def test_who_only_reads_changes_nothing(workspace: Workspace) -> None:
    before = results_stamp(workspace)
    with reading(workspace):
        assert workspace.database.with_name("results.db-wal").exists()
        assert results_stamp(workspace) == before
    assert results_stamp(workspace) == before != ()
