"""Stored results for the tests of the screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from relaybench.workbench.workspace import Workspace
from tests.tui.results.stored import copied, make_store


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return make_store(tmp_path_factory.mktemp("results") / "ws")


@pytest.fixture
def stored(made: Workspace, tmp_path: Path) -> Workspace:
    """A workspace with two simulated runs, to be written to."""
    return copied(made, tmp_path / "ws")
