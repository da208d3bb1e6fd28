"""What happens when the terminal goes away or the process is told to end: leave in good order.

Unsaved work goes into recovery files. A run is left as Ctrl-C twice leaves it on the command line:
calls under way are noted as abandoned, answers that arrived are kept.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from relaybench.tui.app import WorkbenchApp

#: What a process that was told to end returns.
_INTERRUPTED: Final = 130


def watch_terminal(app: WorkbenchApp) -> None:
    """Take SIGHUP and SIGTERM from now on; must be called in the event loop."""

    def lost() -> None:
        app.keep_recoveries()
        if app.desk.run is not None:
            app.desk.run.leave()
        app.exit(return_code=_INTERRUPTED)

    loop = asyncio.get_running_loop()
    for name in ("SIGHUP", "SIGTERM"):
        # There is no such signal, or this is not the main thread: then nobody can be told.
        with contextlib.suppress(AttributeError, NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(getattr(signal, name), lost)
