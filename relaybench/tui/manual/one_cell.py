"""One cell: its prompt, and below it the field for the answer, or what became of the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, cast

from rich.cells import cell_len
from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, TextArea

from relaybench.domain.errors import UsageError
from relaybench.tui.answer_page import answer_page
from relaybench.tui.manual.known_fields import Known, KnownFields
from relaybench.tui.outcome_marks import SIGNS
from relaybench.tui.widgets.editor import Editor
from relaybench.tui.widgets.late import Late
from relaybench.tui.widgets.long_text import LongText
from relaybench.tui.widgets.pane import Pane
from relaybench.tui.work_screen import WorkScreen
from relaybench.workbench.results.opening import open_attempt
from relaybench.workbench.runs.manual import prompt_of

if TYPE_CHECKING:
    from relaybench.store.manual import ManualCell
    from relaybench.tui.manual.typed_answers import Key
    from relaybench.tui.widgets.page import Page
    from relaybench.workbench.results.opening import OpenedAttempt

#: Seconds that the cursor rests before a prompt is read.
_REST_S: Final = 0.05
#: Cells at the right edge of a text that its scroll bar takes.
_EDGE: Final = 3


class _Prompt(Pane):
    def compose(self) -> ComposeResult:
        yield LongText(id="prompt")


class _Answer(Pane):
    def compose(self) -> ComposeResult:
        yield Editor(id="answer", placeholder="paste the model's whole answer here, then ^s")
        yield KnownFields(id="known")
        yield LongText(id="result")


class OneCell(Vertical):
    """The cell that is shown, and what its answer is kept by; None before there is one.

    ``overtaken``: it was answered elsewhere while an answer was typed here, which still stands.
    Prompt; below it the field and what is known of the answer, or its grade: there once
    ``parts.there()`` was awaited.
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.cell: ManualCell | None = None
        self.key: Key | None = None
        self.overtaken = False
        self._amiss: list[str] = []  # what stood in the fields when one was no number
        self.parts = Late(
            self, lambda: [_Prompt("Prompt", id="prompt-pane"), _Answer("Answer", id="answer-pane")]
        )

    @property
    def work_screen(self) -> WorkScreen:
        """The screen that it stands on."""
        return cast(WorkScreen, self.screen)

    @property
    def editor(self) -> Editor:
        """The field for the answer."""
        return self.query_one("#answer", Editor)

    @property
    def writing(self) -> bool:
        """Whether the field for the answer is shown."""
        return self.cell is not None and (self.cell.open or self.overtaken)

    def known(self) -> Known | None:
        """What is known of the answer; None where that is no number, which is told beside it."""
        try:
            return self.query_one(KnownFields).read()
        except UsageError as error:  # a notice would lie over the fields
            pane = self.query_one("#answer-pane", Pane)
            pane.add_class("-fault")
            pane.call_it(f"✗ {error}", "nothing was stored")
            self._amiss = self.query_one(KnownFields).typed
            return None

    def leave(self) -> None:
        """Show no cell any more."""
        self.cell = self.key = None

    def show(self, cell: ManualCell, key: Key, typed: str) -> None:
        """Show a cell, with what was typed for it before."""
        same = self.key == key
        self.cell, self.key, self.overtaken = cell, key, bool(typed) and not cell.open
        self.query_one("#answer").display = self.writing
        self.query_one("#known").display = cell.open
        self.query_one("#result").display = not self.writing
        if self.writing:
            if self.editor.text != typed:
                self.editor.load_text(typed)
            if not same:
                self.query_one(KnownFields).empty()
        still_amiss = same and self.writing and self.query_one(KnownFields).typed == self._amiss
        if not still_amiss:  # else it was read again, and what is wrong is yet to be mended
            self._call_answer()
        self.read()

    def enter(self) -> None:
        """Go to the field, or to the grade."""
        (self.editor if self.writing else self.query_one("#result", LongText).body).focus()

    def _call_answer(self) -> None:
        cell, pane = self.cell, self.query_one("#answer-pane", Pane)
        pane.remove_class("-fault")
        if cell is None or not self.writing:
            return
        text = self.editor.text
        does = "sets it aside" if self.overtaken else "grades"
        title = f"Answer of {cell.config.label}"
        if self.overtaken:
            title = f"Typed here, not graded: attempt {cell.attempt} answered it elsewhere"
        pane.call_it(title, f"{len(text):,} characters · ^s {does}" if text else "")

    @on(Input.Changed, "#known Input")
    def _known_changed(self) -> None:
        if self.query_one(KnownFields).typed != self._amiss:  # else it was typed before
            self._call_answer()

    @on(TextArea.Changed, "#answer")
    def _changed(self) -> None:
        self._call_answer()

    @work(exclusive=True, group="one")
    async def read(self) -> None:
        """Read the prompt, and the answer's grade where there is one."""
        cell = self.cell
        await asyncio.sleep(_REST_S)
        if cell is None:
            return
        with self.work_screen.reporting("the cell cannot be shown"):
            prompt = await asyncio.to_thread(prompt_of, self.work_screen.desk.workspace, cell)
            words = f"{cell.characters:,} characters, {cell.form}"
            self.query_one("#prompt-pane", Pane).call_it(f"Prompt of {cell.item}", words)
            shown = self.query_one("#prompt", LongText)
            if prompt != shown.text:
                shown.show(prompt)
            if cell.attempt is not None and not self.overtaken:
                await self._show_grade(cell, cell.attempt)

    async def _show_grade(self, cell: ManualCell, attempt: int) -> None:
        opened = await asyncio.to_thread(open_attempt, self.work_screen.desk.workspace, attempt)
        became = f"{SIGNS[cell.outcome]} {cell.outcome.value}" if cell.outcome else ""
        self.query_one("#answer-pane", Pane).call_it(
            f"Attempt {attempt}: {became}", "n next open · o in full"
        )
        result = self.query_one("#result", LongText)
        page = await asyncio.to_thread(_page(opened, result.size.width))
        result.show(page.text, page.marks)


def _page(opened: OpenedAttempt, width: int) -> Callable[[], Page]:
    return lambda: answer_page(opened, max(width - _EDGE, 24), cell_len)
