"""The application: it holds the desk, switches between the seven screens, tells the user things.

What a screen does is the screen's own affair; nothing of it stands here.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sys
from collections.abc import Iterable
from datetime import datetime
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen

from relaybench.domain.errors import NoProblemsError, RelaybenchError
from relaybench.domain.literal import visible
from relaybench.tui.app_keys import APP_KEYS
from relaybench.tui.control_filter import ControlCharacters
from relaybench.tui.desk import LOOK_EVERY_S, Desk
from relaybench.tui.faults import came_too_late, fault_words
from relaybench.tui.keys_in_turn import InTurnApp
from relaybench.tui.messages import OpenTarget
from relaybench.tui.modes import MODES, Mode
from relaybench.tui.stylesheet import KeptStylesheet
from relaybench.tui.terminal_loss import watch_terminal
from relaybench.tui.themes import DARK, THEMES, UNKNOWN, readable
from relaybench.tui.widgets.mode_bar import ModeBar
from relaybench.tui.work_screen import Severity, WorkScreen, details_of, reason

if TYPE_CHECKING:
    from textual.await_remove import AwaitRemove
    from textual.dom import DOMNode
    from textual.widget import Widget

    from relaybench.tui.dialogs.notices import Notice
    from relaybench.workbench.workspace import Workspace

_LOG: Final = logging.getLogger(__name__)

#: Characters of a notice that pops up; the whole stands behind F9.
_SHORT: Final = 400
_KEPT_NOTICES: Final = 200
#: Seconds within which the same words count as told already.
_AT_ONCE_S: Final = 1.0


class WorkbenchApp(InTurnApp[int]):
    """relaybench on screen. ``return_code`` is what the command exits with."""

    TITLE = "relaybench"
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = APP_KEYS

    def __init__(self, workspace: Workspace, *, greets: bool = False) -> None:
        """``greets``: make somebody who starts for the first time an offer."""
        super().__init__()
        self.stylesheet = KeptStylesheet(variables=self.get_css_variables())
        self.desk = Desk(self, workspace)
        self.notices: list[Notice] = []
        self._filters.append(ControlCharacters())
        self._look_failed = ""
        self._noticed = 0.0  # when something was told last
        self._greets = greets
        for mode in MODES:
            self.add_mode(mode.name, partial(self._make_screen, mode))
        for theme in THEMES:
            self.register_theme(theme)
        for name in UNKNOWN:
            self.unregister_theme(name)
        self.theme = DARK.name

    def get_css_variables(self) -> dict[str, str]:
        """The variables of the theme, such that all can be read."""
        return readable(super().get_css_variables())

    def compose(self) -> ComposeResult:
        """What stands at once: the library, which comes next, takes a moment to load."""
        yield ModeBar(MODES[0].name)

    def on_mount(self) -> None:
        """Begin when the first picture stands."""
        if not self.is_headless:
            watch_terminal(self)
        self.desk.run_changed.subscribe(self, lambda _: self.show_status())
        self.call_after_refresh(self.begin)

    @work(exclusive=True, group="begin")
    async def begin(self) -> None:
        """Show the library, unless the user has gone elsewhere meanwhile, then read the files."""
        await asyncio.to_thread(MODES[0].load)
        if self._at_start:
            await self.action_go(MODES[0].name)
        self._read_first()

    @property
    def _at_start(self) -> bool:
        return self.current_mode == "_default"

    def _make_screen(self, mode: Mode) -> WorkScreen:
        screen = mode.screen(self.desk)
        # Its widgets get their styles as they are mounted: Textual, which takes the styles of a
        # new screen for outdated, would work out those of the whole application three times.
        screen._css_update_count = self._css_update_count
        screen.fit(self.size)
        return screen

    def _read_first(self) -> None:
        self.read_files()
        self.set_interval(LOOK_EVERY_S, self.look)
        if self._greets:
            self.greet()

    @work(exclusive=True, group="welcome")
    async def greet(self) -> None:
        """Offer the demo and the tour, or a workspace, where this is a first start."""
        from relaybench.tui.welcome import welcome

        await welcome(self)

    @work(exclusive=True, group="welcome")
    async def show_tour(self) -> None:
        """Five cards on what the screens are for."""
        from relaybench.tui.welcome import tour

        await tour(self)

    @work(exclusive=True, group="welcome")
    async def run_demo(self) -> None:
        """Run the demo on the simulator."""
        from relaybench.tui.welcome import run_demo

        await run_demo(self)

    @work(exclusive=True, group="files")
    async def read_files(self) -> None:
        """Read problems and models; what goes wrong becomes a notice."""
        for reading in (self.desk.read_problems, self.desk.read_catalog):
            try:
                await reading()
            except NoProblemsError as error:
                if not self._greets:  # else it is asked what to do about it
                    self.notice(reason(error), "error")
            except (RelaybenchError, OSError) as error:
                self._look_failed = reason(error)
                self.notice(reason(error), "error", details_of(error))
        self.show_status()
        for mode in MODES:  # now, so that going there later is quick
            await asyncio.to_thread(mode.load)
            self._read_styles(mode)
            await asyncio.sleep(0)

    def _read_styles(self, mode: Mode) -> None:
        if not self.stylesheet.has_source(str(mode.stylesheet)):
            self.stylesheet.read(mode.stylesheet)
            self.stylesheet.parse()

    @work(exclusive=True, group="look")
    async def look(self) -> None:
        """Read again what was changed from outside; a lasting fault is told once."""
        try:
            await self.desk.look()
        except (RelaybenchError, OSError) as error:
            if reason(error) != self._look_failed:
                self._look_failed = reason(error)
                self.notice(reason(error), "error", details_of(error))
        else:
            self._look_failed = ""

    def show_status(self) -> None:
        """Workspace and run under way, at the right of the switcher."""
        name, brief = self.desk.workspace.root.name, []
        status = [name]
        if self.desk.demo:
            status.insert(0, "demo results")
            brief.append("demo")
        if (run := self.desk.run) is not None and run.ended is None:
            status.insert(0, run.headline)
            brief.insert(0, f"{run.done}/{run.total}")
        for stack in self._screen_stacks.values():
            for bar in (bar for screen in stack for bar in screen.query(ModeBar)):
                bar.brief = " ".join(each for each in brief if each) or name
                bar.status = " · ".join(status)

    def run_has_changed(self) -> None:
        """Tell everyone that a run of this application began or ended; from any thread."""
        self.call_later(self.desk.run_changed.publish, None)

    @property
    def work_screens(self) -> list[WorkScreen]:
        """The screens of the workbench that have been shown so far."""
        return [
            screen
            for stack in self._screen_stacks.values()
            for screen in stack
            if isinstance(screen, WorkScreen)
        ]

    async def action_go(self, mode: str) -> None:
        """Go to a screen; not from under a dialog."""
        if isinstance(self.screen, WorkScreen) or self._at_start:
            await asyncio.to_thread(next(each.load for each in MODES if each.name == mode))
            await self.switch_mode(mode)
            self.show_status()

    async def on_mode_bar_chosen(self, message: ModeBar.Chosen) -> None:
        """Go where the mouse pointed."""
        await self.action_go(message.mode)

    @on(OpenTarget)
    async def open_target(self, message: OpenTarget) -> None:
        """Switch to the screen that a message names, and let it open its target."""
        await self.action_go(message.mode)
        screen = self.screen
        if isinstance(screen, WorkScreen) and message.mode == screen.MODE:
            screen.call_after_refresh(screen.open_target, message)

    def notice(self, text: str, severity: Severity = "information", details: str = "") -> None:
        """Tell the user something; it stays behind F9 with its details."""
        from relaybench.tui.dialogs.notices import Notice

        notice = Notice(f"{datetime.now():%H:%M:%S}", severity, text, details)
        last = self.notices[-1] if self.notices else None
        since, self._noticed = monotonic() - self._noticed, monotonic()
        if last and (last.text, last.details) == (text, details) and since < _AT_ONCE_S:
            return  # several parts of the application met the same fault
        self.notices.append(notice)
        del self.notices[:-_KEPT_NOTICES]
        shown = "\n".join(visible(each) for each in text.split("\n"))
        if len(shown) > _SHORT or details:
            shown = f"{shown[:_SHORT]}{'…' if len(shown) > _SHORT else ''}\n(F9: all of it)"
        self.notify(shown, severity=severity, markup=False, timeout=8 if severity == "error" else 5)

    def action_notices(self) -> None:
        """The notices in full."""
        from relaybench.tui.dialogs.notices import Notices

        if not isinstance(self.screen, Notices):
            self.push_screen(Notices(self.notices))

    def action_explain(self) -> None:
        """Explain the screen."""
        from relaybench.tui.dialogs.explain import Explain, keys_of

        screen = self.screen
        if not isinstance(screen, WorkScreen):
            return
        active = list(screen.active_bindings.values())
        display = {each.binding.key: self.get_key_display(each.binding) for each in active}
        title = next(mode.title for mode in MODES if mode.name == screen.MODE)
        self.push_screen(Explain(title, screen.EXPLAINS, keys_of(active, display)))

    async def action_quit(self) -> None:
        """Leave; asks first where work is unsaved or a run goes on."""
        self._quit()

    @work(exclusive=True, group="quit")
    async def _quit(self) -> None:
        from relaybench.tui.quitting import may_quit

        if await may_quit(self):
            self.exit(0)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Every action of the screen and of the app, for the palette."""
        from relaybench.tui.palette import commands

        yield from commands(self, screen)
        yield from super().get_system_commands(screen)

    def get_key_display(self, binding: Binding) -> str:
        """Keys as they stand on a keyboard: F8, not f8."""
        display = super().get_key_display(binding)
        return display.upper() if re.fullmatch(r"f\d+", display) else display

    def _prune(self, *nodes: Widget, parent: DOMNode | None = None) -> AwaitRemove:
        """Take widgets away; their workers stop first, and never look for what has gone."""
        for node in nodes:
            for each in node.walk_children(with_self=True):
                self.workers.cancel_node(each)
        return super()._prune(*nodes, parent=parent)

    def deliver_screenshot(
        self,
        filename: str | None = None,
        path: str | None = None,
        time_format: str | None = None,
    ) -> None:
        """Save what the screen shows into the workspace (or ``path``), and say where."""
        folder = path or str(self.desk.workspace.root)
        name = filename or f"relaybench-{datetime.now():%Y%m%d-%H%M%S}.svg"
        try:
            saved = self.save_screenshot(name, folder, time_format)
        except OSError as error:
            self.notice(f"The screenshot cannot be saved: {reason(error)}", "error")
        else:
            self.notice(f"The screenshot is {saved}")

    def keep_recoveries(self) -> None:
        """Write unsaved work of all screens into recovery files, whatever else is broken."""
        for screen in self.work_screens:
            try:
                screen.keep_recovery()
            except Exception:  # one screen's fault must not cost the work of another
                _LOG.exception("recovery of %s failed", screen.MODE)

    def _handle_exception(self, error: Exception) -> None:
        """Pass over what only came too late; else the application ends."""
        if not came_too_late(error):
            super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """A fault of ours: keep what is unsaved, and say so without a traceback."""
        self.keep_recoveries()
        if os.environ.get("RELAYBENCH_DEBUG"):
            super()._fatal_error()
        else:
            self.panic(fault_words(sys.exc_info()[1] or self._exception))
