"""The base of the seven screens: switcher above, footer below, notices, work in threads."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Literal, cast

from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import Screen

from relaybench.domain.errors import ProblemError, RelaybenchError
from relaybench.tui.resizing import pass_over_stale
from relaybench.tui.widgets.key_bar import KeyBar
from relaybench.tui.widgets.mode_bar import ModeBar

if TYPE_CHECKING:
    from relaybench.tui.app import WorkbenchApp
    from relaybench.tui.desk import Desk
    from relaybench.tui.messages import OpenTarget

Severity = Literal["information", "warning", "error"]


class WorkScreen(Screen[None]):
    """A screen of the workbench. ``EXPLAINS`` is what `?` says of it, above the table of keys."""

    MODE: ClassVar[str] = ""
    EXPLAINS: ClassVar[str] = ""
    #: What ``save_all`` does with unsaved work where it does not save it.
    SAVING: ClassVar[str] = ""
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - as Textual declares it
        (0, "-narrow"),
        (100, "-normal"),
        (160, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]  # noqa: RUF012

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk

    @property
    def workbench(self) -> WorkbenchApp:
        """The application."""
        return cast("WorkbenchApp", self.app)

    def fit(self, size: Size) -> None:
        """Take the classes of a terminal's size before anything is mounted, and styled for it."""
        for breakpoints, length in (
            (self.HORIZONTAL_BREAKPOINTS, size.width),
            (self.VERTICAL_BREAKPOINTS, size.height),
        ):
            self.add_class([name for least, name in breakpoints if least <= length][-1])

    async def _on_resize(self, event: events.Resize) -> None:
        pass_over_stale(self, event)

    def _on_screen_resume(self, event: events.ScreenResume) -> None:
        # Textual works out the styles of every widget again whenever a screen comes back, and twice
        # for a new one. They are right: widgets got them when they were mounted, and another theme
        # is seen to by the switch itself.
        event.refresh_styles = False

    def compose(self) -> ComposeResult:
        """Put the screen's own widgets between switcher and footer."""
        yield ModeBar(self.MODE)
        yield from self.compose_work()
        yield KeyBar()

    def compose_work(self) -> ComposeResult:
        """What the screen itself shows."""
        yield from ()

    def open_target(self, target: OpenTarget) -> None:
        """Show what a message of another screen asks for."""

    def unsaved(self) -> list[str]:
        """Names of what has changes that are not saved."""
        return []

    def unkept(self) -> list[str]:
        """Those of ``unsaved`` that ``keep_recovery`` could not write."""
        return []

    async def save_all(self) -> None:
        """Save what ``unsaved`` names; raises RelaybenchError where something cannot be saved."""

    def keep_recovery(self) -> None:
        """Write unsaved work into recovery files at once: the application is going down."""

    def notice(self, text: str, severity: Severity = "information", details: str = "") -> None:
        """Tell the user something; ``details`` and the whole text stay behind F9."""
        self.workbench.notice(text, severity, details)

    @contextlib.contextmanager
    def reporting(self, what: str) -> Iterator[None]:
        """Turn what goes wrong inside into a notice that says what was attempted."""
        try:
            yield
        except (RelaybenchError, OSError) as error:
            self.notice(f"{what}: {reason(error)}", "error", details_of(error))


def reason(error: Exception) -> str:
    """An error in words for a user."""
    if isinstance(error, OSError):
        where = f": {error.filename}" if error.filename else ""
        return f"{error.strerror or error}{where}"
    return str(error)


def details_of(error: Exception) -> str:
    """Findings that an error carries, a line each."""
    if not isinstance(error, ProblemError):
        return ""
    return "\n".join(
        f"{each.file} line {each.line} {each.key}: {each.problem}; {each.mend}"
        for each in error.findings
    )
