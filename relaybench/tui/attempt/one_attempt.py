"""One attempt: heading, and tabs with answer, transcript, prompt, calls and raw JSON."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, cast

from rich.cells import cell_len
from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import DataTable, Static

from relaybench.tui.answer_page import answer_page
from relaybench.tui.attempt.call_rows import COLUMNS, call_page, call_rows
from relaybench.tui.attempt.heading import heading
from relaybench.tui.attempt.sources import last_call, raw_page
from relaybench.tui.attempt.transcript_page import transcript_page
from relaybench.tui.showing import cell
from relaybench.tui.widgets.choices import Choices
from relaybench.tui.widgets.long_text import LongText
from relaybench.tui.widgets.wrapping import prepared
from relaybench.tui.work_screen import WorkScreen

if TYPE_CHECKING:
    from rich.text import Text

    from relaybench.tui.widgets.page import Page
    from relaybench.workbench.results.opening import OpenedAttempt, Transcript

#: Tabs by key, in their order.
TABS: Final = ("answer", "transcript", "prompt", "calls", "raw")
#: Seconds that the cursor of the list rests before an attempt is read.
_REST_S: Final = 0.03
_SCROLLBAR: Final = 2
_NO_PROMPT: Final = "The prompt is not known: the item was imported."


class OneAttempt(Vertical):
    """One attempt in full; what takes long to read or to lay out is done in threads."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.opened: OpenedAttempt | None = None
        self._transcripts: dict[int, Transcript] = {}
        self._thinking = True
        self._call: int | None = None

    @property
    def work_screen(self) -> WorkScreen:
        """The screen that it stands on."""
        return cast("WorkScreen", self.screen)

    def compose(self) -> ComposeResult:
        """Heading and tabs."""
        yield Static(id="heading", markup=False)
        # One text for all tabs: a screen of many widgets takes long to be styled.
        yield Choices(id="tabs")
        yield LongText()

    def on_mount(self) -> None:
        """The first tab is in front."""
        self._tabs.offer([(name, name.capitalize()) for name in TABS], TABS[0])

    @property
    def _tabs(self) -> Choices:
        return self.query_one("#tabs", Choices)

    @property
    def tab(self) -> str:
        """The name of the tab in front."""
        return self._tabs.current

    @property
    def text(self) -> LongText:
        """The text of the tab in front."""
        return self.query_one(LongText)

    @work(exclusive=True, group="open")
    async def open(self, number: int) -> None:
        """Read one attempt and show the tab that is in front."""
        from relaybench.workbench.results.opening import open_attempt

        await asyncio.sleep(_REST_S)
        with self.work_screen.reporting(f"attempt {number} cannot be shown"):
            opened = await asyncio.to_thread(open_attempt, self.work_screen.desk.workspace, number)
            if opened == self.opened:  # whoever reads it keeps the place
                return
            same = self.opened is not None and self.opened.detail.row.id == number
            self.opened, self._transcripts = opened, {}
            self._call = self._call if same else None
            self.query_one("#heading", Static).update(heading(opened))
            self.fill()

    @on(Choices.Chosen, "#tabs")
    def _tab_chosen(self) -> None:
        for table in self.query(DataTable):
            table.display = self.tab == "calls"
        self.fill()

    @work(exclusive=True, group="fill")
    async def fill(self) -> None:
        """Fill the tab in front; long work happens in threads."""
        tab, opened = self.tab, self.opened
        if opened is None or not tab:
            return
        with self.work_screen.reporting(f"the {tab} cannot be shown"):
            if tab == "calls":
                await self._fill_calls(opened)
            elif tab == "prompt":
                prompt = opened.detail.item.prompt or _NO_PROMPT
                self.text.show(await asyncio.to_thread(prepared, prompt))
            else:
                page = self._page(tab, opened)
                self.text.show(await asyncio.to_thread(lambda: page().ready()))

    def _page(self, tab: str, opened: OpenedAttempt) -> Callable[[], Page]:
        number, workspace = opened.detail.row.id, self.work_screen.desk.workspace
        if tab == "answer":
            width = self.text.size.width - _SCROLLBAR
            return lambda: answer_page(opened, width, cell_len)
        if tab == "raw":
            call = self._call or last_call(opened)
            return lambda: raw_page(workspace, number, call, len(opened.detail.calls))
        return lambda: self._transcript_page(number)

    def _transcript_page(self, number: int) -> Page:
        from relaybench.workbench.results.opening import transcript

        kept = self._transcripts  # the next attempt has a new one, whenever this thread ends
        if number not in kept:
            kept[number] = transcript(self.work_screen.desk.workspace, number)
        return transcript_page(kept[number], thinking=self._thinking)

    async def _fill_calls(self, opened: OpenedAttempt) -> None:
        if not self.query(DataTable):
            new: DataTable[Text] = DataTable(id="calls-table", cursor_type="row")
            new.add_columns(*COLUMNS)
            await self.mount(new, before=self.text)
        table = self.query_one(DataTable)
        table.clear()
        for row in call_rows(opened):
            table.add_row(*map(cell, row))
        if not opened.detail.calls:
            self.text.show("No call was made: the results were imported, or none was sent yet.")

    @on(DataTable.RowHighlighted, "#calls-table")
    def _call_highlighted(self, event: DataTable.RowHighlighted) -> None:
        calls = self.opened.detail.calls if self.opened and self.tab == "calls" else ()
        if event.cursor_row < len(calls):
            page = call_page(calls[event.cursor_row])
            self.text.show(page.ready())

    @on(DataTable.RowSelected, "#calls-table")
    def _call_selected(self, event: DataTable.RowSelected) -> None:
        if self.opened is not None:
            self._call = self.opened.detail.calls[event.cursor_row].number
            self.go_to_tab("raw")

    def on_resize(self, event: events.Resize) -> None:
        """The comparison is laid out for a width."""
        if self.tab == "answer":
            self.call_after_refresh(self.fill)

    def go_to_tab(self, name: str) -> None:
        """Bring a tab to the front."""
        self._tabs.choose(name)

    def turn(self, by: int) -> None:
        """Bring the next or previous tab to the front; after the last comes the first."""
        self._tabs.action_step(by)

    def toggle_thinking(self) -> None:
        """Show or hide thinking in the transcript."""
        self._thinking = not self._thinking
        if self.tab == "transcript":
            self.fill()
        else:
            self.go_to_tab("transcript")
