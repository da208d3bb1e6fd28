"""The way of a prompt out of the terminal: to the clipboard, or into a file."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from relaybench.domain.errors import UsageError
from relaybench.workbench.runs.manual import prompt_of
from relaybench.workbench.runs.prompt_files import write_prompt

if TYPE_CHECKING:
    from relaybench.store.manual import ManualCell
    from relaybench.tui.work_screen import WorkScreen

#: Bytes from which on some terminals drop what is sent to the clipboard.
MUCH: Final = 75_000


async def copy_prompt(screen: WorkScreen, cell: ManualCell) -> None:
    """Copy a cell's exact prompt by OSC 52. Needs a worker; what goes wrong becomes a notice."""
    with screen.reporting("the prompt cannot be copied"):
        prompt = await asyncio.to_thread(prompt_of, screen.desk.workspace, cell)
        try:
            size = len(prompt.encode("utf-8"))
        except UnicodeEncodeError as error:
            raise UsageError("it holds half a character, which no terminal can carry") from error
        screen.app.copy_to_clipboard(prompt)
        words = f"Prompt copied ({len(prompt):,} characters). Paste it into the model's page."
        if size > MUCH:
            words += "\nSome terminals drop so much: see that all arrived, or press f for a file."
        screen.notice(words, "warning" if size > MUCH else "information")


async def write_prompt_file(screen: WorkScreen, cell: ManualCell) -> None:
    """Write a cell's exact prompt into a file and say where. Needs a worker."""
    with screen.reporting("the prompt cannot be written"):
        path = await asyncio.to_thread(write_prompt, screen.desk.workspace, cell)
        screen.notice(f"The exact prompt is in {path}")
