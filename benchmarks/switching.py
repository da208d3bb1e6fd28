"""How long a switch to each screen takes, with 2,000 instances and 100,000 attempts in the store.

Three figures a screen, in wall time of an application without a terminal, from the call that the
key makes: to the first drawing of the screen on its first visit and on later ones, and to the last
drawing of a later visit, when everything that was read again stands. Beside them, in the same run,
a bare Textual application that switches between two screens with a table of 50 rows each. Bound:
100 ms to the first drawing of a later visit. ``--attempts`` and ``--response-bytes`` make the store
smaller; ``--keep FOLDER`` uses a store that is there already.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import RenderableType
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import DataTable, Footer

from benchmarks.results_store import build
from relaybench.tui.app import WorkbenchApp
from relaybench.tui.modes import MODES
from relaybench.tui.start import keep_fluent
from relaybench.workbench.workspace import find_workspace

BOUND_MS = 100.0
ROUNDS = 5
CLASSES, INSTANCES = 40, 50


class _Table(Screen[None]):
    def compose(self) -> ComposeResult:
        yield DataTable()
        yield Footer()

    def on_mount(self) -> None:
        table = self.query_one(DataTable)
        table.add_columns("number", "name", "state")
        for number in range(50):
            table.add_row(str(number), f"entry {number}", "open")


class _Bare(App[int]):
    MODES = {"one": _Table, "two": _Table}  # noqa: RUF012

    def on_mount(self) -> None:
        self.switch_mode("one")


class _Stopwatch:
    """Notes when the screen that an application has switched to was drawn."""

    def __init__(self, app: App[int]) -> None:
        self._app, self._display = app, app._display
        self._left: Screen[object] = app.screen
        self._begun = 0.0
        self._drawn: list[float] = []
        setattr(app, "_display", self._noted)  # noqa: B010 - a method of the application

    def begin(self) -> None:
        self._left, self._drawn = self._app.screen, []
        self._begun = time.perf_counter()

    def _noted(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        self._display(screen, renderable)
        if renderable is not None and screen is self._app.screen and screen is not self._left:
            self._drawn.append((time.perf_counter() - self._begun) * 1000)

    @property
    def first_ms(self) -> float:
        return self._drawn[0]

    @property
    def last_ms(self) -> float:
        return self._drawn[-1]


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds: to the first drawing of a first and a later visit, to the last of a later."""

    first: float
    later: float
    whole: float


def write_library(root: Path) -> None:
    """Write 40 classes with 50 instances each."""
    for number in range(CLASSES):
        domain = ("math", "coding", "data-analysis", "problem-solving")[number % 4]
        path = root / "problems" / "library" / domain / f"class-{number:02}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        parts = [
            f'id = "class-{number:02}"\ndomain = "{domain}"\ntitle = "Sum number {number}"\n'
            "prompt = '''\nWhat is {{a}} plus {{b}}?\n'''\nrules = [\"Give an integer.\"]\n"
            'example = "0"\n'
        ]
        for each in range(1, INSTANCES + 1):
            parts.append(
                f'[[instances]]\nid = "i-{each:03}"\ndata = {{ a = "{each}", b = "{number}" }}\n'
                f'answer = "{each + number}"\nstatus = "approved"\n'
            )
        path.write_text("\n".join(parts), "utf-8")


async def _settled(pilot: Pilot[int]) -> None:
    for _ in range(3):
        await pilot.pause()
        await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def _bare_ms() -> float:
    app = _Bare()
    times = []
    async with app.run_test(size=(120, 40)) as pilot:
        watch = _Stopwatch(app)
        for number in range(2 * ROUNDS):
            watch.begin()
            await app.switch_mode("two" if number % 2 == 0 else "one")
            await pilot.pause()
            times.append(watch.first_ms)
    return sorted(times[2:])[ROUNDS - 1]


async def _switches(root: Path, database: Path) -> dict[str, Times]:
    app = WorkbenchApp(find_workspace(root, database, environment={}))
    times: dict[str, list[tuple[float, float]]] = {mode.name: [] for mode in MODES}
    async with app.run_test(size=(120, 40)) as pilot:
        await _settled(pilot)
        watch = _Stopwatch(app)
        for _ in range(ROUNDS + 1):
            for mode in (*MODES[1:], MODES[0]):
                watch.begin()
                await app.action_go(mode.name)
                await _settled(pilot)
                times[mode.name].append((watch.first_ms, watch.last_ms))
    return {
        name: Times(
            each[0][0],
            sorted(first for first, _ in each[1:])[ROUNDS // 2],
            sorted(last for _, last in each[1:])[ROUNDS // 2],
        )
        for name, each in times.items()
    }


def main() -> int:
    """Measure and print; exit code 1 where a bound is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attempts", type=int, default=100_000)
    parser.add_argument("--response-bytes", type=int, default=500)
    parser.add_argument("--keep", type=Path, help="folder with a results.db from earlier")
    given = parser.parse_args()
    os.environ.pop("NO_COLOR", None)
    keep_fluent()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        root = Path(temporary) / "ws"
        write_library(root)
        database = folder / "results.db"
        if not database.exists():
            print(f"making {given.attempts:,} attempts ...", file=sys.stderr)
            build(database, given.attempts, given.response_bytes)
        bare = asyncio.run(_bare_ms())
        found = asyncio.run(_switches(root, database))
    print(f"{'bare Textual, 50 rows':24}{'':10}{bare:8.0f} ms")
    print(f"{'screen':24}{'first':>10}{'later':>8}{'whole':>11}")
    for name, each in found.items():
        missed = "" if each.later <= BOUND_MS else f"  MISSED: over {BOUND_MS:.0f} ms"
        print(
            f"{name:24}{each.first:7.0f} ms{each.later:5.0f} ms{each.whole:8.0f} ms"
            f"  {each.later / bare:.1f}x{missed}"
        )
    return int(any(each.later > BOUND_MS for each in found.values()))


if __name__ == "__main__":
    sys.exit(main())
