"""Whether the model that answered is the one that was asked for."""

from __future__ import annotations

import pytest

from relaybench.domain.model_ids import same_model


@pytest.mark.parametrize(
    ("asked", "served", "same"),
    [
        ("claude-opus-4-7", "claude-opus-4-7", True),
        ("claude-opus-4-7", None, True),
        ("claude-opus-4-7", "claude-sonnet-4-6", False),
        ("gpt-5.5", "gpt-5.5-2026-04-23", True),
        ("gpt-5.5", "gpt-5.5-mini", False),
        ("gemini-3.1-pro", "models/gemini-3.1-pro-001", True),
        ("vendor/model", "model", True),
        ("claude-sonnet-4-5-latest", "claude-sonnet-4-5-20250929", True),
    ],
)
def test_a_dated_snapshot_is_the_same_model(asked: str, served: str | None, same: bool) -> None:
    assert same_model(asked, served) is same
