"""Steps, predictions and items from a results file, of one run and of several put together."""

from __future__ import annotations

import pytest

from relaybench.domain.errors import UnknownNameError, UsageError
from relaybench.domain.model import SIMULATED, ModelConfig
from relaybench.reports.tables import Missing, Table, Value
from relaybench.workbench.results.evidence import find_runs, load_grid, reading
from relaybench.workbench.results.examining import (
    STEP_TABLES,
    examine_items,
    examine_steps,
    items_of,
    steps_tables,
)
from relaybench.workbench.workspace import Workspace
from tests.workbench.examined import PAIR, M, N, X, Y, pair, write


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    root = tmp_path_factory.mktemp("examining")
    place = Workspace(root, root / "results.db", {})
    write(
        place.database,
        "composites",
        [(PAIR, M, ["1-2", "1-9", "7", None]), (PAIR, N, ["1-9", "1-9", "1-9", "1-9"])],
    )
    write(
        place.database,
        "singles",
        [(X, M, ["1", "1"]), (Y, M, ["2", "3"]), (X, N, ["1", "1"]), (Y, N, ["9", None])],
    )
    # The same prompt with a corrected key: the same item to a reader, another to the file.
    write(place.database, "corrected", [(pair("9"), M, ["1-9", "1-2"])])
    sim = ModelConfig("sim", SIMULATED, "sim")
    write(place.database, "made-up", [(PAIR, sim, ["1-2"])])
    return place


def values(table: Table, *keys: str) -> list[tuple[Value, ...]]:
    return [tuple(table.value(row, key) for key in keys) for row in range(len(table.rows))]


def test_steps_and_predictions_of_one_run(workspace: Workspace) -> None:
    steps, predictions = steps_tables(workspace, ["composites"])
    assert values(steps, "class", "model", "right", "n", "unclear", "unparsed") == [
        ("math/y", "all 2 models", 1, 6, 1, 1),
        ("math/y", "m", 1, 2, 1, 1),
        ("math/y", "n", 0, 4, 0, 0),
        ("math/x", "all 2 models", 6, 6, 1, 1),
        ("math/x", "m", 2, 2, 1, 1),
        ("math/x", "n", 4, 4, 0, 0),
    ]
    assert values(predictions, "model", "basis", "predicted", "measured") == [
        ("m", "attributed", 1 / 2, 1 / 2),
        ("n", "attributed", 0.0, 0.0),
    ]


def test_a_run_of_subproblems_alone_is_the_better_basis(workspace: Workspace) -> None:
    steps, predictions = steps_tables(workspace, ["composites", "singles"], models=["m"])
    assert values(predictions, "model", "basis", "n", "predicted", "measured") == [
        ("m", "asked alone", 1, 1 / 2, 1 / 4)
    ]
    # Singles are no steps of composites.
    assert values(steps, "class", "right", "n") == [("math/y", 1, 2), ("math/x", 2, 2)]


def test_runs_of_one_prompt_under_two_keys_are_one_item(workspace: Workspace) -> None:
    both = steps_tables(workspace, ["composites", "corrected"], "position", ["m"])
    assert [table.rows for table in both] == [(), ()]  # no fair comparison, so left out
    steps, _ = both
    (note,) = (note for note in steps.notes if "Graded against different keys: s/pair" in note)
    for run in ("composites", "corrected"):
        assert f"relaybench grade {run} --corrected-keys" in note
    items = items_of(workspace, ["composites", "corrected"])
    left_out = Missing("disputed")
    assert values(items, "item", "flags", "pass_at_1", "models") == [
        ("s/pair", "disputed", left_out, left_out)
    ]


def test_items_and_the_answers_asked_for(workspace: Workspace) -> None:
    table = items_of(workspace, ["composites"], with_answers=True)
    keys = ("item", "flags", "solved", "agree", "wrong", "wrong_answer")
    # m and n both said 1-9, and m the key's.
    assert values(table, *keys) == [("s/pair", "agreeing", 0, 2, 2, "1-9")]
    assert values(items_of(workspace, ["composites"], flags=["no-model"]), "item") == []
    assert "wrong_answer" not in [column.key for column in items_of(workspace).columns]


def test_tables_of_a_grid_that_is_loaded_already(workspace: Workspace) -> None:
    with reading(workspace) as connection:
        grid = load_grid(connection, find_runs(connection, ["composites"]))
        assert examine_steps(connection, grid) == steps_tables(workspace, ["composites"])
        assert examine_items(connection, grid) == items_of(workspace, ["composites"])


def test_what_cannot_be_examined(workspace: Workspace) -> None:
    with pytest.raises(UnknownNameError, match="no model of these runs is called 'zeta'"):
        steps_tables(workspace, ["composites"], models=["zeta"])
    for examine in (steps_tables, items_of):
        with pytest.raises(UnknownNameError, match="nowhere"):
            examine(workspace, ["nowhere"])
        with pytest.raises(UsageError, match="never put together"):
            examine(workspace, ["composites", "made-up"])


def test_models_stand_in_the_order_named(workspace: Workspace) -> None:
    _, predictions = steps_tables(workspace, ["composites"], models=["n", "m", "n"])
    assert values(predictions, "model") == [("n",), ("m",)]


def test_only_the_tables_asked_for_are_made(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = steps_tables(workspace, ["composites"])
    assert tuple(table.name for table in both) == STEP_TABLES
    monkeypatch.delattr("relaybench.workbench.results.examining.steps_table")
    assert steps_tables(workspace, ["composites"], names=["predictions"]) == both[1:]
