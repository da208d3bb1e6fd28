"""Commands that change the library as a whole: new, duplicate, rename, status, delete."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from relaybench.cli.output import data, plural, say

if TYPE_CHECKING:
    from relaybench.cli.main import Place
    from relaybench.workbench.problems.editing import Edit

_FROZEN = "What runs have sent stays as it was: their items keep the old text, key and name."
#: As in ``domain.problem.Status``, which --help must not load.
_STATUSES = ("draft", "approved", "retired")


def _done(edit: Edit, what: str) -> None:
    for file in edit.files:
        data(file)
    say(f"{what}; {plural(len(edit.files), 'file')} written.")


@click.command()
@click.argument("target", metavar="DOMAIN/CLASS")
@click.option("--title", default="", help="Its title (default: made from its name).")
@click.option("--private", is_flag=True, help="Below problems/private/, which git ignores.")
@click.pass_obj
def new(place: Place, target: str, title: str, private: bool) -> None:
    """Write the file of a class with empty prompt, example and answer, to be filled in.

    `relaybench check FILE` then says what is still missing.
    """
    from relaybench.workbench.problems.editing import new_class

    file = new_class(place.workspace, target, title, private=private).file
    data(file.shown)
    say(f"Next: write its prompt, rules, example and instances, then: relaybench check {file.path}")


@click.command()
@click.argument("target")
@click.argument("name")
@click.pass_obj
def duplicate(place: Place, target: str, name: str) -> None:
    """Copy TARGET (DOMAIN/CLASS or DOMAIN/CLASS:INSTANCE) under NAME.

    The copy of a class has all its instances and the remarks in its file. The copy of an instance
    stands below it, as a draft.
    """
    from relaybench.workbench.problems import editing

    edit = editing.duplicate(place.workspace, target, name)
    _done(edit, f"{target} was copied to {edit.target}")


@click.command()
@click.argument("target")
@click.argument("name")
@click.pass_obj
def rename(place: Place, target: str, name: str) -> None:
    """Rename TARGET (DOMAIN/CLASS or DOMAIN/CLASS:INSTANCE) to NAME, in all problem files.

    Every composite that uses it follows, in all files or in none. A class may move to another
    domain (NAME is then DOMAIN/CLASS). Runs are not touched: their items keep the names, prompts
    and keys that they were sent with.
    """
    from relaybench.workbench.problems import editing

    edit = editing.rename(place.workspace, target, name)
    _done(edit, f"{target} is now {edit.target}")
    say(_FROZEN)


@click.command()
@click.argument("target")
@click.argument("state", type=click.Choice(_STATUSES), metavar="[draft|approved|retired]")
@click.pass_obj
def status(place: Place, target: str, state: str) -> None:
    """Set the status of TARGET: DOMAIN/CLASS:INSTANCE, or DOMAIN/CLASS for all its instances.

    A retired instance is left out where its class is run on its own, and is a warning in a
    composite; nothing is deleted.
    """
    from relaybench.domain.problem import Status
    from relaybench.workbench.problems import editing

    edit = editing.set_status(place.workspace, target, Status(state))
    _done(edit, f"{edit.target} is now {state}")


@click.command()
@click.argument("target")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def delete(place: Place, target: str, yes: bool) -> int:
    """Remove TARGET (DOMAIN/CLASS:INSTANCE, or DOMAIN/CLASS with its file).

    Refused while a composite uses it: those are named. To keep it but use it no more, set its
    status to retired. What runs have sent stays as it was.
    """
    from relaybench.workbench.problems import editing

    if not yes:
        click.confirm(f"Remove {target}? This cannot be undone", err=True, abort=True)
    edit = editing.delete(place.workspace, target)
    _done(edit, f"{edit.target} was removed")
    return 0


COMMANDS = (new, duplicate, rename, status, delete)
