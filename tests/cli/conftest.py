"""A workspace as `relaybench init` makes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from relaybench.cli.main import main
from tests.cli.support import Shell


@pytest.fixture
def shell(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Shell:
    root = tmp_path / "bench"
    assert main(["init", str(root)]) == 0
    return Shell(root, capfd)
