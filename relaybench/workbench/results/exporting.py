"""Results for other programs: tables and records as files, Inspect AI's logs, Datasette's words."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from relaybench.domain.errors import WorkspaceError
from relaybench.domain.model import ModelConfig
from relaybench.reports.datasette import metadata_json
from relaybench.reports.datasette_file import save_metadata
from relaybench.reports.export import export
from relaybench.reports.files_beside import Told, silent
from relaybench.reports.inspect_log.logs import export_logs
from relaybench.store.plans import Plans
from relaybench.store.results import Results
from relaybench.store.transcripts import Transcript, Transcripts
from relaybench.workbench.results.all_tables import tables_of
from relaybench.workbench.results.evidence import load_grid, load_results, reading
from relaybench.workbench.workspace import Workspace


@contextlib.contextmanager
def _writing_to(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WorkspaceError(
            f"{path} cannot be written: {error.strerror or error}; choose another place by --out"
        ) from error


def export_run(
    workspace: Workspace,
    name: str | None,
    folder: Path,
    *,
    with_answers: bool,
    told: Told = silent,
) -> list[Path]:
    """Write all tables and the attempts of a run to a folder; returns the files.

    Keys, prompts and responses only ``with_answers``. ``told`` is told what is being done; what
    it raises stops the export, which leaves the folder as it was. Raises UsageError for a folder
    that must not be written to, WorkspaceError where the disk refuses.
    """
    with reading(workspace) as connection, _writing_to(folder):
        plans = Plans(connection)
        run = plans.find(name)
        tables = tables_of(connection, load_grid(connection, [run]), told)
        return export(
            folder,
            plan=plans.load(run),
            results=load_results(connection, run).configs,
            attempts=Results(connection).attempts(run),
            tables=tables,
            transcripts=Transcripts(connection).answered(run),
            with_answers=with_answers,
            told=told,
        )


def export_inspect(
    workspace: Workspace,
    name: str | None,
    folder: Path,
    *,
    with_answers: bool,
    told: Told = silent,
) -> list[Path]:
    """Write a run as log files of Inspect AI, one a model config; returns the files.

    Prompts, keys, answers and responses only ``with_answers``; ``told`` and errors as
    ``export_run``.
    """
    with reading(workspace) as connection, _writing_to(folder):
        plans = Plans(connection)
        plan = plans.load(plans.find(name))

        def transcripts(config: ModelConfig) -> Iterator[Transcript]:
            number = plan.config_ids[config.digest]
            return Transcripts(connection).of_config(plan.run, number, texts=with_answers)

        return export_logs(
            folder,
            plan=plan,
            results=load_results(connection, plan.run).configs,
            transcripts=transcripts,
            with_answers=with_answers,
            told=told,
        )


def datasette_metadata(workspace: Workspace, path: Path | None = None) -> str:
    """Titles, descriptions and units of a results file for Datasette, as JSON.

    Written to ``path`` where one is given. The results file need not be there yet. Raises
    UsageError, with nothing written, for a path that holds something else than such metadata,
    WorkspaceError where the disk refuses.
    """
    text = metadata_json(workspace.database.stem)
    if path is not None:
        with _writing_to(path):
            save_metadata(path, text, workspace.database)
    return text
