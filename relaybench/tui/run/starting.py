"""Start a run beside the screens, and see it through: notices, the line on top, its end."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from relaybench.domain.errors import PlanError
from relaybench.tui.run.live import LiveRun

if TYPE_CHECKING:
    from relaybench.tui.app import WorkbenchApp
    from relaybench.workbench.runs.planning import Proposal, RunOptions
    from relaybench.workbench.workspace import Workspace

#: Seconds between two looks at how far the run has come, for the line on top of every screen.
_LOOK_EVERY_S: Final = 1.0
_LOOK_FIRST_S: Final = 0.1
#: Seconds that calls under way get to be noted as abandoned when the application ends.
_LEAVE_S: Final = 20.0


def begin_run(
    app: WorkbenchApp, workspace: Workspace, proposal: Proposal, options: RunOptions
) -> LiveRun:
    """Start a run; it goes on while the application lives. Raises PlanError while another does."""
    before = app.desk.run
    if before is not None and before.ended is None:
        raise PlanError(
            f"run {before.name!r} is {before.word}; only one run at a time goes on in this "
            "window. Stop it first, or start the other one in a second terminal"
        )
    live = LiveRun(workspace, proposal, options, app.run_has_changed)
    app.desk.run = live
    live.start()
    app.run_worker(_attend(app, live), name="attend-run", group="lasting", exit_on_error=False)
    return live


async def _attend(app: WorkbenchApp, live: LiveRun) -> None:
    """Keep the line on top fresh, tell what must not be missed, and tell the end."""
    told: list[str] = []
    while live.ended is None:
        _tell_news(app, live, told)
        app.show_status()
        await asyncio.sleep(_LOOK_EVERY_S if live.states else _LOOK_FIRST_S)
    _tell_news(app, live, told)
    ended = live.ended
    app.notice(f"Run {live.name}: {ended.how.value}. {ended.words}", ended.severity)
    app.show_status()
    app.desk.results_changed.publish(None)


def _tell_news(app: WorkbenchApp, live: LiveRun, told: list[str]) -> None:
    """What an earlier session left, and providers that were closed or are out of reach."""
    news = [*live.opening, *(live.states.session.messages if live.states else ())]
    for words in news[len(told) :]:
        app.notice(words, "warning")
    told[:] = news


def end_with(live: LiveRun | None) -> None:
    """Leave a run that still goes on, because the application has ended."""
    if live is not None and live.ended is None:
        live.leave()
        live.wait(_LEAVE_S)
