"""Ctrl-C while something is written from half-read rows: one word on stderr, nothing left over."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from relaybench.cli.main import main
from relaybench.reports import export
from relaybench.reports.inspect_log.samples import SampleWriter
from relaybench.reports.page import answers
from tests.cli.support import Shell

EXPORT = ("export", "r", "--out")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("interrupted") / "bench"
    assert main(["init", str(root)]) == 0
    run = ("run", "example", "--variant", "plain", "--variant", "encoded", "--cohort", "simulated")
    assert main(["--workspace", str(root), *run, "--repeats", "2", "--run", "r", "--yes"]) == 0
    return root


@pytest.fixture
def shell(root: Path, capfd: pytest.CaptureFixture[str]) -> Shell:
    return Shell(root, capfd)


def stopping(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, whose second call is interrupted."""
    calls: list[None] = []

    def called(*given: Any) -> Any:
        calls.append(None)
        if len(calls) > 1:
            raise KeyboardInterrupt
        return function(*given)

    return called


@pytest.mark.parametrize(
    ("place", "name", "arguments"),
    [
        (export, "csv_row", EXPORT),
        (export, "response_record", ("export", "r", "--with-answers", "--out")),
        (SampleWriter, "sample", ("export", "r", "--format", "inspect", "--out")),
        (answers, "_item", ("report", "r", "--with-answers", "--no-figures", "--out")),
    ],
)
def test_ctrl_c_says_stopped_and_nothing_else(
    shell: Shell,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    place: Any,
    name: str,
    arguments: tuple[str, ...],
) -> None:
    complaints: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", complaints.append)
    monkeypatch.setattr(place, name, stopping(getattr(place, name)))
    out = tmp_path / "out"
    result = shell(*arguments, str(out), ok=False)
    gc.collect()
    assert (result.code, result.out, result.err) == (130, "", "\nStopped.\n")
    assert [str(each.exc_value) for each in complaints] == []
    assert not out.is_file()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
