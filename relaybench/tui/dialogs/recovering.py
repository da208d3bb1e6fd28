"""Unsaved work that an earlier session left behind: restore it, discard it, look at it, or wait."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Literal, cast

from relaybench.tui.dialogs.pick import Choice, Pick
from relaybench.tui.dialogs.reading import Reading
from relaybench.tui.widgets.wrapping import Marked

if TYPE_CHECKING:
    from relaybench.tui.work_screen import WorkScreen
    from relaybench.workbench.problems.saving import Recovery

Decision = Literal["restore", "discard", "later"]


_STYLES: Final = {"+": "$text-success", "-": "$text-error", "@": "$text-muted"}


async def ask_about(screen: WorkScreen, recovery: Recovery) -> Decision:
    """Ask what to do with unsaved work; needs a worker. Leaving is ``later``: it stays."""
    from relaybench.workbench.problems.differing import difference

    when = recovery.kept.astimezone().strftime("%Y-%m-%d %H:%M")
    words = f"Unsaved work on {recovery.shown} was found, kept on {when}."
    if recovery.outdated:
        words += "\nThe file has changed since: restored work would be saved over that."
    choices = [
        Choice("restore", "Restore it", "opens it, unsaved as it was"),
        Choice("look", "Look at what differs", "from what is saved"),
        Choice("whole", "Look at all of it"),
        Choice("discard", "Discard it", "cannot be undone"),
        Choice("later", "Decide later", "it stays where it is"),
    ]
    answer: str | None = "restore"
    while True:
        # Nobody has asked for it: what is being typed just now is not meant for it.
        ask = Pick(words, choices, current=answer, typed_ahead=False)
        answer = await screen.app.push_screen_wait(ask)
        if answer == "look":
            text = await asyncio.to_thread(difference, recovery)
            await screen.app.push_screen_wait(Reading(recovery.shown, text, _coloured(text)))
        elif answer == "whole":
            await screen.app.push_screen_wait(Reading(recovery.shown, recovery.text))
        else:
            return cast("Decision", answer or "later")


def _coloured(difference: str) -> list[Marked]:
    marks, start = [], 0
    for each in difference.split("\n"):
        if style := _STYLES.get(each[:1]):
            marks.append(Marked(start, start + len(each), style))
        start += len(each) + 1
    return marks
