"""What happens when the terminal goes away or the process is told to end: leave in good order.

Unsaved work goes into recovery files. A run is left as Ctrl-C twice leaves it on the command line:
calls under way are noted as abandoned, answers that arrived are kept. The application may be past
helping then (whoever writes to a terminal that is gone can wait for ever), so a thread sees to it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from relaybench.tui.app import WorkbenchApp

#: What a process that was told to end returns.
_INTERRUPTED: Final = 130
#: Seconds that the event loop gets to hear of it, a run to end, and the application after that.
_HEARD_S: Final = 2.0
_RUN_S: Final = 20.0
_ENDED_S: Final = 3.0


def watch_terminal(app: WorkbenchApp) -> None:
    """Take SIGHUP and SIGTERM from now on; must be called in the event loop."""
    loop = asyncio.get_running_loop()
    heard = threading.Event()

    def lost() -> None:
        heard.set()
        leave_in_order(app)
        app.exit(return_code=_INTERRUPTED)

    def told(*_: object) -> None:
        # Not by the loop's own handlers: it may be the one that waits for the terminal.
        threading.Thread(target=_see_to_it, args=(app, heard), daemon=True).start()
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(lost)

    for name in ("SIGHUP", "SIGTERM"):
        # There is no such signal, or this is not the main thread: then nobody can be told.
        with contextlib.suppress(AttributeError, ValueError):
            signal.signal(getattr(signal, name), told)


def leave_in_order(app: WorkbenchApp) -> None:
    """Keep unsaved work, and leave a run that goes on."""
    app.keep_recoveries()
    if app.desk.run is not None:
        app.desk.run.leave()


def _see_to_it(app: WorkbenchApp, heard: threading.Event) -> None:
    """End the process where the application does not end by itself."""
    if not heard.wait(_HEARD_S):
        leave_in_order(app)
    if app.desk.run is not None:
        app.desk.run.wait(_RUN_S)
    threading.Event().wait(_ENDED_S)
    os._exit(_INTERRUPTED)
