"""The lines of the screen Run fit their place without losing what tells things apart."""

from __future__ import annotations

import pytest

from relaybench.tui.run.live import BudgetNow
from relaybench.tui.run.words import totals
from relaybench.workbench.runs.cell_states import LaneNow
from tests.workbench.runs.test_cell_states import Clock, _states


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_totals_never_break_within_a_part(width: int) -> None:
    states, _ = _states(Clock(), 100)
    states.lanes = {"a": LaneNow(8, 4), "b": LaneNow(2, 2)}
    lines = str(totals(states, "running", BudgetNow(), width, simulated=True).plain).split("\n")
    assert all(len(line) <= width for line in lines)
    words = "  ".join(line.strip() for line in lines)
    for part in ("running", "0/100", "$0", "0 s so far", "8/2 at once, slowed to 4"):
        assert part in words
    assert len(lines) == (1 if width >= 120 else 2)
