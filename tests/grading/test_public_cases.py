"""The cases from public bug reports, where the shared folder is at hand."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from relaybench.grading.extraction import Extraction, extract

ROOT = Path(__file__).resolve().parents[2].parent / "shared"
CASES = Path(os.environ.get("RELAYBENCH_SHARED", ROOT)) / "cases" / "extraction-open.jsonl"


def _rows() -> list[dict[str, object]]:
    if not CASES.exists():
        return []
    rows = [json.loads(line) for line in CASES.read_text("utf-8").split("\n") if line]
    return [row for row in rows if row["extractor"] == "code_block"]


ROWS = _rows()


@pytest.mark.skipif(not ROWS, reason=f"the shared cases are not at {CASES}")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row["id"]))
def test_public_case(row: dict[str, object]) -> None:
    """The answer and the flag are the row's."""
    found = extract(str(row["response"]), truncated=bool(row.get("truncated", False)))
    answer = found.answer if isinstance(found, Extraction) else None
    repaired = isinstance(found, Extraction) and found.repaired
    assert (answer, repaired) == (row["expected"], bool(row.get("repaired", False)))
