"""The tabs below the graph: prompt, prompt as sent, key, findings, facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import ContentSwitcher

from relaybench.tui.composer.telling import Told, facts_text, key_text, no_prompt
from relaybench.tui.widgets.findings_list import FindingsList
from relaybench.tui.widgets.long_text import LongText
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


class Tabs(Vertical):
    """One of five views of the open composite; only the one in front is filled."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._preview: Preview | None = None
        self._file = ""
        self._filled: dict[str, Preview] = {}

    def compose(self) -> ComposeResult:
        """A line of names, and what is in front; the others are made when they are asked for."""
        yield PaneTabs(TABS, id="tab-names")
        with ContentSwitcher(initial=PLAIN):
            yield LongText(id=PLAIN)

    @property
    def current(self) -> str:
        """The tab in front."""
        return self.query_one(ContentSwitcher).current or PLAIN

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
        switcher = self.query_one(ContentSwitcher)
        if not switcher.query(f"#{name}"):
            switcher.mount(FindingsList(id=name) if name == FINDINGS else LongText(id=name))
        switcher.current = name
        self.query_one("#tab-names", PaneTabs).show(name)
        self.call_after_refresh(self._arrived, inside)

    def _arrived(self, focus: bool) -> None:
        self._fill()
        if focus:
            front = self.query_one(f"#{self.current}")
            (front.body if isinstance(front, LongText) else front).focus()

    @on(PaneTabs.Chosen)
    def _chosen(self, event: PaneTabs.Chosen) -> None:
        event.stop()
        self.go_to(event.pane)

    def _fill(self) -> None:
        preview, name = self._preview, self.current
        if preview is None or self._filled.get(name) is preview:
            return
        self._filled[name] = preview
        if name == FINDINGS:
            self.query_one(FindingsList).show(preview.findings, self._file)
            return
        view = self.query_one(f"#{name}", LongText)
        place = view.body.scroll_offset
        view.show(*_told(preview, name))
        view.body.scroll_to(place.x, place.y, animate=False, immediate=True, force=True)


def _told(preview: Preview, name: str) -> Told:
    if name == KEY:
        return key_text(preview)
    if name == FACTS:
        return facts_text(preview)
    if name == SENT:
        return preview.item.prompt if preview.item else no_prompt(preview), []
    return preview.plain if preview.plain is not None else no_prompt(preview), []
