"""Ctrl-C in two stages, on a real process; and what the store holds afterwards."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cli.support import Shell

SLOW = """
[models.slow]
provider = "simulated"
model = "sim-slow"
[models.slow.options]
skill = 1.0
latency_s = LATENCY
no_block = 0.0
refuse = 0.0
truncate = 0.0
fail = 0.0
"""


@contextmanager
def _started(root: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "relaybench", "--workspace", str(root), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def _wait_for(process: subprocess.Popen[str], text: str) -> str:
    """Read stderr up to a line with that text."""
    assert process.stderr
    seen = ""
    for line in process.stderr:
        seen += line
        if text in line:
            return seen
    raise AssertionError(f"{text!r} never came: {seen}")


def _run(shell: Shell, latency: str) -> tuple[str, ...]:
    shell.write("models.toml", SLOW.replace("LATENCY", latency))
    return (
        "run", "example", "--model", "slow", "--repeats", "40", "--concurrency", "2",
        "--run", "r", "--yes",
    )  # fmt: skip


def test_first_ctrl_c_lets_calls_under_way_finish(shell: Shell) -> None:
    with _started(shell.root, *_run(shell, "0.2")) as process:
        _wait_for(process, "4/40 done")
        process.send_signal(signal.SIGINT)
        _wait_for(process, "Stopping: nothing more is sent")
        _, rest = process.communicate(timeout=60)
        assert process.returncode == 130
    assert "--resume r" in rest
    rows = shell("attempts", "r", "--format", "json").json
    assert 4 <= len(rows) < 40
    assert {row["outcome"] for row in rows} == {"correct"}  # nothing was cut off
    assert "Traceback" not in rest


def test_second_ctrl_c_leaves_at_once_and_says_what_was_lost(shell: Shell) -> None:
    with _started(shell.root, *_run(shell, "0.2")) as process:
        _wait_for(process, "4/40 done")
        process.send_signal(signal.SIGINT)
        _wait_for(process, "Stopping: nothing more is sent")
        process.send_signal(signal.SIGINT)
        _, rest = process.communicate(timeout=60)
        assert process.returncode == 130
    assert "Traceback" not in rest
    done = {row["attempt"] for row in shell("attempts", "r", "--format", "json").json}
    more = shell("run", "--resume", "r", "--yes")
    assert "Leaderboard" in more.out
    rows = shell("attempts", "r", "--format", "json").json
    assert len(rows) == 40
    assert done <= {row["attempt"] for row in rows}
    assert {row["outcome"] for row in rows} == {"correct"}


def test_a_second_process_does_not_send_the_same_run(shell: Shell) -> None:
    with _started(shell.root, *_run(shell, "0.2")) as process:
        _wait_for(process, "4/40 done")
        refused = shell("run", "--resume", "r", "--yes", ok=False)
        assert refused.code == 1
        assert "another process" in refused.err
        assert "r" in shell("runs").out  # reading goes on
        assert "Leaderboard" in shell("results").out
