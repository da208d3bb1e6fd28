"""Put a triage mark on an attempt: ask for a note, write it, say that outcomes stay."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from relaybench.domain.triage import Blame

if TYPE_CHECKING:
    from relaybench.tui.work_screen import WorkScreen


async def ask_and_mark(screen: WorkScreen, attempt: int, blame: Blame) -> bool:
    """Mark an attempt once the user has entered a note; whether it was marked. In a worker."""
    from relaybench.tui.dialogs.ask import Ask
    from relaybench.workbench.results.triage import mark

    note = await screen.app.push_screen_wait(
        Ask(
            f"Attempt {attempt}: {blame.value} fault",
            hint="A note, if you like; Enter marks it. A mark changes no outcome.",
        )
    )
    if note is None:
        return False
    marked = False
    with screen.reporting("the mark was not kept"):
        await asyncio.to_thread(mark, screen.desk.workspace, attempt, blame, note)
        marked = True
    return marked


async def unmark(screen: WorkScreen, attempt: int) -> bool:
    """Take marks back; whether they were. In a worker."""
    from relaybench.workbench.results.triage import mark

    taken_back = False
    with screen.reporting("the mark was not taken back"):
        await asyncio.to_thread(mark, screen.desk.workspace, attempt, None)
        screen.notice(f"Attempt {attempt}: the mark was taken back; it stays in the trail.")
        taken_back = True
    return taken_back
