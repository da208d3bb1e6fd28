"""For tests of the screens: a small workspace, and a watch on the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from relaybench.workbench.problems.starting import init_workspace
from relaybench.workbench.workspace import Workspace, find_workspace
from tests.tui.watching import WATCH, watched


@pytest.fixture(autouse=True)
def _loop_is_never_blocked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test in which one callback of the loop blocks it while the application is open."""
    WATCH.slow.clear()
    monkeypatch.setattr(asyncio.Handle, "_run", watched(asyncio.Handle._run))
    yield
    if WATCH.slow:
        pytest.fail("the event loop was blocked:\n" + "\n".join(WATCH.slow))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A workspace as ``relaybench init`` makes it, without any keys."""
    init_workspace(tmp_path / "ws")
    return find_workspace(tmp_path / "ws", environment={})
