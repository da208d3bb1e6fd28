"""Progress counts what a session's events say, no more and no less."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from relaybench.domain.completion import Usage
from relaybench.domain.model import ModelConfig
from relaybench.domain.money import FREE, UNKNOWN_COST, Cost
from relaybench.domain.results import Cell, Outcome
from relaybench.runner.events import (
    CellFinished,
    CellLeft,
    CellStarted,
    CellWaiting,
    Ending,
    LaneClosed,
    PaceChanged,
    RunEnded,
)
from relaybench.workbench.runs.progress import Progress

CONFIG = ModelConfig("m", "compatible", "m")
CELLS = [Cell(f"i{n}", CONFIG.digest, 0) for n in range(5)]


def test_a_session_is_counted() -> None:
    moments = iter([0.0, 10.0, 10.0])
    progress = Progress.of({CONFIG.digest: CONFIG}, {CONFIG.digest: 5}, lambda: next(moments))
    assert progress.seconds_left() is None
    cent = replace(FREE, output=Decimal("0.01"))
    half_known = Cost(Decimal("0.02"), None, None, None, None)
    for event in (
        CellStarted(CELLS[0], 1),
        CellWaiting(CELLS[0], 1, 30, 2.0, "server", "x", cent),
        CellStarted(CELLS[0], 2),
        CellFinished(CELLS[0], Outcome.CORRECT, Usage(), cent),
        CellStarted(CELLS[1], 1),
        CellFinished(CELLS[1], Outcome.WRONG, Usage(), half_known),
        CellStarted(CELLS[2], 1),
        CellFinished(CELLS[2], Outcome.ERROR, Usage(), FREE, "bad"),
        CellStarted(CELLS[3], 1),
        CellLeft(CELLS[3], "server", "x", UNKNOWN_COST),
        PaceChanged("lane", 2),
        LaneClosed("lane", "m", "quota", "out of credit", 1),
        RunEnded(Ending.STOPPED, 2),
    ):
        progress.take(event)
    model = progress.models[CONFIG.digest]
    assert (progress.done, progress.total) == (3, 5)
    assert (model.correct, model.failed, model.retries, model.under_way) == (1, 1, 1, 0)
    assert (progress.cost, model.unknown_costs, model.note) == (Decimal("0.04"), 2, "bad")
    assert progress.messages == ["m: nothing more is sent (1 left): out of credit"]
    assert progress.seconds_left() == 10 / 3 * 2
    assert progress.model_seconds_left(CONFIG.digest) == 10 / 3 * 2


def test_the_whole_takes_no_less_time_than_the_slowest_model() -> None:
    other = replace(CONFIG, name="slow", model="slow")
    progress = Progress.of(
        {each.digest: each for each in (CONFIG, other)},
        {CONFIG.digest: 100, other.digest: 100},
        iter([0.0, 10.0, 10.0]).__next__,
    )
    progress.models[CONFIG.digest].done = 90
    progress.models[other.digest].done = 1
    assert progress.seconds_left() == progress.model_seconds_left(other.digest) == 990.0
