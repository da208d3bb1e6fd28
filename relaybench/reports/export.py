"""Write a run's tables and records into a folder: for spreadsheets, papers and other programs.

No key, prompt or answer leaves the results file unless asked for. Each file is written beside its
place and moved there when all of them are whole.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final, TextIO

from relaybench.domain.errors import UsageError
from relaybench.reports.attempts_table import attempt_columns, attempt_rows
from relaybench.reports.costs import cost_table
from relaybench.reports.csv_format import csv_header, csv_row
from relaybench.reports.formats import Format, render
from relaybench.reports.json_format import json_row, to_json
from relaybench.reports.leaderboard import leaderboard
from relaybench.reports.run_record import MADE_BY, response_record, run_record
from relaybench.reports.tables import check_row
from relaybench.store.attempts import AttemptDetail
from relaybench.store.plans import StoredPlan
from relaybench.store.results import AttemptRow, ConfigResult

RUN_FILE: Final = "run.json"
RESPONSES_FILE: Final = "responses.jsonl"
_TABLE_FORMATS: Final = (Format.CSV, Format.MD, Format.LATEX, Format.JSON)
_TABLE_FILES: Final = tuple(
    f"{name}{format.suffix}" for name in ("leaderboard", "costs") for format in _TABLE_FORMATS
)
#: Every file that an export may write, ``run.json`` first: it marks the folder as ours.
FILES: Final = (RUN_FILE, *_TABLE_FILES, "attempts.csv", "attempts.jsonl", RESPONSES_FILE)


def export(
    folder: Path,
    *,
    plan: StoredPlan,
    results: Sequence[ConfigResult],
    attempts: Iterable[AttemptRow],
    details: Iterable[AttemptDetail] = (),
    with_answers: bool = False,
) -> list[Path]:
    """Write all files of a run; returns their paths in the order of ``FILES``.

    ``attempts`` and ``details`` are each read once, one by one; ``details`` only with answers.
    The folder is made where it is not there. Files of an earlier export in it are replaced and
    no other file is touched. Raises UsageError, with nothing written, where the folder is none,
    where it holds files of these names that no export made, and where an export without answers
    would leave ``responses.jsonl`` of an earlier one with answers behind. OSError where the disk
    refuses; the old files are whole then.
    """
    _check(folder, with_answers)
    folder.mkdir(parents=True, exist_ok=True)
    run = plan.run
    tables = {"leaderboard": leaderboard(run, results), "costs": cost_table(run, results)}
    with _Files(folder) as files:
        files.write(
            RUN_FILE,
            to_json(run_record(plan, results, with_answers=with_answers), indent=2) + "\n",
        )
        for name, table in tables.items():
            for format in _TABLE_FORMATS:
                files.write(f"{name}{format.suffix}", render(table, format))
        _write_attempts(files, plan, attempts, with_answers)
        if with_answers:
            _write_responses(files, plan, details)
        return files.put_in_place()


def _check(folder: Path, with_answers: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; choose a folder for the export")
    there = [name for name in FILES if os.path.lexists(folder / name)]
    if not there:
        return
    odd = [name for name in there if not (folder / name).is_file() or (folder / name).is_symlink()]
    if odd or not _is_ours(folder / RUN_FILE):
        raise UsageError(
            f"{folder} holds {', '.join(odd or there)}, which no export of relaybench made; "
            "nothing was written: choose another folder"
        )
    if RESPONSES_FILE in there and not with_answers:
        raise UsageError(
            f"{folder} holds {RESPONSES_FILE} of an export with answers, which this export without "
            "answers would leave there; nothing was written: choose another folder, or remove it"
        )


def _is_ours(path: Path) -> bool:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(record, dict) and record.get("made_by") == MADE_BY


class _Files:
    """Files that are written beside their places and all put there at the end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open = ExitStack()
        self._written: dict[str, TextIO] = {}

    def __enter__(self) -> _Files:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()
        for name in self._written:
            with contextlib.suppress(FileNotFoundError):
                self._beside(name).unlink()

    def _beside(self, name: str) -> Path:
        return self._folder / f".{name}.{os.getpid()}.tmp"

    def opened(self, name: str) -> Callable[[str], object]:
        """Open a file; returns what writes to it."""
        path = self._beside(name)
        with contextlib.suppress(FileNotFoundError):
            path.unlink()  # left by a dead process that had our number
        stream = self._open.enter_context(path.open("x", encoding="utf-8", newline=""))
        self._written[name] = stream
        return stream.write

    def write(self, name: str, text: str) -> None:
        """Write a whole file."""
        self.opened(name)(text)

    def put_in_place(self) -> list[Path]:
        """Make all files durable, then move each to its place."""
        for stream in self._written.values():
            stream.flush()
            os.fsync(stream.fileno())
        self._open.close()
        for name in self._written:
            os.replace(self._beside(name), self._folder / name)
        return [self._folder / name for name in self._written]


def _write_attempts(
    files: _Files, plan: StoredPlan, attempts: Iterable[AttemptRow], with_answers: bool
) -> None:
    columns = attempt_columns(with_answers)
    write_csv, write_json = files.opened("attempts.csv"), files.opened("attempts.jsonl")
    write_csv(csv_header(columns))
    for row in attempt_rows(plan.run, attempts, with_answers=with_answers, configs=plan.configs):
        check_row(columns, row)
        write_csv(csv_row(row))
        write_json(to_json(json_row(columns, row)) + "\n")


def _write_responses(files: _Files, plan: StoredPlan, details: Iterable[AttemptDetail]) -> None:
    write = files.opened(RESPONSES_FILE)
    for detail in details:
        write(to_json(response_record(plan, detail)) + "\n")
