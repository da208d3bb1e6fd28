"""Carry a run out in a terminal: live progress, and Ctrl-C in two stages.

Loaded only when something is sent, since it needs asyncio and everything below.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator

from relaybench.cli.live import LiveRun
from relaybench.cli.output import plural, say
from relaybench.runner.events import Ending, RunEnded
from relaybench.workbench.runs.planning import Proposal, RunOptions
from relaybench.workbench.runs.progress import Progress
from relaybench.workbench.runs.running import RunSession, open_session
from relaybench.workbench.runs.session_words import budget_words, opening_words
from relaybench.workbench.workspace import Workspace


def carry_out(
    workspace: Workspace, proposal: Proposal, options: RunOptions
) -> tuple[int, list[str]]:
    """Run a proposal to its end, or until the user stops it.

    Returns the exit code and what is to be said about the end, after the tables.
    """
    return asyncio.run(_carry_out(workspace, proposal, options))


async def _carry_out(
    workspace: Workspace, proposal: Proposal, options: RunOptions
) -> tuple[int, list[str]]:
    lives: list[LiveRun] = []
    async with open_session(
        workspace, proposal, options, lambda event: lives[0].take(event)
    ) as session:
        for each in opening_words(session):
            say(each)
        counts: dict[str, int] = {}
        for cell in session.cells:
            counts[cell.config] = counts.get(cell.config, 0) + 1
        live = LiveRun(Progress.of(session.stored.configs, counts), simulated=proposal.simulated)
        lives.append(live)
        resume = f"Go on with: relaybench run --resume {proposal.name}"
        with live:
            try:
                ended = await _interruptible(session, live)
            except asyncio.CancelledError:
                return 130, ["Left at once; calls under way are lost, though billed.", resume]
    if ended.ending is Ending.STOPPED:
        return 130, ["Stopped.", resume]
    if ended.ending is Ending.BUDGET:
        return 1, [
            budget_words(session),
            f"{resume} --budget MORE",
        ]
    unclear = sum(model.unclear for model in live.progress.models.values())
    failed = sum(model.failed for model in live.progress.models.values())
    unsent = live.progress.total - live.progress.done
    words = []
    if unclear:
        words.append(
            f"{plural(unclear, 'answer')} kept but not scored, for an unknown stop reason: "
            f"relaybench attempts {proposal.name} --outcome error"
        )
    if failed or unsent:
        words.append(
            f"{plural(failed, 'attempt')} failed and {unsent} {'was' if unsent == 1 else 'were'} "
            "not sent; they are not scored."
        )
        words.append(resume)
    return (1 if words else 0), words


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
