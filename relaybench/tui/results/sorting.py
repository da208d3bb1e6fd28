"""Ask by which column a table is to be sorted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from relaybench.tui.dialogs.pick import Choice, Pick
from relaybench.tui.results.table_view import level_for

if TYPE_CHECKING:
    from textual.app import App

    from relaybench.tui.results.results_table import ResultsTable


async def pick_column(view: ResultsTable, app: App[int]) -> None:
    """Ask for a column and sort by it; again by the same one turns the order round.

    Has to be awaited inside a worker.
    """
    from relaybench.reports.display import chosen_columns

    table = view.shown
    if table is None:
        return
    columns = chosen_columns(table, level_for(view.size.width), terminal=True)
    order = view.order
    choices = [
        Choice(
            column.key,
            column.heading,
            ("falling, turn it round" if order.falling else "rising, turn it round")
            if column.key == order.key
            else column.unit,
        )
        for column in columns
    ]
    key = await app.push_screen_wait(Pick("Sort by", choices, current=order.key))
    if key is not None:
        view.sort_by(key)
