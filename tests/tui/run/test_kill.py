"""kill -9 of the application in mid-run: what arrived is kept, and only the rest is sent again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

from relaybench.workbench.workspace import Workspace
from tests.tui.driving import SIZES, opened, press, settled, shown
from tests.tui.run.support import ended, live_run, run_screen, until
from tests.workbench.chat_server import ChatServer
from tests.workbench.runs.test_kill import _MODELS
from tests.workbench.support import make_workspace, stored

ROOT = Path(__file__).parents[3]
CELLS, QUICK, AT_ONCE = 8, 3, 2

#: The application without a terminal, driven to the start of a run, which then goes on.
_APP = """
import asyncio, sys
from pathlib import Path
from relaybench.tui.app import WorkbenchApp
from relaybench.workbench.workspace import find_workspace
from tests.tui.driving import press, settled
from tests.tui.run.support import tick

async def drive(pilot):
    await settled(pilot)
    await pilot.app.action_go("run")
    await settled(pilot)
    await tick(pilot, "problems", *(f"library:math/sum:n-{n}" for n in range(1, CELLS + 1)))
    await tick(pilot, "models", "local")
    await press(pilot, "ctrl+r")
    await press(pilot, "y")  # it costs: it asks
    await asyncio.Event().wait()

CELLS = int(sys.argv[2])
app = WorkbenchApp(find_workspace(Path(sys.argv[1]), environment={}))
app.run(headless=True, size=(120, 40), auto_pilot=drive)
"""


def _start(root: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", _APP, str(root), str(CELLS)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


async def test_kill_9_of_the_application_loses_nothing_and_resume_repeats_nothing(
    tmp_path: Path,
) -> None:
    made = make_workspace(tmp_path, CELLS)
    workspace = Workspace(made.root, made.database, {})
    with ChatServer(QUICK) as server:
        models = _MODELS.format(url=server.url, at_once=AT_ONCE, stream="false")
        (tmp_path / "models.toml").write_text(models, "utf-8")
        child = _start(tmp_path)
        try:
            held = server.wait_for_held(AT_ONCE, 90)
        finally:
            child.send_signal(signal.SIGKILL)
            said, _ = child.communicate(timeout=60)
        assert held, said.decode()
        before = list(server.prompts)
        assert len(before) == QUICK + AT_ONCE
        server.release()

        (name,) = _runs(workspace)
        with stored(workspace, name) as s:
            assert s.missing == CELLS - QUICK
        async with opened(workspace, SIZES[0], "run") as pilot:
            await until(pilot, lambda: f"{CELLS - QUICK} of {CELLS} open" in shown(pilot))
            run_screen(pilot).query_one("#open-runs").focus()
            await press(pilot, "enter")
            await until(pilot, lambda: run_screen(pilot).watching)
            await press(pilot, "r", "y")
            await settled(pilot)
            await ended(pilot, await live_run(pilot))
        again = server.prompts[len(before) :]
        assert Counter(again) == Counter(set(again))
        assert len(again) == CELLS - QUICK
        assert not set(again) & set(before[:QUICK])
    with stored(workspace, name) as s:
        assert s.missing == 0
        statuses = s.on.rows("SELECT status, COUNT(*) AS n FROM calls GROUP BY status")
        assert {row["status"]: row["n"] for row in statuses} == {
            "answered": CELLS,
            "lost": AT_ONCE,
        }


def _runs(workspace: Workspace) -> list[str]:
    from relaybench.workbench.runs.watching import stored_runs

    return [run.name for run in stored_runs(workspace)]
