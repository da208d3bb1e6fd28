"""Run commands in this process and read what they printed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from relaybench.cli.main import main


@dataclass
class Result:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """stdout as JSON."""
        return json.loads(self.out)


class Shell:
    """Runs relaybench in one workspace."""

    def __init__(self, root: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self._capture = capture

    def __call__(self, *arguments: str, ok: bool = True) -> Result:
        """Run one command; with ``ok`` it has to end with 0."""
        self._capture.readouterr()
        code = main(["--workspace", str(self.root), *arguments])
        seen = self._capture.readouterr()
        result = Result(code, seen.out, seen.err)
        assert "Traceback" not in result.err
        assert "relaybench: internal error" not in result.err  # a provider may tell of one
        if ok:
            assert code == 0, result.err
        return result

    def write(self, name: str, text: str) -> Path:
        """Write a file of the workspace."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def edit(self, name: str, old: str, new: str) -> None:
        """Change one place of a file, as an author would in an editor."""
        path = self.root / name
        text = path.read_text("utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), "utf-8")
