"""What somebody is offered who starts the workbench for the first time; and the tour.

Nothing is written that the user did not ask for, so nobody remembers that the offer was made: it
comes back until there are results or keys.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from relaybench.domain.errors import RelaybenchError
from relaybench.tui.messages import OpenRun

if TYPE_CHECKING:
    from relaybench.tui.app import WorkbenchApp
    from relaybench.workbench.workspace import Workspace


async def welcome(app: WorkbenchApp) -> None:
    """Offer what fits a first start; does nothing on a later one. Needs a worker."""
    from relaybench.workbench.runs.demonstrating import FirstStart, first_start

    try:
        start = await asyncio.to_thread(first_start, app.desk.workspace)
    except (RelaybenchError, OSError):
        return  # said already, when the files were read
    if start is FirstStart.NO_WORKSPACE:
        await _offer_workspace(app)
        start = await asyncio.to_thread(first_start, app.desk.workspace)
    if start is FirstStart.NO_KEYS and await _unsaved_work_settled(app):
        await _offer_demo(app)
    if start is FirstStart.KNOWN:
        await tell_open_runs(app)


async def _unsaved_work_settled(app: WorkbenchApp) -> bool:
    """Wait until the library has offered unsaved work; False where that led to the Composer."""
    from relaybench.tui.draft_screen import DraftScreen
    from relaybench.workbench.problems.saving import recoveries

    if not await asyncio.to_thread(recoveries, app.desk.workspace):
        return True
    for screen in app.work_screens:
        if isinstance(screen, DraftScreen):
            await screen.unsaved_work_offered.wait()
    return app.current_mode == "library"


async def tell_open_runs(app: WorkbenchApp) -> None:
    """Say which runs can go on; of unsaved work the library tells, which is shown first."""
    from relaybench.tui.run.run_list import LEADS_HERE
    from relaybench.workbench.runs.watching import stored_runs

    try:
        runs = await asyncio.to_thread(stored_runs, app.desk.workspace)
    except (RelaybenchError, OSError):
        return  # the screens say what is wrong with their files
    begun = [run for run in runs if run.kind == "run" and run.answered < run.planned]
    if begun:
        more = f", and {len(begun) - 1} more" if len(begun) > 1 else ""
        app.notice(f"Run {begun[0].name} has open cells{more}: {LEADS_HERE}")


async def _offer_workspace(app: WorkbenchApp) -> None:
    from relaybench.tui.dialogs.ask import Ask
    from relaybench.tui.dialogs.pick import Choice, Pick

    root = app.desk.workspace.root
    answer = await app.push_screen_wait(
        Pick(
            f"There are no problems in {root}",
            [
                Choice("make", "Make a workspace here", "a small example to begin with"),
                Choice("other", "Make one in another folder …"),
                Choice("quit", "Leave"),
            ],
            typed_ahead=False,
        )
    )
    folder: str | None = str(root)
    if answer == "other":
        folder = await app.push_screen_wait(Ask("Folder of the new workspace", value=str(root)))
    if answer in (None, "quit") or not folder:
        app.exit(0)
        return
    await make_workspace(app, folder)


async def make_workspace(app: WorkbenchApp, folder: str) -> None:
    """Make a workspace and go over to it."""
    from relaybench.tui.typed_path import typed_path
    from relaybench.workbench.problems.starting import init_workspace
    from relaybench.workbench.workspace import find_workspace

    environment = app.desk.workspace.environment

    def make() -> Workspace:
        place = typed_path(folder, Path.cwd())
        init_workspace(place)
        return find_workspace(place, environment=environment)

    try:
        workspace = await asyncio.to_thread(make)
    except (RelaybenchError, OSError) as error:
        app.notice(str(error), "error")
        return
    app.desk.work_in(workspace)
    await app.read_files().wait()


async def _offer_demo(app: WorkbenchApp) -> None:
    from relaybench.tui.dialogs.pick import Choice, Pick

    toured = False
    while True:
        answer = await app.push_screen_wait(
            Pick(
                "Welcome to relaybench",
                [
                    Choice(
                        "demo", "Run the demo", "ten composites, simulated models: free, offline"
                    ),
                    Choice("tour", "Take the tour", "five cards, a minute"),
                    Choice("work", "Go to work", "? explains every screen, ^p finds every action"),
                ],
                current="work" if toured else "demo",
                typed_ahead=False,
            )
        )
        if answer != "tour":
            break
        await tour(app)
        toured = True
    if answer == "demo":
        await run_demo(app)


async def run_demo(app: WorkbenchApp) -> None:
    """Run the demo on the screen Run; its results stay apart from the user's own."""
    from relaybench.tui.run.starting import begin_run
    from relaybench.workbench.runs.demonstrating import demo_workspace, propose_demo
    from relaybench.workbench.runs.planning import RunOptions

    workspace = demo_workspace(app.desk.workspace)
    try:
        proposal = await asyncio.to_thread(propose_demo, workspace)
        begin_run(app, workspace, proposal, RunOptions())
    except (RelaybenchError, OSError) as error:
        app.notice(f"The demo cannot run: {error}", "error")
        return
    app.desk.work_in(workspace, demo=True)
    app.notice(
        "The demo's results are in .demo/results.db. “Own results” in the palette (^p) leads back "
        "to yours."
    )
    await app.open_target(OpenRun(proposal.name))


def own_results(app: WorkbenchApp) -> None:
    """Go back from the demo's results file to the workspace's own."""
    app.desk.work_in(app.desk.own)
    app.show_status()


async def tour(app: WorkbenchApp) -> None:
    """Five cards, each over its screen."""
    from relaybench.tui.dialogs.tour import CARDS, TourCard

    number = 0
    while 0 <= number < len(CARDS):
        await app.action_go(CARDS[number].mode)
        steps = await app.push_screen_wait(TourCard(number))
        if not steps:
            break
        number += steps
    await app.action_go("library")
