"""Write a run's tables and records into a folder: for spreadsheets, papers and other programs.

No key, prompt or answer leaves the results file unless asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from relaybench.reports.attempts_table import attempt_columns, attempt_rows
from relaybench.reports.costs import cost_table
from relaybench.reports.csv_format import csv_header, csv_row
from relaybench.reports.export_folder import RUN_FILE, HashedText, stale_files
from relaybench.reports.files_beside import FilesBeside, Told, silent, told_of
from relaybench.reports.formats import Format, render
from relaybench.reports.json_format import json_pieces, to_json
from relaybench.reports.jsonl_format import jsonl_row
from relaybench.reports.leaderboard import leaderboard
from relaybench.reports.run_record import response_record, run_record
from relaybench.reports.tables import Table, check_row
from relaybench.store.plans import StoredPlan
from relaybench.store.results import AttemptRow, ConfigResult
from relaybench.store.transcripts import Transcript

ATTEMPTS_CSV: Final = "attempts.csv"
ATTEMPTS_JSONL: Final = "attempts.jsonl"
RESPONSES_FILE: Final = "responses.jsonl"
#: The formats that every table is written in.
TABLE_FORMATS: Final = (Format.CSV, Format.MD, Format.LATEX, Format.JSON, Format.JSONL)


def file_names(tables: Iterable[str], with_answers: bool = False) -> list[str]:
    """The files of an export besides ``run.json``, in the order in which it writes them.

    ``tables`` are the names of all tables.
    """
    names = [f"{table}{format.suffix}" for table in tables for format in TABLE_FORMATS]
    return [*names, ATTEMPTS_CSV, ATTEMPTS_JSONL, *([RESPONSES_FILE] if with_answers else [])]


def check_export(folder: Path, tables: Iterable[str], with_answers: bool) -> list[str]:
    """Files of an earlier export that one of these tables (names) would remove.

    Raises UsageError as ``export`` does.
    """
    return stale_files(folder, file_names(tables, with_answers), {RESPONSES_FILE})


def export(
    folder: Path,
    *,
    plan: StoredPlan,
    results: Sequence[ConfigResult],
    attempts: Iterable[AttemptRow],
    tables: Sequence[Table] = (),
    transcripts: Iterable[Transcript] = (),
    with_answers: bool = False,
    told: Told = silent,
) -> list[Path]:
    """Write all files of a run; returns their paths, ``run.json`` first.

    ``tables`` stand beside the leaderboard and the costs; ``attempts`` and ``transcripts`` are
    each read once, one by one, ``transcripts`` only with answers. The folder is made where it is
    not there. Files of an earlier export in it are replaced, those that this one does not write
    are removed, and no other file is touched. Raises UsageError, with nothing written, where the
    folder is none, where it holds files of these names that no export made, and where
    ``responses.jsonl`` of an export with answers, or a changed file, would be left behind.
    OSError where the disk refuses; the old files are whole then.
    """
    problems = len({item.problem for item in plan.items.values()})
    board = leaderboard(plan.run, results, problems)
    every = [board, cost_table(plan.run, results), *tables]
    stale = check_export(folder, [table.name for table in every], with_answers)
    with FilesBeside(folder, told) as files:
        digests: dict[str, str] = {}
        for table in every:
            for format in TABLE_FORMATS:
                name = f"{table.name}{format.suffix}"
                file = HashedText(files.opened(name))
                file.write(render(table, format))
                digests[name] = file.sha256
        told_attempts = told_of(attempts, "attempt", told)
        digests |= _write_attempts(files, plan, told_attempts, with_answers)
        if with_answers:
            told_responses = told_of(transcripts, "response", told)
            digests |= _write_responses(files, plan, told_responses)
        record = run_record(plan, results, with_answers=with_answers, files=digests)
        run_file = HashedText(files.opened(RUN_FILE))
        for piece in json_pieces(record, indent=2):
            run_file.write(piece)
        run_file.write("\n")
        # In place before all others: no file of ours is ever there without a list that names it.
        return files.put_in_place(first=RUN_FILE, stale=stale)


def _write_attempts(
    files: FilesBeside, plan: StoredPlan, attempts: Iterable[AttemptRow], with_answers: bool
) -> dict[str, str]:
    columns = attempt_columns(with_answers)
    as_csv = HashedText(files.opened(ATTEMPTS_CSV))
    as_json = HashedText(files.opened(ATTEMPTS_JSONL))
    as_csv.write(csv_header(columns))
    for row in attempt_rows(plan.run, attempts, with_answers=with_answers, configs=plan.configs):
        check_row(columns, row)
        as_csv.write(csv_row(row))
        as_json.write(jsonl_row(columns, row))
    return {ATTEMPTS_CSV: as_csv.sha256, ATTEMPTS_JSONL: as_json.sha256}


def _write_responses(
    files: FilesBeside, plan: StoredPlan, transcripts: Iterable[Transcript]
) -> dict[str, str]:
    file = HashedText(files.opened(RESPONSES_FILE))
    for transcript in transcripts:
        file.write(to_json(response_record(plan, transcript)) + "\n")
    return {RESPONSES_FILE: file.sha256}
