"""Whatever theme the palette offers: text and the border of what has the focus can be seen."""

from __future__ import annotations

from textual.color import Color
from textual.theme import BUILTIN_THEMES

from relaybench.tui.app import WorkbenchApp
from relaybench.tui.themes import (
    BORDER_CONTRAST,
    BORDERS,
    GROUNDS,
    RAISED,
    TEXT_CONTRAST,
    TEXTS,
    THEMES,
    contrast,
    readable,
)
from relaybench.workbench.workspace import Workspace


def test_in_every_theme_that_is_offered_all_can_be_read(workspace: Workspace) -> None:
    app = WorkbenchApp(workspace)
    assert len(app.available_themes) >= len(BUILTIN_THEMES)  # without two, with ours
    faint = []
    for name in app.available_themes:
        app.theme = name
        colours = app.get_css_variables()
        pairs = [
            *((text, ground, TEXT_CONTRAST) for text in TEXTS for ground in GROUNDS),
            *((border, ground, BORDER_CONTRAST) for border in BORDERS for ground in GROUNDS),
            *(("foreground", ground, TEXT_CONTRAST) for ground in RAISED),
        ]
        faint += [
            (name, front, ground)
            for front, ground, least in pairs
            if contrast(Color.parse(colours[front]), Color.parse(colours[ground])) < least
        ]
    assert faint == []


def test_our_own_themes_are_shown_as_they_are() -> None:
    for theme in THEMES:
        variables = {**theme.to_color_system().generate(), **theme.variables}
        mended = readable(variables)
        changed = {name for name in variables if mended[name].lower() != variables[name].lower()}
        raised = {name for name in changed if "-lighten-" in name}
        assert changed == raised
        assert bool(raised) is not theme.dark, "raised is darker where all is light"


def test_contrast_is_that_of_wcag() -> None:
    assert round(contrast(Color.parse("#000"), Color.parse("#fff")), 2) == 21
    assert round(contrast(Color.parse("#777"), Color.parse("#fff")), 2) == 4.48
