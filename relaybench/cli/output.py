"""Print: data to stdout, talk to stderr, foreign text never raw to a terminal."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Collection, Sequence
from decimal import ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING, Final

import click

from relaybench.domain.literal import literal, visible

if TYPE_CHECKING:
    from relaybench.domain.finding import Finding


#: The least cells that the last column of a list is cut to.
_LEAST: Final = 20


def say(text: str = "") -> None:
    """Talk to the user on stderr."""
    click.echo(literal(text), err=True)


def data(text: str) -> None:
    """Print text to stdout with a line end, control characters spelled out."""
    click.echo(literal(text))


def data_json(value: object) -> None:
    """Print a value as JSON to stdout; ASCII only, so nothing in it can command a terminal."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=True, default=str))


def terminal_width() -> int:
    """Cells across: of the terminal (or ``COLUMNS``), 120 for files and pipes."""
    return shutil.get_terminal_size((120, 24)).columns


def exact(text: str) -> None:
    """Print text byte for byte to a file or pipe; on a terminal spell out control characters."""
    if sys.stdout.isatty():
        sys.stdout.write(literal(text))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass"))
        sys.stdout.buffer.flush()


def plural(count: int, thing: str) -> str:
    """``1 item``, ``2 items``."""
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


def usd(amount: Decimal | None) -> str:
    """USD for people: cents, more digits for less than a cent, ``unknown`` for None."""
    if amount is None:
        return "unknown"
    if amount == 0 or amount >= Decimal("0.01"):
        return f"${amount.quantize(Decimal('0.01'), ROUND_HALF_EVEN):,}"
    if 0 < amount < Decimal("0.0001"):
        return "<$0.0001"
    return f"${amount.quantize(Decimal('0.0001'), ROUND_HALF_EVEN)}"


def columns(
    rows: Sequence[Sequence[str]],
    *,
    indent: int = 0,
    left: Collection[int] = (),
    width: int | None = None,
) -> str:
    """Lay rows out in columns: the first one, and those in ``left``, to the left.

    ``width``: cut the last column so that lines fit into that many cells.
    """
    from rich.cells import cell_len, set_cell_size  # not needed by --help

    shown = [[visible(cell) for cell in row] for row in rows]
    widths = [max(cell_len(row[index]) for row in shown) for index in range(len(shown[0]))]
    if width is not None:
        room = width - indent - sum(widths[:-1]) - 2 * (len(widths) - 1)
        widths[-1] = min(widths[-1], max(room, _LEAST))
    lines = []
    for row in shown:
        cells = []
        for index, (cell, size) in enumerate(zip(row, widths, strict=True)):
            fitting = cell if cell_len(cell) <= size else set_cell_size(cell, size - 1) + "…"
            space = " " * (size - cell_len(fitting))
            cells.append(fitting + space if index == 0 or index in left else space + fitting)
        lines.append(" " * indent + "  ".join(cells).rstrip())
    return "\n".join(lines)


def findings_text(findings: Sequence[Finding]) -> str:
    """Findings grouped by file: line, key, what is wrong, how to mend it."""
    lines: list[str] = []
    file = ""
    for each in findings:
        if each.file != file:
            lines += ([""] if lines else []) + [visible(each.file)]
            file = each.file
        key = f" {each.key}" if each.key else ""
        lines.append(
            visible(f"  line {each.line}{key}: {each.severity.value} [{each.code}]: {each.problem}")
        )
        lines.append(visible(f"      -> {each.mend}"))
    return "\n".join(lines)


def finding_json(each: Finding) -> dict[str, object]:
    """A finding for machines."""
    return {
        "file": each.file,
        "line": each.line,
        "key": each.key,
        "code": each.code,
        "severity": each.severity.value,
        "problem": each.problem,
        "mend": each.mend,
    }
