"""What a screen is for, and every key that works on it now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from relaybench.tui.dialogs.dialog import Dialog
from relaybench.tui.showing import line, running


class Explain(Dialog[None]):
    """Text of a screen, and its keys with what they do. Any of ?, Esc, F8 closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,f8,q", "leave", "Close", id="explain.leave", tooltip="Close"),
    ]

    def __init__(self, title: str, text: str, keys: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._title, self._text, self._keys = title, text, keys

    def compose(self) -> ComposeResult:
        """Title, text, table of keys."""
        with Vertical(classes="dialog -large"):
            yield Static(line(self._title, "bold"), classes="question")
            with VerticalScroll(classes="details"):
                yield Static(running(self._text))
                yield Static(_table(self._keys))

    def action_leave(self) -> None:
        """Close."""
        self.dismiss(None)


def _table(keys: Sequence[tuple[str, str]]) -> Content:
    width = max((len(key) for key, _ in keys), default=0)
    rows = [line(key.rjust(width), "bold $text-accent") + line(f"  {what}") for key, what in keys]
    return Content("\n").join([Content(""), *rows])


def keys_of(bindings: Sequence[ActiveBinding], display: dict[str, str]) -> list[tuple[str, str]]:
    """Keys and what they do, each action once with all its keys; ``display`` writes keys nicely."""
    by_action: dict[tuple[str, str], list[str]] = {}
    for each in bindings:
        binding = each.binding
        if not binding.description or not each.enabled or binding.id is None:
            continue  # without an id it is one of Textual's own, such as those of scrolling
        what = binding.tooltip or binding.description
        keys = by_action.setdefault((binding.action, what), [])
        shown = display.get(binding.key, binding.key)
        if shown not in keys:
            keys.append(shown)
    return [(" ".join(keys), what) for (_, what), keys in by_action.items()]
