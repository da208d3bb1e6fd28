"""The command that draws figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from relaybench.cli.output import data, say
from relaybench.cli.table_options import dry_run_option, print_foreseen, runs_argument

if TYPE_CHECKING:
    from relaybench.cli.main import Place

KINDS = ("graph", "sets", "over-time", "outcomes", "hallucination", "cost", "scores")
FORMATS = ("svg", "png", "pdf")


@click.command()
@runs_argument
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder."
)
@click.option("--kind", "kinds", type=click.Choice(KINDS), multiple=True, help="Only this kind.")
@click.option(
    "--format",
    "formats",
    type=click.Choice(FORMATS),
    multiple=True,
    help="Only this file format (default: all three).",
)
@click.option(
    "--style",
    multiple=True,
    metavar="KEY=VALUE",
    help="width=3.3 (inches), font=8 (points), dpi=300 (of PNG); several with commas.",
)
@click.option("--composite", metavar="SET/ID", help="The composite whose graph is drawn.")
@click.option(
    "--scores",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.csv",
    help="Published scores to draw beside: benchmark,model,score and n,date,source.",
)
@dry_run_option
@click.pass_obj
def figures(
    place: Place,
    runs: tuple[str, ...],
    out: Path,
    kinds: tuple[str, ...],
    formats: tuple[str, ...],
    style: tuple[str, ...],
    composite: str | None,
    scores: Path | None,
    dry_run: bool,
) -> int:
    """Draw the figures of a paper from RUN (default: the newest) into a folder.

    Several runs are put together. Each figure comes as SVG, PNG and PDF, with its caption in a
    text file of the same name. Figures of other runs in the folder are removed. The exit code is
    1 where some kind that was asked for cannot be drawn.
    """
    if dry_run:
        from relaybench.workbench.results.foreseeing import foresee_figures

        found = foresee_figures(
            place.workspace,
            runs,
            out,
            kinds=kinds,
            formats=formats,
            composite=composite,
            scores=scores,
        )
        print_foreseen(found)
        return 1 if kinds and found.left_out else 0
    from relaybench.workbench.results.figuring import draw_figures

    drawn = draw_figures(
        place.workspace,
        runs,
        out,
        kinds=kinds,
        formats=formats,
        style=style,
        composite=composite,
        scores=scores,
    )
    for path in drawn.written:
        data(str(path))
    for path in drawn.removed:
        say(f"Removed, of an earlier call: {path}")
    for sentence in drawn.left_out:
        say(f"Not drawn: {sentence}")
    for path in drawn.older:
        say(f"Not drawn anew, of an earlier call: {path}")
    return 1 if kinds and drawn.left_out else 0


COMMANDS = (figures,)
