"""Questions about what is put around the steps: each gives the composite after it, or None."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from relaybench.domain.errors import EditError
from relaybench.domain.problem import Bloat, Composite, Encoding, Variant
from relaybench.tui.dialogs.ask import Ask

if TYPE_CHECKING:
    from textual.app import App

#: What to ask for, the text to begin with, a hint, and what a text makes of the composite.
Question = tuple[str, str, str, Callable[[str], Composite]]


def question(composite: Composite, setting: str) -> Question:
    """The question about a setting. Its function raises EditError for a text that will not do."""
    from relaybench.composing import editing
    from relaybench.composing.freeze import encoding_for

    bloat = composite.bloat or editing.USUAL_BLOAT
    encoding = encoding_for(composite, Variant.ENCODED) or Encoding(0)

    def set_bloat(text: str) -> Composite:
        if not text.strip():
            return editing.set_bloat(composite, None)
        return editing.set_bloat(composite, Bloat(_whole(text), bloat.seed))

    def set_encoding(text: str) -> Composite:
        if not text.strip():
            return editing.set_encoding(composite, None)
        return editing.set_encoding(composite, replace(encoding, seed=_whole(text)))

    def set_share(text: str) -> Composite:
        return editing.set_encoding(composite, replace(encoding, twin_share=_share(text)))

    questions: dict[str, Question] = {
        "title": (
            "Title, a line for people", composite.title, "Empty: none.",
            lambda text: editing.set_title(composite, text),
        ),
        "style": (
            "Wording of the prompt", composite.style,
            "standard, or the name of a file in problems/styles.",
            lambda text: editing.set_style(composite, text.strip()),
        ),
        "separator": (
            "What joins the answers of the steps", composite.separator,
            "Empty: nothing between them. One space is possible.",
            lambda text: editing.set_separator(composite, text),
        ),
        "answer": (
            "Labels of the final answer, in order", " ".join(composite.answer),
            "Apart by spaces. Empty: all steps as listed.",
            lambda text: editing.set_answer(composite, text.replace(",", " ").split()),
        ),
        "bloat": (
            "Characters of fabricated context before the problem", str(bloat.characters),
            "1 to 200,000; the paper has 7813. Empty: none.", set_bloat,
        ),
        "bloat-seed": (
            "Seed of the fabricated context", str(bloat.seed), "A whole number from 0.",
            lambda text: editing.set_bloat(composite, Bloat(bloat.characters, _whole(text))),
        ),
        "encoding": (
            "Seed of the nonce code", str(encoding.seed), "A whole number from 0. Empty: no code.",
            set_encoding,
        ),
        "twin-share": (
            "Share of codes with a case twin", f"{encoding.twin_share:g}", "From 0 to 1.",
            set_share,
        ),
    }  # fmt: skip
    return questions[setting]


def _whole(text: str) -> int:
    digits = text.strip().replace(",", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20):
        raise EditError(f"{text!r} is no whole number")
    return int(digits)


def _share(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise EditError(f"{text!r} is no number") from None


async def ask_setting(app: App[int], composite: Composite, setting: str) -> Composite | None:
    """Ask for a setting; a text that will not do says why and cannot be entered."""
    title, value, hint, change = question(composite, setting)

    def check(text: str) -> str | None:
        try:
            change(text)
        except EditError as error:
            return str(error)
        return None

    text = await app.push_screen_wait(Ask(title, value=value, hint=hint, check=check))
    return None if text is None else change(text)


def toggled_bloat(composite: Composite) -> Composite:
    """Bloat off, or on as the paper has it."""
    from relaybench.composing.editing import USUAL_BLOAT, set_bloat

    return set_bloat(composite, None if composite.bloat else USUAL_BLOAT)


def toggled_encoding(composite: Composite) -> Composite:
    """The code off, or on with the seed that a composite's name gives."""
    from relaybench.composing.editing import set_encoding
    from relaybench.composing.freeze import encoding_for

    wanted = None if composite.encoding else encoding_for(composite, Variant.ENCODED)
    return set_encoding(composite, wanted)
