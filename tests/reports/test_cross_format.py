"""Every number of every table is the same in every format, cell by cell.

The oracle is the exact JSON alone: what people see must be what a reader gets who rounds it by
hand, half up. Nothing of our own rounding is used here.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest

from relaybench.cli.main import main
from relaybench.domain.literal import visible
from relaybench.reports import csv_format, display, json_format
from relaybench.reports.attempts_table import attempts_table
from relaybench.reports.costs import cost_table
from relaybench.reports.display import is_silent
from relaybench.reports.escaping import csv_text
from relaybench.reports.formats import render
from relaybench.reports.leaderboard import leaderboard
from relaybench.reports.numbers import exact, shown
from relaybench.reports.page.html_table import html_table
from relaybench.reports.tables import (
    EXACT_ONLY,
    NARROW,
    UNKNOWN,
    WIDE,
    Column,
    Kind,
    Missing,
    Table,
    Value,
    not_enough,
)
from relaybench.store.database import Connection
from relaybench.store.plans import Plans
from relaybench.store.results import Results
from relaybench.workbench.results.all_tables import analysis_tables
from relaybench.workbench.workspace import Workspace
from tests.reports.readers import html_cells, latex_plain, latex_rows, markdown_cells, plain_rows
from tests.reports.samples import HOSTILE, nasty_results, nasty_run

_THIRD = 1 / 3
#: Values of each kind at and beside the places where rounding, signs and edges go wrong.
NASTY: Mapping[Kind, tuple[Value, ...]] = {
    Kind.TEXT: (HOSTILE, "", "12", "a|b & c\\d", "-1", "名前", " x  y "),
    Kind.WHOLE: (0, 1, -1, 999, 1_000, 12_345_678_901_234_567_890),
    Kind.FLAG: (True, False),
    Kind.SHARE: (0.0, 1.0, _THIRD, 0.0005, 0.00049999, 0.9995, 0.99949999, 0.1235, 0.12345, 5e-324),
    Kind.DIFFERENCE: (0.0, -0.0, 1.0, -1.0, 0.0005, -0.0005, 0.0004, -0.0004, -_THIRD, 0.1235),
    Kind.P_VALUE: (0.0, 1.0, 0.001, 0.00099999, 0.0005, 0.9995, 0.99949, 0.0455, 0.05, 1e-300),
    Kind.NUMBER: (0.0, -0.0, -0.005, 0.005, 1.005, 2.675, -1234567.895, 1e21, 0.0049),
    Kind.USD: tuple(map(Decimal, ("0", "0.005", "0.0049", "1.005", "1234.565", "-0.004", "2E+3"))),
    Kind.PRICE: tuple(map(Decimal, ("0", "5", "0.1", "0.0125", "1234.5", "1E-7", "3E+1"))),
    Kind.TOKENS: (0, 999, 1_000, 1_234_567),
}
_REASONS = (UNKNOWN, not_enough(3), not_enough(1_234), Missing("50% | <none> & $x_1$"))


def nasty_tables() -> Iterator[Table]:
    """One table a kind: plain values, what is missing, intervals, half intervals and marks."""
    for kind, values in NASTY.items():
        columns = [
            Column("name", "Name", Kind.TEXT, level=NARROW, mark="flag"),
            Column("flag", "Odd", Kind.FLAG, level=EXACT_ONLY),
            Column("other", "Other name", Kind.TEXT, names=True),
            Column("value", "Value [95% CI]", kind, level=NARROW, mark="flag"),
            Column("quiet", "Quiet", Kind.WHOLE, begins=True, quiet=True),
            Column("hidden", "Hidden", kind, level=EXACT_ONLY),
        ]
        if kind.numeric:
            columns += [
                Column(
                    "ranged",
                    "Ranged",
                    kind,
                    "unit",
                    WIDE,
                    low="low",
                    high="high",
                    mark="flag",
                    begins=True,
                ),
                Column("low", "Low", kind, level=EXACT_ONLY),
                Column("high", "High", kind, level=EXACT_ONLY),
            ]
        rows: list[tuple[Value, ...]] = []
        for number, value in enumerate((*values, *_REASONS)):
            ends: tuple[Value, ...] = (value, value, value)
            if number % 3 == 1:
                ends = (value, values[0], UNKNOWN)  # one end alone is no interval
            row = (f"row {number}", number % 2 == 0, "x y", value, number % 2, value)
            rows.append(row + ends if kind.numeric else row)
        yield Table(f"nasty-{kind}", f"Nasty {kind}", tuple(columns), tuple(rows), ("A note.",))


@pytest.fixture(scope="module")
def real_tables(tmp_path_factory: pytest.TempPathFactory) -> list[Table]:
    """All tables of a simulated run with repeats and with plain and encoded forms."""
    root = tmp_path_factory.mktemp("cross") / "bench"
    assert main(["init", str(root)]) == 0
    variants = ("--variant", "plain", "--variant", "encoded", "--variant", "bloated")
    run = ["run", "example", "--cohort", "simulated", *variants, "--repeats", "3"]
    assert main(["--workspace", str(root), *run, "--run", "r", "--yes"]) == 0
    workspace = Workspace(root, root / "results.db", {})
    return [*run_tables(workspace.database), *analysis_tables(workspace, "r")]


def run_tables(path: Path) -> list[Table]:
    """Leaderboard, costs and attempts of the newest run."""
    with closing(Connection(path, create=False)) as connection:
        plan = Plans(connection).load(Plans(connection).find(None))
        results = Results(connection).by_config(plan)
        attempts = Results(connection).attempts(plan.run)
        return [
            leaderboard(plan.run, results),
            cost_table(plan.run, results),
            attempts_table(plan.run, attempts, with_answers=True, configs=plan.configs),
        ]


MADE_TABLES = [
    *nasty_tables(),
    leaderboard(nasty_run(), nasty_results()),
    cost_table(nasty_run(), nasty_results()),
]


# --- the oracle --------------------------------------------------------------------------------


def rounded(number: Decimal, places: str) -> Decimal:
    """Half up, as at school."""
    return number.quantize(Decimal(places), ROUND_HALF_UP)


def by_hand(kind: Kind, value: object) -> str:
    """What people must see of an exact value."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    number = Decimal(str(value))
    if kind in (Kind.WHOLE, Kind.TOKENS):
        return f"{int(number):,}"
    if kind is Kind.PRICE:
        whole, _, decimals = f"{number:f}".partition(".")
        return f"{whole}.{decimals.rstrip('0').ljust(2, '0')}"
    if kind is Kind.SHARE:
        percent = number * 100
        near = rounded(percent, "0.1")
        text = "<0.1" if 0 < percent < Decimal("0.05") else f"{abs(near)}"
        return (">99.9" if near == 100 and percent < 100 else text) + "%"
    if kind is Kind.DIFFERENCE:
        near = rounded(number * 100, "0.1")
        if near == 0:
            return "0.0" if number == 0 else "+<0.1" if number > 0 else "-<0.1"
        return f"{near:+}"
    if kind is Kind.P_VALUE:
        if number < Decimal("0.001"):
            return "<0.001"
        near = rounded(number, "0.001")
        return ">0.999" if near == 1 and number < 1 else f"{near}"
    near = rounded(number, "0.01")
    if kind is Kind.USD and near == 0 and number > 0:
        return "<0.01"
    return f"{abs(near) if near == 0 else near:,}"


def expected(table: Table, column: Column, row: Mapping[str, object]) -> str:
    """What people must see in a cell, from the JSON of its row."""
    value = row[column.key]
    if value is None:
        return str(row[f"{column.key}_reason"])
    text = by_hand(column.kind, value)
    low, high = row.get(column.low or ""), row.get(column.high or "")
    if low is not None and high is not None:
        ends = [by_hand(column.kind, end).removesuffix("%") for end in (low, high)]
        text = f"{text} [{ends[0]}, {ends[1]}]"
    if column.mark and row[column.mark] is True:
        text = f"{text} ({table.columns[table.place(column.mark)].heading.lower()})"
    return text


def same(seen: str, wanted: str) -> bool:
    """Whether a cell reads so, but for the white space that its format folds."""
    return " ".join(seen.split()) == " ".join(visible(wanted).split())


# --- the check ---------------------------------------------------------------------------------


def check(table: Table) -> None:
    """Fail unless every cell of a table is the same in all formats."""
    rows = json.loads(render(table, "json"), parse_float=Decimal)["rows"]
    lines = render(table, "jsonl").splitlines()
    assert [json.loads(line, parse_float=Decimal) for line in lines] == rows
    assert len(rows) == len(table.rows)
    for row, raw in zip(rows, table.rows, strict=True):
        check_exact(table, row, raw)
    check_csv(table, rows)
    check_people(table, rows)


def check_exact(table: Table, row: Mapping[str, object], raw: tuple[Value, ...]) -> None:
    """JSON holds the very values of the table."""
    for column, value in zip(table.columns, raw, strict=True):
        if isinstance(value, Missing):
            assert row[column.key] is None
            assert row[f"{column.key}_reason"] == value.reason
        elif isinstance(value, Decimal):
            assert Decimal(str(row[column.key])) == value
        elif isinstance(value, float):
            assert float(str(row[column.key])) == value
        else:
            assert row[column.key] == value


def check_csv(table: Table, rows: list[dict[str, object]]) -> None:
    """CSV holds the numbers of the JSON, digit by digit."""
    records = list(csv.DictReader(io.StringIO(render(table, "csv"), newline="")))
    assert len(records) == len(rows)
    for record, row in zip(records, rows, strict=True):
        for column in table.columns:
            cell, value = record[column.key], row[column.key]
            if value is None:
                assert cell == csv_text(str(row[f"{column.key}_reason"]))
            elif isinstance(value, bool):
                assert cell == ("true" if value else "false")
            elif isinstance(value, str):
                assert cell == csv_text(value)
            else:
                assert Decimal(cell) == Decimal(str(value))
                assert "," not in cell


def check_people(table: Table, rows: list[dict[str, object]]) -> None:
    """Markdown, HTML, LaTeX and the terminal show what rounding by hand gives."""
    columns = [column for column in table.columns if column.level <= WIDE]
    wanted = [[expected(table, column, row) for column in columns] for row in rows]
    compare(wanted, markdown_cells(render(table, "md")).rows[1:])
    compare(wanted, html_cells(html_table(table)).rows[1:])
    names = [place for place, column in enumerate(columns) if column.names or place == 0]
    order = [*names, *(place for place in range(len(columns)) if place not in names)]
    latex = latex_rows(render(table, "latex", level=WIDE), len(names))[1:]
    compare(
        [[row[place] for place in order] for row in wanted],
        [[latex_plain(cell) for cell in row] for row in latex],
    )
    spoken = [place for place, column in enumerate(columns) if not is_silent(table, column)]
    simulated = "(simulated)" if table.simulated and "(simulated)" in table.title else None
    compare(
        [
            # The title says it there once for all rows.
            [row[place].removesuffix(f" {simulated}") for place in spoken]
            for row in wanted
        ],
        list(plain_rows(table)),
    )


def compare(wanted: list[list[str]], seen: list[list[str]]) -> None:
    """Fail at the first cell that differs."""
    assert len(wanted) == len(seen)
    for number, (one, other) in enumerate(zip(wanted, seen, strict=True)):
        assert len(one) == len(other), f"row {number}"
        for place, (want, see) in enumerate(zip(one, other, strict=True)):
            assert same(see, want), f"row {number}, column {place}: {see!r} is not {want!r}"


@pytest.mark.parametrize("table", MADE_TABLES, ids=lambda table: table.name)
def test_made_tables(table: Table) -> None:
    check(table)


def test_every_kind_is_among_the_made_tables() -> None:
    assert set(NASTY) == set(Kind)


def test_real_tables(real_tables: list[Table]) -> None:
    assert len({table.name for table in real_tables}) == len(real_tables) > 10
    assert {column.kind for table in real_tables for column in table.columns} == set(Kind)
    for table in real_tables:
        check(table)


# --- a wrong formatter is caught ---------------------------------------------------------------


def cut_off(kind: Kind, value: Value) -> str:
    """Rounds down instead of half up."""
    if kind is Kind.SHARE and isinstance(value, float):
        return f"{(Decimal(repr(value)) * 100).quantize(Decimal('0.1'), ROUND_DOWN)}%"
    return shown(kind, value)


def binary(kind: Kind, value: Value) -> str:
    """Rounds the binary value: 2.675 becomes 2.67."""
    return f"{value:,.2f}" if kind is Kind.NUMBER and value == 2.675 else shown(kind, value)


def unsigned(kind: Kind, value: Value) -> str:
    """Forgets the sign of a difference."""
    text = shown(kind, value)
    return text.removeprefix("+") if kind is Kind.DIFFERENCE else text


def swallowed(kind: Kind, value: Value) -> str:
    """Shows what is missing as 0."""
    return "0" if isinstance(value, Missing) else shown(kind, value)


def rounded_exactly(value: float | Decimal) -> str:
    """An exact writer that is not."""
    text = exact(value)
    return text[:-1] if isinstance(value, float) and len(text) > 12 else text


def check_all(tables: list[Table]) -> None:
    for table in tables:
        check(table)


@pytest.mark.parametrize("wrong", [cut_off, binary, unsigned, swallowed])
def test_a_wrong_formatter_is_caught(
    monkeypatch: pytest.MonkeyPatch, wrong: Callable[[Kind, Value], str]
) -> None:
    check_all(MADE_TABLES)
    monkeypatch.setattr(display, "shown", wrong)
    with pytest.raises(AssertionError):
        check_all(MADE_TABLES)


@pytest.mark.parametrize("module", [csv_format, json_format])
def test_a_wrong_exact_writer_is_caught(monkeypatch: pytest.MonkeyPatch, module: object) -> None:
    monkeypatch.setattr(module, "exact", rounded_exactly)
    with pytest.raises(AssertionError):
        check_all(MADE_TABLES)
