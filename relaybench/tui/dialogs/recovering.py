"""Unsaved work that an earlier session left behind: restore it, discard it, look at it, or wait."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from relaybench.tui.dialogs.pick import Choice, Pick
from relaybench.tui.dialogs.reading import Reading

if TYPE_CHECKING:
    from relaybench.tui.work_screen import WorkScreen
    from relaybench.workbench.problems.saving import Recovery

Decision = Literal["restore", "discard", "later"]


async def ask_about(screen: WorkScreen, recovery: Recovery) -> Decision:
    """Ask what to do with unsaved work; needs a worker. Leaving is ``later``: it stays."""
    when = recovery.kept.astimezone().strftime("%Y-%m-%d %H:%M")
    words = f"Unsaved work on {recovery.shown} was found, kept on {when}."
    if recovery.outdated:
        words += "\nThe file has changed since: restored work would be saved over that."
    choices = [
        Choice("restore", "Restore it", "opens it, unsaved as it was"),
        Choice("look", "Look at it first"),
        Choice("discard", "Discard it", "cannot be undone"),
        Choice("later", "Decide later", "it stays where it is"),
    ]
    while True:
        answer = await screen.app.push_screen_wait(Pick(words, choices, current="restore"))
        if answer != "look":
            return cast("Decision", answer or "later")
        await screen.app.push_screen_wait(Reading(recovery.shown, recovery.text))
