"""The keys of the screen Results, and what its help says of it."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding, BindingType

EXPLAINS: Final = (
    "Tables and plots of what was run. All cells are those that the commands print "
    "(results, costs, breakdown, steps, compare, effects, items), made from one moment of the "
    "results file; while a run goes on they are made anew every few seconds. ^PgDn and ^PgUp (or "
    "] and [) change the tab, v and V its view.\n\n"
    "Left: the runs, newest first. Enter shows one alone, space puts several together "
    "(simulated and real ones never). Below: what to keep of them, by set, domain and model. "
    "The leaderboard and costs are of whole runs; of some sets or domains, and of several "
    "runs together, the scores are shown instead.\n\n"
    "A score stands as ├──●──┤ on an axis from 0 to 100%, the line being its 95% interval; ○ "
    "marks one whose attempts are not all in. Bars show outcomes: C correct, W wrong, "
    "U unparseable, R refused, T truncated, S stalled, · open.\n\n"
    "Enter on a model or an item lists its attempts, the wrong ones first.\n"
)

KEYS: Final[list[BindingType]] = [
    Binding("r", "side('#runs')", "Runs", id="results.runs", tooltip="To the list of runs"),
    Binding("f", "side('#only')", "Filter", id="results.filter", tooltip="Sets, domains, models"),
    Binding("v", "view(1)", "View", id="results.view", tooltip="The next view of this tab"),
    Binding("V", "view(-1)", "View before", show=False, id="results.view_before",
            tooltip="The view before"),
    Binding("s", "sort", "Sort", id="results.sort", tooltip="Sort by a column (or click it)"),
    Binding("c", "compare", "Compare", id="results.compare",
            tooltip="Compare models on the same items"),
    Binding("e", "export", "Export", id="results.export",
            tooltip="Write tables, figures, a page"),
    Binding("right_square_bracket", "tab(1)", "Next tab", show=False, id="results.tab",
            tooltip="The next tab"),
    Binding("left_square_bracket", "tab(-1)", "Tab before", show=False,
            id="results.tab_before", tooltip="The tab before"),
    # With priority: tables and plots would scroll sideways by them.
    Binding("ctrl+pagedown", "tab(1)", "Next tab", show=False, id="results.tab_page_down",
            key_display="^PgDn", tooltip="The next tab", priority=True),
    Binding("ctrl+pageup", "tab(-1)", "Tab before", show=False, id="results.tab_page_up",
            key_display="^PgUp", tooltip="The tab before", priority=True),
    Binding("w", "answers", "Wrong answers", show=False, id="results.answers",
            tooltip="Items: show or hide the most common wrong answers"),
    Binding("slash", "side('#words')", "Find a run", show=False, id="results.words",
            tooltip="Type to filter the runs"),
    Binding("x", "keep_all", "No filter", show=False, id="results.keep_all",
            tooltip="Keep all sets, domains and models"),
    Binding("escape", "tables", "Tables", show=False, id="results.tables",
            tooltip="Back to the table or plot"),
]  # fmt: skip
