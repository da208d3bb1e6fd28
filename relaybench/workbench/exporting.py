"""Results for other programs: tables and records as files, Inspect AI's logs, Datasette's words."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from relaybench.domain.errors import WorkspaceError
from relaybench.domain.model import ModelConfig
from relaybench.reports.datasette import metadata_json
from relaybench.reports.export import export
from relaybench.reports.inspect_log.logs import export_logs
from relaybench.store.plans import Plans
from relaybench.store.results import Results
from relaybench.store.transcripts import Transcript, Transcripts
from relaybench.workbench.all_tables import analysis_tables
from relaybench.workbench.evidence import reading
from relaybench.workbench.reporting import results
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
    workspace: Workspace, name: str | None, folder: Path, *, with_answers: bool
) -> list[Path]:
    """Write all tables and the attempts of a run to a folder; returns the files.

    Keys, prompts and responses only ``with_answers``. Raises UsageError for a folder that must
    not be written to, WorkspaceError where the disk refuses.
    """
    found = results(workspace, name)
    tables = analysis_tables(workspace, found.run.name)
    with reading(workspace) as connection, _writing_to(folder):
        return export(
            folder,
            plan=Plans(connection).load(found.run),
            results=found.configs,
            attempts=Results(connection).attempts(found.run),
            tables=tables,
            transcripts=Transcripts(connection).answered(found.run),
            with_answers=with_answers,
        )


def export_inspect(
    workspace: Workspace, name: str | None, folder: Path, *, with_answers: bool
) -> list[Path]:
    """Write a run as log files of Inspect AI, one a model config; returns the files.

    Prompts, keys, answers and responses only ``with_answers``; errors as ``export_run``.
    """
    found = results(workspace, name)
    with reading(workspace) as connection, _writing_to(folder):
        plan = Plans(connection).load(found.run)

        def transcripts(config: ModelConfig) -> Iterator[Transcript]:
            number = plan.config_ids[config.digest]
            return Transcripts(connection).of_config(found.run, number, texts=with_answers)

        return export_logs(
            folder,
            plan=plan,
            results=found.configs,
            transcripts=transcripts,
            with_answers=with_answers,
        )


def datasette_metadata(workspace: Workspace, path: Path | None = None) -> str:
    """Titles, descriptions and units of a results file for Datasette, as JSON.

    Written to ``path`` where one is given. The file need not be there yet. Raises WorkspaceError
    where the disk refuses.
    """
    text = metadata_json(workspace.database.stem)
    if path is not None:
        with _writing_to(path):
            path.write_text(text, encoding="utf-8")
    return text
