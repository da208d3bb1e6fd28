"""The base of all dialogs: Esc or a click beside it leaves, and both are said on its border."""

from __future__ import annotations

from math import inf
from typing import Generic

from textual import events
from textual._time import get_time
from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen, ScreenResultType

from relaybench.tui.resizing import pass_over_stale
from relaybench.tui.showing import line


class Dialog(ModalScreen[ScreenResultType], Generic[ScreenResultType]):
    """A dialog in a box of the class ``dialog``. Escape has to leave it.

    ``typed_ahead``: whether keys count that were pressed before it could be seen.
    """

    typed_ahead = True
    #: When it could be seen first, by the clock of Textual's events.
    seen_at = inf
    #: Whether it has got its answer, and is being taken away.
    left = False

    @property
    def seen(self) -> bool:
        """Whether it stands on the screen, with the focus where it belongs."""
        return self.seen_at < inf

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Leave with an answer; whoever left already, and presses a key late, changes nothing."""
        if self.left:
            return AwaitComplete()
        self.left = True
        leaving: AwaitComplete = super().dismiss(result)
        return leaving

    async def _on_resize(self, event: events.Resize) -> None:
        if event.size == self._compositor.size:  # told by itself: it was just laid out for that
            event.stop()
            event.prevent_default()
        else:
            pass_over_stale(self, event)

    def _on_screen_resume(self, event: events.ScreenResume) -> None:
        event.refresh_styles = False  # as for the screens, see WorkScreen

    def _on_mount(self, event: events.Mount) -> None:
        for box in self.query(".dialog"):
            box.border_subtitle = line("esc or a click beside it leaves")
        self.call_after_refresh(self._stands)

    def _stands(self) -> None:
        self.seen_at = get_time()

    async def _on_click(self, event: events.Click) -> None:
        escape = self.active_bindings.get("escape")
        if event.widget is self and escape is not None:
            await self.app.run_action(escape.binding.action, escape.node)
