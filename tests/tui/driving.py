"""Drive the application as a user would: open it, press keys, wait for what works in threads."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import TypeVar

from textual.app import App
from textual.events import Key
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.screen import Screen

from relaybench.tui.app import WorkbenchApp
from relaybench.tui.dialogs.dialog import Dialog
from relaybench.tui.keys_in_turn import InTurnApp
from relaybench.workbench.workspace import Workspace
from tests.tui.watching import WATCH

#: Every journey is made at both.
SIZES = ((80, 24), (120, 40))

S = TypeVar("S", bound=Screen[None])


@contextlib.asynccontextmanager
async def opened(
    workspace: Workspace,
    size: tuple[int, int] = (120, 40),
    mode: str | None = None,
    *,
    watch: bool = True,
) -> AsyncIterator[Pilot[int]]:
    """The application on a workspace, its files read; ``mode`` names the screen to go to."""
    app = WorkbenchApp(workspace)
    # With notices: their markup is then as in the real application.
    async with app.run_test(size=size, notifications=True) as pilot:
        await settled(pilot)
        if watch:
            WATCH.begin()
        try:
            if mode is not None:
                await app.action_go(mode)
                await settled(pilot)
            yield pilot
        finally:
            if watch:
                WATCH.end()


async def settled(pilot: Pilot[int]) -> None:
    """Wait until no worker is busy and every message was handled; not for a dialog's answer."""
    for _ in range(20):
        await pilot.pause()
        app = pilot.app
        while _coming(app):
            await pilot.pause(0.01)
        busy = [
            worker
            for worker in pilot.app.workers
            if not worker.is_finished and worker.group not in PATIENT
        ]
        if not busy:
            return
        waits = [asyncio.ensure_future(_finished(worker)) for worker in busy]
        # A worker that asks the user something waits for the test itself.
        await asyncio.wait(waits, timeout=0.2 if _asking(pilot) else 30)
        if _asking(pilot) and not all(each.done() for each in waits):
            return
    raise AssertionError("workers start each other without end")


def _coming(app: App[int]) -> bool:
    """Whether keys wait for what the one before them opens, or a dialog does not stand yet."""
    if isinstance(app, InTurnApp) and not app.keys.idle:
        return True
    return isinstance(app.screen, Dialog) and not app.screen.seen


#: Groups of workers that last as long as the application does.
PATIENT = frozenset({"lasting"})


async def _finished(worker: object) -> None:
    with contextlib.suppress(Exception, asyncio.CancelledError):
        await worker.wait()  # type: ignore[attr-defined]


def _asking(pilot: Pilot[int]) -> bool:
    return len(pilot.app.screen_stack) > 1


async def press(pilot: Pilot[int], *keys: str) -> None:
    """Press keys, one after the other, and wait until all is settled."""
    await pilot.press(*keys)
    await settled(pilot)


async def type_text(pilot: Pilot[int], text: str) -> None:
    """Type a text into what has the focus."""
    named = {" ": "space", "\n": "enter"}
    await pilot.press(*(named.get(each, each) for each in text))
    await settled(pilot)


async def burst(pilot: Pilot[int], *keys: str) -> None:
    """Keys that come all at once, as from a quick hand or in one packet of a network."""
    for each in keys:
        await asyncio.sleep(0)  # the loop turns, but nobody waits for what a key comes to
        character = each if len(each) == 1 else None
        pilot.app.post_message(Key(_character_to_key(each) if character else each, character))
    await settled(pilot)


def shown(pilot: Pilot[int]) -> str:
    """What the terminal shows, as lines of text."""
    screen = pilot.app.screen
    lines = screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in lines)


def app_of(pilot: Pilot[int]) -> WorkbenchApp:
    """The application that a pilot drives."""
    app = pilot.app
    assert isinstance(app, WorkbenchApp)
    return app
