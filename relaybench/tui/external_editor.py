"""Edit a file in the user's own editor, while runs of this application go on."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from relaybench.domain.errors import UsageError

if TYPE_CHECKING:
    from textual.app import App

#: Tried in this order where neither VISUAL nor EDITOR is set.
_USUAL = ("nano", "vim", "vi")


def editor_command(environment: Mapping[str, str]) -> list[str]:
    """The user's editor with its arguments; raises UsageError where there is none."""
    for name in ("VISUAL", "EDITOR"):
        try:
            words = shlex.split(environment.get(name, ""))
        except ValueError as error:
            raise UsageError(f"${name} cannot be understood: {error}") from error
        if words:
            return words
    found = next((each for each in _USUAL if shutil.which(each)), None)
    if found is None:
        raise UsageError("there is no editor: set the variable EDITOR to one, such as nano")
    return [found]


async def edit_outside(app: App[int], path: Path) -> None:
    """Give the terminal to the user's editor until it ends.

    Raises UsageError where there is none or it cannot be started.
    """
    from textual.app import SuspendNotSupported

    command = editor_command(os.environ)
    try:
        # In a batch nothing is drawn, but workers and runs go on.
        with app.suspend(), app.batch_update():
            process = await asyncio.create_subprocess_exec(*command, str(path))
            code = await process.wait()
    except SuspendNotSupported as error:
        raise UsageError("this terminal cannot be handed to an editor") from error
    except OSError as error:
        raise UsageError(f"{command[0]} cannot be started: {error.strerror}") from error
    if code:
        raise UsageError(f"{command[0]} ended with code {code}; the file was read again")
