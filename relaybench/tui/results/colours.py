"""What the roles of drawings look like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from textual.color import Color, ColorParseError

from relaybench.tui.results.ink import Role

if TYPE_CHECKING:
    from rich.style import Style

#: Names of theme colours; what has none is told by its characters alone.
_COLOURS: Final[Mapping[Role, str]] = {
    Role.LINE: "primary",
    Role.POINT: "accent",
    Role.SECOND: "secondary",
    Role.WARNING: "warning",
    Role.CORRECT: "success",
    Role.WRONG: "error",
    Role.UNPARSEABLE: "warning",
    Role.REFUSED: "secondary",
    Role.TRUNCATED: "accent",
    Role.STALLED: "primary",
}
_QUIET: Final = frozenset({Role.QUIET, Role.OPEN})


def rich_styles(variables: Mapping[str, str], base: Style) -> dict[Role, Style]:
    """Styles by role for lines of a table, from the colours of the theme, upon ``base``."""
    from rich.style import Style

    found: dict[Role, Style] = {}
    for role in Role:
        colour = None
        if role in _COLOURS:
            try:
                colour = Color.parse(variables.get(_COLOURS[role], "")).rich_color
            except ColorParseError:  # a theme of the terminal's own colours
                colour = None
        found[role] = base + Style(
            color=colour,
            bold=role is Role.STRONG or None,
            dim=role in _QUIET or None,
        )
    return found
