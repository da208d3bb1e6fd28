"""The command ``compose``: wire composites together, each edit checked and saved at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from relaybench.cli.commands import InOrder
from relaybench.cli.output import data, findings_text, say
from relaybench.domain.errors import EditError

if TYPE_CHECKING:
    from relaybench.cli.main import Place
    from relaybench.domain.problem import InstanceRef
    from relaybench.workbench.problems.composing import Change

TARGET = click.argument("target", metavar="SET/NAME")
_LABEL = click.argument("label")
_INPUT = click.argument("input_name", metavar="LABEL.INPUT")
_USE = click.argument("use", metavar="DOMAIN/CLASS:INSTANCE")


@click.group(cls=InOrder)
def compose() -> None:
    """Wire a composite together, edit by edit.

    Each edit is saved at once. One that would make a loop or a wrong key is refused, with the
    reason. What is unfinished is saved and told; only what is sound can be run.
    """


def apply_edit(place: Place, target: str, change: Change, what: str) -> None:
    """Edit a composite, save it, and say what was done, what it cost and what is still wrong."""
    from relaybench.workbench.problems.composing import change_composite

    done = change_composite(place.workspace, target, change)
    say(f"{done.draft.file.shown}: {what}")
    for each in done.lost:
        say(f"No longer bound, since it would not fit: {each}")
    if done.findings:
        say("Still to be mended before it can be run:\n")
        say(findings_text(done.findings))


def _use(text: str) -> InstanceRef:
    from relaybench.domain.problem import InstanceRef

    ref = InstanceRef.parse(text)
    if ref is None:
        raise EditError(f"{text!r} does not name an instance; write DOMAIN/CLASS:INSTANCE")
    return ref


def _input(text: str) -> tuple[str, str]:
    label, dot, slot = text.partition(".")
    if not (label and dot and slot):
        raise EditError(f"{text!r} does not name an input; write LABEL.INPUT, as in B.base")
    return label, slot


@compose.command(short_help="Begin a composite without steps.")
@TARGET
@click.option("--title", default="", help="A line for people.")
@click.option("--private", is_flag=True, help="Below problems/private/, which git ignores.")
@click.pass_obj
def new(place: Place, target: str, title: str, private: bool) -> None:
    """Write the file of a composite without steps."""
    from relaybench.workbench.problems.composing import new_composite

    data(new_composite(place.workspace, target, title, private=private).file.shown)
    say(f"Next: relaybench compose add {target} DOMAIN/CLASS:INSTANCE")


@compose.command(short_help="Copy a composite under another name.")
@TARGET
@click.argument("name", metavar="SET/NEW")
@click.pass_obj
def copy(place: Place, target: str, name: str) -> None:
    """Copy a composite, with the remarks in its file, under another name."""
    from relaybench.workbench.problems.composing import duplicate_composite

    data(duplicate_composite(place.workspace, target, name))


@compose.command(short_help="Remove a composite's file; runs keep what they sent.")
@TARGET
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def delete(place: Place, target: str, yes: bool) -> None:
    """Remove a composite's file. Runs keep what they sent."""
    from relaybench.workbench.problems.composing import delete_composite, find_composite

    shown = find_composite(place.workspace.library(), target).source.shown
    if not yes:
        click.confirm(f"Remove {shown}?", abort=True, err=True)
    data(delete_composite(place.workspace, target))


@compose.command(short_help="Put an instance at the end as a step.")
@TARGET
@_USE
@click.option("--label", help="Its label (default: the next free one).")
@click.pass_obj
def add(place: Place, target: str, use: str, label: str | None) -> None:
    """Put an instance at the end as a step."""
    from relaybench.composing.editing import add_step

    ref = _use(use)
    apply_edit(place, target, lambda c, classes: add_step(c, ref, classes, label), f"added {use}")


@compose.command(short_help="Take a step out; what it fed is unbound.")
@TARGET
@_LABEL
@click.pass_obj
def remove(place: Place, target: str, label: str) -> None:
    """Take a step out. Inputs that it fed are unbound, and the answer goes without it."""
    from relaybench.composing.editing import remove_step

    apply_edit(place, target, lambda c, _: remove_step(c, label), f"removed step {label}")


@compose.command(short_help="Give a step another label; inputs and answer follow.")
@TARGET
@_LABEL
@click.argument("new_label", metavar="NEW")
@click.pass_obj
def relabel(place: Place, target: str, label: str, new_label: str) -> None:
    """Give a step another label. Inputs bound to it and the answer follow."""
    from relaybench.composing.editing import relabel as change

    what = f"step {label} is now {new_label}"
    apply_edit(place, target, lambda c, _: change(c, label, new_label), what)


@compose.command(short_help="Feed an input of a step from another step.")
@TARGET
@_INPUT
@click.argument("source", metavar="LABEL")
@click.pass_obj
def bind(place: Place, target: str, input_name: str, source: str) -> None:
    """Feed an input of a step (LABEL.INPUT, as in B.base) from another step.

    Refused, with the reason, where it would make a loop, and where the instance was made for
    another value than the one that comes, so that the key would be wrong.
    """
    from relaybench.composing.wiring import bind as change

    label, slot = _input(input_name)
    what = f"{input_name} is fed from {source}"
    apply_edit(place, target, lambda c, classes: change(c, classes, label, slot, source), what)


@compose.command(short_help="Let an input show its own data again.")
@TARGET
@_INPUT
@click.pass_obj
def unbind(place: Place, target: str, input_name: str) -> None:
    """Let an input of a step (LABEL.INPUT) show its own data again."""
    from relaybench.composing.wiring import unbind as change

    label, slot = _input(input_name)
    apply_edit(place, target, lambda c, _: change(c, label, slot), f"{input_name} is unbound")


@compose.command(short_help="List which steps could feed an input, and why others cannot.")
@TARGET
@_INPUT
@click.pass_obj
def sources(place: Place, target: str, input_name: str) -> int:
    """List which steps could feed an input (LABEL.INPUT), and why the others cannot.

    Exit code 1 if none can.
    """
    from relaybench.composing.wiring import possible_bindings
    from relaybench.workbench.problems.composing import find_composite

    label, slot = _input(input_name)
    library = place.workspace.library()
    composite = find_composite(library, target).composite
    found = possible_bindings(composite, library.problems(), label, slot)
    for each in found:
        if not each.refusal:
            data(f"{each.label} gives {each.answer!r}")
        else:
            say(f"{each.label} cannot: {each.refusal}")
    return 0 if any(not each.refusal for each in found) else 1


@compose.command(short_help="Move a step up or down the list.")
@TARGET
@_LABEL
@click.argument("direction", type=click.Choice(["up", "down"]))
@click.option("--by", type=click.IntRange(min=1), default=1, show_default=True, help="Places.")
@click.pass_obj
def move(place: Place, target: str, label: str, direction: str, by: int) -> None:
    """Move a step up or down the list, which is also the order of the answer by default."""
    from relaybench.composing.editing import move_step

    places = by if direction == "down" else -by
    what = f"moved step {label} {direction}"
    apply_edit(place, target, lambda c, _: move_step(c, label, places), what)


@compose.command(short_help="Let a step use another instance.")
@TARGET
@_LABEL
@_USE
@click.pass_obj
def swap(place: Place, target: str, label: str, use: str) -> None:
    """Let a step use another instance, of its class or of another one.

    Bindings that no longer fit are taken away and named.
    """
    from relaybench.composing.wiring import swap as change

    ref = _use(use)
    what = f"step {label} uses {use}"
    apply_edit(place, target, lambda c, classes: change(c, classes, label, ref), what)


@compose.command(short_help="Set the augmentations of a step, in order; none takes all away.")
@TARGET
@_LABEL
@click.argument("augmentations", nargs=-1)
@click.pass_obj
def augment(place: Place, target: str, label: str, augmentations: tuple[str, ...]) -> None:
    """Set the augmentations of a step, applied from left to right, as in: lower caesar:3 reverse.

    Without any all are taken away.
    """
    from relaybench.composing.editing import set_augment

    what = f"step {label}: {', '.join(augmentations) or 'no augmentation'}"
    apply_edit(place, target, lambda c, _: set_augment(c, label, augmentations), what)
