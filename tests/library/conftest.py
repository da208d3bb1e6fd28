"""Fixtures of the tests of problem files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.library.support import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)
