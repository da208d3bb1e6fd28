"""kill -9 in the middle of a run: what arrived is kept, and is not sent again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from relaybench.workbench.workspace import Workspace
from tests.workbench.chat_server import ChatServer
from tests.workbench.support import make_workspace, stored

ROOT = Path(__file__).parents[3]
CELLS, QUICK, AT_ONCE = 14, 5, 3

_MODELS = """
[models.local]
provider = "compatible"
model = "m"
base_url = "{url}"
max_output_tokens = 1000
concurrency = {at_once}
options = {{ stream = {stream} }}
"""


def _start(workspace: Workspace, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "relaybench", "--workspace", str(workspace.root), "run"]
    return subprocess.Popen(
        [*command, *arguments, "--yes"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"},
    )


def _answered_prompts(workspace: Workspace) -> set[str]:
    with stored(workspace) as s:
        return {s.attempts.detail(number).item.prompt for number in s.attempts.answered(s.plan.run)}


def test_kill_9_in_mid_run_loses_nothing_and_resume_repeats_nothing(tmp_path: Path) -> None:
    workspace = make_workspace(tmp_path, CELLS)
    with ChatServer(QUICK) as server:
        models = _MODELS.format(url=server.url, at_once=AT_ONCE, stream="false")
        (tmp_path / "models.toml").write_text(models, "utf-8")
        child = _start(workspace, "library:math/sum", "--model", "local", "--run", "r")
        try:
            held = server.wait_for_held(AT_ONCE, 60)
        finally:
            child.send_signal(signal.SIGKILL)
            said, _ = child.communicate(timeout=60)
        assert held, said.decode()
        assert child.returncode == -signal.SIGKILL

        # All places are taken by calls held back, so the quick answers had been stored by then.
        first = _answered_prompts(workspace)
        assert first == set(server.finished)
        assert len(first) == QUICK
        sent_before = list(server.prompts)
        assert len(sent_before) == QUICK + AT_ONCE

        server.release()
        child = _start(workspace, "--resume", "r")
        said, _ = child.communicate(timeout=120)
        assert f"{AT_ONCE} calls of an earlier session never came back" in said.decode()

        sent_after = server.prompts[len(sent_before) :]
        assert not first & set(sent_after), "an answer that was stored was sent again"
        assert len(sent_after) == len(set(sent_after)) == CELLS - QUICK

    with stored(workspace) as s:
        assert s.missing == 0
        (result,) = s.results
        assert (result.scored, result.planned, result.lost_calls) == (CELLS, CELLS, AT_ONCE)
        assert result.usage.input == CELLS * 10
        statuses = s.on.rows("SELECT status, COUNT(*) AS n FROM calls GROUP BY status")
        assert {row["status"]: row["n"] for row in statuses} == {
            "answered": CELLS,
            "lost": AT_ONCE,
        }
        graded = s.on.rows("SELECT * FROM attempts WHERE grade_id IS NULL")
        assert not graded


def test_the_first_interrupt_lets_calls_under_way_finish(tmp_path: Path) -> None:
    workspace = make_workspace(tmp_path, CELLS)
    with ChatServer(QUICK) as server:
        models = _MODELS.format(url=server.url, at_once=AT_ONCE, stream="false")
        (tmp_path / "models.toml").write_text(models, "utf-8")
        child = _start(workspace, "library:math/sum", "--model", "local", "--run", "r")
        try:
            assert server.wait_for_held(AT_ONCE, 60)
            child.send_signal(signal.SIGINT)
            assert child.stdout is not None
            said = b""
            while b"Stopping" not in said and (line := child.stdout.readline()):
                said += line
            assert b"Stopping" in said, said.decode()
            server.release()
            child.communicate(timeout=60)
        finally:
            child.kill()
            child.communicate()
        assert len(server.prompts) == QUICK + AT_ONCE
        assert _answered_prompts(workspace) == set(server.prompts)
    assert child.returncode == 130
