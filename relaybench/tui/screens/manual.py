"""The screen Manual: prompts to the clipboard, pasted answers graded, for models of a web page."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widgets import Input, TextArea

from relaybench.domain.errors import RelaybenchError
from relaybench.tui.dialogs.pick import Choice, Pick
from relaybench.tui.manual.cell_list import CellList
from relaybench.tui.manual.keys import BINDINGS, EXPLAINS, NEXT_STEP, NOTHING
from relaybench.tui.manual.one_cell import OneCell
from relaybench.tui.manual.prompt_out import copy_prompt, write_prompt_file
from relaybench.tui.manual.typed_answers import Key, TypedAnswers
from relaybench.tui.manual.wanted import Wanted
from relaybench.tui.messages import OpenAttempt, OpenManual, OpenTarget
from relaybench.tui.outcome_marks import SIGNS
from relaybench.tui.results_reader import ResultsReader
from relaybench.tui.widgets.empty import Empty
from relaybench.tui.widgets.lines_view import LinesView
from relaybench.tui.widgets.pane import Pane
from relaybench.tui.work_screen import reason
from relaybench.workbench.runs.manual import manual_runs, record_manual

if TYPE_CHECKING:
    from relaybench.store.manual import ManualCell
    from relaybench.tui.desk import Desk
    from relaybench.tui.manual.known_fields import Known
    from relaybench.workbench.runs.manual import ManualRun, Recorded

#: Seconds after which what was typed is in a file.
_KEEP_S: Final = 2.0


class ManualScreen(ResultsReader):
    """Cells of manual models: the prompt to carry over, the answer to paste, its grade."""

    MODE: ClassVar[str] = "manual"
    CSS_PATH = "manual.tcss"
    EXPLAINS: ClassVar[str] = EXPLAINS
    BINDINGS: ClassVar[list[BindingType]] = [*BINDINGS]

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.found: ManualRun | None = None
        self._found_in = desk.workspace.database
        self.typed = TypedAnswers()
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
        self.one.cell = None
        self._wanted = wanted
        self.reread()

    # --- the list ---

    @work(exclusive=True, group="cells")
    async def reread(self) -> None:
        """Read the cells again; the cursor stays at its cell, or goes where it was sent."""
        self.stale = False
        wanted, self._wanted = self._wanted, Wanted()
        name = wanted.run or (self.found.run.name if self.found else None)
        with self.reporting("the cells cannot be listed"):
            workspace = self.desk.workspace
            runs = await asyncio.to_thread(manual_runs, workspace)
            found = next((each for each in runs if each.run.name == name), None)
            if found is None and wanted.run:
                self.notice(f"Run {wanted.run} has no manual model.", "warning")
            if found is None:
                found = next((each for each in runs if each.open), runs[0] if runs else None)
            left = await asyncio.to_thread(self.typed.left, workspace, runs)
            self._tell_back(self.typed.bring_back(left))
            self._keep_typed()
            if workspace.database != self._found_in:
                self._found_in, self.one.cell = workspace.database, None
            if found is not None:
                await self.one.parts.there()
            self.found = found
            self._show_list(wanted)

    def _tell_back(self, runs: Sequence[str]) -> None:
        """Tell of answers that an earlier session left in some runs."""
        if runs:
            where = ", ".join(dict.fromkeys(runs))
            what = "1 answer was" if len(runs) == 1 else f"{len(runs)} answers were"
            self.notice(f"{what} kept and not graded yet: here again (✎, run {where}); ^s grades.")

    def _show_list(self, wanted: Wanted) -> None:
        found = self.found
        self._show_whether(found is not None)
        if found is None:
            return
        cells, left = found.cells, len(found.open)
        self.cells.show(cells, self._place(wanted), self._begun())
        words = f"{left} of {len(cells)} open" if left else "all answered"
        self.query_one("#cells-pane", Pane).call_it(found.run.name, words)
        self._show_one()
        if self.focused is None or not self.focused.display:
            self.cells.focus()

    def _place(self, wanted: Wanted) -> int:
        """Where the cursor belongs: at the cell shown, or the first open one that is wanted."""
        cells = self.found.cells if self.found else ()
        shown = self.one.cell
        if shown is not None and wanted == Wanted():
            return next((n for n, each in enumerate(cells) if each.cell == shown.cell), 0)
        fits = [n for n, each in enumerate(cells) if wanted.fits(each)]
        return next((n for n in fits if cells[n].open), fits[0] if fits else 0)

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
        if cell is not None:
            self.one.show(cell, self.typed.texts.get(self._key(cell), ""))

    # --- what was typed ---

    def _key(self, cell: ManualCell) -> Key:
        return Key(self._found_in, self.found.run.name if self.found else "", cell.cell)

    def _begun(self) -> frozenset[object]:
        found = self.found
        return self.typed.begun(self._found_in, found.run.name) if found else frozenset()

    def _keep_typed(self) -> None:
        """Keep what was typed for the cell that is shown."""
        cell = self.one.cell
        if cell is not None and cell.open:
            self.typed.put(self._key(cell), self.one.editor.text)
            self.cells.begun = self._begun()

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
        return [f"an answer in run {key.run}" for key in self.typed.texts]

    async def save_all(self) -> None:
        """Store and grade them."""
        for key, text in list(self.typed.texts.items()):
            await self._record(key, text)

    def keep_recovery(self) -> None:
        """Write them into files of the folder for prompts, to be brought back at the next start."""
        self._keep_typed()
        try:
            self.typed.write(self.desk.workspace)
        except (RelaybenchError, OSError) as error:
            self.notice(f"an answer could not be kept: {reason(error)}", "error")

    # --- actions ---

    async def on_paste(self, event: events.Paste) -> None:
        """What is pasted while the focus is elsewhere can only be meant for the answer."""
        cell = self.one.cell
        if cell is not None and cell.open and not isinstance(self.focused, Input | TextArea):
            event.stop()
            self.one.editor.focus()
            self.one.editor.insert(event.text)

    @work(exclusive=True, group="prompt")
    async def action_copy(self) -> None:
        """Copy the prompt to the clipboard of the terminal."""
        if self.cells.current is not None:
            await copy_prompt(self, self.cells.current)

    @work(exclusive=True, group="prompt")
    async def action_file(self) -> None:
        """Write the prompt into a file."""
        if self.cells.current is not None:
            await write_prompt_file(self, self.cells.current)

    @work(group="grade")
    async def action_grade(self) -> None:
        """Store the pasted answer, grade it, and show its grade."""
        cell = self.one.cell
        if cell is None:
            return
        if not cell.open:
            self.notice("This cell has its answer; n goes to the next open one.", "warning")
            return
        with self.reporting("the answer was not stored"):
            await self._record(self._key(cell), self.one.editor.text, self.one.known())
            self.cells.focus()

    async def _record(self, key: Key, text: str, known: Known | None = None) -> None:
        recorded = await asyncio.to_thread(self._store, key, text, known)
        self.typed.put(key, "")
        shown = self.one.cell
        if shown is not None and self._key(shown) == key:
            self.one.editor.load_text("")  # its grade is about to stand in its place
        else:
            outcome = recorded.grade.outcome
            self.notice(f"{SIGNS[outcome]} {outcome.value}: stored as attempt {recorded.attempt}")
        await self._write_typed()
        self.desk.results_changed.publish(None)

    def _store(self, key: Key, text: str, known: Known | None) -> Recorded:
        store = partial(record_manual, key.place(self.desk.workspace), key.run, key.cell, text)
        if known is None:
            return store()
        return store(ended=known.ended, usage=known.usage, cost=known.cost)

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
        with self.reporting("the runs cannot be listed"):
            runs = await asyncio.to_thread(manual_runs, self.desk.workspace)
            if not runs:
                self.notice(f"{NOTHING}.")
                return
            choices = [
                Choice(each.run.name, each.run.name, f"{len(each.open)} of {len(each.cells)} open")
                for each in runs
            ]
            current = self.found.run.name if self.found else None
            question = Pick("Cells of which run?", choices, current=current)
            name = await self.app.push_screen_wait(question)
            if name is not None and name != current:
                self._go_to(Wanted(name))

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
