"""Models that have only a web page: prompts out, pasted answers in, graded like any other.

A pasted answer takes no lock of its run, so that it can come while the run's other models are being
sent, by this process or another: nobody ever sends a manual cell, and the answer is written in one
short transaction together with its call, so that no other process sees it half done.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

from relaybench.domain.completion import Completion, StopReason, Usage
from relaybench.domain.errors import StoreError, UnknownNameError, UsageError
from relaybench.domain.item import Item
from relaybench.domain.results import Cell, Grade
from relaybench.providers.manual_settings import manual_settings
from relaybench.store.attempts import Attempts
from relaybench.store.database import Connection
from relaybench.store.manual import ManualCell, manual_cells, plan_of, set_cost
from relaybench.store.plans import Plans, RunRow
from relaybench.store.recording import Recording
from relaybench.workbench.results.judging import judge
from relaybench.workbench.workspace import Workspace

#: What stands as the provider's own stop reason.
PASTED: Final = "pasted by hand"


class Ended(StrEnum):
    """How an answer ended on its page, as the person who pasted it saw."""

    BY_ITSELF = "by-itself"
    REFUSED = "refused"
    CUT_OFF = "cut-off"


_STOPS: Final = {
    Ended.BY_ITSELF: StopReason.END,
    Ended.REFUSED: StopReason.REFUSAL,
    Ended.CUT_OFF: StopReason.MAX_TOKENS,
}


@dataclass(frozen=True, slots=True)
class ManualRun:
    """The cells of a run's manual models, answered ones too, in the order of the plan."""

    run: RunRow
    cells: tuple[ManualCell, ...]

    @property
    def open(self) -> tuple[ManualCell, ...]:
        """Those that wait for an answer."""
        return tuple(each for each in self.cells if each.open)


@dataclass(frozen=True, slots=True)
class Recorded:
    """A pasted answer as stored and graded: its attempt, the item with its key, and the grade."""

    attempt: int
    item: Item
    grade: Grade


def manual_runs(workspace: Workspace) -> list[ManualRun]:
    """Runs that have manual models, the newest first; none where there is no results file yet."""
    if not workspace.database.is_file():
        return []
    with contextlib.closing(Connection(workspace.database, create=False)) as connection:
        runs = [each for each in Plans(connection).runs() if each.kind == "run"]
        found = [ManualRun(run, tuple(manual_cells(connection, run))) for run in reversed(runs)]
    return [each for each in found if each.cells]


def manual_run(workspace: Workspace, name: str | None) -> ManualRun:
    """The manual cells of a run; None: of the newest run that has open ones, else the newest.

    Raises UnknownNameError.
    """
    if name is None:
        runs = manual_runs(workspace)
        if runs:
            return next((each for each in runs if each.open), runs[0])
    with contextlib.closing(Connection(workspace.database, create=False)) as connection:
        run = Plans(connection).find(name)
        return ManualRun(run, tuple(manual_cells(connection, run)))


def prompt_of(workspace: Workspace, cell: ManualCell) -> str:
    """The exact prompt of a cell."""
    with contextlib.closing(Connection(workspace.database, create=False)) as connection:
        return Attempts(connection).item(cell.item_id).prompt


def choose_cells(
    cells: Sequence[ManualCell],
    *,
    item: str | None = None,
    model: str | None = None,
    repeat: int | None = None,
) -> list[ManualCell]:
    """The cells that a user means: ``item`` by its name or the first characters of its digest.

    ``model`` is a config's name or label or the model's id, ``repeat`` counts from 1. Raises
    UnknownNameError where a name fits nothing.
    """
    chosen = list(cells)
    if item is not None:
        chosen = [
            each
            for each in chosen
            if item == each.item or (len(item) >= 6 and each.cell.item.startswith(item))
        ]
        if not chosen:
            known = ", ".join(dict.fromkeys(each.item for each in cells))
            raise UnknownNameError(f"no manual cell is of the item {item!r}; there are: {known}")
    if model is not None:
        named = [
            each
            for each in chosen
            if model in (each.config.name, each.config.label, each.config.model)
        ]
        if not named:
            known = ", ".join(dict.fromkeys(each.config.name for each in chosen))
            raise UnknownNameError(f"no manual model is called {model!r}; there are: {known}")
        chosen = named
    if repeat is not None:
        chosen = [each for each in chosen if each.cell.repeat == repeat - 1]
        if not chosen:
            raise UnknownNameError(f"there is no repeat {repeat}")
    return chosen


def record_manual(
    workspace: Workspace,
    run_name: str,
    cell: Cell,
    text: str,
    *,
    ended: Ended = Ended.BY_ITSELF,
    usage: Usage | None = None,
    cost: Decimal | None = None,
) -> Recorded:
    """Store a pasted answer, then grade it.

    Tokens and cost (USD) are what the person could read off the page; left out they are unknown,
    never 0. Raises UsageError for an empty answer, a cell that is not answered by hand, or one
    that has its answer: nothing is overwritten.
    """
    if not text.strip() and ended is not Ended.REFUSED:
        raise UsageError("the answer is empty; nothing was stored")
    if cost is not None and (not cost.is_finite() or cost < 0):
        raise UsageError("a cost is an amount of USD from 0; nothing was stored")
    with contextlib.closing(Connection(workspace.database, create=False)) as connection:
        run = Plans(connection).find(run_name)
        cells = {each.cell: each for each in manual_cells(connection, run)}
        if cell not in cells:
            raise UsageError(
                f"run {run.name!r} has no such cell of a manual model; only those take answers by "
                "hand"
            )
        plan = plan_of(connection, run, cells[cell])
        recording = Recording(connection, plan)
        config, item = plan.configs[cell.config], plan.items[cell.item]
        completion = Completion(
            text=text,
            stop_reason=_STOPS[ended],
            raw_stop_reason=PASTED,
            usage=usage or Usage(),
            requested_model=config.model,
            settings_sent=manual_settings(config),
        )
        with connection.writing():  # whole: a call without its answer would count as lost
            _refuse_answered(manual_cells(connection, run), cells[cell], run)
            call = recording.call_started(cell)
            attempt = recording.answered(cell, call, completion)
            if cost is not None:
                set_cost(connection, attempt, call, cost)
        return Recorded(attempt, item, _graded(connection, recording, attempt, run))


def _refuse_answered(cells: Sequence[ManualCell], asked: ManualCell, run: RunRow) -> None:
    """Raise UsageError where a cell has its answer, and say which of its repeats are open."""
    same = [
        each
        for each in cells
        if (each.cell.item, each.cell.config) == (asked.cell.item, asked.cell.config)
    ]
    now = next(each for each in same if each.cell == asked.cell)
    if now.open:
        return
    free = [each.cell.repeat + 1 for each in same if each.open]
    instead = (
        f"repeat {free[0]} of it is open"
        if free
        else f"`relaybench run --resume {run.name} --repeats {run.repeats + 1}` adds a repeat"
    )
    raise UsageError(
        f"this cell has its answer already, attempt {now.attempt} ({now.outcome}); nothing was "
        f"stored. {instead}; `relaybench grade {run.name}` grades anew what is stored"
    )


def _graded(connection: Connection, recording: Recording, attempt: int, run: RunRow) -> Grade:
    """Grade a stored answer by the key that counts now."""
    attempts = Attempts(connection)
    answer = attempts.gradable(attempt)
    try:
        verdict = judge(answer, attempts.item(answer.item_id), strict=run.strict)
    except Exception as error:
        raise StoreError(
            f"the answer is stored as attempt {attempt}, but the grader tripped over it "
            f"({type(error).__name__}); it stays open for `relaybench grade {run.name}`"
        ) from error
    with connection.writing():
        # A session of the run that starts just now grades what it finds ungraded, too.
        if attempt in attempts.ungraded(run):
            recording.graded(attempt, answer.item_id, verdict, strict=run.strict)
    return verdict
