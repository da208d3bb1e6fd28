"""How a table of the reports is shown on screen: which columns, in what order, drawn in what way.

The cells are those that the commands print. Drawn columns stand beside them; nothing is computed
here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from relaybench.domain.literal import visible
from relaybench.reports.display import chosen_columns, display
from relaybench.reports.figures.figure import SEGMENTS, Share
from relaybench.reports.tables import PAGE, WIDE, Kind, Missing, Table, Value
from relaybench.tui.results.bars import interval, outcome_bar, outcome_legend
from relaybench.tui.results.ink import Line, Piece, Role, width_of
from relaybench.tui.results.scales import Scale
from relaybench.tui.widgets.fitting import both_ends

#: Rows that a table on screen holds at most; longer ones have pages.
PAGE_ROWS: Final = 500
#: Cells across from which on all columns are shown, not only those for a printed page.
_WIDE_FROM: Final = 110
_DIGITS: Final = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Heading:
    """A column on screen; ``key`` is None where it is drawn beside that of a table."""

    text: str
    key: str | None
    numeric: bool
    names: bool


@dataclass(frozen=True, slots=True)
class View:
    """A table as it is shown: headings, and a line of pieces for each cell of each row.

    ``places`` says which row of the table stands in each row of the view.
    """

    headings: tuple[Heading, ...]
    rows: tuple[tuple[Line, ...], ...]
    places: tuple[int, ...]
    legend: Line = ()

    @property
    def fixed(self) -> int:
        """How many columns at the left name the row."""
        found = 0
        for heading in self.headings:
            if not heading.names:
                break
            found += 1
        return found


@dataclass(frozen=True, slots=True)
class Order:
    """By which column rows are sorted; by none they stand as the table has them."""

    key: str | None = None
    falling: bool = False

    def toggled(self, key: str, kind: Kind) -> Order:
        """The order after this column was chosen: numbers fall first, then all turn round."""
        if self.key != key:
            return Order(key, kind.numeric)
        return Order(key, not self.falling)


def natural(text: str) -> tuple[object, ...]:
    """A sort key in which ``relay-9`` stands before ``relay-10``, whatever the case."""
    parts = _DIGITS.split(text.casefold())
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)


def ordered(table: Table, order: Order) -> list[int]:
    """Row numbers in that order, by raw values; missing ones last, equal ones as they were."""
    places = list(range(len(table.rows)))
    if order.key is None:
        return places
    column = table.place(order.key)

    def value(place: int) -> Value:
        return table.rows[place][column]

    known = [place for place in places if not isinstance(value(place), Missing)]
    missing = [place for place in places if isinstance(value(place), Missing)]
    if table.columns[column].kind is Kind.TEXT:
        known.sort(key=lambda place: natural(str(value(place))), reverse=order.falling)
    else:
        known.sort(key=lambda place: value(place), reverse=order.falling)  # type: ignore[arg-type,return-value]
    return known + missing


def level_for(width: int) -> int:
    """The columns that a table of that many cells across shows."""
    return WIDE if width >= _WIDE_FROM else PAGE


def view_of(table: Table, order: Order, width: int, first: int = 0) -> View:
    """One page of a table, from its row ``first`` in that order, for so many cells across."""
    places = ordered(table, order)[first : first + PAGE_ROWS]
    level = level_for(width)
    columns = chosen_columns(table, level, terminal=True)
    seen = display(table, level, terminal=True)
    drawings = _drawings(table, width)
    room = max(width // 3, 18)
    headings: list[Heading] = []
    makers: list[Callable[[int], Line]] = []
    for number, column in enumerate(columns):
        arrow = ("▼" if order.falling else "▲") if order.key == column.key else ""
        names = seen.names[number]
        headings.append(Heading(column.heading + arrow, column.key, column.kind.numeric, names))
        cap = room if names else 48 if column.kind is Kind.TEXT else None
        makers.append(_cells(table, column.key, number, seen.rows, cap))
        for heading, draw in drawings.get(column.key, ()):
            headings.append(Heading(heading, None, False, False))
            makers.append(draw)
    rows = tuple(tuple(make(place) for make in makers) for place in places)
    legend = outcome_legend(_used(table)) if _has_outcomes(table) else ()
    return View(tuple(headings), rows, tuple(places), legend)


def _cells(
    table: Table, key: str, number: int, rows: Sequence[Sequence[str]], cap: int | None
) -> Callable[[int], Line]:
    place = table.place(key)

    def make(row: int) -> Line:
        text = visible(rows[row][number])
        if cap is not None:
            text = both_ends(text, cap)
        missing = isinstance(table.rows[row][place], Missing)
        return (Piece(text, Role.QUIET if missing else Role.PLAIN),)

    return make


_Drawing = tuple[str, Callable[[int], Line]]


def _drawings(table: Table, width: int) -> dict[str, list[_Drawing]]:
    """What is drawn behind which column."""
    found: dict[str, list[_Drawing]] = {}
    cells = 15 if width < 90 else 21 if width < 140 else 31
    columns = {column.key for column in table.columns}
    for key in ("pass_at_1", "rate"):
        if {key, f"{key}_low", f"{key}_high"} <= columns:
            axis = "0%" + "50%".center(cells - 6) + "100%"
            found.setdefault(key, []).append((axis, _interval_of(table, key, cells)))
    if "difference" in columns:
        axis = "-100" + "0".center(cells - 8) + "+100"
        found["difference"] = [(axis, _interval_of(table, "difference", cells, -1.0))]
    if _has_outcomes(table):
        found.setdefault("pass_at_1", []).append(("Outcomes", _bar_of(table, cells)))
    return found


def _share_of(table: Table, row: int, key: str) -> Share | None:
    values = [table.value(row, each) for each in (key, f"{key}_low", f"{key}_high")]
    if any(isinstance(value, Missing | str) for value in values):
        return None
    middle, low, high = (float(value) for value in values)  # type: ignore[arg-type]
    return Share(middle, low, high)


def _interval_of(table: Table, key: str, cells: int, low: float = 0.0) -> Callable[[int], Line]:
    scale = Scale(low, 1.0, cells)
    marked = any(column.key == "incomplete" for column in table.columns)

    def draw(row: int) -> Line:
        incomplete = marked and table.value(row, "incomplete") is True
        return interval(_share_of(table, row, key), scale, incomplete=incomplete)

    return draw


def _has_outcomes(table: Table) -> bool:
    keys = {column.key for column in table.columns}
    return {*SEGMENTS[:-1], "error", "planned"} <= keys


def _counts(table: Table, row: int) -> list[int]:
    counts = [table.value(row, segment) for segment in SEGMENTS[:-1]]
    known = [count for count in counts if isinstance(count, int)]
    planned = table.value(row, "planned")
    left = planned - sum(known) if isinstance(planned, int) else 0
    return [*known, max(left, 0)]


def _bar_of(table: Table, cells: int) -> Callable[[int], Line]:
    return lambda row: outcome_bar(_counts(table, row), cells)


def _used(table: Table) -> list[str]:
    """The outcomes that occur, in the order of bars."""
    counts = [_counts(table, row) for row in range(len(table.rows))]
    return [name for place, name in enumerate(SEGMENTS) if any(each[place] for each in counts)]


#: Cells between two columns, and left of the first.
_GAP, _MARGIN = 2, 1
#: Columns at the left that stay in place may take this share of the width.
_FIXED_SHARE: Final = 0.45


@dataclass(frozen=True, slots=True)
class Layout:
    """A view as lines: what stays at the left, and the rest, which may be scrolled below it.

    ``ends`` holds, for both parts, the cell at which each column ends, its gap included.
    """

    fixed: tuple[Line, ...]
    rest: tuple[Line, ...]
    fixed_width: int
    rest_width: int
    fixed_ends: tuple[int, ...]
    rest_ends: tuple[int, ...]

    def column_at(self, x: int, scrolled: int) -> int | None:
        """The column that a cell of the widget is in, where the rest is scrolled so far."""
        ends, at, before = self.fixed_ends, x, 0
        if x >= self.fixed_width:
            ends, at, before = self.rest_ends, x - self.fixed_width + scrolled, len(self.fixed_ends)
        return next((before + n for n, end in enumerate(ends) if at < end), None)


def laid_out(view: View, room: int) -> Layout:
    """Lines of a view for so many cells across; the first of each part is the heading's."""
    headings = [(Piece(heading.text, Role.STRONG),) for heading in view.headings]
    table = [headings, *view.rows]
    widths = [max(width_of(row[place]) for row in table) for place in range(len(headings))]
    kept = view.fixed if sum(widths[: view.fixed]) + _GAP * view.fixed <= room * _FIXED_SHARE else 0

    def part(first: int, last: int) -> tuple[tuple[Line, ...], tuple[int, ...]]:
        before = 0 if first else _MARGIN  # as far from the edge as title and notes
        ends, total = [], before
        for width in widths[first:last]:
            total += width + _GAP
            ends.append(total)
        lines = tuple(
            (
                Piece(" " * before),
                *(
                    piece
                    for place in range(first, last)
                    for piece in _padded(row[place], widths[place], view.headings[place].numeric)
                ),
            )
            for row in table
        )
        return lines, tuple(ends)

    fixed, fixed_ends = part(0, kept) if kept else ((), ())
    rest, rest_ends = part(kept, len(widths))
    return Layout(
        fixed,
        rest,
        fixed_ends[-1] if fixed_ends else 0,
        rest_ends[-1] if rest_ends else 0,
        fixed_ends,
        rest_ends,
    )


def _padded(line: Line, width: int, right: bool) -> Line:
    space = width - width_of(line)
    if right:
        return (Piece(" " * space), *line, Piece(" " * _GAP))
    return (*line, Piece(" " * (space + _GAP)))
