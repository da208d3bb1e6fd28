"""Our two themes; those that come with Textual can be chosen in the palette too."""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

DARK: Final = Theme(
    name="relaybench-dark",
    primary="#7aa2f7",
    secondary="#9d8cf2",
    accent="#e0af68",
    foreground="#d5d9e6",
    background="#14161d",
    surface="#1a1d26",
    panel="#232734",
    success="#8ccf7e",
    warning="#e5b567",
    error="#f07178",
    dark=True,
    # As a colour of its own: inside a text Textual drops the 60% of its "auto 60%".
    variables={"footer-key-foreground": "#e0af68", "text-muted": "#8f96ab"},
)
LIGHT: Final = Theme(
    name="relaybench-light",
    primary="#2f5fd0",
    secondary="#6b4fc9",
    accent="#8a5a00",
    foreground="#1d2230",
    background="#f6f7fa",
    surface="#ffffff",
    panel="#e4e7ef",
    success="#2c7a3f",
    warning="#8a6100",
    error="#b3261e",
    dark=False,
    variables={"footer-key-foreground": "#8a5a00", "text-muted": "#626a80"},
)
THEMES: Final = (DARK, LIGHT)
