"""The command that says whose fault a verdict is: triage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from relaybench.cli.output import say

if TYPE_CHECKING:
    from relaybench.cli.main import Place

#: As in ``domain.triage.Blame``, and what takes marks back.
FAULTS: Final = ("extractor", "key", "model", "clear")


@click.command()
@click.argument("attempt", type=int)
@click.option(
    "--fault",
    type=click.Choice(FAULTS),
    required=True,
    help="Whose fault it is; clear takes earlier marks back.",
)
@click.option("--note", default="", help="Why, in your words.")
@click.pass_obj
def triage(place: Place, attempt: int, fault: str, note: str) -> None:
    """Mark whose fault the outcome of ATTEMPT (a number) is: extractor, key or model.

    The newest mark counts, earlier ones are kept. A mark changes no outcome and no score: correct
    the key (relaybench answer) and grade again for that. List marks with
    `relaybench attempts RUN --triage any`.
    """
    from relaybench.domain.triage import Blame
    from relaybench.workbench.results.triage import mark

    made = mark(place.workspace, attempt, None if fault == "clear" else Blame(fault), note)
    if made.blame is None:
        say(f"attempt {attempt}: marks taken back")
    else:
        say(f"attempt {attempt}: marked as the {made.blame}'s fault; its outcome stays")


COMMANDS = (triage,)
