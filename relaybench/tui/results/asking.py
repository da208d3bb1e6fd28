"""What the screen asks the user in dialogs, and what it does with the answers. Needs a worker."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from relaybench.tui.messages import OpenAttempt
from relaybench.tui.results.export_dialog import ExportDialog
from relaybench.tui.results.pick_attempt import PickAttempt
from relaybench.tui.results.pick_models import PickModels
from relaybench.tui.results.shelf import OF_MODELS

if TYPE_CHECKING:
    from relaybench.tui.screens.results import ResultsScreen


async def open_attempt(screen: ResultsScreen, model: str | None, item: str | None) -> None:
    """Show the attempts of a model or at an item, and open the one that is chosen."""
    from relaybench.workbench.results.reporting import attempt_list

    runs = screen.selection.runs
    if screen.shown is not None and screen.shown.view in runs:  # the table of one of several runs
        runs = (screen.shown.view,)
    read = partial(attempt_list, screen.desk.workspace, runs, model=model, item=item)
    picked = await screen.app.push_screen_wait(PickAttempt(model or item or "", read))
    if picked is not None:
        screen.post_message(OpenAttempt(picked.attempt, picked.among))


async def compared_models(screen: ResultsScreen) -> tuple[str, ...] | None:
    """The models to compare; that of the row under the cursor is ticked already."""
    await screen.learn()
    models = list(screen.known.models) if screen.known is not None else []
    if len(models) < 2:
        screen.notice("A comparison needs two models or more in the runs that are ticked.")
        return None
    view = screen.stage.table
    here, row = (view.shown, view.row) if view is not None else (None, None)
    ticked = list(screen.selection.compared)
    if not ticked and here is not None and here.name in OF_MODELS and row is not None:
        ticked = [str(here.value(row, "model"))]
    return await screen.app.push_screen_wait(PickModels(models, ticked))


async def export(screen: ResultsScreen) -> None:
    """Ask what to write where, and write it."""
    if not screen.selection.runs:
        screen.notice("There are no results to export yet.")
        return
    dialog = ExportDialog(screen.desk.workspace, screen.selection.runs)
    written: list[Path] | None = await screen.app.push_screen_wait(dialog)
    if written:
        where = written[0] if len(written) == 1 else written[0].parent
        what = "1 file" if len(written) == 1 else f"{len(written)} files"
        files = "\n".join(str(each) for each in written)
        screen.notice(f"Written: {what}, {where}", details=files)
