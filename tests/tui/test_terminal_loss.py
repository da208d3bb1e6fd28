"""The terminal goes away, or the process is told to end: it ends soon, whatever it waits for."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from relaybench.workbench.problems.starting import init_workspace


def _until(seen: bytes, terminal: int, mark: bytes) -> bytes:
    """Read what is painted until a mark has come."""
    ends = time.monotonic() + 60
    while mark not in seen:
        assert time.monotonic() < ends, seen[-2000:]
        if select.select([terminal], [], [], 1)[0]:
            seen += os.read(terminal, 65536)
    return seen


@pytest.mark.parametrize("closes", [True, False], ids=["terminal closed", "SIGTERM"])
def test_the_process_ends_in_good_order(tmp_path: Path, closes: bool) -> None:
    init_workspace(tmp_path / "ws")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "OPENAI_API_KEY": "k"}
    process = subprocess.Popen(
        [sys.executable, "-m", "relaybench", "--workspace", str(tmp_path / "ws")],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        start_new_session=True,
        cwd=Path(__file__).resolve().parents[2],
    )
    os.close(theirs)
    try:
        _until(b"", ours, b"divisor-sum")
        process.send_signal(signal.SIGHUP if closes else signal.SIGTERM)
        if closes:
            os.close(ours)
        else:
            while select.select([ours], [], [], 30)[0]:
                try:
                    if not os.read(ours, 65536):
                        break
                except OSError:
                    break
        assert process.wait(40) == 130
    finally:
        process.kill()
        process.wait()
