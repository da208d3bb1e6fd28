"""Signs, words and figures of the grid: they fit, tell states apart, and say what is so."""

from __future__ import annotations

from decimal import Decimal

import pytest
from rich.cells import cell_len

from relaybench.domain.completion import Usage
from relaybench.domain.model import SIMULATED, ModelConfig
from relaybench.stats.intervals import Interval
from relaybench.tui.run.drawing import (
    BY_HAND,
    CAPTIONS,
    LOOKS,
    age,
    bar,
    cell_text,
    in_full,
    item_labels,
    known_money,
    look_of,
    model_lines,
    model_names,
    tokens,
)
from relaybench.workbench.runs.cell_state import CellNow, State
from relaybench.workbench.runs.model_figures import ModelNow


def test_every_state_has_a_sign_of_its_own_one_cell_wide() -> None:
    signs = [LOOKS[state].sign for state in State] + [BY_HAND.sign]
    assert len(set(signs)) == len(signs)
    assert {cell_len(sign) for sign in signs} == {1}
    assert all(LOOKS[state].word and LOOKS[state].style for state in State)


@pytest.mark.parametrize("state", list(State))
@pytest.mark.parametrize("room", [1, 4, 11, 19, 27])
def test_a_cell_always_fits_and_begins_with_its_sign(state: State, room: int) -> None:
    now = CellNow(state, 10.0, 3, 30, 1000.0, "oh")
    text = cell_text(now, 110.0, room)
    assert cell_len(text) <= room
    assert text.startswith(LOOKS[state].sign)


@pytest.mark.parametrize(
    ("now", "room", "text"),
    [
        (CellNow(State.THINKING, 88.0), 11, "∴ think 12s"),
        (CellNow(State.THINKING, 88.0), 20, "∴ thinking 12s"),
        (CellNow(State.ANSWERING, 88.0), 11, "»answer 12s"),
        (CellNow(State.RETRY, 0, 3, 30, 112.0), 11, "↻ 3/30 12s"),
        (CellNow(State.RETRY, 0, 3, 30, 112.0), 26, "↻ retry 3 of 30 in 12s"),
        (CellNow(State.RETRY, 0, 3, 30, 99.0), 11, "↻ 3/30 due"),
        (CellNow(State.PAUSED, 0, 2), 16, "‖ paused turn 2"),
        (CellNow(State.UNPARSEABLE), 11, "? unparsed"),
        (CellNow(State.QUEUED, 5.0), 11, "· queued"),
    ],
)
def test_cells_read_well(now: CellNow, room: int, text: str) -> None:
    assert cell_text(now, 100.0, room) == text


def test_a_cell_in_full_says_why() -> None:
    waiting = CellNow(State.RETRY, 0, 3, 30, 112.0, "it [b]fell[/b]")
    assert in_full(waiting, 100.0) == "retry 3 of 30 in 12 s: it [b]fell[/b]"
    assert in_full(CellNow(State.SEARCHING, 40.0, 2), 100.0) == "searching for 60 s, try 2"
    assert in_full(CellNow(State.AT_PROVIDER, 40.0), 50.0).startswith("queued at the provider")
    assert in_full(CellNow(State.OPEN), 0.0, manual=True) == "by hand"
    assert look_of(CellNow(State.CORRECT), manual=True).word == "correct"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-3, "0s"), (0, "0s"), (99.9, "99s"), (100, "1m"), (5999, "99m"), (6000, "1h"),
     (400_000, "4d")],
)  # fmt: skip
def test_ages_are_short(seconds: float, text: str) -> None:
    assert age(seconds) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [(None, "–"), (0, "0"), (999, "999"), (1000, "1.0k"), (9949, "9.9k"), (9950, "10k"),
     (999_499, "999k"), (1_000_000, "1.0M"), (12_000_000, "12M")],
)  # fmt: skip
def test_tokens_are_short(count: int | None, text: str) -> None:
    assert tokens(count) == text


def test_a_bar_is_full_only_when_all_is_done() -> None:
    assert bar(199, 200, 4) == "━━━╌"
    assert bar(200, 200, 4) == "━━━━"
    assert bar(0, 200, 4) == "╌╌╌╌"
    assert bar(0, 0, 4) == "╌╌╌╌"


def test_money_that_is_not_wholly_known_is_marked() -> None:
    assert known_money(Decimal("1.5"), unknown=False) == "$1.50"
    assert known_money(Decimal("1.5"), unknown=True) == "$1.50+?"
    assert known_money(Decimal(0), unknown=True) == "$?"
    assert known_money(Decimal("0.00042"), unknown=False) == "$0.0004"


def _model(**changes: object) -> ModelNow:
    fields: dict[str, object] = {
        "config": ModelConfig("m", SIMULATED, "m"), "total": 40, "done": 12, "scored": 10,
        "correct": 7, "failed": 2, "under_way": 3, "outcomes": {}, "score": 0.7,
        "interval": Interval(0.397, 0.892), "usage": Usage(input=900, cached_input=100, output=5),
        "cost": Decimal("1.23"), "unknown_costs": 0, "cache_rate": 0.1, "retries": 4,
        "seconds_left": 200.0, "note": "",
    }  # fmt: skip
    return ModelNow(**{**fields, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize("room", [11, 20])
def test_what_stands_above_a_column_fits_and_has_its_caption(room: int) -> None:
    for model in (_model(), _model(score=None, interval=None, cache_rate=None, usage=Usage()),
                  _model(score=1.0, interval=Interval(0.9, 1.0), unknown_costs=1)):  # fmt: skip
        lines = model_lines(model, room)
        assert len(lines) == len(CAPTIONS) - 1
        assert all(cell_len(each) <= room for each in lines), lines
    done, score, cost, used, cached = model_lines(_model(), 11)
    assert done.endswith("12/40 !2")
    assert score == "70% 40–89"
    assert cost == "$1.23 ~3m"
    assert used == "1.0k/5"
    assert cached == "10.0% ↻4"


def test_labels_leave_out_what_all_have_in_common() -> None:
    assert item_labels([("s", "a", "plain"), ("s", "b", "plain")]) == ["a", "b"]
    assert item_labels([("s", "a", "plain"), ("t", "a", "plain")]) == ["s/a", "t/a"]
    assert item_labels([("s", "a", "plain"), ("s", "a", "encoded")]) == ["a", "a +e"]


def test_models_whose_names_do_not_fit_keep_both_ends() -> None:
    assert model_names([("sim-alpha (high)", "sim-alpha")], 20) == ["sim-alpha (high)"]
    assert model_names([("sim-alpha (high)", "sim-alpha")], 11) == ["sim-alpha"]
    (short,) = model_names([("a-very-long-name (max)", "a-very-long-name")], 11)
    assert short == "a-ver…(max)"
