"""Start the application, with Python set up for one that must never stand still."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING, Final

from relaybench.tui.app import WorkbenchApp
from relaybench.tui.whole_pastes import take_pastes_whole

if TYPE_CHECKING:
    from relaybench.workbench.workspace import Workspace

#: When cycles are looked for: new ones often, through everything hardly ever. With a big grid read
#: that look holds up the screen for nearly half a second, in whichever thread it falls.
COLLECT: Final = (700, 10, 1000)
#: Seconds after which a thread that computes lets the loop's have its turn: Python's own 5 ms are
#: waited for at every step of the loop, and there are some dozens in a switch of screens.
_TURN_S: Final = 0.001


def keep_fluent() -> None:
    """Set Python up for an application that must never stand still.

    Drawing leaves much in cycles. Collected in small lots it is never felt, in lots of 50,000 it
    stops the screen for a tenth of a second, and so does a look through all that is there.
    """
    gc.set_threshold(*COLLECT)
    sys.setswitchinterval(_TURN_S)


def run_app(workspace: Workspace) -> int:
    """Show the workbench until the user leaves; returns the exit code."""
    app = WorkbenchApp(workspace, greets=True)
    take_pastes_whole(app.driver_class)
    keep_fluent()
    try:
        app.run()
    finally:
        if app.desk.run is not None:
            from relaybench.tui.run.starting import end_with

            end_with(app.desk.run)
    return app.return_code or 0
