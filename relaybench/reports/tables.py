"""The one table that every format is written from: typed columns, raw values, notes.

Cells hold raw values that nobody has rounded; ``reports.numbers`` rounds for display as the very
last step, so that no two formats can disagree.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """What the cells of a column hold."""

    TEXT = "text"  # str, literal, from anyone
    WHOLE = "whole"  # int, a count
    FLAG = "flag"  # bool
    SHARE = "share"  # float in 0-1
    DIFFERENCE = "difference"  # float in -1 to 1, of two shares; people see percentage points
    P_VALUE = "p_value"  # float in 0-1
    NUMBER = "number"  # float, any finite number without a unit of its own
    USD = "usd"  # Decimal, US dollars
    PRICE = "price"  # Decimal, USD per million tokens
    TOKENS = "tokens"  # int

    @property
    def numeric(self) -> bool:
        """Whether its cells are numbers, and stand to the right."""
        return self not in (Kind.TEXT, Kind.FLAG)


@dataclass(frozen=True, slots=True)
class Missing:
    """A value that does not exist or is not known, and the word that says why."""

    reason: str


#: A cost or price that cannot be known; never 0.
UNKNOWN: Final = Missing("unknown")
#: A number that the provider did not give; never 0.
NOT_REPORTED: Final = Missing("not reported")
#: Shares and costs of nothing: why there is none.
NO_SCORED: Final = Missing("no scored attempt")
NO_PARSEABLE: Final = Missing("no parseable answer")
NO_CORRECT: Final = Missing("no correct answer")
NONE_PLANNED: Final = Missing("nothing planned")


def not_enough(count: int) -> Missing:
    """That a figure cannot be made of so little data; ``count`` is how much there is."""
    return Missing(f"not enough data (n = {count:,})")


Value = str | int | float | Decimal | Missing
Row = tuple[Value, ...]

_TYPES: Final[Mapping[Kind, tuple[type, ...]]] = {
    Kind.TEXT: (str,),
    Kind.WHOLE: (int,),
    Kind.FLAG: (bool,),
    Kind.SHARE: (float, int),
    Kind.DIFFERENCE: (float, int),
    Kind.P_VALUE: (float, int),
    Kind.NUMBER: (float, int),
    Kind.USD: (Decimal,),
    Kind.PRICE: (Decimal,),
    Kind.TOKENS: (int,),
}

#: Levels of a column: 1 fits a terminal of 80 columns, 2 a printed page, 3 stands where all do.
NARROW: Final = 1
PAGE: Final = 2
WIDE: Final = 3
#: Not shown to people at all: it stands in csv and json only, or is folded into another column.
EXACT_ONLY: Final = 4


@dataclass(frozen=True, slots=True)
class Column:
    """One column: ``key`` names it in csv and json, ``heading`` for people, ``unit`` in words.

    ``low`` and ``high`` are keys of the columns with the ends of its interval, ``mark`` that of
    a flag that qualifies the value; for people they are all folded into this one:
    ``16.7% [7.3, 33.6] (incomplete)``. ``level`` says how much room must be there to show it,
    ``begins`` that columns from here on belong together: a narrow terminal breaks before them;
    a ``quiet`` one is left out on a terminal where it has nothing to say (all 0 or missing).
    ``names``: with the first column it names the row, so that it stands in every block.
    """

    key: str
    heading: str
    kind: Kind
    unit: str = ""
    level: int = WIDE
    _: KW_ONLY
    low: str | None = None
    high: str | None = None
    mark: str | None = None
    begins: bool = False
    quiet: bool = False
    names: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A named table. Rows are aligned with columns and checked against their kinds.

    ``notes`` say in whole sentences what a reader must know. ``simulated`` marks made-up
    results; such a table says so in its notes too.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    simulated: bool = False
    _places: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse what no writer could write truthfully: ValueError or TypeError, a bug of ours."""
        places = {column.key: place for place, column in enumerate(self.columns)}
        if len(places) != len(self.columns):
            raise ValueError(f"table {self.name!r} has two columns of the same key")
        for column in self.columns:
            for key in (column.low, column.high, column.mark):
                if key is not None and key not in places:
                    raise ValueError(f"column {column.key!r} points to {key!r}, which is not there")
        object.__setattr__(self, "_places", places)
        for row in self.rows:
            check_row(self.columns, row)

    def place(self, key: str) -> int:
        """The position of a column in every row."""
        return self._places[key]

    def value(self, row: int, key: str) -> Value:
        """The raw value in a row (from 0) under a column's key."""
        return self.rows[row][self._places[key]]


def check_row(columns: tuple[Column, ...], row: Row) -> None:
    """Raise ValueError or TypeError unless a row's values are what its columns say."""
    if len(row) != len(columns):
        raise ValueError(f"a row has {len(row)} cells for {len(columns)} columns")
    for column, value in zip(columns, row, strict=True):
        if isinstance(value, Missing):
            continue
        fits = isinstance(value, _TYPES[column.kind])
        if not fits or (isinstance(value, bool) and column.kind is not Kind.FLAG):
            raise TypeError(f"column {column.key!r} ({column.kind}) cannot hold {value!r}")
        if isinstance(value, float | Decimal) and not math.isfinite(value):
            raise ValueError(f"column {column.key!r} cannot hold {value!r}: say why it is missing")


def as_row(columns: tuple[Column, ...], values: Mapping[str, Value]) -> Row:
    """A row from values by key; others than the columns' are left out, KeyError for one too few."""
    return tuple(values[column.key] for column in columns)


def without_empty(
    columns: Iterable[Column], rows: Iterable[Mapping[str, Value]], optional: Iterable[str]
) -> tuple[Column, ...]:
    """The columns but for those optional ones in which every row has 0."""
    kept = list(rows)
    empty = {key for key in optional if all(row[key] == 0 for row in kept)}
    return tuple(column for column in columns if column.key not in empty)
