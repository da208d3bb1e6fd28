"""What people see of a table: columns by the room there is, intervals and marks folded in."""

from __future__ import annotations

from dataclasses import dataclass

from relaybench.reports.numbers import shown
from relaybench.reports.tables import EXACT_ONLY, Column, Kind, Missing, Row, Table, Value


@dataclass(frozen=True, slots=True)
class Display:
    """Headings and cells as text that nobody has escaped yet; ``numeric`` by column."""

    headings: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]
    left_out: int  # columns that the level does not show
    begins: tuple[bool, ...]  # whether a group of columns begins here
    names: tuple[bool, ...]  # whether it names the row, as the first column does


def display(table: Table, level: int, *, terminal: bool = False) -> Display:
    """A table for people, with the columns of that level and below.

    ``terminal``: the title, which says that all rows are simulated, always stands above the table,
    so that the rows need not repeat it; and quiet columns may stay out.
    """
    chosen = chosen_columns(table, level, terminal=terminal)
    for_people = [column for column in table.columns if column.level < EXACT_ONLY]
    return Display(
        headings=tuple(column.heading for column in chosen),
        numeric=tuple(column.kind.numeric for column in chosen),
        rows=tuple(
            tuple(_cell(table, row, each, terminal) for each in chosen) for row in table.rows
        ),
        left_out=len(for_people) - len(chosen),
        begins=tuple(column.begins for column in chosen),
        names=tuple(column.names or not place for place, column in enumerate(chosen)),
    )


def chosen_columns(table: Table, level: int, *, terminal: bool = False) -> list[Column]:
    """The columns that ``display`` shows."""
    chosen = [column for column in table.columns if column.level <= level]
    if terminal:
        chosen = [column for column in chosen if not is_silent(table, column)]
    return chosen


def _cell(table: Table, row: Row, column: Column, terminal: bool) -> str:
    value = row[table.place(column.key)]
    text = shown(column.kind, value)
    if isinstance(value, Missing):
        return text
    if column.low and column.high:
        ends = [row[table.place(key)] for key in (column.low, column.high)]
        if not any(isinstance(end, Missing) for end in ends):
            low, high = (_end(column.kind, end) for end in ends)
            text = f"{text} [{low}, {high}]"
    said = terminal and column.mark == "simulated" and _all_simulated(table)
    if column.mark and not said:
        mark = row[table.place(column.mark)]
        if mark is True:
            text = f"{text} ({table.columns[table.place(column.mark)].heading.lower()})"
    return text


def is_silent(table: Table, column: Column) -> bool:
    """Whether a quiet column holds nothing but 0, false or missing values."""
    place = table.place(column.key)
    return column.quiet and all(
        isinstance(row[place], Missing) or not row[place] for row in table.rows
    )


def _all_simulated(table: Table) -> bool:
    place = table.place("simulated")
    return all(row[place] is True for row in table.rows)


def _end(kind: Kind, end: Value) -> str:
    # The percent sign stands once, behind the value itself.
    return shown(kind, end).removesuffix("%")
