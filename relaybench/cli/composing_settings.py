"""Commands of ``compose`` that set what is put around the steps, and the one that draws it all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from relaybench.cli.composing import TARGET, apply_edit, compose
from relaybench.cli.output import data, terminal_width
from relaybench.domain.errors import EditError

if TYPE_CHECKING:
    from relaybench.cli.main import Place
    from relaybench.composing.solve import Classes
    from relaybench.domain.problem import Composite

_SEED = click.option("--seed", type=click.IntRange(min=0), help="Seed of it.")
_OFF = click.option("--off", is_flag=True, help="Take it away.")


@compose.command(short_help="Put a fabricated context of an exact length before the problem.")
@TARGET
@click.argument("characters", type=int, required=False)
@_SEED
@_OFF
@click.pass_obj
def bloat(place: Place, target: str, characters: int | None, seed: int | None, off: bool) -> None:
    """Put a fabricated context of CHARACTERS before the problem (default: 7813, as in the paper).

    What is not named stays as it is.
    """
    from relaybench.composing.editing import USUAL_BLOAT, set_bloat

    if off and (characters is not None or seed is not None):
        raise EditError("--off takes the bloat away; leave out its length and seed")

    def change(composite: Composite, _: Classes) -> Composite:
        now = composite.bloat or USUAL_BLOAT
        now = replace(now, characters=now.characters if characters is None else characters)
        now = replace(now, seed=now.seed if seed is None else seed)
        return set_bloat(composite, None if off else now)

    apply_edit(place, target, change, "no bloat" if off else "bloated")


@compose.command(short_help="Ask in the nonce code, or in plain text.")
@TARGET
@_SEED
@click.option("--twin-share", type=float, help="Share of codes with a case twin, 0 to 1.")
@_OFF
@click.pass_obj
def encode(
    place: Place, target: str, seed: int | None, twin_share: float | None, off: bool
) -> None:
    """Ask in the nonce code. Without a seed it is made from the composite's name.

    What is not named stays as it is.
    """
    from relaybench.composing.editing import set_encoding
    from relaybench.composing.freeze import encoding_for
    from relaybench.domain.problem import Variant

    if off and (twin_share is not None or seed is not None):
        raise EditError("--off takes the code away; leave out its seed and twin share")

    def change(composite: Composite, _: Classes) -> Composite:
        now = encoding_for(composite, Variant.ENCODED)
        if off or now is None:
            return set_encoding(composite, None)
        now = replace(now, seed=now.seed if seed is None else seed)
        share = now.twin_share if twin_share is None else twin_share
        return set_encoding(composite, replace(now, twin_share=share))

    apply_edit(place, target, change, "in plain text" if off else "encoded")


@compose.command(short_help="Set the labels of the final answer, in order; none means all.")
@TARGET
@click.argument("labels", nargs=-1)
@click.pass_obj
def answer(place: Place, target: str, labels: tuple[str, ...]) -> None:
    """Set which steps' answers make the final one, in order. None means all steps as listed."""
    from relaybench.composing.editing import set_answer

    what = f"the answer is {', '.join(labels) or 'that of all steps as listed'}"
    apply_edit(place, target, lambda c, _: set_answer(c, labels), what)


@compose.command(short_help="Set what joins the answers of the steps.")
@TARGET
@click.argument("text")
@click.pass_obj
def separator(place: Place, target: str, text: str) -> None:
    """Set what joins the answers of the steps; "" joins them without anything between."""
    from relaybench.composing.editing import set_separator

    apply_edit(place, target, lambda c, _: set_separator(c, text), f"the separator is {text!r}")


@compose.command(short_help="Set the title, a line for people.")
@TARGET
@click.argument("text")
@click.pass_obj
def title(place: Place, target: str, text: str) -> None:
    """Set the title, a line for people; "" takes it away."""
    from relaybench.composing.editing import set_title

    apply_edit(place, target, lambda c, _: set_title(c, text), f"the title is {text!r}")


@compose.command(short_help="Set the wording of the prompt by its name.")
@TARGET
@click.argument("name")
@click.pass_obj
def style(place: Place, target: str, name: str) -> None:
    """Set the wording of the prompt: a file of problems/styles/ by its name, or standard."""
    from relaybench.composing.editing import set_style

    apply_edit(place, target, lambda c, _: set_style(c, name), f"the style is {name}")


@compose.command(short_help="Draw the dependency graph in characters.")
@TARGET
@click.option("--width", type=click.IntRange(min=20), help="Cells across (default: terminal).")
@click.pass_obj
def graph(place: Place, target: str, width: int | None) -> None:
    """Draw the dependency graph in characters, from the steps to the final answer."""
    from relaybench.tui.composer.graph_drawing import draw
    from relaybench.tui.composer.graph_of import graph_of
    from relaybench.workbench.problems.composing import preview_of

    shown = preview_of(place.workspace, target)
    data(draw(graph_of(shown), width or terminal_width()).text().rstrip("\n"))


COMMANDS = (compose,)
