"""Take in results that were made elsewhere: JSON lines, each a response to grade.

Good lines are kept and bad ones reported with their number. A line is known by its run, item,
model config and repeat, so that a file imported twice adds nothing.
"""

from __future__ import annotations

import codecs
import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from relaybench.domain.completion import Completion
from relaybench.domain.errors import PlanError, UsageError
from relaybench.domain.item import Item, text_digest
from relaybench.domain.model import SIMULATED, ModelConfig
from relaybench.domain.results import Cell
from relaybench.store.attempts import Attempts
from relaybench.store.database import Connection, run_lock
from relaybench.store.imported_domains import imported_domains, unequal_domains
from relaybench.store.plans import Plans, StoredPlan
from relaybench.store.recording import Recording
from relaybench.workbench.results.import_line import ImportResult, parse_line
from relaybench.workbench.results.judging import judge
from relaybench.workbench.workspace import Workspace

#: Lines in one transaction.
_BATCH = 500
#: Reads a line; a string says why it cannot be taken.
Reader = Callable[[bytes], ImportResult | str]


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that was not taken, and why."""

    number: int
    problem: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import came to: lines taken, lines that were there already, lines refused.

    ``domains`` counts items that were stored without domains before and have them now.
    """

    run: str
    added: int
    known: int
    bad: tuple[BadLine, ...]
    domains: int = 0


def import_results(
    workspace: Workspace, path: Path, run_name: str | None = None, *, raw: bool = False
) -> ImportReport:
    """Read a JSON-lines file into a run; good lines are kept whatever the others are.

    With ``raw`` the responses are bodies as providers sent them. The file is read twice: first for
    what it is about, then for the responses, so that a large one does not have to fit into memory.
    Raises UsageError where the file cannot be read or the name belongs to a run that was sent.
    """
    name = run_name or f"import-{path.stem}"
    survey = _Survey(*_stored(workspace, name))
    read: Reader = parse_line
    if raw:
        from relaybench.workbench.results.raw_line import raw_reader  # loads what reads bodies

        read = raw_reader(path.parent)
    for number, each in _lines(path):
        survey.look(number, read(each))
    if not survey.cells:
        return ImportReport(name, 0, 0, tuple(survey.bad))
    survey.price_by(workspace)
    with contextlib.closing(Connection(workspace.database)) as connection:
        loader = _Loader(connection, name, survey)
        added = known = 0
        with run_lock(workspace.database, loader.run.id, name):
            for batch in _batches(path, survey, read):
                with connection.writing():
                    for number, result in batch:
                        try:
                            fresh = loader.store(survey.cells[number], result)
                        except PlanError as error:
                            survey.bad.append(BadLine(number, str(error)))
                            continue
                        added, known = added + fresh, known + (not fresh)
    bad = tuple(sorted(survey.bad, key=lambda each: each.number))
    return ImportReport(name, added, known, bad, survey.domains_filled_in())


_Domains = Mapping[str, tuple[str, ...]]


def _stored(workspace: Workspace, name: str) -> tuple[StoredPlan | None, _Domains]:
    """What an earlier import put into the run, and the domains of all items imported so far.

    Raises UsageError for a run that was sent.
    """
    if not workspace.database.is_file():
        return None, {}
    with contextlib.closing(Connection(workspace.database)) as connection:
        plans = Plans(connection)
        run = next((run for run in plans.runs() if run.name == name), None)
        if run is None:
            return None, imported_domains(connection)
        if run.kind != "import":
            raise UsageError(
                f"{run.name!r} is a run that was sent from here; import under another --run name"
            )
        return plans.load(run), imported_domains(connection)


def _batches(
    path: Path, survey: _Survey, read: Reader
) -> Iterator[list[tuple[int, ImportResult | str]]]:
    """The lines that the survey accepted, some hundred at a time."""
    batch: list[tuple[int, ImportResult | str]] = []
    for number, raw in _lines(path):
        if number not in survey.cells:
            continue
        batch.append((number, read(raw)))
        if len(batch) >= _BATCH:
            yield batch
            batch = []
    yield batch


class _Survey:
    """What a file is about: items, configs and repeats of its good lines, and its bad lines."""

    def __init__(self, stored: StoredPlan | None, domains: _Domains) -> None:
        self.bad: list[BadLine] = []
        self.items: dict[str, Item] = {}
        self.configs: dict[str, ModelConfig] = dict(stored.configs) if stored else {}
        self.cells: dict[int, Cell] = {}
        self._frozen = frozenset(self.configs)
        self._keys = {item.ref: item.key for item in stored.items.values()} if stored else {}
        self._next: dict[tuple[str, str], int] = {}
        self._domains = domains

    def look(self, number: int, result: ImportResult | str) -> None:
        """Take note of one line; a bad one is only reported."""
        if isinstance(result, str):
            self.bad.append(BadLine(number, result))
            return
        item, config = result.item, result.config
        known = self.configs.get(config.digest)
        reason = self._misfit(item, config, known)
        if reason:
            self.bad.append(BadLine(number, reason))
            return
        self._keys[item.ref] = item.key
        if item.domains or item.digest not in self.items:
            self.items[item.digest] = item
        if known is None or (known.prices is None and config.digest not in self._frozen):
            self.configs[config.digest] = config
        place = (item.digest, config.digest)
        repeat = self._next.get(place, 0) if result.repeat is None else result.repeat
        self._next[place] = max(self._next.get(place, 0), repeat + 1)
        self.cells[number] = Cell(item.digest, config.digest, repeat)

    def domains_filled_in(self) -> int:
        """How many items were stored without domains and are given some."""
        return sum(
            bool(item.domains) and self._domains.get(digest) == ()
            for digest, item in self.items.items()
        )

    def price_by(self, workspace: Workspace) -> None:
        """Give the price book's prices of today to new configs whose lines name none."""
        fresh = [
            digest
            for digest, config in self.configs.items()
            if config.prices is None and digest not in self._frozen
        ]
        if not fresh:
            return
        book, today = workspace.catalog().book, datetime.now(UTC).date()
        for digest in fresh:
            config = self.configs[digest]
            self.configs[digest] = replace(config, prices=book.find(config, today))

    def _misfit(self, item: Item, config: ModelConfig, known: ModelConfig | None) -> str | None:
        if self._keys.get(item.ref, item.key) != item.key:
            return (
                f"the key of {item.ref} differs from that of earlier lines; if it was corrected, "
                "import all lines under another --run name"
            )
        if item.domains:
            stored, first = self._domains.get(item.digest), self.items.get(item.digest)
            if stored and stored != item.domains:
                return unequal_domains(item, stored)
            if first and first.domains and first.domains != item.domains:
                return unequal_domains(item, first.domains, same_file=True)
        if any(each.simulated is not config.simulated for each in self.configs.values()):
            return (
                f"provider {SIMULATED!r} and real models cannot be in one run; "
                "import them under two --run names"
            )
        frozen = config.digest in self._frozen
        if known and config.prices and config.prices != known.prices and (known.prices or frozen):
            return (
                f"the prices of {config.label} differ from those of earlier lines; a run has one "
                "price list, so import lines with another one under another --run name"
            )
        return None


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(file, 1):
                if number == 1:
                    raw = raw.removeprefix(codecs.BOM_UTF8)
                if raw.strip():
                    yield number, raw
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error


def _place(result: ImportResult) -> tuple[str, str]:
    return result.item.digest, result.config.digest


class _Loader:
    """Writes lines into one run."""

    def __init__(self, connection: Connection, name: str, survey: _Survey) -> None:
        self._plans = Plans(connection)
        runs = {run.name: run for run in self._plans.runs()}
        items, configs = list(survey.items.values()), list(survey.configs.values())
        if name in runs:
            self._plans.extend(runs[name], items, configs)
        else:
            self._plans.create(name, items, configs, 1, kind="import")
        self.run = self._plans.find(name)
        self._repeats = self.run.repeats
        self._attempts = Attempts(connection)
        self._recording = Recording(connection, self._plans.load(self.run))
        self._stored: dict[tuple[str, str], dict[int, str]] = {}
        self._claimed: set[Cell] = set()

    def store(self, cell: Cell, result: ImportResult | str) -> bool:
        """Store and grade one line; False where its answer is there already.

        Raises PlanError where the cell has another answer, or the line is not what it was.
        """
        if isinstance(result, str) or _place(result) != (cell.item, cell.config):
            raise PlanError("the file changed while it was being read; import it again")
        digest = text_digest(result.completion.text)
        stored = self._responses(cell)
        if result.repeat is None:
            cell = self._place_of(cell, digest, stored)
        known = stored.get(cell.repeat)
        if known is not None and (
            known != digest or (result.repeat is None and cell in self._claimed)
        ):
            raise PlanError(
                f"repeat {cell.repeat} of {result.item.ref} by {result.config.model} "
                "has another response already; give it another repeat"
            )
        self._claimed.add(cell)
        if known is not None:
            return False
        self._write(cell, result.completion)
        stored[cell.repeat] = digest
        return True

    def _place_of(self, cell: Cell, digest: str, stored: Mapping[int, str]) -> Cell:
        """Where a line that names no repeat belongs: to the same response if it is there already.

        Else a line that was mended would move those behind it to other repeats.
        """
        for repeat, known in stored.items():
            place = Cell(cell.item, cell.config, repeat)
            if known == digest and place not in self._claimed:
                return place
        return cell

    def _responses(self, cell: Cell) -> dict[int, str]:
        place = (cell.item, cell.config)
        if place not in self._stored:
            self._stored[place] = self._recording.responses(*place)
        return self._stored[place]

    def _write(self, cell: Cell, completion: Completion) -> None:
        if cell.repeat >= self._repeats:
            self._repeats = cell.repeat + 1
            self._plans.raise_repeats(self.run, self._repeats)
        call = self._recording.call_started(cell)
        attempt = self._recording.answered(cell, call, completion)
        answer = self._attempts.gradable(attempt)
        verdict = judge(answer, self._attempts.item(answer.item_id), strict=False)
        self._recording.graded(attempt, answer.item_id, verdict, strict=False)
