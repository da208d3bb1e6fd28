"""The grid draws only what is in view and what has changed; the cursor reaches every cell."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from textual.app import App, ComposeResult

from relaybench.domain.completion import Usage
from relaybench.domain.money import FREE
from relaybench.domain.results import Cell, Outcome
from relaybench.runner.events import CellFinished, CellStarted
from relaybench.tui.run.grid import RunGrid
from relaybench.tui.run.grid_view import HEADER
from relaybench.workbench.runs.cell_states import CellStates
from tests.workbench.runs.test_cell_states import CONFIG, Clock, _states


class GridApp(App[None]):
    """Nothing but a grid."""

    def __init__(self) -> None:
        super().__init__()
        self.chosen: list[tuple[int, int, int]] = []

    def compose(self) -> ComposeResult:
        yield RunGrid()

    def on_run_grid_chosen(self, event: RunGrid.Chosen) -> None:
        self.chosen.append((event.row, event.column, event.repeat))


def _large(repeats: int = 1, items: int = 500, models: int = 10) -> tuple[CellStates, list[Cell]]:
    configs = tuple(replace(CONFIG, name=f"model-{n}", model=f"model-{n}") for n in range(models))
    return _states(Clock(), items, repeats, configs)


def _text(grid: RunGrid) -> list[str]:
    return [grid.render_line(y).text.rstrip() for y in range(grid.size.height)]


async def test_it_is_legible_with_five_models_at_80_by_24() -> None:
    states, cells = _large(models=5)
    states.take(CellStarted(cells[0], 1))
    states.take(
        CellFinished(
            cells[0], Outcome.CORRECT, Usage(input=1200), replace(FREE, input=Decimal("0.5"))
        )
    )
    async with GridApp().run_test(size=(80, 24)) as pilot:
        grid = pilot.app.query_one(RunGrid)
        grid.show(states)
        await pilot.pause()
        assert grid.max_scroll_x == 0
        lines = _text(grid)
    assert all(f"model-{n}" in lines[0] for n in range(5))
    assert lines[1].split()[:3] == ["done", "╌╌╌╌", "1/500"] or "1/500" in lines[1]
    assert "100% 21–100" in lines[2]
    assert lines[HEADER].split()[:3] == ["c0", "✓", "correct"]
    assert lines[HEADER].count("queued") == 4


async def test_only_lines_that_changed_are_drawn_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    states, cells = _large()
    async with GridApp().run_test(size=(120, 40)) as pilot:
        grid = pilot.app.query_one(RunGrid)
        grid.show(states)
        await pilot.pause()
        grid.look_again()
        drawn: list[int] = []
        monkeypatch.setattr(
            grid, "refresh", lambda *regions, **_: drawn.extend(each.y for each in regions)
        )
        assert not grid.look_again()  # nothing has happened
        states.take(CellStarted(cells[0], 1))
        assert grid.look_again()
        assert drawn == [HEADER]
        drawn.clear()
        states.take(CellStarted(cells[-1], 1))  # far below
        assert not grid.look_again()
        assert drawn == []


async def test_the_cursor_reaches_every_cell_by_keys() -> None:
    states, _ = _large(repeats=3)
    async with GridApp().run_test(size=(80, 24)) as pilot:
        app = pilot.app
        assert isinstance(app, GridApp)
        grid = app.query_one(RunGrid)
        grid.show(states)
        grid.focus()
        await pilot.press("right", "right", "right", "right", "down", "enter")
        assert app.chosen == [(1, 1, 1)]
        await pilot.press("end", "enter")
        assert app.chosen[-1] == (499, 1, 1)
        grid.go(499, 9, 2)
        await pilot.pause()
        await pilot.press("right", "enter")  # there is nothing further right
        assert app.chosen[-1] == (499, 9, 2)
        lines = _text(grid)
        assert "model-9" in lines[0]
        assert any(each.startswith("c499") for each in lines)
        await pilot.press("home", *["left"] * 40, "enter")
        assert app.chosen[-1] == (0, 0, 0)
        assert "model-0" in _text(grid)[0]


async def test_the_mouse_does_what_the_keys_do() -> None:
    states, _ = _large(models=5)
    async with GridApp().run_test(size=(80, 24)) as pilot:
        app = pilot.app
        assert isinstance(app, GridApp)
        grid = app.query_one(RunGrid)
        grid.show(states)
        await pilot.pause()
        await pilot.click(RunGrid, offset=(17 + 12 + 3, HEADER + 2))
        assert (grid.row, grid.column, app.chosen) == (2, 1, [])
        await pilot.click(RunGrid, offset=(17 + 12 + 3, HEADER + 2))
        assert app.chosen == [(2, 1, 0)]
        await pilot.click(RunGrid, offset=(2, 2))  # above the items: nothing
        assert (grid.row, grid.column) == (2, 1)


async def test_many_repeats_become_a_bar_and_few_a_sign_each() -> None:
    for repeats, expected in ((3, "✓·· 1/1"), (20, "━")):
        states, cells = _large(repeats, items=1, models=1)
        states.take(CellStarted(cells[0], 1))
        states.take(CellFinished(cells[0], Outcome.CORRECT, Usage(), FREE))
        for cell in cells[1:] if repeats == 20 else ():
            states.take(CellStarted(cell, 1))
            states.take(CellFinished(cell, Outcome.WRONG, Usage(), FREE))
        async with GridApp().run_test(size=(40, 24)) as pilot:
            grid = pilot.app.query_one(RunGrid)
            grid.show(states)
            await pilot.pause()
            assert expected in _text(grid)[HEADER]


async def test_names_in_a_grid_are_literal_and_safe() -> None:
    config = replace(CONFIG, name="x", model="[red]\x1b[31m漢字漢字漢字漢字漢字")
    states, _ = _states(Clock(), 1, 1, (config,))
    states.items = (replace(states.items[0], name="a[/b]\x9b1m\x00" + "é" * 80),)
    async with GridApp().run_test(size=(60, 24)) as pilot:
        grid = pilot.app.query_one(RunGrid)
        grid.show(states)
        await pilot.pause()
        strips = [grid.render_line(y) for y in range(grid.size.height)]
        assert all(strip.cell_length == grid.size.width for strip in strips)
        text = "\n".join(strip.text for strip in strips)
    assert "[red]" in text
    assert "a[/b]" in text
    assert not set(text) & {"\x1b", "\x9b", "\x00"}
