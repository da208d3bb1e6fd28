"""The table layer refuses what no writer could write truthfully."""

from __future__ import annotations

from decimal import Decimal

import pytest

from relaybench.reports.tables import Column, Kind, Missing, Table, Value

_COLUMNS = (Column("share", "Share", Kind.SHARE), Column("usd", "Cost ($)", Kind.USD))


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ((0.5,), ValueError),
        ((float("nan"), Decimal(1)), ValueError),
        ((0.5, Decimal("Infinity")), ValueError),
        ((0.5, Decimal("NaN")), ValueError),
        ((0.5, 1.5), TypeError),  # money is never a float
        (("50%", Decimal(1)), TypeError),
        ((True, Decimal(1)), TypeError),
    ],
)
def test_bad_rows(row: tuple[Value, ...], error: type[Exception]) -> None:
    with pytest.raises(error):
        Table("t", "T", _COLUMNS, (row,))


def test_bad_columns() -> None:
    with pytest.raises(ValueError, match="same key"):
        Table("t", "T", (_COLUMNS[0], _COLUMNS[0]), ())
    with pytest.raises(ValueError, match="not there"):
        Table("t", "T", (Column("a", "A", Kind.SHARE, low="b", high="c"),), ())


def test_values_by_key() -> None:
    table = Table("t", "T", _COLUMNS, ((0.5, Missing("unknown")),))
    assert table.value(0, "share") == 0.5
    assert table.value(0, "usd") == Missing("unknown")
