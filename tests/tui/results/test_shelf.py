"""What the screen is set to, what it makes of that, and what it reads again."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from relaybench.domain.errors import Stopped, StoreError
from relaybench.reports.filters import Filters
from relaybench.reports.formats import render
from relaybench.store.plans import RunRow
from relaybench.tui.results.exports import (
    Export,
    Watch,
    What,
    default_place,
    foresee,
    foreseen_words,
)
from relaybench.tui.results.lists import kept_words, toggled
from relaybench.tui.results.run_rows import entry_of, fitting, headline
from relaybench.tui.results.selection import Selection
from relaybench.tui.results.shelf import Asked, Shelf, Tab
from relaybench.workbench.results.comparing import effects_table
from relaybench.workbench.results.examining import items_of, steps_tables
from relaybench.workbench.results.reporting import costs_text, result_table
from relaybench.workbench.workspace import Workspace
from tests.tui.results.stored import OTHER, RUN


def run_row(name: str, kind: str = "run", answered: int = 6, simulated: bool = False) -> RunRow:
    return RunRow(
        1, name, kind, simulated, False, 1, "2026-11-30T12:34:56.000+00:00", "0", 3, 2, answered, 0,
        Decimal(1),
    )  # fmt: skip


def test_runs_say_how_far_they_are() -> None:
    rows = [
        run_row("a"), run_row("b", answered=4), run_row("c", "import"), run_row("d", simulated=True)
    ]  # fmt: skip
    entries = [entry_of(each) for each in rows]
    assert [each.state for each in entries] == ["complete", "2 open", "imported", "simulated"]
    assert [each.name for each in fitting(entries, "")] == ["d", "c", "b", "a"]
    assert [each.name for each in fitting(entries, "OPEN 11-30")] == ["b"]
    assert headline(entries, ["b"]) == "b · 2 open · 3×2 · 2026-11-30 12:34 UTC"
    assert headline(entries, ["a", "b"]) == "2 runs together: a, b"
    assert headline(entries, []) == ""
    (odd,) = [entry_of(run_row("i", "import", answered=4))]
    assert odd.size == "3×2, 4 attempts", "an import need not have all cells of a grid"


def test_a_selection_keeps_a_run_and_drops_filters_with_the_runs_they_were_for() -> None:
    selection = Selection()
    selection.there_are(["old", "new"])
    assert selection.runs == ("new",)
    selection.tick("new")
    assert selection.runs == ("new",)
    selection.filters = Filters(sets=("s",))
    selection.there_are(["old", "new", "newer"])
    assert selection.asked == Asked(("new",), Tab.LEADERBOARD, filters=Filters(sets=("s",)))
    selection.tick("old")
    assert selection.asked == Asked(("new", "old"), Tab.LEADERBOARD)
    selection.tab = Tab.COMPARE
    selection.view("all pairs")
    selection.compare(["b", "a"])
    assert selection.asked.compared == ("b", "a")
    assert selection.asked.view == ""
    selection.there_are(["other"])
    assert selection.runs == ("other",)


def test_filters_are_turned_by_their_entries() -> None:
    filters = toggled(toggled(Filters(), "model a b"), "set s")
    assert filters == Filters(models=("a b",), sets=("s",))
    assert toggled(filters, "set s") == Filters(models=("a b",))
    assert kept_words(toggled(filters, "model c")) == "only s, 2 models"
    assert kept_words(Filters()) == ""


def test_tabs_are_made_by_the_functions_of_the_commands(made: Workspace) -> None:
    shelf = Shelf(made)
    both = (RUN, OTHER)
    assert shelf.make(Asked((RUN,), Tab.LEADERBOARD)).table == result_table(made, [RUN])
    together = shelf.make(Asked(both, Tab.LEADERBOARD))
    assert together.table == result_table(made, both)
    assert together.views == ("together", RUN, OTHER)
    assert shelf.make(Asked(both, Tab.LEADERBOARD, OTHER)).table == result_table(made, [OTHER])
    costs = shelf.make(Asked((RUN,), Tab.COSTS)).table
    assert costs is not None
    assert render(costs, "json") == costs_text(made, RUN, "json")
    filters = Filters(models=("able",), domains=("math",))
    steps = shelf.make(Asked((RUN,), Tab.STEPS, "instance", filters))
    assert [steps.table] == steps_tables(
        made, [RUN], "instance", ["able"], ["steps"], domains=["math"]
    )
    items = shelf.make(Asked(both, Tab.ITEMS, "no-model", answers=True))
    assert items.table == items_of(made, both, with_answers=True, flags=["no-model"])
    effects = shelf.make(Asked((RUN,), Tab.EFFECTS, filters=filters)).table
    assert effects == effects_table(made, [RUN], models=["able"], domains=["math"])
    assert shelf.make(Asked(("gone",), Tab.COSTS)).said.startswith("no run is called 'gone'")
    alone = shelf.make(Asked((RUN,), Tab.COMPARE, filters=Filters(models=("able",))))
    assert alone.said.startswith("a comparison needs two models")
    known = shelf.known(both)
    assert known.sets == ("starter",)
    assert known.models[:2] == ("able", "middling")


def test_a_file_that_cannot_be_read_is_no_file_without_runs(stored: Workspace) -> None:
    shelf = Shelf(stored)
    stored.database.write_bytes(b"x" * 5000)
    with pytest.raises(StoreError, match="not a database"):
        shelf.runs()
    with pytest.raises(StoreError, match="not a database"):
        shelf.make(Asked((RUN,), Tab.LEADERBOARD))
    stored.database.unlink()
    assert shelf.runs() == []


def test_what_was_made_is_kept_until_the_file_changes(stored: Workspace) -> None:
    shelf, asked = Shelf(stored), Asked((RUN,), Tab.LEADERBOARD)
    first = shelf.make(asked, now=True)
    assert shelf.make(asked, now=True) is first
    stored.database.touch()
    again = shelf.make(asked, now=True)
    assert again is not first
    assert again.table == first.table


def test_an_export_is_foreseen_and_can_be_stopped(stored: Workspace, tmp_path: Path) -> None:
    from relaybench.tui.results.exports import write

    for what in (What.TABLES, What.INSPECT, What.REPORT, What.FIGURES):
        place = tmp_path / default_place(what, RUN).replace("/", "-")
        export = Export(what, (RUN,), place, formats=("svg",))
        foreseen = foresee(stored, export)
        watch = Watch()
        watch.stop()
        with pytest.raises(Stopped):
            write(stored, export, watch)
        assert not list(tmp_path.glob("*.tmp"))
        assert not place.is_file()
        assert not place.is_dir() or not list(place.iterdir())
        written = write(stored, export, Watch())
        assert sorted(written) == sorted(foreseen.files)
        assert set(foresee(stored, export).replaced) == set(written)
        words = foreseen_words(foresee(stored, export), tmp_path)
        assert "to replace:" in words.splitlines()[0]
    assert default_place(What.TABLES, "a/../b") == "export/a-..-b"
