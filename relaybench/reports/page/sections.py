"""The page of a run: which sections there are, in which order, and what frames them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from relaybench.reports.escaping import html_text
from relaybench.reports.grid_facts import grid_title
from relaybench.reports.page.answers import answer_parts
from relaybench.reports.page.caveats import Caveat, caveat_parts, caveats
from relaybench.reports.page.frame import Frame, Section, framed, paragraph
from relaybench.reports.page.html_table import notes_list, table_parts
from relaybench.reports.page.item_grid import grid_parts
from relaybench.reports.page.method import method_parts, setting_parts
from relaybench.reports.page.run_report import RunReport
from relaybench.reports.page.scores import (
    cost_parts,
    leaderboard_parts,
    outcome_parts,
    picture_parts,
)
from relaybench.reports.page.summary import summary_parts
from relaybench.reports.run_facts import Simulated
from relaybench.reports.tables import PAGE, Missing, Table

#: More items than these stand in the grid only, unless something is odd about them.
_MANY_ITEMS: Final = 200
_SEE_CAVEATS: Final = '<p class="small"><a href="#caveats">Caveats that hold for this run</a></p>\n'


def page(report: RunReport) -> Iterator[str]:
    """The whole page, piece by piece; the same bytes for the same results and version."""
    found = caveats(report)
    yield from framed(_frame(report), list(_sections(report, found)))


def _frame(report: RunReport) -> Frame:
    run = report.run
    banners = []
    if report.simulated:
        who = "All results" if report.how_simulated is Simulated.ALL else "Some results"
        banners.append(
            (
                "SIMULATED.",
                f"{who} on this page were made up by the built-in simulator: they say nothing "
                "about any real model.",
            )
        )
    if report.answers is not None:
        banners.append(
            (
                "CONFIDENTIAL.",
                "This page holds prompts and answer keys: whoever publishes it gives the benchmark "
                "away.",
            )
        )
    return Frame(
        title=f"Run {run.name}",
        subtitle=f"Benchmark report, run of {run.created_at[:10]}, relaybench {run.version}",
        banners=tuple(banners),
        footer=(
            f"Written by relaybench {report.version} from its results file. This page is one file: "
            "it runs no script and loads nothing from anywhere."
        ),
    )


def _sections(report: RunReport, found: Sequence[Caveat]) -> Iterator[Section]:
    said = {note for caveat in found for note in caveat.notes}
    see = _SEE_CAVEATS if found else ""
    yield Section("summary", "Summary", summary_parts(report))
    yield Section(
        "leaderboard", "Leaderboard", _then(leaderboard_parts(report, said), see), wide=True
    )
    yield Section("costs", "Costs", cost_parts(report, said), wide=True)
    yield Section("figures", "Figures", picture_parts(report, said))
    yield Section("outcomes", "Outcomes", outcome_parts(report, said), wide=True)
    named = _named(report)
    yield Section(
        "analyses",
        "Analyses",
        _analyses(named, said),
        [(anchor, title) for anchor, title, _ in named],
        wide=True,
    )
    yield Section("grid", "Items by models", grid_parts(report), wide=True)
    yield Section("caveats", "Caveats", caveat_parts(report, found))
    yield Section("method", "Method", method_parts(report))
    yield Section("settings", "Settings", setting_parts(report))
    if report.answers is not None:
        yield Section("answers", "Prompts, keys and answers", answer_parts(report))


def _then(parts: Iterator[str], more: str) -> Iterator[str]:
    yield from parts
    yield more


def _named(report: RunReport) -> list[tuple[str, str, Table]]:
    """Anchor, heading and table of each analysis; the heading is its title without the run."""
    of_the_run = grid_title(report.grid, "")
    return [
        (f"analysis-{number}", table.title.removesuffix(of_the_run), _shortened(table))
        for number, table in enumerate(report.analyses, 1)
    ]


def _shortened(table: Table) -> Table:
    """A long table of items with its flagged rows only; the grid has all items."""
    if table.name != "items" or len(table.rows) <= _MANY_ITEMS:
        return table
    place = table.place("flags")
    rows = tuple(row for row in table.rows if row[place] and not isinstance(row[place], Missing))
    note = f"Shown are the {len(rows):,} of {len(table.rows):,} items with a flag."
    return replace(table, rows=rows, notes=(*table.notes, note))


def _analyses(named: Sequence[tuple[str, str, Table]], said: Collection[str]) -> Iterator[str]:
    before = set(said)
    for anchor, heading, table in named:
        yield f'<h3 id="{anchor}">{html_text(heading)}</h3>\n'
        if table.rows:
            yield from table_parts(table, PAGE, without=before)
        else:
            yield paragraph("Nothing to show.")
            yield notes_list([note for note in table.notes if note not in before])
    if not named:
        yield paragraph("No analysis can be made of this run.")
