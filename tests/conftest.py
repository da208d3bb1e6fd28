"""For all tests: nothing reaches the network, a terminal's width, or the user's own keys."""

from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("relaybench", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("relaybench")

# matplotlib keeps a list of fonts in the user's home unless it is told another place. Making it
# takes seconds, so it is kept from one run of the tests to the next; for each user apart, since
# they may share the folder for temporary files (on Windows they don't).
_USER = os.getuid() if hasattr(os, "getuid") else 0
_FONTS = Path(tempfile.gettempdir()) / f"relaybench-tests-matplotlib-{_USER}"
_FONTS.mkdir(mode=0o700, exist_ok=True)
os.environ["MPLCONFIGDIR"] = str(_FONTS)

_LOOPBACK = ("127.0.0.1", "::1", "localhost")


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection that would leave this machine."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in _LOOPBACK:
            raise AssertionError(f"a test tried to reach {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fixed width, no colour, no keys of the person who runs the tests."""
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
