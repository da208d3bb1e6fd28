"""How long results take, from 1,000 to 100,000 attempts with responses of 20 KB.

It builds a results file of each size (1,000 items x 20 models x 5 repeats is the largest, some
2 GB; see ``results_store.py``) in a temporary folder, times what a user asks of one, and prints
CPU seconds (what else the machine does counts little in them), how they grow for ten times the
attempts, and the ratio to a bare scan of the attempts table in the same file. Whole commands run
in processes of their own. Exits with 1 where a bound is missed.

    python benchmarks/results.py [--attempts 100000] [--response-bytes 20000] [--keep FOLDER]

``--attempts`` is the largest size, the others are a tenth and a hundredth of it. ``--keep`` keeps
the files, or takes those that are in the folder.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, process_time

# Before the folder of this file, which has modules of common names.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.overhead import Used, used_by
from benchmarks.results_store import RUN, build
from relaybench.reports.dimensions import Dimension
from relaybench.reports.formats import render
from relaybench.reports.tables import Table
from relaybench.store.database import Connection
from relaybench.workbench.results.all_tables import analysis_tables
from relaybench.workbench.results.comparing import (
    breakdown_tables,
    comparison_table,
    dependence_table,
    effects_table,
    repeats_tables,
)
from relaybench.workbench.results.evidence import find_runs, load_grid, reading
from relaybench.workbench.results.examining import items_of, steps_tables
from relaybench.workbench.results.reporting import costs_text, leaderboard_text, runs
from relaybench.workbench.workspace import Workspace

LARGEST, RESPONSE_BYTES = 100_000, 20_000
#: An action is timed until it has taken so many seconds in all; the best time counts.
PATIENCE_S = 1.5
SCAN = "SELECT COUNT(*), SUM(LENGTH(outcome)) FROM attempts NOT INDEXED"

LEADERBOARD_S, BREAKDOWN_S, REPORT_S, REPORT_BYTES = 1.0, 2.0, 20.0, 5_000_000
#: An export of ten times the attempts may need so much more memory.
EXPORT_GROWTH = 1.25


@dataclass(slots=True)
class Row:
    """One action: a figure for each size, and the bound of the last one."""

    name: str
    unit: str = "s"
    bound: float | None = None
    growth_bound: float | None = None
    figures: list[float] = field(default_factory=list)

    def add(self, figure: float) -> None:
        """Take in the figure of the next size; it is told at once, as the largest take long."""
        self.figures.append(figure)
        print(f"{self.name}: {figure:.3f} {self.unit}", file=sys.stderr, flush=True)

    @property
    def growth(self) -> float:
        """How the figure grows over the last step, which is ten times the attempts."""
        return self.figures[-1] / self.figures[-2]

    @property
    def missed(self) -> bool:
        """Whether it is over its bound."""
        over = self.bound is not None and self.figures[-1] > self.bound
        return over or (self.growth_bound is not None and self.growth > self.growth_bound)


def best(action: Callable[[], object]) -> float:
    """Least CPU time of an action in seconds, warm where it is quick."""
    times: list[float] = []
    while sum(times) < PATIENCE_S and len(times) < 5:
        gc.collect()
        start = process_time()
        action()
        times.append(process_time() - start)
    return min(times)


def shown(*tables: Table) -> None:
    """Make a terminal's text of tables, as a command would."""
    for table in tables:
        render(table, "table", width=120)


def actions(workspace: Workspace) -> dict[str, tuple[Callable[[], object], float | None]]:
    """What is timed within this process, by name, with its bound in seconds."""

    def scan() -> None:
        with closing(Connection(workspace.database, create=False)) as on:
            on.rows(SCAN)

    def grid() -> None:
        with reading(workspace) as on:
            load_grid(on, find_runs(on, []))

    named: dict[str, tuple[Callable[[], object], float | None]] = {
        "scan of the attempts table": (scan, None),
        "runs": (lambda: runs(workspace), None),
        "leaderboard": (lambda: leaderboard_text(workspace, None, "table", 120), LEADERBOARD_S),
        "costs": (lambda: costs_text(workspace, None, "table", 120), LEADERBOARD_S),
        "grid of outcomes": (grid, 0.7),
    }
    for each in Dimension:

        def one(by: Dimension = each) -> None:
            shown(*breakdown_tables(workspace, by=[by]))

        named[f"breakdown by {each.value}"] = (one, BREAKDOWN_S)
    named |= {
        "compare all 190 pairs": (lambda: shown(comparison_table(workspace)), None),
        "effects": (lambda: shown(effects_table(workspace)), None),
        "repeats": (lambda: shown(*repeats_tables(workspace)), None),
        "dependence": (lambda: shown(dependence_table(workspace)), None),
        "steps": (lambda: shown(*steps_tables(workspace)), None),
        "items": (lambda: shown(items_of(workspace)), None),
        "all tables of an analysis": (lambda: analysis_tables(workspace), None),
    }
    return named


def command(database: Path, *words: str) -> Used:
    """What a command uses, in a process of its own."""
    return used_by([sys.executable, "-m", "relaybench", "--db", str(database), *words])


def commands(database: Path, out: Path, row: Callable[..., Row]) -> None:
    """Time whole commands, their memory and what they write."""
    row("command results").add(command(database, "results").cpu_s)
    for name, words in (
        ("export", ("export", "--out")),
        ("export --format inspect", ("export", "--format", "inspect", "--out")),
    ):
        used = command(database, *words, str(out / name.replace(" ", "")))
        row(f"command {name}").add(used.cpu_s)
        row(f"{name}: memory", "MB", None, EXPORT_GROWTH).add(used.peak / 1e6)
    used = command(database, "figures", RUN, "--out", str(out / "figures"))
    row("command figures").add(used.cpu_s)
    page = out / "report.html"
    used = command(database, "report", "--out", str(page))
    row("command report", "s", REPORT_S).add(used.cpu_s)
    row("report: memory", "MB").add(used.peak / 1e6)
    row("report: size", "MB", REPORT_BYTES / 1e6).add(page.stat().st_size / 1e6)


def measure(folder: Path, sizes: list[int], response_bytes: int) -> list[Row]:
    """Build a file of each size where there is none, and time everything on it."""
    rows: dict[str, Row] = {}

    def row(name: str, *facts: object) -> Row:
        return rows.setdefault(name, Row(name, *facts))  # type: ignore[arg-type]

    for size in sizes:
        database = folder / str(size) / "results.db"
        if not database.exists():
            started = perf_counter()
            build(database, size, response_bytes)
            took = perf_counter() - started
            print(f"built in {took:.1f} s", file=sys.stderr)
        print(f"{size:,} attempts", file=sys.stderr)
        row("results file", "MB").add(database.stat().st_size / 1e6)
        for name, (action, bound) in actions(Workspace(folder, database)).items():
            row(name, "s", bound).add(best(action))
        with tempfile.TemporaryDirectory(dir=folder) as out:
            commands(database, Path(out), row)
    return list(rows.values())


def print_rows(rows: list[Row], sizes: list[int]) -> None:
    """Print all figures in one table."""
    scan = next(row for row in rows if row.name.startswith("scan")).figures[-1]
    heads = "".join(f"{size:>10,}" for size in sizes)
    print(f"{'attempts':<32}{heads}  {'':<3}{'growth':>7}{'scans':>8}  bound")
    for row in rows:
        figures = "".join(f"{figure:>10.3f}" for figure in row.figures)
        scans = f"{row.figures[-1] / scan:>8.1f}" if row.unit == "s" else " " * 8
        bound = "" if row.bound is None else f"{row.bound:g} {row.unit}"
        bound = f"growth {row.growth_bound:g}" if row.growth_bound else bound
        verdict = "" if not bound else " MISSED" if row.missed else " ok"
        print(f"{row.name:<32}{figures}  {row.unit:<3}{row.growth:>6.1f}x{scans}  {bound}{verdict}")


def main() -> int:
    """Build, measure, print; 1 where a bound is missed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--attempts", type=int, default=LARGEST)
    parser.add_argument("--response-bytes", type=int, default=RESPONSE_BYTES)
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    asked = parser.parse_args()
    sizes = [asked.attempts // 100, asked.attempts // 10, asked.attempts]
    with tempfile.TemporaryDirectory() as temporary:
        rows = measure(asked.keep or Path(temporary), sizes, asked.response_bytes)
    print_rows(rows, sizes)
    return 1 if any(row.missed for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
