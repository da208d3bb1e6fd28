"""Carry a run out in a terminal: live progress, and Ctrl-C in two stages.

Loaded only when something is sent, since it needs asyncio and everything below.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator

from relaybench.cli.live import LiveRun
from relaybench.cli.output import say
from relaybench.runner.events import Ending, RunEnded
from relaybench.workbench.planning import Proposal, RunOptions
from relaybench.workbench.progress import Progress
from relaybench.workbench.running import RunSession, open_session
from relaybench.workbench.workspace import Workspace


def carry_out(workspace: Workspace, proposal: Proposal, options: RunOptions) -> int:
    """Run a proposal to its end, or until the user stops it; returns the exit code."""
    return asyncio.run(_carry_out(workspace, proposal, options))


async def _carry_out(workspace: Workspace, proposal: Proposal, options: RunOptions) -> int:
    lives: list[LiveRun] = []
    async with open_session(
        workspace, proposal, options, lambda event: lives[0].take(event)
    ) as session:
        if session.lost:
            say(
                f"{session.lost} calls of an earlier session never came back; they may have been "
                "billed and are sent again"
            )
        counts: dict[str, int] = {}
        for cell in session.cells:
            counts[cell.config] = counts.get(cell.config, 0) + 1
        live = LiveRun(Progress.of(session.stored.configs, counts), simulated=proposal.simulated)
        lives.append(live)
        with live:
            try:
                ended = await _interruptible(session, live)
            except asyncio.CancelledError:
                live.message(f"Left at once. Go on with: relaybench run --resume {proposal.name}")
                return 130
    if ended.ending is Ending.STOPPED:
        say(f"Stopped; go on with: relaybench run --resume {proposal.name}")
        return 130
    if ended.ending is Ending.BUDGET:
        say(
            f"Stopped by the budget: the next call could have gone over it. Go on with: "
            f"relaybench run --resume {proposal.name} --budget MORE"
        )
        return 1
    failed = sum(model.failed for model in live.progress.models.values())
    unsent = live.progress.total - live.progress.done
    if failed or unsent:
        say(
            f"{failed} attempts failed and {unsent} were not sent; they are not scored. Try them "
            f"again with: relaybench run --resume {proposal.name}"
        )
        return 1
    return 0


async def _interruptible(session: RunSession, live: LiveRun) -> RunEnded:
    """Run a session; the first Ctrl-C stops it gently, the second at once."""
    task = asyncio.ensure_future(session.run())
    asked = 0

    def interrupt() -> None:
        nonlocal asked
        asked += 1
        if asked == 1:
            session.stop()
            live.message(
                "Stopping: nothing more is sent, calls under way may finish. "
                "Ctrl-C again leaves at once; calls under way are then lost, though billed."
            )
        else:
            task.cancel()

    with _signals(interrupt, task.cancel):
        return await task


@contextlib.contextmanager
def _signals(interrupt: Callable[[], object], terminate: Callable[[], object]) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    installed = []
    for number, handler in ((signal.SIGINT, interrupt), (signal.SIGTERM, terminate)):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, handler)
            installed.append(number)
    try:
        yield
    finally:
        for number in installed:
            loop.remove_signal_handler(number)
