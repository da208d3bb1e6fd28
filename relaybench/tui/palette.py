"""Every action in the command palette: those of the screen and its focused widget, then the app's.

Commands are made from the bindings themselves, so that the palette knows what the keys know.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from textual.app import SystemCommand
from textual.screen import Screen

from relaybench.tui.modes import MODES
from relaybench.tui.themes import DARK, LIGHT

if TYPE_CHECKING:
    from relaybench.tui.app import WorkbenchApp


def commands(app: WorkbenchApp, screen: Screen[object]) -> Iterable[SystemCommand]:
    """The commands that can be carried out now."""
    from relaybench.tui.welcome import own_results

    yield SystemCommand(
        "Tour of the screens", "Five cards on what the screens are for", app.show_tour
    )
    yield SystemCommand("Demo: run it on the simulator", "Free and offline", app.run_demo)
    if app.desk.demo:
        yield SystemCommand(
            "Own results: back from the demo to yours",
            "Back from the demo's results to your own",
            partial(own_results, app),
        )
    for theme, word in ((DARK, "Dark"), (LIGHT, "Light")):
        yield SystemCommand(
            f"{word} theme",
            f"The {word.lower()} one of the two made for relaybench",
            partial(setattr, app, "theme", theme.name),
        )
    seen: set[str] = set()
    titles = {mode.title for mode in MODES}
    for each in screen.active_bindings.values():
        binding = each.binding
        if not binding.description or not each.enabled or binding.system or binding.id is None:
            continue
        if binding.action in seen or binding.action == "command_palette":
            continue
        seen.add(binding.action)
        key = app.get_key_display(binding)
        title = f"Go to {binding.description}" if binding.description in titles else ""
        yield SystemCommand(
            f"{title or binding.description}  ({key})",
            binding.tooltip or binding.description,
            partial(app.run_action, binding.action, each.node),
        )
