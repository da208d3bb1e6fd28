"""The screen Manual: prompts to the clipboard, pasted answers graded, for models of a web page."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widgets import Input, TextArea

from relaybench.domain.errors import RelaybenchError
from relaybench.tui.manual.cell_list import CellList
from relaybench.tui.manual.keys import BINDINGS, EXPLAINS, NEXT_STEP, NOTHING
from relaybench.tui.manual.one_cell import OneCell
from relaybench.tui.manual.prompt_out import copy_prompt, write_prompt_file
from relaybench.tui.manual.run_question import ask_run
from relaybench.tui.manual.storing import store, tell_left, tell_overtaken
from relaybench.tui.manual.typed_answers import Key, TypedAnswers, key_of
from relaybench.tui.manual.wanted import Wanted
from relaybench.tui.messages import OpenAttempt, OpenManual, OpenTarget
from relaybench.tui.outcome_marks import SIGNS
from relaybench.tui.results_reader import CANNOT_READ, ResultsReader, once_read
from relaybench.tui.widgets.empty import Empty
from relaybench.tui.widgets.lines_view import LinesView
from relaybench.tui.widgets.pane import Pane
from relaybench.tui.work_screen import reason
from relaybench.workbench.runs.manual import manual_runs

if TYPE_CHECKING:
    from relaybench.tui.desk import Desk
    from relaybench.tui.manual.known_fields import Known
    from relaybench.workbench.runs.manual import ManualRun
    from relaybench.workbench.workspace import Workspace

#: Seconds after which what was typed is in a file.
_KEEP_S: Final = 2.0


class ManualScreen(ResultsReader):
    """Cells of manual models: the prompt to carry over, the answer to paste, its grade."""

    MODE: ClassVar[str] = "manual"
    CSS_PATH = "manual.tcss"
    EXPLAINS: ClassVar[str] = EXPLAINS
    SAVING: ClassVar[str] = "answers stay ungraded, offered at the next start"
    BINDINGS: ClassVar[list[BindingType]] = [*BINDINGS]

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.found: ManualRun | None = None
        self._found_in = desk.workspace.database
        self.typed = TypedAnswers()
        self._told: set[Key] = set()  # answered elsewhere
        self._wanted = Wanted()

    def compose_work(self) -> ComposeResult:
        """The cells, and one of them."""
        yield Empty(NOTHING, NEXT_STEP, id="nothing")
        with Container(id="work"):
            with Pane("Cells", id="cells-pane"):
                yield CellList(id="cells")
            yield OneCell(id="one")

    def on_mount(self) -> None:
        """Nothing is known yet."""
        self._show_whether(None)
        self.set_interval(_KEEP_S, self._keep)

    def read_again(self) -> None:
        """Read the cells."""
        self.reread()

    @property
    def cells(self) -> CellList:
        """The list."""
        return self.query_one(CellList)

    @property
    def one(self) -> OneCell:
        """The cell that is shown."""
        return self.query_one(OneCell)

    def open_target(self, target: OpenTarget) -> None:
        """Show a run's cells, at one of them."""
        if isinstance(target, OpenManual):
            self._go_to(Wanted(target.run, target.item_digest, target.config_digest))

    def _go_to(self, wanted: Wanted) -> None:
        self._keep_typed()
        self.one.leave()
        self._wanted = wanted
        self.reread()

    # --- the list ---

    @work(exclusive=True, group="cells")
    async def reread(self) -> None:
        """Read the cells again; the cursor stays at its cell, or goes where it was sent."""
        self.stale = False
        shown = self.one.key.run if self.one.key else self.found and self.found.run.name
        name = self._wanted.run or shown
        workspace = self.desk.workspace
        with self.reading(workspace):
            runs = await asyncio.to_thread(manual_runs, workspace)
            wanted, self._wanted = self._wanted, Wanted()
            found = next((each for each in runs if each.run.name == name), None)
            if found is None and wanted.run:
                self.notice(f"Run {wanted.run} has no manual model.", "warning")
            if found is None:
                found = next((each for each in runs if each.open), runs[0] if runs else None)
            with self.reporting("answers that were kept cannot be read"):
                await self._look_at_kept(workspace, runs)
            self._keep_typed()
            if workspace.database != self._found_in:
                self._found_in = workspace.database
                self.one.leave()
            if found is not None:
                await self.one.parts.there()
            self.found = found
            self._show_list(wanted)
            pasted, self.typed.pasted = self.typed.pasted, ""
            if pasted:
                self._paste(pasted)

    def show_fault(self) -> None:
        """Say that the cells cannot be read; those that were stay, with what is typed for them."""
        if self.found is None or self._found_in != self.desk.workspace.database:
            self._show_whether(None)
            self.query_one("#nothing", Empty).say(CANNOT_READ, self.told)

    async def _look_at_kept(self, workspace: Workspace, runs: list[ManualRun]) -> None:
        """Bring back what was left, and see which cells were answered elsewhere meanwhile."""
        self._keep_typed()
        await asyncio.to_thread(self.typed.look, workspace, runs)
        tell_left(self, *self.typed.bring_back())
        overtaken = await asyncio.to_thread(self.typed.overtaken, workspace, runs)
        for key in overtaken.same:  # stored after all
            self._done_with(key)
        tell_overtaken(self, {k: n for k, n in overtaken.others.items() if k not in self._told})
        self._told |= overtaken.others.keys()

    def _show_list(self, wanted: Wanted) -> None:
        found = self.found
        self._show_whether(found is not None)
        if found is None:
            return
        cells, left = found.cells, len(found.open)
        shown = self.one.key.cell if self.one.key and wanted == Wanted() else None
        self.cells.show(cells, wanted.place(cells, shown), self._begun())
        words = f"{left} of {len(cells)} open" if left else "all answered"
        self.query_one("#cells-pane", Pane).call_it(found.run.name, words)
        self._show_one()
        if self.focused is None or not self.focused.display:
            self.cells.focus()

    def _show_whether(self, shown: bool | None) -> None:
        """Show the cells, or that there are none; None: nobody knows yet."""
        self.query_one("#work").display = shown is True
        nothing = self.query_one("#nothing", Empty)
        nothing.display = shown is not True
        nothing.say(*(("Reading …", "") if shown is None else (NOTHING, NEXT_STEP)))

    @on(LinesView.Moved, "#cells")
    def _moved(self) -> None:
        self._keep_typed()
        self._show_one()

    @on(LinesView.Chosen, "#cells")
    def _chosen(self) -> None:
        self.one.enter()

    def _show_one(self) -> None:
        cell = self.cells.current
        if cell is not None and self.found is not None:
            key = key_of(self._found_in, self.found.run.name, cell)
            self.one.show(cell, key, self.typed.texts.get(key, ""))

    # --- what was typed ---

    def _begun(self) -> frozenset[object]:
        found = self.found
        return self.typed.begun(self._found_in, found.run.name) if found else frozenset()

    def _keep_typed(self) -> None:
        """Keep what was typed for the cell that is shown."""
        if self.one.key is not None and self.one.writing:
            self.typed.put(self.one.key, self.one.editor.text)
            self.cells.begun = self._begun()

    def _done_with(self, key: Key) -> None:
        """Forget a text that is stored or set aside; its file goes when files are written next."""
        text = self.typed.texts.get(key)
        self.typed.put(key, "")
        if self.one.key == key and self.one.writing and self.one.editor.text == text:
            self.one.editor.load_text("")  # its grade is about to stand in its place

    def _keep(self) -> None:
        self._keep_typed()
        if not self.typed.written:
            self.write_typed()

    @work(exclusive=True, group="keep")
    async def write_typed(self) -> None:
        """Write what was typed into files, where a crash leaves it."""
        await self._write_typed()

    async def _write_typed(self) -> None:
        with self.reporting("what was typed is not kept in a file"):
            await asyncio.to_thread(self.typed.write, self.desk.workspace)

    def unsaved(self) -> list[str]:
        """Answers that were pasted and not graded."""
        self._keep_typed()
        return self.typed.unsaved

    def unkept(self) -> list[str]:
        """Those of them that have no file."""
        return self.typed.unkept

    async def save_all(self) -> None:
        """Write them into their files, which bring them back at the next start. Nothing is graded.

        Raises WorkspaceError and OSError.
        """
        self._keep_typed()
        await asyncio.to_thread(self.typed.write, self.desk.workspace, again=True)

    def keep_recovery(self) -> None:
        """The same, at once."""
        self._keep_typed()
        try:
            self.typed.write(self.desk.workspace, again=True)
        except (RelaybenchError, OSError) as error:
            self.notice(f"an answer could not be kept: {reason(error)}", "error")

    # --- actions ---

    async def on_paste(self, event: events.Paste) -> None:
        """What is pasted while the focus is elsewhere can only be meant for the answer."""
        if isinstance(self.focused, Input | TextArea):
            return
        event.stop()
        if self.has_read:
            self._paste(event.text)
        else:
            self.typed.pasted += event.text  # until there are cells, whatever goes wrong till then
            if self.fault:
                self.notice(f"{CANNOT_READ}: {self.fault}\nWhat you pasted waits for it.", "error")

    def _paste(self, text: str) -> None:
        cell = self.one.cell
        if cell is not None and cell.open:
            self.one.editor.focus()
            self.one.editor.insert(text)
        else:
            why = "there is no cell" if cell is None else "this cell has its answer"
            self.notice(f"Nothing was pasted: {why}.", "warning")

    @once_read
    @work(exclusive=True, group="prompt")
    async def action_copy(self) -> None:
        """Copy the prompt to the clipboard of the terminal."""
        if self.cells.current is not None:
            await copy_prompt(self, self.cells.current)

    @once_read
    @work(exclusive=True, group="prompt")
    async def action_file(self) -> None:
        """Write the prompt into a file."""
        if self.cells.current is not None:
            await write_prompt_file(self, self.cells.current)

    @once_read
    @work(group="grade")
    async def action_grade(self) -> None:
        """Store the pasted answer, grade it, and show its grade; or set one aside."""
        cell, key = self.one.cell, self.one.key
        if cell is None or key is None:
            return
        self._keep_typed()
        if self.one.overtaken:
            await self._set_aside(key)
        elif not cell.open:
            self.notice("This cell has its answer; n goes to the next open one.", "warning")
        elif (known := self.one.known()) is not None:
            with self.reporting("the answer was not stored"):
                await self._record(key, self.one.editor.text, known)
                self.cells.focus()

    async def _record(self, key: Key, text: str, known: Known) -> None:
        recorded = await asyncio.to_thread(store, self.desk.workspace, key, text, known)
        self._keep_typed()
        if self.typed.texts.get(key) == text:  # else more was typed meanwhile
            self._done_with(key)
        if self.one.key != key:
            outcome = recorded.grade.outcome
            self.notice(f"{SIGNS[outcome]} {outcome.value}: stored as attempt {recorded.attempt}")
        await self._write_typed()
        self.desk.results_changed.publish(None)

    async def _set_aside(self, key: Key) -> None:
        with self.reporting("what was typed cannot be set aside"):
            if key in self.typed.texts:
                path = await asyncio.to_thread(self.typed.set_aside, self.desk.workspace, key)
                self.notice(f"Set aside, not graded: {path}")
            self._done_with(key)
            self.reread()

    @once_read
    def action_next(self) -> None:
        """Go to the next open cell, from the top again after the last."""
        cells, at = self.cells.cells, self.cells.cursor
        free = [n for n, each in enumerate(cells) if each.open]
        place = next((n for n in free if n > at), free[0] if free else None)
        if place is None:
            self.notice("Every cell of this run is answered; its results are on F5.")
        else:
            self.cells.go_to(place)
            self.cells.focus()

    @work(exclusive=True, group="ask")
    async def action_run(self) -> None:
        """Choose another run."""
        name = await ask_run(self, self.found.run.name if self.found else None)
        if name is not None:
            self._go_to(Wanted(name))

    @once_read
    def action_attempt(self) -> None:
        """Show the answered cell's attempt in full."""
        cell = self.cells.current
        if cell is None or cell.attempt is None:
            self.notice("This cell has no answer yet.")
        else:
            among = [each.attempt for each in self.cells.cells if each.attempt is not None]
            self.post_message(OpenAttempt(cell.attempt, among))

    def action_back(self) -> None:
        """Back to the list."""
        self.cells.focus()
