"""The export dialog: what, where, with or without answers; what it would do; then doing it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Input, OptionList, Select, Static
from textual.widgets.option_list import Option

from relaybench.domain.errors import RelaybenchError, UsageError
from relaybench.tui.dialogs.dialog import Dialog
from relaybench.tui.results.exports import (
    FIGURE_FORMATS,
    WORDS,
    Export,
    Watch,
    What,
    default_place,
    foresee,
    foreseen_words,
    write,
)
from relaybench.tui.results.ink import Role, paragraph
from relaybench.tui.results.ink_view import InkView
from relaybench.tui.results.lists import TickList
from relaybench.tui.showing import line
from relaybench.tui.typed_path import typed_path
from relaybench.tui.work_screen import reason

if TYPE_CHECKING:
    from relaybench.workbench.workspace import Workspace

#: Seconds between two looks at what is being written.
_LOOK_S: Final = 0.2
_FIRST: Final = (
    "Whole runs are written, whatever the filters leave out; nothing before you have seen what it "
    "would do."
)


class ExportDialog(Dialog[list[Path] | None]):
    """Returns the files that were written, None where nothing was."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Cancel", id="export.leave", tooltip="Stop, or close"),
        Binding("ctrl+s", "go", "Write", id="export.go", tooltip="Look what it would do, then do"),
    ]

    def __init__(self, workspace: Workspace, runs: Sequence[str]) -> None:
        super().__init__()
        self._workspace, self._runs = workspace, list(runs)
        self._what = What.TABLES
        self._answers = False
        self._formats = set(FIGURE_FORMATS)
        self._foreseen: Export | None = None
        self._watch: Watch | None = None
        self._own_place = False

    def compose(self) -> ComposeResult:
        """What, where, options, what it would do, buttons."""
        with Vertical(classes="dialog"):
            yield Static(line("Export results", "bold"))
            yield TickList(id="options")
            if len(self._runs) > 1:
                with Horizontal(classes="field"):
                    yield Static("Run")
                    yield Select[str](
                        [(line(run), run) for run in self._runs],
                        value=self._runs[0],
                        allow_blank=False,
                        compact=True,
                        id="run",
                    )
            with Horizontal(classes="field"):
                yield Static("To", id="to")
                yield Input(default_place(What.TABLES, self._runs[0]), id="place")
            yield InkView(id="foreseen")
            with Horizontal(classes="buttons"):
                yield Button("Cancel", id="no", compact=True)
                yield Button("See what it would do", id="yes", variant="primary", compact=True)

    def on_mount(self) -> None:
        """Begin with the choice of what."""
        self._offer()
        self.call_after_refresh(self._say, _FIRST)  # once its width is known
        self.query_one("#options").focus()

    def _offer(self) -> None:
        """Show what may be chosen, as it is chosen."""
        options = [_option(what, WORDS[what], what is self._what, "()") for what in What]
        if self._what is What.FIGURES:
            options += [_option(name, name, name in self._formats) for name in FIGURE_FORMATS]
        else:
            options.append(_option("answers", "with prompts, keys and answers", self._answers))
        self.query_one("#options", TickList).fill(options)

    @on(TickList.Ticked)
    def _ticked(self, event: TickList.Ticked) -> None:
        self._turn(event.key)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self._turn(event.option.id or "")

    def _turn(self, key: str) -> None:
        """Choose a kind, or turn a tick round."""
        if key == "answers":
            self._answers = not self._answers
        elif key in FIGURE_FORMATS:
            self._formats ^= {key}
        else:
            self._what = What(key)
            for each in self.query("#run"):
                each.disabled = self._what is What.FIGURES  # which put all runs together
        self._offer()
        self._elsewhere()

    def _chosen_runs(self) -> tuple[str, ...]:
        """Figures put all runs together; of everything else one is written."""
        if len(self._runs) > 1 and self._what is not What.FIGURES:
            return (str(self.query_one("#run", Select).value),)
        return tuple(self._runs)

    def asked(self) -> Export:
        """What is asked for as the fields stand. Raises UsageError while "To" is no path."""
        place = typed_path(self.query_one("#place", Input).value, self._workspace.root)
        formats = tuple(each for each in FIGURE_FORMATS if each in self._formats)
        answers = self._answers and self._what is not What.FIGURES
        return Export(self._what, self._chosen_runs(), place, answers, formats)

    def _say(self, text: str, role: Role = Role.PLAIN) -> None:
        view = self.query_one(InkView)
        width = max((view.size.width or self.app.size.width) - 4, 20)
        view.lay([each for part in text.split("\n") for each in paragraph(part, width, role)])
        view.scroll_home(animate=False)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._own_place = event.value != default_place(self._what, self._chosen_runs()[0])
        self._changed()

    @on(Select.Changed)
    def _elsewhere(self) -> None:
        """Another run or kind goes to another place, unless the user has named one."""
        if not self._own_place:
            with self.prevent(Input.Changed):
                place = default_place(self._what, self._chosen_runs()[0])
                self.query_one("#place", Input).value = place
        self._changed()

    def _changed(self) -> None:
        """What was foreseen holds no more."""
        try:
            asked = self.asked()
        except UsageError as error:
            self._foreseen = None
            self._say(f"To: {reason(error)}", Role.WARNING)
        else:
            if asked != self._foreseen:
                self._foreseen = None
                self._say(_FIRST)
        self._name_button()

    def _name_button(self) -> None:
        button = self.query_one("#yes", Button)
        button.label = "Write" if self._foreseen is not None else "See what it would do"
        button.disabled = self._watch is not None

    @on(Input.Submitted)
    def _entered(self) -> None:
        self.action_go()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "no":
            self.action_leave()
        else:
            self.action_go()

    def action_go(self) -> None:
        """Look what it would do; where that was seen, do it."""
        if self._watch is not None:
            return
        try:
            asked = self.asked()
        except UsageError as error:
            self._say(f"To: {reason(error)}", Role.WRONG)
            return
        if asked == self._foreseen:
            self._write(asked)
        else:
            self._look(asked)

    def action_leave(self) -> None:
        """Stop what is being written; close where nothing is."""
        if self._watch is not None:
            self._watch.stop()
            self._say("Stopping …")
        else:
            self.dismiss(None)

    def _still(self, asked: Export) -> bool:
        """Whether the fields stand as they did."""
        with contextlib.suppress(UsageError):
            return asked == self.asked()
        return False

    @work(exclusive=True, group="export")
    async def _look(self, asked: Export) -> None:
        if asked.what is What.FIGURES and not asked.formats:
            self._say("Tick a format at least: svg, png or pdf.", Role.WARNING)
            return
        self._say("Looking what it would do …")
        try:
            foreseen = await asyncio.to_thread(foresee, self._workspace, asked)
        except (RelaybenchError, OSError) as error:
            self._say(f"Refused: {reason(error)}", Role.WRONG)
            return
        if not self._still(asked):
            return
        self._foreseen = asked
        words = foreseen_words(foreseen, self._workspace.root)
        if asked.with_answers:
            words = f"With prompts, keys and answers: keep it private.\n{words}"
        self._say(words)
        self._name_button()
        self.query_one("#yes").focus()

    @work(exclusive=True, group="export")
    async def _write(self, asked: Export) -> None:
        self._watch = watch = Watch()
        self._name_button()
        look = self.set_interval(_LOOK_S, lambda: self._say(f"Writing: {watch.last} …"))
        try:
            written = await asyncio.to_thread(write, self._workspace, asked, watch)
        except (RelaybenchError, OSError) as error:
            look.stop()
            self._watch = self._foreseen = None
            self._say(f"Not written: {reason(error)}", Role.WRONG)
            self._name_button()
            return
        look.stop()
        self.dismiss(written)

    def on_unmount(self) -> None:
        """Who quits stops what is being written."""
        if self._watch is not None:
            self._watch.stop()


def _option(key: str, words: str, chosen: bool, box: str = "[]") -> Option:
    mark = ("•" if box == "()" else "x") if chosen else " "
    text = f"{box[0]}{mark}{box[1]} {words}"
    return Option(line(text, "bold $text-primary" if chosen else ""), id=key)
