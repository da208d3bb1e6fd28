"""How much of a run is made up: one answer for titles, notes, rows and pages."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from relaybench.domain.model import COMPATIBLE, SIMULATED, ModelConfig
from relaybench.reports.grid_facts import config_simulated, grid_notes, grid_simulated, grid_title
from relaybench.reports.run_facts import Simulated, how_simulated, simulated_notes, title
from relaybench.store.grid import OutcomeGrid
from tests.reports.samples import a_run

REAL = ModelConfig("real", COMPATIBLE, "real")
MADE_UP = ModelConfig("made-up", SIMULATED, "made-up")


@pytest.mark.parametrize(
    ("run", "configs", "how", "rows", "end"),
    [
        (False, [REAL], Simulated.NONE, [False], ""),
        (False, [], Simulated.NONE, [], ""),
        (True, [MADE_UP], Simulated.ALL, [True], " (simulated)"),
        (False, [MADE_UP], Simulated.ALL, [True], " (simulated)"),
        (True, [REAL, MADE_UP], Simulated.PARTLY, [False, True], " (partly simulated)"),
        # A run that calls itself simulated is: whoever sent it knew better than its configs tell.
        (True, [REAL], Simulated.ALL, [True], " (simulated)"),
        (True, [], Simulated.ALL, [], " (simulated)"),
    ],
)
def test_one_answer_everywhere(
    run: bool, configs: Sequence[ModelConfig], how: Simulated, rows: list[bool], end: str
) -> None:
    runs = (a_run(simulated=run),)
    assert how_simulated(runs, configs) is how
    assert [how.of(config) for config in configs] == rows
    assert title("Costs", runs, how) == f"Costs of run paper{end}"
    grid = OutcomeGrid(runs, {}, {config.digest: config for config in configs}, {})
    assert grid_simulated(grid) is how.any
    assert [config_simulated(grid, config) for config in configs] == rows
    assert grid_title(grid, "Costs") == title("Costs", runs, how)
    assert grid_notes(grid) == simulated_notes(how, configs)


def test_one_simulated_run_of_several_is_enough() -> None:
    runs = [a_run(), a_run(simulated=True)]
    assert how_simulated(runs, [REAL]) is Simulated.ALL
    assert title("Costs", runs, Simulated.ALL) == "Costs of runs paper, paper (simulated)"


def test_a_model_that_nobody_knows_is_made_up_where_any_is() -> None:
    assert [how.of(None) for how in Simulated] == [False, True, True]


def test_the_note_names_the_simulated_ones_of_a_mixed_run_only() -> None:
    assert simulated_notes(Simulated.NONE, [REAL]) == []
    (mixed,) = simulated_notes(Simulated.PARTLY, [REAL, MADE_UP])
    assert mixed.startswith("SIMULATED: made-up answered by the built-in simulator.")
    (whole,) = simulated_notes(Simulated.ALL, [MADE_UP])
    assert whole.startswith("SIMULATED: all models answered")
