"""Our two themes, and those of Textual, which can be chosen in the palette, made readable.

Their colours for text were chosen by hue: on some of the grounds that they stand on here, many
have too little contrast. Such a colour is moved towards white or black until it can be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from textual.color import Color
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
    variables={
        "footer-key-foreground": "#8a5a00",
        "text-muted": "#5f677c",
        "text-disabled": "#6f7586",
    },
)
THEMES: Final = (DARK, LIGHT)

#: Themes that leave colours to the terminal, so that nobody knows what can be read.
UNKNOWN: Final = ("ansi-dark", "ansi-light")

#: Contrast of text, and of borders, as WCAG 2 asks for it.
TEXT_CONTRAST: Final = 4.5
BORDER_CONTRAST: Final = 3.0
GROUNDS: Final = ("background", "surface", "panel")
#: Grounds of fields and marked lines, by what they are made of. Running text stands on them.
RAISED: Final = {
    "surface-lighten-1": "surface",
    "surface-lighten-2": "surface",
    "panel-lighten-1": "panel",
}
#: Colours of text; the primary one draws the border and title of what has the focus.
TEXTS: Final = (
    "foreground",
    "text-muted",
    *(f"text-{each}" for each in ("primary", "secondary", "accent", "success", "warning", "error")),
    "primary",
    "footer-foreground",
    "footer-description-foreground",
    "footer-key-foreground",
    "button-foreground",
)
BORDERS: Final = ("accent", "border")
#: How much of black or white is in what is disabled, and in hints in empty fields: "auto 38%".
_FAINT: Final = 0.38
#: Shades that a dark theme makes lighter to set them off, and a light one darker.
_SHADES: Final = tuple(f"{base}-lighten-{n}" for base in ("surface", "panel") for n in (1, 2, 3))
_STEP: Final = 0.05


def readable(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables of a theme, changed where what is written with them could not be read."""
    if not all(variables[each].startswith("#") for each in GROUNDS):
        return dict(variables)
    mended = dict(variables)
    grounds = [Color.parse(variables[each]) for each in GROUNDS]
    opposite = grounds[0].get_contrast_text(1.0)
    if opposite.brightness < 0.5:
        mended |= {each: variables[each.replace("lighten", "darken")] for each in _SHADES}
    if mended["text-muted"].startswith("auto"):
        # As a colour of its own: inside a text Textual drops the 60% of "auto 60%".
        mended["text-muted"] = grounds[0].blend(opposite, 0.6).hex
    for names, least in ((TEXTS, TEXT_CONTRAST), (BORDERS, BORDER_CONTRAST)):
        for name in names:
            mended[name] = _moved(Color.parse(mended[name]), opposite, grounds, least)
    faint = [(each.blend(opposite, _FAINT), each) for each in grounds]
    if mended["text-disabled"].startswith("auto") and any(
        contrast(*pair) < BORDER_CONTRAST for pair in faint
    ):
        mended["text-disabled"] = _moved(faint[0][0], opposite, grounds, BORDER_CONTRAST)
    foreground = Color.parse(mended["foreground"])
    for name, base in RAISED.items():
        raised, ground = Color.parse(mended[name]), Color.parse(variables[base])
        mended[name] = _moved(raised, ground, [foreground], TEXT_CONTRAST)
    return mended


def _moved(colour: Color, towards: Color, others: list[Color], least: float) -> str:
    """A colour, moved towards another as far as its contrast to all the others asks for."""
    moved, share = colour, 0.0
    while share < 1 and min(contrast(moved, each) for each in others) < least:
        share += _STEP
        moved = colour.blend(towards, share)
    return moved.hex


def contrast(one: Color, other: Color) -> float:
    """The contrast of two colours by WCAG 2, from 1 to 21."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Color) -> float:
    parts = (part / 255 for part in (colour.r, colour.g, colour.b))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
