"""What a reader must know before believing the page, each said only where it holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from relaybench.reports.cost_notes import cost_notes, estimate_notes
from relaybench.reports.escaping import html_text
from relaybench.reports.grid_facts import grid_notes
from relaybench.reports.leaderboard_notes import (
    extraction_notes,
    incomplete_notes,
    other_model_notes,
)
from relaybench.reports.page.frame import paragraph
from relaybench.reports.page.html_table import table_parts
from relaybench.reports.page.run_report import RunReport
from relaybench.reports.run_facts import SIMULATED_COLUMN, is_simulated, simulated_notes, title
from relaybench.reports.tables import (
    EXACT_ONLY,
    NARROW,
    Column,
    Kind,
    Missing,
    Row,
    Table,
    Value,
    as_row,
)
from relaybench.stats.clusters import overlap_clustered
from relaybench.stats.intervals import wilson

#: Fewer independent groups than this must be said (STATISTICS, section 6).
_FEW_GROUPS: Final = 10
_NONE: Final = (
    "None of them holds here: incomplete models, answers from another model than asked, repaired "
    "or strict extraction, near misses, retried attempts, unknown, unsaved or replaced costs, "
    "disputed or suspect keys, imported or simulated results, few independent groups."
)


@dataclass(frozen=True, slots=True)
class Caveat:
    """A short name for what holds, and the sentences that say it."""

    name: str
    notes: tuple[str, ...]


def caveats(report: RunReport) -> list[Caveat]:
    """All that hold of a run, the heaviest first; sentences as the tables have them."""
    run, results = report.run, report.results
    found = {
        "Simulated results": simulated_notes(run, report.configs),
        "Imported results": _imported(report),
        "Incomplete models": incomplete_notes(run, results),
        "Open or disputed items": _grid_notes(report),
        "Another model answered": other_model_notes(results),
        "Suspect keys": _suspects(report),
        "Extraction": extraction_notes(run, results),
        "Few independent groups": _groups(report),
        "Retried attempts": _retried(report),
        "Costs": cost_notes(results),
        "Estimates": estimate_notes(results),
    }
    return [Caveat(name, tuple(notes)) for name, notes in found.items() if notes]


def caveat_parts(report: RunReport, found: Sequence[Caveat]) -> Iterator[str]:
    """The caveats as terms and sentences, and the table of retried attempts where there is one."""
    if not found:
        yield paragraph(_NONE)
        return
    yield '<dl class="words">\n'
    for caveat in found:
        yield f"<dt>{html_text(caveat.name)}</dt>"
        yield from (f"<dd>{html_text(note)}</dd>\n" for note in caveat.notes)
    yield "</dl>\n"
    if any(row.retried for row in report.retried):
        yield from table_parts(retried_table(report))


def _grid_notes(report: RunReport) -> list[str]:
    said = set(simulated_notes(report.run, report.configs))
    return [note for note in grid_notes(report.grid) if note not in said]


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
    return [note for note in items.notes if note.startswith("Suspect keys")] if items else []


def _groups(report: RunReport) -> list[str]:
    classes = [item.classes for item in report.grid.items.values() if item.classes]
    found = overlap_clustered([0.0] * len(classes), classes)
    if found is None or found.eff_groups >= _FEW_GROUPS:
        return []
    return [
        f"The {len(classes):,} items share classes of subproblems so far that they count as about "
        f"{found.eff_groups:.1f} independent groups. Intervals that treat items as independent "
        "are too narrow then, and those that allow for it rest on few groups."
    ]


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


_COLUMNS: Final = (
    SIMULATED_COLUMN,
    Column("model", "Model", Kind.TEXT, "", NARROW, mark="simulated"),
    *(
        column
        for key, heading in (("retried", "Retried"), ("first", "Not retried"))
        for column in (
            Column(key, f"{heading} [95% CI]", Kind.SHARE, "", NARROW, f"{key}_low", f"{key}_high"),
            Column(f"{key}_low", f"{heading}, low end", Kind.SHARE, "", EXACT_ONLY),
            Column(f"{key}_high", f"{heading}, high end", Kind.SHARE, "", EXACT_ONLY),
            Column(f"{key}_n", f"{heading}, n", Kind.WHOLE, "scored attempts", NARROW),
        )
    ),
)


def retried_table(report: RunReport) -> Table:
    """Pass rates of attempts that were sent again and of the others, a row a model."""
    labels = {config.digest: config for config in report.grid.configs.values()}
    any_simulated = any(config.simulated for config in report.configs)
    rows: list[Row] = []
    for row in report.retried:
        config = labels[row.config]
        values: dict[str, Value] = {
            "simulated": is_simulated(report.run, config, any_simulated),
            "model": config.label,
            **_rate("retried", row.retried_correct, row.retried),
            **_rate("first", row.first_time_correct, row.first_time),
        }
        rows.append(as_row(_COLUMNS, values))
    return Table(
        name="retried",
        title=title(report.run, "Retried attempts", report.configs),
        columns=_COLUMNS,
        rows=tuple(rows),
        notes=(
            "Each rate is correct / scored over attempts, with a 95% Wilson interval that takes "
            "attempts as independent; n counts the attempts.",
        ),
        simulated=report.simulated,
    )


def _rate(key: str, correct: int, scored: int) -> dict[str, Value]:
    keys = (key, f"{key}_low", f"{key}_high")
    if not scored:
        return {**dict.fromkeys(keys, Missing("none")), f"{key}_n": 0}
    interval = wilson(correct, scored)
    if interval is None:
        return {**dict.fromkeys(keys, Missing("none")), f"{key}_n": scored}
    return {key: correct / scored, keys[1]: interval.lo, keys[2]: interval.hi, f"{key}_n": scored}
