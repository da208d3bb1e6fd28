"""The style sheet: readable in light and dark and on paper, and loading nothing."""

from __future__ import annotations

import re

import pytest

from relaybench.reports.page.frame import style_sheet

SHEET = style_sheet()
#: Text and what it stands on, by variable.
PAIRS = [
    *[("ink", ground) for ground in ("paper", "tint", "right", "part", "wrong", "none", "open")],
    *[("muted", ground) for ground in ("paper", "tint", "open")],
    *[("link", ground) for ground in ("paper", "tint")],
    ("loud-ink", "loud-paper"),
]


def variables(mode: str) -> dict[str, str]:
    """Colours by name: of light, dark (what differs) or print."""
    blocks = re.findall(r":root \{(.*?)\}", SHEET, re.S)
    assert len(blocks) == 3
    found: dict[str, str] = {}
    for block in {"light": blocks[:1], "dark": blocks[:2], "print": blocks[::2]}[mode]:
        found |= dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block))
    return found


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio (WCAG 2.2)."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_measured_right() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("mode", ["light", "dark", "print"])
def test_text_stands_out_in_every_mode(mode: str) -> None:
    colours = variables(mode)
    for text, ground in PAIRS:
        ratio = contrast(colours[text], colours[ground])
        assert ratio >= 4.5, f"{mode}: {text} on {ground} is {ratio:.2f}"
    assert contrast(colours["bar"], colours["paper"]) >= 3  # a drawing needs less


def test_no_colour_is_written_past_the_variables() -> None:
    outside = re.sub(r":root \{.*?\}", "", SHEET, flags=re.S)
    named = re.findall(r"(?<![\w-])(?:color|background|stroke|outline): ?([^;]+);", outside)
    assert all("var(" in each or each.split()[0] in ("#ffffff", "none") for each in named), named


def test_nothing_is_loaded_and_print_is_thought_of() -> None:
    assert not re.search(r"url\(|@import|https?:|</", SHEET)
    assert "@media print" in SHEET
    assert "prefers-color-scheme: dark" in SHEET
    assert ":focus-visible" in SHEET
