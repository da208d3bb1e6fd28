"""How outcomes look everywhere: a sign and a colour each, always beside the word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from relaybench.domain.results import Outcome

#: One cell each, told apart without colour.
SIGNS: Final[Mapping[Outcome, str]] = {
    Outcome.CORRECT: "✓",
    Outcome.WRONG: "✗",
    Outcome.UNPARSEABLE: "?",
    Outcome.REFUSED: "⊘",
    Outcome.TRUNCATED: "…",
    Outcome.STALLED: "=",
    Outcome.ERROR: "!",
    Outcome.PENDING: "·",
}
#: Names of colours, as in the theme's ``$text-error``.
COLOURS: Final[Mapping[Outcome, str]] = {
    Outcome.CORRECT: "success",
    Outcome.WRONG: "error",
    Outcome.UNPARSEABLE: "warning",
    Outcome.REFUSED: "warning",
    Outcome.TRUNCATED: "warning",
    Outcome.STALLED: "warning",
    Outcome.ERROR: "accent",
    Outcome.PENDING: "muted",
}
#: Textual styles.
STYLES: Final[Mapping[Outcome, str]] = {
    outcome: f"$text-{colour}" for outcome, colour in COLOURS.items()
}
