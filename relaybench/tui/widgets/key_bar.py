"""The line of keys below every screen: those that matter where the focus is.

One widget that draws a line. Textual's Footer mounts a widget for each key and does so anew at
every change of the focus, which costs more than all else that a change of the focus does.
"""

from __future__ import annotations

import string
from dataclasses import dataclass
from typing import Final

from textual import events
from textual.app import RenderResult
from textual.binding import Binding
from textual.content import Content
from textual.keys import _character_to_key
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input, TextArea

from relaybench.tui.showing import line

#: Keys that a text field takes for itself.
_TYPED: Final = frozenset(_character_to_key(each) for each in string.printable if each > " ")


@dataclass(frozen=True, slots=True)
class _Key:
    """A key on the line: its cells from ``start`` to ``end``."""

    start: int
    end: int
    binding: Binding


class KeyBar(Widget):
    """Keys that are shown, with what they do; a click carries one out. Has no focus."""

    DEFAULT_CSS = """
    KeyBar {
        dock: bottom;
        height: 1;
        background: $panel;
        color: $footer-foreground;
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._keys: list[_Key] = []

    def on_mount(self) -> None:
        """Draw again when other keys count."""
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def _changed(self, screen: Screen[object]) -> None:
        if screen is self.screen:
            self.refresh()

    def _shown(self) -> list[tuple[Binding, bool]]:
        """Each action once, by its first key that works: in a text field letters are typed."""
        typing = isinstance(self.screen.focused, Input | TextArea)
        found: dict[str, tuple[Binding, bool]] = {}
        for each in self.screen.active_bindings.values():
            binding = each.binding
            if not binding.description or (typing and binding.key in _TYPED):
                continue
            if binding.show:
                found.setdefault(binding.action, (binding, each.enabled))
        return list(found.values())

    def render(self) -> RenderResult:
        """The line, cut at its end where there is no room."""
        bar = Content("")
        self._keys = []
        for binding, enabled in self._shown():
            start = bar.cell_length
            display = self.app.get_key_display(binding)
            key = line(f" {display}", "bold $footer-key-foreground" if enabled else "dim")
            bar += key + line(f" {binding.description} ", "" if enabled else "dim")
            self._keys.append(_Key(start, bar.cell_length, binding))
        return bar.truncate(max(self.size.width, 1), ellipsis=True)

    def _at(self, x: int) -> Binding | None:
        return next((each.binding for each in self._keys if each.start <= x < each.end), None)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The tooltip of the key under the mouse."""
        binding = self._at(event.x)
        text = (binding.tooltip or binding.description) if binding else None
        self.tooltip = line(text) if text else None

    def on_click(self, event: events.Click) -> None:
        """Do what the key does."""
        binding = self._at(event.x)
        if binding is not None:
            self.app.simulate_key(binding.key)
