"""The command that publishes a run as one page: report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from relaybench.cli.output import data
from relaybench.cli.table_options import dry_run_option, print_foreseen, run_argument

if TYPE_CHECKING:
    from relaybench.cli.main import Place


@click.command()
@run_argument
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="The file to write; one that is no report of relaybench is never overwritten.",
)
@click.option("--with-answers", is_flag=True, help="Prompts, keys and extracted answers too.")
@click.option("--no-figures", is_flag=True, help="Leave the figures out.")
@dry_run_option
@click.pass_obj
def report(
    place: Place,
    run: str | None,
    out: Path,
    with_answers: bool,
    no_figures: bool,
    dry_run: bool,
) -> None:
    """Write RUN (default: the newest) as one HTML page: tables, figures, caveats, method.

    The page is one file without scripts that loads nothing from anywhere. Answer keys, prompts
    and answers are left out unless --with-answers.
    """
    if dry_run:
        from relaybench.workbench.results.foreseeing import foresee_report

        print_foreseen(foresee_report(place.workspace, run, out))
        return
    from relaybench.workbench.results.publishing import write_report

    path = write_report(
        place.workspace, run, out, with_answers=with_answers, with_figures=not no_figures
    )
    data(str(path))


COMMANDS = (report,)
