"""Comparisons from a results file: which runs, which models, which tables, and what is refused."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from relaybench.domain.errors import UnknownNameError, UsageError
from relaybench.domain.item import Form
from relaybench.domain.model import COMPATIBLE, SIMULATED, ModelConfig
from relaybench.reports.dimensions import Dimension
from relaybench.store.database import Connection
from relaybench.workbench.results.all_tables import analysis_tables
from relaybench.workbench.results.comparing import (
    breakdown_tables,
    comparison_table,
    dependence_table,
    effects_table,
    repeats_tables,
)
from relaybench.workbench.results.evidence import load_grid
from relaybench.workbench.results.reporting import leaderboard_text
from relaybench.workbench.workspace import Workspace
from tests.reports.compared import rows_of
from tests.workbench.examined import PAIR, M, N, X, Y, pair, write

CODE = replace(PAIR, prompt="code", encoded=True, encoding_seed=1)
LONG = replace(PAIR, prompt="x" * 16_000, bloat_characters=9)
OTHER = replace(PAIR, name="other", prompt="Other?")
HARD = ModelConfig("m-hard", COMPATIBLE, "m", effort="hard")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    root = tmp_path_factory.mktemp("comparing")
    place = Workspace(root, root / "results.db", {})
    write(
        place.database,
        "forms",
        [
            (PAIR, M, ["1-2", "1-2"]), (PAIR, N, ["1-2", "1-9"]),
            (CODE, M, ["1-9", "1-2"]), (CODE, N, ["1-9", None]),
            (LONG, M, ["1-2", "1-2"]), (LONG, N, ["1-9", "1-2"]),
        ],
    )  # fmt: skip
    write(place.database, "more", [(PAIR, M, ["1-9"]), (OTHER, M, ["1-2"]), (OTHER, HARD, ["7"])])
    write(place.database, "corrected", [(pair("9"), M, ["1-9"])])
    write(place.database, "one", [(X, M, ["1"]), (Y, M, ["2"])])
    sim = ModelConfig("sim", SIMULATED, "sim")
    write(place.database, "made-up", [(PAIR, sim, ["1-2"])])
    return place


def test_models_by_name_in_the_order_named(workspace: Workspace) -> None:
    found = comparison_table(workspace, ["n", "m"], ["forms"])
    assert rows_of(found, "model_a", "model_b", "n", "pass_at_1_a", "pass_at_1_b") == [
        ("n", "m", 1, 1 / 3, 5 / 6)
    ]
    assert rows_of(comparison_table(workspace, [], ["forms"]), "model_a", "model_b") == [("m", "n")]
    assert found.value(0, "items") == 3


def test_one_form_of_the_problems(workspace: Workspace) -> None:
    found = comparison_table(workspace, [], ["forms", "more"], 7, [Form.ENCODED, Form.ENCODED])
    assert rows_of(found, "model_a", "model_b", "items", "left_out")[0] == ("m", "n", 1, 0)
    assert "Only items asked in this form: encoded." in found.notes
    with pytest.raises(UsageError, match=r"runs is encoded; there are: plain$"):
        comparison_table(workspace, [], ["more"], 0, [Form.PLAIN, Form.ENCODED])


def test_runs_are_put_together(workspace: Workspace) -> None:
    """PAIR of M has three attempts now; N never saw OTHER, and HARD only that."""
    found = comparison_table(workspace, [], ["forms", "more"])
    assert found.title == "Paired comparison of models of runs forms, more"
    assert rows_of(found, "model_a", "model_b", "n", "left_out") == [
        ("m", "n", 1, 1), ("m", "m (hard)", 1, 3), ("n", "m (hard)", 0, 4),
    ]  # fmt: skip
    assert found.value(0, "pass_at_1_a") == pytest.approx((2 / 3 + 1 / 2 + 1) / 3)


def test_items_graded_against_different_keys_are_no_comparison(workspace: Workspace) -> None:
    found = comparison_table(workspace, ["m", "n"], ["forms", "corrected"])
    assert rows_of(found, "items", "left_out") == [(2, 1)]
    assert any("Graded against different keys: s/pair." in note for note in found.notes)


@pytest.mark.parametrize(
    ("models", "runs", "error", "text"),
    [
        (["m"], ["forms"], UsageError, "needs two models or more; these runs have: m, n"),
        (["m", "n", "m"], ["forms"], UsageError, "m is named twice"),
        ([], ["one"], UsageError, "needs two models or more"),
        (["m", "opus"], ["forms"], UnknownNameError, "called 'opus'; there are: m, n"),
        ([], ["nowhere"], UnknownNameError, "nowhere"),
        ([], ["forms", "made-up"], UsageError, "never put together; leave out made-up"),
    ],
)
def test_what_is_refused(
    workspace: Workspace, models: list[str], runs: list[str], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        comparison_table(workspace, models, runs)


def test_two_efforts_are_two_configs(workspace: Workspace) -> None:
    found = comparison_table(workspace, ["m", "m (hard)"], ["more"])
    assert rows_of(found, "model_a", "model_b", "n") == [("m", "m (hard)", 1)]


def test_breakdowns_in_which_items_differ(workspace: Workspace) -> None:
    found = breakdown_tables(workspace, ["forms"])
    assert [table.name for table in found] == ["by-encoded", "by-bloat", "by-form", "by-length"]
    bands = breakdown_tables(workspace, ["forms"], [Dimension.LENGTH], ["n"], [20_000, 5])
    (length,) = bands
    assert rows_of(length, "group", "model", "items") == [
        ("up to 5 characters", "n", 2), ("6 to 20,000 characters", "n", 1),
    ]  # fmt: skip
    one = breakdown_tables(workspace, ["made-up"], [Dimension.SET, Dimension.SET])
    assert [table.name for table in one] == ["by-set"]
    with pytest.raises(UsageError, match="--by domain"):
        breakdown_tables(workspace, ["made-up"])
    with pytest.raises(UsageError, match="1 character or more"):
        breakdown_tables(workspace, ["forms"], bands=[0])


def test_effects_repeats_and_dependence(workspace: Workspace) -> None:
    found = effects_table(workspace, ["forms"])
    assert rows_of(found, "effect", "model", "n", "pass_at_1_a", "pass_at_1_b") == [
        ("encoding", "m", 1, 0.5, 1.0), ("encoding", "n", 1, 0.0, 0.5),
        ("bloat", "m", 1, 1.0, 1.0), ("bloat", "n", 1, 0.5, 0.5),
    ]  # fmt: skip
    of_one = effects_table(workspace, ["forms"], models=["n"], sets=["s"])
    assert rows_of(of_one, "effect", "model", "n") == [("encoding", "n", 1), ("bloat", "n", 1)]
    assert of_one.notes[0] == "Only items of the set s."
    overall, pass_k, by_repeat = repeats_tables(workspace, ["forms"], [2])
    assert rows_of(overall, "model", "repeats") == [("m", 2), ("n", 2)]
    assert rows_of(pass_k, "model", "k", "pass_at_k", "pass_hat_k") == [
        ("m", 2, 1.0, 2 / 3), ("n", 2, 2 / 3, 0.0),
    ]  # fmt: skip
    assert rows_of(by_repeat, "repeat", "pass_at_1")[:2] == [(1, 2 / 3), (2, 1.0)]
    assert rows_of(dependence_table(workspace, ["forms"]), "classes") == [(2,), (2,)]


def test_all_tables_of_a_run(workspace: Workspace) -> None:
    names = [table.name for table in analysis_tables(workspace, "forms")]
    assert names == [
        "comparison", "by-encoded", "by-bloat", "by-form", "by-length", "effects",
        "repeats", "pass-k", "by-repeat", "dependence", "steps", "predictions", "items",
    ]  # fmt: skip
    assert len(set(names)) == len(names)
    one = [table.name for table in analysis_tables(workspace, "one")]
    assert one[0] == "by-class"
    assert not {"comparison", "effects", "repeats", "dependence"} & set(one)
    newest = analysis_tables(workspace)
    assert all(table.simulated for table in newest)


def test_the_grid_is_read_once(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = []

    def counted(*arguments: object) -> object:
        reads.append(arguments)
        return load_grid(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("relaybench.workbench.results.all_tables.load_grid", counted)
    analysis_tables(workspace, "forms")
    assert len(reads) == 1


def test_forms_graded_against_different_keys_are_no_pair(tmp_path: Path) -> None:
    """The plain form was graded again with a corrected key, the encoded one of a later run not."""
    place = Workspace(tmp_path, tmp_path / "results.db", {})
    other = replace(CODE, name="other", prompt="code!")
    write(place.database, "plain", [(PAIR, M, ["1-2"]), (OTHER, M, ["1-2"])])
    write(place.database, "encoded", [(CODE, M, ["1-9"]), (other, M, ["1-9"])])
    write(place.database, "corrected", [(pair("9"), M, ["1-9"])])
    both = ["plain", "encoded"]
    assert rows_of(effects_table(place, both), "effect", "n") == [("encoding", 2)]
    with closing(Connection(place.database)) as on, on.writing():
        on.write(
            "UPDATE grades SET item_id = (SELECT id FROM items WHERE digest = ?) "
            "WHERE item_id = (SELECT id FROM items WHERE digest = ?)",
            (pair("9").digest, PAIR.digest),
        )
    found = effects_table(place, both)
    assert rows_of(found, "effect", "n") == [("encoding", 1)]
    assert any("Graded against different keys: s/pair" in note for note in found.notes)


def test_scores_of_a_run_in_several_forms_say_so(workspace: Workspace) -> None:
    said = "The 3 items are 1 problem in several forms"
    assert said in leaderboard_text(workspace, "forms", "md")
    assert "several forms" not in leaderboard_text(workspace, "more", "md")
