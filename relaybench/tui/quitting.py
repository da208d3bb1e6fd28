"""What is asked before the application ends: unsaved work first, then a run that goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from relaybench.tui.app import WorkbenchApp


async def may_quit(app: WorkbenchApp) -> bool:
    """Ask what must be asked; True where the application may end now. Needs a worker."""
    return await _unsaved_settled(app) and await _run_settled(app)


async def _unsaved_settled(app: WorkbenchApp) -> bool:
    from relaybench.domain.errors import RelaybenchError
    from relaybench.tui.dialogs.pick import Choice, Pick
    from relaybench.tui.work_screen import details_of, reason

    screens = [screen for screen in app.work_screens if screen.unsaved()]
    names = [name for screen in screens for name in screen.unsaved()]
    if not names:
        return True
    saving = [screen.SAVING for screen in screens if screen.SAVING]
    saves_all = len(saving) < len(screens)
    choices = [
        Choice("save", "Save all and quit" if saves_all else "Keep and quit", "; ".join(saving)),
        Choice("keep", "Quit without saving", "a recovery file is kept and offered later"),
        Choice("stay", "Stay"),
    ]
    if not saves_all:  # nothing can be saved that is not kept the same way
        del choices[1]
    answer: str | None = await app.push_screen_wait(
        Pick(f"Unsaved: {', '.join(names)}", choices, current="save")
    )
    if answer == "keep":
        app.keep_recoveries()
        if unkept := [name for screen in screens for name in screen.unkept()]:
            app.notice(
                f"No recovery file can be written for {', '.join(unkept)}: save it elsewhere first",
                "error",
            )
            return False
        return True
    if answer != "save":
        return False
    try:
        for screen in screens:
            await screen.save_all()
    except (RelaybenchError, OSError) as error:
        app.notice(f"Not everything could be saved: {reason(error)}", "error", details_of(error))
        return False
    return True


async def _run_settled(app: WorkbenchApp) -> bool:
    run = app.desk.run
    if run is None or run.ended:
        return True
    return await run.ask_before_quitting(app)
