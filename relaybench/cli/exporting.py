"""Commands that hand results to other programs: export, datasette-metadata."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from relaybench.cli.output import data, exact
from relaybench.cli.table_options import dry_run_option, print_foreseen, run_argument

if TYPE_CHECKING:
    from relaybench.cli.main import Place


@click.command()
@run_argument
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["tables", "inspect"]),
    default="tables",
    help="Tables and records (the default), or log files for Inspect AI.",
)
@click.option("--with-answers", is_flag=True, help="Prompts, keys and responses too.")
@dry_run_option
@click.pass_obj
def export(
    place: Place, run: str | None, out: Path, form: str, with_answers: bool, dry_run: bool
) -> None:
    """Write all tables of RUN (default: the newest) and its attempts to a folder.

    Each table as csv, md, tex, json and jsonl. With --format inspect: a log file for each model,
    which `inspect view` and Inspect's data frames open. Answer keys, prompts and responses are
    left out unless --with-answers.
    """
    from relaybench.workbench.results.exporting import export_inspect, export_run

    if dry_run:
        from relaybench.workbench.results.foreseeing import foresee_export, foresee_inspect

        foresee = foresee_inspect if form == "inspect" else foresee_export
        print_foreseen(foresee(place.workspace, run, out, with_answers=with_answers))
        return
    write = export_inspect if form == "inspect" else export_run
    for path in write(place.workspace, run, out, with_answers=with_answers):
        data(str(path))


@click.command()
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="File (default: stdout)."
)
@click.pass_obj
def datasette_metadata(place: Place, out: Path | None) -> None:
    """Print titles, descriptions and queries for the results file, for Datasette.

    Then: datasette results.db -m metadata.json. The results file holds keys, prompts and
    responses: show it to nobody who must not see them.
    """
    from relaybench.workbench.results.exporting import datasette_metadata as make

    text = make(place.workspace, out)
    if out is None:
        exact(text)
    else:
        data(str(out))


COMMANDS = (export, datasette_metadata)
