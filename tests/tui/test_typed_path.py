"""Paths as they are typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from relaybench.domain.errors import UsageError
from relaybench.tui.typed_path import typed_path


def test_a_path_is_below_the_root_unless_it_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert typed_path("out/a~b", tmp_path) == tmp_path / "out/a~b"
    assert typed_path("/elsewhere", tmp_path) == Path("/elsewhere")
    assert typed_path("~/out", tmp_path) == tmp_path / "home/out"


@pytest.mark.parametrize("text", ["~no-such-user", "~no-such-user/out", "a\0b", "", " "])
def test_what_is_no_path_is_told(text: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        typed_path(text, tmp_path)
