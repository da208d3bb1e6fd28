"""Journeys on the screen Results; what it shows and writes is what the commands print and write."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from relaybench.reports.dimensions import Dimension
from relaybench.reports.display import chosen_columns, display
from relaybench.reports.filters import Filters
from relaybench.reports.tables import Table
from relaybench.tui.messages import OpenResults
from relaybench.tui.results.export_dialog import ExportDialog
from relaybench.tui.results.exports import Export, What, write
from relaybench.tui.results.pick_attempt import PickAttempt
from relaybench.tui.results.results_table import ResultsTable
from relaybench.tui.results.shelf import Tab
from relaybench.tui.results.table_view import Order, level_for, ordered
from relaybench.tui.screens.results import ResultsScreen
from relaybench.workbench.results.comparing import breakdown_tables, comparison_table
from relaybench.workbench.results.reporting import result_table
from relaybench.workbench.workspace import Workspace
from tests.tui.driving import SIZES, app_of, opened, press, settled, shown
from tests.tui.results.stored import OTHER, RUN


def screen_of(pilot: Pilot[int]) -> ResultsScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ResultsScreen)
    return screen


def table_of(pilot: Pilot[int]) -> ResultsTable:
    return screen_of(pilot).query_one("#table", ResultsTable)


def cells(pilot: Pilot[int]) -> list[dict[str, str]]:
    """What stands under each column of the reports, row by row."""
    view = table_of(pilot)._view
    assert view is not None
    return [
        {
            heading.key: "".join(piece.text for piece in cell)
            for heading, cell in zip(view.headings, row, strict=True)
            if heading.key is not None
        }
        for row in view.rows
    ]


def printed(table: Table, width: int) -> list[dict[str, str]]:
    """The same of a command's table."""
    level = level_for(width)
    keys = [column.key for column in chosen_columns(table, level, terminal=True)]
    rows = display(table, level, terminal=True).rows
    return [dict(zip(keys, row, strict=True)) for row in rows]


async def look_at_first(pilot: Pilot[int]) -> None:
    screen_of(pilot).post_message(OpenResults(RUN))
    await settled(pilot)
    await settled(pilot)
    assert screen_of(pilot).selection.runs == (RUN,)


@pytest.mark.parametrize("size", SIZES)
async def test_the_leaderboard_is_that_of_the_command_and_is_sorted(
    stored: Workspace, size: tuple[int, int]
) -> None:
    async with opened(stored, size, "results") as pilot:
        await look_at_first(pilot)
        table = result_table(stored, [RUN])
        seen, told = cells(pilot), printed(table, table_of(pilot).size.width)
        for mine, theirs in zip(seen, told, strict=True):
            assert mine["model"] == theirs["model"].replace("\x1b", "\\x1b")
            assert {**mine, "model": ""} == {**theirs, "model": ""}
        text = shown(pilot)
        assert "├" in text
        assert "C█ correct" in text
        assert "x[/red] [bold]\\x1b" in text
        assert "simulated" in text
        assert "\x1b" not in text

        await press(pilot, "s", *"pass", "enter")  # falling, as it stands already
        await press(pilot, "s", *"pass", "enter")
        rising = ordered(table, Order("pass_at_1"))
        assert [row["model"] for row in cells(pilot)] == [seen[row]["model"] for row in rising]

        await press(pilot, "escape", "end", "enter")
        attempts = pilot.app.screen
        assert isinstance(attempts, PickAttempt)
        listed = attempts.query_one(ResultsTable).shown
        assert listed is not None
        assert {listed.value(row, "model") for row in range(len(listed.rows))} == {"able"}
        outcomes = [str(listed.value(row, "outcome")) for row in range(len(listed.rows))]
        assert outcomes == sorted(outcomes, key="correct".__eq__)
        await press(pilot, "enter")
        assert pilot.app.current_mode == "attempt"


@pytest.mark.parametrize("size", SIZES)
async def test_models_are_compared_runs_pooled_and_items_filtered(
    stored: Workspace, size: tuple[int, int]
) -> None:
    async with opened(stored, size, "results") as pilot:
        await look_at_first(pilot)
        await press(pilot, "escape", "c", "enter")  # the best one with the next of the plan
        assert screen_of(pilot).selection.tab is Tab.COMPARE
        table = comparison_table(stored, ["able", "middling"], [RUN])
        assert table_of(pilot).shown == table

        screen_of(pilot).action_tables()  # a table scrolls sideways by these keys elsewhere
        await press(pilot, "ctrl+pagedown", "ctrl+pageup", "ctrl+pageup", "ctrl+pageup")
        await press(pilot, "r", "home", "space")
        assert set(screen_of(pilot).selection.runs) == {RUN, OTHER}
        assert screen_of(pilot).selection.tab is Tab.BREAKDOWN
        await press(pilot, "v")
        shown_now = screen_of(pilot).shown
        assert shown_now is not None
        assert shown_now.table is not None
        assert (
            shown_now.table
            == breakdown_tables(
                stored, screen_of(pilot).selection.runs, [Dimension(shown_now.view)]
            )[0]
        )

        await press(pilot, "f", "down", "down", "space")  # the first domain
        (domain,) = screen_of(pilot).selection.filters.domains
        await press(pilot, "left_square_bracket", "left_square_bracket", "left_square_bracket")
        assert screen_of(pilot).selection.tab is Tab.LEADERBOARD
        runs = screen_of(pilot).selection.runs
        assert table_of(pilot).shown == result_table(stored, runs, Filters(domains=(domain,)))


async def written_out(pilot: Pilot[int]) -> None:
    """Wait until the dialog has gone: it stays open while it writes."""
    for _ in range(200):
        if not isinstance(pilot.app.screen, ExportDialog):
            return
        await settled(pilot)
    raise AssertionError("the export does not end")


@pytest.mark.parametrize("size", SIZES)
async def test_an_export_is_that_of_the_command_and_spares_foreign_files(
    stored: Workspace, tmp_path: Path, size: tuple[int, int]
) -> None:
    async with opened(stored, size, "results") as pilot:
        await look_at_first(pilot)
        await press(pilot, "e")
        dialog = pilot.app.screen
        assert isinstance(dialog, ExportDialog)
        place = stored.root / "out"
        dialog.query_one("#place", Input).value = "out"
        await press(pilot, "ctrl+s")
        assert "to write:" in shown(pilot)
        assert not place.exists()
        await press(pilot, "ctrl+s")
        await written_out(pilot)
        written = {path.name: path.read_bytes() for path in place.iterdir()}
        export = Export(What.TABLES, (RUN,), tmp_path / "told")
        await asyncio.to_thread(write, stored, export, lambda _: None)
        assert written == {path.name: path.read_bytes() for path in (tmp_path / "told").iterdir()}

        (place / "run.json").unlink()
        await press(pilot, "e")
        assert isinstance(pilot.app.screen, ExportDialog)
        pilot.app.screen.query_one("#place", Input).value = "out"
        await press(pilot, "ctrl+s")
        assert "Refused:" in shown(pilot)
        await press(pilot, "ctrl+s", "escape")
        assert not (place / "run.json").exists()


@pytest.mark.parametrize("size", SIZES)
async def test_every_tab_and_view_is_shown_and_no_results_say_what_to_do(
    stored: Workspace, size: tuple[int, int]
) -> None:
    async with opened(stored, size, "results") as pilot:
        await look_at_first(pilot)
        for tab in Tab:
            screen_of(pilot).query_one("#tabs").choose(tab.value)  # type: ignore[attr-defined]
            await settled(pilot)
            now = screen_of(pilot).shown
            assert now is not None
            for view in now.views or ("",):
                screen_of(pilot).query_one("#views").choose(view)  # type: ignore[attr-defined]
                await settled(pilot)
                now = screen_of(pilot).shown
                assert now is not None
                assert now.view == (view or now.view)
                assert now.said == "", (tab, view)
                assert "\x1b" not in shown(pilot)
        for path in stored.root.glob("results.db*"):
            path.unlink()
        await app_of(pilot).action_go("manual")
        await settled(pilot)
        await app_of(pilot).action_go("results")
        await settled(pilot)
        await settled(pilot)
        assert "No results yet" in shown(pilot)
        assert "F4" in shown(pilot)


async def test_an_export_to_an_unknown_home_is_told_while_it_is_typed(stored: Workspace) -> None:
    async with opened(stored, SIZES[0], "results") as pilot:
        await press(pilot, "e")
        pilot.app.screen.query_one("#place", Input).focus()
        await press(pilot, "ctrl+u", "~", "n", "o", "-", "w", "h", "o")
        assert "no such user" in shown(pilot)
        await press(pilot, "ctrl+s", "enter")
        assert "no such user" in shown(pilot)
        await press(pilot, "ctrl+u", *"out", "enter")
        assert "to write:" in shown(pilot)


async def test_the_lists_come_when_they_are_needed_and_go_by_key_and_click(
    stored: Workspace,
) -> None:
    async with opened(stored, SIZES[0]) as pilot:
        await app_of(pilot).action_go("results")
        screen = screen_of(pilot)
        screen.load()
        await pilot.pause()
        screen.load()  # the one before stops wherever it is
        await press(pilot, "r")
        assert screen.side.has_class("-open")
        assert [each.name for each in screen.entries] == [RUN, OTHER]
        await press(pilot, "r")
        assert not screen.side.has_class("-open")
        await press(pilot, "f")
        assert screen.side.has_class("-open")
        await pilot.click("#tabs", offset=(60, 0))
        await settled(pilot)
        assert not screen.side.has_class("-open")


async def test_words_in_place_of_a_table_only_borrow_the_focus(stored: Workspace) -> None:
    async with opened(stored, SIZES[0], "results") as pilot:
        screen = screen_of(pilot)
        await screen._filter(Filters(models=("able",)))  # nothing to compare it with
        await press(pilot, "escape")
        screen.query_one("#tabs").choose(Tab.COMPARE.value)  # type: ignore[attr-defined]
        await settled(pilot)
        assert screen.query_one("#tabs").has_focus
        await press(pilot, "right_square_bracket")
        assert screen.selection.tab is Tab.EFFECTS
        assert table_of(pilot).rows.has_focus
        screen.list_attempts(item="starter/not-asked")
        await settled(pilot)
        assert "No attempt yet: its cells are open" in shown(pilot)
        await press(pilot, "escape")
        assert pilot.app.screen is screen


async def test_a_later_visit_reads_only_what_was_written_since(stored: Workspace) -> None:
    async with opened(stored, SIZES[0], "results") as pilot:
        screen, read = screen_of(pilot), []
        runs = screen.shelf.runs
        screen.shelf.runs = lambda: read.append(1) or runs()  # type: ignore[method-assign,func-returns-value]
        for times in (0, 1):
            await app_of(pilot).action_go("manual")
            await settled(pilot)
            if times:  # by somebody else
                copy = stored.root / "copy.db"
                await asyncio.to_thread(shutil.copyfile, stored.database, copy)
                copy.replace(stored.database)
            await app_of(pilot).action_go("results")
            await settled(pilot)
            await settled(pilot)
            assert len(read) == times
