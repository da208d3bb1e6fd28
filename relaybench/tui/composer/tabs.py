"""The tabs below the graph: prompt, prompt as sent, key, findings, facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from textual import on
from textual.app import ComposeResult

from relaybench.tui.composer.telling import Told, facts_text, key_text, no_prompt
from relaybench.tui.widgets.findings_list import FindingsList
from relaybench.tui.widgets.long_text import LongText
from relaybench.tui.widgets.pane import Pane
from relaybench.tui.widgets.pane_tabs import PaneTabs

if TYPE_CHECKING:
    from relaybench.workbench.problems.previewing import Preview

PLAIN, SENT, KEY, FINDINGS, FACTS = "plain", "sent", "key", "findings", "facts"
TABS: Final[Mapping[str, str]] = {
    PLAIN: "Prompt",
    SENT: "As sent",
    KEY: "Key",
    FINDINGS: "Findings",
    FACTS: "Facts",
}


class Tabs(Pane):
    """One of five views of the open composite; only the one in front is filled."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.current = PLAIN  # the tab in front
        self._views: dict[str, FindingsList | LongText] = {PLAIN: LongText(id=PLAIN)}
        self._preview: Preview | None = None
        self._file = ""
        self._filled: dict[str, Preview] = {}
        self._told: dict[str, Told] = {}

    def compose(self) -> ComposeResult:
        """A line of names, and what is in front; the others are made when they are asked for."""
        yield PaneTabs(TABS, id="tab-names")
        yield from self._views.values()

    def show(self, preview: Preview, file: str) -> None:
        """Show another composite, or the same one changed; ``file`` is its own as it is shown."""
        self._preview, self._file = preview, file
        count = len(preview.findings)
        names = self.query_one("#tab-names", PaneTabs)
        names.note(FINDINGS, f"✗{count}" if count else "✓")
        self._fill()

    def turn(self, by: int) -> None:
        """Go to the next tab (1) or the one before (-1)."""
        names = list(TABS)
        self.go_to(names[(names.index(self.current) + by) % len(names)])

    def go_to(self, name: str) -> None:
        """Bring a tab to the front; the focus stays within the tabs if it was there."""
        inside = self.has_focus_within
        if name not in self._views:
            self._views[name] = FindingsList(id=name) if name == FINDINGS else LongText(id=name)
            self.mount(self._views[name])
        self._views[self.current].display = False
        self._views[name].display = True
        self.current = name
        self.query_one("#tab-names", PaneTabs).show(name)
        self._fill()
        if inside:
            front = self._views[name]
            self.call_after_refresh((front.body if isinstance(front, LongText) else front).focus)

    @on(PaneTabs.Chosen)
    def _chosen(self, event: PaneTabs.Chosen) -> None:
        event.stop()
        self.go_to(event.pane)

    def _fill(self) -> None:
        preview, name = self._preview, self.current
        if preview is None or self._filled.get(name) is preview:
            return
        self._filled[name] = preview
        view = self._views[name]
        if isinstance(view, FindingsList):
            view.show(preview.findings, self._file)
            return
        told = _told(preview, name)
        if self._told.get(name) == told:
            return
        self._told[name] = told
        place = view.body.scroll_offset
        view.show(*told)
        if place != (0, 0):
            view.body.scroll_to(place.x, place.y, animate=False, immediate=True, force=True)


def _told(preview: Preview, name: str) -> Told:
    if name == KEY:
        return key_text(preview)
    if name == FACTS:
        return facts_text(preview)
    if name == SENT:
        return preview.item.prompt if preview.item else no_prompt(preview), []
    return preview.plain if preview.plain is not None else no_prompt(preview), []
