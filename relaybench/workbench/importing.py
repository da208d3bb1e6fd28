"""Take in results that were made elsewhere: JSON lines, each a response to grade.

Good lines are kept and bad ones reported with their number. A line is known by its run, item,
model config and repeat, so that a file imported twice adds nothing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from relaybench.domain.errors import PlanError, UsageError
from relaybench.domain.item import Item
from relaybench.domain.model import SIMULATED, ModelConfig
from relaybench.domain.results import Cell
from relaybench.store.attempts import Attempts
from relaybench.store.database import Connection, run_lock
from relaybench.store.plans import Plans, RunRow
from relaybench.store.recording import Recording
from relaybench.workbench.import_line import ImportLine, parse_line
from relaybench.workbench.judging import judge
from relaybench.workbench.workspace import Workspace

#: Lines in one transaction.
_BATCH = 500


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that was not taken, and why."""

    number: int
    problem: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import came to: lines taken, lines that were there already, lines refused."""

    run: str
    added: int
    known: int
    bad: tuple[BadLine, ...]


def import_results(workspace: Workspace, path: Path, run_name: str | None = None) -> ImportReport:
    """Read a JSON-lines file into a run; good lines are kept whatever the others are.

    The file is read twice: first for what it is about, then for the responses, so that a large
    one does not have to fit into memory. Raises UsageError where the file cannot be read or the
    name belongs to a run that was sent.
    """
    name = run_name or f"import-{path.stem}"
    survey = _Survey()
    for number, raw in _lines(path):
        survey.look(number, parse_line(raw))
    if not survey.places:
        return ImportReport(name, 0, 0, tuple(survey.bad))
    with contextlib.closing(Connection(workspace.database)) as connection:
        loader = _Loader(connection, name, survey)
        added = known = 0
        with run_lock(workspace.database, loader.run.id, name):
            for batch in _batches(path, survey):
                with connection.writing():
                    for number, line in batch:
                        try:
                            fresh = loader.store(survey.cells[number], line)
                        except PlanError as error:
                            survey.bad.append(BadLine(number, str(error)))
                            continue
                        added, known = added + fresh, known + (not fresh)
    return ImportReport(name, added, known, tuple(sorted(survey.bad, key=lambda b: b.number)))


def _batches(path: Path, survey: _Survey) -> Iterator[list[tuple[int, ImportLine]]]:
    """The lines that the survey accepted, some hundred at a time."""
    batch: list[tuple[int, ImportLine]] = []
    for number, raw in _lines(path):
        if number not in survey.cells:
            continue
        line = parse_line(raw)
        if isinstance(line, ImportLine):
            batch.append((number, line))
        if len(batch) >= _BATCH:
            yield batch
            batch = []
    yield batch


class _Survey:
    """What a file is about: items, configs and repeats of its good lines, and its bad lines."""

    def __init__(self) -> None:
        self.bad: list[BadLine] = []
        self.items: dict[str, Item] = {}
        self.configs: dict[str, ModelConfig] = {}
        self.cells: dict[int, Cell] = {}
        self.places: dict[tuple[str, str], int] = {}
        self.repeats = 1

    def look(self, number: int, line: ImportLine | str) -> None:
        """Take note of one line; a bad one is only reported."""
        if isinstance(line, str):
            self.bad.append(BadLine(number, line))
            return
        item, config = line.item(), line.config()
        known = self.configs.get(config.digest)
        reason = self._misfit(config, known)
        if reason:
            self.bad.append(BadLine(number, reason))
            return
        self.items.setdefault(item.digest, item)
        if known is None or known.prices is None:
            self.configs[config.digest] = config
        place = (item.digest, config.digest)
        repeat = self.places.get(place, 0) if line.repeat is None else line.repeat
        self.places[place] = repeat + 1
        self.repeats = max(self.repeats, repeat + 1)
        self.cells[number] = Cell(item.digest, config.digest, repeat)

    def _misfit(self, config: ModelConfig, known: ModelConfig | None) -> str | None:
        if any(each.simulated is not config.simulated for each in self.configs.values()):
            return (
                f"provider {SIMULATED!r} and real models cannot be in one run; "
                "import them from two files"
            )
        if known and config.prices and known.prices and config.prices != known.prices:
            return f"the prices of {config.label} differ from those of earlier lines"
        return None


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(file, 1):
                if raw.strip():
                    yield number, raw
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error


class _Loader:
    """Writes lines into one run."""

    def __init__(self, connection: Connection, name: str, survey: _Survey) -> None:
        plans = Plans(connection)
        runs = {run.name: run for run in plans.runs()}
        run = runs.get(name)
        items, configs = list(survey.items.values()), list(survey.configs.values())
        if run is None:
            run = plans.create(name, items, configs, survey.repeats, kind="import")
        else:
            self._check(run, configs)
            plans.extend(run, items, configs)
            plans.raise_repeats(run, max(run.repeats, survey.repeats))
        self.run = plans.find(name)
        self._attempts = Attempts(connection)
        self._recording = Recording(connection, plans.load(self.run))

    def _check(self, run: RunRow, configs: list[ModelConfig]) -> None:
        if run.kind != "import":
            raise UsageError(
                f"{run.name!r} is a run that was sent from here; import under another --run name"
            )
        if any(config.simulated is not run.simulated for config in configs):
            raise UsageError(
                f"simulated and real results cannot be in one run; import {run.name!r} under "
                "another --run name"
            )

    def store(self, cell: Cell, line: ImportLine) -> bool:
        """Store and grade one line; False where its answer is there already.

        Raises PlanError where the cell has another answer.
        """
        stored = self._recording.stored_text(cell)
        if stored is not None:
            if stored != line.response:
                raise PlanError(
                    f"repeat {cell.repeat} of {line.set}/{line.composite} by {line.model} "
                    "has another response already; give it another repeat"
                )
            return False
        call = self._recording.call_started(cell)
        attempt = self._recording.answered(cell, call, line.completion())
        answer = self._attempts.gradable(attempt)
        verdict = judge(answer, self._attempts.item(answer.item_id), strict=False)
        self._recording.graded(attempt, answer.item_id, verdict, strict=False)
        return True
