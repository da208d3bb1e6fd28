"""What a reader must know before believing the page, each said only where it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from relaybench.reports.cost_notes import cost_notes, estimate_notes
from relaybench.reports.dependence import few_groups_notes
from relaybench.reports.dimensions import forms_note
from relaybench.reports.escaping import html_text
from relaybench.reports.grid_facts import disputed_notes, open_notes, uneven_notes
from relaybench.reports.leaderboard_notes import (
    extraction_notes,
    incomplete_notes,
    other_model_notes,
)
from relaybench.reports.model_columns import MODEL, with_interval
from relaybench.reports.page.frame import paragraph
from relaybench.reports.page.html_table import table_parts
from relaybench.reports.page.run_report import RunReport
from relaybench.reports.page.short_names import short_words
from relaybench.reports.run_facts import SIMULATED_COLUMN, simulated_notes
from relaybench.reports.suspect_keys import suspect_items, suspect_notes
from relaybench.reports.tables import (
    NARROW,
    Column,
    Kind,
    Missing,
    Row,
    Table,
    Value,
    as_row,
)
from relaybench.stats.intervals import wilson


@dataclass(frozen=True, slots=True)
class Caveat:
    """A short name for what holds, and the sentences that say it."""

    name: str
    notes: tuple[str, ...]


def caveats(report: RunReport) -> list[Caveat]:
    """All that hold of a run, the heaviest first; sentences as the tables have them."""
    found = [Caveat(name, tuple(notes_of(report))) for name, notes_of in _CAVEATS]
    return [caveat for caveat in found if caveat.notes]


def caveat_parts(report: RunReport, found: Sequence[Caveat]) -> Iterator[str]:
    """The caveats as terms and sentences, and the table of retried attempts where there is one."""
    if not found:
        names = "; ".join(name[0].lower() + name[1:] for name, _ in _CAVEATS)
        yield paragraph(f"None of these holds here: {names}.")
        return
    yield '<dl class="words">\n'
    for caveat in found:
        yield f"<dt>{html_text(caveat.name)}</dt>"
        yield from (f"<dd>{html_text(short_words(note))}</dd>\n" for note in caveat.notes)
    yield "</dl>\n"
    if any(row.retried for row in report.retried):
        yield from table_parts(retried_table(report))


def _imported(report: RunReport) -> list[str]:
    items = [item for item in report.grid.items.values() if item.imported]
    if not items:
        return []
    whole = "All" if len(items) == len(report.grid.items) else f"{len(items):,}"
    return [
        f"{whole} items were imported from results made elsewhere: their prompts, their steps and "
        "the settings they were sent with are not known here, and nothing of them was sent by "
        "relaybench."
    ]


def _suspects(report: RunReport) -> list[str]:
    items = report.analysis("items")
    return suspect_notes(report.grid, [] if items is None else suspect_items(items))


def _groups(report: RunReport) -> list[str]:
    table = report.analysis("dependence")
    return [] if table is None else few_groups_notes(table)


def _retried(report: RunReport) -> list[str]:
    count = sum(row.retried for row in report.retried)
    if not count:
        return []
    every = count + sum(row.first_time for row in report.retried)
    return [
        f"{count:,} of {every:,} scored attempts needed more than one call because a call failed. "
        "The table below has their pass rate beside that of the others. Retries are not handed "
        "out at random (long answers break off more often), so a difference is no effect of "
        "retrying."
    ]


#: What may hold, the heaviest first, and what says so in sentences where it does.
_CAVEATS: Final[Sequence[tuple[str, Callable[[RunReport], Sequence[str]]]]] = (
    ("Simulated results", lambda of: simulated_notes(of.how_simulated, of.configs)),
    ("Imported results", _imported),
    ("Incomplete models", lambda of: incomplete_notes(of.run, of.results)),
    ("Open or disputed items", lambda of: [*open_notes(of.grid), *disputed_notes(of.grid)]),
    ("Problems in several forms", lambda of: forms_note(of.grid)),
    ("Uneven repeats", lambda of: uneven_notes(of.grid)),
    ("Answers from another model than asked", lambda of: other_model_notes(of.results)),
    ("Suspect keys", _suspects),
    (
        "Repaired answers, near misses or strict extraction",
        lambda of: extraction_notes(of.run, of.results),
    ),
    ("Few independent groups for shared classes", _groups),
    ("Retried attempts", _retried),
    ("Unknown, unsaved or replaced costs", lambda of: cost_notes(of.results)),
    ("Estimates before the run", lambda of: estimate_notes(of.results)),
)

_RETRIED: Final = (
    SIMULATED_COLUMN,
    MODEL,
    *(
        column
        for key, heading in (("retried", "Retried"), ("first", "Not retried"))
        for column in (
            *with_interval(key, heading),
            Column(f"{key}_n", f"{heading}, n", Kind.WHOLE, "scored attempts", NARROW),
        )
    ),
)


def retried_table(report: RunReport) -> Table:
    """Pass rates of attempts that were sent again and of the others, a row a model."""
    labels = {config.digest: config for config in report.grid.configs.values()}
    how = report.how_simulated
    rows: list[Row] = []
    for row in report.retried:
        config = labels[row.config]
        values: dict[str, Value] = {
            "simulated": how.of(config),
            "model": config.label,
            **_rate("retried", row.retried_correct, row.retried),
            **_rate("first", row.first_time_correct, row.first_time),
        }
        rows.append(as_row(_RETRIED, values))
    return Table(
        name="retried",
        title=report.title("Retried attempts"),
        columns=_RETRIED,
        rows=tuple(rows),
        notes=(
            "Each rate is correct / scored over attempts, with a 95% Wilson interval that takes "
            "attempts as independent; n counts the attempts.",
        ),
        simulated=report.simulated,
    )


def _rate(key: str, correct: int, scored: int) -> dict[str, Value]:
    keys = (key, f"{key}_low", f"{key}_high")
    interval = wilson(correct, scored)
    if interval is None:
        return {**dict.fromkeys(keys, Missing("none")), f"{key}_n": scored}
    return {key: correct / scored, keys[1]: interval.lo, keys[2]: interval.hi, f"{key}_n": scored}
