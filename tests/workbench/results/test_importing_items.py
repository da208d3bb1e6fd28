"""What imports say of items: their domains, and that nothing of them is open."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from relaybench.domain.errors import PlanError
from relaybench.domain.item import Item, ItemKind
from relaybench.domain.results import Outcome
from relaybench.reports.figures.series_data import sets_data
from relaybench.reports.grid_facts import uneven_notes
from relaybench.store.database import Connection
from relaybench.store.plans import Plans
from relaybench.workbench.results.evidence import find_runs, load_grid, reading
from relaybench.workbench.results.reporting import leaderboard_text, results
from relaybench.workbench.workspace import Workspace
from tests.workbench.results.test_importing import line, take
from tests.workbench.support import make_workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return make_workspace(tmp_path)


def domains(workspace: Workspace, run: str) -> dict[str, tuple[str, ...]]:
    with reading(workspace) as connection:
        grid = load_grid(connection, find_runs(connection, [run]))
    return {item.name: item.domains for item in grid.items.values()}


def test_domains_hold_whatever_line_of_an_item_names_them(workspace: Workspace) -> None:
    named = {"domains": ["math", "coding"]}
    lines = [line(model="a"), line(model="b", **named), line(model="c")]
    lines += [line(model="d", domains=["coding", "math"]), line(model="e", domains=["art"])]
    report = take(workspace, *lines)
    assert (report.added, report.domains) == (4, 0)
    (bad,) = report.bad
    assert bad.number == 5
    assert "are art here and coding, math in an earlier line" in bad.problem
    assert "another set or composite name" in bad.problem
    assert domains(workspace, "r") == {"c": ("coding", "math")}


def test_domains_are_filled_in_where_an_earlier_import_gave_none(workspace: Workspace) -> None:
    take(workspace, line(), run="before")
    assert domains(workspace, "before") == {"c": ()}
    assert take(workspace, line(domains=["math"]), run="after").domains == 1
    assert take(workspace, line(), run="none").domains == 0
    for run in ("before", "after", "none"):
        assert domains(workspace, run) == {"c": ("math",)}


def test_other_domains_than_those_imported_before_are_refused(workspace: Workspace) -> None:
    take(workspace, line(domains=["math"]), run="before")
    report = take(workspace, line(domains=["art"]), line(composite="new", domains=["art"]))
    assert report.added == 1
    (bad,) = report.bad
    assert "the domains of s/c are art here and math where it was imported before" in bad.problem
    assert "another set or composite name" in bad.problem
    assert (domains(workspace, "before"), domains(workspace, "r")) == (
        {"c": ("math",)}, {"new": ("art",)},
    )  # fmt: skip


def test_other_domains_that_came_meanwhile_are_refused(workspace: Workspace) -> None:
    """Between the survey of a file and its writing another import may have stored the item."""
    take(workspace, line(domains=["math"]), run="before")
    known = Item("s", "c", ItemKind.IMPORTED, "", "42", domains=("art",))
    with (
        closing(Connection(workspace.database)) as connection,
        connection.writing(),
        pytest.raises(PlanError, match="are art here and math where"),
    ):
        Plans(connection).add_item(known)


def test_nothing_of_an_import_is_open(workspace: Workspace) -> None:
    """Repeats that were never brought are no pending ones: that some are uneven is said."""
    other = {"composite": "d", "repeat": 2}
    take(workspace, line(repeat=0), line(repeat=1), line(repeat=2), line(**other))
    with reading(workspace) as connection:
        grid = load_grid(connection, find_runs(connection, ["r"]))
    outcomes = [outcome for cell in grid.cells.values() for outcome in cell]
    assert outcomes == [Outcome.CORRECT] * 4
    (note,) = uneven_notes(grid)
    assert note.startswith("Repeats are uneven: from 1 to 3 scored attempts at an item.")
    (point,) = sets_data([grid], grid).groups[0].points
    assert not point.incomplete
    assert note in leaderboard_text(workspace, "r", "md").replace("\n", " ")


def test_who_lacks_whole_items_is_incomplete(workspace: Workspace) -> None:
    """Repeats that were not brought are not open, but items that a model lacks are."""
    lines = [line(composite=f"c{n}", model="whole", repeat=0) for n in range(4)]
    lines += [line(composite="c0", model="whole", repeat=1), line(composite="c0", model="part")]
    take(workspace, *lines)
    whole, part = results(workspace, "r").configs
    assert (whole.config.model, whole.planned, whole.scored) == ("whole", 5, 5)
    assert (part.config.model, part.planned, part.scored) == ("part", 4, 1)
    (row,) = [row for row in leaderboard_text(workspace, "r", "md").splitlines() if "| part" in row]
    assert "(incomplete)" in row
    assert "25.0%" in row
