"""The keys that work on every screen."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding, BindingType

from relaybench.tui.modes import MODES

APP_KEYS: Final[list[BindingType]] = [
    *(
        Binding(
            f"{mode.key},{mode.number}",
            f"go({mode.name!r})",
            mode.title,
            show=False,
            id=f"app.{mode.name}",
            tooltip=f"{mode.title}: {mode.purpose}",
        )
        for mode in MODES
    ),
    Binding(
        "question_mark,f8",
        "explain",
        "Help",
        id="app.explain",
        tooltip="What this screen is for, and its keys (F8 in a text field)",
    ),
    Binding(
        "ctrl+p",
        "command_palette",
        "Palette",
        id="app.palette",
        key_display="^p",
        tooltip="Search all actions",
        priority=True,
    ),
    Binding(
        "f9",
        "notices",
        "Notices",
        show=False,
        id="app.notices",
        tooltip="What you were told in this session, in full",
    ),
    Binding(
        "ctrl+q",
        "quit",
        "Quit",
        show=False,
        id="app.quit",
        priority=True,
        tooltip="Leave; asks if something is unsaved or a run goes on",
    ),
]
